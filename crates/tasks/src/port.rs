//! Tests of `ports/bevy_0_20`: it differs from the plugin in the repository's workspace only by versions.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Task, package::metadata};

const RECIPES: [(&str, &str, &str); 2] = [
    (
        "ldtk",
        include_str!("../../bevy_tilepath/docs/ldtk.rs"),
        include_str!("../../bevy_tilepath/docs/bevy_0_20/ldtk.rs"),
    ),
    (
        "tiled",
        include_str!("../../bevy_tilepath/docs/tiled.rs"),
        include_str!("../../bevy_tilepath/docs/bevy_0_20/tiled.rs"),
    ),
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Returns the values of both packages: of the plugin, and of the port.
fn both(value: impl Fn(&Value) -> Value) -> [Value; 2] {
    let of = |name| value(&metadata(&folder(name)).expect("cargo reads the manifest"));
    [of("crates/bevy_tilepath"), of("ports/bevy_0_20")]
}

#[test]
fn port_has_the_metadata_of_the_plugin() {
    for field in [
        "name",
        "description",
        "license",
        "repository",
        "homepage",
        "documentation",
        "readme",
        "keywords",
        "categories",
        "edition",
        "metadata",
    ] {
        let [plugin, port] = both(|package| package[field].clone());
        assert_eq!(plugin, port, "{field}");
        assert!(!plugin.is_null(), "{field}");
    }
}

#[test]
fn port_has_the_features_of_the_plugin() {
    let [plugin, port] = both(|package| package["features"].clone());
    assert_eq!(plugin, port);
    assert!(plugin["tilemap"].is_array());
}

#[test]
fn port_has_the_dependencies_of_the_plugin_and_other_versions_only_of_bevy() {
    let [plugin, port] = both(|package| {
        let all = package["dependencies"].as_array().into_iter().flatten();
        let published = all.filter(|dependency| dependency["kind"].is_null()).map(|dependency| {
            let mut dependency = dependency.clone();
            if dependency["name"].as_str().is_some_and(|name| name.starts_with("bevy")) {
                dependency["req"] = Value::Null;
            }
            dependency["path"] = Value::Null; // the core lies elsewhere, seen from each
            dependency
        });
        published.collect()
    });
    assert_eq!(plugin, port);
    assert!(plugin.as_array().is_some_and(|list| list.len() > 10), "{plugin}");
}

#[test]
fn port_has_the_recipes_of_the_plugin_but_for_renamed_items() {
    for (name, recipe, port) in RECIPES {
        let mut expected = recipe.replace("\r\n", "\n");
        let parts: Vec<&str> = expected.split("On<Add, ").collect();
        let renamed = parts.iter().enumerate().map(|(index, part)| {
            if index == 0 { (*part).to_owned() } else { format!("On<Add<{}", part.replacen('>', ">>", 1)) }
        });
        expected = renamed.collect();
        for getter in
            ["map_entity", "map_asset", "layer_id", "layer", "tilemap_tileset", "tilemap_tileset_id"]
        {
            expected = expected.replace(&format!(".get_{getter}("), &format!(".{getter}("));
        }
        let port = port.replace("\r\n", "\n");
        assert_eq!(expected, port, "{name}");
        assert_ne!(recipe.replace("\r\n", "\n"), port, "{name}: one file is enough");
    }
}

/// The most lines of the plugin's sources that are for one version of Bevy only.
const MAX_LINES_OF_A_VERSION: usize = 60;

#[test]
fn few_lines_of_the_sources_are_for_one_version() {
    let sources = folder("crates/bevy_tilepath/src");
    let files = crate::package::files_below(&sources).expect("the sources can be read");
    let count = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a source is text");
        let is_whole = file.ends_with("bevy_version.rs");
        text.lines().filter(|line| is_whole || line.contains("bevy_0_20")).count()
    };
    let lines: usize = files.into_iter().map(count).sum();
    assert!((10..=MAX_LINES_OF_A_VERSION).contains(&lines), "{lines}");
}

#[test]
fn format_covers_the_port() {
    let calls = Task::Format.calls();
    assert!(
        calls.iter().any(|call| call.contains("ports/bevy_0_20/Cargo.toml") && call.ends_with("--check"))
    );
}
