use super::{
    LandmarkCount, Landmarks, MapGround,
    tiles::{Directions, LandmarkTables, UNREACHED},
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    grid::Grid,
    movement::{Diagonals, Movement, StepCosts},
    movement_map::{MovementMap, area::EditedAreas},
    space::grid::GridNode,
};
use proptest::{collection::vec, prelude::*};
use testkit::{DiagonalRule, Oracle, Rules, TileMap};

const RULES: [(Diagonals, DiagonalRule); 4] = [
    (Diagonals::Never, DiagonalRule::Never),
    (Diagonals::OnlyWhenNoObstacles, DiagonalRule::OnlyWhenNoObstacles),
    (Diagonals::IfAtMostOneObstacle, DiagonalRule::IfAtMostOneObstacle),
    (Diagonals::Always, DiagonalRule::Always),
];

/// Returns a number that is lower for a cheaper class, and highest for a wall.
fn rank(class: u8) -> u8 {
    class.wrapping_sub(1)
}

/// Checks every cost of every table against the oracle's costs on the floor.
fn check_tables(tables: &LandmarkTables, bounds: &Bounds, floor: &TileMap, rules: &Rules) {
    let oracle = Oracle::new(floor, rules);
    for (landmark, &cell) in tables.landmarks().iter().enumerate() {
        let place = (cell.x, cell.y);
        let tables_of = tables.of_landmark(landmark);
        let costs = [oracle.costs_to(&[place]), oracle.costs_from(place)];
        let halves = if tables.directions() == Directions::OneLength { 1 } else { 2 };
        for slot in (0..floor.classes.len()).filter(|&slot| floor.classes[slot] != 0) {
            let position = floor.position(slot);
            let node = GridNode::of(bounds, position.into()).unwrap();
            for (&table, costs) in tables_of.iter().zip(&costs).take(halves) {
                assert_eq!(tables.cost(table, node).map(u64::from), costs[slot], "{position:?} and {cell}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn tables_hold_the_least_costs_on_the_floor(
        (width, height) in (3..13_u32, 3..13_u32),
        classes in vec(0..5_u8, 12 * 12),
        rule in 0..4_usize,
        (straight, diagonal) in prop_oneof![Just((10_u16, 14_u16)), Just((1, 1)), Just((60_000, 65_535))],
        batches in vec(vec((0..144_usize, 0..5_u8), 1..8), 0..6),
    ) {
        let mut map = TileMap::new("random", width, height, classes[..(width * height) as usize].to_vec());
        let multipliers = std::array::from_fn(|class| class as u64);
        let (straight_cost, diagonal_cost) = (u64::from(straight), u64::from(diagonal));
        let rules = Rules { diagonals: RULES[rule].1, straight: straight_cost, diagonal: diagonal_cost, multipliers };
        let movement = Movement::new()
            .with_diagonals(RULES[rule].0)
            .with_steps(StepCosts::new(straight, diagonal).unwrap());
        let mut grid = Grid::from_classes(width, height, map.classes.clone()).unwrap();
        let mut movement_map = MovementMap::new(&grid, movement);
        let bounds = grid.bounds();
        let count = LandmarkCount::Exactly(3);
        let mut landmarks = Landmarks::default();
        landmarks.advance(MapGround { bounds: &bounds, classes: grid.classes(), movement_map: &movement_map }, count, u64::MAX);
        let Some(tables) = landmarks.ready() else { return Ok(()) };
        let (mut floor, mut directions) = (map.clone(), tables.directions());
        check_tables(tables, &bounds, &floor, &rules);
        for batch in batches {
            let mut edited = Vec::new();
            for (slot, class) in batch {
                let slot = slot % map.classes.len();
                let old = std::mem::replace(&mut map.classes[slot], class);
                let cell = Cell::from(map.position(slot));
                grid.set_terrain(cell, class).unwrap();
                edited.push((cell, [Some(old), Some(class)]));
            }
            let places = edited.iter().map(|(cell, _)| (cell.x as u32, cell.y as u32));
            movement_map.follow_edits(&grid, &EditedAreas::of(places), |_| ());
            let ground = MapGround { bounds: &bounds, classes: grid.classes(), movement_map: &movement_map };
            landmarks.follow_edits(ground, edited.into_iter());
            let has_fallen = floor.classes.iter().zip(&map.classes).any(|(&floor, &class)| rank(class) < rank(floor));
            prop_assert_eq!(landmarks.ready().is_none(), has_fallen);
            let before = directions;
            while landmarks.advance(ground, count, 7) > 0 {}
            let tables = landmarks.ready().unwrap();
            directions = tables.directions();
            if directions == before {
                for (floor, &class) in floor.classes.iter_mut().zip(&map.classes) {
                    if rank(class) < rank(*floor) {
                        *floor = class;
                    }
                }
            } else {
                // Ground of one cost became uneven, so the tables were made again.
                floor = map.clone();
            }
            check_tables(tables, &bounds, &floor, &rules);
        }
    }

    #[test]
    fn a_tile_holds_any_costs_exactly(
        changes in vec((0..20_u32, 0..13_u32, 0..3_usize, prop_oneof![0..90_000_u32, 0..super::tiles::HIGHEST]), 1..200),
        [west, south] in [-20..20_i32, -20..20_i32],
    ) {
        let bounds = Bounds::new(Cell::new(0, 0), 20, 13).unwrap();
        let mut tables = LandmarkTables::new(&bounds, Directions::OneLength);
        tables.make_room(3);
        (0..3).for_each(|x| tables.add(Cell::new(x, 0)));
        let mut known = vec![[None; 3]; 20 * 13];
        for (x, y, table, cost) in changes {
            tables.set(table, GridNode::new(x, y), cost);
            known[(y * 20 + x) as usize][table] = Some(cost);
        }
        let check = |tables: &LandmarkTables, bounds: &Bounds| {
            for cell in bounds.cells() {
                let node = GridNode::of(bounds, cell).unwrap();
                let known = Bounds::new(Cell::new(0, 0), 20, 13).unwrap().slot(cell).map(|slot| known[slot]);
                let costs: Vec<Option<u32>> = (0..3).map(|table| tables.cost(table, node)).collect();
                assert_eq!(costs, known.unwrap_or_default(), "{cell}");
                for (table, cost) in costs.into_iter().enumerate().filter(|(_, cost)| cost.is_some()) {
                    assert_eq!(Some(tables.cost_at(tables.place(node), table)), cost);
                }
            }
        };
        check(&tables, &bounds);
        // Grown or shrunk, cells keep their costs. What was cut off does not come back.
        let moved = Bounds::new(Cell::new(west.min(0), south.min(0)), 45, 40).unwrap();
        check(&tables.resized(&bounds, &moved), &moved);
        let cut = Bounds::new(Cell::new(west.clamp(0, 9), south.clamp(0, 9)), 9, 4).unwrap();
        let back = tables.resized(&bounds, &cut).resized(&cut, &bounds);
        for cell in bounds.cells() {
            let node = GridNode::of(&bounds, cell).unwrap();
            let kept = known[bounds.slot(cell).unwrap()].map(|cost| cost.filter(|_| cut.contains(cell)));
            assert_eq!([0, 1, 2].map(|table| back.cost(table, node)), kept, "{cell}");
        }
    }
}

#[test]
fn costs_that_span_two_bytes_or_more_take_four() {
    let bounds = Bounds::new(Cell::new(0, 0), 8, 8).unwrap();
    let mut tables = LandmarkTables::new(&bounds, Directions::OneLength);
    tables.make_room(1);
    tables.add(Cell::new(0, 0));
    let mut costs = [UNREACHED; 64];
    (costs[0], costs[63]) = (1_000, 1_000 + 65_534);
    tables.pack(0, 0, &costs);
    let narrow = tables.bytes();
    costs[62] = 999;
    tables.pack(0, 0, &costs);
    assert!(tables.bytes() > narrow);
    let found = [0, 1, 62, 63].map(|cell: u32| tables.cost(0, GridNode::new(cell % 8, cell / 8)));
    assert_eq!(found, [Some(1_000), None, Some(999), Some(66_534)]);
}
