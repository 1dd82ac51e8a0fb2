//! Maps whose cells are drawn one by one.

use rand::Rng;

use crate::{Seed, TileMap};

/// Returns walls on `percent` of all cells; the rest has class 1.
///
/// # Panics
/// If `percent` is above 100.
#[must_use]
pub fn cluttered(width: u32, height: u32, percent: u32, seed: &Seed) -> TileMap {
    let mut generator = seed.generator();
    let cells = width as usize * height as usize;
    let classes = (0..cells).map(|_| u8::from(!generator.random_ratio(percent, 100))).collect();
    TileMap::new(&format!("cluttered {percent} %"), width, height, classes)
}

/// Returns a random class from 1 to `levels` for every cell, and walls on `percent` of all cells.
///
/// This is the hardest weighted ground, because the classes of neighbours are independent.
///
/// # Panics
/// If `percent` is above 100 or `levels` is 0.
#[must_use]
pub fn noise(width: u32, height: u32, levels: u8, percent: u32, seed: &Seed) -> TileMap {
    let mut generator = seed.generator();
    let cells = width as usize * height as usize;
    let classes = (0..cells)
        .map(|_| if generator.random_ratio(percent, 100) { 0 } else { generator.random_range(1..=levels) })
        .collect();
    TileMap::new(&format!("noise 1..{levels}"), width, height, classes)
}

#[cfg(test)]
mod tests {
    use super::{cluttered, noise};
    use crate::Seed;

    #[test]
    fn the_share_of_walls_is_as_ordered() {
        assert_eq!(cluttered(50, 40, 0, &Seed::named("none")).class_count(0), 0);
        assert_eq!(cluttered(50, 40, 100, &Seed::named("all")).class_count(0), 2_000);
        let third = cluttered(100, 100, 33, &Seed::named("third")).class_count(0);
        assert!((3_000..3_600).contains(&third), "{third}");
    }

    #[test]
    fn noise_uses_every_level() {
        let map = noise(30, 30, 9, 10, &Seed::named("noise"));
        assert!((0..=9).all(|class| map.classes.contains(&class)));
        assert!(map.classes.iter().all(|&class| class <= 9));
    }
}
