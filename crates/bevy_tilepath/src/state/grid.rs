//! The cells of a map in a state.

use bevy_ecs::{entity::Entity, world::World};
use tilepath::{Cell, Edit, Grid};

use crate::{map::nav_grid::NavGrid, state::error::StateError};

/// The cells of a map, without the walls of obstacles and the overlays of areas. Those come back with
/// their entities.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct GridState {
    cells: Grid,
    /// True if tilemaps fill the map.
    is_filled: bool,
    is_ready: bool,
}

impl GridState {
    pub(crate) fn of(grid: &NavGrid) -> Self {
        Self { cells: grid.bare_grid(), is_filled: grid.is_filled(), is_ready: grid.is_ready() }
    }

    /// Checks whether the cells can be put onto the entity that is to become this map. Tilemaps have
    /// filled it already.
    pub(crate) fn check(&self, map: Entity, target: Option<Entity>, world: &World) -> Result<(), StateError> {
        if !self.is_filled {
            return Ok(());
        }
        let present = target.and_then(|target| world.get::<NavGrid>(target)).filter(|grid| grid.is_filled());
        let Some(present) = present else { return Err(StateError::NoTiles { map }) };
        let (found, expected) = (present.bounds(), self.cells.bounds());
        if found != expected || present.grid().topology() != self.cells.topology() {
            return Err(StateError::OtherTiles { map, found, expected });
        }
        Ok(())
    }

    /// Puts the cells onto a map.
    pub(crate) fn put(&self, map: Entity, world: &mut World) {
        let Ok(mut entity) = world.get_entity_mut(map) else { return };
        match entity.get_mut::<NavGrid>() {
            Some(present) if present.is_ready() == self.is_ready && present.bare_grid() == self.cells => {}
            Some(mut present) if self.is_filled => {
                let edits = differences(&present, &self.cells);
                // The cells lie on the map: `check` compared the bounds.
                let _ = present.edit(&edits);
            }
            _ => _ = entity.insert(NavGrid::restored(self.cells.clone(), self.is_ready)),
        }
    }
}

/// Returns the edits that make the own cells of a map equal to the cells of a grid.
fn differences(present: &NavGrid, wanted: &Grid) -> Vec<Edit> {
    let terrain = |cell: Cell| {
        let class = wanted.terrain(cell);
        let edit = class.map_or(Edit::void(cell), |class| Edit::terrain(cell, class));
        (present.own_terrain(cell) != class).then_some(edit)
    };
    let exits = |cell: Cell| {
        let exits = wanted.exits(cell)?;
        (present.grid().exits(cell) != Some(exits)).then(|| Edit::exits(cell, exits))
    };
    let cells = || wanted.bounds().cells();
    let overlays = wanted.overlay_names().flat_map(|name| {
        let values = wanted.overlay_cells(name).map(move |(cell, value)| Edit::overlay(name, cell, value));
        std::iter::once(Edit::clear_overlay(name)).chain(values)
    });
    cells().filter_map(terrain).chain(cells().filter_map(exits)).chain(overlays).collect()
}
