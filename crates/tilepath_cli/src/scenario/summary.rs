//! The summary of a run without `--csv`.

use super::{
    maps::{Maps, Reference},
    record::Record,
};
use crate::{input::name_of, printed::printed};
use std::{fmt::Write, path::Path, time::Duration};

/// The figures of a run.
#[derive(Default, Debug)]
pub(crate) struct Summary {
    rows: usize,
    closed: usize,
    expanded: u64,
    nanoseconds: Vec<u64>,
}

impl Summary {
    /// Counts a row.
    pub(crate) fn add(&mut self, record: &Record) {
        self.rows += 1;
        self.closed += usize::from(record.is_closed());
        self.expanded += record.expanded.unwrap_or(0);
        self.nanoseconds.extend(record.nanoseconds);
    }

    /// Returns the number of rows so far.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of rows that did not run because their start or goal is closed.
    pub(crate) fn closed(&self) -> usize {
        self.closed
    }

    /// Returns the summary as text: the maps, their references, the times and the expanded cells.
    pub(crate) fn text(&mut self, scenario: &Path, maps: &Maps) -> String {
        let mut text = format!("{}: {} queries\n", printed(&name_of(scenario)), self.rows);
        // Writing to a `String` cannot fail.
        for (name, map) in maps.iter() {
            let (width, height) = (map.finder.grid().width(), map.finder.grid().height());
            let reference = match map.reference {
                Reference::File => "the lengths of the file",
                Reference::Dijkstra => "Dijkstra's search",
            };
            let _ = writeln!(
                text,
                "map      {}, {width} × {height} cells, compared with {reference}",
                printed(name)
            );
        }
        self.nanoseconds.sort_unstable();
        if let Some(last) = self.nanoseconds.len().checked_sub(1) {
            let total: u64 = self.nanoseconds.iter().sum();
            let count = self.nanoseconds.len() as u64;
            let at = |percent: usize| Duration::from_nanos(self.nanoseconds[last * percent / 100]);
            let _ = writeln!(
                text,
                "time     mean {:.1?}, median {:.1?}, 99 % {:.1?}, longest {:.1?}, all {:.2?}",
                Duration::from_nanos(total / count),
                at(50),
                at(99),
                at(100),
                Duration::from_nanos(total)
            );
            let _ = writeln!(
                text,
                "expanded mean {} cells, {:.0} ns each",
                self.expanded / count,
                total as f64 / self.expanded.max(1) as f64
            );
        }
        text
    }
}
