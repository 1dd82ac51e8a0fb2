//! Maps as text.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavGrid, NavMap, NavProjection};

/// Returns the cost of a step onto each tile of a rectangle, for a unit without a movement; the
/// upper row comes first. `.` is cost 1, a digit is its cost, and `#` is a wall or void.
///
/// `first` is the lower left tile, in the coordinates of the map's lattice.
#[must_use]
pub fn costs(world: &World, map: Entity, first: IVec2, size: UVec2) -> Vec<String> {
    pictured(world, map, first, size, |_| None)
}

/// Returns the rows of [`costs`] with `*` on each cell of a path.
#[must_use]
pub fn costs_with_way(world: &World, map: Entity, first: IVec2, size: UVec2, way: &[Cell]) -> Vec<String> {
    pictured(world, map, first, size, |cell| way.contains(&cell).then_some('*'))
}

fn pictured(
    world: &World,
    map: Entity,
    first: IVec2,
    size: UVec2,
    mark: impl Fn(Cell) -> Option<char>,
) -> Vec<String> {
    let (Some(grid), Some(rules), Some(projection)) =
        (world.get::<NavGrid>(map), world.get::<NavMap>(map), world.get::<NavProjection>(map))
    else {
        return vec![];
    };
    let size = size.as_ivec2();
    let letter = |x, y| {
        let cell = projection.lattice().cell_of((first + IVec2::new(x, y)).into());
        let cost = grid.terrain(cell).map_or(0, |class| rules.costs.multiplier(class));
        mark(cell).unwrap_or(match cost {
            0 => '#',
            1 => '.',
            cost => char::from_digit(cost.into(), 10).unwrap_or('+'),
        })
    };
    (0..size.y).rev().map(|y| (0..size.x).map(|x| letter(x, y)).collect()).collect()
}
