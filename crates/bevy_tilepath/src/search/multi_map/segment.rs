//! Segments of a path over several maps.
//!
//! After the maps and doors of the path are known, each segment over cells is searched as a path of
//! its own.

use std::collections::VecDeque;

use bevy_ecs::entity::Entity;
use tilepath::{Cell, Outcome, Path, PathQuery, PathSearch, SearchStatus, waypoint::WaypointRoute};

use crate::{
    failure::PathFailure,
    map::{
        door::index::Entrance,
        maps::{AnyMap, UnitMaps},
    },
    order::{grid_query::GridReply, route::Legs},
    search::{
        observers::{NoteNumber, SearchNotes},
        problem::SearchProblem,
    },
};

/// A segment of a path on one map, from its start or from the door by which it is entered.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) map: Entity,
    /// The door, and the cost of the door.
    pub(crate) entrance: Option<(Entrance, f64)>,
    pub(crate) course: SegmentCourse,
}

#[derive(Clone, Debug)]
pub(crate) enum SegmentCourse {
    Cells { from: Cell, to: Cell },
    Waypoints(WaypointRoute),
}

/// A search that turns segments into legs. A segment over cells becomes the path that an order
/// between its ends would get. It is found by the same search, so that it can be recorded and
/// replayed.
#[derive(Clone, Debug)]
pub(crate) struct SegmentSearch {
    pub(crate) goal: usize,
    segments: VecDeque<Segment>,
    under_way: Option<(Segment, Box<PathSearch>, NoteNumber)>,
    legs: Legs,
    pub(crate) expanded: u64,
    pub(crate) work: u64,
}

impl SegmentSearch {
    pub(crate) fn new(goal: usize, segments: Vec<Segment>) -> Self {
        Self { goal, segments: segments.into(), under_way: None, legs: Legs::new(), expanded: 0, work: 0 }
    }

    /// Advances within this budget. Returns `None` if there is more to do.
    pub(crate) fn advance(
        &mut self,
        budget: u64,
        problem: &SearchProblem,
        maps: &UnitMaps,
        notes: &mut SearchNotes,
    ) -> Option<Result<Legs, PathFailure>> {
        let limit = self.work.saturating_add(budget);
        while self.work < limit {
            if let Some((segment, mut search, note)) = self.under_way.take() {
                let before = (search.statistics().expanded, search.work());
                let status = search.advance(limit - self.work);
                self.expanded += search.statistics().expanded - before.0;
                self.work += (search.work() - before.1).max(1);
                if status == SearchStatus::Running {
                    self.under_way = Some((segment, search, note));
                    continue;
                }
                // If the map has changed and the search has no answer, the result is not current
                // anyway.
                let (Some(answer), Some(AnyMap::Tiles(view))) = (search.answer(), maps.get(segment.map))
                else {
                    return Some(Err(PathFailure::Unreachable));
                };
                let reply = GridReply::Path(&answer);
                notes.end(note, problem.order.entity, Some(&view), reply, |cell| search.cell_state(cell));
                match answer.map(|answer| answer.outcome) {
                    Ok(Outcome::Found(path)) => self.legs.push(view.leg(path, segment.entrance)),
                    Ok(_) => return Some(Err(PathFailure::Unreachable)),
                    Err(error) => return Some(Err(error.into())),
                }
                continue;
            }
            let Some(segment) = self.segments.pop_front() else {
                return Some(Ok(std::mem::take(&mut self.legs)));
            };
            self.work += 1;
            match (&segment.course, maps.get(segment.map)) {
                (SegmentCourse::Waypoints(route), Some(AnyMap::Graph(view))) => {
                    let start = segment.entrance.is_none().then_some(&problem.start);
                    self.legs.push(view.leg(route, start, segment.entrance));
                }
                // A unit may leave a removed cell through a door there, but no query may end there.
                (&SegmentCourse::Cells { from, to }, Some(AnyMap::Tiles(view)))
                    if from == to && !view.grid.grid().contains(from) =>
                {
                    match Path::from_cells(vec![from], view.grid.grid(), view.rules) {
                        Ok(path) => self.legs.push(view.leg(path, segment.entrance)),
                        Err(_) => return Some(Err(PathFailure::Unreachable)),
                    }
                }
                (&SegmentCourse::Cells { from, to }, Some(AnyMap::Tiles(view))) => {
                    let query = PathQuery::new(from, to).with_movement(view.movement);
                    match notes.begin(&view, &query) {
                        Ok((search, note)) => self.under_way = Some((segment, search, note)),
                        Err(error) => return Some(Err(error.into())),
                    }
                }
                _ => return Some(Err(PathFailure::NoMap)),
            }
        }
        None
    }

    /// Returns the search that is under way.
    pub(crate) fn path_search(&self) -> Option<&PathSearch> {
        self.under_way.as_ref().map(|(_, search, _)| &**search)
    }

    /// Returns the map and the search under way.
    #[cfg(feature = "debug_draw")]
    pub(crate) fn shown(&self) -> Option<(Entity, &PathSearch)> {
        self.under_way.as_ref().map(|(segment, search, _)| (segment.map, &**search))
    }
}
