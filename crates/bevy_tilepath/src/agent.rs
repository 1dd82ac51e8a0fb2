//! What an agent is made of.

mod footing;
mod ground;
mod leg;
mod number;
mod pace;
mod path;
mod place;
mod roads;
mod track;

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityHashSet},
    intern::Interned,
    lifecycle::HookContext,
    reflect::ReflectComponent,
    schedule::ScheduleLabel,
    world::DeferredWorld,
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;

pub use leg::PathLeg;
pub use number::AgentNumber;
pub use pace::Easing;
pub use path::AgentPath;

pub(crate) use footing::{DoorSide, Footing, Standing};
pub(crate) use ground::Ground;
pub(crate) use leg::{CellCourse, Course, Entrance, FoundLeg};
pub(crate) use number::precedence;
pub(crate) use pace::{Moved, Pace};
pub(crate) use path::{Found, Passed, Progress};
pub(crate) use place::{ParentPlaces, place_parents};
pub(crate) use roads::Roads;
pub(crate) use track::{Track, local_point, position_of};

use crate::{
    failure::PathFailure,
    interpolate::DrawnPosition,
    request::{Notice, RequestQueue, RequestTicket},
};

/// Makes an entity walk: give it a [`PathRequest`](crate::PathRequest) and it goes there.
///
/// The walker is a point: on a tile map it follows the centres of the cells of its path, on a
/// [`NavGraph`](crate::NavGraph) its edges, and leaves `z` and the rest of its `Transform` alone. Several agents may
/// stand on one cell.
///
/// It may be the child of anything; speed and path stay in world space. Writing x or y of its `Transform`
/// is a teleport: put onto a later cell or edge of its path it goes on from there, anywhere else the rest of the
/// journey is [`Replanned`](crate::Replanned), to the same goal, or to the one of several that is nearest now.
///
/// # Turns
/// In a game of turns your own code may do the walking: with a [`speed`](Self::speed) of 0 write the next of
/// [`AgentPath::points`](crate::AgentPath::points), the one at [`next_point`](crate::AgentPath::next_point), into x and y
/// of the `Transform`, one a turn, in the space of its parent. [`WaypointReached`](crate::WaypointReached),
/// [`DoorPassed`](crate::DoorPassed) and [`Arrived`](crate::Arrived) are told in the next tick as if it had walked, and
/// edits ahead replan the rest.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{AgentPath, PathAgent};
/// use bevy_transform::components::Transform;
///
/// fn end_turn(mut pawns: Query<(&AgentPath, &mut Transform), With<PathAgent>>) {
///     for (path, mut transform) in &mut pawns {
///         if let Some(next) = path.points().get(path.next_point()) {
///             transform.translation = next.extend(transform.translation.z);
///         }
///     }
/// }
/// # let _ = IntoSystem::into_system(end_turn);
/// ```
///
/// # Examples
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{Motion, PathAgent, PathStatus};
///
/// let mut world = World::new();
/// let soldier = world.spawn(PathAgent { speed: 96.0, ..PathAgent::default() });
/// assert_eq!(soldier.get::<PathStatus>(), Some(&PathStatus::Idle));
/// assert!(soldier.contains::<Motion>());
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[component(on_remove = agent_removed)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[require(Transform, PathStatus, Motion, AgentNumber, RequestTicket, Footing, DrawnPosition)]
pub struct PathAgent {
    /// How fast it walks.
    ///
    /// # Units
    /// World units per second, the same on every terrain; the edges of a graph may multiply it
    /// ([`WaypointEdge::speed`](tilepath::WaypointEdge::speed)). 0: it stands still, unless your own code moves it.
    /// Negative and NaN are mistakes: it stands still, too, and a warning names it. Infinite: it arrives in the tick in
    /// which its path is found, even if no time goes by.
    pub speed: f32,
    /// Holds it where it is. Its order stays, and it goes on when this is false again.
    pub paused: bool,
}

impl Default for PathAgent {
    /// 64 world units per second.
    fn default() -> Self {
        Self { speed: 64.0, paused: false }
    }
}

impl PathAgent {
    /// Whether its speed is one that nobody can have meant.
    pub(crate) fn has_bad_speed(self) -> bool {
        self.speed.is_nan() || self.speed < 0.0
    }
}

/// An agent that stops being one on its way has lost it.
fn agent_removed(mut world: DeferredWorld, context: HookContext) {
    let Some(ticket) = world.get::<RequestTicket>(context.entity) else { return };
    let Some(order) = ticket.order_of(context.entity) else { return };
    if ticket.is_answered()
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.notices.push((order, Notice::Lost(PathFailure::AgentRemoved)));
    }
}

/// What the plugin is doing for an entity. Written by the plugin; read it as you like.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub enum PathStatus {
    /// There is no order: none was given, it was cancelled, or it was the request of an entity
    /// without [`PathAgent`] and has been answered.
    #[default]
    Idle,
    /// There is no map yet, or its tiles have not been read, or its graph has not been loaded.
    WaitingForMap,
    /// The request waits for its turn. An agent that was under way goes on along its old path.
    Queued,
    /// The search is under way. An agent that was under way goes on along its old path.
    Searching,
    /// On the way. It may stand still for a moment while a blocked way is replanned.
    Following,
    /// On the way, held by [`PathAgent::paused`].
    Paused,
    /// At the end of its path: at the centre of the last cell, or at the waypoint or position asked for.
    Arrived,
    /// The request could not be answered with a path, or the way was lost.
    Failed(PathFailure),
}

/// How an agent moves, for animation.
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct Motion {
    /// World units per second; zero at rest.
    pub velocity: Vec2,
    /// The direction last walked, of length 1. At first (0, -1), towards the viewer.
    pub facing: Vec2,
}

impl Default for Motion {
    fn default() -> Self {
        Self { velocity: Vec2::ZERO, facing: Vec2::NEG_Y }
    }
}

/// The map an agent walks on: a tile map, or a [`NavGraph`](crate::NavGraph).
///
/// With one map in the world it may be left out: the plugin inserts it with the first path, and changes it as the
/// agent passes a [`Door`](crate::Door). With several maps it is needed, or the request fails with [`PathFailure::AmbiguousMap`]. Inserting
/// another map on the way replans there, by the same order. When the map is despawned the component
/// goes with it, the agent stays.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
#[relationship(relationship_target = MapAgents)]
pub struct OnMap(#[entities] pub Entity);

/// The agents on a map: the other side of [`OnMap`]. In no particular order.
#[derive(Component, Debug, Default, Reflect)]
#[reflect(Component, Default, Debug)]
#[relationship_target(relationship = OnMap)]
pub struct MapAgents(EntityHashSet);

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<PathAgent>()
        .register_type::<PathStatus>()
        .register_type::<PathFailure>()
        .register_type::<Motion>()
        .register_type::<OnMap>()
        .register_type::<MapAgents>()
        .register_type::<AgentPath>();
    number::plugin(app);
}
