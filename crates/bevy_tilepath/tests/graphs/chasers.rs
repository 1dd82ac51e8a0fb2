//! Many bodies that follow a few others from storey to storey, through stairs of one cell.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    Body, Cell, OnMap, PathGoal, PathRequest,
    doors::{Door, DoorEnd},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const WIDTH: i32 = 40;
const HEIGHT: i32 = 24;
const STOREYS: usize = 4;
const PREY: usize = 8;
const CHASERS: usize = 200;
const TICKS: usize = 1500;

struct Hunt {
    game: Game,
    storeys: Vec<Entity>,
    prey: Vec<Entity>,
    chasers: Vec<Entity>,
}

impl Hunt {
    fn new(random: &mut impl Rng) -> Self {
        let mut game = Game::new();
        let storeys: Vec<Entity> = (0..STOREYS)
            .map(|n| {
                let map = game.open_map(WIDTH as u32, HEIGHT as u32);
                game.world_mut().entity_mut(map).insert(Transform::from_xyz(0.0, n as f32 * 1000.0, 0.0));
                map
            })
            .collect();
        for pair in storeys.windows(2) {
            for x in [4, WIDTH - 5] {
                let [from, to] = [pair[0], pair[1]].map(|map| DoorEnd::cell(map, Cell::new(x, HEIGHT / 2)));
                game.world_mut().spawn(Door::new(from, to).with_cost(4.0).leaping());
            }
        }
        let mut free: Vec<(usize, i32, i32)> = (0..STOREYS)
            .flat_map(|storey| (0..WIDTH).flat_map(move |x| (0..HEIGHT).map(move |y| (storey, x, y))))
            .collect();
        let mut body = |cells_a_second: f32| {
            let (storey, x, y) = free.swap_remove(random.random_range(0..free.len()));
            let at = centre(x, y) + Vec2::new(0.0, storey as f32 * 1000.0);
            let unit = game.agent_at(at, cells_a_second * CELL);
            game.world_mut().entity_mut(unit).insert((OnMap(storeys[storey]), Body::default()));
            unit
        };
        let prey: Vec<Entity> = (0..PREY).map(|_| body(3.0)).collect();
        let chasers: Vec<Entity> = (0..CHASERS).map(|n| body(4.0 + (n % 5) as f32 / 2.0)).collect();
        for (n, &chaser) in chasers.iter().enumerate() {
            let prey = prey[n % PREY];
            let goal = match n / PREY % 3 {
                0 => PathGoal::Entity(prey),
                1 => PathGoal::beside(prey),
                _ => PathGoal::within(prey, 3.0),
            };
            game.order(chaser, PathRequest::to(goal).following());
        }
        Self { game, storeys, prey, chasers }
    }

    /// Sends prey without an order to any place of the house.
    fn send_prey(&mut self, random: &mut impl Rng) {
        for &prey in &self.prey {
            if !self.game.is_ordered(prey) {
                let cell = Cell::new(random.random_range(0..WIDTH), random.random_range(0..HEIGHT));
                let storey = self.storeys[random.random_range(0..STOREYS)];
                self.game.order(prey, PathRequest::to_cell(cell).on_map(storey).or_wait());
            }
        }
    }
}

#[test]
fn chasers_in_a_crowd_lose_no_prey_on_stairs_and_stand_for_ten_seconds_at_most() {
    let random = &mut Seed::named("chasers").generator();
    let mut hunt = Hunt::new(random);
    // The place of each unit, the ticks since it came there, and its storey.
    let mut seen: EntityHashMap<(Vec2, usize, Entity)> = EntityHashMap::default();
    let (mut longest, mut passages) = (0, 0);
    for _ in 0..TICKS {
        hunt.send_prey(random);
        hunt.game.tick();
        for &unit in hunt.prey.iter().chain(&hunt.chasers) {
            let storey = hunt.game.world().get::<OnMap>(unit).expect("each unit is on a storey").0;
            let place = hunt.game.position(unit);
            let (before, ticks, last) = *seen.get(&unit).unwrap_or(&(place, 0, storey));
            let ticks = if before == place { ticks + 1 } else { 0 };
            seen.insert(unit, (place, ticks, storey));
            longest = longest.max(ticks);
            passages += usize::from(last != storey);
        }
    }
    let lost =
        hunt.game.told().into_iter().filter(|(_, told)| matches!(told, Told::Lost(_) | Told::Failed(_)));
    assert_eq!(lost.collect::<Vec<_>>(), []);
    assert!(hunt.chasers.iter().all(|&chaser| hunt.game.is_ordered(chaser)));
    assert!(longest <= 640, "a unit stands for {longest} ticks");
    assert!(passages > 200, "{passages}");
}
