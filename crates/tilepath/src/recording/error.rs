//! The errors of recording files.

use crate::recording::EntryFault;
use thiserror::Error;

/// An error in the text of a recording: the fault, and the position of the fault if there is one.
///
/// # Units
/// Lines and columns count from 1. Columns count characters.
///
/// # Examples
/// ```
/// use tilepath::recording::{Recording, RecordingFault};
/// let error = Recording::from_text("(\n  format: \"tilepath recording\", version: 99,\n)").unwrap_err();
/// assert_eq!(error.fault, RecordingFault::NewerVersion { found: 99 });
/// assert_eq!(error.to_string(), "the recording is of format version 99, this tilepath reads up to 4; take a newer one");
///
/// let error = Recording::from_text("(\n  format: \"tilepath recording\", version: 1,\n  rows").unwrap_err();
/// assert_eq!(error.line, Some(3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{fault}", place(*.line, *.column))]
pub struct RecordingFileError {
    /// The line of the text, from 1. `None` if the fault has no single position.
    pub line: Option<usize>,
    /// The column of this line, from 1, in characters.
    pub column: Option<usize>,
    /// The fault in the text.
    #[source]
    pub fault: RecordingFault,
}

fn place(line: Option<usize>, column: Option<usize>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        (None, _) => String::new(),
    }
}

impl From<RecordingFault> for RecordingFileError {
    fn from(fault: RecordingFault) -> Self {
        Self { line: None, column: None, fault }
    }
}

/// A fault in the text of a recording.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordingFault {
    /// The text is not a recording.
    #[error("this is not a recording of tilepath; give a file that a Recorder has written; RON only")]
    NotARecording,
    /// A newer version of this crate wrote the text.
    #[error("the recording is of format version {found}, this tilepath reads up to {known}; take a newer one", known = super::file::VERSION)]
    NewerVersion {
        /// The format version of the text.
        found: u32,
    },
    /// The text breaks the rules of RON, ends too early, or has an invalid value.
    #[error("{message}; correct the text there, or record again")]
    Malformed {
        /// The message of the RON reader, or the fault of the value.
        message: String,
    },
    /// The maps have too many cells: see [`Recording::MAX_CELLS`](super::Recording::MAX_CELLS).
    #[error("the maps of the recording and the rectangles edited on them have {cells} cells together, more than {most}; record smaller ones, or fewer", most = crate::recording::Recording::MAX_CELLS)]
    TooManyCells {
        /// The number of cells of all maps and rectangles together.
        cells: u64,
    },
    /// An entry cannot be replayed.
    #[error("entry {entry}: {fault}")]
    Entry {
        /// The number of the entry. The first entry has the number 1.
        entry: usize,
        /// The fault of the entry.
        fault: EntryFault,
    },
}
