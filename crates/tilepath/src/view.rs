//! Views: the cells that are visible from a cell.

use crate::{
    cell::{Cell, Direction},
    topology::Topology,
};

impl Topology {
    /// Calls `see` once for each cell that is visible from a cell, with the opaque cells that end
    /// the view. Use it for fog of war and for light. For shots use [`sees`](Self::sees), which
    /// needs a free straight line.
    ///
    /// - The view is symmetric: if an open cell sees another open cell, it is seen from there.
    /// - The walls of a convex room are visible from each of its cells.
    /// - On hexagons an open cell is visible if [`sees`](Self::sees) holds. On squares some more
    ///   open cells are visible: a line of [`sees`](Self::sees) may not cross a corner of a wall.
    /// - The cell `from` is always seen, and it may be opaque.
    ///
    /// Cells outside the map are cells like others: return `true` for them from `is_opaque`, and
    /// leave them out in `see`. Within a view, cells come in a fixed order.
    ///
    /// # Units
    /// `range` is in cells. On squares a cell is within the range if the straight line between the
    /// two centres is at most that long. On hexagons the distance is the number of steps.
    ///
    /// # Complexity
    /// O(visible cells), at most O(range²). `is_opaque` is called at most once a cell, and only for
    /// cells within the range. Allocates nothing.
    ///
    /// # Source
    /// Albert Ford, "Symmetric Shadowcasting", 2017, for squares in four quadrants. Here squares
    /// have eight sectors and hexagons have six, with one rule for both, and no cell is read twice.
    ///
    /// # Examples
    /// A unit looks along a corridor. It sees the walls on both sides, and the door at the end.
    /// ```
    /// use tilepath::{Cell, Topology, format::parse_ascii};
    ///
    /// let corridor = parse_ascii("#########\n........#\n#########")?;
    /// let is_opaque = |cell| corridor.terrain(cell).is_none_or(|class| class == 0);
    /// let mut seen = Vec::new();
    /// Topology::Square.view(Cell::new(0, 1), 20, is_opaque, |cell| {
    ///     if corridor.contains(cell) {
    ///         seen.push(cell);
    ///     }
    /// });
    /// assert_eq!(seen.len(), 27, "every cell of the map");
    /// # Ok::<(), tilepath::format::MapTextError>(())
    /// ```
    #[doc(alias = "field of view", alias = "shadow casting", alias = "fog of war")]
    pub fn view(self, from: Cell, range: u8, is_opaque: impl FnMut(Cell) -> bool, mut see: impl FnMut(Cell)) {
        see(from);
        let range = u32::from(range);
        let mut view = View { from, range, topology: self, is_opaque, see };
        let directions = self.directions();
        let mut opens = [0; 8];
        for (open, &direction) in opens.iter_mut().zip(directions) {
            *open = view.look_along(direction);
        }
        for one in 0..directions.len() {
            let mut sides = [one, (one + 1) % directions.len()];
            // The disc cuts a row of squares at its far end if the row begins on a straight line.
            if directions[one].is_diagonal() {
                sides.reverse();
            }
            let [(x, y), (end_x, end_y)] = sides.map(|side| directions[side].offset());
            let opens = sides.map(|side| opens[side]);
            let sector = Sector { outwards: (x, y), along: (end_x - x, end_y - y), opens };
            view.look_between(&sector, 1, Slope { rise: 0, run: 1 }, Slope { rise: 1, run: 1 });
        }
    }
}

/// The part of the plane between two neighbouring directions. Its rows are parallel: row d begins d
/// steps away in one direction, and ends d steps away in the other.
struct Sector {
    /// From a row to the next.
    outwards: (i32, i32),
    /// From a cell of a row to the next.
    along: (i32, i32),
    /// The first row whose first cell is not open, and the first whose last cell is not.
    opens: [u32; 2],
}

/// A ray through a sector. It meets row d at `d * rise / run` cells from its first cell.
#[derive(Clone, Copy)]
struct Slope {
    rise: u32,
    run: u32,
}

impl Slope {
    /// Returns the ray that passes between a cell of a row and the cell before it.
    const fn before(index: u32, row: u32) -> Self {
        Self { rise: 2 * index - 1, run: 2 * row }
    }

    /// Returns the first cell of a row that has a part after the ray.
    const fn first_after(self, row: u32) -> u32 {
        (2 * row * self.rise + self.run) / (2 * self.run)
    }

    /// Returns the last cell of a row that has a part before the ray.
    const fn last_before(self, row: u32) -> u32 {
        (2 * row * self.rise + self.run - 1) / (2 * self.run)
    }
}

struct View<O, S> {
    from: Cell,
    range: u32,
    topology: Topology,
    is_opaque: O,
    see: S,
}

impl<O: FnMut(Cell) -> bool, S: FnMut(Cell)> View<O, S> {
    /// Sees the cells in a direction, up to the first opaque one. Returns the number of steps to
    /// the first cell that is opaque or out of range.
    ///
    /// Only cells in the direction itself hide such a cell, and they hide all of it. So it is seen
    /// here once, for the two sectors between which it lies.
    fn look_along(&mut self, direction: Direction) -> u32 {
        let (x, y) = direction.offset();
        for steps in 1..=self.range {
            let is_cut = self.topology == Topology::Square
                && direction.is_diagonal()
                && 2 * steps * steps > self.range * self.range;
            let far = steps as i32;
            let Some(cell) = self.cell(x * far, y * far).filter(|_| !is_cut) else { return steps };
            (self.see)(cell);
            if (self.is_opaque)(cell) {
                return steps;
            }
        }
        self.range + 1
    }

    /// Sees the cells of a sector between two rays, from a row outwards.
    fn look_between(&mut self, sector: &Sector, row: u32, mut start: Slope, end: Slope) {
        for row in row..=self.range {
            let mut was_open = None;
            for index in start.first_after(row)..=end.last_before(row).min(self.last_within(row)) {
                let is_open = if index == 0 {
                    row < sector.opens[0]
                } else if index == row {
                    row < sector.opens[1]
                } else {
                    let is_centre_between =
                        index * start.run >= row * start.rise && index * end.run <= row * end.rise;
                    self.look_at(sector, row, index, is_centre_between)
                };
                match was_open {
                    // From the end of a wall on, the rays go on.
                    Some(false) if is_open => start = Slope::before(index, row),
                    Some(true) if !is_open => {
                        self.look_between(sector, row + 1, start, Slope::before(index, row));
                    }
                    _ => {}
                }
                was_open = Some(is_open);
            }
            if was_open != Some(true) {
                return;
            }
        }
    }

    /// Sees a cell if it is opaque, or if its centre lies between the rays. Returns whether it is
    /// open.
    fn look_at(&mut self, sector: &Sector, row: u32, index: u32, is_centre_between: bool) -> bool {
        let (far, aside) = (row as i32, index as i32);
        let (outwards, along) = (sector.outwards, sector.along);
        let Some(cell) = self.cell(outwards.0 * far + along.0 * aside, outwards.1 * far + along.1 * aside)
        else {
            return false;
        };
        let is_open = !(self.is_opaque)(cell);
        if !is_open || is_centre_between {
            (self.see)(cell);
        }
        is_open
    }

    /// Returns the last cell of a row that is within the range. A cell after it hides only cells
    /// that are out of range.
    fn last_within(&self, row: u32) -> u32 {
        match self.topology {
            Topology::Square => (self.range * self.range - row * row).isqrt(),
            Topology::Hexagonal => row,
        }
    }

    /// Returns a cell by its distance from the viewer, if there is one.
    fn cell(&self, x: i32, y: i32) -> Option<Cell> {
        Some(Cell::new(self.from.x.checked_add(x)?, self.from.y.checked_add(y)?))
    }
}
