//! Writing down what is asked of a finder.

use crate::{
    cell::Cell,
    edit::Edit,
    finder::{
        PathFinder,
        fields::{nearest::NearestAnswer, query::NearestQuery},
        outcome::{Answer, QueryError},
        query::{MovementId, PathQuery},
        scratch::ScratchPool,
    },
    grid::Grid,
    journal::Revision,
    movement::Movement,
    recording::{RecordedEntry, Recording},
};
use std::sync::{
    Arc, Weak,
    atomic::{AtomicU64, Ordering},
};
use thiserror::Error;

/// Writes down what is asked of a [`PathFinder`], which is used as ever: before each query the recorder looks what was
/// edited since the last one.
///
/// Queries that are answered at once go through [`solve`](Self::solve). Searches in slices are noted with
/// [`ask`](Self::ask) when they begin and with [`answer`](Self::answer) when they end, whatever is edited between.
///
/// # Complexity
/// O(edits since the last query); O(cells) where the finder's journal does not reach back that far.
///
/// # Memory
/// That of a map, besides the recording.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, recording::Recorder};
/// let mut finder = PathFinder::new(Grid::new(30, 30, 1)?, Movement::new());
/// let mut recorder = Recorder::new(&finder);
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(29, 29));
/// let number = recorder.ask(&finder, &query);
/// let search = finder.begin(&query)?;
/// finder.set_terrain(Cell::new(15, 15), 0)?; // does not reach the search
/// recorder.answer(number, &search.finish())?;
///
/// let replayed = recorder.into_recording().replay(|_| ())?;
/// assert_eq!((replayed.edits, replayed.answers), (0, 1), "nothing was asked since the edit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    name: RecorderName,
    recording: Recording,
    /// The present state: what the recording would be replayed to.
    finder: Weak<ScratchPool>,
    revision: Revision,
    grid: Grid,
    /// By place; nothing where one was taken out.
    movements: Vec<Option<Movement>>,
}

/// Names a query of a [`Recorder`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryNumber {
    recorder: RecorderName,
    /// Its place among the entries.
    entry: usize,
}

/// Tells the recorders of a process apart, and means nothing else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct RecorderName(u64);

impl RecorderName {
    fn another() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The number names no such query of this recorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum UnknownQuery {
    /// Another recorder gave the number.
    #[error("the number is another recorder's; answer the recorder that was asked")]
    OtherRecorder,
    /// The number is that of a query for a path where one for the nearest goals was to be answered, or the other way round.
    #[error(
        "the number is that of another kind of query; use answer after ask, and answer_nearest after ask_nearest"
    )]
    OtherKind,
}

impl Recorder {
    /// Begins a recording with the map and the movements of a finder as they are now.
    ///
    /// # Complexity
    /// O(cells).
    #[must_use]
    pub fn new(finder: &PathFinder) -> Self {
        let grid = finder.grid();
        let movements: Vec<Movement> =
            finder.kept_movements().iter().map(|kept| kept.movement().clone()).collect();
        let mut recorder = Self {
            name: RecorderName::another(),
            recording: Recording {
                crate_version: env!("CARGO_PKG_VERSION").to_owned(),
                grid: grid.clone(),
                movements: movements.clone(),
                entries: Vec::new(),
            },
            finder: Arc::downgrade(finder.pool()),
            revision: grid.revision(),
            grid: grid.clone(),
            movements: movements.into_iter().map(Some).collect(),
        };
        recorder.note_movements(finder);
        recorder
    }

    /// Answers a query and writes down both.
    ///
    /// # Errors
    /// As [`PathFinder::solve`]; errors are written down too.
    pub fn solve(&mut self, finder: &PathFinder, query: &PathQuery) -> Result<Answer, QueryError> {
        let answer = finder.solve(query);
        self.note_query(finder, RecordedEntry::Query { query: *query, answer: Some(answer.clone()) });
        answer
    }

    /// Writes down a query that is about to be answered on the finder's map as it is now.
    pub fn ask(&mut self, finder: &PathFinder, query: &PathQuery) -> QueryNumber {
        self.note_query(finder, RecordedEntry::Query { query: *query, answer: None })
    }

    /// Writes down what a query was answered. A second answer takes the place of the first.
    ///
    /// # Errors
    /// [`UnknownQuery`]: the number is another recorder's, or that of another kind of query; nothing is written down. A clone of a
    /// recorder is another one.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, recording::{Recorder, UnknownQuery}};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let (mut one, mut other) = (Recorder::new(&finder), Recorder::new(&finder));
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(8, 0));
    /// let number = one.ask(&finder, &query);
    /// assert_eq!(other.answer(number, &finder.solve(&query)), Err(UnknownQuery::OtherRecorder));
    /// assert_eq!(one.answer(number, &finder.solve(&query)), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(
        &mut self,
        number: QueryNumber,
        answer: &Result<Answer, QueryError>,
    ) -> Result<(), UnknownQuery> {
        match self.entry(number)? {
            RecordedEntry::Query { answer: noted, .. } => *noted = Some(answer.clone()),
            _ => return Err(UnknownQuery::OtherKind),
        }
        Ok(())
    }

    /// As [`ask`](Self::ask), for the nearest of many goals.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, NearestQuery, PathFinder, recording::Recorder};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let mut recorder = Recorder::new(&finder);
    /// let query = NearestQuery::new(Cell::new(0, 0), [Cell::new(8, 0), Cell::new(4, 4)]);
    /// let number = recorder.ask_nearest(&finder, &query);
    /// recorder.answer_nearest(number, &finder.begin_nearest(&query).and_then(|search| search.finish()))?;
    /// assert_eq!(recorder.recording().replay(|_| ())?.answers, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask_nearest(&mut self, finder: &PathFinder, query: &NearestQuery) -> QueryNumber {
        self.note_query(finder, RecordedEntry::Nearest { query: query.clone(), answer: None })
    }

    /// As [`answer`](Self::answer), for the nearest of many goals.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn answer_nearest(
        &mut self,
        number: QueryNumber,
        answer: &Result<NearestAnswer, QueryError>,
    ) -> Result<(), UnknownQuery> {
        match self.entry(number)? {
            RecordedEntry::Nearest { answer: noted, .. } => *noted = Some(answer.clone()),
            _ => return Err(UnknownQuery::OtherKind),
        }
        Ok(())
    }

    fn note_query(&mut self, finder: &PathFinder, mut query: RecordedEntry) -> QueryNumber {
        self.catch_up(finder);
        // Places say which movement is meant; generations mean nothing outside this process.
        let plain =
            |id: MovementId| if finder.movement(id).is_some() { MovementId::new(id.index()) } else { id };
        match &mut query {
            RecordedEntry::Query { query, .. } => *query = query.with_movement(plain(query.movement())),
            RecordedEntry::Nearest { query, .. } => {
                *query = query.clone().with_movement(plain(query.movement()));
            }
            _ => {}
        }
        self.recording.entries.push(query);
        QueryNumber { recorder: self.name, entry: self.recording.entries.len() - 1 }
    }

    fn entry(&mut self, number: QueryNumber) -> Result<&mut RecordedEntry, UnknownQuery> {
        let entry = self.recording.entries.get_mut(number.entry);
        entry.filter(|_| number.recorder == self.name).ok_or(UnknownQuery::OtherRecorder)
    }

    /// Writes down what changed on the map and in its movements. [`ask`](Self::ask) does it by itself; call it at the end
    /// if edits after the last query matter.
    pub fn catch_up(&mut self, finder: &PathFinder) {
        let is_same = std::ptr::eq(self.finder.as_ptr(), Arc::as_ptr(finder.pool()));
        if is_same && self.grid.bounds() == finder.grid().bounds() {
            self.note_movements(finder);
            self.note_edits(finder);
        } else {
            self.change_map(finder);
        }
    }

    fn note_movements(&mut self, finder: &PathFinder) {
        let entries = &mut self.recording.entries;
        for (index, kept) in finder.kept_movements().iter().enumerate() {
            let now = (!kept.is_removed()).then(|| kept.movement().clone());
            let (id, known) = (MovementId::new(index), self.movements.get(index));
            if known == Some(&now) {
                continue;
            }
            // A place that is new and empty already was filled for a moment.
            if known.is_none() || now.is_some() {
                entries.push(RecordedEntry::Movement { id, movement: kept.movement().clone() });
            }
            if now.is_none() {
                entries.push(RecordedEntry::Removed { id });
            }
            match self.movements.get_mut(index) {
                Some(known) => *known = now,
                None => self.movements.push(now),
            }
        }
    }

    fn note_edits(&mut self, finder: &PathFinder) {
        let (grid, mut edits) = (finder.grid(), Vec::new());
        if let Some(cells) = grid.changes_since(self.revision) {
            cells.for_each(|cell| self.note_cell(grid, cell, &mut edits));
        } else {
            grid.bounds().cells().for_each(|cell| self.note_cell(grid, cell, &mut edits));
        }
        self.revision = grid.revision();
        if !edits.is_empty() {
            self.recording.entries.push(RecordedEntry::Edits(edits));
        }
    }

    /// Of several edits of a cell the last one counts: there was no query between them.
    fn note_cell(&mut self, grid: &Grid, cell: Cell, edits: &mut Vec<Edit>) {
        let known = edits.len();
        self.grid.add_differences(grid, cell, edits);
        let _same_bounds = self.grid.restore(&edits[known..]);
    }

    /// Goes on with another finder.
    fn change_map(&mut self, finder: &PathFinder) {
        let before = std::mem::replace(self, Self { name: self.name, ..Self::new(finder) });
        let Recording { grid, movements, entries, .. } =
            std::mem::replace(&mut self.recording, before.recording);
        if before.grid != self.grid || before.movements != self.movements {
            self.recording.entries.push(RecordedEntry::Map { grid, movements });
            self.recording.entries.extend(entries);
        }
    }

    /// What was recorded so far.
    #[must_use]
    pub const fn recording(&self) -> &Recording {
        &self.recording
    }

    /// What was recorded.
    #[must_use]
    pub fn into_recording(self) -> Recording {
        self.recording
    }
}

impl Clone for Recorder {
    /// Another recorder, which knows the numbers of this one no more.
    fn clone(&self) -> Self {
        Self {
            name: RecorderName::another(),
            recording: self.recording.clone(),
            finder: Weak::clone(&self.finder),
            revision: self.revision,
            grid: self.grid.clone(),
            movements: self.movements.clone(),
        }
    }
}
