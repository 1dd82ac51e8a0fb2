//! A street in which a physics engine moves the units.
//!
//! Twelve units walk down the street, between carts, and push boxes aside. An explosion throws them
//! off their paths. They find back, and all of them arrive.
//!
//! `cargo run --manifest-path editors/Cargo.toml --example physics`

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::prelude::*;
use bevy_tilepath::prelude::*;
use tilepath_editors::street::{CELL, Crate, Explosion, Tally, explode, spawn_unit, street, units_in_walls};

const UNITS: usize = 12;

fn main() -> Result {
    let mut app = street()?;
    let mut units = vec![];
    for index in 0..UNITS as i32 {
        let (column, row) = (index % 3, index / 3);
        let place = Vec2::new((1 + 2 * column) as f32, (8 + row) as f32) + 0.5;
        let goal = Cell::new(41 - 2 * column, 6 + 2 * row);
        units.push(spawn_unit(app.world_mut(), place, goal, 5.0));
    }
    let boxes = app.world_mut().run_system_cached(places_of_boxes)?;

    step(&mut app, 150)?;
    let centre = app.world_mut().run_system_cached(middle_of_units)?;
    let explosion = Explosion { centre, reach: 5.0 * CELL, speed: 24.0 * CELL };
    let shoved = app.world_mut().run_system_cached_with(explode, explosion)?;
    println!(
        "An explosion at {:.0} throws {} of {UNITS} units off their paths.",
        centre / CELL,
        shoved.len()
    );
    assert!(!shoved.is_empty());

    let mut ticks = 150;
    while app.world().resource::<Tally>().arrived < UNITS {
        step(&mut app, 1)?;
        ticks += 1;
        assert!(ticks < 3000, "{:?}", app.world().resource::<Tally>());
    }
    let tally = *app.world().resource::<Tally>();
    println!("All have arrived after {ticks} ticks. {} paths were replanned.", tally.replanned);
    assert_eq!(tally.failed, 0);
    for unit in units {
        assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    }
    let moved = app.world_mut().run_system_cached(places_of_boxes)?;
    let count =
        boxes.iter().zip(&moved).filter(|(before, after)| before.distance(**after) > 0.1 * CELL).count();
    println!("They have pushed {count} of {} boxes aside.", boxes.len());
    assert!(count > 0);
    Ok(())
}

/// Takes this many steps. No unit may enter a wall.
fn step(app: &mut App, ticks: usize) -> Result {
    for _ in 0..ticks {
        app.update();
        assert_eq!(app.world_mut().run_system_cached(units_in_walls)?, [], "these units are in a wall");
    }
    Ok(())
}

/// Returns where the boxes are.
fn places_of_boxes(boxes: Query<&Transform, With<Crate>>) -> Vec<Vec2> {
    boxes.iter().map(|place| place.translation.truncate()).collect()
}

/// Returns the point in the middle of all units.
fn middle_of_units(units: Query<&Transform, With<PathAgent>>) -> Vec2 {
    let sum: Vec2 = units.iter().map(|place| place.translation.truncate()).sum();
    sum / units.iter().count() as f32
}
