//! A camera for pixel art: pan with the arrow keys, WASD or a middle drag, zoom with the wheel.

use bevy::{
    input::mouse::{MouseScrollUnit, MouseWheel},
    prelude::*,
    window::PrimaryWindow,
};

use crate::pointer::MapPointer;

/// The camera's controls. Spawn the camera yourself, with [`PanZoom`] beside `Camera2d`.
pub struct PanZoomPlugin;

impl Plugin for PanZoomPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (zoom_by_wheel, pan_by_keys, place_camera).chain()).add_observer(pan_by_drag);
    }
}

/// Where the camera looks and how large it shows the world.
#[derive(Component, Debug, Clone)]
pub struct PanZoom {
    /// The world position in the middle of the window.
    pub centre: Vec2,
    /// Screen pixels a world unit, a whole number so that the art's pixels stay equal.
    pub zoom: u32,
    /// The world's rectangle; the centre stays within it.
    pub bounds: Rect,
    /// Smallest and largest zoom.
    pub zoom_range: (u32, u32),
    /// Screen pixels a second when a key is held.
    pub speed: f32,
    /// Whether W, A, S and D pan as the arrow keys do.
    pub letters: bool,
}

impl PanZoom {
    /// A camera at the middle of `bounds` with this zoom, at most eight screen pixels a world unit.
    #[must_use]
    pub fn new(bounds: Rect, zoom: u32) -> Self {
        Self { centre: bounds.center(), zoom, bounds, zoom_range: (1, 8), speed: 600.0, letters: true }
    }

    /// Looks somewhere else, as near as the bounds allow.
    pub fn look_at(&mut self, centre: Vec2) {
        self.centre = centre.clamp(self.bounds.min, self.bounds.max);
    }

    /// The centre that puts `world` where the pointer is, `offset` screen pixels right of and above the middle.
    fn centre_with(&self, world: Vec2, offset: Vec2) -> Vec2 {
        world - offset / self.zoom as f32
    }

    /// Zooms by whole steps and keeps the world under the pointer in place.
    fn zoom_by(&mut self, steps: i32, offset: Vec2) {
        let world = self.centre + offset / self.zoom as f32;
        self.zoom = self.zoom.saturating_add_signed(steps).clamp(self.zoom_range.0, self.zoom_range.1);
        self.look_at(self.centre_with(world, offset));
    }
}

fn zoom_by_wheel(
    mut wheel: MessageReader<MouseWheel>,
    mut unused: Local<f32>,
    pointer: Res<MapPointer>,
    window: Single<&Window, With<PrimaryWindow>>,
    mut camera: Single<&mut PanZoom>,
) {
    let turned: f32 = wheel
        .read()
        .map(|event| match event.unit {
            MouseScrollUnit::Line => event.y,
            MouseScrollUnit::Pixel => event.y / 40.0,
        })
        .sum();
    if !pointer.is_over_map() {
        return;
    }
    *unused += turned;
    let steps = unused.trunc();
    if steps != 0.0
        && let Some(cursor) = window.cursor_position()
    {
        *unused -= steps;
        let offset = (cursor - window.size() / 2.0) * Vec2::new(1.0, -1.0);
        camera.zoom_by(steps as i32, offset);
    }
}

fn pan_by_keys(keys: Res<ButtonInput<KeyCode>>, time: Res<Time<Real>>, mut camera: Single<&mut PanZoom>) {
    let held = |arrow, letter| {
        let pressed = keys.pressed(arrow) || camera.letters && keys.pressed(letter);
        f32::from(u8::from(pressed))
    };
    let direction = Vec2::new(
        held(KeyCode::ArrowRight, KeyCode::KeyD) - held(KeyCode::ArrowLeft, KeyCode::KeyA),
        held(KeyCode::ArrowUp, KeyCode::KeyW) - held(KeyCode::ArrowDown, KeyCode::KeyS),
    );
    if direction != Vec2::ZERO {
        let step = direction.normalize() * camera.speed * time.delta_secs() / camera.zoom as f32;
        let centre = camera.centre + step;
        camera.look_at(centre);
    }
}

fn pan_by_drag(drag: On<Pointer<Drag>>, windows: Query<(), With<Window>>, mut camera: Single<&mut PanZoom>) {
    if drag.event.button == PointerButton::Middle && windows.contains(drag.original_event_target()) {
        let delta = drag.event.delta * Vec2::new(-1.0, 1.0) / camera.zoom as f32;
        let centre = camera.centre + delta;
        camera.look_at(centre);
    }
}

fn place_camera(camera: Single<(&PanZoom, &mut Transform, &mut Projection), Changed<PanZoom>>) {
    let (view, mut transform, mut projection) = camera.into_inner();
    let zoom = view.zoom as f32;
    // On whole screen pixels, or the art shimmers while the camera moves.
    let centre = (view.centre * zoom).round() / zoom;
    transform.translation = centre.extend(transform.translation.z);
    if let Projection::Orthographic(orthographic) = &mut *projection {
        orthographic.scale = 1.0 / zoom;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> PanZoom {
        PanZoom::new(Rect::new(0.0, 0.0, 640.0, 384.0), 2)
    }

    #[test]
    fn zooming_keeps_the_world_under_the_pointer() {
        let mut camera = camera();
        let offset = Vec2::new(100.0, -60.0);
        let before = camera.centre + offset / 2.0;
        camera.zoom_by(2, offset);
        assert_eq!(camera.zoom, 4);
        assert_eq!(camera.centre + offset / 4.0, before);
    }

    #[test]
    fn zoom_and_centre_stay_within_their_limits() {
        let mut camera = camera();
        camera.zoom_by(-9, Vec2::ZERO);
        assert_eq!(camera.zoom, 1);
        camera.zoom_by(90, Vec2::ZERO);
        assert_eq!(camera.zoom, 8);
        camera.look_at(Vec2::new(-50.0, 1000.0));
        assert_eq!(camera.centre, Vec2::new(0.0, 384.0));
    }
}
