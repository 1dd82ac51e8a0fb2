//! Paths that are found in parts.
//!
//! The known part ends before the goal, and the next part is found in time.

use tilepath::{Cell, NearWayFault};

use super::{AgentPath, Progress};
use crate::map::map_view::MapView;

/// The number of points before the last known one at which the next part is found.
const NEAR_END: usize = 32;

impl AgentPath {
    /// Returns whether the next part is to be found now, or the rest is blocked.
    pub(crate) fn needs_next_part(&self) -> bool {
        // The first conditions are those that are read in every tick anyway.
        self.waits_at_end
            && (self.route.near.is_some())
            && self.progress == Progress::Walking
            && (self.points.len() - self.next.min(self.points.len()) <= NEAR_END
                || self.blocked_ahead().is_some())
    }

    /// Returns the cell at which an edit has blocked the part that is not known yet.
    pub(crate) fn blocked_ahead(&self) -> Option<Cell> {
        self.route.near.as_ref()?.blocked
    }

    /// Finds the next part on the map of this moment. Returns the work done, and whether the path
    /// is now known up to its end.
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
                // The path was led elsewhere, or its cost is too large now: a search decides.
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
        // The step under way may have ended where the known part ended.
        self.walk.line = None;
        self.walk.step = self.route.legs[self.current].step(self.next);
        (work, is_whole)
    }
}
