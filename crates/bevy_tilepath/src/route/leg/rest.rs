//! The rest of a leg: its cost, and whether it is valid.

use super::{PathLeg, waypoint};
use crate::{
    map::{
        maps::AnyMap,
        place::{MapPlace, Place, position_of},
        span::{Span, Spot},
        version::Version,
        watch::Watch,
    },
    route::course::{Ahead, Course},
};

/// The effect of edits on the rest of a leg.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Followed {
    /// True if costs differ.
    pub(crate) is_changed: bool,
    /// True if the pace on a graph differs.
    pub(crate) has_other_pace: bool,
}

impl PathLeg {
    /// Returns the value of one cost unit of its map in world units.
    pub(crate) fn unit(&self) -> f64 {
        self.side / self.costs_a_side
    }

    /// Returns the cost from the point with this index, in cost units of its map.
    pub(crate) fn rest_from(&self, index: usize) -> f64 {
        match &self.course {
            Course::Cells(course) => course.remaining[index.min(course.remaining.len() - 1)].get().into(),
            Course::Waypoints(track) => track.remaining[index.min(track.remaining.len() - 1)],
        }
    }

    /// Cuts the leg down to the rest from a place of its map. Returns false if it does not lead
    /// over the place.
    pub(crate) fn begin_at(&mut self, place: &MapPlace) -> bool {
        let Course::Waypoints(track) = &mut self.course else { return false };
        if !track.begin_at(place) {
            return false;
        }
        self.end = self.course.len();
        (self.entrance, self.door_cost) = (None, 0.0);
        self.route_cost = self.rest_from(0) * self.unit();
        true
    }

    /// Updates the costs of the rest after edits. Returns what has changed.
    ///
    /// The step under way counts until the centre of its cell is reached.
    ///
    /// # Errors
    /// The first place ahead that cannot be reached any more.
    pub(crate) fn follow_edits(
        &mut self,
        next: usize,
        watch: &Watch,
        map: &AnyMap,
    ) -> Result<Followed, Place> {
        let next = self.index_of(next);
        match (&mut self.course, map) {
            (Course::Cells(course), AnyMap::Tiles(view)) => {
                let changes = watch.changes_since(self.version);
                let mut is_changed = false;
                match course.ahead(next, view, changes) {
                    Ahead::Blocked(cell) => return Err(Place::Cell(cell)),
                    Ahead::Repriced(remaining) => (course.remaining, is_changed) = (remaining, true),
                    Ahead::AsPlanned => {}
                }
                let is_laid = course.lay_again(next, view, changes);
                if is_laid != Ok(false) {
                    // Its points are computed again.
                    self.placement = Version::default();
                }
                is_laid.map_err(Place::Cell)?;
                Ok(Followed { is_changed, has_other_pace: false })
            }
            (Course::Waypoints(track), AnyMap::Graph(view)) => {
                if let Some(index) = track.first_fault(next, view.graph()) {
                    let ahead = track.stops[index..].iter().find_map(|stop| stop.waypoint.as_deref());
                    return Err(ahead.map_or_else(|| Place::Position(track.local_point(index)), waypoint));
                }
                let is_changed = track.reprice(next, view.nav_graph);
                Ok(Followed { is_changed, has_other_pace: is_changed })
            }
            // The entity is now a map of the other kind.
            (Course::Cells(course), AnyMap::Graph(_)) => Err(Place::Cell(course.goal)),
            (Course::Waypoints(track), AnyMap::Tiles(_)) => Err(Place::Position(track.local_point(next))),
        }
    }

    /// Returns whether the leg is still as it was found, up to its end.
    pub(crate) fn is_as_found(&self, map: &AnyMap) -> bool {
        match (&self.course, map) {
            (Course::Cells(course), AnyMap::Tiles(view)) => view.verify(&course.path).is_ok(),
            (Course::Waypoints(track), AnyMap::Graph(view)) => {
                track.first_fault(0, view.graph()).is_none() && !track.clone().reprice(0, view.nav_graph)
            }
            _ => false,
        }
    }

    /// Returns the cost that is left at a place of its map, or `None` if it does not lead over the
    /// place. Places before the point `from` do not count.
    pub(crate) fn rest_at(&self, place: &Spot, from: usize) -> Option<f64> {
        match (&self.course, place) {
            (Course::Cells(course), Spot::Cell(cell)) => {
                let index = course.path.cells().get(from..)?.iter().position(|passed| passed == cell)?;
                Some(self.rest_from(from + index))
            }
            (Course::Waypoints(track), Spot::Position(position)) => {
                let rounding = self.rounding / self.unit().max(f64::MIN_POSITIVE);
                track.rest_at(*position, from, rounding)
            }
            _ => None,
        }
    }

    /// Returns the place where it begins.
    pub(crate) fn start(&self) -> Spot {
        match &self.course {
            Course::Cells(course) => Spot::Cell(course.path.start()),
            Course::Waypoints(track) => Spot::Position(track.stops[0].position),
        }
    }

    /// Returns the place with this index.
    pub(crate) fn span_at(&self, index: usize) -> Span {
        match &self.course {
            Course::Cells(course) => {
                let cells = course.path.cells();
                Span::of_cell(cells[index.min(cells.len() - 1)])
            }
            Course::Waypoints(track) => {
                Span::of_position(track.stops[index.min(track.stops.len() - 1)].position)
            }
        }
    }

    /// Returns where on its map a place ahead lies.
    pub(crate) fn span_of(&self, place: &Place) -> Option<Span> {
        match (&self.course, place) {
            (Course::Cells(_), Place::Cell(cell)) => Some(Span::of_cell(*cell)),
            (Course::Waypoints(track), Place::Waypoint(id)) => {
                let stop = track.stops.iter().find(|stop| stop.waypoint.as_deref() == Some(id))?;
                Some(Span::of_position(stop.position))
            }
            (Course::Waypoints(_), Place::Position(local)) => Some(Span::of_position(position_of(*local))),
            _ => None,
        }
    }
}
