//! Finds journeys whose way is no longer right, and has them planned anew in the same tick.

mod watch;

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
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
    agent::{
        AgentNumber, AgentPath, Footing, OnMap, ParentPlaces, PathAgent, PathLeg, Progress, place_parents,
    },
    doors::KnownDoors,
    failure::PathFailure,
    maps::{AnyMap, Maps},
    request::{Job, Notice, Order, PathRequest, Place, RequestQueue, RequestTicket},
    resolve,
    schedule::TilepathSystems,
};
use watch::{Changes, Watch, watch_maps};

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
pub(crate) fn check_paths(
    mut queue: ResMut<RequestQueue>,
    watched: Res<WatchedMaps>,
    doors: Res<KnownDoors>,
    parents: Res<ParentPlaces>,
    maps: Maps,
    mut agents: Query<
        (
            Entity,
            &AgentNumber,
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
    let mut replans: Vec<(AgentNumber, Job)> = Vec::new();
    for (entity, number, mut ticket, request, mut path, footing, transform, parent, on_map) in &mut agents {
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
        let (Some(watch), Some(map)) = (watched.get(path.map()), maps.ready(path.map())) else {
            queue.notices.push((order, Notice::Lost(PathFailure::NoMap)));
            continue;
        };
        if path.progress == Progress::Replanning {
            continue;
        }

        let is_edited = path.leg().edition != Some(watch.edition);
        let fault = fault_under_way(&mut path, watch, &map)
            .or_else(|| fault_ahead(&mut path, &watched, &doors, &maps));
        let is_faulty = fault.is_some();
        if let Some((map, place)) = fault {
            queue.notices.push((order, Notice::Blocked { map, place }));
        }

        let standing = parents
            .standing(parent, transform, Some(footing))
            .filter(|standing| parents.local_of(parent, standing.here).is_some());
        let Some(standing) = standing else {
            queue.notices.push((order, Notice::Lost(PathFailure::PositionNotFinite)));
            continue;
        };
        let here = standing.here;
        if !is_faulty {
            if path.walk.position == Some(here)
                && path.leg().placement == Some(watch.placement)
                && (!is_edited || map.is_line_open(&path, here))
            {
                continue;
            }
            path.place(map.projection(), watch.placement);
            if maps.join(&map, &mut path, &standing) {
                continue;
            }
        }
        match maps.standing_spot(&map, &standing, Some(&path)) {
            Ok(start) => {
                path.progress = Progress::Replanning;
                let job = Job {
                    order,
                    request: request.clone(),
                    map: path.map(),
                    named: on_map.is_some(),
                    start,
                    here,
                    goals: path.goals().clone(),
                    replan: true,
                };
                replans.push((*number, job));
            }
            Err(reason) => queue.notices.push((order, Notice::Lost(reason))),
        }
    }
    replans.sort_by_key(|(number, _)| *number);
    queue.urgent.extend(replans.into_iter().map(|(_, job)| job));
}

/// What is wrong with the leg under way by now.
fn fault_under_way(path: &mut Mut<AgentPath>, watch: &Watch, map: &AnyMap) -> Option<(Entity, Place)> {
    let edition = path.leg().edition;
    if edition == Some(watch.edition) {
        return None;
    }
    let fault = leg_fault(path.leg(), path.next_point(), watch, map);
    if fault.is_none() {
        // Nobody outside can tell the difference.
        let path = path.bypass_change_detection();
        path.leg_mut().edition = Some(watch.edition);
        if let AnyMap::Graph(roads) = map {
            path.update_pace(roads.graph);
        }
    }
    fault.map(|place| (map.entity(), place))
}

/// What is wrong with the legs behind the next door by now, or with a door.
fn fault_ahead(
    path: &mut Mut<AgentPath>,
    watched: &WatchedMaps,
    doors: &KnownDoors,
    maps: &Maps,
) -> Option<(Entity, Place)> {
    if path.ahead().is_empty() {
        return None;
    }
    if path.doors_edition != doors.edition() {
        let is_closed = |leg: &PathLeg| {
            leg.entrance().is_some_and(|entrance| !doors.is_as_in(entrance.door, entrance.edition))
        };
        if let Some(closed) = path.ahead().iter().position(is_closed) {
            let before = closed.checked_sub(1).map_or(path.leg(), |index| &path.ahead()[index]);
            return Some((before.map(), before.end_place(path.points())));
        }
        path.bypass_change_detection().doors_edition = doors.edition();
    }
    for index in 0..path.ahead().len() {
        let leg = &path.ahead()[index];
        let known = watched.get(leg.map()).zip(maps.ready(leg.map()));
        let Some((watch, map)) = known else { return Some((leg.map(), leg.end_place(path.points()))) };
        if leg.edition != Some(watch.edition) {
            if let Some(place) = leg_fault(leg, 0, watch, &map) {
                return Some((leg.map(), place));
            }
            let leg = &mut path.bypass_change_detection().ahead_mut()[index];
            leg.edition = Some(watch.edition);
            if let AnyMap::Graph(roads) = map {
                leg.update_pace(roads.graph);
            }
        }
        if path.ahead()[index].placement != Some(watch.placement) {
            if !map.projection().is_somewhere() {
                let leg = &path.ahead()[index];
                return Some((leg.map(), leg.end_place(path.points())));
            }
            path.place_ahead(index, map.projection(), watch.placement);
        }
    }
    None
}

fn leg_fault(leg: &PathLeg, next: usize, watch: &Watch, map: &AnyMap) -> Option<Place> {
    match map {
        AnyMap::Tiles(ground) => {
            let changes = match &watch.changes {
                Changes::Cells(cells) if leg.edition == Some(watch.edition - 1) => Some(&cells[..]),
                _ => None,
            };
            leg.cell_fault(next, ground.grid, changes)
        }
        AnyMap::Graph(roads) => leg.graph_fault(next, roads.graph),
    }
}
