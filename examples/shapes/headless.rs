//! Four walks without a window, with a rock on each path.

use std::{
    io::{self, Write},
    time::Duration,
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{
    AgentPath, PathStatus, TilepathPlugin,
    events::{PathPointReached, Replanned},
};

use crate::{
    ground::{Ground, Maps},
    level::Shape,
    orders::order,
    scene::{ScenePlugin, Walker},
};

/// The time from one update to the next.
const STEP: Duration = Duration::from_millis(50);
/// More updates than any walk needs.
const PATIENCE: usize = 2000;

/// The result of a walk.
#[derive(Component, Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Diary {
    steps: u32,
    replans: u32,
}

/// Runs a walk on each map at the same time, and prints the results.
///
/// # Errors
/// If `out` cannot be written to, or a walker does not arrive.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
        .insert_resource(TimeUpdateStrategy::ManualDuration(STEP))
        .add_observer(|reached: On<PathPointReached>, mut diaries: Query<&mut Diary>| {
            if let Ok(mut diary) = diaries.get_mut(reached.entity) {
                diary.steps += 1;
            }
        })
        .add_observer(|replanned: On<Replanned>, mut diaries: Query<&mut Diary>| {
            if let Ok(mut diary) = diaries.get_mut(replanned.entity) {
                diary.replans += 1;
            }
        });
    app.update();
    app.update();
    app.world_mut().run_system_cached(give_orders).map_err(io::Error::other)?;
    app.update();
    let plans = app.world_mut().run_system_cached(drop_rocks).map_err(io::Error::other)?;
    for _ in 0..PATIENCE {
        app.update();
        let world = app.world_mut();
        if world.query_filtered::<&PathStatus, With<Walker>>().iter(world).all(has_ended) {
            break;
        }
    }
    // The drawn place is behind the place of the tick by a part of a tick.
    app.update();
    let world = app.world_mut();
    let mut walkers = world.query::<(&Walker, &PathStatus, &Transform, &Diary)>();
    let mut lost = Vec::new();
    for plan in plans {
        let Some((_, status, place, diary)) = walkers.iter(world).find(|(walker, ..)| walker.0 == plan.shape)
        else {
            continue;
        };
        let [from, to] = ['S', 'G'].map(|letter| plan.shape.find(letter));
        let is_there = *status == PathStatus::Arrived
            && place.translation.truncate().distance(plan.shape.centre_of(to)) < 0.01;
        writeln!(
            out,
            "{}: tile ({}, {}) to ({}, {}), {} cells for {}; a rock on ({}, {}), planned again {}; {} after {} cells",
            plan.shape.name(),
            from.x,
            from.y,
            to.x,
            to.y,
            plan.cells,
            plan.cost,
            plan.rock.x,
            plan.rock.y,
            match diary.replans {
                0 => "never".into(),
                1 => "once".into(),
                more => format!("{more} times"),
            },
            if is_there { "arrived" } else { "lost" },
            diary.steps,
        )?;
        if !is_there {
            lost.push(plan.shape.name());
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(io::Error::other(format!("not arrived: {}", lost.join(", ")))) }
}

fn has_ended(status: &PathStatus) -> bool {
    matches!(status, PathStatus::Arrived | PathStatus::Failed(_))
}

fn give_orders(mut commands: Commands, maps: Maps, walkers: Query<(Entity, &Walker)>) {
    for (walker, &Walker(shape)) in &walkers {
        let goal = shape.centre_of(shape.find('G'));
        if let Some(spot) = maps.spot_at(goal) {
            commands.entity(walker).insert((Diary::default(), order(spot, goal)));
        }
    }
}

/// The first path of a walker, and the cell of the rock.
struct Plan {
    shape: Shape,
    cells: usize,
    cost: String,
    rock: TilePos,
}

/// Puts a rock on each path once a third of it is walked.
fn drop_rocks(
    walkers: Query<(&Walker, &AgentPath)>,
    maps: Maps,
    tiles: Query<&TilePos>,
    mut grounds: Query<&mut Ground>,
) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (&Walker(shape), path) in &walkers {
        let points = path.points();
        let Some(spot) = maps.spot_at(points[points.len() / 3]) else { continue };
        let Ok((mut ground, &rock)) =
            grounds.get_mut(spot.tile).and_then(|ground| Ok((ground, tiles.get(spot.tile)?)))
        else {
            continue;
        };
        ground.turn();
        let cost = path.cost().map_or_else(String::new, |cost| cost.to_string());
        plans.push(Plan { shape, cells: points.len(), cost, rock });
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_four_arrive_though_rocks_fall_onto_their_ways() {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        for (line, shape) in lines.iter().zip(Shape::ALL) {
            assert!(line.starts_with(shape.name()), "{line}");
            assert!(line.contains("planned again once") && line.contains("arrived"), "{line}");
        }
    }
}
