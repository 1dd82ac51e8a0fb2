//! Why a text is not a recording.

use crate::recording::EntryFault;
use thiserror::Error;

/// Why a text is not a recording: the place, where there is one, and the fault.
///
/// # Units
/// Lines and columns count from 1, columns in characters.
///
/// # Examples
/// ```
/// use tilepath::recording::{Recording, RecordingFault};
/// let error = Recording::from_text("{\n  \"format\": \"tilepath recording\", \"version\": 99\n}").unwrap_err();
/// assert_eq!(error.fault, RecordingFault::NewerVersion { found: 99 });
/// assert_eq!(error.to_string(), "the recording is of format version 99, this tilepath reads up to 3; take a newer one");
///
/// let error = Recording::from_text("{\n  \"format\": \"tilepath recording\", \"version\": 1,\n  rows").unwrap_err();
/// assert_eq!(error.line, Some(3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{fault}", place(*.line, *.column))]
pub struct RecordingFileError {
    /// The line. `None` where the fault is not at one place.
    pub line: Option<usize>,
    /// The column in that line.
    pub column: Option<usize>,
    /// What is wrong there.
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

/// What is wrong with a text that should be a recording.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordingFault {
    /// The text is something else.
    #[error("this is no recording of tilepath; give a file that a Recorder has written")]
    NotARecording,
    /// A newer version of this crate has written it.
    #[error("the recording is of format version {found}, this tilepath reads up to {known}; take a newer one", known = super::file::VERSION)]
    NewerVersion {
        /// Its version.
        found: u32,
    },
    /// The text breaks the rules of RON or JSON, ends too early, or a value is none that can be.
    #[error("{message}; correct the text there, or record again")]
    Malformed {
        /// What is wrong.
        message: String,
    },
    /// The maps are too large to be read.
    #[error("the maps of the recording and the rectangles edited on them have {cells} cells together, more than {most}; record smaller ones, or fewer", most = crate::recording::Recording::MAX_CELLS)]
    TooManyCells {
        /// The cells of all maps and rectangles together.
        cells: u64,
    },
    /// An entry that cannot be replayed.
    #[error("entry {entry}: {fault}")]
    Entry {
        /// Its number; the first entry is 1.
        entry: usize,
        /// What is wrong with it.
        fault: EntryFault,
    },
}
