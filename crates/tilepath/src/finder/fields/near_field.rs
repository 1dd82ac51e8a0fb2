//! A field that spreads only where units are likely to walk.
//!
//! Decision: `docs/decisions/21-near-fields.md`.

mod joining;
mod known_ways;

use self::{joining::Joining, known_ways::KnownWays};
use super::{
    flow_field::{FlowField, update::FieldUpdate},
    query::FieldQuery,
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    finder::{
        PathFinder,
        outcome::{QueryError, Statistics},
        query::{Algorithm, MovementId},
    },
    journal::Revision,
    path::Path,
    search::Heuristic,
    space::{corridor::Corridor, grid::GridNode, octile_distance::OctileDistance},
};

/// The initial `fair`: a unit needs no search of its own up to this cost per step, in percent of a
/// known path beside it.
const FAIR: u64 = 130;
/// The costs of nearly cheapest paths to one goal, near the paths of the units that joined. Use it
/// for many units that go far on a large map and come from a few places.
///
/// A [`FlowField`] spreads in all directions until it reaches the units; on a large map this can be
/// millions of cells. A `NearField` stays in some chunks of 16 × 16 cells. Each unit must
/// [join](Self::join) the field.
///
/// For the first unit, a path is searched as for [`Algorithm::Near`], over portals or exactly. The
/// field then spreads in the chunks around that path.
///
/// If the field has reached the cell of a later unit, the unit reads its answer. The field gets
/// more chunks and spreads on if it has not reached this cell. It also does so if the cost per step
/// from this cell is far above the cost per step of the known path beside it.
///
/// # Units
/// Cost units, as for paths: the terrain of the entered cell sets the cost of each step.
///
/// # Guarantee
/// All paths are allowed on the map. They are the cheapest of the paths that stay in the field's
/// [chunks](Self::corridor), and each has a proven lower bound. A unit gets an answer if and only
/// if there is a path.
///
/// Costs are never below the costs of cheapest paths. For the first unit to join, the cost is at
/// most the cost of its [`Algorithm::Near`] path. While other units join, a known cost can only
/// fall; edits may change it.
///
/// The field is a pure function of the map, the goal, the cells of the units that joined in their
/// order, and the edits between the joins. Threads and other queries to the finder have no effect.
///
/// # Complexity
/// See [`join`](Self::join).
///
/// # Memory
/// Four bytes a cell (only the memory of cells that the search reaches is touched) and five bytes a
/// chunk. The field also shares the state of the map, as a [`FlowField`] does.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
/// let classes = (0..600 * 600).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
/// let mut finder = PathFinder::new(Grid::from_classes(600, 600, classes.collect())?, Movement::new());
/// let mut field = finder.near_field(Cell::new(590, 450), MovementId::FIRST)?;
/// let squad = [Cell::new(3, 7), Cell::new(9, 4), Cell::new(40, 22)];
/// for unit in squad {
///     let cost = field.join(&finder, unit)?.unwrap();
///     let path = field.path_from(unit).unwrap();
///     assert_eq!((path.start(), path.cost()), (unit, cost));
///     assert_eq!(path.verify(finder.grid(), &Movement::new()), Ok(()));
///     assert!(path.lower_bound() <= cost);
/// }
/// let chunks = field.corridor().count();
/// assert!(chunks < 38 * 38 / 2, "of the map's chunks it has looked at a part: {chunks}");
///
/// let before = field.cost(squad[0]);
/// finder.set_terrain(Cell::new(589, 450), 0)?; // beside the goal
/// assert!(field.join(&finder, squad[0])? >= before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[doc(alias = "flow field")]
#[doc(alias = "hierarchical")]
#[doc(alias = "corridor")]
pub struct NearField {
    field: FlowField,
    goal: GridNode,
    ways: KnownWays,
    /// The largest [share](Beside::share) at which a cost counts as good as a searched one, in
    /// percent.
    fair: u64,
    /// Portals and cells expanded for units that joined, and entries generated for them.
    portals: (u64, u64),
    /// Portals expanded since the map was edited.
    since_edit: u64,
    /// The work other than spreading.
    searched: u64,
    /// The unit whose answer is searched now.
    joining: Option<Joining>,
}

impl PathFinder {
    /// Makes a field of the costs of nearly cheapest paths to a goal, for one movement. Use it for
    /// many units that come from far away on a large map. It has no costs before the first unit has
    /// [joined](NearField::join).
    ///
    /// # Errors
    /// - [`QueryError::GoalOutOfBounds`], [`QueryError::FootprintOutOfBounds`]: the goal is not on
    ///   the map, or the unit does not fit there.
    /// - [`QueryError::UnknownMovement`]: this finder has no movement with the id.
    ///
    /// # Complexity
    /// O(chunks of 16 × 16 cells).
    pub fn near_field(&self, goal: Cell, movement: MovementId) -> Result<NearField, QueryError> {
        let mut field = self.begin_field(&FieldQuery::new([goal]).with_movement(movement))?;
        let node = self.goal_of(goal, field.map().movement_map.movement(), false)?;
        let mut room = Corridor::default();
        room.clear(field.map().movement_map.portals(&field.map().bounds));
        room.add_around(node);
        field.confine(room);
        let chunks = field.map().movement_map.portals(&field.map().bounds).count();
        let ways = KnownWays::to(node, chunks);
        Ok(NearField {
            field,
            goal: node,
            ways,
            fair: FAIR,
            portals: (0, 0),
            since_edit: 0,
            searched: 0,
            joining: None,
        })
    }
}

impl NearField {
    /// Returns the cost from a cell to the goal, on the finder's map as it is now. Returns `None`
    /// if there is no path.
    ///
    /// First, the field takes over the edits of the map, within its chunks. The field gets more
    /// chunks if its chunks hold no path, or only a path that costs far more than the known paths
    /// beside it. After an edit, a unit must join again to be sure of an answer.
    ///
    /// The finder must be the finder that made the field, or a finder with an equal map and the
    /// same movements.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::FootprintOutOfBounds`]: the cell is not on
    ///   the map, or the unit does not fit there.
    /// - [`QueryError::UnknownMovement`], [`QueryError::GoalOutOfBounds`]: the finder does not have
    ///   the field's movement, or the goal is not on its map any more. The field is unchanged.
    /// - [`QueryError::ClosedStart`]: a unit of several cells stands on closed ground.
    /// - [`QueryError::CostOverflow`]: there is a path, but its cost is too large for a [`Cost`].
    ///
    /// # Complexity
    /// If the field has reached the cell, O(chunks on known paths). Otherwise, one search over
    /// portals and O(cells of the chunks around the path found). For the first unit, the search
    /// leads to the goal; for later units, mostly to a known path nearby.
    ///
    /// If the searches since the last edit have cost about as much as a complete field, every known
    /// cost is accepted. Then the next unit without a known cost makes the field complete.
    pub fn join(&mut self, finder: &PathFinder, start: Cell) -> Result<Option<Cost>, QueryError> {
        self.update(finder)?;
        loop {
            if let Some(answer) = self.join_until(finder, start, u64::MAX) {
                return answer;
            }
        }
    }

    /// Joins a unit, for about `budget` units of [work](Self::work). Returns `None` if the budget
    /// was too small; then call this function again, as often as needed.
    ///
    /// Units join one after the other: a call for another unit first continues the join that has
    /// begun. If an update after an edit would exceed the budget, the field starts again, as
    /// [`FlowField::update_within`] does.
    ///
    /// # Errors
    /// See [`join`](Self::join).
    ///
    /// # Complexity
    /// On ground without known portals, a slice may exceed the budget by O(cells of some chunks).
    /// The proof that a cost is too large for a [`Cost`] may exceed it by O(cells).
    ///
    /// # Guarantee
    /// The guarantee of the [field](Self), with one exception. The chunks that are added for a unit
    /// depend on the units that joined before, so the field also depends on the slices and their
    /// order. Equal slices in equal order give an equal field.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
    /// let classes = (0..600 * 600).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
    /// let finder = PathFinder::new(Grid::from_classes(600, 600, classes.collect())?, Movement::new());
    /// let mut field = finder.near_field(Cell::new(590, 450), MovementId::FIRST)?;
    /// let unit = Cell::new(3, 7);
    /// let mut slices = 1;
    /// let cost = loop {
    ///     match field.join_within(&finder, unit, 2_000) {
    ///         Some(answer) => break answer?,
    ///         None => slices += 1, // next time
    ///     }
    /// };
    /// assert!(slices > 3 && cost.is_some());
    /// assert_eq!(field.join(&finder, unit)?, cost);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn join_within(
        &mut self,
        finder: &PathFinder,
        start: Cell,
        budget: u64,
    ) -> Option<Result<Option<Cost>, QueryError>> {
        let until = self.work().saturating_add(budget);
        match self.update_within(finder, budget) {
            Ok(_) => self.join_until(finder, start, until),
            Err(error) => Some(Err(error)),
        }
    }

    /// Brings the field up to date with the finder's map, within a budget of [work](Self::work), as
    /// [`FlowField::update_within`] does. Each join does this first.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`], [`QueryError::GoalOutOfBounds`]: see [`join`](Self::join).
    pub fn update_within(&mut self, finder: &PathFinder, budget: u64) -> Result<FieldUpdate, QueryError> {
        if finder.grid().bounds() == self.field.map().bounds {
            let update = self.field.update_within(finder, budget)?;
            self.note(update);
            return Ok(update);
        }
        self.begin_again(finder)?;
        Ok(FieldUpdate::Restarted)
    }

    /// Follows the finder's map.
    fn update(&mut self, finder: &PathFinder) -> Result<(), QueryError> {
        if finder.grid().bounds() == self.field.map().bounds {
            let update = self.field.update(finder)?;
            self.note(update);
            return Ok(());
        }
        self.begin_again(finder)
    }

    fn note(&mut self, update: FieldUpdate) {
        if update != FieldUpdate::Unchanged {
            self.since_edit = 0;
        }
    }

    /// Starts the field again: if the bounds of the map change, the chunks change.
    fn begin_again(&mut self, finder: &PathFinder) -> Result<(), QueryError> {
        let searched = self.work();
        *self = finder.near_field(self.goal(), self.field.query().movement())?;
        self.searched = searched;
        Ok(())
    }

    /// Returns the work done so far, in the unit of [`PathSearch::work`](crate::PathSearch::work).
    /// The work never decreases.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.searched + self.field.work()
    }

    /// Returns the known cost from a cell to the goal. Returns `None` if the field has not reached
    /// the cell or there is no path; [`join`](Self::join) finds out which.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let node = GridNode::of(&self.field.map().bounds, cell)?;
        self.field.room().filter(|room| room.contains(node))?;
        self.field.cost(cell)
    }

    /// Returns the step to take from a cell. If several steps begin a path of the known
    /// [`cost`](Self::cost), it is the first of them in compass order. Returns `None` on the goal,
    /// and if `cost` is `None`.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        self.cost(cell)?;
        self.field.direction(cell)
    }

    /// Returns the path from a cell along the directions, with a proven lower bound. Returns `None`
    /// if [`cost`](Self::cost) is `None`.
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_from(&self, cell: Cell) -> Option<Path> {
        self.cost(cell)?;
        let path = self.field.path_from(cell)?;
        if self.field.is_everywhere() {
            return Some(path);
        }
        let map = self.field.map();
        let node = GridNode::of(&map.bounds, cell)?;
        let cost = path.cost();
        let bound = OctileDistance::new(&map.movement_map, self.goal).estimate(node).min(cost);
        Some(Path::new(path.into_cells(), cost, bound, map.movement_map.topology()))
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal.cell(&self.field.map().bounds)
    }

    /// Returns the chunks in which the field may spread so far, each a rectangle of 16 × 16 cells.
    pub fn corridor(&self) -> impl Iterator<Item = Bounds> + '_ {
        let bounds = self.field.map().bounds;
        self.field.room().into_iter().flat_map(move |room| room.areas(bounds))
    }

    /// Returns the revision of the map for which the costs of the field are valid.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.field.revision()
    }

    /// Returns the work since the map got its present bounds. The work counts settled and repaired
    /// cells, and the cells and portals expanded for units that joined.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let Statistics { expanded, generated, .. } = self.field.statistics();
        Statistics {
            expanded: expanded + self.portals.0,
            generated: generated + self.portals.1,
            algorithm: Algorithm::Near,
        }
    }
}
