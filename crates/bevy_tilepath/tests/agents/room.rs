//! Obstacles that make room: who rests inside goes aside.

use std::collections::BTreeSet;

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{
    AgentMovement, Body, Cell, CostTable, Movement, NavMap, Obstacle, PathStatus, Stepwise, TilepathSnapshot,
    TilepathState,
    events::{ObstacleClear, ObstacleOccupied},
    groups::GroupOrder,
    tilepath::{Bounds, Edit, Size},
};

use crate::harness::*;

/// The events of obstacles.
#[derive(Resource, Default, Clone, PartialEq, Eq, Debug)]
struct News {
    clear: Vec<Entity>,
    occupied: Vec<(Entity, Entity)>,
}

fn listen(game: &mut Game) {
    game.world_mut().init_resource::<News>();
    game.world_mut()
        .add_observer(|clear: On<ObstacleClear>, mut news: ResMut<News>| news.clear.push(clear.entity));
    game.world_mut().add_observer(|occupied: On<ObstacleOccupied>, mut news: ResMut<News>| {
        news.occupied.push((occupied.entity, occupied.by));
    });
}

fn news(game: &Game) -> &News {
    game.world().resource::<News>()
}

/// A map of `side` × `side` cells whose obstacles are heard.
fn yard(side: u32) -> (Game, Entity) {
    let (mut game, map) = Game::open(side, side);
    listen(&mut game);
    (game, map)
}

/// Puts a building that makes room onto cells.
fn build(game: &mut Game, cells: Bounds) -> Entity {
    let (low, high) = (cells.origin(), (cells.width() as f32, cells.height() as f32));
    let site = game.thing(low.x, low.y);
    let offset = Vec2::new(high.0 - 1.0, high.1 - 1.0) * CELL / 2.0;
    let house = Obstacle { size: (Vec2::new(high.0, high.1) - 0.1) * CELL, ..default() }.makes_room();
    let place = Transform::from_translation((centre(low.x, low.y) + offset).extend(0.0));
    game.world_mut().entity_mut(site).insert((house, place));
    site
}

fn area(x: i32, y: i32, width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(x, y), width, height).expect("a small rectangle")
}

fn centre_of(game: &Game, units: &[Entity]) -> BTreeSet<Cell> {
    units.iter().map(|&unit| game.cell_at(unit)).collect()
}

#[test]
fn one_to_twenty_units_make_room() {
    for is_body in [false, true] {
        let counts = (1..=20).filter(|count| is_body || count % 4 == 0);
        for count in counts {
            let (mut game, _) = yard(20);
            let place = |number: i32| (8 + number % 5, 8 + number / 5);
            let units: Vec<Entity> = (0..count)
                .map(place)
                .map(|(x, y)| if is_body { game.body(x, y, 64.0) } else { game.agent(x, y, 64.0) })
                .collect();
            game.ticks(3);
            let house = build(&mut game, area(8, 8, 5, 4));
            let before: Vec<Cell> = units.iter().map(|&unit| game.cell_at(unit)).collect();
            let mut ticks = 0;
            while news(&game).clear.is_empty() {
                game.tick();
                ticks += 1;
                assert!(ticks < 1000, "{count} units, bodies: {is_body}");
            }
            game.ticks(200);
            let after = centre_of(&game, &units);
            assert_eq!(after.len(), units.len(), "one cell each: {after:?}");
            assert!(!after.iter().any(|&cell| area(8, 8, 5, 4).contains(cell)), "{after:?}");
            let walks = before.iter().zip(&units).map(|(&from, &unit)| {
                let to = game.cell_at(unit);
                (to.x - from.x).unsigned_abs().max((to.y - from.y).unsigned_abs()) as usize
            });
            // A cell takes 16 ticks at this speed, and a diagonal step takes longer.
            let farthest = walks.max().expect("a unit") * 16;
            assert!(ticks <= 10 * farthest, "{count} units, bodies: {is_body}: {ticks} ticks for {farthest}");
            assert_eq!(*news(&game), News { clear: vec![house], occupied: vec![] });
        }
    }
}

#[test]
fn unit_with_an_order_keeps_it_and_idle_units_stay_aside() {
    let (mut game, _) = yard(16);
    let idle = game.body(6, 6, 64.0);
    let busy = game.body(7, 7, 64.0);
    game.ticks(3);
    game.order_to(busy, 1, 7);
    build(&mut game, area(6, 6, 3, 3));
    game.ticks(300);
    assert_eq!(game.cell_at(busy), Cell::new(1, 7));
    let aside = game.cell_at(idle);
    assert_eq!(aside, Cell::new(5, 6), "the first of the nearest cells");
    game.ticks(300);
    assert_eq!(game.cell_at(idle), aside);
    assert_eq!(news(&game).clear.len(), 1);
}

#[test]
fn empty_site_is_clear_and_a_moved_obstacle_starts_again() {
    let (mut game, _) = yard(16);
    let unit = game.agent(10, 10, 64.0);
    let house = build(&mut game, area(3, 3, 2, 2));
    game.ticks(5);
    assert_eq!(news(&game).clear, [house]);
    game.put(house, 10, 10);
    game.ticks(100);
    assert_eq!(news(&game).clear, [house, house]);
    assert_ne!(game.cell_at(unit), Cell::new(10, 10));
    // A plain obstacle orders no unit aside.
    game.world_mut().get_mut::<Obstacle>(house).expect("it is there").makes_room = false;
    let there = game.cell_at(unit);
    game.put(house, there.x, there.y);
    game.ticks(100);
    assert_eq!(game.cell_at(unit), there);
    assert_eq!(news(&game).clear.len(), 2);
}

#[test]
fn unit_that_cannot_leave_is_named_once() {
    let (mut game, map) = yard(12);
    let unit = game.agent(5, 5, 64.0);
    let crate_ = game.thing(4, 5);
    game.world_mut().entity_mut(crate_).insert(Body::default());
    game.ticks(2);
    // Void cells all around.
    let mut grid = game.world_mut().get_mut::<bevy_tilepath::NavGrid>(map).expect("it is there");
    let frame = [area(3, 4, 4, 1), area(3, 6, 4, 1), area(3, 5, 1, 1), area(6, 5, 1, 1)];
    grid.edit(&frame.map(Edit::void_in)).expect("they are on the map");
    let house = build(&mut game, area(4, 5, 2, 1));
    game.ticks(50);
    let told = news(&game).clone();
    assert_eq!(told.clear, []);
    let mut named = told.occupied;
    named.sort_unstable();
    let mut expected = vec![(house, unit), (house, crate_)];
    expected.sort_unstable();
    assert_eq!(named, expected);
    // An order of the game leads out as soon as there is a path.
    let mut grid = game.world_mut().get_mut::<bevy_tilepath::NavGrid>(map).expect("it is there");
    grid.set_terrain_in(area(6, 5, 1, 1), 1).expect("it is on the map");
    game.order_to(unit, 9, 5);
    game.world_mut().despawn(crate_);
    game.ticks(150);
    assert_eq!(game.cell_at(unit), Cell::new(9, 5));
    assert_eq!(news(&game).clear, [house]);
    assert_eq!(news(&game).occupied.len(), 2);
}

#[test]
fn only_blocked_units_go_aside() {
    let mut game = Game::new();
    listen(&mut game);
    let rules = NavMap::default().with_movement("boat", Movement::new());
    let map = game.open_map(12, 12);
    game.world_mut().entity_mut(map).insert(rules);
    let [boat, walker] = [(5, 5), (6, 5)].map(|(x, y)| game.agent(x, y, 64.0));
    game.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    game.ticks(2);
    let boom = game.thing(5, 5);
    let obstacle = Obstacle { size: Vec2::splat(CELL * 3.9), ..default() }.blocks_only(["boat"]).makes_room();
    game.world_mut().entity_mut(boom).insert(obstacle);
    game.ticks(200);
    assert_eq!(game.cell_at(walker), Cell::new(6, 5));
    assert!((game.cell_at(boat).x - 5).abs().max((game.cell_at(boat).y - 5).abs()) > 1);
    assert_eq!(news(&game).clear, [boom]);
}

#[test]
fn wide_units_stepwise_units_and_units_on_layers_make_room() {
    let (mut game, _) = yard(20);
    let wide = game.agent_at(centre(6, 6) + Vec2::splat(CELL / 2.0), 64.0);
    let two = Movement::new().with_size(Size::new(2).expect("a size"));
    game.world_mut().entity_mut(wide).insert((AgentMovement::from(two), Body::default()));
    let stepper = game.body(8, 6, 64.0);
    game.world_mut().entity_mut(stepper).insert(Stepwise::default());
    let flier = game.body(8, 7, 64.0);
    game.world_mut().entity_mut(flier).insert(Body { layer: 2, blocks: 2 });
    game.ticks(3);
    build(&mut game, area(7, 6, 3, 3));
    for _ in 0..20 {
        game.world_mut().get_mut::<Stepwise>(stepper).expect("it is there").steps += 1;
        game.ticks(30);
    }
    assert_eq!(news(&game).clear.len(), 1);
    for unit in [wide, stepper, flier] {
        assert_eq!(game.status(unit), PathStatus::Arrived);
    }
}

#[test]
fn saves_and_rollbacks_keep_which_units_were_sent() {
    let (mut game, _) = yard(16);
    let units: Vec<Entity> = (0..9).map(|number| game.body(6 + number % 3, 6 + number / 3, 64.0)).collect();
    game.ticks(3);
    let house = build(&mut game, area(6, 6, 3, 3));
    game.ticks(6);
    let snapshot = TilepathSnapshot::take(game.world_mut()).expect("the plugin is there");
    let state = TilepathState::take(game.world_mut()).expect("the plugin is there");
    game.ticks(400);
    let (cells, told) = (centre_of(&game, &units), news(&game).clone());
    assert_eq!(told, News { clear: vec![house], occupied: vec![] });
    snapshot.put(game.world_mut()).expect("all entities are there");
    game.ticks(400);
    assert_eq!(centre_of(&game, &units), cells);
    assert_eq!(news(&game).clear, [house, house]);
    let mut loaded = Game::new();
    listen(&mut loaded);
    let mut entities = EntityHashMap::default();
    state.put(loaded.world_mut(), &mut entities).expect("a new world fits every state");
    loaded.ticks(400);
    let again: Vec<Entity> = units.iter().map(|unit| entities[unit]).collect();
    assert_eq!(centre_of(&loaded, &again), cells);
    assert_eq!(news(&loaded).clear, [entities[&house]]);
    // A game that is saved after the last one is out does not hear of it again.
    let state = TilepathState::take(loaded.world_mut()).expect("the plugin is there");
    let mut later = Game::new();
    listen(&mut later);
    state.put(later.world_mut(), &mut EntityHashMap::default()).expect("a new world fits every state");
    later.ticks(50);
    assert_eq!(*news(&later), News::default());
}

#[test]
fn an_observer_may_remove_the_building() {
    let (mut game, map) = yard(12);
    game.world_mut().add_observer(|clear: On<ObstacleClear>, mut commands: Commands| {
        commands.entity(clear.entity).despawn();
    });
    let unit = game.agent(5, 5, 64.0);
    build(&mut game, area(4, 4, 3, 3));
    game.ticks(200);
    assert_eq!(news(&game).clear.len(), 1);
    assert_ne!(game.cell_at(unit), Cell::new(5, 5));
    assert!(!game.drawing(map).contains('#'));
}

#[test]
fn units_that_pass_walls_stay() {
    let (mut game, _) = yard(12);
    let [mole, walker] = [(5, 5), (6, 5)].map(|(x, y)| game.agent(x, y, 64.0));
    let digs = Movement::new().with_costs(CostTable::identity().with(0, 1));
    game.world_mut().entity_mut(mole).insert(AgentMovement::from(digs));
    game.ticks(2);
    let house = build(&mut game, area(4, 4, 4, 4));
    game.ticks(200);
    assert_eq!(game.cell_at(mole), Cell::new(5, 5));
    assert!(!area(4, 4, 4, 4).contains(game.cell_at(walker)));
    assert_eq!(*news(&game), News { clear: vec![house], occupied: vec![] });
}

#[test]
fn two_houses_give_each_unit_one_place() {
    for budget in [1, 20_000] {
        for ticks_between in [0, 1, 4] {
            let (mut game, _) = yard(16);
            let units: Vec<Entity> =
                (0..12).map(|number| game.agent(5 + number % 4, 5 + number / 4, 64.0)).collect();
            game.ticks(3);
            game.budget(budget);
            build(&mut game, area(5, 5, 3, 3));
            game.ticks(ticks_between);
            build(&mut game, area(6, 5, 3, 3));
            game.ticks(800);
            let cells = centre_of(&game, &units);
            assert_eq!(cells.len(), 12, "budget {budget}, {ticks_between} ticks between: {cells:?}");
            assert!(!cells.iter().any(|&cell| area(5, 5, 4, 3).contains(cell)), "{cells:?}");
            assert_eq!(news(&game).clear.len(), 2);
            assert_eq!(news(&game).occupied, []);
        }
    }
}

#[test]
fn obstacle_under_a_parent_that_moves_makes_room_at_each_place() {
    let (mut game, _) = yard(24);
    let units: Vec<Entity> = (0..4).map(|number| game.body(8 + 3 * number, 10, 96.0)).collect();
    let cart = game.thing(3, 10);
    let house = Obstacle { size: Vec2::splat(CELL * 1.9), ..default() }.makes_room();
    let beside = Transform::from_translation(Vec3::new(CELL / 2.0, CELL / 2.0, 0.0));
    game.world_mut().spawn((house, beside, ChildOf(cart)));
    game.ticks(3);
    for x in 4..20 {
        game.put(cart, x, 10);
        game.ticks(40);
        let cells = centre_of(&game, &units);
        assert_eq!(cells.len(), 4, "{cells:?}");
        assert!(!cells.iter().any(|&cell| area(x, 10, 2, 2).contains(cell)), "{x}: {cells:?}");
    }
    assert_eq!(news(&game).occupied, []);
    assert_eq!(news(&game).clear.len(), 17, "once at each place");
}

#[test]
fn members_that_have_arrived_go_aside_and_their_group_arrives() {
    let (mut game, _) = yard(24);
    let units: Vec<Entity> = (0..4).map(|number| game.body(2 + number, 2, 96.0)).collect();
    let late = game.body(2, 20, 24.0);
    let members = units.iter().copied().chain([late]);
    let group = game.order_group(GroupOrder::to(members, centre(16, 12)));
    // Four are there, and wait for the slow one.
    game.ticks(400);
    assert!(game.is_ordered(late));
    let low = units.iter().map(|&unit| game.cell_at(unit)).min().expect("a unit");
    build(&mut game, area(low.x, low.y - 1, 2, 3));
    game.run_to_end(group, 3000);
    game.ticks(100);
    let cells = centre_of(&game, &units);
    assert_eq!(cells.len(), 4, "{cells:?}");
    assert!(!cells.iter().any(|&cell| area(low.x, low.y - 1, 2, 3).contains(cell)), "{cells:?}");
    assert_eq!(news(&game).clear.len(), 1);
}
