//! The differences between two answers.

use crate::{
    crowd::{StoredBody, TickDifference},
    finder::{
        PathFinder,
        fields::nearest::NearestAnswer,
        outcome::{Answer, Limit, Outcome, QueryError, Statistics},
        query::MovementId,
    },
    path::Path,
};
use std::fmt;

/// A part of an answer that a replay compares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AnswerField {
    /// The outcome of the query: found, unreachable or limit reached, the number of goals found, or
    /// the error.
    Outcome,
    /// The index of a found goal in the list of goals.
    Goal,
    /// The cost of the path.
    Cost,
    /// The proven lower bound of the cost of the path.
    LowerBound,
    /// The number of cells of the path.
    Length,
    /// The cell of the path at this index, from 0.
    Cell(usize),
    /// The algorithm that ran.
    Algorithm,
    /// The number of expanded cells.
    Expanded,
    /// The number of entries put into the open list.
    Generated,
    /// The step of a body in a crowd.
    Body,
}

impl fmt::Display for AnswerField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Outcome => "outcome",
            Self::Goal => "goal",
            Self::Cost => "cost",
            Self::LowerBound => "lower bound",
            Self::Length => "number of cells",
            Self::Cell(place) => return write!(formatter, "cell {place}"),
            Self::Algorithm => "algorithm",
            Self::Expanded => "cells expanded",
            Self::Generated => "entries generated",
            Self::Body => "body",
        })
    }
}

/// A difference between the recorded answer to a query and the answer of a replay.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The number of the query's entry in the recording. The first entry has the number 1.
    pub entry: usize,
    /// The part of the answers that differs.
    pub field: AnswerField,
    /// The recorded value.
    pub expected: String,
    /// The value in the replay.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, field, expected, found } = self;
        write!(formatter, "entry {entry}, {field}: expected {expected}, found {found}")
    }
}

/// A field with both values: recorded and now.
type Values = (AnswerField, String, String);

/// The map and the movement with which a query is answered again.
pub(super) type Rules<'a> = (&'a PathFinder, MovementId);

/// Returns the first difference between two answers for a path.
pub(super) fn between_answers(
    entry: usize,
    rules: Rules<'_>,
    then: &Result<Answer, QueryError>,
    now: &Result<Answer, QueryError>,
) -> Option<Difference> {
    let is_read = matches!((then, now), (Ok(then), Ok(now)) if is_read(&then.statistics, &now.statistics));
    between(entry, is_read, then, now, outcome_of, |then, now| {
        let paths = then.outcome.path_or_closest().zip(now.outcome.path_or_closest());
        (paths.and_then(|(then, now)| between_paths(then, now, is_read.then_some(rules))))
            .or_else(|| between_statistics(&then.statistics, &now.statistics).filter(|_| !is_read))
    })
}

/// Returns the first difference between two answers for the nearest goals.
pub(super) fn between_nearest(
    entry: usize,
    rules: Rules<'_>,
    then: &Result<NearestAnswer, QueryError>,
    now: &Result<NearestAnswer, QueryError>,
) -> Option<Difference> {
    let count = |answer: &NearestAnswer| format!("{} goals", answer.goals.len());
    let is_read = matches!((then, now), (Ok(then), Ok(now)) if is_read(&then.statistics, &now.statistics));
    between(entry, is_read, then, now, count, |then, now| {
        (then.goals.iter().zip(&now.goals))
            .find_map(|(then, now)| {
                values(AnswerField::Goal, &then.index, &now.index)
                    .or_else(|| between_paths(&then.path, &now.path, is_read.then_some(rules)))
            })
            .or_else(|| between_statistics(&then.statistics, &now.statistics).filter(|_| !is_read))
    })
}

/// Returns whether the recorded answer was read from a field that answers many queries: then it
/// expanded nothing. If several paths are equally cheap, it may hold another one than a search
/// finds.
fn is_read(then: &Statistics, now: &Statistics) -> bool {
    then.expanded == 0 && now.expanded > 0
}

fn between<A: PartialEq>(
    entry: usize,
    is_read: bool,
    then: &Result<A, QueryError>,
    now: &Result<A, QueryError>,
    outcome: impl Fn(&A) -> String,
    parts: impl Fn(&A, &A) -> Option<Values>,
) -> Option<Difference> {
    let describe = |answer: &Result<A, QueryError>| match answer {
        Ok(answer) => outcome(answer),
        Err(error) => error.to_string(),
    };
    let found = values(AnswerField::Outcome, &describe(then), &describe(now)).or_else(|| match (then, now) {
        (Ok(then), Ok(now)) => parts(then, now),
        _ => None,
    });
    debug_assert!(found.is_some() || then == now || is_read, "every field was compared");
    found.map(|(field, expected, found)| Difference { entry, field, expected, found })
}

/// Returns the field with both values, if they differ.
fn values<T: PartialEq + fmt::Display>(field: AnswerField, then: &T, now: &T) -> Option<Values> {
    (then != now).then(|| (field, then.to_string(), now.to_string()))
}

fn between_statistics(then: &Statistics, now: &Statistics) -> Option<Values> {
    values(AnswerField::Algorithm, &then.algorithm, &now.algorithm)
        .or_else(|| values(AnswerField::Expanded, &then.expanded, &now.expanded))
        .or_else(|| values(AnswerField::Generated, &then.generated, &now.generated))
}

/// Returns the first difference between two paths. A path that was read from a field may lead over
/// other cells, but the rules must allow it.
fn between_paths(then: &Path, now: &Path, read_by: Option<Rules<'_>>) -> Option<Values> {
    let costs = values(AnswerField::Cost, &then.cost(), &now.cost())
        .or_else(|| values(AnswerField::LowerBound, &then.lower_bound(), &now.lower_bound()));
    if costs.is_some() {
        return costs;
    }
    if let Some((finder, movement)) = read_by {
        let fault = || finder.movement(movement).and_then(|rules| then.verify(finder.grid(), rules).err());
        return values(AnswerField::Cell(0), &then.start(), &now.start())
            .or_else(|| values(AnswerField::Goal, &then.goal(), &now.goal()))
            .or_else(|| {
                fault().map(|fault| (AnswerField::Cost, then.cost().to_string(), fault.to_string()))
            });
    }
    let mut cells = then.cells().iter().zip(now.cells()).enumerate();
    (cells.find_map(|(place, (then, now))| values(AnswerField::Cell(place), then, now)))
        .or_else(|| values(AnswerField::Length, &then.cells().len(), &now.cells().len()))
}

/// Returns a short text for an outcome.
fn outcome_of(answer: &Answer) -> String {
    match &answer.outcome {
        Outcome::Found(_) => "found",
        Outcome::Unreachable { closest: None } => "unreachable",
        Outcome::Unreachable { closest: Some(_) } => "unreachable, with the closest cell",
        Outcome::LimitReached { limit: Limit::Expansions, .. } => "limit reached",
        Outcome::LimitReached { limit: Limit::Cost, .. } => "cost limit reached",
        Outcome::LimitReached { limit: Limit::Length, .. } => "length limit reached",
    }
    .to_owned()
}

/// Returns the difference between the decisions of a crowd then and now.
pub(super) fn between_ticks(entry: usize, difference: &TickDifference) -> Difference {
    let step = |body: &StoredBody| format!("body {} from {} to {}", body.number, body.from, body.to);
    let (expected, found) = match difference {
        TickDifference::Body { recorded, replayed } => (step(recorded), step(replayed)),
        other => ("the decisions of the recording".to_owned(), other.to_string()),
    };
    Difference { entry, field: AnswerField::Body, expected, found }
}
