//! Orders of widgets, keys and the mouse.

use bevy::prelude::*;
use tilepath::{Cell, graph::NodeId};

use crate::settings::Setting;

/// A change that a widget, a key or the mouse orders.
#[derive(Message, Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// Makes a choice.
    Choose(Setting),
    /// Plays or pauses. At the end, it plays again from the beginning.
    PlayOrPause,
    /// Goes this many steps forward, or back if negative.
    Step(i32),
    /// Goes to this step.
    Seek(usize),
    /// Goes to the last step.
    SeekEnd,
    /// Moves the speed slider here.
    Speed(f32),
    /// Chooses a new random start and goal.
    NewPair,
    /// Makes another map of the same kind.
    NewMap,
    /// Clears walls and terrain.
    Clear,
    /// Copies a link to this experiment.
    CopyLink,
    /// Sets the terrain class of a cell.
    Paint(Cell, u8),
    /// Sets the danger of a cell.
    Endanger(Cell, u16),
    /// Adds a friend to a cell (true), or removes it.
    Befriend(Cell, bool),
    /// Changes the edge from a cell to its neighbour.
    TurnEdge(Cell, Cell),
    /// Continues the player's route to this cell. At the start, a new route begins.
    Propose(Cell),
    /// Moves the start to a cell.
    MoveStart(Cell),
    /// Moves the goal to a cell.
    MoveGoal(Cell),
    /// Handles a click on a node.
    Pick(NodeId),
    /// Makes the next or the previous node the start or the goal.
    TurnEnd { is_start: bool, forward: bool },
}

/// The lowest and highest position of the speed slider: 10 to this power steps a second.
pub(crate) const SPEEDS: (f32, f32) = (0.0, 3.0);
