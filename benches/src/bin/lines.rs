//! Straight lines in place of cells: what they save, and what they cost.
//!
//! `MOVINGAI_DIR=path/to/maps cargo run --release --bin lines [part of a group's name]`
//!
//! For each group of maps: the length of all paths over cells, the length with lines, the turns of
//! both, and the time to lay the lines of a path.

#[expect(dead_code, reason = "the benchmark of rivals uses the rest")]
#[path = "../contestant.rs"]
mod contestant;
#[path = "../groups.rs"]
mod groups;

use std::{hint::black_box, time::Instant};

use tilepath::{Cell, PathQuery};

use crate::contestant::Problem;

#[derive(Default)]
struct Sums {
    paths: usize,
    cells: usize,
    length: [f64; 2],
    turns: [usize; 2],
    seconds: f64,
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!(
        "| maps | paths | cells a path | length with lines ÷ over cells | turns over cells | with lines | µs a path |"
    );
    println!("|---|{}", "--:|".repeat(6));
    for group in groups::all().into_iter().filter(|group| group.name.contains(&wanted)) {
        let mut sums = Sums::default();
        for problem in (group.problems)() {
            add(&problem, &mut sums);
        }
        if sums.paths == 0 {
            continue;
        }
        let paths = sums.paths as f64;
        println!(
            "| {} | {} | {:.0} | {:.3} | {:.1} | {:.1} | {:.1} |",
            group.name,
            sums.paths,
            sums.cells as f64 / paths,
            sums.length[1] / sums.length[0],
            sums.turns[0] as f64 / paths,
            sums.turns[1] as f64 / paths,
            sums.seconds * 1e6 / paths
        );
    }
}

fn add(problem: &Problem, sums: &mut Sums) {
    let finder = problem.finder();
    let bounds = finder.grid().bounds();
    let cell = |slot| bounds.cell(slot).expect("queries are on the map");
    let movement = finder.movement(tilepath::MovementId::FIRST).expect("the finder has a first movement");
    for &(from, to) in &problem.queries {
        let query = PathQuery::new(cell(from), cell(to));
        let Some(path) = finder.solve(&query).expect("the cells are on the map").outcome.into_path() else {
            continue;
        };
        let begun = Instant::now();
        let ends: Vec<usize> = black_box(path.straight_lines(0, finder.grid(), movement).collect());
        sums.seconds += begun.elapsed().as_secs_f64();
        let turns: Vec<Cell> = ends.iter().map(|&end| path.cells()[end]).collect();
        sums.paths += 1;
        sums.cells += path.steps();
        for (index, cells) in [path.cells(), &turns].into_iter().enumerate() {
            sums.length[index] += length(cells);
            sums.turns[index] += count_turns(cells);
        }
    }
}

fn length(cells: &[Cell]) -> f64 {
    let line = |pair: &[Cell]| {
        let [x, y] = [pair[1].x - pair[0].x, pair[1].y - pair[0].y].map(f64::from);
        (x * x + y * y).sqrt()
    };
    cells.windows(2).map(line).sum()
}

fn count_turns(cells: &[Cell]) -> usize {
    let is_turn = |ends: &&[Cell]| {
        let [one, other] = [[0, 1], [1, 2]]
            .map(|[from, to]| [ends[to].x - ends[from].x, ends[to].y - ends[from].y].map(i64::from));
        one[0] * other[1] != one[1] * other[0]
    };
    cells.windows(3).filter(is_turn).count()
}
