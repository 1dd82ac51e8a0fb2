//! The order of the program itself, for a screenshot.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::PathRequest;
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun};

use crate::{
    orders::look,
    report::Report,
    scene::{Maps, Soldier},
};

/// Sends the soldier from the meadow to the church.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, give_order.run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(look));
    }
}

fn give_order(
    mut commands: Commands,
    maps: Res<Maps>,
    soldier: Single<Entity, With<Soldier>>,
    mut report: ResMut<Report>,
) {
    report.goal = "church".into();
    commands.entity(*soldier).insert(PathRequest::to_waypoint("church").on_map(maps.town));
}

/// Puts the pointer beside the maps, wherever the mouse is.
fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = None;
}
