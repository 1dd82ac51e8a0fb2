//! What was asked and answered, in one value: map, movements, edits, queries, answers. So a bug report is one file, and a
//! replay says whether this version answers as that one did.

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

/// What was asked of a [`PathFinder`], on which map, after which edits, and what it answered.
///
/// Made by a [`Recorder`], written with [`to_ron`](Self::to_ron) or [`to_json`](Self::to_json), read with
/// [`from_text`](Self::from_text) and run again with [`replay`](Self::replay).
///
/// # Memory
/// The map, and every path that was answered.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, recording::{Recorder, Recording}};
/// let mut finder = PathFinder::new(Grid::new(9, 5, 1)?, Movement::new());
/// let mut recorder = Recorder::new(&finder);
/// let query = PathQuery::new(Cell::new(0, 2), Cell::new(8, 2));
/// recorder.solve(&finder, &query)?;
/// finder.set_terrain(Cell::new(4, 2), 0)?; // a wall goes up
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
    /// One at least.
    movements: Vec<Movement>,
    entries: Vec<RecordedEntry>,
}

/// Something that happened during a recording.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "stored_entry::StoredEntry")]
#[non_exhaustive]
pub enum RecordedEntry {
    /// The map was edited. A recorder writes what the edits since the entry before have led to, cell by cell.
    ///
    /// Cells whose exits were closed one by one may have none left. An edit that says so can be replayed, but is refused by
    /// [`Grid::edit`].
    Edits(Vec<Edit>),
    /// A movement was put in the place of another, or was added: then its id is the number of movements so far.
    Movement {
        /// Its id.
        id: MovementId,
        /// The movement.
        movement: Movement,
    },
    /// A movement was taken out.
    Removed {
        /// Its id.
        id: MovementId,
    },
    /// Another map came in the place of the last one.
    Map {
        /// The map.
        grid: Grid,
        /// Its movements.
        movements: Vec<Movement>,
    },
    /// A path was asked for.
    Query {
        /// What was asked.
        query: PathQuery,
        /// What was answered; `None` where the search was given up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Result<Answer, QueryError>>,
    },
    /// The nearest of many goals, or the nearest few, were asked for.
    Nearest {
        /// What was asked.
        query: NearestQuery,
        /// What was answered; `None` where the search was given up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Result<NearestAnswer, QueryError>>,
    },
}

/// Why an entry cannot be replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum EntryFault {
    /// An edit that cannot be made on the map.
    #[error(transparent)]
    Edit(#[from] GridError),
    /// A map without a movement.
    #[error("there is no movement; a map has one at least")]
    NoMovement,
    /// A movement was to be removed that is not there, or is the first.
    #[error("the movement {id:?} cannot be removed: there are {count}, and the first one stays")]
    NotRemovable {
        /// The id.
        id: MovementId,
        /// How many there are.
        count: usize,
    },
    /// A movement whose id skips others.
    #[error(
        "the id of the movement is {id:?}, but there are only {count} before it; number them without gaps"
    )]
    MovementGap {
        /// The id.
        id: MovementId,
        /// How many there are.
        count: usize,
    },
}

impl Recording {
    /// The version of this crate that gave the answers.
    #[must_use]
    pub fn crate_version(&self) -> &str {
        &self.crate_version
    }

    /// The map with which the recording begins.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The movements with which the recording begins, in the order of their ids.
    #[must_use]
    pub fn movements(&self) -> &[Movement] {
        &self.movements
    }

    /// What happened, in order.
    #[must_use]
    pub fn entries(&self) -> &[RecordedEntry] {
        &self.entries
    }

    /// How many queries were recorded, answered or not.
    #[must_use]
    pub fn query_count(&self) -> usize {
        let is_query = |entry: &&RecordedEntry| {
            matches!(entry, RecordedEntry::Query { .. } | RecordedEntry::Nearest { .. })
        };
        self.entries.iter().filter(is_query).count()
    }
}

/// A finder for a map with these movements, by these ids.
fn finder(grid: &Grid, movements: &[Movement]) -> Result<PathFinder, EntryFault> {
    let (first, others) = movements.split_first().ok_or(EntryFault::NoMovement)?;
    let mut finder = PathFinder::new(grid.clone(), first.clone());
    for movement in others {
        finder.add_movement(movement.clone());
    }
    Ok(finder)
}
