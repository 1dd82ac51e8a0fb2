//! Walkers that are always under way in caves whose cells are closed and opened all the time.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, ExamineAllPaths, NavGrid, PathAgent, PathRequest,
    agents::PathLine,
    events::{Arrived, PathFailed, PathLost},
    tilepath::{Grid, PathQuery},
};
use testkit::Seed;

use crate::harness::*;

const EDITS_A_SECOND: usize = 50;
const TICKS_A_SECOND: usize = 64;

/// The next goals of the walkers, in turns.
#[derive(Resource)]
struct Goals {
    cells: Vec<Cell>,
    next: usize,
}

/// Sends a walker to the next goal as soon as its order ends.
fn send_on(walker: Entity, commands: &mut Commands) {
    commands.queue(move |world: &mut World| {
        let mut goals = world.resource_mut::<Goals>();
        let cell = goals.cells[goals.next % goals.cells.len()];
        goals.next += 1;
        world.entity_mut(walker).insert(PathRequest::to_cell(cell));
    });
}

/// The counts of some ticks.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) searches: usize,
    answers: usize,
    replans: usize,
    work: u64,
}

pub(crate) struct Caves {
    game: Game,
    map: Entity,
    goals: Vec<Cell>,
    edits: usize,
    ticks: usize,
}

impl Caves {
    /// Returns walkers that have paths.
    pub(crate) fn new(side: u32, walkers: usize, line: PathLine) -> Self {
        let tiles = testkit::caves(side, side, &Seed::named("plugin"));
        let mut game = Game::new();
        game.add_observer(|on: On<Arrived>, mut commands: Commands| send_on(on.entity, &mut commands))
            .add_observer(|on: On<PathFailed>, mut commands: Commands| send_on(on.entity, &mut commands))
            .add_observer(|on: On<PathLost>, mut commands: Commands| send_on(on.entity, &mut commands));
        let grid = Grid::from_classes(side, side, tiles.classes.clone()).expect("a small map");
        let map = game.map_of(grid, Diagonals::default());
        game.ticks(2);
        let pairs: Vec<(Cell, Cell)> = tiles
            .queries(walkers + walkers / 8, &Seed::named("pairs"))
            .into_iter()
            .map(|(from, to)| (Cell::from(from), Cell::from(to)))
            .collect();
        let grid = game.world().get::<NavGrid>(map).expect("the map");
        let hub = pairs[0].0;
        let is_connected = |&cell: &Cell| {
            let query = PathQuery::new(hub, cell).with_movement(grid.movement());
            grid.finder().is_reachable(&query).expect("both are on the map")
        };
        let pairs = pairs.iter().copied().filter(|(from, to)| is_connected(from) && is_connected(to));
        let pairs: Vec<(Cell, Cell)> = pairs.take(walkers).collect();
        assert_eq!(pairs.len(), walkers, "enough of the ground is connected");
        game.insert_resource(Goals { cells: pairs.iter().rev().map(|&(from, _)| from).collect(), next: 0 });
        for &(from, to) in &pairs {
            let agent = PathAgent { speed: (4.0 * CELL).into(), line, ..default() };
            let at = Transform::from_translation(centre(from.x, from.y).extend(0.0));
            game.world_mut().spawn((agent, at, PathRequest::to_cell(to)));
        }
        game.budget(u64::MAX / 2);
        game.tick();
        game.budget(20_000);
        Self { game, map, goals: pairs.iter().map(|&(_, to)| to).collect(), edits: 0, ticks: 0 }
    }

    /// Ticks with fifty edits a second, which close the goals of walkers and open them again.
    pub(crate) fn run(&mut self, ticks: usize) -> Counted {
        let mut counted = Counted::default();
        for _ in 0..ticks {
            self.ticks += 1;
            while self.edits < self.ticks * EDITS_A_SECOND / TICKS_A_SECOND {
                let cell = self.goals[self.edits / 2 % self.goals.len()];
                self.game.set_terrain(self.map, cell.x, cell.y, (self.edits % 2) as u8);
                self.edits += 1;
            }
            self.game.tick();
            let diagnostics = self.game.diagnostics();
            counted.searches += diagnostics.searches;
            counted.answers += diagnostics.answers;
            counted.replans += diagnostics.replans;
            counted.work += diagnostics.work;
        }
        counted
    }

    /// Returns the places of all walkers.
    fn places(&mut self) -> Vec<Vec3> {
        let world = self.game.world_mut();
        world.query_filtered::<&Transform, With<PathAgent>>().iter(world).map(|at| at.translation).collect()
    }
}

#[test]
fn walkers_on_straight_lines_need_at_most_twice_the_searches_of_walkers_along_cells() {
    let searches = [PathLine::Cells, PathLine::Straight].map(|line| {
        let mut caves = Caves::new(256, 300, line);
        caves.run(320).searches
    });
    // Before searches began on the path: four times as many.
    assert!(searches[0] > 100 && searches[1] <= 2 * searches[0], "{searches:?}");
}

#[test]
fn answers_are_equal_if_each_tick_examines_all_paths() {
    for line in [PathLine::Cells, PathLine::Straight] {
        let [calm, examined] = [false, true].map(|examines_all| {
            let mut caves = Caves::new(256, 300, line);
            if examines_all {
                caves.game.insert_resource(ExamineAllPaths);
            }
            (caves.run(160), caves.places())
        });
        assert!(calm.0.searches > 50, "{calm:?}");
        assert_eq!(calm, examined);
    }
}
