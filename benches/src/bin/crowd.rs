//! Timings of the decisions of bodies that share no cells.
//!
//! If a body arrives, it gets the next order at once.

use std::time::Instant;

use testkit::{Seed, TileMap};
use tilepath::{
    Cell, Cost, Direction, Exits, Grid, Movement, MovementId, PathFinder,
    crowd::{
        Activity, Body, BodyId, Crowd, EFFORT_PER_STRAIGHT_STEP, FieldGuide, Guide, Steps, Surroundings,
    },
    field::FlowField,
};

/// A guide in which all steps take equally long, so that all bodies decide in the same tick.
struct LockStep<'map>(FieldGuide<'map>);

impl Guide for LockStep<'_> {
    fn exits(&mut self, body: BodyId, slot: usize) -> Exits {
        self.0.exits(body, slot)
    }

    fn rest(&mut self, body: BodyId, slot: usize) -> Option<Cost> {
        self.0.rest(body, slot)
    }

    fn step_cost(&mut self, body: BodyId, entered: usize, direction: Direction) -> Cost {
        self.0.step_cost(body, entered, direction)
    }

    fn look_around(&mut self, body: BodyId, slot: usize, offsets: &[isize; 8]) -> Surroundings {
        self.0.look_around(body, slot, offsets)
    }

    fn effort(&mut self, _body: BodyId, _entered: usize, _direction: Direction) -> u32 {
        EFFORT_PER_STRAIGHT_STEP
    }
}

/// The ticks in which bodies decide.
#[derive(Clone, Copy, PartialEq)]
enum Phases {
    /// All bodies decide in each tick.
    Equal,
    /// A straight step takes eight ticks, and bodies begin in different ticks.
    Drawn,
}

/// The number of runs. The median of the runs counts.
const RUNS: usize = 5;

struct Town {
    finder: PathFinder,
    fields: Vec<FlowField>,
    starts: Vec<Cell>,
}

/// Makes a map with goals and one start for each body. All of them can reach each other.
fn town(map: &TileMap, bodies: usize, goals: usize) -> Town {
    let grid =
        Grid::from_classes(map.width, map.height, map.classes.clone()).expect("the map is within limits");
    let finder = PathFinder::new(grid, Movement::new());
    let middle = Cell::new(map.width as i32 / 2, map.height as i32 / 2);
    let home =
        finder.grid().bounds().cells().find(|&cell| cell >= middle && finder.grid().terrain(cell) == Some(1));
    let field = finder.field(&[home.expect("a cell is open")]).expect("it is on the map");
    let cells: Vec<Cell> = finder
        .grid()
        .bounds()
        .cells()
        .filter(|&cell| field.cost(cell).is_some())
        .filter(|&cell| finder.grid().terrain(cell) == Some(1))
        .collect();
    let mut cells = Seed::named("town").shuffled(&cells);
    let goals = cells.split_off(cells.len() - goals);
    cells.truncate(bodies);
    let fields = goals.iter().map(|&goal| finder.field(&[goal]).expect("the goal is on the map")).collect();
    Town { finder, fields, starts: cells }
}

/// Runs the ticks. Returns the microseconds and the decisions of each timed tick, and the number of
/// arrivals.
fn run(town: &Town, phases: Phases, warm_up: u32, ticks: u32) -> (Vec<(f64, u64)>, u64) {
    let mut crowd = Crowd::new(town.finder.grid());
    let goals = town.fields.len() as u32;
    let mut field_of: Vec<u32> = (0..town.starts.len() as u32).map(|body| body % goals).collect();
    let stride =
        if phases == Phases::Equal { EFFORT_PER_STRAIGHT_STEP } else { EFFORT_PER_STRAIGHT_STEP.div_ceil(8) };
    let ids: Vec<BodyId> = (0..)
        .zip(&town.starts)
        .map(|(number, &start)| {
            crowd.insert(&Body { stride, ..Body::new(number, start) }).expect("on the map")
        })
        .collect();
    let steps = Steps::new(&town.finder, MovementId::FIRST).expect("the first movement");
    let (mut times, mut arrivals) = (Vec::new(), 0);
    for tick in 0..warm_up + ticks {
        for (index, &id) in (0_u32..).zip(&ids) {
            let begins = if phases == Phases::Equal { 0 } else { index % 8 };
            if tick == begins {
                crowd.set_activity(id, Activity::UnderWay { since: tick }, None);
            }
            let field = &mut field_of[index as usize];
            let is_there = crowd.step(id).is_none()
                && town.fields[*field as usize]
                    .cost(crowd.cell(id))
                    .is_some_and(|rest| rest <= Cost::new(40));
            if is_there && tick > begins {
                arrivals += 1;
                *field = (*field * 31 + index + 1) % goals;
                crowd.set_activity(id, Activity::UnderWay { since: tick }, None);
            }
        }
        let fields = FieldGuide { steps, fields: &town.fields, field_of: &field_of };
        let before = (Instant::now(), crowd.decisions());
        match phases {
            Phases::Equal => crowd.tick(&mut LockStep(fields)),
            Phases::Drawn => crowd.tick(&mut { fields }),
        }
        if tick >= warm_up {
            times.push((before.0.elapsed().as_nanos() as f64 / 1e3, crowd.decisions() - before.1));
        }
    }
    (times, arrivals)
}

fn scene(name: &str, map: &TileMap, bodies: usize, goals: usize, phases: Phases) {
    let town = town(map, bodies, goals);
    let mut medians = Vec::new();
    let (mut worst, mut decided, mut arrived) = (0.0_f64, 0, 0);
    for _ in 0..RUNS {
        let (mut times, arrivals) = run(&town, phases, 40, 100);
        times.sort_by(|one, other| one.0.total_cmp(&other.0));
        medians.push(times[times.len() / 2]);
        worst = worst.max(times[times.len() - 1].0);
        decided = times.iter().map(|tick| tick.1).sum::<u64>() / times.len() as u64;
        arrived = arrivals;
    }
    medians.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (median, decisions) = medians[RUNS / 2];
    println!(
        "| {name} | {bodies} | {decided} | {arrived} | {:.3} | {:.3} | {:.0} |",
        median / 1e3,
        worst / 1e3,
        median * 1e3 / decisions as f64
    );
}

fn main() {
    println!("| scene | bodies | decide a tick | arrivals | median ms a tick | longest | ns a decision |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_wanted = |word: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == word);
    for percent in [10, 20] {
        let map = testkit::cluttered(256, 256, percent, &Seed::named("crowd"));
        if is_wanted("small") {
            scene(&format!("256², {percent} % walls"), &map, 10_000, 16, Phases::Equal);
        }
    }
    let map = testkit::cluttered(1024, 1024, 10, &Seed::named("large crowd"));
    if is_wanted("large") {
        scene("1024², all in one tick", &map, 100_000, 16, Phases::Equal);
        scene("1024², drawn phases", &map, 100_000, 16, Phases::Drawn);
    }
}
