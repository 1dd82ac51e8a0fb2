//! Agents that other code holds in place.

use bevy_math::Vec2;

use super::{AgentPath, Progress};

/// The number of ticks in a row for which an agent must be put back before that is the reason why
/// it does not walk. A single teleport is ordinary.
const PUT_BACK_TICKS: u8 = 3;

/// A place where other code puts an agent again and again.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PutBack {
    at: Vec2,
    ticks: u8,
}

impl AgentPath {
    /// Records where a tick finds the agent. If other code writes its `Transform`, the agent is not
    /// where the plugin put it.
    pub(crate) fn note_found(&mut self, here: Option<Vec2>) {
        // While it stands and waits for a new path, its last place is no evidence.
        if self.progress != Progress::Walking || self.walk.position.is_none() {
            return;
        }
        let found = here.filter(|_| self.walk.position != here);
        self.put_back = found.map(|at| {
            let ticks = self.put_back.filter(|before| before.at == at).map_or(0, |before| before.ticks);
            PutBack { at, ticks: ticks.saturating_add(1) }
        });
    }

    /// Returns whether other code holds the agent in place.
    pub(crate) fn is_held_by_others(&self) -> bool {
        self.put_back.is_some_and(|put_back| put_back.ticks >= PUT_BACK_TICKS)
    }
}
