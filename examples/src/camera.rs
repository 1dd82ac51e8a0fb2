//! A camera for pixel art: pan with the arrow keys, WASD or a middle drag, zoom with the wheel.

use bevy::{
    input::mouse::{MouseScrollUnit, MouseWheel},
    prelude::*,
    window::PrimaryWindow,
};

use crate::{layout::Room, pointer::MapPointer, scale::ratio_of};

/// The camera's controls. Spawn the camera yourself, with [`PanZoom`] beside `Camera2d`.
pub struct PanZoomPlugin;

impl Plugin for PanZoomPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreUpdate, measure_room)
            .add_systems(Update, (zoom_by_wheel, pan_by_keys, place_camera).chain())
            .add_observer(pan_by_drag);
    }
}

/// The view of the camera: its centre and its zoom.
///
/// The camera shows the world in a room of the window that panels leave free. A larger world fills
/// the room, and a smaller one stays in it as a whole. So the world never leaves the window.
#[derive(Component, Debug, Clone)]
pub struct PanZoom {
    /// The world position in the middle of the room.
    pub centre: Vec2,
    /// Screen pixels for one world unit: a whole number, so that all pixels of the pictures have
    /// the same size. In a window smaller than the default size it can be any number.
    pub zoom: f32,
    /// The last chosen zoom, for a window of the default size. [`zoom`](Self::zoom) follows the
    /// window.
    pub chosen: f32,
    /// The world's rectangle.
    pub bounds: Rect,
    /// The smallest and the largest zoom in a window of the default size. In a larger window both
    /// are larger, in a smaller one smaller.
    pub zoom_range: (u32, u32),
    /// True if the zoom is a whole number in windows of the default size and larger ones.
    pub is_whole: bool,
    /// The speed while a key is held, in screen pixels a second.
    pub speed: f32,
    /// True if W, A, S and D pan as the arrow keys do.
    pub letters: bool,
    /// The size of the window in screen pixels. It follows the window.
    pub window: Vec2,
    /// The part of the window that shows the world, in screen pixels, y down. It follows the node
    /// with [`Room`], or the window without such a node.
    pub room: Rect,
}

impl PanZoom {
    /// Returns a camera at the middle of `bounds` with this zoom for a window of the default size.
    ///
    /// In a larger window the zoom is larger, up to eight screen pixels for one world unit.
    #[must_use]
    pub fn new(bounds: Rect, zoom: u32) -> Self {
        let zoom = zoom as f32;
        Self {
            centre: bounds.center(),
            zoom,
            chosen: zoom,
            bounds,
            zoom_range: (1, 8),
            is_whole: true,
            speed: 600.0,
            letters: true,
            window: Vec2::ZERO,
            room: Rect::default(),
        }
    }

    /// Returns a camera for a window with a panel at its right. The panel hides the far end of
    /// `bounds`, not the near one.
    #[must_use]
    pub fn beside_panel(bounds: Rect, zoom: u32) -> Self {
        Self { centre: Vec2::new(bounds.min.x, bounds.center().y), ..Self::new(bounds, zoom) }
    }

    /// Looks at another place, as near as the bounds allow.
    pub fn look_at(&mut self, centre: Vec2) {
        if self.room.is_empty() {
            self.centre = centre; // the window is not measured yet
            return;
        }
        let half = self.room.size() / 2.0 / self.zoom;
        let (one, other) = (self.bounds.min + half, self.bounds.max - half);
        self.centre = centre.clamp(one.min(other), one.max(other));
    }

    /// Shows the whole `area`, as large as the room allows.
    pub fn fit(&mut self, area: Rect) {
        let zoom = (self.room.size() / area.size()).min_element();
        self.choose(if self.has_whole_zoom() { zoom.floor() } else { zoom });
        self.look_at(area.center());
    }

    /// Returns the place of the world at a place of the window, in screen pixels, y down.
    #[must_use]
    pub fn world_at(&self, screen: Vec2) -> Vec2 {
        self.centre + (screen - self.room.center()) * Vec2::new(1.0, -1.0) / self.zoom
    }

    /// Returns the place of the window that shows a place of the world, in screen pixels, y down.
    #[must_use]
    pub fn screen_at(&self, world: Vec2) -> Vec2 {
        self.room.center() + (world - self.centre) * Vec2::new(1.0, -1.0) * self.zoom
    }

    /// Returns the part of the world that the window shows, also below panels.
    #[must_use]
    pub fn seen(&self) -> Rect {
        Rect::from_corners(self.world_at(Vec2::ZERO), self.world_at(self.window))
    }

    /// Zooms by whole steps. The world stays fixed at a place of the window, as far as the bounds
    /// allow.
    pub fn zoom_by(&mut self, steps: i32, screen: Vec2) {
        let world = self.world_at(screen);
        self.choose(self.zoom + steps as f32 * self.ratio().min(1.0));
        let centre = self.centre + world - self.world_at(screen);
        self.look_at(centre);
    }

    /// Returns the size of the window as a part of the default size, and 1 before it is measured.
    fn ratio(&self) -> f32 {
        let ratio = ratio_of(self.window);
        if ratio > 0.0 { ratio } else { 1.0 }
    }

    fn has_whole_zoom(&self) -> bool {
        self.is_whole && self.ratio() >= 1.0
    }

    fn limited(&self, zoom: f32) -> f32 {
        let ratio = self.ratio();
        let (least, most) = (self.zoom_range.0 as f32 * ratio, self.zoom_range.1 as f32 * ratio);
        if self.has_whole_zoom() {
            zoom.round().clamp(least.floor(), most.ceil())
        } else {
            zoom.clamp(least, most)
        }
    }

    fn choose(&mut self, zoom: f32) {
        self.zoom = self.limited(zoom);
        self.chosen = self.zoom / self.ratio();
    }

    /// Follows a new size of the window or of its room: the world is scaled as texts are.
    fn take_room(&mut self, window: Vec2, room: Rect) {
        (self.window, self.room) = (window, room);
        self.zoom = self.limited(self.chosen * self.ratio());
        self.look_at(self.centre);
    }
}

fn measure_room(
    window: Single<&Window, With<PrimaryWindow>>,
    rooms: Query<(&ComputedNode, &UiGlobalTransform), With<Room>>,
    mut camera: Single<&mut PanZoom>,
) {
    let whole = Rect::from_corners(Vec2::ZERO, window.size());
    let room = rooms.iter().next().map_or(whole, |(node, place)| {
        let scale = window.scale_factor();
        Rect::from_center_size(place.translation / scale, node.size() / scale)
    });
    if !room.is_empty() && (camera.window, camera.room) != (window.size(), room) {
        camera.take_room(window.size(), room);
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
        camera.zoom_by(steps as i32, cursor);
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
    if direction != Vec2::ZERO && camera.speed != 0.0 {
        let step = direction.normalize() * camera.speed * time.delta_secs() / camera.zoom;
        let centre = camera.centre + step;
        camera.look_at(centre);
    }
}

fn pan_by_drag(drag: On<Pointer<Drag>>, windows: Query<(), With<Window>>, mut camera: Single<&mut PanZoom>) {
    if drag.event.button == PointerButton::Middle && windows.contains(drag.original_event_target()) {
        let delta = drag.event.delta * Vec2::new(-1.0, 1.0) / camera.zoom;
        let centre = camera.centre + delta;
        camera.look_at(centre);
    }
}

fn place_camera(camera: Single<(&PanZoom, &mut Transform, &mut Projection), Changed<PanZoom>>) {
    let (view, mut transform, mut projection) = camera.into_inner();
    let zoom = view.zoom;
    // The camera stays on whole screen pixels. Otherwise the pictures shimmer while it moves.
    let middle = (view.world_at(view.window / 2.0) * zoom).round() / zoom;
    transform.translation = middle.extend(transform.translation.z);
    if let Projection::Orthographic(orthographic) = &mut *projection {
        orthographic.scale = 1.0 / zoom;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a camera for a world of 640 x 384, in a window whose right third is a panel.
    fn camera() -> PanZoom {
        let mut camera = PanZoom::new(Rect::new(0.0, 0.0, 640.0, 384.0), 2);
        camera.take_room(Vec2::new(1280.0, 720.0), Rect::new(0.0, 0.0, 800.0, 600.0));
        camera
    }

    /// Returns the zoom, which must be a whole number.
    fn whole_zoom(camera: &PanZoom) -> u32 {
        assert!(camera.zoom.fract() < 1e-6, "{}", camera.zoom);
        camera.zoom as u32
    }

    #[test]
    fn zooming_keeps_the_world_under_the_pointer() {
        let mut camera = camera();
        let pointer = Vec2::new(500.0, 360.0);
        let before = camera.world_at(pointer);
        camera.zoom_by(2, pointer);
        assert_eq!(whole_zoom(&camera), 4);
        assert_eq!(camera.world_at(pointer), before);
    }

    #[test]
    fn zoom_stays_within_its_limits() {
        let mut camera = camera();
        camera.zoom_by(-9, Vec2::ZERO);
        assert_eq!(whole_zoom(&camera), 1);
        camera.zoom_by(90, Vec2::ZERO);
        assert_eq!(whole_zoom(&camera), 8);
    }

    #[test]
    fn however_far_the_view_is_pushed_the_world_is_not_lost() {
        for zoom in 1..=8 {
            let mut camera = camera();
            camera.zoom = zoom as f32;
            for direction in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (1.0, 1.0), (-1.0, 1.0)] {
                camera.look_at(Vec2::from(direction) * 1e6);
                let room =
                    Rect::from_corners(camera.world_at(camera.room.min), camera.world_at(camera.room.max));
                let shown = room.intersect(camera.bounds).size();
                let most = room.size().min(camera.bounds.size());
                assert!((shown - most).abs().max_element() < 0.01, "zoom {zoom}: {shown} of {most}");
            }
        }
    }

    #[test]
    fn a_larger_room_brings_the_world_back_into_it() {
        let mut camera = camera();
        camera.look_at(Vec2::new(1e6, 192.0));
        let panel = camera.world_at(Vec2::new(800.0, 300.0));
        assert_eq!(panel, Vec2::new(640.0, 192.0), "the panel begins where the world ends");
        camera.take_room(Vec2::new(1600.0, 720.0), Rect::new(0.0, 0.0, 1600.0, 600.0));
        let shown = Rect::from_corners(camera.world_at(camera.room.min), camera.world_at(camera.room.max));
        assert!(shown.min.x <= 0.0 && shown.max.x >= 640.0, "{shown:?}");
    }

    #[test]
    fn a_larger_window_shows_the_world_larger_however_slowly_it_grows() {
        let mut camera = camera();
        for height in 600..=1080 {
            let window = Vec2::new(height as f32 / 9.0 * 16.0, height as f32);
            camera.take_room(window, Rect::from_corners(Vec2::ZERO, window));
        }
        assert_eq!(whole_zoom(&camera), 3);
        camera.zoom_by(1, Vec2::ZERO);
        let window = Vec2::new(1280.0, 720.0);
        camera.take_room(window, Rect::from_corners(Vec2::ZERO, window));
        assert_eq!(whole_zoom(&camera), 3, "4 of 1080 are 2.7 of 720");
    }

    #[test]
    fn a_zoom_that_cannot_be_changed_grows_with_the_window_nevertheless() {
        let window = Vec2::new(1920.0, 1080.0);
        let mut camera = PanZoom { zoom_range: (2, 2), ..PanZoom::new(Rect::new(0.0, 0.0, 640.0, 360.0), 2) };
        camera.take_room(window, Rect::from_corners(Vec2::ZERO, window));
        for steps in [0, 5, -9] {
            camera.zoom_by(steps, Vec2::ZERO);
            assert_eq!(whole_zoom(&camera), 3);
        }
    }

    #[test]
    fn a_small_window_shows_as_much_of_the_world_as_a_large_one() {
        for (width, height) in [(900.0, 500.0), (832.0, 468.0), (1270.0, 720.0)] {
            let window = Vec2::new(width, height);
            let mut camera =
                PanZoom { zoom_range: (2, 2), ..PanZoom::new(Rect::new(0.0, 0.0, 640.0, 360.0), 2) };
            camera.take_room(window, Rect::from_corners(Vec2::ZERO, window));
            let shown = camera.bounds.size() * camera.zoom;
            assert!(shown.cmple(window + 0.01).all(), "{shown} of {window}");
            assert!((window - shown).min_element() < 0.01, "as large as it fits: {shown} of {window}");
        }
    }

    #[test]
    fn all_of_an_area_is_fitted_into_the_room() {
        let mut camera = camera();
        let area = Rect::new(200.0, 100.0, 500.0, 300.0);
        camera.fit(area);
        assert_eq!(whole_zoom(&camera), 2, "800 pixels are twice 300, not three times");
        assert_eq!(camera.world_at(camera.room.center()), area.center());
        camera.fit(Rect::new(0.0, 0.0, 6400.0, 100.0));
        assert_eq!(whole_zoom(&camera), 1, "no smaller than the range allows");
    }
}
