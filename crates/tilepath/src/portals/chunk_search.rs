//! Searches that stay inside a chunk.

use super::{
    PortalMap,
    border::{PLACES, cell_at, local},
    entrances::entrances,
};
use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::kept_portals::{ChunkPortals, SIDE, places_in},
    search::{
        BinaryHeapQueue, BucketQueue, ByPriority, Dijkstra, NoGoal, NodeRecords as _, OpenList, Problem,
        Search, SearchSpace,
    },
    space::{
        confined::{ConfinedGrid, Room},
        grid::{GridLink, GridNode, GridRecords},
    },
};
use std::mem;

/// The memory of searches in a chunk, with the result of the last one.
#[derive(Default, Debug)]
pub(crate) struct ChunkSearch {
    records: GridRecords,
    buckets: BucketQueue<GridNode>,
    heap: BinaryHeapQueue<GridNode, Cost>,
    /// The cells expanded since the last [`take_expanded`](Self::take_expanded).
    expanded: u64,
}

impl ChunkSearch {
    /// Computes the portals of a chunk and the costs between them.
    ///
    /// # Complexity
    /// O(portals × cells of the chunk): 20 to 60 microseconds.
    pub(super) fn make(&mut self, map: &PortalMap<'_>, chunk: usize) -> ChunkPortals {
        let area = map.kept.area(chunk);
        let found = entrances(map.movement_map, &area, [map.width, map.height]);
        let corner = GridNode::new(area.columns.start, area.rows.start);
        let mut costs = Vec::with_capacity((found.places.count_ones() as usize).pow(2));
        let mut steps_out = Vec::with_capacity(found.places.count_ones() as usize);
        for place in places_in(found.places) {
            self.spread_from(map, cell_at(corner, place));
            costs.extend(
                places_in(found.places).map(|place| self.cost_to(cell_at(corner, place)).map(Cost::get)),
            );
            steps_out.push(found.steps_out[place as usize]);
        }
        ChunkPortals::new(found.places, &steps_out, &costs)
    }

    /// Finds the cheapest paths from a cell inside its chunk.
    pub(super) fn spread_from(&mut self, map: &PortalMap<'_>, start: GridNode) {
        self.run(map, &ConfinedGrid { grid: map.grid, inner: map.grid, room: OneChunk }, start);
    }

    /// Finds the cheapest paths to a cell inside its chunk.
    pub(super) fn gather_to(&mut self, map: &PortalMap<'_>, goal: GridNode) {
        self.run(map, &AgainstSteps { map }, goal);
    }

    /// Returns the cost of the path from the start to a node, or from a node to the goal.
    pub(super) fn cost_to(&self, node: GridNode) -> Option<Cost> {
        self.records.get(local(node)).map(|record| record.cost)
    }

    /// Returns the number of cells expanded since the last call.
    pub(super) const fn take_expanded(&mut self) -> u64 {
        mem::replace(&mut self.expanded, 0)
    }

    fn run<S>(&mut self, map: &PortalMap<'_>, space: &S, start: GridNode)
    where
        S: SearchSpace<Node = GridNode, Cost = Cost, Link = GridLink, Records = GridRecords>,
    {
        let fits_buckets = map.movement_map.max_step_cost() < BucketQueue::<GridNode>::WIDEST;
        if fits_buckets {
            self.buckets = self.run_with(space, start, |search| mem::take(&mut search.buckets));
        } else {
            self.heap = self.run_with(space, start, |search| mem::take(&mut search.heap));
        }
    }

    fn run_with<S, Q>(&mut self, space: &S, start: GridNode, queue: impl FnOnce(&mut Self) -> Q) -> Q
    where
        S: SearchSpace<Node = GridNode, Cost = Cost, Link = GridLink, Records = GridRecords>,
        Q: OpenList<GridNode, Cost, ByPriority>,
    {
        let queue = queue(self);
        let mut search = Search::from_parts(mem::take(&mut self.records), queue);
        let problem = Problem { space, strategy: &Dijkstra, goal: &NoGoal };
        search.begin(&problem, &[start]);
        search.run(&problem, &mut ());
        self.expanded += search.expanded();
        let queue;
        (self.records, queue) = search.into_parts();
        queue
    }
}

/// A room of one chunk.
#[derive(Clone, Copy)]
struct OneChunk;

impl Room for OneChunk {
    #[inline]
    fn beyond(&self, _: GridNode) -> u8 {
        0
    }

    #[inline]
    fn key(&self, node: GridNode, _: usize) -> usize {
        local(node)
    }

    fn key_count(&self, _: usize) -> usize {
        (SIDE * SIDE) as usize
    }
}

/// A chunk with all steps reversed. From a cell, a search goes to the cells from which it can be
/// entered, at the cost to enter it.
struct AgainstSteps<'a, 'map> {
    map: &'a PortalMap<'map>,
}

impl SearchSpace for AgainstSteps<'_, '_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    fn key(&self, node: GridNode) -> usize {
        local(node)
    }

    fn key_count(&self) -> usize {
        (SIDE * SIDE) as usize
    }

    fn expand(&self, node: GridNode, _: Option<GridLink>, mut emit: impl FnMut(GridNode, Cost, GridLink)) {
        let entries = self.map.movement_map.entries(node.x(), node.y());
        for direction in Direction::ALL.into_iter().filter(|&direction| entries >> direction as u8 & 1 == 1) {
            let from = node.moved(direction, 1);
            if (from.x() / SIDE, from.y() / SIDE) == (node.x() / SIDE, node.y() / SIDE) {
                emit(from, self.map.grid.cost_of_step(node, direction), GridLink::along(direction));
            }
        }
    }

    /// Returns the node itself: only costs are needed here, not paths.
    fn predecessor(&self, node: GridNode, _: GridLink) -> GridNode {
        node
    }
}

/// The cheapest paths from the start of a search to its portals, and from the goal's portals to the
/// goal.
#[derive(Default, Debug)]
pub(crate) struct Ends {
    /// The portals that the start can reach inside a chunk, with the cost of each. A closed start
    /// can have steps across a border, so they may be in several chunks.
    pub(super) first: Vec<(GridNode, Cost)>,
    /// The cost from each place at the border of the goal's chunk to the goal; `None` if there is
    /// no path.
    pub(super) last: Vec<Option<Cost>>,
    /// The cost of the cheapest path that leaves no chunk.
    pub(super) direct: Option<Cost>,
}

impl Ends {
    /// Computes the ends of a search.
    ///
    /// # Complexity
    /// O(cells of a chunk).
    pub(super) fn find(
        &mut self,
        map: &PortalMap<'_>,
        search: &mut ChunkSearch,
        [start, goal]: [GridNode; 2],
        portals: impl Fn(&mut ChunkSearch, GridNode) -> u64,
    ) {
        self.first.clear();
        self.direct = None;
        let is_open = map.movement_map.is_passable(start.x(), start.y());
        let moves = if is_open { 0 } else { map.movement_map.moves(start.x(), start.y()) };
        let left = Direction::ALL.into_iter().filter(|&direction| moves >> direction as u8 & 1 == 1);
        let stepped = left.map(|direction| {
            let node = start.moved(direction, 1);
            (node, map.grid.cost_of_step(node, direction))
        });
        let from_start = is_open.then_some((start, Cost::ZERO));
        for (seed, before) in from_start.into_iter().chain(stepped) {
            let places = portals(search, seed);
            search.spread_from(map, seed);
            let after = |cost: Option<Cost>| cost.and_then(|cost| before.checked_add(cost));
            let reached = places_in(places).map(|place| cell_at(seed, place));
            self.first.extend(reached.filter_map(|cell| Some((cell, after(search.cost_to(cell))?))));
            if map.kept.index(seed.x(), seed.y()) == map.kept.index(goal.x(), goal.y()) {
                let direct = after(search.cost_to(goal));
                self.direct = [self.direct, direct].into_iter().flatten().min();
            }
        }
        search.gather_to(map, goal);
        self.last.clear();
        self.last.extend((0..PLACES as u32).map(|place| search.cost_to(cell_at(goal, place))));
    }
}
