//! A world from LDtk whose two levels are one map.
//!
//! A soldier walks from one level into the other.
//!
//! `cargo run --manifest-path editors/Cargo.toml --example ldtk`

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_ecs_ldtk::prelude::*;
use bevy_tilepath::{maps::NavRules, prelude::*};
use tilepath_editors::{
    app, costs_with_way, files,
    ldtk::{lay_tilemap, read_tags, read_values},
    update_until,
};

fn main() -> Result {
    let mut app = app(&files()?, LdtkPlugin);
    app.insert_resource(LdtkSettings {
        // Levels lie in the world as in the editor.
        level_spawn_behavior: LevelSpawnBehavior::UseWorldTranslation { load_level_neighbors: true },
        ..default()
    })
    .insert_resource(LevelSelection::Identifier("West".into())) // and its neighbour
    .add_observer(lay_tilemap)
    .add_observer(read_values)
    .add_observer(read_tags)
    .add_systems(Startup, spawn_world);
    update_until(&mut app, |world| world.query::<&NavGrid>().iter(world).any(NavGrid::is_ready));

    let map = app.world_mut().query_filtered::<Entity, With<NavMap>>().single(app.world())?;
    let soldier = app.world_mut().run_system_cached(spawn_soldier)?;
    update_until(&mut app, |world| world.get::<AgentPath>(soldier).is_some());
    let way = app.world().get::<AgentPath>(soldier).ok_or("the soldier has a path")?;
    println!("Over the bridge of one level into the house of the other:\n");
    let cells = way.path().ok_or("the path is on tiles")?.cells();
    for row in costs_with_way(app.world(), map, IVec2::new(0, -7), UVec2::new(16, 7), cells) {
        println!("    {row}");
    }
    assert!(cells.contains(&Cell::new(4, -4)), "over the bridge");

    update_until(&mut app, |world| world.get::<PathRequest>(soldier).is_none());
    assert_eq!(app.world().get::<PathStatus>(soldier), Some(&PathStatus::Arrived));
    println!("\nThe soldier has arrived.");
    Ok(())
}

fn spawn_world(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn((
        LdtkWorldBundle { ldtk_handle: assets.load("village.ldtk").into(), ..default() },
        NavRules::new(assets.load("level.rules.ron")),
    ));
}

/// Spawns the soldier. Cells have the coordinates of LDtk's world with rows counted upwards: row -1
/// is row 0 of LDtk.
fn spawn_soldier(mut commands: Commands, map: Single<&NavProjection>) -> Entity {
    let place = map.world_position_of(Cell::new(0, -1)).extend(10.0);
    let agent = PathAgent { speed: 96.0.into(), ..default() };
    commands.spawn((agent, Transform::from_translation(place), PathRequest::to_cell((11, -4)))).id()
}
