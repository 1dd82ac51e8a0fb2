//! A field of the costs to the nearest goal, shared by units.
//!
//! Decision: `docs/decisions/22-flow-fields.md`.

pub(crate) mod answer;
pub(crate) mod update;

use crate::{
    bit_grid::BitGrid,
    bounds::Slot,
    cell::{Cell, Direction},
    cost::Cost,
    dial::{
        dial_queue::{DialQueue, QueueKind},
        reversed::{FieldNode, ReversedGrid},
        values::{BelowMax, FieldValues},
    },
    finder::{
        PathFinder,
        fields::{flow_field::answer::FirstGoals, query::FieldQuery},
        outcome::{QueryError, Statistics},
        query::Algorithm,
        reachability::leading_to,
        scratch::ScratchPool,
        snapshot::MapSnapshot,
    },
    journal::Revision,
    movement::Movement,
    path::Path,
    search::{NoGoal, Problem, Search, SearchStatus, observer::Visits},
    space::grid::GridNode,
};
use std::sync::{OnceLock, Weak};

/// The cost of the cheapest path from each cell to the nearest of some goals, and the first step of
/// that path. One search makes the field for any number of units.
///
/// [`PathFinder::field`](crate::PathFinder::field) returns a complete field.
/// [`PathFinder::begin_field`](crate::PathFinder::begin_field) returns a field that runs in slices.
/// A field borrows nothing, so it can be shared in an `Arc`.
///
/// After edits of the map, [`FlowField::update`] brings the field up to date.
///
/// The cost of a cell is the cost for a unit that stands there. A closed cell has a cost for a unit
/// that stands on it and walks out; no path leads through a closed cell. The cost of a goal is 0,
/// even if the goal is closed, but no unit enters a closed goal.
///
/// # Units
/// Cost units, as for paths: the terrain of the entered cell sets the cost of each step.
///
/// # Guarantee
/// Settled costs are exact, and they change only if the map changes. If several directions begin a
/// cheapest path, the field returns the first of them in compass order. Costs and directions do not
/// depend on slices or on earlier edits.
///
/// # Memory
/// Four bytes a cell; only the memory of cells that the search reaches is touched. The field also
/// shares the state of the map. If the map is edited, this state is copied once, as for a paused
/// search.
///
/// # Source
/// Dial, "Algorithm 360: shortest-path forest with topological ordering", Communications of the ACM
/// 12, 1969. Here the search starts from the goals.
#[derive(Clone, Debug)]
#[doc(alias = "flow field")]
#[doc(alias = "Dijkstra map")]
#[doc(alias = "goal field")]
#[doc(alias = "distance map")]
pub struct FlowField {
    query: FieldQuery,
    map: MapSnapshot,
    /// The scratch pool of the finder whose map this is.
    finder: Weak<ScratchPool>,
    /// Each goal with its index, sorted by slot.
    goals: Vec<(GridNode, u32)>,
    search: Search<FieldNode, FieldValues, DialQueue<FieldNode>>,
    /// The upper limit of final costs: the cost of the cell expanded last, or the maximum at the
    /// end.
    settled_to: Cost,
    /// The largest cost so far.
    farthest: Cost,
    /// The number of cells that repairs looked at.
    repaired: u64,
    /// The cells looked at before the last restart, and those read for answers.
    looked_at: u64,
    /// The open cells with a path to a goal, at any cost. Made for the first query after an
    /// overflow.
    leading: OnceLock<BitGrid>,
    /// The first goal in the list, for cells with several goals of equal cost.
    first_goals: FirstGoals,
}

/// The costs of a field, by slot.
#[derive(Clone, Copy)]
pub(crate) struct KnownCosts<'field> {
    values: &'field FieldValues,
    settled_to: Cost,
}

impl KnownCosts<'_> {
    /// Returns the cost of a cell, or [`Cost::MAX`] if it is not known.
    #[inline]
    pub(crate) fn at(&self, slot: Slot) -> Cost {
        let cost = self.values.cost_or_max(slot);
        if cost <= self.settled_to { cost } else { Cost::MAX }
    }
}

/// The state of a cell in a [`FlowField`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FieldState {
    /// Settled: the cheapest cost to the nearest goal.
    Settled(Cost),
    /// The cost is not settled yet; call [`FlowField::advance`].
    Pending,
    /// No path leads from the cell to a goal.
    Unreachable,
    /// There is a path, but it would cost [`Cost::MAX`] or more.
    CostOverflow,
    /// The cell is not on the map.
    OutOfBounds,
}

impl FlowField {
    /// Makes a field that has not spread yet. The pool identifies the finder.
    pub(crate) fn begin(
        map: MapSnapshot,
        query: FieldQuery,
        goals: Vec<(GridNode, u32)>,
        finder: Weak<ScratchPool>,
    ) -> Self {
        let mut field = Self {
            query,
            map,
            finder,
            goals,
            search: Search::default(),
            settled_to: Cost::ZERO,
            farthest: Cost::ZERO,
            repaired: 0,
            looked_at: 0,
            leading: OnceLock::new(),
            first_goals: FirstGoals::default(),
        };
        field.restart();
        field
    }

    fn restart(&mut self) {
        self.looked_at += self.statistics().expanded;
        self.first_goals.forget();
        let queue = DialQueue::new(QueueKind::for_span(self.map.movement_map.max_step_cost()));
        let (values, _) = std::mem::take(&mut self.search).into_parts();
        self.search = Search::from_parts(values, queue);
        let starts: Vec<FieldNode> = self.open_goals().into_iter().map(FieldNode::from).collect();
        let space = space(&self.map);
        self.search.begin(&problem(&space), &starts);
        self.settled_to = Cost::ZERO;
        self.farthest = Cost::ZERO;
        self.repaired = 0;
    }

    /// Returns the goals that can be entered, by slot, each once.
    fn open_goals(&self) -> Vec<GridNode> {
        let mut open: Vec<GridNode> = (self.goals.iter().map(|&(node, _)| node))
            .filter(|node| self.map.movement_map.is_passable(node.x(), node.y()))
            .collect();
        open.dedup();
        open
    }

    /// Runs the field for at most `budget` expansions.
    ///
    /// # Guarantee
    /// The answers are the same however the work is split into calls of `advance`.
    pub fn advance(&mut self, budget: u64) -> SearchStatus {
        let Self { map, search, settled_to, .. } = self;
        let mut visits = Visits(|_: FieldNode, g| *settled_to = g);
        let MapSnapshot { bounds, classes, movement_map, .. } = &*map;
        if let Some(ground) = movement_map.class_ground(classes) {
            search.advance(&problem(&ReversedGrid::on(bounds, ground, movement_map)), &mut visits, budget);
        } else if let Some(ground) = movement_map.derived_ground(classes) {
            search.advance(&problem(&ReversedGrid::on(bounds, ground, movement_map)), &mut visits, budget);
        } else {
            search.advance(&problem(&space(map)), &mut visits, budget);
        }
        self.note_progress()
    }

    fn note_progress(&mut self) -> SearchStatus {
        if self.search.is_done() {
            // If the open list is empty, no cost can fall any more.
            if self.settled_to < Cost::MAX {
                self.farthest = self.farthest.max(self.settled_to);
            }
            self.settled_to = Cost::MAX;
            SearchStatus::Done
        } else {
            self.farthest = self.farthest.max(self.settled_to);
            SearchStatus::Running
        }
    }

    /// Runs the field until the state of a cell is not [`FieldState::Pending`], and returns this
    /// state. All cells that are expanded meanwhile are settled too.
    pub fn advance_until(&mut self, cell: Cell) -> FieldState {
        /// Small enough to stop soon, large enough to make the test of the cell cheap.
        const SLICE: u64 = 64;
        loop {
            let state = self.state(cell);
            if state != FieldState::Pending {
                return state;
            }
            self.advance(SLICE);
        }
    }

    /// Returns true if the cost of every cell that can reach a goal is final.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.search.is_done()
    }

    /// Returns the state of a cell.
    ///
    /// # Complexity
    /// O(1). If costs have overflowed, the first call takes O(cells).
    #[must_use]
    pub fn state(&self, cell: Cell) -> FieldState {
        GridNode::of(&self.map.bounds, cell).map_or(FieldState::OutOfBounds, |node| self.state_of(node))
    }

    fn state_of(&self, node: GridNode) -> FieldState {
        if self.goal_index(node).is_some() {
            return FieldState::Settled(Cost::ZERO);
        }
        let space = space(&self.map);
        if !space.is_passable(node) {
            return self.state_of_closed(node, &space);
        }
        match self.settled(&space, node) {
            Some(cost) => FieldState::Settled(cost),
            None if !self.is_done() => FieldState::Pending,
            None if self.costs_too_much(node) => FieldState::CostOverflow,
            None => FieldState::Unreachable,
        }
    }

    /// Returns whether an open cell without a known cost has a path to a goal.
    fn costs_too_much(&self, node: GridNode) -> bool {
        self.search.has_overflowed() && {
            let leading = self.leading.get_or_init(|| leading_to(&self.map, self.open_goals()));
            leading.get(node.x(), node.y())
        }
    }

    /// Returns whether a cost was dropped because it is too large for a [`Cost`].
    pub(crate) fn has_overflowed(&self) -> bool {
        self.search.has_overflowed()
    }

    /// Returns the state of a closed cell: the cost to walk out of it.
    fn state_of_closed(&self, node: GridNode, space: &ReversedGrid<'_>) -> FieldState {
        let cost_over = |rest: Cost, step: Cost| u64::from(rest.get()) + u64::from(step.get());
        let mut best: Option<u64> = None;
        // A lower bound for the offers of neighbours whose costs are not settled yet.
        let mut pending = u64::MAX;
        let mut costs_too_much = false;
        for (_, entered, step) in space.steps_from(node) {
            match self.settled(space, entered) {
                Some(rest) => {
                    let cost = cost_over(rest, step);
                    best = Some(best.map_or(cost, |best| best.min(cost)));
                }
                None if !self.is_done() => pending = pending.min(cost_over(self.settled_to, step)),
                None => costs_too_much = costs_too_much || self.costs_too_much(entered),
            }
        }
        match best {
            Some(best) if best <= pending => u32::try_from(best)
                .map_or(FieldState::CostOverflow, |cost| FieldState::Settled(Cost::new(cost))),
            _ if pending < u64::MAX => FieldState::Pending,
            _ if costs_too_much => FieldState::CostOverflow,
            _ => FieldState::Unreachable,
        }
    }

    /// Returns the cost of an open cell, if it is final.
    fn settled(&self, space: &ReversedGrid<'_>, node: GridNode) -> Option<Cost> {
        self.search.records().cost(space.slot(node)).filter(|&cost| cost <= self.settled_to)
    }

    fn goal_index(&self, node: GridNode) -> Option<usize> {
        let place = self.goals.partition_point(|(goal, _)| goal.packed() < node.packed());
        self.goals.get(place).filter(|(goal, _)| *goal == node).map(|&(_, index)| index as usize)
    }

    /// Returns the cost of the cheapest path from a cell to the nearest goal. Returns `None` if the
    /// cost is not settled or there is no path; [`FlowField::state`] shows which.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<Cost> {
        match self.state(cell) {
            FieldState::Settled(cost) => Some(cost),
            _ => None,
        }
    }

    /// Returns the cost of a cell by its slot. Use it to read many cells at high speed. If the cell
    /// is open, or a goal that can be entered, the cost is equal to [`FlowField::cost`]. For closed
    /// cells it is `None`.
    ///
    /// # Panics
    /// If the slot is not on the map.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Grid, Movement, PathFinder};
    /// let finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let field = finder.field(&[Cell::new(0, 0)])?;
    /// assert_eq!(field.cost_at(2), Some(Cost::new(20)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn cost_at(&self, slot: Slot) -> Option<Cost> {
        self.search.records().cost(slot).filter(|&cost| cost <= self.settled_to)
    }

    /// Returns the settled costs by slot, for many cells.
    #[inline]
    pub(crate) fn costs(&self) -> KnownCosts<'_> {
        KnownCosts { values: self.search.records(), settled_to: self.settled_to }
    }

    /// Returns the step to take from a cell. If several steps begin a cheapest path to the nearest
    /// goal, it is the first of them in compass order. Returns `None` on a goal, and if
    /// [`FlowField::cost`] is `None`.
    ///
    /// # Complexity
    /// O(1).
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<Direction> {
        let node = GridNode::of(&self.map.bounds, cell)?;
        self.next(node).map(|(direction, _)| direction)
    }

    /// Returns the first step of the path from a node: its direction and the cell entered.
    fn next(&self, node: GridNode) -> Option<(Direction, GridNode)> {
        let FieldState::Settled(cost) = self.state_of(node) else { return None };
        let step = self.cheapest_steps(&space(&self.map), node, cost).next();
        step.map(|(direction, entered, _)| (direction, entered))
    }

    /// Returns the steps that begin a cheapest path from a node of this cost, in compass order.
    /// Each step has its direction, the cell entered, and the cost left from there. A goal has no
    /// steps.
    #[inline]
    fn cheapest_steps<'a>(
        &'a self,
        space: &ReversedGrid<'a>,
        node: GridNode,
        cost: Cost,
    ) -> impl Iterator<Item = (Direction, GridNode, Cost)> + use<'a> {
        let space = *space;
        let steps = (cost > Cost::ZERO).then(|| space.steps_from(node)).into_iter().flatten();
        steps.filter_map(move |(direction, entered, step)| {
            let rest = self.settled(&space, entered)?;
            (rest.checked_add(step) == Some(cost)).then_some((direction, entered, rest))
        })
    }

    /// Returns a path from a node. At each node it takes the first cheapest step to a wanted cell.
    fn walk_by(&self, node: GridNode, is_wanted: impl Fn(GridNode) -> bool) -> Vec<GridNode> {
        let space = space(&self.map);
        let mut way = vec![node];
        let mut here = match self.state_of(node) {
            FieldState::Settled(cost) => Some((node, cost)),
            _ => None,
        };
        while let Some((node, cost)) = here {
            let mut steps = self.cheapest_steps(&space, node, cost);
            here =
                steps.find(|&(_, entered, _)| is_wanted(entered)).map(|(_, entered, rest)| (entered, rest));
            way.extend(here.map(|(entered, _)| entered));
        }
        way
    }

    fn walk(&self, node: GridNode) -> Vec<GridNode> {
        self.walk_by(node, |_| true)
    }

    /// Returns the cheapest path from a cell to the nearest goal, along the directions. Returns
    /// `None` if [`FlowField::cost`] is `None`.
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn path_from(&self, cell: Cell) -> Option<Path> {
        let cost = self.cost(cell)?;
        let node = GridNode::of(&self.map.bounds, cell)?;
        let cells = self.walk(node).into_iter().map(|node| node.cell(&self.map.bounds)).collect();
        Some(Path::new(cells, cost, cost, self.map.movement_map.topology()))
    }

    /// Returns the goal to which the directions lead from a cell, as an index into the query's list
    /// of goals. Returns `None` if [`FlowField::cost`] is `None`.
    ///
    /// # Complexity
    /// O(length of the path).
    #[must_use]
    pub fn goal_from(&self, cell: Cell) -> Option<usize> {
        self.cost(cell)?;
        let node = GridNode::of(&self.map.bounds, cell)?;
        self.goal_index(*self.walk(node).last()?)
    }

    /// Returns the query.
    #[must_use]
    pub const fn query(&self) -> &FieldQuery {
        &self.query
    }

    /// Returns the revision of the map for which the costs of the field are valid.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        self.map.revision
    }

    /// Returns the work since the field was begun or rebuilt, including repairs.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        Statistics {
            expanded: self.search.expanded() + self.repaired,
            generated: self.search.generated(),
            algorithm: Algorithm::Dijkstra,
        }
    }
}

impl PathFinder {
    /// Returns the goals of a field with their indices, sorted by slot.
    pub(crate) fn field_goals(
        &self,
        query: &FieldQuery,
        movement: &Movement,
    ) -> Result<Vec<(GridNode, u32)>, QueryError> {
        let mut goals = Vec::with_capacity(query.goals().len());
        for (index, &cell) in (0_u32..).zip(query.goals()) {
            goals.push((self.goal_of(cell, movement, false)?, index));
        }
        goals.sort_unstable_by_key(|&(node, index)| (node.packed(), index));
        Ok(goals)
    }
}

fn space(map: &MapSnapshot) -> ReversedGrid<'_> {
    ReversedGrid::new(&map.bounds, &map.classes, &map.movement_map)
}

const fn problem<S>(space: &S) -> Problem<'_, S, BelowMax, NoGoal> {
    Problem { space, strategy: &BelowMax, goal: &NoGoal }
}
