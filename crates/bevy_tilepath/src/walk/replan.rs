//! Checks of paths, and replans in the same tick.

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChanges, Ref},
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, ResMut},
};
use bevy_transform::components::Transform;

use crate::{
    failure::PathFailure,
    journey::{
        agent::PathAgent,
        body::BodyPlace,
        number::AgentNumber,
        path::{AgentPath, Progress, of_order::PathUse, path_mut::PathMut},
        standing_on::{Standing, StandingOn},
    },
    map::{maps::AnyMap, movement::AgentMovement, on_map::OnMap, place::Place},
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue, WorldState},
        request::PathRequest,
        state::RequestState,
        stops::PathStops,
    },
    schedule::AcceptSteps,
    search::searches::{PendingSearch, Searches},
    walk::{
        better_ways::{LeastCosts, Openings, follow_openings, leads_on, wants_better},
        next_stop::present_order,
        path_checker::{PathChecker, Watching},
        wide_ways::fault_ahead,
    },
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(schedule, check_paths.in_set(AcceptSteps::CheckPaths));
}

/// The result of the check of a journey.
enum PathCheck {
    /// It goes on.
    Valid,
    /// Its path is blocked at this place.
    Blocked(Entity, Place),
    /// It goes on, and there may be a path that is better by more than the order tolerates.
    MayBeWorse,
    /// The agent was moved to a place off its path.
    OffPath,
    /// The agent was given another map or movement.
    OtherOrder,
    Lost(PathFailure),
}

/// Checks every journey. A calm journey, whose map and agent were not changed by other code, costs
/// only a few comparisons.
pub(crate) fn check_paths(
    mut queue: ResMut<RequestQueue>,
    mut searches: ResMut<Searches>,
    checker: PathChecker,
    mut agents: Query<(
        (Entity, &AgentNumber, &PathAgent, &RequestState, &PathRequest),
        (&mut AgentPath, &StandingOn, Option<&BodyPlace>),
        (Option<&Transform>, Option<&ChildOf>, Option<&OnMap>),
        (Option<Ref<AgentMovement>>, Option<Ref<PathStops>>),
    )>,
) {
    let queue = &mut *queue;
    queue.tick += 1;
    queue.world = WorldState { changes: checker.watched.log.number, doors: checker.doors.version };
    let now = queue.tick;
    let mut openings = Openings::default();
    let mut replans: Vec<(AgentNumber, PendingSearch)> = Vec::new();
    for (ids, (path, standing_on, body), (transform, parent, on_map), (movement, stops)) in &mut agents {
        let (entity, number, agent, state, request) = ids;
        let mut path = PathMut::new(path);
        let path_use = path.use_by(state);
        if path_use == PathUse::Over {
            continue;
        }
        let is_living = path_use == PathUse::OfOrder;
        let order = RequestId { entity, number: path.order };
        let on_map = on_map.map(|on_map| on_map.0);
        let standing = checker
            .parents
            .standing(parent, transform, Some(standing_on))
            .filter(|standing| checker.parents.local_of(parent, standing.here).is_some());
        if is_living
            && !movement.as_ref().is_some_and(DetectChanges::is_changed)
            && !stops.as_ref().is_some_and(DetectChanges::is_changed)
            && checker.is_calm(&mut path, on_map, standing.as_ref(), movement.is_some(), &mut openings)
        {
            continue;
        }
        path.calm = None;
        note_found(&mut path, standing.as_ref(), searches.get(entity));
        let (movement, stops, has_movement) = (movement.as_deref(), stops.as_deref(), movement.is_some());
        let has_other_movement = !path.is_found_for(Some(request), movement, is_living);
        if !is_living && has_other_movement {
            path.progress = Progress::Replanning;
            continue;
        }
        let Some(present) = present_order(request, state, stops.filter(|_| is_living)) else {
            queue.tell(order, PendingEvent::Lost(PathFailure::NoGoals));
            continue;
        };
        let request = &*present;
        let edits = stops.map_or(0, PathStops::edits);
        if is_living && path.stops.edits_seen != edits && leads_elsewhere(&mut path, request, edits) {
            queue.ask_again(entity);
            continue;
        }
        let check = if has_other_movement {
            PathCheck::OtherOrder
        } else {
            let is_in_crowd = body.and_then(BodyPlace::in_crowd).is_some();
            let watching =
                Watching { agent: entity, request, is_living, is_in_crowd, openings: &mut openings, now };
            checker.examine(&mut path, on_map, standing.as_ref(), watching)
        };
        if !is_living {
            // The agent walks along an old path until its order is answered. If that path is not
            // valid any more, it stands.
            if !matches!(check, PathCheck::Valid | PathCheck::MayBeWorse) {
                path.progress = Progress::Replanning;
            }
            continue;
        }
        // It may reach its stop in this tick, even while a search for a better path is running.
        checker.forget_outdated(&mut path);
        if let PathCheck::Blocked(map, place) = &check {
            path.lose(*map, place);
            queue.tell(order, PendingEvent::Blocked { map: *map, place: place.clone() });
        }
        let pending = |path: &AgentPath| {
            let found_for = (path.route().goals.clone(), path.route().movement.clone());
            PendingSearch::new(order, request.clone(), path.map(), on_map.is_some(), found_for)
        };
        match check {
            PathCheck::Blocked(..) | PathCheck::OffPath => {
                let due = now.saturating_add(checker.walk_to_wall(&mut path, &check, agent));
                replans.push((*number, pending(&path).urgent(due)));
            }
            PathCheck::MayBeWorse if searches.get(entity).is_none() => {
                path.proof.begin_search();
                replans.push((*number, pending(&path).for_better(&path, now)));
            }
            PathCheck::OtherOrder if path.progress == Progress::Walking => {
                path.progress = Progress::Replanning;
                queue.ask_again(entity);
            }
            PathCheck::Valid | PathCheck::MayBeWorse | PathCheck::OtherOrder => {
                if matches!(check, PathCheck::Valid) {
                    path.calm = checker.calm(&path, request, stops, has_movement);
                }
                let next = stops
                    .and_then(|stops| checker.next_stop(&mut path, order, request, stops, on_map.is_some()));
                if let Some(next) = next
                    && searches.get(entity).is_none()
                {
                    replans.push((*number, next));
                }
            }
            PathCheck::Lost(reason) => queue.tell(order, PendingEvent::Lost(reason)),
        }
    }
    replans.sort_by_key(|(number, _)| *number);
    for (_, pending) in replans {
        searches.enter(pending);
    }
}

/// Records where this tick finds an agent that the plugin moves, and whether its search has begun.
fn note_found(path: &mut AgentPath, standing: Option<&Standing>, search: Option<&PendingSearch>) {
    path.plan.set_searched(search.is_some_and(|pending| pending.running.is_some()));
    if !path.is_driven() && path.progress == Progress::Walking {
        let straight = path.leg().straight;
        path.walk.note_found(standing.map(|standing| standing.here), straight);
    }
}

/// Records edits of the stops. Returns whether the next stop is another one than the end of the
/// path; then the agent stands.
fn leads_elsewhere(path: &mut AgentPath, request: &PathRequest, edits: u64) -> bool {
    path.stops.edits_seen = edits;
    path.stops.forget_ahead();
    let route = path.route();
    let is_other = route.asked != *request.goal() || route.named != request.goal_map();
    if is_other {
        path.progress = Progress::Replanning;
    }
    is_other
}

impl PathChecker<'_, '_> {
    /// Lets an agent whose path is closed ahead walk on to the wall. Any other agent stands. Returns the
    /// number of ticks until it stands.
    fn walk_to_wall(&self, path: &mut AgentPath, check: &PathCheck, agent: &PathAgent) -> u64 {
        if matches!(check, PathCheck::Blocked(..)) && path.plan.is_closed_ahead() {
            return path.plan.ticks_to_wall(agent.gait(), self.time.delta_secs_f64());
        }
        path.progress = Progress::Replanning;
        0
    }

    fn examine(
        &self,
        path: &mut AgentPath,
        on_map: Option<Entity>,
        standing: Option<&Standing>,
        mut watching: Watching,
    ) -> PathCheck {
        let is_wide = self.is_wide(path, watching.has_entity());
        let has_news = is_wide && path.proof.known != self.known();
        let has_doubts = has_news || watching.has_doubts(path);
        let version = path.leg().version;
        let check = self.check_way(path, on_map, standing, &mut watching, is_wide, has_doubts);
        let is_edited = path.leg().version != version;
        let has_entity = watching.has_entity();
        let Watching { agent, request, is_living, now, .. } = watching;
        if !matches!(check, PathCheck::Valid)
            || !(is_edited || has_doubts)
            || !is_living
            || !(path.is_watched(request) || has_entity)
            || path.is_replanned()
        {
            return check;
        }
        let movement = path.route().movement.clone();
        let unit = self.maps.of(movement.as_ref());
        let Some(own) = unit.ready(path.map()) else { return check };
        let moved = self.follow_target(path, (agent, request), (unit, own), is_edited || has_news);
        let has_moved = match moved {
            Ok(has_moved) => has_moved,
            Err(reason) => return PathCheck::Lost(reason),
        };
        path.stops.waits_at_end = request.waits_at_end(path.is_partial())
            || has_entity && !path.is_partial() && !path.leads_to_goal();
        let may_be_worse = if !path.is_partial() && !path.leads_to_goal() || path.is_partial() && has_moved {
            true
        } else if !path.is_watched(request) {
            false
        } else if self.is_wide(path, has_entity) {
            self.may_be_wide_worse(path, &mut watching)
        } else if let AnyMap::Tiles(view) = own {
            if path.is_partial() {
                is_edited && leads_on(path, &view)
            } else {
                wants_better(path, &LeastCosts::OnTiles(&view), request.tolerance(), now)
            }
        } else {
            false
        };
        if may_be_worse { PathCheck::MayBeWorse } else { check }
    }

    /// Checks whether the path can be walked as it is.
    fn check_way(
        &self,
        path: &mut AgentPath,
        on_map: Option<Entity>,
        standing: Option<&Standing>,
        watching: &mut Watching,
        is_wide: bool,
        has_doubts: bool,
    ) -> PathCheck {
        let Self { watched, doors, maps, .. } = self;
        if on_map.is_some_and(|on_map| on_map != path.map()) {
            return PathCheck::OtherOrder;
        }
        // A tilemap that is refused is not a map any more.
        let (Some(watch), Some(map)) = (watched.get(path.map()), maps.ready(path.map())) else {
            return PathCheck::Lost(PathFailure::NoMap);
        };
        if path.progress == Progress::Replanning {
            return PathCheck::Valid;
        }
        let Some(standing) = standing else { return PathCheck::Lost(PathFailure::PositionNotFinite) };
        if path.walk.is_astray {
            path.walk.is_astray = false;
            return PathCheck::OffPath;
        }
        let here = standing.here;
        let is_edited = path.leg().version != watch.version;
        if !is_edited
            && !has_doubts
            && path.legs_left().len() == 1
            && path.walk.position == Some(here)
            && path.leg().placement == watch.placement
            && matches!(map, AnyMap::Tiles(_))
        {
            return PathCheck::Valid;
        }
        let movement = path.route().movement.clone();
        let unit = maps.of(movement.as_ref());
        let map = match unit.see(map) {
            Ok(map) => map,
            Err(reason) => return PathCheck::Lost(reason),
        };
        if path.plan.is_closed_ahead() {
            if is_edited {
                path.plan.close_before_wall(watch, &map);
            }
            if !path.plan.is_closed_ahead() {
                path.progress = Progress::Replanning;
                return PathCheck::Valid;
            }
        } else if is_edited {
            path.walk_bound_on();
            match path.plan.follow_edits(0, watch, &map) {
                Err(place) => {
                    if map.leads_on(path, here) {
                        path.plan.close_before_wall(watch, &map);
                    }
                    return PathCheck::Blocked(map.entity(), place);
                }
                Ok(true) => path.walk_otherwise(),
                Ok(false) => {}
            }
            if let AnyMap::Tiles(view) = &map
                && !is_wide
            {
                follow_openings(path, view, watching.openings, watching.now);
            }
            path.plan.confirm(0, watch.version);
        }
        if let AnyMap::Graph(view) = &map {
            path.update_pace(view.nav_graph);
        }
        if !path.plan.is_closed_ahead()
            && let Some((behind, place)) = fault_ahead(path, watched, doors, &unit)
        {
            if map.leads_on(path, here) {
                path.plan.close_at_door(watching.is_in_crowd);
            }
            return PathCheck::Blocked(behind, place);
        }
        if path.walk.position == Some(here)
            && path.leg().placement == watch.placement
            && (!is_edited || map.is_line_open(path, here))
        {
            return PathCheck::Valid;
        }
        path.place(0, &watch.projection, watch.placement);
        if watching.is_in_crowd {
            return PathCheck::Valid;
        }
        let is_off = !unit.join(&map, path, standing);
        if path.is_off_for_long(is_off) { PathCheck::OffPath } else { PathCheck::Valid }
    }
}
