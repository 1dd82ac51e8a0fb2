//! A better path, for an agent that walks along a valid one.

use super::{Outcome, Work};
use crate::{
    failure::PathFailure,
    journey::path::{AgentPath, path_mut::PathMut},
    map::place::MapPlace,
    order::route::Route,
    search::{problem::SearchProblem, searches::PendingSearch},
};

impl PendingSearch {
    /// Returns the place from which the search begins, for an agent at a place.
    ///
    /// The first search for a better path begins on the path: no other search proves a bound of the
    /// path. An agent beside the cells of its path needs a second search if there is a better one.
    pub(super) fn start_from(&self, here: MapPlace, path: Option<&AgentPath>) -> MapPlace {
        let is_first = self.is_for_better() && self.tries == 0;
        let next = path.filter(|path| is_first && path.is_beside(self.map, &here) && path.leads_to_goal());
        next.and_then(|path| path.remaining_cells().first().copied()).map_or(here, MapPlace::Cell)
    }
}

impl Work<'_, '_, '_> {
    /// Accepts the answer for an agent that has walked on during the search, if the path is better
    /// than its own by more than it tolerates. Otherwise the search raises the lower bound of its
    /// own path.
    pub(super) fn take_if_better(
        &mut self,
        pending: &mut PendingSearch,
        problem: &SearchProblem,
        answer: Result<Route, PathFailure>,
        is_current: bool,
    ) -> Outcome {
        let order = pending.order;
        let tolerance = pending.request.tolerance();
        let found = answer.as_ref().ok().filter(|route| !route.partial);
        let proven = found.and_then(|route| Some((route.legs.first()?.start(), route.worth())));
        let path = self.requesters.get(order.entity).ok().and_then(|requester| requester.path);
        let is_found_better =
            path.zip(found).is_some_and(|(path, route)| path.is_worse_than(route, tolerance));
        let is_beside = self.is_beside(pending);
        let from_here = self.as_of_now(pending, problem, answer, is_current);
        let Ok(mut requester) = self.requesters.get_mut(order.entity) else { return Outcome::Over };
        let holds = requester.state.holds(order.number);
        let Some(path) = requester.path.as_mut().filter(|path| holds && path.order == order.number) else {
            return Outcome::Over;
        };
        match from_here {
            // The entity to which it walks has gone where no path leads.
            Some(Err(reason)) if !path.leads_to_goal() => {
                self.answer(pending, Err(reason));
                return Outcome::Over;
            }
            Some(Ok(route)) if is_beside && pending.tries > 0 || path.is_worse_than(&route, tolerance) => {
                self.answer(pending, Ok(route));
                return Outcome::Over;
            }
            None if is_beside && is_found_better && pending.tries == 0 => {
                pending.tries += 1;
                return Outcome::Running;
            }
            _ => {}
        }
        let mut path = PathMut::new(path.reborrow());
        match proven {
            Some((from, worth)) => path.prove(problem.map, &from, &worth),
            None => path.trust(),
        }
        Outcome::Over
    }

    /// Returns whether an agent is beside the cells of its path.
    fn is_beside(&mut self, pending: &PendingSearch) -> bool {
        let unit = self.present.maps.of(pending.movement.as_ref());
        let Some(map) = unit.ready(pending.map) else { return false };
        let Ok(requester) = self.requesters.get_mut(pending.order.entity) else { return false };
        let here = requester.standing_place(&unit, &map, &self.present.parents);
        requester.path.zip(here.ok()).is_some_and(|(path, here)| path.is_beside(pending.map, &here))
    }

    /// Lets the agent keep its own path, if it leads to the goal, because no better one was found
    /// for this reason.
    pub(super) fn keep(&mut self, pending: &PendingSearch, reason: PathFailure) {
        let Ok(mut requester) = self.requesters.get_mut(pending.order.entity) else { return };
        match &mut requester.path {
            Some(path) if path.leads_to_goal() => PathMut::new(path.reborrow()).trust(),
            _ => self.answer(pending, Err(reason)),
        }
    }
}
