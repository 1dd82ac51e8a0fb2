//! Agents touch no wall and cut no corner that the rule forbids.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, Diagonals, NavGrid, PathAgent, PathRequest, PathStatus, agents::PathLine, tilepath::Grid,
};
use testkit::{Seed, cluttered};

use crate::harness::*;

/// The distance by which an agent may reach over a corner, in world units.
const HAIR: f32 = 0.02;

/// Returns whether a point lies inside a wall by more than [`HAIR`].
fn is_in_wall(grid: &NavGrid, point: Vec2) -> bool {
    let cell = (point / CELL).floor();
    let inside = point - cell * CELL;
    let is_deep = inside.min_element() > HAIR && inside.max_element() < CELL - HAIR;
    is_deep && grid.terrain(Cell::new(cell.x as i32, cell.y as i32)) == Some(0)
}

/// Fails if the straight line between two positions touches a wall.
#[track_caller]
fn check_line(game: &Game, map: Entity, from: Vec2, to: Vec2, what: &str) {
    let grid = game.world().get::<NavGrid>(map).expect("the map is there");
    let samples = (from.distance(to) / 0.1).ceil().max(1.0) as usize;
    for n in 0..=samples {
        let point = from.lerp(to, n as f32 / samples as f32);
        assert!(!is_in_wall(grid, point), "{what}: {point} between {from} and {to} is in a wall");
    }
}

fn random_map(game: &mut Game, percent: u32, name: &str, diagonals: Diagonals) -> (Entity, Vec<Cell>) {
    let tiles = cluttered(12, 12, percent, &Seed::named(name));
    let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes).expect("the map is small");
    let open = grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect();
    (game.map_of(grid, diagonals), open)
}

#[test]
fn walk_from_anywhere_in_a_cell_touches_no_wall() {
    for diagonals in Diagonals::ALL {
        let mut game = Game::long_steps();
        for seed in 0..6 {
            let (map, open) = random_map(&mut game, 25, &format!("walk {seed}"), diagonals);
            for (n, &cell) in open.iter().enumerate().step_by(3) {
                let goal = open[(n * 7 + seed) % open.len()];
                let spot = Vec2::new((n * 5 % 15) as f32 - 7.0, (n * 11 % 15) as f32 - 7.0);
                let soldier = game.agent_at(centre(cell.x, cell.y) + spot, 160.0);
                game.order_to(soldier, goal.x, goal.y);
                let mut steps = 0;
                while game.is_ordered(soldier) {
                    let before = game.position(soldier);
                    game.step(0.004);
                    let after = game.position(soldier);
                    check_line(
                        &game,
                        map,
                        before,
                        after,
                        &format!("{diagonals} {cell} to {goal}, map {seed}"),
                    );
                    steps += 1;
                    assert!(steps < 5000);
                }
                game.world_mut().despawn(soldier);
            }
            game.world_mut().despawn(map);
        }
    }
}

#[test]
fn walk_with_orders_at_any_moment_touches_no_wall_and_does_not_jump() {
    for diagonals in Diagonals::ALL {
        let mut game = Game::long_steps();
        for seed in 0..8 {
            let (map, open) = random_map(&mut game, 30, &format!("orders {seed}"), diagonals);
            let start = open[open.len() / 2];
            let soldier = game.agent(start.x, start.y, 160.0);
            for n in 0..60 {
                let goal = open[(n * 37 + seed * 5) % open.len()];
                game.order_to(soldier, goal.x, goal.y);
                for _ in 0..=(n * 13 % 23) {
                    let before = game.position(soldier);
                    game.step(0.004);
                    let after = game.position(soldier);
                    assert!(before.distance(after) <= 160.0 * 0.004 + 1e-3, "{diagonals}: jumped");
                    check_line(&game, map, before, after, &format!("{diagonals}, map {seed}, order {n}"));
                }
            }
            game.world_mut().despawn(soldier);
            game.world_mut().despawn(map);
        }
    }
}

#[test]
fn long_steps_pass_the_centres_of_all_cells() {
    for diagonals in Diagonals::ALL {
        let mut game = Game::long_steps();
        let (_, open) = random_map(&mut game, 20, "centres", diagonals);
        for (n, &cell) in open.iter().enumerate().step_by(5) {
            let goal = open[(n * 31 + 7) % open.len()];
            let soldier = game.ordered_agent((cell.x, cell.y), 1000.0, (goal.x, goal.y));
            game.step(10.0);
            match game.status(soldier) {
                PathStatus::Arrived => {
                    assert_eq!(game.position(soldier), centre(goal.x, goal.y));
                    let cells = game.cell_path(soldier).cells().to_vec();
                    let points: Vec<Vec2> = cells.iter().map(|cell| centre(cell.x, cell.y)).collect();
                    assert_eq!(game.path(soldier).points(), points);
                    let reached =
                        game.told().iter().filter(|told| matches!(told.1, Told::Reached(_))).count();
                    assert_eq!(reached, cells.len() - 1);
                }
                status => assert!(matches!(status, PathStatus::Failed(_)), "{status:?}"),
            }
            game.told();
            game.world_mut().despawn(soldier);
        }
    }
}

#[test]
fn first_step_past_a_corner_goes_through_the_centre_if_it_must() {
    for (diagonals, walls) in [
        (Diagonals::IfAtMostOneObstacle, "..\n.#"),
        (Diagonals::IfAtMostOneObstacle, "#.\n.."),
        (Diagonals::Always, "#.\n.#"),
    ] {
        for spot in [Vec2::new(7.0, -7.0), Vec2::new(-7.0, 7.0), Vec2::new(7.5, 7.0), Vec2::splat(7.9)] {
            let mut game = Game::long_steps();
            let grid = bevy_tilepath::tilepath::format::parse_ascii(walls).unwrap();
            let map = game.map_of(grid, diagonals);
            let soldier = game.agent_at(centre(0, 0) + spot, 16.0);
            game.order_to(soldier, 1, 1);
            while game.is_ordered(soldier) {
                let before = game.position(soldier);
                game.step(0.01);
                check_line(&game, map, before, game.position(soldier), walls);
            }
            assert_eq!(game.position(soldier), centre(1, 1));
        }
    }
}

#[test]
fn order_at_the_corner_between_two_walls_starts_from_the_step_under_way() {
    for goal in [(0, 1), (1, 0), (2, 0)] {
        let mut game = Game::long_steps();
        let grid = bevy_tilepath::tilepath::format::parse_ascii(".##\n#..").unwrap();
        let map = game.map_of(grid, Diagonals::Always);
        let soldier = game.agent(0, 1, 128.0_f32.sqrt());
        game.order_to(soldier, 1, 0);
        game.step(1.0);
        assert!(
            game.position(soldier).distance(Vec2::splat(CELL)) < 1e-4,
            "the soldier is in the middle of the step"
        );
        game.world_mut()
            .entity_mut(soldier)
            .insert(PathRequest::to_cell(Cell::new(goal.0, goal.1)).or_closest());
        game.step(0.0);
        let start = game.cell_path(soldier).start();
        assert!(start == Cell::new(0, 1) || start == Cell::new(1, 0), "{start}");
        while game.is_ordered(soldier) {
            let before = game.position(soldier);
            game.step(0.01);
            check_line(&game, map, before, game.position(soldier), "from the corner");
        }
        assert_eq!(game.position(soldier), centre(goal.0, goal.1));
    }
}

#[test]
fn former_body_ends_no_step_that_was_closed_under_it() {
    for line in [PathLine::Cells, PathLine::Straight] {
        let (mut game, map) = Game::open(4, 4);
        let unit = game.body(1, 1, 64.0);
        game.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").line = line;
        game.order_to(unit, 3, 3);
        game.tick_until(20, |game| game.position(unit).x > centre(1, 1).x + 2.0);
        // A body ends its step, so the path of its next order is the cell at the end of the step.
        game.order_to(unit, 2, 2);
        game.tick();
        assert_eq!(
            (game.cell_at(unit), game.cell_path(unit).cells()),
            (Cell::new(1, 1), &[Cell::new(2, 2)][..])
        );
        game.set_terrain(map, 1, 2, 0);
        game.set_terrain(map, 2, 1, 0);
        game.world_mut().entity_mut(unit).remove::<Body>();
        let mut before = game.cell_at(unit);
        while game.is_ordered(unit) {
            game.tick();
            let cell = game.cell_at(unit);
            assert!(
                (before, cell) != (Cell::new(1, 1), Cell::new(2, 2)),
                "{line:?}: it passes the closed corner"
            );
            before = cell;
        }
        assert_eq!((game.status(unit), game.cell_at(unit)), (PathStatus::Arrived, Cell::new(2, 2)));
    }
}
