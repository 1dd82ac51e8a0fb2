use crate::{Run, Workshop, golden, moving_ai};

/// Asserts exit code 2, nothing on standard output, and a message with all these parts.
#[track_caller]
pub(crate) fn assert_refused(run: &Run, parts: &[&str]) {
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.output, "", "{run:?}");
    for part in parts {
        assert!(run.errors.contains(part), "{part:?} is missing in {:?}", run.errors);
    }
}

#[test]
fn fault_of_a_map_names_file_and_line() {
    let workshop = Workshop::new();
    let promising = |header: &str| format!("type octile\n{header}\nmap\n...\n...\n");
    for (name, text, line) in [
        ("ragged.txt", "1 1 1\n1 1\n1 1 1\n".to_owned(), "line 2, column 4"),
        ("long.txt", "1 1 1\n1 1 1 1\n".to_owned(), "line 2, column 7"),
        ("gap.txt", "1 1 1\n\n1 1 1\n".to_owned(), "line 2, column 1"),
        ("large.txt", "1 1 1\n1 256 1\n".to_owned(), "line 2, column 3"),
        ("negative.txt", "1 1 1\n1 1 -1\n".to_owned(), "line 2, column 5"),
        ("words.txt", "one two\n".to_owned(), "line 1, column 1"),
        ("empty.txt", String::new(), "line 1, column 1"),
        ("letter.map", moving_ai(&["...", ".x."]), "line 6, column 2"),
        ("short.map", moving_ai(&["...", ".."]), "line 6, column 3"),
        ("long.map", moving_ai(&["...", "...."]), "line 6, column 4"),
        ("few.map", promising("height 3\nwidth 3"), "line 7"),
        ("many.map", promising("height 1\nwidth 3"), "line 6"),
        ("huge.map", promising("height 4000000000\nwidth 4000000000"), "line 3"),
        ("wide.map", promising("height 2\nwidth 4000000000"), "line 3"),
        ("headless.map", promising("height 2"), "line 3"),
        ("worded.map", promising("height two\nwidth 3"), "line 2, column 8"),
    ] {
        workshop.file(name, text);
        for arguments in [
            &["solve", name, "--from", "0,0", "--to", "1,1", "--json"][..],
            &["solve", name, "--from", "0,0", "--to", "1,1"],
            &["render", name, "--png", "picture.png"],
        ] {
            assert_refused(&workshop.run(arguments), &[name, line]);
        }
        assert!(!workshop.path("picture.png").exists(), "{name}");
    }
}

#[test]
fn file_that_cannot_be_read_or_written_is_named() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    assert_refused(&workshop.run(&["solve", "none.map", "--from", "0,0", "--to", "1,1"]), &["none.map"]);
    assert_refused(&workshop.run(&["scen", "none.scen"]), &["none.scen"]);
    let arguments =
        ["solve", "golden.txt", "--from", "0,0", "--to", "1,1", "--json", "--png", "no/folder.png"];
    assert_refused(&workshop.run(&arguments), &["folder.png", "cannot be written"]);
    assert_refused(&workshop.run(&["render", "golden.txt", "--png", "no/folder.png"]), &["folder.png"]);
}

#[test]
fn place_outside_the_map_is_refused() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    workshop.file("empty.map", "type octile\nheight 0\nwidth 0\nmap\n");
    for (map, from, to, named) in [
        ("golden.txt", "15,0", "0,0", "--from 15,0"),
        ("golden.txt", "0,0", "0,12", "--to 0,12"),
        ("golden.txt", "4294967295,4294967295", "0,0", "--from"),
        ("empty.map", "0,0", "0,0", "0 columns and 0 rows"),
    ] {
        let run = workshop.run(&["solve", map, "--from", from, "--to", to, "--json"]);
        assert_refused(&run, &[map, named]);
    }
    assert_refused(&workshop.run(&["render", "empty.map", "--png", "picture.png"]), &["0 × 0 pixels"]);
}

#[test]
fn wrong_arguments_are_refused_with_what_would_do() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    workshop.file("letters.map", moving_ai(&["..", ".."]));
    for (map, arguments, hint) in [
        ("golden.txt", ["--from", "-1,2"], "column and row"),
        ("golden.txt", ["--from", "1;2"], "column and row"),
        ("golden.txt", ["--steps", "10,21"], "steps"),
        ("golden.txt", ["--steps", "10"], "10,14"),
        ("golden.txt", ["--diagonals", "sometimes"], "only-when-no-obstacles"),
        ("golden.txt", ["--algorithm", "magic"], "astar"),
        ("golden.txt", ["--terrain", "S=3"], "golden.txt: line 1"),
        ("letters.map", ["--terrain", "S"], "S=3"),
        ("letters.map", ["--terrain", "S=256"], "255"),
        ("letters.map", ["--scale", "3"], "--png"),
        ("letters.map", ["--flight", "3"], "--flight"),
    ] {
        let places: &[&str] =
            if arguments[0] == "--from" { &["--to", "1,1"] } else { &["--from", "0,0", "--to", "1,1"] };
        let run = workshop.run(&[&["solve", map], places, &arguments].concat());
        assert_refused(&run, &[hint]);
    }
    assert_refused(&workshop.run(&["render", "letters.map", "--png", "a.png", "--from", "0,0"]), &["--to"]);
    assert_refused(&workshop.run(&["render", "letters.map", "--png", "a.png", "--heat"]), &["--from"]);
    assert_refused(&workshop.run(&["scen", "a.scen", "--limit", "0"]), &["--limit"]);
    assert_refused(&workshop.run(&[]), &["Usage"]);
}

#[test]
fn algorithm_that_does_not_apply_is_refused_with_the_map_named() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    let run = workshop.run(&["solve", "golden.txt", "--from", "0,0", "--to", "1,1", "--algorithm", "jps"]);
    assert_refused(&run, &["golden.txt", "auto"]);
}

#[test]
fn fault_of_a_scenario_names_file_and_line() {
    let workshop = Workshop::new();
    workshop.file("a.map", moving_ai(&["...", "..."]));
    workshop.file("bad.map", moving_ai(&["...", ".x."]));
    let good = "0 a.map 3 2 0 0 2 0 2";
    for (row, parts) in [
        ("0 a.map 3 2 0 0 2 0", &["rows.scen", "line 3", "8 fields"][..]),
        ("0 a.map 3 2 0 0 2 zero 2", &["rows.scen", "line 3, column 19", "goal y"]),
        ("0 a.map 3 2 0 0 3 0 2", &["rows.scen", "line 3", "goal 3,0"]),
        ("0 a.map 3 3 0 0 2 0 2", &["rows.scen", "line 3", "a.map", "3 × 3", "3 × 2"]),
        ("0 maps/none.map 3 2 0 0 2 0 2", &["rows.scen", "line 3", "none.map", "--maps"]),
        ("0 bad.map 3 2 0 0 2 0 2", &["bad.map", "line 6, column 2"]),
    ] {
        workshop.file("rows.scen", format!("version 1\n{good}\n{row}\n"));
        assert_refused(&workshop.run(&["scen", "rows.scen", "--csv"]), parts);
        assert_refused(&workshop.run(&["scen", "rows.scen"]), parts);
    }
    workshop.file("rows.scen", format!("{good}\n"));
    assert_refused(&workshop.run(&["scen", "rows.scen", "--csv"]), &["rows.scen", "line 1", "version 1"]);
}
