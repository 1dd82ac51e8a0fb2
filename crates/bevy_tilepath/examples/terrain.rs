//! Terrain costs: a cart takes the road round a swamp.
//!
//! Then the bridge ahead breaks.
//!
//! `cargo run --example terrain`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::Replanned,
    prelude::*,
    tilepath::format::{LetterClasses, parse_ascii_with, to_ascii},
};

// Terrain classes are numbers of your choice. Their costs are in the map's `CostTable`.
const ROAD: u8 = 1;
const GRASS: u8 = 2;
const SWAMP: u8 = 3;

/// `=` is road, `,` grass, `~` swamp. The bridge is the road in the middle of the top row.
const LEVEL: &str = "
    ===========
    =,,,~~~,,,=
    =,,,~~~,,,=
    =,,,~~~,,,=
";
const BRIDGE: Cell = Cell::new(5, 3);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(|found: On<PathFound>| println!("The path costs {}:\n", found.route_cost))
        .add_observer(|_: On<PathBlocked>| println!("The path is blocked."))
        .add_observer(|replanned: On<Replanned>| println!("The new path costs {}:\n", replanned.route_cost));
    app.update(); // runs `Startup`
    app.update(); // answers the order
    let by_road = app.world_mut().run_system_cached(draw)?;

    for _ in 0..64 {
        app.update(); // the cart moves
    }
    app.world_mut().run_system_cached(break_bridge)?;
    app.update();
    let through_swamp = app.world_mut().run_system_cached(draw)?;

    assert!(by_road.contains(&BRIDGE));
    assert!(!through_swamp.contains(&BRIDGE), "the new path avoids the broken bridge");

    let mut carts = app.world_mut().query::<(Entity, &PathStatus)>();
    let (cart, _) = carts.single(app.world())?;
    while app.world().entity(cart).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(carts.single(app.world())?.1, &PathStatus::Arrived);
    println!("Arrived.");
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    let letters = LetterClasses::ascii().with('=', ROAD).with(',', GRASS).with('~', SWAMP);
    // A step onto swamp costs eight times as much as a step onto road. Classes without a cost here
    // are walls.
    let costs = CostTable::impassable().with(ROAD, 1).with(GRASS, 3).with(SWAMP, 8);
    let projection = NavProjection::square(Vec2::splat(16.0), Vec2::ZERO);
    commands.spawn((
        NavMap { costs, ..default() },
        NavGrid::new(parse_ascii_with(LEVEL, &letters)?),
        projection,
    ));
    commands.spawn((PathAgent::default(), PathRequest::to_cell(Cell::new(10, 0)))); // begins at (0, 0)
    Ok(())
}

/// On a tilemap, change the tile's `Terrain` instead.
fn break_bridge(mut map: Single<&mut NavGrid>) {
    map.set_terrain(BRIDGE, 0).expect("the bridge lies on the map");
}

/// Draws the path of the cart from its present cell, with road as `.`, and returns its cells.
fn draw(map: Single<&NavGrid>, cart: Single<&AgentPath>) -> Vec<Cell> {
    let path = cart.path();
    println!("{}\n", to_ascii(map.grid(), path));
    path.map(|path| path.cells().to_vec()).unwrap_or_default()
}
