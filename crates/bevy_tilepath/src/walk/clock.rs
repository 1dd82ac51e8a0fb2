//! The clock of agents, and warnings if it is missing.

use bevy_app::{App, RunFixedMainLoop};
use bevy_ecs::{
    intern::Interned,
    resource::Resource,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Res, ResMut},
};
use bevy_time::{Real, Time, Virtual};
use tracing::warn;

use crate::{diagnostics::TilepathDiagnostics, journey::interpolate::is_fixed, schedule::TilepathSystems};

/// The number of ticks without any time passed after which a warning is logged.
const PATIENCE: u32 = 64;

/// The state of ticks and their time. Queries about units read it instead of `Time`, so that games may
/// write to `Time<Virtual>` themselves.
#[derive(Resource, Debug, Default)]
pub(crate) struct Clock {
    /// True if a tick has run since the start of the app.
    pub(crate) has_ticked: bool,
    /// True if time stands still, as in a pause.
    pub(crate) stands: bool,
    /// True if nothing counts time.
    pub(crate) is_missing: bool,
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Time>().init_resource::<Clock>();
    app.add_systems(schedule, note_tick.after(TilepathSystems::Follow));
    if is_fixed(schedule) {
        app.add_systems(RunFixedMainLoop, (miss_fixed_clock, note_fixed_clock));
    } else {
        app.add_systems(schedule, (miss_clock, note_clock).after(TilepathSystems::Follow).after(note_tick));
    }
}

/// Records a tick. In a world without a clock, other code may run the schedule and advance the time.
fn note_tick(time: Res<Time>, real: Option<Res<Time<Real>>>, mut clock: ResMut<Clock>) {
    clock.has_ticked = true;
    clock.is_missing = real.is_none() && time.elapsed().is_zero();
}

/// Records whether virtual time is paused. Without virtual time other code runs the fixed
/// schedules.
fn note_fixed_clock(
    time: Option<Res<Time<Virtual>>>,
    real: Option<Res<Time<Real>>>,
    mut clock: ResMut<Clock>,
) {
    clock.stands = time.is_some_and(|time| time.was_paused());
    if !clock.has_ticked {
        clock.is_missing = real.is_none();
    }
}

fn note_clock(time: Res<Time>, mut clock: ResMut<Clock>) {
    clock.stands = time.delta().is_zero();
}

/// Logs a warning if the fixed schedule never runs. `TimePlugin` adds the real time, and runs it.
fn miss_fixed_clock(real: Option<Res<Time<Real>>>, mut is_said: Local<bool>) {
    if real.is_none() && !*is_said {
        *is_said = true;
        warn!(
            "TilepathPlugin is in a fixed schedule, which never runs: add TimePlugin (it is part of MinimalPlugins \
             and DefaultPlugins), or choose another schedule with TilepathPlugin::in_schedule"
        );
    }
}

fn miss_clock(
    real: Option<Res<Time<Real>>>,
    time: Res<Time>,
    diagnostics: Res<TilepathDiagnostics>,
    mut ticks: Local<u32>,
) {
    if real.is_some() || !time.elapsed().is_zero() || diagnostics.following == 0 {
        return;
    }
    *ticks = ticks.saturating_add(1);
    if *ticks == PATIENCE {
        warn!(
            "agents with a path stand still because the clock does: add TimePlugin (it is part of MinimalPlugins and \
             DefaultPlugins), or advance the resource Time"
        );
    }
}
