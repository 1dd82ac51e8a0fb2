//! Movements from a file of rules.

use crate::{Workshop, asset, bad_input::assert_refused};
use serde_json::json;

const RULES: &str = r#"(
    classes: {0: "wall", 1: "grass", 2: "mud"},
    movements: {
        "sheep": (costs: {"grass": 1, "mud": 5}, overlays: ["danger"]),
        "cow": (base: "sheep", size: 2),
        "tower": (base: "sheep", diagonals: "never", steps: (70, 99)),
    },
)"#;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.file("rules.ron", RULES);
    workshop.file("map.txt", "1 1 1 1\n1 2 2 1\n1 1 1 1\n");
    workshop
}

#[test]
fn costs_size_diagonals_and_steps_equal_the_movement() {
    let workshop = workshop();
    let solve =
        ["solve", "map.txt", "--from", "0,2", "--to", "2,1", "--json", "--rules", "rules.ron", "--movement"];
    let cost = |movement| workshop.run(&[&solve[..], &[movement]].concat()).json()["cost"].clone();
    assert_eq!(["sheep", "cow", "tower"].map(cost), [json!(70), json!(120), json!(490)]);

    let rules = ["--rules", "rules.ron", "--movement", "cow"];
    let range = workshop
        .run(&[&["range", "map.txt", "--from", "0,2", "--points", "50", "--json"], &rules[..]].concat());
    assert_eq!(range.json()["cells"].as_array().unwrap().len(), 3, "{range:?}");
    let forbidden =
        workshop.run(&[&["forbidden", "map.txt", "--from", "0,2", "--to", "2,2"], &rules[..]].concat());
    assert_eq!(forbidden.code, 0, "{forbidden:?}");
    assert!(forbidden.output.ends_with("\n....\nssgg\nSsGg\n"), "{}", forbidden.output);
    let render = workshop.run(&[&["render", "map.txt", "--png", "a.png"], &rules[..]].concat());
    assert_eq!((render.code, workshop.path("a.png").exists()), (0, true), "{render:?}");
}

#[test]
fn movements_of_the_ford_find_different_paths() {
    let workshop = Workshop::new();
    let (rules, map) = (asset("rules/ford.ron"), asset("maps/ford.txt"));
    let solve = ["solve", &map, "--from", "2,4", "--to", "19,3", "--json", "--rules", &rules, "--movement"];
    let run = |movement| workshop.run(&[&solve[..], &[movement]].concat());
    assert_eq!(run("infantry").json()["cost"], 284);
    assert_eq!((run("wagon").code, run("elephant").code), (1, 1), "wood ends one path, the river the other");
    assert_eq!(run("scout").code, 0);
}

#[test]
fn overlays_count_where_the_movement_names_them() {
    let workshop = workshop();
    workshop.file("danger.txt", "0 0 0 0\n0 0 0 0\n0 9 0 0\n");
    let solve = [
        "solve",
        "map.txt",
        "--from",
        "0,2",
        "--to",
        "1,2",
        "--json",
        "--rules",
        "rules.ron",
        "--movement",
        "sheep",
    ];
    let run = workshop.run(&[&solve[..], &["--overlay", "danger=danger.txt"]].concat());
    assert_eq!((run.code, &run.json()["cost"]), (0, &json!(100)));
    let run = workshop.run(&[&solve[..], &["--overlay", "smell=danger.txt"]].concat());
    assert_refused(
        &run,
        &["rules.ron: the overlay `smell` does not count for the movement `sheep`", "--overlay smell"],
    );
}

#[test]
fn rules_and_movement_belong_together_and_exclude_what_they_say() {
    let workshop = workshop();
    let solve = ["solve", "map.txt", "--from", "0,0", "--to", "1,1"];
    let both = ["--rules", "rules.ron", "--movement", "sheep"];
    for (more, parts) in [
        (&["--rules", "rules.ron"][..], &["--movement"][..]),
        (&["--movement", "sheep"], &["--rules"]),
        (
            &["--rules", "rules.ron", "--movement", "goat"],
            &["rules.ron: there is no movement `goat`; take one of `sheep`, `cow`, `tower`"],
        ),
        (&["--rules", "none.ron", "--movement", "goat"], &["none.ron", "cannot be read"]),
    ] {
        assert_refused(&workshop.run(&[&solve[..], more].concat()), parts);
    }
    for option in [["--size", "2"], ["--diagonals", "never"], ["--steps", "70,99"]] {
        let run = workshop.run(&[&solve[..], &both, &option].concat());
        assert_refused(&run, &["cannot be used with", option[0]]);
    }
    workshop.file("empty.ron", "(classes: {})");
    let run = workshop.run(&[&solve[..], &["--rules", "empty.ron", "--movement", "sheep"]].concat());
    assert_refused(&run, &["there is no movement `sheep`; describe one under movements"]);
}
