//! The two kinds of shared fields.

use tilepath::{
    Algorithm, Cell, NearestAnswer, Path, PathFinder, QueryError, Statistics,
    field::{FieldQuery, FieldState, FieldUpdate, FlowField, NearField},
};

use super::FieldQuestion;

/// The divisor of a near field's size: only the memory of its corridor is touched, so it counts as
/// this part of its map.
const NEAR_PART: usize = 8;

/// A field that many orders share.
#[derive(Debug)]
pub(super) enum AnyField {
    /// A field of cheapest paths.
    Cheapest(FlowField),
    /// A field of near paths.
    Near(NearField),
}

/// The answer of a field.
#[derive(Debug)]
pub(crate) enum FieldAnswer {
    /// The result of [`FlowField::nearest_from`].
    Cheapest(Result<NearestAnswer, QueryError>),
    /// The path to the goal, if there is one.
    Near(Result<Option<Path>, QueryError>),
}

impl FieldAnswer {
    /// Returns the statistics of a path from a near field: no cell was searched for this path
    /// alone.
    pub(crate) fn near_statistics() -> Statistics {
        Statistics::of(Algorithm::Near, 0)
    }
}

impl AnyField {
    /// Returns the number of costs that the field keeps, on a map with this many cells.
    pub(super) fn costs(question: &FieldQuestion, cells: usize) -> usize {
        match question.goals.len() {
            _ if question.is_near => cells / NEAR_PART,
            // With several goals it keeps for each cell also the goal that comes first.
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

    /// Returns the answer for an entity on a cell, if there is one within this work.
    pub(super) fn ask(&mut self, finder: &PathFinder, start: Cell, budget: u64) -> Option<FieldAnswer> {
        match self {
            Self::Cheapest(field) => field.nearest_from(start, budget).map(FieldAnswer::Cheapest),
            Self::Near(field) => {
                let cost = field.join_within(finder, start, budget)?;
                Some(FieldAnswer::Near(cost.map(|cost| cost.and_then(|_| field.path_from(start)))))
            }
        }
    }

    /// Returns whether the cost of a cell is known.
    pub(super) fn knows(&self, cell: Cell) -> bool {
        match self {
            Self::Cheapest(field) => matches!(field.state(cell), FieldState::Settled(_)),
            Self::Near(field) => field.cost(cell).is_some(),
        }
    }

    /// Returns whether the field is complete. A near field never is: it may always spread into
    /// other chunks.
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
