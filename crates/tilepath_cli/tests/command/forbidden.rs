use crate::{Workshop, bad_input::assert_refused, pictures::Picture};
use serde_json::json;

const GATES: &str = "..#....\n.......\n..#.#..\n..#.###\n";

#[test]
fn cells_that_block_every_path_are_listed_and_drawn() {
    let workshop = Workshop::new();
    workshop.file("gates.txt", GATES);
    let arguments = ["forbidden", "gates.txt", "--from", "0,3", "--to", "6,0"];
    let run = workshop.run(&arguments);
    assert_eq!((run.code, run.errors.as_str()), (0, ""));
    assert_eq!(
        run.output,
        "forbidden: 4 cells, each alone blocks every path: 1,1 2,1 3,1 6,0\n\n..#...G\n.xxx...\n..#.#..\nS.#.###\n"
    );
    let both = [&arguments[..], &["--from", "3,3"]].concat();
    assert_eq!(
        workshop.run(&both).output,
        "forbidden: 5 cells, each alone blocks every path: 1,1 2,1 3,1 6,0 3,2\n\n..#...G\n.xxx...\n..#x#..\nS.#S###\n"
    );
    let report = workshop.run(&[&both[..], &["--json"]].concat());
    assert_eq!(report.output.lines().count(), 1);
    assert_eq!(
        report.json(),
        json!({"status": "found", "forbidden": [[1, 1], [2, 1], [3, 1], [6, 0], [3, 2]], "unreachable": []})
    );
    let run = workshop.run(&[&arguments[..], &["--png", "gates.png", "--scale", "20"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    let picture = Picture::read(&workshop.path("gates.png"));
    picture.assert_map(140, 80);
    assert_eq!(picture.at(2 * 20 + 10, 20), [232, 126, 4], "the frame of the gap");
    assert_eq!(picture.at(10, 3 * 20 + 10), [34, 139, 74], "the start");
}

#[test]
fn rules_and_letters_equal_the_other_commands() {
    let workshop = Workshop::new();
    workshop.file("corner.txt", ".#.\n..#\n...\n");
    let arguments = ["forbidden", "corner.txt", "--from", "0,2", "--to", "2,2"];
    assert!(
        workshop
            .run(&arguments)
            .output
            .starts_with("forbidden: 2 cells, each alone blocks every path: 1,2 2,2\n")
    );
    let always = [&arguments[..], &["--diagonals", "always"]].concat();
    assert!(workshop.run(&always).output.starts_with("forbidden: 1 cell: 2,2\n"));
    let open = [&arguments[..], &["--terrain", "#=1"]].concat();
    assert!(workshop.run(&open).output.starts_with("forbidden: 1 cell: 2,2\n"));
    let same = ["forbidden", "corner.txt", "--from", "0,2", "--to", "0,2"];
    assert!(workshop.run(&same).output.starts_with("forbidden: no cell\n"));
}

#[test]
fn long_corridors_are_counted() {
    let workshop = Workshop::new();
    workshop.file("corridor.txt", ".".repeat(120));
    let run = workshop.run(&["forbidden", "corridor.txt", "--from", "0,0", "--to", "119,0"]);
    let listed: Vec<String> = (1..=20).map(|column| format!("{column},0")).collect();
    let listed = listed.join(" ");
    assert_eq!(
        run.output,
        format!("forbidden: 119 cells, each alone blocks every path: {listed} and 99 more\n")
    );
}

#[test]
fn start_without_a_path_is_named() {
    let workshop = Workshop::new();
    workshop.file("walls.txt", ".#...\n");
    let arguments = ["forbidden", "walls.txt", "--from", "0,0", "--to", "4,0"];
    let run = workshop.run(&arguments);
    assert_eq!(run.code, 1);
    assert_eq!(run.output, "unreachable: no path from 0,0 to 4,0\n\nS#..G\n");
    let run = workshop.run(&[&arguments[..], &["--from", "2,0", "--json"]].concat());
    assert_eq!(run.code, 1);
    assert_eq!(
        run.json(),
        json!({"status": "unreachable", "forbidden": [[3, 0], [4, 0]], "unreachable": [[0, 0]]})
    );
}

#[test]
fn bad_arguments_are_refused() {
    let workshop = Workshop::new();
    workshop.file("gates.txt", GATES);
    assert_refused(&workshop.run(&["forbidden", "gates.txt", "--to", "1,1"]), &["--from"]);
    assert_refused(&workshop.run(&["forbidden", "gates.txt", "--from", "1,1"]), &["--to"]);
    let run = workshop.run(&["forbidden", "gates.txt", "--from", "0,0", "--from", "7,0", "--to", "1,1"]);
    assert_refused(&run, &["gates.txt", "--from 7,0 is outside the map"]);
    let run = workshop.run(&["forbidden", "gates.txt", "--from", "0,0", "--to", "0,4"]);
    assert_refused(&run, &["gates.txt", "--to 0,4 is outside the map"]);
    assert_refused(&workshop.run(&["forbidden", "none.txt", "--from", "0,0", "--to", "0,4"]), &["none.txt"]);
}
