//! Recordings of queries and answers, and their replay.
//!
//! A [`Recording`] holds a map, movements, edits, queries and answers. It can be written to one
//! file for a bug report. A replay checks whether this version of the crate gives the same answers.
//!
//! Decision: `docs/decisions/27-recordings.md`.

pub(crate) mod difference;
pub(crate) mod error;
mod file;
pub(crate) mod recorder;
pub(crate) mod replay;
mod stored_entry;

pub use self::{
    difference::{AnswerField, Difference},
    error::{RecordingFault, RecordingFileError},
    recorder::{QueryNumber, Recorder, UnknownQuery},
    replay::{ReplayError, Replayed, ReplayedAnswer, ReplayedQuestion},
};

use crate::{
    bounds::GridError,
    crowd::{RecordedTick, RecordedTickError},
    edit::Edit,
    finder::{
        PathFinder,
        fields::{nearest::NearestAnswer, query::NearestQuery},
        outcome::{Answer, QueryError},
        query::{MovementId, PathQuery},
    },
    grid::Grid,
    movement::Movement,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The queries and answers of a [`PathFinder`], with its map and its edits.
///
/// A [`Recorder`] makes a recording. [`to_ron`](Self::to_ron) writes it as text, and
/// [`from_text`](Self::from_text) reads the text. [`replay`](Self::replay) runs the queries again.
///
/// # Memory
/// The maps, the edits, and the paths of all answers.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, recording::{Recorder, Recording}};
/// let mut finder = PathFinder::new(Grid::new(9, 5, 1)?, Movement::new());
/// let mut recorder = Recorder::new(&finder);
/// let query = PathQuery::new(Cell::new(0, 2), Cell::new(8, 2));
/// recorder.solve(&finder, &query)?;
/// finder.set_terrain(Cell::new(4, 2), 0)?; // adds a wall
/// recorder.solve(&finder, &query)?;
///
/// let text = recorder.recording().to_ron(); // one file
/// let replayed = Recording::from_text(&text)?.replay(|_| ())?;
/// assert_eq!((replayed.edits, replayed.answers), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recording {
    /// The version of this crate that gave the answers.
    crate_version: String,
    grid: Grid,
    /// There is at least one.
    movements: Vec<Movement>,
    entries: Vec<RecordedEntry>,
}

/// An entry of a recording: an edit, a change of movements or map, or a query.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "stored_entry::StoredEntry")]
#[non_exhaustive]
pub enum RecordedEntry {
    /// The map was edited. For each cell, a recorder stores the difference between the map now and
    /// the map at the entry before.
    ///
    /// If all exits of a cell were closed one by one, the edit sets a cell without exits. A replay
    /// accepts this edit, but [`Grid::edit`] returns an error for it.
    Edits(Vec<Edit>),
    /// A movement was replaced or added. The id of an added movement is the number of movements
    /// before it.
    Movement {
        /// The id of the movement.
        id: MovementId,
        /// The new movement.
        movement: Movement,
    },
    /// A movement was removed.
    Removed {
        /// The id of the removed movement.
        id: MovementId,
    },
    /// Another map replaced the map of the recording so far.
    Map {
        /// The new map.
        grid: Grid,
        /// The movements of the new map.
        movements: Vec<Movement>,
    },
    /// A query for a path.
    Query {
        /// The query.
        query: PathQuery,
        /// The answer; `None` if no answer was recorded.
        #[serde(default)]
        answer: Option<Result<Answer, QueryError>>,
    },
    /// A query for the nearest goals of a list: one goal or several.
    Nearest {
        /// The query.
        query: NearestQuery,
        /// The answer; `None` if no answer was recorded.
        #[serde(default)]
        answer: Option<Result<NearestAnswer, QueryError>>,
    },
    /// The decisions of a crowd on the map in one tick.
    Crowd(Box<RecordedTick>),
}

/// A reason why an entry of a recording cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EntryFault {
    /// The edit cannot be made on the map.
    #[error(transparent)]
    Edit(#[from] GridError),
    /// The map has no movement.
    #[error("there is no movement; a map needs at least one")]
    NoMovement,
    /// The movement to be removed does not exist, or it is the first movement.
    #[error("the movement {id:?} cannot be removed: there are {count}, and the first one stays")]
    NotRemovable {
        /// The id of the movement.
        id: MovementId,
        /// The number of movements.
        count: usize,
    },
    /// The id of a new movement is higher than the number of movements, so ids in between would
    /// have no movement.
    #[error(
        "the id of the movement is {id:?}, but there are only {count} before it; number them without gaps"
    )]
    MovementGap {
        /// The id of the movement.
        id: MovementId,
        /// The number of movements.
        count: usize,
    },
    /// The decisions of a crowd are invalid.
    #[error(transparent)]
    Crowd(#[from] RecordedTickError),
}

impl Recording {
    /// Returns the version of the crate that recorded the answers.
    #[must_use]
    pub fn crate_version(&self) -> &str {
        &self.crate_version
    }

    /// Returns the map at the beginning of the recording.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the movements at the beginning of the recording, in the order of their ids.
    #[must_use]
    pub fn movements(&self) -> &[Movement] {
        &self.movements
    }

    /// Returns the entries, in the order in which they were recorded.
    #[must_use]
    pub fn entries(&self) -> &[RecordedEntry] {
        &self.entries
    }

    /// Returns the number of queries, with or without an answer.
    #[must_use]
    pub fn query_count(&self) -> usize {
        let is_query = |entry: &&RecordedEntry| {
            matches!(entry, RecordedEntry::Query { .. } | RecordedEntry::Nearest { .. })
        };
        self.entries.iter().filter(is_query).count()
    }
}

/// Returns a finder for a map, with these movements under these ids.
fn finder(grid: &Grid, movements: &[Movement]) -> Result<PathFinder, EntryFault> {
    let (first, others) = movements.split_first().ok_or(EntryFault::NoMovement)?;
    let mut finder = PathFinder::new(grid.clone(), first.clone());
    for movement in others {
        finder.add_movement(movement.clone());
    }
    Ok(finder)
}
