//! The order to find a path.
//!
//! Decision: `docs/decisions/32-order-and-agent-numbers.md.`.

mod entities;
mod stops;

use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{
    component::Component, entity::Entity, intern::Interned, query::With, schedule::ScheduleLabel,
};
#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::tiles::TilePos;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use tilepath::{Algorithm, Path};

use crate::{
    failure::PathFailure,
    map::{cells::ToCell, movement::AgentMovement, place::Place},
    order::{
        approach::Approach,
        goal::PathGoal,
        queue::RequestQueue,
        state::{RequestState, give_number, request_discarded, request_inserted, request_removed},
        status::PathStatus,
        stops::{PathStops, Repeat},
        target::PathTarget,
    },
};

/// An order to find a path and, if the entity has [`PathAgent`](crate::PathAgent), to walk it.
///
/// Insert it to give the order, insert another to replace it, remove it to cancel.
///
/// - The order is answered once, by [`PathFound`](crate::events::PathFound) or
///   [`PathFailed`](crate::events::PathFailed).
/// - After [`PathFound`](crate::events::PathFound) the order ends once, by
///   [`Arrived`](crate::events::Arrived) or [`PathLost`](crate::events::PathLost).
/// - When the order ends, the plugin removes this component before it triggers the last event. An
///   observer of that event may insert the next order, even an equal one.
/// - An order that is replaced no longer triggers events. If several orders are inserted before a
///   tick, the last one counts. If an equal order is inserted while the first is valid, nothing
///   happens.
/// - An order that replaces a waiting order takes over its place in the queue. If it leads from the
///   same map to the same cell, it also takes over its search.
/// - Removing the component cancels the order without an event. The agent stops where it is.
/// - The order is answered in the next tick, if the budget of work allows. Until then an agent that
///   stands keeps standing. An agent that walks follows its old path, which no longer triggers
///   events.
/// - The new path begins at the agent's place when the answer is there, also in the middle of a
///   step. If the path that was found does not lead over that cell, the agent stands until a search
///   from there has ended.
/// - You may renew an order in every tick, to chase something. A new order may drop a search that
///   has not ended, but the search after it runs to its end. The agent follows the path from that
///   search until the newest order is answered.
/// - If the agent is put elsewhere or onto another map while it waits, the answer is for its new
///   place.
/// - Without [`PathAgent`](crate::PathAgent) the order is answered from the entity's own position,
///   and moves nothing. It ends with [`PathFound`](crate::events::PathFound) or
///   [`PathFailed`](crate::events::PathFailed).
///
/// The component is immutable, so that the plugin sees every change. To change an order, insert
/// another one.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_math::Vec2;
/// use bevy_tilepath::{PathAgent, PathRequest, PathStatus};
///
/// let mut world = World::new();
/// let soldier = world.spawn((PathAgent::default(), PathRequest::to_position(Vec2::new(40.0, 8.0)))).id();
/// world.entity_mut(soldier).remove::<PathRequest>(); // never mind
/// assert_eq!(world.get::<PathStatus>(soldier), Some(&PathStatus::Idle));
/// ```
#[derive(Component, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[component(
    immutable,
    on_insert = request_inserted,
    on_discard = request_discarded,
    on_remove = request_removed
)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[require(Transform, PathStatus, RequestState, PathStops)]
pub struct PathRequest {
    goal: PathGoal,
    #[entities]
    goal_map: Option<Entity>,
    algorithm: Algorithm,
    closest: bool,
    limit: Option<u64>,
    movement: Option<AgentMovement>,
    tolerance: f32,
    follows: bool,
    waits: bool,
    further_stops: Vec<PathGoal>,
    repeat: Repeat,
}

impl PathRequest {
    /// Creates an order to any goal:
    ///
    /// - a [`Place`], or a value that turns into one;
    /// - an entity, [wherever it goes](PathGoal::Entity);
    /// - another [`PathGoal`], such as a cell [beside](PathGoal::beside) a target,
    ///   [within](PathGoal::within) a distance of it, [in sight](PathGoal::in_sight) of it, or
    ///   [away](PathGoal::flee) from several.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cell, PathGoal, PathRequest};
    ///
    /// assert_eq!(PathRequest::to(Cell::new(8, 3)), PathRequest::to_cell((8, 3)));
    /// assert_eq!(PathRequest::to("gate"), PathRequest::to_waypoint("gate"));
    ///
    /// let mut world = World::new();
    /// let door = world.spawn_empty().id();
    /// assert_eq!(PathRequest::to(door).goal(), &PathGoal::Entity(door));
    /// let beside = PathRequest::to(PathGoal::beside(door));
    /// assert_eq!(beside.goal().to_string(), format!("beside entity {door}"));
    /// ```
    #[must_use]
    pub fn to(goal: impl Into<PathGoal>) -> Self {
        Self {
            goal: goal.into(),
            goal_map: None,
            algorithm: Algorithm::default(),
            closest: false,
            limit: None,
            movement: None,
            tolerance: 0.1,
            follows: false,
            waits: false,
            further_stops: Vec::new(),
            repeat: Repeat::Once,
        }
    }

    /// Creates an order to a position in the world. On a tile map it leads to the centre of the
    /// cell under the position. On a graph it leads to the position itself, along the graph as far
    /// as that is cheapest.
    ///
    /// A position at a waypoint stands for this waypoint, and moves with it.
    #[must_use]
    pub fn to_position(position: Vec2) -> Self {
        Self::to(position)
    }

    /// Creates an order to a cell of the map: a [`Cell`](tilepath::Cell) or its coordinates.
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// assert_eq!(PathRequest::to_cell((8, 3)), PathRequest::to_cell(Cell::new(8, 3)));
    /// ```
    #[must_use]
    pub fn to_cell(cell: impl ToCell) -> Self {
        Self::to(cell.to_cell())
    }

    /// Creates an order to a tile of the map's own tilemap, in any layout of its tiles. If the map
    /// has no tilemap, tile (0, 0) lies on cell (0, 0) and the tiles have no bounds.
    ///
    /// ```
    /// use bevy_ecs_tilemap::tiles::TilePos;
    /// use bevy_tilepath::PathRequest;
    ///
    /// let order = PathRequest::to_tile(TilePos::new(8, 3));
    /// assert_eq!(order.goal().to_string(), "tile (8, 3)");
    /// ```
    #[cfg(feature = "tilemap")]
    #[must_use]
    pub fn to_tile(tile: TilePos) -> Self {
        Self::to(tile)
    }

    /// Creates an order to a tile of a tilemap that is a [`NavLayer`](crate::NavLayer) of the map,
    /// or the map's own tilemap. If it is neither, the order fails with
    /// [`NotALayer`](crate::PathFailure::NotALayer).
    #[cfg(feature = "tilemap")]
    #[must_use]
    pub fn to_tile_of(tilemap: Entity, tile: TilePos) -> Self {
        Self::to(Place::Tile { tile: tile.into(), tilemap: Some(tilemap) })
    }

    /// Creates an order to a waypoint of a graph, by its id.
    ///
    /// An agent on a tile map goes through [`Door`](crate::doors::Door)s to the only graph that has
    /// a waypoint of this id. If no graph has it, the order fails with
    /// [`UnknownWaypoint`](crate::PathFailure::UnknownWaypoint).
    ///
    /// ```
    /// use bevy_tilepath::{PathGoal, PathRequest, Place};
    /// assert_eq!(PathRequest::to_waypoint("n5").goal(), &PathGoal::One(Place::Waypoint("n5".into())));
    /// ```
    #[must_use]
    pub fn to_waypoint(id: impl Into<Arc<str>>) -> Self {
        Self::to(Place::Waypoint(id.into()))
    }

    /// Sets the map or graph of the goal. [`Door`](crate::doors::Door)s lead there.
    ///
    /// Without it, the goal lies on the agent's own map, with two exceptions. If the agent is on a
    /// tile map, a waypoint lies on the only graph that has it. If the agent is on a graph, a cell
    /// lies on the only tile map.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// let mut world = World::new();
    /// let cellar = world.spawn_empty().id();
    /// let order = PathRequest::to_cell(Cell::new(2, 2)).on_map(cellar);
    /// assert_eq!(order.goal_map(), Some(cellar));
    /// ```
    #[must_use]
    pub fn on_map(self, map: Entity) -> Self {
        Self { goal_map: Some(map), ..self }
    }

    /// Creates an order to the place in this list that is cheapest to reach: the nearest tree, the
    /// nearest free cover.
    ///
    /// - The nearest place is the one with the cheapest path, not with the shortest straight line.
    ///   Of several at the same cost, the first in the list is chosen. Places that cannot be
    ///   reached are left out.
    /// - [`PathFound`](crate::events::PathFound), [`Replanned`](crate::events::Replanned),
    ///   [`Arrived`](crate::events::Arrived) and [`AgentPath::chosen`](crate::AgentPath::chosen)
    ///   have the index of the chosen place in the list.
    /// - If no place can be reached, the order fails with
    ///   [`Unreachable`](crate::PathFailure::Unreachable). With [`or_closest`](Self::or_closest) it
    ///   leads to the reachable cell nearest to the first place in the list.
    /// - On a tile map the places stand for the cells under them when the request is accepted. Each
    ///   new search chooses the nearest of all places, from where the agent is then: the place may
    ///   change.
    /// - If the path stays as it was planned, the agent keeps its goal until another goal is
    ///   cheaper by more than the order [tolerates](Self::with_tolerance).
    /// - All places must be on the map. Otherwise the order fails with
    ///   [`GoalOutOfBounds`](crate::PathFailure::GoalOutOfBounds) or
    ///   [`UnknownWaypoint`](crate::PathFailure::UnknownWaypoint). With an empty list it fails with
    ///   [`NoGoals`](crate::PathFailure::NoGoals).
    /// - On a tile map one search by Dijkstra's algorithm serves all places. It runs within the
    ///   budget of work as any other search, and each place counts as two expanded cells.
    ///   [`with_algorithm`](Self::with_algorithm) has no effect.
    /// - Clones share the list.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_math::Vec2;
    /// use bevy_tilepath::{Cell, PathAgent, PathGoal, PathRequest, Place};
    ///
    /// #[derive(Component)]
    /// struct Tree(Cell);
    ///
    /// fn to_the_nearest_tree(
    ///     mut commands: Commands,
    ///     idle: Query<Entity, (With<PathAgent>, Without<PathRequest>)>,
    ///     trees: Query<&Tree>,
    /// ) {
    ///     let order = PathRequest::to_nearest(trees.iter().map(|tree| tree.0));
    ///     for lumberjack in &idle {
    ///         commands.entity(lumberjack).insert(order.clone());
    ///     }
    /// }
    ///
    /// let mut world = World::new();
    /// let lumberjack = world.spawn(PathAgent::default()).id();
    /// world.spawn(Tree(Cell::new(7, 3)));
    /// let mut schedule = Schedule::default();
    /// schedule.add_systems(to_the_nearest_tree).run(&mut world);
    /// let goal = world.get::<PathRequest>(lumberjack).unwrap().goal();
    /// assert_eq!(goal, &PathGoal::Nearest([Place::Cell(Cell::new(7, 3))].into()));
    ///
    /// // Positions, and both together.
    /// let by_position = PathRequest::to_nearest([Vec2::new(8.0, 8.0), Vec2::new(72.0, 8.0)]);
    /// let mixed = PathRequest::to_nearest([Place::from(Cell::new(2, 2)), Vec2::new(72.0, 8.0).into()]);
    /// assert_ne!(by_position, mixed);
    /// ```
    #[must_use]
    pub fn to_nearest<P: Into<Place>>(places: impl IntoIterator<Item = P>) -> Self {
        Self::to(PathGoal::nearest(places))
    }

    /// Creates an order along a path over the cells of the agent's map, to its end: the path that a
    /// game showed before the click.
    ///
    /// - The path is checked when the order is accepted. If it does not begin at the agent's cell,
    ///   the order fails with [`PathBeginsElsewhere`](crate::PathFailure::PathBeginsElsewhere). If
    ///   a step is no longer allowed or its cost has changed, the order fails with
    ///   [`PathOutdated`](crate::PathFailure::PathOutdated). The path need not be the cheapest.
    /// - If the path is blocked later, a search finds another path to the last cell, as for any
    ///   order. [`or_closest`](Self::or_closest), [`with_limit`](Self::with_limit) and
    ///   [`with_algorithm`](Self::with_algorithm) apply to this search.
    /// - The check counts as one expanded cell for each cell of the path.
    /// - Clones share the path.
    ///
    /// ```
    /// use bevy_ecs::{prelude::*, system::RunSystemOnce};
    /// use bevy_tilepath::{
    ///     Cell, NavGrid, NavMap, NavQuery, PathAgent, PathGoal, PathRequest, tilepath::Grid,
    /// };
    ///
    /// let mut world = World::new();
    /// world.spawn((NavMap::default(), NavGrid::new(Grid::new(9, 9, 1)?)));
    /// let soldier = world.spawn(PathAgent::default()).id(); // on cell (0, 0)
    ///
    /// world.run_system_once(move |nav: NavQuery, mut commands: Commands| {
    ///     let answer = nav.only_map().unwrap().find(Cell::new(0, 0), Cell::new(8, 4)).unwrap();
    ///     let preview = answer.outcome.path().unwrap(); // draw it, and on a click:
    ///     commands.entity(soldier).insert(PathRequest::along(preview.clone()));
    /// }).unwrap();
    /// let PathGoal::Along(path) = world.get::<PathRequest>(soldier).unwrap().goal() else { panic!("not along") };
    /// assert_eq!(path.goal(), Cell::new(8, 4));
    /// # Ok::<(), bevy_tilepath::tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn along(path: impl Into<Arc<Path>>) -> Self {
        Self::to(PathGoal::along(path))
    }

    /// If the goal cannot be reached, lets the order lead to the reachable cell nearest to it.
    ///
    /// [`PathFound`](crate::events::PathFound) then has `partial` set. If none of several goals can
    /// be reached, the first one counts. On a graph the order leads to the reachable waypoint
    /// nearest to the goal.
    ///
    /// A goal on another map to which no door leads is
    /// [`Unreachable`](crate::PathFailure::Unreachable) also with this option.
    #[must_use]
    pub fn or_closest(self) -> Self {
        Self { closest: true, ..self }
    }

    /// Removes the option [`or_closest`](Self::or_closest).
    pub(crate) fn or_exactly(self) -> Self {
        Self { closest: false, ..self }
    }

    /// Sets another algorithm than the automatic choice. On large maps [`Algorithm::Near`] finds a
    /// nearly cheapest path, and much sooner. Over more than 128 cells the agent sets out when the
    /// first [part](crate::AgentPath::near_way) of the path is known.
    ///
    /// [`Path::percent_above_cheapest`](tilepath::Path::percent_above_cheapest) is how much more
    /// the path costs at most. If many near orders lead to one goal, a
    /// [near field](tilepath::field::NearField) answers them. An order with another algorithm has a
    /// search of its own.
    ///
    /// The algorithm has no effect on [`to_nearest`](Self::to_nearest), on graphs, and on routes
    /// through [`Door`](crate::doors::Door)s. Such a route replaces the algorithm's path on the
    /// agent's own map only if the route is cheaper.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Sets the number of expanded cells after which the search gives up. The order then fails with
    /// [`PathFailure::LimitReached`](crate::PathFailure), or with [`or_closest`](Self::or_closest)
    /// leads to the best cell found until then.
    ///
    /// A search for the [nearest](Self::to_nearest) of several goals, along a graph, or through
    /// [`Door`](crate::doors::Door)s has no best cell: it fails with both options. If the search on
    /// the agent's own map has ended, and only cheaper routes through doors are still possible, the
    /// answer is the path on the own map.
    #[must_use]
    pub fn with_limit(self, expansions: u64) -> Self {
        Self { limit: Some(expansions), ..self }
    }

    /// Sets how much worse than the cheapest path the agent's path may become before a search looks
    /// for a better one. The value is a part of the cheapest cost. The default is 0.1: if a gate
    /// opens, a road is built or danger passes, no agent walks a path that costs more than 1.1
    /// times the cheapest.
    ///
    /// With 0 the agent always takes the cheapest path. With infinity it keeps any path that can be
    /// walked. A search runs only if it may find something: while the rest of the path is proven
    /// good enough, no search runs, however much the map changes.
    ///
    /// While a search runs, the agent walks on. If the search finds no path that is better by so
    /// much, the agent keeps its path. Otherwise it is [`Replanned`](crate::events::Replanned).
    ///
    /// - If the agent's path was lost at a cell, this cell counts again only after it has been open
    ///   for a while, each time for longer. So a gate that opens and closes forever does not make
    ///   the agent turn back forever.
    /// - All openings on maps that the path crosses, or to which doors lead, are taken into
    ///   account: cells, edges and [`Door`](crate::doors::Door)s. A wall that goes up, an edge that
    ///   is cut or a door that closes away from the path costs no work.
    /// - On graphs and through doors, costs are sums of floats. A saving of less than a millionth
    ///   of the path's cost does not count. If more than 16 doors lead to a map, or the scale of a
    ///   map changes, the proof is weaker: then one search decides.
    /// - Paths by an [algorithm](Self::with_algorithm) that is not exact, and [along](Self::along)
    ///   a given path, are kept while they can be walked. With a [limit](Self::with_limit), savings
    ///   through doors are known only as far as the search came.
    /// - A path to the [closest](Self::or_closest) cell is dropped as soon as the goal itself can
    ///   be reached.
    ///
    /// NaN and negative values fail with
    /// [`InvalidTolerance`](crate::PathFailure::InvalidTolerance).
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// let scout = PathRequest::to_cell(Cell::new(8, 3)).with_tolerance(0.0);
    /// assert_eq!(scout.tolerance(), 0.0);
    /// ```
    #[must_use]
    pub fn with_tolerance(self, tolerance: f32) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets another movement than the agent's [`AgentMovement`] or the map's own rules, for this
    /// order.
    ///
    /// ```
    /// use bevy_tilepath::{AgentMovement, Cell, PathRequest};
    ///
    /// let order = PathRequest::to_cell(Cell::new(8, 3)).with_movement("boat");
    /// assert_eq!(order.movement(), Some(&AgentMovement::Named("boat".into())));
    /// ```
    #[must_use]
    pub fn with_movement(self, movement: impl Into<AgentMovement>) -> Self {
        Self { movement: Some(movement.into()), ..self }
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> &PathGoal {
        &self.goal
    }

    /// Returns the map that the order names for its goal.
    #[must_use]
    pub fn goal_map(&self) -> Option<Entity> {
        self.goal_map
    }

    /// Returns whether the nearest reachable cell is enough.
    #[must_use]
    pub fn wants_closest(&self) -> bool {
        self.closest
    }

    /// Returns the algorithm of the order.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the movement that the order names.
    #[must_use]
    pub fn movement(&self) -> Option<&AgentMovement> {
        self.movement.as_ref()
    }

    /// Returns how much worse than the cheapest path the agent's path may become.
    #[must_use]
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// Returns the failure if the order is invalid on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let is_valid = self.tolerance >= 0.0;
        (!is_valid).then_some(PathFailure::InvalidTolerance).or_else(|| self.goal.fault())
    }

    /// Returns whether the path is compared with the cheapest one while the agent walks.
    pub(crate) fn is_watched(&self) -> bool {
        self.tolerance.is_finite()
            && self.algorithm.is_exact()
            && !matches!(self.goal, PathGoal::Along(_))
            && self.goal.budget().is_none()
    }

    /// Returns the number of expanded cells after which the search gives up.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<PathRequest>()
        .register_type::<PathStatus>()
        .register_type::<PathFailure>()
        .register_type::<PathGoal>()
        .register_type::<PathStops>()
        .register_type::<Repeat>()
        .register_type::<PathTarget>()
        .register_type::<Approach>()
        .register_type::<Place>()
        .init_resource::<RequestQueue>();
    // Orders from before the plugin was added are not in the queue. Their stops may have been
    // edited, and stay as they are.
    let world = app.world_mut();
    let early: Vec<Entity> = world.query_filtered::<Entity, With<PathRequest>>().iter(world).collect();
    for entity in early {
        give_number(world.into(), entity);
    }
}
