//! Maps as text.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavGrid, NavMap, NavProjection};

/// What a step onto each tile of a rectangle costs a unit without a movement, the upper row first: `.` is 1, `#` a wall or
/// void, a digit its cost. `first` is the lower left tile, as the lattice of the map counts them.
#[must_use]
pub fn costs(world: &World, map: Entity, first: IVec2, size: UVec2) -> Vec<String> {
    pictured(world, map, first, size, |_| None)
}

/// The same with `*` on each cell of a way.
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
