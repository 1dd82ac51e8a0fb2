//! Sources of text: standard input, pictures, and the maps and graphs of this project.

use crate::{Run, Workshop, asset, bad_input::assert_refused, golden, moving_ai};
use std::fs;

#[test]
fn dash_is_standard_input_wherever_a_file_is_read() {
    let workshop = Workshop::new();
    workshop.file("a.map", moving_ai(&["..."]));
    let scenario = "version 1\n0 a.map 3 1 0 0 2 0 2\n";
    let graph = fs::read_to_string(asset("waypoints/tutorial.ron")).unwrap();
    let recording = fs::read_to_string(asset("recordings/soldier.ron")).unwrap();
    let run = |arguments: &[&str], input: &str| -> Run { workshop.run_with(arguments, input) };

    let solved = run(&["solve", "-", "--from", "2,2", "--to", "9,9", "--json"], &golden());
    assert_eq!((solved.code, &solved.json()["cost"]), (0, &serde_json::json!(226)));
    assert_eq!(run(&["render", "-", "--png", "golden.png"], &golden()).code, 0);
    assert!(workshop.path("golden.png").exists());
    let compared = run(&["scen", "-"], scenario);
    assert_eq!((compared.code, compared.counts()), (0, "rows 1, closed 0, mismatches 0"));
    assert!(compared.output.starts_with("standard input: 1 queries\n"), "{}", compared.output);
    let found = run(&["graph", "-", "--from", "n1", "--to", "n5"], &graph);
    assert_eq!((found.code, found.output.lines().next()), (0, Some("n1 -> n3 -> n5")));
    assert_eq!(run(&["replay", "-"], &recording).code, 0);

    let refused = run(&["solve", "-", "--from", "0,0", "--to", "1,1"], "1 2\n3 x\n");
    assert_refused(&refused, &["standard input: line 2, column 3"]);
    let mismatch = run(&["scen", "-"], "version 1\n0 a.map 3 1 0 0 2 0 9\n");
    assert!(mismatch.code == 1 && mismatch.errors.starts_with("standard input: line 2"), "{mismatch:?}");
}

#[test]
fn map_that_a_scenario_calls_dash_is_a_file() {
    let workshop = Workshop::new();
    workshop.file("-", moving_ai(&["..."]));
    workshop.file("a.scen", "version 1\n0 - 3 1 0 0 2 0 2\n");
    let run = workshop.run_with(&["scen", "a.scen"], "no map at all");
    assert_eq!((run.code, run.counts()), (0, "rows 1, closed 0, mismatches 0"), "{run:?}");
}

#[test]
fn every_map_of_this_project_is_read_as_it_lies() {
    let workshop = Workshop::new();
    let maps = fs::read_dir(asset("maps")).unwrap().map(|entry| entry.unwrap().path());
    let maps: Vec<_> = maps.filter(|path| path.extension().is_some_and(|end| end == "txt")).collect();
    assert!(maps.len() >= 5, "{maps:?}");
    for map in maps {
        let name = map.to_str().unwrap();
        let run = workshop.run(&["solve", name, "--from", "7,9", "--to", "14,9"]);
        assert!(run.code == 0 && run.output.starts_with("found: 7,9 to 14,9, cost"), "{name}: {run:?}");
        assert_eq!(workshop.run(&["render", name, "--png", "map.png"]).code, 0, "{name}");
    }
}

#[test]
fn file_of_letters_beside_a_map_gives_their_classes() {
    let workshop = Workshop::new();
    workshop.file("field.txt", "a~a\n");
    let run = |more: &[&str]| {
        workshop.run(&[&["solve", "field.txt", "--from", "0,0", "--to", "2,0", "--json"], more].concat())
    };
    assert_refused(&run(&[]), &["field.txt: line 1, column 1: `a` stands for no terrain"]);
    workshop.file("field.letters", "a=1,\n~=7\n");
    assert_eq!(run(&[]).json()["cost"], 80);
    assert_eq!(run(&["--terrain", "a=2,~=3"]).json()["cost"], 50, "the argument counts alone");
    workshop.file("field.letters", "a=1,~\n");
    assert_refused(&run(&[]), &["field.letters: `~` gives no letter its class"]);
}

#[test]
fn picture_is_a_map_with_rows_from_the_top() {
    let workshop = Workshop::new();
    workshop.file("picture.txt", "\n  ..9\n  #.#\n  #..\n");
    let run = workshop.run(&["solve", "picture.txt", "--from", "0,0", "--to", "2,2", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    let report = run.json();
    assert_eq!(report["path"], serde_json::json!([[0, 0], [1, 0], [1, 1], [1, 2], [2, 2]]));
    assert_eq!(report["cost"], 40);
    let arguments = ["solve", "picture.txt", "--from", "1,0", "--to", "2,0", "--terrain", "9=3", "--json"];
    assert_eq!(workshop.run(&arguments).json()["cost"], 30);
    assert_eq!(workshop.run(&["render", "picture.txt", "--png", "picture.png"]).code, 0);

    workshop.file("other.txt", "..~\n...\n");
    let run = workshop.run(&["solve", "other.txt", "--from", "0,0", "--to", "2,1"]);
    assert_refused(&run, &["other.txt: line 1, column 3: `~` stands for no terrain", "--terrain '~=0'"]);
    let arguments = ["solve", "other.txt", "--from", "0,0", "--to", "2,0", "--terrain", "~=4", "--json"];
    assert_eq!(workshop.run(&arguments).json()["cost"], 50);
    workshop.file("ragged.txt", "..#\n..\n");
    let run = workshop.run(&["solve", "ragged.txt", "--from", "0,0", "--to", "1,1"]);
    assert_refused(&run, &["ragged.txt: line 2, column 3"]);
}

#[test]
fn scenario_on_a_picture_is_compared_with_what_can_hold() {
    let workshop = Workshop::new();
    workshop.file("a.map", "...\n.#.\n");
    workshop.file("a.scen", "version 1\n0 a.map 3 2 0 1 2 1 4\n");
    let run = workshop.run(&["scen", "a.scen"]);
    assert_eq!((run.code, run.counts()), (0, "rows 1, closed 0, mismatches 0"), "{run:?}");
    assert!(run.output.contains("the lengths of the file"), "{}", run.output);
    let run = workshop.run(&["scen", "a.scen", "--terrain", "#=1"]);
    assert_eq!((run.code, run.counts()), (0, "rows 1, closed 0, mismatches 0"), "{run:?}");
    assert!(run.output.contains("Dijkstra's search"), "{}", run.output);
}

#[test]
fn map_of_the_soldiers_tutorial_is_the_golden_map() {
    assert_eq!(fs::read_to_string(asset("maps/tutorial.txt")).unwrap(), golden());
}

#[test]
fn graph_of_the_waypoint_tutorial_has_its_known_answers() {
    let workshop = Workshop::new();
    for file in ["waypoints/tutorial.xml", "waypoints/tutorial.ron"] {
        for (to, way, cost) in
            [("n5", "n1 -> n3 -> n5", "298.4245"), ("n6", "n1 -> n2 -> n4 -> n6", "317.0904")]
        {
            let run = workshop.run(&["graph", &asset(file), "--from", "n1", "--to", to]);
            assert_eq!(run.code, 0, "{run:?}");
            assert!(run.output.starts_with(&format!("{way}\ncost {cost}, ")), "{file}: {}", run.output);
        }
    }
}

#[test]
fn every_graph_of_this_project_can_be_read() {
    let workshop = Workshop::new();
    let town = asset("waypoints/town.waypoints.xml");
    assert_eq!(workshop.run(&["graph", &town, "--from", "no such", "--to", "waypoint"]).code, 2);
    let names = fs::read_to_string(&town).unwrap();
    let first = names.split("id=\"").nth(1).and_then(|text| text.split('"').next()).unwrap();
    assert_eq!(workshop.run(&["graph", &town, "--from", first, "--within", "1"]).code, 0);
}

#[test]
fn map_without_a_type_line_is_a_map_of_letters() {
    let workshop = Workshop::new();
    let text = "height 3\nwidth 4\nmap\n....\n.@T.\n....\n";
    workshop.file("mapf.map", text);
    let arguments = ["solve", "mapf.map", "--from", "0,0", "--to", "3,2", "--json"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, &run.json()["cost"]), (0, &serde_json::json!(50)), "{run:?}");
    let typed = workshop
        .run_with(&["solve", "-", "--from", "0,0", "--to", "3,2", "--json"], &format!("type octile\n{text}"));
    assert_eq!(typed.output, run.output);
    let hexagons = workshop.run(&[&arguments[..], &["--topology", "hex-row"]].concat());
    assert_eq!(hexagons.code, 0, "nothing says that this map has squares: {hexagons:?}");
    workshop.file("mapf.scen", "version 1\n0 mapf.map 4 3 0 0 3 2 5\n");
    let run = workshop.run(&["scen", "mapf.scen"]);
    assert_eq!((run.code, run.counts()), (0, "rows 1, closed 0, mismatches 0"), "{run:?}");
    workshop.file("torn.map", "height 3\nmap\n...\n");
    let run = workshop.run(&["solve", "torn.map", "--from", "0,0", "--to", "1,1"]);
    assert_refused(&run, &["torn.map: line 2, column 1: the header has no `width` line"]);
}

#[test]
fn blank_is_a_letter_if_it_has_a_class() {
    let workshop = Workshop::new();
    let rows = "  ..\n ...\n..  \n";
    workshop.file("island.map", format!("type octile\nheight 3\nwidth 4\nmap\n{rows}"));
    // Many editors remove blanks at the end of a line.
    workshop.file("trimmed.map", "height 3\nwidth 4\nmap\n  ..\n ...\n..\n");
    workshop.file("picture.txt", rows);
    let path = serde_json::json!([[0, 2], [1, 2], [1, 1], [2, 1], [2, 0], [3, 0]]);
    for map in ["island.map", "trimmed.map", "picture.txt"] {
        let arguments = ["solve", map, "--from", "0,2", "--to", "3,0", "--diagonals", "never", "--json"];
        for letters in [" =0", ".=1, =0", " =0,.=1"] {
            let run = workshop.run(&[&arguments[..], &["--terrain", letters]].concat());
            assert_eq!((run.code, &run.json()["cost"]), (0, &serde_json::json!(50)), "{map}: {run:?}");
            assert_eq!(run.json()["path"], path, "{map}");
        }
        let run = workshop.run(&[&arguments[..], &["--terrain", " =3"]].concat());
        assert_eq!(run.code, 0, "{map}: {run:?}");
        assert_eq!(workshop.run(&["render", map, "--terrain", " =0", "--png", "a.png"]).code, 0, "{map}");
    }
    let run = workshop.run(&["solve", "island.map", "--from", "0,2", "--to", "3,0"]);
    assert_refused(&run, &["island.map: line 5, column 1: ` ` stands for no terrain", "--terrain ' =0'"]);
    workshop.file("picture.letters", ".=1,\n =0\n");
    let run = workshop.run(&["solve", "picture.txt", "--from", "0,2", "--to", "3,0", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
}
