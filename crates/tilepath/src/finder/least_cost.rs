//! Lower bounds of path costs, without a search.

use super::{PathFinder, outcome::QueryError, query::MovementId};
use crate::{
    bounds::Bounds, cell::Cell, cost::Cost, movement_map::MovementMap, space::octile_distance::Metric,
};

impl PathFinder {
    /// Returns a lower bound for the cost of every path from a cell to any cell of a rectangle. The
    /// bound is the cost of the distance to the rectangle, over the cheapest ground on the map. If the
    /// rectangle is one cell, [landmarks](Self::make_landmarks) raise the bound. It is 0 if the start is
    /// inside the rectangle.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] if the finder has no movement with this id, and the
    /// [errors](PathFinder::begin) of a movement that does not fit the map.
    ///
    /// # Guarantee
    /// Admissible: the bound is never above the cost of the cheapest path. The cells need not be on
    /// the map.
    ///
    /// # Complexity
    /// O(landmarks). Where edits made cells cheaper since the landmarks were made, also O(places²) for
    /// these places.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Cost, Grid, Movement, MovementId, PathFinder};
    /// let finder = PathFinder::new(Grid::new(20, 20, 3)?, Movement::new());
    /// let camp = Bounds::new(Cell::new(10, 5), 4, 4)?;
    /// assert_eq!(finder.least_cost(Cell::new(2, 2), camp, MovementId::FIRST)?, Cost::new(3 * (5 * 10 + 3 * 14)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn least_cost(&self, start: Cell, goals: Bounds, movement: MovementId) -> Result<Cost, QueryError> {
        let map = self.movement_map_from(movement, start)?;
        let plain = cost_of(distance(metric(&map), &Span::of_cell(start), &Span::of(&goals)));
        let is_one = goals.cell_count() == 1;
        let known = is_one.then(|| self.landmark_bound(movement, start, goals.origin())).flatten();
        Ok(known.map_or(plain, |(_, bound)| bound.max(plain)))
    }

    /// Returns a lower bound for the cost of every path that depends on changed cells. The changed
    /// cells lie in the rectangle `by`. The paths lead from `start` to any cell of the rectangle
    /// `goals`.
    ///
    /// A path depends on a cell in three cases: it enters or leaves the cell, it passes the cell at
    /// a corner, or the unit covers the cell on the path.
    ///
    /// Use the bound to check a kept path after cells in `by`
    /// [opened](crate::Movement::openings_since). The kept path is still a cheapest one under two
    /// conditions: it costs no more than this bound, and no more than the cheapest path cost before
    /// the change.
    ///
    /// # Errors
    /// The errors of [`least_cost`](Self::least_cost).
    ///
    /// # Guarantee
    /// Admissible, as for [`least_cost`](Self::least_cost).
    ///
    /// # Complexity
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Cost, Grid, Movement, MovementId, PathFinder};
    /// let finder = PathFinder::new(Grid::new(64, 64, 1)?, Movement::new());
    /// let (unit, goal) = (Cell::new(0, 0), Bounds::new(Cell::new(20, 0), 1, 1)?);
    /// let gate = Bounds::new(Cell::new(10, 30), 1, 1)?;
    /// let least = finder.least_cost_by(unit, gate, goal, MovementId::FIRST)?;
    /// // Ten columns and thirty rows to the gate, as many on to the goal; a corner may be cut.
    /// assert_eq!(least, Cost::new(2 * (10 * 14 + 20 * 10) - 6));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn least_cost_by(
        &self,
        start: Cell,
        by: Bounds,
        goals: Bounds,
        movement: MovementId,
    ) -> Result<Cost, QueryError> {
        let map = self.movement_map_from(movement, start)?;
        let metric = metric(&map);
        // The anchors at which a unit covers one of the cells.
        let beyond = i64::from(map.movement().size().side()) - 1;
        let by = Span::of(&by).reaching_down(beyond);
        let there = distance(metric, &Span::of_cell(start), &by);
        let on = distance(metric, &by, &Span::of(&goals));
        // A diagonal step past a cell replaces two straight steps over it, and saves this much.
        Ok(cost_of((there + on).saturating_sub(metric.corner())))
    }
}

/// The columns and the rows of a rectangle, each from the lowest to the highest.
struct Span {
    columns: [i64; 2],
    rows: [i64; 2],
}

impl Span {
    fn of_cell(cell: Cell) -> Self {
        Self { columns: [i64::from(cell.x); 2], rows: [i64::from(cell.y); 2] }
    }

    /// Returns the span of a rectangle. An empty rectangle counts as its first cell.
    fn of(bounds: &Bounds) -> Self {
        let along = |first: i32, count: u32| {
            [i64::from(first), i64::from(first) + i64::from(count.saturating_sub(1))]
        };
        let origin = bounds.origin();
        Self { columns: along(origin.x, bounds.width()), rows: along(origin.y, bounds.height()) }
    }

    fn reaching_down(self, cells: i64) -> Self {
        let [columns, rows] = [self.columns, self.rows].map(|[low, high]| [low - cells, high]);
        Self { columns, rows }
    }
}

fn metric(map: &MovementMap) -> Metric {
    Metric::new(map.movement(), map.topology(), map.cheapest())
}

fn distance(metric: Metric, from: &Span, to: &Span) -> u64 {
    metric.over(gap(from.columns, to.columns), gap(from.rows, to.rows))
}

/// Returns the least distance from one interval to the other, with its sign.
fn gap(from: [i64; 2], to: [i64; 2]) -> i64 {
    if to[0] > from[1] {
        to[0] - from[1]
    } else if to[1] < from[0] {
        to[1] - from[0]
    } else {
        0
    }
}

fn cost_of(distance: u64) -> Cost {
    Cost::new(u32::try_from(distance).unwrap_or(u32::MAX))
}
