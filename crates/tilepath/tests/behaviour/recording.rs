//! Recorded queries, and their replay.

use tilepath::{
    Algorithm, Cell, CostTable, Diagonals, Edit, Grid, Movement, NearestQuery, NearestSearch, PathFinder,
    PathQuery, format,
    recording::{AnswerField, Difference, RecordedEntry, Recorder, Recording, ReplayError, UnknownQuery},
};

/// Returns a recording with all kinds of entries.
pub(crate) fn eventful() -> Recording {
    let grid = format::parse_ascii("......\n.#9##.\n.....#").unwrap().with_origin(Cell::new(-2, 5)).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new());
    let mut recorder = Recorder::new(&finder);
    let (from, to) = (Cell::new(-2, 5), Cell::new(3, 7));
    let query = PathQuery::new(from, to);
    recorder.solve(&finder, &query).unwrap();
    finder.set_terrain(Cell::new(-2, 6), 0).unwrap();
    finder.set_terrain(Cell::new(0, 6), 200).unwrap();
    recorder.solve(&finder, &query.with_algorithm(Algorithm::WeightedAStar { percent: 250 })).unwrap();
    let boat =
        Movement::new().with_costs(CostTable::impassable().with(1, 3)).with_diagonals(Diagonals::Always);
    let boat = finder.add_movement(boat);
    recorder.solve(&finder, &query.with_movement(boat).or_closest()).unwrap();
    recorder.solve(&finder, &query.with_limit(2)).unwrap();
    let off = PathQuery::new(from, Cell::new(99, 99));
    recorder.solve(&finder, &off).unwrap_err();
    recorder.ask(&finder, &query);
    finder.set_movement(boat, Movement::new()).unwrap(); // now equal to the first one
    recorder.solve(&finder, &query.with_movement(boat)).unwrap();
    let other = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    recorder.solve(&other, &PathQuery::new(Cell::new(0, 0), Cell::new(2, 2))).unwrap();
    recorder.into_recording()
}

#[test]
fn recording_is_replayed_in_order() {
    let recording = eventful();
    let mut seen = Vec::new();
    let replayed = recording.replay(|answer| seen.push((answer.entry, answer.difference.is_none()))).unwrap();
    assert_eq!((replayed.answers, replayed.edits, replayed.unanswered, replayed.different), (7, 2, 1, 0));
    assert_eq!(seen.len(), 7);
    assert!(seen.is_sorted() && seen.iter().all(|(_, is_same)| *is_same));
    assert_eq!(recording.query_count(), 8);
    assert_eq!(replayed.to_string(), "answers 7, different 0, unanswered 1, edits 2");
    let kinds: String = recording
        .entries()
        .iter()
        .map(|entry| match entry {
            RecordedEntry::Edits(_) => 'e',
            RecordedEntry::Query { .. } => 'q',
            RecordedEntry::Movement { .. } => 'm',
            RecordedEntry::Map { .. } => 'M',
            _ => '?',
        })
        .collect();
    assert_eq!(kinds, "qeqmqqqqmqMq");
}

#[test]
fn map_at_the_time_of_the_question_is_shown() {
    let mut classes = Vec::new();
    eventful().replay(|answer| classes.push(answer.finder.grid().terrain(Cell::new(0, 6)))).unwrap();
    assert_eq!(classes[0], Some(9));
    assert_eq!(classes[1], Some(200));
    assert_eq!(classes[6], None, "the last map is a smaller one");
}

#[test]
fn edits_between_two_queries_are_recorded_by_their_result() {
    let mut finder = PathFinder::new(Grid::new(64, 64, 1).unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let cell = Cell::new(1, 1);
    for class in [0, 5, 1, 7] {
        finder.set_terrain(cell, class).unwrap();
    }
    finder.set_terrain(Cell::new(2, 2), 0).unwrap();
    finder.set_terrain(Cell::new(2, 2), 1).unwrap();
    recorder.catch_up(&finder);
    assert_eq!(recorder.recording().entries(), [RecordedEntry::Edits(vec![Edit::terrain(cell, 7)])]);
}

#[test]
fn more_edits_than_the_journal_holds_are_found_all_the_same() {
    let mut finder = PathFinder::new(Grid::new(8, 8, 1).unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    for x in 0..8 {
        for y in 0..7 {
            finder.set_terrain(Cell::new(x, y), 0).unwrap();
        }
    }
    recorder.solve(&finder, &PathQuery::new(Cell::new(0, 7), Cell::new(7, 7))).unwrap();
    assert_eq!(recorder.into_recording().replay(|_| ()).unwrap().edits, 56);
}

#[test]
fn search_in_slices_is_answered_by_the_map_that_it_began_with() {
    let mut finder = PathFinder::new(Grid::new(20, 20, 1).unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let (one, other) = (
        PathQuery::new(Cell::new(0, 0), Cell::new(19, 3)),
        PathQuery::new(Cell::new(3, 3), Cell::new(3, 19)),
    );
    let first = recorder.ask(&finder, &one);
    let mut search = finder.begin(&one).unwrap();
    search.advance(3);
    for y in 0..19 {
        finder.set_terrain(Cell::new(10, y), 0).unwrap();
    }
    recorder.solve(&finder, &other).unwrap();
    recorder.answer(first, &search.finish()).unwrap();
    let replayed = recorder.into_recording().replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.edits), (2, 19));
}

#[test]
fn nearest_of_many_goals_is_recorded_too() {
    let mut finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new());
    let mut recorder = Recorder::new(&finder);
    let goals = [Cell::new(8, 0), Cell::new(3, 3), Cell::new(0, 4)];
    let query = NearestQuery::new(Cell::new(0, 0), goals).with_count(2);
    let number = recorder.ask_nearest(&finder, &query);
    let search = finder.begin_nearest(&query).unwrap();
    finder.set_terrain(Cell::new(0, 4), 0).unwrap();
    recorder.answer_nearest(number, &search.finish()).unwrap();
    recorder.ask_nearest(&finder, &query);
    let off = NearestQuery::new(Cell::new(0, 0), [Cell::new(9, 9)]);
    let number = recorder.ask_nearest(&finder, &off);
    recorder.answer_nearest(number, &finder.begin_nearest(&off).and_then(NearestSearch::finish)).unwrap();
    // An answer of another kind is refused and changes nothing.
    let answer = finder.solve(&PathQuery::new(Cell::new(0, 0), Cell::new(1, 1)));
    assert_eq!(recorder.answer(number, &answer), Err(UnknownQuery::OtherKind));

    let recording = recorder.into_recording();
    let replayed = recording.replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.unanswered, replayed.edits), (2, 1, 1));
    let text = recording.to_ron();
    assert_eq!(Recording::from_text(&text).as_ref(), Ok(&recording));

    for (from, to, field) in [
        ("(index: 2", "(index: 0", AnswerField::Goal),
        ("cost: 42", "cost: 43", AnswerField::Cost),
        ("(0, 1), ", "(1, 1), ", AnswerField::Cell(1)),
        (
            "goals: [(index: 2, ",
            "goals: [(index: 2, path: (cost: 0, lower_bound: 0, cells: [(0, 0)])), (index: 2, ",
            AnswerField::Outcome,
        ),
    ] {
        assert!(text.contains(from), "{from:?} is not in {text}");
        let forged = Recording::from_text(&text.replacen(from, to, 1)).unwrap();
        let Err(ReplayError::Different { first, .. }) = forged.replay(|_| ()) else { panic!("{to}") };
        assert_eq!((first.entry, first.field), (1, field), "{first}");
    }
}

/// Changes the text of a recording and returns the first difference of its replay.
fn forged(from: &str, to: &str) -> Difference {
    let text = eventful().to_ron();
    assert!(text.contains(from), "{from:?} is not in\n{text}");
    match Recording::from_text(&text.replacen(from, to, 1)).unwrap().replay(|_| ()) {
        Err(ReplayError::Different { first, replayed }) => {
            assert_eq!((replayed.answers, replayed.different), (7, 1), "all answers are compared");
            first
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn first_difference_is_named_with_entry_and_field() {
    let path = "[(-2, 5), (-2, 6), (-2, 7), (-1, 7)";
    for (from, to, field, expected, found) in [
        ("Found((cost: 70", "Found((cost: 71", AnswerField::Cost, "71", "70"),
        ("lower_bound: 70", "lower_bound: 69", AnswerField::LowerBound, "69", "70"),
        ("expanded: 9, ", "expanded: 8, ", AnswerField::Expanded, "8", "9"),
        ("generated: 11", "generated: 12", AnswerField::Generated, "12", "11"),
        ("11, algorithm: \"astar\"", "11, algorithm: \"jps\"", AnswerField::Algorithm, "jps", "astar"),
        (path, "[(-2, 5), (-1, 6), (-2, 7), (-1, 7)", AnswerField::Cell(1), "(-1, 6)", "(-2, 6)"),
        (", (2, 7), (3, 7)]", ", (2, 7)]", AnswerField::Length, "7", "8"),
        ("Found((cost: 70", "LimitReached(best: (cost: 70", AnswerField::Outcome, "limit reached", "found"),
    ] {
        let difference = forged(from, to);
        assert_eq!((difference.entry, difference.field), (1, field));
        assert_eq!((difference.expected.as_str(), difference.found.as_str()), (expected, found));
    }
    let refused = forged("GoalOutOfBounds(cell: (99, 99)", "GoalOutOfBounds(cell: (98, 99)");
    assert_eq!((refused.entry, refused.field), (7, AnswerField::Outcome));
    assert_eq!(
        refused.to_string(),
        "entry 7, outcome: expected the goal (98, 99) is not on the map of 6 × 3 cells from (-2, 5), found the goal \
         (99, 99) is not on the map of 6 × 3 cells from (-2, 5)"
    );
}

#[test]
fn answer_on_another_map_is_another() {
    let text = eventful().to_ron();
    let moved = Recording::from_text(&text.replacen("\"......\"", "\"..#...\"", 1)).unwrap();
    let Err(ReplayError::Different { first, replayed }) = moved.replay(|_| ()) else { panic!() };
    assert_eq!(first.entry, 1);
    assert!(replayed.different > 1, "{replayed}");
}

#[test]
fn numbers_of_another_recorder_are_refused() {
    let finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new());
    let (mut one, mut other) = (Recorder::new(&finder), Recorder::new(&finder));
    let near = PathQuery::new(Cell::new(0, 0), Cell::new(2, 0));
    let far = PathQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    let number = one.ask(&finder, &near);
    let unanswered = other.ask(&finder, &far); // this query has the same number in its own recording
    assert_ne!(number, unanswered);
    assert_eq!(other.answer(number, &finder.solve(&near)), Err(UnknownQuery::OtherRecorder));
    let nearest = NearestQuery::new(Cell::new(0, 0), [Cell::new(1, 1)]);
    let answer = finder.begin_nearest(&nearest).and_then(NearestSearch::finish);
    assert_eq!(other.answer_nearest(number, &answer), Err(UnknownQuery::OtherRecorder));
    let mut copy = one.clone();
    assert_eq!(copy.answer(number, &finder.solve(&near)), Err(UnknownQuery::OtherRecorder));
    let own = copy.ask(&finder, &far);
    assert_eq!(one.answer(own, &finder.solve(&far)), Err(UnknownQuery::OtherRecorder));
    assert_eq!(one.answer(number, &finder.solve(&near)), Ok(()));
    let replayed = other.into_recording().replay(|_| ()).unwrap();
    assert_eq!((replayed.answers, replayed.unanswered), (0, 1));
}
