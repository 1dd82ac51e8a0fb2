//! The recording of one map, in bounded memory.
//!
//! Decision: `docs/decisions/27-recordings.md`.

use tilepath::{
    PathFinder,
    crowd::RecordedTick,
    recording::{QueryNumber, RecordedEntry, Recorder, Recording},
};

use crate::order::grid_query::{GridQuery, GridReply};

/// Two recordings of one map. If the elder is full, the younger takes its place. So there is always
/// a complete recording, at least half as long as the limit.
#[derive(Debug)]
pub(super) struct MapTapes {
    elder: Tape,
    younger: Option<Tape>,
    /// The name of the next tape.
    begun: u64,
}

/// The numbers of a query on the tapes that existed when its search began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TapeNumbers {
    elder: (u64, QueryNumber),
    younger: Option<(u64, QueryNumber)>,
}

#[derive(Debug)]
struct Tape {
    name: u64,
    recorder: Recorder,
    /// The number of entries whose size is counted.
    counted: usize,
    size: usize,
}

impl MapTapes {
    /// Begins at the map as it is. The names of earlier tapes are below `first_name`.
    pub(super) fn new(finder: &PathFinder, first_name: u64) -> Self {
        Self { elder: Tape::new(first_name, finder), younger: None, begun: first_name + 1 }
    }

    /// Returns the first name that no tape has had.
    pub(super) fn next_name(&self) -> u64 {
        self.begun
    }

    pub(super) fn recording(&self) -> &Recording {
        self.elder.recorder.recording()
    }

    /// Records edits, and makes room.
    pub(super) fn catch_up(&mut self, finder: &PathFinder, limit: usize) {
        for tape in self.tapes() {
            tape.recorder.catch_up(finder);
            tape.count_entries();
        }
        if self.younger.is_none() && self.elder.size >= limit / 2 {
            self.younger = Some(Tape::new(self.begun, finder));
            self.begun += 1;
        }
        if self.elder.size >= limit
            && let Some(younger) = self.younger.take()
        {
            self.elder = younger;
        }
    }

    pub(super) fn ask(&mut self, finder: &PathFinder, query: GridQuery, limit: usize) -> TapeNumbers {
        self.catch_up(finder, limit);
        let note = |tape: &mut Tape| {
            let number = match query {
                GridQuery::Path(query) => tape.recorder.ask(finder, query),
                GridQuery::Nearest(query) => tape.recorder.ask_nearest(finder, query),
            };
            tape.count_entries();
            (tape.name, number)
        };
        TapeNumbers { elder: note(&mut self.elder), younger: self.younger.as_mut().map(note) }
    }

    /// Records an answer on the tapes that existed when the search began and still exist.
    pub(super) fn answer(&mut self, numbers: TapeNumbers, reply: GridReply) {
        for (name, number) in [Some(numbers.elder), numbers.younger].into_iter().flatten() {
            let Some(tape) = self.tapes().find(|tape| tape.name == name) else { continue };
            let answered = match reply {
                GridReply::Path(answer) => tape.recorder.answer(number, answer),
                GridReply::Nearest(answer) => tape.recorder.answer_nearest(number, answer),
            };
            answered.expect("the recorder of this tape gave the number");
            tape.size += reply.paths().map(|path| path.cells().len()).sum::<usize>();
        }
    }

    /// Records the decisions of the crowd in a tick.
    pub(super) fn note_crowd(&mut self, finder: &PathFinder, tick: &RecordedTick, limit: usize) {
        self.catch_up(finder, limit);
        for tape in self.tapes() {
            tape.recorder.note_crowd(finder, tick.clone());
            tape.count_entries();
        }
    }

    fn tapes(&mut self) -> impl Iterator<Item = &mut Tape> {
        std::iter::once(&mut self.elder).chain(&mut self.younger)
    }
}

impl Tape {
    fn new(name: u64, finder: &PathFinder) -> Self {
        Self { name, recorder: Recorder::new(finder), counted: 0, size: 0 }
    }

    fn count_entries(&mut self) {
        let entries = self.recorder.recording().entries();
        self.size += entries[self.counted..].iter().map(entry_size).sum::<usize>();
        self.counted = entries.len();
    }
}

/// Returns the size of an entry: one, and one for each cell, edit or body in it. For a query only its own
/// data counts, not the answer.
fn entry_size(entry: &RecordedEntry) -> usize {
    1 + match entry {
        RecordedEntry::Map { grid, .. } => grid.bounds().cell_count(),
        RecordedEntry::Edits(edits) => edits.len(),
        RecordedEntry::Nearest { query, .. } => query.goals().len(),
        RecordedEntry::Crowd(tick) => tick.before().len(),
        _ => 0,
    }
}
