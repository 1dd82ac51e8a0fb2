//! Orders that wait for a path while the map loses the ground under their units.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Edit, NavGrid, NavMap, NavProjection, OnMap, PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    tilepath::{Bounds, Grid, format::parse_ascii},
};

use crate::harness::*;

fn replace_grid(game: &mut Game, map: Entity, picture: &str) {
    let grid = parse_ascii(picture).expect("the picture is a map");
    game.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

#[test]
fn waiting_unit_whose_ground_leaves_the_map_goes_on_waiting() {
    // Either the unit waits from the beginning, or it has set out.
    for has_set_out in [false, true] {
        let (mut game, map) = Game::drawn_as(if has_set_out { "............" } else { "......#....." });
        let unit = game.agent(10, 0, 16.0);
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
        game.ticks(5);
        game.told();
        replace_grid(&mut game, map, "......#.");
        for _ in 0..100 {
            game.tick();
            assert_eq!(game.status(unit), PathStatus::WaitingForWay(start_off((10, 0), 8, 1)));
        }
        replace_grid(&mut game, map, "......#.....");
        game.ticks(70);
        assert_eq!(game.status(unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
        replace_grid(&mut game, map, "............");
        game.run_until_quiet(1000);
        assert_eq!(game.position(unit), centre(0, 0));
        let told = game.told_of(unit);
        let ends = |told: &&Told| matches!(told, Told::Arrived(_) | Told::Failed(_) | Told::Lost(_));
        assert_eq!(told.iter().filter(ends).collect::<Vec<_>>(), [&Told::Arrived(Cell::new(0, 0))]);
    }
}

#[test]
fn waiting_unit_whose_ground_becomes_void_goes_on_waiting() {
    let (mut game, map) = Game::drawn_as("......#.....");
    let unit = game.agent(10, 0, 160.0);
    game.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
    game.ticks(5);
    let bounds = Bounds::new(Cell::new(0, 0), 12, 1).expect("it is small");
    let cells = (0..12).map(|x| (x < 6).then_some(1)).collect::<Vec<_>>();
    let without = Grid::from_cells(bounds, &cells).expect("all cells are there");
    game.world_mut().entity_mut(map).insert(NavGrid::new(without));
    game.ticks(100);
    assert!(matches!(game.status(unit), PathStatus::WaitingForWay(_)), "{:?}", game.status(unit));
    replace_grid(&mut game, map, "............");
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(0, 0));
}

#[test]
fn waiting_unit_of_which_the_map_has_no_cell_left_goes_on_waiting() {
    let (mut game, map) = Game::drawn_as("......#.....");
    let unit = game.agent(10, 0, 160.0);
    game.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
    game.ticks(5);
    let empty = NavGrid::new(Grid::new(0, 0, 1).expect("it is small"));
    game.world_mut().entity_mut(map).insert(empty);
    game.ticks(100);
    assert!(game.is_ordered(unit), "{:?}", game.status(unit));
    replace_grid(&mut game, map, "............");
    game.run_until_quiet(300);
    assert_eq!(game.position(unit), centre(0, 0));
}

#[test]
fn unit_whose_cell_becomes_void_leaves_through_a_door_there() {
    for class in [None, Some(0)] {
        let (mut game, near) = Game::open(8, 1);
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::new(20.5 * CELL, CELL / 2.0));
        let far = NavGrid::new(Grid::new(8, 1, 1).expect("the map is small"));
        let far = game.world_mut().spawn((NavMap::default(), far, projection)).id();
        let end = Cell::new(7, 0);
        game.world_mut().spawn(Door::new(DoorEnd::cell(near, end), DoorEnd::cell(far, Cell::new(0, 0))));
        let unit = game.agent(7, 0, 160.0);
        game.world_mut().entity_mut(unit).insert(OnMap(near));
        let edit = class.map_or(Edit::void(end), |class| Edit::terrain(end, class));
        let mut grid = game.world_mut().get_mut::<NavGrid>(near).expect("the map is there");
        assert_eq!(grid.edit(&[edit]), Ok(1));
        game.world_mut().entity_mut(unit).insert(PathRequest::to_cell((5, 0)).on_map(far));
        game.run_until_quiet(1000);
        let told = game.told_of(unit);
        assert!(told.contains(&Told::Arrived(Cell::new(5, 0))), "{class:?}: {told:?}");
    }
}
