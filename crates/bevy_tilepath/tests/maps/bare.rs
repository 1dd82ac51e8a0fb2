//! Maps without the obstacles and areas of entities.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Movement, NavGrid, NavMap, NavProjection, Obstacle,
    maps::OverlayArea,
    tilepath::{Edit, Grid},
};

use crate::harness::*;

fn ground() -> Grid {
    let mut grid = Grid::new(8, 8, 1).unwrap();
    grid.set_terrain(Cell::new(2, 2), 5).unwrap();
    grid.edit(&[Edit::void(Cell::new(3, 2)), Edit::fence(Cell::new(6, 6), Cell::new(7, 6))]).unwrap();
    grid.set_overlay("mud", [(Cell::new(1, 1), 4)]).unwrap();
    grid
}

#[test]
fn bare_grid_has_no_obstacles_and_areas_and_all_else() {
    let mut game = Game::new();
    let careful = Movement::new().with_overlay("danger").with_overlay("mud");
    let rules = NavMap::default().with_movement("careful", careful).with_movement("cart", Movement::new());
    let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
    let map = game.world_mut().spawn((rules, NavGrid::new(ground()), projection)).id();
    let house = Transform::from_xyz(2.5, 2.0, 0.0);
    game.world_mut().spawn((Obstacle { size: Vec2::new(2.0, 1.0), ..default() }, house));
    let gate = Obstacle::default().blocks_only(["cart"]);
    game.world_mut().spawn((gate, Transform::from_xyz(5.0, 5.0, 0.0)));
    game.world_mut().spawn((OverlayArea::new("danger", 3, 2.0), Transform::from_xyz(4.0, 4.0, 0.0)));
    game.tick();
    let grid = game.world().get::<NavGrid>(map).unwrap();
    assert_ne!(*grid.grid(), ground(), "the grid has obstacles and areas");
    assert_eq!((grid.terrain(Cell::new(2, 2)), grid.own_terrain(Cell::new(2, 2))), (Some(0), Some(5)));
    assert_eq!(grid.own_terrain(Cell::new(3, 2)), None, "a void cell under an obstacle");
    assert_eq!(grid.own_terrain(Cell::new(0, 0)), Some(1));
    assert_eq!(grid.own_terrain(Cell::new(8, 0)), None);
    let mut expected = ground();
    assert_eq!(grid.bare_grid(), expected);
    // The bare grid shows an edit under the house.
    game.world_mut().get_mut::<NavGrid>(map).unwrap().set_terrain(Cell::new(2, 2), 7).unwrap();
    expected.set_terrain(Cell::new(2, 2), 7).unwrap();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().bare_grid(), expected);
}

#[test]
fn loaded_bare_grid_is_open_where_a_house_was_torn_down() {
    let mut game = Game::new();
    let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
    let map = game.world_mut().spawn((NavMap::default(), NavGrid::new(ground()), projection)).id();
    let house = game.world_mut().spawn((Obstacle::default(), Transform::from_xyz(0.0, 0.0, 0.0))).id();
    game.tick();
    let saved = game.world().get::<NavGrid>(map).unwrap().bare_grid();
    game.world_mut().entity_mut(map).insert(NavGrid::new(saved));
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().terrain(Cell::new(0, 0)), Some(0));
    game.world_mut().despawn(house);
    game.tick();
    assert_eq!(game.world().get::<NavGrid>(map).unwrap().grid(), &ground());
}
