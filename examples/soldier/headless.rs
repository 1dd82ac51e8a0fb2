//! The level and its orders without a window.

mod together;

use std::{
    io::{self, Write},
    path::Path as FilePath,
    time::Duration,
};

use bevy::{prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    AgentPath, Cell, Diagonals, NavGrid, PathStatus, TilepathPlugin,
    recording::PathRecorder,
    tilepath::{Grid, Path},
};
use tilepath_examples::{
    ground::Ground,
    tiles::{TILE, centre_of},
};

use crate::{
    brush::{Brush, Paint},
    report::{News, Report},
    rules::Rules,
    scene::{GroundMap, ScenePlugin},
    units::Unit,
};

/// The time from one update to the next: a quarter of a tile of walking.
const STEP: Duration = Duration::from_millis(62);
/// More updates than any order of the tour needs.
const PATIENCE: usize = 4000;

/// Runs the tour and prints its events. With a file, the recording is saved there.
///
/// # Errors
/// If `out` or the file cannot be written to, an order has another result than expected, or a unit
/// is on blocked ground.
pub(crate) fn run(out: &mut dyn Write, record: Option<&FilePath>) -> io::Result<()> {
    let mut tour = Tour::new();
    if record.is_some() {
        tour.app.insert_resource(PathRecorder::default().started());
    }
    writeln!(
        out,
        "S start   G goal   * path   = road or bridge   . grass   , mud   ~ water   # rock or obstacle"
    )?;

    tour.order(out, "over the bridge to the far road", Cell::new(34, 6))?;
    tour.walk(out)?;

    tour.rules(|rules| rules.terrain_costs = false);
    tour.order(out, "back to the village, terrain costs off", Cell::new(12, 16))?;
    tour.walk(out)?;

    tour.rules(|rules| *rules = Rules { diagonals: Diagonals::Never, ..default() });
    tour.order(out, "past the swamp, costs on, no diagonal steps", Cell::new(9, 2))?;
    tour.walk(out)?;

    tour.rules(|rules| *rules = default());
    tour.order(out, "into the river: the closest tile will do", Cell::new(21, 16))?;
    tour.walk(out)?;

    tour.order(out, "east again, and the bridges fall while it walks", Cell::new(33, 12))?;
    tour.steps(20);
    tour.paint(Brush::Ground(Ground::Water), (19..=23).flat_map(|x| [(x, 11), (x, 12)]));
    writeln!(out, "the great bridge is gone")?;
    tour.walk(out)?;

    tour.paint(Brush::Ground(Ground::Rock), [(16, 3), (17, 3), (22, 3), (23, 3)]);
    writeln!(out, "\nthe road to the small bridge is blocked with rocks")?;
    tour.rules(|rules| rules.closest = false);
    tour.order(out, "home, the exact tile or nothing", Cell::new(9, 15))?;
    tour.walk(out)?;

    tour.rules(|rules| rules.closest = true);
    tour.order(out, "as near to home as it gets", Cell::new(9, 15))?;
    tour.walk(out)?;

    together::run(&mut tour, out)?;

    if let Some(file) = record {
        let queries = tour.save(file)?;
        writeln!(out, "\n{queries} searches recorded in {}", file.display())?;
    }
    Ok(())
}

struct Tour {
    app: App,
    soldier: Entity,
    wagon: Entity,
    boat: Entity,
}

impl Tour {
    fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
        app.update();
        let world = app.world_mut();
        let mut units = world.query::<(Entity, &Unit)>();
        let [soldier, wagon, boat] = Unit::ALL.map(|wanted| {
            let found = units.iter(world).find(|(_, unit)| **unit == wanted);
            found.expect("the level has one of each, as a test says").0
        });
        Self { app, soldier, wagon, boat }
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.app.update();
        }
    }

    fn rules(&mut self, change: impl FnOnce(&mut Rules)) {
        change(&mut self.app.world_mut().resource_mut::<Rules>());
        self.steps(2);
    }

    fn paint(&mut self, brush: Brush, cells: impl IntoIterator<Item = (i32, i32)>) {
        let paints: Vec<Paint> =
            cells.into_iter().map(|(x, y)| Paint { cell: Cell::new(x, y), brush }).collect();
        self.app.world_mut().write_message_batch(paints);
        self.steps(1);
    }

    fn order(&mut self, out: &mut dyn Write, name: &str, goal: Cell) -> io::Result<()> {
        let world = self.app.world_mut();
        let rules = *world.resource::<Rules>();
        world.entity_mut(self.soldier).insert(crate::orders::order(centre_of(goal), rules));
        self.steps(2);
        writeln!(out, "\norder: {name}, to {goal}")?;
        self.draw(out)
    }

    fn save(&mut self, file: &FilePath) -> io::Result<usize> {
        let world = self.app.world_mut();
        let map =
            world.query_filtered::<Entity, With<GroundMap>>().single(world).map_err(io::Error::other)?;
        crate::record::write(file, world.resource::<PathRecorder>(), map)
    }

    /// Writes the map with the path, as it is now.
    fn draw(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report(self.soldier);
        let world = self.app.world_mut();
        if let Some(path) = world.get::<AgentPath>(self.soldier).cloned()
            && let Some(cells) = path.path()
            && let Some(figures) = report.figures
        {
            let mut grids = world.query::<&NavGrid>();
            let grid = grids.single(world).expect("the scene has one map").grid();
            out.write_all(picture(grid, cells).as_bytes())?;
            let what = if path.is_partial() { "to the closest tile, cost" } else { "cost" };
            writeln!(
                out,
                "{what} {}, length {:.1} tiles, {} tiles expanded",
                figures.cost, figures.length, figures.expanded
            )?;
        }
        Ok(())
    }

    /// Runs until the order has ended, and writes how.
    fn walk(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut replans = 0;
        for _ in 0..PATIENCE {
            let report = self.report(self.soldier);
            if report.replans > replans {
                replans = report.replans;
                writeln!(out, "replanned:")?;
                self.draw(out)?;
            }
            match report.news {
                News::Arrived { partial } => {
                    let goal = if partial { "at the closest tile" } else { "at the goal" };
                    return writeln!(out, "arrived {goal}, {}", self.place(self.soldier));
                }
                News::Failed(reason) => return writeln!(out, "no path: {reason}"),
                News::Lost(reason) => {
                    return writeln!(out, "stopped at {}: {reason}", self.place(self.soldier));
                }
                News::None | News::Walking { .. } | News::Replanned { .. } => self.app.update(),
            }
        }
        let status = self.app.world().get::<PathStatus>(self.soldier);
        Err(io::Error::other(format!("the order did not end, the soldier is {status:?}")))
    }

    fn report(&self, unit: Entity) -> Report {
        self.app.world().get::<Report>(unit).cloned().unwrap_or_default()
    }

    /// Returns the cell under the middle of a unit.
    fn place(&self, unit: Entity) -> String {
        let world = self.app.world();
        let position =
            world.get::<Transform>(unit).map_or(Vec2::NAN, |transform| transform.translation.truncate());
        let cell = (position / TILE).floor().as_ivec2();
        Cell::new(cell.x, cell.y).to_string()
    }
}

/// Returns the map as text with a path on it, the top row first.
fn picture(grid: &Grid, path: &Path) -> String {
    let bounds = grid.bounds();
    let width = bounds.width() as usize;
    let mut rows: Vec<Vec<char>> =
        grid.classes().chunks(width).map(|row| row.iter().map(|&class| letter(class)).collect()).collect();
    let mut mark = |cell: Cell, letter: char| {
        if let Some(slot) = bounds.slot(cell) {
            rows[slot / width][slot % width] = letter;
        }
    };
    for &cell in path.cells() {
        mark(cell, '*');
    }
    mark(path.goal(), 'G');
    mark(path.start(), 'S');
    rows.iter().rev().flat_map(|row| row.iter().copied().chain(['\n'])).collect()
}

fn letter(class: u8) -> char {
    match Ground::of_class(class) {
        Some(Ground::Road) => '=',
        Some(Ground::Grass) => '.',
        Some(Ground::Mud) => ',',
        Some(Ground::Water) => '~',
        Some(Ground::Rock) | None => '#',
    }
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::tilepath::recording::Recording;

    use super::*;

    #[test]
    fn the_tour_shows_every_way_an_order_can_end() {
        let mut out = Vec::new();
        run(&mut out, None).unwrap();
        let text = String::from_utf8(out).unwrap();
        let endings: Vec<&str> = text
            .lines()
            .filter(|line| {
                ["arrived", "replanned", "no path", "stopped"].iter().any(|word| line.starts_with(word))
            })
            .map(|line| line.split([',', ':']).next().unwrap_or_default())
            .collect();
        assert_eq!(
            endings,
            [
                "arrived at the goal",
                "arrived at the goal",
                "arrived at the goal",
                "arrived at the closest tile",
                "replanned",
                "arrived at the goal",
                "no path",
                "arrived at the closest tile",
            ]
        );
    }

    #[test]
    fn the_recording_of_the_tour_is_replayed() {
        let file = std::env::temp_dir().join(format!("soldier-{}.ron", std::process::id()));
        run(&mut Vec::new(), Some(&file)).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        let replayed = Recording::from_text(&text).unwrap().replay(|_| ()).unwrap();
        // Seven orders of the soldier, one of them replanned; then sixteen of all three, two of
        // them replanned.
        assert_eq!(replayed.answers, 8 + 18, "{replayed}");
        assert_eq!(replayed.different, 0, "{replayed}");
        assert!(replayed.edits > 10, "{replayed}");
    }

    #[test]
    fn the_cheap_way_is_drawn_over_the_bridge() {
        let mut tour = Tour::new();
        let mut out = Vec::new();
        tour.order(&mut out, "east", Cell::new(34, 6)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let rows: Vec<&str> = text.lines().filter(|line| line.len() == 40).collect();
        let crossed = (19..24).all(|column| rows[11..13].iter().any(|row| row.as_bytes()[column] == b'*'));
        assert!(crossed, "the path leads over the bridge, on one of its two rows:\n{text}");
    }
}
