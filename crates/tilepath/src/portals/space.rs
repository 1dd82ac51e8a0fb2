//! Portals as a search space.

use super::{
    PortalMap,
    border::{PLACES, cell_at, place_of},
    chunk_search::{ChunkSearch, Ends},
};
use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::{kept_portals::ChunkPortals, meter::Meter},
    search::SearchSpace,
    space::grid::{GridLink, GridNode, GridRecords},
};
use std::cell::RefCell;

/// The work units to make a chunk: this much once, and again for each of its portals.
const PORTAL_WORK: u64 = 128;

/// The keys of a chunk: one for each place at its border, one for a start inside, one for a goal
/// inside.
const KEYS: usize = 64;
const START_KEY: usize = KEYS - 2;
const GOAL_KEY: usize = KEYS - 1;
const _: () = assert!(PLACES <= START_KEY);

/// The value instead of a portal: the search came from the start.
const FROM_START: u8 = START_KEY as u8;
/// The goal was reached inside its chunk, not by a step into it.
const IS_LAST: u8 = 1 << 7;

/// The portals of a map, searched from a start to a goal. The nodes are cells: the start, the goal,
/// and portals entered by a step from another chunk.
///
/// The search expands a node by all paths to other portals of its chunk, each with the step into
/// the next chunk.
pub(crate) struct PortalSpace<'a, 'map> {
    pub(crate) map: PortalMap<'map>,
    pub(crate) ends: &'a Ends,
    pub(crate) start: GridNode,
    pub(crate) goal: GridNode,
    /// Makes chunks that are not known yet.
    pub(crate) maker: &'a RefCell<&'a mut ChunkSearch>,
    pub(crate) meter: Option<&'a Meter<'a>>,
}

/// Returns the portals of a chunk, made now or before.
fn chunk_of<'map>(
    map: &PortalMap<'map>,
    node: GridNode,
    maker: impl FnOnce(usize) -> ChunkPortals,
    meter: Option<&Meter<'_>>,
) -> &'map ChunkPortals {
    let index = map.kept.index(node.x(), node.y());
    let chunk = map.kept.get(index, || maker(index));
    if let Some(meter) = meter
        && map.kept.are_charged(index, meter)
    {
        meter.add(PORTAL_WORK * (1 + u64::from(chunk.places().count_ones())));
    }
    chunk
}

impl Ends {
    /// Finds the ends of a search, and returns the work for it.
    pub(crate) fn of(
        &mut self,
        map: &PortalMap<'_>,
        search: &mut ChunkSearch,
        [start, goal]: [GridNode; 2],
        meter: Option<&Meter<'_>>,
    ) -> u64 {
        search.take_expanded();
        self.find(map, search, [start, goal], |search, node| {
            let maker = |index| {
                let chunk = search.make(map, index);
                // This work is charged with the chunk, whichever search makes it.
                search.take_expanded();
                chunk
            };
            chunk_of(map, node, maker, meter).places()
        });
        search.take_expanded()
    }
}

impl PortalSpace<'_, '_> {
    /// Emits the steps out of a chunk from a portal that is reached at a cost.
    #[inline]
    fn offer(
        &self,
        cell: GridNode,
        mut steps: u8,
        cost: u32,
        from: u8,
        emit: &mut impl FnMut(GridNode, Cost, GridLink),
    ) {
        while steps != 0 {
            let direction = Direction::ALL[steps.trailing_zeros() as usize & 7];
            steps &= steps - 1;
            let entered = cell.moved(direction, 1);
            let step = self.map.grid.cost_of_step(entered, direction).get();
            // A sum that overflows is too large for any path.
            let sum = Cost::new(cost.saturating_add(step));
            emit(entered, sum, GridLink::along(direction).with_steps(from));
        }
    }

    fn chunk(&self, node: GridNode) -> &ChunkPortals {
        let make = |index| {
            let mut maker = self.maker.borrow_mut();
            maker.make(&self.map, index)
        };
        chunk_of(&self.map, node, make, self.meter)
    }
}

impl SearchSpace for PortalSpace<'_, '_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        let place = match place_of(node) {
            Some(place) => place as usize,
            None if node == self.goal => GOAL_KEY,
            None => START_KEY,
        };
        self.map.kept.index(node.x(), node.y()) * KEYS + place
    }

    fn key_count(&self) -> usize {
        self.map.kept.count() * KEYS
    }

    fn expand(&self, node: GridNode, link: Option<GridLink>, mut emit: impl FnMut(GridNode, Cost, GridLink)) {
        let into_goal = |from| GridLink::of(0).with_steps(from | IS_LAST);
        if link.is_none() {
            for &(cell, cost) in &self.ends.first {
                let place = place_of(cell);
                let steps = self.chunk(cell).steps_out().find(|&(other, _)| Some(other) == place);
                self.offer(cell, steps.map_or(0, |(_, steps)| steps), cost.get(), FROM_START, &mut emit);
            }
            if let Some(direct) = self.ends.direct {
                emit(self.goal, direct, into_goal(FROM_START));
            }
            return;
        }
        let Some(place) = place_of(node) else { return };
        for (other, steps, cost) in self.chunk(node).from(place) {
            self.offer(cell_at(node, other), steps, cost, place as u8, &mut emit);
        }
        if self.map.kept.index(node.x(), node.y()) == self.map.kept.index(self.goal.x(), self.goal.y())
            && let Some(&Some(cost)) = self.ends.last.get(place as usize)
        {
            emit(self.goal, cost, into_goal(place as u8));
        }
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        let place = link.steps() & !IS_LAST;
        if place == FROM_START { self.start } else { cell_at(left(node, link), place.into()) }
    }
}

/// Returns the last cell of the previous chunk, from which a portal was entered.
pub(crate) fn left(node: GridNode, link: GridLink) -> GridNode {
    if link.steps() & IS_LAST != 0 { node } else { node.before(link.place()) }
}
