//! The automatic choice in counted work: how far it is from the better of jump points and A*.
//!
//! 83 maps under five rules: `cargo run --release --bin choice -- [SIDE ...]`, by default 160 and
//! 512. For each map it prints the work of both algorithms, of the automatic choice, and of making
//! the choice; then for each rule the mean and the worst of choice ÷ better one. With sides of 160 and
//! 512 it fails if a figure is above the one that was reached.

use std::{fmt::Write as _, process::ExitCode};

use tilepath::{Algorithm, Cell, Diagonals, Grid, Movement, PathFinder, PathQuery, Topology};

/// The queries of a map.
const QUERIES: usize = 24;
/// A choice above this many times the work of the better algorithm is listed.
const BAD: f64 = 1.25;

const RULES: [(&str, Diagonals, Topology); 5] = [
    ("four ways", Diagonals::Never, Topology::Square),
    ("no corner", Diagonals::OnlyWhenNoObstacles, Topology::Square),
    ("one corner", Diagonals::IfAtMostOneObstacle, Topology::Square),
    ("always", Diagonals::Always, Topology::Square),
    ("hexagons", Diagonals::OnlyWhenNoObstacles, Topology::Hexagonal),
];

/// The sides of maps with known figures, and for each rule the mean and the number of bad choices. All
/// work is counted, so they are equal on every machine.
const REACHED: [(i32, [(f64, usize); 5]); 2] = [
    (160, [(1.005, 0), (1.001, 0), (1.020, 2), (1.019, 2), (1.015, 2)]),
    (512, [(1.006, 0), (1.041, 3), (1.050, 6), (1.073, 10), (1.185, 7)]),
];
/// The most work that a choice may take.
const MAX_WORK: u64 = 64_000;

/// Random numbers: xorshift.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: i32) -> i32 {
        ((self.next() >> 8) % count as u64) as i32
    }

    fn has_hit(&mut self, percent: i32) -> bool {
        self.below(100) < percent
    }
}

/// The kinds of maps, each with its parameters.
fn kinds() -> Vec<(&'static str, i32)> {
    let all: [(&[&str], &[i32]); 9] = [
        (&["random"], &[2, 5, 8, 12, 16, 20, 25, 30, 40, 50, 60]),
        (&["stripes", "comb", "teeth"], &[3, 5, 9, 20]),
        (&["dotted"], &[2, 3, 4, 6, 10]),
        (&["checker", "offset bricks"], &[3, 4, 5, 7, 11]),
        (&["spiral", "maze"], &[1, 2, 4, 8]),
        (&["blobs"], &[2, 3, 5, 9]),
        (&["rooms"], &[3, 4, 5, 7, 9, 12, 16, 24, 32]),
        (&["diagonal", "thick diagonal", "lattice"], &[4, 6, 10, 16, 30]),
        (&["half random", "random in rooms"], &[10, 25, 40]),
    ];
    let listed = all.into_iter().flat_map(|(names, parameters)| {
        names.iter().flat_map(move |&name| parameters.iter().map(move |&parameter| (name, parameter)))
    });
    listed.chain([3, 5, 7].map(|corridor| ("maze and random", corridor))).collect()
}

/// Rooms of p × p cells, with a door in the western and in the southern wall of each.
fn rooms(side: i32, p: i32, dice: &mut Dice) -> Vec<bool> {
    let mut open = by(side, |x, y| x % (p + 1) != 0 && y % (p + 1) != 0);
    for (x, y) in
        (0..side).step_by(p as usize + 1).flat_map(|x| (0..side).step_by(p as usize + 1).map(move |y| (x, y)))
    {
        let doors = [(x, y + 1 + dice.below(p)), (x + 1 + dice.below(p), y)];
        for (x, y) in doors.into_iter().filter(|&(x, y)| x < side && y < side) {
            open[(y * side + x) as usize] = true;
        }
    }
    open
}

/// A corridor of p cells that winds to the middle.
fn spiral(side: i32, p: i32) -> Vec<bool> {
    let mut open = by(side, |_, _| true);
    let (mut ring, step) = (p, p + 1);
    while 2 * ring < side {
        let last = side - 1 - ring;
        for place in ring..=last {
            for (x, y) in [(place, last), (last, place), (place, ring), (ring, place)] {
                open[(y * side + x) as usize] = false;
            }
        }
        // The door of each ring lies at another corner than the last one.
        let inner = ring + 1..=(ring + p).min(last - 1);
        for y in inner {
            let x = if ring / step % 2 == 0 { ring } else { last };
            open[(y * side + x) as usize] = true;
        }
        ring += step;
    }
    open
}

fn maze(side: i32, corridor: i32) -> Vec<bool> {
    let map = testkit::maze(side as u32, side as u32, corridor as u32, &testkit::Seed::named("choice"));
    map.classes.into_iter().map(|class| class > 0).collect()
}

fn blobs(side: i32, radius: i32, dice: &mut Dice) -> Vec<bool> {
    let mut open = by(side, |_, _| true);
    for _ in 0..side * side / (9 * radius * radius) {
        let (a, b) = (dice.below(side), dice.below(side));
        for (x, y) in (a - radius..=a + radius).flat_map(|x| (b - radius..=b + radius).map(move |y| (x, y))) {
            let is_in = (x - a).pow(2) + (y - b).pow(2) <= radius * radius;
            if is_in && (0..side).contains(&x) && (0..side).contains(&y) {
                open[(y * side + x) as usize] = false;
            }
        }
    }
    open
}

/// Returns a map whose open cells follow from a function of column and row.
fn by(side: i32, mut is_open: impl FnMut(i32, i32) -> bool) -> Vec<bool> {
    (0..side * side).map(|slot| is_open(slot % side, slot / side)).collect()
}

/// Returns the open cells of a map.
fn open_cells(kind: &str, side: i32, p: i32, dice: &mut Dice) -> Vec<bool> {
    match kind {
        "random" => by(side, |_, _| !dice.has_hit(p)),
        "stripes" => {
            let doors: Vec<i32> = (0..side).map(|_| dice.below(side)).collect();
            by(side, |x, y| y % (p + 1) != p || x == doors[y as usize])
        }
        "comb" => by(side, |x, y| y % (p + 1) != p || x == if y / (p + 1) % 2 == 0 { side - 1 } else { 0 }),
        "teeth" => by(side, |x, y| x % (p + 1) != p || y * 4 >= side * 3),
        "dotted" => by(side, |x, y| x % p != 0 || y % p != 0),
        "checker" => by(side, |x, y| (x / p + y / p) % 2 != 0 || x % p == 0 || y % p == 0),
        "offset bricks" => by(side, |x, y| y % p == 0 || (x + y / p % 2 * (p / 2)) % p == 0),
        "spiral" => spiral(side, p),
        "maze" => maze(side, p),
        "blobs" => blobs(side, p, dice),
        "rooms" => rooms(side, p, dice),
        "diagonal" => by(side, |x, y| (x + y) % p != 0 || (x - y).rem_euclid(3 * p) == 0),
        "thick diagonal" => by(side, |x, y| (x + y) % p > 1 || (x - y).rem_euclid(3 * p) < 2),
        "lattice" => by(side, |x, y| {
            let is_door = |along: i32| along % p == p / 2;
            (x % p != 0 || is_door(y)) && (y % p != 0 || is_door(x))
        }),
        "half random" => by(side, |x, _| x * 2 < side || !dice.has_hit(p)),
        "random in rooms" => {
            let rooms = rooms(side, 16, dice);
            by(side, |x, y| {
                rooms[(y * side + x) as usize] && (x % 17 == 0 || y % 17 == 0 || !dice.has_hit(p))
            })
        }
        _ => {
            let maze = maze(side, p);
            by(side, |x, y| if x * 2 < side { maze[(y * side + x) as usize] } else { !dice.has_hit(25) })
        }
    }
}

/// The counted work of the queries of a map.
struct Counted {
    jumps: u64,
    steps: u64,
    chosen: Algorithm,
    /// The work of making the choice.
    choice: u64,
}

impl Counted {
    /// Returns the work of the chosen algorithm ÷ the work of the better one.
    fn ratio(&self) -> f64 {
        let chosen = if self.chosen == Algorithm::JumpPoint { self.jumps } else { self.steps };
        chosen as f64 / self.jumps.min(self.steps).max(1) as f64
    }
}

/// Returns the work on a map, or `None` if too few of its cells reach each other.
fn count(kind: &str, side: i32, p: i32, rule: usize) -> Option<Counted> {
    let mut dice = Dice((p as u64 * 77 + 5).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..9 {
        dice.next();
    }
    let open = open_cells(kind, side, p, &mut dice);
    let (_, diagonals, topology) = RULES[rule];
    let classes = open.iter().map(|&is_open| u8::from(is_open)).collect();
    let grid = Grid::from_classes(side as u32, side as u32, classes).expect("a class for each cell");
    let finder = PathFinder::new(grid.with_topology(topology), Movement::new().with_diagonals(diagonals));
    let cells: Vec<i32> = (0..side * side).filter(|&slot| open[slot as usize]).collect();
    let mut pick = || {
        let slot = cells[dice.below(cells.len() as i32) as usize];
        Cell::new(slot % side, slot / side)
    };
    let mut queries = Vec::new();
    for _ in 0..2000 {
        let query = PathQuery::new(pick(), pick());
        if queries.len() < QUERIES && finder.is_reachable(&query) == Ok(true) {
            queries.push(query);
        }
    }
    if queries.len() < QUERIES {
        return None;
    }
    let work = |algorithm| -> u64 {
        let searched = queries.iter().map(|query| {
            let mut search = finder.begin(&query.with_algorithm(algorithm)).expect("both ends are open");
            let begun = search.work();
            search.advance(u64::MAX);
            search.work() - begun
        });
        searched.sum()
    };
    let [jumps, steps] = [work(Algorithm::JumpPoint), work(Algorithm::AStar)];
    // All other preprocessing is paid for, so this is the work of the choice alone.
    let choice = finder.begin(&queries[0]).expect("both ends are open").work();
    let chosen = finder.algorithm_for(&queries[0]).expect("the choice is for an exact search");
    Some(Counted { jumps, steps, chosen, choice })
}

fn main() -> ExitCode {
    let mut faults = String::new();
    let asked: Vec<i32> = std::env::args().skip(1).filter_map(|side| side.parse().ok()).collect();
    for side in if asked.is_empty() { vec![160, 512] } else { asked } {
        let (mut pairs, mut summary, mut most) = (0, String::new(), 0);
        for (rule, (name, ..)) in RULES.iter().enumerate() {
            let (mut ratios, mut bad) = (Vec::new(), 0);
            for (kind, p) in kinds() {
                let Some(counted) = count(kind, side, p, rule) else { continue };
                let (ratio, Counted { jumps, steps, chosen, choice }) = (counted.ratio(), &counted);
                println!(
                    "{side}²; {name}; {kind} {p}; jumps {jumps}; A* {steps}; {chosen}; choice {choice}; {ratio:.3}"
                );
                bad += usize::from(ratio > BAD);
                most = most.max(*choice);
                ratios.push(ratio);
            }
            pairs += ratios.len();
            let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
            let worst = ratios.iter().copied().fold(0.0, f64::max);
            let reached = REACHED.iter().find(|(known, _)| *known == side).map(|(_, rules)| rules[rule]);
            if reached.is_some_and(|(known, known_bad)| mean > known + 0.0005 || bad > known_bad) {
                let _ = writeln!(faults, "{side}², {name}: {mean:.3}, {bad} bad choices; was {reached:?}");
            }
            let share = 100.0 * bad as f64 / ratios.len() as f64;
            let _ = writeln!(
                summary,
                "| {side}² | {name} | {} | {mean:.3} | {worst:.2} | {bad} ({share:.0} %) |",
                ratios.len()
            );
        }
        println!("| side | rule | maps | mean | worst | above {BAD} |\n|---|---|--:|--:|--:|--:|\n{summary}");
        println!("{side}²: {pairs} pairs of map and rule; a choice takes at most {most} units");
        if most > MAX_WORK {
            let _ = writeln!(faults, "{side}²: a choice takes {most} units, at most {MAX_WORK} are allowed");
        }
    }
    eprint!("{faults}");
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
