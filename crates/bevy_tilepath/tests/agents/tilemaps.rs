//! Agents on tilemaps whose tiles change and disappear while agents walk.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavLayer, NavMap, PathFailure, PathRequest, PathStatus, Terrain, TilepathSystems, maps::MissingTile,
};

use crate::harness::*;

#[test]
fn agent_walks_to_a_tile() {
    let mut game = Game::new();
    game.tilemap("....\n.##.\n....");
    let soldier = game.agent_at(centre(0, 0), 160.0);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(3, 2)));
    game.run_until_quiet(100);
    assert_eq!(game.position(soldier), centre(3, 2));
    assert_eq!(game.status(soldier), PathStatus::Arrived);
}

#[test]
fn map_of_which_no_tile_was_found_says_so() {
    let mut game = Game::new();
    let map = game.tilemap("___\n___");
    let soldier = game.agent_at(centre(0, 0), 160.0);
    let told_by = |game: &mut Game, request: PathRequest| {
        game.world_mut().entity_mut(soldier).insert(request);
        game.tick();
        game.told_of(soldier)
    };
    let to_corner = || PathRequest::to_tile(TilePos::new(2, 1));
    let without_tiles = PathFailure::MapWithoutTiles { cells: 6 };
    assert_eq!(told_by(&mut game, to_corner()), [Told::Failed(without_tiles)]);
    let text = without_tiles.to_string();
    assert!(text.starts_with("0 of the map's 6 cells have a tile") && text.contains("TilemapId"), "{text}");
    let nearest = PathRequest::to_nearest([Cell::new(2, 1), Cell::new(0, 1)]);
    assert_eq!(told_by(&mut game, nearest), [Told::Failed(without_tiles)]);

    // With one tile, the failure names the goal. Without any tile, it names the missing tiles,
    // because the goal need not be the only wall.
    let tile = game.spawn_tile(map, TilePos::new(0, 0), Some(1));
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(2, 1) };
    assert_eq!(told_by(&mut game, to_corner()), [Told::Failed(blocked)]);
    game.world_mut().despawn(tile);
    assert_eq!(told_by(&mut game, to_corner()), [Told::Failed(without_tiles)]);
    game.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(1);
    let told = told_by(&mut game, to_corner());
    assert!(matches!(told[..], [Told::Found { .. }]), "{told:?}");
}

#[test]
fn terrain_is_open_unless_it_is_said_otherwise() {
    let mut game = Game::new();
    let map = game.tilemap("?__");
    for (x, terrain) in [(1, Terrain::default()), (2, Terrain::WALL)] {
        let tile = game.spawn_tile(map, TilePos::new(x, 0), None);
        game.world_mut().entity_mut(tile).insert(terrain);
    }
    game.tick();
    game.assert_map(map, "..#");
    assert_eq!(Terrain::default(), Terrain::OPEN);
}

#[test]
fn tile_that_becomes_a_wall_on_the_way_is_walked_round() {
    let mut game = Game::new();
    let map = game.tilemap(".....\n.....");
    let soldier = game.agent_at(centre(0, 0), 160.0);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(4, 0)));
    game.tick();
    game.told();
    let tile = game.tile_at(map, 3, 0);
    game.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    game.tick();
    let told = game.told_of(soldier);
    assert!(matches!(told[..], [Told::Blocked(Cell { x: 3, y: 0 }), Told::Replanned { .. }]), "{told:?}");
    game.run_until_quiet(200);
    assert_eq!(game.position(soldier), centre(4, 0));
}

#[test]
fn tile_despawned_on_the_way_in_any_set_loses_the_way() {
    use TilepathSystems::{AcceptRequests, Follow, Publish, Search, SyncMaps};
    #[derive(Resource, Default)]
    struct Doomed(Option<Entity>);
    fn despawn(mut doomed: ResMut<Doomed>, mut commands: Commands) {
        if let Some(tile) = doomed.0.take() {
            commands.entity(tile).despawn();
        }
    }
    for (before, after) in [
        (None, Some(SyncMaps)),
        (Some(SyncMaps), Some(AcceptRequests)),
        (Some(AcceptRequests), Some(Search)),
        (Some(Search), Some(Publish)),
        (Some(Publish), Some(Follow)),
        (Some(Follow), None),
    ] {
        let mut game = Game::new();
        game.init_resource::<Doomed>();
        match (before, after) {
            (None, Some(after)) => game.add_systems(FixedUpdate, despawn.before(after)),
            (Some(before), Some(after)) => game.add_systems(FixedUpdate, despawn.after(before).before(after)),
            (Some(before), None) => game.add_systems(FixedUpdate, despawn.after(before)),
            (None, None) => unreachable!("every despawn has a place"),
        };
        let map = game.tilemap(".....");
        let soldier = game.agent_at(centre(0, 0), 160.0);
        game.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(4, 0)));
        game.tick();
        game.told();
        let tile = game.tile_at(map, 3, 0);
        game.world_mut().resource_mut::<Doomed>().0 = Some(tile);
        game.tick();
        game.tick();
        assert_eq!(
            game.told_of(soldier),
            [Told::Blocked(Cell::new(3, 0)), Told::Lost(PathFailure::Unreachable)]
        );
    }
}

#[test]
fn request_waits_for_the_tiles_of_a_map() {
    let mut game = Game::new();
    let soldier = game.agent_at(centre(0, 0), 1e6);
    let map = game.world_mut().spawn(bevy_tilepath::NavMap::default()).id();
    game.order_to(soldier, 3, 0);
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::WaitingForMap);
    game.world_mut().despawn(map);
    game.tilemap("....");
    game.tick();
    assert_eq!(game.status(soldier), PathStatus::Arrived);
}

#[test]
fn map_that_cannot_be_read_any_more_ends_journeys_and_is_waited_for() {
    let mut game = Game::new();
    let map = game.tilemap("..........");
    let (walker, asker) = (game.agent(0, 0, 160.0), game.agent(1, 0, 160.0));
    game.order_to(walker, 9, 0);
    game.tick();
    assert_eq!(game.status(walker), PathStatus::Following);
    game.world_mut().get_mut::<TilemapSize>(map).unwrap().x = 70_000;
    game.order_to(asker, 9, 0);
    game.tick();
    assert_eq!(game.told_of(walker).last(), Some(&Told::Lost(PathFailure::NoMap)));
    assert_eq!(game.status(asker), PathStatus::WaitingForMap);
    game.world_mut().get_mut::<TilemapSize>(map).unwrap().x = 10;
    game.run_until_quiet(100);
    assert_eq!(game.position(asker), centre(9, 0));
}

#[test]
fn waiting_unit_whose_chunk_is_removed_goes_on_waiting_until_a_way_is_there() {
    let mut game = Game::new();
    let map = game.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let chunk = |game: &mut Game, x: i32, width: u32| {
        let tilemap = game.bare_tilemap(&".".repeat(width as usize));
        let place = Transform::from_xyz(x as f32 * TILE, 0.0, 0.0);
        let layer = NavLayer::new(map).with_offset(IVec2::new(x, 0));
        game.world_mut().entity_mut(tilemap).insert((layer, place));
        tilemap
    };
    chunk(&mut game, 0, 4);
    let far = chunk(&mut game, 400, 4);
    let soldier = game.agent_at(centre(402, 0), 6400.0);
    game.world_mut().entity_mut(soldier).insert(PathRequest::to_cell((1, 0)).or_wait());
    game.ticks(5);
    assert_eq!(game.status(soldier), PathStatus::WaitingForWay(PathFailure::Unreachable));
    game.world_mut().despawn(far);
    game.ticks(100);
    assert!(matches!(game.status(soldier), PathStatus::WaitingForWay(_)), "{:?}", game.status(soldier));
    chunk(&mut game, 4, 400);
    game.run_until_quiet(200);
    assert_eq!(game.position(soldier), centre(1, 0));
}
