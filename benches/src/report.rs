//! Tables on standard output, in Markdown.

use crate::measure::{Timing, microseconds};

/// The name of our A*, with which all contestants are compared.
pub(crate) const A_STAR: &str = "tilepath A*";
/// The name of the automatic choice: the default algorithm of a game.
pub(crate) const AUTO: &str = "tilepath";

/// The name of the automatic choice after landmarks were made.
pub(crate) const LED: &str = "tilepath, landmarks";

/// The name of our jump point search.
pub(crate) const JUMP_POINTS: &str = "tilepath jump points";

/// The times on one map.
pub(crate) struct Row {
    pub(crate) map: String,
    pub(crate) timings: Vec<Timing>,
}

impl Row {
    fn mean(&self, name: &str) -> f64 {
        self.timing(name).map_or(f64::NAN, Timing::mean_microseconds)
    }

    fn cold(&self, name: &str) -> f64 {
        self.timing(name).map_or(f64::NAN, |timing| microseconds(timing.cold.mean()))
    }

    fn timing(&self, name: &str) -> Option<&Timing> {
        self.timings.iter().find(|timing| timing.name == name)
    }
}

/// Prints the tables of a group: the times of each contestant on each map, then its ratio to ours
/// over all maps.
pub(crate) fn print(group: &str, rows: &[Row]) {
    println!("\n### {group}\n");
    println!(
        "| map | who | n | mean µs | median µs | p99 µs | cold, mean µs | p99 µs | expansions a query | ns an expansion |"
    );
    println!("|---|---|{}", "--:|".repeat(8));
    for row in rows {
        for timing in &row.timings {
            println!(
                "| {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {:.1} |",
                row.map,
                timing.name,
                timing.nanoseconds.len(),
                timing.mean_microseconds(),
                microseconds(timing.nanoseconds.value_at_quantile(0.5) as f64),
                microseconds(timing.nanoseconds.value_at_quantile(0.99) as f64),
                microseconds(timing.cold.mean()),
                microseconds(timing.cold.value_at_quantile(0.99) as f64),
                timing.expansions_per_query(),
                timing.nanoseconds_per_expansion(),
            );
        }
    }
    for row in rows {
        for timing in row.timings.iter().filter(|timing| timing.costlier > 0) {
            let (name, costlier, n) = (timing.name, timing.costlier, timing.nanoseconds.len());
            println!("\n{}: {costlier} of {n} paths of {name} are not the cheapest.", row.map);
        }
    }
    println!("\nGeometric means over {} maps:\n", rows.len());
    println!("| who | ÷ {A_STAR} | ÷ {AUTO} | cold ÷ {AUTO}, cold |");
    println!("|---|--:|--:|--:|");
    for timing in rows.first().map_or(&[][..], |row| &row.timings) {
        let ratio = |ours| geometric_mean(rows.iter().map(|row| row.mean(timing.name) / row.mean(ours)));
        let cold = geometric_mean(rows.iter().map(|row| row.cold(timing.name) / row.cold(AUTO)));
        println!("| {} | {:.2} | {:.2} | {cold:.2} |", timing.name, ratio(A_STAR), ratio(AUTO));
    }
}

/// The quality of the automatic choice on a group.
pub(crate) struct Choice {
    group: &'static str,
    /// The best explicit algorithm, and its time ÷ ours.
    best: (&'static str, f64),
}

impl Choice {
    pub(crate) fn of(group: &'static str, rows: &[Row]) -> Self {
        let ratio = |name| geometric_mean(rows.iter().map(|row| row.mean(name) / row.mean(AUTO)));
        // NaN if jump points did not run: the comparison then picks A*.
        let (a_star, jump_points) = (ratio(A_STAR), ratio(JUMP_POINTS));
        let best = if jump_points < a_star { (JUMP_POINTS, jump_points) } else { (A_STAR, a_star) };
        Self { group, best }
    }
}

/// Prints a table that shows whether the automatic choice is as good as the best explicit one.
pub(crate) fn print_choices(choices: &[Choice]) {
    println!("\n### The automatic choice\n");
    println!("| group | best explicit choice | its time ÷ {AUTO} |");
    println!("|---|---|--:|");
    for Choice { group, best: (name, ratio) } in choices {
        println!("| {group} | {name} | {ratio:.2} |");
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
