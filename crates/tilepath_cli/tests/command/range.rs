use crate::{Workshop, asset, bad_input::assert_refused, pictures::Picture};
use serde_json::{Value, json};

/// Returns the reported cells as `[column, row, turn, used]`, in the order of columns and rows.
fn cells(report: &Value) -> Vec<[u64; 4]> {
    let number = |value: &Value| value.as_u64().unwrap();
    let row = |cell: &Value| {
        [number(&cell["cell"][0]), number(&cell["cell"][1]), number(&cell["turn"]), number(&cell["used"])]
    };
    let mut cells: Vec<_> = report["cells"].as_array().unwrap().iter().map(row).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn text_shows_the_turn_of_each_cell() {
    let workshop = Workshop::new();
    workshop.file("hall.txt", "....#.\n.##.#.\n......\n");
    let arguments = ["range", "hall.txt", "--from", "0,0", "--points", "30", "--turns", "2"];
    let run = workshop.run(&[&arguments[..], &["--no-stop", "1,0", "0,1"]].concat());
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(
        run.output,
        "9 cells from 0,0 in 2 turns of 30 points\nturn 1: 5 cells\nturn 2: 4 cells\n\nSo11#.\no##2#.\n11222.\n"
    );
}

#[test]
fn json_reports_turns_and_points() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "..2.9.\n");
    let arguments = ["range", "line.txt", "--from", "0,0", "--points", "20", "--json", "--turns", "9"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(run.output.lines().count(), 1);
    assert_eq!(run.json()["cells"][1], json!({"cell": [1, 0], "turn": 1, "used": 10}));
    let near = [[0, 0, 1, 0], [1, 0, 1, 10], [2, 0, 2, 20], [3, 0, 3, 10]];
    assert_eq!(cells(&run.json()), near, "the swamp costs more than a turn");
    let run = workshop.run(&[&arguments[..], &["--over", "own-turn"]].concat());
    assert_eq!(cells(&run.json()), [&near[..], &[[4, 0, 4, 20], [5, 0, 5, 10]]].concat());
    let run = workshop.run(&[&arguments[..], &["--points-left", "5"]].concat());
    assert_eq!(cells(&run.json()), [[0, 0, 1, 0], [1, 0, 2, 10], [2, 0, 3, 20], [3, 0, 4, 10]]);
    let run = workshop.run(&["range", "line.txt", "--from", "0,0", "--points", "0", "--json"]);
    assert_eq!((run.code, cells(&run.json())), (0, vec![[0, 0, 1, 0]]));
}

#[test]
fn the_rules_of_movement_hold() {
    let workshop = Workshop::new();
    let count = |more: &[&str]| {
        let map = asset("maps/ford.txt");
        let arguments = ["range", &map, "--from", "2,4", "--points", "60", "--json"];
        cells(&workshop.run(&[&arguments[..], more].concat()).json()).len()
    };
    let usual = count(&[]);
    assert!(count(&["--diagonals", "never"]) < usual);
    assert!(count(&["--steps", "70,99"]) < usual);
    assert!(count(&["--points-left", "80"]) > usual);
    assert_eq!(count(&["--turns", "0"]), 1);
}

#[test]
fn a_picture_shows_the_cells() {
    let workshop = Workshop::new();
    workshop.file("hall.txt", ".....\n.....\n");
    let draw = |turns: &str, png: &str| {
        let arguments = ["range", "hall.txt", "--from", "0,0", "--points", "10", "--turns", turns];
        let run = workshop.run(&[&arguments[..], &["--png", png, "--scale", "20"]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        Picture::read(&workshop.path(png))
    };
    let (one, two) = (draw("1", "one.png"), draw("2", "two.png"));
    one.assert_map(100, 40);
    assert_ne!(one.at(50, 10), two.at(50, 10), "reached in the second turn only");
    assert_eq!(one.at(90, 10), two.at(90, 10), "reached in neither");
    assert_ne!(two.at(30, 10), two.at(50, 10), "of two turns");
}

#[test]
fn invalid_arguments_are_refused() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "...\n");
    let refused = |more: &[&str], parts: &[&str]| {
        assert_refused(&workshop.run(&[&["range", "line.txt"][..], more].concat()), parts);
    };
    refused(&["--from", "3,0", "--points", "10"], &["line.txt", "--from 3,0"]);
    refused(&["--from", "0,0", "--points", "10", "--no-stop", "0,1"], &["--no-stop 0,1"]);
    refused(&["--from", "0,0", "--points", "10", "--no-stop"], &["--no-stop"]);
    refused(&["--from", "0,0"], &["--points"]);
    refused(&["--from", "0,0", "--points", "-1"], &["-1"]);
    refused(&["--from", "0,0", "--points", "4294967296"], &["whole number"]);
    refused(&["--from", "0,0", "--points", "10", "--turns", "1.5"], &["whole number"]);
    refused(&["--from", "0,0", "--points", "10", "--over", "sometimes"], &["own-turn"]);
    assert_refused(&workshop.run(&["range", "none.txt", "--from", "0,0", "--points", "1"]), &["none.txt"]);
}
