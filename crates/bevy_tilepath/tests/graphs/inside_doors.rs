//! Orders, edits and moves while agents are inside a door.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, OnMap, PathFailure, PathRequest, PathStatus,
    agents::PathLeg,
    doors::{Door, DoorEnd},
};
use rand::Rng;
use testkit::Seed;

use super::fixtures::*;
use crate::harness::*;

/// Two rooms of five by three cells, with a gap of 100 units between them. A door leads from one to
/// the other, and a raft carries all of it.
struct Rooms {
    game: Game,
    raft: Entity,
    maps: [Entity; 2],
    door: Entity,
}

const LEFT: Cell = Cell::new(4, 1);
const RIGHT: Cell = Cell::new(0, 1);

fn rooms() -> Rooms {
    let mut game = Game::long_steps();
    let raft = game.world_mut().spawn(Transform::default()).id();
    let maps = [0.0, 150.0].map(|x| {
        let map = game.tile_map(".....\n.....\n.....", Vec2::new(x, 0.0));
        game.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
        map
    });
    let door = Door::new(DoorEnd::cell(maps[0], LEFT), DoorEnd::cell(maps[1], RIGHT));
    let door = game.world_mut().spawn(door).id();
    Rooms { game, raft, maps, door }
}

impl Rooms {
    /// Spawns an agent on the raft, at the left end of the door, with an order to the right room.
    /// After 5.5 seconds, it is half-way through.
    fn passenger(&mut self) -> Entity {
        let walker = self.game.walker(45.0, 15.0, 10.0);
        self.game.world_mut().entity_mut(walker).insert((OnMap(self.maps[0]), ChildOf(self.raft)));
        self.go(walker, 1, 4);
        walker
    }

    fn go(&mut self, walker: Entity, room: usize, x: i32) {
        self.game.order(walker, PathRequest::to_cell(Cell::new(x, 1)).on_map(self.maps[room]));
    }

    /// Steps one second. If `drifts` is true, the raft moves and turns.
    fn second(&mut self, drifts: bool) {
        if drifts {
            let mut raft = self.game.world_mut().get_mut::<Transform>(self.raft).expect("it floats");
            raft.translation += Vec3::new(3.0, -2.0, 0.0);
            raft.rotate_z(0.3);
        }
        self.game.step(1.0);
    }

    #[track_caller]
    fn assert_arrives(&mut self, walker: Entity, place: &str) {
        self.game.step_until_quiet(walker, 1.0, 60);
        assert_eq!(self.game.news_of(walker).last(), Some(&arrived(place)));
        assert_eq!(self.game.status(walker), PathStatus::Arrived);
    }
}

#[test]
fn agent_in_a_door_takes_any_number_of_orders() {
    for drifts in [false, true] {
        for rooms_asked in [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 0, 1], [0, 1, 1]] {
            let mut rooms = rooms();
            let walker = rooms.passenger();
            rooms.game.step(5.5);
            for (n, room) in rooms_asked.into_iter().enumerate() {
                rooms.go(walker, room, n as i32 + 1);
                let before = rooms.game.position(walker).x;
                rooms.second(drifts);
                // The agent is in the gap, and walks to the end that its order needs.
                let at = rooms.game.position(walker);
                let expected = Vec2::new(before + [-10.0, 10.0][room], 15.0);
                assert!(at.distance(expected) < 0.01, "{at} {expected} {rooms_asked:?} {drifts}");
                assert!((46.0..154.0).contains(&at.x), "{at}");
            }
            let place = "(3, 1)";
            rooms.assert_arrives(walker, place);
        }
    }
}

#[test]
fn agent_on_its_way_back_out_of_a_door_is_replanned_when_its_map_changes() {
    for drifts in [false, true] {
        let mut rooms = rooms();
        let walker = rooms.passenger();
        rooms.game.step(5.5);
        let back = PathRequest::to_cell(Cell::new(0, 1)).on_map(rooms.maps[0]);
        rooms.game.order(walker, back.with_tolerance(f32::INFINITY));
        rooms.game.step(0.5);
        rooms.game.named_of(walker);
        for x in [3, 2, 1] {
            // Closes the present path in column `x`, and opens the column that was closed before.
            let legs = rooms.game.path(walker).legs().filter_map(PathLeg::path);
            let ahead: Vec<Cell> =
                legs.flat_map(bevy_tilepath::Path::cells).copied().filter(|cell| cell.x == x).collect();
            let mut grid = rooms.game.world_mut().get_mut::<NavGrid>(rooms.maps[0]).expect("a map");
            for y in 0..3 {
                grid.set_terrain(Cell::new(x + 1, y), 1).expect("on the map");
            }
            for cell in ahead {
                grid.set_terrain(cell, 0).expect("on the map");
            }
            rooms.second(drifts);
            assert!(rooms.game.position(walker).x > 45.0, "the agent has left the door");
        }
        let news = rooms.game.news_of(walker);
        assert_eq!(news.iter().filter(|told| **told == replanned("(0, 1)")).count(), 3, "{news:?}");
        rooms.assert_arrives(walker, "(0, 1)");
    }
}

#[test]
fn agent_ordered_to_stand_in_a_door_sets_out_again_from_there() {
    let mut rooms = rooms();
    let walker = rooms.passenger();
    rooms.game.step(5.5);
    for room in [1, 0] {
        rooms.game.world_mut().entity_mut(walker).remove::<PathRequest>();
        for _ in 0..5 {
            rooms.second(true);
        }
        rooms.game.assert_at(walker, Vec2::new(100.0, 15.0));
        rooms.go(walker, room, 2);
        rooms.game.step(0.0);
        assert_eq!(rooms.game.status(walker), PathStatus::Following);
    }
    rooms.assert_arrives(walker, "(2, 1)");
}

#[test]
fn door_closed_opened_and_despawned_under_an_agent_lets_it_out() {
    for is_despawned in [false, true] {
        let mut rooms = rooms();
        let walker = rooms.passenger();
        rooms.game.step(5.5);
        if is_despawned {
            rooms.game.world_mut().despawn(rooms.door);
        } else {
            rooms.game.world_mut().get_mut::<Door>(rooms.door).expect("a door").open = false;
        }
        rooms.second(true);
        assert_eq!(rooms.game.news_of(walker).last(), Some(&Named::Lost(PathFailure::Unreachable)));
        rooms.go(walker, 0, 1);
        rooms.second(true);
        rooms.go(walker, 0, 2);
        rooms.second(true);
        // Another door joins the same two cells. The agent walks on through the gap.
        if is_despawned {
            let door = Door::new(DoorEnd::cell(rooms.maps[1], RIGHT), DoorEnd::cell(rooms.maps[0], LEFT));
            rooms.game.world_mut().spawn(door);
        } else {
            rooms.game.world_mut().get_mut::<Door>(rooms.door).expect("a door").open = true;
        }
        rooms.go(walker, 1, 2);
        let before = rooms.game.position(walker).x;
        rooms.second(true);
        rooms.game.assert_at(walker, Vec2::new(before + 10.0, 15.0));
        rooms.assert_arrives(walker, "(2, 1)");
    }
}

#[test]
fn agent_in_door_walks_back_if_far_map_is_despawned() {
    let mut rooms = rooms();
    let walker = rooms.passenger();
    rooms.game.step(5.5);
    rooms.game.world_mut().despawn(rooms.maps[1]);
    rooms.game.step(0.0);
    rooms.go(walker, 0, 2);
    let before = rooms.game.position(walker);
    rooms.second(false);
    assert!(rooms.game.position(walker).x < before.x, "{:?}", rooms.game.news_of(walker));
    rooms.assert_arrives(walker, "(2, 1)");
}

#[test]
fn agent_nudged_in_a_door_goes_on_and_one_taken_out_of_it_starts_where_it_is() {
    for drifts in [false, true] {
        let mut rooms = rooms();
        let walker = rooms.passenger();
        rooms.game.step(5.5);
        for (n, room) in [1, 0, 0, 1, 0].into_iter().enumerate() {
            let mut transform = rooms.game.world_mut().get_mut::<Transform>(walker).expect("it is somewhere");
            transform.translation.y += [0.6, -0.6][n % 2];
            rooms.go(walker, room, n as i32);
            rooms.second(drifts);
            assert_eq!(rooms.game.status(walker), PathStatus::Following, "{n}");
        }
        // An agent that is put onto a cell of its map starts at that cell.
        rooms.go(walker, 0, 0);
        let on_a_cell = Vec3::new(24.0, 27.0, 3.0);
        rooms.game.world_mut().get_mut::<Transform>(walker).expect("it is somewhere").translation = on_a_cell;
        rooms.game.step(0.0);
        assert_eq!(rooms.game.path(walker).path().expect("over cells").start(), Cell::new(2, 2));
        // An agent that is put outside of all maps has no start.
        let nowhere = Vec3::new(75.0, 195.0, 3.0);
        rooms.game.world_mut().get_mut::<Transform>(walker).expect("it is somewhere").translation = nowhere;
        rooms.game.step(1.0);
        let last = rooms.game.news_of(walker).pop();
        let is_lost = matches!(last, Some(Told::Lost(PathFailure::StartOutOfBounds { .. })));
        assert!(is_lost, "{last:?} {drifts}");
    }
}

#[test]
fn agent_given_the_map_behind_its_door_starts_at_that_end() {
    let mut rooms = rooms();
    let walker = rooms.passenger();
    rooms.game.step(5.5);
    let behind = rooms.maps[1];
    rooms.game.world_mut().entity_mut(walker).insert(OnMap(behind));
    rooms.go(walker, 1, 3);
    rooms.second(true);
    rooms.game.assert_at(walker, Vec2::new(110.0, 15.0));
    rooms.go(walker, 0, 3);
    rooms.second(true);
    rooms.game.assert_at(walker, Vec2::new(100.0, 15.0));
    rooms.assert_arrives(walker, "(3, 1)");
}

/// A house, a street and a barn with five doors. Two doors join the house and the street.
struct Village {
    game: Game,
    raft: Entity,
    house: Entity,
    street: Entity,
    barn: Entity,
    side_door: Entity,
}

fn village(raft: Transform) -> Village {
    let mut game = Game::long_steps();
    let raft = game.world_mut().spawn(raft).id();
    let house = game.tile_map(".....\n.....\n.....", Vec2::ZERO);
    let barn = game.tile_map(".....\n.....\n.....", Vec2::new(120.0, 0.0));
    let street = graph_of(
        &[("porch", 65.0, 15.0), ("gate", 105.0, 15.0), ("well", 85.0, 40.0)],
        &[("porch", "gate"), ("gate", "well"), ("well", "porch")],
    );
    let street = game.graph(street);
    for map in [house, street, barn] {
        game.world_mut().entity_mut(map).insert((Transform::default(), ChildOf(raft)));
    }
    let cell = |map, x, y| DoorEnd::cell(map, Cell::new(x, y));
    let side_door = Door::new(cell(house, 4, 2), DoorEnd::waypoint(street, "well"));
    let side_door = game.world_mut().spawn(side_door).id();
    for (from, to) in [
        (cell(house, 4, 1), DoorEnd::waypoint(street, "porch")),
        (DoorEnd::waypoint(street, "gate"), cell(barn, 0, 1)),
        (cell(house, 4, 0), cell(barn, 0, 0)),
        (cell(barn, 0, 2), cell(barn, 4, 0)),
    ] {
        game.world_mut().spawn(Door::new(from, to));
    }
    Village { game, raft, house, street, barn, side_door }
}

impl Village {
    /// Returns an order to a place that can always be reached.
    fn errand(&self, random: &mut impl Rng) -> PathRequest {
        match random.random_range(0..5) {
            0 | 1 => PathRequest::to_cell(Self::cell(random)).on_map(self.house),
            2 => PathRequest::to_waypoint(["porch", "gate", "well"][random.random_range(0..3)])
                .on_map(self.street),
            _ => PathRequest::to_cell(Self::cell(random)).on_map(self.barn),
        }
    }

    /// Returns a cell beside the middle column. Walls go up in the middle column only.
    fn cell(random: &mut impl Rng) -> Cell {
        Cell::new([0, 1, 3, 4][random.random_range(0..4)], random.random_range(0..3))
    }
}

#[test]
fn agents_in_doors_arrive_despite_orders_and_edits() {
    let rafts = [
        (Transform::default(), 0.0),
        (Transform::default(), 0.05),
        (Transform::from_xyz(30_000.0, -20_000.0, 0.0), 0.02),
    ];
    let (mut orders, mut in_doors) = (0, 0);
    for (number, (raft, turn)) in rafts.iter().cycle().take(9).enumerate() {
        let mut random = Seed::named(&format!("village {number}")).generator();
        let mut village = village(*raft);
        let walkers: Vec<Entity> = (0..20)
            .map(|n| {
                let (x, y) = (n % 5, n / 5 % 3);
                let walker =
                    village.game.walker(x as f32 * TILE_SIDE + 5.0, y as f32 * TILE_SIDE + 5.0, 20.0);
                village
                    .game
                    .world_mut()
                    .entity_mut(walker)
                    .insert((OnMap(village.house), ChildOf(village.raft)));
                walker
            })
            .collect();
        for tick in 0..400 {
            if tick % 7 == 0 {
                let map = [village.house, village.barn][tick / 7 % 2];
                let class = random.random_range(0..2);
                let mut grid = village.game.world_mut().get_mut::<NavGrid>(map).expect("a map");
                grid.set_terrain(Cell::new(2, 1), class).expect("on the map");
            }
            if tick % 31 == 0 {
                village.game.world_mut().get_mut::<Door>(village.side_door).expect("a door").open ^= true;
            }
            for &walker in &walkers {
                if random.random_range(0..10) == 0 {
                    let errand = village.errand(&mut random);
                    village.game.order(walker, errand);
                    orders += 1;
                }
                let x = village.game.position(walker).x;
                in_doors += usize::from((51.0..64.0).contains(&x) || (106.0..119.0).contains(&x));
            }
            if *turn > 0.0 {
                let mut raft =
                    village.game.world_mut().get_mut::<Transform>(village.raft).expect("it floats");
                raft.translation.x += 0.7;
                raft.rotate_z(*turn);
            }
            village.game.step(0.1);
        }
        for &walker in &walkers {
            let errand = village.errand(&mut random);
            village.game.order(walker, errand);
        }
        for _ in 0..400 {
            if *turn > 0.0 {
                village
                    .game
                    .world_mut()
                    .get_mut::<Transform>(village.raft)
                    .expect("it floats")
                    .rotate_z(*turn);
            }
            village.game.step(0.1);
        }
        let states: Vec<PathStatus> = walkers.iter().map(|&walker| village.game.status(walker)).collect();
        assert!(states.iter().all(|state| *state == PathStatus::Arrived), "{number}: {states:?}");
        let failures: Vec<Named> = village
            .game
            .all_named()
            .into_iter()
            .filter(|told| matches!(told, Told::Failed(_) | Told::Lost(_)))
            .collect();
        assert_eq!(failures, [], "{number}: an order failed, although each place can always be reached");
    }
    assert!(orders > 5000 && in_doors > 5000, "{orders} {in_doors}");
}
