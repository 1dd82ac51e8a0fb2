//! Steps with an invalid cost or estimate.
//!
//! Decision: `docs/decisions/25-costs.md`.

use crate::cost::CostFault;
use std::fmt;

/// A step with an invalid cost or estimate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeFault<N> {
    /// The node that was expanded. If the estimate of a start is invalid, this is the start.
    pub from: N,
    /// The node to which the step leads.
    pub to: N,
    /// The invalid number: the cost or the estimate.
    pub value: FaultyValue,
    /// The fault of the number.
    pub fault: CostFault,
}

/// The kind of number that was invalid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FaultyValue {
    /// The cost of the step.
    StepCost,
    /// The estimate of the remaining cost after the step.
    Estimate,
}

impl fmt::Display for FaultyValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::StepCost => "cost",
            Self::Estimate => "estimate",
        })
    }
}

impl<N: fmt::Debug> fmt::Display for EdgeFault<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, value, fault } = self;
        match value {
            FaultyValue::StepCost => {
                write!(formatter, "the cost of the step from {from:?} to {to:?} is {fault}")
            }
            FaultyValue::Estimate => {
                write!(formatter, "the estimate at {to:?}, reached from {from:?}, is {fault}")
            }
        }?;
        formatter.write_str(": every cost must be a number of zero or more")
    }
}
