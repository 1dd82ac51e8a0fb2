//! The arguments of commands whose units move in turns.

use super::parse_steps;
use crate::{board::BoardArguments, place::Place, whole_number::within};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tilepath::{Diagonals, StepCosts, format::LetterClasses, turns::LongStep};

/// The map, and a unit that moves over it in turns.
#[derive(Args, Debug)]
pub(crate) struct TurnArguments {
    /// The map: a MovingAI map (its header has `height` and `width`), a table of costs, or a picture.
    /// `-` is standard input. A table has one row a line and costs from 0 (a wall) to 255. A
    /// picture has one letter a cell: `#` is a wall, `.` is ground, a digit is the cost of its
    /// cell. Other letters get their classes from --terrain or the `.letters` file.
    pub(crate) map: PathBuf,

    /// The cell of the unit: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,

    /// The points that the unit can spend in each turn. Points left at the end of a turn are lost.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) points: u32,

    /// The points left in the first turn, if the unit has already moved.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::MAX))]
    pub(crate) points_left: Option<u32>,

    /// Cells that the unit can pass but not stop on, such as the cells of friends.
    #[arg(long, value_name = "X,Y", num_args = 1..)]
    pub(crate) no_stop: Vec<Place>,

    /// Cells of a zone of control: a step onto one of them ends the turn.
    #[arg(long, value_name = "X,Y", num_args = 1..)]
    pub(crate) zone: Vec<Place>,

    /// The rule for a step that costs more than all points of a turn.
    #[arg(long, value_name = "RULE", value_enum, default_value_t = Over::Never)]
    pub(crate) over: Over,

    #[command(flatten)]
    pub(crate) board: BoardArguments,

    /// Whether a diagonal step is allowed beside obstacles: never, only-when-no-obstacles,
    /// if-at-most-one-obstacle or always.
    #[arg(long, value_name = "RULE", default_value_t = Diagonals::default())]
    pub(crate) diagonals: Diagonals,

    /// Terrain classes for letters of a MovingAI map or a picture, such as '.=1,S=3, =0'. A blank
    /// is a letter, too, and class 0 is a wall. Default: the file beside the map with the same name
    /// and the extension `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,

    /// The cost of a straight and of a diagonal step onto terrain of cost 1.
    #[arg(long, value_name = "STRAIGHT,DIAGONAL", default_value = "10,14", value_parser = parse_steps, conflicts_with = "rules")]
    pub(crate) steps: StepCosts,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `tilepath range`.
#[derive(Args, Debug)]
pub(crate) struct RangeArguments {
    #[command(flatten)]
    pub(crate) unit: TurnArguments,

    /// The number of turns.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = within(0..=u32::MAX))]
    pub(crate) turns: u32,

    /// Draw the map and the cells into this file: dark in the first turn, bright in the last turn.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Pixels per cell. Default: as many as make the longer side about 1000 pixels, at most 40.
    /// Without it, a picture has at most 4096 pixels a side; larger maps are shrunk.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// Arguments of `tilepath turns`.
#[derive(Args, Debug)]
pub(crate) struct TurnPathArguments {
    #[command(flatten)]
    pub(crate) unit: TurnArguments,

    /// The goal: column and row, as in --from.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,

    /// The most turns that the path may take. Default: no limit.
    #[arg(long, value_name = "T", default_value_t = u32::MAX, hide_default_value = true, value_parser = within(0..=u32::MAX))]
    pub(crate) turns: u32,
}

/// The rule for a step that costs more than all points of a turn.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    /// The unit never takes it.
    Never,
    /// It takes a whole turn.
    OwnTurn,
    /// It is taken if any point is left, and uses all of them.
    AnyPoints,
}

impl From<Over> for LongStep {
    fn from(over: Over) -> Self {
        match over {
            Over::Never => Self::Never,
            Over::OwnTurn => Self::OwnTurn,
            Over::AnyPoints => Self::AnyPoints,
        }
    }
}
