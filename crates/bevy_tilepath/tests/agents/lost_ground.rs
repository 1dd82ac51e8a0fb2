//! Orders that wait for a way while the ground under their units leaves the map.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, NavGrid, PathFailure, PathRequest, PathStatus,
    tilepath::{Bounds, Grid, format::parse_ascii},
};

use super::fixtures::*;
use crate::harness::{start_off, tick};

fn replace_grid(app: &mut App, map: Entity, picture: &str) {
    let grid = parse_ascii(picture).expect("the picture is a map");
    app.world_mut().entity_mut(map).insert(NavGrid::new(grid));
}

fn ticks(app: &mut App, count: usize) {
    (0..count).for_each(|_| tick(app));
}

#[test]
fn waiting_unit_whose_ground_leaves_the_map_goes_on_waiting() {
    // It waits from the beginning, or has set out.
    for has_set_out in [false, true] {
        let mut app = app();
        let map = map(&mut app, if has_set_out { "............" } else { "......#....." });
        let unit = agent(&mut app, 10, 0, 16.0);
        app.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
        ticks(&mut app, 5);
        told(&mut app);
        replace_grid(&mut app, map, "......#.");
        for _ in 0..100 {
            tick(&mut app);
            assert_eq!(status(&app, unit), PathStatus::WaitingForWay(start_off((10, 0), 8, 1)));
        }
        replace_grid(&mut app, map, "......#.....");
        ticks(&mut app, 70);
        assert_eq!(status(&app, unit), PathStatus::WaitingForWay(PathFailure::Unreachable));
        replace_grid(&mut app, map, "............");
        run_until_quiet(&mut app, 1000);
        assert_eq!(position(&app, unit), centre(0, 0));
        let told = told_of(&mut app, unit);
        let ends = |told: &&Told| matches!(told, Told::Arrived(_) | Told::Failed(_) | Told::Lost(_));
        assert_eq!(told.iter().filter(ends).collect::<Vec<_>>(), [&Told::Arrived(Cell::new(0, 0))]);
    }
}

#[test]
fn waiting_unit_whose_ground_becomes_void_goes_on_waiting() {
    let mut app = app();
    let map = map(&mut app, "......#.....");
    let unit = agent(&mut app, 10, 0, 160.0);
    app.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
    ticks(&mut app, 5);
    let bounds = Bounds::new(Cell::new(0, 0), 12, 1).expect("it is small");
    let cells = (0..12).map(|x| (x < 6).then_some(1)).collect::<Vec<_>>();
    let without = Grid::from_cells(bounds, &cells).expect("all cells are there");
    app.world_mut().entity_mut(map).insert(NavGrid::new(without));
    ticks(&mut app, 100);
    assert!(matches!(status(&app, unit), PathStatus::WaitingForWay(_)), "{:?}", status(&app, unit));
    replace_grid(&mut app, map, "............");
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, unit), centre(0, 0));
}

#[test]
fn waiting_unit_of_which_the_map_has_no_cell_left_goes_on_waiting() {
    let mut app = app();
    let map = map(&mut app, "......#.....");
    let unit = agent(&mut app, 10, 0, 160.0);
    app.world_mut().entity_mut(unit).insert(PathRequest::to_cell((0, 0)).or_wait());
    ticks(&mut app, 5);
    let empty = NavGrid::new(Grid::new(0, 0, 1).expect("it is small"));
    app.world_mut().entity_mut(map).insert(empty);
    ticks(&mut app, 100);
    assert!(is_ordered(&app, unit), "{:?}", status(&app, unit));
    replace_grid(&mut app, map, "............");
    run_until_quiet(&mut app, 300);
    assert_eq!(position(&app, unit), centre(0, 0));
}
