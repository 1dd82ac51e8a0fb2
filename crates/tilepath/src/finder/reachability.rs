//! Reachability of goals, known before any search.

use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::Direction,
    finder::snapshot::MapSnapshot,
    movement_map::{MovementMap, area::Area},
    regions::{ClosestCells, Regions},
    size::Size,
    space::grid::GridNode,
};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The reachability of a query's goal before the search.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reachability {
    Reachable,
    Unreachable,
    /// The goal cannot be reached, but the query wants the search to discover that.
    Unknown,
    /// Steps may be one-way, so only the search can decide.
    Undecided,
    /// The goal cannot be reached. Holds the closest cells that can be reached, and the work spent
    /// to find them.
    Closest(ClosestCells, u64),
}

/// The regions of one movement. They are built at the first query, and updated at the first query
/// after edits.
///
/// Between edits, reading them takes no lock.
#[derive(Default, Debug)]
pub(crate) struct LazyRegions {
    in_step: OnceLock<Regions>,
    /// The regions that do not include the latest edits yet.
    behind: Mutex<Option<Regions>>,
}

impl LazyRegions {
    /// Returns the regions of the map as it is now.
    #[inline]
    pub(crate) fn get(&self, bounds: &Bounds, movement_map: &MovementMap) -> &Regions {
        self.in_step.get_or_init(|| {
            let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(mut regions) = behind {
                regions.catch_up(movement_map.rows());
                return regions;
            }
            Regions::new(bounds, movement_map)
        })
    }

    /// Returns the bytes of the regions.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn bytes(&self) -> usize {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        self.in_step.get().or(behind.as_ref()).map_or(0, Regions::bytes)
    }

    /// Follows a change of the map's bounds.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn follow_resize(&mut self, from: &Bounds, to: &Bounds, size: Size) {
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        let known = behind.take().or_else(|| self.in_step.take());
        *behind = known.and_then(|regions| regions.resized(from, to, size));
    }

    /// Marks the chunks of a rectangle in which cells opened or closed.
    ///
    /// # Complexity
    /// O(chunks that the rectangle touches).
    pub(crate) fn follow_edits(&mut self, area: &Area) {
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        if behind.is_none() {
            *behind = self.in_step.take();
        }
        if let Some(regions) = behind {
            regions.mark(area);
        }
    }
}

impl Clone for LazyRegions {
    fn clone(&self) -> Self {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { in_step: self.in_step.clone(), behind: Mutex::new(behind) }
    }
}

/// Finds the cells that can be reached, until it finds the goal. Path costs do not matter, even if
/// they exceed `Cost::MAX`.
pub(crate) fn flood_to(map: &MapSnapshot, start: GridNode, goal: Option<GridNode>) -> Flooded {
    let mut seen = BitGrid::new(map.bounds.width(), map.bounds.height());
    seen.set(start.x(), start.y(), true);
    let mut flooded = Flooded { cells: vec![start], seen, is_reached: false };
    let mut expanded = 0;
    while let Some(&node) = flooded.cells.get(expanded) {
        expanded += 1;
        let moves = map.movement_map.moves(node.x(), node.y());
        for direction in Direction::ALL.into_iter().filter(|&direction| moves >> direction as u8 & 1 == 1) {
            let (dx, dy) = direction.offset();
            let entered = node.offset(dx, dy);
            if flooded.has_seen(entered) {
                continue;
            }
            flooded.seen.set(entered.x(), entered.y(), true);
            flooded.cells.push(entered);
            if goal == Some(entered) {
                flooded.is_reached = true;
                return flooded;
            }
        }
    }
    flooded
}

/// Returns the open cells from which a path leads to one of some open goals, at any cost.
///
/// # Complexity
/// O(cells).
pub(crate) fn leading_to(map: &MapSnapshot, goals: Vec<GridNode>) -> BitGrid {
    let mut leading = BitGrid::new(map.bounds.width(), map.bounds.height());
    for goal in &goals {
        leading.set(goal.x(), goal.y(), true);
    }
    let mut waiting = goals;
    while let Some(node) = waiting.pop() {
        let entries = map.movement_map.entries(node.x(), node.y());
        for direction in Direction::ALL.into_iter().filter(|&direction| entries >> direction as u8 & 1 == 1) {
            let (dx, dy) = direction.offset();
            let before = node.offset(dx, dy);
            if !leading.get(before.x(), before.y()) {
                leading.set(before.x(), before.y(), true);
                waiting.push(before);
            }
        }
    }
    leading
}

/// The cells that a flood found.
pub(crate) struct Flooded {
    /// The cells seen, in the order found.
    pub(super) cells: Vec<GridNode>,
    /// One bit for each cell seen.
    seen: BitGrid,
    pub(crate) is_reached: bool,
}

impl Flooded {
    /// Returns whether the flood saw the cell.
    pub(crate) fn has_seen(&self, node: GridNode) -> bool {
        self.seen.get(node.x(), node.y())
    }
}
