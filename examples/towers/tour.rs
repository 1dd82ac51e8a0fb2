//! Towers that the program builds itself, so that a screenshot shows a maze and the tower that would seal it.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::Cell;
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun, tiles::centre_of};

use crate::build::Build;

/// Builds a maze. Needs a window.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (build_maze.run_if(condition_changed_to(true, has_begun)), point));
    }
}

/// Two walls of towers, each from one edge of the valley almost to the other: where they end is the way.
pub(crate) fn maze() -> impl Iterator<Item = Cell> {
    let northern = (5..23).map(|y| Cell::new(17, y));
    let southern = (2..19).map(|y| Cell::new(23, y));
    northern.chain(southern)
}

/// With a tower here the first wall would be whole.
pub(crate) const LAST_GAP: [Cell; 3] = [Cell::new(17, 2), Cell::new(17, 3), Cell::new(17, 4)];

fn build_maze(mut builds: MessageWriter<Build>) {
    builds.write_batch(maze().chain(LAST_GAP[..2].iter().copied()).map(Build::Tower));
}

/// The pointer seems to hold a tower over the last gap, wherever the mouse is.
fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = Some(centre_of(LAST_GAP[2]));
}
