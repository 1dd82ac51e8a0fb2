//! Settings of the whole plugin.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Settings of the plugin. Insert your own before or after
/// [`TilepathPlugin`](crate::TilepathPlugin). Changes take effect in the next tick.
#[derive(Resource, Debug, Clone, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TilepathSettings {
    /// The most work that all searches together do in a tick. Short searches come first, and no
    /// search waits forever.
    ///
    /// # Units
    /// Expanded cells and comparable steps: the unit of
    /// [`PathSearch::work`](tilepath::PathSearch::work). An answer costs about as many as there are
    /// cells nearer to the start than the goal is. These also count:
    ///
    /// - On a waypoint graph, the waypoints that were visited.
    /// - On routes over several maps, also the doors (four that are only compared count as one).
    /// - If more than eight orders to the same goals are not answered in their first turn, one
    ///   [field](tilepath::field::FlowField) answers all of them. Each of its cells, and each cell
    ///   of a path that is read from it, counts as one.
    /// - Each place of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) counts when it
    ///   is looked up: once a tick for all orders that are clones of one request or share an `Arc`
    ///   of places. Long lists take at most half of the budget. Orders with further lists wait for
    ///   the next tick.
    ///
    /// # Default
    /// 20,000: about 1.5 milliseconds of one core of the development machine, on ground of many
    /// costs (100,000 took 7; BENCHMARKS.md). Choose a smaller value if that is too much for a
    /// tick. 0 counts as 1, so that every request is answered in the end.
    ///
    /// # Overruns
    /// A tick may exceed the budget by the cost of:
    ///
    /// - the last expansions of up to eight searches;
    /// - the preparation for the first search on a map, or for the first one after edits, all at
    ///   once;
    /// - each place of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) when its search
    ///   begins, all at once;
    /// - the last list of places that is looked up;
    /// - the repair of a field, which takes at most half of the budget;
    /// - a search that runs to its end within the tick, because edits or teleports made its answer
    ///   out of date twice.
    ///
    /// The budget counts work and never time, so that the answers of a game do not depend on the
    /// machine.
    ///
    /// # Threads
    /// If Bevy's [`ComputeTaskPool`](bevy_tasks::ComputeTaskPool) has more than one thread, up to
    /// eight searches run in parallel on it, within the tick. Short searches stay on the thread of
    /// the system.
    ///
    /// The searches of a tick and their results are the same for every number of threads. With many
    /// threads, a larger budget takes no longer. `TaskPoolOptions` of Bevy's `TaskPoolPlugin` set
    /// the number of threads. With one thread, and in the browser, nothing runs in parallel.
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
