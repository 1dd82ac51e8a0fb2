//! Tests that the checks find closed exits, overlays and voids.

use bevy_ecs::{entity::Entity, world::World};
use bevy_math::Vec2;
use bevy_tilepath::{
    AgentMovement, Cell, Edit, NavGrid, PathRequest,
    tilepath::{Bounds, Grid},
};

use super::{
    tests::{a_walker, assert_heard, quiet},
    *,
};
use crate::{
    checks::{bodies::is_allowed, reach::Reach},
    crew::Spot,
    places::{self, Ground, SMOKE},
};

/// Returns an open cell of a map with an open cell to the east.
fn open_pair(world: &World, map: Entity) -> [Cell; 2] {
    let ground = Ground::of(world, map, None).expect("the map is there");
    let pairs = ground.grid.bounds().cells().map(|cell| [cell, cell + (1, 0)]);
    let is_open = |pair: &[Cell; 2]| pair.iter().all(|&cell| ground.is_open(cell));
    pairs.into_iter().find(is_open).expect("not all are walls")
}

/// Lets a scout without an order walk from a cell to the next cell, after an edit of the cells.
fn assert_step_heard(edit: impl Fn([Cell; 2]) -> Edit, expected: &str) {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    let world = soak.app.world_mut();
    world.entity_mut(entity).remove::<PathRequest>().insert(AgentMovement::from("scout"));
    soak.crew[index].is_cancelled();
    let [cell, next] = open_pair(soak.app.world(), map);
    let [here, there] =
        [cell, next].map(|cell| places::centre(soak.app.world(), map, cell).expect("the map is there"));
    let at = |part: f32| here.lerp(there, part);
    places::put(soak.app.world_mut(), entity, at(0.4));
    soak.crew[index].was_put();
    for _ in 0..2 {
        soak.guarded(TICK, |_| ()).expect("nothing is broken yet");
    }
    let mut grid = soak.app.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
    grid.edit(&[edit([cell, next])]).expect("both are on the map");
    let tamper = |soak: &mut Soak| places::put(soak.app.world_mut(), entity, at(0.6));
    assert_heard(soak, tamper, expected);
}

#[test]
fn step_over_a_closed_exit_is_reported() {
    assert_step_heard(|[cell, next]| Edit::one_way(next, cell), "which the map forbids");
    assert_step_heard(|[cell, next]| Edit::fence(cell, next), "which the map forbids");
}

#[test]
fn step_onto_a_cell_closed_by_an_overlay_is_reported() {
    assert_step_heard(|[_, next]| Edit::overlay(SMOKE, next, Grid::CLOSING), "walks into the wall");
}

#[test]
fn step_onto_a_void_cell_is_reported() {
    assert_step_heard(|[_, next]| Edit::void(next), "walks into the void");
}

#[test]
fn floods_and_steps_of_bodies_respect_exits_and_overlays() {
    let mut soak = quiet();
    let index = a_walker(&soak);
    let (map, entity) = (soak.level.maps[0], soak.crew[index].entity);
    soak.app.world_mut().entity_mut(entity).insert(AgentMovement::from("scout"));
    let [cell, next] = open_pair(soak.app.world(), map);
    let bounds = soak.app.world().get::<NavGrid>(map).expect("the map is there").bounds();
    let mut check = |edits: &[Edit], is_open: [bool; 2]| {
        let world = soak.app.world_mut();
        let mut grid = world.get_mut::<NavGrid>(map).expect("the map is there");
        grid.edit(&[Edit::terrain_in(bounds, 0), Edit::terrain(cell, 1), Edit::terrain(next, 1)])
            .and_then(|_| grid.edit(edits))
            .expect("all cells are on the map");
        let ground = Ground::of(soak.app.world(), map, Some(entity)).expect("the map is there");
        let steps = [[cell, next], [next, cell]];
        assert_eq!(steps.map(|step| is_allowed(&ground, 1, step)), is_open, "{edits:?}");
        let reached = |[from, to]: [Cell; 2]| {
            let reach = Reach::from(soak.app.world(), &Level::default(), entity, map, from);
            reach.contains(&Spot::Cells(map, vec![to]))
        };
        assert_eq!(steps.map(reached), is_open, "{edits:?}");
    };
    check(&[], [true, true]);
    check(&[Edit::overlay(SMOKE, next, Grid::CLOSING)], [false, true]);
    check(&[Edit::overlay(SMOKE, next, 7)], [true, true]);
    check(&[Edit::void(cell)], [true, false]);
    check(&[Edit::one_way(cell, next)], [true, false]);
    check(&[Edit::fence(cell, next)], [false, false]);
    check(&[Edit::open_edge(cell, next)], [true, true]);
}

#[test]
fn areas_fade_and_come_back() {
    let mut soak = Soak::new(&Settings { agents: 2, ..Settings::default() });
    soak.populate();
    let Soak { app, level, crew, random, .. } = &mut soak;
    let mut values = Vec::new();
    for _ in 0..400 {
        level.change_areas(app.world_mut(), crew, random);
        if let Some(area) = level.areas.first() {
            let area = app.world().get::<bevy_tilepath::maps::OverlayArea>(area.entity);
            values.push(area.expect("the area is there").value);
        }
    }
    assert!(values.windows(2).any(|pair| pair[0] > pair[1]), "some fall");
    assert!(values.windows(2).any(|pair| pair[0] == 0 && pair[1] > 0), "some come back");
    assert!(places::centre(app.world(), level.maps[0], Cell::default()).is_some_and(Vec2::is_finite));
}

/// Returns edits that close a map, except the dots of some rows at its lowest, leftmost cells.
fn drawn(bounds: Bounds, rows: &[&str]) -> Vec<Edit> {
    let cells = rows
        .iter()
        .rev()
        .zip(0..)
        .flat_map(|(row, y)| row.bytes().zip(0..).map(move |(tile, x)| (tile, x, y)));
    let open = cells.filter(|&(tile, ..)| tile == b'.').map(|(_, x, y)| bounds.origin() + (x, y));
    [Edit::terrain_in(bounds, 0)].into_iter().chain(open.map(|cell| Edit::terrain(cell, 1))).collect()
}

/// The last closed cell touches a room of one cell and a hall. The chain leads into the cheaper one.
#[test]
fn floods_leave_closed_ground_over_the_exit_of_the_chain() {
    let mut soak = Soak::new(&Settings { agents: 2, movements: true, ..Settings::default() });
    soak.populate();
    let (map, entity) = (soak.level.maps[0], soak.crew[0].entity);
    let world = soak.app.world_mut();
    world.entity_mut(entity).insert(AgentMovement::from("infantry"));
    let mut grid = world.get_mut::<NavGrid>(map).expect("the map is there");
    let [start, last, room, hall, goal] =
        [(2, 0), (2, 1), (3, 1), (2, 2), (4, 3)].map(|place| grid.bounds().origin() + place);
    let rows = [".....", "##.##", "###.#", "#####"];
    let edits = drawn(grid.bounds(), &rows);
    grid.edit(&edits).expect("all cells are on the map");
    let mut reached = |[room_class, hall_class]: [u8; 2]| {
        let mut grid = soak.app.world_mut().get_mut::<NavGrid>(map).expect("the map is there");
        grid.edit(&[Edit::terrain(room, room_class), Edit::terrain(hall, hall_class)])
            .expect("both are on the map");
        let reach = Reach::from(soak.app.world(), &Level::default(), entity, map, start);
        [last, room, hall, goal].map(|cell| reach.contains(&Spot::Cells(map, vec![cell])))
    };
    assert_eq!(reached([1, 2]), [true, true, false, false]);
    assert_eq!(reached([2, 1]), [true, false, true, true]);
}

/// From the second anchor of the chain, two steps are allowed: one follows the chain, and one stays on
/// cells that a unit which starts there may use.
#[test]
fn chain_of_a_large_unit_is_the_one_of_its_start() {
    const ROWS: [&str; 9] = [
        "..#.#..#...",
        "#....#....#",
        ".#...#.#...",
        "..#...#....",
        ".#..#.##...",
        "......#..#.",
        "#..##..#...",
        "......#.#..",
        "#.#..##.#.#",
    ];
    let mut soak = Soak::new(&Settings { agents: 2, movements: true, ..Settings::default() });
    soak.populate();
    let (map, entity) = (soak.level.maps[0], soak.crew[0].entity);
    let world = soak.app.world_mut();
    world.entity_mut(entity).insert(AgentMovement::from("wagon"));
    let mut grid = world.get_mut::<NavGrid>(map).expect("the map is there");
    let edits = drawn(grid.bounds(), &ROWS);
    let chain = [(5, 3), (4, 3), (3, 3)].map(|place| grid.bounds().origin() + place);
    grid.edit(&edits).expect("all cells are on the map");
    let ground = Ground::of(soak.app.world(), map, Some(entity)).expect("the map is there");
    assert_eq!(ground.way_out(chain[0]), chain);
}
