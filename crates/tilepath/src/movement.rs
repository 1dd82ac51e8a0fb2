//! Movement of a kind of unit: terrain costs, diagonal rule, step costs.

mod class_steps;
mod crossed;
mod edge_rules;
mod openings;
mod step_rules;
mod turn_ends;
mod way_out;

pub use self::edge_rules::Crossing;
pub(crate) use self::{
    step_rules::{AllowedStep, Leave, StepBar, StepRules},
    way_out::WayOut,
};
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    size::Size,
    terrain::CostTable,
    text::UnknownName,
    topology::Topology,
};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The rule for diagonal steps. A diagonal step passes between two cells, and the rule sets how
/// many of them may be obstacles. Cells outside the map are obstacles. Under every rule, the cell
/// that the step enters must be passable.
///
/// # Examples
/// ```
/// use tilepath::Diagonals;
/// assert_eq!("if-at-most-one-obstacle".parse(), Ok(Diagonals::IfAtMostOneObstacle));
/// assert_eq!(Diagonals::default().to_string(), "only-when-no-obstacles");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Diagonals {
    /// Diagonal steps are never allowed. Units move only north, east, south and west.
    Never,
    /// Both cells beside the step must be passable, so units never cut a corner. This is the
    /// default.
    #[default]
    OnlyWhenNoObstacles,
    /// At most one of the two cells beside the step may be an obstacle. A unit may cut a corner,
    /// but not pass between two obstacles.
    IfAtMostOneObstacle,
    /// Diagonal steps are always allowed, even between two obstacles.
    Always,
}

impl Diagonals {
    /// All four rules. The strictest rule comes first.
    pub const ALL: [Self; 4] =
        [Self::Never, Self::OnlyWhenNoObstacles, Self::IfAtMostOneObstacle, Self::Always];

    /// Returns whether the rule allows a diagonal step that passes between two cells. `obstacles`
    /// is the number of these cells that are obstacles, from 0 to 2.
    #[must_use]
    pub const fn allow(self, obstacles: usize) -> bool {
        match self {
            Self::Never => false,
            Self::OnlyWhenNoObstacles => obstacles == 0,
            Self::IfAtMostOneObstacle => obstacles <= 1,
            Self::Always => true,
        }
    }

    /// Returns the name of the rule, as the command line and [`FromStr`] read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::OnlyWhenNoObstacles => "only-when-no-obstacles",
            Self::IfAtMostOneObstacle => "if-at-most-one-obstacle",
            Self::Always => "always",
        }
    }
}

impl fmt::Display for Diagonals {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

const KNOWN: &str = "never, only-when-no-obstacles, if-at-most-one-obstacle or always";

impl FromStr for Diagonals {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|rule| rule.name() == text).ok_or_else(|| UnknownName {
            text: text.to_owned(),
            kind: "diagonal rule",
            known: KNOWN,
        })
    }
}

/// The costs of a straight step (north, east, south or west) and of a diagonal step, on terrain of
/// cost 1. They are in cost units.
///
/// The costs are valid if `1 ≤ straight ≤ diagonal ≤ 2 × straight`. Then the octile distance
/// between two cells of an empty map is the cost of the cheapest path.
///
/// # Examples
/// ```
/// use tilepath::StepCosts;
/// assert_eq!((StepCosts::CLASSIC.straight(), StepCosts::CLASSIC.diagonal()), (10, 14));
/// assert!(StepCosts::new(10, 21).is_err(), "two straight steps would be cheaper");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "(u16, u16)", into = "(u16, u16)"))]
pub struct StepCosts {
    straight: u16,
    diagonal: u16,
}

impl StepCosts {
    /// 10 and 14, the classic pair. The ratio is 1 % below √2. This is the default.
    pub const CLASSIC: Self = Self { straight: 10, diagonal: 14 };
    /// 70 and 99. The ratio differs from √2 by less than 5·10⁻⁵.
    pub const PRECISE: Self = Self { straight: 70, diagonal: 99 };

    /// Creates a pair of step costs.
    ///
    /// # Errors
    /// [`StepCostsError`] unless `1 ≤ straight ≤ diagonal ≤ 2 × straight`.
    pub const fn new(straight: u16, diagonal: u16) -> Result<Self, StepCostsError> {
        if straight >= 1 && straight <= diagonal && diagonal as u32 <= 2 * straight as u32 {
            Ok(Self { straight, diagonal })
        } else {
            Err(StepCostsError { straight, diagonal })
        }
    }

    /// Returns the cost of a step north, east, south or west.
    #[must_use]
    pub const fn straight(self) -> u16 {
        self.straight
    }

    /// Returns the cost of a diagonal step.
    #[must_use]
    pub const fn diagonal(self) -> u16 {
        self.diagonal
    }

    /// Returns the cost of a step in this direction.
    #[must_use]
    pub const fn of(self, direction: Direction) -> u16 {
        if direction.is_diagonal() { self.diagonal } else { self.straight }
    }
}

impl TryFrom<(u16, u16)> for StepCosts {
    type Error = StepCostsError;

    fn try_from((straight, diagonal): (u16, u16)) -> Result<Self, Self::Error> {
        Self::new(straight, diagonal)
    }
}

impl From<StepCosts> for (u16, u16) {
    fn from(steps: StepCosts) -> Self {
        (steps.straight, steps.diagonal)
    }
}

impl Default for StepCosts {
    fn default() -> Self {
        Self::CLASSIC
    }
}

/// The error for a pair of step costs that would make the distance estimate wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "step costs {straight} and {diagonal} are invalid: use 1 ≤ straight ≤ diagonal ≤ 2 × straight, such as 10 and 14"
)]
#[non_exhaustive]
pub struct StepCostsError {
    /// The straight step cost given.
    pub straight: u16,
    /// The diagonal step cost given.
    pub diagonal: u16,
}

/// The rules by which a kind of unit moves: terrain costs, rule for diagonal steps, step costs,
/// size and overlays. Searches use these rules to find a path.
/// [`Path::verify`](crate::Path::verify) uses the same rules to check the path.
///
/// A step from cell a to cell b costs `step cost × multiplier of b`. The terrain of a counts only for
/// [steps between classes](Movement::with_step_cost), and [named edges](Movement::with_edges) may
/// raise the cost.
///
/// # Examples
/// ```
/// use tilepath::{CostTable, Diagonals, Movement, StepCosts};
/// let cart = Movement::new()
///     .with_costs(CostTable::identity().with(7, 0)) // class 7, rubble, is closed to carts
///     .with_diagonals(Diagonals::Never)
///     .with_steps(StepCosts::PRECISE);
/// assert_eq!(cart.costs().multiplier(3), 3);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[doc(alias = "agent type")]
#[doc(alias = "movement profile")]
pub struct Movement {
    costs: CostTable,
    diagonals: Diagonals,
    steps: StepCosts,
    size: Size,
    /// Sorted and without duplicates.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "overlay_names"))]
    overlays: Vec<String>,
    /// The classes left and entered by the steps that end a turn, sorted and without duplicates.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "turn_ends::sorted"))]
    turn_ends: Vec<(u8, u8)>,
    /// The steps between classes that have costs of their own: the class left, the class entered,
    /// the cost. Sorted by the class entered, then by the class left; without duplicates.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "class_steps::sorted"))]
    class_steps: Vec<(u8, u8, u16)>,
    /// Sorted by name, without duplicates.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "edge_rules::sorted"))]
    edges: Vec<(String, Crossing)>,
}

/// Reads overlay names in any order, and returns them sorted, without duplicates.
#[cfg(feature = "serde")]
fn overlay_names<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Names(#[serde(deserialize_with = "crate::stored::list")] Vec<String>);

    let Names(mut names) = serde::Deserialize::deserialize(deserializer)?;
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

impl Movement {
    /// Creates the default movement: class n costs n, class 0 is a wall, units do not cut corners,
    /// and steps cost 10 and 14.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the cost table.
    #[must_use]
    pub fn with_costs(mut self, costs: CostTable) -> Self {
        self.costs = costs;
        self
    }

    /// Sets the diagonal rule.
    #[must_use]
    pub const fn with_diagonals(mut self, diagonals: Diagonals) -> Self {
        self.diagonals = diagonals;
        self
    }

    /// Sets the step costs.
    #[must_use]
    pub const fn with_steps(mut self, steps: StepCosts) -> Self {
        self.steps = steps;
        self
    }

    /// Sets the size of the units, if they cover more than one cell. This works on maps of squares.
    /// All cells in queries and paths of such a unit are anchors: the lowest and leftmost cell of
    /// the footprint.
    ///
    /// An anchor is open if all cells under the footprint are open. A step onto an anchor costs as
    /// much as the most expensive of these cells. The diagonal rule applies to the anchors beside
    /// the step.
    ///
    /// A unit that stands partly on closed cells may walk off them. As long as the footprint
    /// overlaps the start footprint, closed cells under the start footprint count as passable. They
    /// cost the smallest multiplier of the cost table.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, Size, format};
    /// let grid = format::parse_ascii("
    ///     ....
    ///     ..#.
    ///     ....
    ///     ....
    /// ")?;
    /// let finder = PathFinder::new(grid, Movement::new().with_size(Size::new(2)?));
    /// let path = finder.find(Cell::new(0, 2), Cell::new(2, 0))?.into_path().unwrap();
    /// assert_eq!(path.cost(), Cost::new(40), "down the west side, then east along the south");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_size(mut self, size: Size) -> Self {
        self.size = size;
        self
    }

    /// Adds the name of an overlay of the map. The values of the overlay are added to the
    /// multipliers of open cells: see [`Grid::set_overlay`]. If the map has no overlay of this
    /// name, nothing is added.
    #[must_use]
    pub fn with_overlay(mut self, name: impl Into<String>) -> Self {
        let name = name.into();
        if let Err(place) = self.overlays.binary_search(&name) {
            self.overlays.insert(place, name);
        }
        self
    }

    /// Removes all overlays.
    #[must_use]
    pub fn without_overlays(mut self) -> Self {
        self.overlays.clear();
        self
    }

    /// Returns the cost of each terrain class.
    #[must_use]
    pub const fn costs(&self) -> &CostTable {
        &self.costs
    }

    /// Returns the diagonal rule.
    #[must_use]
    pub const fn diagonals(&self) -> Diagonals {
        self.diagonals
    }

    /// Returns the step costs.
    #[must_use]
    pub const fn steps(&self) -> StepCosts {
        self.steps
    }

    /// Returns the size of the footprint.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the names of the overlays that this movement uses, sorted.
    #[must_use]
    pub fn overlays(&self) -> &[String] {
        &self.overlays
    }

    /// Returns whether this movement uses the overlay with this name.
    pub(crate) fn names_overlay(&self, name: &str) -> bool {
        self.overlays.iter().any(|known| known == name)
    }

    /// Returns the names of the overlays of this movement that close a cell, whatever its ground is:
    /// their value there is [`Grid::CLOSING`]. Use it to name the reason without a word about ground
    /// that the player has not seen.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement};
    /// let mut grid = Grid::new(3, 1, 1)?;
    /// grid.set_overlay("unseen", [(Cell::new(2, 0), Grid::CLOSING)])?;
    /// let scout = Movement::new().with_overlay("unseen");
    /// assert!(scout.closing_overlays(&grid, Cell::new(2, 0)).eq(["unseen"]));
    /// assert!(scout.closing_overlays(&grid, Cell::new(1, 0)).eq([""; 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closing_overlays<'a>(&'a self, grid: &'a Grid, cell: Cell) -> impl Iterator<Item = &'a str> {
        let names = self.overlays.iter().map(String::as_str);
        names.filter(move |name| grid.overlay(name, cell) == Grid::CLOSING)
    }

    /// Returns the costs of a straight and a diagonal step on ground of cost 1, for this topology.
    /// Hexagons have only straight steps.
    pub(crate) fn unit_costs(&self, topology: Topology) -> [u32; 2] {
        let StepCosts { straight, diagonal } = self.steps;
        match topology {
            Topology::Square => [straight.into(), diagonal.into()],
            Topology::Hexagonal => [straight.into(); 2],
        }
    }

    /// Returns the cost of one diagonal step on an empty map: two straight steps if diagonals are
    /// not allowed.
    pub(crate) fn diagonal_distance(&self) -> u64 {
        match self.diagonals {
            Diagonals::Never => 2 * u64::from(self.steps.straight),
            _ => u64::from(self.steps.diagonal),
        }
    }

    /// Returns the cost of the cheapest path between two cells on an empty map where every cell has
    /// cost 1. This is:
    /// - on squares without diagonals, the Manhattan distance,
    /// - on squares with diagonals, the octile distance,
    /// - on hexagons, the number of steps times the straight step cost.
    ///
    /// The result is at most [`Cost::MAX`].
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Diagonals, Movement, Topology};
    /// let (from, to) = (Cell::new(0, 0), Cell::new(5, 2));
    /// let walking = Movement::new();
    /// assert_eq!(walking.distance(Topology::Square, from, to), Cost::new(2 * 14 + 3 * 10));
    /// assert_eq!(walking.distance(Topology::Hexagonal, from, to), Cost::new(70));
    /// let crawling = walking.with_diagonals(Diagonals::Never);
    /// assert_eq!(crawling.distance(Topology::Square, from, to), Cost::new(70));
    /// ```
    #[must_use]
    pub fn distance(&self, topology: Topology, from: Cell, to: Cell) -> Cost {
        let straight = u64::from(self.steps.straight());
        let distance = match topology {
            Topology::Square => {
                let dx = from.x.abs_diff(to.x);
                let dy = from.y.abs_diff(to.y);
                let (short, long) = (u64::from(dx.min(dy)), u64::from(dx.max(dy)));
                short * self.diagonal_distance() + (long - short) * straight
            }
            Topology::Hexagonal => topology.steps(from, to) * straight,
        };
        Cost::new(u32::try_from(distance).unwrap_or(u32::MAX))
    }

    /// Returns the cost of the step from a cell in a direction, or `None` if the step is not
    /// allowed. A step is not allowed if it leaves the map, if the entered cell is impassable, if
    /// an exit is closed, or if the diagonal rule forbids it.
    ///
    /// The cell that the unit leaves need not be passable: a unit may walk out of a wall that was
    /// built on its cell. Deep in closed ground, only the step towards the nearest open cell is allowed,
    /// over at most 16 closed cells.
    ///
    /// This function is the definition of the rules: searches use tables that are made from them.
    ///
    /// # Complexity
    /// O(1) from an open cell; deep in closed ground O(closed cells near by), a thousand at most.
    #[must_use]
    pub fn step_cost(&self, grid: &Grid, from: Cell, direction: Direction) -> Option<Cost> {
        self.step_cost_since(grid, from, from, direction)
    }

    /// Returns the cost of a step of a unit whose path began at `start`, by the rules of
    /// [`Path::verify`](crate::Path::verify). It equals [`step_cost`](Self::step_cost), also in
    /// complexity, unless the start is closed: the unit may still be leaving closed ground.
    #[must_use]
    pub fn step_cost_since(
        &self,
        grid: &Grid,
        start: Cell,
        from: Cell,
        direction: Direction,
    ) -> Option<Cost> {
        let chain = WayOut::find(self, grid, start);
        StepRules::leaving(self, grid, start, chain.as_ref()).step_cost(from, direction)
    }

    /// Returns whether a unit stands beside the cells that a step would enter. This is so if the
    /// step would be allowed after these cells were opened. Closed exits, and obstacles that a
    /// diagonal step would pass, still forbid the step.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction, Grid, Movement};
    /// let grid = Grid::from_classes(2, 2, vec![1, 0, 0, 0])?;
    /// let walking = Movement::new();
    /// assert!(walking.is_beside(&grid, Cell::new(0, 0), Direction::East));
    /// assert!(!walking.is_beside(&grid, Cell::new(0, 0), Direction::NorthEast), "past two corners");
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn is_beside(&self, grid: &Grid, from: Cell, direction: Direction) -> bool {
        StepRules::new(self, grid, from).would_enter(from, direction)
    }

    /// Returns whether a unit may stand on a cell. Every cell under the footprint must be on the
    /// map and passable, and no edge between two of these cells may be closed in both directions.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, Size};
    /// let grid = Grid::from_classes(3, 1, vec![1, 1, 0])?;
    /// assert!(Movement::new().is_open(&grid, Cell::new(1, 0)));
    /// assert!(!Movement::new().is_open(&grid, Cell::new(2, 0)));
    /// let wagon = Movement::new().with_size(Size::new(2)?);
    /// assert!(!wagon.is_open(&grid, Cell::new(0, 0)), "the map is one cell high");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_open(&self, grid: &Grid, cell: Cell) -> bool {
        StepRules::new(self, grid, cell).is_open(cell)
    }
}
