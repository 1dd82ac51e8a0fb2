//! Archers come within sight and range of a target.
//!
//! `PathGoal::in_sight` and `within`, past a forest that blocks the sight.
//!
//! `cargo run --example in_sight`
//!
//! Guide: `docs/guide/src/05-goals-that-move.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{maps::OpaqueClasses, prelude::*, tilepath::format::parse_ascii};

/// `4` is forest: units may walk through it, but it blocks the sight.
const FIELD: &str = "
    ..........
    .....4....
    .....4....
    .....4....
    .....4....
    ..........
";
const FOREST: u8 = 4;
const TOWER: Cell = Cell::new(9, 3);

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(|on: On<Arrived>, names: Query<&Name>| -> Result {
            println!("The {} stands on {}.", names.get(on.entity)?, on.place);
            Ok(())
        });
    let rules = NavMap { opaque: OpaqueClasses::new([0, FOREST]), ..default() };
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    app.world_mut().spawn((rules, NavGrid::new(parse_ascii(FIELD)?), corner));

    let mut unit = |name: &'static str, order: PathRequest| {
        let agent = PathAgent { speed: 4.0.into(), ..default() };
        app.world_mut().spawn((Name::new(name), agent, Transform::from_xyz(0.5, 3.5, 0.0), order)).id()
    };
    let scout = unit("scout", PathRequest::to(PathGoal::in_sight(TOWER, 8.0)));
    let catapult = unit("catapult", PathRequest::to(PathGoal::within(TOWER, 5.0)));
    for _ in 0..600 {
        app.update();
    }
    let cell_of = |unit: Entity| -> Result<Cell> {
        let at = app.world().get::<Transform>(unit).ok_or("it is there")?.translation;
        Ok(Cell::new(at.x as i32, at.y as i32))
    };
    assert_eq!(cell_of(catapult)?, Cell::new(4, 3), "five cells away, behind the trees");
    let (scout, opaque) = (cell_of(scout)?, |cell: Cell| cell.x == 5 && (1..=4).contains(&cell.y));
    assert!(bevy_tilepath::tilepath::Topology::Square.sees(scout, TOWER, opaque));
    Ok(())
}
