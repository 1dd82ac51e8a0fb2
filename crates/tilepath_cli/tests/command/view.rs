use crate::{Workshop, bad_input::assert_refused, pictures::Picture};
use serde_json::json;

const HALL: &str = "......#\n.##...#\n...#..#\n#######\n";

#[test]
fn text_shows_the_cells_in_view_with_their_walls() {
    let workshop = Workshop::new();
    workshop.file("hall.txt", HALL);
    let run = workshop.run(&["view", "hall.txt", "--from", "0,2", "--range", "3"]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(run.output, "12 cells seen from 0,2 within 3\n\n..\n.##\nS..#\n###\n");
}

#[test]
fn json_lists_the_cells_row_by_row() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "..#..\n");
    let run = workshop.run(&["view", "line.txt", "--from", "0,0", "--range", "9", "--json"]);
    assert_eq!(run.json()["cells"], json!([[0, 0], [1, 0], [2, 0]]));
    let run = workshop.run(&[
        "view",
        "line.txt",
        "--from",
        "0,0",
        "--range",
        "1",
        "--json",
        "--topology",
        "hex-row",
    ]);
    assert_eq!((run.code, run.json()["cells"].clone()), (0, json!([[0, 0], [1, 0]])));
}

#[test]
fn picture_is_dark_where_nothing_is_seen() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "...#..\n");
    let arguments = ["view", "line.txt", "--from", "0,0", "--range", "9", "--png", "a.png", "--scale", "20"];
    assert_eq!(workshop.run(&arguments).code, 0);
    let picture = Picture::read(&workshop.path("a.png"));
    picture.assert_map(120, 20);
    assert_eq!(picture.at(50, 10), picture.at(30, 10));
    assert_ne!(picture.at(90, 10), picture.at(30, 10));
}

#[test]
fn invalid_arguments_are_refused() {
    let workshop = Workshop::new();
    workshop.file("line.txt", "..#..\n");
    for arguments in [["0,0", "256"], ["0,0", "-1"], ["0,0", "nan"], ["5,0", "3"], ["0", "3"]] {
        let run = workshop.run(&["view", "line.txt", "--from", arguments[0], "--range", arguments[1]]);
        assert_refused(&run, &["error: "]);
    }
}
