//! The order that the program gives itself, so that a screenshot shows the soldier on its way.

use bevy::prelude::*;
use bevy_tilepath::PathRequest;
use tilepath_examples::pointer::MapPointer;

use crate::{
    orders::look,
    report::Report,
    scene::{Maps, Soldier},
};

/// Sends the soldier from the meadow to the church.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, give_order).add_systems(Update, point.before(look));
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

/// The pointer seems to be beside the maps, wherever the mouse is.
fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = None;
}
