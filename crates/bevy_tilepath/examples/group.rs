//! A squad and a wagon in formation: `GroupOrder`.
//!
//! It goes through a gap in a wedge, loses a soldier, and continues in a line.
//!
//! `cargo run --example group`
//!
//! Guide: `docs/guide/src/04-bodies-and-groups.md`.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    groups::{Formation, GroupArrived, GroupFailed},
    prelude::*,
    tilepath::{Size, format::parse_ascii},
};

const FIELD: &str = "
    ...........#............
    ...........#............
    ...........#............
    ........................
    ........................
    ...........#............
    ...........#............
    ...........#............
";

fn main() -> Result {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .add_observer(|on: On<GroupArrived>| {
            println!(
                "{} stand at their places, {} near them, {} are lost.",
                on.arrived, on.with_shortfall, on.lost
            );
        })
        .add_observer(|on: On<GroupFailed>| println!("The group has failed: {}.", on.reason));
    let wagon = Movement::new().with_size(Size::new(2)?);
    let corner = NavProjection::square(Vec2::ONE, Vec2::splat(0.5)); // cell (0, 0) from (0, 0) to (1, 1)
    let rules = NavMap::default().with_movement("wagon", wagon);
    let field = app.world_mut().spawn((rules, NavGrid::new(parse_ascii(FIELD)?), corner)).id();
    app.update();

    let agent = PathAgent { speed: 6.0.into(), ..default() };
    let mut squad: Vec<Entity> = (0..6)
        .map(|n| {
            let place = Transform::from_xyz((n % 2) as f32 + 2.5, (n / 2) as f32 + 3.5, 0.0);
            app.world_mut().spawn((agent, Body::default(), place)).id()
        })
        .collect();
    let place = Transform::from_xyz(1.0, 5.0, 0.0);
    squad.push(app.world_mut().spawn((agent, Body::default(), AgentMovement::from("wagon"), place)).id());

    let goal = Cell::new(19, 4);
    let wedge = GroupOrder::to(squad.iter().copied(), goal).in_formation(Formation::Wedge).at_common_pace();
    let group = app.world_mut().spawn(wedge).id();
    for _ in 0..60 {
        app.update();
    }
    println!("One soldier falls, and the others close the gap.");
    app.world_mut().despawn(squad.remove(2));
    run_to_end(&mut app, group);
    draw(&mut app, field)?;

    let line = GroupOrder::to(squad.iter().copied(), Cell::new(4, 4)).in_formation(Formation::Line);
    app.world_mut().entity_mut(group).insert(line);
    run_to_end(&mut app, group);
    let picture = draw(&mut app, field)?;
    let column = |x: usize| picture.lines().filter(|row| row.as_bytes()[x] == b's').count();
    assert_eq!(column(4), 5, "five soldiers stand in a line across the path back");
    Ok(())
}

fn run_to_end(app: &mut App, group: Entity) {
    for _ in 0..2000 {
        if app.world().get::<GroupOrder>(group).is_none() {
            return;
        }
        app.update();
    }
    panic!("they do not arrive in time");
}

/// Draws the map with the soldiers and the wagon.
fn draw(app: &mut App, field: Entity) -> Result<String> {
    let picture = app.world_mut().run_system_cached_with(picture, field)?;
    println!("{picture}");
    Ok(picture)
}

fn picture(In(field): In<Entity>, nav: NavQuery) -> String {
    let mut rows: Vec<Vec<u8>> = FIELD.split_whitespace().map(|row| row.as_bytes().to_vec()).collect();
    let top = rows.len() as i32 - 1;
    for body in nav.bodies_on(field) {
        let side = i32::from(body.side);
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            let row = (top - body.to.y - y) as usize;
            rows[row][(body.to.x + x) as usize] = if side == 1 { b's' } else { b'W' };
        }
    }
    rows.iter().map(|row| String::from_utf8_lossy(row) + "\n").collect()
}
