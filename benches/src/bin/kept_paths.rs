//! Kept paths after walls opened: the share that must be searched again, by straight lines and by
//! landmarks.
//!
//! `MOVINGAI_DIR=path/to/maps cargo run --release --bin kept_paths`
//!
//! In each trial, walls open anywhere on the map, and 300 paths between random cells are checked. A
//! path is searched again if it costs over a tenth more than the bound. The landmarks are as they were
//! before the trial.

#[expect(dead_code, reason = "the benchmark of rivals uses the rest")]
#[path = "../contestant.rs"]
mod contestant;
#[path = "../groups.rs"]
mod groups;

use testkit::Seed;
use tilepath::{Bounds, Cell, Edit, LandmarkCount, MovementId, PathFinder, PathQuery};

use crate::contestant::Problem;

/// The maps, each with a part of the name of its group.
const MAPS: [[&str; 2]; 3] = [["sc1", "Aurora"], ["dao", "orz900d"], ["dao weighted noise", "lak303d"]];
const WALKERS: usize = 300;
const TRIALS: usize = 30;
const FIRST: MovementId = MovementId::FIRST;
const KNOWN: &str = "the cells are on the map";

/// The paths of a trial that would be searched again.
#[derive(Default)]
struct Again {
    checked: usize,
    by_lines: usize,
    by_landmarks: usize,
    /// The paths that are worse than the cheapest by over a tenth.
    in_need: usize,
}

fn main() {
    println!(
        "| map | opened in a tick | by straight lines, % | by landmarks, % | truly better by a tenth, % |"
    );
    println!("|---|{}", "--:|".repeat(4));
    for [group, map] in MAPS {
        let is_it =
            |name: &str| name.starts_with("MovingAI") && name.ends_with(group) || name.contains(group);
        let found = groups::all().into_iter().find(|group| is_it(group.name));
        let problems = found.map(|group| (group.problems)()).unwrap_or_default();
        let Some(problem) = problems.into_iter().find(|problem| problem.name.contains(map)) else {
            println!("| {map} | not found: set MOVINGAI_DIR |");
            continue;
        };
        for count in [1, 8] {
            let Again { checked, by_lines, by_landmarks, in_need } = trials(&problem, count);
            let percent = |part: usize| 100.0 * part as f64 / checked as f64;
            println!(
                "| {group}: {map} | {count} | {:.1} | {:.2} | {:.2} |",
                percent(by_lines),
                percent(by_landmarks),
                percent(in_need)
            );
        }
    }
}

fn trials(problem: &Problem, count: usize) -> Again {
    let slots: Vec<usize> = (0..problem.classes.len()).collect();
    let (open, walls): (Vec<usize>, Vec<usize>) =
        Seed::named("kept paths").shuffled(&slots).into_iter().partition(|&slot| problem.classes[slot] > 0);
    let mut made = problem.finder();
    made.advance_landmarks(FIRST, LandmarkCount::Exactly(8), u64::MAX).expect(KNOWN);
    let bounds = made.grid().bounds();
    let cell = |slot: usize| bounds.cell(slot).expect(KNOWN);
    let hub = open[0];
    let connected: Vec<Cell> = open
        .iter()
        .map(|&slot| cell(slot))
        .filter(|&to| made.is_reachable(&PathQuery::new(cell(hub), to)).expect(KNOWN))
        .take(2 * WALKERS)
        .collect();
    let mut again = Again::default();
    let paths: Vec<(Cell, Cell, u32)> =
        connected.chunks_exact(2).map(|ends| (ends[0], ends[1], cost(&made, ends[0], ends[1]))).collect();
    for trial in 0..TRIALS {
        let opened: Vec<Cell> = walls[trial * count..][..count].iter().map(|&slot| cell(slot)).collect();
        let mut finder = made.clone();
        let edits: Vec<Edit> = opened.iter().map(|&cell| Edit::terrain(cell, 1)).collect();
        finder.edit(&edits).expect(KNOWN);
        let landmarks = finder.opening_bounds(&opened, FIRST).expect(KNOWN);
        for &(from, to, known) in &paths {
            let one = |cell| Bounds::new(cell, 1, 1).expect(KNOWN);
            let line = |&by: &Cell| finder.least_cost_by(from, one(by), one(to), FIRST).expect(KNOWN).get();
            let by_lines = opened.iter().map(line).min().unwrap_or(u32::MAX);
            let by_landmarks = landmarks.as_ref().and_then(|bounds| bounds.least_cost(&finder, from, &[to]));
            let by_landmarks = by_landmarks.map_or(by_lines, |least| least.get().max(by_lines));
            let is_worse = |least: u32| f64::from(known) > f64::from(least) * 1.1;
            again.checked += 1;
            again.by_lines += usize::from(is_worse(by_lines));
            if is_worse(by_landmarks) {
                again.by_landmarks += 1;
                again.in_need += usize::from(is_worse(cost(&finder, from, to)));
            }
        }
    }
    again
}

fn cost(finder: &PathFinder, from: Cell, to: Cell) -> u32 {
    let answer = finder.solve(&PathQuery::new(from, to)).expect(KNOWN);
    answer.outcome.path().map_or(u32::MAX, |path| path.cost().get())
}
