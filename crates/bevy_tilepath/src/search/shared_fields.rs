//! Fields that answer many at once: a field takes the place of the searches. Bodies are [led](led) by them, too.
//!
//! Where more than [`MANY`] have had a turn and no answer yet, and ask for the same goals, on the same map, by the same
//! movement, one [`FlowField`] spreads from the goals. The turns of those that ask go into the field, until it has come to where
//! they stand, and each reads its own path from it. Short searches end in their first turn, so that they never make a field.
//!
//! Those whose ways may be near the cheapest share a [`NearField`](tilepath::field::NearField), which spreads only where they are
//! likely to walk.
//!
//! A field that is behind an edit is repaired, within the tick's budget, while half of [`MANY`] ask; with fewer it goes, and they
//! are searched for by themselves.

mod any_field;
mod led;

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use bevy_ecs::{
    entity::{Entity, EntityHashMap},
    resource::Resource,
};
use tilepath::{Cell, CellState, MovementId, field::FieldUpdate};

use self::{any_field::AnyField, led::LedGoals};
pub(crate) use self::{any_field::FieldAnswer, led::LeadingField};
use crate::map::{
    map_view::MapView,
    maps::{AnyMap, Maps},
    version::Version,
};

/// With more than this many that ask for the same a field is made. Half as many keep it under edits.
pub(crate) const MANY: usize = 8;

/// Costs that all fields together may keep, four bytes each.
const MOST_COSTS: usize = 1 << 24;

/// No field counts less than this, whatever its map: it has a queue, too.
const LEAST_COSTS: usize = 1 << 16;

/// The number of ticks after which a field goes that is not asked any more.
const IDLE: u64 = 64;

/// How often a field may begin again, because repairing it would take too long, before all are searched for by themselves.
const RESTARTS: u32 = 2;

/// For how many ticks they are.
const GIVEN_UP: u64 = 256;

/// What is asked of a field.
#[derive(Debug, Clone)]
pub(crate) struct FieldQuestion {
    pub(crate) map: Entity,
    pub(crate) movement: MovementId,
    pub(crate) goals: Arc<[Cell]>,
    /// Whether ways near the cheapest are good enough, to the one goal.
    pub(crate) is_near: bool,
}

impl Ord for FieldQuestion {
    fn cmp(&self, other: &Self) -> Ordering {
        let rest = |question: &Self| (question.map, question.movement, question.is_near);
        rest(self).cmp(&rest(other)).then_with(|| {
            // Lists that orders share are long: they are equal without a look at them.
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

/// What comes of asking a field.
#[derive(Debug)]
pub(crate) enum FieldReply {
    /// There is none: the way is to be searched for.
    Singly,
    /// It has not come so far yet. The turn is over.
    Later,
    /// The answer, on the map as it is.
    Now(FieldAnswer),
}

/// Those that ask for the same.
#[derive(Debug, Default)]
struct Group {
    /// How many have had a turn, and have no answer yet.
    askers: usize,
    field: Option<Box<SharedField>>,
    /// Many bodies go by the field.
    is_led: bool,
    /// In this tick it was found that the map changes faster than the field spreads: until they all have their answers, they are
    /// searched for by themselves, and bodies go by their own ways.
    given_up: Option<u64>,
}

impl Group {
    /// Whether its field is of use.
    fn is_asked(&self) -> bool {
        self.askers > 0 || self.is_led
    }
}

#[derive(Debug)]
struct SharedField {
    /// The older, the lower.
    number: u64,
    field: AnyField,
    /// The map that it tells of.
    version: Version,
    /// The tick in which it was asked last.
    asked: u64,
    /// How often it began again since it was complete.
    restarts: u32,
    costs: usize,
}

/// All fields, and who asks them.
#[derive(Resource, Debug, Default)]
pub(crate) struct SharedFields {
    /// Never iterated where the order could matter.
    groups: BTreeMap<FieldQuestion, Group>,
    /// What each asks that has had a turn and has no answer yet. Looked up and counted, as well.
    askers: EntityHashMap<FieldQuestion>,
    led: LedGoals,
    begun: u64,
    tick: u64,
    /// What repairs may still cost in this tick.
    repairs_left: u64,
    is_busy: bool,
}

impl SharedFields {
    /// A tick begins, with that budget, and while that many wait. Repairs the fields that many ask, and says what that cost.
    pub(crate) fn begin_tick(
        &mut self,
        maps: &Maps,
        budget: u64,
        waiting: usize,
        waits: impl Fn(Entity) -> bool,
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
            if let Some(view) = view_of(maps, question.map) {
                self.catch_up(&question, &view);
            }
        }
        self.spread_led(maps);
        self.is_busy = waiting > MANY || self.groups.values().any(|group| group.field.is_some());
        budget / 2 - self.repairs_left
    }

    /// Lets go of the fields that are behind an edit, and with them of the maps as they were.
    pub(crate) fn end_tick(&mut self, maps: &Maps) {
        for (question, group) in self.groups.iter_mut().filter(|(_, group)| group.field.is_some()) {
            let present = view_of(maps, question.map).map(|view| view.grid.version());
            group.field.take_if(|shared| Some(shared.version) != present);
        }
    }

    /// Whether it is worth while to ask.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// Asks for the answer for an entity that stands on a cell: with so much work, which is added to what was spent.
    pub(crate) fn ask(
        &mut self,
        asker: Entity,
        start: Cell,
        question: &FieldQuestion,
        view: &MapView,
        slice: u64,
        spent: &mut u64,
    ) -> FieldReply {
        self.note(asker, question);
        let left = self.repairs_left;
        let is_there = self.prepare(question, view);
        *spent += left - self.repairs_left;
        if !is_there {
            return FieldReply::Singly;
        }
        let tick = self.tick;
        let shared = self.groups.get_mut(question).and_then(|group| group.field.as_mut());
        let Some(shared) = shared else { return FieldReply::Singly };
        shared.asked = tick;
        let before = shared.field.work();
        let answer = shared.field.ask(view.grid.finder(), start, slice);
        *spent += (shared.field.work() - before).max(1);
        if shared.field.is_done() || question.is_near && answer.is_some() {
            shared.restarts = 0;
        }
        answer.map_or(FieldReply::Later, FieldReply::Now)
    }

    /// Counts one that asks, until it [leaves](Self::leave).
    fn note(&mut self, asker: Entity, question: &FieldQuestion) {
        if self.askers.get(&asker) != Some(question) {
            self.leave(asker);
            self.askers.insert(asker, question.clone());
            self.groups.entry(question.clone()).or_default().askers += 1;
        }
    }

    /// An entity asks no more.
    pub(crate) fn leave(&mut self, asker: Entity) {
        if let Some(question) = self.askers.remove(&asker)
            && let Some(group) = self.groups.get_mut(&question)
        {
            group.askers -= 1;
        }
    }

    /// Whether there is a field that tells of the map as it is. Many make one, or bring it up to date.
    fn prepare(&mut self, question: &FieldQuestion, view: &MapView) -> bool {
        let Some(group) = self.groups.get(question) else { return false };
        match &group.field {
            _ if group.given_up.is_some() => false,
            Some(shared) if shared.version == view.grid.version() => true,
            Some(_) if group.is_led || 2 * group.askers >= MANY => self.catch_up(question, view),
            None if group.askers > MANY => self.begin(question, view),
            _ => false,
        }
    }

    fn begin(&mut self, question: &FieldQuestion, view: &MapView) -> bool {
        let costs = AnyField::costs(question, view.grid.bounds().cell_count()).max(LEAST_COSTS);
        if !self.make_room(costs) {
            return false;
        }
        let Ok(field) = AnyField::begin(question, view.grid.finder()) else { return false };
        self.begun += 1;
        let (number, asked, version) = (self.begun, self.tick, view.grid.version());
        let shared = SharedField { number, field, version, asked, restarts: 0, costs };
        let Some(group) = self.groups.get_mut(question) else { return false };
        group.field = Some(Box::new(shared));
        true
    }

    /// Lets fields go that are not asked any more, the one first that was asked first, until there is room for that many costs.
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

    /// Brings a field up to date. `false`: there is none any more.
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

    /// What a field has made of a cell.
    pub(crate) fn cell_state(&self, question: &FieldQuestion, cell: Cell) -> CellState {
        let shared = self.groups.get(question).and_then(|group| group.field.as_ref());
        match shared {
            Some(shared) if shared.field.knows(cell) => CellState::Closed,
            _ => CellState::Unseen,
        }
    }

    /// How many fields, and how many that ask, there are.
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
