//! Where jumps on hexagons stop, a byte a cell.
//!
//! Three of the six directions lead and three follow (lemma 6 of [pruning](super::pruning)): a way that leads on turns aside
//! wherever it likes, and one that follows goes straight on until an obstacle beside it ends. So there are two kinds of walk:
//!
//! ```text
//!  . . . . . .       a walk west (leading) looks from each of its cells to the
//!   . J . . . .      north-west and to the south (following). The scan south from a ends
//!    # . . . . .     at a wall. The one north-west from b ends at J, where it may turn
//!   . . b . a p      west behind the corner of #: a jump point.
//! ```
//!
//! **Lemma 1.** A scan in a following direction must stop at an open cell exactly where pruning leaves a step aside. It ends at
//! a jump point if the next cell is open, and is one, or a scan from there ends at one.
//!
//! **Lemma 2.** A walk in a leading direction passes no cell where it must turn for the sake of an obstacle: after a leading step
//! pruning leaves the same three directions whatever is closed. So it looks aside where scans end at jump points, and nowhere else.
//!
//! **Lemma 3.** The bits of a cell depend on what is open around it and on the bits of the next cell in a following direction. So
//! after an edit they are right again once those of the cells beside it are, and, against each following direction, those of the
//! cells before, up to the first that stays as it was.

use super::{
    area::Area,
    neighbour_masks::NeighbourMasks,
    pruning::{FOLLOWING, MoveTable},
};
use crate::{bit_grid::BitGrid, cell::Direction};

/// What is known of each cell, in rows with a border of closed cells.
///
/// # Memory
/// A byte a cell, and 2 KiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HexagonStops {
    flags: Vec<u8>,
    /// From a cell to the one above it.
    stride: usize,
    /// What pruning leaves.
    successors: MoveTable,
}

/// What a movement map knows of its cells that the flags are made from.
#[derive(Clone, Copy)]
pub(crate) struct OpenCells<'map> {
    pub(crate) rows: &'map BitGrid,
    pub(crate) masks: &'map NeighbourMasks,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// A scan in the first following direction ends at a jump point; the bits of the others come after it.
const REACHES: u8 = 1;
/// A scan in the first following direction stops here; the bits of the others come after it.
const STOPS: u8 = 1 << 3;
/// The cell is closed.
pub(crate) const CLOSED: u8 = 1 << 6;

/// The bit of a following direction among three.
const fn bit_of(following: Direction) -> u8 {
    match following {
        Direction::East => 1,
        Direction::South => 2,
        _ => 4,
    }
}

/// A scan in a following direction ends at a jump point.
pub(crate) const fn reaches(following: Direction) -> u8 {
    bit_of(following) * REACHES
}

/// A scan in a following direction stops here: at a jump point.
pub(crate) const fn stops(following: Direction) -> u8 {
    bit_of(following) * STOPS
}

/// Whether a scan ends at a jump point if these are the flags of the next cell.
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
        // Against each direction, so that what a bit depends on is known before it.
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

    /// The directions to follow from a cell that was entered in a direction, bit n for the nth of [`Direction::ALL`], given its open
    /// neighbours.
    #[inline]
    pub(crate) fn successors(&self, arrival: Option<Direction>, open: u8) -> u8 {
        self.successors.directions(arrival, open)
    }

    /// The place of the flags of the cell at column x, row y.
    #[inline]
    pub(crate) const fn place(&self, x: u32, y: u32) -> usize {
        (y as usize + 1) * self.stride + x as usize + 1
    }

    /// The flags at a place.
    #[inline]
    pub(crate) fn at(&self, place: usize) -> u8 {
        self.flags[place]
    }

    /// What a step in a direction adds to a place.
    #[inline]
    const fn offset(&self, direction: Direction) -> isize {
        let (dx, dy) = direction.offset();
        dy as isize * self.stride as isize + dx as isize
    }

    /// How many steps lead to the first cell with any of these flags, of which one must be [`CLOSED`], but no more than a number that
    /// is not 0; and what flags there are at the end.
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

    /// A line of flags with the border, and before it the line below.
    fn two_lines(&mut self, line: usize) -> (&mut [u8], &mut [u8]) {
        let lines = &mut self.flags[(line - 1) * self.stride..][..2 * self.stride];
        lines.split_at_mut(self.stride)
    }

    /// Follows edits of cells in these rectangles that the rows and masks have taken already.
    ///
    /// # Complexity
    /// O(cells of the rectangles), and O(1) for each cell from which scans now end elsewhere; O(cells of the map) at most for one
    /// rectangle.
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

    /// Finds again which scans end at jump points that lead onto cells of a rectangle (lemma 3).
    fn look_back(&mut self, area: &Area, following: Direction, [width, height]: [u32; 2]) {
        let offset = self.offset(following);
        let bit = reaches(following);
        let mut look_from = |x: u32, y: u32| {
            let mut next = self.place(x, y);
            // As many cells as the map has in that direction.
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
        // From the far end on, so that few cells come twice.
        let rows: &mut dyn Iterator<Item = u32> =
            if following == Direction::South { &mut area.rows.clone() } else { &mut area.rows.clone().rev() };
        for y in rows {
            area.columns.clone().rev().for_each(|x| look_from(x, y));
        }
    }
}

/// For each set of open neighbours in which following directions a scan stops at a cell.
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

/// Takes the bits of a line for a direction from the line that it leads onto, this many columns to the west. Without a branch, so
/// that the compiler takes several cells at once.
fn take_bits(here: &mut [u8], next: &[u8], following: Direction, west: usize) {
    let last = here.len() - 1;
    for (here, &next) in here[1..last].iter_mut().zip(&next[1 - west..]) {
        *here |= reaches(following) * u8::from(is_reached(following, next));
    }
}

#[cfg(test)]
mod tests;
