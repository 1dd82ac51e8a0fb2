use crate::{Workshop, bad_input::assert_refused, pictures::Picture};
use serde_json::{Value, json};
use tilepath::{
    Cell, Direction, Edit, Grid, Movement, MovementId, NearestQuery, NearestSearch, PathFinder, PathQuery,
    Topology,
    crowd::{Activity, Body, Crowd, FieldGuide, Steps},
    format,
    recording::{Recorder, Recording},
};

/// Returns a recording: two answers with edits between them, a refused query, and a query without
/// an answer.
fn recording() -> Recording {
    let mut finder = PathFinder::new(format::parse_ascii("....\n.##.\n....").unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(3, 2));
    recorder.solve(&finder, &query).unwrap();
    for y in 0..3 {
        finder.set_terrain(Cell::new(2, y), 0).unwrap();
    }
    recorder.solve(&finder, &query).unwrap();
    recorder.solve(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(9, 9))).unwrap_err();
    recorder.ask(&finder, &query);
    recorder.into_recording()
}

#[test]
fn recording_is_replayed() {
    let workshop = Workshop::new();
    workshop.file("recorded.ron", recording().to_ron());
    let run = workshop.run(&["replay", "recorded.ron"]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines.len(), 4, "{}", run.output);
    assert!(
        lines[0].starts_with("entry 1: same: 0,2 to 3,0, found, cost 50, 5 steps, jps, "),
        "{}",
        lines[0]
    );
    assert!(lines[1].starts_with("entry 3: same: 0,2 to 3,0, unreachable, "), "{}", lines[1]);
    assert!(
        lines[2].starts_with("entry 4: same: 0,2 to cell (9, 9), refused: the goal (9, 9)"),
        "{}",
        lines[2]
    );
    assert_eq!(lines[3], "answers 3, different 0, unanswered 1, edits 2");
}

/// Returns a recording of one tick: two bodies in a corridor with a bay make their first step.
fn recorded_tick() -> String {
    let grid = Grid::from_classes(5, 2, vec![1, 1, 1, 1, 1, 0, 0, 1, 0, 0]).unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let (west, east) = (Cell::new(0, 0), Cell::new(4, 0));
    let fields = [finder.field(&[east]).unwrap(), finder.field(&[west]).unwrap()];
    let steps = Steps::new(&finder, MovementId::FIRST).unwrap();
    let mut crowd = Crowd::new(finder.grid());
    for (number, cell) in [(1, west), (2, east)] {
        let activity = Activity::UnderWay { since: 0 };
        crowd.insert(&Body { activity, ..Body::new(number, cell) }).unwrap();
    }
    let tick = crowd.tick_recorded(&mut FieldGuide { steps, fields: &fields, field_of: &[0, 1] });
    let mut recorder = Recorder::new(&finder);
    recorder.note_crowd(&finder, tick);
    recorder.into_recording().to_ron()
}

#[test]
fn the_decision_of_a_tick_is_replayed() {
    let workshop = Workshop::new();
    let tick = recorded_tick();
    workshop.file("tick.ron", &tick);
    let run = workshop.run(&["replay", "tick.ron"]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(
        run.output,
        "body 1, under way: steps from (0, 0) to (1, 0)\n\
         body 2, under way: steps from (4, 0) to (3, 0)\n\
         entry 1: same: a crowd of 2 bodies, decided\n\
         answers 1, different 0, unanswered 0, edits 0\n"
    );
    let (before, after) = tick.rsplit_once("to: (3, 0)").unwrap();
    workshop.file("other.ron", format!("{before}to: (4, 0){after}"));
    let run = workshop.run(&["replay", "other.ron", "--json"]);
    assert_eq!((run.code, run.errors.as_str()), (1, ""), "{run:?}");
    let lines: Vec<Value> = run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[2]["difference"]["expected"], "body 2 from (3, 0) to (4, 0)");
    assert_eq!(lines[2]["difference"]["found"], "body 2 from (3, 0) to (3, 0)");
    assert_eq!(lines[3]["different"], 1);
}

#[test]
fn nearest_goals_are_replayed_and_drawn() {
    let workshop = Workshop::new();
    let finder = PathFinder::new(format::parse_ascii("....\n....").unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let query = NearestQuery::new(Cell::new(0, 0), [Cell::new(3, 0), Cell::new(1, 1)]);
    let number = recorder.ask_nearest(&finder, &query);
    recorder.answer_nearest(number, &finder.begin_nearest(&query).and_then(NearestSearch::finish)).unwrap();
    workshop.file("nearest.ron", recorder.recording().to_ron());
    let run = workshop.run(&["replay", "nearest.ron", "--png", "."]);
    assert_eq!(run.code, 0, "{run:?}");
    let line = run.output.lines().next().unwrap();
    assert!(
        line.starts_with("entry 1: same: 0,1 to the nearest 1 of 2 goals, found, cost 14, 1 steps, "),
        "{line}"
    );
    assert!(workshop.path("entry-0001.png").exists());
}

#[test]
fn difference_is_named_and_counted() {
    let workshop = Workshop::new();
    workshop.file("forged.ron", recording().to_ron().replacen("Found((cost: 50", "Found((cost: 51", 1));
    let run = workshop.run(&["replay", "forged.ron"]);
    assert_eq!(run.code, 1, "{run:?}");
    let lines: Vec<&str> = run.output.lines().collect();
    assert_eq!(lines[0], "entry 1: different: 0,2 to 3,0: cost: expected 51, found 50");
    assert_eq!(lines[3], "answers 3, different 1, unanswered 1, edits 2");

    let run = workshop.run(&["replay", "forged.ron", "--json"]);
    assert_eq!(run.code, 1);
    let lines: Vec<Value> = run.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["difference"], json!({"field": "cost", "expected": "51", "found": "50"}));
    assert_eq!((&lines[0]["same"], &lines[1]["same"]), (&json!(false), &json!(true)));
    assert_eq!((&lines[1]["status"], &lines[1]["cost"]), (&json!("unreachable"), &json!(null)));
    assert_eq!(lines[2]["status"], "refused");
    assert_eq!(lines[3], json!({"answers": 3, "different": 1, "unanswered": 1, "edits": 2}));
}

#[test]
fn answers_are_drawn_one_picture_each() {
    let workshop = Workshop::new();
    workshop.file("recorded.ron", recording().to_ron());
    let run = workshop.run(&["replay", "recorded.ron", "--png", "pictures/new"]);
    assert_eq!(run.code, 0, "{run:?}");
    let [before, after] = ["0001", "0003"]
        .map(|entry| Picture::read(&workshop.path(&format!("pictures/new/entry-{entry}.png"))));
    before.assert_map(160, 120);
    // The lower part of the cell in row 0, column 2: ground before the edits, wall after them.
    assert_ne!(before.at(100, 30), after.at(100, 30));
    assert!(workshop.path("pictures/new/entry-0004.png").exists(), "the map without a path");
    assert!(!workshop.path("pictures/new/entry-0005.png").exists(), "a query without an answer");
}

#[test]
fn file_that_is_no_recording_is_refused() {
    let workshop = Workshop::new();
    let text = recording().to_ron();
    workshop.file("truncated.ron", &text[..text.len() - 100]);
    workshop.file("newer.ron", text.replacen("version: 4", "version: 9", 1));
    workshop.file("map.txt", "1 1 1\n");
    workshop.file("old.json", "{\"format\": \"tilepath recording\", \"version\": 4}");
    workshop.file("off.ron", text.replacen("cell: (2, 0)", "cell: (7, 0)", 1));
    workshop.file("bytes.ron", b"(format: \"\xff\xfe");
    for (file, parts) in [
        ("truncated.ron", &["truncated.ron: line "][..]),
        ("newer.ron", &["format version 9", "newer"]),
        ("map.txt", &["map.txt", "not a recording"]),
        ("old.json", &["old.json", "RON only"]),
        ("off.ron", &["off.ron: entry 2", "(7, 0)"]),
        ("bytes.ron", &["bytes.ron: line 1"]),
        ("none.ron", &["none.ron: cannot be read"]),
    ] {
        assert_refused(&workshop.run(&["replay", file]), parts);
        assert_refused(&workshop.run(&["replay", file, "--json"]), parts);
    }
    workshop.file("recorded.ron", text);
    assert_refused(
        &workshop.run(&["replay", "recorded.ron", "--png", "map.txt"]),
        &["map.txt", "cannot be written"],
    );
}

#[test]
fn the_committed_recording_of_the_soldier_is_replayed() {
    let workshop = Workshop::new();
    workshop.file("soldier.ron", include_str!("../../../../assets/recordings/soldier.ron"));
    let run = workshop.run(&["replay", "soldier.ron"]);
    assert_eq!((run.code, run.errors.as_str()), (0, ""), "{run:?}");
    assert_eq!(run.output.lines().last(), Some("answers 26, different 0, unanswered 0, edits 38"));
}

/// Closes edges of a grid, in one direction or both.
fn with_edges(mut grid: Grid) -> Grid {
    let edits = [
        Edit::one_way(Cell::new(0, 1), Cell::new(1, 1)),
        Edit::fence(Cell::new(2, 1), Cell::new(3, 1)),
        Edit::fence(Cell::new(2, 0), Cell::new(3, 0)),
        Edit::ledge(Cell::new(4, 2), Direction::South),
        Edit::ledge(Cell::new(5, 2), Direction::South),
        Edit::void(Cell::new(5, 0)),
    ];
    grid.edit(&edits).unwrap();
    grid
}

#[test]
fn closed_edges_are_drawn() {
    const EDGE: [u8; 3] = [120, 20, 24];
    let workshop = Workshop::new();
    let squares = with_edges(Grid::new(6, 4, 1).unwrap());
    let hexagons = with_edges(Grid::new(6, 4, 1).unwrap().with_topology(Topology::Hexagonal));
    for (name, grid) in [("squares", squares), ("hexagons", hexagons)] {
        let finder = PathFinder::new(grid, Movement::new());
        let mut recorder = Recorder::new(&finder);
        recorder.solve(&finder, &PathQuery::new(Cell::new(0, 0), Cell::new(4, 3))).unwrap();
        workshop.file(&format!("{name}.ron"), recorder.into_recording().to_ron());
        let run = workshop.run(&["replay", &format!("{name}.ron"), "--png", name]);
        let written = format!("wrote 1 picture into {name}\n");
        assert_eq!((run.code, run.errors), (0, written), "{name}");
    }
    let squares = Picture::read(&workshop.path("squares/entry-0001.png"));
    squares.assert_map(240, 160);
    assert_eq!(squares.at(120, 110), EDGE, "the fence between the third and the fourth column");
    assert_ne!(squares.at(120, 10), EDGE);
    assert_eq!(squares.at(44, 100), EDGE, "the tip of the arrow from the first to the second column");
    assert_eq!(squares.at(180, 84), EDGE, "the tip of the arrow down the ledge");
    assert_eq!(squares.at(230, 150), [252, 251, 248], "the void");
    let hexagons = Picture::read(&workshop.path("hexagons/entry-0001.png"));
    hexagons.assert_map(300, 151);
    assert_eq!(
        hexagons.at(140, 92),
        EDGE,
        "the fence is half a cell further right in the second row from below"
    );
}
