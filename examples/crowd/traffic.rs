//! The counts of each tick: arrivals, and pairs that are too near.

use std::collections::VecDeque;

use bevy::prelude::*;

use crate::{near::PairCounter, units::Unit};

/// The number of ticks for the rate of arrivals.
const WINDOW: usize = 640;
/// Ticks in a second, Bevy's default.
const TICKS: f32 = 64.0;

/// Counts arrivals, failures and collisions.
pub(crate) struct TrafficPlugin;

impl Plugin for TrafficPlugin {
    fn build(&self, app: &mut App) {
        // After FixedUpdate, so that the measured time does not include it. `Transform` has the
        // place of the tick here.
        app.init_resource::<Traffic>().add_systems(FixedPostUpdate, count);
    }
}

/// The counters of the example.
#[derive(Resource, Debug, Default)]
pub(crate) struct Traffic {
    pub(crate) ticks: u64,
    /// Orders that ended at their goal.
    pub(crate) arrivals: u64,
    /// Orders that failed.
    pub(crate) failed: u64,
    /// Pairs that are too near in this tick.
    pub(crate) collisions: usize,
    /// The sum of `collisions` over all ticks.
    pub(crate) all_collisions: u64,
    /// The total of arrivals after each of the last ticks.
    recent: VecDeque<u64>,
    pairs: PairCounter,
}

impl Traffic {
    /// Returns the arrivals a second of simulated time.
    pub(crate) fn rate(&self) -> f32 {
        let ticks = self.recent.len().saturating_sub(1).max(1);
        let first = self.recent.front().copied().unwrap_or(0);
        (self.arrivals - first) as f32 * TICKS / ticks as f32
    }
}

fn count(mut traffic: ResMut<Traffic>, units: Query<&Transform, With<Unit>>) {
    let traffic = &mut *traffic;
    traffic.ticks += 1;
    traffic.collisions = traffic.pairs.count(units.iter().map(|place| place.translation.truncate()));
    traffic.all_collisions += traffic.collisions as u64;
    traffic.recent.push_back(traffic.arrivals);
    if traffic.recent.len() > WINDOW {
        traffic.recent.pop_front();
    }
}
