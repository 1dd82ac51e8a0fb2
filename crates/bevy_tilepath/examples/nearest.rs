//! A lumberjack goes to the nearest tree: `PathRequest::to_nearest`.
//!
//! The cost of the path decides which tree is nearest. It fells the tree and goes on.
//!
//! `cargo run --example nearest`
//!
//! Guide: `docs/guide/src/05-goals-that-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    prelude::*,
    tilepath::format::{parse_ascii, to_ascii},
};

/// The lumberjack starts in the lower left corner.
const LEVEL: &str = "
    ..........
    .######...
    ......#...
    ......#...
";
/// The first tree is near the start in a straight line, but behind the wall.
const TREES: [(&str, Cell); 3] =
    [("oak", Cell::new(2, 3)), ("ash", Cell::new(4, 0)), ("elm", Cell::new(9, 1))];

#[derive(Component)]
struct Tree(Cell);

/// The trees of the present order. Events give the index of a tree in this list.
#[derive(Component)]
struct Choice(Vec<Entity>);

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Felled>()
        .add_systems(Startup, spawn_level)
        // This runs before the plugin accepts orders, so an order is answered in the tick in which
        // it is given.
        .add_systems(FixedUpdate, order_to_nearest_tree.before(TilepathSystems::AcceptRequests))
        .add_observer(draw_path)
        .add_observer(fell_tree);

    while app.world().resource::<Felled>().0.len() < TREES.len() {
        app.update();
    }
    assert_eq!(app.world().resource::<Felled>().0, ["ash", "oak", "elm"]);
}

/// The names of the trees, in the order in which they were felled.
#[derive(Resource, Default)]
struct Felled(Vec<String>);

fn spawn_level(mut commands: Commands) -> Result {
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?), projection));
    for (name, cell) in TREES {
        commands.spawn((Name::new(name), Tree(cell)));
    }
    commands.spawn(PathAgent { speed: 160.0.into(), ..default() }); // at (0, 0)
    Ok(())
}

fn order_to_nearest_tree(
    mut commands: Commands,
    idle: Query<Entity, (With<PathAgent>, Without<PathRequest>)>,
    trees: Query<(Entity, &Tree)>,
) {
    if trees.is_empty() {
        return; // an order without goals would fail
    }
    for lumberjack in &idle {
        let order = PathRequest::to_nearest(trees.iter().map(|(_, tree)| tree.0));
        let choice = Choice(trees.iter().map(|(tree, _)| tree).collect());
        commands.entity(lumberjack).insert((order, choice));
    }
}

fn draw_path(found: On<PathFound>, paths: Query<&AgentPath>, map: Single<&NavGrid>) -> Result {
    println!("{}", to_ascii(map.grid(), paths.get(found.entity)?.path()));
    Ok(())
}

fn fell_tree(
    arrived: On<Arrived>,
    choices: Query<&Choice>,
    names: Query<&Name>,
    mut felled: ResMut<Felled>,
    mut commands: Commands,
) -> Result {
    let tree = choices.get(arrived.entity)?.0[arrived.chosen];
    let name = names.get(tree)?;
    println!("The {name} is felled.\n");
    felled.0.push(name.to_string());
    commands.entity(tree).despawn();
    Ok(())
}
