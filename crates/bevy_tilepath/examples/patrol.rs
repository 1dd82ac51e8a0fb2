//! A guard on patrol: an order with several stops, edited while it walks.
//!
//! A porter waits before a closed gate.
//!
//! `cargo run --example patrol`
//!
//! Guide: `docs/guide/src/06-stops-and-patrols.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    events::StopReached, orders::PathStops, prelude::*, queries::WhyNot, tilepath::format::parse_ascii,
};

const YARD: &str = "
    ............
    .##########.
    .#........#.
    .#........#.
    .##########.
    ............
";
const GATE: Cell = Cell::new(5, 1);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(|on: On<StopReached>| println!("Stop {} is reached at {}.", on.index, on.place))
        .add_observer(|on: On<Arrived>| println!("{} has arrived at {}.", on.entity, on.place));
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    let yard = app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(YARD)?), corner)).id();
    app.update();

    let round = PathRequest::to(Cell::new(11, 0)).then(Cell::new(11, 5)).then(Cell::new(0, 5)).looped();
    let place = Transform::from_xyz(0.5, 0.5, 0.0);
    let guard = app.world_mut().spawn((PathAgent { speed: 8.0.into(), ..default() }, place, round)).id();
    until(&mut app, |app| current_stop(app, guard) == Some(2));

    // Adds a stop at the end of the patrol. The guard does not halt for it.
    app.world_mut().get_mut::<PathStops>(guard).ok_or("it has an order")?.push(Cell::new(0, 0));
    until(&mut app, |app| current_stop(app, guard) == Some(3));
    until(&mut app, |app| current_stop(app, guard) == Some(0));

    // The gate is closed, and this order waits until it opens.
    let place = Transform::from_xyz(5.5, 0.5, 0.0);
    let delivery = PathRequest::to(Cell::new(5, 3)).or_wait();
    let porter = app.world_mut().spawn((PathAgent { speed: 8.0.into(), ..default() }, place, delivery)).id();
    app.update();
    app.update();
    let why = app.world_mut().run_system_cached_with(ask, porter)?;
    println!("The porter stands: {}.", why.ok_or("it walks")?);
    assert_eq!(why, Some(WhyNot::WaitingForWay(PathFailure::Unreachable)));
    app.world_mut().get_mut::<NavGrid>(yard).ok_or("it is a map")?.set_terrain(GATE, 1)?;
    until(&mut app, |app| app.world().get::<PathStatus>(porter) == Some(&PathStatus::Arrived));
    assert!(app.world().get::<PathRequest>(guard).is_some(), "a round has no end");
    Ok(())
}

fn ask(In(unit): In<Entity>, nav: NavQuery) -> Option<WhyNot> {
    nav.why_not(unit)
}

fn current_stop(app: &App, unit: Entity) -> Option<usize> {
    Some(app.world().get::<PathStops>(unit)?.current())
}

fn until(app: &mut App, is_so: impl Fn(&App) -> bool) {
    for _ in 0..2000 {
        if is_so(app) {
            return;
        }
        app.update();
    }
    panic!("this does not happen in time");
}
