//! Walls that go up beside a walking agent. It enters no wall and cuts no corner that the rule
//! forbids.

use std::collections::HashMap;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, NavGrid, NavMap, PathStatus,
    tilepath::{Direction, Grid},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The distance by which a border may be crossed, in world units.
const HAIR: f32 = 0.02;

/// Returns the cell that contains a position by more than [`HAIR`].
fn deep_cell(position: Vec2) -> Option<Cell> {
    let cell = (position / CELL).floor();
    let inside = position - cell * CELL;
    (inside.min_element() > HAIR && inside.max_element() < CELL - HAIR)
        .then(|| Cell::new(cell.x as i32, cell.y as i32))
}

/// The checks of all agents after each step.
#[derive(Default)]
struct Watch {
    /// Walls that went up around an agent. It may be in that cell until it has left it.
    around: HashMap<Entity, Cell>,
}

impl Watch {
    fn wall(&mut self, game: &Game, agents: &[Entity], wall: Cell) {
        for &agent in agents {
            if deep_cell(game.position(agent)) == Some(wall) {
                self.around.insert(agent, wall);
            }
        }
    }

    #[track_caller]
    fn check(&mut self, game: &Game, map: Entity, agent: Entity, before: Vec2, what: &str) {
        let grid = game.world().get::<NavGrid>(map).expect("the map is there");
        let after = game.position(agent);
        for n in 0..=4 {
            let Some(cell) = deep_cell(before.lerp(after, n as f32 / 4.0)) else { continue };
            if self.around.get(&agent).is_some_and(|&around| around != cell) {
                self.around.remove(&agent);
            }
            let is_wall = grid.terrain(cell) == Some(0);
            assert!(
                !is_wall || self.around.contains_key(&agent),
                "{what}: into the wall {cell} from {before}"
            );
        }
        if let (Some(from), Some(to)) = (deep_cell(before), deep_cell(after))
            && let Some(direction) = Direction::between(from, to)
            && direction.is_diagonal()
        {
            let rules = game.world().get::<NavMap>(map).expect("the map has rules").rules();
            // An agent may walk on over a wall that went up around it.
            let beside =
                [Cell::new(from.x, to.y), Cell::new(to.x, from.y)].map(|cell| grid.terrain(cell) == Some(0));
            let walls = beside.into_iter().filter(|is_wall| *is_wall).count();
            let allowed = match rules.diagonals() {
                Diagonals::Never | Diagonals::OnlyWhenNoObstacles => walls == 0,
                Diagonals::IfAtMostOneObstacle => walls <= 1,
                Diagonals::Always => true,
            };
            assert!(allowed, "{what}: cut the corner between {from} and {to}");
        }
    }
}

#[test]
fn wall_beside_a_diagonal_step_is_not_walked_through_off_the_centres() {
    for diagonals in [Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
        for beside in [Cell::new(1, 0), Cell::new(0, 1)] {
            let mut game = Game::long_steps();
            // The agent's place in its cell. The wall goes up after `moment` steps.
            let spots = [Vec2::new(5.0, -5.0), Vec2::new(-5.0, 5.0), Vec2::new(7.0, 2.0)];
            for (spot, moment) in
                spots.into_iter().flat_map(|spot| (1..30).step_by(2).map(move |n| (spot, n)))
            {
                let map = game.map_of(Grid::new(2, 2, 1).unwrap(), diagonals);
                let soldier = game.agent_at(centre(0, 0) + spot, 160.0);
                game.order_to(soldier, 1, 1);
                let mut watch = Watch::default();
                for n in 0..60 {
                    if n == moment {
                        game.set_terrain(map, beside.x, beside.y, 0);
                        watch.wall(&game, &[soldier], beside);
                    }
                    let before = game.position(soldier);
                    game.step(0.004);
                    watch.check(
                        &game,
                        map,
                        soldier,
                        before,
                        &format!("{diagonals} {beside} {spot} {moment}"),
                    );
                }
                assert_eq!(game.status(soldier), PathStatus::Arrived, "{diagonals} {beside} {spot} {moment}");
                game.world_mut().despawn(soldier);
                game.world_mut().despawn(map);
            }
        }
    }
}

#[test]
fn nobody_enters_a_wall_or_cuts_a_corner_whatever_is_built_and_ordered() {
    let (mut walls, mut steps) = (0, 0);
    for diagonals in Diagonals::ALL {
        for number in 0..4 {
            let mut random = Seed::named(&format!("walls {number}")).generator();
            let mut game = Game::long_steps();
            let map = game.map_of(Grid::new(8, 8, 1).unwrap(), diagonals);
            let agents: Vec<Entity> = (0..12).map(|n| game.agent(n % 8, n / 8, 160.0)).collect();
            let mut watch = Watch::default();
            for n in 0..800 {
                let what = format!("{diagonals}, {number}, step {n}");
                if n % 3 == 0 {
                    let cell = Cell::new(random.random_range(0..8), random.random_range(0..8));
                    let class = u8::from(random.random_range(0..10) < 7);
                    game.set_terrain(map, cell.x, cell.y, class);
                    if class == 0 {
                        watch.wall(&game, &agents, cell);
                        walls += 1;
                    }
                }
                for &soldier in &agents {
                    if random.random_range(0..20) == 0 {
                        game.order_to(soldier, random.random_range(0..8), random.random_range(0..8));
                    }
                }
                let before: Vec<Vec2> = agents.iter().map(|&soldier| game.position(soldier)).collect();
                game.step(0.01);
                for (&soldier, &before) in agents.iter().zip(&before) {
                    watch.check(&game, map, soldier, before, &what);
                    steps += usize::from(before != game.position(soldier));
                }
            }
        }
    }
    assert!(walls > 1000 && steps > 40_000, "{walls} {steps}");
}

#[test]
fn agent_on_the_very_border_of_two_new_walls_walks_on() {
    // Where the four cells meet, the position lies in a cell that is not part of the step.
    for [from, to] in [[(1, 1), (2, 2)], [(2, 2), (1, 1)], [(1, 2), (2, 1)], [(2, 1), (1, 2)]] {
        let mut game = Game::long_steps();
        let map = game.open_map(4, 4);
        let [begins, ends] = [from, to].map(|(x, y)| centre(x, y));
        let soldier = game.agent(from.0, from.1, begins.distance(ends) / 2.0);
        let goal = (2 * to.0 - from.0, 2 * to.1 - from.1);
        game.order_to(soldier, goal.0, goal.1);
        game.step(1.0);
        let border = begins.midpoint(ends);
        assert!(game.position(soldier).distance(border) < HAIR, "the soldier is in the middle of the step");
        for (x, y) in [from, to] {
            game.set_terrain(map, x, y, 0);
        }
        game.steps(12, 1.0);
        assert_eq!(game.status(soldier), PathStatus::Arrived, "{from:?} to {to:?}");
        assert_eq!(game.position(soldier), centre(goal.0, goal.1));
    }
}
