//! Recordings of older format versions.
//!
//! Code of that time wrote them. Each can be read, and its replay gives identical answers.

use tilepath::{
    Cell, Edit, Exits, Grid,
    recording::{RecordedEntry, Recording, RecordingFault, Replayed},
};

/// Reads a file and replays it.
fn replayed(ron: &str) -> (Recording, Replayed) {
    let recording = Recording::from_text(ron).unwrap();
    let replayed = recording.replay(|answer| assert_eq!(answer.difference, None)).unwrap();
    let written = Recording::from_text(&recording.to_ron()).unwrap();
    assert_eq!(written, recording, "it can be written in the present version");
    assert_eq!(written.replay(|_| ()).unwrap(), replayed);
    (recording, replayed)
}

/// Returns the edits of a recording, each with the number of its entry.
fn edits(recording: &Recording) -> Vec<(usize, &Edit)> {
    let entries = (1..).zip(recording.entries()).filter_map(|(number, entry)| match entry {
        RecordedEntry::Edits(edits) => Some((number, edits)),
        _ => None,
    });
    entries.flat_map(|(number, edits)| edits.iter().map(move |edit| (number, edit))).collect()
}

#[test]
fn version_1_is_replayed_to_identical_answers() {
    let (recording, replayed) = replayed(include_str!("../recordings/version_1.ron"));
    assert_eq!((replayed.edits, replayed.answers, replayed.different, replayed.unanswered), (3, 20, 0, 1));
    let expected = [
        (10, Edit::terrain(Cell::new(-1, 10), 0)),
        (11, Edit::terrain(Cell::new(4, 9), 7)),
        (12, Edit::terrain(Cell::new(3, 8), 200)),
    ];
    assert!(edits(&recording).into_iter().eq(expected.iter().map(|(number, edit)| (*number, edit))));
}

#[test]
fn version_2_is_replayed_to_identical_answers() {
    let (recording, replayed) = replayed(include_str!("../recordings/version_2.ron"));
    assert_eq!((replayed.edits, replayed.answers, replayed.different, replayed.unanswered), (16, 39, 0, 1));
    let edits = edits(&recording);
    let has = |edit: Edit| edits.iter().any(|(_, known)| **known == edit);
    assert!(has(Edit::terrain(Cell::new(8, 6), 1)) && has(Edit::void(Cell::new(8, 6))));
    assert!(has(Edit::exits(Cell::new(0, 6), Exits::NONE)), "edges closed one by one");
    assert!(has(Edit::overlay("danger", Cell::new(6, 9), Grid::CLOSING)));
    let numbers: Vec<usize> = edits.iter().map(|&(number, _)| number).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "entries keep their numbers");
}

#[test]
fn edits_off_the_map_and_between_cells_apart_are_refused_with_their_entry() {
    let text = include_str!("../recordings/version_2.ron");
    let moved = text.replacen("Void(cell: (8, 6))", "Void(cell: (80, 6))", 1);
    let error = Recording::from_text(&moved).unwrap_err();
    assert!(error.to_string().contains("cell (80, 6) is not on the map"), "{error}");
    let void = "Void(cell: (8, 6))";
    for (edit, part) in [
        ("Fence(one: (8, 6), other: (8, 8))", "there is no edge between (8, 6) and (8, 8)"),
        ("Ledge(cell: (8, 6), down: NorthEast)", "there is no edge between (8, 6) and (9, 7)"),
        ("TerrainIn(area: (origin: (8, 6), width: 9, height: 1), class: 1)", "(16, 6) is not on the map"),
    ] {
        let text = text.replacen(void, &format!("Edits([{edit}])"), 1);
        let error = Recording::from_text(&text).unwrap_err();
        assert!(matches!(error.fault, RecordingFault::Entry { .. }), "{error}");
        assert!(error.to_string().contains(part), "{part:?} is missing in {error}");
    }
}

#[test]
fn rectangles_count_among_the_cells_of_a_recording() {
    let text = |count: usize| {
        let edits = "TerrainIn(area: (width: 4096, height: 4096), class: 1), ".repeat(count);
        let rows = "\"1*4096\", ".repeat(4096);
        format!(
            "(format: \"tilepath recording\", version: 3, crate_version: \"\", origin: (0, 0), width: 4096, height: 4096, \
             rows: [{rows}], movements: [()], entries: [Edits([{edits}])])"
        )
    };
    assert!(Recording::from_text(&text(3)).is_ok());
    let error = Recording::from_text(&text(4)).unwrap_err();
    assert_eq!(error.fault, RecordingFault::TooManyCells { cells: 5 * 4096 * 4096 });
}
