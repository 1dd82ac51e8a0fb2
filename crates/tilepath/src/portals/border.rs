//! Numbers for the cells at the border of a chunk.

use crate::{movement_map::kept_portals::SIDE, space::grid::GridNode};

/// The number of cells at the border of a chunk.
pub(super) const PLACES: usize = 4 * (SIDE as usize - 1);
const LAST: usize = SIDE as usize - 1;
/// The value for a cell inside the chunk.
const INSIDE: u8 = u8::MAX;

/// The cell of each place, as its row and its column, four bits each.
///
/// The corners and the middles of the sides come first. On open ground these are the portals, so
/// their records lie side by side.
const CELLS: [u8; PLACES] = {
    let mut cells = [0; PLACES];
    let middle = LAST / 2;
    let usual = [
        (0, 0),
        (LAST, 0),
        (0, LAST),
        (LAST, LAST),
        (middle, 0),
        (middle, LAST),
        (0, middle),
        (LAST, middle),
    ];
    let mut count = 0;
    while count < usual.len() {
        cells[count] = (usual[count].1 << 4 | usual[count].0) as u8;
        count += 1;
    }
    let mut cell = 0;
    while cell < 256 {
        let (x, y) = (cell & LAST, cell >> 4);
        let is_usual = (x == 0 || x == middle || x == LAST) && (y == 0 || y == middle || y == LAST);
        if (x == 0 || x == LAST || y == 0 || y == LAST) && !is_usual {
            cells[count] = cell as u8;
            count += 1;
        }
        cell += 1;
    }
    cells
};

const PLACE_OF: [u8; 256] = {
    let mut places = [INSIDE; 256];
    let mut place = 0;
    while place < PLACES {
        places[CELLS[place] as usize] = place as u8;
        place += 1;
    }
    places
};

/// Returns the row and the column of a cell in its chunk, four bits each.
#[inline]
pub(super) const fn local(node: GridNode) -> usize {
    ((node.y() & (SIDE - 1)) << 4 | node.x() & (SIDE - 1)) as usize
}

/// Returns the place of a cell at the border of its chunk, or `None` for a cell inside.
#[inline]
pub(super) const fn place_of(node: GridNode) -> Option<u32> {
    match PLACE_OF[local(node)] {
        INSIDE => None,
        place => Some(place as u32),
    }
}

/// Returns the cell at a place of the chunk that contains a node.
#[inline]
pub(super) const fn cell_at(node: GridNode, place: u32) -> GridNode {
    let cell = CELLS[place as usize] as u32;
    GridNode::new(node.x() & !(SIDE - 1) | cell & (SIDE - 1), node.y() & !(SIDE - 1) | cell >> 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_at_the_border_has_a_place_of_its_own() {
        let mut found = 0;
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            let node = GridNode::new(5 * SIDE + x, 2 * SIDE + y);
            let is_at_border = [x, y].iter().any(|&place| place == 0 || place == SIDE - 1);
            let place = place_of(node);
            assert_eq!(place.is_some(), is_at_border, "{x}, {y}");
            if let Some(place) = place {
                assert_eq!(cell_at(GridNode::new(5 * SIDE + 7, 2 * SIDE + 3), place), node);
                found += 1;
            }
        }
        assert_eq!(found, PLACES);
    }
}
