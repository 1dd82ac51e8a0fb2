//! Maps with straight walls.

use rand::Rng;
use rand::seq::SliceRandom;

use crate::{Seed, TileMap};

/// Returns a map without a wall; every cell has class 1.
#[must_use]
pub fn open(width: u32, height: u32) -> TileMap {
    TileMap::new("open", width, height, vec![1; width as usize * height as usize])
}

/// Returns square rooms of `side` cells with walls one cell thick. Three of four shared walls have
/// a door of one cell.
///
/// # Panics
/// If `side` is 0.
#[must_use]
pub fn rooms(width: u32, height: u32, side: u32, seed: &Seed) -> TileMap {
    assert!(side > 0, "a room has at least one cell");
    let mut generator = seed.generator();
    let mut map = open(width, height);
    map.name = format!("rooms {side}");
    let pitch = side + 1;
    for slot in 0..map.classes.len() {
        let (x, y) = map.position(slot);
        if x as u32 % pitch == side || y as u32 % pitch == side {
            map.classes[slot] = 0;
        }
    }
    for room_y in 0..height.div_ceil(pitch) {
        for room_x in 0..width.div_ceil(pitch) {
            let (left, bottom) = ((room_x * pitch) as i32, (room_y * pitch) as i32);
            let along = generator.random_range(0..side) as i32;
            let doors = [(left + side as i32, bottom + along), (left + along, bottom + side as i32)];
            for door in doors {
                let has_door = generator.random_ratio(3, 4);
                if has_door && map.contains(door) {
                    let slot = map.slot(door);
                    map.classes[slot] = 1;
                }
            }
        }
    }
    map
}

/// Returns a perfect maze: exactly one route between any two places. Corridors are `corridor` cells
/// wide, walls one cell.
///
/// Cells that do not fill a whole corridor at the top and right edge are walls.
///
/// # Panics
/// If `corridor` is 0.
#[must_use]
pub fn maze(width: u32, height: u32, corridor: u32, seed: &Seed) -> TileMap {
    assert!(corridor > 0, "a corridor is at least one cell wide");
    let mut generator = seed.generator();
    let cells = width as usize * height as usize;
    let mut map = TileMap::new(&format!("maze {corridor}"), width, height, vec![0; cells]);
    let pitch = corridor + 1;
    let (columns, rows) = (((width + 1) / pitch) as i32, ((height + 1) / pitch) as i32);
    if columns == 0 || rows == 0 {
        return map;
    }

    let mut carve = |left: i32, bottom: i32| {
        for y in bottom..bottom + corridor as i32 {
            for x in left..left + corridor as i32 {
                let slot = map.slot((x, y));
                map.classes[slot] = 1;
            }
        }
    };
    let mut visited = vec![false; (columns * rows) as usize];
    let mut trail = vec![(0, 0)];
    visited[0] = true;
    carve(0, 0);
    while let Some(&(column, row)) = trail.last() {
        let mut ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        ways.shuffle(&mut generator);
        let next =
            ways.into_iter().map(|(dx, dy)| (column + dx, row + dy)).find(|&(next_column, next_row)| {
                (0..columns).contains(&next_column)
                    && (0..rows).contains(&next_row)
                    && !visited[(next_row * columns + next_column) as usize]
            });
        let Some((next_column, next_row)) = next else {
            trail.pop();
            continue;
        };
        visited[(next_row * columns + next_column) as usize] = true;
        let pitch = pitch as i32;
        carve(next_column * pitch, next_row * pitch);
        // One more square, shifted by a single cell, opens the wall between the two.
        carve(
            column * pitch + (next_column - column) * if next_column < column { 1 } else { pitch - 1 },
            row * pitch + (next_row - row) * if next_row < row { 1 } else { pitch - 1 },
        );
        trail.push((next_column, next_row));
    }
    map
}

#[cfg(test)]
mod tests {
    use super::{maze, rooms};
    use crate::{DiagonalRule, Oracle, Rules, Seed};

    #[test]
    fn a_maze_has_exactly_one_way_between_any_two_places() {
        let map = maze(21, 15, 1, &Seed::named("maze"));
        let open = map.class_count(1);
        let oracle = Oracle::new(&map, &Rules::classic(DiagonalRule::Never));
        let reached = oracle.costs_from((0, 0)).iter().flatten().count();
        assert_eq!(reached, open);
        let is_open = |x, y| map.class((x, y)) == Some(1);
        let cells = (0..15).flat_map(|y| (0..21).map(move |x| (x, y))).filter(|&(x, y)| is_open(x, y));
        let edges: usize =
            cells.map(|(x, y)| usize::from(is_open(x + 1, y)) + usize::from(is_open(x, y + 1))).sum();
        assert_eq!(edges, open - 1, "a tree has one edge fewer than cells");
    }

    #[test]
    fn a_wide_maze_is_connected() {
        let map = maze(40, 31, 3, &Seed::named("wide"));
        let open = map.class_count(1);
        let oracle = Oracle::new(&map, &Rules::classic(DiagonalRule::Never));
        assert_eq!(oracle.costs_from((0, 0)).iter().flatten().count(), open);
    }

    #[test]
    fn rooms_have_walls_and_doors() {
        let map = rooms(39, 39, 9, &Seed::named("rooms"));
        let doors = (0..39).filter(|&y| map.class((9, y)) == Some(1)).count();
        assert!((1..=4).contains(&doors), "{doors}");
        assert_eq!(map.class((9, 9)), Some(0));
    }
}
