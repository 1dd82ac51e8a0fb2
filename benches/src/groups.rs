//! Maps and queries: generated ones, and MovingAI maps if present.

use std::path::{Path, PathBuf};

use testkit::{Seed, TileMap};
use tilepath::{Diagonals, format};

use crate::contestant::Problem;

/// Maps of one kind. Each map is made when it is needed.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) problems: Box<dyn Fn() -> Vec<Problem>>,
}

const SIDE: u32 = 512;
const QUERIES: usize = 60;

fn group(name: &'static str, problems: impl Fn() -> Vec<Problem> + 'static) -> Group {
    Group { name, problems: Box::new(problems) }
}

/// Returns all groups that can run on this machine.
pub(crate) fn all() -> Vec<Group> {
    let mut groups = vec![
        group("open", || even(open())),
        group("cluttered", || even(cluttered())),
        group("rooms", || even(rooms())),
        group("mazes", || even(mazes())),
        group("caves", || even(caves())),
        group("open, four ways", || in_four_ways(even(open()))),
        group("cluttered, four ways", || in_four_ways(even(cluttered()))),
        group("rooms, four ways", || in_four_ways(even(rooms()))),
        group("mazes, four ways", || in_four_ways(even(mazes()))),
        group("caves, four ways", || in_four_ways(even(caves()))),
        group("weighted", || {
            vec![
                generated(testkit::terrain(SIDE, SIDE, 4, 15, &seed())),
                generated(testkit::terrain(SIDE, SIDE, 9, 15, &seed())),
                generated(testkit::noise(SIDE, SIDE, 9, 10, &seed())),
            ]
        }),
        group("weighted, 1024 × 1024", || {
            vec![
                generated(testkit::terrain(1024, 1024, 9, 15, &seed())),
                generated(testkit::noise(1024, 1024, 9, 10, &seed())),
            ]
        }),
    ];
    match std::env::var_os("MOVINGAI_DIR") {
        Some(folder) => groups.extend(moving_ai_groups(&PathBuf::from(folder))),
        None => eprintln!("MOVINGAI_DIR is not set: the MovingAI groups do not run"),
    }
    groups
}

fn seed() -> Seed {
    Seed::named("benchmarks")
}

fn open() -> Vec<TileMap> {
    vec![testkit::open(SIDE, SIDE)]
}

fn cluttered() -> Vec<TileMap> {
    [10, 25, 40].map(|percent| testkit::cluttered(SIDE, SIDE, percent, &seed())).into()
}

fn rooms() -> Vec<TileMap> {
    [8, 32].map(|side| testkit::rooms(SIDE, SIDE, side, &seed())).into()
}

fn mazes() -> Vec<TileMap> {
    [1, 8, 32].map(|corridor| testkit::maze(SIDE, SIDE, corridor, &seed())).into()
}

fn caves() -> Vec<TileMap> {
    vec![testkit::caves(SIDE, SIDE, &seed())]
}

fn even(maps: Vec<TileMap>) -> Vec<Problem> {
    maps.into_iter().map(generated).collect()
}

/// Forbids diagonal steps.
fn in_four_ways(problems: Vec<Problem>) -> Vec<Problem> {
    problems.into_iter().map(|problem| Problem { diagonals: Diagonals::Never, ..problem }).collect()
}

/// Makes the problem of a generated map: the default movement, and queries between cells that can
/// reach each other.
fn generated(map: TileMap) -> Problem {
    let slots =
        map.queries(20 * QUERIES, &seed()).into_iter().map(|(from, to)| (map.slot(from), map.slot(to)));
    let region = regions(&map);
    let queries = slots.filter(|&(from, to)| region[from] == region[to]).take(QUERIES).collect();
    Problem {
        name: map.name,
        width: map.width,
        height: map.height,
        classes: map.classes,
        multipliers: std::array::from_fn(|class| class as u16),
        straight: 10,
        diagonal: 14,
        diagonals: Diagonals::OnlyWhenNoObstacles,
        queries,
    }
}

/// Returns a number for each cell. Two cells have the same number exactly if a path connects them.
/// Corners are not clipped, so steps in four directions decide that.
fn regions(map: &TileMap) -> Vec<usize> {
    let mut region = vec![0; map.classes.len()];
    for seed in 0..region.len() {
        if map.classes[seed] == 0 || region[seed] != 0 {
            continue;
        }
        region[seed] = seed + 1;
        let mut reached = vec![seed];
        while let Some(slot) = reached.pop() {
            let (x, y) = map.position(slot);
            for next in [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)] {
                if map.class(next).is_some_and(|class| class != 0) && region[map.slot(next)] == 0 {
                    region[map.slot(next)] = seed + 1;
                    reached.push(map.slot(next));
                }
            }
        }
    }
    region
}

const DRAGON_AGE: &[&str] = &["arena2", "brc202d", "den312d", "lak303d", "orz900d"];
const BALDURS_GATE: &[&str] = &["AR0011SR", "AR0602SR"];
const STARCRAFT: &[&str] = &["Aurora", "GhostTown"];
const WARCRAFT: &[&str] = &["bootybay", "duskwood", "icecrown"];
const CITIES: &[&str] = &["Berlin_0_1024", "London_1_1024"];
const MAZES: &[&str] = &["maze512-1-0", "maze512-8-0", "maze512-32-0"];
const ROOMS: &[&str] = &["8room_000", "64room_000"];
const RANDOM: &[&str] = &["random512-10-0", "random512-25-0", "random512-40-0"];

fn moving_ai_groups(folder: &Path) -> Vec<Group> {
    let of = |name: &'static str, maps: &'static [&'static str], ground: Ground| {
        let folder = folder.to_owned();
        group(name, move || maps.iter().map(|map| moving_ai(&folder, map, ground)).collect())
    };
    let four_ways = |name: &'static str, maps: &'static [&'static str]| {
        let folder = folder.to_owned();
        let problems = move || maps.iter().map(|map| moving_ai(&folder, map, Ground::Even)).collect();
        group(name, move || in_four_ways(problems()))
    };
    let cutting = |name: &'static str, maps: &'static [&'static str]| {
        let folder = folder.to_owned();
        let problem = move |map: &&str| Problem {
            diagonals: Diagonals::Always,
            ..moving_ai(&folder, map, Ground::Even)
        };
        group(name, move || maps.iter().map(&problem).collect())
    };
    vec![
        of("MovingAI dao", DRAGON_AGE, Ground::Even),
        of("MovingAI bg512", BALDURS_GATE, Ground::Even),
        of("MovingAI sc1", STARCRAFT, Ground::Even),
        of("MovingAI cities", CITIES, Ground::Even),
        of("MovingAI mazes", MAZES, Ground::Even),
        of("MovingAI rooms", ROOMS, Ground::Even),
        of("MovingAI random", RANDOM, Ground::Even),
        of("MovingAI wc3 walls", WARCRAFT, Ground::Even),
        of("MovingAI wc3 weighted letters", WARCRAFT, Ground::Letters),
        of("MovingAI dao weighted hills 1..9", DRAGON_AGE, Ground::Hills),
        of("MovingAI dao weighted noise 1..9", DRAGON_AGE, Ground::Noise),
        of("MovingAI bg512 weighted noise 1..9", BALDURS_GATE, Ground::Noise),
        of("MovingAI sc1 weighted noise 1..9", STARCRAFT, Ground::Noise),
        cutting("MovingAI dao, corners cut", DRAGON_AGE),
        cutting("MovingAI bg512, corners cut", BALDURS_GATE),
        cutting("MovingAI sc1, corners cut", STARCRAFT),
        cutting("MovingAI cities, corners cut", CITIES),
        cutting("MovingAI mazes, corners cut", MAZES),
        cutting("MovingAI rooms, corners cut", ROOMS),
        cutting("MovingAI random, corners cut", RANDOM),
        four_ways("MovingAI dao, four ways", DRAGON_AGE),
        four_ways("MovingAI bg512, four ways", BALDURS_GATE),
        four_ways("MovingAI sc1, four ways", STARCRAFT),
        four_ways("MovingAI cities, four ways", CITIES),
        four_ways("MovingAI mazes, four ways", MAZES),
        four_ways("MovingAI rooms, four ways", ROOMS),
        four_ways("MovingAI random, four ways", RANDOM),
        four_ways("MovingAI wc3 walls, four ways", WARCRAFT),
    ]
}

/// The cost of the open cells of a MovingAI map.
#[derive(Clone, Copy)]
enum Ground {
    /// 1 on all cells.
    Even,
    /// `.` 1, `S` 3, `W` 5, `T` 7.
    Letters,
    /// Nine levels of smooth hills.
    Hills,
    /// Nine levels of noise, cell by cell.
    Noise,
}

/// Reads a map and its sixty queries.
///
/// # Panics
/// If a file is missing or malformed.
fn moving_ai(folder: &Path, name: &str, ground: Ground) -> Problem {
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut letters = format::LetterClasses::default();
    if matches!(ground, Ground::Letters) {
        letters = letters.with('.', 1).with('S', 3).with('W', 5).with('T', 7);
    }
    let grid = format::parse_moving_ai(&read(folder.join(format!("{name}.map"))), &letters)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = format::parse_scenario(&read(folder.join("queries").join(format!("{name}.scen"))))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let bounds = grid.bounds();
    let slot = |cell| bounds.slot(cell).expect("queries lie on their map");
    let queries = rows
        .iter()
        .map(|row| {
            let (start, goal) = (row.start_cell(&bounds), row.goal_cell(&bounds));
            (slot(start.expect("the start is on the map")), slot(goal.expect("the goal is on the map")))
        })
        .collect();

    let (width, height) = (grid.width(), grid.height());
    let mut classes = grid.classes().to_vec();
    let levels = match ground {
        Ground::Even | Ground::Letters => None,
        Ground::Hills => Some(testkit::terrain(width, height, 9, 0, &seed())),
        Ground::Noise => Some(testkit::noise(width, height, 9, 0, &seed())),
    };
    if let Some(levels) = levels {
        for (class, level) in classes.iter_mut().zip(levels.classes) {
            if *class != 0 {
                *class = level;
            }
        }
    }
    let multipliers = match ground {
        Ground::Even => std::array::from_fn(|class| u16::from(class != 0)),
        _ => std::array::from_fn(|class| class as u16),
    };
    Problem {
        name: name.to_owned(),
        width,
        height,
        classes,
        multipliers,
        straight: 70,
        diagonal: 99,
        diagonals: Diagonals::OnlyWhenNoObstacles,
        queries,
    }
}
