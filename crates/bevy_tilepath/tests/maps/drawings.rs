//! The debug drawing.

use bevy::{
    gizmos::{GizmoHandles, GizmoPlugin},
    mesh::skinning::SkinnedMeshInverseBindposes,
    prelude::*,
    transform::TransformPlugin,
};
use bevy_tilepath::{
    Body, Cell, NavGrid, NavMap, NavProjection, PathAgent, PathRequest, TilepathPlugin, TilepathSettings,
    debug::{ShowSearch, TilepathDebugPlugin, TilepathGizmos},
    tilepath::format::parse_ascii,
};

use crate::harness::*;

fn drawing_game() -> Game {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default())).add_plugins((
        TilepathPlugin::default(),
        TilepathDebugPlugin,
        GizmoPlugin,
    ));
    // The gizmos also read meshes.
    game.init_asset::<Mesh>().init_asset::<SkinnedMeshInverseBindposes>();
    game.world_mut().spawn((
        NavMap::default(),
        NavGrid::new(parse_ascii("..5#").unwrap()),
        NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
    ));
    game.world_mut().spawn((
        PathAgent { speed: 0.0.into(), ..PathAgent::default() },
        Transform::from_xyz(5.0, 5.0, 0.0),
        PathRequest::to_position(Vec2::new(15.0, 5.0)),
    ));
    game.finish();
    game.cleanup();
    game.start();
    game
}

fn set(game: &mut Game, edit: impl FnOnce(&mut TilepathGizmos)) {
    edit(game.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<TilepathGizmos>().1);
}

/// Returns the numbers of drawn points: in single lines, and in strips.
fn drawn(game: &mut Game) -> (usize, usize) {
    game.tick();
    let handles = game.world().resource::<GizmoHandles>().handles();
    let assets = game.world().resource::<Assets<GizmoAsset>>();
    handles
        .values()
        .flatten()
        .map(|handle| assets.get(handle).unwrap().buffer())
        .map(|buffer| {
            let strips = buffer.strip_positions.iter().filter(|point| point.is_finite()).count();
            (buffer.list_positions.len(), strips)
        })
        .fold((0, 0), |sum, (lines, strips)| (sum.0 + lines, sum.1 + strips))
}

#[test]
fn walls_costs_and_paths_are_drawn_and_can_be_switched_off() {
    let mut game = drawing_game();
    game.tick();
    // The walls are drawn as an outline of the open cells, with four lines. One cell costs more,
    // and the path has two cells.
    let all = drawn(&mut game);
    set(&mut game, |style| style.walls = false);
    let without_walls = drawn(&mut game);
    assert_eq!(all.0 - without_walls.0, 8);
    set(&mut game, |style| style.paths = false);
    let without_paths = drawn(&mut game);
    assert_eq!(without_walls.1 - without_paths.1, 2);
    set(&mut game, |style| style.costs = false);
    assert_eq!(drawn(&mut game), (0, 0));
    assert_ne!(without_paths, (0, 0));
}

#[test]
fn large_maps_are_left_out() {
    let mut game = drawing_game();
    set(&mut game, |style| {
        style.paths = false;
        style.cell_limit = 3;
    });
    assert_eq!(drawn(&mut game), (0, 0));
}

#[test]
fn without_gizmos_nothing_is_drawn_and_nothing_breaks() {
    let mut game = Game(App::new());
    game.add_plugins((MinimalPlugins, TilepathPlugin::default(), TilepathDebugPlugin));
    game.finish();
    game.update();
    assert!(!game.world().contains_resource::<GizmoConfigStore>());
}

/// The points of a hatched cell: three lines.
const HATCH: usize = 6;
/// The points of a frame. A closed line of four corners comes back to the first corner and goes on
/// to the second.
const FRAME: usize = 6;

#[test]
fn search_of_a_marked_agent_is_drawn_while_it_runs_and_after_it() {
    let mut game = drawing_game();
    set(&mut game, |style| (style.walls, style.costs, style.paths) = (false, false, false));
    assert_eq!(drawn(&mut game), (0, 0), "no agent is marked");
    let agent = game.world_mut().query_filtered::<Entity, With<PathAgent>>().single(game.world()).unwrap();
    game.world_mut().entity_mut(agent).insert(ShowSearch::default());
    assert_eq!(drawn(&mut game), (0, 0), "earlier searches were not recorded");

    game.insert_resource(TilepathSettings { work_per_tick: 1 });
    game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(Cell::new(2, 0)));
    // One cell is expanded and hatched. The next one is reached and framed twice.
    assert_eq!(drawn(&mut game), (HATCH, 2 * FRAME));
    game.tick();
    // All three cells are expanded. The path leads over them, with three frames each.
    let done = (3 * HATCH, 3 * 3 * FRAME + 3);
    assert_eq!(drawn(&mut game), done);
    assert_eq!(drawn(&mut game), done, "the drawing stays");

    set(&mut game, |style| style.cell_limit = 5);
    assert_eq!(drawn(&mut game), (0, 0), "six cells are too many");
    set(&mut game, |style| style.cell_limit = 6);
    assert_eq!(drawn(&mut game), done);
    set(&mut game, |style| style.searches = false);
    assert_eq!(drawn(&mut game), (0, 0));
    set(&mut game, |style| style.searches = true);
    game.world_mut().entity_mut(agent).remove::<ShowSearch>();
    assert_eq!(drawn(&mut game), (0, 0));
}

#[test]
fn search_for_the_nearest_is_drawn_too() {
    let mut game = drawing_game();
    set(&mut game, |style| (style.walls, style.costs, style.paths) = (false, false, false));
    let agent = game.world_mut().query_filtered::<Entity, With<PathAgent>>().single(game.world()).unwrap();
    let nearest = PathRequest::to_nearest([Cell::new(2, 0), Cell::new(1, 0)]);
    game.world_mut().entity_mut(agent).insert((ShowSearch::default(), nearest));
    // Three cells are expanded: the last one is needed to see that its goal costs more. The path
    // has two cells.
    assert_eq!(drawn(&mut game), (3 * HATCH, 2 * 3 * FRAME + 2));
}

#[test]
fn bodies_are_framed_and_waiting_bodies_point_to_each_other() {
    let mut game = drawing_game();
    set(&mut game, |style| {
        (style.walls, style.costs, style.paths, style.searches) = (false, false, false, false);
    });
    let agent = game.world_mut().query_filtered::<Entity, With<PathAgent>>().single(game.world()).unwrap();
    game.world_mut().entity_mut(agent).insert((PathAgent::default(), Body::default()));
    game.world_mut().get_mut::<PathAgent>(agent).unwrap().paused = true;
    let alone = drawn(&mut game);
    assert_ne!(alone, (0, 0));
    // A crate stands on the goal.
    game.world_mut().spawn((Body::default(), Transform::from_xyz(15.0, 5.0, 0.0)));
    let two = drawn(&mut game);
    assert_eq!((two.0, two.1), (2 * alone.0, 2 * alone.1), "each body has a frame");
    game.world_mut().get_mut::<PathAgent>(agent).unwrap().paused = false;
    game.ticks(20);
    assert!(drawn(&mut game).0 > two.0, "an arrow points to the crate");
    set(&mut game, |style| style.bodies = false);
    assert_eq!(drawn(&mut game), (0, 0));
}
