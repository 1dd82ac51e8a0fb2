//! Movement ranges over several turns: `NavView::solve_turns`.
//!
//! It returns in which turn a unit can stand on which cell. The unit may pass friends, but may not
//! stop on them.
//!
//! `cargo run --example turns`
//!
//! Guide: `docs/guide/src/07-turn-based-games.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::{
    prelude::*,
    tilepath::{format::parse_ascii, turns::TurnRange},
};

/// `3` is forest.
const LEVEL: &str = "
    ##########
    #...33...#
    #.######.#
    #........#
    ##########
";
const KNIGHT: Cell = Cell::new(1, 1);
const FRIENDS: [Cell; 2] = [Cell::new(4, 1), Cell::new(5, 1)];
/// The points of three steps on open ground.
const POINTS: Cost = Cost::new(30);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default())).add_systems(Startup, spawn_level);
    app.update();

    let range: TurnRange = app.world_mut().run_system_cached(shades)?;
    for turn in 1..=3 {
        println!("Turn {turn}: {} squares.", range.cells_of_turn(turn).len());
    }
    println!();
    app.world_mut().run_system_cached_with(draw, range.clone())?;

    // The unit passes both friends in one turn. That takes a whole turn, so the first turn ends
    // before them.
    let way = range.path_to(Cell::new(6, 1)).ok_or("out of reach")?;
    let stops: Vec<Cell> = way.stops().iter().map(|&stop| way.path().cells()[stop]).collect();
    let named: Vec<String> = stops.iter().map(Cell::to_string).collect();
    println!(
        "\nTo {} it takes {} turns, which end on {}.",
        way.path().goal(),
        way.turns(),
        named.join(" and ")
    );
    assert_eq!(stops, [Cell::new(3, 1), Cell::new(6, 1)]);
    assert!(FRIENDS.iter().all(|&friend| !range.contains(friend)));
    // A step into the forest takes a whole turn.
    assert_eq!(range.get(Cell::new(4, 3)).map(|reached| reached.turn), Some(3));
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    commands.spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?)));
    Ok(())
}

/// In a game: spawn a sprite at `map.world_of(cell)`, in the shade of its turn.
fn shades(nav: NavQuery) -> Result<TurnRange> {
    let map = nav.only_map()?;
    let knight = map.turn_query(KNIGHT, POINTS)?.with_turns(3).with_no_stop(FRIENDS);
    Ok(map.solve_turns(&knight)?)
}

fn draw(In(range): In<TurnRange>, map: Single<&NavGrid>) {
    for y in (0..5).rev() {
        let row = (0..10).map(|x| Cell::new(x, y)).map(|cell| match (range.get(cell), map.terrain(cell)) {
            _ if cell == KNIGHT => 'K',
            _ if FRIENDS.contains(&cell) => 'f',
            (Some(reached), _) => char::from(b'0' + reached.turn as u8),
            (None, Some(0)) => '#',
            (None, _) => '.',
        });
        println!("{}", row.collect::<String>());
    }
}
