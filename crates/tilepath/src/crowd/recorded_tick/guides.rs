//! Guides that record answers, or return recorded ones.

use super::{Answer, Question};
use crate::{
    bounds::Slot,
    cell::Direction,
    cost::Cost,
    crowd::{BodyId, EFFORT_PER_STRAIGHT_STEP, Guide, Surroundings},
    exits::Exits,
};
use std::collections::BTreeMap;

/// A guide that calls another guide and records its answers. Equal questions have equal answers.
pub(super) struct NotingGuide<'guide, G> {
    pub(super) guide: &'guide mut G,
    pub(super) answers: BTreeMap<Question, Answer>,
}

impl<G: Guide> Guide for NotingGuide<'_, G> {
    fn exits(&mut self, body: BodyId, slot: Slot) -> Exits {
        let exits = self.guide.exits(body, slot);
        self.answers.insert(Question::Exits(body.0, slot as u32), Answer::Exits(exits.bits()));
        exits
    }

    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost> {
        let rest = self.guide.rest(body, slot);
        self.answers.insert(Question::Rest(body.0, slot as u32), Answer::Rest(rest));
        rest
    }

    fn step_cost(&mut self, body: BodyId, entered: Slot, direction: Direction) -> Cost {
        let cost = self.guide.step_cost(body, entered, direction);
        let question = Question::StepCost(body.0, entered as u32, direction as u8);
        self.answers.insert(question, Answer::StepCost(cost));
        cost
    }

    fn look_around(&mut self, body: BodyId, slot: Slot, offsets: &[isize; 8]) -> Surroundings {
        let seen = self.guide.look_around(body, slot, offsets);
        let Surroundings { exits, rest, rests, step_costs } = seen;
        let answer = Answer::Around { exits: exits.bits(), rest, rests, step_costs };
        self.answers.insert(Question::Around(body.0, slot as u32), answer);
        seen
    }

    fn effort(&mut self, body: BodyId, entered: Slot, direction: Direction) -> u32 {
        let effort = self.guide.effort(body, entered, direction);
        let question = Question::Effort(body.0, entered as u32, direction as u8);
        self.answers.insert(question, Answer::Effort(effort));
        effort
    }
}

/// A guide that returns recorded answers. Without a recorded answer, a cell is closed.
pub(super) struct AnsweringGuide {
    pub(super) answers: BTreeMap<Question, Answer>,
    /// The ids of the recorded bodies, by their index in the restored crowd.
    pub(super) ids: Vec<u32>,
    /// The first body and slot without a recorded answer.
    pub(super) unknown: Option<(u32, u32)>,
}

impl AnsweringGuide {
    fn id(&self, body: BodyId) -> u32 {
        self.ids[body.index()]
    }

    fn answer(&mut self, question: Question) -> Option<Answer> {
        let answer = self.answers.get(&question).copied();
        if answer.is_none() {
            let (Question::Exits(body, slot)
            | Question::Rest(body, slot)
            | Question::StepCost(body, slot, _)
            | Question::Around(body, slot)
            | Question::Effort(body, slot, _)) = question;
            self.unknown.get_or_insert((body, slot));
        }
        answer
    }
}

impl Guide for AnsweringGuide {
    fn exits(&mut self, body: BodyId, slot: Slot) -> Exits {
        match self.answer(Question::Exits(self.id(body), slot as u32)) {
            Some(Answer::Exits(exits)) => Exits::from_bits(exits),
            _ => Exits::from_bits(0),
        }
    }

    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost> {
        match self.answer(Question::Rest(self.id(body), slot as u32)) {
            Some(Answer::Rest(rest)) => rest,
            _ => None,
        }
    }

    fn step_cost(&mut self, body: BodyId, entered: Slot, direction: Direction) -> Cost {
        match self.answer(Question::StepCost(self.id(body), entered as u32, direction as u8)) {
            Some(Answer::StepCost(cost)) => cost,
            _ => Cost::MAX,
        }
    }

    fn look_around(&mut self, body: BodyId, slot: Slot, _offsets: &[isize; 8]) -> Surroundings {
        match self.answer(Question::Around(self.id(body), slot as u32)) {
            Some(Answer::Around { exits, rest, rests, step_costs }) => {
                Surroundings { exits: Exits::from_bits(exits), rest, rests, step_costs }
            }
            _ => Surroundings {
                exits: Exits::from_bits(0),
                rest: Cost::MAX,
                rests: [Cost::MAX; 8],
                step_costs: [Cost::ZERO; 8],
            },
        }
    }

    fn effort(&mut self, body: BodyId, entered: Slot, direction: Direction) -> u32 {
        match self.answer(Question::Effort(self.id(body), entered as u32, direction as u8)) {
            Some(Answer::Effort(effort)) => effort,
            _ => EFFORT_PER_STRAIGHT_STEP,
        }
    }
}
