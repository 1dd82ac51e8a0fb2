//! What a search is for.

use bevy_ecs::entity::Entity;

use crate::{
    map::place::Spot,
    order::{goal::Goals, queue::Order, request::PathRequest},
};

/// What a search is for.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) order: Order,
    pub(crate) request: PathRequest,
    pub(crate) map: Entity,
    /// Where the entity stood when the search began.
    pub(crate) start: Spot,
    pub(crate) goals: Goals,
    /// The order has been answered before: this is for a journey under way.
    pub(crate) replan: bool,
}
