//! A field that spreads only where those who ask are likely to walk.

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

/// At first a unit that pays so much for a step, in percent of what a way beside it pays for one, needs no search of its own.
const FAIR: u64 = 130;
/// What ways to one goal cost that stay near the ways of those who asked: for many units that go far on a large map, from a few places.
///
/// A [`FlowField`] spreads in all directions until it comes to those who ask, on a large map over millions of cells. This one
/// stays in chunks of 16 × 16 cells. Each unit [joins](Self::join) it; for the first one a way is searched, as for
/// [`Algorithm::Near`], over portals or exactly, and the field spreads in the chunks around that. Units that join on a cell that it has come to read their answer,
/// unless they would pay far more for a step than the way beside them does; for others it is let into more chunks, and goes on.
///
/// # Units
/// Costs as of paths: each step pays for the cell that it enters.
///
/// # Guarantee
/// All ways are allowed on the map, and cheapest among those that stay in the field's [chunks](Self::corridor). Costs are never below
/// those of a cheapest way, and of the first unit to join no higher than those of [`Algorithm::Near`]. Each path has a proven lower
/// bound. There is an answer exactly where there is a way. A cost that is known only falls while others join; edits may change it.
/// The field is a function of the map, the goal, the cells that joined in their order, and of when the map was edited between
/// them: not of threads, and not of what else was asked of the finder.
///
/// # Complexity
/// That of [`join`](Self::join).
///
/// # Memory
/// Four bytes a cell, of which only those are touched that the search reaches, five bytes a chunk, and a share in the state of the
/// map, as for a [`FlowField`].
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
    /// Up to which [share](Beside::share) a cost is taken for as good as one that is searched for, in percent.
    fair: u64,
    /// Portals and cells expanded for those who joined, and entries for them.
    portals: (u64, u64),
    /// Portals expanded since the map was edited.
    since_edit: u64,
    /// What was done besides spreading.
    searched: u64,
    /// The unit whose answer is being found.
    joining: Option<Joining>,
}

impl PathFinder {
    /// A field of the costs of nearly cheapest ways to a goal, by a movement: for many units that come from far away on a large map. It
    /// knows nothing before the first one has [joined](NearField::join).
    ///
    /// # Errors
    /// - [`QueryError::GoalOutOfBounds`], [`QueryError::FootprintOutOfBounds`]: the goal named is not on the map, or the unit
    ///   does not fit there.
    /// - [`QueryError::UnknownMovement`]: the id is not of this finder.
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
    /// What a unit on that cell pays to the goal, on the finder's map as it is now; `None` where there is no way.
    ///
    /// The field follows edits first, within its chunks, and where no way is left in these, or only one that costs far more than those
    /// beside it, it is let into others. Who has joined before an edit joins again to be sure of an answer.
    ///
    /// The finder is the one that made the field, or one of the same map and with the same movements.
    ///
    /// # Errors
    /// - [`QueryError::StartOutOfBounds`], [`QueryError::FootprintOutOfBounds`]: the cell is not on the map, or the unit does not
    ///   fit there.
    /// - [`QueryError::UnknownMovement`], [`QueryError::GoalOutOfBounds`]: the finder is another one, without the field's movement, or
    ///   its map has lost the goal. The field is as before.
    /// - [`QueryError::ClosedStart`]: a unit of several cells stands on closed ground.
    /// - [`QueryError::CostOverflow`]: there is a way, and what it costs cannot be stated.
    ///
    /// # Complexity
    /// O(chunks passed) for the places of known ways where the field has come as far. Else a search over portals, from the
    /// first unit to the goal and from others mostly to a way nearby, and O(cells of the chunks around). Where the searches
    /// since the last edit have taken about as long as a whole field, what is known is fair, and the next unit for which
    /// nothing is known makes the field whole.
    pub fn join(&mut self, finder: &PathFinder, start: Cell) -> Result<Option<Cost>, QueryError> {
        self.update(finder)?;
        loop {
            if let Some(answer) = self.join_until(finder, start, u64::MAX) {
                return answer;
            }
        }
    }

    /// The same for at most about so much [work](Self::work). `None`: it was not enough, ask again, as often as it takes.
    ///
    /// One unit joins after the other: what is asked for another one meanwhile goes on with the one that began. Where following an edit
    /// would take more, the field begins again, as [`FlowField::update_within`] does.
    ///
    /// # Errors
    /// As [`join`](Self::join).
    ///
    /// # Complexity
    /// A slice over ground where no portals are known yet may take some chunks' work more, O(cells of some chunks); one
    /// that finds out that a way costs too much to be stated O(cells).
    ///
    /// # Guarantee
    /// That of [`join`](Self::join). Whether the field is let into more chunks for a unit depends on what had joined before, and so on
    /// the slices and their order, too; with the same ones it is the same field.
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

    /// Follows the finder's map within a budget of [work](Self::work), as [`FlowField::update_within`] does. Each join does so first.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`], [`QueryError::GoalOutOfBounds`]: as of [`join`](Self::join).
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

    /// A map of other bounds has other chunks.
    fn begin_again(&mut self, finder: &PathFinder) -> Result<(), QueryError> {
        let searched = self.work();
        *self = finder.near_field(self.goal(), self.field.query().movement())?;
        self.searched = searched;
        Ok(())
    }

    /// The work done so far, in the unit of [`PathSearch::work`](crate::PathSearch::work). It never falls.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.searched + self.field.work()
    }

    /// What a unit on that cell pays to the goal, as far as is known: `None` where the field has not come, and where there is no way.
    /// [`join`](Self::join) makes sure.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        let node = GridNode::of(&self.field.map().bounds, cell)?;
        self.field.room().filter(|room| room.contains(node))?;
        self.field.cost(cell)
    }

    /// The step to take from a cell: the first in compass order with which a way begins that costs no more than
    /// [`cost`](Self::cost) says. `None` on the goal, and where that is `None`.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        self.cost(cell)?;
        self.field.direction(cell)
    }

    /// The way from a cell that the directions make, with a proven lower bound; `None` where [`cost`](Self::cost) is `None`.
    ///
    /// # Complexity
    /// O(path).
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

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> Cell {
        self.goal.cell(&self.field.map().bounds)
    }

    /// The rectangles of cells, 16 × 16 each, into which the field was let so far.
    pub fn corridor(&self) -> impl Iterator<Item = Bounds> + '_ {
        let bounds = self.field.map().bounds;
        self.field.room().into_iter().flat_map(move |room| room.areas(bounds))
    }

    /// The state of the map that the field tells of.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.field.revision()
    }

    /// The work done so far, since the map had these bounds: cells settled or repaired, and cells and portals expanded for those who
    /// joined.
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
