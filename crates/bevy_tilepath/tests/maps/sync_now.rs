//! Maps that are read between two ticks, on request.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, Diagonals, NavGrid, NavMap, NavProjection, NavQuery, Obstacle, SyncMapsError, TilepathPlugin,
    sync_maps_now,
    tilepath::{Grid, format::parse_ascii},
};

use crate::harness::*;

fn hand_built(game: &mut Game, picture: &str) -> Entity {
    let grid = NavGrid::new(parse_ascii(picture).unwrap());
    game.world_mut().spawn((NavMap::default(), grid, NavProjection::square(Vec2::ONE, Vec2::ZERO))).id()
}

fn is_reachable(game: &mut Game, from: (i32, i32), to: (i32, i32)) -> bool {
    let (from, to) = (Cell::from(from), Cell::from(to));
    game.world_mut()
        .run_system_once(move |nav: NavQuery| nav.only_map().unwrap().is_reachable(from, to).unwrap())
        .unwrap()
}

#[cfg(feature = "tilemap")]
#[test]
fn tiles_edited_a_moment_ago_are_known() {
    use bevy_ecs_tilemap::tiles::{TilePos, TileTextureIndex};
    use bevy_tilepath::{Terrain, TextureTerrain};

    let mut game = Game::new();
    let map = game.tilemap("...\n...");
    assert!(!game.is_ready(map));
    // This also works before the first tick.
    sync_maps_now(game.world_mut()).unwrap();
    game.assert_map(map, "...\n...");
    let tile = game.tile_at(map, 1, 0);
    game.world_mut().entity_mut(tile).insert(Terrain::WALL);
    sync_maps_now(game.world_mut()).unwrap();
    game.assert_map(map, "...\n.#.");
    game.world_mut().despawn(tile);
    let other = game.tile_at(map, 2, 1);
    game.world_mut().entity_mut(other).insert(TilePos::new(1, 0));
    sync_maps_now(game.world_mut()).unwrap();
    game.assert_map(map, "..#\n...");
    game.world_mut().entity_mut(other).remove::<Terrain>().insert(TileTextureIndex(4));
    game.world_mut().entity_mut(map).insert(TextureTerrain::new([(4, 7)]));
    sync_maps_now(game.world_mut()).unwrap();
    game.assert_map(map, "..#\n.7.");
    // The tick finds nothing to change.
    let revision = game.world().get::<NavGrid>(map).unwrap().grid().revision();
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().grid().revision(), revision);
}

#[test]
fn sync_now_reads_rules_obstacles_and_places() {
    let mut game = Game::new();
    let map = hand_built(&mut game, "...");
    sync_maps_now(game.world_mut()).unwrap();
    assert!(is_reachable(&mut game, (0, 0), (2, 0)));
    let door = game.world_mut().spawn((Obstacle::default(), Transform::from_xyz(1.0, 0.0, 0.0))).id();
    sync_maps_now(game.world_mut()).unwrap();
    assert!(!is_reachable(&mut game, (0, 0), (2, 0)));
    game.world_mut().despawn(door);
    game.world_mut().entity_mut(map).insert(Transform::from_xyz(50.0, 0.0, 0.0));
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    sync_maps_now(game.world_mut()).unwrap();
    assert!(is_reachable(&mut game, (0, 0), (2, 0)));
    let grid = game.world().get::<NavGrid>(map).unwrap();
    assert_eq!(grid.finder().movement(grid.movement()).unwrap().diagonals(), Diagonals::Never);
    let projection = game.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.world_position_of(Cell::new(2, 0)), Vec2::new(52.0, 0.0));
}

#[test]
fn turn_edits_queries_and_edits_again_in_one_frame() {
    let mut game = Game::new();
    hand_built(&mut game, ".....");
    game.world_mut().resource_mut::<Time<Virtual>>().pause();
    for x in [1, 2, 3] {
        let boulder =
            game.world_mut().spawn((Obstacle::default(), Transform::from_xyz(x as f32, 0.0, 0.0))).id();
        game.world_mut().commands().queue(sync_maps_now);
        game.world_mut().flush();
        assert!(!is_reachable(&mut game, (0, 0), (4, 0)), "{x}");
        game.world_mut().despawn(boulder);
        sync_maps_now(game.world_mut()).unwrap();
        assert!(is_reachable(&mut game, (0, 0), (4, 0)), "{x}");
    }
}

#[test]
fn maps_without_area_cells_or_number_are_synced_and_asked_all_the_same() {
    use bevy_tilepath::PathFailure;

    let mut game = Game::new();
    let map = hand_built(&mut game, "...");
    for scale in [Vec3::ZERO, Vec3::NAN, Vec3::splat(f32::INFINITY), Vec3::splat(1e-38), Vec3::NEG_ONE] {
        game.world_mut().entity_mut(map).insert(Transform::from_scale(scale));
        game.world_mut().spawn((Obstacle { size: Vec2::NAN, ..default() }, Transform::from_scale(scale)));
        sync_maps_now(game.world_mut()).unwrap();
        // Queries by cell need no place in the world, and queries by position do.
        assert!(is_reachable(&mut game, (0, 0), (2, 0)), "{scale}");
        let by_position = game
            .world_mut()
            .run_system_once(|nav: NavQuery| {
                nav.only_map().unwrap().find(Vec2::ZERO, Cell::new(2, 0)).map(|_| ())
            })
            .unwrap();
        let has_area = scale == Vec3::NEG_ONE;
        assert_eq!(by_position, if has_area { Ok(()) } else { Err(PathFailure::MapWithoutArea) }, "{scale}");
    }
    game.world_mut().entity_mut(map).insert(NavGrid::new(Grid::new(0, 9, 1).unwrap()));
    sync_maps_now(game.world_mut()).unwrap();
    let answers = game.world_mut().run_system_once(|nav: NavQuery| {
        let (map, cell) = (nav.only_map().unwrap(), Cell::new(0, 0));
        [
            map.find(cell, cell).map(|_| ()),
            map.is_reachable(cell, Vec2::ZERO).map(|_| ()),
            map.range(cell, bevy_tilepath::Cost::new(9)).map(|_| ()),
            map.nearest(cell, [cell]).map(|_| ()),
            map.field([cell]).map(|_| ()),
            map.explain_failure(cell, cell).map(|_| ()),
        ]
    });
    assert_eq!(answers.unwrap(), [Err(PathFailure::MapWithoutCells); 6]);
}

#[test]
fn to_sync_without_the_plugin_or_within_the_sync_is_an_error() {
    let mut bare = App::new();
    assert_eq!(sync_maps_now(bare.world_mut()), Err(SyncMapsError::NoPlugin));
    bare.add_plugins(MinimalPlugins);
    assert_eq!(sync_maps_now(bare.world_mut()), Err(SyncMapsError::NoPlugin));
    bare.add_plugins(TilepathPlugin::default());
    assert_eq!(sync_maps_now(bare.world_mut()), Ok(()));
    for error in [SyncMapsError::NoPlugin, SyncMapsError::AlreadyRunning] {
        assert!(error.to_string().contains(": "), "{error}");
    }
}

#[cfg(feature = "tilemap")]
#[test]
fn sync_called_by_an_observer_of_the_sync_is_refused_and_does_no_harm() {
    #[derive(Resource, Default)]
    struct Answers(Vec<Result<(), SyncMapsError>>);

    let mut game = Game::new();
    game.init_resource::<Answers>();
    let map = game.tilemap("..");
    sync_maps_now(game.world_mut()).unwrap();
    // A tile without a slot gets one in the sync, by a command. The observer sees that insertion.
    game.add_observer(|_: OnInsert<()>, mut commands: Commands| {
        commands.queue(|world: &mut World| {
            let answer = sync_maps_now(world);
            world.resource_mut::<Answers>().0.push(answer);
        });
    });
    let tile = game.tile_at(map, 1, 0);
    let bare = game.world_mut().entity_mut(tile).clone_and_spawn();
    game.world_mut().resource_mut::<Answers>().0.clear();
    game.tick();
    let answers = &game.world().resource::<Answers>().0;
    assert!(answers.iter().all(|answer| *answer == Err(SyncMapsError::AlreadyRunning)), "{answers:?}");
    game.assert_map(map, "..");
    assert!(game.world().get_entity(bare).is_ok());
}

#[test]
fn journeys_are_planned_again_in_the_tick_that_follows() {
    use bevy_tilepath::{PathAgent, PathRequest, PathStatus};

    let mut game = Game::new();
    let map = game
        .world_mut()
        .spawn((NavMap::default(), NavGrid::new(Grid::new(9, 2, 1).unwrap()), NavProjection::default()))
        .id();
    let walker = game.world_mut().spawn(PathAgent { speed: 1.0.into(), ..default() }).id();
    game.world_mut().entity_mut(walker).insert(PathRequest::to_cell(Cell::new(8, 0)));
    game.tick();
    game.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(Cell::new(4, 0), 0).unwrap();
    let before = game.world().get::<bevy_tilepath::AgentPath>(walker).unwrap().points().to_vec();
    sync_maps_now(game.world_mut()).unwrap();
    let path = game.world().get::<bevy_tilepath::AgentPath>(walker).unwrap();
    assert_eq!(path.points(), before, "a sync must not change orders and journeys");
    game.tick();
    let path = game.world().get::<bevy_tilepath::AgentPath>(walker).unwrap();
    assert!(!path.path().unwrap().cells().contains(&Cell::new(4, 0)));
    assert_eq!(game.world().get::<PathStatus>(walker), Some(&PathStatus::Following));
}
