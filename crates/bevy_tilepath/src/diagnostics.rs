//! Counters for panels and logs.

use bevy_app::App;
use bevy_ecs::{intern::Interned, reflect::ReflectResource, resource::Resource, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Counters of the plugin's last tick, for panels and logs. The plugin writes it. Read it after
/// [`TilepathSystems::Follow`](crate::TilepathSystems::Follow) or in any other schedule.
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
    /// Requests and replans whose search has not begun, or was stopped to begin again later. It
    /// includes those that wait for a field that answers many requests.
    pub queued: usize,
    /// Searches under way that go on in the next tick.
    pub searching: usize,
    /// The work of all searches in the tick, in the unit of
    /// [`work_per_tick`](crate::TilepathSettings::work_per_tick). It is at least one for each
    /// search that was worked on.
    pub work: u64,
    /// Searches begun in the tick. An order that a field answers needs no search.
    pub searches: usize,
    /// Requests answered in the tick, with a path or without.
    pub answers: usize,
    /// Journeys replanned in the tick.
    pub replans: usize,
    /// Agents on a journey in the tick, also those that stand, and those that still walk along an
    /// old path.
    pub following: usize,
    /// Bodies in crowds, agents or not.
    pub bodies: usize,
    /// Bodies that stood in the tick because of other bodies.
    pub bodies_waiting: usize,
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<TilepathDiagnostics>().register_type::<TilepathDiagnostics>();
}
