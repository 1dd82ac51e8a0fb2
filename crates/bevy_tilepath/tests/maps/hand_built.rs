//! Maps without tiles.

use bevy::{
    ecs::schedule::{LogLevel, ScheduleBuildSettings, ScheduleLabel},
    prelude::*,
};
use bevy_tilepath::{
    Cell, CostTable, Diagonals, NavGrid, NavMap, NavProjection, TilepathPlugin, TilepathSettings,
    tilepath::{Grid, PathQuery, format::parse_ascii},
};

use crate::harness::*;

fn hand_built(game: &mut Game, picture: &str) -> Entity {
    game.world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(parse_ascii(picture).unwrap()),
            NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
        ))
        .id()
}

#[test]
fn a_grid_of_ones_own_is_ready_at_once_and_stays_as_it_is() {
    let mut game = Game::new();
    let map = hand_built(&mut game, ".#5");
    assert!(game.is_ready(map));
    game.tick();
    game.tick();
    assert!(game.is_ready(map));
    game.assert_map(map, ".#5");
}

#[test]
fn a_map_without_grid_is_not_ready_until_one_is_inserted() {
    let mut game = Game::new();
    let map = game.world_mut().spawn(NavMap::default()).id();
    game.tick();
    assert!(!game.is_ready(map));
    game.world_mut().entity_mut(map).insert(NavGrid::new(Grid::new(2, 1, 3).unwrap()));
    game.tick();
    assert!(game.is_ready(map));
    game.assert_map(map, "33");
}

#[test]
fn direct_edits_show_and_those_out_of_bounds_are_errors() {
    let mut game = Game::new();
    let map = hand_built(&mut game, "...");
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
    assert_eq!(grid.set_terrain(Cell::new(1, 0), 4), Ok(true));
    assert_eq!(grid.set_terrain(Cell::new(1, 0), 4), Ok(false));
    assert!(grid.set_terrain(Cell::new(3, 0), 4).is_err());
    game.tick();
    game.assert_map(map, ".4.");
}

#[test]
fn the_rules_of_nav_map_hold_on_a_grid_of_ones_own() {
    let mut game = Game::new();
    let map = hand_built(
        &mut game,
        "
        .2
        ..
        ",
    );
    let costs = CostTable::identity().with(2, 5);
    game.world_mut().entity_mut(map).insert(NavMap {
        diagonals: Diagonals::Never,
        costs,
        ..NavMap::default()
    });
    game.tick();
    let cost = |game: &Game| {
        let grid = game.world().get::<NavGrid>(map).unwrap();
        let query = PathQuery::new(Cell::new(0, 0), Cell::new(1, 1)).with_movement(grid.movement());
        grid.finder().solve(&query).unwrap().outcome.path().unwrap().cost().get()
    };
    assert_eq!(cost(&game), 60);
    // A replaced grid gets the rules again.
    let other = parse_ascii(
        "
        .3
        ..
        ",
    );
    game.world_mut().entity_mut(map).insert(NavGrid::new(other.unwrap()));
    game.tick();
    assert_eq!(cost(&game), 40);
}

#[test]
fn the_finder_of_a_map_answers_by_its_present_rules() {
    let mut game = Game::new();
    let map = hand_built(&mut game, "..\n..");
    let across = |game: &Game| {
        let finder = game.world().get::<NavGrid>(map).unwrap().finder();
        finder.find(Cell::new(0, 0), Cell::new(1, 1)).unwrap().path().unwrap().cost().get()
    };
    game.tick();
    assert_eq!(across(&game), 14);
    for (diagonals, cost) in [(Diagonals::Never, 20), (Diagonals::Always, 14), (Diagonals::Never, 20)] {
        game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = diagonals;
        game.tick();
        assert_eq!(across(&game), cost, "{diagonals}");
        let grid = game.world().get::<NavGrid>(map).unwrap();
        assert_eq!(grid.finder().movements().count(), 1, "old rules are removed");
    }
}

#[test]
fn field_kept_by_the_game_follows_the_rules_of_the_map() {
    let mut game = Game::new();
    let map = hand_built(&mut game, "..\n..");
    game.tick();
    let finder = |game: &Game| game.world().get::<NavGrid>(map).unwrap().finder().clone();
    let mut field = finder(&game).field(&[Cell::new(0, 0)]).unwrap();
    game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Never;
    game.tick();
    field.update(&finder(&game)).unwrap();
    assert_eq!(field.cost(Cell::new(1, 1)).map(bevy_tilepath::Cost::get), Some(20));
}

#[test]
fn negative_cells_have_positions_too() {
    let mut game = Game::new();
    let grid = Grid::new(4, 4, 1).unwrap().with_origin(Cell::new(-2, -2)).unwrap();
    let map = game
        .world_mut()
        .spawn((
            NavMap::default(),
            NavGrid::new(grid),
            NavProjection::square(Vec2::new(10.0, 20.0), Vec2::ZERO),
            Transform::from_xyz(100.0, 0.0, 0.0),
        ))
        .id();
    game.tick();
    let projection = game.world().get::<NavProjection>(map).unwrap();
    assert_eq!(projection.cell_at_world(Vec2::new(84.0, -31.0)), Some(Cell::new(-2, -2)));
    assert_eq!(projection.world_position_of(Cell::new(-2, -2)), Vec2::new(80.0, -40.0));
}

#[test]
fn positions_that_are_not_finite_or_too_far_lie_in_no_cell() {
    let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
    for position in [
        Vec2::NAN,
        Vec2::INFINITY,
        Vec2::new(0.0, f32::NEG_INFINITY),
        Vec2::new(3e9, 0.0),
        Vec2::new(0.0, -3e9),
    ] {
        assert_eq!(projection.cell_at(position), None, "{position}");
    }
    assert_eq!(projection.cell_at(Vec2::new(-0.5, 0.49)), Some(Cell::new(0, 0)));
    assert_eq!(projection.cell_at(Vec2::new(-0.51, 0.5)), Some(Cell::new(-1, 1)));
    assert_eq!(NavProjection::square(Vec2::ZERO, Vec2::ZERO).cell_at(Vec2::ONE), None);
}

#[test]
fn settings_survive_whatever_the_order() {
    let settings = TilepathSettings { work_per_tick: 7 };
    let mut before = App::new();
    before.insert_resource(settings.clone()).add_plugins((MinimalPlugins, TilepathPlugin::default()));
    let mut after = App::new();
    after.add_plugins((MinimalPlugins, TilepathPlugin::default())).insert_resource(settings.clone());
    for mut game in [before, after] {
        game.update();
        assert_eq!(*game.world().resource::<TilepathSettings>(), settings);
    }
}

#[test]
fn maps_are_read_in_the_schedule_of_choice() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TilepathPlugin::in_schedule(Update)));
    let map = hand_built(&mut game, "..");
    game.world_mut().entity_mut(map).insert(Transform::from_xyz(50.0, 0.0, 0.0));
    game.update();
    assert_eq!(
        game.world().get::<NavProjection>(map).unwrap().world_position_of(Cell::new(0, 0)),
        Vec2::new(55.0, 5.0)
    );
}

#[test]
fn public_components_are_registered_for_reflection() {
    let game = Game::new();
    let registry = game.world().resource::<AppTypeRegistry>().read();
    let mut expected = vec![
        "NavMap",
        "MissingTile",
        "NavGrid",
        "NavProjection",
        "Obstacle",
        "TilepathSettings",
        "PathAgent",
    ];
    expected.extend(["PathRequest", "PathGoal", "Place", "PathStatus", "PathFailure", "AgentPath", "Motion"]);
    expected.extend(["OnMap", "MapAgents", "NavGraph", "Door", "DoorEnd", "Arrived", "PathFailed"]);
    if cfg!(feature = "tilemap") {
        expected.extend(["Terrain", "TextureTerrain", "NavLayer", "NavLayers"]);
    }
    for name in expected {
        let found = registry.get_with_short_type_path(name).expect(name);
        assert!(found.type_info().type_path().starts_with("bevy_tilepath::"), "{name}");
    }
}

#[test]
fn no_two_systems_of_the_plugin_are_ambiguous() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()));
    for schedule in [FixedFirst.intern(), FixedUpdate.intern(), FixedLast.intern()] {
        game.edit_schedule(schedule, |schedule| {
            schedule.set_build_settings(ScheduleBuildSettings {
                ambiguity_detection: LogLevel::Error,
                ..default()
            });
        });
    }
    // An ambiguous schedule would fail when it is built.
    game.start();
    game.tick();
}
