//! Towers may make the path of the enemies longer, but never close it.
//!
//! A tower that would close it is refused in the frame of the click.
//!
//! `cargo run --example tower_defence`
//!
//! Guide: `docs/guide/src/08-tower-defence.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::Replanned,
    prelude::*,
    tilepath::{Grid, format::to_ascii},
};

const GATE: Cell = Cell::new(0, 2);
const BASE: Cell = Cell::new(9, 2);

#[derive(Component)]
struct Enemy;

#[derive(Component)]
#[require(Obstacle)] // a size of zero: it blocks its own cell
struct Tower;

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(Startup, spawn_level)
        .add_observer(|replanned: On<Replanned>| {
            println!("The enemy's new path costs {}.", replanned.route_cost);
        })
        .add_observer(|_: On<Arrived>| println!("The enemy is at the base."));
    app.update(); // runs `Startup`
    app.update(); // the enemy gets its path

    let mut built = Vec::new();
    for cell in [(4, 0), (4, 1), (4, 2), (4, 4), (4, 3), (6, 3)].map(Cell::from) {
        let is_built = try_to_build(app.world_mut(), cell)?;
        println!(
            "A tower on {cell}: {}.",
            if is_built { "built" } else { "refused, it would close the path" }
        );
        built.push(is_built);
        app.update(); // the enemy walks on, round the new tower
    }
    assert_eq!(built, [true, true, true, true, false, true]);
    app.world_mut().run_system_cached(draw)?;

    let mut enemies = app.world_mut().query_filtered::<(Entity, &PathStatus), With<Enemy>>();
    let (enemy, _) = enemies.single(app.world())?;
    while app.world().entity(enemy).contains::<PathRequest>() {
        app.update();
    }
    assert_eq!(enemies.single(app.world())?.1, &PathStatus::Arrived);
    Ok(())
}

fn spawn_level(mut commands: Commands) -> Result {
    commands.spawn((NavMap::default(), NavGrid::new(Grid::new(10, 5, 1)?))); // cells of one unit
    commands.spawn((
        Enemy,
        PathAgent { speed: 4.0.into(), ..default() },
        Transform::from_xyz(0.0, 2.0, 1.0),
        PathRequest::to_cell(BASE),
    ));
    Ok(())
}

/// Builds a tower, tests the path, and removes the tower if the path is closed. All of this is
/// between two ticks, so no enemy reacts.
fn try_to_build(world: &mut World, cell: Cell) -> Result<bool> {
    let position = Vec2::new(cell.x as f32, cell.y as f32);
    let tower = world.spawn((Tower, Transform::from_translation(position.extend(1.0)))).id();
    sync_maps_now(world)?; // the map has the tower at once
    let is_open: bool = world.run_system_cached(is_way_open)?;
    if !is_open {
        world.despawn(tower);
        sync_maps_now(world)?;
    }
    Ok(is_open)
}

/// Tests the gate, where more enemies will enter, and every enemy on the map. It runs no search.
fn is_way_open(nav: NavQuery, enemies: Query<&Transform, With<Enemy>>) -> Result<bool> {
    let mut is_open = nav.only_map()?.is_reachable(GATE, BASE)?;
    for enemy in &enemies {
        is_open &= nav.only_map()?.is_reachable(enemy.translation.truncate(), BASE)?;
    }
    Ok(is_open)
}

fn draw(map: Single<&NavGrid>, enemy: Single<&AgentPath>) {
    println!("\n{}\n", to_ascii(map.grid(), enemy.path()));
}
