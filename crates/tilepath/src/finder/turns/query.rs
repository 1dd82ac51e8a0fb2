//! Queries for ranges and paths in turns.

use super::zone::Zone;
use crate::{cell::Cell, cost::Cost, dial::turn_search::LongStep, finder::query::MovementId};

/// A query about a unit with points for each turn: its start, its points and the cells where it may
/// not stop.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, turns::{LongStep, TurnQuery}};
/// let friends = [Cell::new(3, 2), Cell::new(3, 3)];
/// let query = TurnQuery::new(Cell::new(2, 2), Cost::new(50)) // five straight steps on ground of cost 1
///     .with_points_left(Cost::new(20)) // it has moved already
///     .with_turns(3)
///     .with_no_stop(friends)
///     .with_long_step(LongStep::OwnTurn);
/// assert_eq!((query.points(), query.points_left(), query.turns()), (Cost::new(50), Cost::new(20), 3));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct TurnQuery {
    start: Cell,
    points: Cost,
    #[cfg_attr(feature = "serde", serde(default))]
    points_left: Option<Cost>,
    #[cfg_attr(feature = "serde", serde(default = "no_limit"))]
    turns: u32,
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::stored::list"))]
    no_stop: Vec<Cell>,
    #[cfg_attr(feature = "serde", serde(default))]
    long_step: LongStep,
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::stored::list"))]
    zones: Vec<Zone>,
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "crate::stored::list"))]
    points_on: Vec<(u8, Cost)>,
    #[cfg_attr(feature = "serde", serde(default))]
    stops_only_on: Option<Vec<Cell>>,
    #[cfg_attr(feature = "serde", serde(default))]
    movement: MovementId,
}

/// Returns the number of turns that stands for no limit.
#[cfg(feature = "serde")]
const fn no_limit() -> u32 {
    u32::MAX
}

impl TurnQuery {
    /// Creates a query for a unit with all its points and no limit on turns, for the finder's first
    /// movement. The unit may stop everywhere. It never takes a step that costs more than all
    /// points of a turn.
    ///
    /// A unit without points does not move.
    #[must_use]
    pub fn new(start: Cell, points: Cost) -> Self {
        Self {
            start,
            points,
            points_left: None,
            turns: u32::MAX,
            no_stop: Vec::new(),
            long_step: LongStep::Never,
            zones: Vec::new(),
            points_on: Vec::new(),
            stops_only_on: None,
            movement: MovementId::default(),
        }
    }

    /// Limits the number of turns. The current turn counts as 1. With 0 turns, the unit stays on
    /// its cell.
    #[must_use]
    pub const fn with_turns(mut self, turns: u32) -> Self {
        self.turns = turns;
        self
    }

    /// Sets the points left in the first turn, for a unit that has moved already. The value may
    /// also exceed the points of a turn.
    #[must_use]
    pub const fn with_points_left(mut self, points: Cost) -> Self {
        self.points_left = Some(points);
        self
    }

    /// Sets the cells that the unit may pass but not stop on, for example cells on which friends
    /// stand. The start is ignored in this list, because the unit already stands on it. Cells that
    /// are not on the map are ignored too.
    #[must_use]
    pub fn with_no_stop(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.no_stop = cells.into_iter().collect();
        self
    }

    /// Sets the rule for steps that cost more than all points of a turn.
    #[must_use]
    pub const fn with_long_step(mut self, rule: LongStep) -> Self {
        self.long_step = rule;
        self
    }

    /// Adds a zone of control. A query may have several zones. If they differ about a step, the
    /// stricter one applies: forbidden, then the end of the turn.
    ///
    /// Zones apply to queries in turns alone. Plain searches, [`PathFinder::range`], orders and
    /// fields do not obey them.
    ///
    /// [`PathFinder::range`]: crate::PathFinder::range
    #[must_use]
    pub fn with_zone(mut self, zone: Zone) -> Self {
        self.zones.push(zone);
        self
    }

    /// Sets the points of each turn that begins on one of these terrain classes, for example at sea.
    /// On other classes a turn has the points of [`new`](Self::new). If a class is set twice, the
    /// later value applies. The first turn has these points too, unless
    /// [`with_points_left`](Self::with_points_left) sets them.
    ///
    /// For units of several cells, the class is the one under the anchor. With 0 points, a unit that
    /// begins its turn there does not move.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, CostTable, Movement, PathFinder, format, turns::TurnQuery};
    /// const WATER: u8 = 2;
    /// let finder = PathFinder::new(format::parse_ascii("12222222")?, Movement::new().with_costs(CostTable::uniform()));
    /// let unit = TurnQuery::new(Cell::new(0, 0), Cost::new(20)).with_points_on([WATER], Cost::new(50));
    /// let path = finder.solve_turn_path(&unit, Cell::new(7, 0))?.unwrap();
    /// assert_eq!(path.stops(), [2, 7], "two steps from land, then five at sea");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_points_on(mut self, classes: impl IntoIterator<Item = u8>, points: Cost) -> Self {
        self.points_on.extend(classes.into_iter().map(|class| (class, points)));
        self
    }

    /// Allows the unit to end its turns on these cells only, and on its start. Use it for fuel: the
    /// points of a turn are one tank, and the cells are the places where the unit may land. Cells of
    /// [`with_no_stop`](Self::with_no_stop) are still excluded. Cells that are not on the map are
    /// ignored.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder, turns::TurnQuery};
    /// let finder = PathFinder::new(Grid::new(9, 1, 1)?, Movement::new());
    /// let bomber = TurnQuery::new(Cell::new(0, 0), Cost::new(40));
    /// let cities = [Cell::new(3, 0), Cell::new(6, 0)];
    /// let range = finder.solve_turns(&bomber.with_stops_only_on(cities))?;
    /// assert_eq!(range.cells().iter().map(|reached| reached.cell.x).collect::<Vec<_>>(), [0, 3, 6]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_stops_only_on(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.stops_only_on = Some(cells.into_iter().collect());
        self
    }

    /// Sets the movement.
    #[must_use]
    pub const fn with_movement(mut self, movement: MovementId) -> Self {
        self.movement = movement;
        self
    }

    pub(crate) const fn with_start(mut self, start: Cell) -> Self {
        self.start = start;
        self
    }

    /// Returns the start.
    #[must_use]
    pub const fn start(&self) -> Cell {
        self.start
    }

    /// Returns the points of a turn.
    #[must_use]
    pub const fn points(&self) -> Cost {
        self.points
    }

    /// Returns the points left in the first turn. If they are not set, they are the points of a
    /// turn, also on a class with points of its own.
    #[must_use]
    pub fn points_left(&self) -> Cost {
        self.points_left.unwrap_or(self.points)
    }

    /// Returns the maximum number of turns; `u32::MAX` for no limit.
    #[must_use]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Returns the cells that the unit may pass but not stop on.
    #[must_use]
    pub fn no_stop(&self) -> &[Cell] {
        &self.no_stop
    }

    /// Returns the rule for steps that cost more than all points of a turn.
    #[must_use]
    pub const fn long_step(&self) -> LongStep {
        self.long_step
    }

    /// Returns the zones of control.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        &self.zones
    }

    /// Returns the terrain classes with points of their own, in the order in which they were set.
    #[must_use]
    pub fn points_on(&self) -> &[(u8, Cost)] {
        &self.points_on
    }

    /// Returns the only cells on which the unit may end its turns, or `None` if there is no such
    /// limit.
    #[must_use]
    pub fn stops_only_on(&self) -> Option<&[Cell]> {
        self.stops_only_on.as_deref()
    }

    /// Returns the points left in the first turn, if they were set.
    pub(crate) const fn stated_points_left(&self) -> Option<Cost> {
        self.points_left
    }

    /// Returns whether the query has rules that may need several labels for each cell.
    pub(crate) fn has_limits(&self) -> bool {
        !self.zones.is_empty()
            || !self.points_on.is_empty()
            || self.stops_only_on.is_some()
            || self.long_step == LongStep::AnyPoints
    }

    /// Returns the id of the movement whose rules apply.
    #[must_use]
    pub const fn movement(&self) -> MovementId {
        self.movement
    }
}
