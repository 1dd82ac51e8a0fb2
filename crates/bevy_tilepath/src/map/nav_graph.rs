//! Waypoint graphs that agents walk on.

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
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

/// Makes an entity a waypoint graph on which agents can walk: roads, patrols, the corridors of a
/// dungeon.
///
/// Agents on a graph take [`PathRequest`](crate::PathRequest)s as on a tile map, and also
/// [`PathRequest::to_waypoint`](crate::PathRequest::to_waypoint). They walk along the edges. If the
/// start or the goal lies beside the graph, they walk between this position and the graph in a
/// straight line. The place where they enter or leave the graph is the one that makes the route
/// cheapest. An agent at a waypoint that no edge leaves enters the graph in this manner too, so a
/// waypoint that is set under it does not hold it.
///
/// The positions of waypoints are in the space of the entity's `Transform`. You may move, turn and
/// parent the entity of a graph, as the entity of a map.
///
/// Build a graph in code, or load it with `NavGraphHandle` (feature `waypoint_asset`). Edit it with
/// [`graph_mut`](Self::graph_mut) at any time.
///
/// - If an edit changes an agent's route, the rest of the route is planned again in the same tick.
///   If the agent's next waypoint is moved, the agent walks straight towards it.
/// - If an edge opens, agents take it if their route becomes cheaper by more than their order
///   [tolerates](crate::PathRequest::with_tolerance).
/// - If an edit changes the cost or the speed of an edge, agents that walk over this edge use the
///   new values.
///
/// Do not put `NavGraph` on an entity with [`NavMap`](crate::NavMap): such an entity is a tile map.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[cfg_attr(not(feature = "serde"), reflect(from_reflect = false))]
#[cfg_attr(feature = "serde", reflect(opaque))]
#[reflect(Default, Debug, Clone)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[require(NavProjection)]
pub struct NavGraph {
    #[reflect(ignore)]
    access_factor: f64,
    /// The slowdown of agents at waypoints. By default `None`: agents keep their speed.
    pub easing: Option<WaypointSlowdown>,
    /// Shared with the searches that began on it.
    #[reflect(ignore)]
    graph: Arc<WaypointGraph>,
    #[reflect(ignore)]
    ready: bool,
    #[reflect(ignore)]
    #[cfg_attr(feature = "serde", serde(skip, default = "Version::next"))]
    version: Version,
}

/// Two graphs are equal if they have equal waypoints, edges and settings. Earlier edits do not count.
impl PartialEq for NavGraph {
    fn eq(&self, other: &Self) -> bool {
        self.access_factor.to_bits() == other.access_factor.to_bits()
            && self.easing == other.easing
            && self.ready == other.ready
            && (Arc::ptr_eq(&self.graph, &other.graph) || self.graph == other.graph)
    }
}

impl Default for NavGraph {
    /// Creates a graph without waypoints that is not ready. Agents wait until an asset or
    /// [`graph_mut`](NavGraph::graph_mut) fills it.
    fn default() -> Self {
        Self { ready: false, ..Self::new(WaypointGraph::new()) }
    }
}

impl NavGraph {
    /// Creates a graph that is ready at once.
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

    /// Sets the [`access_factor`](Self::access_factor).
    #[must_use]
    pub fn with_access_factor(self, access_factor: f64) -> Self {
        Self { access_factor, version: Version::next(), ..self }
    }

    /// Returns the cost factor for the straight line between the graph and a place beside the
    /// graph. A unit of length of this line costs this many times as much as a unit of length of an
    /// edge with factor 1.
    ///
    /// The default is 4. The larger the factor is, the sooner agents go to the edges. A negative
    /// factor or NaN counts as 0.
    #[must_use]
    pub fn access_factor(&self) -> f64 {
        self.access_factor
    }

    /// Changes the [`access_factor`](Self::access_factor).
    pub fn set_access_factor(&mut self, access_factor: f64) {
        self.access_factor = access_factor;
        self.version = Version::next();
    }

    /// Makes agents [slow down](Self::easing) at waypoints.
    #[must_use]
    pub fn with_easing(self, easing: WaypointSlowdown) -> Self {
        Self { easing: Some(easing), ..self }
    }

    /// Returns the waypoints and the edges between them.
    #[must_use]
    pub fn graph(&self) -> &WaypointGraph {
        &self.graph
    }

    /// Returns the waypoints and edges for edits. After the call, the graph is
    /// [ready](Self::is_ready).
    ///
    /// Call the method through `Mut<NavGraph>`, so that Bevy marks the component as changed.
    ///
    /// # Complexity
    /// O(waypoints + edges) for the first edit in a tick, because the plugin compares the graph
    /// with its former state.
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

    /// Returns whether the graph is ready, so that agents can walk on it: the graph was built in
    /// code, or its asset has been loaded.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Makes agents wait until the graph is filled again.
    #[cfg(feature = "waypoint_asset")]
    pub(crate) fn set_not_ready(&mut self) {
        self.ready = false;
        self.version = Version::next();
    }

    /// Returns the options for a route search on this graph, as the search core takes them.
    #[must_use]
    pub fn route_options(&self) -> RouteOptions {
        let access_factor = if self.access_factor > 0.0 { self.access_factor } else { 0.0 };
        RouteOptions { access_factor: access_factor.min(tilepath::waypoint::WaypointEdge::MAX_FACTOR) }
    }

    /// Returns the place at a position of this graph. If a waypoint is within the rounding error of
    /// the position, the place is this waypoint.
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
