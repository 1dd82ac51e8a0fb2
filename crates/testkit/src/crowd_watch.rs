//! The rules for bodies that do not share cells, checked by definition.

use std::collections::BTreeMap;

/// The visible state of a body after a tick.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walker {
    /// The name of the body in faults.
    pub number: u32,
    /// The lowest left cell that the body stands on or leaves.
    pub from: (i32, i32),
    /// The lowest left cell that the body enters; `from` if it stands.
    pub to: (i32, i32),
    /// The share of the step that is walked, from 0 to 1.
    pub share: f64,
    /// The side of the body, in cells.
    pub size: i32,
    /// The layers of the body, a bit each.
    pub layer: u32,
    /// The layers with which the body does not share cells.
    pub blocks: u32,
}

impl Walker {
    fn excludes(&self, other: &Self) -> bool {
        self.blocks & other.layer != 0 || other.blocks & self.layer != 0
    }

    fn cells(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        (0..self.size).flat_map(|up| (0..self.size).map(move |right| (x + right, y + up))).collect()
    }

    fn left(&self) -> Vec<(i32, i32)> {
        let held = self.cells(self.to);
        self.cells(self.from).into_iter().filter(|cell| !held.contains(cell)).collect()
    }

    fn way(&self) -> (i32, i32) {
        (self.to.0 - self.from.0, self.to.1 - self.from.1)
    }
}

/// Returns the faults of a crowd after a tick, as text: cells that two bodies hold or leave,
/// swapped places, diagonals that cross in one block, and followers that are ahead of their leaders
/// or turn too sharply.
#[must_use]
pub fn crowd_faults(walkers: &[Walker], is_hexagonal: bool) -> Vec<String> {
    let mut faults = Vec::new();
    let mut holders: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
    let mut leavers: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
    for (index, walker) in walkers.iter().enumerate() {
        for cell in walker.cells(walker.to) {
            holders.entry(cell).or_default().push(index);
        }
        for cell in walker.left() {
            leavers.entry(cell).or_default().push(index);
        }
        if !(0.0..1.0).contains(&walker.share) {
            faults.push(format!("{walker:?} has walked a share of {}", walker.share));
        }
    }
    for (word, table) in [("held", &holders), ("left", &leavers)] {
        for (cell, those) in table {
            for (place, &one) in those.iter().enumerate() {
                for &other in &those[place + 1..] {
                    if walkers[one].excludes(&walkers[other]) {
                        faults.push(format!(
                            "{cell:?} is {word} by {:?} and {:?}",
                            walkers[one], walkers[other]
                        ));
                    }
                }
            }
        }
    }
    for (cell, those) in &leavers {
        for &leader in those {
            for &follower in holders.get(cell).into_iter().flatten() {
                if follower != leader && walkers[follower].excludes(&walkers[leader]) {
                    check_following(walkers, [follower, leader], is_hexagonal, &mut faults);
                }
            }
        }
    }
    if !is_hexagonal {
        check_crossings(walkers, &holders, &mut faults);
    }
    faults
}

fn check_following(
    walkers: &[Walker],
    [follower, leader]: [usize; 2],
    is_hexagonal: bool,
    faults: &mut Vec<String>,
) {
    let (behind, ahead) = (walkers[follower], walkers[leader]);
    let told = format!("{behind:?} follows {ahead:?}");
    if behind.from == behind.to {
        faults.push(format!("{told}, and stands where that has not left yet"));
    }
    if behind.share > ahead.share {
        faults.push(format!("{told}, and is ahead"));
    }
    if ahead.cells(ahead.to).iter().any(|cell| behind.left().contains(cell))
        && behind.cells(behind.to).iter().any(|cell| ahead.left().contains(cell))
        && behind.size == 1
        && ahead.size == 1
    {
        faults.push(format!("{told}, and they change places"));
    }
    let ((x, y), (other_x, other_y)) = (behind.way(), ahead.way());
    let mut twice_product = 2 * (x * other_x + y * other_y);
    if is_hexagonal {
        twice_product += x * other_y + y * other_x;
    }
    if twice_product < 0 {
        faults.push(format!("{told}, and turns too sharply"));
    }
}

fn check_crossings(walkers: &[Walker], holders: &BTreeMap<(i32, i32), Vec<usize>>, faults: &mut Vec<String>) {
    for walker in walkers {
        let (dx, dy) = walker.way();
        if walker.size > 1 || dx == 0 || dy == 0 {
            continue;
        }
        let sides = [(walker.from.0 + dx, walker.from.1), (walker.from.0, walker.from.1 + dy)];
        for (entered, left) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            for &other in holders.get(&entered).into_iter().flatten() {
                let crosses = walkers[other].from == left && walkers[other].size == 1;
                if crosses && walker.excludes(&walkers[other]) {
                    faults.push(format!("{walker:?} crosses {:?}", walkers[other]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Walker, crowd_faults};

    fn walker(from: (i32, i32), to: (i32, i32), share: f64) -> Walker {
        Walker { number: 0, from, to, share, size: 1, layer: 1, blocks: 1 }
    }

    #[test]
    fn each_fault_is_seen() {
        let faults = |walkers: &[Walker]| crowd_faults(walkers, false).join("; ");
        let stands = |cell| walker(cell, cell, 0.0);
        assert!(faults(&[stands((0, 0)), stands((0, 0))]).contains("is held by"));
        assert!(faults(&[stands((0, 0)), walker((1, 0), (0, 0), 0.5)]).contains("is held by"));
        let away = [walker((0, 0), (1, 0), 0.5), walker((0, 0), (-1, 0), 0.5)];
        assert!(faults(&away).contains("is left by"));
        let swap = [walker((0, 0), (1, 0), 0.5), walker((1, 0), (0, 0), 0.5)];
        assert!(faults(&swap).contains("change places"));
        let crossing = [walker((0, 0), (1, 1), 0.5), walker((1, 0), (0, 1), 0.5)];
        assert!(faults(&crossing).contains("crosses"));
        let back = [walker((0, 0), (1, 1), 0.5), walker((0, 1), (1, 0), 0.5)];
        assert!(faults(&back).contains("crosses"));
        let ahead = [walker((0, 0), (1, 0), 0.5), walker((1, 0), (2, 0), 0.4)];
        assert!(faults(&ahead).contains("is ahead"));
        let sharp = [walker((0, 0), (1, 0), 0.2), walker((1, 0), (0, 1), 0.4)];
        assert!(faults(&sharp).contains("too sharply"));
        assert!(faults(&[stands((1, 0)), walker((1, 0), (2, 0), 0.4)]).contains("has not left yet"));
        let good = [walker((0, 0), (1, 0), 0.4), walker((1, 0), (2, 1), 0.4), stands((0, 1))];
        assert_eq!(faults(&good), "");
        let passing = [Walker { layer: 2, blocks: 2, ..stands((0, 0)) }, stands((0, 0))];
        assert_eq!(faults(&passing), "");
    }
}
