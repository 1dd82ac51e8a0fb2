//! The colours of the boards.

use bevy::color::Color;

use crate::settings::Brush;

pub(crate) const TABLE: Color = Color::srgb(0.105, 0.11, 0.14);
pub(crate) const PAPER: Color = Color::srgb(0.945, 0.925, 0.87);
pub(crate) const GRASS: Color = Color::srgb(0.76, 0.83, 0.60);
pub(crate) const MUD: Color = Color::srgb(0.62, 0.50, 0.35);
pub(crate) const WATER: Color = Color::srgb(0.53, 0.70, 0.83);
pub(crate) const WALL: Color = Color::srgb(0.23, 0.235, 0.28);

pub(crate) const OPEN: Color = Color::srgb(0.42, 0.80, 0.58);
pub(crate) const EXPANDED: Color = Color::srgb(0.62, 0.56, 0.88);
pub(crate) const CURRENT: Color = Color::srgb(1.0, 0.50, 0.18);
/// Light enough to read the numbers of its cells on it.
pub(crate) const PATH: Color = Color::srgb(1.0, 0.80, 0.16);
/// The cells that a large unit covers on its path.
pub(crate) const SWEPT: Color = Color::srgb(0.78, 0.50, 0.06);
/// Expanded cells of a search that found no path.
pub(crate) const NO_PATH: Color = Color::srgb(0.74, 0.24, 0.31);
/// Walls that a path needs open.
pub(crate) const BARRIER: Color = Color::srgb(0.80, 0.95, 0.25);
pub(crate) const PROPOSAL: Color = Color::srgb(0.80, 0.15, 0.62);
pub(crate) const LANDMARK: Color = Color::srgb(0.48, 0.10, 0.55);
pub(crate) const START: Color = Color::srgb(0.10, 0.52, 0.30);
pub(crate) const GOAL: Color = Color::srgb(0.78, 0.16, 0.18);

pub(crate) const EDGE: Color = Color::srgb(0.76, 0.75, 0.72);
/// A visited edge that led to no new node.
pub(crate) const VISITED: Color = Color::srgb(0.84, 0.68, 0.58);
/// An edge by which its node was reached.
pub(crate) const TREE: Color = Color::srgb(0.80, 0.16, 0.16);
pub(crate) const NODE: Color = Color::srgb(0.99, 0.98, 0.95);
pub(crate) const INK: Color = Color::srgb(0.13, 0.13, 0.18);

pub(crate) const ONE_WAY: Color = Color::srgb(0.05, 0.33, 0.72);
pub(crate) const FENCE: Color = Color::srgb(0.42, 0.20, 0.08);
pub(crate) const FRIEND: Color = Color::srgb(0.10, 0.45, 0.62);
/// The end of a turn on the path.
pub(crate) const TURN_END: Color = Color::srgb(1.0, 1.0, 1.0);
/// The path with the fewest turns.
pub(crate) const FEWEST: Color = Color::srgb(0.16, 0.78, 0.90);
pub(crate) const DANGER: Color = Color::srgb(0.93, 0.42, 0.30);
/// The colour of the numbers of danger.
pub(crate) const DANGER_INK: Color = Color::srgb(0.62, 0.08, 0.05);

/// Returns the colour of a brush.
pub(crate) const fn brush(brush: Brush) -> Color {
    match (brush, brush.class()) {
        (_, Some(class)) => ground(class),
        (Brush::OneWay, _) => ONE_WAY,
        (Brush::Danger, _) => DANGER,
        (Brush::Friend, _) => FRIEND,
        _ => PROPOSAL,
    }
}

/// Returns the colour of a terrain class. A class that no brush paints looks like plain ground.
pub(crate) const fn ground(class: u8) -> Color {
    match class {
        0 => WALL,
        2 => GRASS,
        4 => MUD,
        8 => WATER,
        _ => PAPER,
    }
}

/// Returns the tint of the cells of a turn, from 1. Consecutive turns have different tints.
pub(crate) const fn turn(turn: u32) -> Color {
    match turn % 4 {
        1 => Color::srgb(0.36, 0.62, 0.96),
        2 => Color::srgb(0.98, 0.80, 0.30),
        3 => Color::srgb(0.30, 0.76, 0.72),
        _ => Color::srgb(0.93, 0.55, 0.80),
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::colour_vision::{Mark, look_alikes};

    use super::*;

    #[test]
    fn marks_differ_without_red_and_green() {
        let ground: [Mark; 5] = [
            ("plain", PAPER, "cell"),
            ("grass", GRASS, "cell"),
            ("water", WATER, "cell"),
            ("mud", MUD, "cell"),
            ("wall", WALL, "cell"),
        ];
        let search: [Mark; 7] = [
            ("open", OPEN, "square in a cell"),
            ("expanded", EXPANDED, "square in a cell"),
            ("path", PATH, "square in a cell"),
            ("no path", NO_PATH, "square in a cell"),
            ("current", CURRENT, "framed"),
            ("start", START, "disc with S"),
            ("goal", GOAL, "square with G"),
        ];
        for marks in [ground.as_slice(), &search] {
            assert!(look_alikes(marks).is_empty(), "{:?}", look_alikes(marks));
        }
    }
}
