//! Where entities are, by their transforms alone.

use bevy_ecs::{entity::Entity, hierarchy::ChildOf, world::World};
use bevy_math::{Affine2, EulerRot, Vec2, Vec3Swizzles};
use bevy_tilepath::{Cell, NavGrid, NavProjection};
use bevy_transform::components::Transform;

/// The entity's own space in the world.
pub(crate) fn world_from(world: &World, entity: Entity) -> Affine2 {
    let own = |entity| {
        let at = world.get::<Transform>(entity).copied().unwrap_or_default();
        let (_, _, angle) = at.rotation.to_euler(EulerRot::XYZ);
        Affine2::from_scale_angle_translation(at.scale.xy(), angle, at.translation.xy())
    };
    let (mut at, mut place) = (entity, own(entity));
    while let Some(parent) = world.get::<ChildOf>(at) {
        at = parent.parent();
        place = own(at) * place;
    }
    place
}

/// Where the entity stands in the world.
pub(crate) fn position(world: &World, entity: Entity) -> Vec2 {
    world_from(world, entity).translation
}

/// Puts an entity at a position of the world, whatever it is a child of.
pub(crate) fn put(world: &mut World, entity: Entity, position: Vec2) {
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let local = match parent {
        Some(parent) => world_from(world, parent).inverse().transform_point2(position),
        None => position,
    };
    if let Some(mut transform) = world.get_mut::<Transform>(entity) {
        transform.translation = local.extend(transform.translation.z);
    }
}

/// A position on a tile map, in cells: cell (x, y) reaches from (x, y) to (x + 1, y + 1).
pub(crate) fn units(world: &World, map: Entity, position: Vec2) -> Option<Vec2> {
    let projection = world.get::<NavProjection>(map)?;
    let local = world_from(world, map).inverse().transform_point2(position);
    Some((local - projection.position_of(Cell::new(0, 0))) / projection.cell_size() + 0.5)
}

/// The centre of a cell in the world, by the transforms of this moment.
pub(crate) fn centre(world: &World, map: Entity, cell: Cell) -> Option<Vec2> {
    let projection = world.get::<NavProjection>(map)?;
    Some(world_from(world, map).transform_point2(projection.position_of(cell)))
}

/// All cells that a point belongs to, or may belong to by a hair: the one it lies in, and those whose edge it is near.
pub(crate) fn cells_around(units: Vec2, hair: f32) -> impl Iterator<Item = Cell> {
    let (low, high) = ((units - hair).floor(), (units + hair).floor());
    (low.y as i32..=high.y as i32)
        .flat_map(move |y| (low.x as i32..=high.x as i32).map(move |x| Cell::new(x, y)))
}

/// Whether a cell of the map can be entered; not one out of bounds.
pub(crate) fn is_open(grid: &NavGrid, cell: Cell) -> bool {
    let movement = grid.finder().movement(grid.movement());
    grid.terrain(cell)
        .is_some_and(|class| movement.is_some_and(|movement| movement.costs().is_passable(class)))
}
