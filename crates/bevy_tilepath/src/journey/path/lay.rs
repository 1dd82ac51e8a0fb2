//! The line along the cells of a path.
//!
//! Decision: `docs/decisions/61-straight-lines.md`.

use super::AgentPath;
use crate::{map::map_view::MapView, route::walked_line::LineStyle};

impl AgentPath {
    /// Lays the line along the cells of a leg on this map, from the cell with this index on.
    pub(crate) fn lay(&mut self, leg: usize, style: LineStyle, from: usize, view: &MapView) {
        self.style = style;
        if self.route.legs[leg].lay(style, from, view) {
            self.take_line(leg, view);
        }
    }

    /// Lays the line of the leg under way anew from the centre of the cell with this index.
    pub(crate) fn lay_from_centre(&mut self, from: usize, view: &MapView) {
        self.route.legs[self.current].lay_from_centre(from, view);
        self.take_line(self.current, view);
    }

    /// Computes the points of a leg again after its line was laid.
    fn take_line(&mut self, leg: usize, view: &MapView) {
        let leg = &mut self.route.legs[leg];
        let placement = std::mem::take(&mut leg.placement);
        leg.place(view.projection, placement, &mut self.points);
        (self.calm, self.walk.line) = (None, None);
    }
}
