//! Waypoint graphs as XML.

mod names;

use self::names::{escaped, parted, unescaped};
use super::{
    Source, StatedEdge, StatedNode, Statement, Written,
    error::{WaypointFileError, WaypointFileFault},
};
use crate::{
    text::{self, quoted},
    waypoint::graph::WaypointGraph,
};
use quick_xml::{
    Reader, Writer, XmlVersion,
    events::{BytesStart, Event, attributes::AttrError},
};
use std::io;

/// The characters that XML treats as space.
const SPACE: [char; 4] = [' ', '\t', '\r', '\n'];

impl WaypointGraph {
    /// Reads a graph from XML.
    ///
    /// ```xml
    /// <nodes>
    ///   <node id="n1" x="25" y="25" join="n2,n3"/>    joined with n2 and n3, both ways
    ///   <node id="n2" x="110" y="110" oneway="n3"/>   from here to n3, and not back
    ///   <node id="n3" x="50" y="180"/>
    ///   <edge from="n1" to="n2" speed="2"/>           walked twice as fast, at half the cost; n2 to n1 is as usual
    ///   <edge from="n2" to="n1" cost_factor="3"/>     three times as costly
    /// </nodes>
    /// ```
    ///
    /// A `join` adds edges in both directions, and only one of the two nodes needs to list it. If
    /// both nodes list each other, the result is the same. `join` and `oneway` may name nodes that
    /// come later in the file. Each direction of an edge has at most one `<edge>`.
    ///
    /// Commas separate the names of a list. Spaces around a name are ignored. A name may contain
    /// any character, with these escapes:
    ///
    /// - `\\` is a backslash.
    /// - `\,` is a comma. In `join` and `oneway`, a comma inside a name must be written like this.
    /// - `\u{20}` is the character with this number, in hexadecimal digits.
    ///
    /// # Errors
    /// [`WaypointFileError`] for the first fault, with its line and the name of the node.
    ///
    /// # Examples
    /// ```
    /// use tilepath::waypoint::WaypointGraph;
    /// let graph = WaypointGraph::from_xml(
    ///     r#"<nodes>
    ///         <node id="gate" x="0" y="0" join="market\, old"/>
    ///         <node id="market, old" x="3" y="4"/>
    ///     </nodes>"#,
    /// )?;
    /// assert_eq!(graph.find("market, old", "gate")?.unwrap().cost(), 5.0);
    /// assert_eq!(WaypointGraph::from_xml(&graph.to_xml())?, graph);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_xml(text: &str) -> Result<Self, WaypointFileError> {
        let source = Source::new(text);
        let mut reader = Reader::from_str(source.0);
        reader.config_mut().check_comments = true;
        reader.config_mut().expand_empty_elements = true;
        let mut statement = Statement::default();
        // The number of open elements: 0, 1 in `<nodes>`, 2 in an element inside it.
        let mut depth = 0;
        let mut has_root = false;
        loop {
            let at = reader.buffer_position() as usize;
            let event = reader
                .read_event()
                .map_err(|error| source.error(reader.error_position() as usize, None, malformed(&error)))?;
            match event {
                Event::Start(start) => {
                    Element::new(source, &start, at)?.enter(depth, &mut has_root, &mut statement)?;
                    depth += 1;
                }
                Event::End(_) => depth -= 1,
                Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => {}
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    return Err(source.error(at, None, WaypointFileFault::UnexpectedText));
                }
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof if !has_root => return Err(source.error(at, None, WaypointFileFault::NoNodes)),
                Event::Eof if depth > 0 => {
                    let message = "an element is not closed".to_owned();
                    return Err(source.error(at, None, WaypointFileFault::Malformed { message }));
                }
                Event::Eof => return statement.into_graph(source),
            }
        }
    }

    /// Writes the graph as XML. Each node is one line. Each edge whose speed or cost factor is not
    /// 1 is another line.
    ///
    /// # Guarantee
    /// [`from_xml`](Self::from_xml) reads an equal graph from this text.
    #[must_use]
    pub fn to_xml(&self) -> String {
        let written = self.write_xml().ok().and_then(|bytes| String::from_utf8(bytes).ok());
        text::written(written)
    }

    fn write_xml(&self) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.create_element("nodes").write_inner_content(|writer| {
            for node in self.listed_nodes() {
                let (x, y) = (node.x.to_string(), node.y.to_string());
                let mut element = writer
                    .create_element("node")
                    .with_attribute(("id", escaped(node.id, false).as_str()))
                    .with_attribute(("x", x.as_str()))
                    .with_attribute(("y", y.as_str()));
                for (attribute, names) in [("join", node.join), ("oneway", node.oneway)] {
                    if !names.is_empty() {
                        let names: Vec<String> = names.iter().map(|name| escaped(name, true)).collect();
                        element = element.with_attribute((attribute, names.join(",").as_str()));
                    }
                }
                element.write_empty()?;
            }
            for edge in self.listed_edges() {
                let mut element = writer
                    .create_element("edge")
                    .with_attribute(("from", escaped(edge.from, false).as_str()))
                    .with_attribute(("to", escaped(edge.to, false).as_str()));
                for (attribute, value) in [("speed", edge.speed), ("cost_factor", edge.cost_factor)] {
                    if let Some(value) = value {
                        element = element.with_attribute((attribute, value.to_string().as_str()));
                    }
                }
                element.write_empty()?;
            }
            Ok(())
        })?;
        writer.get_mut().push(b'\n');
        Ok(writer.into_inner())
    }
}

fn malformed(error: &impl ToString) -> WaypointFileFault {
    WaypointFileFault::Malformed { message: error.to_string() }
}

/// The name and the attributes of an element.
struct Element<'a> {
    source: Source<'a>,
    at: usize,
    name: String,
    attributes: Vec<Attribute>,
}

struct Attribute {
    name: String,
    value: String,
    /// The byte offset of the value.
    at: usize,
}

impl<'a> Element<'a> {
    fn new(source: Source<'a>, start: &BytesStart<'_>, at: usize) -> Result<Self, WaypointFileError> {
        let fault = |error: &dyn std::fmt::Display| {
            source.error(at, None, WaypointFileFault::Malformed { message: error.to_string() })
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let name = text(start.name().as_ref());
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| {
                // The column of the error is the position within the element.
                let (within, message) = match &error {
                    AttrError::ExpectedEq(within) => (within, "an attribute is not followed by `=`"),
                    AttrError::ExpectedValue(within) => (within, "an attribute has no value"),
                    AttrError::UnquotedValue(within) => (within, "a value is not in quotation marks"),
                    AttrError::ExpectedQuote(within, _) => (within, "a quotation mark is missing"),
                    AttrError::Duplicated(within, _) => (within, "an attribute is there twice"),
                };
                let fault = WaypointFileFault::Malformed { message: message.to_owned() };
                source.error(at + 1 + within, None, fault)
            })?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            // `start` begins after the `<` of the element, and the value is a part of the same
            // buffer.
            let begin = attribute.value.as_ptr().addr().saturating_sub(start.as_ptr().addr());
            attributes.push(Attribute {
                name: text(attribute.key.as_ref()),
                value: value.map_err(|error| fault(&error))?.into_owned(),
                at: at + 1 + begin,
            });
        }
        Ok(Self { source, at, name, attributes })
    }

    /// Reads the element according to its depth.
    fn enter(
        self,
        depth: u32,
        has_root: &mut bool,
        statement: &mut Statement,
    ) -> Result<(), WaypointFileError> {
        match (depth, self.name.as_str()) {
            (0, "nodes") if !*has_root => {
                *has_root = true;
                self.check_names(&[])?;
            }
            (1, "node") => statement.nodes.push(self.node()?),
            (1, "edge") => statement.edges.push(self.edge()?),
            (0, _) if !*has_root => return Err(self.fault(WaypointFileFault::NoNodes)),
            _ => {
                let found = quoted(&self.name);
                return Err(self.fault(WaypointFileFault::UnexpectedElement { found }));
            }
        }
        Ok(())
    }

    fn node(&self) -> Result<StatedNode, WaypointFileError> {
        let id = self.name_of("id", None)?;
        self.check_names(&["id", "x", "y", "join", "oneway"])?;
        let (x, x_at) = self.number("x", &id)?.ok_or_else(|| self.missing("x", Some(&id)))?;
        let (y, y_at) = self.number("y", &id)?.ok_or_else(|| self.missing("y", Some(&id)))?;
        let position_at = if x.is_finite() { y_at } else { x_at };
        let (join, oneway) = (self.names("join", &id)?, self.names("oneway", &id)?);
        Ok(StatedNode { id, x, y, position_at, join, oneway })
    }

    fn edge(&self) -> Result<StatedEdge, WaypointFileError> {
        let from = self.name_of("from", None)?;
        self.check_names(&["from", "to", "speed", "cost_factor"])?;
        let to = self.name_of("to", Some(&from))?;
        let number = |field| Ok(self.number(field, &from)?.map(|(value, _)| value));
        let (speed, cost_factor) = (number("speed")?.unwrap_or(1.0), number("cost_factor")?);
        Ok(StatedEdge { from, to, speed, cost_factor })
    }

    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    fn fault(&self, fault: WaypointFileFault) -> WaypointFileError {
        self.source.error(self.at, None, fault)
    }

    fn missing(&self, field: &'static str, id: Option<&Written>) -> WaypointFileError {
        self.source.error(self.at, id.map(|id| id.name.as_str()), WaypointFileFault::MissingField { field })
    }

    /// Returns the one name in an attribute. Commas belong to the name.
    fn name_of(&self, field: &'static str, id: Option<&Written>) -> Result<Written, WaypointFileError> {
        let attribute = self.attribute(field).ok_or_else(|| self.missing(field, id))?;
        self.written(attribute, attribute.value.trim_matches(SPACE), id)
    }

    /// Returns the names that an attribute lists, or `None` if the attribute is missing.
    fn names(&self, field: &str, id: &Written) -> Result<Option<Vec<Written>>, WaypointFileError> {
        let Some(attribute) = self.attribute(field) else { return Ok(None) };
        let names = parted(&attribute.value).into_iter().map(|name| name.trim_matches(SPACE));
        // A comma at the end of a list adds no name.
        let names = names.filter(|name| !name.is_empty());
        names.map(|name| self.written(attribute, name, Some(id))).collect::<Result<_, _>>().map(Some)
    }

    fn written(
        &self,
        attribute: &Attribute,
        text: &str,
        id: Option<&Written>,
    ) -> Result<Written, WaypointFileError> {
        let name = unescaped(text).ok_or_else(|| {
            let fault = WaypointFileFault::BadEscape { found: quoted(text) };
            self.source.error(attribute.at, id.map(|id| id.name.as_str()), fault)
        })?;
        Ok(Written { name, at: attribute.at })
    }

    /// Returns a number and its byte offset.
    fn number(&self, field: &'static str, id: &Written) -> Result<Option<(f64, usize)>, WaypointFileError> {
        let Some(attribute) = self.attribute(field) else { return Ok(None) };
        let text = attribute.value.trim_matches(SPACE);
        let number = text.parse().map_err(|_| {
            let fault = WaypointFileFault::NotANumber { field, found: quoted(text) };
            self.source.error(attribute.at, Some(&id.name), fault)
        })?;
        Ok(Some((number, attribute.at)))
    }

    fn check_names(&self, known: &[&str]) -> Result<(), WaypointFileError> {
        match self.attributes.iter().find(|attribute| !known.contains(&attribute.name.as_str())) {
            None => Ok(()),
            Some(attribute) => {
                let id = self.attribute(known.first().unwrap_or(&"")).map(|id| id.value.as_str());
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let fault = WaypointFileFault::UnknownField { found: quoted(&attribute.name), known };
                Err(self.source.error(attribute.at, id, fault))
            }
        }
    }
}
