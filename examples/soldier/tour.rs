//! The orders of the program itself, for a screenshot.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::Cell;
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun, tiles::centre_of};

use crate::{orders::order, preview::look_ahead, rules::Rules, units::Unit};

/// The goals: for the soldier over the bridge and round the rocks, for the wagon past the swamp,
/// for the boat down to the bridge.
const GOALS: [(Unit, Cell); 3] =
    [(Unit::Soldier, Cell::new(29, 4)), (Unit::Wagon, Cell::new(13, 1)), (Unit::Boat, Cell::new(21, 13))];
/// The place of the pointer, wherever the mouse is.
const POINTED_AT: Cell = Cell::new(26, 20);

/// Sends the units to their goals, and points at a tile.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_orders.run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look_ahead));
    }
}

fn give_orders(mut commands: Commands, units: Query<(Entity, &Unit)>, rules: Res<Rules>) {
    for (entity, unit) in &units {
        if let Some((_, goal)) = GOALS.iter().find(|(sent, _)| sent == unit) {
            commands.entity(entity).insert(order(centre_of(*goal), *rules));
        }
    }
}

fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = Some(centre_of(POINTED_AT));
}
