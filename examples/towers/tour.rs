//! Towers of the program itself, for a screenshot.
//!
//! They form a maze, and the pointer holds the tower that would close it.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun, tiles::centre_of};

use crate::{
    build::Build,
    level::{LAST_GAP, maze},
};

/// Builds a maze. Needs a window.
pub(crate) struct TourPlugin;

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (build_maze.run_if(condition_changed_to(true, has_begun)), point));
    }
}

fn build_maze(mut builds: MessageWriter<Build>) {
    builds.write_batch(maze().chain(LAST_GAP[..2].iter().copied()).map(Build::Tower));
}

/// Puts the pointer over the last gap, with a tower in hand, wherever the mouse is.
fn point(mut pointer: ResMut<MapPointer>) {
    pointer.world = Some(centre_of(LAST_GAP[2]));
}
