//! Snapshots and movement maps, made for a query.

use crate::{
    cell::Cell,
    finder::{PathFinder, outcome::QueryError, query::MovementId, snapshot::MapSnapshot},
    grid::Grid,
    movement::Movement,
    movement_map::MovementMap,
    space::grid::GridNode,
    topology::Topology,
};
use std::sync::Arc;

impl PathFinder {
    /// Returns the map as a movement sees it.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`], or the error of a movement that does not fit the map.
    pub(crate) fn movement_map(&self, id: MovementId) -> Result<&Arc<MovementMap>, QueryError> {
        let kept = self.kept(id)?;
        check(&self.grid, kept.movement(), kept.highest_multiplier())?;
        Ok(kept.map.get(&self.grid))
    }

    /// Returns the map for a unit that starts at this cell, which may be closed ground.
    pub(crate) fn movement_map_from(
        &self,
        id: MovementId,
        start: Cell,
    ) -> Result<Arc<MovementMap>, QueryError> {
        let map = self.movement_map(id)?;
        Ok(map.leaving(&self.grid, start).map_or_else(|| Arc::clone(map), Arc::new))
    }

    /// Returns a snapshot that a search can keep.
    pub(crate) fn snapshot(&self, id: MovementId) -> Result<MapSnapshot, QueryError> {
        Ok(MapSnapshot::new(&self.grid, Arc::clone(self.movement_map(id)?)))
    }

    /// Returns a snapshot for a unit that starts at this cell.
    pub(crate) fn snapshot_from(&self, id: MovementId, start: Cell) -> Result<MapSnapshot, QueryError> {
        Ok(MapSnapshot::new(&self.grid, self.movement_map_from(id, start)?))
    }

    /// Returns the node of a start. Any place in the map's rectangle is valid, also a closed or
    /// void cell.
    pub(crate) fn start_of(&self, cell: Cell, movement: &Movement) -> Result<GridNode, QueryError> {
        let bounds = self.grid.bounds();
        let start = GridNode::of(&bounds, cell).ok_or(QueryError::StartOutOfBounds { cell, bounds })?;
        self.fits(cell, movement).map(|()| start)
    }

    /// Returns the node of a goal. If the closest cell is wanted, the unit need not fit there.
    pub(crate) fn goal_of(
        &self,
        cell: Cell,
        movement: &Movement,
        wants_closest: bool,
    ) -> Result<GridNode, QueryError> {
        let bounds = self.grid.bounds();
        let goal = GridNode::of(&bounds, cell).ok_or(QueryError::GoalOutOfBounds { cell, bounds })?;
        if !wants_closest {
            self.fits(cell, movement)?;
            if !self.grid.contains(cell) {
                return Err(QueryError::GoalOutOfBounds { cell, bounds });
            }
        }
        Ok(goal)
    }

    /// Returns an error if the footprint does not lie inside the map's rectangle.
    fn fits(&self, cell: Cell, movement: &Movement) -> Result<(), QueryError> {
        let (bounds, side) = (self.grid.bounds(), movement.size().side());
        let ahead = i32::from(side) - 1;
        if side > 1 && !bounds.contains(cell + (ahead, ahead)) {
            return Err(QueryError::FootprintOutOfBounds { cell, side, bounds });
        }
        Ok(())
    }
}

/// Returns an error if a movement does not fit a map. `table` is the highest multiplier of its steps.
fn check(grid: &Grid, movement: &Movement, table: u16) -> Result<(), QueryError> {
    let side = movement.size().side();
    if side > 1 && grid.topology() == Topology::Hexagonal {
        return Err(QueryError::SizeOnHexagons { side });
    }
    if !movement.overlays().is_empty() {
        let overlays = movement.overlays().iter().map(|name| u32::from(grid.highest_overlay(name))).sum();
        if u32::from(table) + overlays > u32::from(u16::MAX) {
            return Err(QueryError::OverlayTooHigh { table, overlays });
        }
    }
    if !movement.edges().is_empty() {
        // With their overlays, cells cost at most this much.
        let multiplier = u64::from(u16::MAX) + movement.highest_crossing();
        let [straight, diagonal] = movement.unit_costs(grid.topology());
        let step = straight.max(diagonal);
        if multiplier.saturating_mul(step.into()) > u32::MAX.into() {
            return Err(QueryError::EdgesTooHigh { multiplier, step });
        }
    }
    Ok(())
}
