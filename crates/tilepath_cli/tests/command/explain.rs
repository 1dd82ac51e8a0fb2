use crate::Workshop;
use serde_json::json;

#[test]
fn path_is_explained_step_by_step() {
    let workshop = Workshop::new();
    workshop.file("map.txt", "1 1 3\n1 0 1\n1 2 1\n");
    let arguments = [
        "solve",
        "map.txt",
        "--from",
        "0,2",
        "--to",
        "2,0",
        "--diagonals",
        "if-at-most-one-obstacle",
        "--explain",
    ];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 0, "{run:?}");
    let receipt = "
step  to   ground           kind      beside                cost  total
      0,2  start                                                      0
   1  0,1  class 1 costs 1  straight                          10     10
   2  1,0  class 1 costs 1  diagonal  0,0 open, 1,1 closed    14     24
   3  2,0  class 3 costs 3  straight                          30     54
3 steps cost 54: a straight one 10, a diagonal one 14 times the ground entered (if-at-most-one-obstacle)
";
    assert!(run.output.ends_with(receipt), "{}", run.output);
    assert!(run.output.starts_with("found: 0,2 to 2,0, cost 54"), "{}", run.output);

    let explanation = workshop.run(&[&arguments[..], &["--json"]].concat()).json()["explanation"].clone();
    assert_eq!(
        explanation["steps"][1],
        json!({
            "to": [1, 0], "class": 1, "multiplier": 1, "diagonal": true,
            "beside": [{"cell": [0, 0], "open": true}, {"cell": [1, 1], "open": false}], "cost": 14, "total": 24
        })
    );
    assert_eq!((explanation["steps"].as_array().unwrap().len(), explanation.get("barrier")), (3, None));
    assert!(
        workshop
            .run(&["solve", "map.txt", "--from", "0,2", "--to", "2,0", "--json"])
            .json()
            .get("explanation")
            .is_none()
    );
}

#[test]
fn path_that_is_not_proven_is_compared_with_the_cheapest() {
    let workshop = Workshop::new();
    workshop.file("swamp.txt", "1 1 1\n1 9 1\n");
    let arguments =
        ["solve", "swamp.txt", "--from", "0,1", "--to", "2,1", "--algorithm", "greedy", "--explain"];
    let run = workshop.run(&arguments);
    let difference = "
the route costs 100, 72 more than the cheapest (28); they part at 0,1, where it goes to 1,1 and the cheapest to 1,0; \
                      costliest steps: 0,1 to 1,1 for 90
";
    assert!(run.output.ends_with(difference), "{}", run.output);
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(report["explanation"]["excess"], 72);
}

#[test]
fn missing_path_is_explained_by_cells_that_would_open_one() {
    let workshop = Workshop::new();
    workshop.file("wall.txt", "1 0 1\n1 0 1\n1 0 1\n");
    let arguments = ["solve", "wall.txt", "--from", "0,1", "--to", "2,1", "--explain"];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.output.ends_with(
            "\nopening one cell makes a path (an opened cell has terrain cost 1):\n  1,1: a path of cost 20\n  1,2: a path of \
             cost 40\n  1,0: a path of cost 40\n"
        ),
        "{}",
        run.output
    );
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(
        report["explanation"]["barrier"],
        json!({"opened_at": 1, "single": [
            {"cell": [1, 1], "cost": 20}, {"cell": [1, 2], "cost": 40}, {"cell": [1, 0], "cost": 40}
        ]})
    );

    workshop.file("walls.txt", "1 0 0 1\n");
    let arguments = ["solve", "walls.txt", "--from", "0,0", "--to", "3,0", "--explain", "--closest"];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 1);
    assert!(run.output.contains("\n0 steps cost 0: "), "the path to the closest cell: {}", run.output);
    assert!(
        run.output.ends_with(
            "\nno single cell is enough; opening 2 cells makes a path (an opened cell has terrain cost 1):\n  1,0, 2,0: a path of \
             cost 30\n"
        ),
        "{}",
        run.output
    );
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(report["explanation"]["barrier"]["smallest"], json!({"cells": [[1, 0], [2, 0]], "cost": 30}));
}

#[test]
fn text_map_marks_the_closed_cells_that_open_a_path() {
    let workshop = Workshop::new();
    for (map, arguments, picture) in [
        ("..#.\n..##\n", &["--from", "0,0", "--to", "3,0"][..], "S.!G\n..##\n"),
        (".##.\n", &["--from", "0,0", "--to", "3,0"], "S!!G\n"),
        ("..#\n", &["--from", "0,0", "--to", "2,0"], "S.!\n"),
        ("..#.\n", &["--from", "0,0", "--to", "3,0", "--closest"], "SG!.\n"),
        ("...\n", &["--from", "0,0", "--to", "2,0"], "S*G\n"),
    ] {
        workshop.file("map.txt", map);
        let run = workshop.run(&[&["solve", "map.txt"][..], arguments].concat());
        assert!(run.output.ends_with(&format!("\n\n{picture}")), "{map:?}: {}", run.output);
    }
}
