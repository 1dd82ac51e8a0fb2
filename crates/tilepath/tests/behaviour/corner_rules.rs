//! The four rules for diagonal steps, case by case.

use testkit::{DiagonalRule, Scene};
use tilepath::{Cell, Cost, Diagonals, Direction, Grid, Movement, Outcome, PathFinder};

use crate::worlds::{World, diagonals};

/// For each rule: true if a step to an open goal is allowed, by the number of walls beside it (0, 1
/// or 2).
const ALLOWED: [(Diagonals, [bool; 3]); 4] = [
    (Diagonals::Never, [false, false, false]),
    (Diagonals::OnlyWhenNoObstacles, [true, false, false]),
    (Diagonals::IfAtMostOneObstacle, [true, true, false]),
    (Diagonals::Always, [true, true, true]),
];

/// Tests all blocks of two by two cells: both ends of the step, and the two cells that it passes
/// between. Each is open or a wall.
#[test]
fn each_rule_allows_its_neighbourhoods_in_all_four_diagonal_directions() {
    let diagonal_directions = Direction::ALL.into_iter().filter(|direction| direction.is_diagonal());
    let mut checked = 0;
    for direction in diagonal_directions {
        let (dx, dy) = direction.offset();
        let from = Cell::new(i32::from(dx < 0), i32::from(dy < 0));
        let to = Cell::new(from.x + dx, from.y + dy);
        let beside = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
        for walls in 0..16_u32 {
            let mut grid = Grid::new(2, 2, 1).unwrap();
            for (bit, cell) in [from, to, beside[0], beside[1]].into_iter().enumerate() {
                grid.set_terrain(cell, u8::from(walls >> bit & 1 == 0)).unwrap();
            }
            let goal_is_open = walls & 2 == 0;
            let walls_beside = (walls >> 2).count_ones() as usize;
            for (rule, allowed) in ALLOWED {
                let movement = Movement::new().with_diagonals(rule);
                let expected = (goal_is_open && allowed[walls_beside]).then_some(Cost::new(14));
                assert_eq!(
                    movement.step_cost(&grid, from, direction),
                    expected,
                    "{rule} {direction:?} {walls:04b}"
                );

                // The search uses the same rule. If both detours are blocked, this step is the only
                // possible path, except from a closed cell, which may be left over another one.
                let outcome = PathFinder::new(grid.clone(), movement).find(from, to).unwrap();
                let around = if walls_beside < 2 || walls & 1 == 1 { Some(Cost::new(20)) } else { None };
                let cost = expected.or(around.filter(|_| goal_is_open));
                assert_eq!(
                    outcome.path().map(tilepath::Path::cost),
                    cost,
                    "{rule} {direction:?} {walls:04b}"
                );
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 4 * 16 * 4);
}

#[test]
fn straight_steps_do_not_care_about_walls_beside_them() {
    let scene = Scene::from_picture(
        "
        ###
        S.G
        ###
    ",
    );
    for rule in DiagonalRule::ALL {
        let mut world = World::new(scene.map.clone(), testkit::Rules::classic(rule));
        (world.start, world.goal) = (scene.start(), scene.goal());
        let outcome = world.finder().find(world.start(), world.goal()).unwrap();
        assert_eq!(outcome.path().map(tilepath::Path::cost), Some(Cost::new(20)), "{rule:?}");
    }
}

/// The unit in the middle stands in a wall. It may leave the wall, but it cannot pass a corner that
/// an obstacle forbids. After the step, the cell behind it is still a wall.
#[test]
fn a_blocked_start_stays_an_obstacle_for_corners() {
    let grid = || Grid::from_classes(2, 3, vec![1, 1, 0, 1, 1, 0]).unwrap();
    // Rows from the top:   . #
    //                      S .     S at (0, 1) is a wall, the goal (0, 2) is above it.
    //                      . .
    for (rule, to_the_right_then_up) in [
        (Diagonals::Never, None),
        (Diagonals::OnlyWhenNoObstacles, None),
        (Diagonals::IfAtMostOneObstacle, None),
        (Diagonals::Always, Some(Cost::new(14))),
    ] {
        let movement = Movement::new().with_diagonals(rule);
        let back = movement.step_cost(&grid(), Cell::new(1, 1), Direction::NorthWest);
        assert_eq!(back, to_the_right_then_up, "{rule}");
        let enter = movement.step_cost(&grid(), Cell::new(0, 0), Direction::North);
        assert_eq!(enter, None, "{rule}: never re-entered");
        let finder = PathFinder::new(grid(), movement);
        let out = finder.find(Cell::new(0, 1), Cell::new(0, 2)).unwrap();
        assert_eq!(out.path().map(tilepath::Path::cost), Some(Cost::new(10)), "{rule}");
        let past = finder.find(Cell::new(0, 0), Cell::new(0, 2)).unwrap();
        let expected = (rule == Diagonals::Always).then_some(Cost::new(28));
        assert_eq!(past.path().map(tilepath::Path::cost), expected, "{rule}");
    }
}

#[test]
fn a_blocked_start_between_walls_leaves_only_where_the_rule_lets_it() {
    let scene = Scene::from_picture(
        "
        .#.
        #0#
        .#G
    ",
    );
    for rule in DiagonalRule::ALL {
        let mut world = World::new(scene.map.clone(), testkit::Rules::classic(rule));
        (world.start, world.goal) = ((1, 1), scene.goal());
        let outcome = world.finder().find(world.start(), world.goal()).unwrap();
        if diagonals(rule) == Diagonals::Always {
            assert_eq!(outcome.path().map(tilepath::Path::cost), Some(Cost::new(14)));
        } else {
            assert_eq!(outcome, Outcome::Unreachable { closest: None }, "{rule:?}");
        }
    }
}
