//! Agents that walk step by step, for games of turns.

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

/// Lets an agent go a number of steps along its path: from cell to cell, or from waypoint to waypoint.
///
/// Trigger it, several times if you like: steps add up. The agent becomes [`Stepwise`] if it is not, and goes no farther than
/// it was told. Its path, its events and the replanning of what was edited are those of any agent.
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
    /// How many steps more it may go.
    pub steps: u32,
}

/// An agent that walks step by step, as [`StepAgent`] or your own code allows, and stands at the centre of a cell, or at a
/// waypoint, between its steps. Remove it, and the agent walks as others do.
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
#[type_path = "bevy_tilepath"]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Stepwise {
    /// How many steps it may go. Each cell or waypoint that it reaches takes one off; when its order ends it is 0. To reach
    /// the centre of the cell where it stands at first is no step.
    pub steps: u32,
    /// Whether it walks its steps at the speed of its [`PathAgent`](crate::PathAgent). Otherwise it goes all of them within a
    /// tick, whatever its speed, also where no time goes by; a [`Body`](crate::Body) as far as others let it.
    pub is_animated: bool,
}

impl Default for Stepwise {
    /// No steps, animated.
    fn default() -> Self {
        Self { steps: 0, is_animated: true }
    }
}

fn add_steps(given: On<StepAgent>, mut agents: Query<&mut Stepwise>, mut commands: Commands) {
    let StepAgent { entity, steps } = *given.event();
    if let Ok(mut stepwise) = agents.get_mut(entity) {
        stepwise.steps = stepwise.steps.saturating_add(steps);
    } else {
        // Two events of one frame find it missing both.
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
