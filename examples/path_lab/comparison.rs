//! All algorithms on the same query, side by side.

use std::{fmt::Write, time::Duration};

use tilepath::{PathQuery, graph::GraphAlgorithm};
use tilepath_examples::{timing::timed, words};

use crate::{field::Field, method::Method, network::Network, settings::Settings};

/// Runs of each search; the shortest time counts.
const RUNS: usize = 3;

/// The result of an algorithm on the query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) method: Method,
    pub(crate) result: Result<Figures, String>,
}

/// The figures of one answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    pub(crate) expanded: u64,
    /// The cost of the path, or `None` if there is no path.
    pub(crate) cost: Option<f64>,
    pub(crate) time: Duration,
    /// The cost divided by the cheapest cost.
    pub(crate) ratio: f64,
}

impl Figures {
    pub(crate) fn is_optimal(&self) -> bool {
        self.cost.is_some() && self.ratio < 1.0 + 1e-9
    }

    /// Returns the verdict: "yes" for a cheapest path, the extra cost, or "no path".
    pub(crate) fn verdict(&self) -> String {
        match self.cost {
            None => "no path".into(),
            Some(_) if self.is_optimal() => "yes".into(),
            Some(_) => format!("+{}", self.excess()),
        }
    }

    /// Returns the extra cost over the cheapest path, in percent.
    pub(crate) fn excess(&self) -> String {
        let percent = (self.ratio - 1.0) * 100.0;
        if percent < 1.0 { "<1%".into() } else { format!("{percent:.0}%") }
    }

    pub(crate) fn cost_text(&self) -> String {
        match self.cost {
            None => "-".into(),
            Some(cost) if cost.fract() == 0.0 => format!("{cost}"),
            Some(cost) => format!("{cost:.1}"),
        }
    }

    /// Returns the time in microseconds, rounded.
    pub(crate) fn time_text(&self) -> String {
        let microseconds = self.time.as_secs_f64() * 1e6;
        if microseconds < 10.0 { format!("{microseconds:.1}") } else { format!("{microseconds:.0}") }
    }
}

/// Runs every algorithm on the query of the grid.
pub(crate) fn on_grid(field: &Field, settings: Settings) -> Vec<Row> {
    let query = PathQuery::new(field.start, field.goal).with_heuristic(settings.heuristic);
    let exact = PathQuery::new(field.start, field.goal);
    let cheapest = field
        .finder
        .solve(&exact)
        .ok()
        .and_then(|answer| answer.outcome.path().map(|path| f64::from(path.cost().get())));
    let row = |method: Method| {
        let query = method.query(query).without_reachability().without_pruning();
        let solve = || field.finder.solve(&query);
        let (answer, time) = least_time(solve);
        let result = answer.map_err(|error| words::question(&error)).map(|answer| {
            let cost = answer.outcome.path().map(|path| f64::from(path.cost().get()));
            Figures { expanded: answer.statistics.expanded, cost, time, ratio: ratio(cost, cheapest) }
        });
        Row { method, result }
    };
    Method::ALL.map(row).to_vec()
}

/// Runs every algorithm that graphs have on the query of the graph.
pub(crate) fn on_graph(network: &Network) -> Vec<Row> {
    let Some(goal) = network.goal else { return Vec::new() };
    let find = |algorithm| network.graph.solve(network.start, goal, algorithm);
    let cheapest = find(GraphAlgorithm::Dijkstra).ok().and_then(|answer| answer.path.map(|path| path.cost));
    let row = |(method, algorithm)| {
        let (answer, time) = least_time(|| find(algorithm));
        let result = answer.map_err(|error| error.to_string()).map(|answer| {
            let cost = answer.path.map(|path| path.cost);
            Figures { expanded: answer.expanded, cost, time, ratio: ratio(cost, cheapest) }
        });
        Row { method, result }
    };
    let methods = Method::ALL.into_iter().filter_map(|method| Some((method, method.on_graphs()?)));
    methods.map(row).collect()
}

/// Returns the result of a function, and its shortest time in some runs.
fn least_time<T>(run: impl Fn() -> T) -> (T, Duration) {
    let (result, first) = timed(&run);
    let time = (1..RUNS).map(|_| timed(&run).1).fold(first, Duration::min);
    (result, time)
}

fn ratio(cost: Option<f64>, cheapest: Option<f64>) -> f64 {
    match (cost, cheapest) {
        (Some(cost), Some(cheapest)) if cheapest > 0.0 => cost / cheapest,
        _ => 1.0,
    }
}

/// Returns the table as text.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text =
        format!("{:<14} {:>9} {:>8} {:>9}  {}\n", "algorithm", "expanded", "cost", "time us", "cheapest");
    for Row { method, result } in rows {
        // Writing to a `String` cannot fail.
        let _ = match result {
            Ok(figures) => writeln!(
                text,
                "{:<14} {:>9} {:>8} {:>9}  {}",
                method.name(),
                figures.expanded,
                figures.cost_text(),
                figures.time_text(),
                figures.verdict(),
            ),
            Err(reason) => writeln!(text, "{:<14} {reason}", method.name()),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Ground, Size};
    use tilepath::{Diagonals, Topology};

    fn figures(rows: &[Row], method: Method) -> &Figures {
        rows.iter().find(|row| row.method == method).unwrap().result.as_ref().unwrap()
    }

    #[test]
    fn exact_algorithms_agree_and_no_other_is_cheaper() {
        for ground in [Ground::Default, Ground::Open, Ground::Rooms, Ground::Caves] {
            let settings = Settings { ground, size: Size::Medium, ..Settings::default() };
            let rows = on_grid(&Field::new(settings), settings);
            let exact = figures(&rows, Method::Dijkstra);
            for method in [Method::AStar, Method::JumpPoint] {
                let other = figures(&rows, method);
                assert_eq!(other.cost, exact.cost);
                assert!(other.expanded <= exact.expanded);
            }
            for row in &rows {
                let figures = row.result.as_ref().unwrap();
                assert_eq!(figures.cost.is_some(), exact.cost.is_some());
                assert!(figures.ratio >= 1.0, "{row:?}");
            }
        }
    }

    #[test]
    fn exact_algorithms_agree_on_hexagons_in_four_directions_for_large_units_and_among_one_way_edges() {
        for settings in [
            Settings { topology: Topology::Hexagonal, ground: Ground::Terrain, ..Settings::default() },
            Settings { topology: Topology::Hexagonal, ground: Ground::Towers, ..Settings::default() },
            Settings { diagonals: Diagonals::Never, ground: Ground::Caves, ..Settings::default() },
            Settings { diagonals: Diagonals::Never, ground: Ground::Terrain, ..Settings::default() },
            Settings { unit: 2, ground: Ground::Towers, ..Settings::default() },
            Settings { unit: 3, ground: Ground::Caves, size: Size::Medium, ..Settings::default() },
        ] {
            let rows = on_grid(&Field::new(settings), settings);
            let (exact, a_star) = (figures(&rows, Method::Dijkstra), figures(&rows, Method::AStar));
            assert!(a_star.is_optimal() && exact.is_optimal(), "{settings:?}");
            assert!(a_star.expanded <= exact.expanded);
            let jumps = rows.iter().find(|row| row.method == Method::JumpPoint).unwrap();
            assert_eq!(jumps.result.is_ok(), settings.ground == Ground::Caves, "{settings:?}");
        }
    }

    #[test]
    fn on_hexagons_of_every_ground_and_size_exact_algorithms_agree() {
        for size in Size::ALL {
            for ground in Ground::ALL.into_iter().filter(|ground| !ground.is_file()) {
                let settings =
                    Settings { topology: Topology::Hexagonal, ground, size, ..Settings::default() };
                let mut field = Field::new(settings);
                for _ in 0..5 {
                    let rows = on_grid(&field, settings);
                    let (exact, a_star) = (figures(&rows, Method::Dijkstra), figures(&rows, Method::AStar));
                    assert_eq!((a_star.cost, a_star.ratio), (exact.cost, 1.0), "{size:?} {ground:?}");
                    field.fill(settings);
                }
            }
        }
    }

    #[test]
    fn on_ground_of_many_costs_jump_points_say_why_they_do_not_apply() {
        let settings = Settings::default();
        let rows = on_grid(&Field::new(settings), settings);
        let jumps = rows.iter().find(|row| row.method == Method::JumpPoint).unwrap();
        assert!(jumps.result.as_ref().unwrap_err().contains("ground of one cost"));
        assert!(table(&rows).contains("jump points    jump points need ground of one cost"));
    }

    #[test]
    fn without_a_path_every_algorithm_expands_all_reachable_cells() {
        let settings = Settings { ground: Ground::Open, ..Settings::default() };
        let mut field = Field::new(settings);
        (field.start, field.goal) = (tilepath::Cell::new(0, 0), tilepath::Cell::new(15, 11));
        for y in 0..12 {
            field.set(tilepath::Cell::new(8, y), 0);
        }
        let rows = on_grid(&field, settings);
        for row in rows.iter().filter(|row| row.method != Method::JumpPoint) {
            let figures = row.result.as_ref().unwrap();
            assert_eq!((figures.verdict().as_str(), figures.cost), ("no path", None));
            assert!(figures.expanded >= 96, "{row:?}");
        }
    }

    #[test]
    fn on_the_tutorials_graph_the_cheapest_path_is_a_diagonal() {
        let rows = on_graph(&Network::tutorial());
        assert_eq!(rows.len(), 5);
        let (a_star, dijkstra) = (figures(&rows, Method::AStar), figures(&rows, Method::Dijkstra));
        assert!(a_star.is_optimal() && dijkstra.is_optimal());
        assert!(a_star.expanded < dijkstra.expanded);
    }
}
