//! The steps by which a unit joins a field.

use super::{NearField, known_ways::Beside};
use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        PathFinder,
        fields::flow_field::FieldState,
        near::{PortalSearch, PortalWay},
        outcome::{Answer, Outcome, QueryError, Statistics},
        path_search::PathSearch,
        query::{Algorithm, PathQuery},
        reachability::flood_to,
        snapshot::MapSnapshot,
    },
    movement_map::kept_portals::SIDE,
    path::Path,
    space::{corridor::Corridor, grid::GridNode},
};

/// The distance from an exact path within which other units are expected to walk, in cells.
const MARGIN: u32 = 24;
/// The distance from a searched start within which other units are expected to join, in cells.
const CAMP: u32 = 64;
/// The number of field cells that take as long as the expansion of a portal.
const CELLS_PER_PORTAL: u64 = 16;
/// Small enough to stop soon, large enough to make the test of a cell cheap.
const SLICE: u64 = 64;

/// A unit whose answer is not complete.
#[derive(Debug)]
pub(super) struct Joining {
    node: GridNode,
    /// The known path beside the unit, from before a search for this unit.
    beside: Option<Beside>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// No search yet: the field spreads in the chunks that it has.
    Known,
    /// A search over portals is running, on the map as it was. `to` is the goal, or a place on a
    /// known path with its index.
    Way { to: (GridNode, usize), search: Box<PortalSearch>, map: MapSnapshot },
    /// An exact search to the goal is running: [`Algorithm::Near`] is exact for close goals and
    /// even ground.
    Path(Box<PathSearch>),
    /// The field has the chunks of a path to a known path.
    ToKnownWay,
    /// The field has the chunks of a path to the goal.
    ToGoal,
    /// The field has all chunks.
    Everywhere,
}

impl NearField {
    /// Returns the answer for a unit, or `None` if the field's work reaches `until` first.
    pub(super) fn join_until(
        &mut self,
        finder: &PathFinder,
        start: Cell,
        until: u64,
    ) -> Option<Result<Option<Cost>, QueryError>> {
        let map = self.field.map();
        let movement = map.movement_map.movement();
        let node = match finder.start_of(start, movement) {
            Ok(node) => node,
            Err(error) => return Some(Err(error)),
        };
        if node == self.goal {
            return Some(Ok(Some(Cost::ZERO)));
        }
        if map.movement_map.is_large() && !map.movement_map.is_passable(node.x(), node.y()) {
            return Some(Err(QueryError::ClosedStart { cell: start, side: movement.size().side() }));
        }
        if !finder.may_reach(map, self.field.query().movement(), [node, self.goal]) {
            return Some(Ok(None));
        }
        loop {
            let begun = self.joining.take();
            let mut joining = begun.unwrap_or_else(|| Joining {
                node,
                beside: self.ways.beside(node),
                stage: Stage::Known,
            });
            match self.proceed(finder, &mut joining, until) {
                None => {
                    self.joining = Some(joining);
                    return None;
                }
                Some(answer) if joining.node == node => return Some(answer),
                // This is the answer of another unit, which reads it at its next join.
                Some(_) => {}
            }
        }
    }

    fn proceed(
        &mut self,
        finder: &PathFinder,
        joining: &mut Joining,
        until: u64,
    ) -> Option<Result<Option<Cost>, QueryError>> {
        loop {
            if let Stage::Way { to, search, map } = &mut joining.stage {
                let left = until.saturating_sub(self.searched + self.field.work());
                let before = search.counts();
                let (_, spent) = search.advance(map, left, u64::MAX, None);
                let (expanded, generated) = search.counts();
                self.searched += spent;
                self.since_edit += expanded - before.0;
                self.portals.0 += expanded - before.0;
                self.portals.1 += generated - before.1;
                if !search.is_done() {
                    return None;
                }
                let (to, way) = (*to, search.way(map));
                joining.stage = if to.1 == 0 { Stage::ToGoal } else { Stage::ToKnownWay };
                if let Some(way) = way {
                    self.open_corridor(&way, joining.node, to.1);
                }
            }
            if let Stage::Path(search) = &mut joining.stage {
                let before = search.work();
                search.advance(until.saturating_sub(self.searched + self.field.work()));
                self.searched += search.work() - before;
                if !search.is_done() {
                    return None;
                }
                let Statistics { expanded, generated, .. } = search.statistics();
                self.since_edit += expanded / CELLS_PER_PORTAL;
                self.portals.0 += expanded;
                self.portals.1 += generated;
                if let Ok(Answer { outcome: Outcome::Found(path), .. }) = search.answer()? {
                    self.open_around(&path, joining.node);
                }
                joining.stage = Stage::ToGoal;
            }
            let state = self.settle(joining.node, until)?;
            if let FieldState::Settled(cost) = state
                && self.is_good(joining, cost)
            {
                return Some(Ok(Some(cost)));
            }
            match self.next_stage(finder, joining) {
                Ok(Some(stage)) => joining.stage = stage,
                Ok(None) => return Some(Ok(None)),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Returns the state of a node after the field has reached it, or cannot reach it in its
    /// chunks.
    fn settle(&mut self, node: GridNode, until: u64) -> Option<FieldState> {
        if !self.field.room().is_some_and(|room| room.contains(node)) {
            return Some(FieldState::Unreachable);
        }
        let cell = node.cell(&self.field.map().bounds);
        loop {
            if !self.field.is_climbing() {
                let state = self.field.state(cell);
                if state != FieldState::Pending {
                    return Some(state);
                }
            }
            let left = until.saturating_sub(self.work());
            if left == 0 {
                return None;
            }
            self.field.advance(left.min(SLICE));
        }
    }

    /// Returns whether the search for a better cost can end. A cost is good if it is near the cost
    /// of the path beside the unit, or if a search led to it.
    fn is_good(&mut self, joining: &Joining, cost: Cost) -> bool {
        let share =
            joining.beside.and_then(|beside| beside.share(joining.node, cost, |node| self.field.known(node)));
        match joining.stage {
            Stage::Known | Stage::ToKnownWay | Stage::Way { .. } | Stage::Path(_) => {
                // For the first unit no search has run yet.
                share.map_or(joining.beside.is_some(), |share| share <= self.fair)
                    || self.field.is_everywhere()
                    || self.has_cost_much()
            }
            Stage::ToGoal => {
                self.fair = self.fair.max(share.unwrap_or(0));
                true
            }
            Stage::Everywhere => true,
        }
    }

    /// Returns the next stage, or `None` if there is no path.
    fn next_stage(&mut self, finder: &PathFinder, joining: &Joining) -> Result<Option<Stage>, QueryError> {
        let Joining { node, beside, stage } = joining;
        let is_outside = self.field.room().is_some_and(|room| !room.contains(*node));
        match (stage, beside.and_then(|beside| beside.ahead())) {
            (Stage::Known, Some(ahead)) if is_outside => {
                return Ok(Some(self.search_way(finder, *node, ahead)));
            }
            (Stage::Known | Stage::ToKnownWay, _) if !self.has_cost_much() && !self.field.is_everywhere() => {
                return self.search_goal(finder, *node).map(Some);
            }
            (Stage::Everywhere, _) => return Err(QueryError::CostOverflow),
            _ => {}
        }
        if !flood_to(self.field.map(), *node, Some(self.goal)).is_reached {
            return Ok(None);
        }
        self.field.open(Corridor::add_all);
        Ok(Some(Stage::Everywhere))
    }

    /// Returns whether a whole field would have taken about as long as the searches over portals.
    fn has_cost_much(&self) -> bool {
        CELLS_PER_PORTAL * self.since_edit > self.field.map().bounds.cell_count() as u64
    }

    /// Begins a search for a path to the goal as [`Algorithm::Near`] does: over portals, or exactly
    /// if that is not slower.
    fn search_goal(&mut self, finder: &PathFinder, node: GridNode) -> Result<Stage, QueryError> {
        let start = node.cell(&self.field.map().bounds);
        let query = PathQuery::new(start, self.goal())
            .with_movement(self.field.query().movement())
            .with_algorithm(Algorithm::Near);
        if finder.algorithm_for(&query)? == Algorithm::Near {
            return Ok(self.search_way(finder, node, (self.goal, 0)));
        }
        let search = finder.begin(&query)?;
        self.searched += search.work();
        Ok(Stage::Path(Box::new(search)))
    }

    fn search_way(&self, finder: &PathFinder, node: GridNode, to: (GridNode, usize)) -> Stage {
        let map = self.field.map().clone();
        let search = Box::new(PortalSearch::new(&map, finder.pool(), [node, to.0]));
        Stage::Way { to, search, map }
    }

    /// Adds the chunks around a path over portals, from a node to the place with this index.
    fn open_corridor(&mut self, way: &PortalWay, node: GridNode, index: usize) {
        self.field.open(|room| {
            room.set_margin(way.margin);
            for mark in &way.marks {
                room.add_around(mark.entered);
                room.add_around(mark.left);
            }
            room.set_margin(way.margin.max(CAMP));
            room.add_around(node);
        });
        let entered = way.marks.iter().skip(1).map(|mark| mark.entered);
        self.ways.add(entered.chain([node]), way.marks.len(), index);
    }

    /// Adds the chunks around a path from a node to the goal.
    fn open_around(&mut self, path: &Path, node: GridNode) {
        let bounds = self.field.map().bounds;
        let nodes: Vec<GridNode> =
            path.cells().iter().filter_map(|&cell| GridNode::of(&bounds, cell)).collect();
        let chunk = |node: GridNode| (node.x() / SIDE, node.y() / SIDE);
        let crossings = nodes.windows(2).rev().filter(|pair| chunk(pair[0]) != chunk(pair[1]));
        let entered: Vec<GridNode> = crossings.map(|pair| pair[1]).collect();
        self.field.open(|room| {
            room.set_margin(MARGIN);
            for &node in &nodes {
                room.add_around(node);
            }
            room.set_margin(CAMP);
            room.add_around(node);
        });
        let count = entered.len() + 1;
        self.ways.add(entered.into_iter().chain([node]), count, 0);
    }
}
