//! The first point of a course that is out of reach after edits.

use bevy_math::Vec2;

use crate::{
    map::{changes::Changes, map_view::MapView},
    route::course::CellCourse,
};

impl CellCourse {
    /// Returns the index of the first point that an agent cannot reach any more: of the points from
    /// `next` on and before `end`. Returns `end` if it can reach them all.
    ///
    /// `changes` are the cells that changed since these points were within reach, if they are known.
    pub(super) fn first_out_of_reach(
        &self,
        next: usize,
        end: usize,
        view: &MapView,
        changes: Option<&Changes>,
    ) -> usize {
        let is_closed = |&index: &usize| self.may_differ(index, changes) && self.is_closed_at(index, view);
        let end = (next.max(1)..end).find(is_closed).unwrap_or(end);
        let Some(line) = &self.line else { return end };
        // Lines leave the cells of the path.
        for ends @ [begin, turn] in line.lines_to(next) {
            if begin + 1 >= end {
                break;
            }
            // A step from centre to centre leaves no cell of the path.
            let is_step = turn == begin + 1 && ends.iter().all(|&end| line.offset(end) == Vec2::ZERO);
            if is_step || !self.is_beside(ends, changes) {
                continue;
            }
            let from = begin.max(next.saturating_sub(1));
            let to = turn.min(end - 1);
            if to > from && self.fault_between(from, to, view).is_some() {
                let (mut clear, mut closed) = (from, to);
                while clear + 1 < closed {
                    let middle = usize::midpoint(clear, closed);
                    let is_clear = self.fault_between(from, middle, view).is_none();
                    *(if is_clear { &mut clear } else { &mut closed }) = middle;
                }
                return closed;
            }
        }
        end
    }
}
