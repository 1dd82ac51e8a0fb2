//! Goals of jumps.

use crate::{
    cell::Direction,
    cost::Cost,
    search::{ByPriority, Heuristic, Strategy},
    space::{grid::GridNode, octile_distance::Metric},
};

/// The cells at which jumps end besides jump points. A single cell has its own implementation, so
/// searches for one goal lose no time.
pub(crate) trait JumpGoals: Copy {
    /// Returns the goal of the query. All goals lie near it.
    fn target(self) -> GridNode;

    /// Returns whether the cell is a goal.
    fn contains(self, node: GridNode) -> bool;

    /// Returns how many of these steps a diagonal walk takes to the row or column of a goal.
    fn steps_to_line(self, from: GridNode, steps: u32) -> u32;

    /// Returns how many of these steps a vertical walk takes to the row of a goal.
    fn steps_to_row(self, from: GridNode, direction: Direction, steps: u32) -> u32;

    /// Returns whether a goal lies in a row or column.
    fn lie_on(self, is_row: bool, line: u32) -> bool;

    /// Returns the first goal of a scan along a row or column, up to the stop, as its place in the
    /// line.
    fn first_on(self, is_row: bool, line: u32, scan: LineScan) -> Option<usize>;
}

/// A scan along a line of bits. The border takes the first place of the line.
#[derive(Clone, Copy)]
pub(crate) struct LineScan {
    pub(crate) from: usize,
    pub(crate) stop: usize,
    pub(crate) is_forward: bool,
}

impl LineScan {
    /// Returns the place of a goal if the scan reaches it. A goal is open, so it is never the wall
    /// at the end.
    #[inline]
    fn passing(self, place: u32) -> Option<usize> {
        let (Self { from, stop, is_forward }, goal) = (self, place as usize + 1);
        let is_passed = if is_forward { from < goal && goal <= stop } else { stop <= goal && goal < from };
        is_passed.then_some(goal)
    }
}

/// Returns the line of a cell and its place in the line.
#[inline]
const fn on_line(node: GridNode, is_row: bool) -> (u32, u32) {
    if is_row { (node.y(), node.x()) } else { (node.x(), node.y()) }
}

impl JumpGoals for GridNode {
    #[inline]
    fn target(self) -> GridNode {
        self
    }

    #[inline]
    fn contains(self, node: GridNode) -> bool {
        self == node
    }

    #[inline]
    fn steps_to_line(self, from: GridNode, mut steps: u32) -> u32 {
        for to_goal in [self.x().abs_diff(from.x()), self.y().abs_diff(from.y())] {
            if to_goal != 0 && to_goal < steps {
                steps = to_goal;
            }
        }
        steps
    }

    #[inline]
    fn steps_to_row(self, from: GridNode, direction: Direction, steps: u32) -> u32 {
        let rows = match direction {
            Direction::North => self.y().wrapping_sub(from.y()),
            _ => from.y().wrapping_sub(self.y()),
        };
        // If the row lies behind or is this one, the number of rows minus 1 is too large.
        if rows.wrapping_sub(1) < steps { rows } else { steps }
    }

    #[inline]
    fn lie_on(self, is_row: bool, line: u32) -> bool {
        on_line(self, is_row).0 == line
    }

    #[inline]
    fn first_on(self, is_row: bool, line: u32, scan: LineScan) -> Option<usize> {
        let (own, place) = on_line(self, is_row);
        if own == line { scan.passing(place) } else { None }
    }
}

/// Several goals that lie close together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeveralGoals {
    nodes: [GridNode; Self::MOST],
    count: usize,
    target: GridNode,
    /// The corners of the smallest rectangle around all goals.
    low: GridNode,
    high: GridNode,
}

impl SeveralGoals {
    pub(crate) const MOST: usize = 8;

    /// Makes a set of goals, which all lie near the goal of the query. Returns `None` if there are
    /// no goals or too many.
    pub(crate) fn new(goals: &[GridNode], target: GridNode) -> Option<Self> {
        let first = *goals.first()?;
        let mut nodes = [first; Self::MOST];
        nodes.get_mut(..goals.len())?.copy_from_slice(goals);
        let low =
            |low: GridNode, node: &GridNode| GridNode::new(low.x().min(node.x()), low.y().min(node.y()));
        let high =
            |high: GridNode, node: &GridNode| GridNode::new(high.x().max(node.x()), high.y().max(node.y()));
        Some(Self {
            nodes,
            count: goals.len(),
            target,
            low: goals.iter().fold(first, low),
            high: goals.iter().fold(first, high),
        })
    }

    fn nodes(&self) -> &[GridNode] {
        &self.nodes[..self.count]
    }
}

impl JumpGoals for SeveralGoals {
    #[inline]
    fn target(self) -> GridNode {
        self.target
    }

    #[inline]
    fn contains(self, node: GridNode) -> bool {
        self.nodes().contains(&node)
    }

    #[inline]
    fn steps_to_line(self, from: GridNode, steps: u32) -> u32 {
        let is_near = |at: u32, low: u32, high: u32| at + steps > low && at < high + steps;
        let may_cross =
            is_near(from.x(), self.low.x(), self.high.x()) || is_near(from.y(), self.low.y(), self.high.y());
        if !may_cross {
            return steps;
        }
        self.nodes().iter().fold(steps, |steps, goal| goal.steps_to_line(from, steps))
    }

    #[inline]
    fn steps_to_row(self, from: GridNode, direction: Direction, steps: u32) -> u32 {
        self.nodes().iter().fold(steps, |steps, goal| goal.steps_to_row(from, direction, steps))
    }

    #[inline]
    fn lie_on(self, is_row: bool, line: u32) -> bool {
        let is_around = (on_line(self.low, is_row).0..=on_line(self.high, is_row).0).contains(&line);
        is_around && self.nodes().iter().any(|goal| goal.lie_on(is_row, line))
    }

    #[inline]
    fn first_on(self, is_row: bool, line: u32, scan: LineScan) -> Option<usize> {
        let is_around = (on_line(self.low, is_row).0..=on_line(self.high, is_row).0).contains(&line);
        if !is_around {
            return None;
        }
        let passed = self.nodes().iter().filter_map(|goal| goal.first_on(is_row, line, scan));
        if scan.is_forward { passed.min() } else { passed.max() }
    }
}

/// The distance to the smallest rectangle around several goals, as fast as the distance to one of
/// them. Admissible and consistent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RectangleOctile {
    pub(crate) goals: SeveralGoals,
    pub(crate) metric: Metric,
}

impl RectangleOctile {
    #[inline]
    fn distance(&self, node: GridNode) -> u64 {
        let outside = |at: u32, low: u32, high: u32| low.saturating_sub(at).max(at.saturating_sub(high));
        let SeveralGoals { low, high, .. } = &self.goals;
        let (dx, dy) = (outside(node.x(), low.x(), high.x()), outside(node.y(), low.y(), high.y()));
        self.metric.least_distance(dx.into(), dy.into())
    }
}

impl Heuristic<GridNode, Cost> for RectangleOctile {
    #[inline]
    fn estimate(&self, node: GridNode) -> Cost {
        Cost::new(self.distance(node).min(u64::from(u32::MAX)) as u32)
    }
}

impl Strategy<GridNode, Cost> for RectangleOctile {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        u32::try_from(u64::from(g.get()) + self.distance(node)).ok().map(Cost::new)
    }
}
