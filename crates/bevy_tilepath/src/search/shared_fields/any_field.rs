//! The fields that many ask, of one kind or the other.

use tilepath::{
    Algorithm, Cell, NearestAnswer, Path, PathFinder, QueryError, Statistics,
    field::{FieldQuery, FieldState, FieldUpdate, FlowField, NearField},
};

use super::FieldQuestion;

/// A near field counts as this part of its map: only the memory of its corridor is touched.
const NEAR_PART: usize = 8;

/// A field that many ask.
#[derive(Debug)]
pub(super) enum AnyField {
    /// Of cheapest ways.
    Cheapest(FlowField),
    /// Of ways near the cheapest.
    Near(NearField),
}

/// What a field answers one that asks.
#[derive(Debug)]
pub(crate) enum FieldAnswer {
    /// As [`FlowField::nearest_from`].
    Cheapest(Result<NearestAnswer, QueryError>),
    /// The way to the goal, if there is one.
    Near(Result<Option<Path>, QueryError>),
}

impl FieldAnswer {
    /// What was searched for that one alone, in a near field: nothing.
    pub(crate) fn near_statistics() -> Statistics {
        Statistics::of(Algorithm::Near, 0)
    }
}

impl AnyField {
    /// The number of costs that the field keeps, on a map of that many cells.
    pub(super) fn costs(question: &FieldQuestion, cells: usize) -> usize {
        match question.goals.len() {
            _ if question.is_near => cells / NEAR_PART,
            // With several goals it keeps for each cell also which of them comes first.
            2.. => cells * 2,
            _ => cells,
        }
    }

    pub(super) fn begin(question: &FieldQuestion, finder: &PathFinder) -> Result<Self, QueryError> {
        match question.goals.first() {
            Some(&goal) if question.is_near => finder.near_field(goal, question.movement).map(Self::Near),
            _ => {
                let query = FieldQuery::new(&*question.goals).with_movement(question.movement);
                finder.begin_field(&query).map(Self::Cheapest)
            }
        }
    }

    pub(super) fn update_within(
        &mut self,
        finder: &PathFinder,
        budget: u64,
    ) -> Result<FieldUpdate, QueryError> {
        match self {
            Self::Cheapest(field) => field.update_within(finder, budget),
            Self::Near(field) => field.update_within(finder, budget),
        }
    }

    /// The answer to one that stands on a cell, if there is one after so much work.
    pub(super) fn ask(&mut self, finder: &PathFinder, start: Cell, budget: u64) -> Option<FieldAnswer> {
        match self {
            Self::Cheapest(field) => field.nearest_from(start, budget).map(FieldAnswer::Cheapest),
            Self::Near(field) => {
                let cost = field.join_within(finder, start, budget)?;
                Some(FieldAnswer::Near(cost.map(|cost| cost.and_then(|_| field.path_from(start)))))
            }
        }
    }

    /// Whether it knows what a cell costs.
    pub(super) fn knows(&self, cell: Cell) -> bool {
        match self {
            Self::Cheapest(field) => matches!(field.state(cell), FieldState::Settled(_)),
            Self::Near(field) => field.cost(cell).is_some(),
        }
    }

    /// Whether there is no cell any more to which it could come. A near field may always be let into other chunks.
    pub(super) fn is_done(&self) -> bool {
        self.cheapest().is_some_and(FlowField::is_done)
    }

    pub(super) fn work(&self) -> u64 {
        match self {
            Self::Cheapest(field) => field.work(),
            Self::Near(field) => field.work(),
        }
    }

    pub(super) fn cheapest(&self) -> Option<&FlowField> {
        match self {
            Self::Cheapest(field) => Some(field),
            Self::Near(_) => None,
        }
    }

    pub(super) fn cheapest_mut(&mut self) -> Option<&mut FlowField> {
        match self {
            Self::Cheapest(field) => Some(field),
            Self::Near(_) => None,
        }
    }
}
