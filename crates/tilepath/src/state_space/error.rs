//! What can be wrong with a space of states.

use crate::cost::CostFault;
use thiserror::Error;

/// Why a [`StateSpace`](crate::state_space::StateSpace) cannot be searched: a step that cannot be counted, by name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StateSpaceError<State> {
    /// A step's cost is not a number, negative or infinite.
    #[error(
        "the step from {from:?} to {to:?} costs something {fault}: let `successors` give numbers of zero or more"
    )]
    InvalidStepCost {
        /// The state whose successors were looked at.
        from: State,
        /// Where the step leads.
        to: State,
        /// What is wrong.
        fault: CostFault,
    },
    /// An estimate is not a number, negative or infinite.
    #[error(
        "the estimate for {state:?} is {fault}: let `estimate` give numbers of zero or more, zero if nothing is known"
    )]
    InvalidEstimate {
        /// The state that was estimated.
        state: State,
        /// What is wrong.
        fault: CostFault,
    },
    /// No way was found whose cost can be stated; by this step, and perhaps others, the cost grew too large.
    #[error(
        "costs add up to more than can be stated at the step from {from:?} to {to:?}: take a larger type of cost or a larger unit"
    )]
    CostOverflow {
        /// The state whose successors were looked at.
        from: State,
        /// Where the step leads.
        to: State,
    },
}
