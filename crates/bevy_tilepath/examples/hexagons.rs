//! A hexagonal tilemap: hexagons within reach, and a walk.
//!
//! The example uses the tile positions of `bevy_ecs_tilemap`; `Lattice` converts them into cells of
//! the map.
//!
//! `cargo run --example hexagons`
//!
//! Guide: `docs/guide/src/14-hexagons-and-isometric-maps.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{maps::lattice_of, prelude::*, tilepath::MoveRange};

const TYPE: TilemapType = TilemapType::Hexagon(HexCoordSystem::RowOdd);
/// `2` is forest, `#` rock. Odd rows, counted from below, are half a tile to the right.
const LEVEL: [&str; 7] =
    ["..........", "...##.....", "...2#.22..", "..2.#.2...", "....#.....", "..........", ".........."];
const START: TilePos = TilePos::new(2, 3);
const GOAL: TilePos = TilePos::new(4, 1);
/// The points of three steps on open ground. Each step costs 10, in all six directions.
const BUDGET: Cost = Cost::new(30);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level);
    app.update(); // runs `Startup`
    app.update(); // the first tick reads the tiles

    let range: MoveRange = app.world_mut().run_system_cached(blue_hexagons)?;
    draw(&range);
    // On open ground, three steps reach 36 hexagons. Rock and forest leave fewer.
    let cell = |tile: TilePos| lattice_of(TYPE).cell_of((tile.x as i32, tile.y as i32));
    assert!(range.contains(cell(GOAL)) && range.cells().len() < 37);
    assert!(!range.contains(cell(TilePos::new(5, 3))), "behind the rock");

    let unit = app.world_mut().run_system_cached(start_walk)?;
    while app.world().entity(unit).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    app.update(); // the transform is a tick behind
    let place = app.world().get::<Transform>(unit).ok_or("the unit has a place")?.translation.truncate();
    // Odd rows are half a tile to the right. Each row is three quarters of a tile above the row
    // below.
    assert!(place.distance(Vec2::new(4.5 * 20.0, 0.75 * 24.0)) < 0.01, "{place}");
    println!("The unit has walked to tile ({}, {}).", GOAL.x, GOAL.y);
    Ok(())
}

fn spawn_level(mut commands: Commands) {
    let tilemap = commands.spawn_empty().id();
    let size = TilemapSize::new(LEVEL[0].len() as u32, LEVEL.len() as u32);
    let mut storage = TileStorage::empty(size);
    for (y, row) in (0..).zip(LEVEL.iter().rev()) {
        for (x, letter) in (0..).zip(row.chars()) {
            let position = TilePos::new(x, y);
            let class = if letter == '#' { 0 } else { letter.to_digit(10).unwrap_or(1) as u8 };
            let bundle = TileBundle { position, tilemap_id: TilemapId(tilemap), ..default() };
            storage.set(&position, commands.spawn((bundle, Terrain(class))).id());
        }
    }
    let tile_size = TilemapTileSize { x: 20.0, y: 24.0 };
    commands.entity(tilemap).insert((
        TilemapBundle { size, storage, map_type: TYPE, tile_size, grid_size: tile_size.into(), ..default() },
        NavMap::default(),
    ));
}

/// In a game: spawn a blue hexagon at `nav.map(map)?.world_of(cell)` for each of `range.cells()`.
fn blue_hexagons(nav: NavQuery) -> Result<MoveRange> {
    Ok(nav.only_map()?.range(START, BUDGET)?)
}

fn start_walk(mut commands: Commands, map: Single<&NavProjection>) -> Entity {
    let cell = map.lattice().cell_of((START.x as i32, START.y as i32));
    let place = map.world_position_of(cell).extend(1.0);
    let transform = Transform::from_translation(place);
    commands.spawn((PathAgent::default(), transform, PathRequest::to_tile(GOAL))).id()
}

/// `o` is a tile within reach.
fn draw(range: &MoveRange) {
    println!("The unit U reaches {} hexagons:\n", range.cells().len());
    for (y, row) in (0..LEVEL.len() as u32).rev().zip(LEVEL) {
        let tiles = (0..).zip(row.chars()).map(|(x, letter)| {
            let tile = TilePos::new(x, y);
            let cell = lattice_of(TYPE).cell_of((tile.x as i32, tile.y as i32));
            match letter {
                _ if tile == START => 'U',
                _ if range.contains(cell) => 'o',
                other => other,
            }
        });
        let indent = if y % 2 == 1 { " " } else { "" };
        println!("{indent}{}", tiles.map(String::from).collect::<Vec<_>>().join(" "));
    }
    println!();
}
