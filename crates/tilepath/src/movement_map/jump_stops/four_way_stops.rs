//! Stops of jumps in four directions.
//!
//! A path takes its vertical steps first ([pruning](crate::movement_map::pruning), lemma 5). So a
//! vertical walk turns aside at any cell, and a horizontal scan turns only past the corner of an
//! obstacle. The two need different stops:
//!
//! ```text
//! . . . . .        a scan east from p stops at J, where n opens behind a corner;
//! . # n . .        a walk north from w stops at p, because the scan from p ends at a jump point
//! p . J . .
//! w . . . .
//! ```

use super::{
    ScanInput, Scans,
    bit_strips::BitStrips,
    renewal::{Place, cells_in, renew},
};
use crate::{bit_grid::BitGrid, cell::Direction, movement::Diagonals, movement_map::area::Area};

/// The data for jumps in four directions: a bit for each cell and kind of scan.
///
/// # Memory
/// Five bits a cell. If the map is less than 64 cells wide or high: at most words of 64 bits for
/// each of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FourWayStops {
    east: Scans,
    west: Scans,
    /// The cells at which a vertical walk stops, columns as lines: closed cells, and those from
    /// which a horizontal scan ends at a jump point.
    turns: BitStrips,
}

impl FourWayStops {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(ScanInput { rows, width, height, .. }: ScanInput<'_>) -> Self {
        let [east, west] =
            [true, false].map(|is_forward| Scans::new(rows, width, Diagonals::Never, is_forward));
        let mut stops = Self { east, west, turns: BitStrips::new(height, width) };
        let mut turns = BitGrid::new(width, height);
        for line in 1..=height as usize {
            for word in 0..stops.east.reaches_jump_point.line_words() {
                *turns.word_mut(line, word) = stops.turns_of_word(rows, line, word);
            }
        }
        stops.turns.shear(&turns, height, |line, _| line);
        for place in [0, height as usize + 1] {
            stops.turns.set_all(place);
        }
        stops
    }

    pub(crate) fn bytes(&self) -> usize {
        let scans =
            [&self.east, &self.west].map(|scans| scans.stops.bytes() + scans.reaches_jump_point.bytes());
        scans[0] + scans[1] + self.turns.bytes()
    }

    /// Returns the cells of a word of a row at which a vertical walk stops.
    fn turns_of_word(&self, rows: &BitGrid, line: usize, word: usize) -> u64 {
        let [east, west] = [&self.east, &self.west].map(|scans| scans.reaches_jump_point.strip(word)[line]);
        east | west | !rows.line(line)[word]
    }

    /// Updates the bits after edits of cells in these rectangles. The rows must be up to date.
    ///
    /// # Complexity
    /// O(cells of the rectangles), and O(1) for each cell from which scans now end elsewhere;
    /// O(cells of the map) at most.
    pub(crate) fn follow_edits(&mut self, input: ScanInput<'_>, areas: &[Area]) {
        let ScanInput { rows, width, height, .. } = input;
        let cell_count = width as usize * height as usize;
        if areas.iter().map(Area::cell_count).sum::<usize>() * 4 > cell_count.max(1024) {
            *self = Self::new(input);
            return;
        }
        let mut changed = Vec::new();
        for area in areas {
            let scans = [&mut self.east, &mut self.west];
            renew(scans, rows, Diagonals::Never, area, |_, place, _| changed.push(place));
        }
        for area in areas {
            let around = area.grown(1, width, height);
            let Some(last) = around.columns.end.checked_sub(1) else { continue };
            let places = around.columns.start as usize + 1..=last as usize + 1;
            for line in around.rows.start as usize + 1..=around.rows.end as usize {
                for word in places.start() / 64..=places.end() / 64 {
                    changed.push(Place { line, word, cells: cells_in(&places, word) });
                }
            }
        }
        for Place { line, word, cells } in changed {
            self.take_turns(self.turns_of_word(rows, line, word), Place { line, word, cells });
        }
    }

    /// Sets the stops of vertical walks at some cells of a word of a row.
    fn take_turns(&mut self, turns: u64, Place { line, word, cells }: Place) {
        let mut rest = cells;
        while rest != 0 {
            let first = rest.trailing_zeros() as usize;
            let count = (!(rest >> first)).trailing_zeros() as usize;
            rest &= !(u64::MAX >> (64 - count) << first);
            self.turns.set_across(line, word * 64 + first, count, turns >> first);
        }
    }

    /// Returns the scans to the east or the west.
    #[inline]
    pub(crate) const fn scans(&self, direction: Direction) -> &Scans {
        match direction {
            Direction::East => &self.east,
            _ => &self.west,
        }
    }

    /// Returns the number of steps that a walk to the north or the south goes before it must look
    /// around. The last of these cells may be closed or off the map.
    #[inline]
    pub(crate) fn walk(&self, direction: Direction, x: u32, y: u32, words: &mut u64) -> u32 {
        // The border has the first line, and the first place of each line.
        let (line, place) = (x as usize + 1, y as usize + 1);
        let stop = match direction {
            Direction::North => self.turns.next_set(line, place, words),
            _ => self.turns.previous_set(line, place, words),
        };
        stop.abs_diff(place) as u32
    }
}

#[cfg(test)]
mod tests;
