//! Maps from Tiled: costs, walks, and files that change.

#[path = "../../crates/bevy_tilepath/tests/harness/mod.rs"]
mod harness;

#[path = "tiled/costs.rs"]
mod costs;
#[path = "tiled/faults.rs"]
mod faults;
#[path = "tiled/reload.rs"]
mod reload;
#[path = "tiled/walks.rs"]
mod walks;

use bevy::{asset::io::memory::Dir, prelude::*};
use bevy_ecs_tiled::prelude::*;
use bevy_tilepath::{
    NavGrid, NavMap, NavProjection, PathAgent, PathRequest, PathStatus,
    events::Replanned,
    maps::{NavRules, ToCell},
};
use tilepath_editors::{app, files, tiled::lay_tilemap, update_until};

/// Makes an app with the files of the folder. `others` replace some of them.
fn tiled_app(others: &[(&str, &str)]) -> (App, Dir) {
    let files = files().expect("the folder `assets` can be read");
    for (path, text) in others {
        files.insert_asset_text(path.as_ref(), text);
    }
    let config = TiledPluginConfig { tiled_types_export_file: None, ..default() };
    let mut app = app(&files, TiledPlugin(config));
    app.init_resource::<Replans>()
        .add_observer(|_: On<Replanned>, mut replans: ResMut<Replans>| replans.0 += 1);
    let mut game = harness::Game(app);
    game.start();
    (game.0, files)
}

/// The number of paths that were replanned.
#[derive(Resource, Default)]
struct Replans(usize);

/// Returns the text of a file of the folder.
fn text_of(files: &Dir, path: &str) -> String {
    let file = files.get_asset(path.as_ref()).expect("the folder has the file");
    String::from_utf8(file.value().to_vec()).expect("the file is text")
}

/// Spawns the map of a file with the rules of the folder, and updates until it is ready for
/// searches.
fn map_of(app: &mut App, file: &'static str) -> Entity {
    let rules = app.world().resource::<AssetServer>().load("level.rules.ron");
    let map = spawn(app, file);
    app.world_mut().entity_mut(map).insert(NavRules::new(rules));
    update_until(app, |world| is_ready(world, map));
    map
}

fn spawn(app: &mut App, file: &'static str) -> Entity {
    let file = app.world().resource::<AssetServer>().load(file);
    app.world_mut().spawn((TiledMap(file), NavMap::default())).observe(lay_tilemap).id()
}

fn is_ready(world: &World, map: Entity) -> bool {
    world.get::<NavGrid>(map).is_some_and(NavGrid::is_ready)
}

/// Spawns a unit on a cell and sends it to another cell.
fn send(app: &mut App, map: Entity, from: impl ToCell, to: impl ToCell) -> Entity {
    let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
    let place = projection.world_position_of(from.to_cell()).extend(1.0);
    let agent = PathAgent { speed: 60.0.into(), ..default() };
    app.world_mut().spawn((agent, Transform::from_translation(place), PathRequest::to_cell(to))).id()
}

/// Updates until the unit's order ends. Returns whether the unit has arrived.
fn walk(app: &mut App, unit: Entity) -> bool {
    update_until(app, |world| world.get::<PathRequest>(unit).is_none());
    app.world().get::<PathStatus>(unit) == Some(&PathStatus::Arrived)
}
