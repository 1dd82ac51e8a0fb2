//! Finds journeys whose way is no longer right, and has them planned anew in the same tick.

mod watch;

use bevy_app::App;
use bevy_ecs::{
    change_detection::DetectChangesMut,
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    query::With,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res, ResMut},
};
use bevy_transform::components::Transform;

pub(crate) use watch::WatchedMaps;

use crate::{
    agent::{AgentPath, Footing, Ground, OnMap, ParentPlaces, PathAgent, Progress, place_parents},
    failure::PathFailure,
    nav_map::{NavGrid, NavMap},
    projection::NavProjection,
    request::{Job, Notice, Order, PathRequest, RequestQueue, RequestTicket},
    resolve,
    schedule::TilepathSystems,
};
use watch::{Changes, watch_maps};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<WatchedMaps>().init_resource::<ParentPlaces>().add_systems(
        schedule,
        (watch_maps, place_parents, check_paths)
            .chain()
            .in_set(TilepathSystems::AcceptRequests)
            .before(resolve::accept_requests),
    );
}

/// Looks at every journey. Where neither the map nor the agent was touched by others this costs three
/// comparisons.
fn check_paths(
    mut queue: ResMut<RequestQueue>,
    watched: Res<WatchedMaps>,
    parents: Res<ParentPlaces>,
    maps: Query<(&NavGrid, &NavProjection), With<NavMap>>,
    mut agents: Query<
        (
            Entity,
            &mut RequestTicket,
            &PathRequest,
            &mut AgentPath,
            &Footing,
            Option<&Transform>,
            Option<&ChildOf>,
            Option<&OnMap>,
        ),
        With<PathAgent>,
    >,
) {
    let queue = &mut *queue;
    for (entity, mut ticket, request, mut path, footing, transform, parent, on_map) in &mut agents {
        if !ticket.holds(path.order) || path.progress == Progress::Arrived {
            continue;
        }
        let order = Order { entity, number: path.order };
        if on_map.is_some_and(|on_map| on_map.0 != path.map()) {
            if path.progress != Progress::Replanning {
                path.progress = Progress::Replanning;
                if ticket.enters(queue.round()) {
                    queue.fresh.push(entity);
                }
            }
            continue;
        }
        // A map whose tilemap is refused from now on is none any more.
        let ready = maps.get(path.map()).ok().filter(|(grid, _)| grid.is_ready());
        let (Some(watch), Some((grid, projection))) = (watched.get(path.map()), ready) else {
            queue.notices.push((order, Notice::Lost(PathFailure::NoMap)));
            continue;
        };
        if path.progress == Progress::Replanning {
            continue;
        }

        let fault = if path.edition == Some(watch.edition) {
            None
        } else {
            match &watch.changes {
                Changes::Cells(cells) if path.edition == Some(watch.edition - 1) => {
                    path.first_fault_near(grid, cells)
                }
                _ => path.first_fault(grid),
            }
        };
        if let Some(cell) = fault {
            queue.notices.push((order, Notice::Blocked(cell)));
        } else if path.edition != Some(watch.edition) {
            // Nobody outside can tell the difference.
            path.bypass_change_detection().edition = Some(watch.edition);
        }

        let here = transform
            .and_then(|transform| parents.world_of(parent, transform.translation.truncate()))
            .filter(|&here| parents.local_of(parent, here).is_some());
        let Some(here) = here else {
            queue.notices.push((order, Notice::Lost(PathFailure::PositionNotFinite)));
            continue;
        };
        let ground = Ground { map: path.map(), grid, projection };
        if fault.is_none() {
            if path.walk.position == Some(here) && path.placement == Some(watch.placement) {
                continue;
            }
            path.place(projection, watch.placement);
            if ground.join(&mut path, here, Some(footing)) {
                continue;
            }
        }
        match ground.standing_cell(here, Some(footing)) {
            Ok(start) => {
                path.progress = Progress::Replanning;
                queue.urgent.push_back(Job {
                    order,
                    request: request.clone(),
                    map: path.map(),
                    named: on_map.is_some(),
                    start,
                    goals: path.goals().clone(),
                    replan: true,
                });
            }
            Err(reason) => queue.notices.push((order, Notice::Lost(reason))),
        }
    }
}
