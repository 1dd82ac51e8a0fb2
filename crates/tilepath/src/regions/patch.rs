//! Edits that change no region: local updates of labels.
//!
//! Decision: `docs/decisions/13-regions.md`.

use super::chunk::{Chunk, Label, SIDE, lowest_run};
use crate::movement_map::area::Area;

/// The part of a chunk that was edited since it was labelled.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum Edited {
    #[default]
    Nothing,
    /// Cells of a rectangle inside the chunk's border, counted from the corner of the chunk.
    Inside(Area),
    /// Anything, also at the border.
    All,
}

impl Edited {
    /// Adds an edited rectangle.
    pub(super) fn add(&mut self, area: Area) {
        let is_inside = |places: &std::ops::Range<u32>| places.start > 0 && places.end < SIDE;
        *self = match self {
            Self::Nothing if is_inside(&area.columns) && is_inside(&area.rows) => Self::Inside(area),
            _ => Self::All,
        };
    }
}

/// A row of the rectangle: its runs before the rectangle, and the runs that touch it before and
/// after the edit.
struct EditedRow {
    before: usize,
    touched: usize,
    touching: usize,
}

impl Chunk {
    /// Follows edits in a rectangle that is not at the border, if they change no region. Returns
    /// whether that was so.
    ///
    /// They change no region under two conditions. The open cells of the rectangle and around it
    /// must be connected with one another there. All those that were open before must belong to one
    /// region. Then all paths through the rectangle also lead past it, and join nothing else.
    ///
    /// The region must also have a cell below the rectangle, so that no region gets another first
    /// run.
    pub(super) fn patch(&mut self, area: &Area, row: impl Fn(u32) -> u64) -> bool {
        let lowest = area.rows.start - 1;
        let bits: Vec<u64> = (lowest..=area.rows.end).map(row).collect();
        let width = area.columns.len() as u32 + 2;
        let around = u64::MAX >> (SIDE - width) << (area.columns.start - 1);
        let first = bits[0] & around;
        if first == 0 || !are_connected(&bits, around) {
            return false;
        }
        let label = self.label(lowest as usize, bits[0], first & first.wrapping_neg());
        let mut edits = Vec::with_capacity(bits.len());
        for (row, &bits) in (lowest as usize..).zip(&bits) {
            let (mut before, mut touching, mut after, mut rest) = (0, 0, 0, bits);
            while rest != 0 {
                let run = lowest_run(rest);
                rest ^= run;
                if run & around != 0 {
                    touching += 1;
                } else if run < around {
                    before += 1;
                } else {
                    after += 1;
                }
            }
            let labels = self.row_labels(row);
            // Runs that do not touch the rectangle have not changed.
            let touched = labels.len() - before - after;
            if labels[before..before + touched].iter().any(|&other| other != label) {
                return false;
            }
            edits.push(EditedRow { before, touched, touching });
        }
        for (row, edit) in (lowest as usize..).zip(edits) {
            self.replace_runs(row, edit, label);
        }
        true
    }

    fn replace_runs(&mut self, row: usize, edit: EditedRow, label: Label) {
        let EditedRow { before, touched, touching } = edit;
        if touched == touching {
            return;
        }
        let first = usize::from(self.row_starts[row]) + before;
        self.labels.splice(first..first + touched, std::iter::repeat_n(label, touching));
        for start in &mut self.row_starts[row + 1..] {
            *start = (usize::from(*start) + touching - touched) as u16;
        }
    }
}

/// Returns whether the open cells in these rows and columns are connected by straight steps. The
/// first row must have an open cell.
fn are_connected(rows: &[u64], columns: u64) -> bool {
    let mut reached = vec![0; rows.len()];
    let first = rows[0] & columns;
    reached[0] = first & first.wrapping_neg();
    let mut has_grown = true;
    while has_grown {
        has_grown = false;
        let (mut here, last) = (0, rows.len() - 1);
        // Visits the rows upwards, then downwards.
        for step in 0..=2 * last {
            let row = if step <= last { step } else { 2 * last - step };
            here = with_runs(rows[row] & columns, here | reached[row]);
            has_grown |= here != reached[row];
            reached[row] = here;
        }
    }
    rows.iter().zip(reached).all(|(row, reached)| row & columns == reached)
}

/// Returns the runs that contain one of the cells.
fn with_runs(mut row: u64, cells: u64) -> u64 {
    let mut found = 0;
    while row != 0 {
        let run = lowest_run(row);
        row ^= run;
        if run & cells != 0 {
            found |= run;
        }
    }
    found
}
