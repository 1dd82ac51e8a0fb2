//! Where the pointer is in the world, and whether the map or the panel lies under it.

use bevy::{
    picking::{PickingSystems, hover::HoverMap, pointer::PointerId},
    prelude::*,
    window::PrimaryWindow,
};

/// Keeps [`MapPointer`] up to date.
pub struct MapPointerPlugin;

impl Plugin for MapPointerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<MapPointer>().add_systems(PreUpdate, locate_pointer.after(PickingSystems::Hover));
    }
}

/// The pointer's world position while it is over the map; `None` over a panel or outside the window.
///
/// Tiles are no targets of Bevy's picking: a pointer that hits nothing else hits the window, and the map is
/// what the window shows there.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub struct MapPointer {
    /// World position of the pointer.
    pub world: Option<Vec2>,
}

impl MapPointer {
    /// Is the map under the pointer, and no panel over it?
    #[must_use]
    pub fn is_over_map(&self) -> bool {
        self.world.is_some()
    }
}

fn locate_pointer(
    mut pointer: ResMut<MapPointer>,
    hovered: Res<HoverMap>,
    window: Single<(Entity, &Window), With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    let (window_entity, window) = *window;
    let (camera, place) = *camera;
    let covered =
        hovered.get(&PointerId::Mouse).is_some_and(|hits| hits.keys().any(|&hit| hit != window_entity));
    let world = window
        .cursor_position()
        .filter(|_| !covered)
        .and_then(|cursor| camera.viewport_to_world_2d(place, cursor).ok());
    pointer.set_if_neq(MapPointer { world });
}

/// The world position of a pointer event that hit the window itself, or `None` if something lay above the map.
#[must_use]
pub fn world_of_event(
    target: Entity,
    position: Vec2,
    windows: &Query<(), With<Window>>,
    camera: (&Camera, &GlobalTransform),
) -> Option<Vec2> {
    if !windows.contains(target) {
        return None;
    }
    camera.0.viewport_to_world_2d(camera.1, position).ok()
}
