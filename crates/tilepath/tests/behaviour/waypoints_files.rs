//! Waypoint graphs in XML and RON.
//!
//! The tests cover round trips, and errors with their line.

use crate::waypoints::{edited_graph, six_waypoints};
use proptest::prelude::*;
use tilepath::waypoint::{WaypointEdge, WaypointError, WaypointFileError, WaypointFileFault, WaypointGraph};

const XML: &str = include_str!("../../../../assets/waypoints/tutorial.xml");
const RON: &str = include_str!("../../../../assets/waypoints/tutorial.ron");

#[test]
fn files_of_the_tutorial_are_the_graph_of_the_tutorial() {
    assert_eq!(WaypointGraph::from_xml(XML).unwrap(), six_waypoints());
    assert_eq!(WaypointGraph::from_ron(RON).unwrap(), six_waypoints());
}

#[test]
fn files_are_written_as_the_tutorial_is() {
    assert_eq!(six_waypoints().to_xml(), XML);
    assert_eq!(six_waypoints().to_ron(), RON);
}

#[test]
fn join_is_two_way_whichever_side_lists_it_and_one_if_both_do() {
    let node = |id: &str, attributes: &str| format!("<node id='{id}' x='{}' y='0' {attributes}/>", id.len());
    let graph = |a: &str, b: &str| {
        WaypointGraph::from_xml(&format!("<nodes>{}{}</nodes>", node("a", a), node("bb", b))).unwrap()
    };
    let joined = graph("join='bb'", "");
    assert_eq!(joined.edge_count(), 2);
    for (a, b) in [
        ("", "join='a'"),
        ("join='bb'", "join='a'"),
        ("join='bb, bb'", ""),
        ("oneway='bb'", "oneway='a'"),
        ("oneway='bb'", "join='a'"),
    ] {
        assert_eq!(graph(a, b), joined, "{a} {b}");
    }
    let one_way = graph("oneway='bb'", "");
    assert!(one_way.edge("a", "bb").is_some() && one_way.edge("bb", "a").is_none());
    assert_eq!(graph("", "").edge_count(), 0);
}

#[test]
fn everything_that_xml_allows_around_the_nodes_is_allowed() {
    let text = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<!-- a town -->\r\n<nodes>\r\n\
        <node y='-1.5e2' x=' +7 ' id=' a &amp; b ' join='\n  c ,\n  &#100;, '></node><!-- the well -->\r\n\
        <node id='c' x='0' y='0' join=''/><node id='d' x='0' y='1'/>\r\n\
        <edge to='a &amp; b' from='c' cost_factor='0'/></nodes>\r\n<!-- end -->\r\n";
    let graph = WaypointGraph::from_xml(text).unwrap();
    assert_eq!(graph.waypoints().map(|waypoint| waypoint.id).collect::<Vec<_>>(), ["a & b", "c", "d"]);
    assert_eq!(graph.position("a & b"), Some((7.0, -150.0).into()));
    assert_eq!(graph.edge("c", "a & b").unwrap().edge, WaypointEdge { speed: 1.0, cost_factor: 0.0 });
    assert_eq!(graph.edge_count(), 4);
    assert!(WaypointGraph::from_xml("<nodes/>").unwrap().is_empty());
}

#[test]
fn speed_sets_the_cost_factor_unless_it_is_stated() {
    let xml = |edge: &str| {
        let nodes = "<node id='a' x='0' y='0' join='b'/><node id='b' x='10' y='0'/>";
        let graph = WaypointGraph::from_xml(&format!("<nodes>{nodes}<edge from='a' to='b' {edge}/></nodes>"));
        graph.unwrap().edge("a", "b").unwrap().edge
    };
    let ron = |edge: &str| {
        let nodes = r#"(id: "a", x: 0, y: 0, join: ["b"]), (id: "b", x: 10, y: 0)"#;
        let text = format!(r#"(nodes: [{nodes}], edges: [(from: "a", to: "b", {edge})])"#);
        WaypointGraph::from_ron(&text).unwrap().edge("a", "b").unwrap().edge
    };
    for (edge, expected) in [
        (xml("speed='4'"), WaypointEdge { speed: 4.0, cost_factor: 0.25 }),
        (xml("cost_factor='3'"), WaypointEdge { speed: 1.0, cost_factor: 3.0 }),
        (xml("speed='4' cost_factor='3'"), WaypointEdge { speed: 4.0, cost_factor: 3.0 }),
        (xml(""), WaypointEdge::default()),
        (ron("speed: 4"), WaypointEdge { speed: 4.0, cost_factor: 0.25 }),
        (ron("cost_factor: 3"), WaypointEdge { speed: 1.0, cost_factor: 3.0 }),
        (ron("speed: 4.0, cost_factor: Some(3.0)"), WaypointEdge { speed: 4.0, cost_factor: 3.0 }),
        (ron(""), WaypointEdge::default()),
    ] {
        assert_eq!(edge, expected);
    }
}

/// Checks the line, the name and a part of the message.
#[track_caller]
fn assert_fault(answer: Result<WaypointGraph, WaypointFileError>, line: usize, id: Option<&str>, part: &str) {
    let error = answer.unwrap_err();
    assert_eq!((error.line, error.id.as_deref()), (line, id), "{error}");
    let message = error.to_string();
    assert!(message.starts_with(&format!("line {line}, column {}", error.column)), "{message}");
    assert!(message.contains(part), "{part:?} is missing in {message:?}");
}

#[test]
fn fault_of_an_xml_file_is_named_with_line_and_id() {
    let a = "<node id='a' x='0' y='0'/>";
    for (element, id, part) in [
        ("<node id='b' x='1' y='1' join='a,c'/>", Some("b"), "no waypoint `c`"),
        ("<node id='b' x='1' y='1' oneway='c'/>", Some("b"), "no waypoint `c`"),
        ("<node id='gate' x='1' y='1' join='gaet'/>", Some("gate"), "did you mean `gate`?"),
        ("<node id='a' x='1' y='1'/>", Some("a"), "`a` already"),
        ("<node id='b' x='1' y='1' join='b'/>", Some("b"), "with itself"),
        ("<node id='b' x='NaN' y='1'/>", Some("b"), "not a place for a waypoint"),
        ("<node id='b' x='1' y='-inf'/>", Some("b"), "not a place for a waypoint"),
        ("<node id='b' x='1e999' y='1'/>", Some("b"), "not a place for a waypoint"),
        ("<node id='b' x='one' y='1'/>", Some("b"), "`one` is an invalid number"),
        ("<node id='b' x='1'/>", Some("b"), "`y` is missing"),
        ("<node x='1' y='1'/>", None, "`id` is missing"),
        ("<node id='' x='1' y='1'/>", Some(""), "at least one character"),
        ("<node id='b' x='1' y='1' jion='a'/>", Some("b"), "`jion` means nothing"),
        (r"<node id='b\n' x='1' y='1'/>", None, r"`b\n` is an invalid name"),
        (r"<node id='b' x='1' y='1' join='a\'/>", Some("b"), r"`a\` is an invalid name"),
        ("<waypoint id='b' x='1' y='1'/>", None, "<waypoint> does not belong here"),
        ("<node id='b' x='1' y='1'><node/></node>", None, "<node> does not belong here"),
        ("<nodes/>", None, "<nodes> does not belong here"),
        ("<node id='b' id='c' x='1' y='1'/>", None, "twice"),
        ("<node id='b' x=1 y='1'/>", None, "quotation marks"),
        ("<node id='b' x y='1'/>", None, "not followed by `=`"),
        ("<node id='&town;' x='1' y='1'/>", None, "town"),
        ("<edge from='a' to='b'/>", Some("a"), "no waypoint `b`"),
        ("<edge from='b' to='a'/>", Some("b"), "no waypoint `b`"),
        ("<edge from='a' to='a'/>", Some("a"), "no edge leads"),
        ("<edge to='a'/>", None, "`from` is missing"),
        ("<edge from='a'/>", Some("a"), "`to` is missing"),
        ("<edge from='a' to='a' length='3'/>", Some("a"), "`length` means nothing"),
        ("<edge from='a' to='a' speed='fast'/>", Some("a"), "`fast` is an invalid number"),
    ] {
        assert_fault(WaypointGraph::from_xml(&["<nodes>", a, element, "</nodes>"].join("\n")), 3, id, part);
    }
    for (lines, line, id, part) in [
        (["<nodes>", a, "join a with b", "</nodes>"], 2, None, "text does not belong here"),
        (["<nodes>", a, "<node id='b' x='1' y='1'>", "</nodes>"], 4, None, "nodes"),
        (["<nodes>", a, "<node id='b' x='1' y='1'", "</nodes>"], 4, None, "not followed by `=`"),
        (["<nodes>", a, "</nodes>", "<nodes/>"], 4, None, "<nodes> does not belong here"),
        (["<nodes>", a, "<!-- --", ""], 3, None, "comment"),
        (["<nodes>", a, "", ""], 4, None, "not closed"),
        (["", "<map>", a, "</map>"], 2, None, "<nodes>"),
        (["", "", "", ""], 4, None, "<nodes>"),
    ] {
        assert_fault(WaypointGraph::from_xml(&lines.join("\n")), line, id, part);
    }
    let b = "<node id='b' x='1' y='1' join='a'/>";
    let edges =
        "<edge from='a' to='b' speed='2'/><edge from='b' to='a'/>\n<edge from='a' to='b' cost_factor='3'/>";
    let twice = WaypointGraph::from_xml(&["<nodes>", a, b, edges, "</nodes>"].join("\n"));
    assert_fault(twice, 5, Some("a"), "from `a` to `b` is described twice");
    for (values, part) in [("speed='0'", "speed 0"), ("speed='-1'", "speed -1"), ("cost_factor='NaN'", "NaN")]
    {
        let edge = format!("<edge from='a' to='b' {values}/>");
        assert_fault(
            WaypointGraph::from_xml(&["<nodes>", a, b, &edge, "</nodes>"].join("\n")),
            4,
            Some("a"),
            part,
        );
    }
}

#[test]
fn fault_of_a_ron_file_is_named_with_line_and_id() {
    let a = r#"(id: "a", x: 0, y: 0),"#;
    for (lines, line, id, part) in [
        (
            ["(nodes: [", a, r#"(id: "b", x: 1, y: 1, join: ["a", "c"]),"#, "])"],
            3,
            Some("b"),
            "no waypoint `c`",
        ),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: 1, oneway: ["c"]),"#, "])"], 3, Some("b"), "no waypoint `c`"),
        (["(nodes: [", a, r#"(id: "a", x: 1, y: 1),"#, "])"], 3, Some("a"), "`a` already"),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: 1, join: ["b"]),"#, "])"], 3, Some("b"), "with itself"),
        (["(nodes: [", a, r#"(id: "b", x: NaN, y: 1),"#, "])"], 3, Some("b"), "not a place for a waypoint"),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: -inf),"#, "])"], 3, Some("b"), "not a place for a waypoint"),
        (["(nodes: [", a, r#"(id: "b", x: "1", y: 1),"#, "])"], 3, Some("b"), "float"),
        (["(nodes: [", a, r#"(id: "b", x: 1),"#, "])"], 3, Some("b"), "`y` is missing"),
        (["(nodes: [", a, "(x: 1, y: 1),", "])"], 3, None, "`id` is missing"),
        (["(nodes: [", a, r#"(id: "", x: 1, y: 1),"#, "])"], 3, Some(""), "at least one character"),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: 1, jion: []),"#, "])"], 3, Some("b"), "`jion` means nothing"),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: 1"#, "])"], 4, None, "comma"),
        (["(nodes: [", a, r#"(id: "b" x: 1, y: 1),"#, "])"], 3, None, "comma"),
        (["(nodes: [", a, r#"(id: "b", x: 1, y: 1, join: ["a"#, "])"], 3, None, "end of string"),
        (["(nodes: [", "(id: \"b\",", " x: 1,", " y: 1, join: [\"c\"])])"], 4, Some("b"), "no waypoint `c`"),
        (["(nodes: [", a, "], edges: [", r#"(from: "a", to: "b")])"#], 4, Some("a"), "no waypoint `b`"),
        (["(nodes: [", a, "], edges: [", r#"(from: "a", to: "a")])"#], 4, Some("a"), "no edge leads"),
        (["(nodes: [", a, "], edges: [", r#"(from: "a")])"#], 4, Some("a"), "`to` is missing"),
        (
            [
                r#"(nodes: [(id: "b", x: 1, y: 1, oneway: ["a"]),"#,
                r#"(id: "a", x: 0, y: 0)], edges: ["#,
                r#"(from: "b", to: "a", speed: 2),"#,
                r#"(from: "b", to: "a", speed: 2)])"#,
            ],
            4,
            Some("b"),
            "from `b` to `a` is described twice",
        ),
        (["(nodes: [", a, "],", "roads: [])"], 4, None, "`roads` means nothing"),
        (["(nodes: [", a, "]", ") ("], 4, None, "trailing"),
        (["", "()", "", ""], 2, None, "`nodes` is missing"),
        (["", "", "", ""], 1, None, "opening `(`"),
    ] {
        assert_fault(WaypointGraph::from_ron(&lines.join("\n")), line, id, part);
    }
}

#[test]
fn columns_lead_to_the_place() {
    let xml =
        WaypointGraph::from_xml("<nodes>\n  <node id='ä' x='0' y='0' join='b'/>\n</nodes>").unwrap_err();
    assert_eq!((xml.line, xml.column), (2, 34));
    let ron = WaypointGraph::from_ron("(nodes: [\n  (id: \"ä\", x: 0, y: 0, join: [\"ä ö\", \"b\"]),\n])")
        .unwrap_err();
    assert_eq!((ron.line, ron.column), (2, 32));
    assert!(matches!(ron.fault, WaypointFileFault::Refused(WaypointError::UnknownWaypoint { .. })));
}

#[test]
fn nesting_without_end_is_refused() {
    for deep in ["(".repeat(100_000), "[".repeat(100_000), format!("(nodes: {})", "[".repeat(100_000))] {
        assert!(WaypointGraph::from_ron(&deep).is_err());
    }
    assert!(WaypointGraph::from_xml(&"<nodes>".repeat(100_000)).is_err());
}

/// Returns a hub joined with many leaves, and the descriptions of its edges.
fn star(leaves: usize, hub_is_last: bool) -> [String; 2] {
    let names: Vec<String> = (0..leaves).map(|leaf| format!("leaf{leaf}")).collect();
    let listed = |quote: &str| -> String {
        // Backwards, so that no list has the order of the waypoints.
        names.iter().rev().map(|name| format!("{quote}{name}{quote}")).collect::<Vec<_>>().join(",")
    };
    let mut xml = vec![format!("<node id='hub' x='0' y='0' join='{}'/>", listed(""))];
    let mut ron = vec![format!("(id: \"hub\", x: 0, y: 0, join: [{}])", listed("\""))];
    for (x, name) in names.iter().enumerate() {
        xml.push(format!("<node id='{name}' x='{x}' y='1'/>"));
        ron.push(format!("(id: \"{name}\", x: {x}, y: 1)"));
    }
    if hub_is_last {
        xml.rotate_left(1);
        ron.rotate_left(1);
    }
    let (mut xml_edges, mut ron_edges) = (String::new(), String::new());
    for name in &names {
        xml_edges.extend(["<edge from='hub' speed='2' to='", name, "'/>\n"]);
        ron_edges.extend(["(from: \"hub\", speed: 2, to: \"", name, "\"),\n"]);
    }
    [
        format!("<nodes>\n{}\n{xml_edges}</nodes>", xml.join("\n")),
        format!("(nodes: [\n{}],\nedges: [{ron_edges}])", ron.join(",\n")),
    ]
}

#[test]
fn star_of_sixty_thousand_joins_is_read_compared_edited_and_written() {
    for (leaves, hub_is_last) in [(60_000, false), (2_000, true)] {
        let [xml, ron] = star(leaves, hub_is_last);
        let mut graph = WaypointGraph::from_xml(&xml).unwrap();
        assert_eq!((graph.len(), graph.edge_count()), (leaves + 1, 2 * leaves));
        assert!(graph == WaypointGraph::from_ron(&ron).unwrap());
        assert!(graph == WaypointGraph::from_xml(&graph.to_xml()).unwrap());
        assert!(graph == WaypointGraph::from_ron(&graph.to_ron()).unwrap());
        for leaf in [0, 1, 777, leaves - 1] {
            let (leaf, length) = (format!("leaf{leaf}"), (leaf as f64).hypot(1.0));
            let (out, back) = (graph.edge("hub", &leaf).unwrap(), graph.edge(&leaf, "hub").unwrap());
            assert_eq!((out.cost, back.cost, out.is_two_way), (length / 2.0, length, true));
        }
        graph.move_to("hub", (0.0, 1.0)).unwrap();
        let path = graph.find("leaf3", "leaf5").unwrap().unwrap();
        assert_eq!((path.ids(), path.cost()), (&["leaf3", "hub", "leaf5"].map(String::from)[..], 5.5));
    }
}

/// Returns names with any characters, and many characters that have a meaning in a format.
fn any_name() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        any::<char>(),
        prop::sample::select(vec![
            ' ',
            '\t',
            '\n',
            '\r',
            '\0',
            ',',
            '\\',
            '"',
            '\'',
            '<',
            '>',
            '&',
            ';',
            '#',
            'u',
            '{',
            '}',
            '/',
            '(',
            ')',
            '[',
            ']',
            'é',
            '\u{7f}',
            '\u{85}',
            '\u{2028}',
            '\u{feff}',
            '\u{fffe}',
            '\u{ffff}',
            '\u{10ffff}',
        ]),
    ];
    prop::collection::vec(letters, 1..6).prop_map(String::from_iter)
}

/// Returns a graph after random edits, with other names and positions.
fn any_graph() -> impl Strategy<Value = WaypointGraph> {
    let coordinate = || prop_oneof![-1e15..1e15_f64, -100.0..100.0_f64, Just(-0.0), Just(5e-324), Just(0.1)];
    let places = prop::collection::vec((coordinate(), coordinate()), 7);
    (edited_graph(), prop::collection::hash_set(any_name(), 7), places).prop_map(
        |(mut graph, names, places)| {
            let known: Vec<String> = graph.waypoints().map(|waypoint| waypoint.id.to_owned()).collect();
            for ((id, name), place) in known.iter().zip(names).zip(places) {
                graph.move_to(id, place).unwrap();
                // The new name may still belong to another waypoint, so the rename may fail.
                let _ = graph.rename(id, name);
            }
            graph
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(graph in any_graph()) {
        let (xml, ron) = (graph.to_xml(), graph.to_ron());
        let from_xml = WaypointGraph::from_xml(&xml).unwrap();
        let from_ron = WaypointGraph::from_ron(&ron).unwrap();
        prop_assert_eq!(&from_xml, &graph, "{}", xml);
        prop_assert_eq!(&from_ron, &graph, "{}", ron);
        prop_assert_eq!(from_xml.to_xml(), xml);
        prop_assert_eq!(from_ron.to_ron(), ron);
    }

    #[test]
    fn loaded_graph_breaks_ties_as_the_saved_one_does(graph in edited_graph()) {
        let loaded = WaypointGraph::from_xml(&graph.to_xml()).unwrap();
        for from in graph.waypoints() {
            for to in graph.waypoints() {
                prop_assert_eq!(loaded.find(from.id, to.id), graph.find(from.id, to.id));
            }
        }
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        text in prop_oneof![".*", "<nodes>(<(node|edge) (id|x|y|join|from)='[a,\\\\u{}0&;]*'/?>)*</nodes>", "\\(nodes: \\[(\\(id: \"[a\\\\]*\", x: [0-9.e]*,? ?\\),?)*\\]\\)"],
    ) {
        for answer in [WaypointGraph::from_xml(&text), WaypointGraph::from_ron(&text)] {
            if let Err(error) = answer {
                prop_assert!(error.line <= text.lines().count() + 1, "{}", error);
            }
        }
    }
}
