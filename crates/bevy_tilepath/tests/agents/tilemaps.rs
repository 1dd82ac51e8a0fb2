//! Agents on tilemaps: tiles that change and vanish on the way.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    Cell, NavLayer, NavMap, PathFailure, PathRequest, PathStatus, Terrain, TilepathSystems, maps::MissingTile,
};

use super::fixtures::*;
use crate::harness::{TILE, bare_tilemap, centre, tick, tile_at, tilemap};

#[test]
fn agent_walks_to_a_tile() {
    let mut app = app();
    tilemap(&mut app, "....\n.##.\n....");
    let soldier = agent_at(&mut app, centre(0, 0), 160.0);
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(3, 2)));
    run_until_quiet(&mut app, 100);
    assert_eq!(position(&app, soldier), centre(3, 2));
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
}

#[test]
fn map_of_which_no_tile_was_found_says_so() {
    let mut app = app();
    let map = tilemap(&mut app, "___\n___");
    let soldier = agent_at(&mut app, centre(0, 0), 160.0);
    let told_by = |app: &mut App, request: PathRequest| {
        app.world_mut().entity_mut(soldier).insert(request);
        tick(app);
        told_of(app, soldier)
    };
    let to_corner = || PathRequest::to_tile(TilePos::new(2, 1));
    let without_tiles = PathFailure::MapWithoutTiles { cells: 6 };
    assert_eq!(told_by(&mut app, to_corner()), [Told::Failed(without_tiles)]);
    let text = without_tiles.to_string();
    assert!(text.starts_with("0 of the map's 6 cells have a tile") && text.contains("TilemapId"), "{text}");
    let nearest = PathRequest::to_nearest([Cell::new(2, 1), Cell::new(0, 1)]);
    assert_eq!(told_by(&mut app, nearest), [Told::Failed(without_tiles)]);

    // One tile is enough for the goal to be what is wrong; without any the goal may be the only wall all the same.
    let tile = crate::harness::spawn_tile(&mut app, map, TilePos::new(0, 0), Some(1));
    let blocked = PathFailure::GoalBlocked { cell: Cell::new(2, 1) };
    assert_eq!(told_by(&mut app, to_corner()), [Told::Failed(blocked)]);
    app.world_mut().despawn(tile);
    assert_eq!(told_by(&mut app, to_corner()), [Told::Failed(without_tiles)]);
    app.world_mut().get_mut::<NavMap>(map).unwrap().missing_tile = MissingTile::Class(1);
    let told = told_by(&mut app, to_corner());
    assert!(matches!(told[..], [Told::Found { .. }]), "{told:?}");
}

#[test]
fn terrain_is_open_unless_it_is_said_otherwise() {
    let mut app = app();
    let map = tilemap(&mut app, "?__");
    for (x, terrain) in [(1, Terrain::default()), (2, Terrain::WALL)] {
        let tile = crate::harness::spawn_tile(&mut app, map, TilePos::new(x, 0), None);
        app.world_mut().entity_mut(tile).insert(terrain);
    }
    tick(&mut app);
    crate::harness::assert_map(&app, map, "..#");
    assert_eq!(Terrain::default(), Terrain::OPEN);
}

#[test]
fn tile_that_becomes_a_wall_on_the_way_is_walked_round() {
    let mut app = app();
    let map = tilemap(&mut app, ".....\n.....");
    let soldier = agent_at(&mut app, centre(0, 0), 160.0);
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(4, 0)));
    tick(&mut app);
    told(&mut app);
    let tile = tile_at(&app, map, 3, 0);
    app.world_mut().get_mut::<Terrain>(tile).unwrap().0 = 0;
    tick(&mut app);
    let told = told_of(&mut app, soldier);
    assert!(matches!(told[..], [Told::Blocked(Cell { x: 3, y: 0 }), Told::Replanned { .. }]), "{told:?}");
    run_until_quiet(&mut app, 200);
    assert_eq!(position(&app, soldier), centre(4, 0));
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
        let mut app = app();
        app.init_resource::<Doomed>();
        match (before, after) {
            (None, Some(after)) => app.add_systems(FixedUpdate, despawn.before(after)),
            (Some(before), Some(after)) => app.add_systems(FixedUpdate, despawn.after(before).before(after)),
            (Some(before), None) => app.add_systems(FixedUpdate, despawn.after(before)),
            (None, None) => unreachable!("every despawn has a place"),
        };
        let map = tilemap(&mut app, ".....");
        let soldier = agent_at(&mut app, centre(0, 0), 160.0);
        app.world_mut().entity_mut(soldier).insert(PathRequest::to_tile(TilePos::new(4, 0)));
        tick(&mut app);
        told(&mut app);
        let tile = tile_at(&app, map, 3, 0);
        app.world_mut().resource_mut::<Doomed>().0 = Some(tile);
        tick(&mut app);
        tick(&mut app);
        assert_eq!(
            told_of(&mut app, soldier),
            [Told::Blocked(Cell::new(3, 0)), Told::Lost(PathFailure::Unreachable)]
        );
    }
}

#[test]
fn request_waits_for_the_tiles_of_a_map() {
    let mut app = app();
    let soldier = agent_at(&mut app, centre(0, 0), 1e6);
    let map = app.world_mut().spawn(bevy_tilepath::NavMap::default()).id();
    order(&mut app, soldier, 3, 0);
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::WaitingForMap);
    app.world_mut().despawn(map);
    tilemap(&mut app, "....");
    tick(&mut app);
    assert_eq!(status(&app, soldier), PathStatus::Arrived);
}

#[test]
fn map_that_cannot_be_read_any_more_ends_journeys_and_is_waited_for() {
    let mut app = app();
    let map = tilemap(&mut app, "..........");
    let (walker, asker) = (agent(&mut app, 0, 0, 160.0), agent(&mut app, 1, 0, 160.0));
    order(&mut app, walker, 9, 0);
    tick(&mut app);
    assert_eq!(status(&app, walker), PathStatus::Following);
    app.world_mut().get_mut::<TilemapSize>(map).unwrap().x = 70_000;
    order(&mut app, asker, 9, 0);
    tick(&mut app);
    assert_eq!(told_of(&mut app, walker).last(), Some(&Told::Lost(PathFailure::NoMap)));
    assert_eq!(status(&app, asker), PathStatus::WaitingForMap);
    app.world_mut().get_mut::<TilemapSize>(map).unwrap().x = 10;
    run_until_quiet(&mut app, 100);
    assert_eq!(position(&app, asker), centre(9, 0));
}

#[test]
fn waiting_unit_whose_chunk_is_removed_goes_on_waiting_until_a_way_is_there() {
    let mut app = app();
    let map = app.world_mut().spawn((NavMap::default(), Transform::default())).id();
    let chunk = |app: &mut App, x: i32, width: u32| {
        let tilemap = bare_tilemap(app, &".".repeat(width as usize));
        let place = Transform::from_xyz(x as f32 * TILE, 0.0, 0.0);
        let layer = NavLayer::new(map).with_offset(IVec2::new(x, 0));
        app.world_mut().entity_mut(tilemap).insert((layer, place));
        tilemap
    };
    chunk(&mut app, 0, 4);
    let far = chunk(&mut app, 400, 4);
    let soldier = agent_at(&mut app, centre(402, 0), 6400.0);
    app.world_mut().entity_mut(soldier).insert(PathRequest::to_cell((1, 0)).or_wait());
    for _ in 0..5 {
        tick(&mut app);
    }
    assert_eq!(status(&app, soldier), PathStatus::WaitingForWay(PathFailure::Unreachable));
    app.world_mut().despawn(far);
    for _ in 0..100 {
        tick(&mut app);
    }
    assert!(matches!(status(&app, soldier), PathStatus::WaitingForWay(_)), "{:?}", status(&app, soldier));
    chunk(&mut app, 4, 400);
    run_until_quiet(&mut app, 200);
    assert_eq!(position(&app, soldier), centre(1, 0));
}
