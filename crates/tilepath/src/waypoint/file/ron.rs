//! Waypoint graphs as RON.

use super::{
    ListedEdge, ListedNode, Source, StatedEdge, StatedNode, Statement, Written,
    error::{WaypointFileError, WaypointFileFault},
};
use crate::{
    text::{ron_message, ron_options, to_ron},
    waypoint::graph::WaypointGraph,
};
use ron::{Error, value::RawValue};
use serde::{Deserialize, Serialize};

/// A whole file with its parts as text. The parts are read one by one, so that an error can state
/// the line of each.
///
/// Errors of the format mention the names of these types and fields.
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

/// The name of a node or an edge; all other fields are ignored.
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
    /// Reads a graph from RON. Its fields have the names and meanings of the XML attributes, which
    /// [`from_xml`](Self::from_xml) describes. Names are plain strings, without the escapes of the
    /// XML format.
    ///
    /// # Errors
    /// [`WaypointFileError`] for the first fault, with its line and the name of the node.
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
        // Reading part by part takes several times as long, and is only needed to find the fault
        // and its line.
        let plain = ron_options().from_str::<Statement>(source.0).ok();
        let graph = plain.and_then(|statement| statement.into_graph(source).ok());
        graph.map_or_else(|| Self::from_parts_of_ron(source), Ok)
    }

    /// Returns the graph, or the first fault and its position.
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

    /// Writes the graph as RON. Each node is one line. Each edge whose speed or cost factor is not
    /// 1 is another line.
    ///
    /// # Guarantee
    /// [`from_ron`](Self::from_ron) reads an equal graph from this text.
    #[must_use]
    pub fn to_ron(&self) -> String {
        to_ron(&WrittenFile { nodes: self.listed_nodes().collect(), edges: self.listed_edges().collect() })
    }
}

/// Returns the text of a value without the comments around it.
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

/// Returns a function that adds the name to an error about a whole node or edge, if the name can be
/// read.
fn naming(value: &RawValue) -> impl Fn(WaypointFileError) -> WaypointFileError {
    move |error| {
        let id = ron_options().from_str(trimmed(value)).ok().map(|NameText { id }| id);
        WaypointFileError { id, ..error }
    }
}

/// Reads a part of the text. The positions of its errors count from the beginning of the whole
/// text.
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
            code => WaypointFileFault::Malformed { message: ron_message(&code) },
        };
        WaypointFileError { line: line + start.line - 1, column, id: id.map(str::to_owned), fault }
    })
}
