//! The lengths of the paths, and the cells where no tower may stand.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavQuery, TilepathSystems};

use crate::{build::Tower, level::Level, scene::GroundMap};

/// Keeps [`Ways`] and [`Forbidden`] up to date.
pub(crate) struct WaysPlugin;

impl Plugin for WaysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Ways>()
            .init_resource::<Forbidden>()
            .add_systems(FixedUpdate, look.after(TilepathSystems::SyncMaps));
    }
}

/// The cheapest path from each gate to the keep, cell by cell.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Ways(pub(crate) [Vec<Cell>; 2]);

/// The cells on which a tower would close a path.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Forbidden(pub(crate) Vec<Cell>);

fn look(
    level: Res<Level>,
    nav: NavQuery,
    map: Single<Entity, With<GroundMap>>,
    new: Query<(), Added<Tower>>,
    mut gone: RemovedComponents<Tower>,
    mut ways: ResMut<Ways>,
    mut forbidden: ResMut<Forbidden>,
) {
    let is_same = new.is_empty() && gone.read().count() == 0 && ways.0.iter().all(|way| !way.is_empty());
    let Ok(map) = nav.map(*map) else { return };
    if is_same {
        return;
    }
    ways.0 = level.ways().map(|(gate, keep)| {
        let path = map.find(gate, keep).ok().and_then(|answer| answer.outcome.into_path());
        path.map_or_else(Vec::new, tilepath::Path::into_cells)
    });
    let cells = map.forbidden(level.ways()).map(|cells| cells.into_iter().collect());
    forbidden.0 = cells.unwrap_or_default();
}
