//! Units that a physics engine moves through a street of carts and boxes.

use std::collections::HashSet;

use bevy::prelude::*;
use bevy_tilepath::{events::Replanned, prelude::*};
use tilepath_editors::street::{
    CELL, Explosion, Grip, Tally, explode, spawn_unit, street, units_in_walls, walled,
};

const UNITS: i32 = 50;

/// A number without a common divisor with [`UNITS`], so that goals are mixed.
const STRIDE: i32 = 17;

/// The ticks in which all units are to arrive.
const MOST_TICKS: usize = 2000;

/// Spawns a unit for each goal. Returns the units.
fn spawn_units(app: &mut App) -> Vec<Entity> {
    let unit = |index| {
        let goal = index * STRIDE % UNITS;
        let place = Vec2::new((1 + index % 5) as f32, (5 + index / 5) as f32) + 0.5;
        spawn_unit(app.world_mut(), place, Cell::new(33 + 2 * (goal % 6), 2 + 2 * (goal / 6)), 5.0)
    };
    (0..UNITS).map(unit).collect()
}

fn tally(app: &App) -> Tally {
    *app.world().resource::<Tally>()
}

fn tick(app: &mut App) {
    app.update();
    let inside = app.world_mut().run_system_cached(units_in_walls).expect("there is one map");
    assert_eq!(inside, [], "these units are in a wall: {:?}", tally(app));
}

/// Ticks until all of these units have arrived. Returns the number of ticks.
#[track_caller]
fn tick_until_all_arrive(app: &mut App, units: &[Entity]) -> usize {
    for ticks in 0..MOST_TICKS {
        if tally(app).arrived == units.len() {
            return ticks;
        }
        tick(app);
    }
    let lines: Vec<_> = units.iter().filter_map(|&unit| line_of(app, unit)).collect();
    panic!("{:?}\n{}", tally(app), lines.join("\n"));
}

/// Returns where a unit is that has not arrived, and where it wants to go.
fn line_of(app: &App, unit: Entity) -> Option<String> {
    let unit = app.world().entity(unit);
    let (place, wanted) = (unit.get::<Transform>()?.translation.truncate(), unit.get::<Motion>()?.velocity);
    let cells = unit.get::<AgentPath>()?.remaining_cells();
    let (place, wanted) = (place / CELL, wanted / CELL);
    unit.contains::<PathRequest>().then(|| format!("at {place}, wants {wanted} cells/s along {cells:?}"))
}

/// Sends all units through the street.
#[track_caller]
fn pass_the_street(grip: Grip) {
    let mut app = street().expect("the picture is a map");
    app.insert_resource(grip);
    let units = spawn_units(&mut app);
    tick_until_all_arrive(&mut app, &units);
    for unit in units {
        assert_eq!(app.world().get::<PathStatus>(unit), Some(&PathStatus::Arrived));
    }
    assert_eq!(tally(&app).failed, 0);
}

#[test]
fn fifty_units_pass_a_street_of_moving_boxes_and_none_enters_a_wall() {
    pass_the_street(Grip::default());
}

#[test]
fn fifty_units_pass_the_street_if_each_always_has_the_velocity_that_it_wants() {
    pass_the_street(Grip(f32::INFINITY));
}

/// The units that were replanned.
#[derive(Resource, Default)]
struct ReplannedUnits(HashSet<Entity>);

#[test]
fn units_that_an_explosion_shoves_go_on_or_are_replanned_and_arrive() {
    let mut app = street().unwrap();
    app.init_resource::<ReplannedUnits>().add_observer(
        |on: On<Replanned>, mut units: ResMut<ReplannedUnits>| {
            units.0.insert(on.entity);
        },
    );
    let units = spawn_units(&mut app);
    (0..120).for_each(|_| tick(&mut app));
    app.world_mut().resource_mut::<ReplannedUnits>().0.clear();
    let explosion = Explosion { centre: Vec2::new(10.0, 10.0) * CELL, reach: 4.0 * CELL, speed: 40.0 * CELL };
    let shoved = app.world_mut().run_system_cached_with(explode, explosion).unwrap();
    assert!(shoved.len() >= 10, "{}", shoved.len());
    (0..64).for_each(|_| tick(&mut app));
    for &unit in &shoved {
        let status = app.world().get::<PathStatus>(unit);
        assert!(matches!(status, Some(PathStatus::Following | PathStatus::Arrived)), "{unit}: {status:?}");
    }
    let replanned = &app.world().resource::<ReplannedUnits>().0;
    let count = shoved.iter().filter(|unit| replanned.contains(*unit)).count();
    assert!((1..shoved.len()).contains(&count), "{count} of {}", shoved.len());
    tick_until_all_arrive(&mut app, &units);
    assert_eq!(tally(&app).failed, 0);
}

#[test]
fn units_in_one_cell_of_a_narrow_lane_do_not_hold_each_other() {
    let mut app = walled("############\n#..........#\n############").unwrap();
    let units = [((2.15, 1.55), 7), ((2.85, 1.45), 9)];
    let units = units.map(|((x, y), to)| spawn_unit(app.world_mut(), Vec2::new(x, y), Cell::new(to, 1), 5.0));
    tick_until_all_arrive(&mut app, &units);
}

#[test]
fn three_units_in_one_cell_beside_a_corner_do_not_hold_each_other() {
    let mut app = walled("######\n#..###\n#....#\n#....#\n######").unwrap();
    let units = [((2.24, 2.73), (4, 1)), ((2.43, 2.16), (4, 2)), ((2.83, 2.61), (3, 1))];
    let units = units.map(|((x, y), to)| spawn_unit(app.world_mut(), Vec2::new(x, y), to.into(), 5.0));
    tick_until_all_arrive(&mut app, &units);
}
