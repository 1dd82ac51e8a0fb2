//! Reasons why a template of a scene cannot be built.

use thiserror::Error;

use crate::map::place::Place;

/// The reason why a [template](crate::templates) of the plugin cannot be built. Bevy's functions
/// that spawn scenes return it inside of their errors.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::templates::{DoorTemplate, TemplateError};
///
/// let built = World::new().spawn_empty().build_template(&DoorTemplate::default());
/// let error = built.unwrap_err();
/// assert_eq!(error.downcast_ref(), Some(&TemplateError::DoorWithoutEnds));
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// A [`Door`](crate::doors::Door) has no ends.
    #[error("the door has no ends: begin with Door::between in the scene")]
    DoorWithoutEnds,
    /// An end of a [`Door`](crate::doors::Door) is neither a cell nor a waypoint.
    #[error("a door cannot end at {place}: name a cell of a map or the id of a waypoint")]
    NotADoorEnd {
        /// The place that was named.
        place: Place,
    },
    /// A [`GroupOrder`](crate::groups::GroupOrder) has no goal.
    #[error("the group order has no goal: begin with GroupOrder::to in the scene")]
    GroupOrderWithoutGoal,
}
