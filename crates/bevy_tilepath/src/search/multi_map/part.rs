//! One map of a search over several maps.

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

/// The factor by which costs grow with each door. Because of rounding between the units of two
/// maps, a door passed there and back could otherwise cost less than nothing. The path would then
/// be a ring.
const PASSAGE: f64 = 1.0 + 1e-12;

/// The search of one map, which is entered wherever a door leads in.
#[derive(Clone, Debug)]
pub(crate) struct MapPart {
    pub(crate) map: Entity,
    /// True if the door through which the order leads is not passed yet.
    pub(crate) is_before: bool,
    /// The value of one cost unit in world units.
    unit: f64,
    /// The least cost that is left from any place of the map. It is 0 for tile maps, whose search
    /// has a better estimate.
    rest: f64,
    search: PartSearch,
    /// The number of the pass by which each entered place was entered. It is never iterated.
    entered: BTreeMap<PlaceKey, usize>,
}

#[derive(Clone, Debug)]
enum PartSearch {
    Tiles {
        search: Box<SpreadSearch>,
        /// The first goal of the order on each cell.
        goals: BTreeMap<Cell, usize>,
    },
    Graph {
        search: Box<RouteSearch>,
        graph: Arc<WaypointGraph>,
        /// The indices among the goals of the order.
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

/// A settled place: no cheaper path leads there.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) node: PortalNode,
    /// The cost in world units.
    pub(crate) cost: f64,
    /// The goal of the order that lies there.
    pub(crate) goal: Option<usize>,
    /// The numbers of the doors that lead on from there.
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
    /// Returns a part that is not entered yet, except at the start if the start is on it. Returns
    /// `None` if agents cannot walk there, or no path leads on to a goal.
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
        Some(Self { map: map.entity(), is_before: false, unit, rest, search, entered: BTreeMap::new() })
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
            Some(start) => Some(view.start_on_graph(start)?),
            None => None,
        };
        let options = view.nav_graph.route_options();
        let search = graph.begin_spread(start, &places, options).ok()?;
        Some(PartSearch::Graph { search: Box::new(search), graph, goals: indices })
    }

    /// Returns the least cost, in world units, of a path to a goal over a place that is not
    /// settled. Returns `None` if all are settled.
    pub(crate) fn next_cost(&mut self) -> Option<f64> {
        self.search.next_cost().map(|next| next * self.unit + self.rest)
    }

    /// Enters the map through a door, at this cost in world units. Returns false if a path as cheap
    /// is known, or the place does not exist. Returns `None` if the cost is too large to be
    /// counted.
    pub(crate) fn enter(&mut self, map_place: &MapPlace, cost: f64, pass: usize) -> Option<bool> {
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
            self.entered.insert(key, pass);
        }
        Some(is_new)
    }

    /// Advances until a goal or an exit is settled, or the costs pass a limit in world units, or
    /// the budget is used up.
    pub(crate) fn advance(&mut self, budget: u64, until: f64, doors: Option<&MapDoors>) -> Option<Settled> {
        // The next place is always within the limit: the conversion to other units may have rounded
        // it.
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

    /// Returns the exit of another map by which the path to a place enters, or `None` for the start
    /// of the order.
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

    /// Returns the place where an exit of this map begins.
    pub(crate) fn node_of(&self, map_place: &MapPlace) -> Option<PortalNode> {
        match (&self.search, map_place) {
            (PartSearch::Tiles { .. }, MapPlace::Cell(cell)) => Some(PortalNode::Cell(*cell)),
            (PartSearch::Graph { graph, .. }, MapPlace::Waypoint(id)) => {
                Some(PortalNode::Stop(RouteStop::Waypoint(graph.node(id)?)))
            }
            _ => None,
        }
    }

    /// Returns the two cells between which the path to a place leads.
    pub(crate) fn cells_to(&self, node: PortalNode) -> Option<(Cell, Cell)> {
        match (&self.search, node) {
            (PartSearch::Tiles { search, .. }, PortalNode::Cell(cell)) => {
                Some((search.entry_of(cell)?, cell))
            }
            _ => None,
        }
    }

    /// Returns the route to a place of a graph.
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
