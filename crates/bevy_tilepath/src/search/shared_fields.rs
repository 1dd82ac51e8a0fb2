//! Shared fields: one field answers many orders and [leads](led) bodies.
//!
//! If more than [`MANY`] orders ask for the same goals, on the same map, with the same movement,
//! one [`FlowField`] spreads from the goals. Only orders that have had a turn and have no answer
//! yet count. Their turns go into the field until it reaches them, and each reads its own path from
//! it. Short searches end in their first turn, so they never make a field.
//!
//! Searches that landmarks lead cost little. Where they lead, a field is made only if it costs less
//! than such searches for all that ask.
//!
//! After an edit a field is repaired, within the tick's budget, while at least half of [`MANY`]
//! ask. With fewer, it is dropped, and each order gets its own search.
//!
//! Decision: `docs/decisions/47-shared-fields.md`.

mod led;
mod paused;

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    resource::Resource,
};
use tilepath::{
    Cell, CellState, MovementId, NearestAnswer, QueryError,
    field::{FieldQuery, FieldState, FieldUpdate, FlowField},
};

use self::led::LedGoals;
pub(crate) use self::led::{LeadingField, SharedFieldsState};
use crate::map::{
    map_view::MapView,
    maps::{AnyMap, Maps},
    version::Version,
};

/// The number of orders with the same goals above which a field is made. Half as many keep it after
/// edits.
pub(crate) const MANY: usize = 8;

/// The most costs that all fields together may keep, four bytes each.
const MOST_COSTS: usize = 1 << 24;

/// The least number of costs that a field counts, whatever its map is, because it also has a queue.
const LEAST_COSTS: usize = 1 << 16;

/// The number of ticks after which an unused field is dropped.
const IDLE: u64 = 64;

/// The number of restarts of a field, because its repair would take too long, after which every
/// order gets its own search.
const RESTARTS: u32 = 2;

/// The number of ticks for which every order then gets its own search.
const GIVEN_UP: u64 = 256;

/// A question to a field: the map, the movement and the goals.
#[derive(Debug, Clone)]
pub(crate) struct FieldQuestion {
    pub(crate) map: Entity,
    pub(crate) movement: MovementId,
    pub(crate) goals: Arc<[Cell]>,
}

impl Ord for FieldQuestion {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |question: &Self| (question.map, question.movement);
        rest(self).cmp(&rest(other)).then_with(|| {
            // Lists that orders share are long: if they are the same list, they need not be
            // compared.
            let is_shared = Arc::ptr_eq(&self.goals, &other.goals);
            if is_shared { Ordering::Equal } else { self.goals.cmp(&other.goals) }
        })
    }
}

impl PartialOrd for FieldQuestion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for FieldQuestion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for FieldQuestion {}

/// The reply to a question.
#[derive(Debug)]
pub(crate) enum FieldReply {
    /// There is no field: the path must be searched.
    Singly,
    /// The field has not spread so far yet. The turn is over.
    Later,
    /// The answer, on the present map.
    Now(Result<NearestAnswer, QueryError>),
}

/// Returns the work of a search of its own for an order with this question, if landmarks would lead the
/// search and the work is known.
type LedWork<'a> = &'a dyn Fn(&FieldQuestion) -> Option<u64>;

/// The orders with the same question.
#[derive(Clone, Debug, Default)]
struct Group {
    /// The number of orders that have had a turn and have no answer yet.
    askers: usize,
    field: Option<Box<SharedField>>,
    /// The greatest distance from the goal to the start of such an order, in cells.
    reach: u32,
    /// True if the field leads many bodies.
    is_led: bool,
    /// The tick in which the map was found to change faster than the field spreads. For some time
    /// then every order gets its own search, and bodies walk along their own paths.
    given_up: Option<u64>,
}

impl Group {
    /// Returns whether its field is used.
    fn is_asked(&self) -> bool {
        self.askers > 0 || self.is_led
    }

    /// Returns whether the field costs less than searches for the orders that ask. `led` is the work of
    /// one such search, if landmarks would lead it. The field spreads over the cells around the goal, up
    /// to the farthest order.
    fn pays(&self, question: &FieldQuestion, view: &MapView, led: Option<u64>) -> bool {
        let (Some(led), [goal]) = (led, &*question.goals) else { return true };
        let (reach, bounds) = (i64::from(self.reach), view.grid.bounds());
        let side = |at: i32, first: i32, length: u32| {
            let (at, first) = (i64::from(at), i64::from(first));
            let end = (at + reach + 1).min(first + i64::from(length));
            (end - (at - reach).max(first)).max(0).unsigned_abs()
        };
        let Cell { x, y } = bounds.origin();
        let cells = side(goal.x, x, bounds.width()).saturating_mul(side(goal.y, y, bounds.height()));
        let done = self.field.as_ref().filter(|shared| shared.version == view.grid.version());
        let done = done.map_or(0, |shared| shared.field.work());
        led.saturating_mul(self.askers as u64) >= cells.saturating_sub(done)
    }
}

#[derive(Clone, Debug)]
struct SharedField {
    /// The number of the field: older fields have lower numbers.
    number: u64,
    field: FlowField,
    /// The version of the map for which it is valid.
    version: Version,
    /// The tick of its last use.
    asked: u64,
    /// The number of restarts since it was complete.
    restarts: u32,
    costs: usize,
}

/// All fields, and the entities that use them.
#[derive(Clone, Resource, Debug, Default)]
pub(crate) struct SharedFields {
    /// The groups by question. They are never iterated where the order could matter.
    groups: BTreeMap<FieldQuestion, Group>,
    /// The question of each entity that has had a turn and has no answer yet. Looked up and counted
    /// too.
    askers: EntityHashMap<FieldQuestion>,
    led: LedGoals,
    begun: u64,
    tick: u64,
    /// The work that repairs may still cost in this tick.
    repairs_left: u64,
    is_busy: bool,
}

impl SharedFields {
    /// Begins a tick with this budget and number of queued searches. Repairs the fields that many
    /// use, and returns the work for it.
    pub(crate) fn begin_tick(
        &mut self,
        maps: &Maps,
        budget: u64,
        waiting: usize,
        waits: impl Fn(Entity) -> bool,
        led_work: LedWork,
    ) -> u64 {
        self.tick += 1;
        self.repairs_left = budget / 2;
        let Self { groups, askers, led, tick, .. } = self;
        askers.retain(|&asker, question| {
            let stays = waits(asker);
            if !stays && let Some(group) = groups.get_mut(question) {
                group.askers -= 1;
            }
            stays
        });
        led.mark(groups, maps, *tick);
        groups.retain(|question, group| {
            let is_of_use = |shared: &SharedField| group.is_asked() || shared.asked + IDLE >= *tick;
            if !group.field.as_deref().is_some_and(is_of_use) || view_of(maps, question.map).is_none() {
                group.field = None;
            }
            group.given_up.take_if(|since| since.saturating_add(GIVEN_UP) <= *tick);
            group.is_asked() || group.field.is_some()
        });
        let mut behind: Vec<(u64, FieldQuestion)> = (self.groups.iter())
            .filter(|(_, group)| group.is_led || 2 * group.askers >= MANY)
            .filter_map(|(question, group)| Some((group.field.as_ref()?.number, question.clone())))
            .collect();
        behind.sort_unstable();
        for (_, question) in behind {
            if let Some(view) = view_of(maps, question.map)
                && let Some(group) = self.groups.get(&question)
                && (group.is_led || group.pays(&question, &view, led_work(&question)))
            {
                self.catch_up(&question, &view);
            }
        }
        self.spread_led(maps);
        self.is_busy = waiting > MANY || self.groups.values().any(|group| group.field.is_some());
        budget / 2 - self.repairs_left
    }

    /// Drops the fields that are behind an edit, and with them old states of maps.
    pub(crate) fn end_tick(&mut self, maps: &Maps) {
        for (question, group) in self.groups.iter_mut().filter(|(_, group)| group.field.is_some()) {
            let present = view_of(maps, question.map).map(|view| view.grid.version());
            group.field.take_if(|shared| Some(shared.version) != present);
        }
    }

    /// Returns whether a question to a field is worth it.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Returns the answer for an entity on a cell, within a slice of work. `led` is the work of a search
    /// of its own, if landmarks would lead it. Adds the work done to `spent`.
    pub(crate) fn ask(
        &mut self,
        asker: Entity,
        start: Cell,
        question: &FieldQuestion,
        view: &MapView,
        (slice, led): (u64, Option<u64>),
        spent: &mut u64,
    ) -> FieldReply {
        self.note(asker, question);
        if let (Some(group), [goal]) = (self.groups.get_mut(question), &*question.goals) {
            group.reach = group.reach.max(goal.x.abs_diff(start.x)).max(goal.y.abs_diff(start.y));
        }
        let left = self.repairs_left;
        let is_there = self.prepare(question, start, view, led);
        *spent += left - self.repairs_left;
        if !is_there {
            return FieldReply::Singly;
        }
        let tick = self.tick;
        let shared = self.groups.get_mut(question).and_then(|group| group.field.as_mut());
        let Some(shared) = shared else { return FieldReply::Singly };
        shared.asked = tick;
        let before = shared.field.work();
        let answer = shared.field.nearest_from(start, slice);
        *spent += (shared.field.work() - before).max(1);
        if shared.field.is_done() {
            shared.restarts = 0;
        }
        answer.map_or(FieldReply::Later, FieldReply::Now)
    }

    /// Counts an entity with this question until it [leaves](Self::leave).
    fn note(&mut self, asker: Entity, question: &FieldQuestion) {
        if self.askers.get(&asker) != Some(question) {
            self.leave(asker);
            self.askers.insert(asker, question.clone());
            self.groups.entry(question.clone()).or_default().askers += 1;
        }
    }

    /// Removes the question of an entity.
    pub(crate) fn leave(&mut self, asker: Entity) {
        if let Some(question) = self.askers.remove(&asker)
            && let Some(group) = self.groups.get_mut(&question)
        {
            group.askers -= 1;
        }
    }

    /// Returns whether there is a field for the present map. If many ask, makes one or updates it.
    fn prepare(&mut self, question: &FieldQuestion, start: Cell, view: &MapView, led: Option<u64>) -> bool {
        let Some(group) = self.groups.get(question) else { return false };
        let pays = || group.is_led || group.pays(question, view, led);
        match &group.field {
            _ if group.given_up.is_some() => false,
            Some(shared) if shared.version == view.grid.version() => {
                matches!(shared.field.state(start), FieldState::Settled(_)) || pays()
            }
            Some(_) if (group.is_led || 2 * group.askers >= MANY) && pays() => self.catch_up(question, view),
            None if group.askers > MANY && pays() => self.begin(question, view),
            _ => false,
        }
    }

    fn begin(&mut self, question: &FieldQuestion, view: &MapView) -> bool {
        // With several goals a field keeps for each cell also the goal that comes first.
        let kept_per_cell = if question.goals.len() > 1 { 2 } else { 1 };
        let costs = (view.grid.bounds().cell_count() * kept_per_cell).max(LEAST_COSTS);
        if !self.make_room(costs) {
            return false;
        }
        let query = FieldQuery::new(&*question.goals).with_movement(question.movement);
        let Ok(field) = view.grid.finder().begin_field(&query) else { return false };
        self.begun += 1;
        let (number, asked, version) = (self.begun, self.tick, view.grid.version());
        let shared = SharedField { number, field, version, asked, restarts: 0, costs };
        let Some(group) = self.groups.get_mut(question) else { return false };
        group.field = Some(Box::new(shared));
        true
    }

    /// Drops unused fields, the one with the earliest last use first, until there is room for this
    /// many costs.
    fn make_room(&mut self, costs: usize) -> bool {
        let fields =
            || self.groups.values().filter_map(|group| Some((group.is_asked(), group.field.as_deref()?)));
        let mut kept: usize = fields().map(|(_, shared)| shared.costs).sum();
        let mut idle: Vec<_> = fields()
            .filter(|&(is_asked, _)| !is_asked)
            .map(|(_, shared)| (shared.asked, shared.number, shared.costs))
            .collect();
        idle.sort_unstable();
        for (_, number, costs_of_it) in idle {
            if kept + costs <= MOST_COSTS {
                break;
            }
            kept -= costs_of_it;
            let is_it = |shared: &mut Box<SharedField>| shared.number == number;
            for group in self.groups.values_mut() {
                group.field.take_if(is_it);
            }
        }
        kept + costs <= MOST_COSTS
    }

    /// Updates a field to the present map. Returns false if it was dropped.
    fn catch_up(&mut self, question: &FieldQuestion, view: &MapView) -> bool {
        let Some(group) = self.groups.get_mut(question) else { return false };
        let Some(shared) = &mut group.field else { return false };
        let version = view.grid.version();
        if shared.version == version {
            return true;
        }
        let before = shared.field.work();
        let update = shared.field.update_within(view.grid.finder(), self.repairs_left);
        self.repairs_left = self.repairs_left.saturating_sub(shared.field.work() - before);
        shared.version = version;
        shared.restarts += u32::from(update == Ok(FieldUpdate::Restarted));
        group.given_up = (shared.restarts > RESTARTS).then_some(self.tick);
        if update.is_err() || group.given_up.is_some() {
            group.field = None;
        }
        group.field.is_some()
    }

    /// Returns the state of a cell in a field.
    pub(crate) fn cell_state(&self, question: &FieldQuestion, cell: Cell) -> CellState {
        let shared = self.groups.get(question).and_then(|group| group.field.as_ref());
        match shared {
            Some(shared) if matches!(shared.field.state(cell), FieldState::Settled(_)) => CellState::Closed,
            _ => CellState::Unseen,
        }
    }

    /// Returns the number of fields and of entities that use them.
    pub(crate) fn entry_count(&self) -> usize {
        self.groups.len() + self.askers.len() + self.led.len()
    }
}

fn view_of<'a>(maps: &'a Maps, map: Entity) -> Option<MapView<'a>> {
    match maps.ready(map)? {
        AnyMap::Tiles(view) => Some(view),
        AnyMap::Graph(_) => None,
    }
}
