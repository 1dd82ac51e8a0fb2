//! Orders that the program gives itself, so that a screenshot shows the soldier on its way.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::Cell;
use tilepath_examples::{ground::Ground, pointer::MapPointer, screenshot::has_begun};

use crate::{
    brush::{Brush, Paint, PaintSet},
    level::centre_of,
    orders::order,
    preview::look_ahead,
    rules::Rules,
    scene::Soldier,
};

/// Where it is sent: over the bridge, to the trees in the east.
const GOAL: Cell = Cell::new(36, 4);
/// Where the pointer seems to be, wherever the mouse is.
const POINTED_AT: Cell = Cell::new(26, 20);

/// Sends the soldier on its way and points at a tile.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_order(GOAL).run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look_ahead));
    }
}

fn give_order(goal: Cell) -> impl Fn(Commands, Single<Entity, With<Soldier>>, Res<Rules>) {
    move |mut commands, soldier, rules| {
        commands.entity(*soldier).insert(order(centre_of(goal), *rules));
    }
}

/// Takes the upper bridge away once the soldier is near it.
pub(crate) struct FilmTourPlugin;

/// Where the film ends: on the other bank.
const ACROSS: Cell = Cell::new(25, 10);
/// Near enough to the upper bridge.
const BEFORE_THE_BRIDGE: Cell = Cell::new(16, 12);

impl Plugin for FilmTourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_order(ACROSS).run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, take_the_bridge_away.before(PaintSet))
            .add_systems(Update, point_nowhere.before(look_ahead));
    }
}

fn take_the_bridge_away(
    soldier: Single<&Transform, With<Soldier>>,
    mut paints: MessageWriter<Paint>,
    mut is_done: Local<bool>,
) {
    if !*is_done && soldier.translation.x >= centre_of(BEFORE_THE_BRIDGE).x {
        *is_done = true;
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
