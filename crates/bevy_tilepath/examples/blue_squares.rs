//! The squares that a unit can reach in its turn: `NavView::range`.
//!
//! This is the movement range of a tactics game, with the path to one of the squares.
//!
//! `cargo run --example blue_squares`
//!
//! Guide: `docs/guide/src/07-turn-based-games.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::{
    prelude::*,
    tilepath::{MoveRange, Path, format::parse_ascii},
};

/// `3` is forest: a step into it costs as much as three on open ground.
const LEVEL: &str = "
    ..............
    .....#........
    .....#..33....
    ..33.#..33....
    ..33.#........
    .....#........
    ..............
";
const KNIGHT: Cell = Cell::new(4, 2);
/// The points of six steps on open ground. A straight step costs 10 and a diagonal one 14, see
/// `StepCosts`.
const BUDGET: Cost = Cost::new(60);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default())).add_systems(Startup, spawn_level);
    app.update();

    let range: MoveRange = app.world_mut().run_system_cached(blue_squares)?;
    println!("The knight K reaches {} squares:\n", range.cells().len());
    app.world_mut().run_system_cached_with(draw, (range.clone(), None))?;

    // The range has the path to each of its cells. A moving pointer needs no further search.
    let under_the_pointer = Cell::new(7, 0);
    let path = range.path_to(under_the_pointer);
    let path = path.ok_or("the cell is out of reach")?;
    println!("The path to {under_the_pointer} costs {} of {BUDGET}:\n", path.cost());
    app.world_mut().run_system_cached_with(draw, (range.clone(), Some(path)))?;

    // Near in a straight line, but too far round the wall.
    assert!(!range.contains(Cell::new(6, 4)));
    assert!(range.cells().iter().all(|reached| reached.cost <= BUDGET));
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?)));
    Ok(())
}

/// In a game: spawn a blue sprite at `nav.map(map)?.world_of(cell)` for each of `range.cells()`.
fn blue_squares(nav: NavQuery) -> Result<MoveRange> {
    Ok(nav.only_map()?.range(KNIGHT, BUDGET)?)
}

/// `o` is a cell within reach, `*` a cell of the path.
fn draw(In((range, path)): In<(MoveRange, Option<Path>)>, map: Single<&NavGrid>) {
    let way = path.as_ref().map_or(&[][..], |path| path.cells());
    let bounds = map.bounds();
    for y in (0..bounds.height() as i32).rev() {
        let row = (0..bounds.width() as i32).map(|x| Cell::new(x, y)).map(|cell| match map.terrain(cell) {
            _ if cell == KNIGHT => 'K',
            _ if way.contains(&cell) => '*',
            _ if range.contains(cell) => 'o',
            Some(0) => '#',
            Some(1) => '.',
            _ => '3',
        });
        println!("{}", row.collect::<String>());
    }
    println!();
}
