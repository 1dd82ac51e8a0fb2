use crate::{Workshop, bad_input::assert_refused, pictures::Picture};
use serde_json::json;

const XML: &str = include_str!("../../../../assets/waypoints/tutorial.xml");
const RON: &str = include_str!("../../../../assets/waypoints/tutorial.ron");
const PATH: [u8; 3] = [214, 40, 57];
const START: [u8; 3] = [34, 139, 74];

/// Makes files of the tutorial's graph: both formats, also under names without an extension or with
/// the wrong extension.
fn workshop() -> (Workshop, [&'static str; 4]) {
    let workshop = Workshop::new();
    let names = ["town.xml", "town.ron", "town", "wrong.xml"];
    for (name, text) in names.into_iter().zip([XML, RON, RON, RON]) {
        workshop.file(name, text);
    }
    (workshop, names)
}

#[test]
fn known_answers_are_printed_from_either_form() {
    let (workshop, names) = workshop();
    for name in names {
        let run = workshop.run(&["graph", name, "--from", "n1", "--to", "n5"]);
        assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
        assert_eq!(run.output, "n1 -> n3 -> n5\ncost 298.4245, length 298.4245, 2 steps\n");
        let run = workshop.run(&["graph", name, "--from", "n1", "--to", "n6"]);
        assert_eq!(run.output, "n1 -> n2 -> n4 -> n6\ncost 317.0904, length 317.0904, 3 steps\n");
        let run = workshop.run(&["graph", name, "--from", "n1", "--within", "1"]);
        assert_eq!((run.code, run.output.as_str()), (0, "0: n1\n1: n2, n3\n"));
    }
}

#[test]
fn json_of_a_path_has_the_promised_fields_in_order() {
    let (workshop, _) = workshop();
    let run = workshop.run(&["graph", "town.xml", "--from", "n1", "--to", "n6", "--json"]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    let keys = ["status", "path", "positions", "cost", "length"];
    let places: Vec<_> = keys.iter().map(|key| run.output.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{}", run.output);
    assert_eq!(run.output.lines().count(), 1);
    let report = run.json();
    assert_eq!(report.as_object().unwrap().len(), keys.len());
    assert_eq!(report["status"], "found");
    assert_eq!(report["path"], json!(["n1", "n2", "n4", "n6"]));
    assert_eq!(report["positions"], json!([[25.0, 25.0], [110.0, 110.0], [225.0, 90.0], [230.0, 170.0]]));
    for key in ["cost", "length"] {
        assert!((report[key].as_f64().unwrap() - 317.0904).abs() < 0.00006, "{report}");
    }
}

#[test]
fn json_of_a_range_lists_names_steps_and_positions() {
    let (workshop, _) = workshop();
    let run = workshop.run(&["graph", "town.ron", "--from", "n5", "--within", "1", "--json"]);
    let expected = json!({"within": [
        {"id": "n5", "steps": 0, "position": [190.0, 160.0]},
        {"id": "n3", "steps": 1, "position": [50.0, 180.0]},
        {"id": "n4", "steps": 1, "position": [225.0, 90.0]},
    ]});
    assert_eq!((run.code, run.json()), (0, expected));
}

#[test]
fn missing_path_exits_with_one_and_still_prints_json() {
    let workshop = Workshop::new();
    workshop.file(
        "pit.xml",
        "<nodes><node id='top' x='0' y='0' oneway='pit'/><node id='pit' x='0' y='9'/></nodes>",
    );
    let run = workshop.run(&["graph", "pit.xml", "--from", "pit", "--to", "top"]);
    assert_eq!((run.code, run.output.as_str()), (1, "unreachable: no path from pit to top\n"));
    let run = workshop.run(&["graph", "pit.xml", "--from", "pit", "--to", "top", "--json"]);
    let expected =
        json!({"status": "unreachable", "path": [], "positions": [], "cost": null, "length": null});
    assert_eq!((run.code, run.json()), (1, expected));
    let run = workshop.run(&["graph", "pit.xml", "--from", "pit", "--within", "3"]);
    assert_eq!((run.code, run.output.as_str()), (0, "0: pit\n"));
}

#[test]
fn names_with_hyphens_and_spaces_are_arguments_as_they_are() {
    let workshop = Workshop::new();
    workshop.file(
        "odd.ron",
        r#"(nodes: [(id: "-1", x: 0, y: 0, join: ["town hall"]), (id: "town hall", x: 3, y: 4)])"#,
    );
    let run = workshop.run(&["graph", "odd.ron", "--from", "-1", "--to", "town hall"]);
    assert_eq!((run.code, run.output.as_str()), (0, "-1 -> town hall\ncost 5.0000, length 5.0000, 1 step\n"));
}

#[test]
fn bad_graphs_and_questions_are_refused_with_file_line_and_name() {
    let (workshop, _) = workshop();
    workshop.file("hole.xml", XML.replace("n5,n6\"/>\n  <node id=\"n4\"", "n5,n7\"/>\n  <node id=\"n4\""));
    workshop.file("torn.ron", RON.replace("y: 90.0, ", "y: 90.0 "));
    workshop.file("empty.xml", "");
    workshop.file("empty.ron", "");
    let from_to = ["--from", "n1", "--to", "n5"];
    for (name, parts) in [
        ("hole.xml", &["hole.xml: line 4, column", "`n3`", "no waypoint `n7`"][..]),
        ("torn.ron", &["torn.ron: line 6, column"]),
        ("empty.xml", &["empty.xml: line 1", "<nodes>"]),
        ("empty.ron", &["empty.ron: line 1"]),
        ("none.xml", &["none.xml", "cannot be read"]),
    ] {
        assert_refused(&workshop.run(&[&["graph", name], &from_to[..]].concat()), parts);
        assert_refused(&workshop.run(&[&["graph", name, "--json"], &from_to[..]].concat()), parts);
    }
    for (arguments, parts) in [
        (&["--from", "n9", "--to", "n1"][..], &["town.xml", "no waypoint `n9`", "did you mean `n1`?"][..]),
        (&["--from", "n1", "--to", "n9"], &["town.xml", "no waypoint `n9`"]),
        (&["--from", "n9", "--within", "2"], &["town.xml", "no waypoint `n9`"]),
        (&["--from", "n1"], &["--to", "--within"]),
        (&["--from", "n1", "--to", "n2", "--within", "2"], &["cannot be used with"]),
        (&["--from", "n1", "--within", "-1"], &["--within"]),
        (&["--to", "n1"], &["--from"]),
        (&["--from", "n1", "--to", "n2", "--y-up"], &["--png"]),
        (&["--from", "n1", "--to", "n2", "--png", "no/folder.png"], &["folder.png", "cannot be written"]),
    ] {
        assert_refused(&workshop.run(&[&["graph", "town.xml"], arguments].concat()), parts);
    }
}

#[test]
fn picture_shows_graph_path_and_ends() {
    let (workshop, _) = workshop();
    let draw = |arguments: &[&str]| {
        let run =
            workshop.run(&[&["graph", "town.xml", "--from", "n1", "--png", "town.png"], arguments].concat());
        assert_eq!(run.code, 0, "{run:?}");
        Picture::read(&workshop.path("town.png"))
    };
    // The graph is 205 × 155 units. The longer side has 900 pixels, and there are margins.
    let pixel = |x: f64, y: f64| {
        let place = |at: f64, low: f64| (62.0 + (at - low) * 900.0 / 205.0) as u32;
        (place(x, 25.0), place(y, 25.0))
    };
    let at = |picture: &Picture, (x, y): (u32, u32)| picture.at(x, y);
    let (start, n2, on_path, off_path, goal) =
        (pixel(25., 25.), pixel(110., 110.), pixel(167.5, 100.), pixel(80., 145.), pixel(230., 170.));
    let path = draw(&["--to", "n6"]);
    assert_eq!(path.width, 1024);
    assert!(path.height > 804 && path.lists(804, START) && path.lists(804, PATH), "the legend");
    assert_eq!(at(&path, start), START);
    for place in [n2, on_path, goal] {
        assert_eq!(at(&path, place), PATH);
    }
    let range = draw(&["--within", "1"]);
    assert_eq!(at(&range, start), START);
    assert_ne!(at(&range, n2), at(&range, pixel(190., 160.)), "within reach and out of it");
    assert_ne!(at(&range, on_path), at(&range, off_path), "an edge out of reach is faint");
    let turned = draw(&["--to", "n6", "--y-up"]);
    assert_eq!(at(&turned, (start.0, 803 - start.1)), START);
}

/// Looking up each waypoint among all others, or visiting all pixels for each long edge, would take
/// many minutes.
#[test]
fn graph_of_two_hundred_thousand_nodes_is_drawn() {
    const COUNT: usize = 200_000;
    let workshop = Workshop::new();
    let node = |number: usize, neighbour: Option<usize>| {
        let (x, y) = (number % 450, number / 450);
        let join = neighbour.map_or_else(String::new, |other| format!(" join=\"n{other}\""));
        format!("<node id=\"n{number}\" x=\"{x}\" y=\"{y}\"{join}/>\n")
    };
    let chain: String = (0..COUNT).map(|number| node(number, number.checked_sub(1))).collect();
    // A hundredth of the waypoints has an edge across the picture.
    let hub = |number: usize| (number > 0 && number.is_multiple_of(100)).then_some(0);
    let star: String = (0..COUNT).map(|number| node(number, hub(number).or(number.checked_sub(1)))).collect();
    let last = format!("n{}", COUNT - 1);
    for (name, nodes, steps) in [("chain.xml", chain, COUNT - 1), ("star.xml", star, 100)] {
        workshop.file(name, format!("<nodes>\n{nodes}</nodes>\n"));
        let run = workshop.run(&["graph", name, "--from", "n0", "--to", &last, "--png", "graph.png"]);
        assert_eq!(run.code, 0, "{}", run.errors);
        let noun = if steps == 1 { "step" } else { "steps" };
        assert!(run.output.ends_with(&format!(", {steps} {noun}\n")), "{name}");
        assert!(workshop.path("graph.png").exists());
    }
}
