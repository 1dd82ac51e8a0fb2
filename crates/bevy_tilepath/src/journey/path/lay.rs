//! The line along the cells of a path.
//!
//! Decision: `docs/decisions/61-straight-lines.md`.

use super::AgentPath;
use crate::{map::map_view::MapView, route::walked_line::LineStyle};

impl AgentPath {
    /// Lays the line along the cells of a leg on this map, from the cell with this index on.
    pub(crate) fn lay(&mut self, leg: usize, style: LineStyle, from: usize, view: &MapView) {
        self.style = style;
        let (leg, points) = (&mut self.route.legs[leg], &mut self.points);
        if leg.lay(style, from, view) {
            let placement = std::mem::take(&mut leg.placement);
            leg.place(view.projection, placement, points);
            (self.calm, self.walk.line) = (None, None);
        }
    }
}
