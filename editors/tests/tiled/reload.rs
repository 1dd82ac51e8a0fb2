//! Files are loaded again while units walk.

use bevy::{asset::io::memory::Dir, prelude::*};
use bevy_ecs_tiled::prelude::*;
use bevy_tilepath::{AgentPath, Cell, NavProjection, PathAgent, PathRequest, PathStatus, maps::NavLayers};
use tilepath_editors::update_until;

use crate::{Replans, map_of, send, text_of, tiled_app, walk};

/// Writes the file, reloads it, and updates until the map has only new tilemaps. The unit is slow
/// meanwhile.
fn rewrite(app: &mut App, files: &Dir, map: Entity, unit: Entity, file: &'static str, text: &str) {
    // The unit enters no new cell while the file is read, however long that takes.
    set_speed(app, unit, 0.05);
    let layers = |world: &World| -> Vec<Entity> {
        world.get::<NavLayers>(map).map_or(vec![], |layers| layers.iter().collect())
    };
    let before = layers(app.world());
    files.insert_asset_text(file.as_ref(), text);
    app.world().resource::<AssetServer>().reload(file);
    update_until(app, |world| {
        let now = layers(world);
        !now.is_empty() && !now.iter().any(|layer| before.contains(layer))
    });
    app.update(); // this tick reads the new tilemaps
    assert!(app.world().get::<PathRequest>(unit).is_some(), "the unit still has its order");
    set_speed(app, unit, 60.0);
}

fn set_speed(app: &mut App, unit: Entity, speed: f32) {
    app.world_mut().get_mut::<PathAgent>(unit).expect("the unit is an agent").speed = speed.into();
}

fn position(app: &App, unit: Entity) -> Vec2 {
    app.world().get::<Transform>(unit).expect("the unit has a transform").translation.truncate()
}

fn passes(app: &App, unit: Entity, cell: (i32, i32)) -> bool {
    let way = app.world().get::<AgentPath>(unit).and_then(AgentPath::path).expect("the path is on tiles");
    way.cells().contains(&Cell::from(cell))
}

/// Moves the bridge to this row of the file. `0,0` is a place without a bridge.
fn with_bridge_in(text: &str, row: usize) -> String {
    let (ground, rest) = text.split_once(" <layer id=\"2\"").expect("the map has a second layer");
    let (buildings, flowers) = rest.split_once(" <layer id=\"3\"").expect("the map has a third layer");
    let buildings = buildings.replace("0,0,0,0,0,6,6,", "0,0,0,0,0,0,0,");
    let mut lines: Vec<String> = buildings.lines().map(str::to_owned).collect();
    // Line 0 ends the tag of the layer, and line 1 begins the data.
    lines[2 + row] = lines[2 + row].replacen("0,0,0,0,0,0,0", "0,0,0,0,0,6,6", 1);
    format!("{ground} <layer id=\"2\"{}\n <layer id=\"3\"{flowers}", lines.join("\n"))
}

#[test]
fn a_bridge_that_is_moved_is_found_under_way() {
    let (mut app, files) = tiled_app(&[]);
    let map = map_of(&mut app, "river.tmx");
    let unit = send(&mut app, map, (0, 0), (11, 7));
    let start = position(&app, unit);
    update_until(&mut app, |world| {
        let stands = world.get::<Transform>(unit).map(|place| place.translation.truncate());
        stands.is_some_and(|stands| stands.distance(start) > 20.0)
    });
    assert!(passes(&app, unit, (5, 3)));

    let text = with_bridge_in(&text_of(&files, "river.tmx"), 7);
    rewrite(&mut app, &files, map, unit, "river.tmx", &text);
    update_until(&mut app, |world| world.resource::<Replans>().0 > 0);
    update_until(&mut app, |world| world.get::<PathStatus>(unit) == Some(&PathStatus::Following));
    assert!(passes(&app, unit, (5, 0)) && !passes(&app, unit, (5, 3)));
    assert!(walk(&mut app, unit));
    assert_eq!(app.world().resource::<Replans>().0, 1);
}

#[test]
fn journeys_stay_where_nothing_is_different() {
    let (mut app, files) = tiled_app(&[]);
    let map = map_of(&mut app, "river.tmx");
    let unit = send(&mut app, map, (0, 0), (11, 0));
    update_until(&mut app, |world| world.get::<AgentPath>(unit).is_some());
    // All tilemaps and tiles are new, with the same classes except for a rock in a corner.
    let text = text_of(&files, "river.tmx").replacen("1,1,1,1,1,3,3,1,1,1,1,1", "1,1,1,1,1,3,3,1,1,1,1,4", 1);
    rewrite(&mut app, &files, map, unit, "river.tmx", &text);
    assert_eq!(tilepath_editors::costs(app.world(), map, IVec2::new(10, 7), UVec2::new(2, 1)), [".#"]);
    assert!(walk(&mut app, unit));
    assert_eq!(app.world().resource::<Replans>().0, 0);
}

/// `bevy_ecs_tiled` caches tilesets that have files of their own, and does not read them again.
#[test]
fn a_tileset_that_changes_is_seen_if_it_is_part_of_the_map() {
    let (mut app, files) = tiled_app(&[]);
    let map = map_of(&mut app, "river.tmx");
    let unit = send(&mut app, map, (0, 0), (11, 0));
    let wall = |app: &App| tilepath_editors::costs(app.world(), map, IVec2::new(7, 2), UVec2::ONE).concat();
    let tileset = text_of(&files, "buildings.tsx").replacen("value=\"0\"", "value=\"1\"", 1);
    files.insert_asset_text("buildings.tsx".as_ref(), &tileset);
    let text = text_of(&files, "river.tmx");
    for _ in 0..2 {
        rewrite(&mut app, &files, map, unit, "river.tmx", &text);
        assert_eq!(wall(&app), "#");
    }
    let (_, embedded) = tileset.split_once("<tileset").expect("the file is a tileset");
    let embedded = format!("<tileset firstgid=\"5\"{embedded}");
    let text = text.replace("<tileset firstgid=\"5\" source=\"buildings.tsx\"/>", &embedded);
    rewrite(&mut app, &files, map, unit, "river.tmx", &text);
    assert_eq!(wall(&app), ".");
}

/// The tilemaps of an infinite map begin at its outermost chunk. A new chunk there moves neither
/// cells nor places.
#[test]
fn a_chunk_far_away_moves_nothing() {
    let (mut app, files) = tiled_app(&[]);
    let map = map_of(&mut app, "wilds.tmx");
    let unit = send(&mut app, map, (-3, 3), (-8, 7));
    let place = |app: &App| {
        let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
        projection.world_position_of(Cell::new(-3, 4))
    };
    let before = place(&app);
    update_until(&mut app, |world| world.get::<AgentPath>(unit).is_some());

    let text = text_of(&files, "wilds.tmx");
    let chunk = &text[text.find("   <chunk").expect("the map has chunks")
        ..text.find("   <chunk x=\"0\"").expect("the map has a chunk at x = 0")];
    let further = chunk.replace("x=\"-8\" y=\"-8\"", "x=\"-40\" y=\"-56\"");
    rewrite(
        &mut app,
        &files,
        map,
        unit,
        "wilds.tmx",
        &text.replacen("   <chunk", &format!("{further}   <chunk"), 1),
    );
    assert!(place(&app).distance(before) < 0.01);
    let first_row = tilepath_editors::costs(app.world(), map, IVec2::new(-40, 48), UVec2::new(9, 1));
    assert_eq!(first_row, ["..#..333#"], "the lowest row of the new chunk");
    assert!(walk(&mut app, unit));
    assert_eq!(app.world().resource::<Replans>().0, 0);
}

#[test]
fn a_map_that_is_despawned_leaves_no_layers() {
    let (mut app, _) = tiled_app(&[]);
    let map = map_of(&mut app, "river.tmx");
    app.world_mut().despawn(map);
    app.update();
    let mut layers = app.world_mut().query::<(&TiledTilemap, &bevy_tilepath::NavLayer)>();
    assert_eq!(layers.iter(app.world()).count(), 0);
}
