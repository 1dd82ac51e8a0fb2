//! Whether a goal can be reached at all: known before any search.

use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::Direction,
    finder::{
        PathFinder,
        outcome::QueryError,
        query::{MovementId, PathQuery},
        snapshot::MapSnapshot,
    },
    movement::Movement,
    movement_map::{MovementMap, area::Area},
    regions::{ClosestCells, ComponentId, Regions},
    search::Heuristic,
    size::Size,
    space::{
        grid::GridNode,
        octile_distance::{Metric, OctileDistance},
    },
};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What is known of a query before anything is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reachability {
    Reachable,
    Unreachable,
    /// The goal is out of reach, but the search is to find that out.
    Unknown,
    /// Steps may go one way only: whether there is a way is for the search to find out.
    Undecided,
    /// The goal is out of reach; these are the closest cells that are not, and so much work it was to find them.
    Closest(ClosestCells, u64),
}

/// The regions of one movement: built when first asked for, and brought in step with the map when asked for after edits.
///
/// While there are no edits, asking takes no lock.
#[derive(Default, Debug)]
pub(crate) struct LazyRegions {
    in_step: OnceLock<Regions>,
    /// Regions that have edits to catch up with.
    behind: Mutex<Option<Regions>>,
}

impl LazyRegions {
    /// The regions of the map as it is now.
    #[inline]
    pub(crate) fn get(&self, bounds: &Bounds, movement_map: &MovementMap) -> &Regions {
        self.in_step.get_or_init(|| {
            let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(mut regions) = behind {
                regions.catch_up(movement_map.rows());
                return regions;
            }
            Regions::new(bounds, movement_map)
        })
    }

    /// The memory of what is known.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn bytes(&self) -> usize {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        self.in_step.get().or(behind.as_ref()).map_or(0, Regions::bytes)
    }

    /// Follows a map that now covers other bounds.
    ///
    /// # Complexity
    /// O(chunks).
    pub(crate) fn follow_resize(&mut self, from: &Bounds, to: &Bounds, size: Size) {
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        let known = behind.take().or_else(|| self.in_step.take());
        *behind = known.and_then(|regions| regions.resized(from, to, size));
    }

    /// Remembers that cells of a rectangle opened or closed.
    ///
    /// # Complexity
    /// O(chunks that it lies in).
    pub(crate) fn follow_edits(&mut self, area: &Area) {
        let behind = self.behind.get_mut().unwrap_or_else(PoisonError::into_inner);
        if behind.is_none() {
            *behind = self.in_step.take();
        }
        if let Some(regions) = behind {
            regions.mark(area);
        }
    }
}

impl Clone for LazyRegions {
    fn clone(&self) -> Self {
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { in_step: self.in_step.clone(), behind: Mutex::new(behind) }
    }
}

/// The components that a start leads to: its own, or, where it is blocked, those of the cells it may be left for.
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
    /// Whether there is a way between the two cells of a query by its movement, whatever else it asks for. No search is made.
    ///
    /// A cell can always be reached from itself. A start that is blocked may be left; a goal that is blocked cannot be
    /// reached.
    ///
    /// # Errors
    /// [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`], [`QueryError::UnknownMovement`].
    ///
    /// # Complexity
    /// O(1), some tens of nanoseconds. The first question after an edit that opened or closed a cell labels the chunk of
    /// 64 × 64 cells around it again, which takes microseconds; the very first question labels the whole map, at up to
    /// three nanoseconds a cell. Questions for paths share this.
    ///
    /// # Memory
    /// Between an eighth of a byte and 1.2 bytes a cell for each movement that was asked for.
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
            // From open ground no step leads back to borrowed ground, so there the regions say all.
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

    /// Start and goal of a query as nodes.
    pub(crate) fn ends(&self, query: &PathQuery, movement: &Movement) -> Result<[GridNode; 2], QueryError> {
        let start = self.start_of(query.start(), movement)?;
        Ok([start, self.goal_of(query.goal(), movement, query.wants_closest())?])
    }

    /// What is known of a query without the search that it asks for. The map is the query's.
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

    /// The same where steps may go one way only: regions tell at most that there is no way.
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

    /// Whether a goal may be reached, as far as is known without a search.
    pub(crate) fn may_reach(&self, map: &MapSnapshot, id: MovementId, [start, goal]: [GridNode; 2]) -> bool {
        let movement_map = &map.movement_map;
        if start == goal {
            return true;
        }
        if movement_map.is_large() && !movement_map.is_passable(start.x(), start.y()) {
            // Ground that it borrows may lead anywhere.
            return true;
        }
        let regions = self.movements[id.index()].regions.get(&self.grid.bounds(), movement_map);
        can_reach(regions, movement_map, start, goal)
    }
}

/// The cells that can be reached, up to a goal, whatever the ways cost: also where that cannot be stated.
pub(crate) fn flood_to(map: &MapSnapshot, start: GridNode, goal: Option<GridNode>) -> Flooded {
    let mut seen = BitGrid::new(map.bounds.width(), map.bounds.height());
    seen.set(start.x(), start.y(), true);
    let mut flooded = Flooded { cells: vec![start], seen, is_reached: false };
    let mut expanded = 0;
    while let Some(&node) = flooded.cells.get(expanded) {
        expanded += 1;
        let moves = map.movement_map.moves(node.x(), node.y());
        for direction in Direction::ALL.into_iter().filter(|&direction| moves >> direction as u8 & 1 == 1) {
            let (dx, dy) = direction.offset();
            let entered = node.offset(dx, dy);
            if flooded.has_seen(entered) {
                continue;
            }
            flooded.seen.set(entered.x(), entered.y(), true);
            flooded.cells.push(entered);
            if goal == Some(entered) {
                flooded.is_reached = true;
                return flooded;
            }
        }
    }
    flooded
}

/// The open cells from which a path leads to one of some open goals, whatever it costs.
///
/// # Complexity
/// O(cells).
pub(crate) fn leading_to(map: &MapSnapshot, goals: Vec<GridNode>) -> BitGrid {
    let mut leading = BitGrid::new(map.bounds.width(), map.bounds.height());
    for goal in &goals {
        leading.set(goal.x(), goal.y(), true);
    }
    let mut waiting = goals;
    while let Some(node) = waiting.pop() {
        let entries = map.movement_map.entries(node.x(), node.y());
        for direction in Direction::ALL.into_iter().filter(|&direction| entries >> direction as u8 & 1 == 1) {
            let (dx, dy) = direction.offset();
            let before = node.offset(dx, dy);
            if !leading.get(before.x(), before.y()) {
                leading.set(before.x(), before.y(), true);
                waiting.push(before);
            }
        }
    }
    leading
}

/// What a flood found.
pub(crate) struct Flooded {
    /// Those that were seen.
    cells: Vec<GridNode>,
    /// The same, a bit each.
    seen: BitGrid,
    pub(crate) is_reached: bool,
}

impl Flooded {
    /// Whether the cell was seen.
    pub(crate) fn has_seen(&self, node: GridNode) -> bool {
        self.seen.get(node.x(), node.y())
    }
}

/// Whether there is a way between two different cells.
fn can_reach(regions: &Regions, movement_map: &MovementMap, start: GridNode, goal: GridNode) -> bool {
    regions
        .component(movement_map.rows(), goal.x(), goal.y())
        .is_some_and(|id| Components::from(regions, movement_map, start).ids().contains(&id))
}
