//! Settings of the whole plugin.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Settings of the plugin. Insert your own before or after [`TilepathPlugin`](crate::TilepathPlugin);
/// changes take effect in the next tick.
#[derive(Resource, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TilepathSettings {
    /// How much work all searches together may do in a tick, shared fairly among them.
    ///
    /// # Units
    /// Expanded cells, and where jump points are searched also what their scans cost: the unit of
    /// [`PathSearch::advance`](tilepath::PathSearch::advance). An answer costs roughly as many as there are cells nearer
    /// to the start than the goal is; on a waypoint graph the waypoints that were looked at count, and on ways over several
    /// maps also the doors (sixteen that are only compared as one). Each place that
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) is given counts as one when the search begins, all in
    /// the same tick. The default, 100,000, is a few milliseconds. 0 is treated as 1, so that every request is answered
    /// in the end. A tick may pass it by what its last expansion costs. Counted in work and never in time, so that the answers of a game do not depend on the machine.
    pub work_per_tick: u64,
}

impl Default for TilepathSettings {
    fn default() -> Self {
        Self { work_per_tick: 100_000 }
    }
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<TilepathSettings>().register_type::<TilepathSettings>();
}
