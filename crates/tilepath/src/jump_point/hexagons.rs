//! Jump points on hexagons.
//!
//! A cheapest path over even ground takes steps in two neighbouring directions, in any order. One
//! of them leads and the other follows ([`pruning`](crate::movement_map::pruning), lemma 6). Of all
//! these paths, the search keeps the one that takes the leading steps first.
//!
//! A walk in a leading direction therefore scans aside in the two following directions beside it,
//! as a diagonal of squares does. A scan in a following direction stops where an obstacle forces a
//! turn. The movement map's [`HexagonStops`] contain these stops.
//!
//! # Source
//! Harabor and Grastien, "Online graph pruning for pathfinding on grid maps", AAAI 2011, carried
//! over to six directions.
//!
//! Decision: `docs/decisions/18-jump-points-on-hexagons.md`.

use super::records::{JumpLink, JumpRecords};
use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    movement_map::{
        MovementMap,
        hexagon_stops::{CLOSED, HexagonStops, reaches, stops},
        meter::Meter,
        pruning::{FOLLOWING, LEADING},
    },
    search::space::SearchSpace,
    space::grid::{GridLink, GridNode},
};

/// The most steps that a walk away from the goal takes before its rest waits, if nothing is beside
/// it.
const MOST_STEPS: u32 = 64;

/// The number of cells that a scan passes in one unit of work.
const CELLS_PASSED: u64 = 32;

/// A map of hexagons of one passable cost as a search space of jump points.
pub(crate) struct HexagonJumps<'map> {
    /// For each cell, its open neighbours.
    open: &'map [u8],
    stops: &'map HexagonStops,
    width: usize,
    cell_count: usize,
    goal: GridNode,
    /// The cost of a step.
    step: u32,
    /// Counts cells passed and stops on walks: the work other than expansions.
    meter: Option<&'map Meter<'map>>,
}

impl<'map> HexagonJumps<'map> {
    pub(crate) fn new(
        movement_map: &'map MovementMap,
        bounds: &Bounds,
        goal: GridNode,
        meter: Option<&'map Meter<'map>>,
    ) -> Self {
        let multiplier = u32::from(movement_map.uniform_multiplier().unwrap_or(1));
        Self {
            open: movement_map.open_neighbours(),
            stops: movement_map.hexagon_stops(bounds),
            width: bounds.width() as usize,
            cell_count: bounds.cell_count(),
            goal,
            step: multiplier * u32::from(movement_map.movement().steps().straight()),
            meter,
        }
    }

    /// Scans from a cell in a following direction. If the scan ends at a jump point or the goal,
    /// returns the number of steps to it. `to_goal` is the number of steps to the goal, if the goal
    /// lies on the line.
    ///
    /// The direction is a constant, so each direction has its own code.
    #[inline]
    fn scan<const FOLLOWING: usize>(&self, place: usize, to_goal: u32, passed: &mut u64) -> Option<u32> {
        let direction = const { Direction::ALL[FOLLOWING] };
        let wanted = const { stops(Direction::ALL[FOLLOWING]) | CLOSED };
        let (steps, flags) = self.stops.walk(place, direction, wanted, to_goal);
        *passed += u64::from(steps);
        (flags & CLOSED == 0).then_some(steps)
    }

    /// Offers the end of a scan from the node itself.
    #[inline]
    fn offer_scan<const FOLLOWING: usize>(
        &self,
        node: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        passed: &mut u64,
    ) {
        let direction = const { Direction::ALL[FOLLOWING] };
        let place = self.stops.place(node.x(), node.y());
        let to_goal = straight_steps(node, self.goal, direction);
        let reaches = self.stops.at(place) & const { reaches(Direction::ALL[FOLLOWING]) } != 0;
        if !reaches && to_goal.is_none() {
            return;
        }
        if let Some(steps) = self.scan::<FOLLOWING>(place, to_goal.unwrap_or(u32::MAX), passed) {
            let link = JumpLink { parent: node, direction };
            emit(node.moved(direction, steps), Cost::new(steps * self.step), link);
        }
    }

    /// Walks in a leading direction and offers the ends of scans in the two directions beside it,
    /// until a step is closed. If the walk leads away from the goal, it ends at the first cell with
    /// something to offer, and its rest waits.
    #[inline]
    fn offer_walk<const LEADING: usize, const LEFT: usize, const RIGHT: usize>(
        &self,
        node: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        passed: &mut u64,
    ) {
        let direction = const { Direction::ALL[LEADING] };
        let [left, right] = const { [Direction::ALL[LEFT], Direction::ALL[RIGHT]] };
        let [to_left, to_right] = const { [reaches(Direction::ALL[LEFT]), reaches(Direction::ALL[RIGHT])] };
        let turn = Turn::towards(node, self.goal, [direction, left]);
        let to_turn = turn.steps.max(0) as u32;
        let mut place = self.stops.place(node.x(), node.y());
        let mut walked = 0;
        loop {
            let is_past = walked >= to_turn;
            let most = if is_past { MOST_STEPS } else { to_turn - walked };
            let (steps, flags) = self.stops.walk(place, direction, to_left | to_right | CLOSED, most);
            *passed += u64::from(steps) + CELLS_PASSED;
            if flags & CLOSED != 0 {
                return;
            }
            walked += steps;
            let here = node.moved(direction, walked);
            if is_past || here == self.goal {
                emit(here, Cost::new(walked * self.step), JumpLink { parent: node, direction });
                return;
            }
            place = self.stops.place(here.x(), here.y());
            let is_at_turn = walked == to_turn;
            let goal_if = |is_beside: bool| if is_beside { turn.rest } else { u32::MAX };
            let turns_left = is_at_turn && turn.is_left;
            if (flags & to_left != 0 || turns_left)
                && let Some(steps) = self.scan::<LEFT>(place, goal_if(turns_left), passed)
            {
                let link = JumpLink { parent: node, direction: left };
                emit(here.moved(left, steps), Cost::new((walked + steps) * self.step), link);
            }
            let turns_right = is_at_turn && !turn.is_left;
            if (flags & to_right != 0 || turns_right)
                && let Some(steps) = self.scan::<RIGHT>(place, goal_if(turns_right), passed)
            {
                let link = JumpLink { parent: node, direction: right };
                emit(here.moved(right, steps), Cost::new((walked + steps) * self.step), link);
            }
        }
    }
}

impl SearchSpace for HexagonJumps<'_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = JumpLink;
    type Records = JumpRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    fn key_count(&self) -> usize {
        self.cell_count
    }

    #[inline]
    fn expand(&self, node: GridNode, link: Option<JumpLink>, mut emit: impl FnMut(GridNode, Cost, JumpLink)) {
        let open = self.open[self.key(node)];
        let mut directions = self.stops.successors(link.map(|link| link.direction), open);
        let mut passed = 0;
        while directions != 0 {
            let direction = directions.trailing_zeros();
            directions &= directions - 1;
            let (emit, passed) = (&mut emit, &mut passed);
            match direction {
                0 => self.offer_walk::<0, 7, 2>(node, emit, passed),
                2 => self.offer_scan::<2>(node, emit, passed),
                3 => self.offer_walk::<3, 2, 4>(node, emit, passed),
                4 => self.offer_scan::<4>(node, emit, passed),
                6 => self.offer_walk::<6, 4, 7>(node, emit, passed),
                _ => self.offer_scan::<7>(node, emit, passed),
            }
        }
        if let Some(meter) = self.meter {
            meter.add(passed / CELLS_PASSED);
        }
    }

    fn predecessor(&self, _: GridNode, link: JumpLink) -> GridNode {
        link.parent
    }
}

/// A path of steps in a leading direction, then in a following direction beside it.
#[derive(Clone, Copy)]
struct Turn {
    /// The steps in the leading direction; negative if no such path leads to the goal.
    steps: i32,
    /// True if the following direction is the one to the left.
    is_left: bool,
    /// The steps in the following direction.
    rest: u32,
}

impl Turn {
    /// Returns the turn between two cells, for a leading direction and the following direction to
    /// its left.
    #[inline]
    fn towards(from: GridNode, to: GridNode, [along, left]: [Direction; 2]) -> Self {
        let (dx, dy) = apart(from, to);
        let ((along_x, along_y), (left_x, left_y)) = (along.offset(), left.offset());
        // These are coordinates in the lattice that the two directions span. The left direction is
        // a turn by a sixth, which fixes the sign.
        let [steps, rest] = [dx * left_y - dy * left_x, along_x * dy - along_y * dx];
        // A step to the left plus a step to the right equals a step ahead.
        let is_left = rest >= 0;
        let steps = if is_left { steps } else { steps + rest };
        Self { steps, is_left, rest: rest.unsigned_abs() }
    }
}

/// Returns the columns and rows from one cell to another.
#[inline]
const fn apart(from: GridNode, to: GridNode) -> (i32, i32) {
    (to.x() as i32 - from.x() as i32, to.y() as i32 - from.y() as i32)
}

/// Returns the number of steps to another cell in one direction, if it lies straight in that
/// direction.
#[inline]
fn straight_steps(from: GridNode, to: GridNode, direction: Direction) -> Option<u32> {
    let (dx, dy) = apart(from, to);
    let (along_x, along_y) = direction.offset();
    let steps = dx.abs().max(dy.abs());
    (steps > 0 && (dx, dy) == (along_x * steps, along_y * steps)).then_some(steps as u32)
}

/// Returns the number of steps of a jump.
pub(super) fn distance(one: GridNode, other: GridNode) -> u32 {
    let (dx, dy) = (one.x().abs_diff(other.x()), one.y().abs_diff(other.y()));
    if (one.x() < other.x()) == (one.y() < other.y()) { dx + dy } else { dx.max(dy) }
}

/// Visits the cells of a jump from `node` back to `parent`, without `node`, with `parent`. A jump
/// takes its leading steps first, so the following steps come first here.
pub(super) fn walk_back(node: GridNode, parent: GridNode, mut visit: impl FnMut(GridNode)) {
    let beside = |index: usize| [FOLLOWING[(index + 2) % 3], FOLLOWING[index]];
    let ways =
        [0, 1, 2].map(|index| (index, Turn::towards(parent, node, [LEADING[index], beside(index)[0]])));
    let Some((index, turn)) = ways.into_iter().find(|(_, turn)| turn.steps >= 0) else {
        debug_assert!(false, "every cell lies between a leading and a following direction");
        return;
    };
    let [left, right] = beside(index);
    let following = if turn.is_left { left } else { right };
    let leading = LEADING[index];
    let mut here = node;
    for (direction, steps) in [(following, turn.rest), (leading, turn.steps as u32)] {
        for _ in 0..steps {
            here = here.before(GridLink::along(direction).place());
            visit(here);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Topology;

    /// Returns the path between two nodes of a map of 40 × 40 cells, both inclusive, backwards.
    fn cells_between(node: GridNode, parent: GridNode) -> Vec<GridNode> {
        let mut cells = vec![node];
        walk_back(node, parent, |cell| cells.push(cell));
        cells
    }

    #[test]
    fn jumps_take_leading_steps_first_and_come_from_their_parent() {
        let parent = GridNode::new(20, 20);
        let side = |node: GridNode, before: GridNode| {
            let directions = Topology::Hexagonal.directions().iter();
            directions.copied().find(|&direction| before.moved(direction, 1) == node).unwrap()
        };
        for (x, y) in (0..40).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let node = GridNode::new(x, y);
            let cells = cells_between(node, parent);
            assert_eq!(cells.last(), Some(&parent));
            assert_eq!(cells.len() as u32 - 1, distance(node, parent), "to {x}, {y}");
            let steps: Vec<Direction> = cells.windows(2).rev().map(|pair| side(pair[0], pair[1])).collect();
            assert!(steps.is_sorted_by_key(|step| FOLLOWING.contains(step)), "to {x}, {y}: {steps:?}");
        }
    }
}
