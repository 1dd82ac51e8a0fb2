//! Units that explore what their side does not know yet, and learn nothing in another way.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Diagonals, Edit, Movement, NavGrid, NavMap, Obstacle, OnMap, PathRequest, PathStatus, Stepwise,
    agents::StepAgent,
    maps::{NavMemory, OverlayArea},
    tilepath::{Direction, Grid, Topology},
};
use rand::Rng;
use testkit::{Seed, TileMap};

use super::memory::{reveal, view};
use crate::harness::*;

const RANGE: u8 = 6;

/// A level, and a unit whose side has not seen any of it.
struct Side {
    truth: Entity,
    memory: Entity,
    unit: Entity,
}

fn levels(count: u64) -> impl Iterator<Item = (Grid, Cell)> {
    (0..count).map(|number| {
        let seed = Seed::named(&format!("level {number}"));
        let tiles: TileMap = match number % 5 {
            0 => testkit::caves(24, 16, &seed),
            1 => testkit::maze(24, 16, 1, &seed),
            2 => testkit::maze(24, 16, 2, &seed),
            3 => testkit::rooms(24, 16, 4, &seed),
            _ => testkit::cluttered(24, 16, 30, &seed),
        };
        let grid = Grid::from_classes(tiles.width, tiles.height, tiles.classes.clone()).unwrap();
        let open: Vec<Cell> = grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(1)).collect();
        (grid, open[seed.generator().random_range(0..open.len())])
    })
}

impl Side {
    /// Spawns the level. Cells that the side does not know are void on its memory.
    fn new(game: &mut Game, level: Grid, start: Cell, speed: f32) -> Self {
        let unknown = Grid::from_tiles(level.bounds(), []).unwrap();
        let truth = game.map_of(level, Diagonals::default());
        let memory = game.map_of(unknown, Diagonals::default());
        let rules = NavMap::default().with_movement("careful", Movement::new().with_overlay("danger"));
        game.world_mut().entity_mut(memory).insert((NavMemory, rules));
        let unit = game.agent(start.x, start.y, speed);
        game.world_mut().entity_mut(unit).insert(OnMap(memory));
        game.tick();
        Self { truth, memory, unit }
    }

    fn grid(game: &Game, map: Entity) -> &Grid {
        game.world().get::<NavGrid>(map).unwrap().grid()
    }

    /// Looks from the place of the unit. Returns the cells that the view reads or sees.
    fn look(&self, game: &mut Game) -> Vec<Cell> {
        let at = game.position(self.unit);
        let seen = view(game, self.truth, at, f32::from(RANGE));
        let truth = Self::grid(game, self.truth);
        let mut looked_at = seen.clone();
        let is_opaque = |cell| {
            looked_at.push(cell);
            truth.terrain(cell).is_none_or(|class| class == 0)
        };
        Topology::Square.view(game.cell_at(self.unit), RANGE, is_opaque, |_| {});
        reveal(game, seen);
        looked_at
    }

    /// Returns the known floor beside cells that are not known.
    fn frontier(&self, game: &Game) -> Vec<Cell> {
        let memory = Self::grid(game, self.memory);
        let is_unknown = |cell: Cell| memory.bounds().contains(cell) && memory.terrain(cell).is_none();
        let is_edge = |cell: Cell| Direction::ALL.iter().any(|to| is_unknown(cell + to.offset()));
        let is_open = |cell: Cell| memory.terrain(cell).is_some_and(|class| class > 0);
        memory.bounds().cells().filter(|&cell| is_open(cell) && is_edge(cell)).collect()
    }

    fn end(self, game: &mut Game) {
        for entity in [self.unit, self.memory, self.truth] {
            game.world_mut().despawn(entity);
        }
        game.tick();
        game.told();
    }
}

/// Returns the cells that a unit reaches, and the cells beside them. A unit that cuts no corner reaches
/// the cells that straight steps reach.
fn reachable_and_beside(level: &Grid, start: Cell) -> BTreeSet<Cell> {
    let (mut reached, mut known, mut open) = (BTreeSet::from([start]), BTreeSet::new(), vec![start]);
    while let Some(cell) = open.pop() {
        for to in Direction::ALL {
            let next = cell + to.offset();
            known.extend(level.contains(next).then_some(next));
            let is_floor = level.terrain(next).is_some_and(|class| class > 0);
            if !to.is_diagonal() && is_floor && reached.insert(next) {
                open.push(next);
            }
        }
    }
    known.extend(reached);
    known
}

/// Gate 5.
#[test]
fn explorer_ends_with_each_reachable_cell_known() {
    let mut game = Game::new();
    let mut orders = 0;
    for (level, start) in levels(200) {
        let side = Side::new(&mut game, level.clone(), start, 100.0);
        game.world_mut().entity_mut(side.unit).insert(Stepwise { is_animated: false, ..default() });
        loop {
            side.look(&mut game);
            let frontier = side.frontier(&game);
            if frontier.is_empty() {
                break;
            }
            game.order(side.unit, PathRequest::to_nearest(frontier));
            game.world_mut().trigger(StepAgent { entity: side.unit, steps: 1000 });
            game.tick();
            orders += 1;
            match game.status(side.unit) {
                PathStatus::Arrived => {}
                PathStatus::Failed(_) => break,
                other => panic!("{other:?} at {}", game.cell_at(side.unit)),
            }
        }
        let memory = Side::grid(&game, side.memory);
        for cell in reachable_and_beside(&level, start) {
            assert_eq!(memory.terrain(cell), level.terrain(cell), "{cell} from {start}");
        }
        side.end(&mut game);
    }
    assert!(orders > 2_000, "{orders}");
}

/// The answers that a player and a programmer get in a tick.
type Heard = Vec<String>;

/// Plays a game in which a unit explores and its player queries the map. Returns the answers, and the
/// cells that were looked at.
fn play(game: &mut Game, side: &Side, seed: u64) -> (Heard, BTreeSet<Cell>) {
    let mut random = Seed::named(&format!("play {seed}")).generator();
    let (mut heard, mut looked_at) = (Vec::new(), BTreeSet::new());
    for tick in 0..24 {
        looked_at.extend(side.look(game));
        let goal = Cell::new(random.random_range(0..24), random.random_range(0..16));
        if tick % 8 == 0 {
            let order = match random.random_range(0..3) {
                0 => PathRequest::to_cell(goal),
                1 => PathRequest::to_cell(goal).or_closest(),
                _ => PathRequest::to_nearest(side.frontier(game)),
            };
            game.order(side.unit, order);
        }
        game.tick();
        let (unit, here) = (side.unit, game.cell_at(side.unit));
        let answers = game.ask(move |nav| {
            let map = nav.map_of(unit).unwrap();
            let careful = map.with_movement("careful").unwrap();
            format!(
                "{:?} {:?} {:?} {:?}",
                careful.find(goal, Cell::new(0, 0)).map(|answer| (answer.outcome, answer.statistics)),
                map.is_reachable(goal, Cell::new(12, 8)),
                map.cells_in_view(goal, 9.0),
                map.route(here, &PathRequest::to_cell(goal).or_closest()).map(|route| route.cost()),
            )
        });
        let (at, status, why) = (game.position(unit), game.status(unit), game.why_not(unit));
        let told = game.told_of(unit);
        heard.push(format!("{at} {status:?} {why:?} {told:?} {:?} {answers}", game.diagnostics()));
    }
    (heard, looked_at)
}

/// Changes the truth outside of all views: terrain, void cells, fences, overlays, obstacles and areas.
fn change_unseen(game: &mut Game, truth: Entity, looked_at: &BTreeSet<Cell>, seed: u64) -> Vec<Entity> {
    let mut random = Seed::named(&format!("unseen {seed}")).generator();
    let grid = game.world().get::<NavGrid>(truth).unwrap().grid();
    let unseen: Vec<Cell> = grid.bounds().cells().filter(|cell| !looked_at.contains(cell)).collect();
    let (mut edits, mut things) = (Vec::new(), Vec::new());
    for &cell in &unseen {
        let beside = cell + Direction::ALL[random.random_range(0..8)].offset();
        edits.extend(match random.random_range(0..6) {
            0 | 1 => Some(Edit::terrain(cell, random.random_range(0..5))),
            2 => Some(Edit::void(cell)),
            3 => unseen.contains(&beside).then(|| Edit::fence(cell, beside)),
            4 => Some(Edit::overlay(["danger", "smoke"][random.random_range(0..2)], cell, 7)),
            _ => None,
        });
        if random.random_ratio(1, 12) {
            things.push((cell, random.random_ratio(1, 2)));
        }
    }
    game.world_mut().get_mut::<NavGrid>(truth).unwrap().edit(&edits).unwrap();
    let things = things.into_iter().map(|(cell, is_area)| {
        let thing = game.thing(cell.x, cell.y);
        if is_area {
            game.world_mut().entity_mut(thing).insert(OverlayArea::new("danger", 9, 0.0));
        } else {
            game.world_mut().entity_mut(thing).insert(Obstacle::default());
        }
        thing
    });
    things.collect()
}

/// Gate 4. Two worlds that differ only outside of all views: equal answers, ticks, counted work and
/// reasons.
#[test]
fn unseen_part_of_the_world_decides_nothing_for_units_on_a_memory() {
    let (mut game, mut other) = (Game::new(), Game::new());
    let mut changed = 0;
    for (seed, (level, start)) in (0..).zip(levels(500)) {
        let side = Side::new(&mut game, level.clone(), start, 150.0);
        let (heard, looked_at) = play(&mut game, &side, seed);
        let again = Side::new(&mut other, level, start, 150.0);
        let things = change_unseen(&mut other, again.truth, &looked_at, seed);
        changed += things.len();
        let (heard_again, looked_again) = play(&mut other, &again, seed);
        for (tick, (one, two)) in heard.iter().zip(&heard_again).enumerate() {
            assert_eq!(one, two, "level {seed}, tick {tick}");
        }
        assert_eq!(looked_at, looked_again);
        for thing in things {
            other.world_mut().despawn(thing);
        }
        side.end(&mut game);
        again.end(&mut other);
    }
    assert!(changed > 5_000, "{changed} things where nobody looks");
}
