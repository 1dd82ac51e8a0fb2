//! Landmarks: their savings and their price, on ground of many costs and on even ground.
//!
//! `MOVINGAI_DIR=path/to/maps cargo run --release --bin landmarks [part of a group's name]`
//!
//! For each map: time and expansions of the automatic choice without landmarks and with them, also
//! after walls on two cells of a hundred; the lower bound of the start against the cost; the time
//! and the bytes of the tables. Then the time of edits.

#[expect(dead_code, reason = "the benchmark of rivals uses the rest")]
#[path = "../contestant.rs"]
mod contestant;
#[path = "../groups.rs"]
mod groups;

use std::{hint::black_box, time::Instant};

use testkit::Seed;
use tilepath::{Algorithm, Cell, Cost, Edit, LandmarkCount, MovementId, PathFinder, PathQuery};

use crate::contestant::Problem;

/// The groups of many costs, and of even ground with many corners.
const GROUPS: [&str; 4] = ["weighted", "cluttered", "mazes", "random"];
/// The rounds of which the fastest counts.
const ROUNDS: usize = 5;
/// The edits in a row, each in a tick of its own.
const EDITS: usize = 1_000;
/// The cells of tables that are made in a tick.
const CELLS_A_TICK: u64 = 10_000;
/// The bytes that are read between two queries to empty the caches.
const CACHES: usize = 96 << 20;
const FIRST: MovementId = MovementId::FIRST;
const KNOWN: &str = "the finder has a first movement";

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let problems: Vec<(&str, Problem)> = groups::all()
        .into_iter()
        .filter(|group| GROUPS.iter().any(|name| group.name.contains(name)) && group.name.contains(&wanted))
        .flat_map(|group| (group.problems)().into_iter().map(move |problem| (group.name, problem)))
        .collect();
    println!(
        "| map | µs without | with | cold without | with | p99 without | with | expansions without | with \
         | ÷ | ÷ after walls | bound ÷ cost | landmarks | ns a cell of a table | bytes a cell and table |"
    );
    println!("|---|{}", "--:|".repeat(14));
    for (group, problem) in &problems {
        searches(group, problem);
    }
    println!(
        "\n| map | closed, mean ns | as cheap as before, mean ns | opened, mean µs | worst µs | mean cells |"
    );
    println!("|---|{}", "--:|".repeat(5));
    for (group, problem) in problems.iter().filter(|(_, problem)| !problem.is_uniform()) {
        edits(group, problem);
    }
}

/// Makes landmarks. Returns the work, and nanoseconds for each unit of it.
fn make(finder: &mut PathFinder) -> (u64, f64) {
    let begun = Instant::now();
    let work = finder.advance_landmarks(FIRST, LandmarkCount::ByMap, u64::MAX).expect(KNOWN);
    (work, begun.elapsed().as_nanos() as f64 / work as f64)
}

fn searches(group: &str, problem: &Problem) {
    let mut finder = problem.finder();
    let bounds = finder.grid().bounds();
    let cell = |slot| bounds.cell(slot).expect("queries are on the map");
    let queries: Vec<PathQuery> =
        problem.queries.iter().map(|&(from, to)| PathQuery::new(cell(from), cell(to))).collect();
    let [without, cold_without] = [false, true].map(|is_cold| ask(&finder, &queries, is_cold));
    let (_, nanoseconds) = make(&mut finder);
    let bytes = finder.landmark_bytes(FIRST).expect(KNOWN);
    let landmarks = finder.landmarks(FIRST).expect(KNOWN).len();
    if landmarks == 0 {
        println!("| {group}: {} | no landmarks |", problem.name);
        return;
    }
    let [with, cold_with] = [false, true].map(|is_cold| ask(&finder, &queries, is_cold));
    assert_eq!(with.costs, without.costs, "landmarks never change a cost");
    let ratios = queries.iter().zip(&with.costs).filter_map(|(query, cost)| {
        Some(f64::from(bound_of_start(&finder, query).get()) / f64::from((*cost)?.get().max(1)))
    });
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];

    let walls: Vec<Edit> = some_cells(problem, problem.classes.len() / 50)
        .into_iter()
        .map(|slot| Edit::terrain(cell(slot), 0))
        .collect();
    finder.edit(&walls).expect("the cells are on the map");
    assert!(!finder.landmarks(FIRST).expect(KNOWN).is_empty(), "walls leave landmarks valid");
    let walled = ask(&finder, &queries, false);
    let unled: Vec<PathQuery> = queries.iter().map(|query| query.without_landmarks()).collect();
    let walled_without = ask(&finder, &unled, false);
    assert_eq!(walled.costs, walled_without.costs, "landmarks never change a cost");

    let halves = if problem.is_uniform() || problem.diagonals == tilepath::Diagonals::Never { 1 } else { 2 };
    println!(
        "| {group}: {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {} | {} | {:.2} | {:.2} | {median:.3} | {landmarks} | {nanoseconds:.0} | {:.2} |",
        problem.name,
        without.mean,
        with.mean,
        cold_without.mean,
        cold_with.mean,
        without.high,
        with.high,
        without.expanded / queries.len() as u64,
        with.expanded / queries.len() as u64,
        without.expanded as f64 / with.expanded as f64,
        walled_without.expanded as f64 / walled.expanded as f64,
        bytes as f64 / (problem.classes.len() * landmarks * halves) as f64,
    );
}

/// Returns some cells of a map, each once.
fn some_cells(problem: &Problem, count: usize) -> Vec<usize> {
    let slots: Vec<usize> = (0..problem.classes.len()).collect();
    Seed::named("edits").shuffled(&slots)[..count].to_vec()
}

/// Measures edits that close a cell, that open it again, and that open walls.
fn edits(group: &str, problem: &Problem) {
    let mut finder = problem.finder();
    make(&mut finder);
    if finder.landmarks(FIRST).expect(KNOWN).is_empty() {
        return;
    }
    let bounds = finder.grid().bounds();
    let cell = |slot| bounds.cell(slot).expect("the slot is on the map");
    let slots = some_cells(problem, problem.classes.len());
    let open = slots.iter().filter(|&&slot| problem.classes[slot] > 0).take(EDITS);
    let open: Vec<(Cell, u8)> = open.map(|&slot| (cell(slot), problem.classes[slot])).collect();
    let closed = slots.iter().filter(|&&slot| problem.classes[slot] == 0).take(EDITS);
    let closed: Vec<Cell> = closed.map(|&slot| cell(slot)).collect();
    let mut timed = |edits: &mut dyn Iterator<Item = (Cell, u8)>| {
        let (mut times, mut cells) = (Vec::new(), 0);
        for (cell, class) in edits {
            let begun = Instant::now();
            finder.set_terrain(cell, class).expect("the cell is on the map");
            cells += finder.advance_landmarks(FIRST, LandmarkCount::ByMap, CELLS_A_TICK).expect(KNOWN);
            times.push(begun.elapsed().as_secs_f64() * 1e6);
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        (mean, times.iter().copied().fold(0.0, f64::max), cells / times.len() as u64)
    };
    let (dearer, ..) = timed(&mut open.iter().map(|&(cell, _)| (cell, 0)));
    let (again, ..) = timed(&mut open.iter().copied());
    let (opened, worst, cells) = timed(&mut closed.iter().map(|&cell| (cell, 1)));
    println!(
        "| {group}: {} | {:.0} | {:.0} | {opened:.0} | {worst:.0} | {cells} |",
        problem.name,
        dearer * 1e3,
        again * 1e3
    );
}

/// Returns the lower bound for all paths of a query, without a search for the cheapest.
fn bound_of_start(finder: &PathFinder, query: &PathQuery) -> Cost {
    let answer = finder.solve(&query.with_algorithm(Algorithm::Greedy)).expect("the query is valid");
    answer.outcome.path().map_or(Cost::ZERO, tilepath::Path::lower_bound)
}

struct Asked {
    costs: Vec<Option<Cost>>,
    expanded: u64,
    /// The mean and the 99th percentile in microseconds.
    mean: f64,
    high: f64,
}

/// Runs all queries. If it is cold, each runs once, after the caches were emptied.
fn ask(finder: &PathFinder, queries: &[PathQuery], is_cold: bool) -> Asked {
    let other = vec![1_u8; if is_cold { CACHES } else { 0 }];
    let (mut costs, mut expanded) = (Vec::new(), 0);
    let mut times = vec![f64::MAX; queries.len()];
    for round in 0..if is_cold { 1 } else { ROUNDS } {
        for (query, time) in queries.iter().zip(&mut times) {
            black_box(other.iter().step_by(64).map(|&byte| u64::from(byte)).sum::<u64>());
            let begun = Instant::now();
            let answer = finder.solve(query).expect("the query is valid");
            *time = time.min(begun.elapsed().as_secs_f64() * 1e6);
            if round == 0 {
                expanded += answer.statistics.expanded;
                costs.push(answer.outcome.path().map(tilepath::Path::cost));
            }
        }
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    Asked { costs, expanded, mean, high: times[(times.len() * 99).div_ceil(100) - 1] }
}
