//! Finds journeys whose way is no longer right, and has them planned again in the same tick.

use bevy_app::App;
use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::Entity,
    hierarchy::ChildOf,
    intern::Interned,
    query::With,
    schedule::{IntoScheduleConfigs, ScheduleLabel},
    system::{Query, Res, ResMut, SystemParam},
};
use bevy_transform::components::Transform;

use crate::{
    failure::PathFailure,
    journey::{
        agent::PathAgent,
        footing::{Footing, Standing},
        leg::PathLeg,
        number::AgentNumber,
        parents::ParentPlaces,
        path::{AgentPath, Progress},
    },
    map::{
        door::known::KnownDoors,
        maps::{AnyMap, Maps},
        on_map::OnMap,
        place::Place,
        watch::{Changes, Watch, WatchedMaps},
    },
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        request::PathRequest,
        state::RequestState,
    },
    schedule::AcceptSteps,
    search::searches::{Searches, Task},
};

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.add_systems(schedule, check_paths.in_set(AcceptSteps::CheckPaths));
}

/// Maps and doors, as journeys depend on them.
#[derive(SystemParam)]
pub(crate) struct Surroundings<'w, 's> {
    watched: Res<'w, WatchedMaps>,
    doors: Res<'w, KnownDoors>,
    parents: Res<'w, ParentPlaces>,
    maps: Maps<'w, 's>,
}

/// What was found out about a journey.
enum Finding {
    /// It goes on.
    Right,
    /// Its way is no longer right.
    Blocked(Entity, Place),
    /// The agent was put where its way does not lead.
    Astray,
    /// The agent was given another map.
    OtherMap,
    Lost(PathFailure),
}

/// Looks at every journey. Where neither the map nor the agent was touched by others this costs three
/// comparisons.
pub(crate) fn check_paths(
    mut queue: ResMut<RequestQueue>,
    mut searches: ResMut<Searches>,
    surroundings: Surroundings,
    mut agents: Query<
        (
            Entity,
            &AgentNumber,
            &mut RequestState,
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
    let mut replans: Vec<(AgentNumber, Task)> = Vec::new();
    for (entity, number, mut state, request, mut path, footing, transform, parent, on_map) in &mut agents {
        let is_living = state.holds(path.order);
        if !(is_living || state.awaits_answer() && path.is_gone_by()) || path.progress == Progress::Arrived {
            continue;
        }
        let order = RequestId { entity, number: path.order };
        let on_map = on_map.map(|on_map| on_map.0);
        let standing = surroundings
            .parents
            .standing(parent, transform, Some(footing))
            .filter(|standing| surroundings.parents.local_of(parent, standing.here).is_some());
        let finding = surroundings.examine(&mut path, on_map, standing.as_ref());
        if !is_living {
            // It goes by an old way until its order is answered. If that way is no longer right, it stands.
            if !matches!(finding, Finding::Right) {
                path.bypass_change_detection().progress = Progress::Replanning;
            }
            continue;
        }
        if let Finding::Blocked(map, place) = &finding {
            queue.pending_events.push((order, PendingEvent::Blocked { map: *map, place: place.clone() }));
        }
        match finding {
            Finding::Blocked(..) | Finding::Astray => {
                path.progress = Progress::Replanning;
                let goals = path.goals().clone();
                let task = Task::new(order, request.clone(), path.map(), on_map.is_some(), goals);
                replans.push((*number, task.urgent()));
            }
            Finding::OtherMap if path.progress == Progress::Walking => {
                path.progress = Progress::Replanning;
                if state.enters(queue.round()) {
                    queue.fresh.push(entity);
                }
            }
            Finding::Right | Finding::OtherMap => {}
            Finding::Lost(reason) => queue.pending_events.push((order, PendingEvent::Lost(reason))),
        }
    }
    replans.sort_by_key(|(number, _)| *number);
    for (_, task) in replans {
        searches.enter(task);
    }
}

impl Surroundings<'_, '_> {
    fn examine(
        &self,
        path: &mut Mut<AgentPath>,
        on_map: Option<Entity>,
        standing: Option<&Standing>,
    ) -> Finding {
        let Self { watched, doors, maps, .. } = self;
        if on_map.is_some_and(|on_map| on_map != path.map()) {
            return Finding::OtherMap;
        }
        // A refused tilemap stops being a map.
        let (Some(watch), Some(map)) = (watched.get(path.map()), maps.ready(path.map())) else {
            return Finding::Lost(PathFailure::NoMap);
        };
        if path.progress == Progress::Replanning {
            return Finding::Right;
        }
        let Some(standing) = standing else { return Finding::Lost(PathFailure::PositionNotFinite) };
        let here = standing.here;
        let is_edited = path.leg().edition != Some(watch.edition);
        let fault = fault_under_way(path, watch, &map).or_else(|| fault_ahead(path, watched, doors, maps));
        if let Some((map, place)) = fault {
            return Finding::Blocked(map, place);
        }
        if path.walk.position == Some(here)
            && path.leg().placement == Some(watch.placement)
            && (!is_edited || map.is_line_open(path, here))
        {
            return Finding::Right;
        }
        path.place(map.projection(), watch.placement);
        if maps.join(&map, path, standing) { Finding::Right } else { Finding::Astray }
    }
}

/// What is wrong with the leg under way by now.
fn fault_under_way(path: &mut Mut<AgentPath>, watch: &Watch, map: &AnyMap) -> Option<(Entity, Place)> {
    let edition = path.leg().edition;
    if edition == Some(watch.edition) {
        return None;
    }
    let fault = leg_fault(path.leg(), path.next_point(), watch, map);
    if fault.is_none() {
        // Not visible outside the plugin.
        let path = path.bypass_change_detection();
        path.leg_mut().edition = Some(watch.edition);
        if let AnyMap::Graph(view) = map {
            path.update_pace(view.nav_graph);
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
            if let Some(place) = entrance_fault(leg, &map).or_else(|| leg_fault(leg, 0, watch, &map)) {
                return Some((leg.map(), place));
            }
            let leg = &mut path.bypass_change_detection().ahead_mut()[index];
            leg.edition = Some(watch.edition);
            if let AnyMap::Graph(view) = map {
                leg.update_pace(view.nav_graph);
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

/// The place behind a door, if that lets nothing in by now.
fn entrance_fault(leg: &PathLeg, map: &AnyMap) -> Option<Place> {
    let map_place = leg.entrance().and(leg.first_map_place())?;
    if map.lets_in(&map_place) { None } else { leg.first_place() }
}

fn leg_fault(leg: &PathLeg, next: usize, watch: &Watch, map: &AnyMap) -> Option<Place> {
    match map {
        AnyMap::Tiles(view) => {
            let changes = match &watch.changes {
                Changes::Cells(cells) if leg.edition == Some(watch.edition - 1) => Some(&cells[..]),
                _ => None,
            };
            leg.cell_fault(next, view.grid, changes)
        }
        AnyMap::Graph(view) => leg.graph_fault(next, view.nav_graph),
    }
}
