//! Text in columns.

/// Formats rows as columns, each as wide as its widest entry, under a head. The head has the name
/// of each column, and whether its entries are aligned to the right.
pub(super) fn table(head: &[(&str, bool)], mut rows: Vec<Vec<String>>) -> String {
    rows.insert(0, head.iter().map(|&(name, _)| name.to_owned()).collect());
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for ((entry, width), (_, is_right_aligned)) in row.iter().zip(&widths).zip(head) {
            let entry =
                if *is_right_aligned { format!("{entry:>width$}  ") } else { format!("{entry:<width$}  ") };
            line.push_str(&entry);
        }
        text = text + line.trim_end() + "\n";
    }
    text
}
