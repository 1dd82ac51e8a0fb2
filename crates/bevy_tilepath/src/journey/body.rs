//! Bodies: units that do not share cells.

use bevy_ecs::{
    component::Component,
    entity::{Entity, EntityMapper, MapEntities},
    lifecycle::HookContext,
    reflect::ReflectComponent,
    world::DeferredWorld,
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
#[cfg(feature = "serde")]
use bevy_reflect::{ReflectDeserialize, ReflectSerialize};
use bevy_transform::components::Transform;
use tilepath::{
    Cell, Cost, MovementId,
    crowd::{self, BodyId, LocalField},
};

use crate::{
    journey::{agent::Motion, number::AgentNumber, path::AgentPath, standing_on::StandingOn},
    map::{movement::AgentMovement, version::Version},
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        state::RequestState,
    },
    route::speed::GaitKind,
};

/// Makes an entity keep its cells for itself: two bodies do not share a cell. Add this component to
/// agents, and to anything else that agents must walk around.
///
/// - **Steps.** Agents with a body step from cell to cell, and stop at the centres of cells. In
///   each tick all bodies of a map decide together which of them step: see [`tilepath::crowd`] for
///   the rules. A body under way to a goal goes before a body at rest, and the body at rest makes
///   way. Of two bodies under way, the body that has been under way for longer goes first. For a
///   smaller body, the body at rest makes way after 16 ticks, if it finds a place beside the path of
///   that body.
/// - **Detours.** If other bodies stand on the path of an agent, the agent leaves its path for a
///   few cells. Its [`AgentPath`] does not change.
/// - **Many with the same goals.** If dozens of agents have the same goals, a flow field leads
///   them: each agent may pass any cell that is nearer to the goals. An agent gets the cheapest
///   path from its present cell in two cases: it is far off its [`AgentPath`], or it is beside this
///   path and near its goals. No event is triggered.
/// - **Fixed bodies.** Two kinds of bodies never make way: agents that are
///   [paused](crate::PathAgent::paused) or have no speed, and bodies without an agent (a crate, a
///   building site, a hero that the player moves). These bodies hold the cells under them. If your
///   own code moves a body onto another body, both overlap until one of them finds a free cell.
/// - **Full goals.** Several agents with the same goal stop side by side.
///   [`Arrived::shortfall`](crate::events::Arrived::shortfall) is the cost that is left to the
///   goal. If an order may end on several cells (`beside`, `within`, `to_nearest`), each agent
///   takes the cheapest free cell.
/// - **Targets.** If an agent walks to another body, this body does not make way. The agent stops
///   beside the body. If the order of the agent follows the body, the agent waits there.
/// - **Patience.** If an agent waits for a body that does not move,
///   [`WaitingFor`](crate::events::WaitingFor) is triggered. The agent then looks for a path around
///   this body, and gives up after some time: see [`BodyPatience`]. An agent also gives up if it
///   makes more than 64 steps among other bodies without progress. It does not give up if its order
///   [waits](crate::PathRequest::or_wait) or [follows](crate::PathRequest::following) an entity.
/// - **Speed limit.** A body begins at most four steps in a tick. Only
///   [`Stepwise`](crate::Stepwise) agents without animation may begin more. A body always ends a
///   step that it has begun.
/// - **Map changes.** If the map grows, or its [`NavGrid`](crate::NavGrid) is replaced, bodies walk
///   on from where they are.
/// - **Doors and graphs.** A [`Door`](crate::doors::Door) lets one body through at a time, if the
///   cell behind the door is free. Bodies pass through each other on waypoint graphs, in doors and
///   off the map.
///
/// [`AgentMovement`] sets how many cells a body covers. It also works for a body without an agent.
/// If there are several maps, [`OnMap`](crate::OnMap) sets the map of a body.
///
/// # Layers
/// Two bodies exclude each other if one of them blocks a layer of the other. With layers, fliers
/// pass over infantry, and friends pass through friends:
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{Body, PathAgent};
///
/// let mut world = World::new();
/// world.spawn((PathAgent::default(), Body::default()));
/// world.spawn((PathAgent::default(), Body { layer: 2, blocks: 2 })); // a flier
/// assert!(!Body::default().excludes(Body { layer: 2, blocks: 2 }));
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[component(on_remove = body_removed)]
#[reflect(Component, Default, Debug, Clone, PartialEq, Hash)]
#[require(Transform, AgentNumber, BodyPlace)]
#[doc(alias = "collision", alias = "local avoidance")]
pub struct Body {
    /// The layers in which the body is: one bit for each layer.
    pub layer: u32,
    /// The layers that the body blocks: one bit for each layer. The body shares no cell with bodies
    /// in these layers.
    pub blocks: u32,
}

impl Default for Body {
    /// Returns a body in layer 1 that blocks layer 1.
    fn default() -> Self {
        Self { layer: 1, blocks: 1 }
    }
}

impl Body {
    /// Returns true if the two bodies must not share a cell.
    #[must_use]
    pub const fn excludes(self, other: Self) -> bool {
        self.blocks & other.layer != 0 || other.blocks & self.layer != 0
    }
}

/// The behaviour of an agent that waits for a body which does not move. It is a list of policies,
/// each for a number of ticks. By default the agent waits for 8 ticks, looks once for a path around
/// the body, waits for 60 more ticks, and gives up.
///
/// A tick counts only if the other body also stands still in this tick. Time in a queue that moves
/// does not count. An agent never gives up an order with
/// [`or_wait`](crate::PathRequest::or_wait), or [`following`](crate::PathRequest::following) an entity:
/// after the last policy it looks for a path around every 64 ticks.
///
/// Larger bodies at rest make way only after 16 ticks, whatever the patience. An agent that gives up
/// earlier does not move them.
///
/// ```
/// use bevy_tilepath::{agents::BodyPatience, tilepath::crowd::{Patience, Policy}};
///
/// let guard = BodyPatience(Patience::of([(Policy::Wait, 600)]));
/// assert_eq!(guard.0.at(600), Policy::GiveUp);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", reflect(Serialize, Deserialize))]
pub struct BodyPatience(pub crowd::Patience);

/// The place of a body in the crowd of its map.
#[derive(Component, Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[component(map_entities, clone_behavior = Ignore)]
pub(crate) struct BodyPlace {
    /// `None` if it is in no crowd: off all tile maps.
    pub(crate) entered: Option<Entered>,
    /// While it passes a door: the map behind the door, and the cell there if the map has tiles.
    /// `entered` is then its claim on that cell.
    pub(crate) behind: Option<(Entity, Option<Cell>)>,
    /// The tick since which it is under way.
    pub(crate) since: Option<u32>,
    /// The place where it rests.
    pub(crate) home: Option<Home>,
    /// The number of ticks for which it has stood because of another body that stands.
    pub(crate) stuck: u32,
    /// The body that it waits for, and the cell that it would enter itself.
    pub(crate) waits_for: Option<(Entity, Cell)>,
    /// The body behind the door that it waits for, and its cell, in this tick.
    pub(crate) waits_at_door: Option<(Entity, Cell)>,
    /// The order for which `WaitingFor` was triggered. `WaitOver` follows while that order lives.
    pub(crate) told: Option<u64>,
    /// The number of steps for which it has been beside its path.
    pub(crate) beside: u32,
    /// True if it is itself the map on which it would be a body. The warning about this has been
    /// logged.
    pub(crate) is_refused: bool,
    /// Its last progress: the order, the next point of its path at that time, and the steps that it
    /// has taken since.
    pub(crate) advance: (u64, usize, u32),
    /// A path around bodies, back to its own path.
    pub(crate) detour: Option<Box<Detour>>,
}

impl MapEntities for BodyPlace {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        let entered = self.entered.as_mut().map(|entered| &mut entered.map);
        let behind = self.behind.as_mut().map(|(map, _)| map);
        let others = [&mut self.waits_for, &mut self.waits_at_door].map(|waits| waits.as_mut());
        let others = others.into_iter().flatten().map(|(body, _)| body);
        entered.into_iter().chain(behind).chain(others).for_each(|entity| entity.map_entities(mapper));
    }
}

impl BodyPlace {
    /// Returns its place in the crowd that moves it.
    pub(crate) fn in_crowd(&self) -> Option<&Entered> {
        self.entered.as_ref().filter(|_| !self.is_passing())
    }

    /// Returns whether it is passing a door.
    pub(crate) fn is_passing(&self) -> bool {
        self.behind.is_some()
    }
}

/// A body in a crowd.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Entered {
    pub(crate) map: Entity,
    /// The number of the crowd.
    pub(crate) crowd: u64,
    pub(crate) id: BodyId,
    pub(crate) body: Body,
    pub(crate) side: u8,
    pub(crate) movement: Option<AgentMovement>,
    pub(crate) movement_id: MovementId,
    pub(crate) gait: GaitKind,
    /// True if it ends each step at once: all steps take equally long.
    pub(crate) leaps: bool,
    /// The offset from its place in the crowd, in the world, if other code has moved it.
    pub(crate) off: Vec2,
    /// The place where the plugin put it, in the space of its parent.
    pub(crate) written: Vec2,
    /// The version of the map's placement at that time.
    pub(crate) placement: Version,
}

/// The cell where a body rests.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Home {
    pub(crate) cell: Cell,
    /// `Some` if it has made way and walks back.
    pub(crate) back: Option<Box<WayBack>>,
    /// True if it has gone back once.
    pub(crate) is_done: bool,
}

/// The return of a body to the cell where it rested.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct WayBack {
    /// The field that leads it, and the version of the map for which the field was made. A saved state
    /// has no field; the next tick makes it again.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) field: LocalField,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) version: Version,
    /// The tick since which it walks back.
    pub(crate) since: u32,
}

impl WayBack {
    /// Drops the field, which the next tick makes again.
    pub(crate) fn forget_field(&mut self) {
        (self.field, self.version) = (LocalField::default(), Version::default());
    }
}

/// A detour: cells that lead back to a path.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Detour {
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) cells: Vec<Cell>,
    /// The cost from each cell to the goal: the rest of the detour, and of the path after it.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) rests: Vec<Cost>,
    pub(crate) at: usize,
}

/// Lets a former body walk as other agents do. The crowd drops it in the next tick.
fn body_removed(mut world: DeferredWorld, context: HookContext) {
    let Some(mut place) = world.get_mut::<BodyPlace>(context.entity) else { return };
    let was_in_crowd = place.in_crowd().is_some();
    let told = std::mem::take(&mut *place).told;
    if let Some(mut path) = world.get_mut::<AgentPath>(context.entity) {
        path.leave_crowd(was_in_crowd);
    }
    if was_in_crowd {
        if let Some(mut standing_on) = world.get_mut::<StandingOn>(context.entity) {
            standing_on.set_free();
        }
        // Without an order nothing moves it any more.
        if let Some(mut motion) = world.get_mut::<Motion>(context.entity) {
            motion.velocity = Vec2::ZERO;
        }
    }
    if let Some(number) = told
        && world.get::<RequestState>(context.entity).is_some_and(|state| state.holds(number))
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.tell(RequestId { entity: context.entity, number }, PendingEvent::WaitOver);
    }
}
