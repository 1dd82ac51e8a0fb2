//! Fields that lead bodies with the same goals.
//!
//! If many bodies are under way to the same goals, each may pass any cell that is nearer to them.
//! Without a field, similar paths lie on the same cells, and the bodies block each other.
//!
//! Decision: `docs/decisions/53-bodies.md`.

use std::{collections::BTreeMap, sync::Arc};

use bevy_ecs::entity::{Entity, MapEntities};
use tilepath::{Cell, Cost, MovementId, NearestAnswer, field::FlowField};

use super::{FieldQuestion, Group, MANY, SharedFields, paused::GroupState, view_of};
use crate::{
    map::{maps::Maps, movement::AgentMovement},
    order::common_goals::CommonGoals,
};

/// The most cells of a map for each body at which a field is worth its cost, which grows with the
/// cells. A field that leads already is kept until half of these bodies are left.
const CELLS_FOR_ONE: usize = 1 << 11;

/// The number of straight steps from the goals within which bodies walk along their own paths. The
/// square root of the number of bodies that rest there is added.
const NEAR: u32 = 8;

/// The most goals that one tick checks for routes which still lead to them.
const LOOKS: usize = 1 << 10;

/// The goals that bodies under way share, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct LedGoals {
    numbers: BTreeMap<FieldQuestion, u32>,
    known: Vec<Option<Known>>,
    free: Vec<u32>,
    counts: Vec<Count>,
    /// The goals to which fields lead in this tick, in the order of their numbers.
    led: Vec<u32>,
}

/// The numbers of bodies in a tick.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Count {
    /// The bodies under way to the same goals.
    bodies: u32,
    /// The bodies at rest there.
    resting: u32,
}

/// A clone is held by no route: routes of a snapshot get the goals again when it is put back.
impl Clone for Known {
    fn clone(&self) -> Self {
        Self { question: self.question.clone(), common: CommonGoals::new(self.common.number() as u32) }
    }
}

#[derive(Debug)]
struct Known {
    question: FieldQuestion,
    common: CommonGoals,
}

/// A field that may lead bodies with one movement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeadingField<'a> {
    movement: MovementId,
    field: &'a FlowField,
    /// The cost to the goals up to which bodies walk along their own paths: they arrive among
    /// others that rest there.
    near: Cost,
}

impl<'a> LeadingField<'a> {
    /// Returns the field, if it leads bodies with a movement from a slot.
    pub(crate) fn from(&self, movement: MovementId, slot: usize) -> Option<&'a FlowField> {
        let leads =
            self.movement == movement && self.field.cost_at(slot).is_some_and(|rest| rest > self.near);
        leads.then_some(self.field)
    }
}

impl LedGoals {
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    fn number(&mut self, question: &FieldQuestion) -> CommonGoals {
        if let Some(known) =
            self.numbers.get(question).and_then(|&number| self.known[number as usize].as_ref())
        {
            return known.common.clone();
        }
        let number = self.free.pop().unwrap_or(self.known.len() as u32);
        let common = CommonGoals::new(number);
        if self.known.len() <= number as usize {
            self.known.push(None);
            self.counts.push(Count::default());
        }
        self.known[number as usize] = Some(Known { question: question.clone(), common: common.clone() });
        self.counts[number as usize] = Count::default();
        self.numbers.insert(question.clone(), number);
        common
    }

    /// Drops the goals to which no route leads any more. If there are many goals, checks some of
    /// them in each tick.
    fn forget(&mut self, tick: u64) {
        let parts = 1 + self.known.len() / LOOKS;
        for number in ((tick % parts as u64) as usize..self.known.len()).step_by(parts) {
            let gone = self.known[number].take_if(|known| !known.common.is_held());
            if let Some(Known { question, .. }) = gone {
                self.numbers.remove(&question);
                self.free.push(number as u32);
            }
        }
    }

    /// Sets which groups have fields that lead bodies, by the number of bodies that walked to their
    /// goals in the last tick.
    pub(super) fn mark(&mut self, groups: &mut BTreeMap<FieldQuestion, Group>, maps: &Maps, tick: u64) {
        self.forget(tick);
        let before = std::mem::take(&mut self.led);
        for (number, &Count { bodies, .. }) in (0_u32..).zip(&self.counts) {
            let Some(known) = self.known[number as usize].as_ref().filter(|_| bodies as usize > MANY) else {
                continue;
            };
            let Some(view) = view_of(maps, known.question.map) else { continue };
            let least = (view.grid.bounds().cell_count() / CELLS_FOR_ONE).max(4 * MANY);
            let is_led_already = before.binary_search(&number).is_ok();
            if bodies as usize >= if is_led_already { least / 2 } else { least } {
                self.led.push(number);
            }
        }
        for group in groups.values_mut() {
            group.is_led = false;
        }
        for &number in &self.led {
            if let Some(known) = &self.known[number as usize] {
                groups.entry(known.question.clone()).or_default().is_led = true;
            }
        }
    }
}

impl SharedFields {
    /// Returns the shared goals for the routes of bodies that lead there.
    pub(crate) fn common_goals(&mut self, question: &FieldQuestion) -> CommonGoals {
        self.led.number(question)
    }

    /// Begins to count bodies again.
    pub(crate) fn begin_count(&mut self) {
        self.led.counts.fill(Count::default());
    }

    /// Counts a body that is under way to these goals.
    pub(crate) fn count(&mut self, common: &CommonGoals) {
        self.led.counts[common.number()].bodies += 1;
    }

    /// Counts a body that rests at these goals.
    pub(crate) fn count_resting(&mut self, common: &CommonGoals) {
        self.led.counts[common.number()].resting += 1;
    }

    /// Spreads the fields that lead bodies, with the work that repairs have left.
    pub(super) fn spread_led(&mut self, maps: &Maps) {
        for place in 0..self.led.led.len() {
            let number = self.led.led[place] as usize;
            let Some(question) = self.led.known[number].as_ref().map(|known| known.question.clone()) else {
                continue;
            };
            let Some(view) = view_of(maps, question.map) else { continue };
            let has_field = self.groups.get(&question).is_some_and(|group| group.field.is_some());
            let is_given_up = self.groups.get(&question).is_some_and(|group| group.given_up.is_some());
            if self.repairs_left == 0 || is_given_up || !has_field && !self.begin(&question, &view) {
                continue;
            }
            let shared = self.groups.get_mut(&question).and_then(|group| group.field.as_mut());
            if let Some(shared) = shared.filter(|shared| shared.version == view.grid.version()) {
                let field = &mut shared.field;
                let before = field.work();
                if !field.is_done() {
                    field.advance(self.repairs_left);
                }
                if field.is_done() {
                    shared.restarts = 0;
                }
                self.repairs_left = self.repairs_left.saturating_sub(field.work() - before);
            }
        }
    }

    /// Returns the fields that may lead bodies on the present maps, by the
    /// [numbers](CommonGoals::number) of their goals.
    pub(crate) fn leading(&self, maps: &Maps) -> Vec<Option<LeadingField<'_>>> {
        let mut leading = vec![None; self.led.known.len()];
        for &number in &self.led.led {
            leading[number as usize] = self.leading_to(number, maps);
        }
        leading
    }

    fn leading_to(&self, number: u32, maps: &Maps) -> Option<LeadingField<'_>> {
        let question = &self.led.known[number as usize].as_ref()?.question;
        let shared = self.groups.get(question)?.field.as_deref()?;
        let view = view_of(maps, question.map)?;
        let rules = view.finder.movement(question.movement)?;
        let topology = view.grid.grid().topology();
        let straight = rules.distance(topology, Cell::new(0, 0), Cell::new(1, 0)).get();
        let steps = NEAR + self.led.counts[number as usize].resting.isqrt();
        let near = steps.saturating_mul(straight).saturating_mul(rules.costs().least().into());
        let field = &shared.field;
        (shared.version == view.grid.version() && field.is_done()).then_some(LeadingField {
            movement: question.movement,
            field,
            near: Cost::new(near),
        })
    }

    /// Returns the path from a cell to goals by the field that leads there, and the work for it.
    pub(crate) fn way_from(&mut self, common: &CommonGoals, cell: Cell) -> Option<(NearestAnswer, u64)> {
        let question = &self.led.known[common.number()].as_ref()?.question;
        let field = &mut self.groups.get_mut(question)?.field.as_mut()?.field;
        let before = field.work();
        let answer = field.nearest_from(cell, u64::MAX)?.ok()?;
        Some((answer, field.work() - before))
    }
}

/// The shared goals and fields in a [`TilepathState`](crate::TilepathState).
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct SharedFieldsState {
    tick: u64,
    /// In the order of their numbers.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    goals: Vec<LedGoalsState>,
    /// In the order of the numbers of fields.
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    groups: Vec<GroupState>,
}

#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LedGoalsState {
    #[entities]
    map: Entity,
    movement: Option<AgentMovement>,
    goals: Arc<[Cell]>,
    count: Count,
    is_led: bool,
}

impl SharedFields {
    /// Returns the goals for a state. `movement_of` returns the movement of an id on a map.
    pub(crate) fn state(
        &self,
        movement_of: impl Fn(Entity, MovementId) -> Option<AgentMovement>,
    ) -> SharedFieldsState {
        let goals = (0_u32..).zip(&self.led.known).filter_map(|(number, known)| {
            let FieldQuestion { map, movement, goals } = &known.as_ref()?.question;
            Some(LedGoalsState {
                map: *map,
                movement: movement_of(*map, *movement),
                goals: goals.clone(),
                count: self.led.counts[number as usize],
                is_led: self.led.led.binary_search(&number).is_ok(),
            })
        });
        let groups = self.group_states(&movement_of);
        SharedFieldsState { tick: self.tick, goals: goals.collect(), groups }
    }

    /// Returns the goals with a number.
    pub(crate) fn numbered(&self, number: usize) -> Option<CommonGoals> {
        self.led.known.get(number)?.as_ref().map(|known| known.common.clone())
    }

    /// Returns the place of goals in a state.
    pub(crate) fn place_in_state(&self, common: &CommonGoals) -> usize {
        self.led.known[..common.number()].iter().flatten().count()
    }

    /// Puts a state back, and does the work of its fields again. Returns the goals by their place in the
    /// state. `id_of` returns the id of a movement on a map.
    pub(crate) fn put(
        &mut self,
        state: SharedFieldsState,
        id_of: impl Fn(Entity, Option<&AgentMovement>) -> Option<MovementId>,
        maps: &Maps,
    ) -> Vec<Option<CommonGoals>> {
        *self = Self { tick: state.tick, ..Self::default() };
        let mut goals_of = |state: LedGoalsState| {
            let LedGoalsState { map, movement, goals, count, is_led } = state;
            let question = FieldQuestion { map, movement: id_of(map, movement.as_ref())?, goals };
            let common = self.common_goals(&question);
            self.led.counts[common.number()] = count;
            if is_led {
                self.led.led.push(common.number() as u32);
            }
            Some(common)
        };
        let goals = state.goals.into_iter().map(&mut goals_of).collect();
        self.put_groups(state.groups, id_of, maps);
        goals
    }
}
