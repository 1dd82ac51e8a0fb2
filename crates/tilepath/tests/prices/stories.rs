//! Whole rules of games: Civilization 5 from a file, a scout on hexagons, slopes of a strategy game.

use tilepath::{
    Cell, Cost, CostTable, Crossing, Direction, Edit, Grid, Movement, MovementId, PathFinder, StepCosts,
    Topology, format::parse_ascii, rules::Rules, turns::TurnQuery, turns::Zone,
};

#[test]
fn civilization_5_from_a_rules_file() {
    let rules = Rules::from_ron(
        r#"(
            classes: {0: "mountain", 1: "plains", 2: "hills", 3: "road"},
            movements: {
                "settler": (
                    costs: {"plains": 2, "hills": 4, "road": 2},
                    step_costs: {("road", "road"): 1},
                    edges: {"river": "ends-turn", "river under a road": "ends-turn"},
                ),
                "settler with bridges": (base: "settler", edges: {"river": "ends-turn"}),
            },
        )"#,
    )
    .unwrap();
    assert_eq!(Rules::from_ron(&rules.to_ron()).unwrap().to_ron(), rules.to_ron());
    let mut grid = parse_ascii("333333\n111111").unwrap();
    grid.edit(&[
        Edit::edges("river under a road", Cell::new(2, 1), [Direction::East]),
        Edit::edges("river", Cell::new(2, 0), [Direction::East]),
    ])
    .unwrap();
    let finder = PathFinder::new(grid.clone(), rules.movement("settler").unwrap().clone());
    let bridged = PathFinder::new(grid, rules.movement("settler with bridges").unwrap().clone());
    let unit = TurnQuery::new(Cell::new(0, 1), Cost::new(50));
    let goal = Cell::new(5, 1);
    let before = finder.solve_turn_path(&unit, goal).unwrap().unwrap();
    assert_eq!((before.turns(), before.stops()), (2, &[3, 5][..]), "the river ends the first turn");
    let after = bridged.solve_turn_path(&unit, goal).unwrap().unwrap();
    assert_eq!((after.turns(), after.used()), (1, Cost::new(50)), "five steps of road");
}

#[test]
fn scout_on_hexagons_walks_its_move_without_a_search_of_the_game() {
    let [plains, forest, road, coast] = [1, 2, 3, 4];
    let mut grid = Grid::new(7, 3, plains).unwrap().with_topology(Topology::Hexagonal);
    for (cell, class) in [((1, 1), road), ((2, 1), road), ((3, 1), road), ((4, 1), forest), ((6, 1), coast)] {
        grid.set_terrain(cell.into(), class).unwrap();
    }
    grid.edit(&[Edit::edges("river", Cell::new(3, 1), [Direction::East])]).unwrap();
    let costs = CostTable::impassable().with(plains, 10).with(forest, 20).with(road, 10);
    let scout = Movement::new()
        .with_costs(costs)
        .with_steps(StepCosts::new(1, 1).unwrap())
        .with_step_cost([road], [road], 5)
        .with_edges("river", Crossing::Costs(10));
    let finder = PathFinder::new(grid, scout);
    let enemies = [Cell::new(5, 2)];
    let turn = TurnQuery::new(Cell::new(1, 1), Cost::new(30)).with_turns(9).with_zone(Zone::beside(enemies));
    // The goal is water now, so the scout goes as near as it can get.
    let reach = finder.solve_turns(&turn).unwrap();
    let shore = reach.closest_to(Cell::new(6, 1));
    let way = finder.solve_turn_path(&turn, shore.cell).unwrap().unwrap();
    let walked = way.leg(1);
    assert!(walked.cost() <= Cost::new(30), "{walked:?}");
    assert_eq!(walked.start(), Cell::new(1, 1));
    walked.verify(finder.grid(), finder.movement(MovementId::FIRST).unwrap()).unwrap();
}

#[test]
fn field_of_a_strategy_game_leads_up_the_ramp() {
    // Heights 1 to 3; the ramp is in the east. Two heights at once are a cliff.
    let grid = parse_ascii("333332\n111112\n111111").unwrap();
    let tank = Movement::new()
        .with_costs(CostTable::uniform())
        .with_step_cost([1], [2], 3)
        .with_step_cost([2], [3], 3)
        .with_step_cost([1], [3], 0)
        .with_step_cost([3], [1], 0);
    let finder = PathFinder::new(grid, tank);
    let field = finder.field(&[Cell::new(0, 2)]).unwrap();
    let path = field.path_from(Cell::new(0, 0)).unwrap();
    assert!(path.cells().contains(&Cell::new(5, 1)), "{path:?}");
    path.verify(finder.grid(), finder.movement(MovementId::FIRST).unwrap()).unwrap();
    let down = finder.find(Cell::new(0, 2), Cell::new(0, 0)).unwrap().into_path().unwrap();
    assert!(down.cost() < path.cost(), "down is cheaper: {} and {}", down.cost(), path.cost());
}
