//! The plugin, with a line for each concern.

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::{intern::Interned, schedule::ScheduleLabel};

use crate::schedule::SyncMapsSchedule;

/// The plugin for pathfinding on tile maps and waypoint graphs. It answers
/// [`PathRequest`](crate::PathRequest)s, and moves [`PathAgent`](crate::PathAgent)s along the
/// paths.
///
/// The plugin runs in [`FixedUpdate`], so that the frame rate does not change the walk of an agent.
/// Between two ticks, agents are drawn at interpolated positions. [`TilepathPlugin::in_schedule`]
/// chooses another schedule.
///
/// The plugin keeps [`TilepathSettings`](crate::TilepathSettings) that you insert before it, and
/// you can replace them later.
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
    /// Creates the plugin in a schedule of your choice. In a schedule without fixed steps, such as
    /// `Update`, agents are drawn at their simulated positions, without interpolation.
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
        crate::disabling::plugin(app, sync);

        crate::settings::plugin(app, schedule);
        crate::walk::clock::plugin(app, schedule);
        crate::map::nav_map::plugin(app, sync);
        crate::map::world_places::plugin(app, sync);
        crate::map::nav_graph::plugin(app, schedule);
        crate::map::door::plugin(app, sync);
        crate::map::watch::plugin(app, schedule);
        crate::map::on_map::plugin(app);
        crate::map::memory::plugin(app);
        crate::sync::tilemap::plugin(app, sync);
        crate::sync::obstacle::plugin(app, sync);
        crate::sync::overlay_area::plugin(app, sync);

        crate::journey::agent::plugin(app, schedule);
        crate::journey::missing_parts::plugin(app, schedule);
        crate::order::request::plugin(app, schedule);
        crate::order::own_movements::plugin(app, schedule, sync);
        crate::report::events::plugin(app, schedule);
        crate::search::plugin(app, schedule);
        crate::report::publish::plugin(app, schedule);
        crate::walk::replan::plugin(app, schedule);
        crate::walk::changed_movements::plugin(app, schedule);
        crate::walk::bodies::plugin(app, schedule);
        crate::walk::follow::plugin(app, schedule);
        crate::group::plugin(app, schedule);
        crate::journey::interpolate::plugin(app, schedule);
        crate::diagnostics::plugin(app, schedule);
        #[cfg(feature = "recording")]
        crate::recorder::plugin(app, schedule);
        self.finish(app);
    }

    // Whether there are assets is known only when all plugins have been added.
    #[cfg_attr(
        not(any(feature = "waypoint_asset", feature = "rules_asset")),
        expect(unused_variables, reason = "there are no assets to add")
    )]
    fn finish(&self, app: &mut App) {
        #[cfg(feature = "waypoint_asset")]
        crate::sync::waypoint_asset::plugin(app);
        #[cfg(feature = "rules_asset")]
        crate::sync::rules_asset::plugin(app);
    }
}
