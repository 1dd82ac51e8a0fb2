//! Stops of jumps on hexagons: a byte per cell.
//!
//! Three of the six directions lead and three follow (lemma 6 of [pruning](super::pruning)). After
//! a leading step, a path may turn aside anywhere. After a following step, it goes straight on
//! until an obstacle beside it ends. So there are two kinds of walk:
//!
//! ```text
//!  . . . . . .       a walk west (leading) looks from each of its cells to the
//!   . J . . . .      north-west and to the south (following). The scan south from a ends
//!    # . . . . .     at a wall. The one north-west from b ends at J, where it may turn
//!   . . b . a p      west behind the corner of #: a jump point.
//! ```
//!
//! **Lemma 1.** A scan in a following direction must stop at an open cell exactly if pruning leaves
//! a step aside. It ends at a jump point if the next cell is open, and that cell is a jump point or
//! a scan from there ends at one.
//!
//! **Lemma 2.** A walk in a leading direction passes no cell at which an obstacle forces a turn:
//! after a leading step, pruning leaves the same three directions, whatever is closed. So the walk
//! looks aside only where scans end at jump points.
//!
//! **Lemma 3.** The bits of a cell depend on the open cells around it, and on the bits of the next
//! cell in a following direction. So an edit can change the bits of the cells beside it. Against
//! each following direction, it can also change the bits of the cells before, up to the first cell
//! whose bits stay.
//!
//! Decision: `docs/decisions/18-jump-points-on-hexagons.md`.

use super::{
    area::Area,
    neighbour_masks::NeighbourMasks,
    pruning::{FOLLOWING, MoveTable},
};
use crate::{bit_grid::BitGrid, cell::Direction};

/// The flags of each cell, in rows with a border of closed cells.
///
/// # Memory
/// A byte a cell, and 2 KiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HexagonStops {
    flags: Vec<u8>,
    /// The offset from a cell to the cell above it.
    stride: usize,
    /// The directions that pruning leaves.
    successors: MoveTable,
}

/// The data of a movement map from which the flags are made.
#[derive(Clone, Copy)]
pub(crate) struct OpenCells<'map> {
    pub(crate) rows: &'map BitGrid,
    pub(crate) masks: &'map NeighbourMasks,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// The flag of a scan in the first following direction that ends at a jump point; the flags of the
/// other two come after it.
const REACHES: u8 = 1;
/// The flag of a scan in the first following direction that stops here; the flags of the other two
/// come after it.
const STOPS: u8 = 1 << 3;
/// The flag of a closed cell.
pub(crate) const CLOSED: u8 = 1 << 6;

/// Returns the bit of a following direction among the three.
const fn bit_of(following: Direction) -> u8 {
    match following {
        Direction::East => 1,
        Direction::South => 2,
        _ => 4,
    }
}

/// Returns the flag of a scan in a following direction that ends at a jump point.
pub(crate) const fn reaches(following: Direction) -> u8 {
    bit_of(following) * REACHES
}

/// Returns the flag of a scan in a following direction that stops here, at a jump point.
pub(crate) const fn stops(following: Direction) -> u8 {
    bit_of(following) * STOPS
}

/// Returns whether a scan ends at a jump point if the next cell has these flags.
#[inline]
const fn is_reached(following: Direction, next: u8) -> bool {
    next & CLOSED == 0 && next & (reaches(following) | stops(following)) != 0
}

impl HexagonStops {
    /// # Complexity
    /// O(cells).
    pub(crate) fn new(cells: OpenCells<'_>) -> Self {
        let (width, height) = (cells.width as usize, cells.height as usize);
        let stride = width + 2;
        let flags = vec![CLOSED; stride * (height + 2)];
        let mut stops = Self { flags, stride, successors: MoveTable::of_hexagon_jumps() };
        let stops_at = stops_of(&stops.successors);
        for y in 0..height {
            let begin = stops.place(0, y as u32);
            let masks = &cells.masks.bytes()[y * width..][..width];
            let flags = &mut stops.flags[begin..][..width];
            for (x, (flags, &mask)) in flags.iter_mut().zip(masks).enumerate() {
                let closed = if cells.rows.get(x as u32, y as u32) { 0 } else { CLOSED };
                *flags = stops_at[usize::from(mask)] | closed;
            }
        }
        // Runs against each direction, so that the bits on which a bit depends are set before it.
        for line in 1..=height {
            let (next, here) = stops.two_lines(line);
            take_bits(here, next, Direction::South, 0);
            for place in (1..=width).rev() {
                let next = here[place + 1];
                here[place] |= reaches(Direction::East) * u8::from(is_reached(Direction::East, next));
            }
        }
        for line in (1..=height).rev() {
            let (here, next) = stops.two_lines(line + 1);
            take_bits(here, next, Direction::NorthWest, 1);
        }
        stops
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.flags.len()
    }

    /// Returns the directions to follow from a cell that was entered in a direction, given its open
    /// neighbours: bit n for the nth of [`Direction::ALL`].
    #[inline]
    pub(crate) fn successors(&self, arrival: Option<Direction>, open: u8) -> u8 {
        self.successors.directions(arrival, open)
    }

    /// Returns the place of the flags of the cell at column x, row y.
    #[inline]
    pub(crate) const fn place(&self, x: u32, y: u32) -> usize {
        (y as usize + 1) * self.stride + x as usize + 1
    }

    /// Returns the flags at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> u8 {
        self.flags[place]
    }

    /// Returns the offset that a step in a direction adds to a place.
    #[inline]
    const fn offset(&self, direction: Direction) -> isize {
        let (dx, dy) = direction.offset();
        dy as isize * self.stride as isize + dx as isize
    }

    /// Returns the number of steps to the first cell that has any of the flags `wanted`, and the
    /// flags of the last cell. `wanted` must include [`CLOSED`]. If `most` is not 0, the walk ends
    /// after that many steps.
    #[inline]
    pub(crate) fn walk(&self, mut place: usize, direction: Direction, wanted: u8, most: u32) -> (u32, u8) {
        let offset = self.offset(direction);
        let mut steps = 0;
        loop {
            place = place.wrapping_add_signed(offset);
            steps += 1;
            let flags = self.flags[place];
            if flags & wanted != 0 || steps == most {
                return (steps, flags);
            }
        }
    }

    /// Returns the line below, and a line of flags, both with the border.
    fn two_lines(&mut self, line: usize) -> (&mut [u8], &mut [u8]) {
        let lines = &mut self.flags[(line - 1) * self.stride..][..2 * self.stride];
        lines.split_at_mut(self.stride)
    }

    /// Updates the flags after edits of cells in these rectangles. The rows and masks must be up to
    /// date.
    ///
    /// # Complexity
    /// O(cells of the rectangles), and O(1) for each cell from which scans now end elsewhere; for
    /// one rectangle O(cells of the map) at most.
    pub(crate) fn follow_edits(&mut self, cells: OpenCells<'_>, areas: &[Area]) {
        let cell_count = cells.width as usize * cells.height as usize;
        if areas.iter().map(Area::cell_count).sum::<usize>() * 4 > cell_count.max(1024) {
            *self = Self::new(cells);
            return;
        }
        let stops_at = stops_of(&self.successors);
        for area in areas {
            let around = area.grown(1, cells.width, cells.height);
            for (x, y) in around.cells() {
                let closed = if cells.rows.get(x, y) { 0 } else { CLOSED };
                let place = self.place(x, y);
                let kept = self.flags[place] & (7 * REACHES);
                self.flags[place] = kept | stops_at[usize::from(cells.masks.at(x, y))] | closed;
            }
            for following in FOLLOWING {
                self.look_back(&around, following, [cells.width, cells.height]);
            }
        }
    }

    /// Updates which scans that lead onto cells of a rectangle end at jump points (lemma 3).
    fn look_back(&mut self, area: &Area, following: Direction, [width, height]: [u32; 2]) {
        let offset = self.offset(following);
        let bit = reaches(following);
        let mut look_from = |x: u32, y: u32| {
            let mut next = self.place(x, y);
            // The number of cells of the map in that direction.
            let before = match following {
                Direction::East => x,
                Direction::South => height - 1 - y,
                _ => (width - 1 - x).min(y),
            };
            for _ in 0..before {
                let place = next.wrapping_add_signed(-offset);
                let found = bit * u8::from(is_reached(following, self.flags[next]));
                if self.flags[place] & bit == found {
                    return;
                }
                self.flags[place] ^= bit;
                next = place;
            }
        };
        // Starts at the far end, so that few cells come twice.
        let rows: &mut dyn Iterator<Item = u32> =
            if following == Direction::South { &mut area.rows.clone() } else { &mut area.rows.clone().rev() };
        for y in rows {
            area.columns.clone().rev().for_each(|x| look_from(x, y));
        }
    }
}

/// Returns, for each set of open neighbours, the following directions in which a scan stops at the
/// cell.
fn stops_of(successors: &MoveTable) -> [u8; 256] {
    std::array::from_fn(|open| {
        let stops_for = |&following: &Direction| {
            // Lemma 1.
            let aside = successors.directions(Some(following), open as u8) & !(1 << following as u8);
            if aside == 0 { 0 } else { stops(following) }
        };
        FOLLOWING.iter().map(stops_for).sum()
    })
}

/// Sets the bits of a line for a direction from the line to which the direction leads, this many
/// columns to the west. No branch, so that the compiler handles several cells at once.
fn take_bits(here: &mut [u8], next: &[u8], following: Direction, west: usize) {
    let last = here.len() - 1;
    for (here, &next) in here[1..last].iter_mut().zip(&next[1 - west..]) {
        *here |= reaches(following) * u8::from(is_reached(following, next));
    }
}

#[cfg(test)]
mod tests;
