//! One map of a search over several.

use std::{collections::BTreeMap, sync::Arc};

use bevy_ecs::entity::Entity;
use tilepath::{
    Cell,
    field::SpreadSearch,
    waypoint::{RouteSearch, RouteStop, WaypointGraph, WaypointRoute},
};

use crate::{
    map::{
        door::index::MapDoors, graph_view::NavGraphView, map_view::MapView, maps::AnyMap, place::MapPlace,
    },
    search::{graph_order::goals_on, multi_map::rest::Rests},
};

#[cfg(feature = "debug_draw")]
use tilepath::CellState;

/// Costs grow by this factor with each door. Without it a door passed there and back could, by the rounding between the
/// units of two maps, cost less than nothing, and the way found would be a ring.
const PASSAGE: f64 = 1.0 + 1e-12;

/// The search of one map, entered wherever a door leads in.
#[derive(Debug)]
pub(crate) struct MapPart {
    pub(crate) map: Entity,
    /// What one unit of its costs is in world units.
    unit: f64,
    /// What is left at least, wherever one is; of tile maps the search knows better.
    rest: f64,
    search: PartSearch,
    /// By which exit each place was entered that begins a way. Only looked up.
    entered: BTreeMap<PlaceKey, usize>,
}

#[derive(Debug)]
enum PartSearch {
    Tiles {
        search: Box<SpreadSearch>,
        /// The first goal of the order on each cell.
        goals: BTreeMap<Cell, usize>,
    },
    Graph {
        search: Box<RouteSearch>,
        graph: Arc<WaypointGraph>,
        /// Indices among the goals of the order.
        goals: Vec<usize>,
    },
}

/// A place on the map of a part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PortalNode {
    Cell(Cell),
    Stop(RouteStop),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum PlaceKey {
    Cell(Cell),
    Waypoint(Arc<str>),
}

impl PlaceKey {
    fn of(map_place: &MapPlace) -> Option<Self> {
        match map_place {
            MapPlace::Cell(cell) => Some(Self::Cell(*cell)),
            MapPlace::Waypoint(id) => Some(Self::Waypoint(id.clone())),
            MapPlace::Position(_) | MapPlace::OnEdge { .. } => None,
        }
    }
}

/// A place that was settled: no cheaper way leads there.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) node: PortalNode,
    /// In world units.
    pub(crate) cost: f64,
    /// The goal of the order that lies there.
    pub(crate) goal: Option<usize>,
    /// The doors that lead on from there, by their numbers.
    pub(crate) exits: Vec<usize>,
}

impl PartSearch {
    fn next_cost(&mut self) -> Option<f64> {
        match self {
            Self::Tiles { search, .. } => search.next_cost(),
            Self::Graph { search, .. } => search.next_cost(),
        }
    }
}

impl MapPart {
    /// A part that nothing has entered yet, but for the start if that is on it. `None`: agents cannot walk there, or no way
    /// leads on to a goal.
    pub(crate) fn new(
        map: &AnyMap,
        start: Option<&MapPlace>,
        goals: &[(usize, MapPlace)],
        rests: &Rests,
    ) -> Option<Self> {
        let unit = map.usable_unit()?;
        let rest = rests.least(map.entity())?;
        let search = match map {
            AnyMap::Tiles(view) => Self::on_tiles(view, start, goals, rests, unit)?,
            AnyMap::Graph(view) => Self::on_graph(view, start, goals)?,
        };
        let rest = if matches!(search, PartSearch::Tiles { .. }) { 0.0 } else { rest };
        Some(Self { map: map.entity(), unit, rest, search, entered: BTreeMap::new() })
    }

    fn on_tiles(
        view: &MapView,
        start: Option<&MapPlace>,
        goals: &[(usize, MapPlace)],
        rests: &Rests,
        unit: f64,
    ) -> Option<PartSearch> {
        let aims = rests.aims(view.map, unit);
        let finder = view.grid.finder();
        let search = match start {
            Some(MapPlace::Cell(cell)) => {
                let begun = finder.begin_spread_from(view.movement, *cell, aims);
                begun.and_then(|mut search| search.enter(*cell, 0.0).map(|_| search))
            }
            Some(_) => return None,
            None => finder.begin_spread(view.movement, aims),
        }
        .ok()?;
        let mut at_cells = BTreeMap::new();
        for (index, map_place) in goals {
            if let MapPlace::Cell(cell) = map_place {
                at_cells.entry(*cell).or_insert(*index);
            }
        }
        Some(PartSearch::Tiles { search: Box::new(search), goals: at_cells })
    }

    fn on_graph(
        view: &NavGraphView,
        start: Option<&MapPlace>,
        goals: &[(usize, MapPlace)],
    ) -> Option<PartSearch> {
        let graph = Arc::clone(view.nav_graph.shared());
        let (indices, places) = goals_on(&graph, goals.iter().map(|(index, place)| (*index, place)));
        let start = match start {
            Some(start) => Some(start.on_graph()?),
            None => None,
        };
        let options = view.nav_graph.route_options();
        let search = graph.begin_spread(start, &places, options).ok()?;
        Some(PartSearch::Graph { search: Box::new(search), graph, goals: indices })
    }

    /// The least that anything may cost that is not settled, to a goal, in world units; `None` if all is.
    pub(crate) fn next_cost(&mut self) -> Option<f64> {
        self.search.next_cost().map(|next| next * self.unit + self.rest)
    }

    /// Enters the map through a door, at that cost in world units. `false`: a way as cheap is known, or the place is not
    /// there. `None`: such a cost cannot be counted.
    pub(crate) fn enter(&mut self, map_place: &MapPlace, cost: f64, exit: usize) -> Option<bool> {
        let cost = Some(cost / self.unit * PASSAGE).filter(|cost| cost.is_finite())?;
        let is_new = match (&mut self.search, map_place) {
            (PartSearch::Tiles { search, .. }, MapPlace::Cell(cell)) => {
                search.enter(*cell, cost).unwrap_or(false)
            }
            (PartSearch::Graph { search, graph, .. }, MapPlace::Waypoint(id)) => {
                graph.contains(id) && search.enter(id, cost).unwrap_or(false)
            }
            _ => false,
        };
        if is_new && let Some(key) = PlaceKey::of(map_place) {
            self.entered.insert(key, exit);
        }
        Some(is_new)
    }

    /// Goes on until a goal or an exit is settled, or the costs pass a limit in world units, or the budget is spent.
    pub(crate) fn advance(&mut self, budget: u64, until: f64, doors: Option<&MapDoors>) -> Option<Settled> {
        // What is next is always within the limit: to have it in other units may have rounded it.
        let next = self.search.next_cost();
        let until = ((until - self.rest) / self.unit).max(next?);
        match &mut self.search {
            PartSearch::Tiles { search, goals } => {
                let exits = |cell| doors.map_or(&[][..], |doors| doors.at_cell(cell));
                let is_stop = |cell| !exits(cell).is_empty() || goals.contains_key(&cell);
                let (cell, cost) = search.advance(budget, until, is_stop)?;
                Some(Settled {
                    node: PortalNode::Cell(cell),
                    cost: cost * self.unit,
                    goal: goals.get(&cell).copied(),
                    exits: exits(cell).to_vec(),
                })
            }
            PartSearch::Graph { search, graph, goals } => {
                let exits = |node| {
                    let id = graph.id(node);
                    id.zip(doors).map_or(&[][..], |(id, doors)| doors.at_waypoint(id))
                };
                let (stop, cost) = search.advance_until(budget, until, |node| !exits(node).is_empty())?;
                let (goal, exits) = match stop {
                    RouteStop::Goal(goal) => (goals.get(goal).copied(), Vec::new()),
                    RouteStop::Waypoint(node) => (None, exits(node).to_vec()),
                };
                Some(Settled { node: PortalNode::Stop(stop), cost: cost * self.unit, goal, exits })
            }
        }
    }

    /// The exit of another map by which the way to a place comes in; `None` for the start of the order.
    pub(crate) fn entered_by(&self, node: PortalNode) -> Option<usize> {
        let key = match (&self.search, node) {
            (PartSearch::Tiles { search, .. }, PortalNode::Cell(cell)) => {
                PlaceKey::Cell(search.entry_of(cell)?)
            }
            (PartSearch::Graph { search, .. }, PortalNode::Stop(stop)) => {
                PlaceKey::Waypoint(search.entry_of(stop)?.into())
            }
            _ => return None,
        };
        self.entered.get(&key).copied()
    }

    /// The place where an exit of this map begins.
    pub(crate) fn node_of(&self, map_place: &MapPlace) -> Option<PortalNode> {
        match (&self.search, map_place) {
            (PartSearch::Tiles { .. }, MapPlace::Cell(cell)) => Some(PortalNode::Cell(*cell)),
            (PartSearch::Graph { graph, .. }, MapPlace::Waypoint(id)) => {
                Some(PortalNode::Stop(RouteStop::Waypoint(graph.node(id)?)))
            }
            _ => None,
        }
    }

    /// The cells between which the way to a place leads.
    pub(crate) fn cells_to(&self, node: PortalNode) -> Option<(Cell, Cell)> {
        match (&self.search, node) {
            (PartSearch::Tiles { search, .. }, PortalNode::Cell(cell)) => {
                Some((search.entry_of(cell)?, cell))
            }
            _ => None,
        }
    }

    /// The route to a place of a graph.
    pub(crate) fn route_to(&self, node: PortalNode) -> Option<WaypointRoute> {
        match (&self.search, node) {
            (PartSearch::Graph { search, .. }, PortalNode::Stop(stop)) => search.route_to(stop),
            _ => None,
        }
    }

    pub(crate) fn expanded(&self) -> u64 {
        match &self.search {
            PartSearch::Tiles { search, .. } => search.expanded(),
            PartSearch::Graph { search, .. } => search.expanded(),
        }
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        matches!(&self.search, PartSearch::Tiles { search, .. } if search.has_overflowed())
    }

    #[cfg(feature = "debug_draw")]
    pub(crate) fn cell_state(&self, cell: Cell) -> CellState {
        match &self.search {
            PartSearch::Tiles { search, .. } => search.cell_state(cell),
            PartSearch::Graph { .. } => CellState::Unseen,
        }
    }
}
