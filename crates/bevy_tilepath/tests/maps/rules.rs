//! Rules from files that are loaded again while units walk.

use bevy::{asset::io::memory::Dir, ecs::system::RunSystemOnce, prelude::*};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Movement, NavGrid, NavMap, NavQuery, PathAgent, PathRequest, PathStatus,
    Terrain, TextureTerrain,
    events::{PathFailed, Replanned},
    maps::{NavRules, RulesAsset},
    sync_maps_now,
};

use crate::harness::*;

const RULES: &str = r#"(
    classes: {0: "wall", 1: "grass", 2: "mud", 4: "water"},
    textures: {0: "grass", 1: "mud", 2: "water", 3: "wall"},
    movements: {
        "default": (costs: {"grass": 1, "mud": 3}),
        "boat": (costs: {"water": 2}, diagonals: "never"),
        "mole": (base: "default", costs: {"mud": 1}),
    },
)"#;

fn app_with_rules(path: &'static str, rules: &str) -> (Game, Dir) {
    let files = Dir::default();
    write(&files, path, rules);
    (Game::with_files(&files), files)
}

/// Writes the file and loads it again.
fn rewrite(game: &Game, files: &Dir, path: &'static str, text: &str) {
    write(files, path, text);
    game.world().resource::<AssetServer>().reload(path);
}

fn load(game: &Game, path: &'static str) -> NavRules {
    NavRules::new(game.world().resource::<AssetServer>().load(path))
}

/// Spawns a tilemap without classes. Its tiles have the textures in the picture.
fn textured(game: &mut Game, picture: &str) -> Entity {
    let tilemap = game.bare_tilemap(&picture.replace(|letter: char| letter.is_ascii_digit(), "?"));
    for (y, row) in rows(picture).iter().rev().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            if let Some(texture) = letter.to_digit(10) {
                let tile = game.tile_at(tilemap, x as u32, y as u32);
                game.world_mut().entity_mut(tile).insert(TileTextureIndex(texture));
            }
        }
    }
    tilemap
}

fn map(game: &Game, map: Entity) -> &NavMap {
    game.world().get::<NavMap>(map).unwrap()
}

fn walker(game: &mut Game, from: (i32, i32), to: (i32, i32)) -> Entity {
    let place = centre(from.0, from.1).extend(0.0);
    let agent = PathAgent { speed: 0.01.into(), ..default() };
    let order = PathRequest::to_cell(Cell::from(to));
    game.world_mut().spawn((agent, Transform::from_translation(place), order)).id()
}

/// Returns the logs about a file.
fn logged(file: &str) -> Vec<String> {
    logs_of_all_threads().into_iter().filter(|message| message.contains(file)).collect()
}

#[test]
fn file_fills_rules_movements_and_textures_and_units_wait_for_it() {
    let (mut game, _) = app_with_rules("first.rules.ron", RULES);
    let unwritten = NavRules::new(game.world().resource::<Assets<RulesAsset>>().reserve_handle());
    let level = textured(
        &mut game,
        "
        0222
        0132
        ",
    );
    let mine = NavMap::default().with_movement("ghost", Movement::new().with_costs(CostTable::uniform()));
    game.world_mut().entity_mut(level).insert((mine.clone(), unwritten));
    let boat = walker(&mut game, (1, 1), (3, 0));
    game.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    let failed = game.world_mut().spawn_empty().id();
    game.add_observer(move |_: On<PathFailed>, mut commands: Commands| commands.entity(failed).despawn());

    game.update();
    assert!(!game.is_ready(level));
    assert_eq!(game.status(boat), PathStatus::WaitingForMap);
    let rules = load(&game, "first.rules.ron");
    game.world_mut().entity_mut(level).insert(rules);
    game.update_until(|game| game.status(boat) == PathStatus::Following);
    assert!(game.world().get_entity(failed).is_ok(), "no order fails while its movement is being loaded");
    game.assert_map(
        level,
        "
        .444
        .2#4
        ",
    );
    let filled = map(&game, level);
    assert_eq!(
        filled.movements.keys().map(|name| &**name).collect::<Vec<_>>(),
        ["boat", "default", "ghost", "mole"]
    );
    assert_eq!(filled.movements["ghost"], mine.movements["ghost"]);
    assert_eq!(
        filled.costs,
        CostTable::impassable().with(1, 1).with(2, 3),
        "the costs of the movement `default`"
    );
    assert_eq!(logged("first.rules.ron"), [""; 0]);
}

#[test]
fn changed_file_replans_only_the_touched_agents() {
    let (mut game, files) = app_with_rules("again.rules.ron", RULES);
    let level = textured(
        &mut game,
        "
        000000
        011110
        000000
        222222
        ",
    );
    let rules = load(&game, "again.rules.ron");
    game.world_mut().entity_mut(level).insert(rules);
    let mole = walker(&mut game, (0, 2), (5, 2));
    let boat = walker(&mut game, (0, 0), (5, 0));
    game.world_mut().entity_mut(mole).insert(AgentMovement::from("mole"));
    game.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    game.update_until(|game| [mole, boat].iter().all(|&unit| game.status(unit) == PathStatus::Following));
    let mut replanned = game.world().resource::<Messages<Replanned>>().get_cursor_current();

    // Mud becomes slow for moles. The server loads the file, and the next sync applies it.
    let before = map(&game, level).clone();
    rewrite(&game, &files, "again.rules.ron", &RULES.replace(r#""mud": 1"#, r#""mud": 9"#));
    game.update_until(|game| *map(game, level) != before);
    game.tick();
    let told = game.world().resource::<Messages<Replanned>>();
    let told: Vec<Entity> = replanned.read(told).map(|event| event.entity).collect();
    assert_eq!(told, [mole]);

    // Textures change, too: water becomes mud.
    rewrite(&game, &files, "again.rules.ron", &RULES.replace(r#"2: "water""#, r#"2: "mud""#));
    let terrain = |game: &Game, x| game.world().get::<NavGrid>(level).unwrap().terrain(Cell::new(x, 0));
    game.update_until(|game| terrain(game, 5) == Some(2));
    assert_eq!(terrain(&game, 0), Some(2));

    // An edit of the assets themselves counts at once.
    let handle = game.world().get::<NavRules>(level).unwrap().file.clone();
    let next = tilepath_rules(&RULES.replace(r#""mud": 3"#, r#""mud": 7"#));
    *game.world_mut().resource_mut::<Assets<RulesAsset>>().get_mut(&handle).unwrap() = RulesAsset(Ok(next));
    sync_maps_now(game.world_mut()).unwrap();
    assert_eq!(map(&game, level).costs.multiplier(2), 7);
    assert_eq!(terrain(&game, 5), Some(4));
}

fn tilepath_rules(text: &str) -> bevy_tilepath::tilepath::rules::Rules {
    bevy_tilepath::tilepath::rules::Rules::from_ron(text).unwrap()
}

#[test]
fn broken_file_keeps_the_old_rules_with_one_message_and_a_good_one_is_taken_again() {
    let (mut game, files) = app_with_rules("broken.rules.ron", RULES);
    let level = textured(&mut game, "0123");
    let rules = load(&game, "broken.rules.ron");
    let handle = rules.file.clone();
    game.world_mut().entity_mut(level).insert(rules);
    game.update_until(|game| game.is_ready(level));
    let good = map(&game, level).clone();

    for load in 1..=2 {
        let faulty =
            RULES.replace(r#"{"water": 2}"#, r#"{"wter": 2}"#).replace("mole\": (", "mole\": (size: 9, ");
        rewrite(&game, &files, "broken.rules.ron", &faulty);
        game.update_until(|_| logged("broken.rules.ron").len() == load);
        for _ in 0..50 {
            game.update();
            std::thread::yield_now();
        }
        let messages = logged("broken.rules.ron");
        assert_eq!(messages.len(), load, "{messages:#?}");
        for words in [
            "line 6, column 26, `boat`: there is no class `wter`",
            "did you mean `water`?",
            "line 7, column 24, `mole`: `9` is an invalid size; write a whole number from 1 to 8",
        ] {
            assert!(messages[load - 1].contains(words), "{messages:#?}");
        }
        assert_eq!(*map(&game, level), good);
        assert!(game.is_ready(level));
        let assets = game.world().resource::<Assets<RulesAsset>>();
        assert_eq!(assets.get(&handle).unwrap().0.as_ref().unwrap_err().faults().len(), 2);
    }
    rewrite(&game, &files, "broken.rules.ron", &RULES.replace(r#""mud": 3"#, r#""mud": 5"#));
    game.update_until(|game| map(game, level).costs.multiplier(2) == 5);
}

#[test]
fn lint_warns_once_for_each_load() {
    let odd = RULES.replace("4: \"water\"", "4: \"water\", 9: \"lava\"");
    let (mut game, files) = app_with_rules("odd.rules.ron", &odd);
    let first = textured(&mut game, "0123");
    let second = textured(&mut game, "0000");
    let tile = game.tile_at(second, 0, 0);
    game.world_mut().entity_mut(tile).insert(Terrain(77));
    for level in [first, second] {
        let rules = load(&game, "odd.rules.ron");
        game.world_mut().entity_mut(level).insert(rules);
    }
    let is_done = |game: &Game| [first, second].iter().all(|&level| game.is_ready(level));
    game.update_until(is_done);
    game.tick();
    let told = logged("odd.rules.ron");
    assert_eq!(told.len(), 2, "{told:#?}");
    assert!(told[0].contains("`lava` (9) is named by no texture and by no movement"), "{told:#?}");
    assert!(told[1].contains(&format!("map {second}")) && told[1].contains("class 77"), "{told:#?}");

    rewrite(&game, &files, "odd.rules.ron", &odd.replace(r#""mud": 3"#, r#""mud": 5"#));
    game.update_until(|game| [first, second].iter().all(|&level| map(game, level).costs.multiplier(2) == 5));
    game.tick();
    assert_eq!(logged("odd.rules.ron").len(), 4);
}

#[test]
fn the_users_own_components_stay_the_users() {
    let (mut game, files) = app_with_rules("owner.rules.ron", RULES);
    let level = textured(&mut game, "0123");
    let rules = load(&game, "owner.rules.ron");
    game.world_mut().entity_mut(level).insert(rules);
    let mine = textured(&mut game, "__3_");
    let own_table = TextureTerrain::new([(3, 2)]);
    game.world_mut().entity_mut(mine).insert((bevy_tilepath::NavLayer::new(level), own_table.clone()));
    let late = textured(&mut game, "_3__");
    game.update_until(|game| game.is_ready(level));
    game.assert_map(level, ".22#");
    // A layer that joins gets its classes before it is read.
    game.world_mut().entity_mut(late).insert(bevy_tilepath::NavLayer::new(level));
    game.tick();
    game.assert_map(level, ".#2#");
    let table = |game: &Game, tilemap: Entity| game.world().get::<TextureTerrain>(tilemap).cloned();
    assert_eq!(table(&game, mine), Some(own_table.clone()));

    // A change by hand stays, also if the file changes later.
    game.world_mut().entity_mut(late).insert(TextureTerrain::new([(3, 4)]));
    let ghost = Movement::new().with_costs(CostTable::uniform());
    let mut rules = game.world_mut().get_mut::<NavMap>(level).unwrap();
    rules.movements.insert("boat".into(), ghost.clone());
    rules.costs = CostTable::identity();
    game.ticks(3);
    assert_eq!(map(&game, level).costs, CostTable::identity(), "the change by hand must stay");
    game.assert_map(level, ".42#");

    let next = RULES
        .replace("\"boat\"", "\"raft\"")
        .replace("\"mole\"", "\"vole\"")
        .replace("0: \"grass\"", "0: \"mud\"");
    rewrite(&game, &files, "owner.rules.ron", &next);
    game.update_until(|game| map(game, level).movements.contains_key("raft"));
    game.tick();
    game.assert_map(level, "242#");
    let names: Vec<&str> = map(&game, level).movements.keys().map(|name| &**name).collect();
    assert_eq!(names, ["boat", "default", "raft", "vole"], "`boat` was changed by hand, so it stays");
    assert_eq!(map(&game, level).movements["boat"], ghost);
    assert_eq!(table(&game, mine), Some(own_table));
    let told = logged("owner.rules.ron");
    assert!(told.len() == 1 && told[0].contains("no longer describes `mole`"), "{told:#?}");

    // The values from the file stay after the component is removed.
    let kept = map(&game, level).clone();
    game.world_mut().entity_mut(level).remove::<NavRules>();
    game.tick();
    assert_eq!(*map(&game, level), kept);
    assert!(game.is_ready(level));
}

#[test]
fn default_movement_may_be_named_and_a_wrong_name_warns() {
    let (mut game, _) = app_with_rules("named.rules.ron", RULES);
    let [by_boat, wrong] = ["boat", "baot"].map(|name| {
        let level = textured(&mut game, "0123");
        let rules = load(&game, "named.rules.ron").with_movement(name);
        game.world_mut().entity_mut(level).insert(rules);
        level
    });
    game.update_until(|game| [by_boat, wrong].iter().all(|&level| game.is_ready(level)));
    assert_eq!(map(&game, by_boat).costs, CostTable::impassable().with(4, 2));
    assert_eq!(map(&game, by_boat).diagonals, bevy_tilepath::Diagonals::Never);
    assert_eq!(map(&game, wrong).costs, CostTable::identity(), "the costs must not change");
    assert!(map(&game, wrong).movements.contains_key("boat"), "all other values are applied");
    game.tick();
    let told = logged("named.rules.ron");
    assert_eq!(told.len(), 1, "{told:#?}");
    for words in [&format!("map {wrong}"), "no movement `baot`", "`default`, `boat`, `mole`"] {
        assert!(told[0].contains(words), "{told:#?}");
    }

    // A corrected name has effect in the next sync.
    let right = load(&game, "named.rules.ron").with_movement("mole");
    game.world_mut().entity_mut(wrong).insert(right);
    sync_maps_now(game.world_mut()).unwrap();
    assert_eq!(map(&game, wrong).costs.multiplier(2), 1);
}

#[test]
fn textures_missing_in_the_tilemap_are_reported() {
    let (mut game, _) = app_with_rules("past.rules.ron", RULES);
    let level = textured(&mut game, "01");
    let rules = load(&game, "past.rules.ron");
    let images = TilemapTexture::Vector(vec![Handle::default(); 3]);
    game.world_mut().entity_mut(level).insert((rules, images));
    game.update_until(|game| game.is_ready(level));
    let told = logged("past.rules.ron");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(told[0].contains("has 3 textures, from 0 to 2"), "{told:#?}");
}

#[test]
fn map_without_tiles_takes_rules_alike() {
    let (mut game, _) = app_with_rules("plain", RULES);
    let grid = NavGrid::new(bevy_tilepath::tilepath::format::parse_ascii("1224").unwrap());
    let rules = load(&game, "plain");
    let level = game.world_mut().spawn((grid, rules)).id();
    game.update();
    game.update_until(|game| game.is_ready(level));
    let cost = game
        .world_mut()
        .run_system_once(|nav: NavQuery| {
            let answer = nav.only_map().unwrap().find(Cell::new(0, 0), Cell::new(2, 0)).unwrap();
            answer.outcome.path().unwrap().cost().get()
        })
        .unwrap();
    assert_eq!(cost, 60);
}
