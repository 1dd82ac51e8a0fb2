//! Turns of orders that many share: a field answers.

use super::{Outcome, Present, Work};
use crate::{
    map::maps::AnyMap,
    order::{queue::RequestId, route::Route, status::PathStatus},
    search::{
        problem::SearchProblem,
        searches::{PendingSearch, Running},
        shared_fields::FieldReply,
    },
};

impl Work<'_, '_, '_> {
    /// Runs the turn of an order with the same goals as many others: a field answers it. Returns
    /// `None` if it needs a search of its own.
    pub(super) fn ask_field(
        &mut self,
        pending: &mut PendingSearch,
        slice: u64,
        living: RequestId,
    ) -> Option<Outcome> {
        let is_for_other = |running: &Running| !running.asks_for(pending);
        if !self.fields.is_busy() || slice == 0 || pending.running.as_ref().is_some_and(is_for_other) {
            return None;
        }
        let problem = self.problem(pending).ok()?;
        let unit = self.present.maps.of(problem.movement.as_ref());
        let AnyMap::Tiles(view) = unit.find(problem.map).ok()? else { return None };
        let (question, start) = problem.field_question(&view, &self.present.doors)?;
        let asker = pending.order.entity;
        let work = (slice, self.credit.led_work(&view));
        let answer = match self.fields.ask(asker, start, &question, &view, work, &mut self.spent) {
            FieldReply::Singly => return None,
            FieldReply::Later => {
                pending.running = None;
                self.show(pending, PathStatus::Queued);
                return Some(Outcome::Running);
            }
            FieldReply::Now(answer) => answer,
        };
        pending.running = None;
        let state = |cell| self.fields.cell_state(&question, cell);
        let route = problem.route_of_field(&question, start, answer, &view, &mut self.notes, state);
        let route = route.map_err(|reason| unit.plain_reason(reason, &problem.goals));
        Some(self.conclude(pending, &problem, route, true, living))
    }

    /// Records that the path of a body leads to goals which others may have, too.
    pub(super) fn share_goals(&mut self, problem: &SearchProblem, route: Route) -> Route {
        let is_body = self.requesters.get(problem.order.entity).is_ok_and(|requester| requester.is_body);
        let is_fixed = !problem.request.has_entity();
        if !is_body || !is_fixed || route.partial || route.legs.len() > 1 {
            return route;
        }
        let Present { maps, doors, .. } = self.present;
        let Ok(AnyMap::Tiles(view)) = maps.of(problem.movement.as_ref()).find(problem.map) else {
            return route;
        };
        let question = problem.field_question(&view, doors);
        Route { common: question.map(|(question, _)| self.fields.common_goals(&question)), ..route }
    }
}
