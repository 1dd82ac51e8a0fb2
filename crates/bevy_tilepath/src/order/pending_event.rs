//! What is to be told about orders.

use bevy_ecs::entity::Entity;
use tilepath::{Cell, Cost};

use crate::{
    failure::PathFailure,
    map::place::Place,
    order::{goal::PathGoal, route::Route, stop_cursor::StopCursor},
};

/// What is to be told about an order.
#[derive(Debug)]
pub(crate) enum PendingEvent {
    Found(Box<Route>),
    /// The same for a journey under way.
    Replanned(Box<Route>),
    /// The way from the next stop on to the one after that, which is under that cursor, of stops that were edited so often.
    Ahead(Box<Route>, StopCursor, u64),
    /// A way for an order that this one has replaced, to go by until this one is answered.
    Interim(Box<Route>),
    Failed(PathFailure),
    Blocked {
        map: Entity,
        place: Place,
    },
    PointReached {
        map: Entity,
        place: Place,
    },
    DoorPassed {
        door: Entity,
        from: Entity,
        to: Entity,
        leaps: bool,
    },
    StopReached {
        map: Entity,
        place: Place,
        index: usize,
        goal: PathGoal,
        chosen: usize,
        partial: bool,
    },
    Arrived {
        map: Entity,
        place: Place,
        chosen: usize,
        partial: bool,
        shortfall: Cost,
    },
    WaitsFor {
        by: Entity,
        cell: Cell,
    },
    WaitOver,
    Lost(PathFailure),
}

impl PendingEvent {
    /// The end of an order, whether it has been answered or not.
    pub(crate) fn ended(reason: PathFailure, is_answered: bool) -> Self {
        if is_answered { Self::Lost(reason) } else { Self::Failed(reason) }
    }
}
