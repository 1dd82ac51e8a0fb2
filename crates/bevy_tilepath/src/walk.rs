//! Journeys under way: whether they are still right, and the walking itself.

pub(crate) mod better_ways;
pub(crate) mod clock;
pub(crate) mod follow;
pub(crate) mod replan;
