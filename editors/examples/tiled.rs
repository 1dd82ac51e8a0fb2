//! A map from Tiled with a river and one bridge.
//!
//! A soldier walks over the bridge, from one point of the object layer to another.
//!
//! `cargo run --manifest-path editors/Cargo.toml --example tiled`

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::*;
use bevy_tilepath::{maps::NavRules, prelude::*};
use tilepath_editors::{app, costs_with_way, files, tiled::lay_tilemap, update_until};

fn main() -> Result {
    // By default the plugin writes the types of the whole game into the working folder.
    let config = TiledPluginConfig { tiled_types_export_file: None, ..default() };
    let mut app = app(&files()?, TiledPlugin(config));
    app.add_systems(Startup, spawn_level);
    update_until(&mut app, |world| world.query::<&NavGrid>().iter(world).any(NavGrid::is_ready));
    let map = app.world_mut().query_filtered::<Entity, With<NavMap>>().single(app.world())?;
    let soldier = app.world_mut().run_system_cached(spawn_soldier)?;
    update_until(&mut app, |world| world.get::<AgentPath>(soldier).is_some());

    let way = app.world().get::<AgentPath>(soldier).ok_or("the soldier has a path")?;
    println!("From A to B, over mud (3), around water, rocks and walls (#):\n");
    let cells = way.path().ok_or("the path is on tiles")?.cells();
    for row in costs_with_way(app.world(), map, IVec2::ZERO, UVec2::new(12, 8), cells) {
        println!("    {row}");
    }
    assert_eq!((cells.first(), cells.last()), (Some(&Cell::new(0, 7)), Some(&Cell::new(11, 0))));
    assert!(cells.contains(&Cell::new(5, 3)) && cells.contains(&Cell::new(6, 3)), "over the bridge");

    update_until(&mut app, |world| world.get::<PathRequest>(soldier).is_none());
    assert_eq!(app.world().get::<PathStatus>(soldier), Some(&PathStatus::Arrived));
    println!("\nThe soldier has arrived.");
    Ok(())
}

fn spawn_level(mut commands: Commands, assets: Res<AssetServer>) {
    let rules = NavRules::new(assets.load("level.rules.ron"));
    commands.spawn((TiledMap(assets.load("river.tmx")), rules)).observe(lay_tilemap);
}

fn spawn_soldier(mut commands: Commands, points: Query<(&TiledName, &GlobalTransform)>) -> Result<Entity> {
    let place = |name: &str| {
        let point = points.iter().find(|(TiledName(own), _)| own == name);
        point.map(|(_, place)| place.translation().truncate()).ok_or(format!("the map has a point {name}"))
    };
    let (start, goal) = (place("A")?, place("B")?);
    let agent = PathAgent { speed: 96.0.into(), ..default() };
    let transform = Transform::from_translation(start.extend(10.0));
    Ok(commands.spawn((agent, transform, PathRequest::to_position(goal))).id())
}
