//! Events of orders that are not triggered yet.

use bevy_ecs::entity::Entity;
use tilepath::{Cell, Cost};

use crate::{
    failure::PathFailure,
    map::place::Place,
    order::{goal::PathGoal, route::Route, stop_cursor::StopCursor},
};

/// An event of an order that is not triggered yet.
#[derive(Clone, Debug)]
pub(crate) enum PendingEvent {
    Found(Box<Route>),
    /// A new route for an agent that walks already.
    Replanned(Box<Route>),
    /// The route from the next stop to the stop after it, the cursor of that stop, and the number
    /// of edits that the list of stops then had.
    Ahead(Box<Route>, StopCursor, u64),
    /// A route of an order that this order has replaced. The agent follows it until this order is
    /// answered.
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
    /// An agent that other code moves makes no progress.
    Stuck,
    Lost(PathFailure),
}

impl PendingEvent {
    /// Returns the event that ends an order, answered or not.
    pub(crate) fn ended(reason: PathFailure, is_answered: bool) -> Self {
        if is_answered { Self::Lost(reason) } else { Self::Failed(reason) }
    }

    /// Returns the map and the place where an agent ends, if it could not come to its goal.
    pub(crate) fn partial_end(&self) -> Option<(Entity, &Place)> {
        match self {
            Self::Arrived { map, place, partial: true, .. } => Some((*map, place)),
            _ => None,
        }
    }
}
