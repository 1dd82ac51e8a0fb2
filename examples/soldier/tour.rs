//! Orders that the program gives itself, so that a screenshot shows the soldier on its way.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::Cell;
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun};

use crate::{level::centre_of, orders::order, preview::look_ahead, rules::Rules, scene::Soldier};

/// Where it is sent: over the bridge, to the trees in the east.
const GOAL: Cell = Cell::new(36, 4);
/// Where the pointer seems to be, wherever the mouse is.
const POINTED_AT: Cell = Cell::new(26, 20);

/// Sends the soldier on its way and points at a tile.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_order.run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look_ahead));
    }
}

fn give_order(mut commands: Commands, soldier: Single<Entity, With<Soldier>>, rules: Res<Rules>) {
    commands.entity(*soldier).insert(order(centre_of(GOAL), *rules));
}

fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = Some(centre_of(POINTED_AT));
}
