//! A game is saved to a file, as text and in a binary form. The loaded game goes on exactly as the one that
//! was saved.
//!
//! `cargo run --example save` (in this workspace; elsewhere with the feature `serde`)
//!
//! Guide: `docs/guide/src/10-saving.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use std::{error::Error, fs, path::Path};

use bevy::{ecs::entity::EntityHashMap, prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    AgentPath, Body, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, TilepathPlugin,
    TilepathState, tilepath::format::parse_ascii,
};
use serde::{Deserialize, Serialize};

const YARD: &str = "
    ..........
    .########.
    ........#.
    ........#.
";

/// A component of the game on a unit. It is not in the state of the plugin.
#[derive(Component, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Name(String);

/// The content of the file: the state of the plugin, and what the game adds to it.
#[derive(Serialize, Deserialize)]
struct Save {
    state: TilepathState,
    names: Vec<(Entity, Name)>,
}

fn new_game() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    // No time has passed in the first update of an app, so it has no fixed tick.
    app.update();
    app
}

fn save(world: &mut World) -> Result<Save, Box<dyn Error>> {
    let state = TilepathState::take(world)?;
    let mut names = world.query::<(Entity, &Name)>();
    let names = names.iter(world).map(|(entity, name)| (entity, name.clone())).collect();
    Ok(Save { state, names })
}

fn load(save: Save, world: &mut World) -> Result<(), Box<dyn Error>> {
    // All entities are spawned. A game that loads its level first names the entities of the level here.
    let mut entities = EntityHashMap::default();
    save.state.put(world, &mut entities)?;
    for (unit, name) in save.names {
        world.entity_mut(entities[&unit]).insert(name);
    }
    Ok(())
}

/// Lets a game run to its end. Returns where each unit is in each tick, by its name.
fn watch(game: &mut App) -> Vec<Vec<(String, Vec3)>> {
    let tick = |_| {
        game.update();
        let mut units = game.world_mut().query::<(&Name, &Transform)>();
        let units = units.iter(game.world()).map(|(name, place)| (name.0.clone(), place.translation));
        let mut units: Vec<(String, Vec3)> = units.collect();
        units.sort_by(|one, other| one.0.cmp(&other.0));
        units
    };
    (0..300).map(tick).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = new_game();
    let world = game.world_mut();
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::splat(8.0));
    world.spawn((NavMap::default(), NavGrid::new(parse_ascii(YARD)?), projection));
    let agent = PathAgent { speed: 64.0.into(), ..default() };
    for (name, x, goal) in [("Ada", 8.0, (9, 0)), ("Ben", 40.0, (0, 1))] {
        let order = PathRequest::to_cell(goal).then(Cell::new(0, 3));
        world.spawn((Name(name.to_owned()), agent, Body::default(), Transform::from_xyz(x, 8.0, 0.0), order));
    }
    for _ in 0..30 {
        game.update();
    }

    let saved = save(game.world_mut())?;
    let folder = std::env::temp_dir();
    let (text, binary) = (folder.join("tilepath_save.ron"), folder.join("tilepath_save.bin"));
    fs::write(&text, ron::to_string(&saved)?)?;
    fs::write(&binary, rmp_serde::to_vec(&saved)?)?;
    let expected = watch(&mut game);

    let read_text =
        |path: &Path| -> Result<Save, Box<dyn Error>> { Ok(ron::from_str(&fs::read_to_string(path)?)?) };
    for (form, save) in [("text", read_text(&text)?), ("binary", rmp_serde::from_slice(&fs::read(&binary)?)?)]
    {
        let mut loaded = new_game();
        load(save, loaded.world_mut())?;
        // The paths are there at once: nothing is searched again.
        let mut paths = loaded.world_mut().query::<&AgentPath>();
        assert_eq!(paths.iter(loaded.world()).count(), 2);
        assert_eq!(watch(&mut loaded), expected);
        println!("{form}: both units walk on as in the game that was saved");
    }
    fs::remove_file(text)?;
    fs::remove_file(binary)?;
    Ok(())
}
