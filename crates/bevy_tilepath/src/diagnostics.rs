//! Counters for panels and logs.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Counters of the plugin's last tick, for panels and logs. The plugin writes this resource. Read
/// it after [`TilepathSystems::Follow`](crate::TilepathSystems::Follow), or in any other schedule.
///
/// ```
/// use bevy_tilepath::TilepathDiagnostics;
///
/// fn is_busy(diagnostics: &TilepathDiagnostics) -> bool {
///     diagnostics.queued + diagnostics.searching > 0
/// }
/// assert!(!is_busy(&TilepathDiagnostics::default()));
/// ```
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Resource, Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TilepathDiagnostics {
    /// Requests that wait for a map.
    pub waiting_for_map: usize,
    /// Requests and replans whose search has not begun, or was stopped to begin again later.
    /// Requests that wait for a flow field, which answers many requests at once, are included.
    pub queued: usize,
    /// Searches that have begun and go on in the next tick.
    pub searching: usize,
    /// The work of all searches in the tick, in the unit of
    /// [`work_per_tick`](crate::TilepathSettings::work_per_tick). It is at least 1 for each search
    /// that ran in the tick.
    pub work: u64,
    /// The part of this work that made landmarks. A unit of it is four cells of a table.
    pub landmark_work: u64,
    /// Searches that landmarks led and that ended in the tick.
    pub led_searches: usize,
    /// The work that landmarks saved these searches, by the mean work of earlier searches of their
    /// movements without landmarks.
    pub landmark_savings: u64,
    /// Searches begun in the tick. If a flow field answers a request, no search is needed for this
    /// request.
    pub searches: usize,
    /// Requests answered in the tick. The answer is a path or a failure.
    pub answers: usize,
    /// Agents that got a new path for the same order in the tick.
    pub replans: usize,
    /// Agents that had a path in the tick and had not arrived. Agents that stood are included.
    /// Agents that still walked along the path of a replaced order are included too.
    pub following: usize,
    /// Bodies on tile maps, with or without a [`PathAgent`](crate::PathAgent).
    pub bodies: usize,
    /// Bodies that stood in the tick because of other bodies.
    pub bodies_waiting: usize,
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<TilepathDiagnostics>().register_type::<TilepathDiagnostics>();
}
