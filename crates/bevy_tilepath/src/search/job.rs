//! What a search is for, and how it begins.

use bevy_ecs::entity::Entity;
use tilepath::{Cell, NearestQuery, Path, PathQuery, Statistics};

use crate::{
    failure::PathFailure,
    map::{
        door::known::KnownDoors,
        ground::Ground,
        maps::{AnyMap, Maps},
        place::Spot,
    },
    order::{
        goal::{Goals, PathGoal},
        queue::Order,
        request::PathRequest,
    },
    search::{
        graph_order::GraphOrder, multi_map::MultiMapSearch, observers::SearchNotes,
        order_search::OrderSearch, way::Way,
    },
};

/// What a search is for.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) order: Order,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// Where the entity stood when the search began.
    pub(crate) start: Spot,
    pub(crate) goals: Goals,
    /// The order has been answered before: this is for a journey under way.
    pub(crate) replan: bool,
}

impl Job {
    /// A search by the present rules of the maps.
    pub(crate) fn begin(
        &self,
        maps: &Maps,
        doors: &KnownDoors,
        notes: &mut SearchNotes,
    ) -> Result<OrderSearch, PathFailure> {
        let map = maps.ready(self.map).ok_or(PathFailure::NoMap)?;
        if let Some(path) = self.given_path() {
            return self.begin_along(path, &map);
        }
        let index = doors.index();
        if self.goals.are_on(self.map) && index.round_trips(self.map).is_none() {
            return self.begin_on(&map, notes);
        }
        let search = MultiMapSearch::begin(self, maps, index, doors.edition(), notes)?;
        Ok(OrderSearch::MultiMap(Box::new(search)))
    }

    /// The path that is to be walked as it is: with the first answer, not when that is planned anew.
    fn given_path(&self) -> Option<&Path> {
        match self.request.goal() {
            PathGoal::Along(path) if !self.replan => Some(path),
            _ => None,
        }
    }

    /// Nothing to search: the path is checked by the present rules.
    fn begin_along(&self, path: &Path, map: &AnyMap) -> Result<OrderSearch, PathFailure> {
        let (AnyMap::Tiles(ground), Spot::Cell(standing)) = (map, &self.start) else {
            return Err(PathFailure::WrongKindOfMap);
        };
        let (start, standing) = (path.start(), *standing);
        if start != standing || !self.goals.are_on(self.map) {
            return Err(PathFailure::PathBeginsElsewhere { start, standing });
        }
        ground.grid.verify(path).map_err(PathFailure::PathOutdated)?;
        let legs = vec![ground.leg(path.clone(), None)];
        let way = Way { legs, partial: false, chosen: 0, statistics: Statistics::default() };
        Ok(OrderSearch::Given { map: ground.map, way: Box::new(way) })
    }

    /// A search that does not leave the map.
    pub(crate) fn begin_on(&self, map: &AnyMap, notes: &mut SearchNotes) -> Result<OrderSearch, PathFailure> {
        match (map, &self.start) {
            (AnyMap::Tiles(ground), Spot::Cell(start)) => self.begin_on_tiles(ground, *start, notes),
            (AnyMap::Graph(roads), _) => Ok(OrderSearch::Graph(Box::new(GraphOrder::begin(self, roads)?))),
            (AnyMap::Tiles(_), _) => Err(PathFailure::QueryRefused),
        }
    }

    fn begin_on_tiles(
        &self,
        ground: &Ground,
        start: Cell,
        notes: &mut SearchNotes,
    ) -> Result<OrderSearch, PathFailure> {
        let request = &self.request;
        let cells = match &self.goals {
            Goals::Cell { cell, .. } => {
                let query = self.query(ground, start, *cell).with_algorithm(request.algorithm());
                return OrderSearch::one(ground, &query, 0, notes);
            }
            Goals::Cells { cells, .. } => cells,
            Goals::Spots(_) => return Err(PathFailure::QueryRefused),
        };
        let movement = ground.grid.movement();
        let query = NearestQuery::new(start, cells.to_vec()).with_movement(movement);
        let begun = ground.grid.finder().begin_nearest(&query);
        if let Err(error) = &begun {
            let note = notes.ask_nearest(ground, &query);
            notes.answer_nearest(note, &Err(*error));
        }
        let search = begun?;
        if let Some(here) = cells.iter().position(|&cell| cell == start) {
            // Wins over everything, a limit of 0 included.
            return OrderSearch::one(ground, &self.query(ground, start, start), here, notes);
        }
        // Over before it has begun: none of them can be reached.
        if request.wants_closest() && search.is_done() {
            return OrderSearch::one(ground, &self.query(ground, start, cells[0]), 0, notes);
        }
        let limit = request.limit().unwrap_or(u64::MAX);
        let note = notes.ask_nearest(ground, &query);
        Ok(OrderSearch::Nearest { search: Box::new(search), map: ground.map, limit, note })
    }

    /// What [`begin`](Self::begin) costs that the search does not count: each of many goals beyond one tile map is looked up,
    /// each cell of a path that is given is checked.
    pub(crate) fn begin_work(&self) -> u64 {
        match &self.goals {
            Goals::Cell { .. } => self.given_path().map_or(0, |path| path.cells().len() as u64),
            Goals::Cells { .. } => 0,
            Goals::Spots(_) => self.goals.len() as u64,
        }
    }

    fn query(&self, ground: &Ground, start: Cell, goal: Cell) -> PathQuery {
        let mut query = PathQuery::new(start, goal).with_movement(ground.grid.movement());
        if self.request.wants_closest() {
            query = query.or_closest();
        }
        match self.request.limit() {
            Some(expansions) => query.with_limit(expansions),
            None => query,
        }
    }
}
