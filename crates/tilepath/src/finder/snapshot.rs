//! Snapshots of a map for searches.
//!
//! Decision: `docs/decisions/03-snapshots.md`.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    journal::Revision,
    jump_point::{FourWayJumps, JumpPointSpace, goals::JumpGoals, hexagons::HexagonJumps},
    landmarks::{ground::MapGround, tables::LandmarkTables},
    movement_map::{
        MovementMap,
        meter::Meter,
        plane::{ClassGround, DerivedGround, Ground as _, Plane},
        step_order::PLACE,
    },
    space::grid::{GridNode, GridSpace},
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

    /// Returns the costs of steps.
    pub(crate) fn plane(&self) -> Plane<'_> {
        self.movement_map.plane(&self.classes)
    }

    /// Returns the cost of each step of a path found on this snapshot.
    pub(crate) fn steps_along<'a>(&'a self, cells: &'a [Cell]) -> impl Iterator<Item = Cost> + 'a {
        let plane = self.plane();
        cells.windows(2).filter_map(move |pair| {
            let place = PLACE[Direction::between(pair[0], pair[1])? as usize].into();
            let [from, to] = [self.bounds.slot(pair[0])?, self.bounds.slot(pair[1])?];
            Some(Cost::new(plane.step_cost(plane.surcharges(from), to, place)))
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

    /// Returns the space where each cell has its own cost and steps have no surcharges.
    pub(crate) fn derived_space(&self) -> Option<GridSpace<'_, DerivedGround<'_>>> {
        let ground = self.movement_map.derived_ground(&self.classes)?;
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
