//! Agents that other code moves, on their maps.
//!
//! Decision: `docs/decisions/62-drive.md`.

use bevy_math::Vec2;
use tilepath::Cell;

use crate::{
    journey::{halt::Halt, path::AgentPath},
    map::maps::{AnyMap, Maps},
};

/// Returns the cell on which a driven agent stands, if its order may end there. The order leads near
/// a target, or away from targets.
pub(super) fn goal_cell_under(path: &AgentPath, here: Vec2, maps: &Maps) -> Option<Cell> {
    let reach = path.route().goals.reach.as_ref().filter(|_| path.is_driven())?;
    let is_held = matches!(path.halt, Some(Halt::Paused | Halt::NoSteps));
    if is_held || path.is_replanned() || path.legs_left().len() > 1 {
        return None;
    }
    match maps.of(path.route().movement.as_ref()).get(path.map()) {
        Some(AnyMap::Tiles(view)) => {
            view.unbounded_cell_at(here).filter(|&cell| view.is_passable(cell) && reach.holds(cell, &view))
        }
        _ => None,
    }
}

/// Returns whether an agent that other code moves can go straight to the point with this index.
pub(super) fn may_go(path: &AgentPath, here: Vec2, index: usize, maps: &Maps) -> bool {
    match maps.of(path.route().movement.as_ref()).get(path.map()) {
        Some(AnyMap::Tiles(view)) => view.may_go(here, path.leg().index_of(index), path),
        map => map.is_some(),
    }
}

/// Returns whether an agent beside its path can walk straight back to it.
pub(super) fn is_near_path(path: &AgentPath, here: Vec2, maps: &Maps) -> bool {
    match maps.of(path.route().movement.as_ref()).get(path.map()) {
        Some(AnyMap::Tiles(view)) => view.is_clear_to(here, path.leg().index_of(path.next_point()), path),
        map => map.is_some(),
    }
}
