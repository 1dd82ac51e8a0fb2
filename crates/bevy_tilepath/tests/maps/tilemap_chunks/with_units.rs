//! Chunks beneath bodies, groups, doors, turns, moving parents and observers.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, OnMap, PathRequest, PathStatus, Stepwise,
    agents::StepAgent,
    doors::{Door, DoorEnd},
    events::PathPointReached,
    groups::GroupOrder,
};

use super::Chunks;
use crate::harness::*;

fn open_chunk(width: usize, height: usize) -> String {
    vec![".".repeat(width); height].join("\n")
}

#[test]
fn bodies_meet_while_walls_of_the_chunk_go_up_and_share_no_cell() {
    let mut game = Game::new();
    let map = game.chunk_map(&open_chunk(20, 5));
    let bodies: Vec<Entity> =
        (0..4).map(|n| game.body(if n % 2 == 0 { 0 } else { 19 }, n / 2 + 1, 160.0)).collect();
    for (n, &body) in (0..).zip(&bodies) {
        game.order_to(body, if n % 2 == 0 { 19 } else { 0 }, n / 2 + 1);
    }
    for tick in 0..400 {
        if tick == 20 {
            for y in 0..4 {
                game.set_tile(map, 10, y, '#'); // one gap is left
            }
        }
        game.tick();
        let cells: Vec<Cell> = bodies.iter().map(|&body| game.cell_at(body)).collect();
        assert!((1..4).all(|n| !cells[..n].contains(&cells[n])), "tick {tick}: {cells:?}");
        assert!(tick < 20 || cells.iter().all(|cell| cell.x != 10 || cell.y == 4), "tick {tick}: {cells:?}");
    }
    for (n, &body) in (0..).zip(&bodies) {
        assert_eq!(game.status(body), PathStatus::Arrived, "{n}");
        assert_eq!(game.position(body), centre(if n % 2 == 0 { 19 } else { 0 }, n / 2 + 1));
    }
}

#[test]
fn group_stands_on_ground_of_the_chunk() {
    let mut game = Game::new();
    game.chunk_map("....................\n....................\n............####....\n....................");
    let units = game.squad(6);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(14, 2)));
    game.run_to_end(group, 600);
    assert_eq!(game.only_end()[0], 6);
    let cells = game.cells_of(&units);
    assert!(cells.iter().all(|cell| cell.y != 1 || !(12..16).contains(&cell.x)), "{cells:?}");
}

#[test]
fn door_leads_from_one_chunk_to_another() {
    let mut game = Game::new();
    let yard = game.chunk_map("......");
    let cellar = game.chunk_map("......");
    game.world_mut().get_mut::<Transform>(cellar).unwrap().translation.y += 9.0 * CELL;
    game.world_mut()
        .spawn(Door::new(DoorEnd::cell(yard, Cell::new(5, 0)), DoorEnd::cell(cellar, Cell::new(0, 0))));
    let unit = game.agent(0, 0, 320.0);
    game.world_mut().entity_mut(unit).insert(OnMap(yard));
    game.order(unit, PathRequest::to_cell((5, 0)).on_map(cellar));
    game.run_until_quiet(200);
    assert_eq!(game.world().get::<OnMap>(unit), Some(&OnMap(cellar)));
    assert_eq!(game.position(unit), centre(5, 9));
}

#[test]
fn turns_stop_before_a_wall_that_the_chunk_gets() {
    let mut game = Game::new();
    let map = game.chunk_map("........");
    let pawn = game.ordered_agent((0, 0), 1e6, (7, 0));
    game.world_mut().entity_mut(pawn).insert(Stepwise::default());
    game.tick();
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 2 });
    game.ticks(3);
    assert_eq!(game.cell_at(pawn), Cell::new(2, 0));
    game.set_tile(map, 5, 0, '#');
    game.world_mut().trigger(StepAgent { entity: pawn, steps: 5 });
    game.ticks(3);
    assert_eq!(game.cell_at(pawn), Cell::new(2, 0), "no path is left");
    assert!(matches!(game.told_of(pawn)[..], [.., Told::Lost(_)]));
}

#[test]
fn unit_on_the_parent_of_a_chunk_arrives_while_the_parent_sails() {
    let mut game = Game::new();
    let ship = game.world_mut().spawn(Transform::default()).id();
    let deck = game.chunk_map("...........\n.....#.....\n...........");
    let unit = game.agent(0, 1, 160.0);
    for entity in [deck, unit] {
        game.world_mut().entity_mut(entity).insert(ChildOf(ship));
    }
    game.order_to(unit, 10, 1);
    game.tick_until(200, |game| {
        game.world_mut().get_mut::<Transform>(ship).unwrap().translation.x += 3.0;
        !game.is_ordered(unit)
    });
    assert_eq!(game.words_of(unit), "found (10, 1) for 108, arrived at (10, 1)");
    assert_eq!(game.position(unit), centre(10, 1), "its place on the ship");
}

#[test]
fn wall_from_an_observer_blocks_in_the_next_tick() {
    let mut game = Game::new();
    let map = game.chunk_map(&open_chunk(12, 3));
    game.add_observer(move |reached: On<PathPointReached>, mut commands: Commands| {
        if reached.place.cell() == Some(Cell::new(4, 1)) {
            commands.queue(move |world: &mut World| {
                let mut tiles = world.get_mut::<bevy::sprite_render::TilemapChunkTileData>(map).unwrap();
                tiles[12 + 6] = super::tile('#');
            });
        }
    });
    let unit = game.ordered_agent((0, 1), 160.0, (11, 1));
    game.run_until_quiet(300);
    assert_eq!(
        game.words_of(unit),
        "found (11, 1) for 110, blocked at (6, 1), replanned to (11, 1) for 78, arrived at (11, 1)"
    );
}
