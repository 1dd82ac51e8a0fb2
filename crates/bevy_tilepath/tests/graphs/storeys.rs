//! Orders to entities on other storeys.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentPath, Body, Cell, NavMap, OnMap, PathFailure, PathGoal, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    graphs::WaypointGraph,
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const WIDTH: i32 = 20;
const HEIGHT: i32 = 10;

/// The speed of all units, in world units per second.
const SPEED: f32 = 480.0;

/// A house of storeys. Stairs at alternating ends join each storey with the next.
pub(super) struct House {
    pub(super) game: Game,
    pub(super) storeys: Vec<Entity>,
    pub(super) stairs: Vec<Entity>,
}

impl House {
    pub(super) fn new(storeys: usize) -> Self {
        let mut game = Game::new();
        let storeys: Vec<Entity> = (0..storeys).map(|n| open_storey(&mut game, n)).collect();
        let stairs = storeys.windows(2).enumerate().map(|(n, pair)| {
            let cell = Cell::new(if n % 2 == 0 { WIDTH - 2 } else { 1 }, HEIGHT / 2);
            let [from, to] = [pair[0], pair[1]].map(|map| DoorEnd::cell(map, cell));
            game.world_mut().spawn(Door::new(from, to).with_cost(4.0).leaping()).id()
        });
        let stairs = stairs.collect();
        Self { game, storeys, stairs }
    }

    /// Spawns a unit on a storey.
    pub(super) fn unit(&mut self, storey: usize, (x, y): (i32, i32), is_body: bool) -> Entity {
        let unit = self.game.agent_at(self.place(storey, x, y), SPEED);
        let on_map = OnMap(self.storeys[storey]);
        self.game.world_mut().entity_mut(unit).insert(on_map);
        if is_body {
            self.game.world_mut().entity_mut(unit).insert(Body::default());
        }
        unit
    }

    /// Spawns an entity that is not an agent on a storey.
    pub(super) fn thing(&mut self, storey: usize, (x, y): (i32, i32)) -> Entity {
        let place = Transform::from_translation(self.place(storey, x, y).extend(0.0));
        self.game.world_mut().spawn((place, OnMap(self.storeys[storey]))).id()
    }

    /// Puts an entity onto a cell of a storey, as a game would.
    fn put(&mut self, entity: Entity, storey: usize, (x, y): (i32, i32)) {
        let (place, on_map) = (self.place(storey, x, y), OnMap(self.storeys[storey]));
        let place = Transform::from_translation(place.extend(0.0));
        self.game.world_mut().entity_mut(entity).insert((place, on_map));
    }

    fn place(&self, storey: usize, x: i32, y: i32) -> Vec2 {
        let storey = self.game.world().get::<Transform>(self.storeys[storey]).expect("a storey has a place");
        storey.translation.truncate() + centre(x, y)
    }

    pub(super) fn storey_of(&self, unit: Entity) -> usize {
        let on_map = self.game.world().get::<OnMap>(unit).expect("each unit is on a storey").0;
        self.storeys.iter().position(|&storey| storey == on_map).expect("it is a storey of this house")
    }

    /// Returns whether two units are on one storey, at most this many cells apart.
    pub(super) fn are_near(&self, one: Entity, other: Entity, cells: f32) -> bool {
        let distance = self.game.position(one).distance(self.game.position(other));
        self.storey_of(one) == self.storey_of(other) && distance <= cells * CELL
    }

    /// Returns whether two units are on one storey, on one cell or on two neighbouring cells.
    fn are_beside(&self, one: Entity, other: Entity) -> bool {
        let between = (self.game.position(one) - self.game.position(other)).abs();
        self.storey_of(one) == self.storey_of(other) && between.max_element() <= CELL
    }

    fn open(&mut self, stairs: usize, open: bool) {
        self.game.world_mut().get_mut::<Door>(self.stairs[stairs]).expect("the stairs").open = open;
    }
}

fn open_storey(game: &mut Game, n: usize) -> Entity {
    let map = game.open_map(WIDTH as u32, HEIGHT as u32);
    game.world_mut().entity_mut(map).insert(Transform::from_xyz(0.0, n as f32 * 1000.0, 0.0));
    map
}

#[test]
fn follower_goes_through_all_storeys_with_its_master() {
    for is_body in [false, true] {
        let mut house = House::new(3);
        let master = house.unit(0, (3, 3), is_body);
        let pet = house.unit(0, (1, 3), is_body);
        house.game.order(pet, PathRequest::to(master).following());
        house.game.ticks(20);
        for storey in [1, 2, 0] {
            let to = PathRequest::to_cell((9, 2)).on_map(house.storeys[storey]);
            house.game.order(master, to);
            house.game.tick_until(2000, |game| !game.is_ordered(master));
            house.game.ticks(300);
            assert!(house.are_beside(pet, master), "body {is_body}: {:?}", house.game.status(pet));
        }
        assert_eq!(house.game.status(pet), PathStatus::Following);
    }
}

#[test]
fn goals_near_a_target_on_another_storey_are_reached() {
    type Order = fn(Entity) -> PathRequest;
    let orders: [(Order, f32); 5] = [
        (|patient| PathRequest::to(patient), 0.1),
        (|patient| PathRequest::to(PathGoal::beside(patient)), 1.5),
        (|patient| PathRequest::to(PathGoal::within(patient, 2.0)), 2.1),
        (|patient| PathRequest::to(PathGoal::within(patient, 0.0)), 0.1),
        (|_| PathRequest::to(PathGoal::beside(Cell::new(9, 2))), 1.5),
    ];
    for (order, distance) in orders {
        for is_named in [false, true] {
            let mut house = House::new(2);
            let (nurse, patient) = (house.unit(0, (3, 3), false), house.thing(1, (9, 2)));
            let order = order(patient);
            if !is_named && !order.goal().to_string().contains("entity") {
                continue;
            }
            let order = if is_named { order.on_map(house.storeys[1]) } else { order };
            house.game.order(nurse, order.clone());
            house.game.run_until_quiet(800);
            assert_eq!(house.game.status(nurse), PathStatus::Arrived, "{order:?}");
            assert!(house.are_near(nurse, patient, distance), "{order:?}");
        }
    }
}

/// A pet of this house by a system of the game, as games had to write it when an order to an entity
/// stayed on its map.
#[derive(Component)]
struct LedPet {
    master: Entity,
}

fn lead_pet(
    mut commands: Commands,
    pets: Query<(Entity, &LedPet, &OnMap, Option<&PathRequest>)>,
    masters: Query<(&Transform, &OnMap)>,
) {
    for (pet, LedPet { master }, here, order) in &pets {
        let (place, there) = masters.get(*master).expect("the master lives");
        let is_together = here == there;
        if order.is_some_and(|order| order.goal_map().is_none() == is_together) {
            continue;
        }
        let order = if is_together {
            PathRequest::to(*master).following()
        } else {
            PathRequest::to_position(place.translation.truncate()).on_map(there.0)
        };
        commands.entity(pet).insert(order);
    }
}

/// Lets a master make journeys through four storeys. Returns the number of searches, and of journeys
/// at whose end the pet is more than a cell away.
fn journeys(is_body: bool, add_pet: impl Fn(&mut House, Entity) -> Option<Entity>) -> (usize, usize) {
    let random = &mut Seed::named("52 journeys").generator();
    let mut house = House::new(4);
    let master = house.unit(0, (3, 3), is_body);
    let pet = add_pet(&mut house, master);
    let (mut searches, mut away) = (0, 0);
    for _ in 0..52 {
        let cell = (random.random_range(0..WIDTH), random.random_range(0..HEIGHT));
        let storey = house.storeys[random.random_range(0..4)];
        house.game.order(master, PathRequest::to_cell(cell).on_map(storey));
        let mut rest = 0;
        while rest < 30 {
            house.game.tick();
            searches += house.game.diagnostics().searches;
            rest = if house.game.is_ordered(master) { 0 } else { rest + 1 };
        }
        away += usize::from(pet.is_some_and(|pet| !house.are_beside(pet, master)));
    }
    let lost =
        house.game.told().into_iter().filter(|(_, told)| matches!(told, Told::Lost(_) | Told::Failed(_)));
    assert_eq!(lost.collect::<Vec<_>>(), []);
    (searches, away)
}

#[test]
fn pet_follows_52_journeys_with_few_searches() {
    for is_body in [false, true] {
        let (of_master, _) = journeys(is_body, |_, _| None);
        let (by_order, away) = journeys(is_body, |house, master| {
            let pet = house.unit(0, (1, 3), is_body);
            house.game.order(pet, PathRequest::to(master).following());
            Some(pet)
        });
        assert_eq!(away, 0);
        let (by_game, away_by_game) = journeys(is_body, |house, master| {
            let pet = house.unit(0, (1, 3), is_body);
            house.game.world_mut().entity_mut(pet).insert(LedPet { master });
            house.game.add_systems(FixedUpdate, lead_pet.before(bevy_tilepath::TilepathSystems::SyncMaps));
            Some(pet)
        });
        assert_eq!(away_by_game, 0);
        let [by_order, by_game] = [by_order, by_game].map(|searches| searches - of_master);
        assert!(2 * by_order <= 3 * by_game, "body {is_body}: {by_order} searches, {by_game} by the game");
    }
}

#[test]
fn target_that_leaps_when_it_is_reached_is_followed() {
    for is_body in [false, true] {
        for distance in 1..5 {
            let mut house = House::new(2);
            // The thief stands before the stairs, and takes them when the guard is near.
            let thief = house.unit(0, (WIDTH - 3, 5), is_body);
            let guard = house.unit(0, (5, 5), is_body);
            house.game.order(guard, PathRequest::to(thief).following());
            house.game.tick_until(600, |game| {
                game.position(guard).distance(game.position(thief)) <= distance as f32 * CELL
            });
            let up = PathRequest::to_cell((9, 2)).on_map(house.storeys[1]);
            house.game.order(thief, up);
            house.game.ticks(600);
            assert!(house.are_near(guard, thief, 1.5), "body {is_body}, {distance} cells");
            assert!(house.game.is_ordered(guard));
        }
    }
}

#[test]
fn target_in_a_door_is_followed_through_it() {
    let mut house = House::new(2);
    let stairs = house.stairs[0];
    let door = house.game.world().get::<Door>(stairs).expect("the stairs").clone();
    let [from, to] = [door.from.clone(), door.to.clone()];
    house.game.world_mut().entity_mut(stairs).insert(Door::new(from, to));
    let (thief, guard) = (house.unit(0, (14, 5), false), house.unit(0, (2, 5), false));
    let up = PathRequest::to_cell((9, 2)).on_map(house.storeys[1]);
    house.game.order(thief, up);
    house.game.order(guard, PathRequest::to(thief).following());
    house.game.tick_until(2000, |game| !game.is_ordered(thief));
    house.game.ticks(500);
    assert_eq!(house.game.status(guard), PathStatus::Following);
    assert!(house.are_near(guard, thief, 0.1));
}

#[test]
fn door_that_closes_behind_the_target_is_waited_for() {
    let mut house = House::new(2);
    let thief = house.unit(0, (WIDTH - 3, 5), false);
    let guard = house.unit(0, (2, 5), false);
    house.game.order(guard, PathRequest::to(thief));
    house.game.ticks(10);
    house.put(thief, 1, (4, 4));
    house.open(0, false);
    house.game.ticks(400);
    assert_eq!(house.game.status(guard), PathStatus::WaitingForWay(PathFailure::Unreachable));
    assert!(house.game.told_of(guard).iter().all(|told| !matches!(told, Told::Lost(_))));
    house.open(0, true);
    house.game.run_until_quiet(1500);
    assert_eq!((house.game.status(guard), house.storey_of(guard)), (PathStatus::Arrived, 1));
}

#[test]
fn target_that_comes_back_is_met() {
    let mut house = House::new(2);
    let (thief, guard) = (house.thing(0, (10, 5)), house.unit(0, (2, 5), false));
    house.game.order(guard, PathRequest::to(thief).following());
    for n in 0..40 {
        house.put(thief, n % 2, (12 - n as i32 % 5, 5));
        house.game.ticks(7);
    }
    house.game.ticks(600);
    assert!(house.are_near(guard, thief, 0.1) && house.game.is_ordered(guard));
}

#[test]
fn nearest_of_several_targets_is_on_the_own_map_if_one_can_be_reached() {
    for is_walled in [false, true] {
        let mut house = House::new(3);
        let own = house.thing(0, (1, 1));
        let (above, top) = (house.thing(1, (9, 5)), house.thing(2, (9, 5)));
        // It stands beside the stairs: up there is nearer than the end of its own storey.
        let unit = house.unit(0, (WIDTH - 3, 5), false);
        if is_walled {
            for (x, y) in [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)] {
                let storey = house.storeys[0];
                house.game.set_terrain(storey, x, y, 0);
            }
        }
        let goal = PathGoal::Around(
            [top, own, above].map(Into::into).into(),
            bevy_tilepath::orders::Approach::Within(0.0),
        );
        house.game.order(unit, PathRequest::to(goal));
        house.game.run_until_quiet(1500);
        let nearest = if is_walled { above } else { own };
        assert!(house.are_near(unit, nearest, 0.1), "walled {is_walled}: {:?}", house.game.status(unit));
    }
}

#[test]
fn stairs_into_the_middle_of_the_goal_cells_end_there() {
    let mut house = House::new(2);
    let patient = house.thing(1, (WIDTH - 3, 5));
    let nurse = house.unit(0, (9, 5), false);
    house.game.order(nurse, PathRequest::to(PathGoal::within(patient, 6.0)));
    house.game.run_until_quiet(600);
    let landing = house.place(1, WIDTH - 2, 5);
    assert_eq!((house.storey_of(nurse), house.game.position(nurse)), (1, landing));
}

#[test]
fn orders_that_cannot_lead_to_the_target_fail_with_the_reason() {
    let mut house = House::new(2);
    let upstairs = house.storeys[1];
    let graph = house.game.world_mut().spawn(bevy_tilepath::NavGraph::new(WaypointGraph::new())).id();
    let patient = house.thing(1, (9, 2));
    let in_sight = PathRequest::to(PathGoal::in_sight(patient, 4.0));
    let unit = house.unit(0, (3, 3), false);
    let try_it = |house: &mut House, order: PathRequest| {
        house.game.order(unit, order);
        house.game.tick();
        house.game.status(unit)
    };
    assert_eq!(try_it(&mut house, in_sight), PathStatus::Failed(PathFailure::TargetElsewhere));
    let flight = PathRequest::to(PathGoal::flee([patient], 4.0, bevy_tilepath::Cost::new(100)));
    assert_eq!(try_it(&mut house, flight), PathStatus::Failed(PathFailure::TargetElsewhere));

    house.open(0, false);
    let order = PathRequest::to(patient);
    assert_eq!(try_it(&mut house, order.clone()), PathStatus::Failed(PathFailure::Unreachable));
    let waits = PathStatus::WaitingForWay(PathFailure::Unreachable);
    assert_eq!(try_it(&mut house, order.clone().or_wait()), waits);

    house.game.world_mut().entity_mut(patient).insert(OnMap(graph));
    assert_eq!(try_it(&mut house, order.clone()), PathStatus::Failed(PathFailure::TargetElsewhere));
    // A map that has no cells yet is waited for.
    let unread = house.game.world_mut().spawn(NavMap::default()).id();
    house.game.world_mut().entity_mut(patient).insert(OnMap(unread));
    assert_eq!(try_it(&mut house, order.clone()), PathStatus::WaitingForMap);
    // The map goes while the unit follows onto it.
    house.open(0, true);
    house.game.world_mut().entity_mut(patient).insert(OnMap(upstairs));
    house.game.order(unit, order.following());
    house.game.ticks(8);
    house.game.told();
    house.game.world_mut().despawn(upstairs);
    house.game.ticks(20);
    let told = house.game.told_of(unit);
    let lost = told.iter().filter(|told| matches!(told, Told::Lost(_)));
    assert_eq!(lost.collect::<Vec<_>>(), [&Told::Lost(PathFailure::NoMap)]);
    assert!(house.game.world().get::<AgentPath>(unit).is_none());
}

#[test]
fn follower_reaches_its_master_on_a_moving_storey() {
    let mut house = House::new(2);
    let (master, pet) = (house.unit(0, (3, 3), false), house.unit(0, (1, 3), false));
    // The upper storey is a deck that moves, and carries who stands on it.
    let deck = house.storeys[1];
    house.game.order(pet, PathRequest::to(master).following());
    let up = PathRequest::to_cell((9, 2)).on_map(deck);
    house.game.order(master, up);
    let mut carried = [false; 2];
    for _ in 0..900 {
        for (unit, is_carried) in [master, pet].into_iter().zip(&mut carried) {
            let is_on_deck = house.game.world().get::<OnMap>(unit) == Some(&OnMap(deck));
            if is_on_deck && !*is_carried {
                let at = house.game.drawn(unit);
                let place = house.game.drawn(deck);
                let local = Transform::from_translation((at - place).extend(0.0));
                house.game.world_mut().entity_mut(unit).insert((ChildOf(deck), local));
                *is_carried = true;
            }
        }
        let mut place = house.game.world_mut().get_mut::<Transform>(deck).expect("a deck");
        place.translation.x += 0.5;
        house.game.tick();
    }
    assert_eq!(carried, [true; 2]);
    let [master, pet] = [master, pet].map(|unit| house.game.drawn(unit));
    assert!(master.distance(pet) <= 0.1, "{master} {pet}");
}

/// Two storeys with cheap stairs in the east and dear ones in the west.
fn house_with_two_stairs() -> (House, [Entity; 2]) {
    let mut house = House::new(2);
    let cell = Cell::new(1, 5);
    let [from, to] = [0, 1].map(|n| DoorEnd::cell(house.storeys[n], cell));
    let dear = house.game.world_mut().spawn(Door::new(from, to).with_cost(900.0).leaping()).id();
    let cheap = house.stairs[0];
    (house, [cheap, dear])
}

#[test]
fn order_through_the_dearer_door_passes_it() {
    for is_body in [false, true] {
        let (mut house, [cheap, dear]) = house_with_two_stairs();
        let upper = house.storeys[1];
        let unit = house.unit(0, (15, 5), is_body);
        let order = PathRequest::to_cell((12, 5)).on_map(upper).through(dear);
        house.game.order(unit, order.clone());
        house.game.tick();
        let door = |house: &House| {
            house.game.path(unit).legs().last().and_then(bevy_tilepath::agents::PathLeg::door)
        };
        assert_eq!(door(&house), Some(dear));
        // A wall behind the door does not send it back through the door.
        house.game.tick_until(900, |game| game.world().get::<OnMap>(unit) == Some(&OnMap(upper)));
        for y in 0..HEIGHT - 1 {
            house.game.set_terrain(upper, 6, y, 0);
        }
        house.game.run_until_quiet(900);
        assert_eq!((house.game.status(unit), house.storey_of(unit)), (PathStatus::Arrived, 1));

        house.game.world_mut().get_mut::<Door>(dear).expect("the stairs").open = false;
        let back = PathRequest::to_cell((9, 5)).on_map(house.storeys[0]);
        for door in [dear, upper] {
            house.game.order(unit, back.clone().through(door).or_closest());
            house.game.tick();
            assert_eq!(house.game.status(unit), PathStatus::Failed(PathFailure::Unreachable));
        }
        house.game.order(unit, back.through(cheap));
        house.game.run_until_quiet(900);
        assert_eq!((house.game.status(unit), house.storey_of(unit)), (PathStatus::Arrived, 0));
    }
}

#[test]
fn order_through_a_door_may_lead_back_to_its_own_map() {
    let (mut house, [cheap, dear]) = house_with_two_stairs();
    let unit = house.unit(0, (9, 5), false);
    house.game.order(unit, PathRequest::to_cell((9, 6)).through(dear));
    house.game.tick();
    let doors: Vec<Entity> =
        house.game.path(unit).legs().filter_map(bevy_tilepath::agents::PathLeg::door).collect();
    // Up the one and down the other is cheaper than the dear one twice.
    assert!(doors == [dear, cheap] || doors == [cheap, dear], "{doors:?}");
    house.game.run_until_quiet(900);
    assert_eq!((house.game.status(unit), house.storey_of(unit)), (PathStatus::Arrived, 0));
}
