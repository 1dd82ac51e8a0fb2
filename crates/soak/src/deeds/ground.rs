//! Edits of cells, edges and overlays.

use bevy_ecs::{entity::Entity, world::World};
use bevy_tilepath::{
    AgentPath, Cell, Edit, NavGrid, OnMap,
    tilepath::{Bounds, Direction, Exits, Grid, Topology},
};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::{
    crew::{Agent, Spot},
    level::{Level, any_cell},
    places::{self, MAX_CLASS, SMOKE},
};

/// The largest share of walls among the cells of a map.
const MOST_WALLS: f64 = 0.2;
/// The largest share of cells that the overlay closes.
const MOST_CLOSED: f64 = 0.1;

/// Returns a random class for a cell, without too many walls.
fn class(world: &World, map: Entity, random: &mut ChaCha8Rng) -> u8 {
    let walls = world.get::<NavGrid>(map).map_or(0, |grid| grid.grid().class_count(0));
    let cells = world.get::<NavGrid>(map).map_or(0, |grid| grid.bounds().cell_count());
    let is_full = walls as f64 > MOST_WALLS * cells as f64;
    if random.random_bool(if is_full { 0.2 } else { 0.6 }) { 0 } else { random.random_range(1..5) }
}

fn set_terrain(world: &mut World, map: Entity, cell: Cell, class: u8) {
    if let Some(mut grid) = world.get_mut::<NavGrid>(map) {
        // Cells out of bounds are refused.
        let _ = grid.set_terrain(cell, class);
    }
}

/// Returns the maps whose cells are edited by hand, without maps of tiles.
fn by_hand(level: &Level) -> &[Entity] {
    #[cfg(feature = "tilemaps")]
    {
        &level.maps[..level.maps.len() - 1]
    }
    #[cfg(not(feature = "tilemaps"))]
    {
        &level.maps
    }
}

pub(super) fn edit(world: &mut World, level: &Level, random: &mut ChaCha8Rng) {
    let maps = by_hand(level);
    let map = maps[random.random_range(0..maps.len())];
    let (cell, class) = (any_cell(world, map, random), class(world, map, random));
    set_terrain(world, map, cell, class);
}

/// Builds or removes a wall under the next cells of a path, or beside the agent.
pub(super) fn edit_near(world: &mut World, agent: &Agent, random: &mut ChaCha8Rng) {
    let Some((map, cell)) = near_cell(world, agent, random) else { return };
    let class = class(world, map, random);
    set_terrain(world, map, cell, class);
}

pub(super) fn edit_many(world: &mut World, level: &Level, random: &mut ChaCha8Rng) {
    let maps = by_hand(level);
    let map = maps[random.random_range(0..maps.len())];
    let corner = any_cell(world, map, random);
    for y in 0..4 {
        for x in 0..6 {
            let class = class(world, map, random);
            set_terrain(world, map, Cell::new(corner.x + x, corner.y + y), class);
        }
    }
}

/// Returns the map of an agent, and a cell under the next cells of its path, or beside the agent.
fn near_cell(world: &World, agent: &Agent, random: &mut ChaCha8Rng) -> Option<(Entity, Cell)> {
    let map = world.get::<OnMap>(agent.entity)?.0;
    world.get::<NavGrid>(map)?;
    let ahead = world.get::<AgentPath>(agent.entity).map_or(&[][..], AgentPath::remaining_cells);
    let at = if !ahead.is_empty() && random.random_bool(0.5) {
        ahead[random.random_range(0..ahead.len().min(3))]
    } else {
        let units = places::units(world, map, places::position(world, agent.entity))?;
        Cell::new(units.x.floor() as i32, units.y.floor() as i32)
    };
    let aside = (random.random_range(-1..2), random.random_range(-1..2));
    Some((map, at + aside))
}

/// Returns a map by hand and one of its cells: anywhere, near an agent, or a goal of the agent.
fn some_cell(world: &World, level: &Level, agent: &Agent, random: &mut ChaCha8Rng) -> Option<(Entity, Cell)> {
    let maps = by_hand(level);
    let (map, cell) = match random.random_range(0..8) {
        0..3 => {
            let map = maps[random.random_range(0..maps.len())];
            (map, any_cell(world, map, random))
        }
        3 => match agent.asked.as_ref()?.goals.first()? {
            Spot::Cells(map, cells) => (*map, *cells.first()?),
            _ => return None,
        },
        _ => near_cell(world, agent, random)?,
    };
    let is_on_map = world.get::<NavGrid>(map).is_some_and(|grid| grid.bounds().contains(cell));
    (maps.contains(&map) && is_on_map).then_some((map, cell))
}

fn make(world: &mut World, map: Entity, edits: &[Edit]) {
    if let Some(mut grid) = world.get_mut::<NavGrid>(map) {
        // Edges at the border of the map are refused.
        let _ = grid.edit(edits);
    }
}

/// Removes a cell or a small rectangle from the map, or brings a void cell back.
pub(super) fn void(
    world: &mut World,
    level: &Level,
    agent: &Agent,
    has_buildings: bool,
    random: &mut ChaCha8Rng,
) {
    let Some((map, cell)) = some_cell(world, level, agent, random) else { return };
    let is_void = world.get::<NavGrid>(map).is_some_and(|grid| !grid.grid().contains(cell));
    let edit = match random.random_range(0..8) {
        0 => Bounds::new(cell, random.random_range(1..4), random.random_range(1..4)).map(Edit::void_in),
        // A building, often set on units, and open ground after others are torn down.
        2 if has_buildings => Bounds::new(cell + (-2, -2), 5, 5).map(|area| Edit::terrain_in(area, 0)),
        3 if has_buildings => Bounds::new(cell + (-3, -3), 7, 7).map(|area| Edit::terrain_in(area, 1)),
        1 => {
            let class = random.random_range(1..5);
            Bounds::new(cell, 3, 3).map(|area| Edit::terrain_in(area, class))
        }
        _ if is_void => Ok(Edit::terrain(cell, class(world, map, random))),
        _ => Ok(Edit::void(cell)),
    };
    if let Ok(edit) = edit {
        make(world, map, &[edit]);
    }
}

/// Closes or opens an edge of a cell, or all its edges.
pub(super) fn edge(world: &mut World, level: &Level, agent: &Agent, random: &mut ChaCha8Rng) {
    let Some((map, cell)) = some_cell(world, level, agent, random) else { return };
    let direction = Direction::ALL[random.random_range(0..Direction::ALL.len())];
    let Some(other) = cell.neighbour(direction) else { return };
    let shape = level.style.lattice.topology();
    match random.random_range(0..12) {
        0..3 => make(world, map, &[Edit::one_way(cell, other)]),
        3 => make(world, map, &[Edit::one_way(other, cell)]),
        4 => make(world, map, &[Edit::fence(cell, other)]),
        5 if shape == Topology::Hexagonal || !direction.is_diagonal() => {
            // A ledge of three cells.
            let along = direction.turned(2).offset();
            for by in [-1, 0, 1] {
                make(world, map, &[Edit::ledge(cell + (along.0 * by, along.1 * by), direction)]);
            }
        }
        6 => make(world, map, &[Edit::exits(cell, Exits::ALL.without(direction))]),
        7..9 => make(world, map, &[Edit::open_edge(cell, other)]),
        _ => {
            for cell in places::footprint(cell + (-1, -1), 3) {
                open_all(world, map, cell);
            }
        }
    }
}

/// Opens all edges of a cell.
fn open_all(world: &mut World, map: Entity, cell: Cell) {
    for other in Direction::ALL.into_iter().filter_map(|direction| cell.neighbour(direction)) {
        make(world, map, &[Edit::open_edge(cell, other)]);
    }
}

/// Changes the overlay of a cell or of a small rectangle.
pub(super) fn overlay(world: &mut World, level: &Level, agent: &Agent, random: &mut ChaCha8Rng) {
    let Some((map, cell)) = some_cell(world, level, agent, random) else { return };
    let Some(grid) = world.get::<NavGrid>(map) else { return };
    let closed = grid.grid().overlay_cells(SMOKE).filter(|(_, value)| *value == Grid::CLOSING).count();
    let is_full = closed as f64 > MOST_CLOSED * grid.bounds().cell_count() as f64;
    let value = match random.random_range(0..6) {
        0..2 if !is_full => Grid::CLOSING,
        0..4 => 0,
        _ => random.random_range(1..u16::from(MAX_CLASS)),
    };
    let edit = match random.random_range(0..40) {
        0 => Ok(Edit::clear_overlay(SMOKE)),
        1..6 => {
            let (width, height) = (random.random_range(1..5), random.random_range(1..5));
            Bounds::new(cell, width, height).map(|area| Edit::overlay_in(SMOKE, area, value))
        }
        _ => Ok(Edit::overlay(SMOKE, cell, value)),
    };
    if let Ok(edit) = edit {
        make(world, map, &[edit]);
    }
}
