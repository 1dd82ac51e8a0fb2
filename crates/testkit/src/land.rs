//! A map with all features of the library's map, as plain data.

use std::collections::BTreeMap;

use crate::TileMap;

/// The eight directions in compass order, clockwise from north. On hexagons [`HEXAGON_DIRECTIONS`] of them.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The indices of [`DIRECTIONS`] that lead to a neighbour on hexagons: all but north-east and
/// south-west.
pub const HEXAGON_DIRECTIONS: [usize; 6] = [0, 2, 3, 4, 6, 7];

/// Returns the direction from one position to a neighbour.
#[must_use]
pub fn direction(from: (i32, i32), to: (i32, i32)) -> Option<usize> {
    DIRECTIONS.iter().position(|&(dx, dy)| (from.0 + dx, from.1 + dy) == to)
}

fn ahead(from: (i32, i32), direction: usize) -> (i32, i32) {
    (from.0 + DIRECTIONS[direction].0, from.1 + DIRECTIONS[direction].1)
}

/// A map of squares or hexagons, with void cells, closed exits, and overlays. Its edits follow
/// their definitions.
///
/// ```
/// use testkit::{Land, open};
///
/// let mut land = Land::from(open(2, 1));
/// assert!(land.one_way((0, 0), (1, 0)));
/// assert!(land.has_exit((0, 0), 2) && !land.has_exit((1, 0), 6));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Land {
    /// The classes. The class of a void cell is ignored.
    pub map: TileMap,
    /// True if cells are hexagons in axial coordinates.
    pub is_hexagonal: bool,
    /// True for each void cell, by slot.
    pub void: Vec<bool>,
    /// The open exits of each cell, by slot: bit n for the nth of [`DIRECTIONS`].
    pub exits: Vec<u8>,
    /// The overlays by name, with a value for each slot.
    pub overlays: BTreeMap<String, Vec<u64>>,
}

impl From<TileMap> for Land {
    fn from(map: TileMap) -> Self {
        let cells = map.classes.len();
        Self {
            map,
            is_hexagonal: false,
            void: vec![false; cells],
            exits: vec![255; cells],
            overlays: BTreeMap::new(),
        }
    }
}

impl Land {
    /// Returns the map with its sides moved. `sides` are the columns and rows to add in the west,
    /// the south, the east and the north; negative numbers remove them. New cells get the class, or
    /// are void. Positions count from the new lowest cell.
    ///
    /// # Panics
    /// If the new width or height would be negative.
    #[must_use]
    pub fn resized(&self, [west, south, east, north]: [i32; 4], class: Option<u8>) -> Self {
        let long = |length: u32, more: i32| length.checked_add_signed(more).expect("something is left");
        let (width, height) = (long(self.map.width, west + east), long(self.map.height, south + north));
        let places = (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x - west, y - south)));
        let olds: Vec<Option<usize>> =
            places.map(|place| self.map.contains(place).then(|| self.map.slot(place))).collect();
        let classes = olds.iter().map(|old| old.map_or(class.unwrap_or(0), |slot| self.map.classes[slot]));
        let values = |values: &Vec<u64>| olds.iter().map(|old| old.map_or(0, |slot| values[slot])).collect();
        Self {
            map: TileMap::new(&self.map.name, width, height, classes.collect()),
            is_hexagonal: self.is_hexagonal,
            void: olds.iter().map(|old| old.map_or(class.is_none(), |slot| self.void[slot])).collect(),
            exits: olds.iter().map(|old| old.map_or(255, |slot| self.exits[slot])).collect(),
            overlays: self.overlays.iter().map(|(name, kept)| (name.clone(), values(kept))).collect(),
        }
    }

    /// Returns the indices of the directions in which cells have neighbours.
    #[must_use]
    pub fn directions(&self) -> &'static [usize] {
        if self.is_hexagonal { &HEXAGON_DIRECTIONS } else { &[0, 1, 2, 3, 4, 5, 6, 7] }
    }

    /// Returns whether a cell lies in the rectangle and has an open exit in a direction.
    #[must_use]
    pub fn has_exit(&self, position: (i32, i32), direction: usize) -> bool {
        self.map.contains(position) && self.exits[self.map.slot(position)] & 1 << direction != 0
    }

    /// Returns whether the edge between two cells is closed in both directions.
    #[must_use]
    pub fn is_fence(&self, one: (i32, i32), other: (i32, i32)) -> bool {
        let closed = |from, to| direction(from, to).is_some_and(|number| !self.has_exit(from, number));
        closed(one, other) && closed(other, one)
    }

    /// Returns whether all exits of all cells are open.
    #[must_use]
    pub fn is_open_everywhere(&self) -> bool {
        self.exits.iter().all(|&exits| exits == 255)
    }

    /// Sets the class of a cell. A void cell joins the map. Returns whether something changed.
    pub fn set_terrain(&mut self, position: (i32, i32), class: u8) -> bool {
        let slot = self.map.slot(position);
        let before = (std::mem::replace(&mut self.void[slot], false), self.map.classes[slot]);
        self.map.classes[slot] = class;
        before != (false, class)
    }

    /// Makes a cell void. Returns whether something changed.
    pub fn set_void(&mut self, position: (i32, i32)) -> bool {
        let slot = self.map.slot(position);
        self.map.classes[slot] = 0;
        !std::mem::replace(&mut self.void[slot], true)
    }

    /// Sets the value of an overlay on a cell; 0 removes it. Returns whether something changed.
    pub fn set_overlay(&mut self, name: &str, position: (i32, i32), value: u64) -> bool {
        let cells = self.map.classes.len();
        let values = self.overlays.entry(name.to_owned()).or_insert_with(|| vec![0; cells]);
        std::mem::replace(&mut values[self.map.slot(position)], value) != value
    }

    /// Removes all values of an overlay. Returns the number of changed cells.
    pub fn clear_overlay(&mut self, name: &str) -> usize {
        let values = self.overlays.remove(name).unwrap_or_default();
        values.into_iter().filter(|&value| value != 0).count()
    }

    /// Sets the open exits of a cell. Returns whether something changed.
    pub fn set_exits(&mut self, position: (i32, i32), exits: u8) -> bool {
        let slot = self.map.slot(position);
        std::mem::replace(&mut self.exits[slot], exits) != exits
    }

    /// Closes an exit of a cell, if the cell is in the rectangle. Returns whether the exit was
    /// open.
    fn close(&mut self, position: (i32, i32), direction: usize) -> bool {
        let had = self.has_exit(position, direction);
        if had {
            let slot = self.map.slot(position);
            self.exits[slot] &= !(1 << direction);
        }
        had
    }

    /// Closes the step from `to` back to `from`. Returns whether it was open.
    ///
    /// # Panics
    /// If the cells do not touch.
    pub fn one_way(&mut self, from: (i32, i32), to: (i32, i32)) -> bool {
        self.close(to, direction(to, from).expect("the cells touch"))
    }

    /// Closes the steps in both directions. Returns how many of them were open.
    ///
    /// # Panics
    /// If the cells do not touch.
    pub fn fence(&mut self, from: (i32, i32), to: (i32, i32)) -> usize {
        usize::from(self.one_way(from, to)) + usize::from(self.one_way(to, from))
    }

    /// Opens the steps in both directions. Returns how many of them were closed.
    ///
    /// # Panics
    /// If the cells do not touch.
    pub fn open_edge(&mut self, from: (i32, i32), to: (i32, i32)) -> usize {
        let mut opened = 0;
        for (here, there) in [(from, to), (to, from)] {
            let number = direction(here, there).expect("the cells touch");
            opened += usize::from(!self.has_exit(here, number));
            let slot = self.map.slot(here);
            self.exits[slot] |= 1 << number;
        }
        opened
    }

    /// Makes the edge of a cell in a straight direction a ledge. This closes the straight step up
    /// over the edge and the diagonal steps up past its two ends. Returns how many of these steps
    /// were open.
    pub fn ledge(&mut self, above: (i32, i32), down: usize) -> usize {
        let up = (down + 4) % 8;
        let below = ahead(above, down);
        if !self.map.contains(below) {
            return 0;
        }
        let mut closed = usize::from(self.close(below, up));
        if self.is_hexagonal {
            return closed;
        }
        // Four cells meet at an end of the edge: two above the ledge and two below it.
        for aside in [(up + 2) % 8, (up + 6) % 8] {
            for (from, to) in [(below, ahead(above, aside)), (ahead(below, aside), above)] {
                let slanting = direction(from, to).filter(|&slanting| self.has_exit(from, slanting));
                closed += usize::from(slanting.is_some_and(|slanting| self.close(from, slanting)));
            }
        }
        closed
    }
}
