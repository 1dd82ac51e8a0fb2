//! The order to find a path.
//!
//! Decision: `docs/decisions/32-order-and-agent-numbers.md`.

mod entities;
mod options;
mod stops;

#[cfg(feature = "serde")]
use bevy_ecs::reflect::ReflectComponent;
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use std::sync::Arc;

use bevy_app::App;
use bevy_ecs::{
    component::Component, entity::Entity, intern::Interned, query::With, schedule::ScheduleLabel,
};
#[cfg(feature = "tilemap")]
use bevy_ecs_tilemap::tiles::TilePos;
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use tilepath::{Algorithm, Path};

use crate::{
    core_types,
    failure::PathFailure,
    map::{cells::ToCell, movement::AgentMovement, place::Place},
    order::{
        approach::Approach,
        goal::PathGoal,
        queue::RequestQueue,
        state::{RequestState, give_number, request_discarded, request_inserted, request_removed},
        status::PathStatus,
        stop::Stop,
        stops::{PathStops, Repeat},
        target::PathTarget,
    },
};

/// An order to find a path. If the entity has [`PathAgent`](crate::PathAgent), it also walks the
/// path. Insert the component to give an order, insert another one to replace the order, and remove
/// the component to cancel the order.
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
///
/// # The life of an order
/// The component is immutable, so that the plugin sees every change. To change an order, insert
/// another one.
///
/// - The order is answered once, by [`PathFound`](crate::events::PathFound) or
///   [`PathFailed`](crate::events::PathFailed).
/// - After [`PathFound`](crate::events::PathFound), the order of an agent ends once, by
///   [`Arrived`](crate::events::Arrived) or [`PathLost`](crate::events::PathLost).
/// - When the order ends, the plugin removes this component, and then triggers the last event of
///   the order. An observer of this event may insert the next order, even an equal order.
/// - An order that is replaced no longer triggers events. If several orders are inserted before a
///   tick, the last one counts. If an equal order is inserted before the first order has ended,
///   nothing changes.
/// - An order that replaces a waiting order takes over the position of the old order in the queue.
///   If both orders lead from the same map to the same cell, the new order also takes over the
///   search.
/// - Removing the component cancels the order without an event. The agent stops where it is.
/// - If the budget of work allows, the order is answered in the next tick. An agent that stands
///   keeps standing until the answer. An agent that walks follows its old path until the answer,
///   and the old path no longer triggers events.
/// - When the answer is found, the agent may have walked on, and the new path begins where the
///   agent is at this moment, also in the middle of a step. If the path does not lead over the
///   agent's present cell, the agent stands until a search from this cell has ended.
/// - You may give a new order in every tick, to chase something. A new order may drop a search that
///   has not ended, but the next search runs to its end. The agent follows the path of this search
///   until the newest order is answered.
/// - If the agent is put elsewhere or onto another map while the order waits, the answer begins at
///   the agent's new place.
/// - Without [`PathAgent`](crate::PathAgent) the order is answered from the entity's own position,
///   and no entity is moved. Such an order ends with [`PathFound`](crate::events::PathFound) or
///   [`PathFailed`](crate::events::PathFailed).
#[derive(Component, Debug, Clone, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(
    immutable,
    on_insert = request_inserted,
    on_discard = request_discarded,
    on_remove = request_removed
)]
#[reflect(Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Component, Serialize, Deserialize))]
#[require(Transform, PathStatus, RequestState, PathStops)]
pub struct PathRequest {
    #[entities]
    first: Stop,
    #[entities]
    goal_map: Option<Entity>,
    #[reflect(remote = core_types::Algorithm)]
    algorithm: Algorithm,
    #[entities]
    through: Option<Entity>,
    closest: bool,
    limit: Option<u64>,
    movement: Option<AgentMovement>,
    tolerance: f32,
    follows: bool,
    waits: bool,
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    further_stops: Vec<Stop>,
    repeat: Repeat,
}

impl Default for PathRequest {
    /// Creates an order without a goal, which fails with
    /// [`NoGoals`](crate::PathFailure::NoGoals). Bevy's `bsn!` starts from this value.
    fn default() -> Self {
        Self::to(PathGoal::nearest::<Place>([]))
    }
}

impl PathRequest {
    /// Creates an order to any goal, or to a [`Stop`]. A goal is one of these:
    ///
    /// - a [`Place`], or a value that turns into one;
    /// - an [entity](PathGoal::Entity), also while it moves;
    /// - another [`PathGoal`], such as a cell [beside](PathGoal::beside) a target,
    ///   [within](PathGoal::within) a distance of a target, [in sight](PathGoal::in_sight) of a
    ///   target, or [away](PathGoal::flee) from targets.
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
    pub fn to(stop: impl Into<Stop>) -> Self {
        Self {
            first: stop.into(),
            goal_map: None,
            algorithm: Algorithm::default(),
            through: None,
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

    /// Creates an order to a position in the world. On a tile map, the order leads to the centre of
    /// the cell under the position. On a graph, the order leads to the position itself, by the
    /// cheapest combination of edges and straight lines beside the graph.
    ///
    /// If the position is at a waypoint, the goal is this waypoint, also if the waypoint is moved
    /// later.
    #[must_use]
    pub fn to_position(position: Vec2) -> Self {
        Self::to(position)
    }

    /// Creates an order to a cell of the map. `cell` is a [`Cell`](tilepath::Cell) or the
    /// coordinates of a cell.
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

    /// Creates an order to a tile of the map's own tilemap. The tiles may be squares, diamonds or
    /// hexagons. If the map has no tilemap, tile (0, 0) lies on cell (0, 0) and the tiles have no
    /// bounds.
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
    /// or of the map's own tilemap. If the tilemap is neither, the order fails with
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

    /// Sets the map or graph of the goal. [`Door`](crate::doors::Door)s lead the agent to this map.
    /// It is also the map of all further stops that do not name [another](Self::then_on).
    ///
    /// Without `on_map`, the goal lies on the agent's own map, with two exceptions. If the agent is
    /// on a tile map and the goal is a waypoint, the goal lies on the only graph that has this
    /// waypoint. If the agent is on a graph and the goal is a cell, the goal lies on the only tile
    /// map.
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

    /// Creates an order to one of these places: the place that is cheapest to reach. Examples are
    /// the nearest tree and the nearest free cover.
    ///
    /// - The nearest place is the one with the cheapest path, not with the shortest straight line.
    ///   If several places have the lowest cost, the first of them in the list is chosen. Places
    ///   that cannot be reached are left out.
    /// - [`PathFound`](crate::events::PathFound), [`Replanned`](crate::events::Replanned),
    ///   [`Arrived`](crate::events::Arrived) and [`AgentPath::chosen`](crate::AgentPath::chosen)
    ///   have the index of the chosen place in the list, counted from 0.
    /// - If no place can be reached, the order fails with
    ///   [`Unreachable`](crate::PathFailure::Unreachable). With [`or_closest`](Self::or_closest)
    ///   the order instead leads to the reachable cell nearest to the first place in the list.
    /// - On a tile map, places are converted to cells when the request is accepted. Each new search
    ///   begins at the agent's present cell and chooses among all places again, so the chosen place
    ///   may change.
    /// - As long as the path stays valid, the agent keeps its goal until another place is cheaper
    ///   by more than the order [tolerates](Self::with_tolerance).
    /// - All places must be on the map. Otherwise the order fails with
    ///   [`GoalOutOfBounds`](crate::PathFailure::GoalOutOfBounds) or
    ///   [`UnknownWaypoint`](crate::PathFailure::UnknownWaypoint). If the list is empty, the order
    ///   fails with [`NoGoals`](crate::PathFailure::NoGoals).
    /// - On a tile map, one search by Dijkstra's algorithm finds the nearest of all places. This
    ///   search runs within the budget of work, as any other search, and each place counts as two
    ///   expanded cells. [`with_algorithm`](Self::with_algorithm) has no effect.
    /// - Clones of the request share the list.
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

    /// Creates an order to walk along this path to its last cell. The path leads over cells of the
    /// agent's map. Use it for a path that the game showed to the player before the click.
    ///
    /// - The path is checked when the order is accepted. If it does not begin at the agent's cell,
    ///   the order fails with [`PathBeginsElsewhere`](crate::PathFailure::PathBeginsElsewhere). If
    ///   a step is no longer allowed or its cost has changed, the order fails with
    ///   [`PathOutdated`](crate::PathFailure::PathOutdated). The path need not be the cheapest
    ///   path.
    /// - If the path is blocked later, a search finds another path to the last cell, as for any
    ///   order. [`or_closest`](Self::or_closest), [`with_limit`](Self::with_limit) and
    ///   [`with_algorithm`](Self::with_algorithm) apply to this search.
    /// - The check counts as one expanded cell for each cell of the path.
    /// - Clones of the request share the path.
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
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<PathRequest>()
        .register_type::<PathStatus>()
        .register_type::<PathFailure>()
        .register_type::<PathGoal>()
        .register_type::<PathStops>()
        .register_type::<Stop>()
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
