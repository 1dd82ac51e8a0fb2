//! Tiles that touch on the screen, by the positions of their middles.

/// The names of the nine lattices: the arrangements of tiles.
pub const LATTICES: [&str; 9] = [
    "square",
    "diamond",
    "staggered",
    "hex-row",
    "hex-row-odd",
    "hex-row-even",
    "hex-column",
    "hex-column-odd",
    "hex-column-even",
];

/// Returns the middle of a tile on the screen, to the right and up. Tiles also count to the right
/// and up.
///
/// The unit is half a side on squares, and half a diamond on diamonds. On hexagons, neighbours in a
/// row are two units apart, and so are rows; likewise for columns.
///
/// # Panics
/// If no lattice has this name.
#[must_use]
pub fn tile_middle(lattice: &str, (x, y): (i32, i32)) -> (i32, i32) {
    match lattice {
        "square" => (2 * x, 2 * y),
        // x to the lower right, y to the upper right.
        "diamond" => (x + y, y - x),
        "staggered" => (2 * x + y, y),
        "hex-row" => (2 * x + y, 2 * y),
        "hex-row-odd" => (2 * x + i32::from(is_odd(y)), 2 * y),
        "hex-row-even" => (2 * x + i32::from(!is_odd(y)), 2 * y),
        "hex-column" => (2 * x, 2 * y + x),
        "hex-column-odd" => (2 * x, 2 * y + i32::from(is_odd(x))),
        "hex-column-even" => (2 * x, 2 * y + i32::from(!is_odd(x))),
        _ => panic!("no lattice is named {lattice}"),
    }
}

const fn is_odd(number: i32) -> bool {
    number.rem_euclid(2) == 1
}

/// Returns whether two tiles touch on the screen, by the distance of their middles. Squares and
/// diamonds also touch at corners.
///
/// ```
/// // Odd rows lie half a tile to the right.
/// assert!(testkit::tiles_touch("hex-row-odd", (2, 0), (1, 1)));
/// assert!(!testkit::tiles_touch("hex-row-odd", (2, 0), (3, 1)));
/// ```
///
/// # Panics
/// If no lattice has this name.
#[must_use]
pub fn tiles_touch(lattice: &str, one: (i32, i32), other: (i32, i32)) -> bool {
    let ((x, y), (right, up)) = (tile_middle(lattice, one), tile_middle(lattice, other));
    let apart = ((x - right).abs(), (y - up).abs());
    match lattice {
        "square" => apart.0.max(apart.1) == 2,
        // At a side, at the left and right corners, and at the upper and lower corners.
        "diamond" | "staggered" => [(1, 1), (2, 0), (0, 2)].contains(&apart),
        "hex-row" | "hex-row-odd" | "hex-row-even" => [(2, 0), (1, 2)].contains(&apart),
        _ => [(0, 2), (2, 1)].contains(&apart),
    }
}

#[cfg(test)]
mod tests {
    use super::{LATTICES, tiles_touch};

    #[test]
    fn a_tile_in_the_open_touches_eight_others_or_six() {
        for lattice in LATTICES {
            for tile in [(0, 0), (1, 0), (0, 1), (1, 1), (-3, -4)] {
                let around = (-9..9).flat_map(|y| (-9..9).map(move |x| (x, y)));
                let touching = around.filter(|&other| tiles_touch(lattice, tile, other)).count();
                assert_eq!(touching, if lattice.starts_with("hex") { 6 } else { 8 }, "{lattice} {tile:?}");
            }
        }
    }
}
