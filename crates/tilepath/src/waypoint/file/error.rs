//! Why a text is not a waypoint graph.

use crate::{text::source::concerning, waypoint::error::WaypointError};
use thiserror::Error;

/// Why a text is not a waypoint graph: the place, the node or edge concerned, and the fault.
///
/// Its `Display` says what to write instead.
///
/// # Units
/// Lines and columns count from 1, columns in characters, as editors show them.
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
    /// The node that is being described there; of an edge, the node where it begins. `None` where it is not known yet.
    pub id: Option<String>,
    /// What is wrong there.
    #[source]
    pub fault: WaypointFileFault,
}

/// What is wrong at a place of a waypoint file.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WaypointFileFault {
    /// The text breaks the rules of XML or RON.
    #[error("{message}; correct the text there")]
    Malformed {
        /// What the reader of the format says.
        message: String,
    },
    /// There is no graph in the text.
    #[error("there are no waypoints here; the file holds <nodes> with a <node> for each")]
    NoNodes,
    /// An element that does not belong where it stands.
    #[error("<{found}> does not belong here; a file is <nodes> with <node> and <edge> in it")]
    UnexpectedElement {
        /// Its name.
        found: String,
    },
    /// Text between elements.
    #[error("text does not belong here; write attributes of <node> and <edge>")]
    UnexpectedText,
    /// An attribute or field that means nothing.
    #[error("`{found}` means nothing here; the names are {known}")]
    UnknownField {
        /// Its name.
        found: String,
        /// The names that mean something.
        known: String,
    },
    /// An attribute or field that must be there.
    #[error("`{field}` is missing; write it")]
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// A value that must be a number.
    #[error("`{found}` is no number; write {field} as in 12 or -0.5")]
    NotANumber {
        /// The attribute.
        field: &'static str,
        /// What is there, shortened if it is long.
        found: String,
    },
    /// A name with a backslash that begins nothing.
    #[error(r"`{found}` is no name: write \\ for a backslash, \, for a comma, \u{{20}} for a character by its number")]
    BadEscape {
        /// The name as it is written, shortened if it is long.
        found: String,
    },
    /// One direction of a way for which speed and cost factor are given more than once.
    #[error(
        "the edge from `{from}` to `{to}` is described twice; write its speed and cost factor in one place"
    )]
    EdgeTwice {
        /// Where it begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// What the graph itself refuses: a name that is taken or missing, a coordinate that is no number.
    #[error(transparent)]
    Refused(#[from] WaypointError),
}
