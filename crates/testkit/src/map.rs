//! A map as plain data.

use rand::Rng;

use crate::Seed;

/// A rectangle of terrain classes, row-major, the lowest row first (y points up).
///
/// Positions are `(x, y)` from the lowest left cell, which is `(0, 0)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileMap {
    /// The name of the map in tables and failure messages.
    pub name: String,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
    /// The `width × height` classes. With the default cost table class n costs n, and class 0 is a
    /// wall.
    pub classes: Vec<u8>,
}

impl TileMap {
    /// Makes a map from its cells.
    ///
    /// # Panics
    /// If the number of classes is not `width × height`.
    #[must_use]
    pub fn new(name: &str, width: u32, height: u32, classes: Vec<u8>) -> Self {
        assert_eq!(
            classes.len(),
            width as usize * height as usize,
            "{name}: a map of {width} × {height} needs that many classes"
        );
        Self { name: name.to_owned(), width, height, classes }
    }

    /// Returns whether `(x, y)` lies on the map.
    #[must_use]
    pub fn contains(&self, (x, y): (i32, i32)) -> bool {
        x >= 0 && y >= 0 && (x as u32) < self.width && (y as u32) < self.height
    }

    /// Returns the index of a position in `classes`.
    ///
    /// # Panics
    /// If the position is off the map.
    #[must_use]
    pub fn slot(&self, position: (i32, i32)) -> usize {
        assert!(self.contains(position), "{}: {position:?} is off the map", self.name);
        position.1 as usize * self.width as usize + position.0 as usize
    }

    /// Returns the position of an index into `classes`; the inverse of [`slot`](Self::slot).
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn position(&self, slot: usize) -> (i32, i32) {
        assert!(slot < self.classes.len(), "{}: slot {slot} is off the map", self.name);
        let width = self.width as usize;
        ((slot % width) as i32, (slot / width) as i32)
    }

    /// Returns the class at a position, or `None` off the map.
    #[must_use]
    pub fn class(&self, position: (i32, i32)) -> Option<u8> {
        self.contains(position).then(|| self.classes[self.slot(position)])
    }

    /// Returns the number of cells of a class.
    #[must_use]
    pub fn class_count(&self, class: u8) -> usize {
        self.classes.iter().map(|&found| usize::from(found == class)).sum()
    }

    /// Returns `count` pairs of start and goal. No start or goal is a wall. Equal seeds give equal
    /// pairs.
    ///
    /// # Panics
    /// If every cell is a wall.
    #[must_use]
    pub fn queries(&self, count: usize, seed: &Seed) -> Vec<((i32, i32), (i32, i32))> {
        let open: Vec<usize> = (0..self.classes.len()).filter(|&slot| self.classes[slot] != 0).collect();
        assert!(!open.is_empty(), "{}: every cell is a wall", self.name);
        let mut generator = seed.generator();
        let mut draw = || self.position(open[generator.random_range(0..open.len())]);
        (0..count).map(|_| (draw(), draw())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::TileMap;
    use crate::Seed;

    #[test]
    fn slots_and_positions_are_opposites() {
        let map = TileMap::new("strip", 3, 2, vec![1, 0, 2, 3, 0, 4]);
        for slot in 0..6 {
            assert_eq!(map.slot(map.position(slot)), slot);
        }
        assert_eq!(map.class((2, 1)), Some(4));
        assert_eq!(map.class((3, 0)), None);
        assert_eq!(map.class((-1, 0)), None);
    }

    #[test]
    fn queries_start_and_end_on_open_cells() {
        let map = TileMap::new("strip", 3, 2, vec![1, 0, 2, 3, 0, 4]);
        let queries = map.queries(50, &Seed::named("strip"));
        assert_eq!(queries.len(), 50);
        assert!(queries.iter().all(|&(from, to)| map.class(from) != Some(0) && map.class(to) != Some(0)));
    }
}
