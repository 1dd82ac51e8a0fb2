//! Agents on tilemaps: tiles that change and vanish on the way.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, PathFailure, PathRequest, PathStatus, Terrain, TilepathSystems};

use super::stage::*;
use crate::harness::{centre, tick, tile_at, tilemap};

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
