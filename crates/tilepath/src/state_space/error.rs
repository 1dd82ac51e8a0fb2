//! The errors of searches over states.

use crate::cost::CostFault;
use thiserror::Error;

/// An invalid cost or estimate of a [`StateSpace`](crate::state_space::StateSpace), or a sum of
/// costs that is too large, with its step or state.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StateSpaceError<State> {
    /// A step's cost is not a number, is negative or is infinite.
    #[error(
        "the cost of the step from {from:?} to {to:?} is {fault}: let `successors` give numbers of zero or more"
    )]
    InvalidStepCost {
        /// The state that was expanded.
        from: State,
        /// The state to which the step leads.
        to: State,
        /// The fault of the cost.
        fault: CostFault,
    },
    /// An estimate is not a number, is negative or is infinite.
    #[error(
        "the estimate for {state:?} is {fault}: let `estimate` give numbers of zero or more, zero if nothing is known"
    )]
    InvalidEstimate {
        /// The state with the invalid estimate.
        state: State,
        /// The fault of the estimate.
        fault: CostFault,
    },
    /// No path was found, but a sum of costs was too large at this step, and perhaps at others.
    #[error(
        "costs add up to more than can be stated at the step from {from:?} to {to:?}: take a larger type of cost or a larger unit"
    )]
    CostOverflow {
        /// The state that was expanded.
        from: State,
        /// The state to which the step leads.
        to: State,
    },
}
