//! Lines of sight between two cells.

use crate::{cell::Cell, topology::Topology};

impl Topology {
    /// Returns whether the straight line between the centres of two cells passes no opaque cell.
    /// The two cells themselves may be opaque. Use it for shots. For what a unit sees, with the
    /// walls around it, use [`view`](Self::view).
    ///
    /// Sight is symmetric: if `a` sees `b`, then `b` sees `a`. If the line passes exactly between
    /// two cells, through a corner or along an edge, the line is blocked only if both of these
    /// cells are opaque.
    ///
    /// # Complexity
    /// O(cells on the line between the two cells).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Topology};
    ///
    /// let wall = [Cell::new(2, 0), Cell::new(2, 1)];
    /// let sees = |x, y| Topology::Square.sees(Cell::new(0, 0), Cell::new(x, y), |cell| wall.contains(&cell));
    /// assert!(sees(2, 0) && !sees(4, 0) && !sees(4, 2) && sees(4, 4));
    /// ```
    #[must_use]
    #[doc(alias = "line of sight")]
    pub fn sees(self, from: Cell, to: Cell, is_opaque: impl FnMut(Cell) -> bool) -> bool {
        match self {
            Self::Square => sees_over_squares(from, to, is_opaque),
            Self::Hexagonal => sees_over_hexagons(from, to, is_opaque),
        }
    }
}

fn sees_over_squares(from: Cell, to: Cell, mut is_opaque: impl FnMut(Cell) -> bool) -> bool {
    let (wide, high) = (i64::from(from.x.abs_diff(to.x)), i64::from(from.y.abs_diff(to.y)));
    let towards = |from: i32, to: i32| if to > from { 1 } else { -1 };
    let (right, up) = (towards(from.x, to.x), towards(from.y, to.y));
    let (mut x, mut y) = (0_i64, 0_i64);
    let mut here = from;
    while here != to {
        // The line crosses the next vertical border at (2x + 1) / (2 wide) of its length. For the
        // next horizontal border, y and high take the place of x and wide.
        let sooner = ((2 * x + 1) * high).cmp(&((2 * y + 1) * wide));
        if sooner.is_eq() {
            let sides = [Cell::new(here.x + right, here.y), Cell::new(here.x, here.y + up)];
            if sides.into_iter().all(&mut is_opaque) {
                return false;
            }
        }
        if sooner.is_le() {
            x += 1;
            here.x += right;
        }
        if sooner.is_ge() {
            y += 1;
            here.y += up;
        }
        if here != to && is_opaque(here) {
            return false;
        }
    }
    true
}

/// Follows two lines, one a little to either side. Where the line runs between two cells, each of
/// the two passes through one of them.
fn sees_over_hexagons(from: Cell, to: Cell, mut is_opaque: impl FnMut(Cell) -> bool) -> bool {
    let steps = i128::from(Topology::Hexagonal.steps(from, to));
    [1, -1].into_iter().any(|hair| {
        (1..steps).all(|step| {
            let cell = hexagon_on_line(from, to, step, steps, hair);
            !is_opaque(cell)
        })
    })
}

/// Returns the hexagon at this step of the line, a little to one side of the line.
fn hexagon_on_line(from: Cell, to: Cell, step: i128, steps: i128, hair: i128) -> Cell {
    // This unit is finer than the distance from the line to any border that it does not touch.
    let fine = 1_i128 << 40;
    let whole = steps * fine;
    let at = |from: i32, to: i32, hair: i128| {
        (i128::from(from) * (steps - step) + i128::from(to) * step) * fine + hair
    };
    let (x, y) = (at(from.x, to.x, hair), at(from.y, to.y, 2 * hair));
    let z = -x - y;
    let round = |value: i128| (2 * value + whole).div_euclid(2 * whole);
    let [near_x, near_y, near_z] = [x, y, z].map(round);
    let [off_x, off_y, off_z] =
        [(near_x, x), (near_y, y), (near_z, z)].map(|(near, value)| (near * whole - value).abs());
    let (x, y) = if off_x > off_y && off_x > off_z {
        (-near_y - near_z, near_y)
    } else if off_y > off_z {
        (near_x, -near_x - near_z)
    } else {
        (near_x, near_y)
    };
    Cell::new(x as i32, y as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `check` for cells around the origin, with walls derived from a seed.
    fn each_case(mut check: impl FnMut(Topology, Cell, &dyn Fn(Cell) -> bool)) {
        for seed in 0..400_u64 {
            let is_opaque = move |cell: Cell| {
                let mixed = (seed + 1)
                    .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                    .wrapping_add((cell.x as u64).wrapping_mul(0xBF58_476D_1CE4_E5B9))
                    .wrapping_add((cell.y as u64).wrapping_mul(0x94D0_49BB_1331_11EB));
                (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 61 == 0
            };
            for topology in [Topology::Square, Topology::Hexagonal] {
                for x in -6..=6 {
                    for y in -6..=6 {
                        check(topology, Cell::new(x, y), &is_opaque);
                    }
                }
            }
        }
    }

    #[test]
    fn sight_is_mutual() {
        let here = Cell::new(0, 0);
        let mut seen = [0, 0];
        each_case(|topology, there, is_opaque| {
            let sees = topology.sees(here, there, is_opaque);
            assert_eq!(topology.sees(there, here, is_opaque), sees, "{topology:?} {there}");
            seen[usize::from(sees)] += 1;
        });
        assert!(seen.into_iter().all(|count| count > 10_000), "{seen:?}");
    }

    #[test]
    fn line_between_neighbours_is_never_held_up_and_a_ring_hides_everything() {
        for topology in [Topology::Square, Topology::Hexagonal] {
            let here = Cell::new(3, 4);
            for &direction in topology.directions() {
                let there = here.neighbour(direction).unwrap();
                let is_straight = !direction.is_diagonal() || topology == Topology::Hexagonal;
                assert_eq!(topology.sees(here, there, |_| true), is_straight);
            }
            let is_ring = |cell| topology.steps(here, cell) == 1;
            for x in -9..9 {
                for y in -9..9 {
                    let there = Cell::new(x, y);
                    // A line to a diagonal neighbour passes between two cells of the ring.
                    let is_diagonal = topology == Topology::Square && x != here.x && y != here.y;
                    let is_hidden = topology.steps(here, there) > 1 || is_diagonal;
                    assert_eq!(topology.sees(here, there, is_ring), !is_hidden, "{topology:?} {there}");
                }
            }
        }
    }

    #[test]
    fn line_over_squares_meets_what_points_along_it_lie_in() {
        // Every cell that the line crosses inside contains one of many points along the line.
        each_case(|topology, there, is_opaque| {
            if topology != Topology::Square {
                return;
            }
            let parts = 9973;
            let crossed = (0..=parts).map(|part| {
                let at = |to: i32| (f64::from(to) * f64::from(part) / f64::from(parts) + 0.5).floor() as i32;
                Cell::new(at(there.x), at(there.y))
            });
            let is_held =
                crossed.into_iter().any(|cell| cell != Cell::new(0, 0) && cell != there && is_opaque(cell));
            let sees = topology.sees(Cell::new(0, 0), there, is_opaque);
            // At corners the line may also be blocked between two cells.
            assert!(!(sees && is_held), "{there}");
            if there.x == 0 || there.y == 0 {
                assert_eq!(sees, !is_held, "{there}");
            }
        });
    }

    #[test]
    fn far_ends_of_the_range_of_cells_can_be_compared() {
        let (low, high) = (Cell::new(-(1 << 29), 5), Cell::new(1 << 29, 5));
        for topology in [Topology::Square, Topology::Hexagonal] {
            assert!(!topology.sees(low, high, |cell| cell.x == 7 - (1 << 29)));
        }
    }
}
