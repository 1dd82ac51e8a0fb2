//! Look-ahead: the next part of a path, and the path from the next stop.

use std::borrow::Cow;

use crate::{
    journey::path::{AgentPath, stops_ahead::Ahead},
    map::maps::AnyMap,
    order::{
        queue::{NotYet, RequestId},
        request::PathRequest,
        state::RequestState,
        stops::PathStops,
    },
    search::{searches::PendingSearch, target_places::TargetPlaces},
    walk::path_checker::PathChecker,
};

/// Returns the order up to its present stop, or `None` if it has lost all its stops.
pub(super) fn present_order<'a>(
    request: &'a PathRequest,
    state: &RequestState,
    stops: Option<&PathStops>,
) -> Option<Cow<'a, PathRequest>> {
    let present = match stops {
        Some(stops) if stops.edits() > 0 || stops.current() > 0 => {
            request.to_present(Some(stops)).map(Cow::Owned)
        }
        _ => Some(Cow::Borrowed(request)),
    };
    let is_past_door = state.has_passed_door && request.through_door().is_some();
    if is_past_door { present.map(|present| Cow::Owned(present.into_owned().past_door())) } else { present }
}

impl PathChecker<'_, '_> {
    /// Drops the path from the next stop if it is not valid any more.
    pub(super) fn forget_outdated(&self, path: &mut AgentPath) {
        if let Some(ahead) = &mut path.stops.ahead
            && !self.holds(ahead)
        {
            path.stops.ahead = None;
        }
    }

    /// Returns the search for the path from the stop on, if it is to be queued now.
    pub(super) fn next_stop(
        &self,
        path: &mut AgentPath,
        order: RequestId,
        request: &PathRequest,
        stops: &PathStops,
        is_named: bool,
    ) -> Option<PendingSearch> {
        let next = stops.next()?;
        if !path.needs_path_ahead() || path.next_start().is_none() {
            return None;
        }
        // The path to the stop before passes the door of the order.
        let request = request.to_one(stops.at(next)?).past_door();
        let movement = path.route().movement.clone();
        let map = path.end_map();
        let unit = self.maps.of(movement.as_ref());
        let goals = unit
            .ready(map)
            .filter(|_| request.fault().is_none())
            .map(|map| self.targets.goals(Some(order.entity), &request, &unit, &map, None));
        let goals = match goals {
            Some(Ok(goals)) => goals,
            Some(Err(NotYet::NextTick)) => return None,
            Some(Err(_)) | None => {
                path.stops.tried = true;
                return None;
            }
        };
        let pending = PendingSearch::new(order, request, map, is_named, (goals, movement));
        Some(pending.for_next_stop(next, stops.edits()))
    }

    /// Returns whether a path can still be walked as it was found. Over one tile map it can if
    /// nothing on it has changed. Any other path can if nothing has changed at all.
    fn holds(&self, ahead: &mut Ahead) -> bool {
        let leg = ahead.path.leg();
        let is_placed = |map| self.watched.get(map).map(|watch| watch.placement);
        if ahead.path.legs().any(|leg| is_placed(leg.map()) != Some(leg.placement)) {
            return false;
        }
        if !ahead.path.is_counted_in_cells() {
            return ahead.path.legs().all(|leg| {
                self.watched.get(leg.map()).is_some_and(|watch| watch.version == leg.version)
                    && (leg.entrance.as_ref())
                        .is_none_or(|entrance| self.doors.is_as_in(entrance.door, entrance.version))
            });
        }
        let movement = ahead.path.route().movement.as_ref();
        let (Some(watch), Some(map)) = (self.watched.get(leg.map()), self.maps.of(movement).ready(leg.map()))
        else {
            return false;
        };
        if ahead.checked != watch.version {
            let AnyMap::Tiles(view) = map else { return false };
            if leg.cell_fault(&view, watch.changes_since(leg.version)).is_some() {
                return false;
            }
            ahead.checked = watch.version;
        }
        true
    }
}
