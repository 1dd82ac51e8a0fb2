//! Running a recording again.

use crate::{
    finder::{
        PathFinder,
        outcome::{Answer, Outcome, QueryError},
        query::PathQuery,
    },
    path::Path,
    recording::{EntryFault, RecordedEntry, Recording, finder},
};
use std::fmt;
use thiserror::Error;

/// What a replay has done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// Edits of cells.
    pub edits: usize,
    /// Answers that were compared.
    pub answers: usize,
    /// Answers that were another than the recorded one.
    pub different: usize,
    /// Queries to which no answer was recorded; they were not asked again.
    pub unanswered: usize,
}

impl fmt::Display for Replayed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edits, answers, different, unanswered } = self;
        write!(formatter, "answers {answers}, different {different}, unanswered {unanswered}, edits {edits}")
    }
}

/// A query that was answered again.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReplayedAnswer<'a> {
    /// The number of its entry; the first entry is 1.
    pub entry: usize,
    /// Map and movements as they are when the query is asked.
    pub finder: &'a PathFinder,
    /// What was asked.
    pub query: &'a PathQuery,
    /// What was answered then.
    pub expected: &'a Result<Answer, QueryError>,
    /// What is answered now.
    pub found: &'a Result<Answer, QueryError>,
    /// The first thing in which the two differ.
    pub difference: Option<&'a Difference>,
}

/// Which part of an answer differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AnswerField {
    /// Found, unreachable, limit reached, or which error.
    Outcome,
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

/// Why a replay is not as the recording.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// An answer is another than the recorded one. All others were compared too.
    #[error(
        "{first} ({replayed}); the recording was made by another version, or please report this with its file"
    )]
    Different {
        /// The first difference.
        first: Difference,
        /// What was done.
        replayed: Replayed,
    },
    /// An entry cannot be replayed. (Recordings that were read from a text have none of these.)
    #[error("entry {entry}: {fault}")]
    Entry {
        /// Its number; the first entry is 1. 0 stands for what is recorded before the first entry.
        entry: usize,
        /// What is wrong with it.
        fault: EntryFault,
    },
}

impl Recording {
    /// Runs everything again and compares each answer bit for bit: outcome, costs, every cell, and the work. The observer is
    /// told of each answer.
    ///
    /// # Errors
    /// [`ReplayError::Different`] with the first difference, after all answers were compared.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{AnswerField, Cell, Grid, Movement, PathFinder, PathQuery, Recorder, Recording, ReplayError};
    /// let finder = PathFinder::new(Grid::new(4, 1, 1)?, Movement::new());
    /// let mut recorder = Recorder::new(&finder);
    /// recorder.solve(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(3, 0)))?;
    /// let text = recorder.recording().to_ron();
    ///
    /// let forged = Recording::from_text(&text.replace("(cost: 30", "(cost: 31"))?;
    /// let Err(ReplayError::Different { first, .. }) = forged.replay(|_| ()) else { panic!("the cost is another") };
    /// assert_eq!((first.entry, first.field), (1, AnswerField::Cost));
    /// assert_eq!(first.to_string(), "entry 1, cost: expected 31, found 30");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replay(&self, mut observer: impl FnMut(&ReplayedAnswer<'_>)) -> Result<Replayed, ReplayError> {
        let at = |entry| move |fault| ReplayError::Entry { entry, fault };
        let mut finder = finder(&self.grid, &self.movements).map_err(at(0))?;
        let mut replayed = Replayed::default();
        let mut first = None;
        for (entry, recorded) in (1..).zip(&self.entries) {
            match recorded {
                RecordedEntry::Query { query, answer: Some(expected) } => {
                    let found = &finder.solve(query);
                    let difference = difference(entry, expected, found);
                    let finder = &finder;
                    let difference_ref = difference.as_ref();
                    observer(&ReplayedAnswer {
                        entry,
                        finder,
                        query,
                        expected,
                        found,
                        difference: difference_ref,
                    });
                    replayed.answers += 1;
                    replayed.different += usize::from(difference.is_some());
                    first = first.or(difference);
                }
                RecordedEntry::Query { answer: None, .. } => replayed.unanswered += 1,
                RecordedEntry::Edit { .. } => {
                    apply(&mut finder, recorded).map_err(at(entry))?;
                    replayed.edits += 1;
                }
                RecordedEntry::Movement { .. } | RecordedEntry::Map { .. } => {
                    apply(&mut finder, recorded).map_err(at(entry))?;
                }
            }
        }
        match first {
            None => Ok(replayed),
            Some(first) => Err(ReplayError::Different { first, replayed }),
        }
    }
}

/// Does to the finder what an entry says; queries do nothing to it.
fn apply(replayed: &mut PathFinder, entry: &RecordedEntry) -> Result<(), EntryFault> {
    match entry {
        RecordedEntry::Edit { cell, terrain } => {
            replayed.set_terrain(*cell, *terrain)?;
        }
        RecordedEntry::Movement { id, movement } => {
            let count = replayed.movements().count();
            if id.index() > count {
                return Err(EntryFault::MovementGap { id: *id, count });
            }
            if replayed.set_movement(*id, movement.clone()).is_err() {
                replayed.push_movement(movement.clone());
            }
        }
        RecordedEntry::Map { grid, movements } => *replayed = finder(grid, movements)?,
        RecordedEntry::Query { .. } => {}
    }
    Ok(())
}

/// The first thing in which two answers differ.
fn difference(
    entry: usize,
    expected: &Result<Answer, QueryError>,
    found: &Result<Answer, QueryError>,
) -> Option<Difference> {
    let differ = |field, expected: String, found: String| Some(Difference { entry, field, expected, found });
    let (then, now) = match (expected, found) {
        (Ok(then), Ok(now)) => (then, now),
        _ if expected == found => return None,
        _ => return differ(AnswerField::Outcome, outcome_of(expected), outcome_of(found)),
    };
    if outcome_of(expected) != outcome_of(found) {
        return differ(AnswerField::Outcome, outcome_of(expected), outcome_of(found));
    }
    if let (Some(then), Some(now)) = (then.outcome.path_or_closest(), now.outcome.path_or_closest())
        && let Some((field, then, now)) = path_difference(then, now)
    {
        return differ(field, then, now);
    }
    let (then, now) = (&then.statistics, &now.statistics);
    if then.algorithm != now.algorithm {
        return differ(AnswerField::Algorithm, then.algorithm.to_string(), now.algorithm.to_string());
    }
    if then.expanded != now.expanded {
        return differ(AnswerField::Expanded, then.expanded.to_string(), now.expanded.to_string());
    }
    if then.generated != now.generated {
        return differ(AnswerField::Generated, then.generated.to_string(), now.generated.to_string());
    }
    debug_assert!(expected == found, "every field was compared");
    None
}

fn path_difference(then: &Path, now: &Path) -> Option<(AnswerField, String, String)> {
    let differ = |field, then: &dyn fmt::Display, now: &dyn fmt::Display| {
        Some((field, then.to_string(), now.to_string()))
    };
    if then.cost() != now.cost() {
        return differ(AnswerField::Cost, &then.cost(), &now.cost());
    }
    if then.lower_bound() != now.lower_bound() {
        return differ(AnswerField::LowerBound, &then.lower_bound(), &now.lower_bound());
    }
    let pairs = || then.cells().iter().zip(now.cells());
    if let Some((place, (then, now))) = pairs().enumerate().find(|(_, (then, now))| then != now) {
        return differ(AnswerField::Cell(place), then, now);
    }
    (then.cells().len() != now.cells().len())
        .then(|| (AnswerField::Length, then.cells().len().to_string(), now.cells().len().to_string()))
}

/// An outcome in a word or two; of errors all that they say.
fn outcome_of(answer: &Result<Answer, QueryError>) -> String {
    match answer {
        Ok(answer) => match &answer.outcome {
            Outcome::Found(_) => "found".to_owned(),
            Outcome::Unreachable { closest: None } => "unreachable".to_owned(),
            Outcome::Unreachable { closest: Some(_) } => "unreachable, with the closest cell".to_owned(),
            Outcome::LimitReached { .. } => "limit reached".to_owned(),
        },
        Err(error) => error.to_string(),
    }
}
