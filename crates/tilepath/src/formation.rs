//! Places for many units around one goal, and who takes which.
//!
//! Thirty units sent to one cell need thirty cells. [`PathFinder::solve_formation`] finds them: in the shape of a [`Formation`], each
//! open to the unit that is to stand there, and each to be reached on foot from the goal without a long way round. Then it gives every
//! unit one of them, so that the last arrives as early as possible.
//!
//! # The rules
//! - **Kinds**: units of one movement take places for that movement. Where a unit cannot reach the goal its kind gathers around the
//!   reachable cell that is closest to it: boats on the water beside the beach.
//! - **Shapes**: a shape is a list of points, the most important first. A point is left out if its cell is closed, taken, or far away on
//!   foot: if the walk from the goal is more than two straight steps longer than the distance. Then the shape goes on at its ends, as
//!   far on foot as twice its size; a [`Formation::Wedge`] does not. A unit without a point takes the free cell nearest to the goal on
//!   foot.
//! - **Sizes**: larger units come late, and stand behind smaller ones: in a [`Formation::Disc`] as one of their own, in all other shapes
//!   in ranks as wide apart as they are large.
//! - **Who takes which**: of all ways to give each unit a place, those are best in which the last one arrives first; of these that in
//!   which all together walk least, and of these that in which ways differ least: the first goes farthest. So it is for up to
//!   [`Formation::MOST_ASSIGNED`] units of a kind; more are paired by their angle around the middle of the group.
//!
//! # What a way costs here
//! The cost of the walk, by a search from each unit, if all these searches together take no more than 16,384 expansions: exact.
//!
//! Else as much as the crow flies, and what two stretches cost more than that: the way until it comes near, as the unit would go to the goal,
//! by one field around that; and the last cells before the formation, by a field of each place. That is exact on open ground and for
//! units that are near, and costs one large field for a kind instead of one for each place. What lies farther away than the field comes
//! ([`FormationQuery::with_limit`]), and the last cells before formations that are very wide (a line of more than forty), count as the
//! crow flies.
//!
//! # Guarantee
//! The answer is a function of the query and the map: the same on every machine. No two units share a cell.
//!
//! # Source
//! Hopcroft and Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM Journal on Computing 2, 1973, below a
//! threshold of costs; Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955, in the form
//! with potentials.
//!
//! # Examples
//! ```
//! use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
//! use tilepath::formation::{Formation, FormationQuery, FormationUnit};
//!
//! let finder = PathFinder::new(Grid::new(30, 20, 1)?, Movement::new());
//! let units = (8..13).map(|y| FormationUnit::new(Cell::new(2, y), MovementId::FIRST));
//! let query = FormationQuery::new(Cell::new(20, 10), units).with_formation(Formation::Line);
//! let answer = finder.solve_formation(&query)?;
//! // A line across the way from the west, and no two of them cross.
//! let places: Vec<Cell> = answer.places().iter().flatten().copied().collect();
//! assert_eq!(places, [8, 9, 10, 11, 12].map(|y| Cell::new(20, y)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assignment;
mod by_angle;
mod kinds;
mod places;
mod shape;
mod table;
mod vectors;
mod way_costs;

pub use self::{assignment::assign, table::Formation};

use crate::{
    cell::Cell,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
};
use thiserror::Error;

/// A unit that is to have a place.
///
/// # Examples
/// ```
/// use tilepath::{Cell, MovementId, formation::FormationUnit};
/// let rider = FormationUnit::new(Cell::new(2, 3), MovementId::FIRST).with_speed(2);
/// assert_eq!((rider.from(), rider.speed()), (Some(Cell::new(2, 3)), 2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FormationUnit {
    from: Option<Cell>,
    movement: MovementId,
    speed: u32,
}

impl FormationUnit {
    /// A unit that stands there: of several cells the lowest and leftmost.
    #[must_use]
    pub const fn new(from: Cell, movement: MovementId) -> Self {
        Self { from: Some(from), movement, speed: 1 }
    }

    /// A unit that comes from somewhere else, by ways of which the finder knows nothing. All places are as far for it.
    #[must_use]
    pub const fn from_elsewhere(movement: MovementId) -> Self {
        Self { from: None, movement, speed: 1 }
    }

    /// How fast it is beside the others, in any unit; 0 counts as 1. By default all are alike.
    #[must_use]
    pub const fn with_speed(mut self, speed: u32) -> Self {
        self.speed = if speed == 0 { 1 } else { speed };
        self
    }

    /// Where it stands, if it is known.
    #[must_use]
    pub const fn from(&self) -> Option<Cell> {
        self.from
    }

    /// By which it moves.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }

    /// How fast it is beside the others.
    #[must_use]
    pub const fn speed(&self) -> u32 {
        self.speed
    }
}

/// Places for these units around a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormationQuery {
    goal: Cell,
    units: Vec<FormationUnit>,
    formation: Formation,
    heading: Option<(i32, i32)>,
    taken: Vec<Cell>,
    limit: u64,
}

impl FormationQuery {
    /// A disc around the goal.
    pub fn new(goal: Cell, units: impl IntoIterator<Item = FormationUnit>) -> Self {
        Self {
            goal,
            units: units.into_iter().collect(),
            formation: Formation::Disc,
            heading: None,
            taken: Vec::new(),
            limit: 1 << 16,
        }
    }

    /// The same in another shape.
    #[must_use]
    pub const fn with_formation(mut self, formation: Formation) -> Self {
        self.formation = formation;
        self
    }

    /// Where the formation looks to: columns and rows, of any length. Left out, and (0, 0), it looks the way from the middle of the
    /// units to the goal.
    #[must_use]
    pub const fn with_heading(mut self, heading: (i32, i32)) -> Self {
        self.heading = Some(heading);
        self
    }

    /// No unit is to stand on these cells: others do, who stay.
    #[must_use]
    pub fn with_taken(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.taken.extend(cells);
        self
    }

    /// At most that many expansions for the field of each kind of unit, 65,536 by default. Units beyond count as the crow flies.
    #[must_use]
    pub const fn with_limit(mut self, expansions: u64) -> Self {
        self.limit = expansions;
        self
    }

    /// Where it is.
    #[must_use]
    pub const fn goal(&self) -> Cell {
        self.goal
    }

    /// Who is to have places.
    #[must_use]
    pub fn units(&self) -> &[FormationUnit] {
        &self.units
    }

    /// In which shape.
    #[must_use]
    pub const fn formation(&self) -> Formation {
        self.formation
    }
}

/// Where each unit is to stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormationAnswer {
    places: Vec<Option<Cell>>,
    ranks: Vec<usize>,
    kinds: Vec<usize>,
    heading: (i32, i32),
}

impl FormationAnswer {
    /// The place of each unit, in the order of the query: of a unit of several cells the lowest and leftmost. `None` where all ground
    /// that it can reach is taken by others.
    #[must_use]
    pub fn places(&self) -> &[Option<Cell>] {
        &self.places
    }

    /// How important the place of each unit is among those of its kind: 0 is the first to be taken. Meaningless without a place.
    #[must_use]
    pub fn ranks(&self) -> &[usize] {
        &self.ranks
    }

    /// The kind of each unit, by a number: those of one kind may take each other's places. Meaningless without a place.
    #[must_use]
    pub fn kinds(&self) -> &[usize] {
        &self.kinds
    }

    /// Where the formation looks to, in columns and rows.
    #[must_use]
    pub const fn heading(&self) -> (i32, i32) {
        self.heading
    }

    /// How many units found no place.
    #[must_use]
    pub fn without_place(&self) -> usize {
        self.places.iter().filter(|place| place.is_none()).count()
    }
}

/// Why there are no places.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FormationError {
    /// The query names no unit.
    #[error("there is no unit that could take a place; name at least one")]
    NoUnits,
    /// None of the units found a place.
    #[error(
        "none of the {units} units found a free cell that it can reach around the goal; choose another goal, or open ground around it"
    )]
    NoPlace {
        /// How many there are.
        units: usize,
    },
    /// The query cannot be answered as it stands.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl PathFinder {
    /// Places for many units around a goal: see [`formation`](crate::formation).
    ///
    /// # Errors
    /// - [`FormationError::NoUnits`]
    /// - [`FormationError::NoPlace`] if none of the units found one. If some did not, [`FormationAnswer::without_place`] counts them.
    /// - [`FormationError::Query`]: [`QueryError::GoalOutOfBounds`], [`QueryError::StartOutOfBounds`] and
    ///   [`QueryError::FootprintOutOfBounds`] of a unit, [`QueryError::UnknownMovement`], [`QueryError::SizeOnHexagons`],
    ///   [`QueryError::OverlayTooHigh`].
    ///
    /// # Complexity
    /// For each kind of unit a field of as many cells as are nearer than the units, up to
    /// [the limit](FormationQuery::with_limit), and O(n³) for its n units, n up to [`Formation::MOST_ASSIGNED`]; beyond that
    /// O(n log n). Where a unit cannot reach the goal, a search.
    ///
    /// # Examples
    /// Three soldiers and a boat at a river. The boat takes the water nearest to the goal.
    /// ```
    /// use tilepath::{Cell, CostTable, Movement, MovementId, PathFinder, format};
    /// use tilepath::formation::{FormationQuery, FormationUnit};
    ///
    /// let grid = format::parse_ascii("
    ///     ......
    ///     ......
    ///     444444
    /// ")?;
    /// let on_foot = Movement::new().with_costs(CostTable::default().with(4, 0));
    /// let mut finder = PathFinder::new(grid, on_foot);
    /// let boat = finder.add_movement(Movement::new().with_costs(CostTable::impassable().with(4, 1)));
    /// let soldier = |x| FormationUnit::new(Cell::new(x, 2), MovementId::FIRST);
    /// let units = [soldier(0), soldier(1), soldier(2), FormationUnit::new(Cell::new(0, 0), boat)];
    /// let answer = finder.solve_formation(&FormationQuery::new(Cell::new(4, 1), units))?;
    /// assert_eq!(answer.places()[3], Some(Cell::new(4, 0)));
    /// assert!(answer.places()[..3].contains(&Some(Cell::new(4, 1))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_formation(&self, query: &FormationQuery) -> Result<FormationAnswer, FormationError> {
        if query.units.is_empty() {
            return Err(FormationError::NoUnits);
        }
        let kinds = kinds::kinds(self, query)?;
        let from: Vec<Cell> = query.units.iter().filter_map(|unit| unit.from).collect();
        let heading = vectors::heading(self.grid().topology(), query.heading, &from, query.goal);
        let found = places::places(self, query, &kinds, heading)?;
        let mut answer = FormationAnswer {
            places: vec![None; query.units.len()],
            ranks: vec![0; query.units.len()],
            kinds: vec![0; query.units.len()],
            heading,
        };
        for (number, (kind, places)) in kinds.iter().zip(&found).enumerate() {
            let units: Vec<FormationUnit> = kind.units.iter().map(|&unit| query.units[unit]).collect();
            let taken = way_costs::assign_units(self, &units, places, kind.anchor, query.limit)?;
            for (&unit, place) in kind.units.iter().zip(taken) {
                answer.kinds[unit] = number;
                if let Some(place) = place {
                    (answer.places[unit], answer.ranks[unit]) = (Some(places[place]), place);
                }
            }
        }
        if answer.without_place() == query.units.len() {
            return Err(FormationError::NoPlace { units: query.units.len() });
        }
        Ok(answer)
    }

    /// Gives units of one movement these places, so that as many as possible get one and the last arrives as early as possible: by
    /// index in `places`, for each unit. For a formation that has lost some of its units.
    ///
    /// # Errors
    /// - [`FormationError::NoUnits`]
    /// - [`FormationError::Query`] as [`solve_formation`](Self::solve_formation), and
    ///   [`QueryError::UnknownMovement`] where a unit's movement is not that of the first.
    ///
    /// # Complexity
    /// As there.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder, formation::FormationUnit};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let units = [0, 1].map(|x| FormationUnit::new(Cell::new(x, 0), MovementId::FIRST));
    /// let places = [Cell::new(4, 0), Cell::new(5, 0)];
    /// assert_eq!(finder.solve_places(&units, &places)?, [Some(0), Some(1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_places(
        &self,
        units: &[FormationUnit],
        places: &[Cell],
    ) -> Result<Vec<Option<usize>>, FormationError> {
        let first = units.first().ok_or(FormationError::NoUnits)?;
        if let Some(other) = units.iter().find(|unit| unit.movement != first.movement) {
            return Err(QueryError::UnknownMovement(other.movement).into());
        }
        let Some(&anchor) = places.first() else { return Ok(vec![None; units.len()]) };
        let query = FormationQuery::new(anchor, []);
        Ok(way_costs::assign_units(self, units, places, anchor, query.limit)?)
    }
}
