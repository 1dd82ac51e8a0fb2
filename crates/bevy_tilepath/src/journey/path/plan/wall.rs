//! Plans that are closed ahead: the agent walks on to the wall while another path is searched for.

use tilepath::Cell;

use super::PathPlan;
use crate::{
    map::{maps::AnyMap, watch::Watch},
    route::speed::Gait,
};

/// A place ahead that is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Wall {
    /// The first point that the agent cannot reach.
    point: usize,
    /// True if the search for another path has begun. It begins at the place of the agent, so the agent
    /// stands until the search ends.
    is_searched: bool,
}

impl PathPlan {
    /// Returns whether the agent walks on to a wall ahead.
    pub(crate) fn is_closed_ahead(&self) -> bool {
        self.wall.is_some()
    }

    /// Returns the first point that the agent cannot reach, because the path is closed before it.
    pub(crate) fn wall(&self) -> Option<usize> {
        self.wall.map(|wall| wall.point)
    }

    /// Returns whether the agent stands, because the search for another path has begun.
    pub(crate) fn awaits_search(&self) -> bool {
        self.wall.is_some_and(|wall| wall.is_searched)
    }

    /// Returns whether the agent stands before the wall, or stands because of the search.
    pub(crate) fn stands_before_wall(&self) -> bool {
        self.wall.is_some_and(|wall| wall.is_searched || self.next >= wall.point)
    }

    /// Sets whether the search for another path has begun.
    pub(crate) fn set_searched(&mut self, is_searched: bool) {
        if let Some(wall) = &mut self.wall {
            wall.is_searched = is_searched;
        }
    }

    /// Closes the plan at the door at the end of the leg under way. A body does not step onto the last
    /// cell: there it would hold the cells behind the door.
    pub(crate) fn close_at_door(&mut self, is_body: bool) {
        self.close(self.leg().end - usize::from(is_body));
    }

    /// Closes the plan before the first point of the leg under way that is out of reach after edits. It
    /// stays closed there if it was closed, unless another wall is nearer. Without a point in reach it is
    /// not closed: the agent is to stand where it is.
    pub(crate) fn close_before_wall(&mut self, watch: &Watch, map: &AnyMap) {
        let end = self.wall.map_or(self.leg().end, |wall| wall.point);
        let point = match map {
            AnyMap::Tiles(view) => {
                let leg = &mut self.route.legs[self.current];
                self.revision += u64::from(leg.place(&watch.projection, watch.placement, &mut self.points));
                leg.first_out_of_reach(self.next, end, view, watch.changes_since(leg.version))
            }
            AnyMap::Graph(_) => self.next,
        };
        self.close(point);
        self.route.legs[self.current].version = watch.version;
    }

    fn close(&mut self, point: usize) {
        let is_searched = self.awaits_search();
        self.wall = (point > self.next).then_some(Wall { point, is_searched });
    }

    /// Returns the cells of the leg under way that a body may enter, from the first on. A step under way
    /// is walked to its end.
    pub(crate) fn open_cells(&self, is_stepping: bool) -> &[Cell] {
        let leg = self.leg();
        let cells = leg.path().map_or(&[][..], tilepath::Path::cells);
        let end = match self.wall {
            Some(Wall { is_searched: true, .. }) => self.next.max(leg.first + 1) + usize::from(is_stepping),
            Some(Wall { point, .. }) => point,
            None => leg.end,
        };
        &cells[..leg.index_of(end)]
    }

    /// Returns the number of ticks, of this length, until the agent stands before the wall.
    pub(crate) fn ticks_to_wall(&self, gait: Gait, seconds: f64) -> u64 {
        let Some(wall) = self.wall else { return 0 };
        let straight = self.leg().straight;
        let steps = (wall.point - self.next.min(wall.point)) as f64;
        (steps * straight / gait.stride(straight, seconds)) as u64
    }
}
