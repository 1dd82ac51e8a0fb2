//! Where straight scans for jump points stop, a bit a cell for each of the four directions.

use super::{pruning::MoveTable, surroundings::Surroundings};
use crate::{bit_grid::BitGrid, cell::Direction, movement::Diagonals};

/// What scans for jump points need to know, made once, so that a scan is a search for the next bit.
///
/// # Memory
/// Some seventeen bits a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScanLines {
    rule: Diagonals,
    /// The passable cells with columns and rows exchanged: scans to the north and south run along its lines.
    columns: BitGrid,
    east: Scans,
    west: Scans,
    north: Scans,
    south: Scans,
    rising: Slants,
    falling: Slants,
}

/// What a layer knows of its cells that scans are made from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'layer> {
    pub(crate) rows: &'layer BitGrid,
    pub(crate) surroundings: &'layer Surroundings,
    pub(crate) pruned: &'layer MoveTable,
    pub(crate) rule: Diagonals,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Ground<'_> {
    /// Whether a diagonal walk cannot go straight on from a cell with these open neighbours.
    fn must_turn(&self, direction: Direction, open: u8) -> bool {
        let worthwhile = self.pruned.directions(Some(direction), open);
        let aside = 1 << direction.turned(2) as u8 | 1 << direction.turned(6) as u8;
        worthwhile >> direction as u8 & 1 == 0 || worthwhile & aside != 0
    }
}

/// The diagonal directions in compass order.
const DIAGONALS: [Direction; 4] =
    [Direction::NorthEast, Direction::SouthEast, Direction::SouthWest, Direction::NorthWest];

/// All diagonal walks in two opposite directions. A line of bits is a diagonal of the map, a bit its cell of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Slants {
    /// The cells at which a walk to higher rows must look around: jump points lie beside it, or it cannot go straight on.
    upward: BitGrid,
    /// The same for walks to lower rows.
    downward: BitGrid,
}

/// All scans in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scans {
    is_forward: bool,
    /// The cells at which a scan must stop: closed ones, and those where a cheapest path may have to turn.
    stops: BitGrid,
    /// The cells from which a scan ends at an open cell, which is a jump point, and not at a closed one.
    leads: BitGrid,
}

impl Slants {
    fn empty(width: u32, height: u32) -> Self {
        let empty = BitGrid::new(height, width + height);
        Self { upward: empty.clone(), downward: empty }
    }
}

impl ScanLines {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(ground: Ground<'_>) -> Self {
        let Ground { rows, rule, width, height, .. } = ground;
        let columns = rows.transposed(width, height);
        let [east, west] = [true, false].map(|is_forward| Scans::new(rows, rule, is_forward));
        let [north, south] = [true, false].map(|is_forward| Scans::new(&columns, rule, is_forward));
        let mut lines = Self {
            rule,
            columns,
            east,
            west,
            north,
            south,
            rising: Slants::empty(width, height),
            falling: Slants::empty(width, height),
        };
        lines.look_everywhere(ground);
        lines
    }

    /// Sets all bits on diagonals: what [`look`](Self::look) does for one cell, 64 cells at a time.
    fn look_everywhere(&mut self, ground: Ground<'_>) {
        let Ground { rows, surroundings, width, height, .. } = ground;
        // By open neighbours: the diagonal walks that cannot go straight on, a bit each in the order of `DIAGONALS`.
        let turns: [u8; 256] = std::array::from_fn(|open| {
            (0..4).fold(0, |turns, index| {
                turns | u8::from(ground.must_turn(DIAGONALS[index], open as u8)) << index
            })
        });
        let [north, south] = [&self.north, &self.south].map(|scans| scans.leads.transposed(height, width));
        let leads = [
            [&north, &self.east.leads],
            [&south, &self.east.leads],
            [&south, &self.west.leads],
            [&north, &self.west.leads],
        ];
        let mut planes = [0, 1, 2, 3].map(|_| BitGrid::new(width, height));
        let mut must_turn = [0, 1, 2, 3].map(|_| vec![0_u64; (width as usize).div_ceil(64)]);
        for y in 0..height {
            for words in &mut must_turn {
                words.fill(0);
            }
            for (eight, open) in surroundings.row(y).chunks(8).enumerate() {
                let turns = open
                    .iter()
                    .rev()
                    .fold(0, |bytes, &open| bytes << 8 | u64::from(turns[usize::from(open)]));
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
        let rising = |line: i64, y: i64| line - (i64::from(height) - 1 - y);
        let falling = |line: i64, y: i64| line - y;
        self.rising.upward.shear(&planes[0], height, rising);
        self.falling.downward.shear(&planes[1], height, falling);
        self.rising.downward.shear(&planes[2], height, rising);
        self.falling.upward.shear(&planes[3], height, falling);
    }

    /// Follows an edit of a cell that the ground has taken already.
    ///
    /// # Complexity
    /// O((width + height) / 64), and O(1) for each cell from which scans now end elsewhere.
    pub(crate) fn follow_edit(&mut self, ground: Ground<'_>, x: u32, y: u32) {
        let Ground { rows, width, height, .. } = ground;
        self.columns.set(y, x, rows.get(x, y));
        let mut changed = Vec::new();
        let Self { rule, columns, east, west, north, south, .. } = self;
        for scans in [east, west] {
            scans.follow_edit(rows, *rule, (x, y), |x, y| changed.push((x, y)));
        }
        for scans in [north, south] {
            scans.follow_edit(columns, *rule, (y, x), |y, x| changed.push((x, y)));
        }
        for y in y.saturating_sub(1)..=(y + 1).min(height - 1) {
            for x in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                changed.push((x, y));
            }
        }
        for (x, y) in changed {
            self.look(ground, x, y);
        }
    }

    /// Sets a cell's bits on the diagonals through it.
    fn look(&mut self, ground: Ground<'_>, x: u32, y: u32) {
        let open = ground.surroundings.at(x, y);
        let is_closed = !ground.rows.get(x, y);
        let must_look = |direction: Direction| {
            // No walk comes to a closed cell; whatever lies beside it, it has one value.
            is_closed
                || ground.must_turn(direction, open)
                || [direction.turned(7), direction.turned(1)].into_iter().any(|side| self.leads(side, x, y))
        };
        let [north_east, south_east, south_west, north_west] = DIAGONALS.map(must_look);
        let (rising, falling) = (rising_line(x, y, ground.height), falling_line(x, y));
        self.rising.upward.set(y, rising, north_east);
        self.rising.downward.set(y, rising, south_west);
        self.falling.upward.set(y, falling, north_west);
        self.falling.downward.set(y, falling, south_east);
    }

    /// Whether a scan in a straight direction from the cell at column x, row y ends at a jump point.
    #[inline]
    pub(crate) fn leads(&self, direction: Direction, x: u32, y: u32) -> bool {
        match direction {
            Direction::East => self.east.leads.get(x, y),
            Direction::West => self.west.leads.get(x, y),
            Direction::North => self.north.leads.get(y, x),
            _ => self.south.leads.get(y, x),
        }
    }

    /// How many steps a diagonal walk that may begin goes before it must look around.
    #[inline]
    pub(crate) fn walk(&self, direction: Direction, x: u32, y: u32, height: u32, words: &mut u64) -> u32 {
        let (slants, line) = match direction {
            Direction::NorthEast | Direction::SouthWest => (&self.rising, rising_line(x, y, height)),
            _ => (&self.falling, falling_line(x, y)),
        };
        // The border takes the first place of each line.
        let (line, place) = (line as usize + 1, y as usize + 1);
        let stop = match direction {
            Direction::NorthEast | Direction::NorthWest => slants.upward.next_set(line, place, words),
            _ => slants.downward.previous_set(line, place, words),
        };
        stop.abs_diff(place) as u32
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

/// The lowest bit of each of eight bytes.
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

/// The number of the diagonal to the north-east through a cell.
#[inline]
const fn rising_line(x: u32, y: u32, height: u32) -> u32 {
    x + height - 1 - y
}

/// The number of the diagonal to the south-east through a cell.
#[inline]
const fn falling_line(x: u32, y: u32) -> u32 {
    x + y
}

impl Scans {
    fn new(open: &BitGrid, rule: Diagonals, is_forward: bool) -> Self {
        let mut scans = Self { is_forward, stops: open.emptied(), leads: open.emptied() };
        for line in 1..open.lines() - 1 {
            let stops = scans.stops.line_mut(line);
            let around = [line - 1, line, line + 1].map(|line| open.line(line));
            for (index, stops) in stops.iter_mut().enumerate() {
                *stops = stops_of_word(around, rule, is_forward, index);
            }
            let leads = scans.leads.line_mut(line);
            find_leads(scans.stops.line(line), open.line(line), is_forward, |index, found| {
                leads[index] = found;
            });
        }
        scans
    }

    /// Follows an edit of bit x of line y, both counted without the border, and tells of each bit from which scans now end
    /// elsewhere.
    fn follow_edit(
        &mut self,
        open: &BitGrid,
        rule: Diagonals,
        (x, y): (u32, u32),
        mut changed: impl FnMut(u32, u32),
    ) {
        let (bit, line) = (x as usize + 1, y as usize + 1);
        for line in (line - 1).max(1)..=(line + 1).min(open.lines() - 2) {
            let around = [line - 1, line, line + 1].map(|line| open.line(line));
            for word in (bit - 1) / 64..=(bit + 1) / 64 {
                self.stops.line_mut(line)[word] = stops_of_word(around, rule, self.is_forward, word);
            }
            let leads = self.leads.line_mut(line);
            find_leads(self.stops.line(line), around[1], self.is_forward, |index, found| {
                // Only open cells count: no scan begins at a closed one.
                let mut differences = (found ^ leads[index]) & around[1][index];
                leads[index] = found;
                while differences != 0 {
                    let bit = index * 64 + differences.trailing_zeros() as usize;
                    changed(bit as u32 - 1, line as u32 - 1);
                    differences &= differences - 1;
                }
            });
        }
    }

    /// The cells at which a scan stops.
    #[inline]
    pub(crate) const fn stops(&self) -> &BitGrid {
        &self.stops
    }

    /// The cells from which a scan ends at a jump point.
    #[inline]
    pub(crate) const fn leads(&self) -> &BitGrid {
        &self.leads
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
fn find_leads(stops: &[u64], open: &[u64], is_forward: bool, mut found: impl FnMut(usize, u64)) {
    let mut carry = false;
    let mut leads = |stops: u64, open: u64| {
        let jump_points = stops & open;
        let passing = !stops | jump_points;
        let (sum, first) = passing.overflowing_add(jump_points);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        passing ^ jump_points ^ sum
    };
    let words = stops.iter().zip(open).enumerate();
    if is_forward {
        for (index, (stops, open)) in words.rev() {
            found(index, leads(stops.reverse_bits(), open.reverse_bits()).reverse_bits());
        }
    } else {
        for (index, (&stops, &open)) in words {
            found(index, leads(stops, open));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bounds::Bounds, cell::Cell};

    const RULES: [Diagonals; 3] =
        [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always];

    fn map(width: u32, height: u32, seed: u32, closed_in: u32) -> BitGrid {
        let items: Vec<u32> =
            (0..width * height).map(|item| (item + seed).wrapping_mul(2_654_435_761) >> 8).collect();
        BitGrid::from_rows(width, height, &items, |item| item % closed_in != 0)
    }

    fn with_ground<T>(
        rows: &BitGrid,
        rule: Diagonals,
        width: u32,
        height: u32,
        use_it: impl FnOnce(Ground<'_>) -> T,
    ) -> T {
        let bounds = Bounds::new(Cell::new(0, 0), width, height).unwrap();
        let surroundings = &Surroundings::new(rows, &bounds);
        let pruned = &MoveTable::pruned(rule);
        use_it(Ground { rows, surroundings, pruned, rule, width, height })
    }

    fn lines_of(rows: &BitGrid, rule: Diagonals, width: u32, height: u32) -> ScanLines {
        with_ground(rows, rule, width, height, ScanLines::new)
    }

    /// Cell by cell, as the rules read.
    fn is_stop(rows: &BitGrid, size: (u32, u32), rule: Diagonals, at: (i64, i64), way: (i64, i64)) -> bool {
        let open = |x: i64, y: i64| {
            (0..i64::from(size.0)).contains(&x)
                && (0..i64::from(size.1)).contains(&y)
                && rows.get(x as u32, y as u32)
        };
        let ((x, y), (dx, dy)) = (at, way);
        let must_turn = [(dy, dx), (-dy, -dx)].into_iter().any(|(side_x, side_y)| {
            let beside = |steps: i64| open(x + side_x + steps * dx, y + side_y + steps * dy);
            match rule {
                Diagonals::OnlyWhenNoObstacles | Diagonals::Never => beside(0) && !beside(-1),
                Diagonals::IfAtMostOneObstacle => !beside(0) && beside(1) && open(x + dx, y + dy),
                Diagonals::Always => !beside(0) && beside(1),
            }
        });
        must_turn || !open(x, y)
    }

    fn check(lines: &ScanLines, rows: &BitGrid, rule: Diagonals, width: u32, height: u32) {
        for direction in [Direction::East, Direction::West, Direction::North, Direction::South] {
            let (dx, dy) = direction.offset();
            for y in 0..height {
                for x in 0..width {
                    let found = |bits: &BitGrid| match direction {
                        Direction::East | Direction::West => bits.get(x, y),
                        _ => bits.get(y, x),
                    };
                    let place = format!("{rule}, {direction:?} at {x}, {y} of {width} × {height}");
                    let (dx, dy) = (i64::from(dx), i64::from(dy));
                    let stops = |at| is_stop(rows, (width, height), rule, at, (dx, dy));
                    let mut at = (i64::from(x), i64::from(y));
                    assert_eq!(found(lines.scans(direction).stops()), stops(at), "stop, {place}");
                    if !rows.get(x, y) {
                        continue;
                    }
                    at = (at.0 + dx, at.1 + dy);
                    while !stops(at) {
                        at = (at.0 + dx, at.1 + dy);
                    }
                    let is_open = (0..i64::from(width)).contains(&at.0)
                        && (0..i64::from(height)).contains(&at.1)
                        && rows.get(at.0 as u32, at.1 as u32);
                    assert_eq!(found(lines.scans(direction).leads()), is_open, "lead, {place}");
                }
            }
        }
    }

    #[test]
    fn stops_are_those_of_the_rules_read_cell_by_cell() {
        for (width, height) in [(1, 1), (3, 70), (150, 9), (63, 64), (128, 2)] {
            for closed_in in [2, 5, 40] {
                let rows = map(width, height, closed_in, closed_in);
                for rule in RULES {
                    check(&lines_of(&rows, rule, width, height), &rows, rule, width, height);
                }
            }
        }
    }

    #[test]
    fn edits_lead_to_the_lines_of_a_fresh_build() {
        let (width, height) = (130, 20);
        for rule in RULES {
            let mut rows = map(width, height, 1, 3);
            let mut lines = lines_of(&rows, rule, width, height);
            for step in 0..600_u32 {
                let random = step.wrapping_mul(2_654_435_761) >> 7;
                let (x, y) = (random % width, random / width % height);
                rows.set(x, y, !rows.get(x, y));
                with_ground(&rows, rule, width, height, |ground| lines.follow_edit(ground, x, y));
                assert_eq!(lines, lines_of(&rows, rule, width, height), "{rule}, edit {step}");
            }
        }
    }
}
