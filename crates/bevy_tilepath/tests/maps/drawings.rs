//! What the debug drawing draws.

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

fn drawing_app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default())).add_plugins((
        TilepathPlugin::default(),
        TilepathDebugPlugin,
        GizmoPlugin,
    ));
    // The gizmos look at meshes too.
    app.init_asset::<Mesh>().init_asset::<SkinnedMeshInverseBindposes>();
    app.world_mut().spawn((
        NavMap::default(),
        NavGrid::new(parse_ascii("..5#").unwrap()),
        NavProjection::square(Vec2::splat(10.0), Vec2::splat(5.0)),
    ));
    app.world_mut().spawn((
        PathAgent { speed: 0.0.into(), ..PathAgent::default() },
        Transform::from_xyz(5.0, 5.0, 0.0),
        PathRequest::to_position(Vec2::new(15.0, 5.0)),
    ));
    app.finish();
    app.cleanup();
    start(&mut app);
    app
}

fn set(app: &mut App, edit: impl FnOnce(&mut TilepathGizmos)) {
    edit(app.world_mut().resource_mut::<GizmoConfigStore>().config_mut::<TilepathGizmos>().1);
}

/// How many points of single lines and of strips are drawn.
fn drawn(app: &mut App) -> (usize, usize) {
    tick(app);
    let handles = app.world().resource::<GizmoHandles>().handles();
    let assets = app.world().resource::<Assets<GizmoAsset>>();
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
    let mut app = drawing_app();
    tick(&mut app);
    // The open cells have an outline of four lines; one cell costs more; the path has two cells.
    let all = drawn(&mut app);
    set(&mut app, |style| style.walls = false);
    let without_walls = drawn(&mut app);
    assert_eq!(all.0 - without_walls.0, 8);
    set(&mut app, |style| style.paths = false);
    let without_paths = drawn(&mut app);
    assert_eq!(without_walls.1 - without_paths.1, 2);
    set(&mut app, |style| style.costs = false);
    assert_eq!(drawn(&mut app), (0, 0));
    assert_ne!(without_paths, (0, 0));
}

#[test]
fn large_maps_are_left_out() {
    let mut app = drawing_app();
    set(&mut app, |style| {
        style.paths = false;
        style.cell_limit = 3;
    });
    assert_eq!(drawn(&mut app), (0, 0));
}

#[test]
fn without_gizmos_nothing_is_drawn_and_nothing_breaks() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default(), TilepathDebugPlugin));
    app.finish();
    app.update();
    assert!(!app.world().contains_resource::<GizmoConfigStore>());
}

/// Points of a hatched cell: three lines.
const HATCH: usize = 6;
/// Points of a frame: a closed line of four corners comes back to the first one and on to the second.
const FRAME: usize = 6;

#[test]
fn search_of_a_marked_agent_is_drawn_while_it_runs_and_after_it() {
    let mut app = drawing_app();
    set(&mut app, |style| (style.walls, style.costs, style.paths) = (false, false, false));
    assert_eq!(drawn(&mut app), (0, 0), "no agent is marked");
    let agent = app.world_mut().query_filtered::<Entity, With<PathAgent>>().single(app.world()).unwrap();
    app.world_mut().entity_mut(agent).insert(ShowSearch::default());
    assert_eq!(drawn(&mut app), (0, 0), "what was searched before is not known");

    app.insert_resource(TilepathSettings { work_per_tick: 1 });
    app.world_mut().entity_mut(agent).insert(PathRequest::to_cell(Cell::new(2, 0)));
    // One cell expanded and hatched, the next one reached and framed twice.
    assert_eq!(drawn(&mut app), (HATCH, 2 * FRAME));
    tick(&mut app);
    // All three are expanded; the way leads over them, with three frames each.
    let done = (3 * HATCH, 3 * 3 * FRAME + 3);
    assert_eq!(drawn(&mut app), done);
    assert_eq!(drawn(&mut app), done, "it stays");

    set(&mut app, |style| style.cell_limit = 5);
    assert_eq!(drawn(&mut app), (0, 0), "six cells are too many");
    set(&mut app, |style| style.cell_limit = 6);
    assert_eq!(drawn(&mut app), done);
    set(&mut app, |style| style.searches = false);
    assert_eq!(drawn(&mut app), (0, 0));
    set(&mut app, |style| style.searches = true);
    app.world_mut().entity_mut(agent).remove::<ShowSearch>();
    assert_eq!(drawn(&mut app), (0, 0));
}

#[test]
fn search_for_the_nearest_is_drawn_too() {
    let mut app = drawing_app();
    set(&mut app, |style| (style.walls, style.costs, style.paths) = (false, false, false));
    let agent = app.world_mut().query_filtered::<Entity, With<PathAgent>>().single(app.world()).unwrap();
    let nearest = PathRequest::to_nearest([Cell::new(2, 0), Cell::new(1, 0)]);
    app.world_mut().entity_mut(agent).insert((ShowSearch::default(), nearest));
    // Three cells expanded, the last one to know that it costs more; a way over two.
    assert_eq!(drawn(&mut app), (3 * HATCH, 2 * 3 * FRAME + 2));
}

#[test]
fn bodies_are_framed_and_those_that_wait_point_to_each_other() {
    let mut app = drawing_app();
    set(&mut app, |style| {
        (style.walls, style.costs, style.paths, style.searches) = (false, false, false, false);
    });
    let agent = app.world_mut().query_filtered::<Entity, With<PathAgent>>().single(app.world()).unwrap();
    app.world_mut().entity_mut(agent).insert((PathAgent::default(), Body::default()));
    app.world_mut().get_mut::<PathAgent>(agent).unwrap().paused = true;
    let alone = drawn(&mut app);
    assert_ne!(alone, (0, 0));
    // Its goal is held by a crate.
    app.world_mut().spawn((Body::default(), Transform::from_xyz(15.0, 5.0, 0.0)));
    let two = drawn(&mut app);
    assert_eq!((two.0, two.1), (2 * alone.0, 2 * alone.1), "each is framed");
    app.world_mut().get_mut::<PathAgent>(agent).unwrap().paused = false;
    for _ in 0..20 {
        tick(&mut app);
    }
    assert!(drawn(&mut app).0 > two.0, "an arrow leads to the crate");
    set(&mut app, |style| style.bodies = false);
    assert_eq!(drawn(&mut app), (0, 0));
}
