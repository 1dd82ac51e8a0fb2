//! Writing down what is asked of a finder.

use crate::{
    bounds::Bounds,
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
use std::sync::{Arc, Weak};

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
/// A byte a cell, besides the recording.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, Recorder};
/// let mut finder = PathFinder::new(Grid::new(30, 30, 1)?, Movement::new());
/// let mut recorder = Recorder::new(&finder);
/// let query = PathQuery::new(Cell::new(0, 0), Cell::new(29, 29));
/// let number = recorder.ask(&finder, &query);
/// let search = finder.begin(&query)?;
/// finder.set_terrain(Cell::new(15, 15), 0)?; // does not reach the search
/// recorder.answer(number, &search.finish());
///
/// let replayed = recorder.into_recording().replay(|_| ())?;
/// assert_eq!((replayed.edits, replayed.answers), (0, 1), "nothing was asked since the edit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    recording: Recording,
    /// The present state: what the recording would be replayed to.
    finder: Weak<ScratchPool>,
    bounds: Bounds,
    revision: Revision,
    classes: Vec<u8>,
    movements: Vec<Movement>,
}

/// Names a query of a [`Recorder`]: its place among the entries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct QueryNumber(usize);

impl Recorder {
    /// Begins a recording with the map and the movements of a finder as they are now.
    ///
    /// # Complexity
    /// O(cells).
    #[must_use]
    pub fn new(finder: &PathFinder) -> Self {
        let (grid, movements) = (finder.grid(), finder.movements().cloned().collect::<Vec<_>>());
        Self {
            recording: Recording {
                crate_version: env!("CARGO_PKG_VERSION").to_owned(),
                grid: grid.clone(),
                movements: movements.clone(),
                entries: Vec::new(),
            },
            finder: Arc::downgrade(finder.pool()),
            bounds: grid.bounds(),
            revision: grid.revision(),
            classes: grid.classes().to_vec(),
            movements,
        }
    }

    /// Answers a query and writes down both.
    ///
    /// # Errors
    /// As [`PathFinder::solve`]; errors are written down too.
    pub fn solve(&mut self, finder: &PathFinder, query: &PathQuery) -> Result<Answer, QueryError> {
        let number = self.ask(finder, query);
        let answer = finder.solve(query);
        self.answer(number, &answer);
        answer
    }

    /// Writes down a query that is about to be answered on the finder's map as it is now.
    pub fn ask(&mut self, finder: &PathFinder, query: &PathQuery) -> QueryNumber {
        self.note_query(finder, RecordedEntry::Query { query: *query, answer: None })
    }

    /// Writes down what a query was answered. A second answer takes the place of the first; numbers of another recorder
    /// or of another kind of query are passed over.
    pub fn answer(&mut self, number: QueryNumber, answer: &Result<Answer, QueryError>) {
        if let Some(RecordedEntry::Query { answer: noted, .. }) = self.entry(number) {
            *noted = Some(answer.clone());
        }
    }

    /// As [`ask`](Self::ask), for the nearest of many goals.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, NearestQuery, PathFinder, Recorder};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let mut recorder = Recorder::new(&finder);
    /// let query = NearestQuery::new(Cell::new(0, 0), [Cell::new(8, 0), Cell::new(4, 4)]);
    /// let number = recorder.ask_nearest(&finder, &query);
    /// recorder.answer_nearest(number, &finder.begin_nearest(&query).and_then(|search| search.finish()));
    /// assert_eq!(recorder.recording().replay(|_| ())?.answers, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ask_nearest(&mut self, finder: &PathFinder, query: &NearestQuery) -> QueryNumber {
        self.note_query(finder, RecordedEntry::Nearest { query: query.clone(), answer: None })
    }

    /// As [`answer`](Self::answer), for the nearest of many goals.
    pub fn answer_nearest(&mut self, number: QueryNumber, answer: &Result<NearestAnswer, QueryError>) {
        if let Some(RecordedEntry::Nearest { answer: noted, .. }) = self.entry(number) {
            *noted = Some(answer.clone());
        }
    }

    fn note_query(&mut self, finder: &PathFinder, query: RecordedEntry) -> QueryNumber {
        self.catch_up(finder);
        self.recording.entries.push(query);
        QueryNumber(self.recording.entries.len() - 1)
    }

    fn entry(&mut self, number: QueryNumber) -> Option<&mut RecordedEntry> {
        self.recording.entries.get_mut(number.0)
    }

    /// Writes down what changed on the map and in its movements. [`ask`](Self::ask) does it by itself; call it at the end
    /// if edits after the last query matter.
    pub fn catch_up(&mut self, finder: &PathFinder) {
        if std::ptr::eq(self.finder.as_ptr(), Arc::as_ptr(finder.pool())) {
            self.note_movements(finder);
            self.note_edits(finder);
        } else {
            self.change_map(finder);
        }
    }

    fn note_movements(&mut self, finder: &PathFinder) {
        for (index, movement) in finder.movements().enumerate() {
            if self.movements.get(index) == Some(movement) {
                continue;
            }
            let (id, movement) = (MovementId::new(index), movement.clone());
            if let Some(known) = self.movements.get_mut(index) {
                known.clone_from(&movement);
            } else {
                self.movements.push(movement.clone());
            }
            self.recording.entries.push(RecordedEntry::Movement { id, movement });
        }
    }

    fn note_edits(&mut self, finder: &PathFinder) {
        let grid = finder.grid();
        let bounds = grid.bounds();
        if let Some(cells) = grid.changes_since(self.revision) {
            for slot in cells.filter_map(|cell| bounds.slot(cell)) {
                self.note_class(&bounds, slot, grid.classes()[slot]);
            }
        } else {
            for (slot, &class) in grid.classes().iter().enumerate() {
                self.note_class(&bounds, slot, class);
            }
        }
        self.revision = grid.revision();
    }

    /// Of several edits of a cell the last one counts: nobody has asked between them.
    fn note_class(&mut self, bounds: &Bounds, slot: usize, class: u8) {
        if let Some(cell) = bounds.cell(slot).filter(|_| self.classes[slot] != class) {
            self.classes[slot] = class;
            self.recording.entries.push(RecordedEntry::Edit { cell, terrain: class });
        }
    }

    /// Goes on with another finder.
    fn change_map(&mut self, finder: &PathFinder) {
        let (grid, movements): (&Grid, Vec<Movement>) =
            (finder.grid(), finder.movements().cloned().collect());
        if self.bounds != grid.bounds() || self.classes != grid.classes() || self.movements != movements {
            let (grid, movements) = (grid.clone(), movements.clone());
            self.recording.entries.push(RecordedEntry::Map { grid, movements });
        }
        self.finder = Arc::downgrade(finder.pool());
        self.bounds = grid.bounds();
        self.revision = grid.revision();
        self.classes = grid.classes().to_vec();
        self.movements = movements;
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
