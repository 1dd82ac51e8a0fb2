//! Orders that wait until there is a path.

use crate::{
    failure::PathFailure,
    journey::parents::ParentPlaces,
    order::{
        queue::{AskedInVain, RequestId, RequestQueue, WaitingForWay, WorldState},
        status::PathStatus,
    },
    search::{accept::RequesterItem, searches::PendingSearch},
};

/// The largest delay between two searches for such an order: two to this power, in ticks.
const MOST_PATIENCE: u32 = 6;

impl RequesterItem<'_, '_> {
    /// Returns whether its order waits if there is no path for this reason.
    pub(crate) fn waits_for_way(&self, reason: PathFailure) -> bool {
        self.request.waits() && reason.may_pass()
    }

    /// Returns whether its order waits because its target has gone to another map, to which no door
    /// leads now.
    pub(crate) fn waits_for_door(&self, pending: &PendingSearch, reason: PathFailure) -> bool {
        reason == PathFailure::Unreachable
            && self.state.answered
            && pending.request.has_entity()
            && !pending.goals.are_on(pending.map)
    }

    /// Returns the inputs on which the answer to its order depends.
    pub(crate) fn asked_by(&self, world: WorldState, parents: &ParentPlaces) -> AskedInVain {
        AskedInVain {
            world,
            place: self.position(parents),
            map: self.named_map(),
            movement: self.movement().cloned(),
        }
    }

    /// Makes it stand until its order is searched again.
    pub(crate) fn wait_for_way(
        &mut self,
        order: RequestId,
        reason: PathFailure,
        queue: &mut RequestQueue,
        parents: &ParentPlaces,
    ) {
        let wait = 1 << self.state.vain.min(MOST_PATIENCE);
        self.state.vain = self.state.vain.saturating_add(1);
        self.hold();
        PathStatus::show(self.status.reborrow(), PathStatus::WaitingForWay(reason));
        let request = self.request.to_present(self.stops);
        let has_target = request.is_some_and(|request| request.has_entity());
        let known = (!has_target).then(|| self.asked_by(queue.world, parents));
        let waiting = WaitingForWay { order, known, from: queue.tick + wait };
        queue.without_way.insert(order.entity, waiting);
    }
}

impl RequestQueue {
    /// Queues the orders that have waited long enough, if there may be a path now. `asked_by`
    /// returns the inputs of an order, if it still exists.
    pub(crate) fn wake(&mut self, mut asked_by: impl FnMut(RequestId, WorldState) -> Option<AskedInVain>) {
        let mut without_way = std::mem::take(&mut self.without_way);
        without_way.retain(|_, waiting| {
            let Some(now) = asked_by(waiting.order, self.world) else { return false };
            let is_due = self.tick >= waiting.from && waiting.known.as_ref() != Some(&now);
            if is_due {
                self.ask_again(waiting.order.entity);
            }
            !is_due
        });
        self.without_way = without_way;
    }
}
