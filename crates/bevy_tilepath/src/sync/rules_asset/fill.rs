//! Application of rules from files to maps.
//!
//! Decision: `docs/decisions/35-map-rules.md`.

use bevy_asset::{Assets, Handle};
use bevy_ecs::{
    change_detection::DetectChangesMut,
    component::Component,
    entity::Entity,
    system::{Query, Res},
};
use tilepath::{
    Movement, Size,
    rules::{Lint, Rules},
};
use tracing::{error, warn};

#[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
pub(super) use self::textures::fill_textures;
use crate::{
    map::{nav_grid::NavGrid, nav_map::NavMap},
    sync::rules_asset::{NavRules, RulesAsset},
};

/// The name of the movement for units without one, if `NavRules` names no other.
const DEFAULT: &str = "default";

/// The rules from which a map was last filled. Only the sync writes it.
#[derive(Component, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct FilledRules {
    from: Option<(NavRules, Rules)>,
    /// The texture classes for the map's tilemaps.
    #[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
    textures: std::sync::Arc<crate::map::terrain::TextureTerrain>,
    /// True if the rules are still to be compared with the map.
    is_lint_due: bool,
}

/// Returns the file's name for messages.
fn path_of(file: &Handle<RulesAsset>) -> String {
    file.path().map_or_else(|| "the rules asset".to_owned(), ToString::to_string)
}

/// Applies rules that have changed.
pub(super) fn fill_maps(
    assets: Res<Assets<RulesAsset>>,
    mut maps: Query<(Entity, &NavRules, &mut NavMap, &mut FilledRules)>,
) {
    for (map, nav_rules, mut nav_map, mut filled) in &mut maps {
        let Some(RulesAsset(Ok(rules))) = assets.get(&nav_rules.file) else { continue };
        let is_known = |(by, known): &(NavRules, Rules)| by.movement == nav_rules.movement && known == rules;
        if filled.from.as_ref().is_some_and(is_known) {
            continue;
        }
        let mut next = nav_map.clone();
        if let Some(own) = own_movement(map, nav_rules, rules) {
            next.costs = own.costs().clone();
            next.diagonals = own.diagonals();
            next.steps = own.steps();
        }
        let mut gone = Vec::new();
        if let Some((_, before)) = &filled.from {
            for (name, movement) in before.movements() {
                let is_the_files = next.movements.get(name) == Some(movement);
                if is_the_files && rules.movement(name).is_none() {
                    next.movements.remove(name);
                    gone.push(name);
                }
            }
        }
        for (name, movement) in rules.movements() {
            next.movements.insert(name.into(), movement.clone());
        }
        if !gone.is_empty() {
            warn!(
                "map {map}: {} no longer describes {}, and orders of units with that movement end; describe it again, or \
                give the units one of {}",
                path_of(&nav_rules.file),
                quoted(gone.into_iter()),
                quoted(next.movements.keys().map(|name| &**name))
            );
        }
        nav_map.set_if_neq(next);
        *filled = FilledRules {
            from: Some((nav_rules.clone(), rules.clone())),
            #[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
            textures: std::sync::Arc::new(crate::map::terrain::TextureTerrain::new(rules.textures())),
            is_lint_due: true,
        };
    }
}

/// Returns the movement for units without one, if the file has it.
fn own_movement<'a>(map: Entity, nav_rules: &NavRules, rules: &'a Rules) -> Option<&'a Movement> {
    let name = nav_rules.movement.as_deref().unwrap_or(DEFAULT);
    let own = rules.movement(name);
    let path = || path_of(&nav_rules.file);
    match own {
        None if nav_rules.movement.is_some() => error!(
            "map {map}: {} has no movement `{name}` for units without one, which move as before; \
            add it to the file, or name one of {} in NavRules",
            path(),
            quoted(rules.movements().map(|(name, _)| name))
        ),
        Some(own) if own.size() != Size::default() || !own.overlays().is_empty() => warn!(
            "map {map}: the size and the overlays of `{name}` of {} do not count for units without a movement; give them \
             AgentMovement::from(\"{name}\")",
            path()
        ),
        _ => {}
    }
    own
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// Marks maps as not ready while their rules are not loaded.
pub(super) fn wait_for_rules(mut maps: Query<(&mut NavGrid, Option<(&NavRules, &FilledRules)>)>) {
    for (mut grid, rules) in &mut maps {
        let awaits = rules.is_some_and(|(_, filled)| filled.from.is_none());
        if grid.awaits_rules() != awaits {
            grid.set_awaits_rules(awaits);
        }
    }
}

/// Warns of parts of a map that the rules do not cover, once each time the rules are applied.
///
/// It does not warn of rules that the map does not use: a file serves many maps.
pub(super) fn lint_maps(mut maps: Query<(Entity, &NavGrid, &mut FilledRules)>) {
    for (map, grid, mut filled) in &mut maps {
        if !filled.is_lint_due || !grid.is_ready() {
            continue;
        }
        if let Some((nav_rules, rules)) = &filled.from {
            let lints = rules.lint_on(grid.grid());
            let telling =
                |lint: &&Lint| matches!(lint, Lint::UnnamedClass { .. } | Lint::SizeOnHexagons { .. });
            for lint in lints.iter().filter(telling) {
                warn!("map {map}, {}: {lint}", path_of(&nav_rules.file));
            }
        }
        filled.is_lint_due = false;
    }
}

#[cfg(any(feature = "tilemap", feature = "tilemap_chunk"))]
mod textures {
    use std::{iter::once, sync::Arc};

    use bevy_ecs::{
        component::Component,
        entity::Entity,
        query::With,
        system::{Commands, Query},
    };
    #[cfg(feature = "tilemap")]
    use bevy_ecs_tilemap::map::{TilemapSize, TilemapTexture};
    #[cfg(feature = "tilemap_chunk")]
    use bevy_sprite_render::TilemapChunk;
    #[cfg(feature = "tilemap")]
    use tracing::warn;

    use super::FilledRules;
    #[cfg(feature = "tilemap")]
    use super::path_of;
    use crate::map::{layer::NavLayers, terrain::TextureTerrain};

    #[cfg(all(feature = "tilemap", feature = "tilemap_chunk"))]
    type IsTilemap = bevy_ecs::query::Or<(With<TilemapSize>, With<TilemapChunk>)>;
    #[cfg(not(feature = "tilemap_chunk"))]
    type IsTilemap = With<TilemapSize>;
    #[cfg(not(feature = "tilemap"))]
    type IsTilemap = With<TilemapChunk>;

    /// The texture classes that a file wrote into a tilemap's [`TextureTerrain`]. If that has
    /// changed since, it belongs to the user.
    #[derive(Component, Debug)]
    #[component(clone_behavior = Ignore)]
    pub(in super::super) struct FilledTextures(Arc<TextureTerrain>);

    /// Writes the texture classes of rules to the tilemaps of their maps.
    pub(in super::super) fn fill_textures(
        mut commands: Commands,
        maps: Query<(Entity, &FilledRules, Option<&NavLayers>)>,
        tilemaps: Query<(Option<&TextureTerrain>, Option<&FilledTextures>), IsTilemap>,
        #[cfg(feature = "tilemap")] images: Query<&TilemapTexture>,
    ) {
        for (map, filled, layers) in &maps {
            if filled.from.is_none() {
                continue;
            }
            for tilemap in once(map).chain(layers.into_iter().flat_map(NavLayers::iter)) {
                let Ok((present, ours)) = tilemaps.get(tilemap) else { continue };
                let is_written = |ours: &FilledTextures| Arc::ptr_eq(&ours.0, &filled.textures);
                let is_ours = |present: &TextureTerrain| ours.is_some_and(|ours| *ours.0 == *present);
                if present.is_some_and(|present| ours.is_some_and(is_written) || !is_ours(present)) {
                    continue;
                }
                if *filled.textures == TextureTerrain::default() {
                    if present.is_some() {
                        commands.entity(tilemap).try_remove::<(TextureTerrain, FilledTextures)>();
                    }
                    continue;
                }
                let written =
                    (TextureTerrain::clone(&filled.textures), FilledTextures(filled.textures.clone()));
                commands.entity(tilemap).try_insert(written);
                #[cfg(feature = "tilemap")]
                if let Ok(images) = images.get(tilemap) {
                    warn_of_indices(filled, map, tilemap, images.image_handles().len());
                }
            }
        }
    }

    /// Warns if a tilemap has several textures, and the rules name others.
    #[cfg(feature = "tilemap")]
    fn warn_of_indices(filled: &FilledRules, map: Entity, tilemap: Entity, known: usize) {
        let Some((nav_rules, _)) = &filled.from else { return };
        // One image may hold any number of textures.
        if known > 1 && filled.textures.last_index().is_some_and(|last| last as usize >= known) {
            warn!(
                "tilemap {tilemap} of map {map} has {known} textures, from 0 to {}, and {} names others; correct the \
                 indices under textures",
                known - 1,
                path_of(&nav_rules.file)
            );
        }
    }
}
