//! Messages on invalid files of rules.

use std::fmt::Write;
use tilepath::rules::{Rules, RulesFaultKind};

/// Returns a file with these parts. The classes are in line 2, the textures in line 3, and the
/// movements from line 5 on.
fn file(textures: &str, movements: &str) -> String {
    format!(
        "(\n classes: {{0: \"wall\", 1: \"grass\", 4: \"water\"}},\n textures: {{{textures}}},\n movements: {{\n{movements}\n}})"
    )
}

#[track_caller]
fn assert_faults(text: &str, expected: &[&str]) {
    let error = Rules::from_ron(text).unwrap_err();
    let found: Vec<String> = error.faults().iter().map(ToString::to_string).collect();
    assert_eq!(found, expected, "{text}");
    assert_eq!(error.to_string(), expected.join("\n"));
    assert_eq!(error.untold(), 0);
}

#[track_caller]
fn assert_movements(movements: &str, expected: &[&str]) {
    assert_faults(&file("", movements), expected);
}

#[test]
fn error_for_text_without_rules_shows_an_example() {
    let empty = "line 1, column 1: there are no rules here; write classes and movements, as in (classes: {1: \"grass\"}, movements: {\"walker\": (costs: {\"grass\": 1})})";
    for text in ["", " \n\t", "\u{feff}", "// nothing\n/* yet */"] {
        assert_faults(text, &[empty]);
    }
    assert_faults("()", &["line 1, column 1: `classes` is missing; write it"]);
    assert_faults("// rules\n (movements: {})", &["line 2, column 2: `classes` is missing; write it"]);
}

#[test]
fn error_for_invalid_ron_has_line_and_column() {
    let error = Rules::from_ron("(\n  classes: {1: \"grass\", 2 \"mud\"},\n)").unwrap_err();
    let [fault] = error.faults() else { panic!("{error}") };
    assert_eq!((fault.line, fault.column), (2, 26), "{error}");
    assert!(matches!(fault.kind, RulesFaultKind::Malformed { .. }));
    assert!(error.to_string().ends_with("; correct the text there"), "{error}");
    for text in ["(classes: {1: \"grass\"}", "(classes: {})\n x", "(classes {})", "\0", "(classes: {1: \"gra"]
    {
        let error = Rules::from_ron(text).unwrap_err();
        assert!(matches!(error.faults()[0].kind, RulesFaultKind::Malformed { .. }), "{text:?}: {error}");
    }
    let deep = "(classes: ".to_owned() + &"[".repeat(100_000);
    assert!(Rules::from_ron(&deep).is_err());
}

#[test]
fn error_for_another_kind_of_value_names_the_expected_kind() {
    for text in ["[]", "{\"classes\": {}}", "5", "\"rules\"", "(1, 2)", "closed", "/* rules */ {}"] {
        let error = Rules::from_ron(text).unwrap_err().to_string();
        let expected =
            "is an invalid file of rules; write fields in parentheses, such as (classes: {1: \"grass\"})";
        assert!(error.ends_with(expected), "{text}: {error}");
    }
    assert_faults(
        "(\nclasses: [\"grass\"],\ntextures: \"grass\",\nmovements: (walker: ()),\n)",
        &[
            "line 2, column 10: `[\"grass\"]` is an invalid list of classes; write numbers with names, such as {0: \"wall\", 1: \"grass\"}",
            "line 3, column 11: `\"grass\"` is an invalid list of textures; write indices and ranges with classes, such as {3: \"grass\", 8..=15: \"water\"}",
            "line 4, column 12: `(walker: ())` is an invalid list of movements; write names with descriptions, such as {\"walker\": (costs: {\"grass\": 1})}",
        ],
    );
    assert_movements(
        "\"a\": 5,\n\"b\": (costs: [1], overlays: \"danger\"),\nc: (),\n\"\": (),\n\"d\": {\"size\": 1}, \"e\": (overlays: [danger, \"\"])",
        &[
            "line 5, column 6, `a`: `5` is an invalid movement; write fields in parentheses, such as (costs: {\"grass\": 1}, size: 2)",
            "line 6, column 14, `b`: `[1]` is an invalid list of costs; write classes with numbers, such as {\"grass\": 1, \"mud\": 4}",
            "line 6, column 29, `b`: `\"danger\"` is an invalid list of overlays; write names in brackets, such as [\"danger\"]",
            "line 7, column 1: `c` is an invalid movement; write its name in quotes",
            "line 8, column 1: the empty text names no movement; give it at least one character",
            "line 9, column 6, `d`: `{\"size\": 1}` is an invalid movement; write fields in parentheses, such as (costs: {\"grass\": 1}, size: 2)",
            "line 9, column 36, `e`: `danger` is an invalid overlay; write its name in quotes",
            "line 9, column 44, `e`: the empty text names no overlay; give it at least one character",
        ],
    );
}

#[test]
fn fields_are_known_and_written_once() {
    assert_faults(
        "(\n classes: {1: \"grass\"},\n tiles: {},\n classes: {2: \"mud\"},\n movements: {\"a\": (speed: 3, size: 1,\n size: 2)},\n)",
        &[
            "line 3, column 2: `tiles` means nothing here; the names are classes, textures, movements",
            "line 4, column 2: `classes` is written twice; write it once",
            "line 5, column 20, `a`: `speed` means nothing here; the names are base, costs, size, diagonals, steps, overlays, turn_ends, step_costs, edges",
            "line 6, column 2, `a`: `size` is written twice; write it once",
        ],
    );
}

#[test]
fn classes_have_one_number_and_one_name_each() {
    assert_faults(
        "(classes: {\n1: \"grass\",\n1: \"mud\",\n2: \"grass\",\n256: \"lava\",\n-1: \"sand\",\n1.5: \"ice\",\n3: mud,\n4: \"\",\n},\nmovements: {\"a\": (costs: {\"mud\": 1, \"lava\": 1})})",
        &[
            "line 3, column 1, `mud`: class 1 is `grass` already, in line 2; give each class a number of its own",
            "line 4, column 4, `grass`: there is a class `grass` already, in line 2; choose another name",
            "line 5, column 1, `lava`: `256` is an invalid class; write a whole number from 0 to 255",
            "line 6, column 1, `sand`: `-1` is an invalid class; write a whole number from 0 to 255",
            "line 7, column 1, `ice`: `1.5` is an invalid class; write a whole number from 0 to 255",
            "line 8, column 4: `mud` is an invalid class; write its name in quotes",
            "line 9, column 4: the empty text names no class; give it at least one character",
        ],
    );
    assert_faults(
        "(movements: {\"a\": (costs: {\"mud\": 1})})",
        &["line 1, column 1: `classes` is missing; write it"],
    );
}

#[test]
fn textures_have_one_class_each_and_it_is_known() {
    assert_faults(
        &file("3: \"gras\", 7..=5: \"grass\", 9: 4, 2000000: \"water\", -1: \"water\", 1..4: \"wall\"", ""),
        &[
            "line 3, column 16: there is no class `gras`; list it under classes with a number, or did you mean `grass`?",
            "line 3, column 24: no texture lies in 7..=5; write the lower index first",
            "line 3, column 43: `4` is an invalid class; write its name in quotes",
            "line 3, column 46: there is no texture 2000000; indices go from 0 to 1048575",
            "line 3, column 64: `-1` is an invalid texture; write an index such as 3, or a range such as 8..=15",
            "line 3, column 77: `1..4` is an invalid texture; write an index such as 3, or a range such as 8..=15",
        ],
    );
    assert_faults(
        &file("\n5: \"water\",\n0..=9: \"grass\",\n8..=20: \"water\",\n9..=12: \"water\",\n9: \"grass\"", ""),
        &[
            "line 5, column 1: texture 5 is `water` already, in line 4, and cannot be `grass` too; take it out of one of the two",
            "line 6, column 1: textures 8 to 9 are `grass` already, in line 5, and cannot be `water` too; take them out of one of the two",
            "line 8, column 1: texture 9 is `water` already, in line 6, and cannot be `grass` too; take it out of one of the two",
        ],
    );
}

#[test]
fn movements_have_one_name_and_costs_of_known_classes() {
    assert_movements(
        "\"a\": (costs: {\"wter\": 1, \"lava\": 2}),\n\"a\": (costs: {\"grass\": 70000, \"water\": -1, \"wall\": 1.5}),\n\"b\": (costs: {\"grass\": 1,\n\"grass\": 2}),",
        &[
            "line 5, column 15, `a`: there is no class `wter`; list it under classes with a number, or did you mean `water`?",
            "line 5, column 26, `a`: there is no class `lava`; list it under classes with a number",
            "line 6, column 1, `a`: there is a movement `a` already, in line 5; choose another name",
            "line 6, column 24, `a`: `70000` is an invalid cost; write a whole number from 1 to 65535, or 0 to close the class",
            "line 6, column 40, `a`: `-1` is an invalid cost; write a whole number from 1 to 65535, or 0 to close the class",
            "line 6, column 52, `a`: `1.5` is an invalid cost; write a whole number from 1 to 65535, or 0 to close the class",
            "line 8, column 1, `b`: `grass` has a cost already, in line 7; write one",
        ],
    );
}

#[test]
fn invalid_sizes_diagonals_and_steps_are_refused() {
    assert_movements(
        "\"a\": (size: 0), \"b\": (size: 9), \"c\": (size: \"big\"),\n\"d\": (diagonals: \"sometimes\"), \"e\": (diagonals: never),\n\"f\": (steps: (10, 21)), \"g\": (steps: 10), \"h\": (steps: (0, 0)),",
        &[
            "line 5, column 13, `a`: `0` is an invalid size; write a whole number from 1 to 8: the cells of a side",
            "line 5, column 29, `b`: `9` is an invalid size; write a whole number from 1 to 8: the cells of a side",
            "line 5, column 45, `c`: `\"big\"` is an invalid size; write a whole number from 1 to 8: the cells of a side",
            "line 6, column 18, `d`: `\"sometimes\"` is an invalid diagonal rule; write \"never\", \"only-when-no-obstacles\", \"if-at-most-one-obstacle\" or \"always\", in these quotes",
            "line 6, column 49, `e`: `never` is an invalid diagonal rule; write \"never\", \"only-when-no-obstacles\", \"if-at-most-one-obstacle\" or \"always\", in these quotes",
            "line 7, column 14, `f`: step costs 10 and 21 are invalid: use 1 ≤ straight ≤ diagonal ≤ 2 × straight, such as 10 and 14",
            "line 7, column 38, `g`: `10` is an invalid pair of step costs; write the costs of a straight and of a diagonal step, such as (10, 14)",
            "line 7, column 56, `h`: step costs 0 and 0 are invalid: use 1 ≤ straight ≤ diagonal ≤ 2 × straight, such as 10 and 14",
        ],
    );
}

#[test]
fn bases_are_known_and_begin_somewhere() {
    assert_movements(
        "\"walker\": (base: \"human\"), \"rider\": (base: \"waker\"), \"ghost\": (base: open),\n\"own\": (base: \"own\"),\n\"in\": (base: \"a\"), \"a\": (base: \"b\"), \"b\": (base: \"c\"), \"c\": (base: \"a\"),\n\"after\": (base: \"c\"), \"owns\": (base: \"own\"), \"last\": (base: \"walker\")",
        &[
            "line 5, column 18, `walker`: there is no movement `human` to begin from; describe it under movements",
            "line 5, column 44, `rider`: there is no movement `waker` to begin from; describe it under movements, or did you mean `walker`?",
            "line 5, column 70, `ghost`: `open` is an invalid base; write closed, default, or the name of a movement in quotes",
            "line 6, column 1, `own`: `own` begins from `own`; let one of them begin from closed, from default, or from a movement outside this ring",
            "line 7, column 20, `a`: `a` begins from `b`, `b` begins from `c`, `c` begins from `a`; let one of them begin from closed, from default, or from a movement outside this ring",
        ],
    );
}

#[test]
fn hundred_faults_are_listed_and_the_others_counted() {
    let mut text = String::from("(classes: {1: \"grass\"}, movements: {");
    for place in 0..3_000 {
        let _ = write!(text, "\n\"{place}\": (base: \"{place}x\", size: 9),");
    }
    let error = Rules::from_ron(&(text + "})")).unwrap_err();
    assert_eq!((error.faults().len(), error.untold()), (100, 5_900));
    assert!(error.faults().is_sorted_by_key(|fault| (fault.line, fault.column)));
    assert!(error.to_string().ends_with("\nand 5900 more faults"));
}

#[test]
fn turn_ends_name_two_known_classes() {
    assert_movements(
        "\"galley\": (turn_ends: [(\"water\", \"gras\")]),",
        &[
            "line 5, column 24, `galley`: there is no class `gras`; list it under classes with a number, or did you mean `grass`?",
        ],
    );
    let wanted =
        "is an invalid turn end; write the class left and the class entered, such as (\"land\", \"water\")";
    let message = format!("line 5, column 24, `galley`: `\"water\"` {wanted}");
    assert_movements("\"galley\": (turn_ends: [\"water\"]),", &[&message]);
}
