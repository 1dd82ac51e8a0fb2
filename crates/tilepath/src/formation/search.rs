//! A search for places that runs in slices.

use super::{
    kinds::{self, Kind},
    places::{self, KnownFloods},
    query::{FormationAnswer, FormationError, FormationQuery, FormationUnit},
    slice::{Slice, Stop},
    vectors,
    way_costs::Assigning,
};
use crate::{
    cell::Cell,
    finder::{PathFinder, query::MovementId},
    search::SearchStatus,
};

/// A search for the places of a [`FormationQuery`] that runs in slices;
/// [`PathFinder::begin_formation`] begins it.
///
/// # Guarantee
/// On an unedited map, the answer equals the one of [`PathFinder::solve_formation`], however the
/// work is split.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder, SearchStatus};
/// use tilepath::formation::{FormationQuery, FormationUnit};
/// let finder = PathFinder::new(Grid::new(30, 20, 1)?, Movement::new());
/// let units = (8..13).map(|y| FormationUnit::new(Cell::new(2, y), MovementId::FIRST));
/// let query = FormationQuery::new(Cell::new(20, 10), units);
/// let mut search = finder.begin_formation(&query)?;
/// while search.advance(&finder, 100)? == SearchStatus::Running {
///     // the rest of the frame goes here
/// }
/// assert_eq!(search.finish(&finder)?, finder.solve_formation(&query)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FormationSearch {
    query: FormationQuery,
    kinds: Vec<Kind>,
    heading: (i32, i32),
    floods: Vec<KnownFloods>,
    /// The places of each kind, when all are found.
    places: Option<Vec<Vec<Cell>>>,
    /// For each kind that is done, the place of each unit.
    taken: Vec<Vec<Option<usize>>>,
    assigning: Option<Assigning>,
    work: u64,
}

impl FormationSearch {
    pub(super) fn begin(finder: &PathFinder, query: &FormationQuery) -> Result<Self, FormationError> {
        if query.units.is_empty() {
            return Err(FormationError::NoUnits);
        }
        let (kinds, work) = kinds::kinds(finder, query)?;
        let from: Vec<Cell> = query.units.iter().filter_map(|unit| unit.from).collect();
        let heading = vectors::heading(finder.grid().topology(), query.heading, &from, query.goal);
        Ok(Self {
            query: query.clone(),
            kinds,
            heading,
            floods: Vec::new(),
            places: None,
            taken: Vec::new(),
            assigning: None,
            work,
        })
    }

    /// Begins a search for the units of one movement and given places.
    pub(super) fn among(units: &[FormationUnit], places: &[Cell]) -> Self {
        let anchor = places.first().copied().unwrap_or_default();
        let query = FormationQuery::new(anchor, units.iter().copied());
        let movement = units.first().map_or(MovementId::FIRST, FormationUnit::movement);
        let kind = Kind { movement, side: 1, anchor, units: (0..units.len()).collect() };
        Self {
            query,
            kinds: vec![kind],
            heading: (0, 0),
            floods: Vec::new(),
            places: Some(vec![places.to_vec()]),
            // Without places there is nothing to assign.
            taken: if places.is_empty() { vec![vec![None; units.len()]] } else { Vec::new() },
            assigning: None,
            work: 0,
        }
    }

    /// Adds work that was done for this search outside of it.
    pub(super) const fn charge(&mut self, work: u64) {
        self.work += work;
    }

    /// Returns the work done so far, in the unit of [`PathSearch::work`](crate::PathSearch::work).
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// Returns whether all places are found and given to units.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.taken.len() == self.kinds.len() && self.places.is_some()
    }

    /// Runs the search for about this much work. A call with a budget of at least 1 always makes
    /// progress. It can exceed the budget by one piece of the assignment: for n units, about n²/16
    /// units of work, at most 3,000.
    ///
    /// Pass the finder that began the search. After edits the search goes on with the edited map,
    /// and keeps what it has found before. Begin a new search after [`PathFinder::resize`].
    ///
    /// # Errors
    /// [`FormationError::Query`] if an edit made a place void.
    pub fn advance(&mut self, finder: &PathFinder, budget: u64) -> Result<SearchStatus, FormationError> {
        let mut slice = Slice::new(budget);
        let result = self.run(finder, &mut slice);
        self.work = self.work.saturating_add(slice.done());
        match result {
            Ok(()) => Ok(SearchStatus::Done),
            Err(Stop::Later) => Ok(SearchStatus::Running),
            Err(Stop::Failed(error)) => Err(error.into()),
        }
    }

    fn run(&mut self, finder: &PathFinder, slice: &mut Slice) -> Result<(), Stop> {
        let Self { query, kinds, heading, floods, places, taken, assigning, .. } = self;
        let places = match places {
            Some(places) => places,
            None => places.insert(places::places(finder, query, kinds, *heading, floods, slice)?),
        };
        floods.clear();
        while let Some(kind) = kinds.get(taken.len()) {
            let units = || kind.units.iter().map(|&unit| query.units[unit]).collect::<Vec<FormationUnit>>();
            let places = &places[taken.len()];
            let search =
                assigning.get_or_insert_with(|| Assigning::new(units(), places, kind.anchor, query.limit));
            let found = search.run(finder, slice)?;
            *assigning = None;
            taken.push(found);
        }
        Ok(())
    }

    /// Runs the search to its end and returns the answer.
    ///
    /// # Errors
    /// The errors of [`advance`](Self::advance) and [`answer`](Self::answer).
    pub fn finish(mut self, finder: &PathFinder) -> Result<FormationAnswer, FormationError> {
        while self.advance(finder, u64::MAX)? == SearchStatus::Running {}
        self.answer()
    }

    /// Returns the answer. While the search runs, places are missing in it.
    ///
    /// # Errors
    /// [`FormationError::NoPlace`] if no unit has a place.
    pub fn answer(&self) -> Result<FormationAnswer, FormationError> {
        let count = self.query.units.len();
        let mut answer = FormationAnswer {
            places: vec![None; count],
            ranks: vec![0; count],
            kinds: vec![0; count],
            heading: self.heading,
        };
        let found = self.places.iter().flatten();
        for (number, ((kind, places), taken)) in self.kinds.iter().zip(found).zip(&self.taken).enumerate() {
            for (&unit, &place) in kind.units.iter().zip(taken) {
                answer.kinds[unit] = number;
                if let Some(place) = place {
                    (answer.places[unit], answer.ranks[unit]) = (Some(places[place]), place);
                }
            }
        }
        if answer.without_place() == count {
            return Err(FormationError::NoPlace { units: count });
        }
        Ok(answer)
    }
}
