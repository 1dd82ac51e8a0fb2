//! Settings of the whole plugin.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// The settings of the plugin. Insert your own settings before or after you add
/// [`TilepathPlugin`](crate::TilepathPlugin). Changes take effect in the next tick.
#[derive(Resource, Debug, Clone, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
pub struct TilepathSettings {
    /// The budget of work: the most work that all searches together do in a tick. Short searches
    /// come first, and no search waits forever.
    ///
    /// # Units
    /// Expanded cells and comparable steps, the unit of
    /// [`PathSearch::work`](tilepath::PathSearch::work). The search of one path takes about one unit
    /// for each cell that is nearer to the start than the goal. These also count:
    ///
    /// - On a waypoint graph, each visited waypoint.
    /// - On routes over several maps, the doors: one unit for a door that the search expands, a
    ///   quarter for a door whose distance it only compares.
    /// - If more than eight orders have the same goals and their searches do not end at the first
    ///   attempt, one [flow field](tilepath::field::FlowField) answers all of them. Each cell of
    ///   the field, and each cell of a path that is read from the field, counts as one unit.
    /// - Each place of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest), when the plugin
    ///   looks it up. Clones of one request, and requests that share an `Arc` of places, share the
    ///   lookup of a tick. Long lists take at most half of the budget. Then the remaining lists
    ///   wait for the next tick.
    /// - The search for the places of a [`GroupOrder`](crate::groups::GroupOrder). All groups
    ///   together take at most half of the budget. The places of 200 units can take more than
    ///   600,000 units.
    /// - [Landmarks](crate::maps::MapLandmarks): four cells of a table count as one unit. They take
    ///   at most half of the budget while searches wait.
    ///
    /// # Default
    /// 20,000. On a map with many different terrain costs, this work takes about 2 milliseconds of
    /// one core of the development machine, and up to 7 while landmarks are made; 100,000 took 7
    /// milliseconds (`benches/RECORDS.md`). Choose a smaller value if this is too much for a tick. 0
    /// counts as 1, so that every request is answered in the end.
    ///
    /// # Overruns
    /// A tick may exceed the budget by the work of:
    ///
    /// - the last expansions of up to eight searches;
    /// - the whole preparation for the first search on a map, or for the first search after edits;
    /// - all places of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest), at the moment
    ///   when the search for them begins;
    /// - the last list of places that is looked up;
    /// - one piece of the search for the places of a group: up to 3,000 units for 200 members;
    /// - all places of a stop that was pushed to a group under way, and the places that members
    ///   share again after another has left. Groups then wait until this work is paid;
    /// - the third search for the places of a group, if edits closed places of the first two;
    /// - the repair of a flow field, which takes at most half of the budget;
    /// - a search that runs to its end within one tick. That happens if edits or teleports made the
    ///   answers of two earlier searches for this order invalid.
    ///
    /// The budget counts work and never time. Therefore the answers of a game do not depend on the
    /// machine.
    ///
    /// # Threads
    /// If Bevy's [`ComputeTaskPool`](bevy_tasks::ComputeTaskPool) has more than one thread, up to
    /// eight searches run in parallel in this pool, within the tick. Short searches run on the
    /// thread of the system.
    ///
    /// The searches of a tick and their results are the same for every number of threads. With many
    /// threads, you can choose a larger budget for the same time. `TaskPoolOptions` of Bevy's
    /// `TaskPoolPlugin` set the number of threads. With one thread, and in the browser, nothing
    /// runs in parallel.
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
