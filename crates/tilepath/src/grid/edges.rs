//! Named edges between cells: rivers, cliffs, walls.

use super::Grid;
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    journal::Change,
};
use std::collections::BTreeMap;

/// The edges of one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NamedEdges {
    name: String,
    /// The sides of each slot, bit n for the nth of [`Direction::ALL`]; never 0.
    sides: BTreeMap<u32, u8>,
}

impl NamedEdges {
    /// Moves the sides to their slots on another map. Sides that leave that map are dropped.
    pub(super) fn move_to(&mut self, before: &Bounds, after: &Bounds) {
        let sides = std::mem::take(&mut self.sides).into_iter();
        self.sides = sides
            .filter_map(|(slot, sides)| {
                let cell = before.cell(slot as usize)?;
                let stays = |side: &Direction| cell.neighbour(*side).is_some_and(|next| after.contains(next));
                let kept = Direction::set_of(Direction::in_set(sides).filter(stays));
                Some((after.slot(cell)? as u32, kept)).filter(|_| kept != 0)
            })
            .collect();
    }
}

impl Grid {
    /// Returns the sides of a cell that [`Edit::edges`](crate::Edit::edges) has set under a name. An
    /// edge may also be a side of the cell beyond it: see [`has_edge`](Self::has_edge).
    pub fn edges(&self, name: &str, cell: Cell) -> impl Iterator<Item = Direction> + use<> {
        Direction::in_set(self.edge_bits(name, cell))
    }

    /// Returns whether there is an edge of this name on a side of a cell. It does not matter which of
    /// the two cells has it as its side.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Direction, Edit, Grid};
    /// let mut grid = Grid::new(2, 1, 1)?;
    /// grid.edit(&[Edit::edges("river", Cell::new(0, 0), [Direction::East])])?;
    /// assert!(grid.has_edge("river", Cell::new(0, 0), Direction::East));
    /// assert!(grid.has_edge("river", Cell::new(1, 0), Direction::West));
    /// assert_eq!(grid.edges("river", Cell::new(1, 0)).next(), None, "a side of the other cell");
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[must_use]
    pub fn has_edge(&self, name: &str, cell: Cell, side: Direction) -> bool {
        let is_side = |cell, side| self.edge_bits(name, cell) >> side as u8 & 1 == 1;
        is_side(cell, side) || cell.neighbour(side).is_some_and(|beyond| is_side(beyond, side.opposite()))
    }

    /// Returns the names of all edges, sorted. Names whose edges were removed are included.
    pub fn edge_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.edges.iter().map(|edges| edges.name.as_str())
    }

    /// Returns whether the map has an edge of this name.
    pub(crate) fn has_edges(&self, name: &str) -> bool {
        self.edges_place(name).is_ok_and(|place| !self.edges[place].sides.is_empty())
    }

    /// Returns the cells that have sides of this name, in slot order.
    pub(crate) fn edge_cells(&self, name: &str) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let edges = self.edges_place(name).ok().map(|place| &self.edges[place]);
        let sides = edges.into_iter().flat_map(|edges| &edges.sides);
        sides.filter_map(|(&slot, &sides)| Some((self.bounds.cell(slot as usize)?, sides)))
    }

    /// Returns the sides of a cell under a name, as bits.
    pub(crate) fn edge_bits(&self, name: &str, cell: Cell) -> u8 {
        let sides = |slot: usize| {
            let place = self.edges_place(name).ok()?;
            self.edges[place].sides.get(&(slot as u32)).copied()
        };
        self.bounds.slot(cell).and_then(sides).unwrap_or(0)
    }

    /// Sets the sides of a cell under a name.
    pub(super) fn set_edges(&mut self, name: &str, cell: Cell, sides: u8) {
        let Some(slot) = self.bounds.slot(cell) else { return };
        let place = match self.edges_place(name) {
            Ok(place) => place,
            Err(place) => {
                self.edges.insert(place, NamedEdges { name: name.to_owned(), sides: BTreeMap::new() });
                place
            }
        };
        let known = &mut self.edges[place].sides;
        let key = slot as u32;
        let old = if sides == 0 { known.remove(&key) } else { known.insert(key, sides) }.unwrap_or(0);
        if old != sides {
            let change = if old & !sides == 0 { Change::EdgesCame } else { Change::EdgesWent };
            self.note_edit(slot, change);
        }
    }

    /// Removes all edges of a name.
    pub(super) fn empty_edges(&mut self, name: &str) {
        let Ok(place) = self.edges_place(name) else { return };
        for slot in std::mem::take(&mut self.edges[place].sides).into_keys() {
            self.note_edit(slot as usize, Change::EdgesWent);
        }
    }

    /// Returns all sides with their names and slots.
    pub(super) fn all_edges(&self) -> impl Iterator<Item = (&str, u32, u8)> + '_ {
        self.edges
            .iter()
            .flat_map(|edges| edges.sides.iter().map(|(&slot, &sides)| (edges.name.as_str(), slot, sides)))
    }

    /// Returns the index of a name in the list, or the index at which to insert it.
    fn edges_place(&self, name: &str) -> Result<usize, usize> {
        self.edges.binary_search_by(|edges| edges.name.as_str().cmp(name))
    }
}
