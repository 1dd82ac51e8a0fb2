//! Ways that are found in parts: what is known ends before the goal, and more of it comes in time.

use tilepath::{Cell, NearWayFault};

use super::{AgentPath, Progress};
use crate::map::map_view::MapView;

/// How many points before the last one that is known more of them are asked for.
const NEAR_END: usize = 32;

impl AgentPath {
    /// Whether more of the way is to be found now, or it is blocked.
    pub(crate) fn needs_next_part(&self) -> bool {
        // First what is read in every tick all the same.
        self.waits_at_end
            && (self.route.near.is_some())
            && self.progress == Progress::Walking
            && (self.points.len() - self.next.min(self.points.len()) <= NEAR_END
                || self.blocked_ahead().is_some())
    }

    /// Where an edit has blocked what is not known yet.
    pub(crate) fn blocked_ahead(&self) -> Option<Cell> {
        self.route.near.as_ref()?.blocked
    }

    /// Finds the next part, on the map as it is, and says how much work that was. Whether the way is known up to its end now.
    pub(crate) fn find_next_part(&mut self, view: &MapView) -> (u64, bool) {
        let Some(near) = &mut self.route.near else { return (0, false) };
        let before = near.way.work();
        let found = near.way.refine(view.finder);
        let work = near.way.work() - before;
        let blocked = match found {
            Ok(part) => {
                let is_joined = part.is_none_or(|part| {
                    self.route.legs.len() == 1 && self.route.legs[0].extend(&part, view, &mut self.points)
                });
                // It was led elsewhere, or costs too much by now: a search tells.
                if is_joined { None } else { Some(near.way.goal()) }
            }
            Err(NearWayFault::Blocked { portal, .. }) => Some(portal),
            Err(_) => Some(near.way.goal()),
        };
        near.blocked = blocked;
        let is_whole = blocked.is_none() && near.way.is_whole();
        if is_whole {
            self.route.near = None;
        }
        // The step under way may have ended where the way did.
        self.walk.line = None;
        self.walk.step = self.route.legs[self.current].step(self.next);
        (work, is_whole)
    }
}
