//! Results of crowds, written to positions, paths and events.

use bevy_ecs::{change_detection::DetectChangesMut, entity::Entity};
use bevy_math::Vec2;
use tilepath::{
    Cell, NearestQuery,
    crowd::{BodyId, Policy},
};

use super::{
    enter::position,
    held::free_goals,
    map_crowd::{Crowds, MapCrowd, Sight, Views},
    parts::{AgentPartsItem, Bodies, BodyPartsItem, Surroundings},
    verdict::Verdict,
};
use crate::{
    failure::PathFailure,
    journey::{body::BodyPlace, path::in_crowd::Footing},
    map::map_view::MapView,
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        state::RequestState,
    },
    search::shared_fields::{LeadingField, SharedFields},
};

/// The number of steps beside its path after which a body that a field leads gets another path.
const STRAYED: u32 = 16;

/// The number of steps without progress for which a detour counts.
const STEPS_ROUND: u32 = 8;

/// The number of steps without progress, because others push it about, after which the order of a
/// body ends.
const MOST_STEPS_IN_VAIN: u32 = 64;

/// The number of ticks after which `WaitingFor` is triggered.
const TOLD: u32 = 8;

/// Moves all bodies to their places in their crowds. Returns the work for new paths.
pub(super) fn put(
    crowds: &mut Crowds,
    fields: &mut SharedFields,
    around: &Surroundings,
    views: &Views,
    seconds: f64,
    queue: &mut RequestQueue,
    bodies: &mut Bodies,
) -> u64 {
    let leading = fields.leading(&around.maps);
    let (mut straying, mut without_goal) = (Vec::new(), Vec::new());
    for mut item in &mut *bodies {
        let waits_at_door = wait_at_door(&mut item, queue);
        let Some(entered) = item.place.in_crowd() else { continue };
        let Some(crowd) = crowds.maps.get_mut(&entered.map) else { continue };
        let Some(view) = views.of(entered.map).map(|sight| sight.view) else { continue };
        let index = entered.id.index();
        let verdict = crowd.verdicts.get_mut(index).map(std::mem::take).unwrap_or_default();
        move_to_place(&mut item, crowd, &view, around, seconds);
        let footing = follow_path(&mut item, crowd, &view, around, queue);
        if matches!(verdict, Verdict::GoalTaken) {
            without_goal.push(item.entity);
        }
        if let Some(start) = strays(&item, crowd, &view, &leading, footing) {
            straying.push((item.entity, start));
        }
        if !waits_at_door {
            apply(&mut item, crowd, verdict, queue);
        }
    }
    drop(leading);
    let mut work = 0;
    for (entity, start) in straying {
        if let Ok(mut item) = bodies.get_mut(entity) {
            work += lead_anew(&mut item, start, views, fields);
        }
    }
    for entity in without_goal {
        if let Ok(mut item) = bodies.get_mut(entity) {
            work += take_other_goal(&mut item, crowds, views);
        }
    }
    work
}

/// Gives a body with several possible goals the path to the cheapest free goal. Returns the work.
fn take_other_goal(item: &mut BodyPartsItem, crowds: &Crowds, views: &Views) -> u64 {
    let Some(entered) = &item.place.entered else { return 0 };
    let (Some(crowd), Some(&Sight { view, placement })) = (crowds.entered(entered), views.of(entered.map))
    else {
        return 0;
    };
    let (Some(view), start, id) = (item.seen_by(view), crowd.cell(entered.id), entered.id) else { return 0 };
    let Some(mut path) = item.agent.as_mut().and_then(AgentPartsItem::walked_path_mut) else { return 0 };
    let free: Vec<Cell> = free_goals(crowd, id, &path).collect();
    let query = NearestQuery::new(start, free).with_movement(view.movement);
    let Ok(answer) = view.finder.solve_nearest(&query) else { return 0 };
    if let Some(nearest) = answer.goals.into_iter().next() {
        let end = nearest.path.goal();
        let goals = path.route().goals.at.iter();
        let chosen = goals.into_iter().position(|(_, place)| place.cell() == Some(end)).unwrap_or_default();
        path.go_over(view.leg(nearest.path, None), chosen, &view, placement);
        // A field would lead it to the cheapest goal, even if it is taken.
        path.plan.route_mut().common = None;
        (item.place.beside, item.place.detour) = (0, None);
    }
    answer.statistics.expanded
}

/// Moves the entity to its place in the crowd, and sets its motion.
fn move_to_place(
    item: &mut BodyPartsItem,
    crowd: &MapCrowd,
    view: &MapView,
    around: &Surroundings,
    seconds: f64,
) {
    let (Some(entered), Some(agent)) = (&mut item.place.entered, &mut item.agent) else { return };
    let there = position(&crowd.crowd, entered, view) + entered.off;
    let before = item.transform.translation.truncate();
    let Some(local) = around.parents.local_of(item.parent, there) else { return };
    let here = around.parents.world_of(item.parent, before).unwrap_or(there);
    // A difference that is only rounding does not count as a move.
    let is_moved = if item.parent.is_none() {
        before != local
    } else {
        let units = view.units(there);
        units.distance(view.units(here)) > view.reach(there, units)
    };
    let step = crowd.crowd.step(entered.id);
    if is_moved {
        item.transform.translation = local.extend(item.transform.translation.z);
        entered.written = local;
    }
    let after = item.transform.translation.truncate();
    agent.standing_on.set_in_crowd(view.map, step.map(|step| (step.from, step.to)), entered.side, after);
    let way = if is_moved { there - here } else { Vec2::ZERO };
    let mut motion = *agent.motion;
    motion.velocity = if way == Vec2::ZERO || seconds <= 0.0 { Vec2::ZERO } else { way / seconds as f32 };
    motion.facing = way.try_normalize().unwrap_or(motion.facing);
    agent.motion.set_if_neq(motion);
}

/// Updates the progress of an agent along its path.
fn follow_path(
    item: &mut BodyPartsItem,
    crowd: &MapCrowd,
    view: &MapView,
    around: &Surroundings,
    queue: &mut RequestQueue,
) -> Footing {
    let mut footing = Footing::AsBefore;
    let entity = item.entity;
    let local = item.transform.translation.truncate();
    let Some(here) = around.parents.world_of(item.parent, local) else { return footing };
    let (Some(entered), Some(agent)) = (&item.place.entered, &mut item.agent) else { return footing };
    let (cell, ended) = (crowd.crowd.cell(entered.id), crowd.crowd.steps_ended(entered.id));
    let step = crowd.crowd.step(entered.id).map_or((cell, cell), |step| (step.from, step.to));
    let mut reached = 0;
    if let Some(mut path) = agent.walked_path_mut()
        && path.map() == view.map
        && path.path().is_some()
    {
        let order = RequestId { entity, number: path.order };
        let is_aside = entered.off != Vec2::ZERO;
        footing = path.stand_in_crowd(here, step, is_aside, |event| queue.tell(order, event));
        match footing {
            Footing::AsBefore => {}
            Footing::OnWay => item.place.beside = 0,
            Footing::Beside => item.place.beside = item.place.beside.saturating_add(1),
        }
        reached = ended;
        let (last, next, steps) = item.place.advance;
        // The steps of a detour were counted when the body set out on it.
        let counted = if item.place.detour.is_some() { 0 } else { ended };
        let goes_on = (last, next) != (path.order, path.next_point());
        let steps = if goes_on { 0 } else { steps.saturating_add(counted) };
        item.place.advance = (path.order, path.next_point(), steps);
        if let Some(detour) = &mut item.place.detour {
            let way = tilepath::crowd::Way::new(&detour.cells, &detour.rests, detour.at);
            match way.place_of(step.1) {
                Some(place) if detour.at + place + 1 < detour.cells.len() => detour.at += place,
                _ => item.place.detour = None,
            }
        }
    } else {
        item.place.detour = None;
    }
    if reached > 0
        && let Some(stepwise) = &mut agent.stepwise
    {
        stepwise.steps = stepwise.steps.saturating_sub(reached);
    }
    footing
}

/// Returns the cell from which a body that a field leads needs another path. Either it was led far
/// off its own path, or it is beside it and near its goals, where no field leads it any more.
fn strays(
    item: &BodyPartsItem,
    crowd: &MapCrowd,
    view: &MapView,
    leading: &[Option<LeadingField>],
    footing: Footing,
) -> Option<Cell> {
    if item.place.beside == 0 || item.place.detour.is_some() {
        return None;
    }
    let has_strayed = item.place.beside >= STRAYED;
    if !has_strayed && footing == Footing::AsBefore {
        return None;
    }
    let entered = item.place.entered.as_ref()?;
    let path = item.agent.as_ref()?.walked_path().filter(|path| !path.is_at_end())?;
    let leading = leading.get(path.common_goals()?.number())?.as_ref()?;
    let leads_from = |cell: Cell| {
        let slot = view.grid.bounds().slot(cell);
        slot.is_some_and(|slot| leading.from(entered.movement_id, slot).is_some())
    };
    let cell = crowd.crowd.cell(entered.id);
    let from = crowd.crowd.step(entered.id).map_or(cell, |step| step.from);
    (leads_from(from) && (has_strayed || !leads_from(cell))).then_some(cell)
}

/// Gives a body another path to its goals, from this cell. Returns the work.
fn lead_anew(item: &mut BodyPartsItem, start: Cell, views: &Views, fields: &mut SharedFields) -> u64 {
    let Some(map) = item.place.entered.as_ref().map(|entered| entered.map) else { return 0 };
    let Some(&Sight { view, placement }) = views.of(map) else { return 0 };
    let Some(view) = item.seen_by(view) else { return 0 };
    let stands_free = view.is_led_by_fields(start);
    let Some(mut path) =
        item.agent.as_mut().and_then(AgentPartsItem::walked_path_mut).filter(|_| stands_free)
    else {
        return 0;
    };
    let Some(common) = path.common_goals().cloned() else { return 0 };
    let Some((answer, work)) = fields.way_from(&common, start) else { return 0 };
    if let Some(nearest) = answer.goals.into_iter().next() {
        path.go_over(view.leg(nearest.path, None), nearest.index, &view, placement);
        item.place.beside = 0;
    }
    work
}

/// Handles a body in front of a door with a body behind it that does not move. Returns whether it
/// is one.
fn wait_at_door(item: &mut BodyPartsItem, queue: &mut RequestQueue) -> bool {
    let place = &mut *item.place;
    let Some((by, cell)) = place.waits_at_door.take() else { return false };
    let Some(agent) = &mut item.agent else { return false };
    let patience = agent.patience.map_or_else(Default::default, |patience| patience.0.clone());
    let (state, request) = (agent.state, agent.request);
    let Some(path) = agent.walked_path_mut().filter(|path| state.holds(path.order)) else { return false };
    let order = RequestId { entity: item.entity, number: path.order };
    place.stuck += 1;
    place.waits_for = Some((by, cell));
    if !path.never_gives_up(request) && patience.at(place.stuck) == Policy::GiveUp {
        queue.tell(order, PendingEvent::Lost(PathFailure::Blocked { by }));
    } else {
        tell_wait(place, order, queue);
    }
    true
}

/// Triggers `WaitingFor` once, after some ticks.
fn tell_wait(place: &mut BodyPlace, order: RequestId, queue: &mut RequestQueue) {
    if let Some((by, cell)) = place.waits_for
        && place.stuck >= TOLD
        && place.told != Some(order.number)
    {
        place.told = Some(order.number);
        queue.tell(order, PendingEvent::WaitsFor { by, cell });
    }
}

/// Ends the wait of a body. `WaitOver` is triggered if the order that had `WaitingFor` still
/// exists.
fn end_wait(place: &mut BodyPlace, entity: Entity, state: &RequestState, queue: &mut RequestQueue) {
    if let Some(number) = place.told.take()
        && state.holds(number)
    {
        queue.tell(RequestId { entity, number }, PendingEvent::WaitOver);
    }
    (place.stuck, place.waits_for) = (0, None);
}

/// Returns the entity of the body that blocks this one, or else of a body beside it.
fn neighbour(crowd: &MapCrowd, id: BodyId) -> Option<Entity> {
    let waited_for = crowd.crowd.waiting(id).and_then(|waiting| waiting.by);
    let cell = crowd.crowd.cell(id);
    let around = (-2..=2)
        .flat_map(|y| (-2..=2).map(move |x| Cell::new(cell.x.saturating_add(x), cell.y.saturating_add(y))));
    let mut near = around.flat_map(|cell| crowd.crowd.on(cell)).filter(|&other| other != id);
    crowd.owner(waited_for.or_else(|| near.next())?)
}

/// Applies the verdict on a body.
fn apply(item: &mut BodyPartsItem, crowd: &MapCrowd, verdict: Verdict, queue: &mut RequestQueue) {
    let entity = item.entity;
    let place = &mut *item.place;
    let Some(agent) = &mut item.agent else { return };
    let (state, request) = (agent.state, agent.request);
    let Some(mut path) = agent.walked_path_mut() else {
        end_wait(place, entity, state, queue);
        return;
    };
    let order = RequestId { entity, number: path.order };
    let is_living = state.holds(path.order);
    if is_living
        && place.advance.2 > MOST_STEPS_IN_VAIN
        && !path.never_gives_up(request)
        && let Some(by) = place.entered.as_ref().and_then(|entered| neighbour(crowd, entered.id))
    {
        queue.tell(order, PendingEvent::Lost(PathFailure::Blocked { by }));
        return;
    }
    match verdict {
        Verdict::Stuck(by, cell) => {
            place.stuck += 1;
            place.waits_for = crowd.owner(by).map(|by| (by, cell));
            if is_living {
                tell_wait(place, order, queue);
            }
            return;
        }
        Verdict::Waits(by) => {
            place.waits_for = by.and_then(|(by, cell)| Some((crowd.owner(by)?, cell)));
            return;
        }
        Verdict::GoalTaken => return,
        Verdict::GoesRound(detour) => {
            place.stuck += 1;
            place.advance.2 = place.advance.2.saturating_add(STEPS_ROUND);
            place.detour = Some(detour);
            return;
        }
        Verdict::GivesUp(by) => {
            if let Some(by) = crowd.owner(by).filter(|_| is_living) {
                queue.tell(order, PendingEvent::Lost(PathFailure::Blocked { by }));
            }
            return;
        }
        Verdict::IsNear(rest) => path.end_short(rest),
        Verdict::IsLost if place.detour.take().is_some() => {
            // It waits on: a detour that leads nowhere does not renew its patience.
            place.stuck += 1;
            return;
        }
        Verdict::IsLost => path.set_astray(),
        Verdict::GoesOn => {}
    }
    end_wait(place, entity, state, queue);
}
