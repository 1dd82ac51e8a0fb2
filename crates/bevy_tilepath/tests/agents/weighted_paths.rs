//! Orders for a path that costs at most a percentage of the cheapest.

use bevy::prelude::*;
use bevy_tilepath::{Algorithm, Cell, Diagonals, PathRequest, PathStatus, TilepathSettings, tilepath::Grid};
use testkit::Seed;

use crate::harness::*;

#[test]
fn weighted_paths_are_walked_in_slices_and_under_edits() {
    let tiles = testkit::terrain(96, 96, 9, 10, &Seed::named("weighted paths"));
    let corners = tiles.queries(6, &Seed::named("weighted paths"));
    for most in [5, 30] {
        let algorithm = Algorithm::WeightedAStar { percent: 100 + most };
        let mut game = Game::new();
        game.insert_resource(TilepathSettings { work_per_tick: 500 });
        let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes.clone()).expect("it is small");
        let map = game.map_of(grid, Diagonals::default());
        let mut walkers = Vec::new();
        for &(from, to) in &corners {
            let walker = game.agent(from.0, from.1, 256.0);
            let order = PathRequest::to_cell(Cell::from(to)).with_algorithm(algorithm);
            game.world_mut().entity_mut(walker).insert(order);
            walkers.push((walker, Cell::from(to)));
        }
        for round in 0..2000 {
            game.tick();
            if round % 50 == 20 {
                // Builds a wall ahead of an agent, on its path.
                let ahead = walkers.iter().find_map(|&(walker, goal)| {
                    let path = game.world().get::<bevy_tilepath::AgentPath>(walker)?;
                    path.remaining_cells().get(6).copied().filter(|&cell| cell != goal)
                });
                if let Some(cell) = ahead {
                    game.set_terrain(map, cell.x, cell.y, 0);
                }
            }
            if walkers.iter().all(|&(walker, _)| !game.is_ordered(walker)) {
                break;
            }
        }
        for &(walker, goal) in &walkers {
            assert_eq!(game.status(walker), PathStatus::Arrived, "{} to {goal}", game.position(walker));
            assert_eq!(game.position(walker), centre(goal.x, goal.y));
            let path = game.cell_path(walker);
            assert!(path.lower_bound() <= path.cost());
            let percent = path.percent_above_cheapest().expect("its cost is not zero");
            assert!(percent <= most.into(), "{percent} %");
        }
    }
}
