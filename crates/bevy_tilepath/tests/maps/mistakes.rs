//! Probable mistakes of users: one warning each, with what to do.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Movement, NavGrid, NavMap, NavProjection, Obstacle, OnMap, OverlayArea, PathAgent,
    tilepath::Grid,
};

use crate::harness::*;

/// A map of cells of side 10.
fn map_with(app: &mut App, name: &str, movement: Movement) -> Entity {
    let grid = NavGrid::new(Grid::new(6, 4, 1).unwrap());
    let projection = NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0));
    app.world_mut().spawn((NavMap::default().with_movement(name, movement), grid, projection)).id()
}

fn area(app: &mut App, name: &str) -> Entity {
    app.world_mut().spawn((OverlayArea::new(name, 3, 1.0), Transform::from_xyz(25.0, 15.0, 0.0))).id()
}

fn obstacle_to(app: &mut App, name: &str) -> Entity {
    let obstacle = Obstacle::default().only_for([name]);
    app.world_mut().spawn((obstacle, Transform::from_xyz(25.0, 15.0, 0.0))).id()
}

fn logs_of_ticks(app: &mut App) -> Vec<String> {
    logs_of(|| (0..3).for_each(|_| tick(app)))
}

#[test]
fn overlay_that_no_movement_of_the_map_names_is_said_once() {
    let mut app = app();
    let map = map_with(&mut app, "careful", Movement::new().with_overlay("danger"));
    for _ in 0..2 {
        area(&mut app, "dangr");
        area(&mut app, "danger");
    }
    let logs = logs_of_ticks(&mut app);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let parts = ["\"dangr\"", "\"danger\"", "Movement::with_overlay", &map.to_string()];
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
    area(&mut app, "dangr");
    assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
}

#[test]
fn overlay_that_one_map_under_it_or_a_units_own_movement_names_is_not_said() {
    let mut app = app();
    let careless = map_with(&mut app, "foot", Movement::new());
    let careful = map_with(&mut app, "foot", Movement::new().with_overlay("danger"));
    area(&mut app, "danger");
    let on_the_careful = area(&mut app, "danger");
    app.world_mut().entity_mut(on_the_careful).insert(OnMap(careful));
    let own = AgentMovement::from(Movement::new().with_overlay("smell"));
    app.world_mut().spawn((PathAgent::default(), own));
    let smell = area(&mut app, "smell");
    app.world_mut().entity_mut(smell).insert(OnMap(careless));
    assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
}

#[test]
fn movement_of_an_obstacle_that_the_map_does_not_define_is_said_once() {
    let mut app = app();
    let map = map_with(&mut app, "raider", Movement::new());
    for _ in 0..2 {
        obstacle_to(&mut app, "raiders");
        obstacle_to(&mut app, "raider");
    }
    let logs = logs_of_ticks(&mut app);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let parts = ["\"raiders\"", "\"raider\"", "NavMap::with_movement", &map.to_string()];
    assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
    obstacle_to(&mut app, "raiders");
    assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
}

#[test]
fn movement_of_an_obstacle_that_one_map_under_it_defines_is_not_said() {
    let mut app = app();
    map_with(&mut app, "foot", Movement::new());
    map_with(&mut app, "boat", Movement::new());
    obstacle_to(&mut app, "boat");
    assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
}

#[cfg(feature = "tilemap")]
mod of_tiles {
    use bevy::prelude::*;
    use bevy_ecs_tilemap::prelude::*;
    use bevy_tilepath::{Cell, MissingTile, NavGrid, NavMap, Terrain};

    use super::*;

    #[test]
    fn terrain_on_a_tilemap_is_said_once_and_on_tiles_never() {
        let mut app = app();
        let map = tilemap(&mut app, "..\n..");
        assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
        app.world_mut().entity_mut(map).insert(Terrain(3));
        let logs = logs_of_ticks(&mut app);
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["Terrain", "tiles", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        let above = layer(&mut app, map, 1, "..\n..");
        app.world_mut().entity_mut(above).insert(Terrain::WALL);
        let logs = logs_of_ticks(&mut app);
        assert!(logs.len() == 1 && logs[0].contains(&above.to_string()), "{logs:?}");
    }

    #[test]
    fn edit_of_the_grid_of_a_tilemap_is_said_once_and_holds_until_the_tile_changes() {
        let mut app = app();
        let map = tilemap(&mut app, "...\n...");
        tick(&mut app);
        let logs = logs_of(|| {
            let mut grid = app.world_mut().get_mut::<NavGrid>(map).unwrap();
            assert_eq!(grid.set_terrain(Cell::new(1, 0), 0), Ok(true));
            assert_eq!(grid.set_terrain(Cell::new(2, 0), 7), Ok(true));
        });
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["NavGrid::set_terrain", "(1, 0)", "Terrain", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        tick(&mut app);
        assert_map(&app, map, "...\n.#7");
        let tile = tile_at(&app, map, 1, 0);
        app.world_mut().entity_mut(tile).insert(Terrain(3));
        assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
        assert_map(&app, map, "...\n.37");
    }

    #[test]
    fn map_half_of_whose_cells_have_no_tile_says_how_many_once() {
        let mut app = app();
        let map = tilemap(&mut app, ".....\n.....\n_____\n_____");
        let logs = logs_of_ticks(&mut app);
        assert_eq!(logs.len(), 1, "{logs:?}");
        let parts = ["10 of the 20 cells", "NavMap::missing_tile", &map.to_string()];
        assert!(parts.iter().all(|part| logs[0].contains(part)), "{logs:?}");
        // With one more, and with one less.
        spawn_tile(&mut app, map, TilePos::new(0, 0), Some(1));
        let tile = tile_at(&app, map, 4, 3);
        app.world_mut().despawn(tile);
        assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
    }

    #[test]
    fn map_most_of_whose_cells_have_tiles_or_are_said_to_be_walls_or_ground_says_nothing() {
        let mut app = app();
        tilemap(&mut app, ".....\n.....\n.____");
        let above = tilemap(&mut app, "____\n____\n....");
        layer(&mut app, above, 1, "####\n####\n____");
        for missing in [MissingTile::Class(0), MissingTile::Class(1)] {
            let sparse = tilemap(&mut app, ".___");
            app.world_mut().get_mut::<NavMap>(sparse).unwrap().missing_tile = missing;
        }
        // Of a map without any tile orders tell.
        let bare = tilemap(&mut app, "____");
        assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new());
        spawn_tile(&mut app, bare, TilePos::new(0, 0), Some(1));
        let logs = logs_of_ticks(&mut app);
        assert!(logs.len() == 1 && logs[0].contains("3 of the 4 cells"), "{logs:?}");
    }

    #[test]
    fn cells_of_a_staggered_map_beside_its_tiles_are_not_counted_as_missing() {
        for tilemap_type in TYPES {
            let mut app = app();
            let map = tilemap(&mut app, ".\n.\n.\n.\n.\n.\n.\n.\n.\n.");
            app.world_mut().entity_mut(map).insert(tilemap_type);
            assert_eq!(logs_of_ticks(&mut app), Vec::<String>::new(), "{tilemap_type:?}");
        }
    }
}
