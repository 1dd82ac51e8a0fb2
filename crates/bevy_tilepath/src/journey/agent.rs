//! The components of an agent.
//!
//! Decision: `docs/decisions/39-scenes.md`.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity_disabling::Disabled,
    intern::Interned,
    lifecycle::HookContext,
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
    bevy_version::OnRemove,
    failure::PathFailure,
    journey::{
        halt::Halt,
        interpolate::DrawnPosition,
        number::AgentNumber,
        path::{AgentPath, outline::PathOutline},
        standing_on::StandingOn,
        stepwise::Stepwise,
    },
    order::{
        pending_event::PendingEvent, queue::RequestQueue, request::PathRequest, state::RequestState,
        status::PathStatus,
    },
    route::{
        speed::{Gait, Speed, TerrainSpeed},
        walked_line::{LineStyle, PathLine, WalkMode},
    },
};

/// The largest offset from the centres of cells.
const MOST_SPREAD: f32 = 0.4;

/// The code that moves an agent along its path.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{Motion, PathAgent, agents::Drive};
///
/// #[derive(Component)]
/// struct LinearVelocity(bevy_math::Vec2); // the one of your physics engine
///
/// fn drive(mut units: Query<(&Motion, &mut LinearVelocity)>) {
///     for (motion, mut velocity) in &mut units {
///         velocity.0 = motion.velocity;
///     }
/// }
/// # let _ = IntoSystem::into_system(drive);
/// let guard = PathAgent { drive: Drive::Velocity, ..PathAgent::default() };
/// assert_eq!(PathAgent::default().drive, Drive::Transform);
/// # let _ = guard;
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Drive {
    /// The plugin writes x and y of the agent's `Transform`.
    #[default]
    Transform,
    /// Other code moves the agent, such as a physics engine. The plugin never writes its
    /// `Transform`. It writes the velocity that the agent wants into [`Motion::velocity`], in each
    /// tick. Copy it to the component of your engine, after
    /// [`TilepathSystems::Follow`](crate::TilepathSystems::Follow).
    ///
    /// - A point of the path is passed when the agent is within half a cell of it, and can go
    ///   straight to the next one. The agent has arrived when it is within a tenth of a cell from
    ///   the last point. If something else rests there, the agent does not arrive.
    /// - An order near a target, or away from targets, such as
    ///   [`within`](crate::PathGoal::within), ends on any cell of its region, wherever in it the
    ///   agent stands.
    /// - If the agent is pushed aside and is still on a cell of its path, it goes on from there. If
    ///   it is beside the cells of its path for more than 8 ticks, it is
    ///   [`Replanned`](crate::events::Replanned).
    /// - In one tick the velocity leads at most to the next point of the path, so a very fast agent
    ///   is slower than its speed.
    /// - If the agent makes no progress for a second, [`Stuck`](crate::events::Stuck) is triggered.
    /// - At a door that leaps, [`DoorPassed`](crate::events::DoorPassed) is triggered, and your
    ///   code moves the agent to the other end. If your code puts the agent out of another door,
    ///   onto open ground of its map, the agent has left that door.
    /// - [Bodies](crate::Body) are moved by the plugin all the same.
    ///
    /// A physics engine may insert its resources when the app is complete, as `avian2d` does. If you
    /// step the app by hand with [`App::update`](bevy_app::App::update), call
    /// [`App::finish`](bevy_app::App::finish) first. [`App::run`](bevy_app::App::run) calls it.
    Velocity,
}

/// Makes an entity walk. Add this component to a unit, then give the unit a
/// [`PathRequest`](crate::PathRequest): the unit walks to the goal of the request.
///
/// - On a tile map the agent walks along the centres of the cells of its path. On a
///   [`NavGraph`](crate::NavGraph) it walks along the edges. The plugin writes x and y of its
///   `Transform`, and does not change `z`, rotation or scale.
/// - Several agents may stand on one cell, unless they are [bodies](crate::Body).
/// - [`AgentMovement`](crate::AgentMovement) sets the ground that the agent may enter, the cost of
///   its steps, and the number of cells that it covers.
/// - The agent may be the child of any entity. Its speed and its path are always in world space.
/// - If other code writes x or y of the agent's `Transform`, the agent is teleported. If the new
///   place is on a later cell or edge of its path, the agent walks on from there. Otherwise the
///   agent is [`Replanned`](crate::events::Replanned) to the same goal. If its order has several
///   goals, it is replanned to the goal that is nearest now.
/// - If the plugin runs in a fixed schedule, a write of the drawn position, outside the fixed
///   schedules, by less than a sixteenth of a cell is no teleport: it changes nothing. For an agent at
///   rest such writes add up. To draw an agent elsewhere, move a child of it.
///
/// # Turns
/// In a turn-based game an agent walks step by step: see [`StepAgent`](crate::agents::StepAgent).
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_remove = agent_removed)]
#[doc(alias = "navmesh agent", alias = "steering")]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[require(Transform, PathStatus, Motion, AgentNumber, RequestState, StandingOn, DrawnPosition)]
pub struct PathAgent {
    /// The speed, in world units per second or cells per second. The edges of a graph may multiply
    /// this speed ([`WaypointEdge::speed`](tilepath::waypoint::WaypointEdge::speed)).
    pub speed: Speed,
    /// The effect of the ground on the speed. By default no effect: [`TerrainSpeed::Constant`].
    pub terrain_speed: TerrainSpeed,
    /// The line that the agent walks along the cells of its path. By default
    /// [`PathLine::Cells`]: from centre to centre.
    pub line: PathLine,
    /// The largest offset of the agent from the centres of cells, along each axis of the map. Set
    /// it if many units walk the same path and are not to walk in one file.
    ///
    /// Each agent keeps the offset that follows from its
    /// [`AgentNumber`](crate::agents::AgentNumber). It has no offset at the start and the goal, nor
    /// where walls or closed edges are beside its path. [Bodies](crate::Body) and agents that walk
    /// step by step have no offset.
    ///
    /// # Units
    /// Cells, from 0 to 0.4. Other numbers are rounded to this range; NaN is 0.
    pub spread: f32,
    /// The code that moves the agent. By default the plugin: [`Drive::Transform`].
    pub drive: Drive,
    /// True if the agent stands still. The agent keeps its order. If you set the field to false, it
    /// walks on.
    ///
    /// A paused [`Body`](crate::Body) does not make way. So pause bodies only where others can pass
    /// them. In a narrow street, bodies from both sides wait for the paused one, and then for each
    /// other. If the pause ends only when the street is free, all of them stand for ever.
    pub paused: bool,
}

impl Default for PathAgent {
    /// Returns an agent with a speed of 64 world units per second.
    fn default() -> Self {
        Self {
            speed: Speed::World(64.0),
            terrain_speed: TerrainSpeed::Constant,
            line: PathLine::Cells,
            spread: 0.0,
            drive: Drive::Transform,
            paused: false,
        }
    }
}

impl PathAgent {
    /// Returns whether the speed is invalid: negative or NaN.
    pub(crate) fn has_bad_speed(self) -> bool {
        self.speed.rate().is_nan() || self.speed.rate() < 0.0
    }

    /// Returns whether the game holds it where it is.
    pub(crate) fn is_held(self) -> bool {
        self.paused
    }

    /// Returns the reason why it cannot begin a step on any path. `begun` is the number of its
    /// steps that it has begun already.
    pub(crate) fn halt(self, stepwise: Option<&Stepwise>, begun: u32) -> Option<Halt> {
        let has_steps = stepwise.is_none_or(|stepwise| stepwise.steps > begun);
        let has_speed = self.speed.rate() > 0.0 || stepwise.is_some_and(|stepwise| !stepwise.is_animated);
        match (self.is_held(), has_steps, has_speed) {
            (true, ..) => Some(Halt::Paused),
            (_, false, _) => Some(Halt::NoSteps),
            (.., false) => Some(Halt::NoSpeed),
            _ => None,
        }
    }

    pub(crate) fn gait(self) -> Gait {
        Gait { speed: self.speed, terrain: self.terrain_speed }
    }

    /// Returns how an agent walks. The plugin moves bodies from centre to centre, also in doors and
    /// on graphs.
    pub(crate) fn walk_mode(self, number: AgentNumber, is_body: bool, is_stepwise: bool) -> WalkMode {
        let style = if is_body || is_stepwise { LineStyle::default() } else { self.line_style(number) };
        WalkMode { style, is_driven: self.is_driven(is_body) }
    }

    /// Returns whether other code moves the agent.
    pub(crate) fn is_driven(self, is_body: bool) -> bool {
        self.drive == Drive::Velocity && !is_body
    }

    fn line_style(self, number: AgentNumber) -> LineStyle {
        let spread = if self.spread > 0.0 { self.spread.min(MOST_SPREAD) } else { 0.0 };
        let offset = if spread > 0.0 { spread * number.scattered() } else { Vec2::ZERO };
        LineStyle { line: self.line, offset }
    }
}

impl AgentPath {
    /// Returns the time that an agent needs for the rest of its path. The time depends on its
    /// [`speed`](PathAgent::speed), on the speeds of graph edges, and on the ground if the ground
    /// slows the agent down.
    ///
    /// The time does not include delays, such as pauses or edits. It is infinite if the speed of
    /// the agent is not above 0. It is 0 after arrival. Before the agent sets out, the time is
    /// counted from the start of the path.
    ///
    /// # Units
    /// Seconds.
    ///
    /// # Complexity
    /// O(points ahead).
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
        self.plan.seconds_left(&self.walk, agent.gait())
    }
}

/// Ends the journey of an agent that loses its `PathAgent`: the path is lost.
fn agent_removed(mut world: DeferredWorld, context: HookContext) {
    // Nothing moves it to the end of its step any more: it is in the nearer cell, also as a body.
    let local = world.get::<Transform>(context.entity).map(|transform| transform.translation.truncate());
    if let Some(mut standing_on) = world.get_mut::<StandingOn>(context.entity) {
        standing_on.set_free();
        if let Some(local) = local {
            standing_on.end_drive(local);
        }
    }
    if let Some(mut motion) = world.get_mut::<Motion>(context.entity) {
        motion.velocity = Vec2::ZERO;
    }
    let Some(state) = world.get::<RequestState>(context.entity) else { return };
    let Some(order) = state.order_of(context.entity) else { return };
    if state.answered
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.tell(order, PendingEvent::Lost(PathFailure::AgentRemoved));
    }
}

/// The velocity and the direction of an agent, for its animation. The plugin writes this component.
#[derive(Component, Debug, Clone, Copy, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct Motion {
    /// The velocity in world units per second. It is zero if the agent stands. With
    /// [`Drive::Velocity`] it is the velocity that the agent wants.
    pub velocity: Vec2,
    /// The direction in which the agent walks, or walked last, as a vector of length 1. Before it
    /// walks for the first time, it is (0, -1): towards the viewer.
    pub facing: Vec2,
}

impl Default for Motion {
    fn default() -> Self {
        Self { velocity: Vec2::ZERO, facing: Vec2::NEG_Y }
    }
}

/// Ends the journey of an agent if its order is cancelled.
fn forget_path(
    cancelled: OnRemove<PathRequest>,
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
        // This command is applied before the next order can be answered.
        commands.entity(cancelled.entity).try_remove::<AgentPath>();
    }
}

pub(crate) fn plugin(app: &mut App, schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<PathAgent>()
        .register_type::<Motion>()
        .register_type::<Drive>()
        .register_type::<PathLine>()
        .register_type::<AgentPath>()
        .register_type::<PathOutline>()
        .add_observer(forget_path);
    crate::journey::number::plugin(app);
    crate::journey::stepwise::plugin(app);
    crate::journey::parents::plugin(app, schedule);
}
