//! Answers from fields: which orders, and their paths.

use smallvec::smallvec;
use tilepath::{Algorithm, Cell, CellState, NearestAnswer, NearestQuery, PathQuery};

use crate::{
    failure::PathFailure,
    map::{door::known::KnownDoors, map_view::MapView, place::MapPlace},
    order::{
        goal::PathGoal,
        grid_query::{GridQuery, GridReply},
        reach::Reach,
        route::Route,
    },
    search::{
        observers::SearchNotes,
        parts_search::PartsSearch,
        problem::SearchProblem,
        shared_fields::{FieldAnswer, FieldQuestion},
    },
};

impl SearchProblem {
    /// Returns the question to a field and the start cell, if a field would give the answer of a
    /// search. The order must stay on this tile map and have no limits. It must ask for the
    /// cheapest path, or for a near path that is so long that it would be found in parts.
    pub(crate) fn field_question(&self, view: &MapView, doors: &KnownDoors) -> Option<(FieldQuestion, Cell)> {
        let request = &self.request;
        let is_plain = request.limit().is_none()
            && !request.wants_closest()
            && matches!(request.algorithm(), Algorithm::Auto | Algorithm::Near);
        let stays =
            request.has_entity() || self.goals.reach.is_some() || doors.index.round_trips(self.map).is_none();
        let is_found_otherwise =
            matches!(request.goal(), PathGoal::Along(_)) || request.goal().budget().is_some();
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
        // A unit of several cells may stand on ground that closed under it. Only a search can lead
        // it off.
        let stands_free = view.side() == 1 || view.is_passable(start);
        let is_near = self.goals.single && {
            let algorithm = view.grid.algorithm_for(request.algorithm(), start, goals[0]);
            let query =
                PathQuery::new(start, goals[0]).with_movement(view.movement).with_algorithm(algorithm);
            PartsSearch::is_for(&query)
                && view.grid.finder().algorithm_for(&query).is_ok_and(|taken| taken == Algorithm::Near)
        };
        let is_answerable =
            stands_free && !goals.contains(&start) && (is_near || request.algorithm() == Algorithm::Auto);
        is_answerable
            .then_some((FieldQuestion { map: self.map, movement: view.movement, goals, is_near }, start))
    }

    /// Returns the path that a field gives, and records it as the answer to the question. For near
    /// paths only the question is recorded, as for paths that are found in parts.
    pub(crate) fn route_of_field(
        &self,
        question: &FieldQuestion,
        start: Cell,
        answer: FieldAnswer,
        view: &MapView,
        notes: &mut SearchNotes,
        state: impl Fn(Cell) -> CellState,
    ) -> Result<Route, PathFailure> {
        match answer {
            FieldAnswer::Cheapest(answer) => {
                let query = NearestQuery::new(start, &*question.goals).with_movement(question.movement);
                let note = notes.ask(view, GridQuery::Nearest(&query));
                notes.end(note, self.order.entity, Some(view), GridReply::Nearest(&answer), state);
                let NearestAnswer { goals, statistics, .. } = answer?;
                let nearest = goals.into_iter().next().ok_or(PathFailure::Unreachable)?;
                let legs = smallvec![view.leg(nearest.path, None)];
                Ok(self.route(legs, nearest.index, false, statistics))
            }
            FieldAnswer::Near(answer) => {
                let query = PathQuery::new(start, question.goals[0])
                    .with_movement(question.movement)
                    .with_algorithm(Algorithm::Near);
                notes.ask(view, GridQuery::Path(&query));
                let path = answer?.ok_or(PathFailure::Unreachable)?;
                let legs = smallvec![view.leg(path, None)];
                Ok(self.route(legs, 0, false, FieldAnswer::near_statistics()))
            }
        }
    }
}
