//! The errors of waypoint files.

use crate::{text::source::concerning, waypoint::error::WaypointError};
use thiserror::Error;

/// An error in a waypoint file: the fault, its position, and the node or edge at this position.
///
/// The `Display` text of the error states what to write instead.
///
/// # Units
/// Lines and columns count from 1. Columns count characters, as in editors.
///
/// # Examples
/// ```
/// use tilepath::waypoint::{WaypointError, WaypointFileFault, WaypointGraph};
/// let error = WaypointGraph::from_xml(
///     "<nodes>\n  <node id='n1' x='25' y='25' join='n2,n3'/>\n  <node id='n2' x='110' y='110'/>\n</nodes>",
/// )
/// .unwrap_err();
/// assert_eq!((error.line, error.id.as_deref()), (2, Some("n1")));
/// let WaypointFileFault::Refused(WaypointError::UnknownWaypoint { id, .. }) = error.fault else { panic!() };
/// assert_eq!(id, "n3");
/// ```
#[derive(Clone, PartialEq, Debug, Error)]
#[error("line {line}, column {column}{}: {fault}", concerning(.id.as_deref()))]
pub struct WaypointFileError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The column of this line, from 1.
    pub column: usize,
    /// The id of the node at this position. For an edge: the id of the node at which it begins.
    /// `None` if the id is missing or could not be read.
    pub id: Option<String>,
    /// The fault at this position.
    #[source]
    pub fault: WaypointFileFault,
}

/// A fault in a waypoint file.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WaypointFileFault {
    /// The text breaks the rules of XML or RON.
    #[error("{message}; correct the text there")]
    Malformed {
        /// The message of the XML or RON reader.
        message: String,
    },
    /// The text contains no graph.
    #[error("there are no waypoints here; the file holds <nodes> with a <node> for each")]
    NoNodes,
    /// An element is in the wrong place.
    #[error("<{found}> does not belong here; a file is <nodes> with <node> and <edge> in it")]
    UnexpectedElement {
        /// The name of the element.
        found: String,
    },
    /// Text between elements is not allowed.
    #[error("text does not belong here; write attributes of <node> and <edge>")]
    UnexpectedText,
    /// An attribute or field is unknown.
    #[error("`{found}` means nothing here; the names are {known}")]
    UnknownField {
        /// The unknown name.
        found: String,
        /// The names of the attributes or fields that are allowed.
        known: String,
    },
    /// A required attribute or field is missing.
    #[error("`{field}` is missing; write it")]
    MissingField {
        /// The name of the attribute or field.
        field: &'static str,
    },
    /// A value is not a number.
    #[error("`{found}` is an invalid number; write {field} as in 12 or -0.5")]
    NotANumber {
        /// The name of the attribute or field.
        field: &'static str,
        /// The text of the value, shortened if it is long.
        found: String,
    },
    /// A name has a backslash without a valid escape after it.
    #[error(r"`{found}` is an invalid name: write \\ for a backslash, \, for a comma, \u{{20}} for a character by its number")]
    BadEscape {
        /// The name as it is written, shortened if it is long.
        found: String,
    },
    /// The file has more than one entry with speed and cost factor for the same edge in the same
    /// direction.
    #[error(
        "the edge from `{from}` to `{to}` is described twice; write its speed and cost factor in one place"
    )]
    EdgeTwice {
        /// The waypoint at which the edge begins.
        from: String,
        /// The waypoint at which the edge ends.
        to: String,
    },
    /// The graph refused a value, for example a duplicate name, an unknown name or an invalid
    /// coordinate.
    #[error(transparent)]
    Refused(#[from] WaypointError),
}
