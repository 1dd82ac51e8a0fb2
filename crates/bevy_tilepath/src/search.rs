//! From an order to its answer: orders are accepted, searched for within the budget of work, and answered.

mod accept;
mod budget;
mod searches;
mod turns;

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
};

use crate::schedule::TilepathSystems;

pub(crate) use accept::accept_requests;
#[cfg(feature = "recording")]
pub(crate) use budget::advance_searches;
pub(crate) use searches::{Searches, Task};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Searches>().add_systems(
        schedule,
        (
            accept_requests.in_set(TilepathSystems::AcceptRequests),
            budget::advance_searches.in_set(TilepathSystems::Search),
        ),
    );
}
