//! Models of the lives of orders, compared with the plugin in every tick.
//!
//! The models see only events, statuses and components. Three things are faults: an event that the
//! table does not allow in the current state, a status that does not belong to the state, and an
//! unexpected component of an order.
//!
//! The table is for the order of an agent. The states:
//! - `free`: no order;
//! - `asked`: an order without an answer;
//! - `way`: under way;
//! - `stop`: blocked until [`Replanned`](bevy_tilepath::events::Replanned), walks on to the wall;
//! - `wait`: stands because of another body;
//! - `both`: blocked and waiting;
//! - `gone`: despawned.
//!
//! A dot is a fault.
//!
//! ```text
//! happens    | free  asked way   stop  wait  both  gone
//! -----------|------------------------------------------
//! ordered    | asked asked asked asked asked asked gone
//! cancelled  | free  free  free  free  free  free  gone
//! Found      | .     way   .     .     .     .     .
//! Answered   | .     free  .     .     .     .     .
//! Failed     | .     free  .     .     .     .     .
//! Blocked    | .     .     stop  .     both  .     .
//! Replanned  | .     .     way   way   wait  wait  .
//! Reached    | .     .     way   stop  wait  both  .
//! Stop       | .     .     way   .     wait  .     .
//! Passed     | .     .     way   .     wait  .     .
//! WaitingFor | .     .     wait  both  .     .     .
//! WaitOver   | .     .     .     .     way   stop  .
//! Arrived    | .     .     free  .     free  .     .
//! Lost       | .     .     free  free  free  free  .
//! ```
//!
//! `Found` begins a journey, `Answered` is the event for an entity without [`PathAgent`](bevy_tilepath::PathAgent).
//!
//! At the end of a tick:
//!
//! ```text
//! state      | order | status
//! -----------|-------|-----------------------------------------------------------
//! free       | no    | as the last order ended: Idle, Arrived, Failed(its reason)
//! asked      | yes   | WaitingForMap, Queued, Searching, WaitingForWay
//! all others | yes   | Following, Paused, WaitingForWay
//! ```

mod group;
#[cfg(test)]
mod tests;

use std::fmt;

use bevy_tilepath::PathStatus;

pub(crate) use self::group::GroupLife;
use crate::events::Told;

/// The life of the orders of an agent, one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Life {
    /// No order, with the status after the last order.
    NoOrder(PathStatus),
    Asked,
    OnTheWay {
        /// True if the path is closed, until the agent has another one.
        is_blocked: bool,
        /// True if the agent stands because of another body.
        is_waiting: bool,
    },
    /// Despawned.
    Gone,
}

/// The stage of an order: missing, without an answer, or under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    NoOrder,
    Asked,
    OnTheWay,
}

/// A difference between a model and the plugin, with the state of the model.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault<S> {
    /// The event does not belong to the state.
    Told { told: Told, state: S },
    /// The status at the end of a tick does not belong to the state.
    Status { status: Option<PathStatus>, state: S },
    /// At the end of a tick, the component of the order is unexpected or missing.
    Order { is_there: bool, state: S },
}

impl Life {
    /// The life of an agent before its first order.
    pub(crate) const NEW: Self = Self::NoOrder(PathStatus::Idle);

    pub(crate) fn stage(self) -> Stage {
        match self {
            Self::NoOrder(_) | Self::Gone => Stage::NoOrder,
            Self::Asked => Stage::Asked,
            Self::OnTheWay { .. } => Stage::OnTheWay,
        }
    }

    pub(crate) fn has_order(self) -> bool {
        self.stage() != Stage::NoOrder
    }

    /// Begins a new order, which replaces the current order.
    pub(crate) fn ordered(&mut self) {
        if *self != Self::Gone {
            *self = Self::Asked;
        }
    }

    /// Ends the order without an event, if there is one.
    pub(crate) fn cancelled(&mut self) {
        if self.has_order() {
            *self = Self::NoOrder(PathStatus::Idle);
        }
    }

    /// Takes an event into account.
    ///
    /// # Errors
    /// [`Fault::Told`] if the event does not belong to the state.
    pub(crate) fn told(&mut self, told: &Told) -> Result<(), Fault<Self>> {
        let on_the_way = |is_blocked, is_waiting| Self::OnTheWay { is_blocked, is_waiting };
        *self = match (*self, told) {
            (Self::Asked, Told::Found { walks: true }) => on_the_way(false, false),
            (Self::Asked, Told::Found { walks: false }) => Self::NoOrder(PathStatus::Idle),
            (Self::Asked, Told::Failed(reason)) | (Self::OnTheWay { .. }, Told::Lost(reason)) => {
                Self::NoOrder(PathStatus::Failed(*reason))
            }
            (Self::OnTheWay { is_waiting, .. }, Told::Replanned) => on_the_way(false, is_waiting),
            (Self::OnTheWay { is_blocked, is_waiting: true }, Told::WaitOver) => {
                on_the_way(is_blocked, false)
            }
            (Self::OnTheWay { is_blocked, is_waiting: false }, Told::WaitingFor) => {
                on_the_way(is_blocked, true)
            }
            (Self::OnTheWay { .. }, Told::Reached(..)) => *self,
            (Self::OnTheWay { is_blocked: false, is_waiting }, told) => match told {
                Told::Blocked => on_the_way(true, is_waiting),
                Told::StopReached | Told::Passed { .. } => *self,
                Told::Arrived(_) => Self::NoOrder(PathStatus::Arrived),
                _ => return Err(Fault::Told { told: told.clone(), state: *self }),
            },
            (state, _) => return Err(Fault::Told { told: told.clone(), state }),
        };
        Ok(())
    }

    /// Compares the state with the components at the end of a tick.
    ///
    /// # Errors
    /// [`Fault::Order`] or [`Fault::Status`] if one of them does not belong to the state.
    pub(crate) fn seen(self, status: Option<PathStatus>, has_order: bool) -> Result<(), Fault<Self>> {
        if has_order != self.has_order() {
            return Err(Fault::Order { is_there: has_order, state: self });
        }
        let fits = status.is_some_and(|status| match self {
            Self::NoOrder(left) => status == left,
            Self::Asked => matches!(
                status,
                PathStatus::WaitingForMap
                    | PathStatus::Queued
                    | PathStatus::Searching
                    | PathStatus::WaitingForWay(_)
            ),
            Self::OnTheWay { .. } => {
                matches!(status, PathStatus::Following | PathStatus::Paused | PathStatus::WaitingForWay(_))
            }
            Self::Gone => false,
        });
        if fits { Ok(()) } else { Err(Fault::Status { status, state: self }) }
    }
}

impl fmt::Display for Life {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOrder(status) => {
                write!(formatter, "the agent has no order, and left the last one {status:?}")
            }
            Self::Asked => formatter.write_str("the order has no answer yet"),
            Self::OnTheWay { is_blocked, is_waiting } => {
                let blocked = if *is_blocked { ", blocked and not yet replanned" } else { "" };
                let waiting = if *is_waiting { ", waiting for another body" } else { "" };
                write!(formatter, "the agent is on its way{blocked}{waiting}")
            }
            Self::Gone => formatter.write_str("the agent is despawned"),
        }
    }
}

impl<S: fmt::Display> fmt::Display for Fault<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Told { told, state } => write!(formatter, "{told:?} is triggered, but {state}"),
            Self::Status { status, state } => {
                write!(formatter, "the status is {status:?} at the end of the tick, but {state}")
            }
            Self::Order { is_there, state } => {
                let order = if *is_there { "there" } else { "missing" };
                write!(formatter, "the component of the order is {order} at the end of the tick, but {state}")
            }
        }
    }
}

impl<S: fmt::Display> From<Fault<S>> for String {
    fn from(fault: Fault<S>) -> Self {
        fault.to_string()
    }
}
