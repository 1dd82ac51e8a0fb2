//! What the plugin tells about orders and journeys.
//!
//! Each is an event for observers and a buffered message for systems that want them all.

use bevy_app::App;
use bevy_ecs::{
    entity::Entity, event::EntityEvent, intern::Interned, message::Message, schedule::ScheduleLabel,
};
use bevy_reflect::Reflect;
use tilepath::{Cell, Cost};

use crate::failure::PathFailure;

/// A request was answered with a path. It stands in [`AgentPath`](crate::AgentPath).
///
/// With [`PathAgent`](crate::PathAgent) the journey begins; without, the request is done.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathFound {
    /// Who asked.
    pub entity: Entity,
    /// The map.
    pub map: Entity,
    /// The last cell of the path.
    pub goal: Cell,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. 0 for an order to one goal.
    pub chosen: usize,
    /// What the path costs.
    pub cost: Cost,
    /// Whether it leads only to the reachable cell nearest to the goal asked for.
    pub partial: bool,
}

/// A request was answered: there is no path.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathFailed {
    /// Who asked.
    pub entity: Entity,
    /// Why there is none.
    pub reason: PathFailure,
}

/// A journey ended at its goal: the agent stands at the centre of the cell.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Arrived {
    /// Who arrived.
    pub entity: Entity,
    /// Where.
    pub cell: Cell,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) this is: the
    /// index in the list. 0 for an order to one goal.
    pub chosen: usize,
    /// Whether this is only the reachable cell nearest to the goal asked for.
    pub partial: bool,
}

/// A journey ended early. The agent stopped where it was.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathLost {
    /// Who lost the way.
    pub entity: Entity,
    /// Why.
    pub reason: PathFailure,
}

/// The way ahead was blocked or its cost changed. A new one is being searched:
/// [`Replanned`] or [`PathLost`] follows, in the same tick if the budget of work allows.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct PathBlocked {
    /// Whose way.
    pub entity: Entity,
    /// The first cell ahead that cannot be entered as planned.
    pub cell: Cell,
}

/// A journey goes on along another path: the way was blocked, the agent was put elsewhere, or it was
/// given another map.
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct Replanned {
    /// Whose journey.
    pub entity: Entity,
    /// The last cell of the new path.
    pub goal: Cell,
    /// Which of the goals of [`PathRequest::to_nearest`](crate::PathRequest::to_nearest) it leads to: the
    /// index in the list. It may be another than before. 0 for an order to one goal.
    pub chosen: usize,
    /// What the new path costs, from the cell where the agent is.
    pub cost: Cost,
    /// Whether it leads only to the reachable cell nearest to the goal asked for.
    pub partial: bool,
}

/// An agent passed the centre of a cell of its path. The start does not count; the goal does, just
/// before [`Arrived`].
#[derive(EntityEvent, Message, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
#[reflect(Debug, Clone, PartialEq)]
pub struct WaypointReached {
    /// Who.
    pub entity: Entity,
    /// The cell.
    pub cell: Cell,
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.add_message::<PathFound>()
        .add_message::<PathFailed>()
        .add_message::<Arrived>()
        .add_message::<PathLost>()
        .add_message::<PathBlocked>()
        .add_message::<Replanned>()
        .add_message::<WaypointReached>()
        .register_type::<PathFound>()
        .register_type::<PathFailed>()
        .register_type::<Arrived>()
        .register_type::<PathLost>()
        .register_type::<PathBlocked>()
        .register_type::<Replanned>()
        .register_type::<WaypointReached>();
}
