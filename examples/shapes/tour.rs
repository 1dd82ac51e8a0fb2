//! The orders of the program itself, for a screenshot.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun};

use crate::{
    ground::Maps,
    level::Shape,
    orders::{look, order},
    scene::Walker,
    view::Enlarged,
};

/// Sends each walker to the goal of its map, and points at a tile.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_orders.run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look));
    }
}

fn give_orders(mut commands: Commands, maps: Maps, walkers: Query<(Entity, &Walker)>) {
    for (walker, &Walker(shape)) in &walkers {
        let goal = shape.centre_of(shape.find('G'));
        if let Some(spot) = maps.spot_at(goal) {
            commands.entity(walker).insert(order(spot, goal));
        }
    }
}

/// Puts the pointer near the goal, wherever the mouse is.
fn point(enlarged: Res<Enlarged>, mut pointer: ResMut<MapPointer>) {
    let shape = enlarged.0.unwrap_or(Shape::Hexagons);
    let down = shape.grid_size() * Vec2::new(-1.0, -4.0);
    pointer.world = Some(shape.centre_of(shape.find('G')) + down);
}
