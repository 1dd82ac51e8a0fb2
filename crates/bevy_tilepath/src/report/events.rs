//! Events of orders.
//!
//! Each is an event for observers, and a buffered message for systems that read them all.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity, event::EntityEvent, intern::Interned, message::Message, schedule::ScheduleLabel,
};
use bevy_reflect::{GetTypeRegistration, Reflect};
use tilepath::{Cell, Cost};

use crate::{core_types, failure::PathFailure, map::place::Place, order::goal::PathGoal};

/// An event, triggered when a path is found for a [`PathRequest`](crate::PathRequest). The path is
/// in the component [`AgentPath`](crate::AgentPath).
///
/// If the entity has a [`PathAgent`](crate::PathAgent), it begins to walk. Otherwise the order
/// ends.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
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
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). It is 0 for an order to one
    /// goal.
    pub chosen: usize,
    /// The cost of the whole route, as in [`AgentPath::route_cost`](crate::AgentPath::route_cost).
    ///
    /// # Units
    /// World units, for tile maps, graphs and doors alike: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// True if the path leads only to the reachable cell nearest to the requested goal.
    pub partial: bool,
}

/// An event, triggered when a [`PathRequest`](crate::PathRequest) fails before a path is found.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// The entity with the request.
    pub entity: Entity,
    /// The reason.
    pub reason: PathFailure,
}

/// An event, triggered when an agent with several stops reaches one of them. The agent then goes on
/// to the next stop. For the last stop the event is triggered just before [`Arrived`].
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StopReached {
    /// The agent.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The end of the path: a cell, a waypoint, or a position beside a graph.
    pub place: Place,
    /// The index of the stop in [`PathStops::stops`](crate::orders::PathStops::stops).
    pub index: usize,
    /// The goal of the order at this stop.
    pub goal: PathGoal,
    /// For a [`to_nearest`](crate::PathGoal::nearest) stop: the index of the chosen place.
    pub chosen: usize,
    /// True if the stop itself is unreachable. `place` is then the reachable cell nearest to it.
    pub partial: bool,
}

/// An event, triggered when an agent reaches its goal and its order ends. The agent stands at
/// [`place`](Self::place): at the centre of the cell, at the waypoint, or at the position. An agent
/// with [`Drive::Velocity`](crate::agents::Drive::Velocity) stands near that point, or anywhere on the
/// cell if its order leads near a target or away from targets.
///
/// If the plugin runs in a fixed schedule, `Transform` has exactly this position while the event is
/// triggered. The drawn position is up to one fixed step behind. So outside the fixed schedules,
/// `Transform` reaches the goal a moment later.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// The agent that arrived.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The place where the agent stands: a cell, a waypoint, or a position beside a graph. It is the
    /// end of the path, unless there is a [`shortfall`](Self::shortfall).
    pub place: Place,
    /// The index of the chosen place in the list of
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). It is 0 for an order to one
    /// goal.
    pub chosen: usize,
    /// True if the path leads only to the reachable cell nearest to the requested goal.
    pub partial: bool,
    /// The cost of the rest of the path, if an agent with a [`Body`](crate::Body) did not reach the
    /// end of its path. It is zero for all other agents.
    ///
    /// There are two cases. Other bodies rest at the goal, and the agent came as near as it could.
    /// Or the goal was another body, and the agent stands beside it.
    #[reflect(remote = core_types::Cost)]
    pub shortfall: Cost,
}

/// An event, triggered when an agent with a [`Body`](crate::Body) stands because of another body
/// that does not move.
///
/// The event is triggered once for each wait, after about 8 ticks (an eighth of a second at 64
/// ticks a second). [`BodyPatience`](crate::agents::BodyPatience) sets what the agent does during
/// the wait.
///
/// When the agent goes on, [`WaitOver`] is triggered. If the order of the agent ends first, only
/// the event for the end of the order is triggered.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaitingFor {
    /// The agent that waits.
    pub entity: Entity,
    /// The body that stops it.
    pub by: Entity,
    /// The cell that the agent would enter. For an agent that covers several cells, it is the
    /// lowest and leftmost of these cells.
    #[reflect(remote = core_types::Cell)]
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

/// An event, triggered when an agent with [`Drive::Velocity`](crate::agents::Drive::Velocity) has
/// come no nearer to the next point of its path for one second of game time, although it wants to
/// walk.
///
/// Something that is not on the map holds the agent: another body of the physics engine, for
/// example, or one that rests at the goal. The agent keeps its order and its path, and your game
/// decides: for example, it may give the agent another order. While the agent stays within a
/// straight step of that place, the event is triggered again after 2 further seconds. Each pause is
/// twice as long as the one before, up to 64 seconds.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
pub struct Stuck {
    /// The agent.
    pub entity: Entity,
}

/// An event, triggered when an order ends after a path was found, but before the agent reached its
/// goal. The agent stopped where it was.
///
/// A member of a [group](crate::groups::GroupOrder) may walk again after this event. If the reason
/// is [`Blocked`](crate::PathFailure::Blocked), the group may send the member to the next stop, or
/// once to its place again. The member then gets a new order, with new events.
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

/// An event, triggered when the path ahead of an agent is blocked. When the search for a new path ends,
/// [`Replanned`] or [`PathLost`] is triggered, in the same tick if the budget of work is large enough.
///
/// While the search waits for its turn, the agent walks on to the last place before the blocked one. If
/// the blocked place is behind a door, the agent walks on to the door. There it stands. It also stands
/// while its search runs, and on a graph from the beginning. If a nearer place is blocked meanwhile, the
/// agent stops before that place, and no further event is triggered.
///
/// The event is not triggered if the path only costs more than before. The agent then follows its
/// path. The agent is [`Replanned`] if another path is better by more than the order
/// [tolerates](crate::PathRequest::with_tolerance).
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathBlocked {
    /// The agent.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The blocked place. On a tile map it is the first cell ahead that cannot be entered as
    /// planned. On a graph it is the waypoint at the end of the first edge that changed. For a
    /// closed door it is the place in front of the door.
    pub place: Place,
}

/// An event, triggered when an agent gets another path for the order that it follows. The reason can
/// be that the old path was blocked, or that there is a better path. It can also be that the agent
/// was moved by other code, or got another map or movement.
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
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
    /// [`PathRequest::to_nearest`](crate::PathRequest::to_nearest). It may differ from the index
    /// for the old path. It is 0 for an order to one goal.
    pub chosen: usize,
    /// The cost of the whole route, as in [`AgentPath::route_cost`](crate::AgentPath::route_cost).
    ///
    /// # Units
    /// World units, for tile maps, graphs and doors alike: see [`Door`](crate::doors::Door).
    pub route_cost: f64,
    /// True if the path leads only to the reachable cell nearest to the requested goal.
    pub partial: bool,
}

/// An event, triggered when an agent passes the centre of a cell of its path, or a waypoint of a
/// graph. The event is not triggered for the start. For the goal it is triggered just before
/// [`Arrived`].
#[derive(EntityEvent, Message, Debug, Clone, PartialEq, Reflect)]
#[type_path = "bevy_tilepath"]
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

/// An event, triggered when an agent passes a [`Door`](crate::doors::Door). The
/// [`OnMap`](crate::OnMap) of the agent is already the new map.
///
/// The event is not triggered if the order was replaced and the agent still follows the path of the
/// old order. To follow every change of map, observe the insertion of [`OnMap`](crate::OnMap).
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

/// An event, triggered when no unit is inside an [`Obstacle`](crate::Obstacle) that
/// [makes room](crate::Obstacle::makes_room): in its first tick, or when the last unit is out.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObstacleClear {
    /// The obstacle.
    pub entity: Entity,
}

/// An event, triggered once for each unit that rests inside an [`Obstacle`](crate::Obstacle) that
/// [makes room](crate::Obstacle::makes_room), and cannot leave. Examples: no path leads to a free
/// cell; the unit is a body without an agent.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ObstacleOccupied {
    /// The obstacle.
    pub entity: Entity,
    /// The unit inside.
    pub by: Entity,
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
    register::<Stuck>(app);
    register::<ObstacleClear>(app);
    register::<ObstacleOccupied>(app);
}
