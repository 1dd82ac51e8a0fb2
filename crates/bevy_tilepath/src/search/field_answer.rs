//! Which orders a field may answer, and the way that comes of its answer.

use smallvec::smallvec;
use tilepath::{Algorithm, Cell, CellState, NearestAnswer, NearestQuery, QueryError};

use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, nav_view::NavView, place::MapPlace},
    order::{
        goal::PathGoal,
        grid_query::{GridQuery, GridReply},
        reach::Reach,
        route::Route,
    },
    search::{observers::SearchNotes, problem::SearchProblem, shared_fields::FieldQuestion},
};

impl SearchProblem {
    /// What would be asked of a field, and from where, if that answers as a search would: one over this tile map alone, without
    /// limits, for the cheapest way.
    pub(crate) fn field_question(&self, view: &NavView, doors: &KnownDoors) -> Option<(FieldQuestion, Cell)> {
        let request = &self.request;
        let is_plain =
            request.limit().is_none() && !request.wants_closest() && request.algorithm() == Algorithm::Auto;
        let stays = request.target().is_some()
            || self.goals.reach.is_some()
            || doors.index.round_trips(self.map).is_none();
        let is_found_otherwise = matches!(request.goal(), PathGoal::Along(_) | PathGoal::Flee { .. });
        if !is_plain || !stays || is_found_otherwise || !self.goals.are_on(self.map) {
            return None;
        }
        let (MapPlace::Cell(start), goals) = (&self.start, self.goals.cells()?) else { return None };
        let start = *start;
        // Near enough already, or there is nothing near enough.
        let is_answered = |reach: &Reach| reach.holds(start, view) || !reach.holds(goals[0], view);
        if self.goals.reach.as_ref().is_some_and(is_answered) {
            return None;
        }
        // A unit of several cells may stand on ground that closed under it: only a search knows how it gets off.
        let stands_free = view.side() == 1 || view.is_passable(start);
        (stands_free && !goals.contains(&start))
            .then(|| (FieldQuestion { map: self.map, movement: view.movement, goals: goals.into() }, start))
    }

    /// The way that a field tells, written down as the answer to what was asked of it.
    pub(crate) fn route_of_field(
        &self,
        (question, start): (&FieldQuestion, Cell),
        answer: Result<NearestAnswer, QueryError>,
        view: &NavView,
        notes: &mut SearchNotes,
        state: impl Fn(Cell) -> CellState,
    ) -> Result<Route, PathFailure> {
        let query = NearestQuery::new(start, &*question.goals).with_movement(question.movement);
        let note = notes.ask(view, GridQuery::Nearest(&query));
        notes.end(note, self.order.entity, Some(view), GridReply::Nearest(&answer), state);
        let NearestAnswer { goals, statistics, .. } = answer?;
        let nearest = goals.into_iter().next().ok_or(PathFailure::Unreachable)?;
        let legs = smallvec![view.leg(nearest.path, None)];
        Ok(self.route(legs, nearest.index, false, statistics))
    }
}
