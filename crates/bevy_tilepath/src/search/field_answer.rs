//! Answers from fields: which orders, and their paths.

use smallvec::smallvec;
use tilepath::{Algorithm, Cell, CellState, NearestAnswer, NearestQuery, QueryError};

use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, map_view::MapView, place::MapPlace},
    order::{
        goal::PathGoal,
        grid_query::{GridQuery, GridReply},
        reach::Reach,
        route::Route,
    },
    search::{observers::SearchNotes, problem::SearchProblem, shared_fields::FieldQuestion},
};

impl SearchProblem {
    /// Returns the question to a field and the start cell, if a field would give the answer of a
    /// search. The order must stay on this tile map, have no limits, and name no algorithm.
    pub(crate) fn field_question(&self, view: &MapView, doors: &KnownDoors) -> Option<(FieldQuestion, Cell)> {
        let request = &self.request;
        let is_plain =
            request.limit().is_none() && !request.wants_closest() && request.algorithm() == Algorithm::Auto;
        let stays =
            request.has_entity() || self.goals.reach.is_some() || doors.index.round_trips(self.map).is_none();
        let is_found_otherwise = matches!(request.goal(), PathGoal::Along(_))
            || request.goal().budget().is_some()
            || request.through_door().is_some();
        if !is_plain || !stays || is_found_otherwise || !self.goals.are_on(self.map) {
            return None;
        }
        let (MapPlace::Cell(start), goals) = (&self.start, self.goals.cells()?) else { return None };
        let start = *start;
        // The start is near enough already, or no cell is near enough.
        let is_answered = |reach: &Reach| reach.holds(start, view) || !reach.holds(goals[0], view);
        if self.goals.reach.as_ref().is_some_and(is_answered) {
            return None;
        }
        (view.is_led_by_fields(start) && !goals.contains(&start))
            .then_some((FieldQuestion { map: self.map, movement: view.movement, goals }, start))
    }

    /// Returns the path that a field gives, and records it as the answer to the question.
    pub(crate) fn route_of_field(
        &self,
        question: &FieldQuestion,
        start: Cell,
        answer: Result<NearestAnswer, QueryError>,
        view: &MapView,
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
