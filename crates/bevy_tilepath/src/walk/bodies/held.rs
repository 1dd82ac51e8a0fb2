//! Decisions of a tick, and verdicts on waiting bodies.

use tilepath::{
    Cell, Cost, MovementId,
    crowd::{Activity, BodyId, Crowd, Guide as _, Lead, Patience, Policy, Steps, Way, WayGuide},
};

use super::{
    guide::{BodyGuide, Efforts, no_lead},
    map_crowd::MapCrowd,
    parts::{Bodies, BodyPartsReadOnlyItem},
    verdict::Verdict,
};
#[cfg(feature = "recording")]
use crate::recorder::PathRecorder;
use crate::{
    journey::{body::Detour, path::AgentPath},
    map::map_view::MapView,
    route::speed::GaitKind,
    search::shared_fields::LeadingField,
};

/// The most cells that the search for a detour visits.
const DETOUR: usize = 1 << 10;

/// The ticks from one search for a detour to the next, for a body that never gives up.
const TICKS_TO_NEXT_DETOUR: u32 = 64;

/// The longest chain of bodies that wait for each other which uses up the patience of its last one.
pub(super) const FARTHEST: usize = 16;

/// The number of ticks between two checks of whether a waiting body is as near to its goal as it
/// will get.
const LOOKS: u32 = 4;

/// Lets all bodies of a map decide and walk. Returns the verdict on each, by its index.
pub(super) fn decide(
    map_crowd: &mut MapCrowd,
    view: &MapView,
    leading: &[Option<LeadingField>],
    tick: u32,
    bodies: &Bodies,
    #[cfg(feature = "recording")] recorder: Option<&mut PathRecorder>,
) -> Vec<Verdict> {
    let MapCrowd { crowd, owners, goals, .. } = map_crowd;
    let mut units = Units { view: *view, known: Vec::new(), efforts: Efforts::new(view) };
    let Some(any) = units.of(MovementId::FIRST) else { return Vec::new() };
    let (mut leads, mut gaits) = (Vec::with_capacity(owners.len()), Vec::with_capacity(owners.len()));
    let mut is_led = vec![false; owners.len()];
    leads.resize(owners.len(), no_lead(any.0));
    gaits.resize(owners.len(), (any.1, Some(GaitKind::default())));
    let deciding: Vec<BodyId> = crowd.bodies().filter(|&id| crowd.may_decide(id)).collect();
    let items: Vec<_> = deciding.iter().map(|id| bodies.get(owners[id.index()].entity?).ok()).collect();
    for (&id, item) in deciding.iter().zip(&items) {
        let led = item.as_ref().and_then(|item| {
            let entered = item.place.in_crowd().filter(|entered| entered.id == id)?;
            let (steps, unit) = units.of(entered.movement_id)?;
            let slot = view.grid.bounds().slot(crowd.cell(entered.id))?;
            let goal = crowd.goal(entered.id);
            let field = match crowd.activity(entered.id) {
                // The field leads straight to where the body cannot go.
                _ if item.place.detour.is_some() => None,
                Activity::Returning => {
                    item.place.home.as_ref().and_then(|home| home.back.as_deref()).map(|back| &back.field)
                }
                _ => goal.and_then(|goal| goals.field(entered.movement_id, goal)),
            };
            let shared =
                item.leading_field(leading).and_then(|leading| leading.from(entered.movement_id, slot));
            let lead = Lead { steps, way: way_of(item, view).unwrap_or_default(), field, shared, at: slot };
            Some((lead, (unit, (!entered.leaps).then_some(entered.gait))))
        });
        if let Some((lead, gait)) = led {
            (leads[id.index()], gaits[id.index()], is_led[id.index()]) = (lead, gait, true);
        }
    }
    let mut guide = BodyGuide { ways: WayGuide::new(&leads), efforts: &units.efforts, gaits: &gaits };
    #[cfg(feature = "recording")]
    match recorder {
        Some(recorder) => recorder.tick_recorded(view, crowd, &mut guide),
        None => crowd.tick(&mut guide),
    }
    #[cfg(not(feature = "recording"))]
    crowd.tick(&mut guide);
    let mut verdicts = Vec::new();
    verdicts.resize_with(owners.len(), Verdict::default);
    let default = Patience::default();
    let item = |id: BodyId| bodies.get(owners[id.index()].entity?).ok();
    let stays = |id: BodyId| item(id).is_none_or(|item| item.stays());
    let stand =
        |&id: &BodyId| matches!(crowd.activity(id), Activity::UnderWay { .. }) && !crowd.is_walking(id);
    let standing: Vec<BodyId> = crowd.bodies().filter(stand).collect();
    let mut chains = Chains { stays, known: vec![None; owners.len()] };
    for id in standing {
        let policy = item(id).and_then(|item| item.policy(&default));
        let path = item(id).and_then(|item| item.agent?.path);
        let is_closed = path.is_some_and(|path| path.plan.is_closed_ahead());
        verdicts[id.index()] = if crowd.step(id).is_some() {
            judge_step(crowd, id, policy, &mut chains)
        } else if !is_led[id.index()] {
            Verdict::GoesOn
        } else if is_closed && crowd.waiting(id).is_none_or(|waiting| waiting.cell.is_none()) {
            // It stands before a wall until it gets another path.
            Verdict::GoesOn
        } else if !is_closed && looks(id, tick) && path.is_some_and(|path| is_goal_taken(crowd, id, path)) {
            Verdict::GoalTaken
        } else {
            let goal = path.filter(|_| !is_closed).and_then(AgentPath::crowd_goal);
            judge(crowd, (id, goal), &leads[id.index()], &mut guide, (policy, tick), &mut chains)
        };
    }
    verdicts
}

/// Returns the verdict on a body that comes no further with its step, because it follows another
/// that is held.
fn judge_step(
    crowd: &Crowd,
    id: BodyId,
    policy: Option<Policy>,
    chains: &mut Chains<impl Fn(BodyId) -> bool>,
) -> Verdict {
    let by = stands_because_of(crowd, id, &chains.stays);
    match (by, crowd.waiting(id).and_then(|waiting| waiting.cell)) {
        (Some(by), _) if policy == Some(Policy::GiveUp) => Verdict::GivesUp(by),
        (Some(by), Some(wanted)) => Verdict::Stuck(by, wanted),
        (_, wanted) => Verdict::Waits(chains.end_of(crowd, id).zip(wanted)),
    }
}

/// Returns whether this body is checked in this tick.
fn looks(id: BodyId, tick: u32) -> bool {
    tick.wrapping_add(id.index() as u32).is_multiple_of(LOOKS)
}

/// Returns whether a body with several possible goals stands because its chosen goal is taken while
/// another one is free.
fn is_goal_taken(crowd: &Crowd, id: BodyId, path: &AgentPath) -> bool {
    let (Some(_), Some(chosen)) = (path.route().goals.number(), path.crowd_goal()) else { return false };
    let Some(waiting) = crowd.waiting(id).filter(|waiting| waiting.ticks > 0) else { return false };
    let is_kept_by_like = waiting.cell.is_some_and(|cell| crowd.is_taken_for(id, cell));
    (is_kept_by_like || crowd.is_taken_for(id, chosen)) && free_goals(crowd, id, path).next().is_some()
}

/// Returns the cells on which the order of a body may end, without the cells that other bodies have
/// taken.
pub(super) fn free_goals<'a>(
    crowd: &'a Crowd,
    id: BodyId,
    path: &'a AgentPath,
) -> impl Iterator<Item = Cell> + 'a {
    let own = path.route().goals.at.iter().filter(|(map, _)| *map == path.map());
    let cells = own.filter_map(|(_, place)| place.cell());
    cells.filter(move |&cell| !crowd.is_taken_for(id, cell))
}

/// Returns the verdict on a body under way that stands at the end of a tick.
fn judge(
    crowd: &mut Crowd,
    (id, goal): (BodyId, Option<Cell>),
    lead: &Lead,
    guide: &mut BodyGuide,
    (policy, tick): (Option<Policy>, u32),
    chains: &mut Chains<impl Fn(BodyId) -> bool>,
) -> Verdict {
    let bounds = lead.steps.bounds();
    let Some(waiting) = crowd.waiting(id).filter(|waiting| waiting.ticks > 0) else {
        return Verdict::GoesOn;
    };
    let cell = crowd.cell(id);
    let rest = |guide: &mut BodyGuide| bounds.slot(cell).and_then(|slot| guide.rest(id, slot));
    let Some(wanted) = waiting.cell else {
        // The body prefers to stand: it is at its goal, or its path is closed.
        return if rest(guide) == Some(Cost::ZERO) { Verdict::GoesOn } else { Verdict::IsLost };
    };
    if let Some(goal) = goal
        && looks(id, tick)
        && crowd.is_as_near_as_it_gets(id, goal, guide)
        && let Some(rest) = rest(guide)
    {
        return Verdict::IsNear(rest);
    }
    let Some(by) = stands_because_of(crowd, id, &chains.stays) else {
        return Verdict::Waits(chains.end_of(crowd, id).map(|by| (by, wanted)));
    };
    match policy {
        Some(Policy::GiveUp) => Verdict::GivesUp(by),
        Some(Policy::GoRound) => match crowd.detour(id, lead, guide, DETOUR) {
            Some(cells) => match detour(id, lead, guide, cells) {
                Some(detour) => Verdict::GoesRound(Box::new(detour)),
                None => Verdict::Stuck(by, wanted),
            },
            None => Verdict::Stuck(by, wanted),
        },
        // It stands and tries again, as by any other policy.
        None | Some(_) => Verdict::Stuck(by, wanted),
    }
}

/// Returns the body that blocks this one, if the chain of blocking bodies behind it ends soon with one
/// that stands for good. `stays` returns whether a body that does not want to enter a cell stays.
///
/// A body far back in a jam keeps its patience: what is in front of it may be settled by others.
fn stands_because_of(crowd: &Crowd, id: BodyId, stays: impl Fn(BodyId) -> bool) -> Option<BodyId> {
    let mut last = crowd.waiting(id)?.by?;
    let first = last;
    for _ in 0..FARTHEST {
        if crowd.is_walking(last) {
            return None;
        }
        match crowd.waiting(last) {
            None => return Some(first),
            Some(waiting) => match waiting.by {
                Some(by) => last = by,
                None => return stays(last).then_some(first),
            },
        }
        if last == id || last == first {
            return Some(first);
        }
    }
    None
}

/// The chains of bodies that wait for each other in a tick, however long they are. They give the
/// reason why a body stands, and decide nothing.
struct Chains<Stays> {
    /// Returns whether a body that does not want to enter a cell stays.
    stays: Stays,
    /// Whether the chain that begins with a body ends with one that stands for good, if that is known.
    known: Vec<Option<bool>>,
}

impl<Stays: Fn(BodyId) -> bool> Chains<Stays> {
    /// Returns the body that blocks this one, if the chain of blocking bodies behind it ends with one
    /// that stands for good, or leads back into itself.
    fn end_of(&mut self, crowd: &Crowd, id: BodyId) -> Option<BodyId> {
        let first = crowd.waiting(id)?.by?;
        let mut chain = Vec::new();
        let mut last = first;
        let stands = loop {
            if let Some(known) = self.known[last.index()] {
                break known;
            }
            if crowd.is_walking(last) {
                break false;
            }
            // A chain that comes back to this body is a ring: all in it stand.
            self.known[last.index()] = Some(true);
            chain.push(last);
            match crowd.waiting(last) {
                None => break true,
                Some(waiting) => match waiting.by {
                    Some(by) => last = by,
                    None => break (self.stays)(last),
                },
            }
        };
        for body in chain {
            self.known[body.index()] = Some(stands);
        }
        stands.then_some(first)
    }
}

/// Returns the path over these cells, with the cost that is left at each.
fn detour(id: BodyId, lead: &Lead, guide: &mut BodyGuide, cells: Vec<Cell>) -> Option<Detour> {
    let mut rests = vec![Cost::MAX; cells.len()];
    let end = cells.last().and_then(|&cell| lead.steps.bounds().slot(cell))?;
    let mut rest = guide.rest(id, end)?;
    for place in (0..cells.len()).rev() {
        rests[place] = rest;
        if let Some(before) = place.checked_sub(1)
            && let Some(direction) = tilepath::Direction::between(cells[before], cells[place])
            && let Some(slot) = lead.steps.bounds().slot(cells[place])
        {
            rest = rest.checked_add(lead.steps.cost(slot, direction)).unwrap_or(Cost::MAX);
        }
    }
    Some(Detour { cells, rests, at: 0 })
}

impl BodyPartsReadOnlyItem<'_, '_> {
    /// Returns its policy for standing. A body that never gives up looks for a path around others again
    /// and again.
    fn policy(&self, default: &Patience) -> Option<Policy> {
        let agent = self.agent.as_ref()?;
        let policy = agent.patience.map_or(default, |patience| &patience.0).at(self.place.stuck);
        Some(match policy {
            Policy::GiveUp if agent.path.is_some_and(|path| path.never_gives_up(agent.request)) => {
                let looks = self.place.stuck.is_multiple_of(TICKS_TO_NEXT_DETOUR);
                if looks { Policy::GoRound } else { Policy::Wait }
            }
            policy => policy,
        })
    }

    /// Returns the field that leads it to its goals. `leading` has the fields of its map.
    fn leading_field<'a>(&self, leading: &'a [Option<LeadingField<'a>>]) -> Option<&'a LeadingField<'a>> {
        let path =
            self.agent.as_ref().and_then(|agent| agent.path.filter(|path| path.is_walked(agent.state)));
        let common = path.filter(|_| self.place.detour.is_none())?.common_goals()?;
        leading.get(common.number())?.as_ref()
    }

    /// Returns whether a body that does not want to enter a cell stays. It does not if it is in a
    /// door, or in front of one that it may pass soon, or before a wall around which it gets a path.
    fn stays(&self) -> bool {
        let path = self.agent.as_ref().and_then(|agent| agent.path);
        let is_before_door = path.is_some_and(AgentPath::is_in_door);
        let is_before_wall = path.is_some_and(|path| path.plan.is_closed_ahead());
        if self.place.is_passing() {
            !self.walks_through_door()
        } else {
            !is_before_wall && (!is_before_door || self.place.waits_at_door.is_some())
        }
    }

    /// Returns whether it is in a door and walks on. It does not if its order was cancelled there,
    /// or it is held.
    pub(super) fn walks_through_door(&self) -> bool {
        self.place.is_passing()
            && self.agent.as_ref().is_some_and(|agent| {
                let walks = agent.path.is_some_and(|path| path.is_walked(agent.state));
                walks && agent.agent.halt(agent.stepwise, 0).is_none()
            })
    }
}

/// Returns the detour of a body, or the rest of its path. Returns `None` if it walks along no path.
fn way_of<'a>(item: &'a BodyPartsReadOnlyItem<'_, '_>, view: &MapView) -> Option<Way<'a>> {
    let agent = item.agent.as_ref()?;
    let path = agent.path.filter(|path| path.is_walked(agent.state) && path.map() == view.map)?;
    match &item.place.detour {
        Some(detour) => Some(Way::new(&detour.cells, &detour.rests, detour.at)),
        None => Some(path.own_way()),
    }
}

/// The movements of a map's bodies.
struct Units<'map> {
    view: MapView<'map>,
    known: Vec<(MovementId, Steps<'map>, u16)>,
    efforts: Efforts<'map>,
}

impl<'map> Units<'map> {
    /// Returns the steps of a movement, and its number among the efforts.
    fn of(&mut self, movement: MovementId) -> Option<(Steps<'map>, u16)> {
        if let Some((_, steps, unit)) = self.known.iter().find(|(known, ..)| *known == movement) {
            return Some((*steps, *unit));
        }
        let finder = self.view.grid.finder();
        let (steps, rules) = (Steps::new(finder, movement).ok()?, finder.movement(movement)?);
        let unit = self.efforts.add(rules);
        self.known.push((movement, steps, unit));
        Some((steps, unit))
    }
}
