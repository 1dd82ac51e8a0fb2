//! Where the members of groups come to stand.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Body, Cell, CostTable, Formation, GroupOrder, Lattice, Movement, NavGrid, NavMap,
    NavProjection, PathAgent,
    tilepath::{Grid, Size, Topology},
};

use super::fixtures::*;
use crate::harness::tick;

#[test]
fn thirty_bodies_stand_in_a_disc_and_one_event_tells_so() {
    let mut app = app();
    open_map(&mut app, 40, 30);
    let units = squad(&mut app, 30);
    let goal = Cell::new(28, 20);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), goal));
    run_to_end(&mut app, group, 3000);
    assert_eq!(only_end(&app), [30, 0, 0, 0]);
    let cells = cells(&mut app, &units);
    assert!(cells.contains(&goal));
    for cell in &cells {
        let off = (cell.x - goal.x).pow(2) + (cell.y - goal.y).pow(2);
        assert!(off <= 13, "{cell} is outside of the disc: {cells:?}");
    }
    let told: BTreeSet<Entity> = heard(&app).members.iter().map(|&(who, _)| who).collect();
    assert_eq!(told.len(), 30, "each tells that it has arrived");
    assert_free(&app, &units);
    let places: Vec<Vec2> = units.iter().map(|&unit| position(&app, unit)).collect();
    ticks(&mut app, 100);
    assert_eq!(places, units.iter().map(|&unit| position(&app, unit)).collect::<Vec<_>>(), "none trembles");
}

#[test]
fn shapes_look_where_they_are_told_or_where_the_group_comes_from() {
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
        let mut app = app();
        open_map(&mut app, 30, 30);
        let units: Vec<Entity> = (0..9).map(|y| body(&mut app, 2, 11 + y, 96.0)).collect();
        let mut group_order = GroupOrder::to(units.iter().copied(), goal).in_formation(formation);
        if let Some(facing) = facing {
            group_order = group_order.facing(facing);
        }
        let group = order(&mut app, group_order);
        run_to_end(&mut app, group, 2000);
        assert_eq!(only_end(&app), [9, 0, 0, 0]);
        assert_eq!(cells(&mut app, &units), cells_of_shape, "{formation}");
    }
}

#[test]
fn agents_without_bodies_have_places_of_their_own_too() {
    let mut app = app();
    open_map(&mut app, 30, 30);
    let units: Vec<Entity> = (0..20).map(|_| ghost(&mut app, 3, 3, 96.0)).collect();
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(20, 20)));
    run_to_end(&mut app, group, 1000);
    assert_eq!(only_end(&app), [20, 0, 0, 0]);
    cells(&mut app, &units);
}

#[test]
fn wagon_boat_and_soldiers_each_stand_on_their_own_ground() {
    let mut app = app();
    let map = map(
        &mut app,
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
    app.world_mut().entity_mut(map).insert(rules);
    tick(&mut app);
    let mut units: Vec<Entity> = (0..6).map(|n| body(&mut app, n % 3, 2 + n / 3, 96.0)).collect();
    let boat = body(&mut app, 1, 0, 96.0);
    app.world_mut().entity_mut(boat).insert(AgentMovement::from("boat"));
    let wagon = body(&mut app, 4, 4, 96.0);
    let mut at = app.world_mut().get_mut::<Transform>(wagon).expect("it is there");
    at.translation = (centre(4, 4) + CELL / 2.0).extend(0.0);
    app.world_mut().entity_mut(wagon).insert(AgentMovement::from("wagon"));
    units.extend([boat, wagon]);
    let group = order(&mut app, GroupOrder::to(units.iter().copied(), Cell::new(15, 3)));
    run_to_end(&mut app, group, 2000);
    assert_eq!(only_end(&app), [8, 0, 0, 0]);
    assert_eq!(cell_at(&app, boat).y, 1, "on the water that is nearest");
    assert!(units[..6].iter().all(|&unit| cell_at(&app, unit).y >= 2));
    let wheels = position(&app, wagon);
    for &unit in &units[..6] {
        let apart = (position(&app, unit) - wheels).abs().max_element() / CELL;
        assert!(apart >= 1.5, "{apart} cells from the middle of the wagon");
    }
}

#[test]
fn hexagons_have_formations() {
    for &formation in Formation::ALL {
        let mut app = app();
        let grid = Grid::new(30, 30, 1).expect("the map is small").with_topology(Topology::Hexagonal);
        let projection = NavProjection::new(Lattice::HexRow, Vec2::new(16.0, 18.0), Vec2::ZERO);
        app.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection));
        let units: Vec<Entity> = (0..7)
            .map(|n| {
                let at = projection.position_of(Cell::new(3 + n, 3)).extend(0.0);
                app.world_mut()
                    .spawn((PathAgent::default(), Body::default(), Transform::from_translation(at)))
                    .id()
            })
            .collect();
        let goal = Cell::new(15, 15);
        let group = order(&mut app, GroupOrder::to(units.iter().copied(), goal).in_formation(formation));
        run_to_end(&mut app, group, 3000);
        assert_eq!(only_end(&app), [7, 0, 0, 0]);
        let mut cells: Vec<Cell> =
            units.iter().filter_map(|&unit| projection.cell_at(position(&app, unit))).collect();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 7, "{formation}");
        let most = if formation == Formation::Disc { 1 } else { 4 };
        assert!(cells.iter().all(|&cell| Topology::Hexagonal.steps(cell, goal) <= most), "{cells:?}");
    }
}

#[test]
fn places_that_others_hold_are_left_to_them() {
    let mut app = app();
    open_map(&mut app, 30, 20);
    let goal = Cell::new(20, 10);
    let crate_ = app
        .world_mut()
        .spawn((Body::default(), Transform::from_translation(centre(20, 10).extend(0.0))))
        .id();
    tick(&mut app);
    let (first, second): (Vec<Entity>, Vec<Entity>) = {
        let units = squad(&mut app, 24);
        (units[..12].to_vec(), units[12..].to_vec())
    };
    // Both at once: the second stands around the first.
    let groups = [&first, &second].map(|units| order(&mut app, GroupOrder::to(units.iter().copied(), goal)));
    for group in groups {
        run_to_end(&mut app, group, 3000);
    }
    for end in &heard(&app).arrived {
        assert_eq!((end.arrived, end.with_shortfall, end.lost, end.left), (12, 0, 0, 0));
    }
    assert_eq!(heard(&app).arrived.len(), 2);
    let all: Vec<Entity> = first.iter().chain(&second).chain([&crate_]).copied().collect();
    cells(&mut app, &all);
}
