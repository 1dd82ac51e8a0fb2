//! The League problems: the share of steps that bring finished legs nearer to their ends.

use std::{env, path::Path};

use tilepath::Cell;

use crate::{
    leads::{ByFields, ByPaths},
    pibt::Pibt,
    problem::{FILES, Problem},
};

const DRAWS: usize = 3;
/// The steps after which the share is counted.
const STEPS: [u32; 3] = [1500, 2000, 4000];
/// A body is stuck if it has finished no leg in this many steps before the end.
const STUCK_STEPS: u32 = 1000;
/// The cost of a step.
const STEP_COST: u32 = 10;

/// Bodies that move, led to their goals.
pub(crate) trait Mover {
    /// Sends a body to another goal.
    fn send(&mut self, body: usize, goal: Cell, step: u32);

    /// Moves all bodies by at most one step.
    fn step(&mut self);

    fn cell(&self, body: usize) -> Cell;

    /// Returns the number of searches until now.
    fn searches(&self) -> u64 {
        0
    }
}

struct Figures {
    /// The useful shares after [`STEPS`].
    useful: [f64; STEPS.len()],
    stuck: u64,
    searches: u64,
}

/// Runs and prints the problems whose name is wanted, if there is a folder of them.
pub(crate) fn print_rows(is_wanted: impl Fn(&str) -> bool) {
    let Some(folder) = env::var_os("LEAGUE_DIR") else {
        eprintln!("skipped: the League problems, as LEAGUE_DIR names no folder");
        return;
    };
    println!("\n| problem | moved by | useful in 1,500 steps | 2,000 | 4,000 | stuck | searches |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for files in FILES {
        if !["fields", "drawn paths", "PIBT"]
            .iter()
            .any(|lead| is_wanted(&format!("league {} {lead}", files[1])))
        {
            continue;
        }
        let problem = Problem::read(Path::new(&folder), files);
        print_row(&problem, "crowd, full fields", &is_wanted, |draw| ByFields::new(&problem, draw));
        for (mover, has_shapes) in [("crowd, paths", false), ("crowd, drawn paths", true)] {
            print_row(&problem, mover, &is_wanted, |draw| ByPaths::new(&problem, draw, has_shapes));
        }
        print_row(&problem, "plain PIBT, full fields", &is_wanted, |draw| Pibt::new(&problem, draw));
    }
}

fn print_row<M: Mover>(
    problem: &Problem,
    mover: &str,
    is_wanted: impl Fn(&str) -> bool,
    new: impl Fn(usize) -> M,
) {
    let name = format!("{}, {} bodies | {mover}", problem.name, problem.starts.len());
    if !is_wanted(&format!("league {name}")) {
        return;
    }
    let draws: Vec<Figures> = (0..DRAWS).map(|draw| run(problem, draw, &mut new(draw))).collect();
    let useful =
        [0, 1, 2].map(|index| draws.iter().map(|draw| draw.useful[index]).sum::<f64>() / DRAWS as f64);
    let stuck: u64 = draws.iter().map(|draw| draw.stuck).sum();
    let searches = draws.iter().map(|draw| draw.searches).sum::<u64>() / DRAWS as u64;
    let [first, second, third] = useful.map(|share| share * 100.0);
    println!("| {name} | {first:.1} % | {second:.1} % | {third:.1} % | {stuck} | {searches} |");
}

/// Gives the errands out in turns: each body gets the next one when it has finished its own.
fn run(problem: &Problem, draw: usize, mover: &mut impl Mover) -> Figures {
    let count = problem.starts.len();
    let mut errands = problem.errands.iter().cycle().skip(draw * problem.errands.len() / DRAWS);
    let mut stops: Vec<Vec<Cell>> = vec![Vec::new(); count];
    // The begin and the goal of each leg, and the step in which it began.
    let mut legs: Vec<(Cell, Cell, u32)> = problem.starts.iter().map(|&start| (start, start, 0)).collect();
    let (mut useful, mut shares) = (0, [0.0; STEPS.len()]);
    for step in 0..STEPS[STEPS.len() - 1] {
        for (body, leg) in legs.iter_mut().enumerate() {
            let here = mover.cell(body);
            if here != leg.1 {
                continue;
            }
            if leg.0 != leg.1 {
                useful += problem.distance(leg.0, leg.1).get() / STEP_COST;
            }
            let goal = loop {
                match stops[body].pop() {
                    Some(goal) if goal != here => break goal,
                    Some(_) => {}
                    None => {
                        let errand = errands.next().expect("the errands begin again");
                        stops[body].extend(errand.iter().rev());
                    }
                }
            };
            *leg = (here, goal, step);
            mover.send(body, goal, step);
        }
        mover.step();
        for (share, steps) in shares.iter_mut().zip(STEPS) {
            if step + 1 == steps {
                *share = f64::from(useful) / (count as f64 * f64::from(steps));
            }
        }
    }
    let is_stuck = |leg: &&(Cell, Cell, u32)| leg.2 + STUCK_STEPS < STEPS[STEPS.len() - 1];
    Figures { useful: shares, stuck: legs.iter().filter(is_stuck).count() as u64, searches: mover.searches() }
}
