//! Counts pairs of units that are too near to each other.
//!
//! A grid of cells makes it fast: each unit is compared with the units in its own cell and the
//! eight cells around it.

use bevy::prelude::*;

use crate::{
    city::{SIDE, slot},
    scene::{TILE, cell_at},
};

/// The distance at which discs of 0.35 cells touch, in cells from centre to centre.
const NEAR: f32 = 0.7;
/// The number that stands for no unit.
const NONE: u32 = u32::MAX;

/// Counts pairs that are too near. It reuses its memory for the next count.
#[derive(Debug, Default)]
pub(crate) struct PairCounter {
    /// The last unit of each cell.
    heads: Vec<u32>,
    /// For each unit: its place, and the unit before it in its cell.
    units: Vec<(Vec2, u32)>,
}

impl PairCounter {
    /// Returns how many pairs of these places are nearer to each other than 0.7 cells.
    pub(crate) fn count(&mut self, places: impl Iterator<Item = Vec2>) -> usize {
        self.heads.clear();
        self.heads.resize((SIDE * SIDE) as usize, NONE);
        self.units.clear();
        let mut pairs = 0;
        for place in places {
            let cell = cell_at(place);
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                pairs += slot((cell.x + dx, cell.y + dy).into()).map_or(0, |slot| self.near(place, slot));
            }
            let Some(slot) = slot(cell) else { continue };
            let number = self.units.len() as u32;
            self.units.push((place, self.heads[slot]));
            self.heads[slot] = number;
        }
        pairs
    }

    /// Returns how many units of a cell are too near to a place.
    fn near(&self, place: Vec2, slot: usize) -> usize {
        let mut pairs = 0;
        let mut number = self.heads[slot];
        while let Some(&(other, before)) = self.units.get(number as usize) {
            pairs += usize::from(place.distance(other) < NEAR * TILE);
            number = before;
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use testkit::Seed;

    use super::*;

    #[test]
    fn it_counts_the_pairs_that_a_comparison_of_all_with_all_counts() {
        let mut random = Seed::named("pairs").generator();
        let mut counter = PairCounter::default();
        for wide in [3.0, 20.0, 60.0] {
            let places: Vec<Vec2> = (0..400)
                .map(|_| Vec2::from([(); 2].map(|()| random.random_range(0.0..wide * TILE))))
                .collect();
            let mut pairs = 0;
            for (index, place) in places.iter().enumerate() {
                pairs += places[..index].iter().filter(|other| place.distance(**other) < NEAR * TILE).count();
            }
            assert_eq!(counter.count(places.into_iter()), pairs, "{wide}");
            assert!(pairs > 0);
        }
    }
}
