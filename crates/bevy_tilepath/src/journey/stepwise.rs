//! Agents that walk step by step, for turn-based games.

use bevy_app::App;
use bevy_ecs::{
    component::Component,
    entity::Entity,
    event::EntityEvent,
    observer::On,
    reflect::ReflectComponent,
    system::{Commands, Query},
};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// An event that lets an agent walk a number of steps along its path. A step leads from cell to
/// cell, or from waypoint to waypoint.
///
/// Trigger this event. If you trigger it several times, the steps add up. If the agent has no
/// [`Stepwise`] component, the event inserts one, and the agent walks no farther than its steps.
///
/// Paths, events and replanning after edits work as for any other agent.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{agents::StepAgent, PathAgent};
///
/// fn end_turn(pawns: Query<Entity, With<PathAgent>>, mut commands: Commands) {
///     for entity in &pawns {
///         commands.trigger(StepAgent { entity, steps: 1 });
///     }
/// }
/// # let _ = IntoSystem::into_system(end_turn);
/// ```
#[derive(EntityEvent, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[type_path = "bevy_tilepath"]
#[reflect(Debug, Clone, PartialEq)]
#[doc(alias = "turn-based")]
pub struct StepAgent {
    /// The agent.
    pub entity: Entity,
    /// The number of steps to add.
    pub steps: u32,
}

/// Makes an agent walk step by step. The event [`StepAgent`] or your own code adds steps. Between
/// two steps, the agent stands at the centre of a cell or at a waypoint. If you remove this
/// component, the agent walks as other agents do.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{PathAgent, Stepwise};
///
/// let mut world = World::new();
/// let pawn = world.spawn((PathAgent::default(), Stepwise { is_animated: false, ..Stepwise::default() })).id();
/// assert_eq!(world.get::<Stepwise>(pawn).unwrap().steps, 0);
/// ```
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Stepwise {
    /// The number of steps that the agent may still walk. When the agent reaches a cell or
    /// waypoint, the number goes down by one. When its order ends, the number becomes zero.
    ///
    /// The walk to the centre of the first cell is not a step.
    pub steps: u32,
    /// True if the agent walks its steps at the speed of its [`PathAgent`](crate::PathAgent). If
    /// false, the agent walks all its steps within one tick, at any speed, even if no time passes.
    /// If the agent has a [`Body`](crate::Body), it then walks as far as other bodies allow.
    pub is_animated: bool,
}

impl Default for Stepwise {
    /// Returns no steps, animated.
    fn default() -> Self {
        Self { steps: 0, is_animated: true }
    }
}

fn add_steps(given: On<StepAgent>, mut agents: Query<&mut Stepwise>, mut commands: Commands) {
    let StepAgent { entity, steps } = *given.event();
    if let Ok(mut stepwise) = agents.get_mut(entity) {
        stepwise.steps = stepwise.steps.saturating_add(steps);
    } else {
        // If two events of one frame find no component, both commands add their steps.
        commands.entity(entity).queue_handled(
            move |mut entity: bevy_ecs::world::EntityWorldMut| {
                let mut stepwise = entity.entry::<Stepwise>().or_default().into_mut();
                stepwise.steps = stepwise.steps.saturating_add(steps);
            },
            bevy_ecs::error::ignore,
        );
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.register_type::<Stepwise>().register_type::<StepAgent>().add_observer(add_steps);
}
