//! The time of a tick and of each of its steps.

use std::{collections::VecDeque, time::Duration};

use bevy::{platform::time::Instant, prelude::*};
use bevy_tilepath::TilepathSystems;

/// The measured steps, in their order.
pub(crate) const STEPS: [&str; 5] = ["maps", "orders", "searches", "answers", "walking"];
/// The number of ticks in the means and the worst time: two seconds.
const WINDOW: usize = 128;

/// Measures the plugin's part of `FixedUpdate`, with a clock before and after each of its sets.
pub(crate) struct ClockPlugin;

impl Plugin for ClockPlugin {
    fn build(&self, app: &mut App) {
        use TilepathSystems::{AcceptRequests, Follow, Publish, Search, SyncMaps};

        app.init_resource::<TickClock>().add_systems(
            FixedUpdate,
            (
                stamp::<0>.before(SyncMaps),
                stamp::<1>.after(SyncMaps).before(AcceptRequests),
                stamp::<2>.after(AcceptRequests).before(Search),
                stamp::<3>.after(Search).before(Publish),
                stamp::<4>.after(Publish).before(Follow),
                stamp::<5>.after(Follow),
            ),
        );
    }
}

/// The measured times of the last ticks.
#[derive(Resource, Debug, Default)]
pub(crate) struct TickClock {
    begun: [Option<Instant>; 6],
    ticks: VecDeque<[Duration; 5]>,
}

impl TickClock {
    /// Returns the mean time of a step of [`STEPS`], in milliseconds.
    pub(crate) fn mean(&self, step: usize) -> f32 {
        let all: Duration = self.ticks.iter().map(|tick| tick[step]).sum();
        all.as_secs_f32() * 1000.0 / self.ticks.len().max(1) as f32
    }

    /// Returns the mean and the worst time of all steps of a tick, in milliseconds.
    pub(crate) fn tick(&self) -> (f32, f32) {
        let worst = self.ticks.iter().map(|tick| tick.iter().sum::<Duration>()).max().unwrap_or_default();
        ((0..STEPS.len()).map(|step| self.mean(step)).sum(), worst.as_secs_f32() * 1000.0)
    }
}

fn stamp<const STEP: usize>(mut clock: ResMut<TickClock>) {
    clock.begun[STEP] = Some(Instant::now());
    if STEP < STEPS.len() {
        return;
    }
    let begun = clock.begun;
    let lasted = |step: usize| match (begun[step], begun[step + 1]) {
        (Some(from), Some(to)) => to.saturating_duration_since(from),
        _ => Duration::ZERO,
    };
    clock.ticks.push_back(std::array::from_fn(lasted));
    if clock.ticks.len() > WINDOW {
        clock.ticks.pop_front();
    }
}
