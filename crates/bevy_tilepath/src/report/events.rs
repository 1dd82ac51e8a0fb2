//! Events of orders.
//!
//! Each is an event for observers, and a buffered message for systems that read them all.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity, event::EntityEvent, intern::Interned, message::Message, schedule::ScheduleLabel,
};
use bevy_reflect::{GetTypeRegistration, Reflect};
use tilepath::{Cell, Cost};

use crate::{failure::PathFailure, map::place::Place, order::goal::PathGoal};

/// An event, triggered when a request is answered with a path, which is in
/// [`AgentPath`](crate::AgentPath).
///
/// With [`PathAgent`](crate::PathAgent) the entity begins to walk. Without it, the order is over.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathFound {
    /// The entity with the request.
    pub entity: Entity,
    /// The map on which the path begins.
    pub map: Entity,
    /// The end of the path: a cell, a waypoint, or a position beside a graph.
    pub goal: Place,
    /// The index of the chosen place in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). 0 for an order to one goal.
    pub chosen: usize,
    /// The cost of the whole route, as in [`AgentPath::route_cost`](crate::AgentPath::route_cost).
    ///
    /// # Units
    /// World units, one measure for tile maps, graphs and doors: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// True if the path leads only to the reachable cell nearest to the requested goal.
    pub partial: bool,
}

/// An event, triggered when a request is answered without a path.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The entity with the request.
    pub entity: Entity,
    /// The reason.
    pub reason: PathFailure,
}

/// An event, triggered when an agent reaches a stop of an order of several, and goes on to the next
/// one. For the last stop it is triggered just before [`Arrived`].
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StopReached {
    /// The agent.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The end of the path: a cell, a waypoint, or a position beside a graph.
    pub place: Place,
    /// The index of the stop in [`PathStops::goals`](crate::orders::PathStops::goals).
    pub index: usize,
    /// The goal that is this stop.
    pub goal: PathGoal,
    /// For a [`to_nearest`](crate::PathGoal::nearest) stop: the index of the chosen place.
    pub chosen: usize,
    /// True if this is only the reachable cell nearest to the stop.
    pub partial: bool,
}

/// An event, triggered when an agent reaches its goal, and its order ends. The agent stands at the
/// centre of the cell, or at the waypoint or position.
///
/// In a fixed schedule `Transform` is exactly there while the event is triggered. The drawn
/// position lags behind by up to one step: outside the fixed schedules, `Transform` reaches the
/// goal a moment later.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// The agent that arrived.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The end of the path: a cell, a waypoint, or a position beside a graph.
    pub place: Place,
    /// The index of the chosen place in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). 0 for an order to one goal.
    pub chosen: usize,
    /// True if this is only the reachable cell nearest to the requested goal.
    pub partial: bool,
    /// The cost of the rest of the path, if a [`Body`](crate::Body) did not reach the end of its
    /// path itself; otherwise zero. Either others rest there, and it came as near as it could. Or
    /// its goal was a body, and it stands beside this body.
    pub shortfall: Cost,
}

/// An event, triggered when a [`Body`](crate::Body) is stopped by another body, which does not move
/// either.
///
/// It is triggered once, after about an eighth of a second.
/// [`BodyPatience`](crate::agents::BodyPatience) sets what the agent does then. When the agent goes
/// on, [`WaitOver`] follows. If its order ends, the event of that end follows instead.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaitingFor {
    /// The agent that waits.
    pub entity: Entity,
    /// The body that stops it.
    pub by: Entity,
    /// The cell that the agent would enter. For an agent of several cells it is the lowest and
    /// leftmost one.
    pub cell: Cell,
}

/// An event, triggered when an agent that [waited](WaitingFor) goes on.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaitOver {
    /// The agent.
    pub entity: Entity,
}

/// An event, triggered when an order ends after a path was found, but before the agent reached its
/// goal. The agent stopped where it was.
///
/// For a member of a [group](crate::groups::GroupOrder) this may not be the end. If the reason is
/// [`Blocked`](crate::PathFailure::Blocked), the group may send it to the next stop, or up to three
/// times to its place again. Each time is a new order with events of its own.
///
/// The order of the group ends with [`GroupArrived`](crate::groups::GroupArrived) or
/// [`GroupFailed`](crate::groups::GroupFailed).
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathLost {
    /// The agent that lost its path.
    pub entity: Entity,
    /// The reason.
    pub reason: PathFailure,
}

/// An event, triggered when the path ahead of an agent is blocked: the agent stands, and a new path
/// is searched. [`Replanned`] or [`PathLost`] follows, in the same tick if the budget of work
/// allows.
///
/// It is not triggered if the path only costs more than before. Then the agent follows it, and is
/// [`Replanned`] if there is a path that is better by more than its order
/// [tolerates](crate::PathRequest::with_tolerance).
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathBlocked {
    /// The agent.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The place of the block. On a tile map, the first cell ahead that cannot be entered as
    /// planned. On a graph, the waypoint at the end of the first edge that changed. For a closed
    /// door, the place in front of it.
    pub place: Place,
}

/// An event, triggered when an agent goes on along another path: its path was blocked, a better one
/// came up, the agent was put elsewhere, or it was given another map.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replanned {
    /// The agent.
    pub entity: Entity,
    /// The map where the agent is.
    pub map: Entity,
    /// The end of the new path.
    pub goal: Place,
    /// The index of the chosen place in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). It may differ from before. 0
    /// for an order to one goal.
    pub chosen: usize,
    /// The cost of the whole route, as in [`AgentPath::route_cost`](crate::AgentPath::route_cost).
    ///
    /// # Units
    /// World units, one measure for tile maps, graphs and doors: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// True if the path leads only to the reachable cell nearest to the requested goal.
    pub partial: bool,
}

/// An event, triggered when an agent passes the centre of a cell of its path, or a waypoint of a
/// graph. The start does not count. The goal counts, just before [`Arrived`].
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathPointReached {
    /// The agent.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The cell or the waypoint.
    pub place: Place,
}

/// An event, triggered when an agent passes a [`Door`](crate::doors::Door). Its
/// [`OnMap`](crate::OnMap) is the new map already.
///
/// It is not triggered if the order was replaced, and the agent still follows the path of the old
/// one. To follow every change of map, observe the insertion of [`OnMap`](crate::OnMap).
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DoorPassed {
    /// The agent.
    pub entity: Entity,
    /// The door.
    pub door: Entity,
    /// The map that the agent left.
    pub from: Entity,
    /// The map that the agent entered.
    pub to: Entity,
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    fn register<E: Message + GetTypeRegistration>(app: &mut App) {
        app.add_message::<E>().register_type::<E>();
    }
    register::<PathFound>(app);
    register::<PathFailed>(app);
    register::<StopReached>(app);
    register::<Arrived>(app);
    register::<PathLost>(app);
    register::<PathBlocked>(app);
    register::<Replanned>(app);
    register::<PathPointReached>(app);
    register::<DoorPassed>(app);
    register::<WaitingFor>(app);
    register::<WaitOver>(app);
}
