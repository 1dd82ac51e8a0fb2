//! The places of group members.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, CostTable, Movement, NavGrid, NavMap, NavProjection, PathAgent,
    groups::{Formation, GroupOrder},
    maps::Lattice,
    tilepath::{Grid, Size, Topology},
};

use crate::harness::*;

#[test]
fn thirty_bodies_stand_in_a_disc_and_one_event_tells_so() {
    let (mut game, _) = Game::open(40, 30);
    let units = game.squad(30);
    let goal = Cell::new(28, 20);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), goal));
    game.run_to_end(group, 3000);
    assert_eq!(game.only_end(), [30, 0, 0, 0]);
    let cells = game.cells_of(&units);
    assert!(cells.contains(&goal));
    for cell in &cells {
        let off = (cell.x - goal.x).pow(2) + (cell.y - goal.y).pow(2);
        assert!(off <= 13, "{cell} is outside of the disc: {cells:?}");
    }
    let told: BTreeSet<Entity> = game.group_news().members.iter().map(|&(who, _)| who).collect();
    assert_eq!(told.len(), 30, "`Arrived` is triggered for each member");
    game.assert_free(&units);
    let places: Vec<Vec2> = units.iter().map(|&unit| game.position(unit)).collect();
    game.ticks(100);
    assert_eq!(
        places,
        units.iter().map(|&unit| game.position(unit)).collect::<Vec<_>>(),
        "all members stand still"
    );
}

#[test]
fn formation_faces_the_given_heading_or_away_from_the_start() {
    let goal = Cell::new(20, 15);
    let line = (0..9).map(|n| Cell::new(16 + n, 15)).collect();
    let column = (0..9).map(|n| Cell::new(20, 11 + n)).collect();
    let square = (0..9).map(|n| Cell::new(19 + n % 3, 14 + n / 3)).collect();
    let wedge = (0..9).map(|n| Cell::new(20 - (n - 4_i32).abs(), 11 + n)).collect();
    for (formation, facing, cells_of_shape) in [
        (Formation::Line, Some(Vec2::Y), line),
        (Formation::Line, None, column),
        (Formation::Box, Some(Vec2::NEG_X), square),
        (Formation::Wedge, Some(Vec2::new(7.0, 0.0)), wedge),
    ] {
        let (mut game, _) = Game::open(30, 30);
        let units: Vec<Entity> = (0..9).map(|y| game.body(2, 11 + y, 96.0)).collect();
        let mut group_order = GroupOrder::to(units.iter().copied(), goal).in_formation(formation);
        if let Some(facing) = facing {
            group_order = group_order.facing(facing);
        }
        let group = game.order_group(group_order);
        game.run_to_end(group, 2000);
        assert_eq!(game.only_end(), [9, 0, 0, 0]);
        assert_eq!(game.cells_of(&units), cells_of_shape, "{formation}");
    }
}

#[test]
fn wedge_beside_a_gate_stands_on_one_side_of_the_wall() {
    let rows = (0..24).map(|y| match y {
        11 | 12 => ".".repeat(40),
        _ => format!("{}##{}", ".".repeat(20), ".".repeat(18)),
    });
    let (mut game, _) = Game::drawn_as(&rows.collect::<Vec<_>>().join("\n"));
    let units: Vec<Entity> = (0..14).map(|n| game.body(4 + n, 6 + n % 3, 96.0)).collect();
    let order = GroupOrder::to(units.iter().copied(), Cell::new(25, 10)).in_formation(Formation::Wedge);
    let group = game.order_group(order.facing(Vec2::new(15.0, 2.0)));
    game.run_to_end(group, 3000);
    assert_eq!(game.only_end(), [14, 0, 0, 0]);
    let cells = game.cells_of(&units);
    assert!(cells.iter().all(|cell| cell.x > 21), "{cells:?}");
}

#[test]
fn agents_without_bodies_have_places_of_their_own_too() {
    let (mut game, _) = Game::open(30, 30);
    let units: Vec<Entity> = (0..20).map(|_| game.agent(3, 3, 96.0)).collect();
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(20, 20)));
    game.run_to_end(group, 1000);
    assert_eq!(game.only_end(), [20, 0, 0, 0]);
    game.cells_of(&units);
}

#[test]
fn wagon_boat_and_soldiers_each_stand_on_their_own_ground() {
    let (mut game, map) = Game::drawn_as(
        "
        ....................
        ....................
        ....................
        ....................
        44444444444444444444
        44444444444444444444
        ",
    );
    let on_land = CostTable::default().with(4, 0);
    let rules = NavMap { costs: on_land.clone(), ..default() }
        .with_movement("boat", Movement::new().with_costs(CostTable::impassable().with(4, 1)))
        .with_movement(
            "wagon",
            Movement::new().with_costs(on_land).with_size(Size::new(2).expect("2 is a size")),
        );
    game.world_mut().entity_mut(map).insert(rules);
    game.tick();
    let mut units: Vec<Entity> = (0..6).map(|n| game.body(n % 3, 2 + n / 3, 96.0)).collect();
    let boat = game.body(1, 0, 96.0);
    game.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    let wagon = game.body(4, 4, 96.0);
    let mut at = game.world_mut().get_mut::<Transform>(wagon).expect("it is there");
    at.translation = (centre(4, 4) + CELL / 2.0).extend(0.0);
    game.world_mut().entity_mut(wagon).insert(AgentMovement::from("wagon"));
    units.extend([boat, wagon]);
    let group = game.order_group(GroupOrder::to(units.iter().copied(), Cell::new(15, 3)));
    game.run_to_end(group, 2000);
    assert_eq!(game.only_end(), [8, 0, 0, 0]);
    assert_eq!(game.cell_at(boat).y, 1, "the boat stands on the nearest water");
    assert!(units[..6].iter().all(|&unit| game.cell_at(unit).y >= 2));
    let wheels = game.position(wagon);
    for &unit in &units[..6] {
        let apart = (game.position(unit) - wheels).abs().max_element() / CELL;
        assert!(apart >= 1.5, "{apart} cells from the middle of the wagon");
    }
}

#[test]
fn hexagons_have_formations() {
    for &formation in Formation::ALL {
        let mut game = Game::new();
        let grid = Grid::new(30, 30, 1).expect("the map is small").with_topology(Topology::Hexagonal);
        let projection = NavProjection::new(Lattice::HexRow, Vec2::new(16.0, 18.0), Vec2::ZERO);
        game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection));
        let units: Vec<Entity> = (0..7)
            .map(|n| {
                let at = projection.position_of(Cell::new(3 + n, 3)).extend(0.0);
                game.world_mut()
                    .spawn((PathAgent::default(), Body::default(), Transform::from_translation(at)))
                    .id()
            })
            .collect();
        let goal = Cell::new(15, 15);
        let group = game.order_group(GroupOrder::to(units.iter().copied(), goal).in_formation(formation));
        game.run_to_end(group, 3000);
        assert_eq!(game.only_end(), [7, 0, 0, 0]);
        let mut cells: Vec<Cell> =
            units.iter().filter_map(|&unit| projection.cell_at(game.position(unit))).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 7, "{formation}");
        let most = if formation == Formation::Disc { 1 } else { 4 };
        assert!(cells.iter().all(|&cell| Topology::Hexagonal.steps(cell, goal) <= most), "{cells:?}");
    }
}

#[test]
fn places_that_others_hold_are_left_to_them() {
    let (mut game, _) = Game::open(30, 20);
    let goal = Cell::new(20, 10);
    let crate_ = game
        .world_mut()
        .spawn((Body::default(), Transform::from_translation(centre(20, 10).extend(0.0))))
        .id();
    game.tick();
    let (first, second): (Vec<Entity>, Vec<Entity>) = {
        let units = game.squad(24);
        (units[..12].to_vec(), units[12..].to_vec())
    };
    // Both groups are ordered at once. The second one stands around the first.
    let groups = [&first, &second].map(|units| game.order_group(GroupOrder::to(units.iter().copied(), goal)));
    for group in groups {
        game.run_to_end(group, 3000);
    }
    for end in &game.group_news().arrived {
        assert_eq!((end.arrived, end.with_shortfall, end.lost, end.left), (12, 0, 0, 0));
    }
    assert_eq!(game.group_news().arrived.len(), 2);
    let all: Vec<Entity> = first.iter().chain(&second).chain([&crate_]).copied().collect();
    game.cells_of(&all);
}
