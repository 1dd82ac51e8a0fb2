//! Reachability of a query's goal.

use crate::{
    cell::{Cell, Direction},
    finder::{
        PathFinder,
        fields::{nearest::NearestSearch, query::NearestQuery},
        outcome::QueryError,
        query::{MovementId, PathQuery},
        reachability::{Reachability, flood_to},
        snapshot::MapSnapshot,
    },
    movement::Movement,
    movement_map::MovementMap,
    regions::{ClosestCells, ComponentId, Regions},
    search::Heuristic,
    space::{
        grid::GridNode,
        octile_distance::{Metric, OctileDistance},
    },
};

/// The components that a start leads to. If the start is blocked, they are the components of the
/// cells onto which a unit may leave it.
#[derive(Default, Debug)]
struct Components {
    ids: [ComponentId; 8],
    count: usize,
}

impl Components {
    fn from(regions: &Regions, movement_map: &MovementMap, start: GridNode) -> Self {
        let mut components = Self::default();
        let mut add = |x, y| {
            if let Some(id) = regions.component(movement_map.rows(), x, y)
                && !components.ids[..components.count].contains(&id)
            {
                components.ids[components.count] = id;
                components.count += 1;
            }
        };
        if movement_map.is_passable(start.x(), start.y()) {
            add(start.x(), start.y());
        } else {
            let moves = movement_map.moves(start.x(), start.y());
            for direction in Direction::ALL.into_iter().filter(|&direction| moves >> direction as u8 & 1 == 1)
            {
                let (dx, dy) = direction.offset();
                add(start.x().wrapping_add_signed(dx), start.y().wrapping_add_signed(dy));
            }
        }
        components
    }

    fn ids(&self) -> &[ComponentId] {
        &self.ids[..self.count]
    }
}

impl PathFinder {
    /// Returns whether a path from the start to the goal of a query exists for its movement. The
    /// query's other settings have no effect. No search runs.
    ///
    /// A cell can always be reached from itself. A unit may leave a blocked start, but a blocked
    /// goal cannot be reached, except a cell over which the unit leaves closed ground.
    ///
    /// # Errors
    /// [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`],
    /// [`QueryError::UnknownMovement`].
    ///
    /// # Complexity
    /// O(1), some tens of nanoseconds. The first query after an edit that opened or closed a cell
    /// labels the chunk of 64 × 64 cells around this cell again, in microseconds. The very first
    /// query labels the whole map, at up to three nanoseconds a cell.
    ///
    /// Path queries share these labels.
    ///
    /// # Memory
    /// An eighth of a byte to 1.2 bytes a cell for each movement in use.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Movement, PathFinder, PathQuery, format};
    /// let grid = format::parse_ascii("
    ///     ..#..
    ///     ..#..
    /// ")?;
    /// let mut finder = PathFinder::new(grid, Movement::new());
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(4, 1));
    /// assert!(!finder.is_reachable(&query)?);
    /// finder.set_terrain(Cell::new(2, 1), 1)?; // a door opens
    /// assert!(finder.is_reachable(&query)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_reachable(&self, query: &PathQuery) -> Result<bool, QueryError> {
        let movement_map = self.movement_map(query.movement())?;
        let [start, goal] = self.ends(query, movement_map.movement())?;
        if start == goal {
            return Ok(true);
        }
        if let Some(chain) = movement_map.way_out(&self.grid, query.start()) {
            let is_on_it = chain.cells().contains(&query.goal());
            // The ordinary steps lead on from the open cell.
            let from_exit = |exit| self.is_reachable(&query.started_at(exit));
            return if is_on_it { Ok(true) } else { chain.exit().map_or(Ok(false), from_exit) };
        }
        if movement_map.is_told_by_regions(start.x(), start.y()) {
            let regions =
                self.movements[query.movement().index()].regions.get(&self.grid.bounds(), movement_map);
            return Ok(can_reach(regions, movement_map, start, goal));
        }
        if !movement_map.has_listed_moves() {
            // Steps from open ground never lead back to borrowed ground, so the regions decide
            // there.
            let regions =
                self.movements[query.movement().index()].regions.get(&self.grid.bounds(), movement_map);
            let component = |x, y| regions.component(movement_map.rows(), x, y);
            let wanted = component(goal.x(), goal.y());
            let entered = movement_map.ways_off(&self.grid, query.start());
            return Ok(entered.into_iter().any(|(x, y)| {
                (x, y) == (goal.x(), goal.y()) || wanted.is_some() && component(x, y) == wanted
            }));
        }
        let map = self.snapshot_from(query.movement(), query.start())?;
        Ok(self.may_reach(&map, query.movement(), [start, goal])
            && flood_to(&map, start, Some(goal)).is_reached)
    }

    /// Returns the start and the goal of a query as nodes.
    pub(crate) fn ends(&self, query: &PathQuery, movement: &Movement) -> Result<[GridNode; 2], QueryError> {
        let start = self.start_of(query.start(), movement)?;
        Ok([start, self.goal_of(query.goal(), movement, query.wants_closest())?])
    }

    /// Returns what is known of the goal's reachability before the search. `map` is the query's
    /// snapshot.
    pub(crate) fn reach(
        &self,
        map: &MapSnapshot,
        query: &PathQuery,
        [start, goal]: [GridNode; 2],
    ) -> Reachability {
        let movement_map = &map.movement_map;
        if query.wants_closest() && !movement_map.is_passable(start.x(), start.y()) {
            return self.reach_from_closed(map, query, [start, goal]);
        }
        if start == goal {
            return Reachability::Reachable;
        }
        if !movement_map.is_told_by_regions(start.x(), start.y()) {
            return self.reach_one_way(map, query, [start, goal]);
        }
        let regions = self.movements[query.movement().index()].regions.get(&self.grid.bounds(), movement_map);
        if can_reach(regions, movement_map, start, goal) {
            return Reachability::Reachable;
        }
        if !query.asks_reachability()
            && !query.wants_closest()
            && movement_map.is_passable(goal.x(), goal.y())
        {
            return Reachability::Unknown;
        }
        if !query.wants_closest() {
            return Reachability::Unreachable;
        }
        let metric = Metric::new(movement_map.movement(), movement_map.topology(), 1);
        let to_goal = OctileDistance::of_cost_one(movement_map, goal).estimate(start);
        let mut closest = ClosestCells::within(to_goal.get().into());
        let components = Components::from(regions, movement_map, start);
        let work = regions.add_closest(movement_map.rows(), components.ids(), goal, metric, &mut closest);
        Reachability::Closest(closest, work)
    }

    /// Returns the same as [`reach`](Self::reach) if steps may be one-way. Then regions can only
    /// prove that there is no path.
    fn reach_one_way(&self, map: &MapSnapshot, query: &PathQuery, ends: [GridNode; 2]) -> Reachability {
        let may_reach = self.may_reach(map, query.movement(), ends);
        if !query.wants_closest() {
            return match (may_reach, query.asks_reachability()) {
                (true, _) => Reachability::Undecided,
                (false, true) => Reachability::Unreachable,
                (false, false) => Reachability::Unknown,
            };
        }
        let [start, goal] = ends;
        let flood = flood_to(map, start, Some(goal).filter(|_| may_reach));
        if flood.is_reached {
            return Reachability::Reachable;
        }
        let distance =
            |node| OctileDistance::of_cost_one(&map.movement_map, goal).estimate(node).get().into();
        let mut closest = ClosestCells::within(distance(start));
        for &node in &flood.cells {
            closest.offer(distance(node), node);
        }
        Reachability::Closest(closest, flood.cells.len() as u64)
    }

    /// Returns the same as [`reach`](Self::reach) for a unit on closed ground that wants the closest
    /// cell. Closed cells are not wanted, not even the goal; the start is, if no open cell can be
    /// reached.
    fn reach_from_closed(&self, map: &MapSnapshot, query: &PathQuery, ends: [GridNode; 2]) -> Reachability {
        let [start, goal] = ends;
        let distance =
            |node| u64::from(OctileDistance::of_cost_one(&map.movement_map, goal).estimate(node).get());
        let known = self.reach_by_regions(map, query, ends);
        let (mut closest, mut work) = match known {
            Some(Reachability::Closest(closest, work)) => (closest, work),
            Some(reach) => return reach,
            None => {
                let is_open = |node: GridNode| map.movement_map.is_passable(node.x(), node.y());
                let flood = flood_to(map, start, Some(goal).filter(|&goal| is_open(goal)));
                if flood.is_reached {
                    return Reachability::Reachable;
                }
                let mut closest = ClosestCells::within(u64::MAX);
                flood
                    .cells
                    .iter()
                    .filter(|node| is_open(**node))
                    .for_each(|&node| closest.offer(distance(node), node));
                (closest, flood.cells.len() as u64)
            }
        };
        let tied = match closest.listed() {
            Some([]) => {
                closest.offer(distance(start), start);
                return Reachability::Closest(closest, work);
            }
            Some([_]) => return Reachability::Closest(closest, work),
            listed => listed,
        };
        // A search passes the closed cells first. If one of them is as close, it would be the answer.
        let chain = map
            .movement_map
            .chain()
            .map(|chain| chain.cells().split_last().map_or(&[][..], |(_, closed)| closed));
        let borrowed = map.movement_map.borrowed(&self.grid, query.start()).map(|(anchor, _)| anchor);
        let mut closed = chain
            .into_iter()
            .flatten()
            .copied()
            .chain(borrowed)
            .filter_map(|cell| GridNode::of(&map.bounds, cell));
        if closed.all(|node| distance(node) > closest.distance()) {
            return Reachability::Closest(closest, work);
        }
        let cells: Vec<GridNode> = if let Some(listed) = tied {
            listed.to_vec()
        } else {
            let flood = flood_to(map, start, None);
            work += flood.cells.len() as u64;
            let is_tied = |&node: &GridNode| {
                map.movement_map.is_passable(node.x(), node.y()) && distance(node) == closest.distance()
            };
            flood.cells.into_iter().filter(is_tied).collect()
        };
        let first = cells.iter().copied().min_by_key(|node| node.packed()).unwrap_or(start);
        let (cheapest, searched) = self.cheapest_of(map, query, start, cells);
        let mut only = ClosestCells::within(u64::MAX);
        only.offer(closest.distance(), cheapest.unwrap_or(first));
        Reachability::Closest(only, work + searched)
    }

    /// Returns the same as [`reach_from_closed`](Self::reach_from_closed), if regions know the answer. Equally
    /// close cells stay in the list.
    fn reach_by_regions(
        &self,
        map: &MapSnapshot,
        query: &PathQuery,
        [start, goal]: [GridNode; 2],
    ) -> Option<Reachability> {
        let exit = match map.movement_map.chain() {
            Some(chain) => GridNode::of(&map.bounds, chain.exit()?)?,
            None => start,
        };
        let own = self.movement_map(query.movement()).ok()?;
        if !own.is_told_by_regions(exit.x(), exit.y()) {
            return None;
        }
        let regions = self.movements[query.movement().index()].regions.get(&self.grid.bounds(), own);
        if own.is_passable(goal.x(), goal.y()) && can_reach(regions, own, exit, goal) {
            return Some(Reachability::Reachable);
        }
        let metric = Metric::new(own.movement(), own.topology(), 1);
        let mut closest = ClosestCells::within(u64::MAX);
        let components = Components::from(regions, own, exit);
        let work = regions.add_closest(own.rows(), components.ids(), goal, metric, &mut closest);
        Some(Reachability::Closest(closest, work))
    }

    /// Returns the cell that is cheapest to reach, and the work of the search. Of cells with equal costs,
    /// it is the first by slot.
    fn cheapest_of(
        &self,
        map: &MapSnapshot,
        query: &PathQuery,
        start: GridNode,
        mut cells: Vec<GridNode>,
    ) -> (Option<GridNode>, u64) {
        cells.sort_unstable_by_key(|node| node.packed());
        let goals: Vec<Cell> = cells.iter().map(|node| node.cell(&map.bounds)).collect();
        let nearest = NearestQuery::new(query.start(), goals).with_movement(query.movement());
        let targets = (0_u32..).zip(&cells).map(|(index, &node)| (node, index)).collect();
        let search = NearestSearch::begin(map.clone(), nearest, start, targets, self.pool());
        match search.finish() {
            Ok(answer) => {
                let cheapest = answer.goals.first().and_then(|goal| cells.get(goal.index)).copied();
                (cheapest, answer.statistics.expanded)
            }
            Err(_) => (None, 0),
        }
    }

    /// Returns whether a goal may be reachable, as far as is known without a search.
    pub(crate) fn may_reach(&self, map: &MapSnapshot, id: MovementId, [start, goal]: [GridNode; 2]) -> bool {
        let movement_map = &map.movement_map;
        if start == goal {
            return true;
        }
        if let Some(chain) = movement_map.chain() {
            let is_on_it = chain.cells().contains(&goal.cell(&map.bounds));
            let exit = chain.exit().and_then(|exit| GridNode::of(&map.bounds, exit));
            let regions = self.movements[id.index()].regions.get(&self.grid.bounds(), movement_map);
            return is_on_it || exit.is_none_or(|exit| can_reach(regions, movement_map, exit, goal));
        }
        if movement_map.is_large() && !movement_map.is_passable(start.x(), start.y()) {
            // The ground that it borrows may lead anywhere.
            return true;
        }
        let regions = self.movements[id.index()].regions.get(&self.grid.bounds(), movement_map);
        can_reach(regions, movement_map, start, goal)
    }
}

/// Returns whether a path between two different cells exists.
fn can_reach(regions: &Regions, movement_map: &MovementMap, start: GridNode, goal: GridNode) -> bool {
    regions
        .component(movement_map.rows(), goal.x(), goal.y())
        .is_some_and(|id| Components::from(regions, movement_map, start).ids().contains(&id))
}
