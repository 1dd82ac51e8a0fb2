//! Recordings as files: round trips, and errors with their place.

use crate::{
    recording::eventful,
    worlds::{Prices, World, cases, edits, world},
};
use proptest::prelude::*;
use tilepath::{
    Algorithm, Bounds, Cell, Cost, CostTable, Diagonals, Grid, Movement, NearestQuery, NearestSearch, Path,
    PathFinder, PathQuery, StepCosts, format,
    recording::{Recorder, Recording, RecordingFault},
};

/// Returns a recording of one query and one edit.
fn small() -> Recording {
    let mut finder = PathFinder::new(format::parse_ascii("..#\n.2.").unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 1));
    recorder.solve(&finder, &query.with_algorithm(Algorithm::Dijkstra)).unwrap();
    finder.set_terrain(Cell::new(2, 1), 77).unwrap();
    recorder.catch_up(&finder);
    recorder.into_recording()
}

const RON: &str = r#"(
    format: "tilepath recording",
    version: 4,
    crate_version: "0.1.0",
    origin: (0, 0),
    width: 3,
    height: 2,
    rows: [
        "..#",
        ".2.",
    ],
    movements: [
        (costs: (others: identity, classes: {}), diagonals: "only-when-no-obstacles", steps: (10, 14), size: 1, overlays: [], turn_ends: [], class_steps: [], edges: []),
    ],
    entries: [
        Query(query: (start: (0, 0), goal: (1, 1), movement: 0, algorithm: "dijkstra", wants_closest: false, limit: None, cost_limit: None, length_limit: None, heuristic: octile, searches_blindly: false, skips_pruning: false, uses_landmarks: None, has_drawn_shape: false), answer: Ok((outcome: Found((cost: 14, lower_bound: 14, topology: square, cells: [(0, 0), (1, 1)])), statistics: (expanded: 2, generated: 4, algorithm: "dijkstra")))),
        Edits([Terrain(cell: (2, 1), class: 77)]),
    ],
)
"#;

#[test]
fn files_are_legible() {
    assert_eq!(small().to_ron(), RON);
}

#[test]
fn files_written_by_hand_may_leave_out_what_is_usual() {
    let text = "// a note\n(format: \"tilepath recording\", version: 1, crate_version: \"\", origin: (0, 0), width: 5,\n\
        height: 2, rows: [\"1*3 0*2\", \".....\"], movements: [()], entries: [Query(query: (from: (0, 0), to: (4, 0)))])";
    let recording = Recording::from_text(text).unwrap();
    assert_eq!(recording.movements(), [Movement::new()]);
    assert_eq!(recording.grid().classes(), [1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(recording.replay(|_| ()).unwrap().unanswered, 1);
    assert_eq!(Recording::from_text(&format!("\u{feff}\n {text}")).unwrap(), recording);
}

/// Checks that the file with a change is refused, with the line and a part of the message.
#[track_caller]
fn assert_refused((from, to): (&str, &str), line: Option<usize>, part: &str) {
    assert!(RON.contains(from), "{from}");
    let error = Recording::from_text(&RON.replacen(from, to, 1)).unwrap_err();
    assert_eq!(error.line, line, "{error}");
    assert!(error.to_string().contains(part), "{part:?} is missing in {error}");
}

#[test]
fn value_that_cannot_be_is_named_with_its_line() {
    for (change, line, part) in [
        ((".2.", ".x."), 10, "`x` stands for no terrain"),
        ((".2.", "1*x 2*2"), 10, "`1*x` is an invalid run of cells"),
        ((".2.", "256*3"), 10, "`256*3` is an invalid run of cells"),
        (("only-when-no-obstacles", "sometimes"), 13, "is an invalid diagonal rule"),
        (("(10, 14)", "(10, 21)"), 13, "step costs 10 and 21"),
        (("lower_bound: 14", "lower_bound: 15"), 16, "above the cost"),
        (("cells: [(0, 0), (1, 1)]", "cells: []"), 16, "at least one cell"),
        (("[(0, 0), (1, 1)]", "[(0, 0), (2, 1)]"), 16, "do not touch"),
        (("\"dijkstra\"", "\"magic\""), 16, "is an invalid algorithm"),
        (("class: 77", "class: 256"), 17, ""),
        (("Edits(", "Deits("), 17, "Deits"),
        (("Terrain(", "Terrian("), 17, "Terrian"),
        (("identity,", "identity, colour: 3,"), 13, "colour"),
    ] {
        assert_refused(change, Some(line), part);
    }
}

#[test]
fn size_and_order_are_checked() {
    let gap = "Movement(id: 2, movement: ()), Edits(";
    let one = RON.lines().find(|line| line.trim_start().starts_with("(costs:")).unwrap();
    for (change, part) in [
        (("width: 3", "width: 4"), "row 1 has 3 cells, not 4"),
        (("height: 2", "height: 3"), "there are 2 rows, not 3"),
        (("width: 3", "width: 65536"), "too large"),
        (("width: 3", "width: 4294967295"), "more than 67108864"),
        (("height: 2", "height: 4294967295"), "more than 67108864"),
        (("(2, 1)", "(3, 1)"), "entry 2: cell (3, 1) is not on the map"),
        (("\"..#\"", "\"1*4294967295 1*4294967295\""), "row 1 has"),
        (("Edits(", gap), "entry 2: the id of the movement"),
        ((one, ""), "there is no movement"),
    ] {
        assert_refused(change, None, part);
    }
}

#[test]
fn newer_versions_and_other_files_have_their_own_errors() {
    let newer = RON.replace("version: 4,", "version: 7, weather: Rain(3),");
    let error = Recording::from_text(&newer).unwrap_err();
    assert_eq!(error.fault, RecordingFault::NewerVersion { found: 7 }, "{error}");
    for text in [
        "",
        "\n",
        "hello",
        "<nodes/>",
        "1 1 1\n1 0 1\n",
        "{\"format\": \"tilepath recording\", \"version\": 4}",
        "(format: \"picture\", version: 1)",
        "(format: \"tilepath recording\")",
        "(nodes: [(id: \"gate\", x: 0, y: 0)])",
        include_str!("../../../../assets/waypoints/tutorial.ron"),
        include_str!("../../../../assets/waypoints/tutorial.xml"),
    ] {
        let error = Recording::from_text(text).unwrap_err();
        assert_eq!(error.fault, RecordingFault::NotARecording, "{text}: {error}");
    }
}

#[test]
fn truncated_file_is_refused_wherever_it_ends() {
    for end in 0..RON.trim_end().len() {
        let error = Recording::from_text(&RON[..end]).unwrap_err();
        let lines = RON[..end].lines().count().max(1);
        assert!(error.line.is_none_or(|line| line <= lines + 1), "{end}: {error}");
        if end > 1 {
            assert!(error.line.is_some(), "{end}: {error}");
        }
    }
}

#[test]
fn nesting_without_end_is_refused() {
    for deep in [
        "(".repeat(100_000),
        "[".repeat(100_000),
        "{\"a\":".repeat(100_000),
        format!("(format: {}", "[".repeat(100_000)),
    ] {
        assert!(Recording::from_text(&deep).is_err());
    }
}

#[test]
fn values_are_checked_when_they_are_read() {
    fn refused<T: serde::de::DeserializeOwned + std::fmt::Debug>(json: &str, part: &str) {
        let error = serde_json::from_str::<T>(json).unwrap_err().to_string();
        assert!(error.contains(part), "{part:?} is missing in {error:?}");
    }
    refused::<StepCosts>("[10, 21]", "are invalid");
    refused::<StepCosts>("[0, 0]", "are invalid");
    refused::<Bounds>(r#"{"width": 70000, "height": 1}"#, "too large");
    refused::<Bounds>(r#"{"origin": [2147483647, 0], "width": 2, "height": 1}"#, "32-bit");
    refused::<Grid>(r#"{"width": 2, "height": 1, "rows": ["..."]}"#, "row 1 has 3 cells, not 2");
    refused::<Grid>(r#"{"width": 65535, "height": 65535, "rows": []}"#, "too large");
    refused::<Path>(r#"{"cost": 1, "lower_bound": 1, "cells": []}"#, "at least one cell");
    refused::<Diagonals>("\"\"", "is an invalid diagonal rule");
    refused::<Algorithm>("\"weighted-astar:x\"", "is an invalid algorithm");
    refused::<CostTable>(r#"{"others": "free"}"#, "free");
    refused::<Movement>(r#"{"wings": true}"#, "wings");
}

#[test]
fn values_are_short_to_write() {
    fn assert_text<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: &T,
        text: &str,
    ) {
        assert_eq!(serde_json::to_string(value).unwrap(), text);
        assert_eq!(&serde_json::from_str::<T>(text).unwrap(), value);
    }
    assert_text(&Cell::new(-3, 4), "[-3,4]");
    assert_text(&Cost::new(68), "68");
    assert_text(&StepCosts::PRECISE, "[70,99]");
    assert_text(&Diagonals::Never, "\"never\"");
    assert_text(&Algorithm::WeightedAStar { percent: 130 }, "\"weighted-astar:130\"");
    assert_text(&CostTable::uniform().with(3, 0), r#"{"others":"uniform","classes":{"3":0}}"#);
    assert_text(&CostTable::impassable().with(7, 1), r#"{"others":"impassable","classes":{"7":1}}"#);
    assert_text(
        &Grid::new(2, 2, 10).unwrap().with_origin(Cell::new(-1, 0)).unwrap(),
        r#"{"origin":[-1,0],"width":2,"height":2,"rows":["10*2","10*2"],"topology":"square","exits":[],"overlays":[],"edges":[]}"#,
    );
}

/// Returns a random recording: a query by each of some algorithms after each edit.
fn record(world: &World, edits: &[((i32, i32), u8)]) -> Recording {
    let mut finder = world.finder();
    let mut recorder = Recorder::new(&finder);
    let algorithms =
        [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint, Algorithm::WeightedAStar { percent: 190 }];
    for (round, &((x, y), class)) in edits.iter().enumerate() {
        let query = PathQuery::new(world.start(), world.goal()).with_algorithm(algorithms[round % 4]);
        let query = if round % 3 == 0 { query.or_closest() } else { query };
        let query = if round % 5 == 4 { query.with_limit(u64::from(class)) } else { query };
        // Errors are answers, too.
        let _ = recorder.solve(&finder, &query);
        let nearest = NearestQuery::new(world.start(), [world.goal(), world.cell((0, 0))]);
        let number = recorder.ask_nearest(&finder, &nearest);
        recorder
            .answer_nearest(number, &finder.begin_nearest(&nearest).and_then(NearestSearch::finish))
            .unwrap();
        let cell = world.cell((x % world.map.width as i32, y % world.map.height as i32));
        finder.set_terrain(cell, class.wrapping_mul(29)).unwrap();
        if round % 4 == 3 {
            finder
                .add_movement(Movement::new().with_steps(StepCosts::new(10, 10 + u16::from(class)).unwrap()));
        }
    }
    recorder.into_recording()
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn what_is_written_is_read_and_replayed(world in world(12, Prices::Any), edits in edits(0..=8)) {
        let recording = record(&world, &edits);
        let text = recording.to_ron();
        let read = Recording::from_text(&text).unwrap();
        prop_assert_eq!(&read, &recording, "{}", text);
        let replayed = read.replay(|_| ()).unwrap();
        prop_assert_eq!(replayed.answers, 2 * edits.len());
    }

    #[test]
    fn no_change_of_a_file_makes_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3_u8), 1..4),
    ) {
        let mut bytes = eventful().to_ron().into_bytes();
        for (place, byte, kind) in changes {
            let place = place.index(bytes.len());
            // Digits and letters test more than random bytes.
            let byte = if byte < 128 { b"0123456789.#-,()[]{}\":*aeiE"[usize::from(byte) % 27] } else { byte };
            match kind {
                0 => bytes[place] = byte,
                1 => bytes.insert(place, byte),
                _ => { bytes.remove(place); }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match Recording::from_text(&text) {
            Ok(recording) => {
                let replayed = recording.replay(|_| ());
                prop_assert!(replayed.is_ok() || !replayed.unwrap_err().to_string().is_empty());
            }
            Err(error) => prop_assert!(error.line.is_none_or(|line| line <= text.lines().count() + 1), "{}", error),
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in prop_oneof![".*", "[({](format: \"tilepath recording\",|version: [0-9]*,|rows: \\[|[0-9.#*]*|\\]|,)*"],
    ) {
        prop_assert!(Recording::from_text(&text).is_err());
    }
}

/// Returns the rows of a map of one class, in the shortest form.
fn rows(width: u32, height: u32) -> String {
    vec![format!("\"1*{width}\""); height as usize].join(",")
}

#[test]
fn maps_too_large_for_a_recording_are_refused_before_they_are_made() {
    let ron = |width: u32, height: u32, entries: &str| {
        let rows = rows(width, height);
        format!(
            "(format: \"tilepath recording\", version: 1, crate_version: \"0.1.0\", origin: (0, 0), width: {width}, \
             height: {height}, rows: [{rows}], movements: [(costs: (others: identity), \
             diagonals: \"only-when-no-obstacles\", steps: (10, 14))], entries: [{entries}])"
        )
    };
    let other = |width: u32, height: u32| {
        let rows = rows(width, height);
        format!(
            "Map(grid: (origin: (0, 0), width: {width}, height: {height}, rows: [{rows}]), movements: [(costs: (others: \
             identity), diagonals: \"only-when-no-obstacles\", steps: (10, 14))]),"
        )
    };
    assert!(Recording::from_text(&ron(2_000, 100, &other(3_000, 50).repeat(3))).is_ok());
    let fault = |text: &str| Recording::from_text(text).unwrap_err().fault;
    let cells = 65_535 * 4_000;
    assert_eq!(fault(&ron(65_535, 4_000, "")), RecordingFault::TooManyCells { cells });
    let many = ron(1, 1, &other(65_535, 500).repeat(10));
    assert_eq!(fault(&many), RecordingFault::TooManyCells { cells: 1 + 10 * 65_535 * 500 });
    assert!(fault(&many).to_string().contains("67108864"), "{}", fault(&many));
    // If the end is missing, a text with too many cells is malformed.
    assert!(matches!(fault(&many[..many.len() - 2]), RecordingFault::Malformed { .. }));
}
