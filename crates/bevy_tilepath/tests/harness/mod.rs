//! The shared parts of the plugin's tests: a [`Game`] and its events.

#![allow(dead_code, unused_imports, reason = "each test binary uses its own part of the harness")]

mod bevy_version;
mod disabling;
mod files;
mod game;
mod groups;
mod logs;
#[cfg(feature = "tilemap")]
mod tiles;
mod told;

use bevy::prelude::*;
use bevy_tilepath::{Cell, PathFailure, tilepath::Bounds};

#[cfg(feature = "tilemap")]
pub(crate) use self::tiles::*;
pub(crate) use self::{
    bevy_version::*,
    disabling::{Frozen, with_both},
    files::*,
    game::*,
    logs::{logs_of, logs_of_all_threads},
    told::{BodyNews, GroupNews, Named, Told},
};

/// The width of a cell of [`Game::map`].
pub(crate) const CELL: f32 = 16.0;

/// Returns the centre of a cell of [`Game::map`] in the world.
pub(crate) fn centre(x: i32, y: i32) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5) * CELL
}

/// Returns the rows of a picture without indentation and blank lines.
pub(crate) fn rows(picture: &str) -> Vec<&str> {
    picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect()
}

/// Returns the failure of a start that is not on a map of this size. The first cell of the map is
/// (0, 0).
pub(crate) fn start_off(cell: (i32, i32), width: u32, height: u32) -> PathFailure {
    PathFailure::StartOutOfBounds { cell: cell.into(), bounds: bounds(width, height) }
}

/// Returns the failure of a goal that is not on a map of this size. The first cell of the map is
/// (0, 0).
pub(crate) fn goal_off(cell: (i32, i32), width: u32, height: u32) -> PathFailure {
    PathFailure::GoalOutOfBounds { cell: cell.into(), bounds: bounds(width, height) }
}

fn bounds(width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(0, 0), width, height).expect("the map is small")
}
