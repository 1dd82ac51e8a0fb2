//! Random maps, rules, edits and places.

use rand::{Rng, seq::IndexedRandom};
use testkit::{DiagonalRule, LandEdit, Rules, Seed, TileMap, Unit};

/// Sides of maps near multiples of 64 cells, where rows of 64-bit words begin and end, with and
/// without a border.
const SEAMS: [u32; 10] = [62, 63, 64, 65, 66, 126, 127, 128, 129, 130];

fn side(generator: &mut impl Rng) -> u32 {
    match generator.random_range(0..20) {
        0..=8 => generator.random_range(1..=12),
        9..=13 => generator.random_range(13..=61),
        14..=17 => *SEAMS.choose(generator).expect("there are seams"),
        _ => generator.random_range(67..=130),
    }
}

fn size(generator: &mut impl Rng) -> (u32, u32) {
    match generator.random_range(0..12) {
        0 => (1, side(generator)),
        1 => (side(generator), 1),
        2..=4 => (generator.random_range(1..=6), generator.random_range(1..=6)),
        _ => (side(generator), side(generator)),
    }
}

/// Draws a map of one of many kinds, with classes 0 to 9.
pub(crate) fn map(generator: &mut impl Rng) -> TileMap {
    let (width, height) = size(generator);
    let seed = &Seed::named(&format!("map {}", generator.random::<u64>()));
    let percent = *[1, 5, 10, 20, 33, 40, 50, 70, 95].choose(generator).expect("there are shares");
    let is_small = width < 8 || height < 8;
    let mut map = match generator.random_range(0..10) {
        0 => testkit::open(width, height),
        1 | 2 => testkit::cluttered(width, height, percent, seed),
        3 => testkit::noise(width, height, generator.random_range(1..=9), percent.min(50), seed),
        4 => striped(width, height, generator),
        _ if is_small => testkit::noise(width, height, 3, 25, seed),
        5 => testkit::caves(width, height, seed),
        6 => testkit::rooms(width, height, generator.random_range(2..=12), seed),
        7 => testkit::maze(width, height, generator.random_range(1..=4), seed),
        _ => testkit::terrain(width, height, generator.random_range(1..=9), percent.min(50), seed),
    };
    if generator.random_ratio(1, 4) {
        // Ground with equal costs for one kind of unit, and different costs for another.
        for class in &mut map.classes {
            if *class != 0 {
                *class = generator.random_range(1..=9);
            }
        }
    }
    map
}

/// Draws open ground with long walls that have a few gaps, mostly near the borders of machine
/// words.
fn striped(width: u32, height: u32, generator: &mut impl Rng) -> TileMap {
    let mut map = testkit::open(width, height);
    for _ in 0..generator.random_range(1..=4) {
        let is_column = generator.random();
        let (across, along) = if is_column { (width, height) } else { (height, width) };
        let seam = *SEAMS.choose(generator).expect("there are seams");
        let line = if seam < across { seam } else { generator.random_range(0..across) };
        let gap = generator.random_range(0..along);
        for step in (0..along).filter(|&step| step != gap) {
            let (x, y) = if is_column { (line, step) } else { (step, line) };
            map.classes[(y * width + x) as usize] = 0;
        }
    }
    map
}

/// Draws step costs with room for sums, and at times the largest step costs.
fn steps(generator: &mut impl Rng) -> (u64, u64) {
    const USUAL: [(u64, u64); 8] = [(10, 14), (70, 99), (10, 14), (2, 3), (3, 4), (1, 1), (1, 2), (5, 10)];
    const COSTLY: [(u64, u64); 4] = [(65_535, 65_535), (32_768, 65_535), (60_000, 60_001), (40_000, 56_569)];
    let choices: &[_] = if generator.random_ratio(1, 20) { &COSTLY } else { &USUAL };
    *choices.choose(generator).expect("there are steps")
}

fn multipliers(generator: &mut impl Rng) -> [u64; 256] {
    let one_price = *[1, 1, 2, 7, 65_535].choose(generator).expect("there are prices");
    match generator.random_range(0..20) {
        0..=4 => std::array::from_fn(|class| class as u64),
        5..=10 => std::array::from_fn(|class| if class == 0 { 0 } else { one_price }),
        // A boat: walls for other units are open.
        11 => std::array::from_fn(|class| u64::from(class < 3)),
        12 => std::array::from_fn(|class| u64::from(class % 3 == 1)),
        13 => {
            std::array::from_fn(|class| [0, 1, 1, 1, 2, 3, 5, 40, 40, 900].get(class).copied().unwrap_or(1))
        }
        14 => [0; 256],
        15 => std::array::from_fn(|_| generator.random_range(0..=65_535)),
        _ => std::array::from_fn(|_| match generator.random_range(0..8) {
            0 => 0,
            1 => generator.random_range(21..=1_000),
            _ => generator.random_range(1..=20),
        }),
    }
}

/// Draws rules of movement.
pub(crate) fn rules(generator: &mut impl Rng) -> Rules {
    let (straight, diagonal) = steps(generator);
    let diagonals = *DiagonalRule::ALL.choose(generator).expect("there are rules");
    Rules { diagonals, straight, diagonal, multipliers: multipliers(generator) }
}

/// Draws rules of movement in four directions over ground of one cost.
pub(crate) fn rules_of_four_ways(generator: &mut impl Rng) -> Rules {
    let (straight, diagonal) = steps(generator);
    let price = *[1, 1, 2, 7, 9_000].choose(generator).expect("there are prices");
    let multipliers = std::array::from_fn(|class| if class == 0 { 0 } else { price });
    Rules { diagonals: DiagonalRule::Never, straight, diagonal, multipliers }
}

/// Draws a position on the map.
pub(crate) fn position(generator: &mut impl Rng, map: &TileMap) -> (i32, i32) {
    map.position(generator.random_range(0..map.classes.len()))
}

/// Draws a position at which a unit of a size covers only cells of the map.
pub(crate) fn anchor(generator: &mut impl Rng, map: &TileMap, size: i32) -> (i32, i32) {
    let (width, height) = (map.width as i32, map.height as i32);
    (generator.random_range(0..=width - size), generator.random_range(0..=height - size))
}

/// Draws a position that is open to a unit, if a few tries find such a position.
pub(crate) fn open_anchor(generator: &mut impl Rng, map: &TileMap, unit: &Unit) -> (i32, i32) {
    let mut drawn = anchor(generator, map, unit.size);
    for _ in 0..20 {
        let mut cells =
            (0..unit.size * unit.size).map(|n| (drawn.0 + n % unit.size, drawn.1 + n / unit.size));
        let is_open = |cell| unit.rules.multipliers[usize::from(map.classes[map.slot(cell)])] != 0;
        if cells.all(is_open) {
            break;
        }
        drawn = anchor(generator, map, unit.size);
    }
    drawn
}

fn new_class(generator: &mut impl Rng) -> u8 {
    if generator.random() { 0 } else { generator.random_range(0..=9) }
}

/// Draws edits: scattered, in one spot, along a line, or more than a journal holds.
pub(crate) fn edits(generator: &mut impl Rng, map: &TileMap) -> Vec<LandEdit> {
    let centre = position(generator, map);
    let mut edits = Vec::new();
    match generator.random_range(0..8) {
        0..=2 => {
            for _ in 0..generator.random_range(1..=8) {
                edits.push((position(generator, map), new_class(generator)));
            }
        }
        3..=5 => {
            for _ in 0..generator.random_range(1..=8) {
                let place =
                    (centre.0 + generator.random_range(-2..=2), centre.1 + generator.random_range(-2..=2));
                edits.push((place, new_class(generator)));
            }
        }
        6 => {
            let (dx, dy) = if generator.random() { (1, 0) } else { (0, 1) };
            let class = new_class(generator);
            let length = generator.random_range(2..=70);
            edits.extend((0..length).map(|step| ((centre.0 + step * dx, centre.1 + step * dy), class)));
        }
        _ => {
            for _ in 0..=map.classes.len() / 6 {
                edits.push((position(generator, map), new_class(generator)));
            }
        }
    }
    edits.retain(|&(place, _)| map.contains(place));
    edits.into_iter().map(|(place, class)| LandEdit::Terrain(place, class)).collect()
}
