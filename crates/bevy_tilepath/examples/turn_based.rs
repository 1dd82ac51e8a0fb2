//! A game of turns: the speed is 0, and the game itself puts the pawn onto the next cell of its way, one a turn.
//!
//! `cargo run --example turn_based`

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::{Cell, Diagonals, prelude::*, tilepath::format::parse_ascii};

const LEVEL: &str = "
    .......
    .####..
    ....#..
    ....#..
";
const GOAL: Cell = Cell::new(6, 0);
/// Built in the pawn's way later on.
const WALL: Cell = Cell::new(5, 1);

fn main() -> Result {
    let mut app = App::new();
    // In `Update`: there is no clock in this game, and each update of it is a turn.
    app.add_plugins((MinimalPlugins, TilepathPlugin::in_schedule(Update)))
        .add_systems(Startup, spawn_level)
        // Put the pawn on before the plugin looks where it is: then it arrives in that very turn.
        .add_systems(Update, end_turn.before(TilepathSystems::SyncMaps))
        .add_systems(Update, draw.after(TilepathSystems::Follow))
        .add_observer(|_: On<PathBlocked>| println!("The way is blocked."))
        .add_observer(|_: On<Arrived>| println!("The pawn is there."));

    println!("Turn 0: the pawn P gets its order.");
    app.update();
    let mut pawns = app.world_mut().query::<(Entity, &PathStatus)>();
    let (pawn, _) = pawns.single(app.world())?;
    let mut turns = 0;
    while app.world().entity(pawn).contains::<PathRequest>() {
        turns += 1;
        println!("Turn {turns}:");
        if turns == 4 {
            // Another player builds in the pawn's way. The rest of its way is found again in the same turn.
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
    commands.spawn((PathAgent { speed: 0.0.into(), ..default() }, PathRequest::to_cell(GOAL)));
    Ok(())
}

/// Puts every pawn onto the next point of its way. That is walking, not a teleport: the journey goes on from there.
fn end_turn(mut pawns: Query<(&AgentPath, &mut Transform), With<PathAgent>>) {
    for (path, mut transform) in &mut pawns {
        if let Some(next) = path.points().get(path.next_point()) {
            transform.translation = next.extend(transform.translation.z);
        }
    }
}

fn build_wall(mut map: Single<&mut NavGrid>) {
    map.set_terrain(WALL, 0).expect("the wall lies on the map");
}

/// `P` is the pawn, `*` its way ahead.
fn draw(nav: NavQuery, pawn: Single<(&Transform, &AgentPath)>) -> Result {
    let (transform, path) = *pawn;
    let map = nav.only()?;
    let standing = map.tile_at(transform.translation.truncate());
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
