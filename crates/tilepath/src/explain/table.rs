//! Text in columns.

use std::fmt;

/// Rows whose columns are as wide as their widest entry.
pub(super) struct Table<const COLUMNS: usize> {
    is_right_aligned: [bool; COLUMNS],
    rows: Vec<[String; COLUMNS]>,
}

impl<const COLUMNS: usize> Table<COLUMNS> {
    /// A table with a head: the name of each column, and whether its entries are aligned to the right.
    pub(super) fn new(columns: [(&str, bool); COLUMNS]) -> Self {
        Self {
            is_right_aligned: columns.map(|(_, is_right_aligned)| is_right_aligned),
            rows: vec![columns.map(|(name, _)| name.to_owned())],
        }
    }

    pub(super) fn row(&mut self, entries: [String; COLUMNS]) {
        self.rows.push(entries);
    }
}

impl<const COLUMNS: usize> fmt::Display for Table<COLUMNS> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; COLUMNS] = std::array::from_fn(width);
        for row in &self.rows {
            let mut line = String::new();
            for ((entry, width), is_right_aligned) in row.iter().zip(widths).zip(self.is_right_aligned) {
                let entry =
                    if is_right_aligned { format!("{entry:>width$}") } else { format!("{entry:<width$}") };
                line.push_str(&entry);
                line.push_str("  ");
            }
            writeln!(formatter, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
