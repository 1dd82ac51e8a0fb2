//! Probable mistakes of users. Each one has one warning with the remedy.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Movement, NavGrid, NavMap, NavProjection, Obstacle, OnMap, PathAgent, PathRequest,
    PathStatus, groups::GroupOrder, maps::OverlayArea, tilepath::Grid,
};

use crate::harness::*;

/// Spawns a map of cells with side 10.
fn map_with(game: &mut Game, name: &str, movement: Movement) -> Entity {
    let grid = NavGrid::new(Grid::new(6, 4, 1).unwrap());
    let projection = NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0));
    game.world_mut().spawn((NavMap::default().with_movement(name, movement), grid, projection)).id()
}

fn area(game: &mut Game, name: &str) -> Entity {
    game.world_mut().spawn((OverlayArea::new(name, 3, 1.0), Transform::from_xyz(25.0, 15.0, 0.0))).id()
}

fn obstacle_to(game: &mut Game, name: &str) -> Entity {
    let obstacle = Obstacle::default().blocks_only([name]);
    game.world_mut().spawn((obstacle, Transform::from_xyz(25.0, 15.0, 0.0))).id()
}

#[test]
fn overlay_without_a_movement_on_the_map_warns_once() {
    let mut game = Game::new();
    let map = map_with(&mut game, "careful", Movement::new().with_overlay("danger"));
    for _ in 0..2 {
        area(&mut game, "dangr");
        area(&mut game, "danger");
    }
    let logs = game.logs_of_ticks(3);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let parts = ["\"dangr\"", "\"danger\"", "Movement::with_overlay", &map.to_string()];
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
    area(&mut game, "dangr");
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
}

#[test]
fn overlay_named_by_one_map_or_by_a_units_movement_does_not_warn() {
    let mut game = Game::new();
    let careless = map_with(&mut game, "foot", Movement::new());
    let careful = map_with(&mut game, "foot", Movement::new().with_overlay("danger"));
    area(&mut game, "danger");
    let on_the_careful = area(&mut game, "danger");
    game.world_mut().entity_mut(on_the_careful).insert(OnMap(careful));
    let own = AgentMovement::from(Movement::new().with_overlay("smell"));
    game.world_mut().spawn((PathAgent::default(), own));
    let smell = area(&mut game, "smell");
    game.world_mut().entity_mut(smell).insert(OnMap(careless));
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
}

#[test]
fn undefined_movement_of_an_obstacle_warns_once() {
    let mut game = Game::new();
    let map = map_with(&mut game, "raider", Movement::new());
    for _ in 0..2 {
        obstacle_to(&mut game, "raiders");
        obstacle_to(&mut game, "raider");
    }
    let logs = game.logs_of_ticks(3);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let parts = ["\"raiders\"", "\"raider\"", "NavMap::with_movement", &map.to_string()];
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
    obstacle_to(&mut game, "raiders");
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
}

#[test]
fn movement_of_an_obstacle_defined_by_one_map_does_not_warn() {
    let mut game = Game::new();
    map_with(&mut game, "foot", Movement::new());
    map_with(&mut game, "boat", Movement::new());
    obstacle_to(&mut game, "boat");
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
}

#[test]
fn setup_that_makes_an_order_fail_warns_once() {
    type Mistake = fn(&mut Game) -> Entity;
    fn plain(game: &mut Game) -> Entity {
        map_with(game, "foot", Movement::new())
    }
    let mistakes: [(&str, Mistake); 4] = [
        ("there are several maps", |game| {
            plain(game);
            plain(game);
            game.agent_at(Vec2::splat(15.0), 10.0)
        }),
        ("put PathAgent on the units", |game| {
            let map = plain(game);
            game.world_mut().entity_mut(map).insert(PathAgent::default());
            map
        }),
        ("give its transform a scale", |game| {
            let map = plain(game);
            game.world_mut().entity_mut(map).insert(Transform::from_scale(Vec3::ZERO));
            game.agent_at(Vec2::splat(15.0), 10.0)
        }),
        ("is not on the map", |game| {
            plain(game);
            game.agent_at(Vec2::new(-300.0, 15.0), 10.0)
        }),
    ];
    for (remedy, make) in mistakes {
        let mut game = Game::new();
        let unit = make(&mut game);
        game.order(unit, PathRequest::to_cell((3, 3)));
        let logs = game.logs_of_ticks(3);
        assert!(matches!(game.status(unit), PathStatus::Failed(_)), "{remedy}");
        assert_eq!(logs.len(), 1, "{remedy}: {logs:?}");
        assert!(logs[0].contains(remedy) && logs[0].contains(&unit.to_string()), "{logs:?}");
        game.order(unit, PathRequest::to_cell((3, 2)));
        assert_eq!(game.logs_of_ticks(3), Vec::<String>::new(), "{remedy}");
    }
}

#[test]
fn group_order_without_a_map_of_its_own_warns() {
    let mut game = Game::new();
    let units = [15.0, 25.0].map(|x| game.agent_at(Vec2::new(x, 15.0), 10.0));
    map_with(&mut game, "foot", Movement::new());
    map_with(&mut game, "foot", Movement::new());
    let group = game.order_group(GroupOrder::to(units, Cell::new(3, 3)));
    let logs = game.logs_of_ticks(3);
    assert!(logs.len() == 1 && logs[0].contains(&group.to_string()) && logs[0].contains("OnMap"), "{logs:?}");
}

#[test]
fn overlay_of_a_movement_missing_on_the_map_warns_once() {
    let mut game = Game::new();
    let map = map_with(&mut game, "careful", Movement::new().with_overlay("dangr"));
    let walk = |game: &mut Game| {
        let unit = game.agent_at(Vec2::splat(15.0), 10.0);
        game.world_mut().entity_mut(unit).insert(AgentMovement::from("careful"));
        game.order(unit, PathRequest::to_cell((3, 3)));
        game.logs_of_ticks(3)
    };
    assert_eq!(walk(&mut game), Vec::<String>::new(), "the first overlay may come later");
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
    grid.set_overlay("danger", [(Cell::new(2, 2), 3)]).unwrap();
    let logs = walk(&mut game);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let parts = ["\"dangr\"", "\"danger\"", "Movement::with_overlay", &map.to_string()];
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
    assert_eq!(walk(&mut game), Vec::<String>::new());
    // The overlay of an obstacle is not among the names.
    let other = map_with(&mut game, "boat", Movement::new().with_overlay("tide"));
    game.world_mut().despawn(map);
    obstacle_to(&mut game, "boat");
    let boat = game.agent_at(Vec2::splat(15.0), 10.0);
    game.world_mut().entity_mut(boat).insert((AgentMovement::from("boat"), OnMap(other)));
    game.order(boat, PathRequest::to_cell((3, 3)));
    assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
}

#[cfg(feature = "tilemap")]
mod of_tiles {
    use bevy::prelude::*;
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::{Terrain, maps::MissingTile};

    use super::*;

    #[test]
    fn terrain_on_a_tilemap_warns_once_and_on_tiles_never() {
        let mut game = Game::new();
        let map = game.tilemap("..\n..");
        assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
        game.world_mut().entity_mut(map).insert(Terrain(3));
        let logs = game.logs_of_ticks(3);
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["Terrain", "tiles", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        let above = game.layer(map, 1, "..\n..");
        game.world_mut().entity_mut(above).insert(Terrain::WALL);
        let logs = game.logs_of_ticks(3);
        assert!(logs.len() == 1 && logs[0].contains(&above.to_string()), "{logs:?}");
    }

    #[test]
    fn grid_edit_of_a_tilemap_warns_once_and_holds_until_the_tile_changes() {
        let mut game = Game::new();
        let map = game.tilemap("...\n...");
        game.tick();
        let logs = logs_of(|| {
            let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
            assert_eq!(grid.set_terrain(Cell::new(1, 0), 0), Ok(true));
            assert_eq!(grid.set_terrain(Cell::new(2, 0), 7), Ok(true));
        });
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["NavGrid::edit", "(1, 0)", "Terrain", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        game.tick();
        game.assert_map(map, "...\n.#7");
        let tile = game.tile_at(map, 1, 0);
        game.world_mut().entity_mut(tile).insert(Terrain(3));
        assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
        game.assert_map(map, "...\n.37");
    }

    #[test]
    fn map_with_half_of_its_cells_empty_warns_once_with_their_number() {
        let mut game = Game::new();
        let map = game.tilemap(".....\n.....\n_____\n_____");
        let logs = game.logs_of_ticks(3);
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["10 of the 20 cells", "NavMap::missing_tile", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        // One tile is added, and one is removed.
        game.spawn_tile(map, TilePos::new(0, 0), Some(1));
        let tile = game.tile_at(map, 4, 3);
        game.world_mut().despawn(tile);
        assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
    }

    #[test]
    fn map_with_mostly_tiled_or_declared_cells_does_not_warn() {
        let mut game = Game::new();
        game.tilemap(".....\n.....\n.____");
        let above = game.tilemap("____\n____\n....");
        game.layer(above, 1, "####\n####\n____");
        for missing in [MissingTile::Class(0), MissingTile::Class(1)] {
            let sparse = game.tilemap(".___");
            game.world_mut().get_mut::<NavMap>(sparse).unwrap().missing_tile = missing;
        }
        // A map without any tile has no warning, because its orders fail with a reason.
        let bare = game.tilemap("____");
        assert_eq!(game.logs_of_ticks(3), Vec::<String>::new());
        game.spawn_tile(bare, TilePos::new(0, 0), Some(1));
        let logs = game.logs_of_ticks(3);
        assert!(logs.len() == 1 && logs[0].contains("3 of the 4 cells"), "{logs:?}");
    }

    #[test]
    fn cells_of_a_staggered_map_beside_its_tiles_are_not_counted_as_missing() {
        for tilemap_type in TYPES {
            let mut game = Game::new();
            let map = game.tilemap(".\n.\n.\n.\n.\n.\n.\n.\n.\n.");
            game.world_mut().entity_mut(map).insert(tilemap_type);
            assert_eq!(game.logs_of_ticks(3), Vec::<String>::new(), "{tilemap_type:?}");
        }
    }
}
