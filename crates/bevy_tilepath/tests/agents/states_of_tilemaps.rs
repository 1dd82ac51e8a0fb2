//! States of games with tilemaps: the game spawns the tiles before the state is put.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{Body, Cell, NavGrid, Obstacle, StateError, Terrain, TilepathState, tilepath::Bounds};

use crate::harness::*;

const LEVEL: &str = "
    ..........
    .####.....
    ....#..2..
    ....#.....
";
/// The level after the game has opened a wall.
const OPENED: &str = "
    ..........
    .##.#.....
    ....#..2..
    ....#.....
";

/// Returns a game in which a unit is under way, its map and the unit. A wall was opened meanwhile.
fn saved_game() -> (Game, Entity, Entity) {
    let mut game = Game::new();
    let map = game.tilemap(LEVEL);
    game.tick();
    let unit = game.body(0, 0, 48.0);
    game.order_to(unit, 9, 0);
    let house = Obstacle { size: Vec2::splat(10.0), ..default() };
    game.world_mut().spawn((house, Transform::from_translation(centre(8, 3).extend(0.0))));
    game.ticks(20);
    let tile = game.tile_at(map, 3, 2);
    game.world_mut().entity_mut(tile).insert(Terrain(1));
    game.ticks(3);
    (game, map, unit)
}

fn taken(game: &mut Game) -> TilepathState {
    let state = TilepathState::take(game.world_mut()).expect("the plugin is there");
    ron::from_str(&ron::to_string(&state).expect("a state can be written")).expect("and read")
}

#[test]
fn a_unit_goes_on_over_tiles_that_the_game_has_spawned() {
    let (mut game, map, unit) = saved_game();
    let state = taken(&mut game);
    let mut loaded = Game::new();
    let now = loaded.tilemap(OPENED);
    let mut entities: EntityHashMap<Entity> = [(map, now)].into_iter().collect();
    state.put(loaded.world_mut(), &mut entities).expect("the tiles are there");
    assert_eq!(loaded.drawing(now), game.drawing(map));
    assert!(loaded.world().get::<Body>(entities[&unit]).is_some());
    for _ in 0..500 {
        game.tick();
        loaded.tick();
        assert_eq!(loaded.position(entities[&unit]), game.position(unit));
    }
    assert_eq!(game.cell_at(unit), Cell::new(9, 0));
    // The tiles of the loaded map are read as before.
    let tile = loaded.tile_at(now, 9, 0);
    loaded.world_mut().entity_mut(tile).insert(Terrain(0));
    loaded.tick();
    assert!(loaded.drawing(now).lines().last().is_some_and(|row| row.ends_with('#')));
}

#[test]
fn cells_that_differ_from_the_tiles_are_those_of_the_state() {
    let (mut game, map, _) = saved_game();
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).expect("a map");
    grid.set_terrain(Cell::new(5, 0), 0).expect("a cell of the map");
    let state = taken(&mut game);
    let mut loaded = Game::new();
    let now = loaded.tilemap(LEVEL);
    state.put(loaded.world_mut(), &mut [(map, now)].into_iter().collect()).expect("the tiles are there");
    assert_eq!(loaded.drawing(now), game.drawing(map));
    loaded.ticks(3);
    assert_eq!(loaded.drawing(now), game.drawing(map));
}

#[test]
fn a_state_without_its_tiles_is_refused() {
    let (mut game, map, _) = saved_game();
    let state = taken(&mut game);
    let mut loaded = Game::new();
    let error = state.put(loaded.world_mut(), &mut EntityHashMap::default()).expect_err("there are no tiles");
    assert_eq!(error, StateError::NoTiles { map });
    let small = loaded.tilemap("..");
    let error = state.put(loaded.world_mut(), &mut [(map, small)].into_iter().collect());
    let [found, expected] = [(2, 1), (10, 4)]
        .map(|(width, height)| Bounds::new(Cell::new(0, 0), width, height).expect("the map is small"));
    assert_eq!(error, Err(StateError::OtherTiles { map, found, expected }));
    loaded.tick();
    loaded.assert_map(small, "..");
}
