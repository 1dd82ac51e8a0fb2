//! Jump point search: a successor policy for maps of one passable cost.
//!
//! Instead of the neighbours of a cell it offers the next cells where a cheapest path may have to turn. A straight scan
//! looks for the next stop in the movement map's [`JumpStops`], 64 cells at a time. So does a diagonal walk: it stops only where jump
//! points lie beside it or it cannot go straight on. The jump points beside it are offered at once, so that a cell of a
//! diagonal need not enter the open list for its own sake ("intermediate pruning"); only where the diagonal leads away from
//! the goal its rest is put off. Which directions to follow from a cell is read from the movement map's pruning table.
//!
//! # Source
//! Harabor and Grastien, "Improving jump point search", ICAPS 2014: scanning by blocks, pruning of intermediate points, and
//! the rule for diagonals that cut no corner. Different here: stops are kept as bits, along diagonals too, instead of being
//! computed from three lines at each scan, and expensive diagonals wait.

pub(crate) mod goals;
pub(crate) mod hexagons;
pub(crate) mod records;

use self::{
    goals::{JumpGoals, LineScan},
    records::{BLOCK, JumpLink, JumpRecords, PAGE},
};
use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    movement::Diagonals,
    movement_map::{MovementMap, jump_stops::JumpStops, meter::Meter},
    search::heuristic::Heuristic,
    search::space::SearchSpace,
    space::grid::GridNode,
    space::octile_distance::OctileDistance,
    topology::Topology,
};

/// How far a diagonal is walked on credit, in straight steps added to the estimate of the whole path.
const CREDIT_STEPS: u32 = 40;

/// A map of one passable cost as a search space of jump points.
pub(crate) struct JumpPointSpace<'map, G = GridNode> {
    movement_map: &'map MovementMap,
    lines: &'map JumpStops,
    /// Blocks of cells side by side, and all of them.
    columns: usize,
    blocks: usize,
    goals: G,
    straight: u32,
    diagonal: u32,
    estimate: OctileDistance,
    /// What a diagonal may add to the estimate of the whole path before the rest of it waits.
    credit: u32,
    /// Counts words scanned and stops on diagonals: the work besides expansions.
    meter: Option<&'map Meter<'map>>,
}

/// Whether jump points are exact for this movement map as it is now: they prune as the movement map does, follow diagonals where cells
/// are squares, and no jump costs more than can be stated.
pub(crate) fn is_applicable(movement_map: &MovementMap, bounds: &Bounds) -> bool {
    let movement = movement_map.movement();
    let longest_jump = u64::from(bounds.width()) + u64::from(bounds.height());
    let max_jump_cost = u64::from(movement_map.max_step_cost()) * longest_jump;
    let turns = movement_map.topology() == Topology::Hexagonal || movement.diagonals() != Diagonals::Never;
    turns && movement_map.is_prunable() && u32::try_from(max_jump_cost).is_ok()
}

/// How far the priorities of jump points that wait can lie apart: twice the most expensive jump, its cost and the
/// change of the estimate.
pub(crate) fn span(movement_map: &MovementMap, bounds: &Bounds) -> u64 {
    let (longer, shorter) = (bounds.width().max(bounds.height()), bounds.width().min(bounds.height()));
    let steps = movement_map.movement().steps();
    let straight = u64::from(steps.straight());
    let costliest = match movement_map.topology() {
        Topology::Square => {
            (u64::from(longer) * straight).max(u64::from(shorter) * u64::from(steps.diagonal()))
        }
        Topology::Hexagonal => (u64::from(longer) + u64::from(shorter)) * straight,
    };
    2 * costliest * u64::from(movement_map.uniform_multiplier().unwrap_or(1))
}

/// Whether jump points are faster than A*, where they apply. They are, but where corners may be cut and most cells lie at one:
/// there scans end where they began. (Measured on random maps, where the share is 0.65 and more; in the narrowest mazes it is
/// 0.45, and jump points are twice as fast.) On hexagons, where more ways cost the same, A*
/// expands fewer cells: on random maps jump points are faster up to a share of 0.2, and at 0.65 they take half as long again.
pub(crate) fn is_faster_than_astar(movement_map: &MovementMap) -> bool {
    let (corners, open) = movement_map.corner_share();
    let most_percent = match (movement_map.topology(), movement_map.movement().diagonals()) {
        (Topology::Hexagonal, _) => 25,
        (Topology::Square, Diagonals::Always) => 55,
        _ => return true,
    };
    corners * 100 <= open * most_percent
}

impl<'map, G: JumpGoals> JumpPointSpace<'map, G> {
    /// A space whose jumps end at the goals too, all of which lie near a cell.
    pub(crate) fn new(
        movement_map: &'map MovementMap,
        bounds: &Bounds,
        goals: G,
        near: GridNode,
        meter: Option<&'map Meter<'map>>,
    ) -> Self {
        let multiplier = u32::from(movement_map.uniform_multiplier().unwrap_or(1));
        let steps = movement_map.movement().steps();
        let straight = multiplier * u32::from(steps.straight());
        let columns = bounds.width().div_ceil(BLOCK) as usize;
        Self {
            movement_map,
            lines: movement_map.jump_stops(bounds),
            columns,
            blocks: columns * bounds.height().div_ceil(BLOCK) as usize,
            goals,
            straight,
            diagonal: multiplier * u32::from(steps.diagonal()),
            estimate: OctileDistance::new(movement_map, near),
            credit: CREDIT_STEPS.saturating_mul(straight),
            meter,
        }
    }

    /// Offers the jump point in a straight direction, if there is one. The direction is a constant, so that each has code of its
    /// own without a choice in it.
    #[inline]
    fn offer_straight<const DIRECTION: usize>(
        &self,
        from: GridNode,
        paid: u32,
        parent: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        let is_row = const { matches!(Direction::ALL[DIRECTION], Direction::East | Direction::West) };
        let (line, place) = if is_row { (from.y(), from.x()) } else { (from.x(), from.y()) };
        let scans = self.lines.scans(direction);
        let reaches = scans.reaches_jump_point(place, line);
        if !reaches && !self.goals.lie_on(is_row, line) {
            return;
        }
        // The border takes the first place of each line.
        let (line_bits, place_bit) = (line as usize + 1, place as usize + 1);
        let is_forward = matches!(direction, Direction::North | Direction::East);
        let stop = if is_forward {
            scans.stops().next_set(line_bits, place_bit, scanned)
        } else {
            scans.stops().previous_set(line_bits, place_bit, scanned)
        };
        let goal = self.goals.first_on(is_row, line, LineScan { from: place_bit, stop, is_forward });
        if let Some(end) = goal.or(reaches.then_some(stop)) {
            let steps = end.abs_diff(place_bit) as u32;
            let cost = Cost::new(paid + steps * self.straight);
            emit(from.moved(direction, steps), cost, JumpLink { parent, direction });
        }
    }

    /// Walks a diagonal and offers the jump points beside it, until the way is closed, must turn, or becomes expensive.
    /// The first step is allowed.
    #[inline]
    fn offer_diagonal<const DIRECTION: usize, const LEFT: usize, const RIGHT: usize>(
        &self,
        parent: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        let turns_aside = const {
            let direction = Direction::ALL[DIRECTION];
            1 << direction.turned(2) as u8 | 1 << direction.turned(6) as u8
        };
        let affordable = self.estimate.estimate(parent).get().saturating_add(self.credit);
        let (mut here, mut paid) = (parent, 0);
        loop {
            let steps = self.lines.walk(direction, here.x(), here.y(), scanned);
            // A walk across the goal's row or column looks along it.
            let steps = self.goals.steps_to_line(here, steps);
            *scanned += 1;
            here = here.moved(direction, steps);
            paid += steps * self.diagonal;
            let pruned_successors = self.movement_map.pruned_successors(Some(direction), here.x(), here.y());
            let is_costly = paid + self.estimate.estimate(here).get() > affordable;
            if pruned_successors & turns_aside != 0 || is_costly || self.goals.contains(here) {
                emit(here, Cost::new(paid), JumpLink { parent, direction });
                return;
            }
            self.offer_straight::<LEFT>(here, paid, parent, emit, scanned);
            self.offer_straight::<RIGHT>(here, paid, parent, emit, scanned);
            if pruned_successors >> DIRECTION & 1 == 0 {
                return;
            }
        }
    }
}

impl<G: JumpGoals> SearchSpace for JumpPointSpace<'_, G> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = JumpLink;
    type Records = JumpRecords;

    /// Block by block, because jump points lie together.
    #[inline]
    fn key(&self, node: GridNode) -> usize {
        let (x, y) = (node.x(), node.y());
        let block = (y / BLOCK) as usize * self.columns + (x / BLOCK) as usize;
        block * PAGE + (y % BLOCK * BLOCK + x % BLOCK) as usize
    }

    fn key_count(&self) -> usize {
        self.blocks * PAGE
    }

    #[inline]
    fn expand(&self, node: GridNode, link: Option<JumpLink>, mut emit: impl FnMut(GridNode, Cost, JumpLink)) {
        let mut scanned = 0;
        let mut directions =
            self.movement_map.pruned_successors(link.map(|link| link.direction), node.x(), node.y());
        while directions != 0 {
            let direction = directions.trailing_zeros();
            directions &= directions - 1;
            let (emit, scanned) = (&mut emit, &mut scanned);
            match direction {
                0 => self.offer_straight::<0>(node, 0, node, emit, scanned),
                1 => self.offer_diagonal::<1, 0, 2>(node, emit, scanned),
                2 => self.offer_straight::<2>(node, 0, node, emit, scanned),
                3 => self.offer_diagonal::<3, 2, 4>(node, emit, scanned),
                4 => self.offer_straight::<4>(node, 0, node, emit, scanned),
                5 => self.offer_diagonal::<5, 4, 6>(node, emit, scanned),
                6 => self.offer_straight::<6>(node, 0, node, emit, scanned),
                _ => self.offer_diagonal::<7, 6, 0>(node, emit, scanned),
            }
        }
        if let Some(meter) = self.meter {
            meter.add(scanned);
        }
    }

    fn predecessor(&self, _: GridNode, link: JumpLink) -> GridNode {
        link.parent
    }
}

/// How many steps a jump takes.
pub(crate) fn steps(topology: Topology, node: GridNode, parent: GridNode) -> u32 {
    match topology {
        Topology::Square => node.distance(parent),
        Topology::Hexagonal => hexagons::distance(node, parent),
    }
}

/// Hands out the cells between two jump points in the order from `node` back to `parent`, without `node`, with `parent`: a
/// jump takes its diagonal steps first, so the straight ones come first on the way back.
pub(crate) fn walk_back(
    topology: Topology,
    node: GridNode,
    parent: GridNode,
    mut visit: impl FnMut(GridNode),
) {
    if topology == Topology::Hexagonal {
        return hexagons::walk_back(node, parent, visit);
    }
    let (dx, dy) = (parent.x().abs_diff(node.x()), parent.y().abs_diff(node.y()));
    let toward_x = parent.x().cmp(&node.x()) as i32;
    let toward_y = parent.y().cmp(&node.y()) as i32;
    let straight = if dx > dy { (toward_x, 0) } else { (0, toward_y) };
    let mut here = node;
    for _ in 0..dx.abs_diff(dy) {
        here = here.offset(straight.0, straight.1);
        visit(here);
    }
    for _ in 0..dx.min(dy) {
        here = here.offset(toward_x, toward_y);
        visit(here);
    }
}
