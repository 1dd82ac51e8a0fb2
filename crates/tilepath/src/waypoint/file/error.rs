//! The errors of waypoint files.

use crate::{text::source::concerning, waypoint::error::WaypointError};
use thiserror::Error;

/// An error in a waypoint file: the position, the node or edge, and the fault.
///
/// The `Display` text states what to write instead.
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
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The node at this position, or the first node of the edge. `None` if it is not known yet.
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
        /// Its name.
        found: String,
    },
    /// Text between elements is not allowed.
    #[error("text does not belong here; write attributes of <node> and <edge>")]
    UnexpectedText,
    /// An attribute or field is unknown.
    #[error("`{found}` means nothing here; the names are {known}")]
    UnknownField {
        /// Its name.
        found: String,
        /// The known names.
        known: String,
    },
    /// A required attribute or field is missing.
    #[error("`{field}` is missing; write it")]
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// A value is not a number.
    #[error("`{found}` is no number; write {field} as in 12 or -0.5")]
    NotANumber {
        /// The attribute.
        field: &'static str,
        /// The text of the value, shortened if it is long.
        found: String,
    },
    /// A name has a backslash without a valid escape after it.
    #[error(r"`{found}` is no name: write \\ for a backslash, \, for a comma, \u{{20}} for a character by its number")]
    BadEscape {
        /// The name as it is written, shortened if it is long.
        found: String,
    },
    /// Speed and cost factor of an edge are given more than once in one direction.
    #[error(
        "the edge from `{from}` to `{to}` is described twice; write its speed and cost factor in one place"
    )]
    EdgeTwice {
        /// The waypoint at which it begins.
        from: String,
        /// The waypoint at which it ends.
        to: String,
    },
    /// The graph refused a value, for example a duplicate name, an unknown name or an invalid
    /// coordinate.
    #[error(transparent)]
    Refused(#[from] WaypointError),
}
