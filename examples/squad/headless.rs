//! The level and its orders without a window.
//!
//! Every formation, a gate that shuts, also on a unit, and an order with several stops.

use std::io::{self, Write};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    Cell, NavQuery, TilepathPlugin,
    events::ObstacleClear,
    groups::{Formation, Group, GroupArrived, GroupFailed, GroupOrder},
};

use tilepath_examples::{ground::Ground, tiles::centre_of};

use crate::{
    level::Level,
    scene::{GateIsOpen, GroundMap, ScenePlugin},
    units::Unit,
};

/// More ticks than any order needs.
const MOST: usize = 4000;

/// The results of group orders.
#[derive(Resource, Default)]
struct Ends {
    arrived: Vec<GroupArrived>,
    failed: Vec<GroupFailed>,
    is_clear: bool,
}

/// Runs the orders, and prints the places of the units.
///
/// # Errors
/// If `out` cannot be written to, or a unit of a group is not at its place at the end.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Ends>()
        .add_observer(|on: On<GroupArrived>, mut ends: ResMut<Ends>| ends.arrived.push(*on.event()))
        .add_observer(|on: On<GroupFailed>, mut ends: ResMut<Ends>| ends.failed.push(*on.event()))
        .add_observer(|_: On<ObstacleClear>, mut ends: ResMut<Ends>| ends.is_clear = true);
    app.update();
    app.update();
    let mut query = app.world_mut().query_filtered::<Entity, With<Unit>>();
    let units: Vec<Entity> = query.iter(app.world()).collect();

    let courtyard = centre_of(Cell::new(12, 12));
    for &formation in Formation::ALL {
        let order = GroupOrder::to(units.iter().copied(), courtyard).in_formation(formation);
        let group = app.world_mut().spawn(order).id();
        let ticks = run_to_end(&mut app, group)?;
        tell(out, &mut app, &format!("all {} as a {formation}, after {ticks} ticks", units.len()))?;
    }
    app.insert_resource(GateIsOpen(false));
    let beyond = centre_of(Cell::new(30, 11));
    let order = GroupOrder::to(units.iter().copied(), beyond).in_formation(Formation::Box).at_common_pace();
    let group = app.world_mut().spawn(order).id();
    for _ in 0..60 {
        app.update();
    }
    if let Some(mut group) = app.world_mut().get_mut::<Group>(group) {
        group.push(centre_of(Cell::new(28, 10)));
    }
    let shut = run_to_end(&mut app, group)?;
    tell(out, &mut app, &format!("with the gate shut, by the north, after {shut} ticks"))?;
    app.insert_resource(GateIsOpen(true));
    let group = app.world_mut().spawn(GroupOrder::to(units.iter().copied(), courtyard)).id();
    let open = run_to_end(&mut app, group)?;
    tell(out, &mut app, &format!("back through the open gate, after {open} ticks"))?;

    let gateway = app.world().resource::<Level>().gateway().center();
    let group = app.world_mut().spawn(GroupOrder::to(units[..1].iter().copied(), gateway)).id();
    run_to_end(&mut app, group)?;
    app.world_mut().resource_mut::<Ends>().is_clear = false;
    app.insert_resource(GateIsOpen(false));
    let clear = run_until_clear(&mut app)?;
    tell(out, &mut app, &format!("one makes room for the gate, {clear} ticks after it shuts"))?;

    let ends = app.world().resource::<Ends>();
    let all: usize = ends.arrived.iter().map(|end| end.arrived).sum();
    let failures = [
        (!ends.failed.is_empty() || ends.arrived.len() != 7, "a group has failed"),
        (all != 6 * units.len() + 1, "some are not at their places"),
        (shut < open, "the gate makes no difference"),
    ];
    match failures.iter().find(|(is_so, _)| *is_so) {
        Some((_, what)) => Err(io::Error::other(*what)),
        None => Ok(()),
    }
}

/// Runs until the order of a group is over. Returns the number of ticks.
fn run_to_end(app: &mut App, group: Entity) -> io::Result<usize> {
    for ticks in 0..MOST {
        if app.world().get::<GroupOrder>(group).is_none() {
            app.world_mut().despawn(group);
            return Ok(ticks);
        }
        app.update();
    }
    Err(io::Error::other("a group does not come to its end"))
}

/// Runs until no unit is in the gate. Returns the number of ticks.
fn run_until_clear(app: &mut App) -> io::Result<usize> {
    for ticks in 0..MOST {
        if app.world().resource::<Ends>().is_clear {
            return Ok(ticks);
        }
        app.update();
    }
    Err(io::Error::other("somebody stays in the gate"))
}

/// Writes a headline, and the map with the units.
fn tell(out: &mut dyn Write, app: &mut App, headline: &str) -> io::Result<()> {
    let last = app.world().resource::<Ends>().arrived.last().copied();
    let ends = last.map_or_else(String::new, |end| {
        format!(
            " {} at their places, {} near, {} lost, {} elsewhere",
            end.arrived, end.with_shortfall, end.lost, end.left
        )
    });
    writeln!(out, "{headline},{ends}:")?;
    let rows = app.world_mut().run_system_cached(draw).map_err(io::Error::other)??;
    for row in rows {
        writeln!(out, "  {row}")?;
    }
    Ok(())
}

/// Returns the map as letters, the highest row first, or an error if two units are on one cell.
fn draw(
    level: Res<Level>,
    nav: NavQuery,
    ground: Single<Entity, With<GroundMap>>,
    units: Query<&Unit>,
) -> io::Result<Vec<String>> {
    let (width, height) = (level.plan.width as usize, level.plan.height as usize);
    let mut rows = vec![vec!['.'; width]; height];
    for cell in level.plan.cells() {
        let is_open = nav.map(*ground).is_ok_and(|map| map.is_reachable(cell, cell).is_ok());
        let letter = match level.plan.ground_beyond(cell) {
            Ground::Water => '~',
            Ground::Rock => '#',
            _ if is_open => '.',
            _ => '#',
        };
        rows[height - 1 - cell.y as usize][cell.x as usize] = letter;
    }
    for stance in nav.bodies_on(*ground) {
        let Ok(unit) = units.get(stance.entity) else { continue };
        let letter = match unit {
            Unit::Soldier => 's',
            Unit::Archer => 't',
            Unit::Wagon => 'W',
            Unit::Boat => 'O',
        };
        let side = i32::from(stance.side);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let cell = stance.to + (x, y);
            let place = &mut rows[height - 1 - cell.y as usize][cell.x as usize];
            if !matches!(*place, '.' | '~') {
                return Err(io::Error::other(format!("{unit:?} stands on {place} at {cell}")));
            }
            *place = letter;
        }
    }
    Ok(rows.into_iter().map(String::from_iter).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_finds_a_place_in_every_formation() {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().filter(|line| line.ends_with(':')).count(), 7, "{text}");
    }
}
