//! Searches: from an order to its answer, within the budget of work.

pub(crate) mod accept;
pub(crate) mod budget;
mod ended_search;
mod field_answer;
pub(crate) mod goal_lists;
pub(crate) mod graph_order;
pub(crate) mod landmarks;
pub(crate) mod map_search;
mod misnamed;
pub(crate) mod multi_map;
pub(crate) mod observers;
pub(crate) mod order_search;
pub(crate) mod problem;
mod resume;
pub(crate) mod searches;
pub(crate) mod shared_fields;
#[cfg(feature = "debug_draw")]
pub(crate) mod show_search;
pub(crate) mod target_places;
pub(crate) mod targets;
mod turns;
pub(crate) mod waiting;

use bevy_app::App;
use bevy_ecs::{
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
};

use crate::{
    schedule::{AcceptSteps, SearchSteps},
    search::{
        accept::accept_requests,
        budget::advance_searches,
        goal_lists::GoalLists,
        landmarks::{LandmarkCredit, tend_landmarks},
        resume::resume_search,
        searches::Searches,
        shared_fields::SharedFields,
    },
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<Searches>()
        .init_resource::<SharedFields>()
        .init_resource::<GoalLists>()
        .init_resource::<LandmarkCredit>()
        .add_observer(resume_search)
        .add_systems(
            schedule,
            (
                accept_requests.in_set(AcceptSteps::Accept),
                tend_landmarks.in_set(SearchSteps::Landmarks),
                advance_searches.in_set(SearchSteps::Advance),
            ),
        );
}
