//! Files that `bevy_ecs_tiled` refuses, and invalid classes.

use std::io::{Cursor, Error};

use bevy::prelude::*;
use bevy_ecs_tiled::prelude::{tiled::Loader, *};
use bevy_tilepath::NavMap;
use tilepath_editors::{app, costs, files, update_until};

use crate::{
    harness::{logs_of, logs_of_all_threads},
    is_ready, map_of, spawn, text_of, tiled_app,
};

#[test]
#[should_panic(expected = "is not supported")]
fn staggered_maps_are_refused() {
    let map = r#"<map version="1.10" orientation="staggered" width="2" height="2" tilewidth="32" tileheight="16"
        staggeraxis="y" staggerindex="odd"></map>"#;
    let read = |_: &std::path::Path| Ok::<_, Error>(Cursor::new(map));
    let map = Loader::with_reader(read).load_tmx_map("map.tmx").expect("Tiled writes such maps");
    tilemap_type_from_map(&map);
}

/// Faults that leave no map: the file, a part of its text, and a wrong text in its place. For classes out of
/// range, only the older `bevy_ecs_tiled` refuses the file.
const FAULTS: &[(&str, &str, &str)] = &[
    ("river.tmx", "orientation=\"orthogonal\"", "orientation=\"staggered\""),
    #[cfg(not(bevy_0_20))]
    ("buildings.tsx", "value=\"0\"", "value=\"256\""),
    #[cfg(not(bevy_0_20))]
    ("buildings.tsx", "value=\"0\"", "value=\"-1\""),
];

/// The loader of `bevy_ecs_tiled` returns an error, or panics. Bevy catches the panic.
#[test]
fn files_that_cannot_be_read_leave_no_map() {
    for &(path, right, wrong) in FAULTS {
        let (_, files) = tiled_app(&[]);
        let text = text_of(&files, path);
        assert!(text.contains(right), "{path}");
        let (mut app, _) = tiled_app(&[(path, &text.replacen(right, wrong, 1))]);
        let map = spawn(&mut app, "river.tmx");
        update_until(&mut app, |world| world.get_entity(map).is_err());
    }
    let told = logs_of_all_threads();
    assert!(told.iter().any(|text| text.starts_with("Map failed to load, despawn it")), "{told:?}");
}

/// Tiled writes both numbers. Other programs may leave them out.
#[test]
fn a_tileset_without_its_number_of_tiles_is_named_and_one_without_columns_is_read() {
    let (_, files) = tiled_app(&[]);
    let text = text_of(&files, "buildings.tsx").replacen(" columns=\"3\"", "", 1);
    let (mut app, _) = tiled_app(&[("buildings.tsx", &text)]);
    let map = map_of(&mut app, "river.tmx");
    assert_eq!(costs(app.world(), map, IVec2::new(3, 2), UVec2::new(5, 3)), ["..###", ".....", "..###"]);

    let text = text.replacen(" tilecount=\"3\"", "", 1);
    let (mut app, _) = tiled_app(&[("buildings.tsx", &text)]);
    let map = spawn(&mut app, "river.tmx");
    update_until(&mut app, |world| world.get_entity(map).is_err());
    // Another thread writes the message.
    let told =
        || logs_of_all_threads().into_iter().filter(|text| text.contains("tilecount")).collect::<Vec<_>>();
    update_until(&mut app, |_| !told().is_empty());
    assert!(told().len() == 1 && told()[0].contains("river.tmx"), "{:?}", told());
}

/// Properties that are no class.
const NO_CLASSES: &[&str] = &[
    "type=\"string\" value=\"stone\"",
    #[cfg(bevy_0_20)]
    "type=\"int\" value=\"256\"",
    #[cfg(bevy_0_20)]
    "type=\"int\" value=\"-1\"",
];

#[test]
fn a_class_that_is_no_number_is_named_and_the_tile_goes_by_its_layer() {
    for no_class in NO_CLASSES {
        let (_, files) = tiled_app(&[]);
        let text = text_of(&files, "buildings.tsx").replacen("type=\"int\" value=\"0\"", no_class, 1);
        let (mut app, _) = tiled_app(&[("buildings.tsx", &text)]);
        let map = map_of(&mut app, "river.tmx");
        // The walls at (7, 2) and (7, 4) have no valid class, so the grass under them counts. The
        // bridge is unchanged.
        let costs = costs(app.world(), map, IVec2::new(3, 2), UVec2::new(5, 3));
        assert_eq!(costs, ["..##.", ".....", "..##."], "{no_class}");
        let told = logs_of_all_threads();
        assert!(told.iter().any(|text| text.contains("error deserializing property `terrain`")), "{told:?}");
    }
}

#[test]
fn a_map_without_rules_file_costs_what_its_classes_say() {
    let (mut app, _) = tiled_app(&[]);
    let map = spawn(&mut app, "river.tmx");
    update_until(&mut app, |world| is_ready(world, map));
    assert!(app.world().get::<NavMap>(map).is_some_and(|rules| rules.movements.is_empty()));
    // Class 4, the water, costs 4.
    assert_eq!(costs(app.world(), map, IVec2::new(0, 6), UVec2::new(12, 1)), ["..3..44..#.."]);
}

#[test]
fn layers_and_tilesets_drawn_elsewhere_are_reported() {
    let offsets = [
        (
            "river.tmx",
            "name=\"buildings\"",
            "name=\"buildings\" offsetx=\"4\"",
            "stands 0.25 by 0 cell sizes off",
        ),
        (
            "buildings.tsx",
            " <image",
            " <tileoffset x=\"0\" y=\"8\"/>\n <image",
            "stands 0 by -0.5 cell sizes off",
        ),
    ];
    for (path, right, moved, warning) in offsets {
        let (_, files) = tiled_app(&[]);
        let text = text_of(&files, path).replacen(right, moved, 1);
        let (mut app, _) = tiled_app(&[(path, &text)]);
        let mut map = Entity::PLACEHOLDER;
        let told = logs_of(|| map = map_of(&mut app, "river.tmx"));
        assert!(told.iter().any(|text| text.contains(warning)), "{told:?}");
        assert_eq!(costs(app.world(), map, IVec2::new(3, 2), UVec2::new(5, 3)), ["..###", ".....", "..###"]);
    }
}

/// Tiled can import this file of custom types. A designer then picks the class of a tile from a
/// list.
#[test]
fn the_types_for_tiled_name_the_class() {
    let folder = std::env::temp_dir().join(format!("tilepath_editors_{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let file = folder.join("types.json");
    let config = TiledPluginConfig {
        tiled_types_export_file: Some(file.clone()),
        // The filter compares names in lower case.
        tiled_types_filter: TiledFilter::Names(vec!["bevy_tilepath::terrain".into()]),
    };
    let mut app = app(&files().expect("the folder `assets` can be read"), TiledPlugin(config));
    app.update();
    let types = std::fs::read_to_string(&file).expect("the plugin writes the file in the first update");
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    assert!(types.contains("\"name\": \"bevy_tilepath::Terrain\""), "{types}");
}
