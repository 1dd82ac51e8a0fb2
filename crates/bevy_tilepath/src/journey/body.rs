//! What does not share its cells with others.

use bevy_ecs::{
    component::Component, entity::Entity, lifecycle::HookContext, reflect::ReflectComponent,
    world::DeferredWorld,
};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use tilepath::{
    Cell, Cost, MovementId,
    crowd::{self, BodyId, LocalField},
};

use crate::{
    journey::{number::AgentNumber, path::AgentPath, standing_on::StandingOn},
    map::{movement::AgentMovement, version::Version},
    order::{
        pending_event::PendingEvent,
        queue::{RequestId, RequestQueue},
        state::RequestState,
    },
    route::speed::GaitKind,
};

/// Does not share its cells with other bodies: put it on agents, and on anything else that stands in their way.
///
/// - **Agents** with it step from cell to cell, and rest at the centres of cells. In each tick all of them decide together who steps
///   where: see [`tilepath::crowd`] for the rules. Those under way go before those at rest, who make way; then those that have been
///   under way for longer. Where a way leads past others an agent leaves it for a few cells. Its path stays the same.
/// - Where dozens are under way to the same goals a field leads them: each passes wherever that brings it nearer. One that has
///   come far off its [`AgentPath`] that way, or near to its goals beside it, is given the cheapest path from there, without an
///   event.
/// - An agent that is [paused](crate::PathAgent::paused) or has no speed, and a body that is no agent (a crate, a building under
///   construction, a hero whom the player moves), holds the cells under it and is never asked to make way. What your own code moves
///   onto another body overlaps it, until one of the two has found a free cell.
/// - Several with the same goal end side by side: each [`Arrived`](crate::events::Arrived) tells how far it is
///   [short](crate::events::Arrived::shortfall). Where an order may end on several cells (`beside`, `within`, `to_nearest`) each takes the
///   cheapest that is free.
/// - An agent that goes to another body does not ask that to make way. It ends beside it, and one that follows waits there.
/// - One that waits for another that does not move tells so ([`WaitingFor`](crate::events::WaitingFor)), looks for a way round and, in the end,
///   gives up: see [`BodyPatience`]. So does one that others push about for 64 steps without coming on, unless its order
///   [waits](crate::PathRequest::or_wait).
/// - At most four steps are begun in a tick: faster agents are as fast as that, but for those whose [`Stepwise`](crate::Stepwise)
///   steps are not animated. A step that was begun is ended, whatever comes.
/// - Where the map grows, or its [`NavGrid`](crate::NavGrid) is replaced, bodies go on from where they are.
/// - [`Door`](crate::doors::Door)s let one through at a time, when the cell behind is free. On waypoint graphs, in doors and off the map
///   bodies pass through each other.
///
/// How many cells it covers says its [`AgentMovement`], which is not for agents alone. Where there are several maps,
/// [`OnMap`](crate::OnMap) says on which it is.
///
/// # Layers
/// Two bodies exclude each other if one blocks a layer that the other is in. So fliers pass over infantry, and friends through friends:
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
#[type_path = "bevy_tilepath"]
#[component(on_remove = body_removed)]
#[reflect(Component, Default, Debug, Clone, PartialEq, Hash)]
#[require(Transform, AgentNumber, BodyPlace)]
#[doc(alias = "collision", alias = "local avoidance")]
pub struct Body {
    /// The layers that it is in, a bit each.
    pub layer: u32,
    /// The layers with whose bodies it shares no cells, a bit each.
    pub blocks: u32,
}

impl Default for Body {
    /// In layer 1, which it blocks.
    fn default() -> Self {
        Self { layer: 1, blocks: 1 }
    }
}

impl Body {
    /// Whether the two share no cells.
    #[must_use]
    pub const fn excludes(self, other: Self) -> bool {
        self.blocks & other.layer != 0 || other.blocks & self.layer != 0
    }
}

/// What an agent does about a body in its way that does not move: a ladder of policies, each for a number of ticks. By default it
/// waits for eight, looks once for a way round, waits for sixty more, and gives up.
///
/// Ticks count in which it stands because of a body that stands: not those of a queue that moves. An order that is to
/// [wait](crate::PathRequest::or_wait) is never given up.
///
/// ```
/// use bevy_tilepath::{agents::BodyPatience, tilepath::crowd::{Patience, Policy}};
///
/// let guard = BodyPatience(Patience::of([(Policy::Wait, 600)]));
/// assert_eq!(guard.0.at(600), Policy::GiveUp);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct BodyPatience(pub crowd::Patience);

/// Where a body is in the crowd of its map, and what is known of it there.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(crate) struct BodyPlace {
    /// `None` where it is in no crowd: off all tile maps.
    pub(crate) entered: Option<Entered>,
    /// While it goes through a door: the map behind, and the cell there if the map has tiles. `entered` is its claim on that cell.
    pub(crate) behind: Option<(Entity, Option<Cell>)>,
    /// The tick from which it has been under way.
    pub(crate) since: Option<u32>,
    /// Where it rests.
    pub(crate) home: Option<Home>,
    /// For how many ticks it has stood because of another that stands.
    pub(crate) stuck: u32,
    /// Which of them it is, and the cell that it would enter.
    pub(crate) waits_for: Option<(Entity, Cell)>,
    /// In this tick: what stands behind the door that it waits for.
    pub(crate) waits_at_door: Option<(Entity, Cell)>,
    /// The order for which `WaitingFor` was triggered. `WaitOver` follows while that order lives.
    pub(crate) told: Option<u64>,
    /// How many steps it has been beside its way.
    pub(crate) beside: u32,
    /// It is itself the map on which it would be a body: that has been warned of.
    pub(crate) is_refused: bool,
    /// The order and the next point of its way when it came on last, and the steps that it has taken since.
    pub(crate) advance: (u64, usize, u32),
    /// A way round bodies, back to its own.
    pub(crate) detour: Option<Box<Detour>>,
}

impl BodyPlace {
    /// Its place in the crowd that moves it.
    pub(crate) fn in_crowd(&self) -> Option<&Entered> {
        self.entered.as_ref().filter(|_| !self.is_passing())
    }

    /// Whether it goes through a door.
    pub(crate) fn is_passing(&self) -> bool {
        self.behind.is_some()
    }
}

/// A body in a crowd.
#[derive(Debug)]
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
    /// Whether it goes its steps at once: all take equally long.
    pub(crate) leaps: bool,
    /// How far it is from where the crowd has it, in the world: it was put there.
    pub(crate) off: Vec2,
    /// Where the plugin has put it, in the space of its parent.
    pub(crate) written: Vec2,
    /// The place of the map at that time.
    pub(crate) placement: Version,
}

/// Where a body rests.
#[derive(Debug)]
pub(crate) struct Home {
    pub(crate) cell: Cell,
    /// It has made way, and goes back: by this field, of the map in that version, since that tick.
    pub(crate) back: Option<Box<(LocalField, Version, u32)>>,
    /// It has gone back once.
    pub(crate) is_done: bool,
}

/// Cells that lead back to a way.
#[derive(Debug, Default)]
pub(crate) struct Detour {
    pub(crate) cells: Vec<Cell>,
    /// What is left of the cost at each, on the way too.
    pub(crate) rests: Vec<Cost>,
    pub(crate) at: usize,
}

/// It walks as others do from now on; the crowd misses it in the next tick.
fn body_removed(mut world: DeferredWorld, context: HookContext) {
    let Some(mut place) = world.get_mut::<BodyPlace>(context.entity) else { return };
    let was_in_crowd = place.in_crowd().is_some();
    let told = std::mem::take(&mut *place).told;
    if let Some(mut path) = world.get_mut::<AgentPath>(context.entity) {
        path.leave_crowd(was_in_crowd);
    }
    if was_in_crowd && let Some(mut standing_on) = world.get_mut::<StandingOn>(context.entity) {
        standing_on.set_free();
    }
    if let Some(number) = told
        && world.get::<RequestState>(context.entity).is_some_and(|state| state.holds(number))
        && let Some(mut queue) = world.get_resource_mut::<RequestQueue>()
    {
        queue.tell(RequestId { entity: context.entity, number }, PendingEvent::WaitOver);
    }
}
