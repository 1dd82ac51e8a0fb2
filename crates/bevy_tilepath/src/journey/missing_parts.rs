//! Components that a unit needs and that were removed.

use bevy_app::App;
use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    intern::Interned,
    query::{Has, Or, QueryData, With, Without},
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Query},
};
use bevy_transform::components::Transform;
use tracing::warn;

use crate::{
    journey::{
        agent::{Motion, PathAgent},
        number::AgentNumber,
        standing_on::StandingOn,
    },
    order::{state::RequestState, status::PathStatus},
    schedule::AcceptSteps,
};

/// The components without which an agent stands. `PathAgent` requires them.
#[derive(QueryData)]
pub(crate) struct Parts {
    transform: Has<Transform>,
    status: Has<PathStatus>,
    motion: Has<Motion>,
    number: Has<AgentNumber>,
    state: Has<RequestState>,
    standing_on: Has<StandingOn>,
}

impl PartsItem<'_, '_> {
    /// Returns the name of a component that is missing.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        let parts = [
            (self.transform, "Transform"),
            (self.status, "PathStatus"),
            (self.motion, "Motion"),
            (self.number, "AgentNumber"),
            (self.state, "RequestState"),
            (self.standing_on, "StandingOn"),
        ];
        parts.into_iter().find_map(|(is_there, name)| (!is_there).then_some(name))
    }
}

type IsIncomplete = (
    With<PathAgent>,
    Or<(
        Without<Transform>,
        Without<PathStatus>,
        Without<Motion>,
        Without<AgentNumber>,
        Without<RequestState>,
        Without<StandingOn>,
    )>,
);

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(schedule, warn_of_missing_parts.in_set(AcceptSteps::Look));
}

/// Logs a warning, once for each agent that lacks a component.
fn warn_of_missing_parts(incomplete: Query<(Entity, Parts), IsIncomplete>, mut warned: Local<EntityHashSet>) {
    warned.retain(|&entity| incomplete.contains(entity));
    for (entity, parts) in &incomplete {
        if let Some(which) = parts.missing().filter(|_| warned.insert(entity)) {
            warn!(
                "{entity} stands, because it has no {which}, which PathAgent requires: insert PathAgent again"
            );
        }
    }
}
