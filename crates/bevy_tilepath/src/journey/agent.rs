//! What an agent is made of.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity_disabling::Disabled,
    intern::Interned,
    lifecycle::{HookContext, Remove},
    observer::On,
    query::{Allow, Has},
    reflect::ReflectComponent,
    schedule::ScheduleLabel,
    system::{Commands, Query},
    world::DeferredWorld,
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;

use crate::{
    failure::PathFailure,
    journey::{
        halt::Halt, interpolate::DrawnPosition, number::AgentNumber, path::AgentPath,
        standing_on::StandingOn, stepwise::Stepwise,
    },
    order::{
        pending_event::PendingEvent, queue::RequestQueue, request::PathRequest, state::RequestState,
        status::PathStatus,
    },
    route::speed::{Gait, Speed, TerrainSpeed},
};

/// Makes an entity walk: give it a [`PathRequest`](crate::PathRequest) and it goes there.
///
/// Its position is a point: on a tile map it follows the centres of the cells of its path, on a [`NavGraph`](crate::NavGraph)
/// its edges, and leaves `z` and the rest of its `Transform` alone. Several agents may stand on one cell, unless they are
/// [bodies](crate::Body). How it moves, and how many cells it covers, says [`AgentMovement`](crate::AgentMovement).
///
/// It may be the child of anything; speed and path stay in world space. Writing x or y of its `Transform`
/// is a teleport: put onto a later cell or edge of its path it goes on from there, anywhere else the rest of the
/// journey is [`Replanned`](crate::events::Replanned), to the same goal, or to the one of several that is nearest now.
///
/// # Turns
/// In a game of turns it goes step by step: see [`StepAgent`](crate::agents::StepAgent).
///
/// # Examples
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{Motion, PathAgent, PathStatus};
///
/// let mut world = World::new();
/// let soldier = world.spawn(PathAgent { speed: 96.0.into(), ..PathAgent::default() });
/// assert_eq!(soldier.get::<PathStatus>(), Some(&PathStatus::Idle));
/// assert!(soldier.contains::<Motion>());
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[component(on_remove = agent_removed)]
#[doc(alias = "navmesh agent", alias = "steering")]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[require(Transform, PathStatus, Motion, AgentNumber, RequestState, StandingOn, DrawnPosition)]
pub struct PathAgent {
    /// How fast it walks: world units per second, or cells per second. The edges of a graph may multiply it
    /// ([`WaypointEdge::speed`](tilepath::waypoint::WaypointEdge::speed)).
    pub speed: Speed,
    /// What the ground does to its speed. By default nothing.
    pub terrain_speed: TerrainSpeed,
    /// Holds it where it is. Its order stays, and it goes on when this is false again.
    pub paused: bool,
}

impl Default for PathAgent {
    /// 64 world units per second.
    fn default() -> Self {
        Self { speed: Speed::World(64.0), terrain_speed: TerrainSpeed::Constant, paused: false }
    }
}

impl PathAgent {
    /// Whether its speed must be a mistake.
    pub(crate) fn has_bad_speed(self) -> bool {
        self.speed.rate().is_nan() || self.speed.rate() < 0.0
    }

    /// Why it can begin no step on any way, if it is within so many of its steps already.
    pub(crate) fn halt(self, stepwise: Option<&Stepwise>, begun: u32) -> Option<Halt> {
        let has_steps = stepwise.is_none_or(|stepwise| stepwise.steps > begun);
        let has_speed = self.speed.rate() > 0.0 || stepwise.is_some_and(|stepwise| !stepwise.is_animated);
        match (self.paused, has_steps, has_speed) {
            (true, ..) => Some(Halt::Paused),
            (_, false, _) => Some(Halt::NoSteps),
            (.., false) => Some(Halt::NoSpeed),
            _ => None,
        }
    }

    pub(crate) fn gait(self) -> Gait {
        Gait { speed: self.speed, terrain: self.terrain_speed }
    }
}

impl AgentPath {
    /// How long the rest of the way takes an agent that walks it like this: by its [`speed`](PathAgent::speed), the ground if
    /// that slows it down, and the edges of graphs.
    ///
    /// A pause, edits and other delays are not foreseen. Infinite for an agent that stands still; 0 after arrival.
    /// Before it has set out its way begins where the path does. Of a way that is found [in parts](AgentPath::near_way) it is what is
    /// known of it that counts.
    ///
    /// # Units
    /// Seconds.
    ///
    /// # Complexity
    /// O(points left).
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{AgentPath, PathAgent};
    ///
    /// fn tell(agents: Query<(Entity, &PathAgent, &AgentPath)>) {
    ///     for (entity, agent, path) in &agents {
    ///         println!("{entity} arrives in {:.0} s", path.seconds_left(agent));
    ///     }
    /// }
    /// # let _ = IntoSystem::into_system(tell);
    /// ```
    #[must_use]
    pub fn seconds_left(&self, agent: &PathAgent) -> f64 {
        self.seconds_left_at(agent.gait())
    }
}

/// An agent that stops being one on its way has lost it.
fn agent_removed(mut world: DeferredWorld, context: HookContext) {
    // Nothing takes it to the end of its step any more: it is in the nearer cell, also as a body.
    if let Some(mut standing_on) = world.get_mut::<StandingOn>(context.entity) {
        standing_on.set_free();
    }
    let Some(state) = world.get::<RequestState>(context.entity) else { return };
    let Some(order) = state.order_of(context.entity) else { return };
    if state.answered
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.tell(order, PendingEvent::Lost(PathFailure::AgentRemoved));
    }
}

/// How an agent moves, for animation.
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
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

/// With an order that is cancelled its journey ends.
fn forget_path(
    cancelled: On<Remove, PathRequest>,
    mut agents: Query<(&RequestState, Option<&mut Motion>, Has<AgentPath>), Allow<Disabled>>,
    mut commands: Commands,
) {
    let Ok((state, motion, has_path)) = agents.get_mut(cancelled.entity) else { return };
    if state.discarded.is_none() {
        return;
    }
    if let Some(mut motion) = motion {
        motion.velocity = Vec2::ZERO;
    }
    if has_path {
        // It runs before the next order can be answered.
        commands.entity(cancelled.entity).try_remove::<AgentPath>();
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<PathAgent>()
        .register_type::<Motion>()
        .register_type::<AgentPath>()
        .add_observer(forget_path);
    crate::journey::number::plugin(app);
    crate::journey::stepwise::plugin(app);
    crate::journey::parents::plugin(app, schedule);
}
