//! A turn-based game: `StepAgent` moves a pawn one cell a turn.
//!
//! `cargo run --example turn_based`
//!
//! Guide: `docs/guide/src/18-a-roguelike.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::{agents::StepAgent, prelude::*, tilepath::format::parse_ascii};

const LEVEL: &str = "
    .......
    .####..
    ....#..
    ....#..
";
const GOAL: Cell = Cell::new(6, 0);
/// The cell of a later wall, ahead of the pawn.
const WALL: Cell = Cell::new(5, 1);

fn main() -> Result {
    let mut app = App::new();
    // The plugin runs in `Update`: this game has no clock, and each update is a turn.
    app.add_plugins((MinimalPlugins, TilepathPlugin::in_schedule(Update)))
        .add_systems(Startup, spawn_level)
        .add_systems(Update, end_turn.before(TilepathSystems::SyncMaps))
        .add_systems(Update, draw.after(TilepathSystems::Follow))
        .add_observer(|_: On<PathBlocked>| println!("The path is blocked."))
        .add_observer(|_: On<Arrived>| println!("The pawn has arrived."));

    println!("Turn 0: the pawn P gets its order.");
    app.update();
    let mut pawns = app.world_mut().query::<(Entity, &PathStatus)>();
    let (pawn, _) = pawns.single(app.world())?;
    let mut turns = 0;
    while app.world().entity(pawn).contains::<PathRequest>() {
        turns += 1;
        println!("Turn {turns}:");
        if turns == 4 {
            // Another player builds a wall ahead of the pawn. The rest of the path is found again
            // in this turn.
            app.world_mut().run_system_cached(build_wall)?;
        }
        app.update();
        assert!(turns < 30, "the pawn arrives");
    }
    assert_eq!(pawns.single(app.world())?.1, &PathStatus::Arrived);
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let rules = NavMap { diagonals: Diagonals::Never, ..default() };
    commands.spawn((rules, NavGrid::new(parse_ascii(LEVEL)?))); // cells of one unit, (0, 0) at the origin
    let turns = Stepwise { is_animated: false, ..default() };
    commands.spawn((PathAgent::default(), turns, PathRequest::to_cell(GOAL)));
    Ok(())
}

/// With `is_animated`, the pawn would walk there at its speed, over many frames.
fn end_turn(pawns: Query<Entity, With<PathAgent>>, mut commands: Commands) {
    for entity in &pawns {
        commands.trigger(StepAgent { entity, steps: 1 });
    }
}

fn build_wall(mut map: Single<&mut NavGrid>) {
    map.set_terrain(WALL, 0).expect("the wall lies on the map");
}

/// `P` is the pawn, `*` the path ahead.
fn draw(nav: NavQuery, pawn: Single<(&Transform, &AgentPath)>) -> Result {
    let (transform, path) = *pawn;
    let map = nav.only_map()?;
    let standing = map.cell_at(transform.translation.truncate());
    for y in (0..map.grid().bounds().height() as i32).rev() {
        let row = (0..map.grid().bounds().width() as i32).map(|x| Cell::new(x, y)).map(|cell| {
            match map.grid().terrain(cell) {
                _ if Some(cell) == standing => 'P',
                _ if path.remaining_cells().contains(&cell) => '*',
                Some(0) => '#',
                _ => '.',
            }
        });
        println!("  {}", row.collect::<String>());
    }
    Ok(())
}
