//! What the plugin tells about orders and journeys.
//!
//! Each is an event for observers and a buffered message for systems that want them all.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity, event::EntityEvent, intern::Interned, message::Message, schedule::ScheduleLabel,
};
use bevy_reflect::{GetTypeRegistration, Reflect};
use tilepath::{Cell, Cost};

use crate::{failure::PathFailure, map::place::Place, order::goal::PathGoal};

/// A request was answered with a path. It stands in [`AgentPath`](crate::AgentPath).
///
/// With [`PathAgent`](crate::PathAgent) the journey begins; without, the request is done.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathFound {
    /// The entity that asked.
    pub entity: Entity,
    /// The map on which it begins.
    pub map: Entity,
    /// Where the path ends: a cell, a waypoint, or a position beside a graph.
    pub goal: Place,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. 0 for an order to one goal.
    pub chosen: usize,
    /// What all of it costs, as [`AgentPath::route_cost`](crate::AgentPath::route_cost) says.
    ///
    /// # Units
    /// World units, one measure for tile maps, graphs and doors: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// Whether it leads only to the reachable cell nearest to the goal asked for.
    pub partial: bool,
}

/// A request was answered: there is no path.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The entity that asked.
    pub entity: Entity,
    /// Why there is none.
    pub reason: PathFailure,
}

/// An agent reached a stop of an order of several, and goes on to the next one. Of the last stop it is told just before
/// [`Arrived`].
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
    /// Where: a cell, a waypoint, or a position beside a graph.
    pub place: Place,
    /// The index of the stop in [`PathStops::goals`](crate::orders::PathStops::goals).
    pub index: usize,
    /// The stop: to what the agent was ordered there.
    pub goal: PathGoal,
    /// Of a stop that is the nearest of several places, the index of that.
    pub chosen: usize,
    /// Whether this is only the reachable cell nearest to the stop.
    pub partial: bool,
}

/// A journey ended at its goal: the agent stands at the centre of the cell, or at the waypoint or position.
///
/// In a fixed schedule that is where its `Transform` is while the event is told. What is drawn between the steps lags
/// behind by up to one step: outside the fixed schedules `Transform` comes to the goal a moment later.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// The agent that arrived.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// Where: a cell, a waypoint, or a position beside a graph.
    pub place: Place,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) this is: the
    /// index in the list. 0 for an order to one goal.
    pub chosen: usize,
    /// Whether this is only the reachable cell nearest to the goal asked for.
    pub partial: bool,
    /// What the rest of the way costs, where a [`Body`](crate::Body) did not reach the end of its path itself: others rest there and
    /// it has come as near as they let it, or it has come beside the body to which it went. Otherwise zero.
    pub shortfall: Cost,
}

/// A [`Body`](crate::Body) stands, because another is in its way that does not move either.
///
/// It is told once, after an eighth of a second or so. What the agent does about it says its
/// [`BodyPatience`](crate::agents::BodyPatience). [`WaitOver`] follows when it goes on; if its order ends, the event of that.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaitingFor {
    /// The agent that waits.
    pub entity: Entity,
    /// The body that is in its way.
    pub by: Entity,
    /// The cell that it would enter: of an agent of several cells the lowest and leftmost.
    pub cell: Cell,
}

/// An agent that [waited](WaitingFor) goes on.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaitOver {
    /// The agent.
    pub entity: Entity,
}

/// A journey ended early. The agent stopped where it was.
///
/// For a member of a [group](crate::groups::GroupOrder) this need not be the end: if the reason is
/// [`Blocked`](crate::PathFailure::Blocked), the group may send it to the next stop, or up to three times to its place again. Each
/// time is a new order with events of its own. The end of all is [`GroupArrived`](crate::groups::GroupArrived) or
/// [`GroupFailed`](crate::groups::GroupFailed).
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathLost {
    /// The agent that lost its way.
    pub entity: Entity,
    /// Why.
    pub reason: PathFailure,
}

/// The way ahead was blocked: the agent stands. A new one is being searched:
/// [`Replanned`] or [`PathLost`] follows, in the same tick if the budget of work allows.
///
/// Not told where the way merely costs more than it did: the agent goes on by it, and is [`Replanned`] if there is a better one
/// by more than its order [tolerates](crate::PathRequest::with_tolerance).
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathBlocked {
    /// Whose way.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The first cell ahead that cannot be entered as planned; on a graph the waypoint at the end of the first edge
    /// that changed; of a door that closed the place in front of it.
    pub place: Place,
}

/// A journey goes on along another path: the way was blocked, a better one came up, the agent was put elsewhere, or it was
/// given another map.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replanned {
    /// Whose journey.
    pub entity: Entity,
    /// The map where the agent is.
    pub map: Entity,
    /// Where the new path ends.
    pub goal: Place,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. It may be another than before. 0 for an order to one goal.
    pub chosen: usize,
    /// What all of it costs, as [`AgentPath::route_cost`](crate::AgentPath::route_cost) says.
    ///
    /// # Units
    /// World units, one measure for tile maps, graphs and doors: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// Whether it leads only to the reachable cell nearest to the goal asked for.
    pub partial: bool,
}

/// An agent passed the centre of a cell of its path, or a waypoint of a graph. The start does not count; the goal
/// does, just before [`Arrived`].
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

/// An agent passed a [`Door`](crate::doors::Door). Its [`OnMap`](crate::OnMap) is the new map by now.
///
/// Not told where the order has been replaced and the agent still goes by the way of the old one: what has to follow
/// every change of map observes the insertion of [`OnMap`](crate::OnMap).
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DoorPassed {
    /// The agent.
    pub entity: Entity,
    /// The door.
    pub door: Entity,
    /// The map that was left.
    pub from: Entity,
    /// The map that was entered.
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
