//! The city without a window: bodies, a wall, ghosts, bodies again.

use std::io::{self, Write};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain, TilepathDiagnostics, TilepathPlugin};

use crate::{
    city::{City, SIDE},
    clock::{ClockPlugin, TickClock},
    orders::OrdersPlugin,
    scene::{CityMap, ScenePlugin, close_or_open},
    traffic::{Traffic, TrafficPlugin},
    units::{Mode, UnitsPlugin, Wanted},
};

/// Ticks of each part of the run.
const BODIES: usize = 1000;
const WALLED: usize = 800;
const GHOSTS: usize = 400;
const AGAIN: usize = 600;
/// Ticks in which former ghosts may move apart.
const PARTING: usize = 300;

/// Runs the city, and prints the counts.
///
/// # Errors
/// If `out` cannot be written to, if bodies collide, or if few units arrive.
pub(crate) fn run(out: &mut dyn Write, city: City, units: usize) -> io::Result<()> {
    let open = city.open_cells().count();
    writeln!(out, "city {}: {SIDE} x {SIDE} cells, {open} of them open; {units} units", city.seed)?;
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .insert_resource(city)
        .insert_resource(Wanted(units))
        .insert_resource(Mode::Bodies)
        .add_plugins((ScenePlugin, UnitsPlugin, OrdersPlugin, TrafficPlugin, ClockPlugin));

    let bodies = run_part(out, &mut app, "bodies", BODIES)?;
    let painted = app.world_mut().run_system_cached(paint_wall).map_err(io::Error::other)?;
    let walled = run_part(out, &mut app, &format!("with a wall of {painted} cells"), WALLED)?;
    app.insert_resource(Mode::Ghosts);
    let ghosts = run_part(out, &mut app, "ghosts", GHOSTS)?;
    app.insert_resource(Mode::Bodies);
    let parting = run_part(out, &mut app, "bodies again, parting", PARTING)?;
    let again = run_part(out, &mut app, "bodies again", AGAIN)?;

    let all_arrivals =
        bodies.arrivals + walled.arrivals + ghosts.arrivals + parting.arrivals + again.arrivals;
    let failures = [
        (bodies.collisions + walled.collisions > 0, "bodies have collided"),
        (again.collisions > 0, "bodies that were ghosts do not part"),
        (ghosts.collisions == 0, "ghosts do not meet: there is nothing to be seen"),
        (all_arrivals < units as u64, "few have arrived"),
        (again.arrivals == 0, "nothing moves any more"),
    ];
    match failures.iter().find(|(is_so, _)| *is_so) {
        Some((_, what)) => Err(io::Error::other(*what)),
        None => Ok(()),
    }
}

/// The counts of a part of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counted {
    arrivals: u64,
    collisions: u64,
}

fn run_part(out: &mut dyn Write, app: &mut App, name: &str, ticks: usize) -> io::Result<Counted> {
    let counted = |app: &App| {
        let traffic = app.world().get_resource::<Traffic>();
        traffic.map_or((0, 0, 0), |traffic| (traffic.arrivals, traffic.all_collisions, traffic.failed))
    };
    let (arrivals, collisions, failed) = counted(app);
    for _ in 0..ticks {
        app.update();
    }
    let now = counted(app);
    let (mean, worst) = app.world().resource::<TickClock>().tick();
    let told = *app.world().resource::<TilepathDiagnostics>();
    let part = Counted { arrivals: now.0 - arrivals, collisions: now.1 - collisions };
    writeln!(
        out,
        "{name}: {ticks} ticks, {} arrivals, {} failed, {} collisions; at the end {} bodies, {} on the way, {} waiting, {} orders queued; a tick takes {mean:.2} ms, {worst:.2} at most",
        part.arrivals,
        now.2 - failed,
        part.collisions,
        told.bodies,
        told.following,
        told.bodies_waiting,
        told.queued,
    )?;
    Ok(part)
}

/// Puts a wall across the boulevard, in a quarter of the city.
fn paint_wall(
    mut city: ResMut<City>,
    storage: Single<&TileStorage, With<CityMap>>,
    mut terrains: Query<&mut Terrain>,
) -> usize {
    let middle = SIDE / 4;
    let cells: Vec<Cell> = (-20..=20).map(|offset| Cell::new(middle + offset, middle - offset)).collect();
    let mut painted = 0;
    for cell in cells.into_iter().flat_map(|cell| [cell, Cell::new(cell.x + 1, cell.y)]) {
        if city.paint(cell, true) {
            close_or_open(&city, cell, &storage, &mut terrains);
            painted += 1;
        }
    }
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_keep_apart_and_ghosts_do_not() {
        let mut out = Vec::new();
        run(&mut out, City::new(3), 60).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().count(), 6, "{text}");
        assert!(text.lines().nth(1).is_some_and(|line| line.contains(" 0 collisions")), "{text}");
    }
}
