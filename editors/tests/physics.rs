//! Units that a physics engine moves through a street of carts and boxes.

use bevy::prelude::*;
use bevy_tilepath::prelude::*;
use tilepath_editors::street::{Tally, spawn_unit, street, units_in_walls};

const UNITS: i32 = 50;
/// A number without a common divisor with [`UNITS`], so that goals are mixed.
const STRIDE: i32 = 17;

/// Spawns a unit for each goal. Returns the units.
fn spawn_units(app: &mut App) -> Vec<Entity> {
    let cells = (0..UNITS).map(|index| {
        let goal = index * STRIDE % UNITS;
        (Cell::new(1 + index % 5, 5 + index / 5), Cell::new(33 + 2 * (goal % 3), 1 + goal / 3))
    });
    let cells: Vec<_> = cells.collect();
    cells.into_iter().map(|(from, to)| spawn_unit(app.world_mut(), from, to, 5.0)).collect()
}

#[test]
fn fifty_units_pass_a_street_of_moving_boxes_and_none_enters_a_wall() {
    let mut app = street().unwrap();
    let units = spawn_units(&mut app);
    let mut ticks = 0;
    while app.world().resource::<Tally>().arrived < units.len() && ticks < 4000 {
        app.update();
        ticks += 1;
        let inside = app.world_mut().run_system_cached(units_in_walls).unwrap();
        assert_eq!(inside, [], "tick {ticks}: these units are in a wall");
        if ticks % 200 == 0 {
            eprintln!("{ticks} {:?}", app.world().resource::<Tally>());
        }
    }
    eprintln!("{ticks} {:?}", app.world().resource::<Tally>());
    for &unit in &units {
        let status = app.world().get::<PathStatus>(unit);
        if status != Some(&PathStatus::Arrived) {
            let place = app.world().get::<Transform>(unit).unwrap().translation.truncate() / 16.0;
            let vel = app.world().get::<avian2d::prelude::LinearVelocity>(unit).unwrap();
            let m = app.world().get::<Motion>(unit).unwrap();
            let p = app.world().get::<AgentPath>(unit);
            eprintln!(
                "{unit} {status:?} {place} v={vel:?} wanted={:?} next={:?}",
                m.velocity,
                p.map(|p| (p.remaining_cells().first().copied(), p.remaining_cells().last().copied()))
            );
        }
    }
    let mut q = app.world_mut().query::<(Entity, &Transform, &avian2d::prelude::LinearVelocity, Has<tilepath_editors::street::Crate>, Option<&tilepath_editors::street::Cart>)>();
    for (e, t, v, c, cart) in q.iter(app.world()) {
        if c || cart.is_some() { eprintln!("{e} {:?} {} v={:?} rot={:?}", cart, t.translation.truncate() / 16.0, v.0, t.rotation.to_euler(EulerRot::XYZ).2); }
    }
    for unit in units {
        assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    }
}
