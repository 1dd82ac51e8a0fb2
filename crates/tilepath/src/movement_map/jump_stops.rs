//! Where scans for jump points stop, a bit a cell for each direction.
//!
//! A row of the map is a line of bits, the border of zeros first; for scans north and south the same is kept with columns and
//! rows exchanged, so that every scan runs along a line, forward to higher bits (east, north) or back to lower ones.
//!
//! ```text
//! bit      0 1 2 3 4 5 6          line y + 1 of a map of five columns; `|` is the border
//!          | . # n . . |          the line above
//!          | p . J . # |          a scan east from p stops at J, where n opens behind a corner;
//!          | . . . . . |          where corners may be cut it stops at bit 2 already (lemma 1)
//! ```
//!
//! **Lemma 1.** A straight scan must stop at an open cell J exactly where [pruning](super::pruning) leaves a step aside. Where
//! no corner may be cut that is a cell beside J that is open while the one behind it is closed; the step ahead to that side
//! needs the cell beside to be open too. Where corners may be cut it is a closed cell beside J with an open one ahead of it,
//! and, where a diagonal step may pass one obstacle only, an open cell ahead of J.
//!
//! **Lemma 2.** Of the bits J (jump points: stops at open cells) and P (cells that are no closed stops) the carry into bit n of
//! the sum P + J tells whether a scan back from n ends at a jump point. For at a jump point both are set and make a carry, at
//! a closed stop neither is and a carry ends, and at any other cell P alone hands it on. A sum's bit is P ^ J ^ carry, so the
//! carry is P ^ J ^ sum. Scans forward are the same with the bits of all words reversed.
//!
//! **Lemma 3.** With one bit in each byte of a word at most, the lowest, the product with the sum of all 2^(7m) for m from 1 to
//! 8 gathers them in its highest byte. The bit of byte k comes to 8k + 7m: with m = 8 - k that is place 56 + k, and no two
//! products share a place, so there is no carry.

mod diagonal_stops;
mod renewal;

use self::diagonal_stops::DiagonalStops;
use super::{neighbour_masks::NeighbourMasks, pruning::MoveTable};
use crate::{bit_grid::BitGrid, cell::Direction, movement::Diagonals};

/// What scans for jump points need to know, made once, so that a scan is a search for the next bit.
///
/// # Memory
/// Some seventeen bits a cell; where the map is less than 64 cells wide or high, words of 64 bits for each line of it and each
/// diagonal, at most 20 words a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JumpStops {
    rule: Diagonals,
    /// By open neighbours: the diagonal walks that cannot go straight on, a bit each in the order of [`DIAGONALS`].
    turns: Box<[u8; 256]>,
    /// The passable cells with columns and rows exchanged: scans to the north and south run along its lines.
    columns: BitGrid,
    east: Scans,
    west: Scans,
    north: Scans,
    south: Scans,
    diagonal_stops: DiagonalStops,
}

/// What a movement map knows of its cells that scans are made from.
#[derive(Clone, Copy)]
pub(crate) struct ScanInput<'map> {
    pub(crate) rows: &'map BitGrid,
    pub(crate) neighbour_masks: &'map NeighbourMasks,
    pub(crate) pruned: &'map MoveTable,
    pub(crate) rule: Diagonals,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl ScanInput<'_> {
    /// Whether a diagonal walk cannot go straight on from a cell with these open neighbours.
    fn must_turn(&self, direction: Direction, open: u8) -> bool {
        let pruned_successors = self.pruned.directions(Some(direction), open);
        let aside = 1 << direction.turned(2) as u8 | 1 << direction.turned(6) as u8;
        pruned_successors >> direction as u8 & 1 == 0 || pruned_successors & aside != 0
    }
}

/// The diagonal directions in compass order.
const DIAGONALS: [Direction; 4] =
    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];

/// All scans in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scans {
    is_forward: bool,
    /// The cells at which a scan must stop: closed ones, and those where a cheapest path may have to turn.
    stops: BitGrid,
    /// The cells from which a scan ends at an open cell, which is a jump point, and not at a closed one.
    reaches_jump_point: BitGrid,
}

impl JumpStops {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(input: ScanInput<'_>) -> Self {
        let ScanInput { rows, rule, width, height, .. } = input;
        let columns = rows.transposed(width, height);
        let [east, west] = [true, false].map(|is_forward| Scans::new(rows, rule, is_forward));
        let [north, south] = [true, false].map(|is_forward| Scans::new(&columns, rule, is_forward));
        let turns = std::array::from_fn(|open| {
            (0..4).fold(0, |turns, index| {
                turns | u8::from(input.must_turn(DIAGONALS[index], open as u8)) << index
            })
        });
        let mut lines = Self {
            rule,
            turns: Box::new(turns),
            columns,
            east,
            west,
            north,
            south,
            diagonal_stops: DiagonalStops::new(width, height),
        };
        lines.look_everywhere(input);
        lines
    }

    pub(crate) fn bytes(&self) -> usize {
        let scans = [&self.east, &self.west, &self.north, &self.south];
        let scans: usize =
            scans.iter().map(|scans| scans.stops.bytes() + scans.reaches_jump_point.bytes()).sum();
        scans + self.columns.bytes() + self.diagonal_stops.bytes()
    }

    /// Sets all bits on diagonals: what [`look`](Self::look) does for one cell, 64 cells at a time.
    fn look_everywhere(&mut self, input: ScanInput<'_>) {
        let ScanInput { rows, neighbour_masks, width, height, .. } = input;
        let [north, south] =
            [&self.north, &self.south].map(|scans| scans.reaches_jump_point.transposed(height, width));
        let leads = [
            [&north, &self.east.reaches_jump_point],
            [&south, &self.east.reaches_jump_point],
            [&south, &self.west.reaches_jump_point],
            [&north, &self.west.reaches_jump_point],
        ];
        let mut planes = [0, 1, 2, 3].map(|_| BitGrid::new(width, height));
        let mut must_turn = [0, 1, 2, 3].map(|_| vec![0_u64; (width as usize).div_ceil(64)]);
        for y in 0..height {
            for words in &mut must_turn {
                words.fill(0);
            }
            for (eight, open) in neighbour_masks.row(y).chunks(8).enumerate() {
                let turns = open
                    .iter()
                    .rev()
                    .fold(0, |bytes, &open| bytes << 8 | u64::from(self.turns[usize::from(open)]));
                for (index, words) in must_turn.iter_mut().enumerate() {
                    words[eight / 8] |= lowest_bits(turns >> index) << (8 * (eight % 8));
                }
            }
            let line = y as usize + 1;
            for (index, plane) in planes.iter_mut().enumerate() {
                plane.set_row_words(y, &must_turn[index]);
                for word in 0..plane.row_words() {
                    let led = leads[index][0].line(line)[word] | leads[index][1].line(line)[word];
                    let open = rows.line(line)[word];
                    // Closed cells have one value, whatever lies beside them; beyond the map there is nothing to look at.
                    *plane.word_mut(line, word) |= led & open | !open & on_map(width, word);
                }
            }
        }
        self.diagonal_stops.fill(planes, width, height);
    }

    /// Whether a scan in a straight direction from the cell at column x, row y ends at a jump point.
    #[inline]
    pub(crate) fn reaches_jump_point(&self, direction: Direction, x: u32, y: u32) -> bool {
        let is_row = matches!(direction, Direction::East | Direction::West);
        let (x, y) = if is_row { (x, y) } else { (y, x) };
        self.scans(direction).reaches_jump_point.get(x, y)
    }

    /// How many steps a diagonal walk that may begin goes before it must look around.
    #[inline]
    pub(crate) fn walk(&self, direction: Direction, x: u32, y: u32, words: &mut u64) -> u32 {
        self.diagonal_stops.walk(direction, x, y, words)
    }

    /// The scans in a straight direction; columns and rows are exchanged for north and south.
    #[inline]
    pub(crate) const fn scans(&self, direction: Direction) -> &Scans {
        match direction {
            Direction::East => &self.east,
            Direction::West => &self.west,
            Direction::North => &self.north,
            _ => &self.south,
        }
    }
}

/// The lowest bit of each of eight bytes (lemma 3).
const fn lowest_bits(bytes: u64) -> u64 {
    (bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The bits of a word of a row that stand for cells of the map.
const fn on_map(width: u32, word: usize) -> u64 {
    // The border takes the first place and the one past the last column.
    let first = if word == 0 { 1 } else { 0 };
    let end = (width as usize + 1).saturating_sub(word * 64);
    let below = if end >= 64 { u64::MAX } else { (1 << end) - 1 };
    below & (u64::MAX << first)
}

impl Scans {
    fn new(open: &BitGrid, rule: Diagonals, is_forward: bool) -> Self {
        let mut scans = Self { is_forward, stops: open.emptied(), reaches_jump_point: open.emptied() };
        for line in 1..open.lines() - 1 {
            let stops = scans.stops.line_mut(line);
            let around = [line - 1, line, line + 1].map(|line| open.line(line));
            for (index, stops) in stops.iter_mut().enumerate() {
                *stops = stops_of_word(around, rule, is_forward, index);
            }
            let leads = scans.reaches_jump_point.line_mut(line);
            find_reaching(scans.stops.line(line), open.line(line), is_forward, |index, found| {
                leads[index] = found;
            });
        }
        scans
    }

    /// The cells at which a scan stops.
    #[inline]
    pub(crate) const fn stops(&self) -> &BitGrid {
        &self.stops
    }

    /// The cells from which a scan ends at a jump point.
    #[inline]
    pub(crate) const fn reaches_jump_point(&self) -> &BitGrid {
        &self.reaches_jump_point
    }
}

/// A word of a line and those on either side of it.
#[derive(Clone, Copy)]
struct Words {
    before: u64,
    here: u64,
    after: u64,
}

impl Words {
    fn of(line: &[u64], index: usize) -> Self {
        let word = |index: Option<usize>| index.and_then(|index| line.get(index)).copied().unwrap_or(0);
        Self { before: word(index.checked_sub(1)), here: line[index], after: word(Some(index + 1)) }
    }

    /// For each cell whether the one before it on the way of the scan is open.
    const fn behind(self, forward: bool) -> u64 {
        if forward { self.lower() } else { self.higher() }
    }

    /// For each cell whether the one after it on the way of the scan is open.
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

/// The cells of a word at which a scan stops, given the lines below, of the word itself, and above.
#[inline]
fn stops_of_word(around: [&[u64]; 3], rule: Diagonals, forward: bool, index: usize) -> u64 {
    let [below, here, above] = around.map(|line| Words::of(line, index));
    // Lemma 1.
    let turns = |beside: Words| match rule {
        // Past the corner of an obstacle, where the line beside opens.
        Diagonals::OnlyWhenNoObstacles | Diagonals::Never => beside.here & !beside.behind(forward),
        // Around the corner of an obstacle, where the line beside is about to open and this one goes on.
        Diagonals::IfAtMostOneObstacle => !beside.here & beside.ahead(forward) & here.ahead(forward),
        // The same, also where this line ends.
        Diagonals::Always => !beside.here & beside.ahead(forward),
    };
    turns(below) | turns(above) | !here.here
}

/// Whether a scan leads to a jump point runs through a line as a carry runs through a sum: an open stop makes one, a
/// closed stop ends it, any other cell hands it on. Tells of each word which cells lead to one.
#[inline]
fn find_reaching(stops: &[u64], open: &[u64], is_forward: bool, mut found: impl FnMut(usize, u64)) {
    let mut carry = false;
    let mut next = |stops: u64, open: u64| {
        let found;
        (found, carry) = reaching(stops, open, carry);
        found
    };
    let words = stops.iter().zip(open).enumerate();
    if is_forward {
        for (index, (stops, open)) in words.rev() {
            found(index, next(stops.reverse_bits(), open.reverse_bits()).reverse_bits());
        }
    } else {
        for (index, (&stops, &open)) in words {
            found(index, next(stops, open));
        }
    }
}

/// Which cells of a word lead to a jump point, given the carry into it; and the carry out of it.
#[inline]
const fn reaching(stops: u64, open: u64, carry: bool) -> (u64, bool) {
    // Lemma 2.
    let jump_points = stops & open;
    let passing = !stops | jump_points;
    let (sum, first) = passing.overflowing_add(jump_points);
    let (sum, second) = sum.overflowing_add(carry as u64);
    (passing ^ jump_points ^ sum, first || second)
}

#[cfg(test)]
mod tests;
