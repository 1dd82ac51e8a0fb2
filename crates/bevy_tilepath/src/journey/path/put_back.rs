//! Agents that other code holds in place.

use bevy_math::Vec2;

use super::walk::Walk;

/// The number of times that an agent must be put back to one place before that is the reason why it
/// does not walk. A single teleport is ordinary.
const PUT_BACK_TIMES: u8 = 3;

/// The ticks in a row in which nothing puts an agent back, after which it may be free.
const FREE_TICKS: u8 = 3;

/// The distance, in straight steps, from the place to which an agent was put back, beyond which it
/// may be free. Code that holds the drawn place lets an agent get a sixteenth of a cell away, and
/// the step of a tick more, before it puts the agent back.
const FREE_STEPS: f64 = 0.125;

/// The ticks in a row after which an agent is free wherever it is: it may stand for another reason.
const MAX_HELD_TICKS: u8 = 250;

/// A place where other code puts an agent again and again.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PutBack {
    at: Vec2,
    times: u8,
    /// The number of ticks since the agent was last put there.
    free_ticks: u8,
}

impl Walk {
    /// Records where a tick finds an agent that walks. If other code writes its `Transform`, the
    /// agent is not where the plugin put it. `straight` is the length of a straight step.
    pub(crate) fn note_found(&mut self, here: Option<Vec2>, straight: f64) {
        if self.position.is_none() {
            return;
        }
        let before = self.put_back.take();
        let Some(here) = here else { return };
        self.put_back = if self.position == Some(here) {
            let near = FREE_STEPS * straight;
            let now = before.map(|before| PutBack { free_ticks: before.free_ticks + 1, ..before });
            now.filter(|PutBack { at, free_ticks, .. }| {
                *free_ticks <= FREE_TICKS
                    || *free_ticks <= MAX_HELD_TICKS && f64::from(here.distance(*at)) <= near
            })
        } else {
            let times = before.filter(|before| before.at == here).map_or(0, |before| before.times);
            Some(PutBack { at: here, times: times.saturating_add(1), free_ticks: 0 })
        };
    }

    /// Returns whether other code holds the agent in place.
    pub(crate) fn is_held_by_others(&self) -> bool {
        self.put_back.is_some_and(|put_back| put_back.times >= PUT_BACK_TIMES)
    }
}
