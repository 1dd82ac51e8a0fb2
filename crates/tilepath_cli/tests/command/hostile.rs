//! Hostile files: each must end with a message, and must do nothing else.

use crate::{Workshop, bad_input::assert_refused, golden, moving_ai};
use std::process::{Command, Stdio};

/// Asserts that no output can steer a terminal.
#[track_caller]
fn assert_plain(text: &str) {
    let steering = |letter: char| (letter.is_control() && letter != '\n') || letter == '\u{202e}';
    assert!(!text.contains(steering), "{text:?}");
}

#[test]
fn control_characters_of_a_file_are_printed_by_their_numbers() {
    let workshop = Workshop::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}";
    workshop.file("cells.txt", format!("1 1\n1 {evil}\n"));
    workshop.file("picture.txt", format!("..\n.{evil}\n"));
    workshop.file("letters.map", moving_ai(&["...", ".\u{1b}."]));
    workshop.file("height.map", format!("type octile\nheight {evil}\nwidth 1\nmap\n.\n"));
    workshop.file("first.scen", format!("{evil}\n"));
    workshop.file("row.scen", format!("version 1\n0\t{evil}.map\t3\t1\t0\t0\t2\t0\t2\n"));
    workshop.file("node.ron", format!("(nodes: [(id: \"a\", x: 0, y: 0, join: [\"{evil}\"])])"));
    workshop.file("node.xml", format!("<nodes><node id='a' x='0' y='{evil}'/></nodes>"));
    workshop.file("recording.ron", format!("(\"{evil}\": 1)"));
    let solve = ["--from", "0,0", "--to", "1,1"];
    let graph = ["--from", "a", "--to", "b"];
    for (command, file, more) in [
        ("solve", "cells.txt", &solve[..]),
        ("solve", "picture.txt", &solve),
        ("solve", "letters.map", &solve),
        ("solve", "height.map", &solve),
        ("scen", "first.scen", &[]),
        ("scen", "row.scen", &[]),
        ("graph", "node.ron", &graph),
        ("graph", "node.xml", &graph),
        ("replay", "recording.ron", &[]),
        ("solve", "no\u{1b}[31m\nsuch.map", &solve),
        ("solve", "--no\u{1b}[31msuch", &solve),
    ] {
        let run = workshop.run(&[&[command, file], more].concat());
        assert_refused(&run, &["error: "]);
        assert_plain(&run.errors);
    }
    let run = workshop.run(&["solve", "picture.txt", "--from", "0,0", "--to", "1,1"]);
    assert_refused(&run, &[r"`\u{1b}` stands for no terrain"]);
}

#[test]
fn control_characters_of_names_are_printed_by_their_numbers() {
    let workshop = Workshop::new();
    workshop.file(
        "town.ron",
        "(nodes: [(id: \"a\\u{1b}[2J\\nfound\", x: 0, y: 0, join: [\"b\\u{9b}\"]), (id: \"b\\u{9b}\", x: 3, y: 4)])",
    );
    let (from, to) = ("a\u{1b}[2J\nfound", "b\u{9b}");
    let run = workshop.run(&["graph", "town.ron", "--from", from, "--to", to]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.output, "a\\u{1b}[2J\\nfound -> b\\u{9b}\ncost 5.0000, length 5.0000, 1 step\n");
    let run = workshop.run(&["graph", "town.ron", "--from", from, "--within", "1"]);
    assert_eq!(run.output, "0: a\\u{1b}[2J\\nfound\n1: b\\u{9b}\n");
    let run = workshop.run(&["graph", "town.ron", "--from", from, "--to", to, "--json"]);
    assert_plain(&run.output);
    assert_eq!(
        run.json()["path"],
        serde_json::json!([from, to]),
        "a reader of JSON gets the names as they are"
    );

    workshop.file("evil\u{1b}[2J.map", moving_ai(&["..."]));
    workshop.file("row.scen", "version 1\n0\tevil\u{1b}[2J.map\t3\t1\t0\t0\t2\t0\t9\n");
    let run = workshop.run(&["scen", "row.scen"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.output.contains(r"evil\u{1b}[2J.map"), "{}", run.output);
    assert_plain(&run.output);
    assert_plain(&run.errors);
}

#[test]
fn signs_before_numbers_are_refused_wherever_a_number_is_an_argument() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    workshop.file("a.map", moving_ai(&["..."]));
    workshop.file("a.scen", "version 1\n0 a.map 3 1 0 0 2 0 2\n");
    workshop.file("town.xml", "<nodes><node id='a' x='0' y='0'/></nodes>");
    let places = ["--from", "0,0", "--to", "1,1", "--png", "a.png"];
    let solve = |more: [&str; 2]| workshop.run(&[&["solve", "golden.txt"], &places[..], &more].concat());
    assert_eq!(solve(["--scale", "2"]).code, 0);
    for more in [
        ["--scale", "+2"],
        ["--steps", "+10,14"],
        ["--steps", "10,+14"],
        ["--algorithm", "weighted-astar:+150"],
    ] {
        assert_refused(&solve(more), &[more[0]]);
    }
    for place in ["+0,0", "0,+0"] {
        let run = workshop.run(&["solve", "golden.txt", "--from", place, "--to", "1,1"]);
        assert_refused(&run, &["--from", "column and row"]);
    }
    assert_refused(&workshop.run(&["scen", "a.scen", "--limit", "+1"]), &["--limit", "from 1"]);
    assert_refused(&workshop.run(&["graph", "town.xml", "--from", "a", "--within", "+1"]), &["--within"]);
    workshop.file("signed.map", "type octile\nheight +1\nwidth 3\nmap\n...\n");
    let run = workshop.run(&["solve", "signed.map", "--from", "0,0", "--to", "1,0"]);
    assert_refused(&run, &["signed.map: line 2, column 8", "`+1` is not a size"]);
}

#[test]
fn moving_ai_map_without_a_line_of_its_header_gets_a_message_about_it() {
    let workshop = Workshop::new();
    for (name, text, missing) in [
        ("headless.map", "height 2\nmap\n...\n...\n", "line 2, column 1: the header has no `width` line"),
        (
            "late.map",
            "octile\r\nwidth 3\r\nmap\r\n...\r\n",
            "line 3, column 1: the header has no `height` line",
        ),
        ("endless.map", "height 2\nwidth 3\n...\n", "line 4, column 1: the header has no `map` line"),
    ] {
        workshop.file(name, text);
        for more in [&[][..], &["--terrain", "S=3"]] {
            let run = workshop.run(&[&["solve", name, "--from", "0,0", "--to", "1,1"], more].concat());
            assert_refused(&run, &[name, missing, "begins with type, height, width and map"]);
        }
    }
}

#[test]
fn algorithm_that_a_later_map_refuses_leaves_standard_output_empty() {
    let workshop = Workshop::new();
    workshop.file("even.map", moving_ai(&["..."]));
    workshop.file("mixed.map", moving_ai(&[".S."]));
    let row = |map: &str| format!("0 {map} 3 1 0 0 2 0 2\n");
    workshop.file("one.scen", format!("version 1\n{}", row("mixed.map")));
    workshop.file("two.scen", format!("version 1\n{}{}", row("even.map"), row("mixed.map")));
    for scenario in ["one.scen", "two.scen"] {
        for form in [&["--csv"][..], &[]] {
            let run =
                workshop.run(&[&["scen", scenario, "--terrain", "S=3", "--algorithm", "jps"], form].concat());
            assert_refused(&run, &["mixed.map", "auto"]);
        }
    }
}

#[test]
fn folders_and_empty_files_are_refused_wherever_a_file_is_read() {
    let workshop = Workshop::new();
    std::fs::create_dir(workshop.path("folder")).unwrap();
    workshop.file("empty", "");
    workshop.file("zeros", [0; 64]);
    for file in ["folder", "empty", "zeros"] {
        for arguments in [
            &["solve", file, "--from", "0,0", "--to", "1,1"][..],
            &["render", file, "--png", "picture.png"],
            &["scen", file],
            &["graph", file, "--from", "a", "--to", "b"],
            &["replay", file],
        ] {
            let run = workshop.run(arguments);
            assert_refused(&run, &[file]);
            assert_plain(&run.errors);
        }
    }
    workshop.file("golden.txt", golden());
    assert_refused(
        &workshop.run(&["render", "golden.txt", "--png", "folder"]),
        &["folder", "cannot be written"],
    );
}

#[test]
fn greatest_numbers_are_answered_or_refused() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    workshop.file("costly.txt", "255 255\n255 255\n");
    let solve = |file: &str, more: &[&str]| {
        workshop.run(&[&["solve", file, "--from", "0,0", "--to", "1,1"], more].concat())
    };
    assert_eq!(solve("costly.txt", &["--steps", "65535,65535", "--json"]).json()["cost"], 255 * 65535);
    for percent in ["0", "99", "100", "4294967295", "99999999999999999999"] {
        let run = solve("golden.txt", &["--algorithm", &format!("weighted-astar:{percent}")]);
        assert!(run.code == 0 || run.code == 2 && run.output.is_empty(), "{percent}: {run:?}");
    }
    for (file, row) in [
        ("bucket.scen", "99999999999 golden.txt 15 12 0 0 1 1 1"),
        ("width.scen", "0 golden.txt 4294967295 4294967295 4294967294 0 1 1 1"),
        ("length.scen", "0 golden.txt 15 12 0 0 1 1 1e400"),
    ] {
        workshop.file(file, format!("version 1\n{row}\n"));
        assert_refused(&workshop.run(&["scen", file, "--csv"]), &[file, "line 2"]);
    }
    workshop.file("far.xml", "<nodes><node id='a' x='1e999' y='0'/></nodes>");
    assert_refused(
        &workshop.run(&["graph", "far.xml", "--from", "a", "--within", "4294967295"]),
        &["far.xml"],
    );
}

#[test]
fn reader_that_has_seen_enough_of_any_answer_is_no_error() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    let nodes = |nodes: usize| -> String {
        (0..nodes)
            .map(|x| {
                format!("<node id='n{x}' x='{x}' y='0' join='n0,n{x}x'/><node id='n{x}x' x='{x}' y='1'/>")
            })
            .skip(1)
            .collect()
    };
    workshop.file("town.xml", format!("<nodes><node id='n0' x='0' y='0'/>{}</nodes>", nodes(9_000)));
    workshop.file("a.map", moving_ai(&["..."]));
    workshop.file("long.scen", format!("version 1\n{}", "0 a.map 3 1 0 0 2 0 2\n".repeat(3_000)));
    for arguments in [
        &["scen", "long.scen", "--csv"][..],
        &["scen", "long.scen"],
        &["solve", "golden.txt", "--from", "0,0", "--to", "9,9"],
        &["solve", "golden.txt", "--from", "0,0", "--to", "9,9", "--explain"],
        &["graph", "town.xml", "--from", "n0", "--within", "9"],
        &["graph", "town.xml", "--from", "n0", "--within", "9", "--json"],
        &["--help"],
        &["help", "solve"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tilepath"))
            .args(arguments)
            .current_dir(workshop.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let errors = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(0), "{arguments:?}: {errors}");
        assert!(!errors.contains("error") && !errors.contains("panicked"), "{arguments:?}: {errors}");
    }
}

#[test]
fn closed_pipe_keeps_the_verdict() {
    let workshop = Workshop::new();
    workshop.file("a.map", moving_ai(&["...", ".@."]));
    workshop.file("right.scen", "version 1\n0 a.map 3 2 0 0 2 0 2\n0 a.map 3 2 0 1 2 1 4\n");
    workshop.file("wrong.scen", "version 1\n0 a.map 3 2 0 0 2 0 2\n0 a.map 3 2 0 1 2 1 9\n");
    workshop.file("walls.txt", "1 0 1\n");
    let mismatch = "wrong.scen: line 3: 0,1 to 2,1: length 4.000000, but 9 in the file\n";
    let wrong = format!("{mismatch}rows 2, closed 0, mismatches 1\n");
    for (arguments, code, errors) in [
        (&["scen", "right.scen", "--csv"][..], 0, "rows 2, closed 0, mismatches 0\n"),
        (&["scen", "wrong.scen", "--csv"], 1, &wrong),
        (&["scen", "wrong.scen"], 1, &wrong),
        (&["solve", "walls.txt", "--from", "0,0", "--to", "2,0", "--explain"], 1, ""),
        (&["solve", "walls.txt", "--from", "0,0", "--to", "2,0", "--json"], 1, ""),
        (&["forbidden", "walls.txt", "--from", "0,0", "--to", "2,0"], 1, ""),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tilepath"));
        command.args(arguments).current_dir(workshop.folder.path()).stdout(writer).stderr(Stdio::piped());
        let ended = command.spawn().unwrap().wait_with_output().unwrap();
        let found = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), found.as_str()), (Some(code), errors), "{arguments:?}");
    }
}
