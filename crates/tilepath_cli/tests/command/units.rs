//! Units larger than one cell, and overlays.

use crate::{Workshop, bad_input::assert_refused, pictures::Picture};
use serde_json::json;

const ROCK: &str = "....\n..#.\n....\n....\n";
const OPEN: &str = ".....\n.....\n";
const DANGER: &str = "0 0 0 0 0\n0 10 10 10 0\n";

#[test]
fn a_unit_of_two_cells_a_side_goes_round_what_its_side_touches() {
    let workshop = Workshop::new();
    workshop.file("rock.txt", ROCK);
    let arguments = ["solve", "rock.txt", "--size", "2", "--from", "0,1", "--to", "2,3"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert!(run.output.starts_with("found: 0,1 to 2,3, cost 40"), "{}", run.output);
    assert!(run.output.ends_with("\n\nss..\nSs#.\n*.gg\n**Gg\n"), "{}", run.output);
    let path = workshop.run(&[&arguments[..], &["--json"]].concat()).json()["path"].clone();
    assert_eq!(path, json!([[0, 1], [0, 2], [0, 3], [1, 3], [2, 3]]));

    let run = workshop.run(&["range", "rock.txt", "--size", "2", "--from", "0,3", "--points", "20"]);
    assert!(run.output.ends_with("\n\n....\n1.#.\n1...\nS11.\n"), "{}", run.output);
    let run = workshop.run(&["forbidden", "rock.txt", "--size", "2", "--from", "0,1", "--to", "2,3"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.starts_with("forbidden: "), "{}", run.output);
}

#[test]
fn closest_may_lead_to_a_goal_where_the_unit_cannot_stand() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    let arguments = ["solve", "open.txt", "--size", "2", "--from", "0,1", "--to", "4,1"];
    assert_refused(&workshop.run(&arguments), &["a unit of 2 × 2 cells at 4,1 passes the border"]);
    let run = workshop.run(&[&arguments[..], &["--closest", "--explain"]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.output.contains("closest is 3,1, cost 30"), "{}", run.output);
    let forbidden = ["forbidden", "open.txt", "--size", "2", "--from", "0,1", "--to", "4,1"];
    assert_refused(&workshop.run(&forbidden), &["at 4,1 passes the border"]);
}

#[test]
fn a_receipt_names_the_ground_under_the_unit() {
    let workshop = Workshop::new();
    workshop.file("swamp.txt", "...9\n....\n");
    let arguments = ["solve", "swamp.txt", "--size", "2", "--from", "0,1", "--to", "2,1", "--explain"];
    let run = workshop.run(&arguments);
    assert!(
        run.output.ends_with(
            "
step  to   ground                  kind      beside  cost  total
      0,1  start                                               0
   1  1,1  class 1 costs 1         straight            10     10
   2  2,1  class 9 at 3,0 costs 9  straight            90    100
2 steps cost 100: a straight one 10, a diagonal one 14 times the ground entered (only-when-no-obstacles)
"
        ),
        "{}",
        run.output
    );
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    let steps = &report["explanation"]["steps"];
    assert_eq!((&steps[0]["ground"], &steps[1]["ground"]), (&json!(null), &json!([3, 0])));
}

#[test]
fn overlay_counts_and_is_explained() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    workshop.file("danger.txt", DANGER);
    let arguments = ["solve", "open.txt", "--from", "0,1", "--to", "4,1", "--json"];
    let cost = |more: &[&str]| workshop.run(&[&arguments[..], more].concat()).json()["cost"].clone();
    assert_eq!(cost(&[]), 40);
    assert_eq!(cost(&["--overlay", "danger=danger.txt"]), 48, "round the danger");
    workshop.file("fear.txt", "0 0 3 0 0\n0 0 0 0 0\n");
    assert_eq!(cost(&["--overlay", "danger=danger.txt", "--overlay", "fear=fear.txt"]), 78);

    workshop.file("corridor.txt", "...\n");
    workshop.file("fear.txt", "0 700 0\n");
    let arguments =
        ["solve", "corridor.txt", "--from", "0,0", "--to", "2,0", "--overlay", "fear=fear.txt", "--explain"];
    let run = workshop.run(&arguments);
    assert!(
        run.output.ends_with(
            "
step  to   ground           overlays  kind      beside  cost  total
      0,0  start                                                  0
   1  1,0  class 1 costs 1      +700  straight          7010   7010
   2  2,0  class 1 costs 1            straight            10   7020
2 steps cost 7020: a straight one 10, a diagonal one 14 times the ground entered and its overlays (only-when-no-obstacles)
"
        ),
        "{}",
        run.output
    );
    let report = workshop.run(&[&arguments[..], &["--json"]].concat()).json();
    let steps = &report["explanation"]["steps"];
    assert_eq!((&steps[0]["overlays"], &steps[1]["overlays"]), (&json!(700), &json!(null)));
    let run = workshop.run(&[
        "range",
        "corridor.txt",
        "--from",
        "0,0",
        "--points",
        "9000",
        "--overlay",
        "fear=fear.txt",
        "--json",
    ]);
    assert_eq!(run.json()["cells"][1], json!({"cell": [1, 0], "turn": 1, "used": 7010}));
}

#[test]
fn overlays_lie_on_hexagons_as_in_their_file() {
    let workshop = Workshop::new();
    workshop.file("rows.txt", "...\n##.\n...\n");
    workshop.file("danger.txt", "0 0 0\n0 0 5\n0 0 0\n");
    let arguments = ["solve", "rows.txt", "--from", "0,0", "--to", "0,2", "--topology", "hex-row-even"];
    let run =
        workshop.run(&[&arguments[..], &["--overlay", "danger=danger.txt", "--json", "--explain"]].concat());
    assert_eq!(run.json()["cost"], 40 + 50);
    assert_eq!(run.json()["explanation"]["steps"][1]["overlays"], 5);
}

#[test]
fn footprints_and_overlays_are_drawn() {
    let workshop = Workshop::new();
    workshop.file("rock.txt", ROCK);
    workshop.file("danger.txt", "0 0 0 0\n0 0 9 9\n0 0 0 0\n0 0 0 0\n");
    let arguments =
        ["solve", "rock.txt", "--from", "0,1", "--to", "2,3", "--png", "rock.png", "--scale", "20"];
    let draw = |more: &[&str]| {
        assert_eq!(workshop.run(&[&arguments[..], more].concat()).code, 0);
        Picture::read(&workshop.path("rock.png"))
    };
    let plain = draw(&[]);
    let large = draw(&["--size", "2", "--overlay", "danger=danger.txt"]);
    assert_eq!(large.at(1, 1), [34, 139, 74], "the frame of what the unit covers at the start");
    assert_eq!(large.at(78, 78), [214, 40, 57], "and at the goal");
    assert_eq!(large.at(20, 20), [34, 139, 74], "the mark stands in the middle of the footprint");
    assert_ne!(large.at(70, 28), plain.at(70, 28), "the danger");
    assert_eq!(large.at(50, 30), plain.at(50, 30), "walls stay walls");
    assert_eq!(large.at(70, 8), plain.at(70, 8));
}

#[test]
fn the_highest_value_of_an_overlay_closes_the_cell() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    workshop.file("closed.txt", "0 0 0 0 0\n0 0 65535 0 0\n");
    let way = ["solve", "open.txt", "--from", "0,1", "--to", "3,1", "--overlay", "danger=closed.txt"];
    let run = workshop.run(&way);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.contains("cost 44"), "around it: {run:?}");
}

#[test]
fn sizes_and_overlays_that_cannot_be_are_refused() {
    let workshop = Workshop::new();
    workshop.file("open.txt", OPEN);
    workshop.file("danger.txt", DANGER);
    let refused = |more: &[&str], parts: &[&str]| {
        for command in [&["solve", "open.txt", "--to", "3,1"][..], &["range", "open.txt", "--points", "9"]] {
            assert_refused(&workshop.run(&[command, &["--from", "0,1"], more].concat()), parts);
        }
    };
    for wrong in ["0", "9", "-1", "1.5", "two", ""] {
        refused(&["--size", wrong], &["--size", "from 1 to 8"]);
    }
    refused(&["--size", "3", "--topology", "hex-row"], &["open.txt", "3 × 3", "hexagons"]);
    refused(&["--size", "2", "--topology", "hex-column-odd"], &["open.txt", "2 × 2", "hexagons"]);
    let border = "at 0,1 passes the border of the map of 5 columns and 2 rows";
    refused(&["--size", "3"], &["open.txt: a unit of 3 × 3 cells", border, "leftmost and lowest"]);
    let border = "at 0,1 passes the border";
    refused(&["--size", "2", "--topology", "staggered"], &[border]);
    refused(&["--overlay", "danger"], &["--overlay", "danger=danger.txt"]);
    refused(&["--overlay", "danger=none.txt"], &["none.txt: cannot be read"]);
    let given = ["--overlay", "danger=danger.txt"];
    refused(&[&given[..], &given].concat(), &["--overlay danger", "twice"]);
    for (name, text, parts) in [
        ("small.txt", "0 0\n0 0\n", &["small.txt", "2 columns and 2 rows", "open.txt has 5 and 2"][..]),
        ("ragged.txt", "0 0 0 0 0\n0 0 0 0\n", &["ragged.txt: line 2, column 8"]),
        (
            "large.txt",
            "0 0 0 0 0\n0 0 65536 0 0\n",
            &["large.txt: line 2, column 5", "from 0 (none) to 65535"],
        ),
        ("words.txt", ".....\n.....\n", &["words.txt: line 1, column 1", "`.....` is not a value"]),
        ("empty.txt", "", &["empty.txt: line 1"]),
    ] {
        workshop.file(name, text);
        refused(&["--overlay", &format!("danger={name}")], parts);
    }
}

#[test]
fn hexagons_refuse_a_large_unit_at_the_border_as_everywhere() {
    let workshop = Workshop::new();
    workshop.file("hexagons.txt", "....\n....\n....\n");
    for topology in
        ["hex-row", "hex-row-odd", "hex-row-even", "hex-column", "hex-column-odd", "hex-column-even"]
    {
        for place in ["0,0", "3,0", "3,2", "0,2", "1,1"] {
            for command in ["solve", "forbidden", "range", "render"] {
                let mut arguments = vec![command, "hexagons.txt", "--topology", topology, "--size", "2"];
                match command {
                    "range" => arguments.extend(["--from", place, "--points", "20"]),
                    "render" => arguments.extend(["--from", place, "--to", "1,1", "--png", "a.png"]),
                    _ => arguments.extend(["--from", place, "--to", "1,1"]),
                }
                let part = "hexagons.txt: a unit of 2 × 2 cells cannot move on hexagons";
                assert_refused(&workshop.run(&arguments), &[part]);
            }
        }
    }
}
