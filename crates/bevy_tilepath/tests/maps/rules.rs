//! Rules from files, loaded again while units walk.

use std::path::Path;

use bevy::{
    asset::io::{
        AssetSourceBuilder, AssetSourceId,
        memory::{Dir, MemoryAssetReader},
    },
    ecs::system::RunSystemOnce,
    prelude::*,
};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavQuery, PathAgent, PathRequest, PathStatus,
    Terrain, TextureTerrain, TilepathPlugin,
    events::{PathFailed, Replanned},
    maps::{NavRules, RulesAsset},
    sync_maps_now,
};

use crate::harness;

const RULES: &str = r#"(
    classes: {0: "wall", 1: "grass", 2: "mud", 4: "water"},
    textures: {0: "grass", 1: "mud", 2: "water", 3: "wall"},
    movements: {
        "default": (costs: {"grass": 1, "mud": 3}),
        "boat": (costs: {"water": 2}, diagonals: "never"),
        "mole": (base: "default", costs: {"mud": 1}),
    },
)"#;

/// An app in fixed steps whose files are in that folder in memory.
fn app_with(files: &Dir) -> App {
    let mut app = App::new();
    let root = files.clone();
    app.register_asset_source(
        AssetSourceId::Default,
        AssetSourceBuilder::new(move || Box::new(MemoryAssetReader { root: root.clone() })),
    )
    .add_plugins((MinimalPlugins, AssetPlugin::default(), TilepathPlugin::default()));
    harness::start(&mut app);
    app
}

fn app_with_rules(path: &'static str, rules: &str) -> (App, Dir) {
    let files = Dir::default();
    write(&files, path, rules);
    (app_with(&files), files)
}

fn write(files: &Dir, path: &str, text: &str) {
    files.insert_asset_text(Path::new(path), text);
}

/// Writes the file and has it loaded again.
fn rewrite(app: &App, files: &Dir, path: &'static str, text: &str) {
    write(files, path, text);
    app.world().resource::<AssetServer>().reload(path);
}

/// Updates until that is so.
#[track_caller]
fn update_until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    for _ in 0..100_000 {
        if is_so(app) {
            return;
        }
        app.update();
        std::thread::yield_now();
    }
    panic!("it has not come about");
}

fn load(app: &App, path: &'static str) -> NavRules {
    NavRules::new(app.world().resource::<AssetServer>().load(path))
}

/// A tilemap without classes whose tiles have these textures.
fn textured(app: &mut App, picture: &str) -> Entity {
    let tilemap = harness::bare_tilemap(app, &picture.replace(|letter: char| letter.is_ascii_digit(), "?"));
    for (y, row) in harness::rows(picture).iter().rev().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            if let Some(texture) = letter.to_digit(10) {
                let tile = harness::tile_at(app, tilemap, x as u32, y as u32);
                app.world_mut().entity_mut(tile).insert(TileTextureIndex(texture));
            }
        }
    }
    tilemap
}

fn map(app: &App, map: Entity) -> &NavMap {
    app.world().get::<NavMap>(map).unwrap()
}

fn walker(app: &mut App, from: (i32, i32), to: (i32, i32)) -> Entity {
    let place = harness::centre(from.0, from.1).extend(0.0);
    let agent = PathAgent { speed: 0.01.into(), ..default() };
    let order = PathRequest::to_cell(Cell::from(to));
    app.world_mut().spawn((agent, Transform::from_translation(place), order)).id()
}

fn status(app: &App, unit: Entity) -> PathStatus {
    *app.world().get::<PathStatus>(unit).unwrap()
}

/// What was logged about a file.
fn logged(file: &str) -> Vec<String> {
    harness::logs_of_all_threads().into_iter().filter(|message| message.contains(file)).collect()
}

#[test]
fn file_fills_rules_movements_and_textures_and_units_wait_for_it() {
    let (mut app, _) = app_with_rules("first.rules.ron", RULES);
    let unwritten = NavRules::new(app.world().resource::<Assets<RulesAsset>>().reserve_handle());
    let level = textured(
        &mut app,
        "
        0222
        0132
        ",
    );
    let mine = NavMap::default().with_movement("ghost", Movement::new().with_costs(CostTable::uniform()));
    app.world_mut().entity_mut(level).insert((mine.clone(), unwritten));
    let boat = walker(&mut app, (1, 1), (3, 0));
    app.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    let failed = app.world_mut().spawn_empty().id();
    app.add_observer(move |_: On<PathFailed>, mut commands: Commands| commands.entity(failed).despawn());

    app.update();
    assert!(!harness::is_ready(&app, level));
    assert_eq!(status(&app, boat), PathStatus::WaitingForMap);
    let rules = load(&app, "first.rules.ron");
    app.world_mut().entity_mut(level).insert(rules);
    update_until(&mut app, |app| status(app, boat) == PathStatus::Following);
    assert!(app.world().get_entity(failed).is_ok(), "no order fails for a movement that is on its way");
    harness::assert_map(
        &app,
        level,
        "
        .444
        .2#4
        ",
    );
    let filled = map(&app, level);
    assert_eq!(
        filled.movements.keys().map(|name| &**name).collect::<Vec<_>>(),
        ["boat", "default", "ghost", "mole"]
    );
    assert_eq!(filled.movements["ghost"], mine.movements["ghost"]);
    assert_eq!(filled.costs, CostTable::impassable().with(1, 1).with(2, 3), "of the movement `default`");
    assert_eq!(logged("first.rules.ron"), [""; 0]);
}

#[test]
fn changed_file_replans_those_whom_it_touches_and_no_others() {
    let (mut app, files) = app_with_rules("again.rules.ron", RULES);
    let level = textured(
        &mut app,
        "
        000000
        011110
        000000
        222222
        ",
    );
    let rules = load(&app, "again.rules.ron");
    app.world_mut().entity_mut(level).insert(rules);
    let mole = walker(&mut app, (0, 2), (5, 2));
    let boat = walker(&mut app, (0, 0), (5, 0));
    app.world_mut().entity_mut(mole).insert(AgentMovement::from("mole"));
    app.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    update_until(&mut app, |app| [mole, boat].iter().all(|&unit| status(app, unit) == PathStatus::Following));
    let mut replanned = app.world().resource::<Messages<Replanned>>().get_cursor_current();

    // Mud is slow for moles from now on; loaded by the server, taken over by the next sync.
    let before = map(&app, level).clone();
    rewrite(&app, &files, "again.rules.ron", &RULES.replace(r#""mud": 1"#, r#""mud": 9"#));
    update_until(&mut app, |app| *map(app, level) != before);
    harness::tick(&mut app);
    let told = app.world().resource::<Messages<Replanned>>();
    let told: Vec<Entity> = replanned.read(told).map(|event| event.entity).collect();
    assert_eq!(told, [mole]);

    // Textures, too: water dries up into mud.
    rewrite(&app, &files, "again.rules.ron", &RULES.replace(r#"2: "water""#, r#"2: "mud""#));
    let terrain = |app: &App, x| app.world().get::<NavGrid>(level).unwrap().terrain(Cell::new(x, 0));
    update_until(&mut app, |app| terrain(app, 5) == Some(2));
    assert_eq!(terrain(&app, 0), Some(2));

    // And through the assets themselves, at once.
    let handle = app.world().get::<NavRules>(level).unwrap().file.clone();
    let next = tilepath_rules(&RULES.replace(r#""mud": 3"#, r#""mud": 7"#));
    *app.world_mut().resource_mut::<Assets<RulesAsset>>().get_mut(&handle).unwrap() = RulesAsset(Ok(next));
    sync_maps_now(app.world_mut()).unwrap();
    assert_eq!(map(&app, level).costs.multiplier(2), 7);
    assert_eq!(terrain(&app, 5), Some(4));
}

fn tilepath_rules(text: &str) -> bevy_tilepath::tilepath::rules::Rules {
    bevy_tilepath::tilepath::rules::Rules::from_ron(text).unwrap()
}

#[test]
fn broken_file_keeps_the_old_rules_with_one_message_and_a_good_one_is_taken_again() {
    let (mut app, files) = app_with_rules("broken.rules.ron", RULES);
    let level = textured(&mut app, "0123");
    let rules = load(&app, "broken.rules.ron");
    let handle = rules.file.clone();
    app.world_mut().entity_mut(level).insert(rules);
    update_until(&mut app, |app| harness::is_ready(app, level));
    let good = map(&app, level).clone();

    for load in 1..=2 {
        let faulty =
            RULES.replace(r#"{"water": 2}"#, r#"{"wter": 2}"#).replace("mole\": (", "mole\": (size: 9, ");
        rewrite(&app, &files, "broken.rules.ron", &faulty);
        update_until(&mut app, |_| logged("broken.rules.ron").len() == load);
        for _ in 0..50 {
            app.update();
            std::thread::yield_now();
        }
        let messages = logged("broken.rules.ron");
        assert_eq!(messages.len(), load, "{messages:#?}");
        for words in [
            "line 6, column 26, `boat`: there is no class `wter`",
            "did you mean `water`?",
            "line 7, column 24, `mole`: `9` is no size; write a whole number from 1 to 8",
        ] {
            assert!(messages[load - 1].contains(words), "{messages:#?}");
        }
        assert_eq!(*map(&app, level), good);
        assert!(harness::is_ready(&app, level));
        let assets = app.world().resource::<Assets<RulesAsset>>();
        assert_eq!(assets.get(&handle).unwrap().0.as_ref().unwrap_err().faults().len(), 2);
    }
    rewrite(&app, &files, "broken.rules.ron", &RULES.replace(r#""mud": 3"#, r#""mud": 5"#));
    update_until(&mut app, |app| map(app, level).costs.multiplier(2) == 5);
}

#[test]
fn what_is_hardly_meant_is_told_once_for_each_load() {
    let odd = RULES.replace("4: \"water\"", "4: \"water\", 9: \"lava\"");
    let (mut app, files) = app_with_rules("odd.rules.ron", &odd);
    let first = textured(&mut app, "0123");
    let second = textured(&mut app, "0000");
    let tile = harness::tile_at(&app, second, 0, 0);
    app.world_mut().entity_mut(tile).insert(Terrain(77));
    for level in [first, second] {
        let rules = load(&app, "odd.rules.ron");
        app.world_mut().entity_mut(level).insert(rules);
    }
    let is_done = |app: &App| [first, second].iter().all(|&level| harness::is_ready(app, level));
    update_until(&mut app, is_done);
    harness::tick(&mut app);
    let told = logged("odd.rules.ron");
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].contains("`lava` (9) is named by no texture and by no movement"), "{told:#?}");
    assert!(told[1].contains(&format!("map {second}")) && told[1].contains("class 77"), "{told:#?}");

    rewrite(&app, &files, "odd.rules.ron", &odd.replace(r#""mud": 3"#, r#""mud": 5"#));
    update_until(&mut app, |app| {
        [first, second].iter().all(|&level| map(app, level).costs.multiplier(2) == 5)
    });
    harness::tick(&mut app);
    assert_eq!(logged("odd.rules.ron").len(), 4);
}

#[test]
fn the_users_own_components_stay_the_users() {
    let (mut app, files) = app_with_rules("owner.rules.ron", RULES);
    let level = textured(&mut app, "0123");
    let rules = load(&app, "owner.rules.ron");
    app.world_mut().entity_mut(level).insert(rules);
    let mine = textured(&mut app, "__3_");
    let own_table = TextureTerrain::new([(3, 2)]);
    app.world_mut().entity_mut(mine).insert((bevy_tilepath::NavLayer::new(level), own_table.clone()));
    let late = textured(&mut app, "_3__");
    update_until(&mut app, |app| harness::is_ready(app, level));
    harness::assert_map(&app, level, ".22#");
    // A layer that joins is filled before it is read.
    app.world_mut().entity_mut(late).insert(bevy_tilepath::NavLayer::new(level));
    harness::tick(&mut app);
    harness::assert_map(&app, level, ".#2#");
    let table = |app: &App, tilemap: Entity| app.world().get::<TextureTerrain>(tilemap).cloned();
    assert_eq!(table(&app, mine), Some(own_table.clone()));

    // What is changed by hand holds, also over the next change of the file.
    app.world_mut().entity_mut(late).insert(TextureTerrain::new([(3, 4)]));
    let ghost = Movement::new().with_costs(CostTable::uniform());
    let mut rules = app.world_mut().get_mut::<NavMap>(level).unwrap();
    rules.movements.insert("boat".into(), ghost.clone());
    rules.costs = CostTable::identity();
    for _ in 0..3 {
        harness::tick(&mut app);
    }
    assert_eq!(map(&app, level).costs, CostTable::identity(), "until the file changes");
    harness::assert_map(&app, level, ".42#");

    let next = RULES
        .replace("\"boat\"", "\"raft\"")
        .replace("\"mole\"", "\"vole\"")
        .replace("0: \"grass\"", "0: \"mud\"");
    rewrite(&app, &files, "owner.rules.ron", &next);
    update_until(&mut app, |app| map(app, level).movements.contains_key("raft"));
    harness::tick(&mut app);
    harness::assert_map(&app, level, "242#");
    let names: Vec<&str> = map(&app, level).movements.keys().map(|name| &**name).collect();
    assert_eq!(names, ["boat", "default", "raft", "vole"], "`boat` means something else by now");
    assert_eq!(map(&app, level).movements["boat"], ghost);
    assert_eq!(table(&app, mine), Some(own_table));
    let told = logged("owner.rules.ron");
    assert!(told.len() == 1 && told[0].contains("does not describe `mole` any more"), "{told:#?}");

    // What was filled in stays when the component goes.
    let kept = map(&app, level).clone();
    app.world_mut().entity_mut(level).remove::<NavRules>();
    harness::tick(&mut app);
    assert_eq!(*map(&app, level), kept);
    assert!(harness::is_ready(&app, level));
}

#[test]
fn movement_of_units_without_one_may_be_named_and_a_wrong_name_is_told() {
    let (mut app, _) = app_with_rules("named.rules.ron", RULES);
    let [by_boat, wrong] = ["boat", "baot"].map(|name| {
        let level = textured(&mut app, "0123");
        let rules = load(&app, "named.rules.ron").with_movement(name);
        app.world_mut().entity_mut(level).insert(rules);
        level
    });
    update_until(&mut app, |app| [by_boat, wrong].iter().all(|&level| harness::is_ready(app, level)));
    assert_eq!(map(&app, by_boat).costs, CostTable::impassable().with(4, 2));
    assert_eq!(map(&app, by_boat).diagonals, bevy_tilepath::Diagonals::Never);
    assert_eq!(map(&app, wrong).costs, CostTable::identity(), "as before");
    assert!(map(&app, wrong).movements.contains_key("boat"), "the rest is taken over");
    harness::tick(&mut app);
    let told = logged("named.rules.ron");
    assert_eq!(told.len(), 1, "{told:#?}");
    for words in [&format!("map {wrong}"), "no movement `baot`", "`default`, `boat`, `mole`"] {
        assert!(told[0].contains(words), "{told:#?}");
    }

    // Put right, it is taken in the next sync.
    let right = load(&app, "named.rules.ron").with_movement("mole");
    app.world_mut().entity_mut(wrong).insert(right);
    sync_maps_now(app.world_mut()).unwrap();
    assert_eq!(map(&app, wrong).costs.multiplier(2), 1);
}

#[test]
fn textures_that_the_tilemap_does_not_have_are_told() {
    let (mut app, _) = app_with_rules("past.rules.ron", RULES);
    let level = textured(&mut app, "01");
    let rules = load(&app, "past.rules.ron");
    let images = TilemapTexture::Vector(vec![Handle::default(); 3]);
    app.world_mut().entity_mut(level).insert((rules, images));
    update_until(&mut app, |app| harness::is_ready(app, level));
    let told = logged("past.rules.ron");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("has 3 textures, from 0 to 2"), "{told:#?}");
}

#[test]
fn map_without_tiles_takes_rules_alike() {
    let (mut app, _) = app_with_rules("plain", RULES);
    let grid = NavGrid::new(bevy_tilepath::tilepath::format::parse_ascii("1224").unwrap());
    let rules = load(&app, "plain");
    let level = app.world_mut().spawn((grid, rules)).id();
    app.update();
    update_until(&mut app, |app| harness::is_ready(app, level));
    let cost = app
        .world_mut()
        .run_system_once(|nav: NavQuery| {
            let answer = nav.only_map().unwrap().find(Cell::new(0, 0), Cell::new(2, 0)).unwrap();
            answer.outcome.path().unwrap().cost().get()
        })
        .unwrap();
    assert_eq!(cost, 60);
}
