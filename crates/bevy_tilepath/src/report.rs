//! What is told of orders and journeys.

pub(crate) mod events;
pub(crate) mod publish;
