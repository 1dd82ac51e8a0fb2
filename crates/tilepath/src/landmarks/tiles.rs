//! The tables of landmarks: the cost between each landmark and each cell.

use crate::{bounds::Bounds, cell::Cell, space::grid::GridNode};
use std::sync::Arc;

/// The number of cells along the side of a tile.
const SIDE: u32 = 8;
/// The number of cells of a tile.
pub(super) const CELLS: usize = (SIDE * SIDE) as usize;
/// The flag of a table whose costs in a tile span more than two bytes.
const WIDE: u32 = 1 << 31;
/// The two bytes of a cell that the landmark does not reach.
const NONE: u16 = u16::MAX;
/// The value of a cell that the landmark does not reach.
pub(super) const UNREACHED: u32 = u32::MAX;
/// The highest cost that a table holds.
pub(super) const HIGHEST: u32 = WIDE - 1;

/// The costs of one table in one tile, cell by cell, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TileTable {
    /// The least cost in the tile. With the flag [`WIDE`], the index of the table that holds the
    /// upper two bytes of each cost.
    base: u32,
    /// The cost of each cell above the base. With the flag, the lower two bytes of each cost.
    above: [u16; CELLS],
}

impl TileTable {
    const EMPTY: Self = Self { base: 0, above: [NONE; CELLS] };
}

/// The tables of one tile. The list is empty if no landmark reaches a cell of the tile.
type Tile = Arc<[TileTable]>;

/// The directions of the paths whose costs the tables hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Directions {
    /// Two tables for each landmark: first of paths to it, then of paths from it.
    Both,
    /// One table for each landmark. All ground of the floor costs this multiplier, so both
    /// directions cost the same.
    Even(u16),
    /// One table for each landmark, of paths to it. All steps have one length, so a path from the
    /// landmark costs as much as the path back, except for the cells at its ends.
    OneLength,
}

/// The least costs of paths between landmarks and all cells.
///
/// # Memory
/// Two bytes a cell and table, in tiles of 8 × 8 cells, and a twentieth more. A table whose costs
/// in a tile differ by 65,535 or more takes four bytes a cell there. So all costs are exact.
///
/// Each tile has its own `Arc`, and has the tables one after the other. So a search loads no table
/// that it does not use, and a repair copies only the tiles that it changes and a search holds.
#[derive(Clone, Debug)]
pub(crate) struct LandmarkTables {
    landmarks: Vec<Cell>,
    directions: Directions,
    has_one_way_steps: bool,
    /// The number of tables for which each tile has room.
    table_count: usize,
    tiles: Vec<Tile>,
    /// The numbers of tiles in a row and in a column.
    columns: u32,
    rows: u32,
    /// The column and the row of the map's lowest cell in the first tile.
    shift: [u32; 2],
}

impl LandmarkTables {
    /// Makes tables without landmarks.
    pub(super) fn new(bounds: &Bounds, directions: Directions, has_one_way_steps: bool) -> Self {
        let [columns, rows] = [bounds.width(), bounds.height()].map(|cells| cells.div_ceil(SIDE));
        let tiles = vec![Tile::from([]); columns as usize * rows as usize];
        let (landmarks, shift) = (Vec::new(), [0; 2]);
        Self { landmarks, directions, has_one_way_steps, table_count: 0, tiles, columns, rows, shift }
    }

    /// Makes room for the tables of this many landmarks. No table may be packed before.
    pub(super) const fn make_room(&mut self, landmarks: usize) {
        self.table_count = landmarks * if matches!(self.directions, Directions::Both) { 2 } else { 1 };
    }

    /// Returns one cell of each landmark, in the largest region.
    pub(crate) fn landmarks(&self) -> &[Cell] {
        &self.landmarks
    }

    /// Adds a landmark, for which there must be room. Its tables are empty.
    pub(super) fn add(&mut self, landmark: Cell) {
        self.landmarks.push(landmark);
    }

    pub(crate) const fn directions(&self) -> Directions {
        self.directions
    }

    /// Returns whether some steps of the floor may lead in one direction only.
    pub(crate) const fn has_one_way_steps(&self) -> bool {
        self.has_one_way_steps
    }

    /// Returns the tables of the costs to a landmark and from it. They are the same if one table
    /// holds both.
    #[inline]
    pub(crate) fn of_landmark(&self, landmark: usize) -> [usize; 2] {
        match self.directions {
            Directions::Both => [2 * landmark, 2 * landmark + 1],
            Directions::Even(_) | Directions::OneLength => [landmark; 2],
        }
    }

    /// Returns the number of tables of all landmarks.
    pub(crate) fn table_count(&self) -> usize {
        self.landmarks.len() * if self.directions == Directions::Both { 2 } else { 1 }
    }

    /// Returns whether a table holds the costs of paths to its landmark.
    pub(super) const fn is_to_landmark(&self, table: usize) -> bool {
        !matches!(self.directions, Directions::Both) || table.is_multiple_of(2)
    }

    /// Returns the bytes of all tables.
    ///
    /// # Complexity
    /// O(tiles).
    pub(crate) fn bytes(&self) -> usize {
        let tables: usize = self.tiles.iter().map(|tile| size_of_val(&**tile)).sum();
        tables + size_of_val(&*self.tiles)
    }

    /// Returns the tile of a cell, and the cell's place in it.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    pub(super) fn place(&self, node: GridNode) -> (usize, usize) {
        let (x, y) = (node.x() + self.shift[0], node.y() + self.shift[1]);
        ((y / SIDE * self.columns + x / SIDE) as usize, (y % SIDE * SIDE + x % SIDE) as usize)
    }

    /// Returns the cost in a table of a cell that the landmark reaches, by its
    /// [`place`](Self::place).
    #[expect(clippy::inline_always, reason = "it runs several times for each entry of a search")]
    #[inline(always)]
    pub(super) fn cost_at(&self, (tile, cell): (usize, usize), table: usize) -> u32 {
        let tile = &self.tiles[tile];
        let Some(TileTable { base, above }) = tile.get(table) else { return 0 };
        if base & WIDE == 0 { base + u32::from(above[cell]) } else { wide_cost(tile, table, cell) }
    }

    /// Returns the cost of a cell in a table, or `None` if the landmark does not reach the cell.
    pub(crate) fn cost(&self, table: usize, node: GridNode) -> Option<u32> {
        let place @ (tile, cell) = self.place(node);
        let TileTable { base, above } = self.tiles[tile].get(table)?;
        let is_reached = base & WIDE != 0 || above[cell] != NONE;
        Some(self.cost_at(place, table)).filter(|&cost| is_reached && cost != UNREACHED)
    }

    /// Returns the costs of a table in a tile.
    fn unpacked(&self, tile: usize, table: usize) -> [u32; CELLS] {
        let tables = &self.tiles[tile];
        let Some(&TileTable { base, above }) = tables.get(table) else { return [UNREACHED; CELLS] };
        std::array::from_fn(|cell| match above[cell] {
            _ if base & WIDE != 0 => wide_cost(tables, table, cell),
            NONE => UNREACHED,
            above => base + u32::from(above),
        })
    }

    /// Sets the costs of a table in a tile.
    pub(super) fn pack(&mut self, tile: usize, table: usize, costs: &[u32; CELLS]) {
        let reached = || costs.iter().copied().filter(|&cost| cost != UNREACHED);
        let (Some(least), Some(most)) = (reached().min(), reached().max()) else {
            // A tile that was never reached has no tables.
            if let Some(table) = Arc::make_mut(&mut self.tiles[tile]).get_mut(table) {
                *table = TileTable::EMPTY;
            }
            return;
        };
        let tile = &mut self.tiles[tile];
        if tile.is_empty() {
            *tile = vec![TileTable::EMPTY; self.table_count].into();
        }
        let is_wide = tile[table].base & WIDE != 0;
        if !is_wide && most - least < u32::from(NONE) {
            let above = costs.map(|cost| if cost == UNREACHED { NONE } else { (cost - least) as u16 });
            Arc::make_mut(tile)[table] = TileTable { base: least, above };
            return;
        }
        if !is_wide {
            let base = WIDE | tile.len() as u32;
            *tile = tile.iter().copied().chain([TileTable::EMPTY]).collect();
            Arc::make_mut(tile)[table].base = base;
        }
        let tables = Arc::make_mut(tile);
        let upper = (tables[table].base & !WIDE) as usize;
        tables[table].above = costs.map(|cost| cost as u16);
        tables[upper].above = costs.map(|cost| (cost >> 16) as u16);
    }

    /// Sets the cost of a cell in a table.
    pub(super) fn set(&mut self, table: usize, node: GridNode, cost: u32) {
        let (tile, cell) = self.place(node);
        let fits = self.tiles[tile].get(table).is_some_and(|&TileTable { base, above }| {
            // In a table without reached cells, the base means nothing.
            base & WIDE == 0
                && cost.checked_sub(base).is_some_and(|above| above < NONE.into())
                && above.iter().any(|&above| above != NONE)
        });
        if fits {
            let table = &mut Arc::make_mut(&mut self.tiles[tile])[table];
            table.above[cell] = (cost - table.base) as u16;
        } else {
            let mut costs = self.unpacked(tile, table);
            costs[cell] = cost;
            self.pack(tile, table, &costs);
        }
    }

    pub(super) fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// Returns the cells of a tile, row by row; `None` for a cell outside of these bounds.
    pub(super) fn cells_of(&self, tile: usize, bounds: &Bounds) -> [Option<GridNode>; CELLS] {
        let (column, row) = (tile as u32 % self.columns, tile as u32 / self.columns);
        let [left, bottom] = [column, row].map(|place| place * SIDE);
        std::array::from_fn(|cell| {
            let x = (left + cell as u32 % SIDE).checked_sub(self.shift[0])?;
            let y = (bottom + cell as u32 / SIDE).checked_sub(self.shift[1])?;
            (x < bounds.width() && y < bounds.height()).then(|| GridNode::new(x, y))
        })
    }

    /// Returns the tables after a resize of the map. Tiles keep their places on the ground. New
    /// cells are not reached.
    pub(super) fn resized(&self, before: &Bounds, after: &Bounds) -> Self {
        let moved = before.shift(after);
        // A cell at place p of the old tiles has the place p + `tiles` × SIDE in the new ones.
        let axis = |axis: usize, length: u32| {
            let lowest = i64::from(self.shift[axis]) - moved[axis];
            let shift = lowest.rem_euclid(SIDE.into()) as u32;
            (lowest.div_euclid(SIDE.into()), shift, (length + shift).div_ceil(SIDE))
        };
        let ((left, x, columns), (bottom, y, rows)) = (axis(0, after.width()), axis(1, after.height()));
        let old = |column: u32, row: u32| {
            let column =
                u32::try_from(i64::from(column) + left).ok().filter(|&column| column < self.columns)?;
            let row = u32::try_from(i64::from(row) + bottom).ok().filter(|&row| row < self.rows)?;
            Some(Tile::clone(&self.tiles[(row * self.columns + column) as usize]))
        };
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let tiles = places.map(|(column, row)| old(column, row).unwrap_or_else(|| Tile::from([]))).collect();
        let (landmarks, shift) = (self.landmarks.clone(), [x, y]);
        let mut resized = Self { landmarks, tiles, columns, rows, shift, ..*self };
        for tile in 0..resized.tile_count() {
            resized.forget_outside(tile, after);
        }
        resized
    }

    /// Forgets the costs of the cells of a tile that lie outside of the map.
    fn forget_outside(&mut self, tile: usize, bounds: &Bounds) {
        let cells = self.cells_of(tile, bounds);
        if self.tiles[tile].is_empty() || cells.iter().all(Option::is_some) {
            return;
        }
        for table in 0..self.table_count() {
            let costs = self.unpacked(tile, table);
            let kept = std::array::from_fn(|cell| cells[cell].map_or(UNREACHED, |_| costs[cell]));
            self.pack(tile, table, &kept);
        }
    }
}

/// Returns a cost whose upper two bytes lie in another table.
#[cold]
fn wide_cost(tile: &[TileTable], table: usize, cell: usize) -> u32 {
    let TileTable { base, above } = &tile[table];
    let upper = &tile[(base & !WIDE) as usize];
    u32::from(upper.above[cell]) << 16 | u32::from(above[cell])
}
