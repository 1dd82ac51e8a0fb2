//! Receipts of paths, and paths beside the cheapest one.

use crate::worlds::{Prices, World, cases, world};
use proptest::prelude::*;
use tilepath::{
    Cell, Cost, CostTable, Diagonals, Grid, Movement, MovementId, PathFinder, PathQuery, Size,
    explain::{ExplainError, StepFault},
    format,
};

const FIRST: MovementId = MovementId::FIRST;

fn cells(places: &[(i32, i32)]) -> Vec<Cell> {
    places.iter().copied().map(Cell::from).collect()
}

fn finder(picture: &str, diagonals: Diagonals) -> PathFinder {
    PathFinder::new(format::parse_ascii(picture).unwrap(), Movement::new().with_diagonals(diagonals))
}

#[test]
fn receipt_tells_ground_rule_and_running_total_of_each_step() {
    let finder = finder("..4\n.#.\n..2", Diagonals::IfAtMostOneObstacle);
    let receipt = finder.explain(&cells(&[(1, 0), (2, 1), (2, 2), (1, 2)]), FIRST).unwrap();
    assert_eq!(
        (receipt.start(), receipt.goal(), receipt.total()),
        ((1, 0).into(), (1, 2).into(), Cost::new(64))
    );
    let [cut, up, back] = receipt.steps() else { panic!("three steps") };
    assert_eq!((cut.terrain, cut.multiplier, cut.step_cost, cut.cost), (Some(1), 1, 14, Cost::new(14)));
    let corner = cut.corner.unwrap();
    assert_eq!(corner.obstacles().collect::<Vec<_>>(), [Cell::new(1, 1)]);
    assert_eq!(
        corner.beside.map(|side| (side.cell, side.is_open)),
        [(Cell::new(1, 1), false), (Cell::new(2, 0), true)]
    );
    assert_eq!((up.terrain, up.multiplier, up.cost, up.total), (Some(4), 4, Cost::new(40), Cost::new(54)));
    assert!(up.corner.is_none() && !up.is_diagonal() && cut.is_diagonal());
    assert_eq!((back.from, back.to, back.total), ((2, 2).into(), (1, 2).into(), Cost::new(64)));
    assert_eq!(
        receipt.to_string(),
        "\
step  to      ground           kind      beside                      cost  total
      (1, 0)  start                                                            0
   1  (2, 1)  class 1 costs 1  diagonal  (1, 1) closed, (2, 0) open    14     14
   2  (2, 2)  class 4 costs 4  straight                                40     54
   3  (1, 2)  class 1 costs 1  straight                                10     64
3 steps cost 64: a straight one 10, a diagonal one 14 times the ground entered (if-at-most-one-obstacle)
"
    );
}

#[test]
fn receipt_has_a_column_for_overlays_and_names_the_ground_under_a_large_unit() {
    let mut grid = format::parse_ascii("...5\n....").unwrap();
    grid.set_overlay("danger", [(Cell::new(1, 0), 30)]).unwrap();
    let tank = Movement::new().with_overlay("danger").with_size(Size::new(2).unwrap());
    let finder = PathFinder::new(grid, tank);
    let receipt = finder.explain(&cells(&[(0, 0), (1, 0), (2, 0)]), FIRST).unwrap();
    assert_eq!(receipt.steps().iter().map(|step| step.overlays).collect::<Vec<_>>(), [30, 0]);
    assert_eq!(
        receipt.to_string(),
        "\
step  to      ground                     overlays  kind      beside  cost  total
      (0, 0)  start                                                            0
   1  (1, 0)  class 1 costs 1                 +30  straight           310    310
   2  (2, 0)  class 5 at (3, 1) costs 5            straight            50    360
2 steps cost 360: a straight one 10, a diagonal one 14 times the ground entered and its overlays (only-when-no-obstacles)
"
    );
}

#[test]
fn first_illegal_step_is_named_with_its_reason() {
    let finder = finder("...\n.#.\n#..", Diagonals::OnlyWhenNoObstacles);
    let refusal = |places: &[(i32, i32)]| finder.explain(&cells(places), FIRST).unwrap_err();
    let fault = |places: &[(i32, i32)], number: usize| match refusal(places) {
        ExplainError::IllegalStep { step, fault, .. } if step == number => fault,
        other => panic!("{other}"),
    };
    assert_eq!(refusal(&[]), ExplainError::NoCells);
    assert!(matches!(refusal(&[(3, 0)]), ExplainError::StartOutOfBounds { .. }));
    assert!(matches!(fault(&[(2, 0), (2, -1)], 1), StepFault::OutOfBounds { .. }));
    assert_eq!(fault(&[(2, 0), (2, 2)], 1), StepFault::NotNeighbours);
    assert_eq!(fault(&[(2, 0), (2, 0)], 1), StepFault::NotNeighbours);
    assert_eq!(fault(&[(2, 0), (1, 0), (1, 1)], 2), StepFault::Blocked { terrain: 0 });
    let StepFault::Corner { rule, corner } = fault(&[(2, 0), (1, 0), (2, 1)], 2) else { panic!() };
    assert_eq!(rule, Diagonals::OnlyWhenNoObstacles);
    assert_eq!(corner.obstacles().collect::<Vec<_>>(), [Cell::new(1, 1)]);
    assert_eq!(
        refusal(&[(0, 1), (1, 0)]).to_string(),
        "step 1 from (0, 1) to (1, 0) is not allowed: the rule only-when-no-obstacles forbids the diagonal between these \
         cells: (1, 1) closed, (0, 0) closed; go round by a straight step"
    );
    assert_eq!(
        finder.explain(&cells(&[(0, 0), (0, 1)]), FIRST).unwrap().total(),
        Cost::new(10),
        "a unit may leave a wall"
    );
    assert_eq!(
        fault(&[(0, 0), (0, 1), (0, 0)], 2),
        StepFault::Blocked { terrain: 0 },
        "a unit may not enter a wall again"
    );
}

#[test]
fn movement_without_diagonals_says_so() {
    let finder = finder("..\n..", Diagonals::Never);
    let refusal = finder.explain(&cells(&[(0, 0), (1, 1)]), FIRST).unwrap_err();
    assert!(matches!(refusal, ExplainError::IllegalStep { fault: StepFault::NoDiagonals, .. }), "{refusal}");
    let receipt = finder.explain(&cells(&[(0, 0), (1, 0)]), FIRST).unwrap().to_string();
    assert!(
        receipt.ends_with("1 step costs 10: each 10 times the ground entered (diagonals: never)\n"),
        "{receipt}"
    );
}

#[test]
fn each_movement_gives_its_own_receipt() {
    let mut finder = finder("..5", Diagonals::default());
    let boat = finder.add_movement(Movement::new().with_costs(CostTable::impassable().with(5, 2).with(1, 7)));
    let walk = cells(&[(0, 0), (1, 0), (2, 0)]);
    assert_eq!(finder.explain(&walk, FIRST).unwrap().total(), Cost::new(60));
    assert_eq!(finder.explain(&walk, boat).unwrap().total(), Cost::new(90));
}

#[test]
fn sum_that_cannot_be_stated_is_named_with_its_step() {
    let movement = Movement::new().with_costs(CostTable::uniform().with(1, u16::MAX));
    let finder = PathFinder::new(Grid::new(2, 1, 1).unwrap(), movement);
    let there_and_back: Vec<Cell> = (0..7000).map(|step| Cell::new(step % 2, 0)).collect();
    // 6554 is the least number of steps of 655,350 whose cost overflows.
    assert_eq!(
        finder.explain(&there_and_back, FIRST).unwrap_err(),
        ExplainError::CostOverflow { step: 6554 }
    );
}

#[test]
fn costlier_proposal_shows_the_fork_and_the_costly_steps() {
    let finder = finder("......\n..99..\n......", Diagonals::default());
    let query = PathQuery::new(Cell::new(0, 1), Cell::new(5, 1));
    let straight: Vec<Cell> = (0..6).map(|x| Cell::new(x, 1)).collect();
    let comparison = finder.compare(&straight, &query).unwrap();
    assert_eq!(
        (comparison.proposal().total(), comparison.cheapest().total()),
        (Cost::new(210), Cost::new(58))
    );
    assert_eq!(comparison.excess(), Cost::new(152));
    assert!(!comparison.is_cheapest());
    let costly: Vec<Cell> = comparison.costliest_steps().map(|step| step.to).collect();
    assert_eq!(costly, cells(&[(2, 1), (3, 1)]));
    let text = comparison.to_string();
    assert!(
        text.starts_with("the route costs 210, 152 more than the cheapest (58); they part at "),
        "{text}"
    );
    assert!(text.ends_with("costliest steps: (1, 1) to (2, 1) for 90, (2, 1) to (3, 1) for 90"), "{text}");
}

#[test]
fn walk_there_and_back_is_charged_twice() {
    let finder = finder("...", Diagonals::default());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 0));
    let comparison = finder.compare(&cells(&[(0, 0), (1, 0), (0, 0), (1, 0)]), &query).unwrap();
    assert_eq!(comparison.excess(), Cost::new(20));
    assert_eq!(comparison.costliest_steps().count(), 2);
    assert_eq!(comparison.parts_at(), Some(Cell::new(1, 0)), "the cell where the cheapest path ends");
}

#[test]
fn cheapest_proposal_is_reported_as_cheapest() {
    let finder = finder("...\n...", Diagonals::Never);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(2, 1));
    for route in [[(0, 0), (1, 0), (2, 0), (2, 1)], [(0, 0), (0, 1), (1, 1), (2, 1)]] {
        let comparison = finder.compare(&cells(&route), &query).unwrap();
        assert!(comparison.is_cheapest() && comparison.costliest_steps().next().is_none());
        assert_eq!(comparison.to_string(), "the route costs 30, and no other costs less");
    }
}

#[test]
fn proposal_to_somewhere_else_is_refused() {
    let finder = finder("...", Diagonals::default());
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 0));
    let compare = |places: &[(i32, i32)]| finder.compare(&cells(places), &query).unwrap_err();
    assert!(matches!(compare(&[(1, 0)]), ExplainError::OtherStart { .. }));
    assert!(matches!(compare(&[(0, 0), (1, 0), (2, 0)]), ExplainError::OtherGoal { .. }));
}

/// Returns a random walk from the start. Its steps may be forbidden.
fn walk(world: &World, turns: &[u8]) -> Vec<Cell> {
    let mut cells = vec![world.start()];
    for &turn in turns {
        let direction = tilepath::Direction::ALL[usize::from(turn % 8)];
        let next = cells[cells.len() - 1].neighbour(direction);
        cells.extend(next.filter(|&cell| world.grid().contains(cell)));
    }
    cells
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn receipt_of_any_walk_is_that_of_brute_force(
        world in world(6, Prices::Any),
        turns in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let walk = walk(&world, &turns);
        let positions: Vec<_> = walk.iter().map(|&cell| world.position(cell)).collect();
        let oracle = world.oracle();
        match world.finder().explain(&walk, FIRST) {
            Ok(receipt) => {
                prop_assert_eq!(Some(u64::from(receipt.total().get())), oracle.walk_cost(&positions));
                prop_assert!(receipt.cells().eq(walk.iter().copied()));
                for (index, step) in receipt.steps().iter().enumerate() {
                    let before = oracle.walk_cost(&positions[..index + 2]);
                    prop_assert_eq!(Some(u64::from(step.total.get())), before);
                }
            }
            Err(ExplainError::IllegalStep { step, .. }) => {
                prop_assert_eq!(oracle.step_cost(positions[step - 1], positions[step]), None);
                prop_assert!(oracle.walk_cost(&positions[..step]).is_some(), "the named step is the first illegal one");
            }
            Err(ExplainError::CostOverflow { step }) => {
                prop_assert!(oracle.walk_cost(&positions[..=step]).unwrap() > u64::from(u32::MAX));
            }
            Err(other) => prop_assert!(false, "{}", other),
        }
    }

    #[test]
    fn legal_walk_is_compared_with_the_cheapest_way(
        world in world(6, Prices::Low),
        turns in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let walk = walk(&world, &turns);
        let finder = world.finder();
        let goal = walk[walk.len() - 1];
        let query = PathQuery::new(world.start(), goal);
        if let Ok(receipt) = finder.explain(&walk, FIRST) {
            let comparison = finder.compare(&walk, &query).unwrap();
            let cheapest = world.oracle().cost(world.start, world.position(goal)).unwrap();
            prop_assert_eq!(comparison.proposal(), &receipt);
            prop_assert_eq!(u64::from(comparison.cheapest().total().get()), cheapest);
            prop_assert_eq!(u64::from(comparison.excess().get()), u64::from(receipt.total().get()) - cheapest);
            let costly: u64 = comparison.costliest_steps().map(|step| u64::from(step.cost.get())).sum();
            prop_assert!(costly >= u64::from(comparison.excess().get()));
            let other: Vec<Cell> = comparison.cheapest().cells().collect();
            prop_assert_eq!(comparison.parts_at().is_none(), other == walk);
            if let Some(at) = comparison.parts_at() {
                let place = walk.iter().zip(&other).take_while(|(one, other)| one == other).count();
                prop_assert_eq!(at, walk[place - 1]);
            }
        }
    }
}
