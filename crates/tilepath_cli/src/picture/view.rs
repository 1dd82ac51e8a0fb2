//! The projection from cells of a map to pixels of its picture.

use super::canvas::{Canvas, Colour, Point};
use crate::layout::Layout;
use tilepath::{Cell, Direction, Lattice, Size, Topology};

/// The projection from cells to pixels.
#[derive(Clone, Debug)]
pub(crate) struct View {
    layout: Layout,
    /// Pixels from a cell to the next cell in its row.
    scale: u32,
    /// The factor for the least sizes of lines and marks.
    pen: f32,
    /// The offsets from a cell to its east and north neighbours, in pixels.
    east: Point,
    north: Point,
    /// The middle of the lower left tile.
    first: Point,
    sides: Vec<Side>,
    size: Point,
}

/// A side of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    /// The direction of the neighbour behind the side.
    pub(crate) direction: Direction,
    /// The offset from the middle of a cell to the middle of the side, in pixels.
    middle: Point,
    /// The distance from the middle of a cell to the side, in pixels.
    distance: f32,
    /// The offset from the middle of the side to its end, in pixels.
    to_end: Point,
}

impl Side {
    /// Returns the distance from the middle of a cell to the side, in pixels.
    pub(crate) fn room(&self) -> f32 {
        self.distance
    }

    /// Returns whether the side faces the light, which comes from the upper left.
    pub(crate) fn is_upper_left(&self) -> bool {
        self.middle.x + self.middle.y < -0.01 * self.distance
    }
}

impl View {
    /// Makes the view of a map with this many pixels per cell.
    pub(crate) fn new(layout: Layout, scale: u32) -> Self {
        let s = scale as f32;
        let narrow = s * 0.75_f32.sqrt();
        let half = s / 2.0;
        let tip = s / 3.0_f32.sqrt();
        let point = |x: f32, y: f32| Point { x, y };
        // The length of an axis unit to the right and down, and half the size of a cell.
        let (unit, extent) = match layout.lattice() {
            Lattice::Square | Lattice::Diamond => (point(s, s), point(half, half)),
            Lattice::Staggered => (point(half, half), point(half, half)),
            Lattice::HexRow | Lattice::HexRowOdd | Lattice::HexRowEven => {
                (point(half, narrow), point(half, tip))
            }
            // Hexagons in columns.
            _ => (point(narrow, half), point(tip, half)),
        };
        let [east, north] =
            layout.axes().map(|(right, down)| point(right as f32 * unit.x, down as f32 * unit.y));
        let is_hexagon = layout.lattice().topology() == Topology::Hexagonal;
        let sides = layout.sides().into_iter().map(|direction| {
            let (x, y) = direction.offset();
            let (x, y) = (x as f32 * 0.5, y as f32 * 0.5);
            let middle = point(x * east.x + y * north.x, x * east.y + y * north.y);
            let distance = middle.x.hypot(middle.y);
            let share = if is_hexagon { 3.0_f32.sqrt().recip() } else { 1.0 };
            Side { direction, middle, distance, to_end: point(-middle.y * share, middle.x * share) }
        });
        let mut view = Self {
            layout,
            scale,
            pen: 1.0,
            east,
            north,
            first: point(0.0, 0.0),
            sides: sides.collect(),
            size: point(0.0, 0.0),
        };
        let (columns, rows) = (layout.columns(), layout.rows());
        let is_outermost = |index: u32, count: u32| index == 0 || index + 1 == count;
        let outermost = layout
            .places()
            .filter(|place| is_outermost(place.column, columns) || is_outermost(place.row, rows));
        let middles = outermost.filter_map(|place| layout.cell(place)).map(|cell| view.centre(cell));
        let ends = middles.fold(None, |ends: Option<(Point, Point)>, Point { x, y }| {
            let (low, high) = ends.unwrap_or((Point { x, y }, Point { x, y }));
            let low = Point { x: low.x.min(x), y: low.y.min(y) };
            Some((low, Point { x: high.x.max(x), y: high.y.max(y) }))
        });
        if let Some((low, high)) = ends {
            view.first = point(extent.x - low.x, extent.y - low.y);
            view.size = point(high.x - low.x + 2.0 * extent.x, high.y - low.y + 2.0 * extent.y);
        }
        view
    }

    /// Sets the factor for the least sizes of lines and marks: the picture will be shrunk by it.
    pub(crate) fn with_pen(self, pen: u32) -> Self {
        Self { pen: pen as f32, ..self }
    }

    /// Returns a size in pixels, or a larger one that is still visible after the picture is shrunk.
    pub(crate) fn at_least(&self, size: f32, least: f32) -> f32 {
        size.max(least * self.pen)
    }

    /// Returns the columns and rows of pixels.
    pub(crate) fn size(&self) -> (u64, u64) {
        // Half a pixel takes a whole pixel.
        let whole = |side: f32| (side - 0.01).ceil().max(0.0) as u64;
        (whole(self.size.x), whole(self.size.y))
    }

    /// Returns the pixels from a cell to the next cell in its row.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// Returns whether cells are rectangles of whole pixels.
    pub(crate) fn is_of_squares(&self) -> bool {
        matches!(self.layout.lattice(), Lattice::Square | Lattice::Diamond)
    }

    /// Returns the sides of a cell.
    pub(crate) fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// Returns the middle of a cell.
    pub(crate) fn centre(&self, cell: Cell) -> Point {
        let offset = cell - self.layout.first();
        let (x, y) = (offset.x as f32, offset.y as f32);
        Point {
            x: self.first.x + x * self.east.x + y * self.north.x,
            y: self.first.y + x * self.east.y + y * self.north.y,
        }
    }

    /// Returns the middle of the cells that a unit covers.
    pub(crate) fn unit_centre(&self, size: Size, anchor: Cell) -> Point {
        let Point { x, y } = self.centre(anchor);
        let ahead = f32::from(size.side() - 1) / 2.0;
        Point { x: x + ahead * (self.east.x + self.north.x), y: y + ahead * (self.east.y + self.north.y) }
    }

    /// Returns the ends of a side of a cell.
    pub(crate) fn ends(&self, cell: Cell, side: &Side) -> [Point; 2] {
        let centre = self.centre(cell);
        let end = |sign: f32| Point {
            x: centre.x + side.middle.x + sign * side.to_end.x,
            y: centre.y + side.middle.y + sign * side.to_end.y,
        };
        [end(-1.0), end(1.0)]
    }

    /// Returns the head of an arrow on a side of a cell: the end of a wing, the tip, the end of the
    /// other wing.
    pub(crate) fn arrow(&self, cell: Cell, side: &Side, outwards: bool, length: f32) -> [Point; 3] {
        let centre = self.centre(cell);
        let sign = if outwards { 1.0 } else { -1.0 };
        let (x, y) = (side.middle.x / side.distance * sign, side.middle.y / side.distance * sign);
        let (along, across) = (length / 2.0, length * 0.6);
        let at = |ahead: f32, aside: f32| Point {
            x: centre.x + side.middle.x + ahead * x - aside * y,
            y: centre.y + side.middle.y + ahead * y + aside * x,
        };
        [at(-along, across), at(along, 0.0), at(-along, -across)]
    }

    /// Visits every pixel near a cell, with its depth inside each side in the order of
    /// [`sides`](Self::sides).
    pub(crate) fn each_pixel(
        &self,
        (width, height): (u32, u32),
        cell: Cell,
        mut visit: impl FnMut(u32, u32, &[f32]),
    ) {
        let centre = self.centre(cell);
        let reach = self.sides.iter().map(|side| side.distance).fold(0.0, f32::max) * 1.5 + 1.0;
        let range = |middle: f32, most: u32| {
            let (low, high) = ((middle - reach).max(0.0) as u32, (middle + reach).max(0.0) as u32 + 1);
            low..high.min(most)
        };
        let mut depths = vec![0.0; self.sides.len()];
        for y in range(centre.y, height) {
            for x in range(centre.x, width) {
                let (dx, dy) = (x as f32 + 0.5 - centre.x, y as f32 + 0.5 - centre.y);
                for (depth, side) in depths.iter_mut().zip(&self.sides) {
                    let along = (dx * side.middle.x + dy * side.middle.y) / side.distance;
                    *depth = side.distance - along;
                }
                if depths.iter().all(|&depth| depth > -1.0) {
                    visit(x, y, &depths);
                }
            }
        }
    }

    /// Lays a colour over the pixels of a cell.
    pub(crate) fn blend(&self, canvas: &mut Canvas, cell: Cell, colour: Colour, opacity: f32) {
        if self.is_of_squares() {
            if let Some(place) = self.layout.place(cell) {
                canvas.blend_cell(place, self.scale, colour, opacity);
            }
            return;
        }
        self.each_pixel((canvas.width(), canvas.height()), cell, |x, y, depths| {
            let inside = depths.iter().copied().fold(f32::MAX, f32::min);
            canvas.blend(x, y, colour, opacity * (inside + 0.5).clamp(0.0, 1.0));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::View;
    use crate::{layout::Layout, place::Place};
    use tilepath::Lattice;

    #[test]
    fn every_cell_lies_in_the_picture_and_owns_its_middle() {
        for &lattice in Lattice::ALL {
            for (columns, rows) in [(1, 1), (4, 3), (3, 5)] {
                let layout = Layout::new(lattice, columns, rows).unwrap();
                let view = View::new(layout, 12);
                let (width, height) = view.size();
                let mut owners = vec![0; width as usize * height as usize];
                for place in layout.places() {
                    let cell = layout.cell(place).unwrap();
                    let centre = view.centre(cell);
                    assert!(centre.x > 5.0 && centre.x < width as f32 - 5.0, "{lattice:?} {place}");
                    assert!(centre.y > 5.0 && centre.y < height as f32 - 5.0, "{lattice:?} {place}");
                    view.each_pixel((width as u32, height as u32), cell, |x, y, depths| {
                        if depths.iter().all(|&depth| depth > 0.01) {
                            owners[y as usize * width as usize + x as usize] += 1;
                        }
                    });
                }
                assert!(owners.iter().all(|&owners| owners <= 1), "{lattice:?}: cells do not overlap");
                let owned = owners.iter().sum::<i32>() as f32 / (columns * rows) as f32;
                let area = match lattice {
                    Lattice::Square | Lattice::Diamond => 144.0,
                    Lattice::Staggered => 72.0,
                    _ => 124.7,
                };
                assert!((owned - area).abs() < 0.2 * area, "{lattice:?}: {owned} pixels a cell");
            }
        }
    }

    #[test]
    fn squares_fill_whole_pixels() {
        let view = View::new(Layout::new(Lattice::Square, 5, 3).unwrap(), 7);
        assert_eq!(view.size(), (35, 21));
        let cell = view.layout.cell(Place { column: 4, row: 0 }).unwrap();
        assert_eq!((view.centre(cell).x, view.centre(cell).y), (31.5, 3.5));
        assert_eq!(View::new(Layout::new(Lattice::Square, 0, 3).unwrap(), 7).size(), (0, 0));
    }

    #[test]
    fn rows_and_columns_are_moved_by_half_a_cell() {
        let at = |lattice, column, row| {
            let layout = Layout::new(lattice, 4, 4).unwrap();
            let centre = View::new(layout, 10).centre(layout.cell(Place { column, row }).unwrap());
            (centre.x.round() as i32, centre.y.round() as i32)
        };
        // Row 3 of the file is the lowest row, an even one.
        assert_eq!(at(Lattice::HexRowOdd, 0, 3).0, 5);
        assert_eq!(at(Lattice::HexRowOdd, 0, 2).0, 10);
        assert_eq!(at(Lattice::HexRowEven, 0, 3).0, 10);
        assert_eq!(at(Lattice::HexRowEven, 0, 2).0, 5);
        assert_eq!(at(Lattice::HexColumnOdd, 0, 0).1, 10);
        assert_eq!(at(Lattice::HexColumnOdd, 1, 0).1, 5);
        assert_eq!(at(Lattice::HexColumnEven, 1, 0).1, 10);
        assert_eq!(at(Lattice::HexRow, 0, 3).0, 5);
        assert_eq!(at(Lattice::HexRow, 0, 0).0, 20);
        assert_eq!(at(Lattice::HexColumn, 3, 0).1, 5);
        assert_eq!(at(Lattice::HexColumn, 0, 0).1, 20);
        assert_eq!(at(Lattice::Staggered, 0, 3).0, 5);
        assert_eq!(at(Lattice::Staggered, 1, 0).0, 30);
    }
}
