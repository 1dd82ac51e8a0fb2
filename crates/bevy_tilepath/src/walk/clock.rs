//! The clock by which agents walk, and what is said where there is none.

use bevy_app::{App, RunFixedMainLoop};
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Res},
};
use bevy_time::{Real, Time};
use tracing::warn;

use crate::{diagnostics::TilepathDiagnostics, journey::interpolate::is_fixed, schedule::TilepathSystems};

/// After how many ticks without a moment gone by it is said that there is no clock.
const PATIENCE: u32 = 64;

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Time>();
    if is_fixed(schedule) {
        app.add_systems(RunFixedMainLoop, miss_fixed_clock);
    } else {
        app.add_systems(schedule, miss_clock.after(TilepathSystems::Follow));
    }
}

/// `TimePlugin` brings the real time along, and runs the fixed schedules.
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
