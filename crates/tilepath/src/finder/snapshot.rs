//! Snapshots of a map for searches.
//!
//! Decision: `docs/decisions/03-snapshots.md`.

use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    grid::Grid,
    journal::Revision,
    jump_point::{FourWayJumps, JumpPointSpace, goals::JumpGoals, hexagons::HexagonJumps},
    landmarks::{ground::MapGround, tiles::LandmarkTables},
    movement::Movement,
    movement_map::{
        MovementMap,
        meter::Meter,
        plane::{ClassGround, Ground as _, Plane},
    },
    space::grid::{GridNode, GridSpace},
    topology::Topology,
};
use std::sync::Arc;

/// The map and a movement as they were when a search began. Later edits do not affect it.
#[derive(Clone, Debug)]
pub(crate) struct MapSnapshot {
    pub(crate) bounds: Bounds,
    pub(crate) classes: Arc<Vec<u8>>,
    pub(crate) movement_map: Arc<MovementMap>,
    pub(crate) revision: Revision,
    /// The tables of landmarks, if searches on the snapshot may use them.
    pub(crate) landmarks: Option<Arc<LandmarkTables>>,
}

impl MapSnapshot {
    pub(crate) fn new(grid: &Grid, movement_map: Arc<MovementMap>) -> Self {
        Self {
            bounds: grid.bounds(),
            classes: grid.shared_classes(),
            movement_map,
            revision: grid.revision(),
            landmarks: None,
        }
    }

    /// Returns the map for the tables of landmarks.
    pub(crate) fn ground(&self) -> MapGround<'_> {
        MapGround { bounds: &self.bounds, classes: &self.classes, movement_map: &self.movement_map }
    }

    /// Returns the cost to enter each cell.
    pub(crate) fn plane(&self) -> Plane<'_> {
        self.movement_map.plane(&self.classes)
    }

    /// Returns the cost of each step of a path found on this snapshot.
    pub(crate) fn steps_along<'a>(&'a self, cells: &'a [Cell]) -> impl Iterator<Item = Cost> + 'a {
        let plane = self.plane();
        cells.windows(2).filter_map(move |pair| {
            let is_diagonal = pair[0].x != pair[1].x && pair[0].y != pair[1].y;
            let slot = self.bounds.slot(pair[1])?;
            Some(Cost::new(plane.entry_cost(slot, usize::from(is_diagonal))))
        })
    }

    /// Returns the sum of [`steps_along`](Self::steps_along).
    pub(crate) fn walked_cost(&self, cells: &[Cell]) -> Cost {
        Cost::new(self.steps_along(cells).map(Cost::get).sum())
    }

    pub(crate) fn space(&self) -> GridSpace<'_> {
        GridSpace::new(&self.bounds, &self.classes, &self.movement_map)
    }

    /// Returns the space where class costs alone apply, for the fastest searches.
    pub(crate) fn class_space(&self) -> Option<GridSpace<'_, ClassGround<'_>>> {
        let ground = self.movement_map.class_ground(&self.classes)?;
        Some(GridSpace::on(&self.bounds, ground, &self.movement_map))
    }

    /// Returns the jump points of eight directions.
    pub(crate) fn jump_points<'map, G: JumpGoals>(
        &'map self,
        goals: G,
        meter: Option<&'map Meter<'map>>,
    ) -> JumpPointSpace<'map, G> {
        JumpPointSpace::new(&self.movement_map, &self.bounds, goals, meter)
    }

    /// Returns the jump points of four directions.
    pub(crate) fn four_way_jumps<'map, G: JumpGoals>(
        &'map self,
        goals: G,
        meter: Option<&'map Meter<'map>>,
    ) -> FourWayJumps<'map, G> {
        FourWayJumps::new(&self.movement_map, &self.bounds, goals, meter)
    }

    /// Returns the jump points on hexagons.
    pub(crate) fn hexagon_jumps<'map>(
        &'map self,
        goal: GridNode,
        meter: Option<&'map Meter<'map>>,
    ) -> HexagonJumps<'map> {
        HexagonJumps::new(&self.movement_map, &self.bounds, goal, meter)
    }
}

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

/// Returns an error if a movement does not fit a map. `table` is the highest multiplier of its cost
/// table.
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
    Ok(())
}
