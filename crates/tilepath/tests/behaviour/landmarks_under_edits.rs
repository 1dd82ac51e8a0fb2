//! The work of led searches on a map that becomes cheaper all day, against searches without landmarks.
//!
//! Each limit is about nine tenths of the gain that was reached when the test was written.

use testkit::{Seed, TileMap};
use tilepath::{
    Algorithm, Cell, Cost, Edit, Grid, LandmarkCount, LandmarkStatus, Movement, MovementId, PathFinder,
    PathQuery,
};

const FIRST: MovementId = MovementId::FIRST;
const EIGHT: LandmarkCount = LandmarkCount::Exactly(8);
/// The cells of tables that are made in a tick.
const CELLS_A_TICK: u64 = 10_000;
const TICKS_A_SECOND: u64 = 60;

/// The order in which tiles of the cheapest ground are laid.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Tiles {
    /// Anywhere.
    Scattered,
    /// Along five roads in turn.
    Roads,
}

/// A map of 512 × 512 cells with eight landmarks.
struct Scene {
    map: TileMap,
    finder: PathFinder,
    seed: Seed,
    roads: Vec<Vec<(i32, i32)>>,
    drawn: Vec<((i32, i32), (i32, i32))>,
    laid: usize,
}

impl Scene {
    fn new(map: TileMap, seed: &str) -> Self {
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let mut finder = PathFinder::new(grid, Movement::new());
        finder.make_landmarks(FIRST, EIGHT).unwrap();
        let seed = Seed::named(seed);
        let drawn = map.queries(60_000, &seed);
        Self { map, finder, seed, roads: vec![Vec::new(); 5], drawn, laid: 0 }
    }

    fn hills(seed: &str) -> Self {
        Self::new(testkit::terrain(512, 512, 9, 10, &Seed::named(seed)), seed)
    }

    fn noise(seed: &str) -> Self {
        Self::new(testkit::noise(512, 512, 9, 10, &Seed::named(seed)), seed)
    }

    /// Lays the next tile that makes a cell cheaper.
    fn lay(&mut self, tiles: Tiles) {
        loop {
            let at = match tiles {
                Tiles::Scattered => self.drawn.pop().unwrap().0,
                Tiles::Roads => {
                    let road = &mut self.roads[self.laid % 5];
                    if road.is_empty() {
                        let ((x, y), (to_x, to_y)) = self.drawn.pop().unwrap();
                        let most = (to_x - x).abs().max((to_y - y).abs()).max(1);
                        road.extend(
                            (0..=most).map(|n| (x + (to_x - x) * n / most, y + (to_y - y) * n / most)),
                        );
                    }
                    road.pop().unwrap()
                }
            };
            let slot = self.map.slot(at);
            if self.map.classes[slot] > 1 {
                self.map.classes[slot] = 1;
                self.finder.set_terrain(Cell::from(at), 1).unwrap();
                self.laid += 1;
                return;
            }
        }
    }

    /// Returns queries of this many steps at least and at most.
    fn queries(&self, count: usize, steps: std::ops::RangeInclusive<i32>) -> Vec<PathQuery> {
        let drawn = self.map.queries(100_000, &Seed::named(&format!("{:?} queries", self.seed)));
        let steps_of =
            |&((x, y), (to_x, to_y)): &((i32, i32), (i32, i32))| (x - to_x).abs().max((y - to_y).abs());
        let drawn = drawn.into_iter().filter(|ends| steps.contains(&steps_of(ends)));
        let queries = drawn.map(|(from, to)| PathQuery::new(from.into(), to.into()));
        let queries = queries.map(|query| query.with_algorithm(Algorithm::AStar));
        queries.filter(|query| self.finder.is_reachable(query) == Ok(true)).take(count).collect()
    }
}

/// Returns the work of some searches, terms of patches included, and the costs of the paths.
fn work_of(finder: &PathFinder, queries: impl Iterator<Item = PathQuery>) -> (u64, Vec<Cost>) {
    let (mut work, mut costs) = (0, Vec::new());
    for query in queries {
        let mut search = finder.begin(&query).unwrap();
        search.advance(u64::MAX);
        work += search.work();
        costs.push(search.finish().unwrap().outcome.path().unwrap().cost());
    }
    (work, costs)
}

/// Returns the work of led searches, divided by the work of searches without landmarks.
fn share(finder: &PathFinder, queries: &[PathQuery]) -> f64 {
    let alone = || queries.iter().map(|query| query.without_landmarks());
    // The first searches pay for the map.
    work_of(finder, alone());
    let (without, cheapest) = work_of(finder, alone());
    let (with, costs) = work_of(finder, queries.iter().copied());
    assert_eq!(costs, cheapest);
    with as f64 / without as f64
}

/// Lays tiles, and compares the gains at some seconds with the least that they must be.
fn check_gains(mut scene: Scene, tiles: Tiles, tiles_a_second: u64, least: &[(u64, f64)]) {
    let queries = scene.queries(20, 128..=512);
    for tick in 1..=least.last().unwrap().0 * TICKS_A_SECOND {
        while (scene.laid as u64) < tick * tiles_a_second / TICKS_A_SECOND {
            scene.lay(tiles);
        }
        scene.finder.advance_landmarks(FIRST, EIGHT, CELLS_A_TICK).unwrap();
        for (second, least) in least.iter().filter(|(second, _)| second * TICKS_A_SECOND == tick) {
            let gain = 1.0 / share(&scene.finder, &queries);
            let name = &scene.map.name;
            let told = format!("{name}, {tiles:?}, {tiles_a_second} a second, after {second} s: {gain:.2}");
            assert!(gain >= *least, "{told} instead of {least}");
        }
    }
}

#[test]
fn scattered_tiles_leave_most_of_the_gain() {
    check_gains(Scene::hills("one"), Tiles::Scattered, 5, &[(1, 6.2), (10, 4.7)]);
    check_gains(Scene::noise("one"), Tiles::Scattered, 5, &[(1, 12.6), (10, 11.2)]);
    // The tiles are soon too many, and searches do without landmarks.
    check_gains(Scene::hills("one"), Tiles::Scattered, 50, &[(1, 4.1), (3, 1.0)]);
}

#[test]
fn roads_leave_most_of_the_gain() {
    check_gains(Scene::hills("one"), Tiles::Roads, 20, &[(1, 5.3), (10, 4.9)]);
    check_gains(Scene::hills("one"), Tiles::Roads, 50, &[(1, 5.0), (3, 3.1), (20, 1.19)]);
    check_gains(Scene::noise("one"), Tiles::Roads, 50, &[(3, 7.7), (20, 2.1)]);
}

#[test]
fn ten_doors_into_sealed_rooms_leave_the_gain() {
    let mut map = testkit::terrain(512, 512, 9, 10, &Seed::named("one"));
    let rooms =
        (0..10).map(|number| (20 + number % 4 * 120 + number * 3, 25 + number / 4 * 150 + number * 5));
    let rooms: Vec<(i32, i32)> = rooms.collect();
    for &(left, bottom) in &rooms {
        for (x, y) in (0..20).flat_map(|row| (0..20).map(move |column| (left + column, bottom + row))) {
            let is_wall = [x - left, y - bottom].iter().any(|&place| place == 0 || place == 19);
            let slot = map.slot((x, y));
            map.classes[slot] = if is_wall { 0 } else { map.classes[slot].max(1) };
        }
    }
    let mut scene = Scene::new(map, "one");
    let queries = scene.queries(20, 128..=512);
    for (x, y) in rooms {
        let door = [Cell::new(x - 1, y + 9), Cell::new(x, y + 9)];
        scene.finder.edit(&door.map(|cell| Edit::terrain(cell, 1))).unwrap();
    }
    let gain = 1.0 / share(&scene.finder, &queries);
    assert!(gain >= 4.9, "{gain:.2}");
}

#[test]
fn sixty_four_tiles_leave_short_searches_a_gain() {
    for (mut scene, most_of_alone, most_of_fresh) in
        [(Scene::hills("one"), 0.24, 1.36), (Scene::noise("one"), 0.17, 1.24)]
    {
        let queries = scene.queries(200, 1..=40);
        share(&scene.finder, &queries);
        let (fresh, _) = work_of(&scene.finder, queries.iter().copied());
        (0..64).for_each(|_| scene.lay(Tiles::Scattered));
        assert_eq!(scene.finder.landmark_status(FIRST), Ok(LandmarkStatus::Ready(8)));
        let share = share(&scene.finder, &queries);
        let (with, _) = work_of(&scene.finder, queries.iter().copied());
        let of_fresh = with as f64 / fresh as f64;
        assert!(share <= most_of_alone, "{share:.3} of the work without landmarks");
        assert!(of_fresh <= most_of_fresh, "{of_fresh:.2} times the work without tiles");
    }
}
