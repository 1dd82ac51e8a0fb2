//! Queries of maps before their first tick.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, NavQuery,
    PathFailure, TilepathPlugin, tilepath::Grid,
};

use crate::harness::*;

/// The results of a system.
#[derive(Resource)]
struct Found<T: Send + Sync + 'static>(T);

/// Returns rules without diagonal steps. They have a movement for boats.
fn rules() -> NavMap {
    let boat = Movement::new().with_costs(CostTable::impassable().with(1, 1));
    NavMap { diagonals: Diagonals::Never, ..NavMap::default() }.with_movement("boat", boat)
}

fn five_by_five() -> (NavMap, NavGrid, NavProjection) {
    let grid = NavGrid::new(Grid::new(5, 5, 1).unwrap());
    (rules(), grid, NavProjection::square(Vec2::ONE, Vec2::ZERO))
}

fn length(nav: &NavQuery) -> usize {
    let answer = nav.only_map().unwrap().find(Cell::new(0, 0), Cell::new(4, 4)).unwrap();
    answer.outcome.path().unwrap().cells().len()
}

#[test]
fn map_asked_in_startup_answers_by_its_own_rules() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TilepathPlugin::default()));
    let spawn = |mut commands: Commands| {
        commands.spawn(five_by_five());
    };
    let look = |nav: NavQuery, mut commands: Commands| {
        let boat = nav.only_map().unwrap().with_movement(AgentMovement::from("boat")).is_ok();
        commands.insert_resource(Found((length(&nav), boat)));
    };
    game.add_systems(Startup, (spawn, look).chain());
    game.start();
    assert_eq!(
        game.world().resource::<Found<(usize, bool)>>().0,
        (9, true),
        "a path of four steps would have diagonal ones"
    );
}

#[test]
fn map_without_the_plugin_answers_by_its_own_rules() {
    use bevy::ecs::system::RunSystemOnce;

    let mut world = World::new();
    world.spawn(five_by_five());
    assert_eq!(world.run_system_once(|nav: NavQuery| length(&nav)).unwrap(), 9);
}

#[test]
fn grid_that_replaces_another_has_the_rules_of_its_map_at_once() {
    use bevy::ecs::system::RunSystemOnce;

    let mut game = Game::new();
    let map = game.world_mut().spawn(five_by_five()).id();
    game.update();
    game.world_mut().entity_mut(map).insert(NavGrid::new(Grid::new(5, 5, 1).unwrap()));
    assert_eq!(game.world_mut().run_system_once(|nav: NavQuery| length(&nav)).unwrap(), 9);
    game.world_mut().entity_mut(map).insert(NavMap::default());
    assert_eq!(game.world_mut().run_system_once(|nav: NavQuery| length(&nav)).unwrap(), 5);
}

#[cfg(feature = "tilemap")]
#[test]
fn tilemap_asked_before_it_is_read_is_not_read_yet() {
    use crate::harness::*;

    let mut game = Game::new();
    let map = game.tilemap("...\n...");
    let ask = |nav: NavQuery| nav.only_map()?.find(Cell::new(0, 0), Cell::new(2, 0)).map(drop);
    let asked = |game: &mut Game| {
        use bevy::ecs::system::RunSystemOnce;
        game.world_mut().run_system_once(ask).unwrap()
    };
    let failure = asked(&mut game).unwrap_err();
    assert_eq!(failure, PathFailure::NotReadYet { map });
    assert!(failure.to_string().contains("sync_maps_now"), "{failure}");
    bevy_tilepath::sync_maps_now(game.world_mut()).unwrap();
    assert_eq!(asked(&mut game), Ok(()));
}
