//! Tables on standard output, in Markdown.

use crate::measure::Timing;

/// Our A*: what the baseline is compared with.
pub(crate) const A_STAR: &str = "tilepath A*";
/// What a game gets without asking for an algorithm.
pub(crate) const AUTO: &str = "tilepath";

/// One map's times.
pub(crate) struct Row {
    pub(crate) map: String,
    pub(crate) timings: Vec<Timing>,
}

impl Row {
    fn mean(&self, name: &str) -> f64 {
        let timing = self.timings.iter().find(|timing| timing.name == name);
        timing.map_or(f64::NAN, Timing::mean_microseconds)
    }
}

/// One table for a group: everybody's times on each map, then everybody's ratio to ours over all maps.
pub(crate) fn print(group: &str, rows: &[Row]) {
    println!("\n### {group}\n");
    println!("| map | who | n | mean µs | median µs | p99 µs | expansions a query | ns an expansion |");
    println!("|---|---|--:|--:|--:|--:|--:|--:|");
    for row in rows {
        for timing in &row.timings {
            println!(
                "| {} | {} | {} | {:.1} | {:.1} | {:.1} | {} | {:.1} |",
                row.map,
                timing.name,
                timing.nanoseconds.len(),
                timing.mean_microseconds(),
                timing.microseconds_at(0.5),
                timing.microseconds_at(0.99),
                timing.expansions_per_query(),
                timing.nanoseconds_per_expansion(),
            );
        }
    }
    println!("\nGeometric means over {} maps:\n", rows.len());
    println!("| who | ÷ {A_STAR} | ÷ {AUTO} |");
    println!("|---|--:|--:|");
    for timing in rows.first().map_or(&[][..], |row| &row.timings) {
        let ratio = |ours| geometric_mean(rows.iter().map(|row| row.mean(timing.name) / row.mean(ours)));
        println!("| {} | {:.2} | {:.2} |", timing.name, ratio(A_STAR), ratio(AUTO));
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
