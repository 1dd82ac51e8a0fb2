//! The units: their number, ghosts or bodies.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, OnMap, PathAgent, TilepathSystems,
    agents::{PathLine, Speed},
};
use testkit::Seed;

use crate::{
    city::{City, GOALS, SIDE, slot},
    orders::request,
    scene::{CityMap, cell_at, centre_of, height},
};

/// Keeps as many units as [`Wanted`], in the [`Mode`].
pub(crate) struct UnitsPlugin;

impl Plugin for UnitsPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            FixedUpdate,
            (keep_number, take_mode.run_if(resource_changed::<Mode>))
                .chain()
                .before(TilepathSystems::SyncMaps),
        );
    }
}

/// The wanted number of units.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wanted(pub(crate) usize);

impl Wanted {
    /// The numbers between which the keys choose.
    const STEPS: [usize; 8] = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];

    pub(crate) fn more(self) -> Self {
        Self(Self::STEPS.into_iter().find(|&step| step > self.0).unwrap_or(self.0))
    }

    pub(crate) fn less(self) -> Self {
        Self(Self::STEPS.into_iter().rev().find(|&step| step < self.0).unwrap_or(self.0))
    }
}

/// Whether units share cells.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Ghosts, which pass through each other.
    Ghosts,
    /// Bodies, which do not share cells.
    Bodies,
}

impl Mode {
    pub(crate) fn other(self) -> Self {
        if self == Self::Ghosts { Self::Bodies } else { Self::Ghosts }
    }
}

/// A unit of the crowd.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) number: usize,
    /// Its goal: an index of [`City::goals`].
    pub(crate) goal: usize,
    /// The number of orders it has had.
    pub(crate) journeys: u32,
}

impl Unit {
    /// Returns the unit with another goal. The goal depends only on the unit and the number of its
    /// orders.
    pub(crate) fn next(self) -> Self {
        let journeys = self.journeys + 1;
        let number = scatter(self.number as u64 * 1_000_003 + u64::from(journeys)) as usize;
        let goal = (self.goal + 1 + number % (GOALS - 1)) % GOALS;
        Self { goal, journeys, ..self }
    }
}

/// Mixes a number so that each bit of the result depends on all bits of it (the end of
/// `SplitMix64`).
fn scatter(number: u64) -> u64 {
    let mut bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Spawns missing units on free cells, or despawns the last ones if there are too many.
fn keep_number(
    wanted: Res<Wanted>,
    mode: Res<Mode>,
    city: Res<City>,
    map: Query<Entity, With<CityMap>>,
    units: Query<(Entity, &Unit, &Transform)>,
    mut commands: Commands,
) {
    let Ok(map) = map.single() else { return };
    let there = units.count();
    if there == wanted.0 {
        return;
    }
    for (entity, ..) in units.iter().filter(|(_, unit, _)| unit.number >= wanted.0) {
        commands.entity(entity).despawn();
    }
    if there > wanted.0 {
        return;
    }
    let mut is_free = vec![true; (SIDE * SIDE) as usize];
    for (.., place) in &units {
        if let Some(slot) = slot(cell_at(place.translation.truncate())) {
            is_free[slot] = false;
        }
    }
    let free: Vec<_> =
        city.open_cells().filter(|&cell| slot(cell).is_some_and(|slot| is_free[slot])).collect();
    let places = Seed::named(&format!("places {} {there}", city.seed)).shuffled(&free);
    for (number, cell) in (there..wanted.0).zip(places) {
        let goal = scatter(city.seed.wrapping_add(number as u64)) as usize % GOALS;
        let unit = Unit { number, goal, journeys: 0 };
        // The speed is 5 to 8 cells a second.
        let speed = 5.0 + scatter(number as u64) as f32 / u64::MAX as f32 * 3.0;
        let mut unit = commands.spawn((
            unit,
            // Only ghosts walk straight and side by side: bodies keep to the centres of cells.
            PathAgent { speed: Speed::Cells(speed), line: PathLine::Straight, spread: 0.3, ..default() },
            OnMap(map),
            Transform::from_translation(centre_of(cell).extend(height::UNITS)),
            Visibility::default(),
            request(&city, unit),
        ));
        if *mode == Mode::Bodies {
            unit.insert(Body::default());
        }
    }
}

fn take_mode(mode: Res<Mode>, units: Query<Entity, With<Unit>>, mut commands: Commands) {
    for unit in &units {
        match *mode {
            Mode::Ghosts => commands.entity(unit).remove::<Body>(),
            Mode::Bodies => commands.entity(unit).insert(Body::default()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_reach_from_a_hundred_to_twenty_thousand() {
        let mut wanted = Wanted(2000);
        for _ in 0..9 {
            wanted = wanted.more();
        }
        assert_eq!(wanted, Wanted(20_000));
        for _ in 0..9 {
            wanted = wanted.less();
        }
        assert_eq!(wanted, Wanted(100));
        assert_eq!(Wanted(300).more(), Wanted(500));
    }

    #[test]
    fn a_unit_goes_to_every_goal_in_the_end_and_never_twice_to_the_same() {
        let mut unit = Unit { number: 5, goal: 3, journeys: 0 };
        let mut is_seen = [false; GOALS];
        for _ in 0..300 {
            let next = unit.next();
            assert_ne!(next.goal, unit.goal);
            unit = next;
            is_seen[unit.goal] = true;
        }
        assert_eq!(is_seen, [true; GOALS]);
    }
}
