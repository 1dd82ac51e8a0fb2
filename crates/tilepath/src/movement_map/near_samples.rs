//! The samples of near searches by which the automatic choice decides.
//!
//! Decision: `docs/decisions/64-choice-by-near-samples.md`.

use super::area::Area;
use crate::bounds::Bounds;
use std::{ops::Range, sync::OnceLock};

/// The side of a window, in cells; less on a map that is narrower.
const SIDE: u32 = 64;
/// A map has a window for each of this many cells of a side, so that few windows overlap.
const CELLS_FOR_ONE: u32 = 32;
/// The most windows along a side of the map.
const MOST_ALONG: u32 = 4;
/// The most windows of a map.
const MOST: usize = (MOST_ALONG * MOST_ALONG) as usize;

/// The work of a near search by both algorithms, in one window of the map.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct NearSample {
    /// The work of jump points.
    pub(crate) jumps: u64,
    /// The work of A*.
    pub(crate) steps: u64,
    /// The work to make the sample, with both searches.
    pub(crate) made_by: u64,
}

/// The windows of a map. They depend only on its size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Windows {
    width: u32,
    height: u32,
}

impl Windows {
    pub(crate) const fn of(bounds: &Bounds) -> Self {
        Self { width: bounds.width(), height: bounds.height() }
    }

    /// Returns the windows, row by row.
    pub(crate) fn areas(self) -> impl Iterator<Item = Area> {
        let along = |length| (0..count_along(length)).map(move |number| part(number, length));
        along(self.height)
            .flat_map(move |rows| along(self.width).map(move |columns| Area { columns, rows: rows.clone() }))
    }

    /// Returns the windows that have cells of a rectangle, a bit each.
    pub(crate) fn touched(self, area: &Area) -> u16 {
        let along = |length: u32, range: &Range<u32>| {
            (0..count_along(length)).fold(0, |bits, number| {
                let part = part(number, length);
                let is_touched = part.start < range.end && range.start < part.end;
                bits | u16::from(is_touched) << number
            })
        };
        let (columns, rows) = (along(self.width, &area.columns), along(self.height, &area.rows));
        let in_row = count_along(self.width);
        let places = (0..count_along(self.height)).filter(|row| rows >> row & 1 == 1);
        places.fold(0, |set, row| set | columns << (row * in_row))
    }
}

/// Returns the number of windows along a side of this many cells.
fn count_along(length: u32) -> u32 {
    (length / CELLS_FOR_ONE).clamp(1, MOST_ALONG)
}

/// Returns the columns or rows of a window.
fn part(number: u32, length: u32) -> Range<u32> {
    // No side has more than 65,536 cells.
    let middle = length * (2 * number + 1) / (2 * count_along(length));
    let start = middle.saturating_sub(SIDE / 2).min(length.saturating_sub(SIDE));
    start..(start + SIDE).min(length)
}

/// The samples of a map, each made when the choice first needs it.
///
/// A sample is a pure function of the cells of its window: the searches run in the window as if
/// the map ended there. So an edit drops only the samples of the windows that it touches, and an
/// edited map has the samples of a fresh one.
///
/// # Memory
/// 640 bytes, once the choice has needed a sample.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct NearSamples(OnceLock<Box<[OnceLock<NearSample>; MOST]>>);

impl NearSamples {
    /// Returns the sample of a window. If it is not made, `make` makes it.
    pub(crate) fn get(&self, window: usize, make: impl FnOnce() -> NearSample) -> NearSample {
        *self.0.get_or_init(Box::default)[window].get_or_init(make)
    }

    /// Drops the samples of the windows that have cells of some rectangles, in which cells opened
    /// or closed.
    pub(super) fn forget(&mut self, windows: Windows, areas: &[Area]) {
        let Some(samples) = self.0.get_mut() else { return };
        let touched = areas.iter().fold(0, |set, area| set | windows.touched(area));
        for (window, sample) in samples.iter_mut().enumerate() {
            if touched >> window & 1 == 1 {
                sample.take();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;

    #[test]
    fn windows_lie_on_the_map_and_edits_touch_those_around_them() {
        for (width, height) in [(1, 1), (31, 64), (70, 200), (128, 96), (160, 160), (5000, 300)] {
            let windows = Windows::of(&Bounds::new(Cell::default(), width, height).unwrap());
            let areas: Vec<Area> = windows.areas().collect();
            assert!((1..=MOST).contains(&areas.len()), "{width} × {height}");
            for area in &areas {
                assert!(Area::all(width, height).contains(area), "{area:?}");
                assert_eq!(area.cell_count() as u32, width.min(SIDE) * height.min(SIDE));
            }
            for (x, y) in (0..width).step_by(7).flat_map(|x| (0..height).step_by(5).map(move |y| (x, y))) {
                let touched = windows.touched(&Area::of_cell(x, y));
                for (number, area) in areas.iter().enumerate() {
                    let is_touched = touched >> number & 1 == 1;
                    assert_eq!(is_touched, area.place(x, y).is_some(), "{x}, {y} and {area:?}");
                }
            }
        }
    }
}
