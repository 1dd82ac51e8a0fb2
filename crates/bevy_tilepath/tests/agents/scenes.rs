//! Scenes write only those components of the plugin that they can load.

use bevy::{
    ecs::{entity::EntityHashMap, relationship::RelationshipTarget},
    prelude::*,
    reflect::{
        PartialReflect, TypeRegistry,
        serde::{ReflectDeserializer, ReflectSerializer},
    },
};
use bevy_tilepath::{
    AgentPath, Cell, Motion, NavGraph, NavGrid, NavMap, NavProjection, Obstacle, OnMap, PathFailure,
    PathRequest, PathStatus, TilepathSettings,
    agents::MapAgents,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
    maps::Lattice,
};
use bevy_world_serialization::{DynamicWorld, DynamicWorldBuilder};
use serde::de::DeserializeSeed;

use crate::harness::*;

/// Returns all entities of the game as a scene.
fn scene_of(game: &mut Game) -> DynamicWorld {
    let entities: Vec<Entity> = game.world_mut().query::<Entity>().iter(game.world()).collect();
    let registry = game.world().resource::<AppTypeRegistry>().clone();
    DynamicWorldBuilder::from_world(game.world(), &registry.read())
        .extract_entities(entities.into_iter())
        .build()
}

/// Loads a scene. Returns a map from its entities to the loaded ones.
fn load(game: &mut Game, scene: &DynamicWorld) -> EntityHashMap<Entity> {
    let mut now = EntityHashMap::default();
    scene.write_to_world(game.world_mut(), &mut now).expect("the scene holds nothing that cannot be loaded");
    now
}

/// Returns the short names of the plugin's components in a scene.
fn written(scene: &DynamicWorld) -> Vec<&str> {
    let components = scene.entities.iter().flat_map(|entity| &entity.components);
    let mut names: Vec<&str> = components
        .map(|component| component.reflect_type_path())
        .filter_map(|path| path.strip_prefix("bevy_tilepath::")?.rsplit("::").next())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the short names of the plugin's components that scenes can read and write.
fn loadable(registry: &TypeRegistry) -> Vec<&str> {
    let mut names: Vec<&str> = registry
        .iter_with_data::<ReflectComponent>()
        .filter(|(registration, _)| registration.data::<bevy::ecs::reflect::ReflectResource>().is_none())
        .filter(|(registration, _)| registration.type_info().type_path().starts_with("bevy_tilepath::"))
        .map(|(registration, _)| registration.type_info().type_path_table().short_path())
        .collect();
    names.sort_unstable();
    names
}

/// Returns a game with a journey under way, its map and its agent. The map has a door to a graph,
/// and nearly all components of the plugin are in use.
fn busy_game() -> (Game, Entity, Entity) {
    let (mut game, yard) = Game::open(20, 1);
    let mut town = WaypointGraph::new();
    town.add("gate", (0.0, 0.0)).expect("a new id");
    let town = game.world_mut().spawn((NavGraph::new(town), Transform::default())).id();
    game.world_mut().spawn(Door::new(DoorEnd::cell(yard, Cell::new(19, 0)), DoorEnd::waypoint(town, "gate")));
    game.world_mut().spawn((
        Obstacle { size: Vec2::ONE, ..default() },
        Transform::from_translation(centre(15, 0).extend(0.0)),
    ));
    game.world_mut().spawn(bevy_tilepath::Stepwise::default());
    let soldier = game.agent(0, 0, 160.0);
    game.world_mut().entity_mut(soldier).insert(OnMap(yard));
    game.order_to(soldier, 9, 0);
    game.ticks(9);
    assert_eq!(game.status(soldier), PathStatus::Following);
    (game, yard, soldier)
}

#[test]
fn scenes_write_exactly_what_they_can_load() {
    let (mut game, ..) = busy_game();
    let mut expected = vec![
        "AgentNumber",
        "Door",
        "MapAgents",
        "NavGraph",
        "NavGrid",
        "NavMap",
        "NavProjection",
        "Obstacle",
    ];
    expected.extend(["OnMap", "PathAgent", "PathRequest", "Stepwise"]);
    assert_eq!(written(&scene_of(&mut game)), expected);
    if cfg!(feature = "tilemap") {
        expected.extend([
            "Edges",
            "Fence",
            "Ledge",
            "NavLayer",
            "NavLayers",
            "OneWay",
            "Terrain",
            "TextureTerrain",
        ]);
    }
    if cfg!(feature = "debug_draw") {
        expected.push("ShowSearch");
    }
    // The game has none of these components.
    expected.extend(["AgentMovement", "Body", "BodyPatience", "GroupOrder", "NavMemory", "OverlayArea"]);
    expected.sort_unstable();
    let registry = game.world().resource::<AppTypeRegistry>().read();
    assert_eq!(loadable(&registry), expected);
}

#[test]
fn a_loaded_agent_searches_its_path_again_and_arrives() {
    let (mut game, yard, soldier) = busy_game();
    let scene = scene_of(&mut game);
    let mut loaded = Game::new();
    let now = load(&mut loaded, &scene);
    let double = now[&soldier];
    assert!(loaded.world().get::<AgentPath>(double).is_none());
    loaded.tick();
    // The wall of the obstacle came with its entity.
    assert_eq!(loaded.drawing(now[&yard]), game.drawing(yard));
    loaded.run_until_quiet(200);
    let told = loaded.told_of(double);
    assert!(matches!(told[..], [Told::Found { .. }, Told::Arrived(_)]), "{told:?}");
    assert_eq!(loaded.position(double), centre(9, 0));
}

#[test]
fn a_loaded_map_has_its_own_cells_and_its_place() {
    let (mut game, yard, _) = busy_game();
    let wall: Vec<Entity> =
        game.world_mut().query_filtered::<Entity, With<Obstacle>>().iter(game.world()).collect();
    for obstacle in wall {
        game.world_mut().despawn(obstacle);
    }
    // The tick that takes the wall away has not come yet.
    assert!(game.drawing(yard).contains('#'));
    let scene = scene_of(&mut game);
    let mut loaded = Game::new();
    let map = load(&mut loaded, &scene)[&yard];
    loaded.assert_map(map, "....................");
    assert!(loaded.is_ready(map));
    assert_eq!(loaded.world().get::<NavProjection>(map), game.world().get::<NavProjection>(yard));
}

#[test]
fn both_sides_of_a_relation_are_loaded() {
    let (mut game, yard, soldier) = busy_game();
    let scene = scene_of(&mut game);
    let now = load(&mut game, &scene);
    let agents = game.world().get::<MapAgents>(now[&yard]).unwrap();
    assert_eq!(agents.iter().collect::<Vec<_>>(), [now[&soldier]]);
    game.world_mut().despawn(now[&yard]);
    assert!(game.world().get::<OnMap>(now[&soldier]).is_none());
}

#[test]
fn values_survive_text() {
    let (mut game, ..) = busy_game();
    game.insert_resource(TilepathSettings { work_per_tick: 77 });
    #[cfg(feature = "tilemap")]
    game.world_mut().spawn((bevy_tilepath::Terrain(7), bevy_tilepath::TextureTerrain::new([(3, 0), (9, 2)])));
    let scene = scene_of(&mut game);
    let registry = game.world().resource::<AppTypeRegistry>().read();
    let settings = game.world().resource::<TilepathSettings>();
    let components =
        scene.entities.iter().flat_map(|entity| &entity.components).map(|component| &**component);
    let mut checked = 0;
    for value in components.chain([settings.as_partial_reflect()]) {
        let path = value.reflect_type_path();
        // Grids and graphs are not compared by reflection.
        if !path.starts_with("bevy_tilepath::") || path.ends_with("NavGrid") || path.ends_with("NavGraph") {
            continue;
        }
        let text = ron::to_string(&ReflectSerializer::new(value, &registry)).expect(path);
        let mut reader = ron::Deserializer::from_str(&text).unwrap();
        let read = ReflectDeserializer::new(&registry).deserialize(&mut reader).expect(path);
        assert_eq!(read.reflect_partial_eq(value), Some(true), "{text}");
        checked += 1;
    }
    assert_eq!(checked, if cfg!(feature = "tilemap") { 14 } else { 12 });
}

#[test]
fn lattices_are_written_by_name() {
    let (game, ..) = busy_game();
    let registry = game.world().resource::<AppTypeRegistry>().read();
    for &lattice in Lattice::ALL {
        let projection = NavProjection::new(lattice, Vec2::splat(16.0), Vec2::ZERO);
        let text = ron::to_string(&ReflectSerializer::new(&projection, &registry)).unwrap();
        assert!(text.contains(&format!("lattice:{lattice:?},")), "{text}");
        let mut reader = ron::Deserializer::from_str(&text).unwrap();
        let read = ReflectDeserializer::new(&registry).deserialize(&mut reader).unwrap();
        assert_eq!(NavProjection::from_reflect(&*read), Some(projection));
    }
}

#[test]
fn a_grid_cannot_be_made_ready_by_reflection() {
    let mut grid = NavGrid::default();
    let mut patch = bevy::reflect::structs::DynamicStruct::default();
    patch.insert("ready", true);
    patch.insert("generation", 3_u64);
    assert!(grid.try_apply(&patch).is_err());
    assert!(!grid.is_ready());
    assert_eq!(grid.bounds().cell_count(), 0);
}

#[test]
fn failures_and_orders_are_still_seen_by_inspectors() {
    let (game, _, soldier) = busy_game();
    let registry = game.world().resource::<AppTypeRegistry>().read();
    let seen = |id| registry.get_type_data::<bevy::reflect::ReflectFromPtr>(id).is_some();
    for id in [
        std::any::TypeId::of::<NavMap>(),
        std::any::TypeId::of::<NavGrid>(),
        std::any::TypeId::of::<PathRequest>(),
        std::any::TypeId::of::<AgentPath>(),
        std::any::TypeId::of::<PathStatus>(),
        std::any::TypeId::of::<PathFailure>(),
        std::any::TypeId::of::<Motion>(),
        std::any::TypeId::of::<Door>(),
        std::any::TypeId::of::<NavGraph>(),
    ] {
        assert!(seen(id), "{:?}", registry.get_type_info(id).map(bevy::reflect::TypeInfo::type_path));
    }
    let status = game.world().get::<PathStatus>(soldier).unwrap();
    assert_eq!(status.as_partial_reflect().reflect_partial_eq(&PathStatus::Following), Some(true));
}

/// The types of optional features.
const FEATURES: [&str; 15] = [
    "Edges",
    "Fence",
    "Ledge",
    "NavGraphHandle",
    "NavLayer",
    "NavLayers",
    "NavRules",
    "OneWay",
    "PathRecorder",
    "ShowSearch",
    "Terrain",
    "TextureTerrain",
    "TilepathGizmos",
    "WaypointGraphAsset",
    "core_types::Direction",
];

/// Checks that type paths do not depend on source files. Scenes and map editors name types by their
/// paths.
#[test]
fn every_type_has_a_path_that_stays() {
    let (game, ..) = busy_game();
    let registry = game.world().resource::<AppTypeRegistry>().read();
    let mut names: Vec<&str> = registry
        .iter()
        .filter_map(|known| known.type_info().type_path().strip_prefix("bevy_tilepath::"))
        .collect();
    names.retain(|name| !FEATURES.contains(name));
    names.sort_unstable();
    let expected = [
        "AgentMovement",
        "AgentNumber",
        "AgentPath",
        "Approach",
        "Arrived",
        "Body",
        "BodyPatience",
        "Door",
        "DoorEnd",
        "DoorPassed",
        "Drive",
        "Group",
        "GroupArrived",
        "GroupFailed",
        "GroupFailure",
        "GroupMember",
        "GroupOrder",
        "LastAgentNumber",
        "Lattice",
        "MapAgents",
        "MapLandmarks",
        "MissingTile",
        "Motion",
        "NavGraph",
        "NavGrid",
        "NavMap",
        "NavMemory",
        "NavProjection",
        "Obstacle",
        "ObstacleClear",
        "ObstacleOccupied",
        "OnMap",
        "OpaqueClasses",
        "OverlayArea",
        "Passage",
        "PathAgent",
        "PathBlocked",
        "PathFailed",
        "PathFailure",
        "PathFound",
        "PathGoal",
        "PathLine",
        "PathLost",
        "PathOutline",
        "PathPointReached",
        "PathRequest",
        "PathStatus",
        "PathStops",
        "PathTarget",
        "Place",
        "Repeat",
        "Replanned",
        "Speed",
        "StepAgent",
        "Stepwise",
        "Stop",
        "StopReached",
        "Stuck",
        "TerrainSpeed",
        "TilepathDiagnostics",
        "TilepathSettings",
        "WaitOver",
        "WaitingFor",
        "WaypointSlowdown",
        "WhyNot",
        "core_types::Algorithm",
        "core_types::Bounds",
        "core_types::Cell",
        "core_types::Cost",
        "core_types::CostTable",
        "core_types::Diagonals",
        "core_types::Formation",
        "core_types::Movement",
        "core_types::Movements",
        "core_types::Path",
        "core_types::PathFault",
        "core_types::StepCosts",
    ];
    assert_eq!(names, expected);
}
