//! Finding jump points on a straight line, 64 cells at a time.

use crate::bit_grid::BitGrid;

/// Which cells on a line end a scan, as the diagonal rule has it.
pub(crate) trait ScanRule {
    /// The bits of the cells where a scan to higher bits must turn aside, given the line and one beside it. `before` and
    /// `after` are the words of the neighbouring 64 cells.
    fn turns_forward(line: Words, beside: Words) -> u64;

    /// The same for a scan to lower bits.
    fn turns_backward(line: Words, beside: Words) -> u64;
}

/// A word of a line and those on either side of it.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    before: u64,
    here: u64,
    after: u64,
}

impl Words {
    #[inline]
    fn of(line: &[u64], index: usize) -> Self {
        Self {
            before: if index == 0 { 0 } else { line[index - 1] },
            here: line[index],
            after: line.get(index + 1).copied().unwrap_or(0),
        }
    }

    /// For each cell whether the one a bit lower is open.
    #[inline]
    const fn lower(self) -> u64 {
        self.here << 1 | self.before >> 63
    }

    /// For each cell whether the one a bit higher is open.
    #[inline]
    const fn higher(self) -> u64 {
        self.here >> 1 | self.after << 63
    }
}

/// No corner may be cut: turn where the line beside opens, one cell past the obstacle.
pub(crate) struct PastCorners;

/// Corners may be cut, gaps may not: turn where the line beside is about to open and the line itself goes on.
pub(crate) struct CutCorners;

/// Corners and gaps may be cut: turn where the line beside is about to open.
pub(crate) struct CutGaps;

impl ScanRule for PastCorners {
    #[inline]
    fn turns_forward(_: Words, beside: Words) -> u64 {
        beside.here & !beside.lower()
    }

    #[inline]
    fn turns_backward(_: Words, beside: Words) -> u64 {
        beside.here & !beside.higher()
    }
}

impl ScanRule for CutCorners {
    #[inline]
    fn turns_forward(line: Words, beside: Words) -> u64 {
        !beside.here & beside.higher() & line.higher()
    }

    #[inline]
    fn turns_backward(line: Words, beside: Words) -> u64 {
        !beside.here & beside.lower() & line.lower()
    }
}

impl ScanRule for CutGaps {
    #[inline]
    fn turns_forward(_: Words, beside: Words) -> u64 {
        !beside.here & beside.higher()
    }

    #[inline]
    fn turns_backward(_: Words, beside: Words) -> u64 {
        !beside.here & beside.lower()
    }
}

/// Where a scan ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScanEnd {
    /// The bit of the last cell looked at.
    pub(crate) bit: usize,
    /// Whether that cell is open, and so a jump point; otherwise the line is a dead end.
    pub(crate) is_jump_point: bool,
    /// Words looked at.
    pub(crate) words: u32,
}

/// The first cell past `from`, to higher or lower bits, that is closed or must turn aside.
///
/// The border of the bit grid is closed, so there is always one.
#[inline]
pub(crate) fn scan<R: ScanRule, const FORWARD: bool>(bits: &BitGrid, line: usize, from: usize) -> ScanEnd {
    let [below, here, above] = [line - 1, line, line + 1].map(|line| bits.line(line));
    let mut index = from / 64;
    // Two shifts, because a shift by 64 is not a shift.
    let mut ahead = if FORWARD { !0 << (from % 64) << 1 } else { (1 << (from % 64)) - 1 };
    let mut words = 0;
    loop {
        words += 1;
        let row = Words::of(here, index);
        let sides = [Words::of(below, index), Words::of(above, index)];
        let turns = sides.into_iter().fold(0, |turns, side| {
            turns | if FORWARD { R::turns_forward(row, side) } else { R::turns_backward(row, side) }
        });
        let stops = (turns | !row.here) & ahead;
        if stops != 0 {
            let bit = if FORWARD { stops.trailing_zeros() } else { 63 - stops.leading_zeros() };
            return ScanEnd {
                bit: index * 64 + bit as usize,
                is_jump_point: row.here >> bit & 1 == 1,
                words,
            };
        }
        if FORWARD {
            index += 1;
        } else {
            index -= 1;
        }
        ahead = !0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cell by cell, as the rules read.
    fn walk(bits: &BitGrid, line: usize, from: usize, step: isize, rule: &str) -> (usize, bool) {
        let open = |line: usize, bit: usize| bits.line(line)[bit / 64] >> (bit % 64) & 1 == 1;
        let mut bit = from;
        loop {
            bit = bit.checked_add_signed(step).unwrap();
            let (ahead, behind) = (bit.saturating_add_signed(step), bit.saturating_add_signed(-step));
            let must_turn = [line - 1, line + 1].into_iter().any(|beside| match rule {
                "past corners" => open(beside, bit) && !open(beside, behind),
                "cut corners" => !open(beside, bit) && open(beside, ahead) && open(line, ahead),
                _ => !open(beside, bit) && open(beside, ahead),
            });
            if !open(line, bit) || must_turn {
                return (bit, open(line, bit));
            }
        }
    }

    #[test]
    fn scans_end_where_a_walk_cell_by_cell_does() {
        let (width, height) = (150_u32, 9_u32);
        for sparse in [2, 9, 60] {
            let items: Vec<u32> = (0..width * height)
                .map(|item: u32| (item + sparse).wrapping_mul(2_654_435_761) >> 8)
                .collect();
            let bits = BitGrid::from_rows(width, height, &items, |item| item % sparse != 0);
            for y in 0..height {
                for x in 0..width {
                    if !bits.get(x, y) {
                        continue;
                    }
                    let (line, from) = (y as usize + 1, x as usize + 1);
                    let checks: [(&str, ScanEnd, ScanEnd); 3] = [
                        (
                            "past corners",
                            scan::<PastCorners, true>(&bits, line, from),
                            scan::<PastCorners, false>(&bits, line, from),
                        ),
                        (
                            "cut corners",
                            scan::<CutCorners, true>(&bits, line, from),
                            scan::<CutCorners, false>(&bits, line, from),
                        ),
                        (
                            "cut gaps",
                            scan::<CutGaps, true>(&bits, line, from),
                            scan::<CutGaps, false>(&bits, line, from),
                        ),
                    ];
                    for (rule, forward, backward) in checks {
                        for (end, step) in [(forward, 1), (backward, -1)] {
                            assert_eq!(
                                (end.bit, end.is_jump_point),
                                walk(&bits, line, from, step, rule),
                                "{rule} from {x}, {y} by {step}"
                            );
                        }
                    }
                }
            }
        }
    }
}
