//! Stages of near answers: portals, corridor, proof.

use super::{PathSearch, choice::exact};
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    finder::{
        closest::{Closest, cost_limit::CostLimit},
        grid_engine::{GridEngine, SearchProfile},
        heuristic_kind::HeuristicKind,
        near::{PortalSearch, PortalWay},
        outcome::{Limit, Outcome},
        query::{Algorithm, PathQuery},
        scratch::ScratchPool,
        snapshot::MapSnapshot,
    },
    path::Path,
    portals::PortalMap,
    search::Step,
    space::{corridor::Corridor, grid::GridNode, octile_distance::OctileDistance},
};
use std::{cell::RefCell, mem, sync::Arc};

/// A path whose lower bound is not proven yet.
#[derive(Debug)]
struct Found {
    path: Path,
    /// The cost to disprove: the path is good enough if no other path costs this or less.
    most: Cost,
}

/// The state of a near answer, except the search over cells.
#[derive(Debug)]
pub(super) struct NearStages {
    /// The search over portals, while it runs.
    portals: Option<PortalSearch>,
    /// The required quality: the largest cost of the path, in percent of the cheapest.
    percent: Option<u16>,
    /// The path from the corridor, while an exact search looks for a cheaper one.
    found: Option<Found>,
    /// Expansions and entries of finished stages.
    counts: (u64, u64),
    goal: GridNode,
    /// The path over portals, if it is kept.
    way: Option<PortalWay>,
    /// True if the search ends with the path over portals.
    ends_at_portals: bool,
    pool: Arc<ScratchPool>,
}

impl NearStages {
    pub(super) fn new(
        map: &MapSnapshot,
        query: &PathQuery,
        [start, goal]: [GridNode; 2],
        pool: &Arc<ScratchPool>,
    ) -> Self {
        let percent = match query.algorithm() {
            Algorithm::Within { percent } => Some(percent),
            _ => None,
        };
        Self {
            portals: Some(PortalSearch::new(map, pool, [start, goal])),
            percent,
            found: None,
            counts: (0, 0),
            goal,
            way: None,
            ends_at_portals: false,
            pool: Arc::clone(pool),
        }
    }

    /// Returns whether the search over portals is running.
    pub(super) const fn is_over_portals(&self) -> bool {
        self.portals.is_some()
    }

    /// Returns the expansions and entries outside of the search over cells.
    pub(super) fn counts(&self) -> (u64, u64) {
        let (expanded, generated) = self.portals.as_ref().map_or((0, 0), PortalSearch::counts);
        (self.counts.0 + expanded, self.counts.1 + generated)
    }

    /// Returns the path that is the answer if an exact search finds nothing better.
    pub(super) fn found(&self) -> Option<&Path> {
        self.found.as_ref().map(|found| &found.path)
    }

    pub(super) fn stop_metering(&mut self) {
        if let Some(portals) = &mut self.portals {
            portals.stop_metering();
        }
    }
}

/// Returns the settings of a search over all cells, or over the cells of a corridor.
fn profile(algorithm: Algorithm, query: &PathQuery, is_metered: bool) -> SearchProfile {
    SearchProfile {
        algorithm,
        estimate: HeuristicKind::Octile,
        skips_pruning: query.skips_pruning(),
        ties: None,
        tied: None,
        guidance: query.guidance(algorithm),
        is_metered,
    }
}

impl PathSearch {
    /// Makes the search end with the path over portals, if there is one. It must not have run yet.
    pub(crate) const fn end_at_portals(&mut self) {
        if let Some(near) = &mut self.near {
            near.ends_at_portals = true;
        }
    }

    /// Returns the path over portals, if the search has ended with it.
    pub(crate) fn take_way(&mut self) -> Option<PortalWay> {
        self.near.as_mut().filter(|near| near.ends_at_portals)?.way.take()
    }

    /// Runs the present stage for `work` units, but expands at most `expansions` nodes. Returns the
    /// last step, unless another stage follows it, and the work done. If it runs apart, its charges
    /// stay on its own bill.
    pub(super) fn run_stage(
        &mut self,
        work: u64,
        expansions: u64,
        is_apart: bool,
    ) -> (Option<Step<GridNode>>, u64) {
        if !is_apart {
            self.settle();
        }
        let own = RefCell::new(mem::take(&mut self.bill));
        let bill = is_apart.then_some(&own);
        let portals = self.near.as_mut().and_then(|near| near.portals.as_mut());
        let (step, spent) = match (portals, &mut self.engine) {
            (Some(portals), _) => {
                let (step, spent) = portals.advance(&self.map, work, expansions, bill);
                (Some(step), spent)
            }
            (None, Some(engine)) => engine.advance(&self.map, &mut self.closest, work, expansions, bill),
            (None, None) => (None, 0),
        };
        self.bill = own.into_inner();
        self.work += spent;
        let has_gone_on = self.near.is_some() && self.begin_next_stage();
        let is_end = !matches!(step, Some(Step::Expanded(_)));
        (step.filter(|_| !has_gone_on || !is_end), spent)
    }

    /// Begins the next stage if one follows a finished stage. Returns whether it did.
    fn begin_next_stage(&mut self) -> bool {
        let Some(near) = &mut self.near else { return false };
        if let Some(portals) = near.portals.take_if(|portals| portals.is_done()) {
            let (expanded, generated) = portals.counts();
            near.counts = (near.counts.0 + expanded, near.counts.1 + generated);
            if near.ends_at_portals || self.is_metered {
                near.way = portals.way(&self.map);
            }
            if near.ends_at_portals && near.way.is_some() {
                return true;
            }
            let corridor = portals.into_corridor(&self.map);
            self.search_cells(corridor);
            return true;
        }
        let Some(engine) = &self.engine else { return false };
        if !engine.is_done() || self.algorithm != Algorithm::Near {
            return false;
        }
        if engine.reached().is_none() {
            // A cost may overflow on a path across chunks and still fit on a path over cells.
            self.end_engine();
            self.search_cells(None);
            return true;
        }
        self.look_past_corridor()
    }

    /// Begins a search for a path that is cheap enough to disprove the promise, if the lower bound
    /// of the near path does not prove the promise. Returns whether a search began.
    fn look_past_corridor(&mut self) -> bool {
        let Some(percent) = self.near.as_ref().and_then(|near| near.percent) else { return false };
        let Some(engine) = &self.engine else { return false };
        let Some((node, cost)) = engine.reached() else { return false };
        let path = self.path_to(engine, node, cost, &mut Vec::new());
        let most = most_that_disproves(path.cost(), percent);
        if path.lower_bound() > most {
            return false;
        }
        self.end_engine();
        if let Some(near) = &mut self.near {
            near.found = Some(Found { path, most });
        }
        self.search_cells(None);
        let limit = CostLimit::at(most);
        let metric = OctileDistance::of_cost_one(&self.map.movement_map, self.goal);
        self.closest = Closest::new(metric, self.start, self.query.limit().is_some(), None, Some(limit));
        true
    }

    /// Adds the counts of the search over cells to the finished stages, and frees its memory.
    fn end_engine(&mut self) {
        if let (Some(engine), Some(near)) = (self.engine.take(), &mut self.near) {
            near.counts.0 += engine.expanded();
            near.counts.1 += engine.generated();
        }
    }

    /// Begins a search over the cells of a corridor, or over all cells.
    fn search_cells(&mut self, corridor: Option<Corridor>) {
        let Some(near) = &self.near else { return };
        if corridor.is_none() {
            self.algorithm = exact(&self.map, &self.query);
        }
        let profile = profile(self.algorithm, &self.query, self.is_metered);
        let ends = [self.start, near.goal];
        self.engine = Some(GridEngine::open_in(&self.map, &near.pool, profile, ends, corridor));
    }

    /// Returns the near path if an exact search has found nothing better or was stopped by a limit.
    pub(super) fn near_outcome(&self) -> Option<Outcome> {
        let near = self.near.as_ref()?;
        let Found { path, most } = near.found.as_ref()?;
        let has_ended = self.closest.is_past_cost_limit() || self.has_ended();
        if !has_ended {
            let (best, _) = self.within_limits(path.clone());
            return Some(Outcome::LimitReached { limit: Limit::Expansions, best });
        }
        // The exact search found no path of cost `most` or less.
        let path = path.clone().with_lower_bound(Cost::new(most.get().saturating_add(1)));
        Some(self.judged(path, |path| self.outcome_of(near.goal, path)))
    }

    /// Returns whether a near path is the answer because an exact search has found nothing better.
    pub(super) fn has_proven_near(&self) -> bool {
        self.closest.is_past_cost_limit() && self.near.as_ref().is_some_and(|near| near.found.is_some())
    }

    /// Returns the chunks of 16 × 16 cells in which a search for a [near](Algorithm::Near) path
    /// runs cell by cell. Use it to draw a search by [`Algorithm::Near`] or [`Algorithm::Within`].
    /// The chunks lie near the path over portals.
    ///
    /// The iterator is empty before the path over portals is known, and while a search runs outside
    /// of such chunks.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(200, 200, 1)?, Movement::new());
    /// finder.set_terrain(Cell::new(9, 6), 7)?; // mud: jump points do not apply
    /// let query = PathQuery::new(Cell::new(3, 3), Cell::new(190, 90)).with_algorithm(Algorithm::Near);
    /// let mut search = finder.begin(&query)?;
    /// search.steps().count();
    /// let chunks: Vec<_> = search.corridor().collect();
    /// assert!(chunks.len() < 13 * 13 && chunks.iter().any(|chunk| chunk.contains(query.goal())));
    /// let path = search.finish()?.outcome.into_path().unwrap();
    /// assert!(path.cells().iter().all(|&cell| chunks.iter().any(|chunk| chunk.contains(cell))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn corridor(&self) -> impl Iterator<Item = Bounds> + '_ {
        let corridor = self.engine.as_ref().and_then(GridEngine::corridor);
        corridor.into_iter().flat_map(|corridor| corridor.areas(self.map.bounds))
    }

    /// Returns the path over portals of a [near](Algorithm::Near) search, from the start to the
    /// goal. Use it to draw a search by [`Algorithm::Near`] or [`Algorithm::Within`]. The path has
    /// the last cell of each chunk and the first cell of the next chunk.
    ///
    /// The iterator is empty before this path is known, and if the search does not use portals.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Algorithm, Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(200, 200, 1)?, Movement::new());
    /// finder.set_terrain(Cell::new(9, 6), 7)?; // mud: jump points do not apply
    /// let query = PathQuery::new(Cell::new(3, 3), Cell::new(190, 90)).with_algorithm(Algorithm::Near);
    /// let mut search = finder.begin(&query)?;
    /// search.steps().count();
    /// let way: Vec<Cell> = search.way_over_portals().collect();
    /// assert_eq!((way[0], way[way.len() - 1]), (query.start(), query.goal()));
    /// let portals: Vec<Cell> = search.portals().collect();
    /// assert!(way[1..way.len() - 1].iter().all(|cell| portals.contains(cell)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn way_over_portals(&self) -> impl Iterator<Item = Cell> + '_ {
        let way = self.near.as_ref().and_then(|near| near.way.as_ref());
        let passed = way.into_iter().flat_map(|way| way.marks.iter().rev());
        let passed = passed.flat_map(|mark| [mark.left, mark.entered]);
        let start = way.map(|_| self.start);
        let mut before = None;
        let nodes = start.into_iter().chain(passed);
        nodes.filter(move |&node| before.replace(node) != Some(node)).map(|node| node.cell(&self.map.bounds))
    }

    /// Returns the portals of the chunks in the [corridor](Self::corridor). Use it to draw a
    /// search. Paths over portals lead between these cells. If the corridor is empty, this iterator
    /// is empty too.
    ///
    /// # Complexity
    /// O(portals). Chunks that the search has not entered are first searched for their portals.
    pub fn portals(&self) -> impl Iterator<Item = Cell> + '_ {
        let corridor = self.engine.as_ref().and_then(GridEngine::corridor);
        let MapSnapshot { bounds, classes, movement_map, .. } = &self.map;
        corridor
            .into_iter()
            .flat_map(Corridor::chunks)
            .flat_map(move |corner| PortalMap::new(bounds, classes, movement_map).portals_of(corner))
            .map(move |node| node.cell(bounds))
    }
}

/// Returns the highest cost of another path that would break the promise for a path of this cost.
fn most_that_disproves(cost: Cost, percent: u16) -> Cost {
    let least = (u64::from(cost.get()) * 100).div_ceil(u64::from(percent).max(1));
    Cost::new(u32::try_from(least).unwrap_or(u32::MAX).saturating_sub(1))
}
