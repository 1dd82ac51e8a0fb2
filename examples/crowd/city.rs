//! The city: the kind of each cell, its height, and changes by hand.

use bevy::prelude::*;
use bevy_tilepath::{Cell, Terrain};

/// The side of the city, in cells.
pub(crate) const SIDE: i32 = 256;
/// The number of squares between which units go.
pub(crate) const GOALS: usize = 16;
/// The greatest distance from a unit to the middle of a square at the end of its order, in cells.
pub(crate) const GOAL_RADIUS: f32 = 3.0;

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    Street,
    Lane,
    Square,
    Quay,
    Bridge,
    Grass,
    /// A house. Cells with the same number belong to one house.
    House(u16),
    Tree,
    Water,
    /// A wall that the player painted.
    Wall,
}

impl Ground {
    pub(crate) const fn is_open(self) -> bool {
        !matches!(self, Self::House(_) | Self::Tree | Self::Water | Self::Wall)
    }

    pub(crate) const fn terrain(self) -> Terrain {
        if self.is_open() { Terrain(1) } else { Terrain::WALL }
    }
}

/// The cells of the city, made by [`City::new`] and changed by hand.
#[derive(Resource, Debug, Clone)]
pub(crate) struct City {
    pub(crate) seed: u64,
    pub(crate) cells: Vec<Ground>,
    /// The height of each cell. Its shadow is as many cells long.
    pub(crate) heights: Vec<u8>,
    pub(crate) goals: Vec<Cell>,
}

/// Returns the index of a cell in the lists, if it is in the city.
pub(crate) fn slot(cell: Cell) -> Option<usize> {
    let is_inside = (0..SIDE).contains(&cell.x) && (0..SIDE).contains(&cell.y);
    is_inside.then(|| (cell.y * SIDE + cell.x) as usize)
}

/// Returns the cell at an index of the lists.
pub(crate) fn cell_of(slot: usize) -> Cell {
    Cell::new(slot as i32 % SIDE, slot as i32 / SIDE)
}

impl City {
    /// Returns the kind of a cell. Beyond the edge it is water.
    pub(crate) fn ground(&self, cell: Cell) -> Ground {
        slot(cell).map_or(Ground::Water, |slot| self.cells[slot])
    }

    pub(crate) fn height(&self, cell: Cell) -> u8 {
        slot(cell).map_or(0, |slot| self.heights[slot])
    }

    /// Puts up a wall, or opens a blocked cell. Water and the middles of squares stay. Returns
    /// whether anything changed.
    pub(crate) fn paint(&mut self, cell: Cell, wall: bool) -> bool {
        let Some(slot) = slot(cell) else { return false };
        let is_kept = self.goals.iter().any(|&goal| {
            let (dx, dy) = (goal.x - cell.x, goal.y - cell.y);
            ((dx * dx + dy * dy) as f32) <= (GOAL_RADIUS + 1.0) * (GOAL_RADIUS + 1.0)
        });
        let ground = self.cells[slot];
        if is_kept || ground == Ground::Water || ground.is_open() != wall {
            return false;
        }
        (self.cells[slot], self.heights[slot]) = if wall { (Ground::Wall, 1) } else { (Ground::Lane, 0) };
        true
    }

    /// Returns the open cells.
    pub(crate) fn open_cells(&self) -> impl Iterator<Item = Cell> {
        self.cells.iter().enumerate().filter(|(_, ground)| ground.is_open()).map(|(slot, _)| cell_of(slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_are_put_up_and_taken_down_but_not_on_water_and_goals() {
        let mut city = City::new(1);
        let street = city.open_cells().find(|&cell| city.ground(cell) == Ground::Street).unwrap();
        assert!(city.paint(street, true) && !city.paint(street, true));
        assert_eq!((city.ground(street), city.height(street)), (Ground::Wall, 1));
        assert!(city.paint(street, false) && !city.paint(street, false));
        assert!(city.ground(street).is_open());
        let water = cell_of(city.cells.iter().position(|&ground| ground == Ground::Water).unwrap());
        assert!(!city.paint(water, false) && !city.paint(city.goals[0], true));
        assert!(!city.paint(Cell::new(-1, 0), true));
    }
}
