//! Towers: building, pulling down, and refusals with a reason.

use std::fmt;

use bevy::{ecs::system::SystemParam, prelude::*};
use bevy_tilepath::{Cell, NavQuery, Obstacle, TilepathSystems, queries::NavWhatIf};
use tilepath_examples::tiles::{TILE, centre_of};

use crate::{
    creeps::Creep,
    level::{GATE_NAMES, Level},
    scene::GroundMap,
};

/// Builds and pulls down towers.
pub(crate) struct BuildPlugin;

impl Plugin for BuildPlugin {
    fn build(&self, app: &mut App) {
        // This runs just before the plugin reads the map: a tower is an obstacle in the tick in
        // which it is built.
        app.add_message::<Build>()
            .init_resource::<News>()
            .add_systems(FixedUpdate, build.before(TilepathSystems::SyncMaps));
    }
}

/// A tower, on one cell.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tower {
    pub(crate) cell: Cell,
    /// Seconds until its next shot.
    pub(crate) reload: f32,
}

/// An action of the player.
#[derive(Message, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    Tower(Cell),
    PullDown(Cell),
}

/// The last news for the panel.
#[derive(Resource, Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct News {
    pub(crate) text: String,
    pub(crate) is_bad: bool,
}

/// A reason why a tower may not stand on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The cell is blocked: water, a tree, another tower.
    Closed,
    /// The cell is the keep or a gate.
    Needed,
    /// A creep stands there.
    Creep,
    /// The tower would close the path from the gate with this index.
    Seals(usize),
    /// The tower would close no gate, but would wall in this many creeps.
    WallsIn(usize),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Closed => f.write_str("no room for a tower there"),
            Self::Needed => f.write_str("the gates and the keep stay free"),
            Self::Creep => f.write_str("a creep stands there"),
            Self::Seals(gate) => write!(f, "it would close the path from {}", GATE_NAMES[gate]),
            Self::WallsIn(1) => f.write_str("it would wall in a creep"),
            Self::WallsIn(creeps) => write!(f, "it would wall in {creeps} creeps"),
        }
    }
}

/// Decides where towers may stand.
#[derive(SystemParam)]
pub(crate) struct Builder<'w, 's> {
    level: Res<'w, Level>,
    nav: NavQuery<'w, 's>,
    /// Kept from call to call, so that a call costs time for its cells only and not for the whole
    /// map.
    what_if: Local<'s, NavWhatIf>,
    creeps: Query<'w, 's, &'static Transform, With<Creep>>,
    map: Single<'w, 's, Entity, With<GroundMap>>,
}

impl Builder<'_, '_> {
    /// Returns whether a tower may stand on a cell, if `new` has the towers that the map does not
    /// have yet.
    pub(crate) fn judge(&mut self, cell: Cell, new: &[Cell]) -> Result<(), Refusal> {
        let Ok(map) = self.nav.map(*self.map) else { return Err(Refusal::Closed) };
        if cell == self.level.keep || self.level.gates.contains(&cell) {
            return Err(Refusal::Needed);
        }
        // No path leads to a blocked cell.
        if new.contains(&cell) || map.is_reachable(self.level.keep, cell) != Ok(true) {
            return Err(Refusal::Closed);
        }
        let creeps: Vec<Cell> =
            self.creeps.iter().filter_map(|place| map.cell_at(place.translation.truncate())).collect();
        let ways = self.level.ways().into_iter().chain(creeps.iter().map(|&from| (from, self.level.keep)));
        let walls = new.iter().copied().chain([cell]);
        // All places are on the map, so there is no error.
        let cut = self.what_if.cut_routes(map, walls, ways).unwrap_or_default();
        let gate_of = |(from, _): &(Cell, Cell)| self.level.gates.iter().position(|gate| gate == from);
        match cut.first().map(gate_of) {
            Some(Some(gate)) => Err(Refusal::Seals(gate)),
            Some(None) => Err(Refusal::WallsIn(cut.len())),
            None => {
                let middle = centre_of(cell);
                let away = |place: &Transform| (place.translation.truncate() - middle).abs().max_element();
                if self.creeps.iter().any(|place| away(place) < 0.75 * TILE) {
                    Err(Refusal::Creep)
                } else {
                    Ok(())
                }
            }
        }
    }
}

fn build(
    mut orders: MessageReader<Build>,
    mut builder: Builder,
    towers: Query<(Entity, &Tower)>,
    mut news: ResMut<News>,
    mut commands: Commands,
) {
    let mut new = Vec::new();
    for order in orders.read() {
        match *order {
            Build::Tower(cell) => match builder.judge(cell, &new) {
                Ok(()) => {
                    new.push(cell);
                    // A size of zero: it blocks its own cell only.
                    let place = Transform::from_translation(centre_of(cell).extend(0.0));
                    commands.spawn((Tower { cell, reload: 0.0 }, Obstacle::default(), place));
                    *news = News { text: format!("a tower on {cell}"), is_bad: false };
                }
                Err(refusal) => *news = News { text: format!("{refusal}"), is_bad: true },
            },
            Build::PullDown(cell) => {
                if let Some((tower, _)) = towers.iter().find(|(_, tower)| tower.cell == cell) {
                    commands.entity(tower).despawn();
                    *news = News { text: format!("the tower on {cell} is gone"), is_bad: false };
                }
            }
        }
    }
}
