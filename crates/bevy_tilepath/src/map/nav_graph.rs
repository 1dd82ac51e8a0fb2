//! A waypoint graph that agents walk on.

use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{component::Component, intern::Interned, schedule::ScheduleLabel};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use tilepath::{
    graph::Position,
    waypoint::{RouteOptions, WaypointGraph},
};

use crate::map::{
    place::MapPlace, projection::NavProjection, version::Version, waypoint_slowdown::WaypointSlowdown,
};

/// Makes an entity a waypoint graph that agents may walk on: roads, patrols, the corridors of a dungeon.
///
/// Agents on it take the same [`PathRequest`](crate::PathRequest)s as on a tile map, and
/// [`PathRequest::to_waypoint`](crate::PathRequest::to_waypoint). They walk along its edges; a position beside the
/// graph is reached, and left, by the best of all ways onto it. The positions of waypoints are in the space of the
/// entity's `Transform`: a graph may be moved, turned and parented as maps may.
///
/// Build one in code, or load it with `NavGraphHandle` (feature `waypoint_asset`). Edit it with [`graph_mut`](Self::graph_mut)
/// whenever you like. Journeys that lead over what was changed are planned again in the same tick: an agent whose next waypoint
/// is dragged about walks straight towards it. An edge that opens is taken if it saves more than an order
/// [tolerates](crate::PathRequest::with_tolerance); one that costs more, or is faster, is walked as it is by then.
///
/// Not beside [`NavMap`](crate::NavMap) on one entity: such an entity is a tile map.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
/// use bevy_tilepath::{graphs::WaypointGraph, NavGraph, PathAgent, PathRequest};
/// use bevy_transform::components::Transform;
///
/// let mut town = WaypointGraph::new();
/// town.add("gate", (0.0, 0.0))?;
/// town.add("well", (30.0, 0.0))?;
/// town.join("gate", "well")?;
///
/// let mut world = World::new();
/// world.spawn((NavGraph::new(town), Transform::from_xyz(100.0, 0.0, 0.0)));
/// let walker = world.spawn((PathAgent::default(), Transform::from_xyz(100.0, 0.0, 0.0))).id();
/// world.entity_mut(walker).insert(PathRequest::to_waypoint("well"));
/// # Ok::<(), bevy_tilepath::tilepath::waypoint::WaypointError>(())
/// ```
#[derive(Component, Debug, Clone, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Default, Debug, Clone)]
#[require(NavProjection)]
pub struct NavGraph {
    access_factor: f64,
    /// Whether and how agents slow down at waypoints. By default they do not.
    pub easing: Option<WaypointSlowdown>,
    /// Shared with the searches that began on it.
    graph: Arc<WaypointGraph>,
    ready: bool,
    version: Version,
}

impl Default for NavGraph {
    /// A graph without waypoints that is not ready: agents wait until it is filled, by an asset or by
    /// [`graph_mut`](NavGraph::graph_mut).
    fn default() -> Self {
        Self { ready: false, ..Self::new(WaypointGraph::new()) }
    }
}

impl NavGraph {
    /// A graph that is ready at once.
    #[must_use]
    pub fn new(graph: WaypointGraph) -> Self {
        Self {
            access_factor: RouteOptions::default().access_factor,
            easing: None,
            graph: Arc::new(graph),
            ready: true,
            version: Version::next(),
        }
    }

    /// With another [`access_factor`](Self::access_factor).
    #[must_use]
    pub fn with_access_factor(self, access_factor: f64) -> Self {
        Self { access_factor, version: Version::next(), ..self }
    }

    /// What a unit of length costs on the way between a place off the graph and the graph: this many times what an edge
    /// of usual cost does. By default 4; the larger it is, the sooner agents keep to the ways. A number that is negative
    /// or none counts as 0.
    #[must_use]
    pub fn access_factor(&self) -> f64 {
        self.access_factor
    }

    /// Changes the [`access_factor`](Self::access_factor).
    pub fn set_access_factor(&mut self, access_factor: f64) {
        self.access_factor = access_factor;
        self.version = Version::next();
    }

    /// With agents that [slow down](Self::easing) at waypoints.
    #[must_use]
    pub fn with_easing(self, easing: WaypointSlowdown) -> Self {
        Self { easing: Some(easing), ..self }
    }

    /// The waypoints and the ways between them.
    #[must_use]
    pub fn graph(&self) -> &WaypointGraph {
        &self.graph
    }

    /// The same, to be edited. The graph is ready from now on.
    ///
    /// # Complexity
    /// O(waypoints + edges) with the first edit since a tick: what it was then is compared with what it is.
    ///
    /// Take it through `Mut<NavGraph>` as any component: that is how the plugin learns of the edit.
    #[must_use]
    pub fn graph_mut(&mut self) -> &mut WaypointGraph {
        self.ready = true;
        self.version = Version::next();
        Arc::make_mut(&mut self.graph)
    }

    pub(crate) fn shared(&self) -> &Arc<WaypointGraph> {
        &self.graph
    }

    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// Whether agents may walk on it: it was built by hand, or its asset has been loaded.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Lets agents wait until it is filled again.
    #[cfg(feature = "waypoint_asset")]
    pub(crate) fn set_not_ready(&mut self) {
        self.ready = false;
        self.version = Version::next();
    }

    /// What the core asks for besides the ends of a route.
    #[must_use]
    pub fn route_options(&self) -> RouteOptions {
        let access_factor = if self.access_factor > 0.0 { self.access_factor } else { 0.0 };
        RouteOptions { access_factor: access_factor.min(tilepath::waypoint::WaypointEdge::MAX_FACTOR) }
    }

    /// The place at a position of this graph: the waypoint there, if the position is no farther from one than it may
    /// have been rounded.
    pub(crate) fn map_place_at(&self, position: Position, rounding: f64) -> MapPlace {
        match self.graph.nearest_waypoint(position) {
            Some(waypoint) if waypoint.position.distance(position) <= rounding => {
                MapPlace::Waypoint(waypoint.id.into())
            }
            _ => MapPlace::Position(position),
        }
    }
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<NavGraph>().register_type::<WaypointSlowdown>();
}
