//! `tilepath turns`: a path in turns, with the reasons for its stops.

use crate::{Workshop, bad_input::assert_refused};
use serde_json::json;

const RULES: &str = r#"(
    classes: {0: "wall", 1: "land", 2: "water"},
    movements: {"settlers": (costs: {"land": 1, "water": 1}, turn_ends: [("land", "water")])},
)"#;

#[test]
fn turns_end_by_the_rules_of_a_file() {
    let workshop = Workshop::new();
    workshop.file("shore.txt", "..22211\n");
    workshop.file("rules.ron", RULES);
    let arguments = ["turns", "shore.txt", "--from", "0,0", "--to", "6,0", "--points", "60"];
    let rules = ["--rules", "rules.ron", "--movement", "settlers"];
    let run = workshop.run(&[&arguments[..], &rules].concat());
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(
        run.output,
        "\
found: 0,0 to 6,0 in 2 turns of 60 points, 20 points left
turn  stop  steps  used  left  why the turn ends
   1  2,0       2    60     0  a step from class 1 to class 2 ends the turn
   2  6,0       4    40    20  the goal

S11222G
"
    );
    let run = workshop.run(&[&arguments[..], &rules, &["--zone", "4,0", "--json"]].concat());
    let stops: Vec<_> =
        run.json()["turns"].as_array().unwrap().iter().map(|turn| turn["stop"].clone()).collect();
    assert_eq!(stops, [json!([2, 0]), json!([4, 0]), json!([6, 0])]);
}

#[test]
fn no_path_in_the_turns_is_exit_code_1() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "..9.\n");
    let arguments = ["turns", "line.txt", "--from", "0,0", "--to", "3,0", "--points", "20"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, run.output.as_str()), (1, "no path: 0,0 to 3,0\n"));
    assert_eq!(workshop.run(&[&arguments[..], &["--over", "any-points"]].concat()).code, 0);
    assert_refused(&workshop.run(&[&arguments[..], &["--zone", "4,0"]].concat()), &["--zone 4,0"]);
}
