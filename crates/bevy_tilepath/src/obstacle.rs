//! Things that block cells where they stand.

use bevy_app::App;
use bevy_ecs::{component::Component, intern::Interned, reflect::ReflectComponent, schedule::ScheduleLabel};
use bevy_math::Vec2;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// Blocks the cells under an entity.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Reflect)]
#[reflect(Component, Default, Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// Width and height in world units.
    pub size: Vec2,
}

pub(crate) fn plugin(app: &mut App, _schedule: Interned<dyn ScheduleLabel>) {
    app.register_type::<Obstacle>();
}
