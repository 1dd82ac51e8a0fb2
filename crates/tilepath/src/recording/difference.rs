//! What differs between two answers.

use crate::{
    finder::{
        PathFinder,
        fields::nearest::NearestAnswer,
        outcome::{Answer, Limit, Outcome, QueryError, Statistics},
        query::MovementId,
    },
    path::Path,
};
use std::fmt;

/// Which part of an answer differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AnswerField {
    /// Found, unreachable, limit reached, how many goals, or which error.
    Outcome,
    /// Which goal is the nearest, or the next nearest: its place in the list of goals.
    Goal,
    /// The cost of the path.
    Cost,
    /// The lower bound of the path.
    LowerBound,
    /// The number of cells of the path.
    Length,
    /// A cell of the path, by its place counted from 0.
    Cell(usize),
    /// The algorithm that ran.
    Algorithm,
    /// How many cells were expanded.
    Expanded,
    /// How many entries were put into the open list.
    Generated,
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
        })
    }
}

/// What differs between two answers to the same query.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The number of the query's entry; the first entry is 1.
    pub entry: usize,
    /// The part that differs.
    pub field: AnswerField,
    /// What was answered then.
    pub expected: String,
    /// What is answered now.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, field, expected, found } = self;
        write!(formatter, "entry {entry}, {field}: expected {expected}, found {found}")
    }
}

/// A field with both values.
type Values = (AnswerField, String, String);

/// The map, and the movement, by which a query is answered again.
pub(super) type Rules<'a> = (&'a PathFinder, MovementId);

/// The first thing in which two answers for a path differ.
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

/// The first thing in which two answers for the nearest goals differ.
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

/// Whether the answer of then was read from a field that answered many at once: nothing was expanded for it. Of equally cheap
/// paths it may be another than the one that a search finds.
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

/// The values, if they differ.
fn values<T: PartialEq + fmt::Display>(field: AnswerField, then: &T, now: &T) -> Option<Values> {
    (then != now).then(|| (field, then.to_string(), now.to_string()))
}

fn between_statistics(then: &Statistics, now: &Statistics) -> Option<Values> {
    values(AnswerField::Algorithm, &then.algorithm, &now.algorithm)
        .or_else(|| values(AnswerField::Expanded, &then.expanded, &now.expanded))
        .or_else(|| values(AnswerField::Generated, &then.generated, &now.generated))
}

/// The first thing in which two paths differ. One that was read from a field need not lead over the same cells: it has to be
/// allowed by the rules.
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

/// An outcome in a word or two.
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
