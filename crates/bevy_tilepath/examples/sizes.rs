//! Units of one, two and three cells a side.
//!
//! Each takes the gap that it fits through. One grows inside its gap, and then leaves the walls
//! below it.
//!
//! `cargo run --example sizes`
//!
//! Guide: `docs/guide/src/02-terrain-and-movements.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{ecs::system::RunSystemOnce, prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    prelude::*,
    tilepath::{Size, format::parse_ascii},
};

const LEVEL: &str = "
    ....................
    ....................
    ....................
    ###.#####..######...
    ###.#####..######...
    ....................
    ....................
    ....................
";

fn of_size(side: u8) -> Result<AgentMovement> {
    Ok(Movement::new().with_size(Size::new(side)?).into())
}

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let projection = NavProjection::square(Vec2::ONE, Vec2::splat(0.5));
    app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(LEVEL)?), projection));

    let mut units = Vec::new();
    for side in 1..=3 {
        // The position is the middle of the unit. Its cell is the lowest and leftmost one.
        let middle = Vec2::splat(f32::from(side) / 2.0);
        let unit = (
            PathAgent { speed: 8.0.into(), ..default() },
            of_size(side)?,
            Transform::from_translation(middle.extend(0.0)),
            PathRequest::to_cell((1, 5)),
        );
        units.push(app.world_mut().spawn(unit).id());
    }
    app.update();
    app.update();
    let gaps: Vec<i32> = units
        .iter()
        .filter_map(|&unit| {
            let path = app.world().get::<AgentPath>(unit)?.path()?;
            path.cells().iter().find(|cell| cell.y == 3).map(|cell| cell.x)
        })
        .collect();
    println!("Units of 1, 2 and 3 cells pass the wall at columns {gaps:?}.");
    assert_eq!(gaps, [3, 9, 17]);

    // Any system can test where a unit fits before it gives an order.
    let (small, large) = (units[0], units[2]);
    let asked = app.world_mut().run_system_once(move |nav: NavQuery| {
        let (from, to) = (Cell::new(2, 0), Cell::new(3, 3));
        [small, large].map(|unit| nav.map_of(unit)?.is_reachable(from, to))
    });
    assert_eq!(asked.map_err(|error| format!("{error:?}"))?, [Ok(true), Ok(false)]);

    // In the middle of its gap the smallest unit grows. Now it stands on walls, and it may leave
    // them.
    while app.world().get::<Transform>(small).is_some_and(|at| at.translation.y < 4.0) {
        app.update();
    }
    app.world_mut().entity_mut(small).insert(of_size(2)?);
    let mut orders = app.world_mut().query::<&PathRequest>();
    while orders.iter(app.world()).count() > 0 {
        app.update();
    }
    app.update(); // drawn where it has arrived
    for (unit, side) in units.into_iter().zip([2.0, 2.0, 3.0]) {
        let at = app.world().get::<Transform>(unit).ok_or("it is there")?.translation.truncate();
        assert!(at.distance(Vec2::new(1.0, 5.0) + side / 2.0) < 1e-3, "{at}");
    }
    println!("All have arrived.");
    Ok(())
}
