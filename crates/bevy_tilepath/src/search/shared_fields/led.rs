//! Fields that lead bodies: where many are under way to the same goals, each goes wherever that brings it nearer.
//!
//! Ways of their own that were found alike lie along the same cells, and bodies that go by these stand in each other's way.

use std::collections::BTreeMap;

use tilepath::{Cell, Cost, MovementId, NearestAnswer, field::FlowField};

use super::{FieldQuestion, Group, MANY, SharedFields, view_of};
use crate::{map::maps::Maps, order::common_goals::CommonGoals};

/// The cells of a map for each body that makes a field worth its cost, which grows with the cells. A field that leads already is kept
/// until half of these bodies are left.
const CELLS_FOR_ONE: usize = 1 << 11;

/// Bodies within this many straight steps of their goals go by their own ways. To that the square root of the number of bodies
/// that rest there is added.
const NEAR: u32 = 8;

/// The most goals of which one tick finds out whether a route still leads to them.
const LOOKS: usize = 1 << 10;

/// What bodies under way have in common, by number.
#[derive(Debug, Default)]
pub(super) struct LedGoals {
    numbers: BTreeMap<FieldQuestion, u32>,
    known: Vec<Option<Known>>,
    free: Vec<u32>,
    counts: Vec<Count>,
    /// Those that fields lead to in this tick, in the order of their numbers.
    led: Vec<u32>,
}

/// Bodies of a tick.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// Those under way to the same goals.
    bodies: u32,
    /// Those at rest there.
    resting: u32,
}

#[derive(Debug)]
struct Known {
    question: FieldQuestion,
    common: CommonGoals,
}

/// A field that may lead bodies of one movement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeadingField<'a> {
    movement: MovementId,
    field: &'a FlowField,
    /// Bodies from whose cells the rest costs no more go by their own ways: they arrive among others that rest there.
    near: Cost,
}

impl<'a> LeadingField<'a> {
    /// The field, if it leads bodies of a movement from a slot.
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

    /// Forgets those that no route leads to any more: where they are many, some in each tick.
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

    /// Says of the groups which of them lead bodies from now on: by how many went to their goals in the last tick.
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
    /// What the routes of bodies have in common that lead to these goals.
    pub(crate) fn common_goals(&mut self, question: &FieldQuestion) -> CommonGoals {
        self.led.number(question)
    }

    /// Bodies are counted again.
    pub(crate) fn begin_count(&mut self) {
        self.led.counts.fill(Count::default());
    }

    /// A body is under way to these goals.
    pub(crate) fn count(&mut self, common: &CommonGoals) {
        self.led.counts[common.number()].bodies += 1;
    }

    /// A body rests at these goals.
    pub(crate) fn count_resting(&mut self, common: &CommonGoals) {
        self.led.counts[common.number()].resting += 1;
    }

    /// Lets the fields by which many bodies go spread, with what repairs have left.
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
            if let Some(shared) = shared.filter(|shared| shared.version == view.grid.version())
                && let Some(field) = shared.field.cheapest_mut()
            {
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

    /// The fields that may lead bodies, on the maps as they are, by the [numbers](CommonGoals::number) of their goals.
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
        let field = shared.field.cheapest()?;
        (shared.version == view.grid.version() && field.is_done()).then_some(LeadingField {
            movement: question.movement,
            field,
            near: Cost::new(near),
        })
    }

    /// The way from a cell to goals, by the field that leads there.
    pub(crate) fn way_from(&mut self, common: &CommonGoals, cell: Cell) -> Option<(NearestAnswer, u64)> {
        let question = &self.led.known[common.number()].as_ref()?.question;
        let field = self.groups.get_mut(question)?.field.as_mut()?.field.cheapest_mut()?;
        let before = field.work();
        let answer = field.nearest_from(cell, u64::MAX)?.ok()?;
        Some((answer, field.work() - before))
    }
}
