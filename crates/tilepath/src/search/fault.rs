//! Steps that cannot be counted.

use crate::cost::CostFault;
use std::fmt;

/// A step that cannot be counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeFault<N> {
    /// The node that was expanded. Where the estimate of a start is faulty, the start itself.
    pub from: N,
    /// Where the step leads.
    pub to: N,
    /// Which number it is.
    pub value: FaultyValue,
    /// What is wrong with it.
    pub fault: CostFault,
}

/// A number that the problem gives to the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FaultyValue {
    /// What the step costs.
    StepCost,
    /// The estimate of what is left after the step.
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
                write!(formatter, "the step from {from:?} to {to:?} costs something {fault}")
            }
            FaultyValue::Estimate => {
                write!(formatter, "the estimate at {to:?}, come from {from:?}, is {fault}")
            }
        }?;
        formatter.write_str(": every cost must be a number of zero or more")
    }
}
