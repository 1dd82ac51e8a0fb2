//! Movements and terrain from a file: `NavRules`.
//!
//! The file changes while a wagon walks.
//!
//! `cargo run --example rules_file`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use std::path::Path;

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    prelude::*,
    time::TimeUpdateStrategy,
};
use bevy_tilepath::{
    events::Replanned,
    maps::{NavRules, RulesAsset},
    prelude::*,
    tilepath::format::parse_ascii,
};

/// In a game, this file is in the folder `assets`.
const RULES: &str = r#"(
    classes: {0: "wall", 1: "road", 2: "meadow"},
    movements: {
        "wagon": (costs: {"road": 1, "meadow": 1}, diagonals: "never"),
    },
)"#;

const LEVEL: &str = "
    1111111
    1222221
    1222221
";

fn main() {
    let files = Dir::default();
    files.insert_asset_text(Path::new("level.rules.ron"), RULES);
    let root = files.clone();
    let mut app = App::new();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    )
    .add_plugins((MinimalPlugins, AssetPlugin::default(), TilepathPlugin::default()))
    .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
    .add_systems(Startup, spawn_level)
    .add_observer(|found: On<PathFound>| {
        println!("The wagon's path costs as much as {} steps on the road.", found.route_cost);
    })
    .add_observer(|replanned: On<Replanned>| {
        println!("With the new rules it costs as much as {}.", replanned.route_cost);
    });
    update_until_way_costs(&mut app, Cost::new(60));

    // The designer saves the file with a mistake. The old rules stay, and the log gives the line.
    let slip = RULES.replace("\"meadow\": 1}", "\"medow\": 9}");
    files.insert_asset_text(Path::new("level.rules.ron"), &slip);
    app.world().resource::<AssetServer>().reload("level.rules.ron");
    let faults = loop {
        app.update();
        let rules = app.world().resource::<Assets<RulesAsset>>().iter().next();
        if let Some((_, RulesAsset(Err(faults)))) = rules {
            break faults.to_string();
        }
    };
    println!("{faults}");
    assert!(faults.starts_with("line 4") && faults.ends_with("did you mean `meadow`?"));

    // The designer repairs the file: meadows are slow now, and the wagon takes the road.
    files.insert_asset_text(Path::new("level.rules.ron"), &RULES.replace("\"meadow\": 1}", "\"meadow\": 9}"));
    app.world().resource::<AssetServer>().reload("level.rules.ron");
    update_until_way_costs(&mut app, Cost::new(100));
}

fn spawn_level(mut commands: Commands, assets: Res<AssetServer>) -> Result {
    commands.spawn((NavGrid::new(parse_ascii(LEVEL)?), NavRules::new(assets.load("level.rules.ron"))));
    commands.spawn((
        PathAgent { speed: 0.0.into(), ..default() }, // no speed, so that the story has one end
        AgentMovement::from("wagon"),
        PathRequest::to_cell((6, 0)),
    ));
    Ok(())
}

fn update_until_way_costs(app: &mut App, cost: Cost) {
    let mut paths = app.world_mut().query::<&AgentPath>();
    while !paths.iter(app.world()).any(|path| path.path().is_some_and(|way| way.cost() == cost)) {
        app.update();
    }
}
