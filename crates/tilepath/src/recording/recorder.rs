//! The recorder of a finder's queries.

use crate::{
    cell::Cell,
    crowd::RecordedTick,
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

/// A recorder for the queries of a [`PathFinder`]. The finder can be edited as usual: before each
/// query, the recorder stores the edits since the last query.
///
/// [`solve`](Self::solve) answers and records a query at once. For a search in slices, call
/// [`ask`](Self::ask) when the search begins and [`answer`](Self::answer) when it ends. The finder
/// may be edited between these calls.
///
/// # Complexity
/// Each query takes O(edits since the last query). It takes O(cells) if
/// [`Grid::changes_since`](crate::Grid::changes_since) returns `None` for the last query.
///
/// # Memory
/// One map, in addition to the recording.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, recording::Recorder};
/// let mut finder = PathFinder::new(Grid::new(30, 30, 1)?, Movement::new());
/// let mut recorder = Recorder::new(&finder);
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(29, 29));
/// let number = recorder.ask(&finder, &query);
/// let search = finder.begin(&query)?;
/// finder.set_terrain(Cell::new(15, 15), 0)?; // has no effect on the search
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
    /// The finder at the last entry. This field and the next ones are the state that a replay would
    /// reach.
    finder: Weak<ScratchPool>,
    revision: Revision,
    grid: Grid,
    /// By index; `None` if a movement was removed.
    movements: Vec<Option<Movement>>,
}

/// The number of a query in a [`Recorder`]. Pass it to the recorder with the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryNumber {
    recorder: RecorderName,
    /// The index of its entry.
    entry: usize,
}

/// A number that is unique for each recorder of a process. It has no other meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct RecorderName(u64);

impl RecorderName {
    fn another() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The error for a [`QueryNumber`] that does not belong to a query of this kind in this recorder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum UnknownQuery {
    /// The number comes from another recorder.
    #[error("the number belongs to another recorder; pass it to the recorder that returned it")]
    OtherRecorder,
    /// The number belongs to the other kind of query. The two kinds are queries for a path and
    /// queries for the nearest goals.
    #[error(
        "the number belongs to another kind of query; use answer after ask, and answer_nearest after ask_nearest"
    )]
    OtherKind,
}

impl Recorder {
    /// Begins a recording with the current map and movements of a finder.
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

    /// Answers a query, and records the query and the answer. The search does without
    /// [landmarks](PathFinder::make_landmarks) unless the query names them, because a replay has none.
    ///
    /// # Errors
    /// The errors of [`PathFinder::solve`]. They are recorded as answers.
    pub fn solve(&mut self, finder: &PathFinder, query: &PathQuery) -> Result<Answer, QueryError> {
        let answer = finder.solve(&match query.uses_landmarks() {
            None => query.without_landmarks(),
            Some(_) => *query,
        });
        self.note_query(finder, RecordedEntry::Query { query: *query, answer: Some(answer.clone()) });
        answer
    }

    /// Records a query on the finder's current map. Record the answer later with
    /// [`answer`](Self::answer).
    pub fn ask(&mut self, finder: &PathFinder, query: &PathQuery) -> QueryNumber {
        self.note_query(finder, RecordedEntry::Query { query: *query, answer: None })
    }

    /// Records the answer to a query. A second answer to the same query replaces the first.
    ///
    /// # Errors
    /// [`UnknownQuery`] if the number belongs to another recorder or to another kind of query. In
    /// this case nothing is recorded. A clone of a recorder counts as another recorder.
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

    /// Records a query for the nearest goals on the finder's current map. Record the answer later
    /// with [`answer_nearest`](Self::answer_nearest).
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

    /// Records the answer to a query for the nearest goals. A second answer to the same query
    /// replaces the first.
    ///
    /// # Errors
    /// The errors of [`answer`](Self::answer).
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
    /// Records the decisions of a crowd on the map in one tick: see
    /// [`Crowd::tick_recorded`](crate::crowd::Crowd::tick_recorded). Edits so far are recorded before
    /// them.
    pub fn note_crowd(&mut self, finder: &PathFinder, tick: RecordedTick) {
        self.catch_up(finder);
        self.recording.entries.push(RecordedEntry::Crowd(Box::new(tick)));
    }

    fn note_query(&mut self, finder: &PathFinder, mut query: RecordedEntry) -> QueryNumber {
        self.catch_up(finder);
        // A recording names movements by index: generations have no meaning outside this process.
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

    /// Records the changes of the map and the movements since the last query. Each query does this
    /// first. Call this method at the end if the recording must contain the edits after the last
    /// query.
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
            // If the index is new and empty already, a movement was added and removed in between.
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

    /// Notes the net change of a cell. Edits in between do not count, because there was no query
    /// between them.
    fn note_cell(&mut self, grid: &Grid, cell: Cell, edits: &mut Vec<Edit>) {
        let known = edits.len();
        self.grid.add_differences(grid, cell, edits);
        let _same_bounds = self.grid.restore(&edits[known..]);
    }

    /// Continues with another finder.
    fn change_map(&mut self, finder: &PathFinder) {
        let before = std::mem::replace(self, Self { name: self.name, ..Self::new(finder) });
        let Recording { grid, movements, entries, .. } =
            std::mem::replace(&mut self.recording, before.recording);
        if before.grid != self.grid || before.movements != self.movements {
            self.recording.entries.push(RecordedEntry::Map { grid, movements });
            self.recording.entries.extend(entries);
        }
    }

    /// Returns the recording so far.
    #[must_use]
    pub const fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Ends the recording and returns it.
    #[must_use]
    pub fn into_recording(self) -> Recording {
        self.recording
    }
}

impl Clone for Recorder {
    /// Returns another recorder. It does not accept the query numbers of this one.
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
