//! The order to find a path.

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

/// An order: find a path there and, with [`PathAgent`](crate::PathAgent), walk it.
///
/// Insert it to give the order, insert another to replace it, remove it to cancel.
///
/// - It is answered once, by [`PathFound`](crate::events::PathFound) or [`PathFailed`](crate::events::PathFailed).
/// - The journey that [`PathFound`](crate::events::PathFound) begins ends once, by [`Arrived`](crate::events::Arrived)
///   or [`PathLost`](crate::events::PathLost).
/// - When the order ends the plugin removes this component, before the closing event: an observer of
///   that event may insert the next order, even an equal one.
/// - An order that is replaced triggers nothing more. Of several inserted before a tick the last
///   counts. An equal one inserted again while the first stands is the same order: nothing happens.
/// - An order that replaces one which waits takes over its place in the queue and, if it leads from the same map to the
///   same cell, its search.
/// - Removing it cancels the order without an event. The agent stops where it is.
/// - It is answered in the next tick, if the budget of work allows. Until then an agent that stands goes on standing, and
///   one that is under way goes on along its old path, of which no event tells any more. The new path begins where
///   it is when the answer is there, also in the middle of a step. If the path that was searched for does not lead over
///   that cell, the agent stands until it has been searched for from there.
/// - Orders may be renewed in every tick, to chase something: if a search is not over when the next order comes, that may
///   drop it; the one after that is run to its end, and the agent goes by what it has found until its order is answered.
/// - If the agent is put elsewhere or onto another map while it waits, the answer is the one for where it is now.
/// - Without [`PathAgent`](crate::PathAgent) it is answered, from the entity's own position, and moves
///   nothing: it ends with [`PathFound`](crate::events::PathFound) or [`PathFailed`](crate::events::PathFailed).
///
/// The component is immutable, so that no change can slip past the plugin: to change an order, insert
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
    /// To any goal: a [`Place`], or what turns into one; an entity, [wherever it goes](PathGoal::Entity); or a [`PathGoal`] such as a
    /// cell [beside](PathGoal::beside) something, [within](PathGoal::within) a distance of it or [in sight](PathGoal::in_sight) of it,
    /// or [away](PathGoal::flee) from several.
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

    /// To a position in the world: on a tile map to the centre of the cell under it, on a graph to the very position,
    /// along the graph as far as that is cheapest. A position at a waypoint stands for that waypoint, and goes with it.
    #[must_use]
    pub fn to_position(position: Vec2) -> Self {
        Self::to(position)
    }

    /// To a cell of the map: a [`Cell`](tilepath::Cell) or its coordinates.
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

    /// To a tile of the map's own tilemap, however its tiles lie; where the map has none, to a tile of an endless one whose
    /// tile (0, 0) lies on cell (0, 0).
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

    /// To a tile of a tilemap that is a [`NavLayer`](crate::NavLayer) of the map, or the map's own. If it is neither, the order
    /// fails with [`NotALayer`](crate::PathFailure::NotALayer).
    #[cfg(feature = "tilemap")]
    #[must_use]
    pub fn to_tile_of(tilemap: Entity, tile: TilePos) -> Self {
        Self::to(Place::Tile { tile: tile.into(), tilemap: Some(tilemap) })
    }

    /// To a waypoint of a graph, by its id.
    ///
    /// Of an agent on a tile map, to the only graph that has a waypoint of this id, through [`Door`](crate::doors::Door)s.
    /// An id that no graph has fails with [`UnknownWaypoint`](crate::PathFailure::UnknownWaypoint).
    ///
    /// ```
    /// use bevy_tilepath::{PathGoal, PathRequest, Place};
    /// assert_eq!(PathRequest::to_waypoint("n5").goal(), &PathGoal::One(Place::Waypoint("n5".into())));
    /// ```
    #[must_use]
    pub fn to_waypoint(id: impl Into<Arc<str>>) -> Self {
        Self::to(Place::Waypoint(id.into()))
    }

    /// To a place on that map or graph, by way of [`Door`](crate::doors::Door)s.
    ///
    /// Left out, the goal lies on the agent's own map; a waypoint, if that is a tile map, on the only graph that has it,
    /// and a cell, if that is a graph, on the only tile map.
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

    /// To whichever of these places is cheapest to reach: the nearest tree, the nearest free cover.
    ///
    /// - Nearest means by the cost of the way, not as the crow flies. Of several at the same cost it is the
    ///   first in the list. Places that cannot be reached are left out.
    /// - [`PathFound`](crate::events::PathFound), [`Replanned`](crate::events::Replanned), [`Arrived`](crate::events::Arrived) and
    ///   [`AgentPath::chosen`](crate::AgentPath::chosen) say which one it is, by its index in the list.
    /// - If none can be reached the request fails with [`Unreachable`](crate::PathFailure::Unreachable) or,
    ///   with [`or_closest`](Self::or_closest), leads to the reachable cell nearest to the first in the list.
    /// - On a tile map the places stand for the cells under them when the request is accepted. Whenever the journey is
    ///   planned again the nearest of them all is chosen, from where the agent is then: it may be another one.
    ///   An agent whose way stays as it was planned keeps its goal until another one is cheaper to reach by more than the order
    ///   [tolerates](Self::with_tolerance).
    /// - All have to be on the map, or the request fails with
    ///   [`GoalOutOfBounds`](crate::PathFailure::GoalOutOfBounds) or
    ///   [`UnknownWaypoint`](crate::PathFailure::UnknownWaypoint); without any it fails with
    ///   [`NoGoals`](crate::PathFailure::NoGoals).
    /// - On a tile map it is one search, Dijkstra's, however many the places, and within the budget of work as any other;
    ///   to look a place up counts as two expanded cells. [`with_algorithm`](Self::with_algorithm) makes no
    ///   difference.
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

    /// Along a path over the cells of the agent's map, to its end: the way that was shown before the click.
    ///
    /// - The path is checked when the order is accepted: it has to begin at the cell where the agent stands, or the order
    ///   fails with [`PathBeginsElsewhere`](crate::PathFailure::PathBeginsElsewhere), and every step has to be allowed
    ///   and cost what it did, or it fails with [`PathOutdated`](crate::PathFailure::PathOutdated). It need not be the
    ///   cheapest.
    /// - When the way is blocked later on, the journey is planned again to the last cell of the path, as any other.
    ///   [`or_closest`](Self::or_closest), [`with_limit`](Self::with_limit) and
    ///   [`with_algorithm`](Self::with_algorithm) say how.
    /// - To check a path counts as one expanded cell for each of its cells.
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

    /// If the goal cannot be reached, to the reachable cell nearest to it instead.
    ///
    /// Such an answer is a [`PathFound`](crate::events::PathFound) that says `partial`. Of several goals none of
    /// which can be reached it is the first that counts. On a graph it leads to the reachable waypoint nearest to the
    /// goal. A goal on another map that no door leads to is [`Unreachable`](crate::PathFailure::Unreachable) all the same.
    #[must_use]
    pub fn or_closest(self) -> Self {
        Self { closest: true, ..self }
    }

    /// The same without [`or_closest`](Self::or_closest).
    pub(crate) fn or_exactly(self) -> Self {
        Self { closest: false, ..self }
    }

    /// With another algorithm than the automatic choice: on large maps [`Algorithm::Near`] finds a way that is nearly the
    /// cheapest, and much sooner; over more than 128 cells an agent sets out when the first [part](crate::AgentPath::near_way)
    /// of it is known. The path says how much more it costs at most
    /// ([`Path::percent_above_cheapest`](tilepath::Path::percent_above_cheapest)). It makes no difference to
    /// [`to_nearest`](Self::to_nearest), on graphs, and on ways through [`Door`](crate::doors::Door)s: by those the algorithm's way on
    /// the own map is only replaced where one is cheaper. Where many near orders lead to one goal a [near
    /// field](tilepath::field::NearField) answers them; one that names another algorithm is searched for by itself.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Gives up after this many expanded cells, with [`PathFailure::LimitReached`](crate::PathFailure) or,
    /// with [`or_closest`](Self::or_closest), at the best cell met until then. The search for the
    /// [nearest](Self::to_nearest) of several goals, one along a graph, and one through [`Door`](crate::doors::Door)s
    /// know no best cell: they give up in either case. If only what doors may save was still open, the way on the own map
    /// is the answer.
    #[must_use]
    pub fn with_limit(self, expansions: u64) -> Self {
        Self { limit: Some(expansions), ..self }
    }

    /// How much worse than the cheapest way the agent's own may become before a better one is looked for: as a part of what the
    /// cheapest costs. By default 0.1: while a gate opens, a road is built or danger passes, no agent walks a way that costs
    /// more than 1.1 times what it has to.
    ///
    /// 0 is always the cheapest way there is; infinity keeps any way that can be walked. A search is made only where it could
    /// find something: as long as the rest of the way is proven good enough, nothing is searched, however much of the map
    /// changes. While a search runs the agent walks on, and if that finds nothing better by so much, it keeps its way; otherwise it
    /// is [`Replanned`](crate::events::Replanned).
    ///
    /// - A cell where the agent's way was lost counts again only when it has been open for a while, each time for longer:
    ///   a gate that opens and closes for ever does not make it turn back for ever.
    /// - What opens on any map matters that the way leads over, or that doors lead to: cells, edges, and [`Door`](crate::doors::Door)s. A
    ///   wall that goes up, an edge that is cut and a door that closes elsewhere cost nothing.
    /// - Along graphs and through doors costs are sums of floats, and what saves less than a millionth of a way counts as nothing. Where
    ///   more than 16 doors lead to a map, or the scale of a map changes, less is known than could be: then one search tells.
    /// - Ways by an [algorithm](Self::with_algorithm) that is not exact, and [along](Self::along) a given path, are kept while they can
    ///   be walked. With a [limit](Self::with_limit), what doors may save is only as well known as the search found out.
    /// - A way to the [closest](Self::or_closest) cell is given up as soon as the goal itself can be reached.
    ///
    /// NaN and negative values fail with [`InvalidTolerance`](crate::PathFailure::InvalidTolerance).
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

    /// By another movement than the agent's [`AgentMovement`] or the map's own rules, as long as the order stands.
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

    /// Where it leads.
    #[must_use]
    pub fn goal(&self) -> &PathGoal {
        &self.goal
    }

    /// The map it names for its goal.
    #[must_use]
    pub fn goal_map(&self) -> Option<Entity> {
        self.goal_map
    }

    /// Whether the nearest reachable cell will do.
    #[must_use]
    pub fn wants_closest(&self) -> bool {
        self.closest
    }

    /// The algorithm asked for.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The movement that it names.
    #[must_use]
    pub fn movement(&self) -> Option<&AgentMovement> {
        self.movement.as_ref()
    }

    /// How much worse than the cheapest way the agent's own may become.
    #[must_use]
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// What is wrong with it on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let is_valid = self.tolerance >= 0.0;
        (!is_valid).then_some(PathFailure::InvalidTolerance).or_else(|| self.goal.fault())
    }

    /// Whether its way is to be compared with the cheapest one as long as it is walked.
    pub(crate) fn is_watched(&self) -> bool {
        self.tolerance.is_finite()
            && self.algorithm.is_exact()
            && !matches!(self.goal, PathGoal::Along(_))
            && self.goal.budget().is_none()
    }

    /// After how many expanded cells it gives up.
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
    // Orders given before the plugin was added met no queue. Their stops stay as they have been edited since.
    let world = app.world_mut();
    let early: Vec<Entity> = world.query_filtered::<Entity, With<PathRequest>>().iter(world).collect();
    for entity in early {
        give_number(world.into(), entity);
    }
}
