//! `tilepath lint`.

use crate::{Workshop, asset, bad_input::assert_refused};
use serde_json::json;

const RULES: &str = r#"(
    classes: {1: "grass", 4: "water", 7: "lava"},
    textures: {0..=3: "grass", 4..=7: "water"},
    movements: {"sheep": (costs: {"grass": 1}), "cow": (base: "sheep", size: 2, overlays: ["danger"])},
)"#;

const WRONG: &str = "(\n  classes: {1: \"grass\", 1: \"mud\"},\n  movements: {\n    \"sheep\": (costs: {\"gras\": 1}, size: 9),\n  },\n)\n";

#[test]
fn rules_of_the_ford_are_clean() {
    let workshop = Workshop::new();
    let (rules, map) = (asset("rules/ford.ron"), asset("maps/ford.txt"));
    for arguments in [&["lint", &rules][..], &["lint", &rules, &map]] {
        let run = workshop.run(arguments);
        assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
        assert_eq!(run.output, "clean: 6 classes, 29 textures, 4 movements\n");
    }
    let run = workshop.run(&["lint", &rules, "--json"]);
    let expected = json!({"status": "clean", "classes": 6, "textures": 29, "movements": 4, "lints": []});
    assert_eq!((run.code, run.json()), (0, expected));
}

#[test]
fn lints_are_a_line_each_and_exit_code_one() {
    let workshop = Workshop::new();
    workshop.file("rules.ron", RULES);
    let run = workshop.run(&["lint", "rules.ron"]);
    assert_eq!((run.code, run.errors.as_str()), (1, ""), "{run:?}");
    let alone = [
        "textures 4 to 7 are `water`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
        "the class `lava` (7) is named by no texture and by no movement; name it, or take it out",
    ];
    assert_eq!(run.output, format!("2 lints: 3 classes, 8 textures, 2 movements\n{}\n", alone.join("\n")));

    workshop.file("map.txt", "1~2\n1#1\n");
    workshop.file("danger.txt", "0 0 1\n0 0 0\n");
    let arguments =
        ["lint", "rules.ron", "map.txt", "--terrain", "~=4", "--overlay", "dangr=danger.txt", "--json"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, run.errors.as_str()), (1, ""), "{run:?}");
    let expected = [
        alone[0],
        alone[1],
        "1 cell of the map is of class 2, which has no name; list it under classes",
        "nowhere on the map are 2 × 2 cells open to the movement `cow`; make it smaller, or open more classes to it",
        "the overlay `dangr` of the map counts for no movement; name it in one, or did you mean `danger`?",
    ];
    assert_eq!(run.json()["lints"], json!(expected));
    let run = workshop.run(&[&arguments[..], &["--topology", "hex-row"]].concat());
    assert_eq!(
        run.json()["lints"][3],
        "the movement `cow` has size 2, and the map hexagons, where units cover one cell; make it size 1"
    );
}

#[test]
fn all_faults_are_refused_with_file_and_line() {
    let workshop = Workshop::new();
    workshop.file("wrong.ron", WRONG);
    workshop.file("map.txt", "11\n");
    let expected = "\
error: wrong.ron: line 2, column 25, `mud`: class 1 is `grass` already, in line 2; give each class a number of its own
error: wrong.ron: line 4, column 23, `sheep`: there is no class `gras`; list it under classes with a number, or did you mean `grass`?
error: wrong.ron: line 4, column 41, `sheep`: `9` is an invalid size; write a whole number from 1 to 8: the cells of a side
";
    let solve =
        ["solve", "map.txt", "--from", "0,0", "--to", "1,0", "--rules", "wrong.ron", "--movement", "sheep"];
    for arguments in [&["lint", "wrong.ron"][..], &["lint", "wrong.ron", "--json"], &solve] {
        let run = workshop.run(arguments);
        assert_eq!((run.code, run.output.as_str(), run.errors.as_str()), (2, "", expected), "{arguments:?}");
    }
    let run = workshop.run_with(&["lint", "-"], WRONG);
    assert_eq!(run.errors, expected.replace("wrong.ron", "standard input"));
}

#[test]
fn invalid_rules_file_or_map_is_refused() {
    let workshop = Workshop::new();
    workshop.file("rules.ron", RULES);
    workshop.file("empty.ron", "// to be written\n");
    workshop.file("torn.ron", &RULES[..60]);
    workshop.file("letters.txt", "1x\n");
    for (arguments, parts) in [
        (&["lint"][..], &["<RULES>"][..]),
        (&["lint", "none.ron"], &["none.ron", "cannot be read"]),
        (&["lint", "empty.ron"], &["empty.ron: line 1, column 1: there are no rules here"]),
        (&["lint", "torn.ron"], &["torn.ron: line 3"]),
        (&["lint", "rules.ron", "none.txt"], &["none.txt", "cannot be read"]),
        (&["lint", "rules.ron", "letters.txt"], &["letters.txt: line 1, column 2", "--terrain 'x=0'"]),
        (&["lint", "rules.ron", "--terrain", "x=1"], &["MAP"]),
        (&["lint", "rules.ron", "--topology", "hex-row"], &["MAP"]),
    ] {
        assert_refused(&workshop.run(arguments), parts);
    }
}

#[test]
fn nothing_that_a_file_of_rules_holds_steers_the_terminal() {
    let workshop = Workshop::new();
    workshop
        .file("rules.ron", "(classes: {1: \"a\\u{1b}[2J\\nclean\", 2: \"b\"}, movements: {\"\\u{9b}\": ()})");
    workshop.file(
        "wrong.ron",
        "(classes: {1: \"a\\u{1b}[2J\\nclean\"}, movements: {\"\\u{9b}\": (size: \"\u{1b}\n9\")})",
    );
    for (file, code) in [("rules.ron", 1), ("wrong.ron", 2)] {
        let run = workshop.run(&["lint", file]);
        assert_eq!(run.code, code, "{run:?}");
        for text in [&run.output, &run.errors] {
            assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
        }
    }
    let run = workshop.run(&["lint", "rules.ron"]);
    assert_eq!(run.output.lines().count(), 4, "{}", run.output);
    assert_eq!(workshop.run(&["lint", "wrong.ron"]).errors.lines().count(), 1);
}

#[test]
fn deep_text_is_refused_without_advice_for_programmers() {
    let workshop = Workshop::new();
    let deep = |open: &str, close: &str| open.repeat(300) + &close.repeat(300);
    workshop.file("rules.ron", format!("(classes: {})", deep("[", "]")));
    workshop.file("costs.ron", format!("(classes: {{1: \"a\"}}, movements: {{\"x\": {}}})", deep("(", ")")));
    workshop.file("graph.ron", format!("(nodes: {})", deep("[", "]")));
    workshop.file("recording.ron", format!("(format: {})", deep("[", "]")));
    for arguments in [
        &["lint", "rules.ron"][..],
        &["lint", "costs.ron"],
        &["graph", "graph.ron", "--from", "a", "--to", "b"],
        &["replay", "recording.ron"],
    ] {
        let run = workshop.run(arguments);
        assert_refused(&run, &[".ron: line 1, column "]);
        for word in ["ron::", "serde", "recursion"] {
            assert!(!run.errors.contains(word), "{arguments:?}: {}", run.errors);
        }
    }
    let parts = ["rules.ron: line 1, column 74: too many brackets lie in each other; correct the text there"];
    assert_refused(&workshop.run(&["lint", "rules.ron"]), &parts);
}
