//! Nodes of the interface that stay at a place of the world, however the camera looks at it.

use bevy::prelude::*;

use crate::camera::PanZoom;

/// Keeps nodes with [`InWorld`] where they are.
#[derive(Debug)]
pub struct InWorldPlugin;

impl Plugin for InWorldPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, place_in_world);
    }
}

/// Where a node's upper left corner is in the world. The node has to be placed absolutely.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub struct InWorld(pub Vec2);

fn place_in_world(view: Single<&PanZoom>, scale: Res<UiScale>, mut nodes: Query<(&InWorld, &mut Node)>) {
    for (place, mut node) in &mut nodes {
        let corner = (view.screen_at(place.0) / scale.0).round();
        let (left, top) = (px(corner.x), px(corner.y));
        if (node.left, node.top) != (left, top) {
            (node.left, node.top) = (left, top);
        }
    }
}
