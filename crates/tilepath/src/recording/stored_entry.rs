//! Entries as they are read, in this and older format versions.

use crate::{
    cell::Cell,
    crowd::RecordedTick,
    edit::Edit,
    exits::Exits,
    finder::{
        fields::{nearest::NearestAnswer, query::NearestQuery},
        outcome::{Answer, QueryError},
        query::{MovementId, PathQuery},
    },
    grid::Grid,
    movement::Movement,
    recording::RecordedEntry,
};
use serde::Deserialize;

/// An entry of any version. Those of [`RecordedEntry`] come first, in its order, because some
/// formats write the number of a variant and not its name.
#[derive(Deserialize)]
#[serde(rename = "RecordedEntry", deny_unknown_fields)]
pub(super) enum StoredEntry {
    Edits(#[serde(deserialize_with = "crate::stored::list")] Vec<Edit>),
    Movement {
        id: MovementId,
        movement: Movement,
    },
    Removed {
        id: MovementId,
    },
    Map {
        grid: Grid,
        #[serde(deserialize_with = "crate::stored::list")]
        movements: Vec<Movement>,
    },
    Query {
        query: PathQuery,
        #[serde(default)]
        answer: Option<Result<Answer, QueryError>>,
    },
    Nearest {
        query: NearestQuery,
        #[serde(default)]
        answer: Option<Result<NearestAnswer, QueryError>>,
    },
    Crowd(Box<RecordedTick>),
    /// An edit of a class, in versions 1 and 2.
    Edit {
        cell: Cell,
        terrain: u8,
    },
    /// A cell that became void, in version 2.
    Void {
        cell: Cell,
    },
    /// An edit of exits, in version 2.
    Exits {
        cell: Cell,
        exits: u8,
    },
    /// An edit of an overlay, in version 2.
    Overlay {
        name: String,
        cell: Cell,
        value: u16,
    },
}

impl From<StoredEntry> for RecordedEntry {
    /// Converts an entry. An edit of an older version becomes an entry of its own, so that entries
    /// keep their numbers.
    fn from(stored: StoredEntry) -> Self {
        match stored {
            StoredEntry::Edits(edits) => Self::Edits(edits),
            StoredEntry::Edit { cell, terrain } => Self::Edits(vec![Edit::terrain(cell, terrain)]),
            StoredEntry::Void { cell } => Self::Edits(vec![Edit::void(cell)]),
            StoredEntry::Exits { cell, exits } => {
                Self::Edits(vec![Edit::exits(cell, Exits::from_bits(exits))])
            }
            StoredEntry::Overlay { name, cell, value } => Self::Edits(vec![Edit::overlay(name, cell, value)]),
            StoredEntry::Movement { id, movement } => Self::Movement { id, movement },
            StoredEntry::Removed { id } => Self::Removed { id },
            StoredEntry::Map { grid, movements } => Self::Map { grid, movements },
            StoredEntry::Query { query, answer } => Self::Query { query, answer },
            StoredEntry::Nearest { query, answer } => Self::Nearest { query, answer },
            StoredEntry::Crowd(tick) => Self::Crowd(tick),
        }
    }
}
