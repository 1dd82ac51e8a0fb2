//! Waypoint graphs as RON.

use super::{
    ListedEdge, ListedNode, Source, StatedEdge, StatedNode, Statement, Written,
    error::{WaypointFileError, WaypointFileFault},
};
use crate::{
    text::{ron_options, to_ron},
    waypoint::WaypointGraph,
};
use ron::{Error, value::RawValue};
use serde::{Deserialize, Serialize};

/// The whole of a file, its parts as text: read one by one, so that it is known in which line each of them stands. The
/// names are those that errors of the format mention.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Waypoints")]
struct FileText<'a> {
    #[serde(borrow)]
    nodes: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    edges: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Node")]
struct NodeText<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    x: &'a RawValue,
    #[serde(borrow)]
    y: &'a RawValue,
    #[serde(borrow, default)]
    join: Option<&'a RawValue>,
    #[serde(borrow, default)]
    oneway: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Edge")]
struct EdgeText<'a> {
    #[serde(borrow)]
    from: &'a RawValue,
    #[serde(borrow)]
    to: &'a RawValue,
    #[serde(default = "usual_speed")]
    speed: f64,
    #[serde(default)]
    cost_factor: Option<f64>,
}

pub(super) const fn usual_speed() -> f64 {
    1.0
}

/// What names a node or an edge, whatever else is said of it.
#[derive(Deserialize)]
struct NameText {
    #[serde(alias = "from")]
    id: String,
}

#[derive(Serialize)]
struct WrittenFile<'a> {
    nodes: Vec<ListedNode<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edges: Vec<ListedEdge<'a>>,
}

impl WaypointGraph {
    /// Reads a graph from RON: the same as [`from_xml`](Self::from_xml), with names as plain strings.
    ///
    /// # Errors
    /// The first [`WaypointFileError`], with line and name.
    ///
    /// # Examples
    /// ```
    /// use tilepath::waypoint::WaypointGraph;
    /// let graph = WaypointGraph::from_ron(
    ///     r#"(
    ///         nodes: [
    ///             (id: "gate", x: 0, y: 0, join: ["market, old"]), // both ways
    ///             (id: "market, old", x: 3, y: 4, oneway: ["well"]),
    ///             (id: "well", x: 3, y: 8),
    ///         ],
    ///         edges: [(from: "gate", to: "market, old", speed: 2)],
    ///     )"#,
    /// )?;
    /// assert_eq!(graph.find("gate", "well")?.unwrap().cost(), 2.5 + 4.0);
    /// assert_eq!(WaypointGraph::from_ron(&graph.to_ron())?, graph);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_ron(text: &str) -> Result<Self, WaypointFileError> {
        let source = Source::new(text);
        // Part by part takes several times as long, and is done only to say what is wrong, and in which line.
        let plain = ron_options().from_str::<Statement>(source.0).ok();
        let graph = plain.and_then(|statement| statement.into_graph(source).ok());
        graph.map_or_else(|| Self::from_parts_of_ron(source), Ok)
    }

    /// The same graph or the first fault, with its place.
    fn from_parts_of_ron(source: Source<'_>) -> Result<Self, WaypointFileError> {
        let file: FileText<'_> = parse(source, source.0, None)?;
        let mut statement = Statement::default();
        for node in file.nodes {
            let text: NodeText<'_> = parse(source, trimmed(node), None).map_err(naming(node))?;
            let id = written(source, text.id, None)?;
            let number = |value| parse::<f64>(source, trimmed(value), Some(&id.name));
            let (x, y) = (number(text.x)?, number(text.y)?);
            let position_at = source.offset(trimmed(if x.is_finite() { text.y } else { text.x }));
            let names = |list: &RawValue| -> Result<Vec<Written>, WaypointFileError> {
                let list: Vec<&RawValue> = parse(source, trimmed(list), Some(&id.name))?;
                list.into_iter().map(|name| written(source, name, Some(&id.name))).collect()
            };
            let (join, oneway) = (text.join.map(names).transpose()?, text.oneway.map(names).transpose()?);
            statement.nodes.push(StatedNode { id, x, y, position_at, join, oneway });
        }
        for edge in file.edges {
            let text: EdgeText<'_> = parse(source, trimmed(edge), None).map_err(naming(edge))?;
            let from = written(source, text.from, None)?;
            let to = written(source, text.to, Some(&from.name))?;
            statement.edges.push(StatedEdge { from, to, speed: text.speed, cost_factor: text.cost_factor });
        }
        statement.into_graph(source)
    }

    /// Writes the graph as RON, a line for each node, and one for each edge whose speed or cost factor is not 1.
    ///
    /// # Guarantee
    /// [`from_ron`](Self::from_ron) reads an equal graph.
    #[must_use]
    pub fn to_ron(&self) -> String {
        to_ron(&WrittenFile { nodes: self.listed_nodes().collect(), edges: self.listed_edges().collect() })
    }
}

/// The text of a value without the comments around it.
fn trimmed(value: &RawValue) -> &str {
    value.trim().get_ron()
}

fn written<'a>(
    source: Source<'a>,
    value: &'a RawValue,
    id: Option<&str>,
) -> Result<Written, WaypointFileError> {
    let value = trimmed(value);
    Ok(Written { name: parse(source, value, id)?, at: source.offset(value) })
}

/// Adds the name to an error about a node or an edge as a whole, if it can be read.
fn naming(value: &RawValue) -> impl Fn(WaypointFileError) -> WaypointFileError {
    move |error| {
        let id = ron_options().from_str(trimmed(value)).ok().map(|NameText { id }| id);
        WaypointFileError { id, ..error }
    }
}

/// Reads a part of the text; faults are said to be where they stand in the whole.
fn parse<'a, T: Deserialize<'a>>(
    source: Source<'a>,
    part: &'a str,
    id: Option<&str>,
) -> Result<T, WaypointFileError> {
    ron_options().from_str(part).map_err(|error| {
        let (line, column) = source.line_and_column(source.offset(part));
        let start = error.span.start;
        let column = if start.line == 1 { column + start.col - 1 } else { start.col };
        let fault = match error.code {
            Error::MissingStructField { field, .. } => WaypointFileFault::MissingField { field },
            Error::NoSuchStructField { expected, found, .. } => {
                WaypointFileFault::UnknownField { found, known: expected.join(", ") }
            }
            code => WaypointFileFault::Malformed { message: code.to_string() },
        };
        WaypointFileError { line: line + start.line - 1, column, id: id.map(str::to_owned), fault }
    })
}
