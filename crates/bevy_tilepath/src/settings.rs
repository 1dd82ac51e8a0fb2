//! Settings of the whole plugin.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Settings of the plugin. Insert your own before or after [`TilepathPlugin`](crate::TilepathPlugin);
/// changes take effect in the next tick.
#[derive(Resource, Debug, Clone, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TilepathSettings {
    /// How much work all searches together may do in a tick: short ones first, none waits for ever.
    ///
    /// # Units
    /// Expanded cells, and what else searches do: the unit of [`PathSearch::work`](tilepath::PathSearch::work). An answer costs
    /// roughly as many as there are cells nearer to the start than the goal is; on a waypoint graph the waypoints that were
    /// looked at count, and on ways over several maps also the doors (four that are only compared as one). Where more than
    /// eight orders to the same goals are not answered in their first turn, one [field](tilepath::field::FlowField) answers all
    /// of them: each of its cells, and each cell of a path that is read from it, counts as one. The default is 20,000: some 1.5
    /// milliseconds of one core of the machine of development on ground of many costs (100,000 took 7; BENCHMARKS.md).
    /// Choose a smaller one where that is too much for a tick. 0 is treated as 1, so that every request is answered in the end.
    ///
    /// Each place of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) counts when it is looked up: once a tick for all
    /// orders that are clones of one request or share an `Arc` of places. Long lists take half of the budget at most; orders with
    /// further ones wait for the next tick.
    ///
    /// A tick may pass it by what the last expansions of up to eight searches cost; by what the first search on a map, or after
    /// edits, has to look at, and each place of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) when its search
    /// begins, all at once; by the last list of places that is looked up; by the repair of a field, with half of it at most; and by a
    /// search that is run to its end within
    /// the tick, because its answer was overtaken by edits or teleports twice. Counted in work and never in time, so that the
    /// answers of a game do not depend on the machine.
    ///
    /// # Threads
    /// Where Bevy's [`ComputeTaskPool`](bevy_tasks::ComputeTaskPool) has more than one thread, up to eight searches run side by side on
    /// it, within the tick; short ones are not worth it and stay on the thread of the system. What is searched in a tick, and what
    /// comes of it, is the same for every number of threads: where they are many, a larger budget takes no longer. `TaskPoolOptions`
    /// of Bevy's `TaskPoolPlugin` say how many there are; with one, and in the browser, nothing is shared out.
    pub work_per_tick: u64,
}

impl Default for TilepathSettings {
    fn default() -> Self {
        Self { work_per_tick: 20_000 }
    }
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<TilepathSettings>().register_type::<TilepathSettings>();
}
