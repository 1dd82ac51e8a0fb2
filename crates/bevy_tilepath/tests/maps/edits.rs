//! Edits of all kinds on maps with obstacles: some show at once, and the others when the obstacles
//! leave.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, Movement, NavGrid, NavMap, NavProjection, Obstacle,
    tilepath::{Bounds, Direction, Edit, Exits, Grid, GridError},
};

use crate::harness::*;

const SIDE: u32 = 8;
/// The cells under the house.
const HOUSE: [(i32, i32); 4] = [(2, 2), (3, 2), (2, 3), (3, 3)];

fn bounds(x: i32, y: i32, width: u32, height: u32) -> Bounds {
    Bounds::new(Cell::new(x, y), width, height).unwrap()
}

/// A map with a house on it. One cell under the house is void.
struct Scene {
    game: Game,
    map: Entity,
    house: Entity,
    /// The grid of the map without the house.
    own: Grid,
}

impl Scene {
    fn new() -> Self {
        let mut game = Game::new();
        let mut own = Grid::new(SIDE, SIDE, 1).unwrap();
        own.edit(&[Edit::void(Cell::new(3, 3)), Edit::terrain(Cell::new(2, 2), 5)]).unwrap();
        let rules = NavMap::default().with_movement("cart", Movement::new());
        let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
        let map = game.world_mut().spawn((rules, NavGrid::new(own.clone()), projection)).id();
        let size = Obstacle { size: Vec2::splat(2.0), ..default() };
        let house = game.world_mut().spawn((size, Transform::from_xyz(2.5, 2.5, 0.0))).id();
        game.tick();
        let scene = Self { game, map, house, own };
        scene.check();
        scene
    }

    fn grid(&self) -> &NavGrid {
        self.game.world().get(self.map).unwrap()
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<usize, GridError> {
        self.game.world_mut().get_mut::<NavGrid>(self.map).unwrap().edit(edits)
    }

    /// Makes edits on the map and on `own`. Fails if the numbers of changes differ.
    #[track_caller]
    fn make(&mut self, edits: &[Edit]) -> usize {
        let changes = self.edit(edits).unwrap();
        assert_eq!(self.own.edit(edits), Ok(changes), "{edits:?}");
        self.check();
        changes
    }

    /// Checks that the map is `own` with the house on it.
    #[track_caller]
    fn check(&self) {
        let mut shown = self.own.clone();
        for cell in HOUSE.map(Cell::from).into_iter().filter(|&cell| self.own.contains(cell)) {
            shown.set_terrain(cell, 0).unwrap();
        }
        assert_eq!(self.grid().grid(), &shown);
        assert_eq!(self.grid().bare_grid(), self.own);
    }

    /// Despawns the house, and checks that the map equals `own`.
    #[track_caller]
    fn tear_down(mut self) {
        self.game.tick();
        self.check();
        self.game.world_mut().despawn(self.house);
        self.game.tick();
        assert_eq!(self.grid().grid(), &self.own);
    }
}

#[test]
fn classes_and_voids_under_an_obstacle_come_when_it_leaves() {
    let mut scene = Scene::new();
    let [corner, beside, void] = [(2, 2), (3, 2), (3, 3)].map(Cell::from);
    assert_eq!(scene.make(&[Edit::terrain(corner, 7)]), 1);
    assert_eq!(scene.make(&[Edit::terrain(corner, 7)]), 0);
    assert_eq!(scene.grid().own_terrain(corner), Some(7));
    assert_eq!(scene.make(&[Edit::void(beside)]), 1);
    assert_eq!(scene.grid().terrain(beside), None, "a void cell shows at once");
    assert_eq!(scene.make(&[Edit::terrain(void, 0)]), 1, "a wall of its own under the wall of the house");
    assert_eq!(scene.make(&[Edit::terrain(beside, 2), Edit::void(beside), Edit::terrain(beside, 3)]), 3);
    scene.tear_down();
}

#[test]
fn a_rectangle_under_an_obstacle_comes_when_it_leaves() {
    let mut scene = Scene::new();
    assert_eq!(scene.make(&[Edit::terrain_in(bounds(1, 1, 3, 2), 4)]), 6);
    let before = scene.grid().grid().revision();
    assert_eq!(scene.make(&[Edit::terrain_in(bounds(2, 2, 1, 1), 6)]), 1);
    assert_eq!(scene.grid().grid().revision(), before, "no part of the edit shows");
    assert_eq!(scene.make(&[Edit::void_in(bounds(2, 3, 3, 3))]), 8, "one of the cells was void before");
    assert_eq!(scene.make(&[Edit::terrain_in(bounds(3, 3, 2, 1), 2)]), 2);
    let grid = scene.game.world_mut().get_mut::<NavGrid>(scene.map).unwrap().into_inner();
    assert_eq!(grid.set_terrain_in(bounds(2, 2, 2, 1), 9), Ok(2));
    scene.own.set_terrain_in(bounds(2, 2, 2, 1), 9).unwrap();
    scene.check();
    scene.tear_down();
}

#[test]
fn exits_and_ledges_under_an_obstacle_are_there_at_once_and_stay() {
    let mut scene = Scene::new();
    let [corner, beside] = [Cell::new(2, 2), Cell::new(3, 2)];
    assert_eq!(scene.make(&[Edit::exits(corner, Exits::ALL.without(Direction::West))]), 1);
    assert_eq!(scene.make(&[Edit::fence(corner, beside), Edit::one_way(beside, Cell::new(4, 2))]), 3);
    assert_eq!(scene.make(&[Edit::ledge(Cell::new(3, 3), Direction::South)]), 5);
    assert_eq!(scene.make(&[Edit::open_edge(corner, beside)]), 2);
    scene.tear_down();
}

#[test]
fn overlays_under_an_obstacle_are_there_at_once_and_stay() {
    let mut scene = Scene::new();
    assert_eq!(scene.make(&[Edit::overlay("mud", Cell::new(2, 2), 4)]), 1);
    assert_eq!(scene.make(&[Edit::overlay_in("mud", bounds(2, 2, 2, 3), 3)]), 6);
    assert_eq!(scene.make(&[Edit::clear_overlay("mud"), Edit::overlay("smell", Cell::new(3, 3), 1)]), 7);
    scene.tear_down();
}

#[test]
fn a_cell_that_an_obstacle_closes_to_one_movement_stays_closed() {
    let mut scene = Scene::new();
    let gate = Obstacle::default().blocks_only(["cart"]);
    let gate = scene.game.world_mut().spawn((gate, Transform::from_xyz(6.0, 6.0, 0.0))).id();
    scene.game.tick();
    let at = Cell::new(6, 6);
    let overlay = scene.grid().grid().overlay_names().next().unwrap().to_owned();
    for edits in [
        [Edit::overlay(&overlay, at, 0)],
        [Edit::overlay_in(&overlay, bounds(6, 6, 1, 1), 7)],
        [Edit::clear_overlay(&overlay)],
    ] {
        assert_eq!(scene.edit(&edits), Ok(0));
        assert_eq!(scene.grid().grid().overlay(&overlay, at), Grid::CLOSING);
    }
    let beside = Edit::overlay_in(&overlay, bounds(5, 6, 2, 1), 7);
    assert_eq!(scene.edit(&[beside, Edit::terrain(at, 3), Edit::clear_overlay(&overlay)]), Ok(3));
    let grid = scene.game.world_mut().get_mut::<NavGrid>(scene.map).unwrap().into_inner();
    assert_eq!(grid.set_overlay(&overlay, [(at, 0)]), Ok(0));
    let outside = Edit::overlay(&overlay, Cell::new(99, 0), 7);
    assert!(matches!(scene.edit(&[outside]), Err(GridError::OutOfBounds { .. })));
    scene.game.world_mut().despawn(gate);
    scene.game.tick();
    assert_eq!(scene.grid().grid().overlay_cells(&overlay).count(), 0);
    assert_eq!(scene.grid().terrain(at), Some(3));
}

#[test]
fn edits_that_cannot_be_made_leave_what_is_under_obstacles_as_it_was() {
    let mut scene = Scene::new();
    let corner = Cell::new(2, 2);
    for (wrong, named) in [
        (Edit::terrain(Cell::new(8, 0), 1), Cell::new(8, 0)),
        (Edit::terrain_in(bounds(2, 2, 7, 1), 1), Cell::new(8, 2)),
        (Edit::void_in(bounds(-1, 2, 7, 1)), Cell::new(-1, 2)),
    ] {
        let edits = [Edit::terrain(corner, 9), Edit::void(Cell::new(3, 2)), wrong];
        let refused = scene.edit(&edits);
        assert!(matches!(refused, Err(GridError::OutOfBounds { cell, .. }) if cell == named), "{refused:?}");
        scene.check();
    }
    assert_eq!(
        scene.edit(&[Edit::terrain(corner, 9), Edit::exits(corner, Exits::NONE)]),
        Err(GridError::NoExit { cell: corner })
    );
    scene.check();
    scene.tear_down();
}

#[test]
#[cfg(feature = "tilemap")]
fn edits_of_a_map_that_tiles_fill_are_warned_of_once() {
    let mut game = Game::new();
    let map = game.tilemap("....\n....");
    game.tick();
    let mut edit = |edits: &[Edit]| {
        logs_of(|| {
            game.world_mut().get_mut::<NavGrid>(map).unwrap().edit(edits).map(drop).unwrap();
        })
    };
    let at = Cell::new(1, 1);
    assert_eq!(edit(&[Edit::fence(at, Cell::new(1, 0)), Edit::overlay("mud", at, 2)]), Vec::<String>::new());
    let logs = edit(&[Edit::fence(at, Cell::new(2, 1)), Edit::void_in(bounds(1, 1, 2, 1))]);
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains("the cell (1, 1)") && logs[0].contains("change the Terrain"), "{logs:?}");
    assert_eq!(edit(&[Edit::terrain(at, 3)]), Vec::<String>::new());
}
