//! The path to the next stop, for an agent on its journey.

use super::{Work, can_be_walked};
use crate::{
    failure::PathFailure,
    journey::path::path_mut::PathMut,
    order::{pending_event::PendingEvent, route::Route, stop_cursor::StopCursor},
    search::{problem::SearchProblem, searches::PendingSearch},
};

impl Work<'_, '_, '_> {
    /// Accepts the answer for an agent that is still under way to the stop from which the path
    /// begins.
    pub(super) fn take_next_way(
        &mut self,
        pending: &PendingSearch,
        problem: &SearchProblem,
        answer: Result<Route, PathFailure>,
        is_current: bool,
        cursor: StopCursor,
        edits: u64,
    ) {
        let unit = self.present.maps.of(problem.movement.as_ref());
        let Ok(requester) = self.requesters.get(pending.order.entity) else { return };
        let begins_there = requester.state.holds(pending.order.number)
            && (requester.path.as_ref()).is_some_and(|path| {
                path.order == pending.order.number && path.next_start().as_ref() == Some(&problem.start)
            });
        match answer {
            Ok(route)
                if begins_there && (is_current || can_be_walked(&route.legs, &unit, &self.present.doors)) =>
            {
                let route = Box::new(Route { is_proven: is_current, ..route });
                self.queue.tell(pending.order, PendingEvent::Ahead(route, cursor, edits));
            }
            Err(_) if begins_there => self.find_no_next_way(pending),
            _ => {}
        }
    }

    /// Records that no path leads on from the stop now. The search runs again when the agent is
    /// there.
    pub(super) fn find_no_next_way(&mut self, pending: &PendingSearch) {
        if let Ok(mut requester) = self.requesters.get_mut(pending.order.entity)
            && let Some(path) = &mut requester.path
        {
            PathMut::new(path.reborrow()).stops.tried = true;
        }
    }
}
