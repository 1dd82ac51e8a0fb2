//! The next part of a path, on the map as it is now.

use super::{NearWay, NearWayFault};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        PathFinder,
        closest::Closest,
        grid_engine::{GridEngine, SearchProfile},
        heuristic_kind::HeuristicKind,
        outcome::QueryError,
        query::Algorithm,
        snapshot::MapSnapshot,
    },
    landmarks::distance::Guidance,
    path::Path,
    search::Heuristic,
    space::{corridor::Corridor, grid::GridNode, octile_distance::OctileDistance},
};
use std::mem;

/// The number of chunks that a search for a part looks ahead. A path that must pass a portal costs
/// a little more than a free one. The half that is taken shows less of that if the portal is
/// farther off.
const AHEAD: usize = 12;
/// The number of chunks to look ahead for the first part, for which a unit waits.
const FIRST: usize = 6;
/// The distance between the cells that are kept past the end of a part, in cells. The next corridor
/// follows them.
const TAIL: usize = 8;

impl NearWay {
    /// Finds the next part of the path, on the map as it is now. Returns `None` if all parts are
    /// found.
    ///
    /// The finder must be the finder that answered the query, or a finder with an equal map and the
    /// same movements.
    ///
    /// # Errors
    /// [`NearWayFault`]. After an error, the path is unchanged, and `refine` may be called again
    /// after another edit.
    ///
    /// # Complexity
    /// O(cells of some dozen chunks): about half a millisecond on maps of hills, and one
    /// millisecond on noise.
    ///
    /// # Examples
    /// A wall is built across the whole map, beyond the known part of the path:
    /// ```
    /// use tilepath::{Bounds, Cell, Grid, Movement, NearWayFault, PathFinder, PathQuery};
    /// let classes = (0..600 * 100).map(|slot| 1 + (slot * 7 / 11 % 5) as u8);
    /// let mut finder = PathFinder::new(Grid::from_classes(600, 100, classes.collect())?, Movement::new());
    /// let query = PathQuery::new(Cell::new(3, 7), Cell::new(590, 50));
    /// let mut way = finder.solve_near_way(&query)?.into_way().unwrap();
    /// assert!(way.refine(&finder)?.is_some());
    /// finder.set_terrain_in(Bounds::new(Cell::new(300, 0), 1, 100)?, 0)?;
    /// let fault = loop {
    ///     match way.refine(&finder) {
    ///         Ok(part) => assert!(part.is_some()),
    ///         Err(fault) => break fault,
    ///     }
    /// };
    /// assert!(matches!(fault, NearWayFault::Blocked { end, .. } if end.x < 300));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refine(&mut self, finder: &PathFinder) -> Result<Option<Path>, NearWayFault> {
        if self.is_whole() {
            return Ok(None);
        }
        let is_first = self.tail.is_empty();
        let window = if is_first { FIRST } else { AHEAD };
        // Chunks that the last search passed beyond its part count for this window.
        let target = self.marks.len().saturating_sub(window - self.tail_chunks);
        let portal = self.marks[target].entered;
        let blocked = NearWayFault::Blocked { end: self.end, portal };
        let map = finder.snapshot_from(self.query.movement(), self.end)?;
        let bounds = map.bounds;
        let from =
            GridNode::of(&bounds, self.end).ok_or(QueryError::StartOutOfBounds { cell: self.end, bounds })?;
        if !is_first && !map.movement_map.is_passable(from.x(), from.y()) {
            return Err(blocked);
        }
        let to = GridNode::of(&bounds, portal).ok_or(blocked)?;
        let corridor = self.corridor(finder, &map, target);
        let profile = SearchProfile {
            algorithm: Algorithm::Near,
            estimate: HeuristicKind::Octile,
            skips_pruning: self.query.skips_pruning(),
            ties: None,
            tied: None,
            guidance: Guidance::Never,
            is_metered: true,
        };
        let mut engine = GridEngine::open_in(&map, finder.pool(), profile, [from, to], Some(corridor));
        let metric = OctileDistance::of_cost_one(&map.movement_map, to);
        let mut observer = Closest::new(metric, from, false, None, None);
        self.work += engine.advance(&map, &mut observer, u64::MAX, u64::MAX, None).1;
        self.statistics.expanded += engine.expanded();
        self.statistics.generated += engine.generated();
        let Some((node, cost)) = engine.reached() else {
            let is_too_much = engine.has_overflowed();
            return Err(if is_too_much { QueryError::CostOverflow.into() } else { blocked });
        };
        let mut cells = Vec::new();
        engine.path_to(&map, node, &mut cells);
        let part = self.take(&map, cells, cost, target)?;
        self.tail_chunks = window / 2;
        Ok(Some(part))
    }

    /// Returns the chunks around the marks up to `target`, and around the tail.
    fn corridor(&self, finder: &PathFinder, map: &MapSnapshot, target: usize) -> Corridor {
        let mut corridor = mem::take(&mut finder.pool().take().portals.corridor);
        corridor.clear(map.movement_map.portals(&map.bounds));
        corridor.set_margin(self.margin);
        let marked = self.marks[target..].iter().flat_map(|mark| [mark.left, mark.entered]);
        let along = self.tail.iter().copied().chain([self.end]);
        for node in marked.chain(along).filter_map(|cell| GridNode::of(&map.bounds, cell)) {
            corridor.add_around(node);
        }
        corridor
    }

    /// Takes the first half of a path to a mark, or all of a path to the goal.
    fn take(
        &mut self,
        map: &MapSnapshot,
        mut cells: Vec<Cell>,
        cost: Cost,
        target: usize,
    ) -> Result<Path, NearWayFault> {
        let steps = cells.len() - 1;
        let taken = if target == 0 { steps } else { steps.div_ceil(2) };
        let tail = cells[taken..].iter().skip(1).step_by(TAIL).copied().chain(cells.last().copied());
        let tail = if target == 0 { Vec::new() } else { tail.collect() };
        let taken_cost = if target == 0 { cost } else { map.walked_cost(&cells[..=taken]) };
        let sum = self.cost.checked_add(taken_cost).ok_or(QueryError::CostOverflow)?;
        let beyond = self.marks[target].rest.get();
        self.rest = Cost::new(cost.get().saturating_sub(taken_cost.get()).saturating_add(beyond));
        self.cost = sum;
        self.marks.truncate(target);
        self.tail = tail;
        cells.truncate(taken + 1);
        let end = cells[taken];
        let [from, to] = [self.end, end].map(|cell| GridNode::of(&map.bounds, cell));
        let bound = from.zip(to).map_or(Cost::ZERO, |(from, to)| {
            OctileDistance::new(&map.movement_map, to).estimate(from).min(taken_cost)
        });
        self.end = end;
        self.prove(map);
        Ok(Path::new(cells, taken_cost, bound, map.movement_map.topology()))
    }
}
