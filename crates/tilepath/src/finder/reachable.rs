//! Reachability of a query's goal.

use crate::{
    cell::Direction,
    finder::{
        PathFinder,
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
    /// goal cannot be reached.
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
        if start == goal {
            return Reachability::Reachable;
        }
        let movement_map = &map.movement_map;
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
        if !movement_map.is_passable(start.x(), start.y()) {
            closest.offer(closest.distance(), start);
        }
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

    /// Returns whether a goal may be reachable, as far as is known without a search.
    pub(crate) fn may_reach(&self, map: &MapSnapshot, id: MovementId, [start, goal]: [GridNode; 2]) -> bool {
        let movement_map = &map.movement_map;
        if start == goal {
            return true;
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
