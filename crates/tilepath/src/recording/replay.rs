//! The replay of a recording.

use crate::{
    crowd::{RecordedTick, TickDifference},
    finder::{
        PathFinder,
        fields::{
            nearest::{NearestAnswer, NearestSearch},
            query::NearestQuery,
        },
        outcome::{Answer, QueryError},
        query::PathQuery,
    },
    recording::{
        EntryFault, RecordedEntry, Recording,
        difference::{Difference, between_answers, between_nearest, between_ticks},
        finder,
    },
};
use std::fmt;
use thiserror::Error;

/// The numbers of edits and answers in a replay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The number of edits of the map.
    pub edits: usize,
    /// The number of answers that were compared.
    pub answers: usize,
    /// The number of answers that differ from the recorded ones.
    pub different: usize,
    /// The number of queries without a recorded answer. The replay did not run these queries.
    pub unanswered: usize,
}

impl fmt::Display for Replayed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edits, answers, different, unanswered } = self;
        write!(formatter, "answers {answers}, different {different}, unanswered {unanswered}, edits {edits}")
    }
}

/// A query that a replay has answered again.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ReplayedAnswer<'a> {
    /// The number of the query's entry in the recording. The first entry has the number 1.
    pub entry: usize,
    /// The finder, with the map and the movements that the query used.
    pub finder: &'a PathFinder,
    /// The query, the recorded answer and the answer of the replay.
    pub question: ReplayedQuestion<'a>,
    /// The first difference between the two answers; `None` if the replay found no difference.
    pub difference: Option<&'a Difference>,
}

/// A query with its recorded answer and the answer of the replay.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ReplayedQuestion<'a> {
    /// A query for a path.
    Path {
        /// The query.
        query: &'a PathQuery,
        /// The recorded answer.
        expected: &'a Result<Answer, QueryError>,
        /// The answer of the replay.
        found: &'a Result<Answer, QueryError>,
    },
    /// A query for the nearest goals of a list.
    Nearest {
        /// The query.
        query: &'a NearestQuery,
        /// The recorded answer.
        expected: &'a Result<NearestAnswer, QueryError>,
        /// The answer of the replay.
        found: &'a Result<NearestAnswer, QueryError>,
    },
    /// The decisions of a crowd.
    Crowd {
        /// The recorded tick.
        tick: &'a RecordedTick,
        /// The difference of this version's decisions, if there is one.
        difference: Option<&'a TickDifference>,
    },
}

impl ReplayedQuestion<'_> {
    fn difference(&self, entry: usize, finder: &PathFinder) -> Option<Difference> {
        match self {
            Self::Path { query, expected, found } => {
                between_answers(entry, (finder, query.movement()), expected, found)
            }
            Self::Nearest { query, expected, found } => {
                between_nearest(entry, (finder, query.movement()), expected, found)
            }
            Self::Crowd { difference, .. } => difference.map(|difference| between_ticks(entry, difference)),
        }
    }
}

/// A reason why a replay does not match the recording.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// At least one answer differs from the recorded answer. All other answers were compared too.
    #[error("{first} ({replayed}); if this version made the recording, please report this with the file")]
    Different {
        /// The first difference.
        first: Difference,
        /// The numbers of edits and answers in the replay.
        replayed: Replayed,
    },
    /// An entry of the recording cannot be replayed. This does not happen to recordings that were
    /// read from a text.
    #[error("entry {entry}: {fault}")]
    Entry {
        /// The number of the entry. The first entry has the number 1. The number 0 stands for the
        /// state before the first entry.
        entry: usize,
        /// The fault of the entry.
        fault: EntryFault,
    },
}

impl Recording {
    /// Runs all queries with a recorded answer again, and compares each answer bit for bit:
    /// outcome, costs, every cell of the path, algorithm, and the numbers of expanded cells and of
    /// entries put into the open list. `observer` is called for each answer.
    ///
    /// Some recorded answers were read from a [flow field](crate::field::FlowField) that answers
    /// many queries. They have 0 expanded cells, but the search of the replay expands cells. For
    /// these answers the replay compares only outcome, goal and costs. The recorded path may be
    /// another path of equal cost, if the movement allows its steps.
    ///
    /// # Errors
    /// [`ReplayError::Different`] with the first difference. It is returned after all answers were
    /// compared. [`ReplayError::Entry`] at the first entry that cannot be replayed.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{
    ///     Cell, Grid, Movement, PathFinder, PathQuery,
    ///     recording::{AnswerField, Recorder, Recording, ReplayError},
    /// };
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
            let (path, nearest, crowd);
            let question = match recorded {
                RecordedEntry::Query { query, answer: Some(expected) } => {
                    path = finder.solve(query);
                    ReplayedQuestion::Path { query, expected, found: &path }
                }
                RecordedEntry::Nearest { query, answer: Some(expected) } => {
                    nearest = finder.begin_nearest(query).and_then(NearestSearch::finish);
                    ReplayedQuestion::Nearest { query, expected, found: &nearest }
                }
                RecordedEntry::Crowd(tick) => {
                    crowd = tick.replay().err();
                    ReplayedQuestion::Crowd { tick, difference: crowd.as_ref() }
                }
                RecordedEntry::Query { .. } | RecordedEntry::Nearest { .. } => {
                    replayed.unanswered += 1;
                    continue;
                }
                _ => {
                    apply(&mut finder, recorded).map_err(at(entry))?;
                    if let RecordedEntry::Edits(edits) = recorded {
                        replayed.edits += edits.len();
                    }
                    continue;
                }
            };
            let difference = question.difference(entry, &finder);
            observer(&ReplayedAnswer { entry, finder: &finder, question, difference: difference.as_ref() });
            replayed.answers += 1;
            replayed.different += usize::from(difference.is_some());
            first = first.or(difference);
        }
        match first {
            None => Ok(replayed),
            Some(first) => Err(ReplayError::Different { first, replayed }),
        }
    }
}

/// Applies an entry to the finder; queries change nothing.
fn apply(replayed: &mut PathFinder, entry: &RecordedEntry) -> Result<(), EntryFault> {
    match entry {
        RecordedEntry::Edits(edits) => {
            replayed.restore(edits)?;
        }
        RecordedEntry::Movement { id, movement } => {
            let count = replayed.kept_movements().len();
            if id.index() > count {
                return Err(EntryFault::MovementGap { id: *id, count });
            }
            replayed.put_movement(id.index(), movement.clone());
        }
        RecordedEntry::Removed { id } => {
            let count = replayed.kept_movements().len();
            replayed.remove_movement(*id).map_err(|_| EntryFault::NotRemovable { id: *id, count })?;
        }
        RecordedEntry::Map { grid, movements } => *replayed = finder(grid, movements)?,
        RecordedEntry::Query { .. } | RecordedEntry::Nearest { .. } | RecordedEntry::Crowd(_) => {}
    }
    Ok(())
}
