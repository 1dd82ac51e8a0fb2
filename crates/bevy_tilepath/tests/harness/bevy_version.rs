//! Names and functions that differ between two versions of Bevy.

use bevy::prelude::*;

#[cfg(not(bevy_0_20))]
pub(crate) type OnAdd<'w, 't, C> = On<'w, 't, Add, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnAdd<'w, 't, C> = On<'w, 't, Add<C>>;

#[cfg(not(bevy_0_20))]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnInsert<'w, 't, C> = On<'w, 't, Insert<C>>;

#[cfg(not(bevy_0_20))]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove, C>;
#[cfg(bevy_0_20)]
pub(crate) type OnRemove<'w, 't, C> = On<'w, 't, Remove<C>>;

/// Shuffles the systems of every schedule, within what orders them.
#[cfg(bevy_0_20)]
pub(crate) fn shuffle_systems(app: &mut App, seed: u64) {
    let settings = bevy::ecs::schedule::ScheduleBuildSettings { shuffle_seed: Some(seed), ..default() };
    app.configure_schedules(settings);
}

/// Bevy 0.19 cannot shuffle systems.
///
/// # Panics
/// Always.
#[cfg(not(bevy_0_20))]
pub(crate) fn shuffle_systems(_: &mut App, seed: u64) {
    panic!("only the tests on Bevy 0.20 can shuffle systems by the seed {seed}");
}
