//! Estimates of the remaining cost.

use crate::{
    cost::Cost,
    movement::{Diagonals, Movement},
    movement_map::MovementMap,
    search::Heuristic,
    space::{grid::GridNode, octile_distance::Metric},
    text::UnknownName,
    topology::Topology,
};
use std::{fmt, str::FromStr};

/// The estimate of the remaining cost that leads a search. Use another estimate than the default
/// only to compare or to teach. The default is the best estimate that does not depend on the cells
/// of the map, so a game gains nothing from the others.
///
/// A*, weighted A*, greedy search and backtracking use this estimate. Jump point search always
/// uses the default. The other algorithms use no estimate.
///
/// # Examples
/// ```
/// use tilepath::{Algorithm, Cell, HeuristicKind, Grid, Movement, PathFinder, PathQuery};
/// let finder = PathFinder::new(Grid::new(30, 30, 1)?, Movement::new());
/// let query = PathQuery::new(Cell::new(2, 15), Cell::new(25, 20)).with_algorithm(Algorithm::AStar);
/// let [led, blind] = [HeuristicKind::Octile, HeuristicKind::Zero]
///     .map(|estimate| finder.solve(&query.with_heuristic(estimate)).unwrap());
/// assert_eq!(led.outcome.path().unwrap().cost(), blind.outcome.path().unwrap().cost());
/// assert!(led.statistics.expanded * 5 < blind.statistics.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum HeuristicKind {
    /// The exact distance on an empty map of the cheapest terrain present: diagonal steps as long
    /// as they help, then straight steps. Without diagonals this is the Manhattan distance.
    #[default]
    Octile,
    /// The number of columns plus the number of rows to the goal. If diagonal steps are allowed,
    /// this estimate may exceed the remaining cost, and the answer is not always the cheapest.
    Manhattan,
    /// The length of the straight line to the goal, times the lowest cost per unit of length. Steps
    /// in all directions are compared to find the lowest.
    Euclidean,
    /// The number of columns or the number of rows to the goal, whichever is larger.
    Chebyshev,
    /// Zero: A* becomes Dijkstra's algorithm.
    Zero,
}

impl HeuristicKind {
    /// All estimates.
    pub const ALL: [Self; 5] = [Self::Octile, Self::Manhattan, Self::Euclidean, Self::Chebyshev, Self::Zero];

    /// Returns the name that [`FromStr`] accepts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Octile => "octile",
            Self::Manhattan => "manhattan",
            Self::Euclidean => "euclidean",
            Self::Chebyshev => "chebyshev",
            Self::Zero => "zero",
        }
    }

    /// Returns whether the estimate is never more than the true cost, for this movement and
    /// topology. If the result is true, A* is optimal.
    #[must_use]
    pub fn is_admissible(self, movement: &Movement, topology: Topology) -> bool {
        match topology {
            Topology::Square => self != Self::Manhattan || movement.diagonals() == Diagonals::Never,
            // Axial coordinates are not at right angles. Cells at one distance may differ in one
            // coordinate or in both.
            Topology::Hexagonal => !matches!(self, Self::Manhattan | Self::Euclidean),
        }
    }
}

impl fmt::Display for HeuristicKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

const KNOWN: &str = "octile, manhattan, euclidean, chebyshev or zero";

impl FromStr for HeuristicKind {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        (Self::ALL.into_iter().find(|estimate| estimate.name() == text)).ok_or_else(|| UnknownName {
            text: text.to_owned(),
            kind: "estimate",
            known: KNOWN,
        })
    }
}

/// An estimate of the cost to one cell, on a map of the cheapest terrain present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenDistance {
    estimate: HeuristicKind,
    goal: GridNode,
    straight: u64,
    diagonal: u64,
    metric: Metric,
}

impl ChosenDistance {
    pub(crate) fn new(movement_map: &MovementMap, estimate: HeuristicKind, goal: GridNode) -> Self {
        let (movement, scale) = (movement_map.movement(), u64::from(movement_map.cheapest()));
        let straight = u64::from(movement.steps().straight()) * scale;
        let metric = Metric::new(movement, movement_map.topology(), movement_map.cheapest());
        Self { estimate, goal, straight, diagonal: movement.diagonal_distance() * scale, metric }
    }
}

impl Heuristic<GridNode, Cost> for ChosenDistance {
    /// Each estimate is a norm of the offset to the goal. If it is admissible, no step shortens the
    /// norm by more than the cost of the step. Rounding down keeps this, because costs are integers:
    /// if x ≤ cost + y, then ⌊x⌋ ≤ cost + ⌊y⌋.
    ///
    /// If it is not admissible, it need not be consistent: then answers have no bound.
    const IS_CONSISTENT: bool = true;

    fn estimate(&self, node: GridNode) -> Cost {
        let dx = u64::from(node.x().abs_diff(self.goal.x()));
        let dy = u64::from(node.y().abs_diff(self.goal.y()));
        let (longer, shorter) = (dx.max(dy), dx.min(dy));
        let distance = match self.estimate {
            HeuristicKind::Octile => self.metric.between(node, self.goal),
            HeuristicKind::Manhattan => (longer + shorter) * self.straight,
            HeuristicKind::Chebyshev => longer * self.straight,
            HeuristicKind::Zero => 0,
            HeuristicKind::Euclidean => {
                // The length of a diagonal step is √2. Both sides are squared and doubled, so
                // integers suffice.
                let [straight, diagonal] = [self.straight, self.diagonal].map(u128::from);
                let rate = (2 * straight * straight).min(diagonal * diagonal);
                (u128::from(dx * dx + dy * dy) * rate / 2).isqrt() as u64
            }
        };
        Cost::new(u32::try_from(distance).unwrap_or(u32::MAX))
    }
}
