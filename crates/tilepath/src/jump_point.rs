//! Jump point search: successors for maps of one passable cost.
//!
//! Instead of the neighbours of a cell, the search offers the next cells where a cheapest path may
//! have to turn. A straight scan looks for the next stop in the movement map's [`JumpStops`], 64
//! cells at a time. So does a diagonal walk: it stops only if jump points lie beside it or if it
//! cannot go straight on.
//!
//! The jump points beside a diagonal are offered at once, so its cells need not enter the open list
//! ("intermediate pruning"). Only if a diagonal leads away from the goal, its rest is postponed.
//! The movement map's pruning table contains the directions to follow from a cell.
//!
//! # Source
//! Harabor and Grastien, "Improving jump point search", ICAPS 2014: scanning by blocks, pruning of
//! intermediate points, and the rule for diagonals that cut no corner.
//!
//! Different here: stops are kept as bits, also along diagonals. They are not computed from three
//! lines at each scan. And expensive diagonals wait.
//!
//! Decision: `docs/decisions/17-jump-points.md`.

mod four_ways;
pub(crate) mod goals;
pub(crate) mod hexagons;
pub(crate) mod records;

pub(crate) use self::four_ways::FourWayJumps;
use self::{
    goals::{JumpGoals, LineScan},
    records::{BlockKeys, JumpLink, JumpRecords},
};
use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    movement::Diagonals,
    movement_map::{
        MovementMap,
        jump_stops::{JumpStops, Scans},
        meter::Meter,
    },
    search::space::SearchSpace,
    space::grid::GridNode,
    space::octile_distance::Metric,
    topology::Topology,
};

/// The most that a diagonal may add to the path estimate before its rest waits, in straight steps.
const CREDIT_STEPS: u32 = 40;

/// A map of one passable cost as a search space of jump points.
pub(crate) struct JumpPointSpace<'map, G = GridNode> {
    movement_map: &'map MovementMap,
    lines: &'map JumpStops,
    keys: BlockKeys,
    goals: G,
    straight: u32,
    diagonal: u32,
    metric: Metric,
    /// The most that a diagonal may add to the estimate of the whole path before its rest waits.
    credit: u64,
    /// Counts words scanned and stops on diagonals: the work other than expansions.
    meter: Option<&'map Meter<'map>>,
}

/// The kinds of jumps, by topology and rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JumpKind {
    /// On squares: diagonal steps, then straight ones.
    EightWays,
    /// On squares without diagonals: vertical steps or horizontal ones.
    FourWays,
    /// On hexagons: steps in a leading direction, then in a following one.
    Hexagons,
}

impl JumpKind {
    pub(crate) fn of(movement_map: &MovementMap) -> Self {
        match (movement_map.topology(), movement_map.movement().diagonals()) {
            (Topology::Hexagonal, _) => Self::Hexagons,
            (Topology::Square, Diagonals::Never) => Self::FourWays,
            (Topology::Square, _) => Self::EightWays,
        }
    }
}

/// Returns whether jump points are exact for this movement map as it is now. The map must allow
/// pruning, and no jump may cost more than a `Cost` can hold.
pub(crate) fn is_applicable(movement_map: &MovementMap, bounds: &Bounds) -> bool {
    let longest_jump = u64::from(bounds.width()) + u64::from(bounds.height());
    let max_jump_cost = u64::from(movement_map.max_step_cost()) * longest_jump;
    movement_map.is_prunable() && u32::try_from(max_jump_cost).is_ok()
}

/// Returns the largest difference between the priorities of waiting jump points. It is twice the
/// most expensive jump: once for its cost and once for the change of the estimate.
pub(crate) fn span(movement_map: &MovementMap, bounds: &Bounds) -> u64 {
    let (longer, shorter) = (bounds.width().max(bounds.height()), bounds.width().min(bounds.height()));
    let steps = movement_map.movement().steps();
    let straight = u64::from(steps.straight());
    let costliest = match JumpKind::of(movement_map) {
        JumpKind::EightWays => {
            (u64::from(longer) * straight).max(u64::from(shorter) * u64::from(steps.diagonal()))
        }
        JumpKind::FourWays | JumpKind::Hexagons => (u64::from(longer) + u64::from(shorter)) * straight,
    };
    2 * costliest * u64::from(movement_map.uniform_multiplier().unwrap_or(1))
}

/// Scans from a cell in a straight direction. If the scan ends at a jump point or a goal, returns
/// the number of steps to it. The direction is a constant, so each direction has its own code
/// without branches on it.
#[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a whole search")]
#[inline(always)]
fn scan<const DIRECTION: usize>(
    scans: &Scans,
    goals: impl JumpGoals,
    from: GridNode,
    scanned: &mut u64,
) -> Option<u32> {
    let direction = const { Direction::ALL[DIRECTION] };
    let is_row = const { matches!(Direction::ALL[DIRECTION], Direction::East | Direction::West) };
    let (line, place) = if is_row { (from.y(), from.x()) } else { (from.x(), from.y()) };
    let reaches = scans.reaches_jump_point(place, line);
    if !reaches && !goals.lie_on(is_row, line) {
        return None;
    }
    // The border takes the first place of each line.
    let (line_bits, place_bit) = (line as usize + 1, place as usize + 1);
    let is_forward = matches!(direction, Direction::North | Direction::East);
    let stop = if is_forward {
        scans.stops().next_set(line_bits, place_bit, scanned)
    } else {
        scans.stops().previous_set(line_bits, place_bit, scanned)
    };
    let goal = goals.first_on(is_row, line, LineScan { from: place_bit, stop, is_forward });
    let end = goal.or(reaches.then_some(stop))?;
    Some(end.abs_diff(place_bit) as u32)
}

impl<'map, G: JumpGoals> JumpPointSpace<'map, G> {
    /// Makes a space whose jumps also end at the goals.
    pub(crate) fn new(
        movement_map: &'map MovementMap,
        bounds: &Bounds,
        goals: G,
        meter: Option<&'map Meter<'map>>,
    ) -> Self {
        let multiplier = u32::from(movement_map.uniform_multiplier().unwrap_or(1));
        let steps = movement_map.movement().steps();
        let straight = multiplier * u32::from(steps.straight());
        Self {
            movement_map,
            lines: movement_map.jump_stops(bounds),
            keys: BlockKeys::new(bounds),
            goals,
            straight,
            diagonal: multiplier * u32::from(steps.diagonal()),
            metric: Metric::new(movement_map.movement(), Topology::Square, movement_map.cheapest()),
            credit: u64::from(CREDIT_STEPS) * u64::from(straight),
            meter,
        }
    }

    /// Returns the distance to the query's goal on an empty map.
    #[inline]
    fn estimate(&self, node: GridNode) -> u64 {
        let goal = self.goals.target();
        let (dx, dy) = (goal.x().abs_diff(node.x()), goal.y().abs_diff(node.y()));
        self.metric.least_distance(dx.into(), dy.into())
    }

    /// Offers the jump point in a straight direction, if there is one.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a whole search")]
    #[inline(always)]
    fn offer_straight<const DIRECTION: usize>(
        &self,
        from: GridNode,
        paid: u32,
        parent: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        if let Some(steps) = scan::<DIRECTION>(self.lines.scans(direction), self.goals, from, scanned) {
            let cost = Cost::new(paid + steps * self.straight);
            emit(from.moved(direction, steps), cost, JumpLink { parent, direction });
        }
    }

    /// Walks a diagonal and offers the jump points beside it, until a step is closed, or the walk
    /// must turn or becomes expensive. The first step must be allowed.
    #[expect(clippy::inline_always, reason = "measured: a call costs a tenth of a whole search")]
    #[inline(always)]
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
        let affordable = self.estimate(parent) + self.credit;
        let (mut here, mut paid) = (parent, 0);
        loop {
            let steps = self.lines.walk(direction, here.x(), here.y(), scanned);
            // A walk that crosses the goal's row or column scans along it.
            let steps = self.goals.steps_to_line(here, steps);
            *scanned += 1;
            here = here.moved(direction, steps);
            paid += steps * self.diagonal;
            let pruned_successors = self.movement_map.pruned_successors(Some(direction), here.x(), here.y());
            let is_costly = u64::from(paid) + self.estimate(here) > affordable;
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

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.keys.key(node)
    }

    fn key_count(&self) -> usize {
        self.keys.count()
    }

    #[inline]
    fn expand(&self, node: GridNode, link: Option<JumpLink>, mut emit: impl FnMut(GridNode, Cost, JumpLink)) {
        let mut scanned = 0;
        let directions =
            self.movement_map.pruned_successors(link.map(|link| link.direction), node.x(), node.y());
        let (emit, counter) = (&mut emit, &mut scanned);
        let follows = |direction: Direction| directions >> direction as u8 & 1 == 1;
        // No loop: the compiler would compute what any direction needs before the first one.
        if follows(Direction::North) {
            self.offer_straight::<0>(node, 0, node, emit, counter);
        }
        if follows(Direction::NorthEast) {
            self.offer_diagonal::<1, 0, 2>(node, emit, counter);
        }
        if follows(Direction::East) {
            self.offer_straight::<2>(node, 0, node, emit, counter);
        }
        if follows(Direction::SouthEast) {
            self.offer_diagonal::<3, 2, 4>(node, emit, counter);
        }
        if follows(Direction::South) {
            self.offer_straight::<4>(node, 0, node, emit, counter);
        }
        if follows(Direction::SouthWest) {
            self.offer_diagonal::<5, 4, 6>(node, emit, counter);
        }
        if follows(Direction::West) {
            self.offer_straight::<6>(node, 0, node, emit, counter);
        }
        if follows(Direction::NorthWest) {
            self.offer_diagonal::<7, 6, 0>(node, emit, counter);
        }
        if let Some(meter) = self.meter {
            meter.add(scanned);
        }
    }

    fn predecessor(&self, _: GridNode, link: JumpLink) -> GridNode {
        link.parent
    }
}

/// Returns the number of steps of a jump.
pub(crate) fn steps(topology: Topology, node: GridNode, parent: GridNode) -> u32 {
    match topology {
        Topology::Square => node.distance(parent),
        Topology::Hexagonal => hexagons::distance(node, parent),
    }
}

/// Visits the cells of a jump from `node` back to `parent`, without `node`, with `parent`. A jump
/// takes its diagonal steps first, so the straight steps come first here.
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
