//! One search for a whole crowd: `NavView::field`.
//!
//! The field leads each unit to the nearest of two gates. Then a wall goes up, and the field is
//! repaired.
//!
//! `cargo run --example flow_field`
//!
//! Guide: `docs/guide/src/08-tower-defence.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::{
    prelude::*,
    tilepath::{field::FlowField, format::parse_ascii},
};

const LEVEL: &str = "
    ................
    ..####..........
    .....#....###...
    .....#......#...
    .....#..........
    ................
";
const GATES: [Cell; 2] = [Cell::new(15, 5), Cell::new(15, 0)];
/// The cell of a later wall.
const GAP: Cell = Cell::new(5, 0);

/// The units have no `PathAgent`: they only follow the field.
#[derive(Component)]
struct Unit(Cell);

#[derive(Resource)]
struct WayToTheGates(FlowField);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .add_systems(Startup, (spawn_level, make_field, draw).chain())
        .add_systems(Update, walk);
    app.update();

    println!("A wall closes the gap at {GAP}.\n");
    app.world_mut().run_system_cached(close_gap)?;
    app.world_mut().run_system_cached(draw)?;

    let mut units = app.world_mut().query::<&Unit>();
    let count = units.iter(app.world()).count();
    let mut turns = 0;
    while units.iter(app.world()).any(|unit| !GATES.contains(&unit.0)) {
        app.update();
        turns += 1;
    }
    println!("All {count} units are at a gate after {turns} turns.");
    assert!(turns < 40, "no unit is lost");
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let grid = parse_ascii(LEVEL)?;
    for cell in grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)) {
        commands.spawn(Unit(cell));
    }
    commands.spawn((NavMap::default(), NavGrid::new(grid)));
    Ok(())
}

/// Runs one search for all units, from the gates outwards.
fn make_field(nav: NavQuery, mut commands: Commands) -> Result {
    commands.insert_resource(WayToTheGates(nav.only_map()?.field(GATES)?));
    Ok(())
}

/// Updates the field after an edit of the map. Only the affected part is searched again.
fn close_gap(mut map: Single<&mut NavGrid>, mut field: ResMut<WayToTheGates>) {
    map.set_terrain(GAP, 0).expect("the gap lies on the map");
    field.0.update(map.finder()).expect("it is a field of this map");
}

/// Moves each unit by a look-up, without a search.
fn walk(field: Res<WayToTheGates>, mut units: Query<&mut Unit>) {
    for mut unit in &mut units {
        // `None` at a gate, and where no path leads to a gate.
        if let Some(direction) = field.0.direction(unit.0)
            && let Some(next) = unit.0.neighbour(direction)
        {
            unit.0 = next;
        }
    }
}

/// Draws the step of each cell as an arrow, and `G` for a gate.
fn draw(field: Res<WayToTheGates>, map: Single<&NavGrid>) {
    const ARROWS: [char; 8] = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖']; // clockwise from north
    let bounds = map.bounds();
    for y in (0..bounds.height() as i32).rev() {
        let row =
            (0..bounds.width() as i32).map(|x| Cell::new(x, y)).map(|cell| match field.0.direction(cell) {
                _ if map.terrain(cell) == Some(0) => '#',
                Some(direction) => ARROWS[direction as usize],
                None => 'G',
            });
        println!("{}", row.collect::<String>());
    }
    println!();
}
