//! Walking along paths.

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    query::Has,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Local, Query, Res, ResMut},
};
use bevy_math::Vec2;
use bevy_time::Time;
use bevy_transform::components::Transform;
use tilepath::Cost;

use crate::{
    diagnostics::TilepathDiagnostics,
    journey::{
        agent::{Motion, PathAgent},
        body::{Body, BodyPlace},
        halt::Halt,
        number::AgentNumber,
        parents::ParentPlaces,
        path::{AgentPath, Driven, Progress, Stride, of_order::PathUse, path_mut::PathMut},
        standing_on::{Standing, StandingOn},
        stepwise::Stepwise,
    },
    map::{
        maps::{AnyMap, Maps},
        place::Place,
        watch::WatchedMaps,
    },
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        state::RequestState,
        status::PathStatus,
        stops::PathStops,
    },
    route::{
        pace::Heading,
        speed::{Gait, Speed},
        walked_line::WalkMode,
    },
    schedule::FollowSteps,
    walk::{
        driven::{goal_cell_under, is_near_path, may_go},
        pursuits::{Pursuit, awaited},
        warned::Warned,
    },
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(schedule, follow_paths.in_set(FollowSteps::Walk));
}

pub(super) fn follow_paths(
    time: Res<Time>,
    parents: Res<ParentPlaces>,
    mut queue: ResMut<RequestQueue>,
    mut diagnostics: ResMut<TilepathDiagnostics>,
    watched: Res<WatchedMaps>,
    maps: Maps,
    mut warned: Local<Warned>,
    mut agents: Query<(
        Entity,
        &PathAgent,
        &RequestState,
        &mut AgentPath,
        &mut Transform,
        &mut Motion,
        &mut PathStatus,
        &mut StandingOn,
        Option<&mut PathStops>,
        Option<&mut Stepwise>,
        Option<&ChildOf>,
        (Option<&BodyPlace>, Has<Body>),
        &AgentNumber,
    )>,
) {
    let seconds = time.delta_secs_f64();
    let queue = &mut *queue;
    let mut following = 0;
    let awaited = awaited(agents.iter().filter_map(
        |(entity, agent, state, path, .., stepwise, _, (place, _), number)| {
            let is_in_crowd = place.and_then(BodyPlace::in_crowd).is_some();
            Pursuit::of((entity, *number, is_in_crowd), (agent, stepwise), (state, path), seconds)
        },
    ));
    for (
        entity,
        agent,
        state,
        path,
        mut transform,
        mut motion,
        status,
        mut standing_on,
        mut stops,
        mut stepwise,
        parent,
        (place, is_body),
        number,
    ) in &mut agents
    {
        let mut path = PathMut::new(path);
        let path_use = path.use_by(state);
        let is_living = path_use == PathUse::OfOrder;
        let is_in_crowd = place.and_then(BodyPlace::in_crowd).is_some();
        if path_use == PathUse::Over {
            if !is_in_crowd {
                rest(&mut motion);
            }
            continue;
        }
        following += 1;
        'walk: {
            path.halt = agent.halt(stepwise.as_deref(), 0);
            if is_living {
                show_status(status, &path);
            }
            warned.warn(entity, agent, &path);
            let order = RequestId { entity, number: path.order };
            if is_in_crowd {
                path.walk.driven = None;
                drop_old_way(&mut path, stops.as_deref().filter(|_| is_living));
                note_wall(&mut path);
                let is_at_end = ends_body(&mut path, order, stops.as_deref(), queue);
                end_tick(&mut path, order, is_living, is_at_end, &mut stops, (stepwise, seconds), queue);
                break 'walk;
            }
            let mode = agent.walk_mode(*number, is_body, stepwise.is_some());
            if !path.is_laid_for(mode) {
                walk_otherwise(&mut path, mode, &maps);
            }
            let here = parents.standing(parent, Some(&transform), None).map(|standing| standing.here);
            if is_living
                && let Some(has_ended) =
                    rest_in_region(&mut path, here, order, stops.as_deref(), &maps, queue)
            {
                rest(&mut motion);
                end_tick(&mut path, order, is_living, has_ended, &mut stops, (stepwise, seconds), queue);
                break 'walk;
            }
            let can_walk = may_walk(&mut path)
                && parents.standing(parent, Some(&transform), Some(&standing_on)).is_some_and(|standing| {
                    path.walk.position == Some(standing.here)
                        || join_path(&mut path, &standing, &watched, &maps)
                        || path.is_driven() && is_near_path(&path, standing.here, &maps)
                });
            if !can_walk {
                rest(&mut motion);
                break 'walk;
            }

            let stop = stop_with_way_on(&mut path, stops.as_deref(), is_living);
            let most = awaited.contains(&entity).then(|| path.steps_to_next_halt());
            let mut stride = stride_of(agent, stepwise.as_deref(), (seconds, stop), most);
            let allowed = stride.steps;
            let (heading, wanted) =
                advance(&mut path, here, &mut stride, &maps, |event| queue.tell(order, event));
            count_steps(stepwise.as_mut(), allowed.zip(stride.steps));
            let before = transform.translation.truncate();
            if wanted.is_none() {
                write_place(&mut path, &mut transform, &parents, parent);
            }
            stand(&mut standing_on, &path, (before, transform.translation.truncate()), heading);
            let is_at_end = path.is_at_end();
            let has_arrived = (is_at_end || path.stops.passed.is_some())
                && end_tick(&mut path, order, is_living, is_at_end, &mut stops, (stepwise, seconds), queue);
            if heading.has_walked {
                set_motion(&mut motion, agent, &path, (heading, wanted), has_arrived);
            } else {
                rest(&mut motion);
            }
        }
        path.end_limit();
    }
    diagnostics.following = following;
    warned.forget(|entity| agents.get(entity).ok().map(|(_, agent, ..)| agent));
}

/// Returns whether an agent may walk in this tick, and limits the tick to the points before a wall.
fn may_walk(path: &mut AgentPath) -> bool {
    path.halt_before_wall();
    if path.plan.awaits_search() {
        note_wall(path);
        return false;
    }
    path.progress == Progress::Walking && path.halt != Some(Halt::Paused)
}

/// Records why an agent stands that waits for the path around a wall.
fn note_wall(path: &mut AgentPath) {
    if path.plan.stands_before_wall() {
        path.halt = path.halt.or(Some(Halt::Replanning));
    }
}

/// Moves the entity to the place to which the agent has walked.
fn write_place(
    path: &mut AgentPath,
    transform: &mut Mut<Transform>,
    parents: &ParentPlaces,
    parent: Option<&ChildOf>,
) {
    let Some(local) = path.walk.position.and_then(|position| parents.local_of(parent, position)) else {
        return;
    };
    if transform.translation.truncate() != local {
        transform.translation = local.extend(transform.translation.z);
    }
    path.walk.position = parents.world_of(parent, local);
}

/// Records that the agent was moved from one place in the space of its parent to another.
fn stand(standing_on: &mut StandingOn, path: &AgentPath, (before, after): (Vec2, Vec2), heading: Heading) {
    if !(heading.is_on_line && standing_on.go_on(before, after)) {
        standing_on.set(path, before, after);
    }
}

fn show_status(status: Mut<PathStatus>, path: &AgentPath) {
    let waits = path.progress == Progress::Replanning && matches!(*status, PathStatus::WaitingForWay(_));
    if !waits {
        PathStatus::show(status, path.status(path.halt));
    }
}

/// Returns the stride of an agent for this time, to the stop with this index. `most` limits the
/// points that it may reach.
fn stride_of(
    agent: &PathAgent,
    stepwise: Option<&Stepwise>,
    (seconds, stop): (f64, Option<usize>),
    most: Option<u32>,
) -> Stride {
    let gait = agent.gait();
    let is_leaping = stepwise.is_some_and(|stepwise| !stepwise.is_animated);
    Stride {
        seconds,
        gait: if is_leaping { Gait { speed: Speed::World(f32::INFINITY), ..gait } } else { gait },
        steps: stepwise.map(|stepwise| stepwise.steps).into_iter().chain(most).min(),
        stop,
    }
}

/// Takes the steps that an agent has walked from its steps. It had the first number of steps in this
/// tick, and the second is left.
fn count_steps(stepwise: Option<&mut Mut<Stepwise>>, steps: Option<(u32, u32)>) {
    if let (Some(stepwise), Some((allowed, left))) = (stepwise, steps)
        && left < allowed
    {
        stepwise.steps -= allowed - left;
    }
}

/// Drops the path from the next stop if the stops were edited.
fn drop_old_way(path: &mut AgentPath, stops: Option<&PathStops>) {
    let edits = stops.map(PathStops::edits);
    if path.stops.ahead.as_ref().is_some_and(|ahead| Some(ahead.edits) != edits) {
        path.stops.ahead = None;
    }
}

/// Drops the path from the next stop if the stops were edited. Returns the index of the stop before
/// that path, or `None` if the agent does not pass the stop in this tick.
fn stop_with_way_on(path: &mut AgentPath, stops: Option<&PathStops>, is_living: bool) -> Option<usize> {
    path.stops.ahead.as_ref()?;
    // The stops are those that the present order has.
    drop_old_way(path, stops.filter(|_| is_living));
    if time_left_at_stop(path, stops) > 0.0 { None } else { Some(stops.map_or(0, PathStops::current)) }
}

/// Returns the time in seconds that an agent still has to stand at its present stop.
fn time_left_at_stop(path: &AgentPath, stops: Option<&PathStops>) -> f64 {
    let present = stops.and_then(PathStops::present);
    present.map_or(0.0, |stop| f64::from(stop.seconds) - path.stops.stood)
}

/// Returns whether a body has come to the end of its path, or as near to it as others allow. At a
/// stop, lets it go on along the known path from there.
fn ends_body(
    path: &mut AgentPath,
    order: RequestId,
    stops: Option<&PathStops>,
    queue: &mut RequestQueue,
) -> bool {
    let stop = stop_with_way_on(path, stops, true);
    path.progress == Progress::Walking
        && path.stands_at_end()
        && !path.go_on_ahead(stop, &mut |event| queue.tell(order, event))
}

/// Lets a driven agent rest on any cell on which its order may end. Returns whether its path has
/// ended there, or `None` if the agent walks.
fn rest_in_region(
    path: &mut AgentPath,
    here: Option<Vec2>,
    order: RequestId,
    stops: Option<&PathStops>,
    maps: &Maps,
    queue: &mut RequestQueue,
) -> Option<bool> {
    let cell = goal_cell_under(path, here?, maps)?;
    // The known path from the stop begins on its last cell.
    let stop = stop_with_way_on(path, stops, true);
    let is_last = path.end_place() == Place::Cell(cell);
    let passes = is_last && path.go_on_ahead(stop, &mut |event| queue.tell(order, event));
    (!passes).then(|| path.end_in_region(cell))
}

/// Ends the tick of an agent that has passed a stop or is at the end of its path. Returns whether
/// its order ends there.
fn end_tick(
    path: &mut AgentPath,
    order: RequestId,
    is_living: bool,
    is_at_end: bool,
    stops: &mut Option<Mut<PathStops>>,
    (stepwise, seconds): (Option<Mut<Stepwise>>, f64),
    queue: &mut RequestQueue,
) -> bool {
    if let Some(cursor) = path.stops.passed.take()
        && let Some(stops) = stops
    {
        stops.go_on_to(cursor);
    }
    // The stops of a replaced order are gone.
    let stops = stops.as_mut().filter(|_| is_living);
    let has_arrived = is_at_end && !path.stops.waits_at_end && end_way(path, order, (stops, seconds), queue);
    if has_arrived && let Some(mut stepwise) = stepwise {
        stepwise.steps = 0;
    }
    has_arrived
}

/// Handles the end of a path: a stop, or the end of the order. Returns whether the order ends.
fn end_way(
    path: &mut AgentPath,
    order: RequestId,
    // A change of stops queues an order without an answer again. So the stops change only if the
    // agent goes on.
    (stops, seconds): (Option<&mut Mut<PathStops>>, f64),
    queue: &mut RequestQueue,
) -> bool {
    if let Some(stops) = stops {
        if !path.stops.is_reported {
            path.stops.is_reported = true;
            if stops.are_several() {
                queue.tell(order, path.stop_reached(stops.current()));
            }
        } else if time_left_at_stop(path, Some(stops)) > 0.0 {
            path.stops.stood += seconds;
        }
        if time_left_at_stop(path, Some(stops)) > 0.0 {
            return false;
        }
        if let Some(next) = stops.next() {
            // The path from here was not found in time.
            stops.go_on_to(next);
            path.progress = Progress::Replanning;
            queue.ask_again(order.entity);
            return false;
        }
        if stops.waits_for_more() {
            return false;
        }
    }
    path.progress = Progress::Arrived;
    let (map, mut place, mut shortfall) = (path.end_map(), path.end_place(), Cost::ZERO);
    if let Some((cell, rest)) = path.short {
        (place, shortfall) = (Place::Cell(cell), rest);
    }
    let (chosen, partial) = (path.chosen(), path.is_partial());
    // No event is triggered if the order has been replaced.
    queue.tell(order, PendingEvent::Arrived { map, place, chosen, partial, shortfall });
    true
}

/// Lays the line of a path again, because the agent is to walk otherwise, or is to be moved by
/// other code or not any more.
fn walk_otherwise(path: &mut AgentPath, WalkMode { style, is_driven }: WalkMode, maps: &Maps) {
    path.walk.driven = is_driven.then(Driven::default);
    if path.style == style {
        return;
    }
    let movement = path.route().movement.clone();
    let unit = maps.of(movement.as_ref());
    path.style = style;
    for index in 0..path.route().legs.len() {
        if let Some(AnyMap::Tiles(view)) = unit.get(path.route().legs[index].map()) {
            path.lay(index, style, 0, &view);
        }
    }
    // It joins the new line from where it stands.
    path.walk.position = None;
}

/// Sets the first line of a new path, or of a path whose agent was moved after the paths were
/// checked.
fn join_path(path: &mut AgentPath, standing: &Standing, watched: &WatchedMaps, maps: &Maps) -> bool {
    let movement = path.route().movement.clone();
    let unit = maps.of(movement.as_ref());
    let (Some(watch), Some(map)) = (watched.get(path.map()), unit.get(path.map())) else { return false };
    path.place(0, map.projection(), watch.placement_of(map.projection()));
    unit.join(&map, path, standing)
}

/// Lets an agent walk for the time of the stride. If other code moves the agent, returns also the
/// velocity that it wants.
fn advance(
    path: &mut AgentPath,
    here: Option<Vec2>,
    stride: &mut Stride,
    maps: &Maps,
    tell: impl FnMut(PendingEvent),
) -> (Heading, Option<Vec2>) {
    match here.filter(|_| path.is_driven()) {
        Some(here) => {
            let may_go = |path: &AgentPath, index| may_go(path, here, index, maps);
            let wanted = path.advance_driven(here, stride, may_go, tell);
            (Heading { has_walked: true, ..Heading::STANDING }, Some(wanted))
        }
        None => (path.advance(stride, tell), None),
    }
}

fn set_motion(
    motion: &mut Mut<Motion>,
    agent: &PathAgent,
    path: &AgentPath,
    (heading, wanted): (Heading, Option<Vec2>),
    has_arrived: bool,
) {
    let speed = agent.gait().full_speed(path.leg().straight) as f32;
    let direction = wanted.map_or(heading.direction.as_vec2(), Vec2::normalize_or_zero);
    // At the goal the agent rests: its velocity is zero, even if its speed is infinite.
    let velocity = if has_arrived {
        Vec2::ZERO
    } else {
        wanted.unwrap_or_else(|| direction * speed * heading.pace as f32)
    };
    let facing = if direction == Vec2::ZERO { motion.facing } else { direction };
    motion.set_if_neq(Motion { velocity, facing });
}

fn rest(motion: &mut Mut<Motion>) {
    if motion.velocity != Vec2::ZERO {
        motion.velocity = Vec2::ZERO;
    }
}
