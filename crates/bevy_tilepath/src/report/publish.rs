//! Publication: components are written, ended orders removed, events triggered.
//!
//! The system is exclusive, because an observer may order, cancel or despawn any entity. Before
//! every write and every trigger, the order is looked up in the world at that moment.
//!
//! Decision: `docs/decisions/31-events.md`.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity,
    event::{EntityEvent, Event},
    intern::Interned,
    message::Message,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    world::World,
};
use bevy_math::Vec2;

use crate::{
    diagnostics::TilepathDiagnostics,
    disabling::is_hidden,
    failure::PathFailure,
    journey::{
        agent::{Motion, PathAgent},
        body::Body,
        interpolate::DrawnPosition,
        number::{AgentNumber, precedence},
        path::{AgentPath, Driven, Progress, path_mut::PathMut, stops_ahead::Ahead},
        stepwise::Stepwise,
    },
    map::{
        map_view::MapView, movement::AgentMovement, nav_grid::NavGrid, on_map::OnMap,
        projection::NavProjection, version::Version, watch::WatchedMaps,
    },
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        request::PathRequest,
        route::Route,
        state::{RequestState, lacks_state},
        status::PathStatus,
        stop_cursor::StopCursor,
        stops::PathStops,
    },
    report::{
        events::{
            Arrived, DoorPassed, PathBlocked, PathFailed, PathFound, PathLost, PathPointReached, Replanned,
            StopReached, Stuck, WaitOver, WaitingFor,
        },
        mistakes::{LoggedMistakes, note_mistake},
    },
    route::walked_line::WalkMode,
    schedule::{FollowSteps, TilepathSystems},
    search::searches::Searches,
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.init_resource::<LoggedMistakes>().add_systems(
        schedule,
        (publish.in_set(TilepathSystems::Publish), publish.in_set(FollowSteps::Report)),
    );
}

pub(crate) fn publish(world: &mut World) {
    let mut pending_events = world.resource_mut::<RequestQueue>().take_events();
    pending_events
        .sort_by_cached_key(|(order, _)| precedence(world.get::<AgentNumber>(order.entity), *order));
    for (order, pending_event) in pending_events.drain(..) {
        let entity = order.entity;
        if !lives(world, order) {
            // The agent stands behind the door, also if it has another order. If `OnMap` is not the
            // first map of the door, other code has set it.
            if let PendingEvent::DoorPassed { from, to, leaps, .. } = pending_event
                && !is_hidden(world, entity)
                && world.get::<OnMap>(entity).is_none_or(|on_map| on_map.0 == from)
            {
                pass_door(world, order, to, leaps);
            }
            if lacks_state(world, entity) {
                end_without_state(world, entity, &pending_event);
            }
            continue;
        }
        if let PendingEvent::Failed(reason) | PendingEvent::Lost(reason) = pending_event {
            note_mistake(world, entity, reason);
        }
        match pending_event {
            PendingEvent::Found(route) => put_on_path(world, order, *route, false),
            PendingEvent::Replanned(route) => put_on_path(world, order, *route, true),
            PendingEvent::Ahead(route, cursor, edits) => know_next_way(world, order, *route, cursor, edits),
            PendingEvent::Interim(route) => go_on_by(world, order, *route),
            PendingEvent::Failed(reason) => {
                world.resource_mut::<TilepathDiagnostics>().answers += 1;
                if end_without_path(world, order, reason) {
                    emit(world, PathFailed { entity, reason });
                }
            }
            PendingEvent::Lost(reason) => {
                // PathAgent may have been inserted again since.
                let came_back =
                    reason == PathFailure::AgentRemoved && world.get::<PathAgent>(entity).is_some();
                if !came_back && end_without_path(world, order, reason) {
                    emit(world, PathLost { entity, reason });
                }
            }
            PendingEvent::Blocked { map, place } => emit(world, PathBlocked { entity, map, place }),
            PendingEvent::PointReached { map, place } => {
                emit(world, PathPointReached { entity, map, place });
            }
            PendingEvent::DoorPassed { door, from, to, leaps } => {
                pass_door(world, order, to, leaps);
                let is_asked = |request: &PathRequest| request.through_door() == Some(door);
                if world.get(entity).is_some_and(is_asked)
                    && let Some(mut state) = world.get_mut::<RequestState>(entity)
                {
                    state.has_passed_door = true;
                }
                if lives(world, order) {
                    emit(world, DoorPassed { entity, door, from, to });
                }
            }
            PendingEvent::StopReached { map, place, index, goal, chosen, partial } => {
                emit(world, StopReached { entity, map, place, index, goal, chosen, partial });
            }
            PendingEvent::Arrived { .. } if go_on_to_new_stop(world, order) => {}
            PendingEvent::Arrived { map, place, chosen, partial, shortfall } => {
                if close(world, order, PathStatus::Arrived) {
                    emit(world, Arrived { entity, map, place, chosen, partial, shortfall });
                }
            }
            PendingEvent::WaitsFor { by, cell } => emit(world, WaitingFor { entity, by, cell }),
            PendingEvent::WaitOver => emit(world, WaitOver { entity }),
            PendingEvent::Stuck => emit(world, Stuck { entity }),
        }
    }
    // Events that observers add are triggered in the next call.
    world.resource_mut::<RequestQueue>().keep_room(pending_events);
}

fn lives(world: &World, order: RequestId) -> bool {
    world.get::<RequestState>(order.entity).is_some_and(|state| state.holds(order.number))
        && !is_hidden(world, order.entity)
}

/// Returns whether the entity exists, and has no new order since the last one was closed.
fn is_free(world: &World, entity: Entity) -> bool {
    world.get::<RequestState>(entity).is_some_and(|state| state.order_of(entity).is_none())
}

/// Triggers an event for observers, and writes it for readers of messages.
pub(crate) fn emit<E>(world: &mut World, event: E)
where
    E: EntityEvent + Message + Clone + for<'a> Event<Trigger<'a>: Default>,
{
    world.write_message(event.clone());
    world.trigger(event);
    world.flush();
}

/// Ends an order: sets the status, then removes the component. Returns whether its last event is
/// still due.
fn close(world: &mut World, order: RequestId, status: PathStatus) -> bool {
    let entity = order.entity;
    if let Some(mut state) = world.get_mut::<RequestState>(entity) {
        state.close();
    }
    if let Some(current) = world.get_mut::<PathStatus>(entity) {
        PathStatus::show(current, status);
    }
    if let Some(mut motion) = world.get_mut::<Motion>(entity) {
        motion.velocity = Vec2::ZERO;
    }
    if let Ok(mut entity) = world.get_entity_mut(entity) {
        entity.remove::<PathRequest>();
    }
    world.flush();
    is_free(world, entity)
}

fn end_without_path(world: &mut World, order: RequestId, reason: PathFailure) -> bool {
    if !close(world, order, PathStatus::Failed(reason)) {
        return false;
    }
    if let Ok(mut entity) = world.get_entity_mut(order.entity)
        && entity.contains::<AgentPath>()
    {
        entity.remove::<AgentPath>();
        world.flush();
    }
    is_free(world, order.entity)
}

/// Ends an order whose state was removed with [`PathAgent`].
fn end_without_state(world: &mut World, entity: Entity, pending_event: &PendingEvent) {
    let (PendingEvent::Failed(reason) | PendingEvent::Lost(reason)) = *pending_event else { return };
    if let Ok(mut requester) = world.get_entity_mut(entity) {
        requester.remove::<(PathRequest, AgentPath)>();
        world.flush();
    }
    if matches!(pending_event, PendingEvent::Failed(_)) {
        emit(world, PathFailed { entity, reason });
    } else {
        emit(world, PathLost { entity, reason });
    }
}

/// Puts the agent on another map.
fn pass_door(world: &mut World, order: RequestId, to: Entity, leaps: bool) {
    let Ok(mut agent) = world.get_entity_mut(order.entity) else { return };
    if leaps && let Some(mut drawn) = agent.get_mut::<DrawnPosition>() {
        drawn.leap();
    }
    if agent.get::<OnMap>().is_none_or(|on_map| on_map.0 != to) {
        agent.insert(OnMap(to));
        world.flush();
    }
    world.resource_mut::<Searches>().carry(order.entity, to);
}

/// Gives an agent a path to follow until its order is answered. No event is triggered.
fn go_on_by(world: &mut World, order: RequestId, route: Route) {
    let agent = world.get_entity(order.entity).ok();
    if !agent.is_some_and(|agent| agent.contains::<PathAgent>()) {
        return;
    }
    // This path belongs to no order, because it is not the answer to the new order.
    let of_no_order = RequestId { number: 0, ..order };
    if let Some(mut path) = AgentPath::new(of_no_order, route, |map| placed(world, map)) {
        // The search may have begun before the agent got another movement.
        let (request, own) =
            (world.get::<PathRequest>(order.entity), world.get::<AgentMovement>(order.entity));
        if !path.is_found_for(request, own, false) {
            return;
        }
        lay_line(world, order.entity, &mut path);
        set_path(world, order, path);
    }
}

/// Keeps the path from the agent's next stop.
fn know_next_way(world: &mut World, order: RequestId, route: Route, cursor: StopCursor, edits: u64) {
    let Some(mut path) = AgentPath::new(order, route, |map| placed(world, map)) else { return };
    path.stops.waits_at_end = waits_at_end(world, order.entity, &path);
    lay_line(world, order.entity, &mut path);
    let checked = path.leg().version;
    if let Some(mut agent_path) = world.get_mut::<AgentPath>(order.entity).map(PathMut::new)
        && agent_path.order == order.number
    {
        agent_path.stops.ahead = Some(Box::new(Ahead { path, cursor, edits, checked }));
    }
}

/// Returns whether the agent waits at the end of a path.
fn waits_at_end(world: &World, entity: Entity, path: &AgentPath) -> bool {
    let asked = &path.route().asked;
    world.get::<PathRequest>(entity).is_some_and(|request| request.waits_at_end_for(asked, path.is_partial()))
}

/// Continues an order to which an observer of the last event has appended a stop. Returns false if
/// the order ends here.
fn go_on_to_new_stop(world: &mut World, order: RequestId) -> bool {
    let Some(mut stops) = world.get_mut::<PathStops>(order.entity) else { return false };
    if stops.next().is_none() && !stops.waits_for_more() {
        return false;
    }
    if let Some(next) = stops.next() {
        stops.go_on_to(next);
    }
    let Some(mut path) = world.get_mut::<AgentPath>(order.entity).map(PathMut::new) else { return false };
    path.progress = Progress::Replanning;
    path.stops.is_reported = true;
    drop(path);
    world.resource_mut::<RequestQueue>().ask_again(order.entity);
    true
}

/// Returns the place of a map, and the version of this place. A map that is new in this tick, or
/// was moved in it, has the default version.
fn placed(world: &World, map: Entity) -> Option<(NavProjection, Version)> {
    let projection = world.get::<NavProjection>(map)?;
    let watch = world.resource::<WatchedMaps>().get(map);
    Some((*projection, watch.map_or(Version::default(), |watch| watch.placement_of(projection))))
}

/// Lays the line that an agent walks along the cells of a new path.
fn lay_line(world: &World, entity: Entity, path: &mut AgentPath) {
    let Some(agent) = world.get::<PathAgent>(entity) else { return };
    let number = world.get::<AgentNumber>(entity).copied().unwrap_or_default();
    let (is_body, is_stepwise) =
        (world.get::<Body>(entity).is_some(), world.get::<Stepwise>(entity).is_some());
    let WalkMode { style, is_driven } = agent.walk_mode(number, is_body, is_stepwise);
    path.walk.driven = is_driven.then(Driven::default);
    if style.is_plain() {
        return;
    }
    let movement = path.route().movement.clone();
    for index in 0..path.route().legs.len() {
        let map = path.route().legs[index].map();
        let (grid, projection) = (world.get::<NavGrid>(map), world.get::<NavProjection>(map));
        if let Some((grid, projection)) = grid.zip(projection)
            && let Ok(view) = MapView::new(map, grid, projection).by(movement.as_ref())
        {
            path.lay(index, style, 0, &view);
        }
    }
}

/// Sets the path of an agent. Returns whether the order is still valid afterwards.
fn set_path(world: &mut World, order: RequestId, mut path: AgentPath) -> bool {
    let map = path.map();
    let Ok(mut requester) = world.get_entity_mut(order.entity) else { return false };
    if let Some(mut old) = requester.get_mut::<AgentPath>() {
        path.plan.follow_on(old.revision());
        if old.order == path.order {
            path.proof.lost = std::mem::take(&mut old.proof.lost);
            path.walk.put_back = old.walk.put_back;
            if let (Some(driven), Some(old)) = (&mut path.walk.driven, old.walk.driven) {
                driven.stuck = old.stuck;
            }
        }
        *old = path;
    } else {
        requester.insert(path);
        world.flush();
    }
    if !lives(world, order) {
        return false;
    }
    let requester = world.entity(order.entity);
    if requester.contains::<PathAgent>() && !requester.contains::<OnMap>() {
        world.entity_mut(order.entity).insert(OnMap(map));
        world.flush();
    }
    lives(world, order)
}

fn put_on_path(world: &mut World, order: RequestId, route: Route, replan: bool) {
    let entity = order.entity;
    let (partial, chosen) = (route.partial, route.chosen_of_list());
    let Some(mut path) = AgentPath::new(order, route, |map| placed(world, map)) else {
        let reason = PathFailure::NoMap;
        if end_without_path(world, order, reason) {
            if replan {
                emit(world, PathLost { entity, reason });
            } else {
                emit(world, PathFailed { entity, reason });
            }
        }
        return;
    };
    path.stops.waits_at_end = waits_at_end(world, entity, &path);
    lay_line(world, entity, &mut path);
    let (map, goal) = (path.map(), path.end_place());
    let route_cost = path.route_cost();

    if !set_path(world, order, path) {
        return;
    }
    if let Some(mut state) = world.get_mut::<RequestState>(entity) {
        state.vain = 0;
    }

    let mut diagnostics = world.resource_mut::<TilepathDiagnostics>();
    if replan {
        diagnostics.replans += 1;
        if let Some(status) = world.get_mut::<PathStatus>(entity)
            && matches!(*status, PathStatus::WaitingForWay(_))
        {
            PathStatus::show(status, PathStatus::Following);
        }
        emit(world, Replanned { entity, map, goal, chosen, route_cost, partial });
        return;
    }
    diagnostics.answers += 1;
    let mut state = world.get_mut::<RequestState>(entity).expect("the order lives");
    state.answered = true;
    let found = PathFound { entity, map, goal, chosen, route_cost, partial };
    let Some(agent) = world.get::<PathAgent>(entity) else {
        if close(world, order, PathStatus::Idle) {
            emit(world, found);
        }
        return;
    };
    let status = if agent.is_held() { PathStatus::Paused } else { PathStatus::Following };
    if let Some(current) = world.get_mut::<PathStatus>(entity) {
        PathStatus::show(current, status);
    }
    emit(world, found);
}
