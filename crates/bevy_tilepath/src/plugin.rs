//! The plugin: one line for each concern.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};

use crate::schedule::SyncMapsSchedule;

/// Pathfinding for tile maps and waypoint graphs: answers [`PathRequest`](crate::PathRequest)s and walks
/// [`PathAgent`](crate::PathAgent)s along the answers.
///
/// Runs in [`FixedUpdate`], so that agents walk the same way at every frame rate and are drawn
/// smoothly in between. [`TilepathPlugin::in_schedule`] chooses another schedule.
///
/// Settings inserted as [`TilepathSettings`](crate::TilepathSettings) before or after the plugin
/// are kept.
#[derive(Debug, Clone)]
pub struct TilepathPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for TilepathPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl TilepathPlugin {
    /// The plugin in a schedule of your choice, for example `Update`, where agents are drawn where
    /// they are and nothing is interpolated.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for TilepathPlugin {
    fn build(&self, app: &mut App) {
        let schedule = self.schedule;
        crate::schedule::plugin(app, schedule);
        let sync = SyncMapsSchedule.intern();

        crate::settings::plugin(app, schedule);
        crate::clock::plugin(app, schedule);
        crate::nav_map::plugin(app, sync);
        crate::nav_graph::plugin(app, schedule);
        crate::doors::plugin(app, schedule);
        #[cfg(feature = "tilemap")]
        crate::tilemap_sync::plugin(app, sync);
        crate::obstacle::plugin(app, sync);

        crate::agent::plugin(app, schedule);
        crate::request::plugin(app, schedule);
        crate::events::plugin(app, schedule);
        crate::search::plugin(app, schedule);
        crate::publish::plugin(app, schedule);
        crate::replan::plugin(app, schedule);
        crate::follow::plugin(app, schedule);
        crate::interpolate::plugin(app, schedule);
        crate::diagnostics::plugin(app, schedule);
        #[cfg(feature = "recording")]
        crate::recorder::plugin(app, schedule);
        #[cfg(feature = "waypoint_asset")]
        crate::waypoint_asset::plugin(app);
    }

    // Whether there are assets is known when all plugins have been added.
    #[cfg(feature = "waypoint_asset")]
    fn finish(&self, app: &mut App) {
        crate::waypoint_asset::plugin(app);
    }
}
