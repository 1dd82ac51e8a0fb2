//! What widgets, keys and the mouse want of the laboratory.

use bevy::prelude::*;
use tilepath::{Cell, graph::NodeId};

use crate::settings::Setting;

/// Something that a widget, a key or the mouse wants.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// Make a choice.
    Choose(Setting),
    /// Play, or pause. At the end it plays from the beginning.
    PlayOrPause,
    /// This many steps forward, or back.
    Step(i32),
    /// To this step.
    Seek(usize),
    /// To the end.
    SeekEnd,
    /// The speed slider.
    Speed(f32),
    /// A new random pair.
    NewPair,
    /// Another map of the same kind.
    NewMap,
    /// No walls, no terrain.
    Clear,
    /// Another class for a cell.
    Paint(Cell, u8),
    /// Another danger for a cell.
    Endanger(Cell, u16),
    /// A friend comes to stand on a cell, or goes.
    Befriend(Cell, bool),
    /// The edge from a cell to its neighbour is crossed by the brush.
    TurnEdge(Cell, Cell),
    /// Draws the proposed route on to a cell; from the start it begins again.
    Propose(Cell),
    /// The start goes to a cell.
    MoveStart(Cell),
    /// The goal goes to a cell.
    MoveGoal(Cell),
    /// A node was clicked.
    Pick(NodeId),
    /// The next node (or the one before) becomes start, or goal.
    TurnEnd { is_start: bool, forward: bool },
}

/// Lowest and highest position of the speed slider: powers of ten of steps a second.
pub(crate) const SPEEDS: (f32, f32) = (0.0, 3.0);
