//! The shape of the board: places of cells, and cells at places.

use bevy::math::{Rect, Vec2};
use tilepath::{Cell, Edit, Grid, Size, Topology};

/// The width of a cell, in world units.
pub(crate) const TILE: f32 = 6.0;
/// The distance of two rows of hexagons, in widths of a cell.
const HEXAGON_ROW: f32 = 0.866_025_4;
/// The height of a hexagon, in widths of a cell.
const HEXAGON_HEIGHT: f32 = 1.154_700_5;

/// The shape of the cells, the size of the board, and the size of the unit.
///
/// Hexagons have axial coordinates. Every odd row lies half a cell further right: row y begins at x
/// = -⌊y/2⌋.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    topology: Topology,
    columns: u32,
    rows: u32,
    unit: Size,
}

/// Returns by how many columns the rows of a board of hexagons are shifted in all.
const fn lean(rows: u32) -> u32 {
    rows.saturating_sub(1) / 2
}

/// Returns the cell at a column and a row, both counted from the lower left corner.
pub(crate) const fn cell_of(topology: Topology, column: i32, row: i32) -> Cell {
    match topology {
        Topology::Square => Cell::new(column, row),
        Topology::Hexagonal => Cell::new(column - row.div_euclid(2), row),
    }
}

/// Returns a map of squares as a map of hexagons with the same rows. Cells beside the rows are
/// void.
pub(crate) fn on_hexagons(map: &Grid) -> Grid {
    let lean = lean(map.height());
    let mut grid = Grid::new(map.width() + lean, map.height(), 0)
        .and_then(|grid| grid.with_topology(Topology::Hexagonal).with_origin(Cell::new(-(lean as i32), 0)))
        .expect("maps of the laboratory are small");
    for cell in grid.bounds().cells() {
        let class = map.terrain(Cell::new(cell.x + cell.y.div_euclid(2), cell.y));
        let edited = grid.edit(&[class.map_or(Edit::void(cell), |class| Edit::terrain(cell, class))]);
        debug_assert!(edited.is_ok(), "the cell is one of the map's");
    }
    grid
}

impl Shape {
    pub(crate) fn of(grid: &Grid, unit: Size) -> Self {
        let (topology, rows) = (grid.topology(), grid.height());
        let columns = match topology {
            Topology::Square => grid.width(),
            Topology::Hexagonal => grid.width().saturating_sub(lean(rows)),
        };
        Self { topology, columns, rows, unit }
    }

    pub(crate) fn is_hexagonal(&self) -> bool {
        self.topology == Topology::Hexagonal
    }

    /// Returns the number of columns and rows.
    pub(crate) const fn cells(&self) -> (u32, u32) {
        (self.columns, self.rows)
    }

    /// Returns width and height of the board.
    pub(crate) fn extent(&self) -> Vec2 {
        let size = Vec2::new(self.columns as f32, self.rows as f32);
        let in_cells = match self.topology {
            Topology::Square => size,
            Topology::Hexagonal => {
                let aside = if self.rows > 1 { 0.5 } else { 0.0 };
                Vec2::new(size.x + aside, (size.y - 1.0) * HEXAGON_ROW + HEXAGON_HEIGHT)
            }
        };
        in_cells * TILE
    }

    /// Returns the middle of a cell.
    pub(crate) fn centre(&self, cell: Cell) -> Vec2 {
        let (x, y) = (cell.x as f32, cell.y as f32);
        TILE * match self.topology {
            Topology::Square => Vec2::new(x + 0.5, y + 0.5),
            Topology::Hexagonal => Vec2::new(x + y / 2.0 + 0.5, y * HEXAGON_ROW + HEXAGON_HEIGHT / 2.0),
        }
    }

    /// Returns the offset from the middle of a unit's cell (its lowest and leftmost) to the middle
    /// of the unit.
    fn shift(&self) -> Vec2 {
        Vec2::splat(f32::from(self.unit.side() - 1) / 2.0 * TILE)
    }

    /// Returns the middle of a unit on this cell.
    pub(crate) fn middle(&self, anchor: Cell) -> Vec2 {
        self.centre(anchor) + self.shift()
    }

    /// Returns the square that a unit covers. Only for boards of squares.
    pub(crate) fn footprint(&self, anchor: Cell) -> Rect {
        Rect::from_center_size(self.middle(anchor), Vec2::splat(f32::from(self.unit.side()) * TILE))
    }

    pub(crate) const fn unit(&self) -> Size {
        self.unit
    }

    /// Returns the cell at a place, which may be off the map.
    pub(crate) fn cell_at(&self, place: Vec2) -> Cell {
        match self.topology {
            Topology::Square => {
                let cell = (place / TILE).floor().as_ivec2();
                Cell::new(cell.x, cell.y)
            }
            Topology::Hexagonal => {
                // The nearest middle, of the row above or below, gives the hexagon.
                let row = ((place.y / TILE - HEXAGON_HEIGHT / 2.0) / HEXAGON_ROW).floor() as i32;
                let nearest = [row, row + 1].map(|y| {
                    let x = (place.x / TILE - 0.5 - y as f32 / 2.0).round() as i32;
                    Cell::new(x, y)
                });
                let distance = |cell: Cell| self.centre(cell).distance_squared(place);
                if distance(nearest[0]) <= distance(nearest[1]) { nearest[0] } else { nearest[1] }
            }
        }
    }

    /// Returns the cell of the unit whose middle is nearest to a place.
    pub(crate) fn anchor_at(&self, place: Vec2) -> Cell {
        self.cell_at(place - self.shift())
    }

    /// Returns the corners of a cell around a middle, scaled by `part`.
    pub(crate) fn outline(&self, middle: Vec2, part: f32) -> Vec<Vec2> {
        let (corners, turned, radius) = match self.topology {
            Topology::Square => (4, 0.5, std::f32::consts::FRAC_1_SQRT_2),
            Topology::Hexagonal => (6, 0.5, HEXAGON_HEIGHT / 2.0),
        };
        let turn = std::f32::consts::TAU / corners as f32;
        let corner =
            |number: i32| middle + Vec2::from_angle((number as f32 + turned) * turn) * radius * TILE * part;
        (0..corners).map(corner).collect()
    }

    /// Returns the middle of the edge between two neighbours, and the vector from there to its end.
    pub(crate) fn edge(&self, from: Cell, to: Cell) -> (Vec2, Vec2) {
        let [from_at, to_at] = [from, to].map(|cell| self.centre(cell));
        let length = match self.topology {
            Topology::Hexagonal => HEXAGON_HEIGHT / 2.0,
            // Squares that touch at a corner share no edge: this is a mark across the corner.
            Topology::Square if from.x != to.x && from.y != to.y => 0.4,
            Topology::Square => 1.0,
        };
        let across = (to_at - from_at).normalize_or_zero().perp();
        (from_at.midpoint(to_at), across * length * TILE / 2.0)
    }

    /// Returns the cells of a stroke between two cells, without gaps and without the first cell.
    pub(crate) fn stroke(&self, from: Cell, to: Cell) -> impl Iterator<Item = Cell> + use<> {
        let (topology, steps) = (self.topology, self.topology.steps(from, to));
        let (dx, dy) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
        (1..=steps).map(move |step| {
            let part = step as f32 / steps as f32;
            // A tiny shift, because a line may run along an edge.
            let aside = if topology == Topology::Hexagonal { 1e-3 } else { 0.0 };
            let [x, y] = [dx * part + aside, dy * part + aside];
            let (x, y) = match topology {
                Topology::Square => (x.round(), y.round()),
                Topology::Hexagonal => rounded(x, y),
            };
            Cell::new(from.x + x as i32, from.y + y as i32)
        })
    }

    /// Returns the next cell of a cursor: one row above or below, or one column beside.
    pub(crate) fn beside(&self, cell: Cell, right: i32, up: i32) -> Cell {
        let column = match self.topology {
            Topology::Square => cell.x,
            Topology::Hexagonal => cell.x + cell.y.div_euclid(2),
        };
        cell_of(self.topology, column + right, cell.y + up)
    }
}

/// Returns the hexagon at fractional axial coordinates.
fn rounded(x: f32, y: f32) -> (f32, f32) {
    let z = -x - y;
    let [near_x, near_y, near_z] = [x, y, z].map(f32::round);
    let [off_x, off_y, off_z] = [near_x - x, near_y - y, near_z - z].map(f32::abs);
    if off_x > off_y && off_x > off_z {
        (-near_y - near_z, near_y)
    } else if off_y > off_z {
        (near_x, -near_x - near_z)
    } else {
        (near_x, near_y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath::Direction;

    fn shapes() -> [Shape; 2] {
        let squares = Grid::new(9, 7, 1).unwrap();
        [&on_hexagons(&squares), &squares].map(|grid| Shape::of(grid, Size::ONE))
    }

    #[test]
    fn a_cell_is_found_again_in_all_of_its_outline() {
        for shape in shapes() {
            for cell in [Cell::new(0, 0), Cell::new(7, 3), Cell::new(-1, -4), Cell::new(-3, 6)] {
                assert_eq!(shape.cell_at(shape.centre(cell)), cell);
                for corner in shape.outline(shape.centre(cell), 0.98) {
                    assert_eq!(shape.cell_at(corner), cell, "{corner}");
                }
            }
        }
    }

    #[test]
    fn rows_of_hexagons_keep_their_cells_and_the_rest_is_void() {
        let mut squares = Grid::new(9, 7, 1).unwrap();
        squares.set_terrain(Cell::new(8, 6), 4).unwrap();
        let grid = on_hexagons(&squares);
        let there = grid.bounds().cells().filter(|&cell| grid.contains(cell)).count();
        assert_eq!((there, grid.topology()), (9 * 7, Topology::Hexagonal));
        assert_eq!(grid.terrain(cell_of(Topology::Hexagonal, 8, 6)), Some(4));
        let shape = Shape::of(&grid, Size::ONE);
        assert_eq!(shape.cells(), (9, 7));
        let board = Rect::from_corners(Vec2::ZERO, shape.extent()).inflate(1e-3);
        for cell in grid.bounds().cells().filter(|&cell| grid.contains(cell)) {
            assert!(shape.outline(shape.centre(cell), 1.0).into_iter().all(|corner| board.contains(corner)));
        }
    }

    #[test]
    fn neighbours_of_a_hexagon_are_as_far_as_a_cell_is_wide_and_share_an_edge() {
        let [shape, _] = shapes();
        let cell = Cell::new(2, 3);
        for &direction in Topology::Hexagonal.directions() {
            let other: Cell = cell + Direction::offset(direction);
            assert!((shape.centre(cell).distance(shape.centre(other)) - TILE).abs() < 1e-3);
            let (middle, half) = shape.edge(cell, other);
            let ends = shape.outline(shape.centre(cell), 1.0);
            assert!(ends.iter().any(|corner| corner.distance(middle + half) < 1e-3));
        }
    }

    #[test]
    fn a_stroke_leaves_no_gap() {
        for shape in shapes() {
            for to in [Cell::new(5, 3), Cell::new(-4, 2), Cell::new(1, -6), Cell::new(-2, 4)] {
                let mut last = Cell::new(0, 0);
                for cell in shape.stroke(last, to) {
                    assert_eq!(shape.topology.steps(last, cell), 1, "{last} {cell}");
                    last = cell;
                }
                assert_eq!(last, to);
            }
        }
    }

    #[test]
    fn a_unit_is_found_by_its_middle() {
        let shape = Shape::of(&Grid::new(9, 7, 1).unwrap(), Size::new(3).unwrap());
        let anchor = Cell::new(2, 4);
        assert_eq!(shape.anchor_at(shape.middle(anchor)), anchor);
        assert_eq!(shape.cell_at(shape.middle(anchor)), Cell::new(3, 5));
        assert_eq!(shape.footprint(anchor).min, Vec2::new(2.0, 4.0) * TILE);
    }
}
