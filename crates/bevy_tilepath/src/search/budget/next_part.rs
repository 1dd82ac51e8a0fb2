//! The next part of a path, for an agent on its journey.

use super::Work;
use crate::{map::maps::AnyMap, search::searches::PendingSearch};

impl Work<'_, '_, '_> {
    /// Finds the next part at once: it is short.
    pub(super) fn take_next_part(&mut self, pending: &PendingSearch) {
        let maps = &self.present.maps;
        let Ok(mut requester) = self.requesters.get_mut(pending.order.entity) else { return };
        let request = requester.request.clone();
        let unit = maps.of(pending.movement.as_ref());
        let holds = requester.state.holds(pending.order.number);
        let (Some(path), Some(AnyMap::Tiles(view))) = (&mut requester.path, unit.ready(pending.map)) else {
            return;
        };
        let is_its_way = path.order == pending.order.number
            && path.map() == pending.map
            && path.route.movement == pending.movement;
        if !holds || !is_its_way || !path.needs_next_part() {
            return;
        }
        let (work, is_whole) = path.find_next_part(&view);
        if is_whole {
            path.waits_at_end = request.to_one(&path.route.asked).waits_at_end(path.is_partial());
        }
        self.spent += work.max(1);
    }
}
