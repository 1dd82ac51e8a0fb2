//! Places for many units around one goal.
//!
//! Thirty units sent to one cell need thirty cells, the *places*. [`PathFinder::solve_formation`]
//! finds the places in the shape of a [`Formation`]. Each place is open to its unit, and the walk
//! from the goal to the place has no long detour. Then each unit gets one of the places, so that
//! the last unit arrives as early as possible.
//!
//! # The rules
//! - **Kinds**: a kind is all units of one movement that gather around one cell. This cell is the
//!   goal. If a unit cannot reach the goal, its kind gathers around the closest cell that the unit
//!   can reach: boats on the water beside the beach.
//! - **Shapes**: a shape is a list of points, the most important first. A point is left out if its
//!   cell is closed, taken, or far from the goal on foot. Only walks that stay at most one unit away
//!   from the points count, and two closed points beside each other end the shape. So a
//!   wedge beside a gate stands on one side of the wall. A cell is far
//!   if the walk is more than two straight steps longer than the distance without obstacles. For
//!   points that are left out, the shape continues at its ends, up to a walk of twice its size. A
//!   [`Formation::Wedge`] does not continue. A unit without a point takes the free cell with the
//!   shortest walk from the goal.
//! - **Sizes**: larger units are placed after smaller units and stand behind them. In a
//!   [`Formation::Disc`], the larger units form a disc of their own. In all other shapes, they
//!   stand in ranks, and the distance of the ranks is the size of the units.
//! - **Assignment**: in the best assignment, the last unit arrives as early as possible. If several
//!   assignments are equal in this, the sum of the walks decides: the smallest is best. If several
//!   are still equal, the walks must differ least, so the first unit of a column goes farthest.
//!   This holds for up to [`Formation::MOST_ASSIGNED`] units of a kind. If there are more, units
//!   and places are paired by their angle around the middle of the group.
//!
//! # Cost of the walks
//! If a search from each unit takes no more than 16,384 expansions for all units together, the cost
//! of each walk is exact.
//!
//! Otherwise, the cost of a walk is the distance without obstacles plus the extra cost of two parts
//! of the path:
//! - the part from the unit to the surroundings of the formation. One flow field around the goal
//!   finds its extra cost;
//! - the last cells, inside these surroundings. One search to all places from each cell where
//!   paths enter the surroundings finds their extra cost.
//!
//! This cost is exact on open ground and for units that are near. It needs one large flow field for
//! a kind, instead of one field for each place. Only the distance without obstacles counts in two
//! cases: for units outside the field ([`FormationQuery::with_limit`]), and for the last cells
//! before very wide formations (a line of more than forty units).
//!
//! # Guarantee
//! The answer is a pure function of the query and the map, equal on every machine. No two units
//! share a cell.
//!
//! # Source
//! Hopcroft and Karp, "An n^5/2 algorithm for maximum matchings in bipartite graphs", SIAM Journal
//! on Computing 2, 1973, below a threshold of costs; Kuhn, "The Hungarian method for the assignment
//! problem", Naval Research Logistics Quarterly 2, 1955, in the form with potentials.
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
//! // A line across the direction of the march from the west; no two paths cross.
//! let places: Vec<Cell> = answer.places().iter().flatten().copied().collect();
//! assert_eq!(places, [8, 9, 10, 11, 12].map(|y| Cell::new(20, y)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assignment;
mod by_angle;
mod cheapest_rows;
mod flood;
mod kinds;
mod outline;
mod places;
mod query;
mod search;
mod shape;
mod slice;
mod table;
mod vectors;
mod way_costs;

pub use self::{
    query::{FormationAnswer, FormationError, FormationQuery, FormationUnit},
    search::FormationSearch,
    table::Formation,
};

use crate::{
    cell::Cell,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
};

impl PathFinder {
    /// Finds places for many units around a goal; see [`formation`](crate::formation).
    ///
    /// # Errors
    /// - [`FormationError::NoUnits`]
    /// - [`FormationError::NoPlace`] if no unit found a place. If some did,
    ///   [`FormationAnswer::without_place`] counts the others.
    /// - [`FormationError::Query`]: [`QueryError::GoalOutOfBounds`], [`QueryError::StartOutOfBounds`] and
    ///   [`QueryError::FootprintOutOfBounds`] of a unit, [`QueryError::UnknownMovement`], [`QueryError::SizeOnHexagons`],
    ///   [`QueryError::OverlayTooHigh`].
    ///
    /// # Complexity
    /// For each kind of n units: a flow field that reaches the units, up to [the
    /// limit](FormationQuery::with_limit), and the assignment. The assignment is O(n³) for n up to
    /// [`Formation::MOST_ASSIGNED`], and O(n log n) for more units. If a unit cannot reach the
    /// goal, a search finds the closest cell.
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
        FormationSearch::begin(self, query)?.finish(self)
    }

    /// Begins a search for places that runs in slices. Use it if the places of many units need not
    /// be known at once.
    ///
    /// # Errors
    /// The errors of [`solve_formation`](Self::solve_formation), except
    /// [`FormationError::NoPlace`].
    ///
    /// # Complexity
    /// O(n) for n units. If a unit cannot reach the goal, a search finds the closest cell.
    pub fn begin_formation(&self, query: &FormationQuery) -> Result<FormationSearch, FormationError> {
        let mut search = FormationSearch::begin(self, query)?;
        let mut movements: Vec<MovementId> = query.units().iter().map(FormationUnit::movement).collect();
        movements.sort_unstable();
        movements.dedup();
        for movement in movements {
            search.charge(self.take_deferred_work(movement)?);
        }
        Ok(search)
    }

    /// Begins a search that assigns given places to units that all have the same movement. The
    /// answer has the index of the place as the rank of each unit. As many units as possible get a
    /// place, and the last of them arrives as early as possible.
    ///
    /// `bevy_tilepath` uses it for a formation that has lost some of its units.
    ///
    /// # Errors
    /// - [`FormationError::NoUnits`]
    /// - [`FormationError::Query`] with [`QueryError::UnknownMovement`] if the units have different
    ///   movements.
    #[doc(hidden)]
    pub fn begin_places(
        &self,
        units: &[FormationUnit],
        places: &[Cell],
    ) -> Result<FormationSearch, FormationError> {
        let first = units.first().ok_or(FormationError::NoUnits)?;
        if let Some(other) = units.iter().find(|unit| unit.movement() != first.movement()) {
            return Err(QueryError::UnknownMovement(other.movement()).into());
        }
        Ok(FormationSearch::among(units, places))
    }
}
