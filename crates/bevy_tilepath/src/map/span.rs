//! Rectangles on maps of both kinds.

use tilepath::{Bounds, Cell, graph::Position};

/// A place on a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Spot {
    Cell(Cell),
    /// A position in the space of a graph.
    Position(Position),
}

/// A rectangle of cells, or of positions along a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Span {
    low: [f64; 2],
    high: [f64; 2],
}

impl Span {
    pub(crate) const EVERYWHERE: Self = Self { low: [f64::NEG_INFINITY; 2], high: [f64::INFINITY; 2] };

    fn at(point: [f64; 2]) -> Self {
        Self { low: point, high: point }
    }

    pub(crate) fn of_cell(cell: Cell) -> Self {
        Self::at([cell.x.into(), cell.y.into()])
    }

    pub(crate) fn of_position(position: Position) -> Self {
        Self::at([position.x, position.y])
    }

    pub(crate) fn of_bounds(bounds: &Bounds) -> Self {
        let low = [bounds.origin().x, bounds.origin().y].map(f64::from);
        let last = [bounds.width(), bounds.height()].map(|count| f64::from(count.saturating_sub(1)));
        Self { low, high: [low[0] + last[0], low[1] + last[1]] }
    }

    /// Returns the smallest rectangle around both.
    pub(crate) fn with(self, other: Self) -> Self {
        let corner =
            |a: [f64; 2], b: [f64; 2], pick: fn(f64, f64) -> f64| [0, 1].map(|axis| pick(a[axis], b[axis]));
        Self { low: corner(self.low, other.low, f64::min), high: corner(self.high, other.high, f64::max) }
    }

    /// Returns the rectangle, grown by a distance on all sides.
    pub(crate) fn grown(self, by: f64) -> Self {
        Self { low: self.low.map(|low| low - by), high: self.high.map(|high| high + by) }
    }

    /// Returns the rectangle, grown by a distance on its two low sides.
    pub(crate) fn reaching_down(self, by: f64) -> Self {
        Self { low: self.low.map(|low| low - by), ..self }
    }

    /// Returns the cell in the middle, or `None` if the middle is not a cell.
    pub(crate) fn middle(&self) -> Option<Cell> {
        let along = |axis: usize| f64::midpoint(self.low[axis], self.high[axis]);
        let [x, y] = [along(0), along(1)];
        let is_cell = |at: f64| at.fract().abs() < f64::EPSILON && at.abs() < f64::from(i32::MAX);
        (is_cell(x) && is_cell(y)).then(|| Cell::new(x as i32, y as i32))
    }

    /// Returns the gaps between two rectangles along the two axes.
    pub(crate) fn gaps(&self, other: &Self) -> [f64; 2] {
        [0, 1].map(|axis| {
            let before = other.low[axis] - self.high[axis];
            before.max(self.low[axis] - other.high[axis]).max(0.0)
        })
    }

    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.gaps(other).iter().all(|&gap| gap <= 0.0)
    }

    /// Returns the cells of the rectangle, or `None` if there are too many.
    pub(crate) fn cells(&self) -> Option<Bounds> {
        let count =
            |axis: usize| Some(self.high[axis] - self.low[axis] + 1.0).filter(|count| *count < 65_536.0);
        let origin = Cell::new(self.low[0] as i32, self.low[1] as i32);
        Bounds::new(origin, count(0)? as u32, count(1)? as u32).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_those_between_the_nearest_cells() {
        let yard = Span::of_bounds(&Bounds::new(Cell::new(2, 3), 4, 2).unwrap());
        assert_eq!(yard.gaps(&Span::of_cell(Cell::new(7, 1))).map(|gap| gap as i32), [2, 2]);
        assert!(
            yard.touches(&Span::of_cell(Cell::new(5, 4))) && !yard.touches(&Span::of_cell(Cell::new(6, 4)))
        );
        assert!(yard.touches(&Span::EVERYWHERE) && Span::EVERYWHERE.touches(&Span::EVERYWHERE));
        assert_eq!(yard.cells().map(|cells| cells.cell_count()), Some(8));
        assert_eq!(Span::EVERYWHERE.cells(), None);
        let wider = yard.with(Span::of_cell(Cell::new(0, 0))).grown(1.0);
        assert_eq!(wider.cells().map(|cells| (cells.width(), cells.height())), Some((8, 7)));
    }
}
