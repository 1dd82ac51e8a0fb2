//! Projects of one level, written by hand: an LDtk file from pictures of its layers.

use bevy::asset::io::memory::Dir;

use crate::WORLD;

/// The id of the level.
pub(crate) const HALL: &str = "00000021-0000-4000-8000-000000000000";

/// The file of the level, if it is not in the file of the project.
pub(crate) const LEVEL_FILE: &str = "hall.ldtkl";

/// A layer. Digits of the picture are values or tiles, and a dot is neither.
pub(crate) enum Layer {
    /// An `IntGrid` layer without tiles, with the names of its values.
    Values(&'static [(i32, &'static str)], &'static str),
    /// A layer of tiles from `buildings.png`: tile 0 is tagged `Wall`, tile 1 `Bridge`, and tile 2
    /// has no tag.
    Tiles(&'static str),
}

/// Replaces the project among the files by one of these layers, the topmost first.
pub(crate) fn write_project(files: &Dir, layers: &[Layer]) {
    files.insert_asset_text(WORLD.as_ref(), &project(layers, false, &level(layers, "null", true)));
}

/// Replaces the project by one that names [`LEVEL_FILE`] as its level. Returns the text of that file.
pub(crate) fn write_project_without_level(files: &Dir, layers: &[Layer]) -> String {
    let named = format!("\"{LEVEL_FILE}\"");
    files.insert_asset_text(WORLD.as_ref(), &project(layers, true, &level(layers, &named, false)));
    level(layers, &named, true)
}

impl Layer {
    fn picture(&self) -> Vec<&'static str> {
        let (Self::Values(_, picture) | Self::Tiles(picture)) = self;
        picture.split_whitespace().collect()
    }

    fn kind(&self) -> &'static str {
        if matches!(self, Self::Values(..)) { "IntGrid" } else { "Tiles" }
    }

    fn tileset(&self) -> &'static str {
        if matches!(self, Self::Values(..)) { "null" } else { "12" }
    }

    fn definition(&self, uid: usize) -> String {
        let names = if let Self::Values(names, _) = self { *names } else { &[] };
        let values = names.iter().map(|(value, name)| {
            let name = if name.is_empty() { "null".into() } else { format!("\"{name}\"") };
            format!(r##"{{"value": {value}, "identifier": {name}, "color": "#616161", "tile": null, "groupUid": 0}}"##)
        });
        let (kind, tileset, values) = (self.kind(), self.tileset(), list(values));
        format!(
            r#"{{
            "__type": "{kind}", "identifier": "Layer{uid}", "type": "{kind}", "uid": {uid}, "doc": null, "uiColor": null,
            "gridSize": 16, "guideGridWid": 0, "guideGridHei": 0, "displayOpacity": 1, "inactiveOpacity": 1,
            "hideInList": false, "hideFieldsWhenInactive": false, "canSelectWhenInactive": true,
            "renderInWorldView": true, "pxOffsetX": 0, "pxOffsetY": 0, "parallaxFactorX": 0, "parallaxFactorY": 0,
            "parallaxScaling": true, "requiredTags": [], "excludedTags": [], "autoTilesKilledByOtherLayerUid": null,
            "uiFilterTags": [], "useAsyncRender": false, "intGridValues": {values}, "intGridValuesGroups": [],
            "autoRuleGroups": [], "autoSourceLayerDefUid": null, "tilesetDefUid": {tileset}, "tilePivotX": 0,
            "tilePivotY": 0, "biomeFieldUid": null
            }}"#
        )
    }

    fn instance(&self, uid: usize) -> String {
        let picture = self.picture();
        let digits: Vec<Option<u32>> = picture.concat().chars().map(|letter| letter.to_digit(10)).collect();
        let (width, height) = (picture[0].len(), picture.len());
        let (mut values, mut tiles) = ("[]".into(), "[]".into());
        if let Self::Values(..) = self {
            values = list(digits.iter().map(|digit| digit.unwrap_or_default().to_string()));
        } else {
            tiles = list((0..).zip(&digits).filter_map(|(place, digit)| {
                let (x, y, tile) = (place % width * 16, place / width * 16, (*digit)?);
                let from = tile * 16;
                Some(format!(
                    r#"{{"px": [{x}, {y}], "src": [{from}, 0], "f": 0, "t": {tile}, "d": [{place}], "a": 1}}"#
                ))
            }));
        }
        let (kind, tileset) = (self.kind(), self.tileset());
        format!(
            r#"{{
            "__identifier": "Layer{uid}", "__type": "{kind}", "__cWid": {width}, "__cHei": {height}, "__gridSize": 16,
            "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": {tileset},
            "__tilesetRelPath": null, "iid": "0000040{uid}-0000-4000-8000-000000000000", "levelId": 31,
            "layerDefUid": {uid}, "pxOffsetX": 0, "pxOffsetY": 0, "visible": true, "optionalRules": [],
            "intGridCsv": {values}, "autoLayerTiles": [], "seed": 1, "overrideTilesetUid": null, "gridTiles": {tiles},
            "entityInstances": []
            }}"#
        )
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}

/// Returns the text of the level. A level in a file of its own has no layers in the file of the project.
fn level(layers: &[Layer], file: &str, has_layers: bool) -> String {
    let picture = layers[0].picture();
    let (width, height) = (16 * picture[0].len(), 16 * picture.len());
    let instances = list((1..).zip(layers).map(|(uid, layer)| layer.instance(uid)));
    let instances = if has_layers { instances } else { "null".into() };
    format!(
        r##"{{
        "identifier": "Hall", "iid": "{HALL}", "uid": 31, "worldX": 0, "worldY": 0, "worldDepth": 0, "pxWid": {width},
        "pxHei": {height}, "__bgColor": "#696A79", "bgColor": null, "useAutoIdentifier": false, "bgRelPath": null,
        "bgPos": null, "bgPivotX": 0.5, "bgPivotY": 0.5, "__smartColor": "#ADADB5", "__bgPos": null,
        "externalRelPath": {file}, "fieldInstances": [], "layerInstances": {instances}, "__neighbours": []
        }}"##
    )
}

/// Returns the text of the project.
fn project(layers: &[Layer], has_level_files: bool, level: &str) -> String {
    let definitions = list((1..).zip(layers).map(|(uid, layer)| layer.definition(uid)));
    format!(
        r##"{{
        "__header__": {{
            "fileType": "LDtk Project JSON", "app": "LDtk", "doc": "https://ldtk.io/json",
            "schema": "https://ldtk.io/files/JSON_SCHEMA.json", "appAuthor": "Sebastien 'deepnight' Benard",
            "appVersion": "1.5.3", "url": "https://ldtk.io"
        }},
        "iid": "00000301-0000-4000-8000-000000000000", "jsonVersion": "1.5.3", "appBuildId": 473703, "nextUid": 100,
        "identifierStyle": "Capitalize", "toc": [], "worldLayout": "Free", "worldGridWidth": 128,
        "worldGridHeight": 96, "defaultLevelWidth": 128, "defaultLevelHeight": 96, "defaultPivotX": 0,
        "defaultPivotY": 0, "defaultGridSize": 16, "defaultEntityWidth": 16, "defaultEntityHeight": 16,
        "bgColor": "#40465B", "defaultLevelBgColor": "#696A79", "minifyJson": false,
        "externalLevels": {has_level_files}, "exportTiled": false, "simplifiedExport": false,
        "imageExportMode": "None", "exportLevelBg": true, "pngFilePattern": null, "backupOnSave": false,
        "backupLimit": 10, "backupRelPath": null, "levelNamePattern": "Level_%idx", "tutorialDesc": null,
        "customCommands": [], "flags": [],
        "defs": {{
            "layers": {definitions}, "entities": [],
            "tilesets": [{{
                "__cWid": 3, "__cHei": 1, "identifier": "Buildings", "uid": 12, "relPath": "buildings.png",
                "embedAtlas": null, "pxWid": 48, "pxHei": 16, "tileGridSize": 16, "spacing": 0, "padding": 0,
                "tags": [], "tagsSourceEnumUid": 21,
                "enumTags": [{{"enumValueId": "Wall", "tileIds": [0]}}, {{"enumValueId": "Bridge", "tileIds": [1]}}],
                "customData": [], "savedSelections": [], "cachedPixelData": null
            }}],
            "enums": [{{
                "identifier": "Building", "uid": 21,
                "values": [
                    {{"id": "Wall", "tileRect": null, "color": 0}}, {{"id": "Bridge", "tileRect": null, "color": 0}}
                ],
                "iconTilesetUid": null, "externalRelPath": null, "externalFileChecksum": null, "tags": []
            }}],
            "externalEnums": [], "levelFields": []
        }},
        "levels": [{level}], "worlds": [], "dummyWorldIid": "00000002-0000-4000-8000-000000000000"
        }}"##
    )
}
