//! The valley without a window.
//!
//! A maze is built, its last gap is refused, and creeps become ghosts and bodies again.

use std::io::{self, Write};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{Cell, TilepathPlugin};

use crate::{
    build::{Build, News, Tower},
    creeps::{Creep, Mode, Score},
    level::{LAST_GAP, maze},
    scene::ScenePlugin,
    ways::Ways,
};

/// Ticks of each part of the run.
const OPEN: usize = 1200;
const MAZE: usize = 2400;
const GHOSTS: usize = 900;
/// The number of attempts for towers that had no place at first.
const ROUNDS: usize = 600;
/// Ticks in which former ghosts may move apart.
const PARTING: usize = 300;
const AGAIN: usize = 900;

/// Runs the game while towers are built, and prints the counts.
///
/// # Errors
/// If `out` cannot be written to, a tower closes a path, or the counts are not as expected.
pub(crate) fn run(out: &mut dyn Write) -> io::Result<()> {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    let open = run_part(out, &mut app, "without a tower", OPEN)?;
    let ways_open = lengths(&app);

    let mut wanted: Vec<Cell> = maze().chain(LAST_GAP[..2].iter().copied()).collect();
    for _ in 0..ROUNDS {
        // A tower has to wait if a creep stands there.
        wanted.retain(|&cell| try_to_build(&mut app, cell).is_some());
        if wanted.is_empty() {
            break;
        }
    }
    writeln!(out, "{} towers stand", count::<Tower>(&mut app))?;
    for &cell in &wanted {
        writeln!(out, "no tower on {cell}: {}", try_to_build(&mut app, cell).unwrap_or_default())?;
    }
    let sealing = try_to_build(&mut app, LAST_GAP[2]);
    writeln!(out, "the last gap: {}", sealing.as_deref().unwrap_or("built"))?;
    let maze = run_part(out, &mut app, "through the maze", MAZE)?;
    let ways_maze = lengths(&app);

    app.insert_resource(Mode::Ghosts);
    let ghosts = run_part(out, &mut app, "as ghosts", GHOSTS)?;
    app.insert_resource(Mode::Bodies);
    run_part(out, &mut app, "bodies again, parting", PARTING)?;
    let again = run_part(out, &mut app, "bodies again", AGAIN)?;

    let score = *app.world().resource::<Score>();
    let left = count::<Creep>(&mut app);
    writeln!(
        out,
        "{} have come: {} shot, {} at the keep, {left} on the way",
        score.come, score.shot, score.through
    )?;
    let failures = [
        (open.through == 0, "nothing arrives at the keep"),
        (open.shot > 0, "a creep is shot without a tower"),
        (!wanted.is_empty(), "the maze has no place"),
        (sealing.is_none(), "a tower has sealed the valley"),
        (
            ways_maze.iter().zip(ways_open).any(|(maze, open)| *maze < open + 10),
            "the maze makes no path longer",
        ),
        (maze.shot == 0, "no tower hits"),
        (open.all_collisions + maze.all_collisions + again.all_collisions > 0, "bodies have collided"),
        (ghosts.all_collisions == 0, "ghosts do not meet: there is nothing to be seen"),
        (score.failed > 0, "a creep has no path"),
        (score.shot + score.through + left as u32 != score.come, "creeps are lost"),
    ];
    match failures.iter().find(|(is_so, _)| *is_so) {
        Some((_, what)) => Err(io::Error::other(*what)),
        None => Ok(()),
    }
}

/// A number of ticks, and the counts in them.
fn run_part(out: &mut dyn Write, app: &mut App, name: &str, ticks: usize) -> io::Result<Score> {
    let before = *app.world().resource::<Score>();
    for _ in 0..ticks {
        app.update();
    }
    let after = *app.world().resource::<Score>();
    let counted = Score {
        ticks: after.ticks - before.ticks,
        come: after.come - before.come,
        shot: after.shot - before.shot,
        through: after.through - before.through,
        failed: after.failed - before.failed,
        collisions: after.collisions,
        all_collisions: after.all_collisions - before.all_collisions,
    };
    let [north, south] = lengths(app);
    writeln!(
        out,
        "{name}: {} have come, {} shot, {} at the keep, {} collisions; {north} steps from the north, {south} from the south",
        counted.come, counted.shot, counted.through, counted.all_collisions
    )?;
    Ok(counted)
}

/// Returns why a tower is refused.
fn try_to_build(app: &mut App, cell: Cell) -> Option<String> {
    let before = count::<Tower>(app);
    app.world_mut().write_message(Build::Tower(cell));
    app.update();
    (count::<Tower>(app) == before).then(|| app.world().resource::<News>().text.clone())
}

fn lengths(app: &App) -> [usize; 2] {
    app.world().resource::<Ways>().0.each_ref().map(|way| way.len().saturating_sub(1))
}

fn count<C: Component>(app: &mut App) -> usize {
    app.world_mut().query_filtered::<(), With<C>>().iter(app.world()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towers_make_a_maze_and_never_a_wall() {
        let mut out = Vec::new();
        run(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("the last gap: it would close the path from the northern gate"), "{text}");
    }
}
