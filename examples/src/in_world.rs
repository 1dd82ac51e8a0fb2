//! Nodes of the interface at a fixed place of the world.

use bevy::prelude::*;

use crate::camera::PanZoom;

/// Keeps nodes with [`InWorld`] at their place while the camera moves.
#[derive(Debug)]
pub struct InWorldPlugin;

impl Plugin for InWorldPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, place_in_world);
    }
}

/// The place of a node's upper left corner in the world. The node must have an absolute position.
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
