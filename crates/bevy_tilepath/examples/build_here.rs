//! Cells where a building may stand, tested in every frame.
//!
//! The player still holds the building: nothing is built for the test.
//!
//! `cargo run --example build_here`
//!
//! Guide: `docs/guide/src/08-tower-defence.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{prelude::*, tilepath::format::parse_ascii};

const LEVEL: &str = "
    ..........
    ....##....
    ....##....
    ..........
    ..........
";
const GATE: Cell = Cell::new(0, 2);
const CASTLE: Cell = Cell::new(9, 2);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default())).add_systems(Startup, spawn_level);
    app.update();
    sync_maps_now(app.world_mut())?;

    // The pointer moves over the map. The player holds a barracks of two cells by two.
    let mut may_stand = Vec::new();
    for pointer in [(5.0, 1.0), (5.0, 4.5), (8.5, 2.5), (1.5, 1.5)].map(Vec2::from) {
        let blocked: bool = app.world_mut().run_system_cached_with(ask, pointer)?;
        println!(
            "At {pointer}: {}.",
            if blocked { "refused, it would seal the way" } else { "it may stand" }
        );
        may_stand.push(!blocked);
    }
    assert_eq!(may_stand, [true, true, false, true]);

    // A barracks is built in the south. Now the only path leads through the north, and cells there
    // are drawn red.
    app.world_mut().spawn(barracks(Vec2::new(5.0, 1.0)));
    sync_maps_now(app.world_mut())?;
    let blocked: bool = app.world_mut().run_system_cached_with(ask, Vec2::new(5.0, 4.5))?;
    assert!(blocked, "it was free before the other was built");
    let forbidden: BTreeSet<Cell> = app.world_mut().run_system_cached(forbidden)?;
    assert!(forbidden.contains(&Cell::new(4, 4)) && forbidden.contains(&CASTLE));
    assert!(!forbidden.contains(&Cell::new(2, 4)));
    app.world_mut().run_system_cached_with(draw, forbidden)?;
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?), corner));
    Ok(())
}

fn barracks(at: Vec2) -> (Obstacle, Transform) {
    (Obstacle { size: Vec2::splat(2.0), ..Obstacle::default() }, Transform::from_translation(at.extend(0.0)))
}

/// The `Local` keeps the second finder, so a test costs time for its cells only and not for the
/// whole map.
fn ask(In(at): In<Vec2>, nav: NavQuery, mut what_if: Local<NavWhatIf>) -> Result<bool> {
    let map = nav.only_map()?;
    let (obstacle, place) = barracks(at);
    let cells = map.cells_under(&obstacle, &place);
    Ok(!what_if.allows(map, cells, [(GATE, CASTLE)])?)
}

fn forbidden(nav: NavQuery) -> Result<BTreeSet<Cell>> {
    Ok(nav.only_map()?.forbidden([(GATE, CASTLE)])?)
}

/// `x` is a cell on which nothing may stand.
fn draw(In(forbidden): In<BTreeSet<Cell>>, map: Single<&NavGrid>) {
    for y in (0..5).rev() {
        let row = (0..10).map(|x| Cell::new(x, y)).map(|cell| match map.terrain(cell) {
            _ if forbidden.contains(&cell) => 'x',
            Some(0) => '#',
            _ => '.',
        });
        println!("{}", row.collect::<String>());
    }
}
