use crate::{Workshop, bad_input::assert_refused, golden};

/// The commands that print a map.
const COMMANDS: [&[&str]; 3] = [
    &["solve", "golden.txt", "--from", "0,0", "--to", "14,11"],
    &["forbidden", "golden.txt", "--from", "0,0", "--to", "14,11"],
    &["range", "golden.txt", "--from", "0,0", "--points", "60", "--turns", "2", "--no-stop", "3,3"],
];

/// Returns the text without its escape codes, which end with `m`.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').unwrap().1)
}

#[test]
fn piped_output_has_no_escape_codes() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    for command in COMMANDS {
        let run = workshop.run(command);
        assert_eq!(run.code, 0, "{run:?}");
        for more in [&["--color", "auto"][..], &["--color", "never"]] {
            assert_eq!(workshop.run(&[command, more].concat()).output, run.output);
        }
        assert!(!run.output.contains('\u{1b}'), "{}", run.output);
    }
}

#[test]
fn always_colours_the_map_and_changes_nothing_else() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    for command in COMMANDS {
        let (piped, coloured) =
            (workshop.run(command), workshop.run(&[command, &["--color", "always"]].concat()));
        let (head, map) = coloured.output.split_once("\n\n").unwrap();
        assert!(!head.contains('\u{1b}'), "{head}");
        assert!(map.contains("\u{1b}[1m\u{1b}[32mS\u{1b}[0m"), "the start is green: {map:?}");
        assert!(map.contains("\u{1b}[90m#######\u{1b}[0m"), "one code for letters of one colour: {map:?}");
        assert_eq!(plain(&coloured.output), piped.output);
    }
    let first = ["--color", "always"];
    assert!(workshop.run(&[&first, COMMANDS[0]].concat()).output.contains('\u{1b}'), "before the command");
}

#[test]
fn json_has_no_colours() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    for command in COMMANDS {
        let run = workshop.run(&[command, &["--json", "--color", "always"]].concat());
        assert!(!run.output.contains('\u{1b}'), "{}", run.output);
    }
}

#[test]
fn other_values_of_color_are_refused() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    let run = workshop.run(&[COMMANDS[0], &["--color", "sometimes"]].concat());
    assert_refused(&run, &["--color", "auto", "always", "never"]);
}
