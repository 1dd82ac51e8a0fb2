//! Orders to an entity: a guard chases a thief, a dog follows.
//!
//! The path follows the entity wherever it goes.
//!
//! `cargo run --example chase`
//!
//! Guide: `docs/guide/src/05-goals-that-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{events::Replanned, prelude::*, tilepath::format::parse_ascii};

const TOWN: &str = "
    ....................
    .####..####..#####..
    .####..####..#####..
    ....................
    .####..####..#####..
    .####..####..#####..
    ....................
";

/// Counts the new paths of the chase.
#[derive(Resource, Default)]
struct NewWays(usize);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<NewWays>()
        .add_observer(|on: On<Arrived>| println!("{} has arrived at {}.", on.entity, on.place))
        .add_observer(|_: On<Replanned>, mut ways: ResMut<NewWays>| ways.0 += 1);
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    let town = app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(TOWN)?), corner)).id();
    app.update();

    let mut walker = |x: f32, y: f32, speed: f32| {
        let place = Transform::from_xyz(x, y, 0.0);
        app.world_mut().spawn((PathAgent { speed: speed.into(), ..default() }, place)).id()
    };
    let thief = walker(8.5, 3.5, 2.0);
    let guard = walker(0.5, 0.5, 4.0);
    let dog = walker(19.5, 6.5, 4.0);
    let order = |app: &mut App, who: Entity, request: PathRequest| {
        app.world_mut().entity_mut(who).insert(request);
    };
    order(&mut app, thief, PathRequest::to_cell(Cell::new(19, 0)));
    order(&mut app, guard, PathRequest::to(thief)); // ends when the thief is caught
    order(&mut app, dog, PathRequest::to(guard).following()); // has no end

    let mut ticks = 0;
    while app.world().get::<PathRequest>(guard).is_some() {
        app.update();
        ticks += 1;
        assert!(ticks < 2000, "the guard is faster");
    }
    let where_is = |app: &App, who: Entity| {
        app.world().get::<Transform>(who).map(|place| place.translation.truncate()).unwrap_or_default()
    };
    println!("Caught after {ticks} ticks at {}.", where_is(&app, thief));
    assert!(where_is(&app, guard).distance(where_is(&app, thief)) < 1.5);

    // The dog goes to the guard and waits there.
    for _ in 0..600 {
        app.update();
    }
    assert_eq!(where_is(&app, dog), where_is(&app, guard));
    assert_eq!(app.world().get::<PathStatus>(dog), Some(&PathStatus::Following));

    // The thief ran over a dozen cells. The guard searched again only where a new path could be
    // better by a tenth.
    let NewWays(ways) = *app.world().resource::<NewWays>();
    println!("{ways} new paths were taken.");
    assert!(ways <= 8, "{ways}");

    // When the master is despawned, the order fails with a reason.
    app.add_observer(|on: On<PathLost>| println!("The dog stops: {}.", on.reason));
    app.world_mut().despawn(guard);
    app.update();
    assert_eq!(app.world().get::<PathStatus>(dog), Some(&PathStatus::Failed(PathFailure::TargetGone)));
    app.world_mut().despawn(town);
    Ok(())
}
