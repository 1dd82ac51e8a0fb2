//! The places of one board, or of two side by side.

use bevy::prelude::*;

use super::BOARD;
use crate::{lab::Lab, settings::Mode};

/// The gap between two boards, in world units.
const GAP: f32 = 6.0;
/// The margin around the boards, in world units.
const FRAME: f32 = 0.6;
/// The height of the title above each of two boards, in world units.
const TITLE: f32 = 5.0;

/// The boards of an experiment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Boards {
    count: usize,
    /// The size of each board.
    extent: Vec2,
}

impl Boards {
    pub(crate) fn of(lab: &Lab) -> Self {
        let extent = match lab.settings().mode {
            Mode::Grid => lab.field().shape().extent(),
            Mode::Graph => BOARD,
        };
        Self { count: lab.lanes().len(), extent }
    }

    /// Returns the width of each board.
    pub(crate) fn width(&self) -> f32 {
        self.extent.x
    }

    /// Returns the lower left corner of a board.
    pub(crate) fn origin(&self, number: usize) -> Vec2 {
        Vec2::new((self.extent.x + GAP) * number as f32, 0.0)
    }

    /// Returns the middle of the title above a board, in the board's units.
    pub(crate) fn title_place(&self) -> Vec2 {
        Vec2::new(self.extent.x / 2.0, self.extent.y + TITLE / 2.0 + FRAME / 2.0)
    }

    /// Returns the rectangle around all boards.
    pub(crate) fn bounds(&self) -> Rect {
        let title = if self.count > 1 { TITLE } else { 0.0 };
        let last = self.origin(self.count.saturating_sub(1));
        Rect::from_corners(Vec2::ZERO, last + self.extent + Vec2::new(0.0, title)).inflate(FRAME)
    }

    /// Converts a place of the world into the units of the nearest board.
    pub(crate) fn local(&self, world: Vec2) -> Vec2 {
        let number = (0..self.count).rev().find(|&number| world.x >= self.origin(number).x - GAP / 2.0);
        world - self.origin(number.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_boards_of_a_race_answer_to_the_mouse_alike() {
        let boards = Boards { count: 2, extent: Vec2::new(96.0, 72.0) };
        let place = Vec2::new(3.0, 70.0);
        for number in 0..2 {
            assert_eq!(boards.local(boards.origin(number) + place), place);
            assert!(boards.bounds().contains(boards.origin(number) + place));
        }
        let alone = Boards { count: 1, ..boards };
        assert_eq!(alone.local(Vec2::new(200.0, 0.0)), Vec2::new(200.0, 0.0), "there is no second board");
    }
}
