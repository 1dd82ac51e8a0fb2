//! Agents whose movement changed after paths were checked.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity,
    intern::Interned,
    lifecycle::RemovedComponents,
    query::{Changed, With},
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
};

use crate::{
    journey::{
        agent::PathAgent,
        path::{AgentPath, Progress, of_order::PathUse, path_mut::PathMut},
    },
    map::{
        maps::{AnyMap, Maps},
        movement::AgentMovement,
    },
    order::{queue::RequestQueue, request::PathRequest, state::RequestState},
    schedule::FollowSteps,
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(schedule, stop_changed_agents.in_set(FollowSteps::Walk));
}

/// Stops agents that were given another movement in this tick, by an observer for example, if their
/// path is not a path of that movement. They walk on when the search for it has ended.
pub(super) fn stop_changed_agents(
    mut queue: ResMut<RequestQueue>,
    maps: Maps,
    changed: Query<Entity, (With<PathAgent>, Changed<AgentMovement>)>,
    mut removed: RemovedComponents<AgentMovement>,
    mut agents: Query<(&RequestState, &PathRequest, &mut AgentPath, Option<&AgentMovement>), With<PathAgent>>,
) {
    for entity in changed.iter().chain(removed.read()) {
        let Ok((state, request, path, own)) = agents.get_mut(entity) else { continue };
        let mut path = PathMut::new(path);
        let is_living = path.use_by(state) == PathUse::OfOrder;
        if path.progress != Progress::Walking
            || path.is_found_for(Some(request), own, is_living)
            || is_path_of(&path, request.movement().or(own), &maps)
        {
            continue;
        }
        path.progress = Progress::Replanning;
        if is_living {
            queue.ask_again(entity);
        }
    }
}

/// Returns whether the rest of a path is a path of equal cost for a movement, which the maps need not
/// know yet. Doors and lines beside the cells count as differences.
fn is_path_of(path: &AgentPath, movement: Option<&AgentMovement>, maps: &Maps) -> bool {
    let [leg] = path.legs_left() else { return false };
    let view = match maps.get(leg.map()) {
        Some(AnyMap::Tiles(view)) => view,
        map => return map.is_some(),
    };
    let rules = match movement {
        Some(AgentMovement::Own(own)) => Some(&**own),
        _ => view.by(movement).ok().map(|seen| seen.rules),
    };
    leg.cells().zip(rules).is_some_and(|(course, rules)| {
        course.line.is_none()
            && course.side == rules.size().side()
            && course.path.verify(view.grid.grid(), rules).is_ok()
    })
}
