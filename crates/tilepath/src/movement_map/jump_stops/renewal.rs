//! The bits follow edits: what depends on edited cells is found again, along each line as far as it has changed.

use super::{
    DIAGONALS, JumpStops, ScanInput, Scans,
    diagonal_stops::{Line, Run},
    reaching, stops_of_word,
};
use crate::{
    bit_grid::BitGrid,
    cell::Direction,
    movement::Diagonals,
    movement_map::area::Area,
};

/// Cells side by side in a word of a line from which scans in a direction now end elsewhere.
struct Changed {
    direction: Direction,
    /// Counted with the border.
    line: usize,
    word: usize,
    cells: u64,
}

impl JumpStops {
    /// Follows edits of cells in these rectangles that rows and masks have taken already.
    ///
    /// # Complexity
    /// O(cells of the rectangles), and O(1) for each cell from which scans now end elsewhere; O(cells of the map) at most.
    pub(crate) fn follow_edits(&mut self, input: ScanInput<'_>, areas: &[Area]) {
        let ScanInput { rows, width, height, .. } = input;
        let cell_count = width as usize * height as usize;
        if areas.iter().map(Area::cell_count).sum::<usize>() * 4 > cell_count.max(1024) {
            *self = Self::new(input);
            return;
        }
        for (x, y) in areas.iter().flat_map(Area::cells) {
            self.columns.set(y, x, rows.get(x, y));
        }
        let mut changed = Vec::new();
        let Self { rule, columns, east, west, north, south, .. } = self;
        for area in areas {
            for (direction, scans) in [(Direction::East, &mut *east), (Direction::West, &mut *west)] {
                scans.renew(rows, *rule, direction, area, &mut changed);
            }
            let exchanged = Area { columns: area.rows.clone(), rows: area.columns.clone() };
            for (direction, scans) in [(Direction::North, &mut *north), (Direction::South, &mut *south)] {
                scans.renew(columns, *rule, direction, &exchanged, &mut changed);
            }
        }
        if changed.iter().map(|changed| changed.cells.count_ones() as usize).sum::<usize>() > cell_count {
            self.look_everywhere(input);
            return;
        }
        for changed in &changed {
            self.follow_scans(input, changed);
        }
        for (x, y) in areas.iter().flat_map(|area| area.grown(1, width, height).cells()) {
            self.look(input, x, y);
        }
    }

    /// Sets the bits on diagonals of open cells from which scans in one direction now end elsewhere.
    fn follow_scans(&mut self, input: ScanInput<'_>, changed: &Changed) {
        let &Changed { direction, line, word, cells } = changed;
        let is_row = matches!(direction, Direction::East | Direction::West);
        let reaches = self.scans(direction).reaches_jump_point.line(line)[word];
        for (is_reaching, mut rest) in [(true, cells & reaches), (false, cells & !reaches)] {
            while rest != 0 {
                let first = rest.trailing_zeros();
                let count = (!(rest >> first)).trailing_zeros();
                rest &= !(u64::MAX >> (u64::BITS - count) << first);
                // The border takes the first place of each line, and the first line.
                let (place, line) = ((word * 64) as u32 + first - 1, line as u32 - 1);
                let run = if is_row {
                    Run { x: place, y: line, line: Line::Row, count }
                } else {
                    Run { x: line, y: place, line: Line::Column, count }
                };
                for aside in [direction.turned(7), direction.turned(1)] {
                    self.follow_run(input, direction, aside, &run, is_reaching);
                }
            }
        }
    }

    /// Sets the bits of one diagonal direction, which lies beside a straight one, for cells from which scans in the straight
    /// direction all end at a jump point or all do not.
    fn follow_run(
        &mut self,
        input: ScanInput<'_>,
        straight: Direction,
        diagonal: Direction,
        run: &Run,
        is_reaching: bool,
    ) {
        if is_reaching {
            self.diagonal_stops.set_run(diagonal, run, |_, _| true);
            return;
        }
        let Self { diagonal_stops, turns, east, west, north, south, .. } = self;
        // The other straight direction beside the diagonal one.
        let other = if diagonal.turned(1) == straight { diagonal.turned(7) } else { diagonal.turned(1) };
        let others = match other {
            Direction::East => east,
            Direction::West => west,
            Direction::North => north,
            _ => south,
        };
        let turn = DIAGONALS.iter().position(|&known| known == diagonal).unwrap_or_default();
        let must_turn =
            |x: u32, y: u32| turns[usize::from(input.neighbour_masks.at(x, y))] >> turn & 1 == 1;
        let reaches = &others.reaches_jump_point;
        if matches!(other, Direction::East | Direction::West) {
            diagonal_stops.set_run(diagonal, run, |x, y| reaches.get(x, y) | must_turn(x, y));
        } else {
            diagonal_stops.set_run(diagonal, run, |x, y| reaches.get(y, x) | must_turn(x, y));
        }
    }

    /// Sets a cell's bits on the diagonals through it.
    fn look(&mut self, input: ScanInput<'_>, x: u32, y: u32) {
        let turns = self.turns[usize::from(input.neighbour_masks.at(x, y))];
        let is_closed = !input.rows.get(x, y);
        let [north, east, south, west] = [Direction::North, Direction::East, Direction::South, Direction::West]
            .map(|direction| self.reaches_jump_point(direction, x, y));
        let leads = [north | east, south | east, south | west, north | west];
        // No walk comes to a closed cell; whatever lies beside it, it has one value.
        let must_look = std::array::from_fn(|index| is_closed | (turns >> index & 1 == 1) | leads[index]);
        self.diagonal_stops.set(x, y, must_look);
    }
}

impl Scans {
    /// Finds again what depends on the cells of a rectangle, in whose columns the lines run, and tells of the cells from which
    /// scans now end elsewhere. A cell may come twice where rectangles share lines.
    fn renew(
        &mut self,
        open: &BitGrid,
        rule: Diagonals,
        direction: Direction,
        area: &Area,
        changed: &mut Vec<Changed>,
    ) {
        // The border takes the first place of each line, and the first line.
        let (first, last) = (area.columns.start as usize / 64, (area.columns.end as usize + 1) / 64);
        let lines = (area.rows.start as usize).max(1)..=(area.rows.end as usize + 1).min(open.lines() - 2);
        for line in lines {
            let around = [line - 1, line, line + 1].map(|line| open.line(line));
            let stops = self.stops.line_mut(line);
            for word in first..=last {
                stops[word] = stops_of_word(around, rule, self.is_forward, word);
            }
            let (stops, open) = (self.stops.line(line), around[1]);
            let known = self.reaches_jump_point.line_mut(line);
            let mut tell = |word: usize, found: u64, known: &mut u64| {
                // Only open cells count: no scan begins at a closed one.
                let cells = (found ^ *known) & open[word];
                *known = found;
                if cells != 0 {
                    changed.push(Changed { direction, line, word, cells });
                }
            };
            // A bit is the carry into it, so the first bit of a word is the carry into the word. Where that is as it was,
            // and no stop was found again, so is the rest of the line.
            if self.is_forward {
                let mut carry = known[last] >> 63 == 1;
                for word in (0..=last).rev() {
                    if word < first && (known[word] >> 63 == 1) == carry {
                        break;
                    }
                    let found;
                    (found, carry) = reaching(stops[word].reverse_bits(), open[word].reverse_bits(), carry);
                    tell(word, found.reverse_bits(), &mut known[word]);
                }
            } else {
                let mut carry = known[first] & 1 == 1;
                for word in first..known.len() {
                    if word > last && (known[word] & 1 == 1) == carry {
                        break;
                    }
                    let found;
                    (found, carry) = reaching(stops[word], open[word], carry);
                    tell(word, found, &mut known[word]);
                }
            }
        }
    }
}
