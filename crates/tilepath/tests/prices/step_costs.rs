//! Costs of steps between classes: roads, slopes, cliffs, the cell that is left.

use tilepath::{
    Cell, Cost, CostTable, Direction, Edit, Grid, Movement, MovementId, Path, PathFinder, PathQuery,
    format::parse_ascii,
};

fn path(finder: &PathFinder, from: (i32, i32), to: (i32, i32)) -> Path {
    finder.find(from.into(), to.into()).unwrap().into_path().unwrap()
}

#[test]
fn road_only_from_road_to_road() {
    const ROAD: u8 = 4;
    let grid = parse_ascii(
        "
        44444
        11111
        4.4.4
        ",
    )
    .unwrap();
    let wagon = Movement::new().with_step_cost([ROAD], [ROAD], 1);
    let finder = PathFinder::new(grid, wagon);
    assert_eq!(path(&finder, (0, 2), (4, 2)).cost(), Cost::new(40), "along the road");
    let onto = path(&finder, (0, 1), (0, 2));
    assert_eq!(onto.cost(), Cost::new(40), "onto the road: the forest in which it lies");
    let row = path(&finder, (0, 0), (4, 0));
    assert_eq!(row.cost(), Cost::new(10 + 14 + 14 + 40), "pieces of road that do not touch are forest");
}

#[test]
fn uphill_costs_more() {
    // Heights from 1 to 3; each step up costs 4, and three heights at once are a cliff.
    let grid = parse_ascii(
        "
        1111
        1231
        1131
        ",
    )
    .unwrap();
    let walker = Movement::new()
        .with_costs(CostTable::uniform())
        .with_step_cost([1], [2], 4)
        .with_step_cost([2], [3], 4)
        .with_step_cost([1], [3], 0)
        .with_step_cost([3], [1], 0);
    let finder = PathFinder::new(grid, walker);
    let (low, high) = ((0, 1), (2, 0));
    let up = path(&finder, low, high);
    assert_eq!(up.cells(), [(0, 1), (1, 1), (2, 1), (2, 0)].map(Cell::from));
    assert_eq!(up.cost(), Cost::new(40 + 40 + 10));
    assert_eq!(path(&finder, high, low).cost(), Cost::new(10 + 10 + 10), "down is as cheap as on the level");
    assert!(finder.grid().terrain(Cell::new(3, 0)) == Some(1));
    let cliff = Movement::step_cost(
        finder.movement(MovementId::FIRST).unwrap(),
        finder.grid(),
        Cell::new(3, 0),
        Direction::West,
    );
    assert_eq!(cliff, None, "no step up the cliff");
}

#[test]
fn the_cell_left_pays() {
    // Heroes of Might and Magic: a step costs what the ground costs that the hero leaves.
    let (grass, swamp) = (1, 2);
    let hero = Movement::new()
        .with_costs(CostTable::uniform())
        .with_step_cost([grass], 0..=255, 4)
        .with_step_cost([swamp], 0..=255, 7);
    let finder = PathFinder::new(parse_ascii("1221").unwrap(), hero);
    assert_eq!(path(&finder, (0, 0), (3, 0)).cost(), Cost::new(40 + 70 + 70));
    assert_eq!(path(&finder, (3, 0), (1, 0)).cost(), Cost::new(40 + 70));
    let receipt = finder.explain(path(&finder, (0, 0), (3, 0)).cells(), MovementId::FIRST).unwrap();
    let multipliers: Vec<u16> = receipt.steps().iter().map(|step| step.multiplier).collect();
    assert_eq!(multipliers, [4, 7, 7]);
}

#[test]
fn later_cost_of_a_step_replaces_an_earlier_one() {
    let movement = Movement::new().with_step_cost([1, 2], [1, 2], 9).with_step_cost([2], [1], 3);
    assert_eq!(movement.class_steps(), [(1, 1, 9), (2, 1, 3), (1, 2, 9), (2, 2, 9)]);
    let other = Movement::new().with_step_cost([2], [1], 3).with_step_cost([1, 2], [1, 2], 9);
    assert_eq!(other.class_steps()[1], (2, 1, 9));
}

#[test]
fn closed_class_stays_closed_whatever_a_step_to_it_costs() {
    let movement = Movement::new().with_step_cost([1], [0], 1);
    let grid = parse_ascii(".#").unwrap();
    assert_eq!(movement.step_cost(&grid, Cell::new(0, 0), Direction::East), None);
}

#[test]
fn unit_of_several_cells_pays_for_its_dearest_cell() {
    // The upper half of the unit walks up a slope.
    let grid = parse_ascii(
        "
        1122
        1111
        ",
    )
    .unwrap();
    let wagon = Movement::new()
        .with_costs(CostTable::uniform())
        .with_size(tilepath::Size::new(2).unwrap())
        .with_step_cost([1], [2], 5);
    let finder = PathFinder::new(grid, wagon);
    assert_eq!(path(&finder, (0, 0), (1, 0)).cost(), Cost::new(50));
    assert_eq!(path(&finder, (1, 0), (2, 0)).cost(), Cost::new(50), "its left half walks up now");
    assert_eq!(path(&finder, (2, 0), (1, 0)).cost(), Cost::new(10));
}

#[test]
fn automatic_choice_is_a_star_beside_prices_and_jump_points_without() {
    let grid = Grid::new(99, 99, 1).unwrap();
    let mut finder = PathFinder::new(grid, Movement::new().with_step_cost(0..=255, [1], 2));
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(90, 90));
    assert_eq!(finder.algorithm_for(&query), Ok(tilepath::Algorithm::JumpPoint), "all steps cost the same");
    assert_eq!(finder.find(query.start(), query.goal()).unwrap().path().unwrap().cost(), Cost::new(90 * 28));
    let climber = finder.add_movement(Movement::new().with_step_cost([1], [2], 9));
    assert_eq!(finder.algorithm_for(&query.with_movement(climber)), Ok(tilepath::Algorithm::AStar));
}

#[test]
fn class_edit_beside_a_slope_is_an_opening() {
    let mut grid = Grid::new(8, 8, 2).unwrap();
    let climber = Movement::new().with_step_cost([2], [1], 9);
    let before = grid.revision();
    grid.edit(&[Edit::terrain(Cell::new(3, 3), 3), Edit::terrain(Cell::new(4, 4), 0)]).unwrap();
    assert_eq!(climber.openings_since(&grid, before), Some(vec![Cell::new(3, 3)]));
    assert_eq!(Movement::new().openings_since(&grid, before), Some(vec![]));
}
