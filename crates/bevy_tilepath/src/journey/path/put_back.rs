//! Agents that other code holds in place.

use bevy_math::Vec2;

use super::{AgentPath, Progress};

/// So many ticks in a row an agent is put back before that is why it does not walk: one teleport is ordinary.
const PUT_BACK_TICKS: u8 = 3;

/// A place where other code puts an agent again and again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PutBack {
    at: Vec2,
    ticks: u8,
}

impl AgentPath {
    /// Takes note of where a tick finds the agent. One that the plugin has moved since is elsewhere if nobody else writes its
    /// `Transform`.
    pub(crate) fn note_found(&mut self, here: Option<Vec2>) {
        // While it stands for a new way its last place says nothing.
        if self.progress != Progress::Walking || self.walk.position.is_none() {
            return;
        }
        let found = here.filter(|_| self.walk.position != here);
        self.put_back = found.map(|at| {
            let ticks = self.put_back.filter(|before| before.at == at).map_or(0, |before| before.ticks);
            PutBack { at, ticks: ticks.saturating_add(1) }
        });
    }

    /// Whether other code holds the agent where it is.
    pub(crate) fn is_held_by_others(&self) -> bool {
        self.put_back.is_some_and(|put_back| put_back.ticks >= PUT_BACK_TICKS)
    }
}
