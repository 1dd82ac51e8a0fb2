//! Orders that the program gives itself, so that a screenshot shows the units on their way.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::Cell;
use tilepath_examples::{ground::Ground, pointer::MapPointer, screenshot::has_begun, tiles::centre_of};

use crate::{
    brush::{Brush, Paint, PaintSet},
    orders::order,
    preview::look_ahead,
    rules::Rules,
    units::Unit,
};

/// Where they are sent: the soldier over the bridge and round the rocks, the wagon past the swamp, the boat down to the
/// bridge.
const GOALS: [(Unit, Cell); 3] =
    [(Unit::Soldier, Cell::new(29, 4)), (Unit::Wagon, Cell::new(13, 1)), (Unit::Boat, Cell::new(21, 13))];
/// Where the pointer seems to be, wherever the mouse is.
const POINTED_AT: Cell = Cell::new(26, 20);

/// Sends the units on their way and points at a tile.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_orders(&GOALS).run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look_ahead));
    }
}

fn give_orders(goals: &'static [(Unit, Cell)]) -> impl Fn(Commands, Query<(Entity, &Unit)>, Res<Rules>) {
    move |mut commands, units, rules| {
        for (entity, unit) in &units {
            if let Some((_, goal)) = goals.iter().find(|(sent, _)| sent == unit) {
                commands.entity(entity).insert(order(centre_of(*goal), *rules));
            }
        }
    }
}

/// Takes the upper bridge away once the soldier is near it; the boat sails through the gap.
pub(crate) struct FilmTourPlugin;

/// Where the film ends: on the other bank.
const ACROSS: [(Unit, Cell); 1] = [(Unit::Soldier, Cell::new(25, 10))];
const DOWN_THE_RIVER: Cell = Cell::new(20, 6);
/// Near enough to the upper bridge.
const BEFORE_THE_BRIDGE: Cell = Cell::new(16, 12);

impl Plugin for FilmTourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_orders(&ACROSS).run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, take_the_bridge_away.before(PaintSet))
            .add_systems(Update, point_nowhere.before(look_ahead));
    }
}

fn take_the_bridge_away(
    mut commands: Commands,
    units: Query<(Entity, &Unit, &Transform)>,
    rules: Res<Rules>,
    mut paints: MessageWriter<Paint>,
    mut is_done: Local<bool>,
) {
    let find = |wanted| units.iter().find(|(_, unit, _)| **unit == wanted);
    let Some((.., soldier)) = find(Unit::Soldier) else { return };
    if !*is_done && soldier.translation.x >= centre_of(BEFORE_THE_BRIDGE).x {
        *is_done = true;
        if let Some((boat, ..)) = find(Unit::Boat) {
            commands.entity(boat).insert(order(centre_of(DOWN_THE_RIVER), *rules));
        }
        let bridge = (19..24).flat_map(|x| [11, 12].map(|y| Cell::new(x, y)));
        paints.write_batch(bridge.map(|cell| Paint { cell, brush: Brush::Ground(Ground::Water) }));
    }
}

fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = Some(centre_of(POINTED_AT));
}

/// The mouse shows no other way.
fn point_nowhere(mut pointer: ResMut<MapPointer>) {
    pointer.world = None;
}
