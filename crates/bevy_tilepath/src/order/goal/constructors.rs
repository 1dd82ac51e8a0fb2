//! Goals by what they are asked for.

use tilepath::Cost;

use super::PathGoal;
use crate::order::{approach::Approach, target::PathTarget};

impl PathGoal {
    /// Within a distance of a target: see [`Approach::Within`].
    ///
    /// # Units
    /// Cells.
    #[must_use]
    pub fn within(target: impl Into<PathTarget>, distance: f32) -> Self {
        Self::Around([target.into()].into(), Approach::Within(distance))
    }

    /// Beside a target: see [`Approach::Beside`].
    #[must_use]
    pub fn beside(target: impl Into<PathTarget>) -> Self {
        Self::Around([target.into()].into(), Approach::Beside)
    }

    /// In sight of a target: see [`Approach::InSight`].
    ///
    /// # Units
    /// Cells.
    #[must_use]
    pub fn in_sight(target: impl Into<PathTarget>, range: f32) -> Self {
        Self::Around([target.into()].into(), Approach::InSight(range))
    }

    /// Away from a target: see [`PathRequest::flee`](crate::PathRequest::flee).
    #[must_use]
    pub fn flee(target: impl Into<PathTarget>, distance: f32, budget: Cost) -> Self {
        Self::Around([target.into()].into(), Approach::Flee { distance, budget })
    }
}
