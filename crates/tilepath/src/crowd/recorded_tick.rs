//! A recorded tick: input, result and replay of its decisions.

mod guides;

use self::guides::{AnsweringGuide, NotingGuide};
use super::{
    Crowd, Guide, StoredBody,
    state::{CrowdState, CrowdStateError, Entry},
};
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    topology::Topology,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// One recorded [tick](Crowd::tick) of a crowd: the bodies before the tick, all answers of the
/// guide, and the bodies after the tick. A replay shows whether this version of the crate makes the
/// same decisions as the version that recorded the tick.
///
/// [`Crowd::tick_recorded`] creates it. To report stuck bodies in one file, put the tick into a
/// recording: [`Recorder::note_crowd`](crate::recording::Recorder::note_crowd).
///
/// # Memory
/// Two copies of the bodies, and the guide's answers about the cells around the deciding bodies.
/// The map is not included.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
/// use tilepath::crowd::{Activity, Body, Crowd, FieldGuide, Steps};
/// use tilepath::recording::{Recorder, Recording};
///
/// let finder = PathFinder::new(Grid::new(5, 1, 1)?, Movement::new());
/// let fields = [finder.field(&[Cell::new(4, 0)])?];
/// let mut guide = FieldGuide { steps: Steps::new(&finder, MovementId::FIRST)?, fields: &fields, field_of: &[0] };
/// let mut crowd = Crowd::new(finder.grid());
/// let body = Body { activity: Activity::UnderWay { since: 0 }, ..Body::new(7, Cell::new(0, 0)) };
/// crowd.insert(&body)?;
///
/// let tick = crowd.tick_recorded(&mut guide);
/// assert_eq!((tick.before()[0].from, tick.after()[0].to), (Cell::new(0, 0), Cell::new(1, 0)));
/// assert_eq!(tick.replay(), Ok(()));
/// let mut recorder = Recorder::new(&finder);
/// recorder.note_crowd(&finder, tick);
/// let text = recorder.recording().to_ron(); // one file
/// assert_eq!(Recording::from_text(&text)?.replay(|_| ())?.answers, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
// Unknown fields are allowed: older files have a `format` and a `version` here.
#[serde(rename = "CrowdTick")]
pub struct RecordedTick {
    bounds: Bounds,
    topology: Topology,
    /// The number of ticks that the crowd had before.
    tick: u32,
    #[serde(deserialize_with = "crate::stored::list")]
    before: Vec<StoredBody>,
    /// The entries of each cell that is not free; the entry added last comes first.
    #[serde(deserialize_with = "crate::stored::lists")]
    cells: Vec<(Cell, Vec<(u32, Entry)>)>,
    #[serde(deserialize_with = "crate::stored::list")]
    answers: Vec<(Question, Answer)>,
    #[serde(deserialize_with = "crate::stored::list")]
    after: Vec<StoredBody>,
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
        recorded: Box<StoredBody>,
        /// The body in the replay.
        replayed: Box<StoredBody>,
    },
    /// The recorded tick is invalid. This cannot happen to ticks of recordings that
    /// were read from a text.
    #[error(transparent)]
    NoTick(#[from] RecordedTickError),
    /// This version needs an answer of the guide that was not recorded.
    #[error("this version needs an answer for body {body} at slot {slot}, which the recording does not have")]
    NewQuestion {
        /// Its [`BodyId::index`](super::BodyId::index).
        body: u32,
        /// The slot of the map's bounds.
        slot: u32,
    },
}

/// The reason why a recorded tick is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RecordedTickError {
    /// The bodies before the tick are not a state of a crowd, or others are there after it.
    #[error(transparent)]
    State(#[from] CrowdStateError),
    /// A recorded answer of the guide would lead a body off the map.
    #[error("the answers lead body {body} off the map at slot {slot}")]
    Answer {
        /// Its [`BodyId::index`](super::BodyId::index).
        body: u32,
        /// The slot of the map's bounds.
        slot: u32,
    },
}

impl Crowd {
    /// Runs [`Crowd::tick`], and returns a record from which the tick can be repeated.
    ///
    /// # Complexity
    /// The time of [`Crowd::tick`], plus O(cells + bodies).
    pub fn tick_recorded(&mut self, guide: &mut impl Guide) -> RecordedTick {
        let CrowdState { bounds, topology, tick, bodies, cells } = self.state();
        let mut noting = NotingGuide { guide, answers: BTreeMap::new() };
        self.tick(&mut noting);
        RecordedTick {
            bounds,
            topology,
            tick,
            before: bodies,
            cells,
            answers: noting.answers.into_iter().collect(),
            after: self.stored_bodies(),
        }
    }
}

impl RecordedTick {
    /// Returns the bodies before the tick, sorted by id.
    #[must_use]
    pub fn before(&self) -> &[StoredBody] {
        &self.before
    }

    /// Returns the bodies after the tick, sorted by id.
    #[must_use]
    pub fn after(&self) -> &[StoredBody] {
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
        let replayed = crowd.stored_bodies().into_iter().zip(&self.before);
        let id_of = |place: u32| self.before.get(place as usize).map(|body| body.id);
        let replayed = replayed.map(|(mut body, before)| {
            let target = body.target.and_then(id_of);
            (body.id, body.target) = (before.id, target);
            body
        });
        match self.after.iter().zip(replayed).find(|(recorded, replayed)| *recorded != replayed) {
            None => Ok(()),
            Some((recorded, replayed)) => Err(TickDifference::Body {
                recorded: Box::new(recorded.clone()),
                replayed: Box::new(replayed),
            }),
        }
    }

    /// Checks a tick that was read.
    pub(crate) fn check(&self) -> Result<(), RecordedTickError> {
        self.crowd()?;
        if let Some((after, _)) =
            self.after.iter().zip(&self.before).find(|(after, before)| after.id != before.id)
        {
            return Err(CrowdStateError::Body { id: after.id, what: "it was not there before" }.into());
        }
        if self.after.len() != self.before.len() {
            let id = self.before.len().min(self.after.len()) as u32;
            return Err(CrowdStateError::Body { id, what: "it is there only before or only after" }.into());
        }
        Ok(())
    }
}

impl RecordedTick {
    /// Returns the state of the crowd before the tick.
    fn state(&self) -> CrowdState {
        let Self { bounds, topology, tick, before, cells, .. } = self;
        CrowdState {
            bounds: *bounds,
            topology: *topology,
            tick: *tick,
            bodies: before.clone(),
            cells: cells.clone(),
        }
    }

    /// Returns the crowd before the tick, if the tick is valid.
    fn crowd(&self) -> Result<Crowd, RecordedTickError> {
        let crowd = self.state().restore()?;
        self.check_answers(&crowd)?;
        Ok(crowd)
    }

    /// Rejects answers that lead a body off the map.
    fn check_answers(&self, crowd: &Crowd) -> Result<(), RecordedTickError> {
        for &(question, answer) in &self.answers {
            let (Question::Exits(body, slot)
            | Question::Rest(body, slot)
            | Question::StepCost(body, slot, _)
            | Question::Around(body, slot)
            | Question::Effort(body, slot, _)) = question;
            let (Answer::Exits(exits) | Answer::Around { exits, .. }) = answer else { continue };
            let size = self.place_of(body).map(|place| self.before[place].size);
            let leads_on = |direction: Direction| {
                let to = self.bounds.cell(slot as usize)?.neighbour(direction)?;
                crowd.anchor_slot(to, size?).ok().filter(|_| self.topology.has(direction))
            };
            let mut open = Direction::ALL.into_iter().filter(|&direction| exits >> direction as u8 & 1 == 1);
            if open.any(|direction| leads_on(direction).is_none()) {
                return Err(RecordedTickError::Answer { body, slot });
            }
        }
        Ok(())
    }

    /// Returns the index of a body in the list, and so in the restored crowd, by its id.
    fn place_of(&self, id: u32) -> Option<usize> {
        self.before.binary_search_by_key(&id, |body| body.id).ok()
    }
}
