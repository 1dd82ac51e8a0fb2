//! Maps with natural outlines.

use rand::Rng;

use crate::{Seed, TileMap, cluttered};

/// Returns caves: scattered rock, smoothed until it grows together.
#[must_use]
pub fn caves(width: u32, height: u32, seed: &Seed) -> TileMap {
    let mut map = cluttered(width, height, 44, seed);
    "caves".clone_into(&mut map.name);
    for _ in 0..5 {
        let before = map.clone();
        for slot in 0..map.classes.len() {
            let (x, y) = before.position(slot);
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let rock = around.filter(|&cell| before.class(cell).unwrap_or(0) == 0).count();
            map.classes[slot] = u8::from(rock < 5);
        }
    }
    map
}

/// Returns hills: smooth ground in `levels` classes of equal share, with `percent` of all cells
/// under water (class 0).
///
/// It uses only integers, so that the map is equal on every machine.
///
/// # Panics
/// If `levels` is 0 or `percent` above 100.
#[must_use]
pub fn terrain(width: u32, height: u32, levels: u8, percent: u32, seed: &Seed) -> TileMap {
    assert!(levels > 0 && percent <= 100, "at least one level, at most 100 % water");
    let mut generator = seed.generator();
    let cells = width as usize * height as usize;
    let mut heights = vec![0_u64; cells];
    for (spacing, weight) in [(32_u64, 4), (16, 2), (8, 1)] {
        let columns = u64::from(width) / spacing + 2;
        let rows = u64::from(height) / spacing + 2;
        let corners: Vec<u64> = (0..columns * rows).map(|_| generator.random_range(0..4_096)).collect();
        let corner = |column: u64, row: u64| corners[(row * columns + column) as usize];
        for (slot, height) in heights.iter_mut().enumerate() {
            let (x, y) = (slot as u64 % u64::from(width), slot as u64 / u64::from(width));
            let (column, row, right, up) = (x / spacing, y / spacing, x % spacing, y % spacing);
            let (left, down) = (spacing - right, spacing - up);
            let blended = corner(column, row) * left * down
                + corner(column + 1, row) * right * down
                + corner(column, row + 1) * left * up
                + corner(column + 1, row + 1) * right * up;
            *height += weight * blended / (spacing * spacing);
        }
    }

    // By rank, not by height, so that the shares do not depend on the random numbers.
    let mut order: Vec<usize> = (0..cells).collect();
    order.sort_by_key(|&slot| (heights[slot], slot));
    let water = cells * percent as usize / 100;
    let mut classes = vec![0; cells];
    for (rank, &slot) in order.iter().enumerate().skip(water) {
        classes[slot] = 1 + ((rank - water) * levels as usize / (cells - water)) as u8;
    }
    TileMap::new(&format!("terrain 1..{levels}"), width, height, classes)
}

#[cfg(test)]
mod tests {
    use super::{caves, terrain};
    use crate::Seed;

    #[test]
    fn caves_are_neither_full_nor_empty() {
        let map = caves(80, 60, &Seed::named("caves"));
        let open = map.class_count(1);
        assert!((1_000..4_000).contains(&open), "{open}");
    }

    #[test]
    fn terrain_has_equal_shares_and_smooth_ground() {
        let map = terrain(100, 90, 4, 20, &Seed::named("hills"));
        for class in 0..=4 {
            assert_eq!(map.class_count(class), 1_800, "class {class}");
        }
        let equal_neighbours = map.classes.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(equal_neighbours > 7_500, "{equal_neighbours}");
    }
}
