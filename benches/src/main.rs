//! Timings of tilepath, a hand-written loop and other crates.
//!
//! All run the same queries. The other crates need the feature `peers`. See `README.md`.

mod contestant;
mod groups;
mod hand_written;
mod machine;
mod measure;
mod report;
#[cfg(feature = "peers")]
mod rival_condor;
#[cfg(feature = "peers")]
mod rival_grid_pathfinding;
#[cfg(feature = "peers")]
mod rival_pathfinding;
mod tilepath_finder;

use contestant::{Contestant, Problem};
use tilepath::{Algorithm, Diagonals};
use tilepath_finder::{Call, TilepathFinder};

/// Returns all contestants: tilepath, the hand-written loop, and the other crates.
fn contestants(problem: &Problem) -> Vec<Box<dyn Contestant>> {
    let ours = |name, call| Box::new(TilepathFinder::new(name, call, problem));
    let mut contestants: Vec<Box<dyn Contestant>> = vec![
        ours(report::A_STAR, Call::Solve(Algorithm::AStar)),
        ours(report::AUTO, Call::Solve(Algorithm::Auto)),
    ];
    if problem.diagonals == Diagonals::OnlyWhenNoObstacles {
        contestants.push(ours("tilepath A* in slices of 100", Call::Slices(100)));
        contestants.push(Box::new(hand_written::HandWritten::new(problem)));
    }
    contestants.extend(rivals(problem));
    if problem.has_use_for_landmarks() {
        contestants.push(ours(report::LED, Call::Led));
    }
    // Not next to the automatic choice, which may have just run the same search.
    if problem.is_uniform() {
        contestants.push(ours(report::JUMP_POINTS, Call::Solve(Algorithm::JumpPoint)));
    }
    contestants
}

/// Returns the other crates that have the problem's rule for diagonals.
#[cfg(feature = "peers")]
fn rivals(problem: &Problem) -> Vec<Box<dyn Contestant>> {
    match problem.diagonals {
        Diagonals::Always => vec![Box::new(rival_grid_pathfinding::GridPathfinding::new(problem))],
        Diagonals::Never => vec![
            Box::new(rival_pathfinding::Pathfinding::new(problem)),
            Box::new(rival_condor::Condor::a_star(problem)),
            Box::new(rival_condor::Condor::jump_points(problem)),
        ],
        _ => vec![Box::new(rival_pathfinding::Pathfinding::new(problem))],
    }
}

#[cfg(not(feature = "peers"))]
fn rivals(_: &Problem) -> Vec<Box<dyn Contestant>> {
    Vec::new()
}

fn main() {
    machine::print_head();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut choices = Vec::new();
    for group in groups::all() {
        if !wanted.is_empty() && !wanted.iter().any(|word| group.name.contains(word.as_str())) {
            continue;
        }
        let rows: Vec<report::Row> = (group.problems)()
            .iter()
            .map(|problem| report::Row {
                map: problem.name.clone(),
                timings: measure::time(problem, &mut contestants(problem)),
            })
            .collect();
        report::print(group.name, &rows);
        choices.push(report::Choice::of(group.name, &rows));
    }
    report::print_choices(&choices);
}
