//! States that are taken after every few ticks: each order ends, and a loaded world goes the same way.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    AgentPath, Algorithm, Body, Cell, Diagonals, NavMap, OnMap, PathAgent, PathGoal, PathRequest, PathStatus,
    Stepwise, TilepathState,
    doors::{Door, DoorEnd},
    groups::GroupOrder,
    maps::MapLandmarks,
    orders::Stop,
    tilepath::Grid,
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The work of a tick.
const BUDGET: u64 = 400;
/// The side of all maps.
const SIDE: i32 = 64;
/// The most ticks of a run.
const MOST: usize = 900;

/// A game, with its maps and its units.
struct Scene {
    game: Game,
    maps: Vec<Entity>,
    units: Vec<Entity>,
    /// The changes that the game makes before a tick.
    deeds: fn(&mut Self, usize),
}

/// The state of a unit, to be compared.
type Seen = (Vec2, PathStatus, Option<(usize, f64, Vec<Vec2>)>);

/// Returns ground of many costs, with walls. All of it is connected by streets.
fn rough(seed: &str) -> Grid {
    let random = &mut Seed::named(seed).generator();
    let class = |cell: i32| match (cell % SIDE, cell / SIDE) {
        (0, _) | (_, 0 | 20) => 1,
        (_, y) if y == SIDE - 1 => 1,
        _ => [0, 1, 1, 1, 2, 3, 5][random.random_range(0..7)],
    };
    let classes = (0..SIDE * SIDE).map(class).collect();
    Grid::from_classes(SIDE as u32, SIDE as u32, classes).expect("a small map")
}

impl Scene {
    /// Starts a game with a map of rough ground.
    fn new(deeds: fn(&mut Self, usize)) -> Self {
        let mut game = Game::new();
        game.budget(BUDGET);
        let map = game.map_of(rough("often"), Diagonals::default());
        Self { game, maps: vec![map], units: Vec::new(), deeds }
    }

    fn order(&mut self, x: i32, request: PathRequest) -> Entity {
        let unit = self.game.agent(x, 0, 24.0);
        let on_map = OnMap(self.maps[0]);
        self.game.world_mut().entity_mut(unit).insert((on_map, request));
        self.units.push(unit);
        unit
    }

    /// Orders units over the whole map, with several algorithms.
    fn order_some(&mut self) {
        let far = |x: i32| PathRequest::to_cell((x, SIDE - 1));
        self.order(0, far(SIDE - 1).with_algorithm(Algorithm::Dijkstra));
        self.order(3, far(SIDE - 9).with_algorithm(Algorithm::AStar));
        self.order(6, far(SIDE - 4));
        self.order(9, PathRequest::to(PathGoal::nearest([Cell::new(60, SIDE - 1), Cell::new(SIDE - 1, 50)])));
        self.order(12, far(SIDE - 30).then(Cell::new(SIDE - 1, 0)));
    }

    /// Takes a tick.
    fn tick(&mut self, tick: usize) {
        (self.deeds)(self, tick);
        self.game.tick();
    }

    fn take(&mut self) -> TilepathState {
        TilepathState::take(self.game.world_mut()).expect("the plugin is there")
    }

    /// Puts a state into a new game, through a file.
    fn loaded(&self, state: &TilepathState) -> Self {
        let text = ron::to_string(state).expect("a state can be written");
        let state: TilepathState = ron::from_str(&text).expect("a state can be read");
        let mut game = Game::new();
        let mut entities = EntityHashMap::default();
        state.put(game.world_mut(), &mut entities).expect("a new world fits every state");
        let now = |all: &[Entity]| all.iter().map(|entity| entities[entity]).collect();
        Self { game, maps: now(&self.maps), units: now(&self.units), deeds: self.deeds }
    }

    fn seen(&self) -> Vec<Seen> {
        let path = |unit| self.game.world().get::<AgentPath>(unit);
        let seen = |path: &AgentPath| (path.next_point(), path.route_cost(), path.points().to_vec());
        let units = self.units.iter();
        units.map(|&unit| (self.game.position(unit), self.game.status(unit), path(unit).map(seen))).collect()
    }

    /// Ticks until all units have paths. After every `every` ticks a state is taken. Returns the ticks
    /// of each unit until its path.
    fn run(mut self, every: usize) -> Vec<usize> {
        let mut answered = vec![None; self.units.len()];
        for tick in 0..MOST {
            self.tick(tick);
            let work = self.game.diagnostics().work;
            assert!(work <= 2 * BUDGET, "{work} in tick {tick}, with a state every {every} ticks");
            for (unit, answered) in self.units.iter().zip(&mut answered) {
                if answered.is_none() && self.game.world().get::<AgentPath>(*unit).is_some() {
                    *answered = Some(tick);
                }
            }
            if let Some(all) = answered.iter().copied().collect() {
                return all;
            }
            if tick % every == every - 1 {
                self.take();
            }
        }
        panic!("with a state every {every} ticks: answered in {answered:?}")
    }
}

/// Checks that no order waits much longer if states are taken. Returns the ticks of the last answer
/// without states.
fn assert_no_order_starves(scene: impl Fn() -> Scene) -> usize {
    let free = scene().run(MOST);
    for every in [1, 2, 5] {
        for (unit, (ticks, free)) in scene().run(every).into_iter().zip(&free).enumerate() {
            assert!(
                ticks <= 3 * free + 64,
                "unit {unit}: {free} ticks, with a state every {every} ticks {ticks}"
            );
        }
    }
    free.into_iter().max().unwrap_or_default()
}

/// Checks that a loaded world goes the same way, tick for tick, while both go on to take states.
fn assert_loaded_world_goes_the_same_way(scene: impl Fn() -> Scene, ticks: usize) {
    for (every, fork) in [(1, 3), (2, 14), (5, 25)] {
        let mut old = scene();
        for tick in 0..fork {
            old.tick(tick);
            if tick % every == every - 1 {
                old.take();
            }
        }
        let state = old.take();
        let mut new = old.loaded(&state);
        for tick in fork..fork + ticks {
            for world in [&mut old, &mut new] {
                world.tick(tick);
            }
            assert_eq!(old.seen(), new.seen(), "tick {tick}, with a state every {every} ticks");
            assert_eq!(old.game.diagnostics().work, new.game.diagnostics().work, "tick {tick}");
            if tick % every == every - 1 {
                old.take();
                new.take();
            }
        }
    }
}

fn no_deeds(_: &mut Scene, _: usize) {}

fn singles() -> Scene {
    let mut scene = Scene::new(no_deeds);
    scene.order_some();
    scene
}

#[test]
fn no_single_order_starves_and_loaded_world_goes_the_same_way() {
    assert!(assert_no_order_starves(singles) > 20, "the searches are too short");
    assert_loaded_world_goes_the_same_way(singles, 40);
}

/// Units that walk by steps. One of them follows another.
fn stepwise() -> Scene {
    let mut scene = singles();
    let leader = scene.units[0];
    scene.order(20, PathRequest::to(leader).following());
    for &unit in &scene.units {
        scene.game.world_mut().entity_mut(unit).insert(Stepwise { steps: 9, ..default() });
    }
    scene
}

#[test]
fn no_order_of_stepwise_units_starves_and_loaded_world_goes_the_same_way() {
    assert!(assert_no_order_starves(stepwise) > 20, "the searches are too short");
    assert_loaded_world_goes_the_same_way(stepwise, 40);
}

/// A group with two stops.
fn group() -> Scene {
    let mut scene = Scene::new(no_deeds);
    for unit in 0..SIDE / 2 {
        let unit = scene.order(2 * unit, PathRequest::to_cell((0, SIDE - 1)));
        scene.game.world_mut().entity_mut(unit).insert(Body::default()).remove::<PathRequest>();
    }
    let order = GroupOrder::to(scene.units.clone(), Cell::new(30, 20)).then(Cell::new(SIDE - 1, 30));
    scene.game.world_mut().spawn(order.on_map(scene.maps[0]));
    scene
}

#[test]
fn no_group_starves_and_loaded_world_goes_the_same_way() {
    assert!(assert_no_order_starves(group) > 20, "the plan is too short");
    assert_loaded_world_goes_the_same_way(group, 40);
}

/// Orders with common goals, which one field answers.
fn common_goals() -> Scene {
    let mut scene = Scene::new(no_deeds);
    for unit in 0..SIDE / 2 {
        scene.order(2 * unit, PathRequest::to_cell((SIDE - 1, SIDE - 1)));
    }
    scene
}

#[test]
fn no_order_with_common_goals_starves_and_loaded_world_goes_the_same_way() {
    assert!(assert_no_order_starves(common_goals) > 20, "the field is too small");
    assert_loaded_world_goes_the_same_way(common_goals, 40);
}

/// A map that changes in every third tick.
fn edited() -> Scene {
    let mut scene = Scene::new(|scene, tick| {
        if tick % 3 == 0 {
            let class = if tick % 2 == 0 { 1 } else { 3 };
            scene.game.set_terrain(scene.maps[0], tick as i32 % SIDE, 20, class);
        }
    });
    scene.order_some();
    scene
}

#[test]
fn no_order_starves_while_the_map_changes_and_loaded_world_goes_the_same_way() {
    assert_no_order_starves(edited);
    assert_loaded_world_goes_the_same_way(edited, 40);
}

/// A map for which landmarks are made again after each state.
fn with_landmarks() -> Scene {
    let mut scene = singles();
    let mut rules = scene.game.world_mut().get_mut::<NavMap>(scene.maps[0]).expect("the map is there");
    rules.landmarks = MapLandmarks::Always;
    scene
}

#[test]
fn no_order_starves_for_landmarks_and_loaded_world_goes_the_same_way() {
    assert_no_order_starves(with_landmarks);
    assert_loaded_world_goes_the_same_way(with_landmarks, 40);
}

/// Orders to another map, through a door.
fn through_a_door() -> Scene {
    let mut scene = Scene::new(no_deeds);
    let other = scene.game.map_of(rough("other"), Diagonals::default());
    scene.game.world_mut().entity_mut(other).insert(Transform::from_xyz(2000.0, 0.0, 0.0));
    let [here, there] = [(scene.maps[0], SIDE - 1), (other, 0)]
        .map(|(map, x)| DoorEnd::cell(map, Cell::new(x, if x == 0 { 0 } else { SIDE - 1 })));
    scene.game.world_mut().spawn(Door::new(here, there));
    scene.maps.push(other);
    for unit in 0..3 {
        scene.order(4 * unit, PathRequest::to_cell((SIDE - 1, SIDE - 1 - unit)).or_closest().on_map(other));
    }
    scene
}

#[test]
fn no_order_through_a_door_starves_and_loaded_world_goes_the_same_way() {
    assert!(assert_no_order_starves(through_a_door) > 20, "the searches are too short");
    assert_loaded_world_goes_the_same_way(through_a_door, 40);
}

/// Units that follow one another through doors, a patrol with a halt, and an order through a door.
fn storeys() -> Scene {
    let mut scene = through_a_door();
    let (here, there) = (scene.maps[0], scene.maps[1]);
    let leaping = [(here, Cell::new(0, 20)), (there, Cell::new(0, 20))];
    let [from, to] = leaping.map(|(map, cell)| DoorEnd::cell(map, cell));
    let stairs = scene.game.world_mut().spawn(Door::new(from, to).leaping()).id();
    let leader = scene.order(1, PathRequest::to_cell((5, 20)).on_map(there).through(stairs));
    scene.order(2, PathRequest::to(leader).following());
    scene.order(3, PathRequest::to(PathGoal::beside(leader)).following());
    let post = Stop::from(Cell::new(0, 0)).wait(0.2);
    scene.order(5, PathRequest::to(post).then_on(there, Cell::new(0, 20)).looped());
    for &unit in &scene.units {
        let mut agent = scene.game.world_mut().get_mut::<PathAgent>(unit).expect("an agent");
        agent.speed = 400.0.into();
    }
    scene
}

#[test]
fn followers_and_patrols_over_storeys_go_the_same_way_in_a_loaded_world() {
    assert_loaded_world_goes_the_same_way(storeys, 160);
}
