//! A deer runs away from a wolf: `PathGoal::flee`.
//!
//! The order is given again whenever the wolf comes too near.
//!
//! `cargo run --example flee`
//!
//! Guide: `docs/guide/src/05-goals-that-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{prelude::*, tilepath::format::parse_ascii};

const WOODS: &str = "
    ................................................
    ................................................
    ....##.......##.......##.......##.......##......
    ....##.......##.......##.......##.......##......
    ................................................
    ................................................
    ................................................
    ................................................
    ....##.......##.......##.......##.......##......
    ....##.......##.......##.......##.......##......
    ................................................
    ................................................
";
/// The distance at which the deer notices the wolf, in cells. It runs until the wolf is twice as
/// far.
const ALARM: f32 = 4.0;

#[derive(Component)]
struct Deer;

#[derive(Component)]
struct Wolf;

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_systems(FixedUpdate, take_fright.before(TilepathSystems::AcceptRequests))
        .add_observer(|on: On<PathFound>, deer: Query<(), With<Deer>>| {
            if deer.contains(on.entity) {
                println!("The deer runs to {}.", on.goal);
            }
        });
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    app.world_mut().spawn((NavMap::default(), NavGrid::new(parse_ascii(WOODS)?), corner));
    app.update();

    let animal = |x: f32, y: f32, speed: f32| {
        (PathAgent { speed: speed.into(), ..default() }, Transform::from_xyz(x, y, 0.0))
    };
    let deer = app.world_mut().spawn((Deer, animal(6.5, 2.5, 6.0))).id();
    let wolf = app.world_mut().spawn((Wolf, animal(0.5, 2.5, 3.0))).id();
    app.world_mut().entity_mut(wolf).insert(PathRequest::to(deer).following());

    let distance = |app: &App| {
        let at = |animal| app.world().get::<Transform>(animal).map(|place| place.translation.truncate());
        at(deer).zip(at(wolf)).map(|(deer, wolf)| deer.distance(wolf)).unwrap_or_default()
    };
    let mut nearest = f32::INFINITY;
    for _ in 0..600 {
        app.update();
        nearest = nearest.min(distance(&app));
    }
    println!("The wolf came as near as {nearest:.1} cells.");
    assert!(nearest > 3.0, "the deer is faster");
    Ok(())
}

fn take_fright(
    deer: Query<(Entity, &Transform), (With<Deer>, Without<PathRequest>)>,
    wolves: Query<(Entity, &Transform), With<Wolf>>,
    mut commands: Commands,
) {
    for (deer, at) in &deer {
        for (wolf, threat) in &wolves {
            if at.translation.distance(threat.translation) < ALARM {
                // The cost of 30 straight steps over grass.
                commands.entity(deer).insert(PathRequest::to(PathGoal::flee(
                    [wolf],
                    2.0 * ALARM,
                    Cost::new(300),
                )));
            }
        }
    }
}
