//! A city in which houses are built on the streets while 2,000 walkers go to work.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, CostTable, NavGrid, NavMap, NavQuery, Obstacle, PathAgent, PathRequest, PathStatus,
    events::{PathFound, Replanned},
    queries::WhyNot,
    tilepath::{Bounds, Grid},
};

use crate::harness::*;

const ROAD: u8 = 1;
const GRASS: u8 = 2;
const WALKERS: usize = 2000;
/// The ticks after which all walkers have paths.
const SET_OUT: usize = 600;

/// A generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % count as u64) as usize
    }
}

struct City {
    game: Game,
    map: Entity,
    walkers: Vec<(Entity, Cell)>,
}

#[derive(Resource, Default)]
struct Answers {
    found: u64,
    replanned: u64,
}

fn area(x: i32, y: i32, width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(x, y), width, height).expect("a small rectangle")
}

/// Returns 300 × 300 cells of streets, houses, and a river with five bridges, and the cells before the
/// doors of the houses.
fn streets(dice: &mut Dice) -> (Grid, Vec<Cell>) {
    let side = 300;
    let mut grid = Grid::new(side, side, GRASS).expect("a small map");
    let mut doors = Vec::new();
    let mut fill = |bounds: Bounds, class: u8| grid.set_terrain_in(bounds, class).expect("on the map");
    for block in 0..625 {
        let (x, y) = (block % 25 * 12, block / 25 * 12);
        if dice.below(5) > 0 {
            for (right, up) in [(3, 3), (7, 3), (3, 7), (7, 7)] {
                fill(area(x + right, y + up, 3, 3), 0);
                doors.push(Cell::new(x + right + 1, y + up - 1));
            }
        }
    }
    for street in 0..25 {
        let width = if street % 5 == 0 { 2 } else { 1 };
        fill(area(0, street * 12, side, width), ROAD);
        fill(area(street * 12, 0, width, side), ROAD);
    }
    fill(area(0, 150, side, 4), 0);
    for bridge in [24, 84, 144, 204, 264] {
        fill(area(bridge, 150, 1, 4), ROAD);
    }
    doors.retain(|&door| grid.terrain(door).is_some_and(|class| class != 0));
    (grid, doors)
}

impl City {
    /// Returns the city, in which all walkers are ordered to the other side of the river.
    fn new() -> Self {
        let (grid, doors) = streets(&mut Dice(3));
        let mut game = Game::new();
        game.init_resource::<Answers>()
            .add_observer(|_: On<PathFound>, mut answers: ResMut<Answers>| answers.found += 1)
            .add_observer(|_: On<Replanned>, mut answers: ResMut<Answers>| answers.replanned += 1);
        let costs = CostTable::impassable().with(ROAD, 1).with(GRASS, 3);
        let map = game.world_mut().spawn((NavMap { costs, ..default() }, NavGrid::new(grid))).id();
        game.ticks(2);
        let select =
            |is_wanted: fn(&Cell) -> bool| -> Vec<Cell> { doors.iter().copied().filter(is_wanted).collect() };
        let homes = select(|door| door.y < 150);
        let works = select(|door| (161..230).contains(&door.y) && (100..200).contains(&door.x));
        let mut dice = Dice(11);
        let walkers = (0..WALKERS).map(|_| {
            let home = homes[dice.below(homes.len())];
            let work = works[dice.below(works.len())];
            dice.below(doors.len());
            let agent = PathAgent { speed: (6.0 + dice.below(4) as f32).into(), ..default() };
            let at = Transform::from_xyz(home.x as f32, home.y as f32, 0.0);
            (game.world_mut().spawn((agent, at, PathRequest::to(work).or_wait())).id(), work)
        });
        let walkers = walkers.collect();
        Self { game, map, walkers }
    }

    /// Builds forty houses of 3 × 3, each on a walker.
    fn build_houses(&mut self) {
        for index in (0..WALKERS).step_by(50) {
            let at = self.game.position(self.walkers[index].0).round().extend(0.0);
            let house = Obstacle { size: Vec2::splat(3.0), ..default() };
            self.game.world_mut().spawn((house, Transform::from_translation(at)));
        }
    }

    /// Returns the numbers of first answers and of replans so far.
    fn answers(&self) -> (u64, u64) {
        let Answers { found, replanned } = *self.game.world().resource();
        (found, replanned)
    }

    /// Answers all orders within a tick without a limit. Returns the work, without the work for landmarks.
    fn answer_all(&mut self) -> u64 {
        self.game.budget(u64::MAX / 2);
        (0..3)
            .map(|_| {
                self.game.tick();
                self.game.diagnostics().work - self.game.diagnostics().landmark_work
            })
            .sum()
    }
}

#[test]
fn city_of_2000_orders_is_answered_by_led_searches_in_half_the_ticks_of_fields() {
    let mut city = City::new();
    let mut answers = 0;
    let ticks = city.game.tick_until(SET_OUT, |game| {
        answers += game.diagnostics().answers;
        answers == WALKERS
    });
    // By fields alone, one for each of 150 goals: 551.
    assert!(ticks <= 260, "{answers} answers in {ticks} ticks");
}

#[test]
fn replan_costs_at_most_twice_the_work_of_an_order_on_the_same_map() {
    let costs = [false, true].map(|is_ordered| {
        let mut city = City::new();
        city.game.ticks(SET_OUT);
        city.build_houses();
        if is_ordered {
            for index in 0..WALKERS {
                // The place of another: an equal order would change nothing.
                let (walker, work) = (city.walkers[index].0, city.walkers[(index + 1) % WALKERS].1);
                city.game.order(walker, PathRequest::to(work).or_wait());
            }
        }
        let before = city.answers();
        let work = city.answer_all();
        let (found, replanned) = city.answers();
        let answers = if is_ordered { found - before.0 } else { replanned - before.1 };
        assert!(answers > 1500, "{answers}");
        work / answers
    });
    let [replan, order] = costs;
    assert!(replan <= 2 * order, "{replan} units a replan, {order} units an order");
}

#[test]
fn houses_on_the_streets_stop_few_walkers() {
    let mut city = City::new();
    city.game.ticks(SET_OUT);
    city.build_houses();
    let mut standing = Vec::new();
    for tick in 1..=SET_OUT {
        city.game.tick();
        if tick >= 30 && tick % 10 == 0 {
            let walkers: Vec<Entity> = city.walkers.iter().map(|&(walker, _)| walker).collect();
            let is_standing =
                move |nav: &NavQuery, &walker: &Entity| nav.why_not(walker) == Some(WhyNot::Replanning);
            standing.push(
                city.game.ask(move |nav| walkers.iter().filter(|walker| is_standing(nav, walker)).count()),
            );
        }
    }
    // If all stand whose paths are closed: 1,889 at first, and 1,703 after 200 ticks.
    let most = standing.iter().max();
    assert!(most < Some(&400) && standing.last() == Some(&0), "{standing:?}");
    let grid = city.game.world().get::<NavGrid>(city.map).expect("the map").grid();
    for &(walker, _) in &city.walkers {
        if city.game.status(walker) == PathStatus::Following {
            let ahead = city.game.path(walker).remaining_cells();
            assert!(ahead.iter().all(|&cell| grid.terrain(cell) != Some(0)), "a path leads through a house");
        }
    }
}
