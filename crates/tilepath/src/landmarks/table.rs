//! One table of a landmark: the cost between the landmark and each cell.

use super::ground::Frozen;
use crate::{bounds::Bounds, journal::Revision, space::grid::GridNode};

/// The number of cells along the side of a tile.
const SIDE: u32 = 8;
/// The number of cells of a tile.
pub(super) const CELLS: usize = (SIDE * SIDE) as usize;
/// The flag of a tile whose costs span more than two bytes.
const WIDE: u32 = 1 << 31;
/// The two bytes of a cell that the table does not know.
const NONE: u16 = u16::MAX;
/// The value of a cell that the table does not know.
pub(super) const UNKNOWN: u32 = u32::MAX;
/// The highest cost that a table holds.
pub(super) const HIGHEST: u32 = WIDE - 2;

/// The paths whose costs a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    ToLandmark,
    FromLandmark,
    /// All ground cost the same, so both directions cost the same.
    Even,
    /// Paths to the landmark. All steps have one length, so a path from the landmark costs as much as
    /// the path back, except for the cells at its ends.
    OneLength,
}

/// The costs in one tile, cell by cell, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Tile {
    /// The least cost in the tile. With the flag [`WIDE`], the index of the upper two bytes of each
    /// cost.
    base: u32,
    /// The cost of each cell above the base. With the flag, the lower two bytes of each cost.
    above: [u16; CELLS],
}

/// A table. It is a pure function of the map at one revision, the landmark and the kind, and never
/// changes.
///
/// It has all cells that were open then.
///
/// # Memory
/// Two bytes a cell in tiles of 8 × 8 cells, and a twentieth more. A tile whose costs differ by
/// 65,535 or more takes four bytes a cell. So all costs are exact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Table {
    kind: Kind,
    revision: Revision,
    /// The number of tiles in a row.
    columns: u32,
    tiles: Vec<Tile>,
    /// The upper two bytes of the costs in wide tiles.
    upper: Vec<[u16; CELLS]>,
}

impl Table {
    /// Makes a table without costs. Its tiles are added with [`pack`](Self::pack).
    pub(super) fn new(kind: Kind, frozen: &Frozen) -> Self {
        let tiles = Vec::with_capacity(tile_count(&frozen.bounds));
        let columns = frozen.bounds.width().div_ceil(SIDE);
        Self { kind, revision: frozen.revision, columns, tiles, upper: Vec::new() }
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the revision of the map for which the table was made.
    pub(crate) const fn revision(&self) -> Revision {
        self.revision
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.tiles) + size_of_val(&*self.upper)
    }

    /// Returns the number of tiles that were packed.
    pub(super) const fn packed_tiles(&self) -> usize {
        self.tiles.len()
    }

    /// Adds the costs of the next tile.
    pub(super) fn pack(&mut self, costs: &[u32; CELLS]) {
        let known = || costs.iter().copied().filter(|&cost| cost != UNKNOWN);
        let least = known().min().unwrap_or(0);
        let tile = if known().all(|cost| cost - least < u32::from(NONE)) {
            let above = costs.map(|cost| if cost == UNKNOWN { NONE } else { (cost - least) as u16 });
            Tile { base: least, above }
        } else {
            self.upper.push(costs.map(|cost| (cost >> 16) as u16));
            Tile { base: WIDE | (self.upper.len() as u32 - 1), above: costs.map(|cost| cost as u16) }
        };
        self.tiles.push(tile);
    }

    /// Returns the tile of a cell, and the cell's place in it.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    pub(super) const fn place(&self, node: GridNode) -> (usize, usize) {
        let (x, y) = (node.x(), node.y());
        ((y / SIDE * self.columns + x / SIDE) as usize, (y % SIDE * SIDE + x % SIDE) as usize)
    }

    /// Returns the cost of a cell by its [`place`](Self::place); [`UNKNOWN`] if the cell was closed.
    #[expect(clippy::inline_always, reason = "it runs several times for each entry of a search")]
    #[inline(always)]
    pub(super) fn cost_at(&self, (tile, cell): (usize, usize)) -> u32 {
        let Some(Tile { base, above }) = self.tiles.get(tile) else { return UNKNOWN };
        match above[cell] {
            _ if base & WIDE != 0 => self.wide_cost(tile, cell),
            NONE => UNKNOWN,
            above => base + u32::from(above),
        }
    }

    #[cold]
    fn wide_cost(&self, tile: usize, cell: usize) -> u32 {
        let Tile { base, above } = &self.tiles[tile];
        u32::from(self.upper[(base & !WIDE) as usize][cell]) << 16 | u32::from(above[cell])
    }
}

/// Returns the number of tiles of a table.
pub(super) const fn tile_count(bounds: &Bounds) -> usize {
    bounds.width().div_ceil(SIDE) as usize * bounds.height().div_ceil(SIDE) as usize
}

/// Returns the cells of a tile, row by row; `None` outside of the map.
pub(super) fn cells_of(tile: usize, bounds: &Bounds) -> [Option<GridNode>; CELLS] {
    let columns = bounds.width().div_ceil(SIDE);
    let (left, bottom) = (tile as u32 % columns * SIDE, tile as u32 / columns * SIDE);
    std::array::from_fn(|cell| {
        let (x, y) = (left + cell as u32 % SIDE, bottom + cell as u32 / SIDE);
        (x < bounds.width() && y < bounds.height()).then(|| GridNode::new(x, y))
    })
}

/// Returns the number of the tile in which a cell lies.
pub(super) const fn block_of(node: GridNode, bounds: &Bounds) -> u32 {
    node.y() / SIDE * bounds.width().div_ceil(SIDE) + node.x() / SIDE
}
