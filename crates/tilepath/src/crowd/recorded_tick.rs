//! A recorded tick: input, result and replay of its decisions.

mod guides;
mod restore;

use self::guides::{AnsweringGuide, NotingGuide};
use super::{
    Activity, BodyId, Crowd, Guide, MAX_STEPS_PER_TICK,
    body::{NO_DIRECTION, NONE},
    occupancy::Hold,
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    size::Size,
    text::{ron_options, to_ron},
    topology::Topology,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// The version of the format that is written, and the newest version that can be read.
const VERSION: u32 = 2;

/// One recorded [tick](Crowd::tick) of a crowd: the bodies before the tick, all answers of the
/// guide, and the bodies after the tick. Use it to report stuck bodies: the report is one file. A
/// replay shows whether this version of the crate makes the same decisions as the version that
/// recorded the tick.
///
/// [`Crowd::tick_recorded`] creates it.
///
/// # Memory
/// Two copies of the bodies, and the guide's answers about the cells around the deciding bodies.
/// The map is not included.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
/// use tilepath::crowd::{Activity, Body, Crowd, FieldGuide, RecordedTick, Steps};
///
/// let finder = PathFinder::new(Grid::new(5, 1, 1)?, Movement::new());
/// let fields = [finder.field(&[Cell::new(4, 0)])?];
/// let mut guide = FieldGuide { steps: Steps::new(&finder, MovementId::FIRST)?, fields: &fields, field_of: &[0] };
/// let mut crowd = Crowd::new(finder.grid());
/// let body = Body { activity: Activity::UnderWay { since: 0 }, ..Body::new(7, Cell::new(0, 0)) };
/// crowd.insert(&body)?;
///
/// let tick = crowd.tick_recorded(&mut guide);
/// let read = RecordedTick::from_ron(&tick.to_ron())?; // one file
/// assert_eq!((read.before()[0].from, read.after()[0].to), (Cell::new(0, 0), Cell::new(1, 0)));
/// assert_eq!(read.replay(), Ok(()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename = "CrowdTick", deny_unknown_fields)]
pub struct RecordedTick {
    format: String,
    version: u32,
    bounds: Bounds,
    topology: Topology,
    /// The number of ticks that the crowd had before.
    tick: u32,
    before: Vec<RecordedBody>,
    /// The entries of each cell that is not free; the entry added last comes first.
    cells: Vec<(Cell, Vec<(u32, Entry)>)>,
    answers: Vec<(Question, Answer)>,
    after: Vec<RecordedBody>,
}

/// A body of a [`RecordedTick`]: its cells, its activity, and how long it has waited.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RecordedBody {
    /// Its [`BodyId::index`].
    pub id: u32,
    /// The number that the game chose: [`Body::number`](super::Body::number).
    pub number: u32,
    /// The anchor on which the body stands, or which it leaves.
    pub from: Cell,
    /// The anchor that the body enters; equal to `from` if the body stands.
    pub to: Cell,
    /// The walked share of the step, in parts of 1,048,576.
    pub share: u32,
    /// The number of ticks that the body has waited.
    pub waited: u32,
    /// The activity of the body.
    pub activity: Activity,
    /// The number of the goal: [`Body::goal`](super::Body::goal).
    pub goal: Option<u32>,
    /// The stride: [`Body::stride`](super::Body::stride).
    pub stride: u32,
    /// The largest number of steps that the body may begin in a tick: see [`Crowd::set_steps`].
    #[serde(default = "steps_a_tick", skip_serializing_if = "is_usual")]
    pub steps: u32,
    /// The [`BodyId::index`] of the body to which this body goes: see [`Crowd::set_target`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// The size: [`Body::size`](super::Body::size).
    pub size: Size,
    /// The layers in which the body is: [`Body::layer`](super::Body::layer).
    pub layer: u32,
    /// The layers that the body blocks: [`Body::blocks`](super::Body::blocks).
    pub blocks: u32,
    /// The direction of the cell that it waits for, and the priority of the claim.
    claim: Option<(u8, u64)>,
    /// The direction that it preferred in its last decision.
    wish: Option<u8>,
    direction: u8,
    length: u32,
    spent: u32,
    follows: bool,
    is_crowded: bool,
    is_sent_away: bool,
}

const fn steps_a_tick() -> u32 {
    MAX_STEPS_PER_TICK
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_usual(steps: &u32) -> bool {
    *steps == MAX_STEPS_PER_TICK
}

/// The relation of a body to a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum Entry {
    Holds,
    Leaves,
    Claims,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
enum Question {
    Exits(u32, u32),
    Rest(u32, u32),
    StepCost(u32, u32, u8),
    Around(u32, u32),
    Effort(u32, u32, u8),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Answer {
    Exits(u8),
    Rest(Option<Cost>),
    StepCost(Cost),
    Around { exits: u8, rest: Cost, rests: [Cost; 8], step_costs: [Cost; 8] },
    Effort(u32),
}

/// A difference between a replayed tick and the recorded one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TickDifference {
    /// A body is in another state after the replay than in the recording.
    #[error(
        "body {number} goes from {from} to {to} here, but went from {old_from} to {old_to} in the recording",
        number = .replayed.number, from = .replayed.from, to = .replayed.to,
        old_from = .recorded.from, old_to = .recorded.to
    )]
    Body {
        /// The body in the recording.
        recorded: Box<RecordedBody>,
        /// The body in the replay.
        replayed: Box<RecordedBody>,
    },
    /// The recorded tick is invalid. This cannot happen to ticks that [`RecordedTick::from_ron`]
    /// has read.
    #[error(transparent)]
    NoTick(#[from] RecordedTickError),
    /// This version needs an answer of the guide that was not recorded.
    #[error("this version needs an answer for body {body} at slot {slot}, which the recording does not have")]
    NewQuestion {
        /// Its [`BodyId::index`].
        body: u32,
        /// The slot of the map's bounds.
        slot: u32,
    },
}

/// The reason why a text is not a recorded tick.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordedTickError {
    /// The text is not valid RON, ends too early, or has an invalid value.
    #[error("line {line}, column {column}: {message}")]
    Malformed {
        /// The line of the text, from 1.
        line: usize,
        /// The column, from 1, in characters.
        column: usize,
        /// The fault at this line and column.
        message: String,
    },
    /// The text is not a recorded tick.
    #[error("this is not a recorded tick; give a file that RecordedTick::to_ron has written")]
    NotATick,
    /// A newer version of this crate wrote the text.
    #[error("the tick is of format version {found}, this tilepath reads up to {known}; take a newer one", known = VERSION)]
    NewerVersion {
        /// The format version of the text.
        found: u32,
    },
    /// The map has more cells than [`RecordedTick::MAX_CELLS`] and [`RecordedTick::MAX_CELLS_A_BYTE`] allow.
    #[error("the map has {cells} cells; a text of this length may have at most {most}")]
    TooLarge {
        /// The number of cells of the map.
        cells: usize,
        /// The largest number of cells that is allowed for a text of this length.
        most: usize,
    },
    /// A body of the file is invalid.
    #[error("body {id} of the file is invalid: {what}")]
    Body {
        /// Its [`BodyId::index`].
        id: u32,
        /// The fault of the body.
        what: &'static str,
    },
    /// A recorded answer of the guide would lead a body off the map.
    #[error("the answers lead body {body} off the map at slot {slot}")]
    Answer {
        /// Its [`BodyId::index`].
        body: u32,
        /// The slot of the map's bounds.
        slot: u32,
    },
    /// The recorded bodies contradict the recorded entries of the cells.
    #[error("the entries of cell {cell} do not match the bodies of the file")]
    Cells {
        /// The first cell with a contradiction.
        cell: Cell,
    },
}

impl Crowd {
    /// Runs [`Crowd::tick`], and returns a record from which the tick can be repeated.
    ///
    /// # Complexity
    /// The time of [`Crowd::tick`], plus O(cells + bodies).
    pub fn tick_recorded(&mut self, guide: &mut impl Guide) -> RecordedTick {
        let before = self.recorded_bodies();
        let entries = (0..self.bounds.cell_count()).filter(|&slot| !self.occupancy.is_free(slot));
        let cells =
            entries.filter_map(|slot| Some((self.bounds.cell(slot)?, self.entries_at(slot)))).collect();
        let tick = self.tick;
        let mut noting = NotingGuide { guide, answers: BTreeMap::new() };
        self.tick(&mut noting);
        RecordedTick {
            format: RecordedTick::FORMAT.to_owned(),
            version: VERSION,
            bounds: self.bounds,
            topology: self.topology,
            tick,
            before,
            cells,
            answers: noting.answers.into_iter().collect(),
            after: self.recorded_bodies(),
        }
    }

    fn entries_at(&self, slot: usize) -> Vec<(u32, Entry)> {
        let entry = |(body, hold)| {
            let entry = match hold {
                Hold::Holds => Entry::Holds,
                Hold::Leaves => Entry::Leaves,
                Hold::Claims => Entry::Claims,
            };
            (body, entry)
        };
        self.occupancy.at(slot).map(entry).collect()
    }

    fn recorded_bodies(&self) -> Vec<RecordedBody> {
        self.bodies().map(|id| self.recorded_body(id)).collect()
    }

    fn recorded_body(&self, id: BodyId) -> RecordedBody {
        let state = &self.bodies[id.index()];
        let cell = |slot: u32| self.bounds.cell(slot as usize).unwrap_or_default();
        let direction = |direction: u8| (direction != NO_DIRECTION).then_some(direction);
        RecordedBody {
            id: id.0,
            number: state.number,
            from: cell(state.from),
            to: cell(state.to),
            share: state.share,
            waited: state.waited,
            activity: state.activity(),
            goal: (state.goal != NONE).then_some(state.goal),
            stride: state.stride,
            steps: state.steps,
            target: (state.target != NONE).then_some(state.target),
            size: Size::new(state.size).unwrap_or_default(),
            layer: state.layer,
            blocks: state.blocks,
            claim: direction(state.claim).map(|claim| (claim, state.claim_key)),
            wish: direction(state.wish),
            direction: state.direction,
            length: state.length,
            spent: state.spent,
            follows: state.follows,
            is_crowded: state.is_crowded,
            is_sent_away: state.is_sent_away,
        }
    }
}

impl RecordedTick {
    /// The value of the first field in each file of a recorded tick.
    pub const FORMAT: &str = "tilepath crowd tick";

    /// The largest number of cells of a map in a text that [`from_ron`](Self::from_ron) reads: 8192
    /// × 8192. Short texts have a lower limit: see [`MAX_CELLS_A_BYTE`](Self::MAX_CELLS_A_BYTE).
    pub const MAX_CELLS: usize = 1 << 26;

    /// The largest number of cells that a map may have for each byte of the text, so that a short
    /// text cannot take much memory.
    pub const MAX_CELLS_A_BYTE: usize = 1024;

    /// The upper limit for [`RecordedBody::id`] in a text that [`from_ron`](Self::from_ron) reads.
    /// Each id must be lower than this number.
    pub const MAX_BODIES: u32 = 1 << 20;

    /// Returns the bodies before the tick, sorted by id.
    #[must_use]
    pub fn before(&self) -> &[RecordedBody] {
        &self.before
    }

    /// Returns the bodies after the tick, sorted by id.
    #[must_use]
    pub fn after(&self) -> &[RecordedBody] {
        &self.after
    }

    /// Repeats the decisions of the tick from the recorded bodies and answers.
    ///
    /// # Errors
    /// The first [`TickDifference`]: this version decides differently, or the crowd was in another
    /// state when the tick was recorded.
    ///
    /// # Complexity
    /// O(cells + bodies).
    pub fn replay(&self) -> Result<(), TickDifference> {
        let mut crowd = self.crowd()?;
        let ids = self.before.iter().map(|body| body.id).collect();
        let mut guide =
            AnsweringGuide { answers: self.answers.iter().copied().collect(), ids, unknown: None };
        crowd.tick(&mut guide);
        if let Some((body, slot)) = guide.unknown {
            return Err(TickDifference::NewQuestion { body, slot });
        }
        let replayed = crowd.recorded_bodies().into_iter().zip(&self.before);
        let id_of = |place: u32| self.before.get(place as usize).map(|body| body.id);
        let replayed = replayed.map(|(body, before)| {
            let target = body.target.and_then(id_of);
            RecordedBody { id: before.id, target, ..body }
        });
        match self.after.iter().zip(replayed).find(|(recorded, replayed)| *recorded != replayed) {
            None => Ok(()),
            Some((recorded, replayed)) => Err(TickDifference::Body {
                recorded: Box::new(recorded.clone()),
                replayed: Box::new(replayed),
            }),
        }
    }

    /// Returns the tick as a text, with a line for each body, cell and answer.
    #[must_use]
    pub fn to_ron(&self) -> String {
        to_ron(self)
    }

    /// Reads a text that [`RecordedTick::to_ron`] has written.
    ///
    /// # Errors
    /// [`RecordedTickError`] states the fault and, if known, its place. The size of the map is
    /// checked before memory is allocated for it.
    ///
    /// # Memory
    /// About forty bytes for each byte of the text. Until the tick is checked, also four bytes for
    /// each cell of the map.
    pub fn from_ron(text: &str) -> Result<Self, RecordedTickError> {
        let tick: Self = ron_options().from_str(text).map_err(|error| RecordedTickError::Malformed {
            line: error.span.start.line,
            column: error.span.start.col,
            message: error.code.to_string(),
        })?;
        if tick.format != Self::FORMAT {
            return Err(RecordedTickError::NotATick);
        }
        if tick.version > VERSION {
            return Err(RecordedTickError::NewerVersion { found: tick.version });
        }
        let cells = tick.bounds.cell_count();
        let most = text.len().saturating_mul(Self::MAX_CELLS_A_BYTE).min(Self::MAX_CELLS);
        if cells > most {
            return Err(RecordedTickError::TooLarge { cells, most });
        }
        tick.crowd()?;
        if let Some((after, _)) =
            tick.after.iter().zip(&tick.before).find(|(after, before)| after.id != before.id)
        {
            return Err(RecordedTickError::Body { id: after.id, what: "it was not there before" });
        }
        if tick.after.len() != tick.before.len() {
            let id = tick.before.len().min(tick.after.len()) as u32;
            return Err(RecordedTickError::Body { id, what: "it is there only before or only after" });
        }
        Ok(tick)
    }
}
