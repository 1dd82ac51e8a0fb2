//! Jump points in four directions.
//!
//! If several paths cost the same, the search keeps the one that takes its vertical steps first
//! ([`pruning`](crate::movement_map::pruning), lemma 5). So a vertical walk turns aside at any cell
//! from which a horizontal scan leads somewhere, and a horizontal scan turns only where an obstacle
//! behind it forces a turn. The movement map's [`FourWayStops`] contain both kinds of stops.
//!
//! # Source
//! Baum, "JPS4: jump point search on grids of four directions", arXiv 2501.14816, 2025.
//!
//! Different here: the stops are kept as bits, also for vertical walks. The cell at which a
//! walk turns is a jump point itself, so all jumps are straight.
//!
//! Decision: `docs/decisions/57-jump-points-in-four-directions.md`.

use super::{
    goals::JumpGoals,
    records::{BlockKeys, JumpLink, JumpRecords},
    scan,
};
use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    movement_map::{MovementMap, jump_stops::four_way_stops::FourWayStops, meter::Meter},
    search::space::SearchSpace,
    space::grid::GridNode,
};

/// A map of one passable cost, without diagonal steps, as a search space of jump points.
pub(crate) struct FourWayJumps<'map, G = GridNode> {
    movement_map: &'map MovementMap,
    stops: &'map FourWayStops,
    keys: BlockKeys,
    goals: G,
    /// The cost of a step.
    step: u32,
    /// Counts words scanned and walks: the work other than expansions.
    meter: Option<&'map Meter<'map>>,
}

impl<'map, G: JumpGoals> FourWayJumps<'map, G> {
    /// Makes a space whose jumps also end at the goals.
    pub(crate) fn new(
        movement_map: &'map MovementMap,
        bounds: &Bounds,
        goals: G,
        meter: Option<&'map Meter<'map>>,
    ) -> Self {
        let multiplier = u32::from(movement_map.uniform_multiplier().unwrap_or(1));
        Self {
            movement_map,
            stops: movement_map.four_way_stops(bounds),
            keys: BlockKeys::new(bounds),
            goals,
            step: multiplier * u32::from(movement_map.movement().steps().straight()),
            meter,
        }
    }

    /// Offers the jump point in a horizontal direction, if there is one.
    #[inline]
    fn offer_scan<const DIRECTION: usize>(
        &self,
        node: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        if let Some(steps) = scan::<DIRECTION>(self.stops.scans(direction), self.goals, node, scanned) {
            let link = JumpLink { parent: node, direction };
            emit(node.moved(direction, steps), Cost::new(steps * self.step), link);
        }
    }

    /// Walks to the north or the south and offers the first cell from which a horizontal scan leads
    /// somewhere, or the cell in the row of a goal.
    #[inline]
    fn offer_walk<const DIRECTION: usize>(
        &self,
        node: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let direction = const { Direction::ALL[DIRECTION] };
        *scanned += 1;
        let stop = self.stops.walk(direction, node.x(), node.y(), scanned);
        let steps = self.goals.steps_to_row(node, direction, stop);
        // The border takes the first line, and the first place of each line.
        let (line, place) = (node.y() as usize + 1, node.x() as usize + 1);
        let stop_line =
            if matches!(direction, Direction::North) { line + stop as usize } else { line - stop as usize };
        // All cells before the stop are open.
        if steps < stop || self.movement_map.rows().is_set(stop_line, place) {
            let link = JumpLink { parent: node, direction };
            emit(node.moved(direction, steps), Cost::new(steps * self.step), link);
        }
    }
}

impl<G: JumpGoals> SearchSpace for FourWayJumps<'_, G> {
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
        if follows(Direction::North) {
            self.offer_walk::<0>(node, emit, counter);
        }
        if follows(Direction::East) {
            self.offer_scan::<2>(node, emit, counter);
        }
        if follows(Direction::South) {
            self.offer_walk::<4>(node, emit, counter);
        }
        if follows(Direction::West) {
            self.offer_scan::<6>(node, emit, counter);
        }
        if let Some(meter) = self.meter {
            meter.add(scanned);
        }
    }

    fn predecessor(&self, _: GridNode, link: JumpLink) -> GridNode {
        link.parent
    }
}
