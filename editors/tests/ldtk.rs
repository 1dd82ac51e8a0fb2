//! Worlds from LDtk: levels that are parts of one map.
//!
//! Levels appear and disappear while units walk.

#[path = "../../crates/bevy_tilepath/tests/harness/mod.rs"]
mod harness;

#[path = "ldtk/names.rs"]
mod names;
#[path = "ldtk/project.rs"]
mod project;

use bevy::{asset::io::memory::Dir, prelude::*};
use bevy_ecs_ldtk::prelude::*;
use bevy_tilepath::{
    AgentPath, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathFailure, PathRequest, PathStatus,
    events::{PathLost, Replanned},
    maps::{NavLayers, NavRules},
};
use tilepath_editors::{
    app, costs, files,
    ldtk::{lay_tilemap, read_tags, read_values},
    update_until,
};

const WORLD: &str = "village.ldtk";

/// The number of paths that were replanned.
#[derive(Resource, Default)]
struct Replans(usize);

/// Makes an app in which these levels of the world are one map.
fn world_of(levels: &[&str]) -> (App, Dir, Entity) {
    world_from(files().expect("the folder `assets` can be read"), levels)
}

/// Makes an app in which these levels of these files are one map.
fn world_from(files: Dir, levels: &[&str]) -> (App, Dir, Entity) {
    let mut app = ldtk_app(&files);
    let map = spawn_world(&mut app, level_set(levels));
    update_until(&mut app, |world| is_ready(world, map));
    (app, files, map)
}

fn is_ready(world: &World, map: Entity) -> bool {
    world.get::<NavGrid>(map).is_some_and(NavGrid::is_ready)
}

/// Makes an app that reads LDtk's files.
fn ldtk_app(files: &Dir) -> App {
    let mut app = app(files, LdtkPlugin);
    app.insert_resource(LdtkSettings {
        level_spawn_behavior: LevelSpawnBehavior::UseWorldTranslation { load_level_neighbors: false },
        ..default()
    })
    .init_resource::<Replans>()
    .add_observer(lay_tilemap)
    .add_observer(read_values)
    .add_observer(read_tags)
    .add_observer(|_: On<Replanned>, mut replans: ResMut<Replans>| replans.0 += 1);
    let mut game = harness::Game(app);
    game.start();
    game.0
}

/// Spawns these levels of the world as one map.
fn spawn_world(app: &mut App, level_set: LevelSet) -> Entity {
    let assets = app.world().resource::<AssetServer>();
    let bundle = LdtkWorldBundle { ldtk_handle: assets.load(WORLD).into(), level_set, ..default() };
    let rules = NavRules::new(assets.load("level.rules.ron"));
    app.world_mut().spawn((bundle, NavMap::default(), rules)).id()
}

/// Returns the text of the world's file.
fn text_of(files: &Dir) -> String {
    let file = files.get_asset(WORLD.as_ref()).expect("the folder has the file of the world");
    String::from_utf8(file.value().to_vec()).expect("the file is text")
}

/// Returns the set of these levels. The ids are from the file.
fn level_set(levels: &[&str]) -> LevelSet {
    let id = |level: &&str| match *level {
        "West" => "0000001f-0000-4000-8000-000000000000",
        _ => "00000020-0000-4000-8000-000000000000",
    };
    LevelSet::from_iids(levels.iter().map(id))
}

const BOTH: &str = "
    ....##..########
    .33.##....###...
    .33.###...#.#.33
    ..........#...33
    .##.##....#.#.3.
    ....##....###...
    ########........
";

#[track_caller]
fn assert_costs(app: &App, map: Entity, picture: &str) {
    assert_eq!(costs(app.world(), map, IVec2::new(0, -7), UVec2::new(16, 7)), harness::rows(picture));
}

fn spawn_unit(app: &mut App, map: Entity, from: (i32, i32), to: (i32, i32)) -> Entity {
    let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
    let place = projection.world_position_of(Cell::from(from)).extend(10.0);
    let agent = PathAgent { speed: 60.0.into(), ..default() };
    app.world_mut().spawn((agent, Transform::from_translation(place), PathRequest::to_cell(to))).id()
}

/// A speed so low that a unit enters no new cell while a file is read, however long that takes.
const SLOW: f32 = 0.05;

fn set_speed(app: &mut App, unit: Entity, speed: f32) {
    app.world_mut().get_mut::<PathAgent>(unit).expect("it is an agent").speed = speed.into();
}

/// Returns whether the unit has a path over the cell.
fn passes(world: &World, unit: Entity, cell: (i32, i32)) -> bool {
    let way = world.get::<AgentPath>(unit).and_then(AgentPath::path);
    way.is_some_and(|way| way.cells().contains(&cell.into()))
}

fn has_arrived(app: &App, unit: Entity) -> bool {
    app.world().get::<PathStatus>(unit) == Some(&PathStatus::Arrived)
}

#[test]
fn values_and_tags_of_two_levels_are_one_map() {
    let mut world = None;
    let told = harness::logs_of(|| world = Some(world_of(&["West", "East"])));
    let (app, _, map) = world.expect("the app was made");
    assert_costs(&app, map, BOTH);
    assert_eq!(told, [""; 0], "no warning: all layers are aligned");
    let projection = app.world().get::<NavProjection>(map).expect("the map has a projection");
    // The middle of the upper left cell: the origin of LDtk's world is the corner of this cell.
    assert!(projection.world_position_of(Cell::new(0, -1)).distance(Vec2::new(8.0, -8.0)) < 0.01);
}

#[test]
fn a_unit_walks_from_level_to_level() {
    let (mut app, _, map) = world_of(&["West", "East"]);
    let unit = spawn_unit(&mut app, map, (0, -1), (11, -4));
    update_until(&mut app, |world| world.get::<AgentPath>(unit).is_some());
    for cell in [(4, -4), (5, -4), (12, -4)] {
        assert!(passes(app.world(), unit, cell), "{cell:?}");
    }
    update_until(&mut app, |world| world.get::<PathRequest>(unit).is_none());
    assert!(has_arrived(&app, unit));
}

#[test]
fn a_level_that_comes_and_goes_leaves_journeys_elsewhere() {
    let (mut app, _, map) = world_of(&["West"]);
    let west = |row: &str| format!("{}########\n", &row[..8]);
    let west_alone: String = harness::rows(BOTH).into_iter().map(west).collect();
    assert_costs(&app, map, &west_alone);
    let unit = spawn_unit(&mut app, map, (0, -1), (7, -6));
    update_until(&mut app, |world| world.get::<AgentPath>(unit).is_some());

    set_speed(&mut app, unit, SLOW);
    app.world_mut().entity_mut(map).insert(level_set(&["West", "East"]));
    update_until(&mut app, |world| {
        world.get::<NavLayers>(map).is_some_and(|layers| layers.iter().count() == 4)
    });
    app.update();
    assert_costs(&app, map, BOTH);
    app.world_mut().entity_mut(map).insert(level_set(&["West"]));
    update_until(&mut app, |world| {
        world.get::<NavLayers>(map).is_some_and(|layers| layers.iter().count() == 2)
    });
    app.update();
    assert_costs(&app, map, &west_alone);
    assert!(app.world().get::<PathRequest>(unit).is_some(), "the unit still has its order");
    set_speed(&mut app, unit, 60.0);
    update_until(&mut app, |world| world.get::<PathRequest>(unit).is_none());
    assert!(has_arrived(&app, unit));
    assert_eq!(app.world().resource::<Replans>().0, 0);
}

#[test]
fn values_without_a_name_are_reported_and_other_grids_are_refused() {
    let files = files().expect("the folder `assets` can be read");
    // Writes a rock (value 300), and another grid size for the upper layer of the first level.
    let text = text_of(&files).replacen("1, 5, 5, 1,", "1, 300, 5, 1,", 1);
    let text = text.replacen("\"__gridSize\": 16", "\"__gridSize\": 8", 1);
    files.insert_asset_text(WORLD.as_ref(), &text);
    let mut world = None;
    let told = harness::logs_of(|| world = Some(world_from(files, &["West", "East"])));
    let (app, _, map) = world.expect("the app was made");
    // The rock with another value, the bridge and the wall behind it are missing. All other cells are unchanged.
    let costs = BOTH
        .replace("..........#...33", "....##....#...33")
        .replace(".33.###.", ".33.##..")
        .replace(".##.##....#.#.3.", "..#.##....#.#.3.");
    assert_costs(&app, map, &costs);
    for fault in
        ["the IntGrid value 300 (``) of layer Ground", "its grid size is 8 by 8, but its map has 16 by 16"]
    {
        assert!(told.iter().any(|text| text.contains(fault)), "{fault}: {told:?}");
    }
}

/// The cell to which a unit is sent again after each failure.
#[derive(Component)]
struct Destination(Cell);

/// LDtk's plugin despawns a world when its file is loaded again, and spawns the new world some
/// updates later. Orders then end, and new orders wait for the new world.
#[test]
fn a_file_that_changes_ends_orders_and_new_ones_wait_for_it() {
    let (mut app, files, map) = world_of(&["West", "East"]);
    app.add_observer(|lost: On<PathLost>, units: Query<&Destination>, mut commands: Commands| {
        assert_eq!(lost.reason, PathFailure::NoMap);
        let Destination(cell) = *units.get(lost.entity).expect("the unit has a destination");
        commands.entity(lost.entity).insert(PathRequest::to_cell(cell));
    });
    let unit = spawn_unit(&mut app, map, (0, -1), (11, -4));
    app.world_mut().entity_mut(unit).insert(Destination(Cell::new(11, -4)));
    update_until(&mut app, |world| passes(world, unit, (4, -4)));

    let text = text_of(&files);
    // Moves the bridge one row down.
    let text = text
        .replace("\"px\": [64, 48], \"src\": [16", "\"px\": [64, 64], \"src\": [16")
        .replace("\"px\": [80, 48], \"src\": [16", "\"px\": [80, 64], \"src\": [16");
    set_speed(&mut app, unit, SLOW);
    files.insert_asset_text(WORLD.as_ref(), &text);
    app.world().resource::<AssetServer>().reload(WORLD);
    update_until(&mut app, |world| passes(world, unit, (4, -5)));
    assert_eq!(costs(app.world(), map, IVec2::new(3, -5), UVec2::new(4, 2)), [".##.", "...."]);
    set_speed(&mut app, unit, 60.0);
    update_until(&mut app, |world| world.get::<PathRequest>(unit).is_none());
    assert!(has_arrived(&app, unit));
}
