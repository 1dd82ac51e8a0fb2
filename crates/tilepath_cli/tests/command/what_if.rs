use crate::{Workshop, bad_input::assert_refused, moving_ai, pictures::Picture};
use serde_json::json;

const ROOM: &str = "1 1 1 1 1\n1 0 0 0 1\n1 1 1 1 1\n";

#[test]
fn a_supposed_cell_is_answered_and_compared() {
    let workshop = Workshop::new();
    workshop.file("room.txt", ROOM);
    let ask = |what_if: &[&str]| {
        let arguments = ["solve", "room.txt", "--from", "0,2", "--to", "4,2"];
        let supposed = what_if.iter().flat_map(|cell| ["--what-if", cell]);
        workshop.run(&arguments.into_iter().chain(supposed).collect::<Vec<_>>())
    };
    let run = ask(&["2,2=0"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.starts_with("found: 0,2 to 4,2, cost 80"), "{}", run.output);
    assert!(run.output.contains("\nwithout the changes: cost 40, 40 less\n"), "{}", run.output);
    assert!(run.output.ends_with("\n*****\n*###*\nS.#.G\n"), "{}", run.output);
    assert!(ask(&["2,1=1"]).output.contains("\nwithout the changes: equal cost\n"));
    let run = ask(&["2,0=0", "2,2=0"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.output.contains("\nwithout the changes: a path of cost 40\n"), "{}", run.output);
    let run = ask(&["2,2=5", "2,2=1"]);
    assert!(run.output.contains("\nwithout the changes: equal cost\n"), "the last counts: {}", run.output);

    workshop.file("room.txt", "1 1 0 3 1\n");
    let way =
        |cell| workshop.run(&["solve", "room.txt", "--from", "0,0", "--to", "4,0", "--what-if", cell]).output;
    assert!(way("2,0=1").contains("\nwithout the changes: no path\n"));
    assert!(way("1,0=0").contains("\nwithout the changes: no path either\n"));
    workshop.file("room.txt", "1 1 2 3 1\n");
    assert!(way("3,0=1").contains("\nwithout the changes: cost 70, 20 more\n"));
}

#[test]
fn json_tells_what_is_now_beside_what_would_be() {
    let workshop = Workshop::new();
    workshop.file("room.txt", ROOM);
    let arguments = ["solve", "room.txt", "--from", "0,2", "--to", "4,2", "--json", "--what-if", "2,2=0"];
    let report = workshop.run(&arguments).json();
    assert_eq!((&report["status"], &report["cost"]), (&json!("found"), &json!(80)));
    assert_eq!(report["now"], json!({"status": "found", "cost": 40, "length": 4.0, "difference": 40}));
    let report = workshop.run(&[&arguments[..], &["--what-if", "2,0=0"]].concat()).json();
    assert_eq!((&report["status"], &report["cost"]), (&json!("unreachable"), &json!(null)));
    assert_eq!(report["now"], json!({"status": "found", "cost": 40, "length": 4.0, "difference": null}));
    assert_eq!(workshop.run(&arguments[..7]).json().get("now"), None);
}

#[test]
fn supposed_edits_are_explained_and_drawn() {
    let workshop = Workshop::new();
    workshop.file("room.map", moving_ai(&[".....", ".@@@.", "....."]));
    let arguments = ["solve", "room.map", "--from", "0,2", "--to", "4,2", "--what-if", "2,2=0"];
    let more = ["--what-if", "2,0=0", "--explain", "--png", "room.png", "--scale", "20"];
    let run = workshop.run(&[&arguments[..], &more].concat());
    assert!(run.output.contains("opening one cell makes a path"), "{}", run.output);
    let picture = Picture::read(&workshop.path("room.png"));
    let (framed, plain) = (picture.at(2 * 20 + 10, 2 * 20), picture.at(20 + 10, 2 * 20 + 10));
    assert_eq!(framed, [232, 126, 4], "the frame of a supposed cell");
    assert_ne!(picture.at(2 * 20 + 10, 2 * 20 + 10), plain, "a wall is drawn there");
}

#[test]
fn bad_suppositions_are_refused() {
    let workshop = Workshop::new();
    workshop.file("room.txt", ROOM);
    let arguments = ["solve", "room.txt", "--from", "0,2", "--to", "4,2", "--what-if"];
    for (wrong, parts) in [
        ("5,0=1", ["--what-if 5,0", "outside the map of 5 columns and 3 rows"]),
        ("2,2", ["--what-if", "such as 2,9=0"]),
        ("2,2=256", ["--what-if", "from 0 (a wall) to 255"]),
        ("-1,2=0", ["--what-if", "column and row"]),
    ] {
        assert_refused(&workshop.run(&[&arguments[..], &[wrong]].concat()), &parts);
    }
}
