use crate::{Workshop, asset, moving_ai};
use serde_json::json;
use testkit::{DiagonalRule, Oracle, Rules, Seed};

const RULES: [&str; 4] = ["never", "only-when-no-obstacles", "if-at-most-one-obstacle", "always"];

#[test]
fn golden_costs_under_the_four_rules() {
    let workshop = Workshop::new();
    let tutorial = asset("maps/tutorial.txt");
    for (rule, cost) in RULES.into_iter().zip([240, 226, 224, 224]) {
        for algorithm in ["auto", "astar", "dijkstra"] {
            let rules = ["--diagonals", rule, "--algorithm", algorithm, "--json"];
            let run =
                workshop.run(&[&["solve", &tutorial, "--from", "2,2", "--to", "9,9"], &rules[..]].concat());
            assert_eq!(run.code, 0, "{run:?}");
            assert_eq!(run.json()["cost"], cost, "{rule}, {algorithm}");
        }
    }
}

#[test]
fn json_has_the_promised_fields_in_order() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "1 1 3\n0 0 1\n");
    let run = workshop.run(&["solve", "line.txt", "--from", "0,0", "--to", "2,1", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.errors, "");
    let keys = ["status", "cost", "length", "expanded", "algorithm", "path"];
    let places: Vec<_> = keys.iter().map(|key| run.output.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted(), "{}", run.output);
    assert_eq!(run.output.lines().count(), 1);
    let report = run.json();
    assert_eq!(report.as_object().unwrap().len(), keys.len());
    assert_eq!(report["status"], "found");
    assert_eq!(report["cost"], 10 + 30 + 10);
    assert_eq!(report["length"], 3.0);
    assert_eq!(report["path"], json!([[0, 0], [1, 0], [2, 0], [2, 1]]), "columns and rows from the top");
    assert!(report["expanded"].as_u64().unwrap() > 0);
    assert_eq!(report["algorithm"], "astar");
}

#[test]
fn length_counts_diagonal_steps_as_the_root_of_two() {
    let workshop = Workshop::new();
    workshop.file("open.txt", "1 1 1\n1 1 1\n1 1 1\n");
    let run =
        workshop.run(&["solve", "open.txt", "--from", "0,2", "--to", "2,0", "--steps", "70,99", "--json"]);
    let report = run.json();
    assert_eq!(report["cost"], 198);
    let length = report["length"].as_f64().unwrap();
    assert!((length - 8_f64.sqrt()).abs() < 1e-12, "{length}");
}

#[test]
fn costs_equal_brute_force() {
    let workshop = Workshop::new();
    let seed = Seed::named("the command line's answers");
    let map = testkit::noise(14, 9, 4, 30, &seed);
    let row = |row: &[u8]| row.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = map.classes.chunks(14).rev().map(row).collect();
    workshop.file("noise.txt", rows.join("\n"));
    for (name, rule) in RULES.into_iter().zip(DiagonalRule::ALL) {
        let oracle = Oracle::new(&map, &Rules::classic(rule));
        for (from, to) in map.queries(6, &seed) {
            let place = |(x, y): (i32, i32)| format!("{x},{}", 8 - y);
            let arguments = [
                "solve",
                "noise.txt",
                "--from",
                &place(from),
                "--to",
                &place(to),
                "--diagonals",
                name,
                "--json",
            ];
            let run = workshop.run(&arguments);
            let expected =
                oracle.costs_from(from)[map.slot(to)].filter(|_| from == to || map.class(to) != Some(0));
            assert_eq!(run.json()["cost"].as_u64(), expected, "{arguments:?}: {run:?}");
            assert_eq!(run.code, i32::from(expected.is_none()), "{arguments:?}");
        }
    }
}

#[test]
fn walled_off_goal_is_unreachable_and_still_printed() {
    let workshop = Workshop::new();
    workshop.file("walls.txt", "1 1 0 1\n1 1 0 0\n1 1 1 1\n");
    let arguments = ["solve", "walls.txt", "--from", "0,0", "--to", "3,0", "--json"];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 1, "{run:?}");
    let report = run.json();
    assert_eq!(report["status"], "unreachable");
    assert_eq!(
        (&report["cost"], &report["length"], &report["path"]),
        (&json!(null), &json!(null), &json!([]))
    );

    let run = workshop.run(&[&arguments[..], &["--closest"]].concat());
    assert_eq!(run.code, 1, "the goal is not reached");
    let report = run.json();
    assert_eq!(report["status"], "unreachable");
    assert_eq!(report["path"].as_array().unwrap().last(), Some(&json!([1, 0])), "as far as 3,2 and cheaper");
    assert_eq!(report["cost"], 10);
}

#[test]
fn start_on_the_goal_is_a_path_of_one_cell_even_in_a_wall() {
    let workshop = Workshop::new();
    workshop.file("walls.txt", "1 0\n");
    let run = workshop.run(&["solve", "walls.txt", "--from", "1,0", "--to", "1,0", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!((&run.json()["cost"], &run.json()["path"]), (&json!(0), &json!([[1, 0]])));
}

#[test]
fn goal_in_a_wall_is_unreachable_and_a_start_in_a_wall_may_be_left() {
    let workshop = Workshop::new();
    workshop.file("walls.txt", "1 0\n");
    assert_eq!(workshop.run(&["solve", "walls.txt", "--from", "0,0", "--to", "1,0", "--json"]).code, 1);
    let run = workshop.run(&["solve", "walls.txt", "--from", "1,0", "--to", "0,0", "--json"]);
    assert_eq!((run.code, &run.json()["cost"]), (0, &json!(10)));
}

#[test]
fn text_shows_the_path_on_a_small_map() {
    let workshop = Workshop::new();
    workshop.file("open.txt", "1 1 1\n0 0 1\n1 1 1\n");
    let run = workshop.run(&["solve", "open.txt", "--from", "0,0", "--to", "0,2"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.output.starts_with("found: 0,0 to 0,2, cost 60, length 6.00, 6 steps\n"), "{}", run.output);
    assert!(run.output.ends_with("\nS**\n##*\nG**\n"), "{}", run.output);

    let run = workshop.run(&["solve", "open.txt", "--from", "0,0", "--to", "0,1"]);
    assert_eq!(run.code, 1);
    assert!(run.output.starts_with("unreachable: no path from 0,0 to 0,1\n"), "{}", run.output);
}

#[test]
fn letters_are_given_costs() {
    let workshop = Workshop::new();
    workshop.file("swamp.map", moving_ai(&[".SSS.", ".....", "@TWO."]));
    let cost = |terrain: &[&str]| {
        let arguments = ["solve", "swamp.map", "--from", "0,0", "--to", "4,0", "--json"];
        workshop.run(&[&arguments[..], terrain].concat()).json()["cost"].clone()
    };
    assert_eq!(cost(&[]), 40);
    assert_eq!(cost(&["--terrain", "S=3"]), 48);
    assert_eq!(cost(&["--terrain", "S=0"]), 60);
    assert_eq!(cost(&["--terrain", "S=9,.=9"]), 360);
}

#[test]
fn carriage_returns_and_stray_text_are_no_part_of_a_map() {
    let workshop = Workshop::new();
    let plain = moving_ai(&["..@", "S..", "..T"]);
    workshop.file("plain.map", &plain);
    workshop.file("dos.map", plain.replace('\n', "\r\n").replace("width", "made by hand\r\nwidth"));
    workshop.file("costs.txt", "1 1 0\r\n1 1 1\r\n1 1 0\r\n");
    // Bytes that are not UTF-8 do no harm in the free text of a header.
    let mut latin = b"type octile\nh\xf6he\n".to_vec();
    latin.extend(plain.strip_prefix("type octile\n").unwrap().as_bytes());
    workshop.file("latin.map", latin);
    for map in ["plain.map", "dos.map", "costs.txt", "latin.map"] {
        let run = workshop.run(&["solve", map, "--from", "0,0", "--to", "2,1", "--json"]);
        assert_eq!((run.code, &run.json()["path"]), (0, &json!([[0, 0], [1, 1], [2, 1]])), "{map}");
    }
}

#[test]
fn limits_on_cost_and_length_are_answers() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "1 1 3 1 1\n");
    let ends = ["solve", "line.txt", "--from", "0,0", "--to", "4,0"];
    let run = |more: &[&str]| workshop.run(&[&ends[..], more].concat());
    for enough in [["--cost-limit", "60"], ["--length-limit", "4"]] {
        assert_eq!(run(&enough).code, 0, "{enough:?}");
    }
    let costly = run(&["--cost-limit", "59", "--json"]);
    assert_eq!(costly.code, 1, "{costly:?}");
    let report = costly.json();
    assert_eq!((&report["status"], &report["limit"]), (&json!("limit-reached"), &json!("cost")));
    assert!(report["cost"].as_u64().unwrap() <= 59, "{report}");
    let long = run(&["--length-limit", "3"]);
    assert_eq!(long.code, 1, "{long:?}");
    assert!(
        long.output.starts_with("length limit reached before 4,0 was; closest is 3,0"),
        "{}",
        long.output
    );
    assert_eq!(run(&["--cost-limit", "-1"]).code, 2);
}
