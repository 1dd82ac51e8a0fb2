//! The work of searches beside prices, in expanded cells.

use tilepath::{Algorithm, Cell, Crossing, Direction, Edit, Grid, Movement, PathFinder, PathQuery};

use crate::worlds::{Kind, Random};

const SIDE: u32 = 512;

/// Smooth hills of four heights, with walls on a tenth of the cells.
fn hills(random: &mut Random) -> Grid {
    let wave = |random: &mut Random| {
        let part = |random: &mut Random| f64::from(random.between::<u32>(0, 100)) / 400.0;
        [part(random), part(random), f64::from(random.between::<u32>(0, 628)) / 100.0]
    };
    let waves: Vec<[f64; 3]> = (0..6).map(|_| wave(random)).collect();
    let class = |slot: u32| {
        let (x, y) = (f64::from(slot % SIDE), f64::from(slot / SIDE));
        let height: f64 = waves.iter().map(|[along, up, begin]| (x * along + y * up + begin).sin()).sum();
        if random.chance(10) { 0 } else { 1 + ((height + 3.0).max(0.0) * 4.0 / 6.0).min(3.0) as u8 }
    };
    Grid::from_classes(SIDE, SIDE, (0..SIDE * SIDE).map(class).collect()).unwrap()
}

fn expanded(finder: &PathFinder, queries: &[PathQuery]) -> u64 {
    queries.iter().map(|query| finder.solve(query).unwrap().statistics.expanded).sum()
}

#[test]
fn few_more_cells_are_expanded_beside_a_river_and_uphill() {
    let mut random = Random::of_world(Kind::Both, 512);
    let mut grid = hills(&mut random);
    let mut place = || Cell::new(random.between(0, SIDE.into()), random.between(0, SIDE.into()));
    let queries: Vec<PathQuery> = (0..20)
        .map(|_| PathQuery::new(place(), place()).with_algorithm(Algorithm::AStar).without_landmarks())
        .collect();
    let plain = expanded(&PathFinder::new(grid.clone(), Movement::new()), &queries);

    let climber = [(1, 2), (2, 3), (3, 4)].into_iter();
    let climber = climber.fold(Movement::new(), |movement, (low, high)| {
        movement.with_step_cost([low], [high], u16::from(high) + 1)
    });
    let uphill = expanded(&PathFinder::new(grid.clone(), climber), &queries);

    // The river winds from the west to the east.
    let bank = |x: u32| 256 + (40.0 * (f64::from(x) / 30.0).sin()) as i32;
    let mut river = Vec::new();
    for x in 0..SIDE {
        let cell = Cell::new(x as i32, bank(x));
        let rises = (x + 1 < SIDE).then(|| bank(x + 1) - bank(x));
        river.push(Edit::edges("river", cell, [Direction::North]));
        for step in 1..=rises.unwrap_or(0) {
            river.push(Edit::edges("river", cell + (0, step), [Direction::East]));
        }
        for step in rises.unwrap_or(0)..0 {
            river.push(Edit::edges("river", cell + (1, step + 1), [Direction::West]));
        }
    }
    grid.edit(&river).unwrap();
    let river =
        expanded(&PathFinder::new(grid, Movement::new().with_edges("river", Crossing::Costs(6))), &queries);
    assert!(river * 100 <= plain * 103, "{river} of {plain}");
    assert!(uphill * 100 <= plain * 115, "{uphill} of {plain}");
}
