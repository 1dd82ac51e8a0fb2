//! Jump point rules for 64 cells of a line at once.
//!
//! **Lemma 1.** A straight scan must stop at an open cell J exactly if
//! [pruning](crate::movement_map::pruning) leaves a step aside. If no corner may be cut: a cell
//! beside J is open, and the cell behind that one is closed. (The step ahead to that side needs the
//! cell beside to be open too.)
//!
//! If corners may be cut: a cell beside J is closed, and the cell ahead of that one is open. If a
//! diagonal step may pass at most one obstacle, the cell ahead of J must be open too.
//!
//! **Lemma 2.** Let J be the bits of the jump points: stops at open cells. Let P be the bits of all
//! cells except stops at closed cells. The carry into bit n of the sum P + J is set exactly if a
//! scan back from n ends at a jump point. At a jump point, both bits are set and make a carry. At a
//! closed stop, neither bit is set and a carry ends. At any other cell, P alone passes the carry
//! on.
//!
//! A bit of the sum is P ^ J ^ carry, so the carry is P ^ J ^ sum. Scans forward work in the same
//! way, with the bits of all words reversed.
//!
//! **Lemma 3.** A diagonal walk goes straight on from a cell if the next step is allowed and
//! pruning leaves no step aside. By lemma 4 of pruning, a step at a quarter of a turn is left if
//! two things hold. It is allowed, and the cell behind it, at three eighths of a turn, is closed.

use crate::{cell::Direction, movement::Diagonals};

/// A word of a line and the words on either side of it.
#[derive(Clone, Copy)]
struct Words {
    before: u64,
    here: u64,
    after: u64,
}

impl Words {
    #[inline]
    fn of(line: &[u64], index: usize) -> Self {
        let word = |index: Option<usize>| index.and_then(|index| line.get(index)).copied().unwrap_or(0);
        Self { before: word(index.checked_sub(1)), here: line[index], after: word(Some(index + 1)) }
    }

    /// Returns for each cell whether the cell before it, in the direction of the scan, is open.
    const fn behind(self, forward: bool) -> u64 {
        if forward { self.lower() } else { self.higher() }
    }

    /// Returns for each cell whether the cell after it, in the direction of the scan, is open.
    const fn ahead(self, forward: bool) -> u64 {
        if forward { self.higher() } else { self.lower() }
    }

    const fn lower(self) -> u64 {
        self.here << 1 | self.before >> 63
    }

    const fn higher(self) -> u64 {
        self.here >> 1 | self.after << 63
    }
}

/// Returns the cells of a word at which a scan stops, given the line below, the line of the word,
/// and the line above.
#[inline]
pub(super) fn stops_of_word(around: [&[u64]; 3], rule: Diagonals, forward: bool, index: usize) -> u64 {
    let [below, here, above] = around.map(|line| Words::of(line, index));
    // Lemma 1.
    let turns = |beside: Words| match rule {
        // Past the corner of an obstacle, where the line beside opens.
        Diagonals::OnlyWhenNoObstacles | Diagonals::Never => beside.here & !beside.behind(forward),
        // Around the corner of an obstacle, where the line beside is about to open and this line
        // goes on.
        Diagonals::IfAtMostOneObstacle => !beside.here & beside.ahead(forward) & here.ahead(forward),
        // Around the corner of an obstacle, even if this line ends.
        Diagonals::Always => !beside.here & beside.ahead(forward),
    };
    turns(below) | turns(above) | !here.here
}

/// Returns the cells of a word that lead to a jump point, given the carry into the word. Sets
/// `carry` to the carry out of it. The carry runs against the scan.
#[inline]
pub(super) const fn reaching_of_word(stops: u64, open: u64, forward: bool, carry: &mut bool) -> u64 {
    if stops == 0 {
        return if *carry { u64::MAX } else { 0 };
    }
    let (stops, open) = if forward { (stops.reverse_bits(), open.reverse_bits()) } else { (stops, open) };
    // Lemma 2.
    let jump_points = stops & open;
    let passing = !stops | jump_points;
    let (sum, first) = passing.overflowing_add(jump_points);
    let (sum, second) = sum.overflowing_add(*carry as u64);
    *carry = first || second;
    let found = passing ^ jump_points ^ sum;
    if forward { found.reverse_bits() } else { found }
}

/// For each direction, the cells of a word that have an open neighbour there.
#[derive(Clone, Copy)]
pub(super) struct OpenNeighbours([u64; 8]);

impl OpenNeighbours {
    /// Reads a word of a row, given the row below, the row of the word, and the row above.
    #[inline]
    pub(super) fn in_row(around: [&[u64]; 3], index: usize) -> Self {
        let [below, here, above] = around.map(|line| Words::of(line, index));
        Self([
            above.here,
            above.higher(),
            here.higher(),
            below.higher(),
            below.here,
            below.lower(),
            here.lower(),
            above.lower(),
        ])
    }

    /// Reads a word of a column, given the column before, the column of the word, and the column
    /// after.
    #[inline]
    pub(super) fn in_column(around: [&[u64]; 3], index: usize) -> Self {
        let [west, here, east] = around.map(|line| Words::of(line, index));
        Self([
            here.higher(),
            east.higher(),
            east.here,
            east.lower(),
            here.lower(),
            west.lower(),
            west.here,
            west.higher(),
        ])
    }

    /// Returns the cells from which a diagonal walk cannot go straight on.
    #[inline]
    pub(super) fn must_turn(&self, rule: Diagonals, direction: Direction) -> u64 {
        let open = |turns: usize| self.0[(direction as usize + turns) % 8];
        let is_allowed = |turns: usize| {
            let sides = [open(turns + 7), open(turns + 1)];
            let passes = match rule {
                Diagonals::Never => 0,
                Diagonals::OnlyWhenNoObstacles => sides[0] & sides[1],
                Diagonals::IfAtMostOneObstacle => sides[0] | sides[1],
                Diagonals::Always => !0,
            };
            open(turns) & passes
        };
        // Lemma 3.
        !is_allowed(0) | is_allowed(2) & !open(3) | is_allowed(6) & !open(5)
    }
}
