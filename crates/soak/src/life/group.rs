//! The model of the order of a group.
//!
//! A dot is a fault.
//!
//! ```text
//! happens           | free  asked way
//! ------------------|------------------
//! a member ordered  | .     way   way
//! GroupArrived      | .     .     free
//! GroupFailed early | .     free  .
//! GroupFailed late  | .     free  free
//! order at the end  | no    yes   yes
//! ```
//!
//! Every order begins as `asked`, without places, even if it replaces another order. It fails early
//! if members, places or a map are missing. It fails late if all members are lost or have left,
//! which can also happen in the ticks in which the group is planned. A cancelled or despawned group is
//! dropped. So is a group whose members were all taken by other orders: it ends without an event.

use std::fmt;

use bevy_tilepath::groups::GroupFailure;

use super::Fault;
use crate::events::Told;

/// The life of the order of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupLife {
    NoOrder,
    Asked,
    UnderWay,
}

impl GroupLife {
    /// Takes an event into account.
    ///
    /// # Errors
    /// [`Fault::Told`] if the event does not belong to the state.
    pub(crate) fn told(&mut self, told: &Told) -> Result<(), Fault<Self>> {
        *self = match (*self, told) {
            (Self::Asked | Self::UnderWay, Told::Ordered { .. }) => Self::UnderWay,
            (Self::UnderWay, Told::GroupArrived(_)) | (Self::Asked, Told::GroupFailed(_)) => Self::NoOrder,
            (Self::UnderWay, Told::GroupFailed(failed)) if !is_early(failed.reason) => Self::NoOrder,
            (state, told) => return Err(Fault::Told { told: told.clone(), state }),
        };
        Ok(())
    }

    /// Compares the state with the component at the end of a tick.
    ///
    /// # Errors
    /// [`Fault::Order`] if the component is unexpected or missing.
    pub(crate) fn seen(self, has_order: bool) -> Result<(), Fault<Self>> {
        if has_order == (self != Self::NoOrder) {
            Ok(())
        } else {
            Err(Fault::Order { is_there: has_order, state: self })
        }
    }
}

/// Returns whether a group fails for this reason before any member has an order.
fn is_early(reason: GroupFailure) -> bool {
    !matches!(reason, GroupFailure::AllLeft | GroupFailure::NoneArrived { .. })
}

impl fmt::Display for GroupLife {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoOrder => "the group has no order",
            Self::Asked => "no member of the group has been ordered yet",
            Self::UnderWay => "the order of the group is under way",
        })
    }
}
