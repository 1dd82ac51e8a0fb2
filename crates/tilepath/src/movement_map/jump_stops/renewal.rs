//! Updates of the bits after edits, along each changed line.

use super::{
    DIAGONALS, JumpStops, ScanInput, Scans,
    word_rules::{OpenNeighbours, reaching_of_word, stops_of_word},
};
use crate::{bit_grid::BitGrid, cell::Direction, movement::Diagonals, movement_map::area::Area};
use std::ops::RangeInclusive;

/// Cells of a word of a line whose bits are to be found again. Line and word are counted with the
/// border.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) word: usize,
    pub(super) cells: u64,
}

/// Cells of a word of a line from which scans now end elsewhere.
#[derive(Clone, Copy)]
struct Change {
    straight: Direction,
    place: Place,
    /// The cells from which a scan now ends at a jump point.
    gained: u64,
}

impl JumpStops {
    /// Updates the bits after edits of cells in these rectangles. The rows must be up to date.
    ///
    /// # Complexity
    /// O(cells of the rectangles), and O(1) for each cell from which scans now end elsewhere;
    /// O(cells of the map) at most.
    pub(crate) fn follow_edits(&mut self, input: ScanInput<'_>, areas: &[Area]) {
        let ScanInput { rows, rule, width, height } = input;
        let cell_count = width as usize * height as usize;
        if areas.iter().map(Area::cell_count).sum::<usize>() * 4 > cell_count.max(1024) {
            *self = Self::new(input);
            return;
        }
        for area in areas {
            self.columns.exchange_from(rows, area.columns.clone(), area.rows.clone());
        }
        let mut changed = Vec::new();
        let mut changed_count = 0;
        let Self { columns, east, west, north, south, .. } = self;
        for area in areas {
            let exchanged = Area { columns: area.rows.clone(), rows: area.columns.clone() };
            for (scans, straights, open, area) in [
                ([&mut *east, &mut *west], [Direction::East, Direction::West], rows, area),
                ([&mut *north, &mut *south], [Direction::North, Direction::South], &*columns, &exchanged),
            ] {
                renew(scans, open, rule, area, |scan, place, gained| {
                    changed_count += place.cells.count_ones() as usize;
                    changed.push(Change { straight: straights[scan], place, gained });
                });
            }
        }
        if changed_count > cell_count {
            self.look_everywhere(input);
            return;
        }
        for change in &changed {
            self.look_beside(input, change);
        }
        for area in areas {
            self.look_around(input, &area.grown(1, width, height));
        }
    }

    /// Sets the bits of all cells of a rectangle on the diagonals through them.
    fn look_around(&mut self, input: ScanInput<'_>, area: &Area) {
        let Some(last) = area.columns.end.checked_sub(1) else { return };
        // The border has the first place of each line, and the first line.
        let places = area.columns.start as usize + 1..=last as usize + 1;
        for line in area.rows.start as usize + 1..=area.rows.end as usize {
            for word in places.start() / 64..=places.end() / 64 {
                self.look_at(input, Place { line, word, cells: cells_in(&places, word) });
            }
        }
    }

    /// Sets the bits of cells of a row for all diagonal directions.
    fn look_at(&mut self, input: ScanInput<'_>, place: Place) {
        let Place { line, word, cells } = place;
        let around = [line - 1, line, line + 1].map(|line| input.rows.line(line));
        let open = OpenNeighbours::in_row(around, word);
        // Closed cells have one value, whatever lies beside them.
        let closed = !around[1][word];
        let [east, west] =
            [&self.east, &self.west].map(|scans| scans.reaches_jump_point.strip(word)[line] | closed);
        let unknown = cells & !(east & west);
        let [north, south] =
            [&self.north, &self.south].map(|scans| scans.reaches_jump_point.across(line, word * 64, unknown));
        let leads = [north | east, south | east, south | west, north | west];
        for (diagonal, led) in DIAGONALS.into_iter().zip(leads) {
            let must_look = led | open.must_turn(input.rule, diagonal);
            self.diagonal_stops.set_word(diagonal, true, [line, word], cells, must_look);
        }
    }

    /// Sets the bits of cells of a row or column for two diagonal directions: those beside the
    /// straight direction in which scans now end elsewhere.
    fn look_beside(&mut self, input: ScanInput<'_>, change: &Change) {
        let &Change { straight, place: Place { line, word, cells }, gained } = change;
        let is_row = matches!(straight, Direction::East | Direction::West);
        let [left, right] = [7, 1].map(|turns| straight.turned(turns));
        // A jump point beside a cell is enough to set its bit.
        if gained != 0 {
            for diagonal in [left, right] {
                self.diagonal_stops.set_word(diagonal, is_row, [line, word], gained, u64::MAX);
            }
        }
        let lost = cells & !gained;
        if lost == 0 {
            return;
        }
        let map = if is_row { input.rows } else { &self.columns };
        let around = [line - 1, line, line + 1].map(|line| map.line(line));
        let open = if is_row {
            OpenNeighbours::in_row(around, word)
        } else {
            OpenNeighbours::in_column(around, word)
        };
        // A line may be computed again twice. Then a cell that lost its jump point may have it
        // again, so the present bits are read.
        let along = self.scans(straight).reaches_jump_point.strip(word)[line];
        for (diagonal, other) in [(left, left.turned(7)), (right, right.turned(1))] {
            let known = along | open.must_turn(input.rule, diagonal);
            let beside = self.scans(other).reaches_jump_point.across(line, word * 64, lost & !known);
            self.diagonal_stops.set_word(diagonal, is_row, [line, word], lost, known | beside);
        }
    }
}

/// Returns the bits of a word of a line that lie at these places.
pub(super) const fn cells_in(places: &RangeInclusive<usize>, word: usize) -> u64 {
    let first = if *places.start() > word * 64 { *places.start() } else { word * 64 };
    let last = if *places.end() < word * 64 + 63 { *places.end() } else { word * 64 + 63 };
    if first > last { 0 } else { u64::MAX << (first % 64) & u64::MAX >> (63 - last % 64) }
}

/// Updates the forward and back scans that depend on the cells of a rectangle. The lines run along
/// its columns.
///
/// Calls `changed` for the open cells from which scans now end elsewhere, with the cells from which
/// they now end at a jump point. Cells in the rectangle and beside it are left out. A cell may come
/// twice if rectangles share lines.
pub(super) fn renew(
    mut scans: [&mut Scans; 2],
    open: &BitGrid,
    rule: Diagonals,
    area: &Area,
    mut changed: impl FnMut(usize, Place, u64),
) {
    // The border has the first place of each line, and the first line.
    let around = area.columns.start as usize..=area.columns.end as usize + 1;
    let words = around.start() / 64..=around.end() / 64;
    let lines = (area.rows.start as usize).max(1)..=(area.rows.end as usize + 1).min(open.lines() - 2);
    for line in lines {
        let beside = [line - 1, line, line + 1].map(|line| open.line(line));
        for word in words.clone() {
            let stops = [true, false].map(|is_forward| stops_of_word(beside, rule, is_forward, word));
            for (scans, stops) in scans.iter_mut().zip(stops) {
                *scans.stops.word_mut(line, word) = stops;
            }
        }
        for (index, scans) in scans.iter_mut().enumerate() {
            scans.renew_leads(beside[1], line, &words, |mut place, gained| {
                place.cells &= !cells_in(&around, place.word);
                if place.cells != 0 {
                    changed(index, place, gained & place.cells);
                }
            });
        }
    }
}

impl Scans {
    /// Updates the cells of a line from which scans end at a jump point, after the stops in these
    /// words were found again.
    fn renew_leads(
        &mut self,
        open: &[u64],
        line: usize,
        words: &RangeInclusive<usize>,
        mut changed: impl FnMut(Place, u64),
    ) {
        let (stops, known) = (self.stops.line(line), &mut self.reaches_jump_point);
        // Each bit is the carry into its place, so the first bit of a word is the carry into the
        // word. If it has not changed and no stop was found again, the rest of the line has not
        // changed either.
        let (mut word, end) =
            if self.is_forward { (*words.end(), 0) } else { (*words.start(), known.line_words() - 1) };
        let carry_into = |known: u64| if self.is_forward { known >> 63 == 1 } else { known & 1 == 1 };
        let mut carry = carry_into(known.strip(word)[line]);
        loop {
            let known = &mut known.strip_mut(word)[line];
            if !words.contains(&word) && carry_into(*known) == carry {
                break;
            }
            let found = reaching_of_word(stops[word], open[word], self.is_forward, &mut carry);
            // Only open cells count: no scan begins at a closed cell.
            let cells = (found ^ *known) & open[word];
            *known = found;
            if cells != 0 {
                changed(Place { line, word, cells }, cells & found);
            }
            if word == end {
                break;
            }
            word = if self.is_forward { word - 1 } else { word + 1 };
        }
    }
}
