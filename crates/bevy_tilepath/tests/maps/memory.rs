//! Views of units, and the memory of their side.

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    Cell, CostTable, Diagonals, Edit, Movement, NavGrid, NavMap, Obstacle, OnMap, PathFailure, PathRequest,
    TilepathState,
    maps::{NavMemory, OverlayArea},
    tilepath::{Direction, Exits, Grid, GridError, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The class of ground that a side has not seen.
const UNKNOWN: u8 = 255;

/// Spawns a memory of a map. No cell is known, and each unknown cell costs as much as floor.
fn memory_of(game: &mut Game, truth: Entity) -> Entity {
    let grid = game.world().get::<NavGrid>(truth).unwrap().grid();
    let unknown = Grid::new(grid.width(), grid.height(), UNKNOWN).unwrap().with_topology(grid.topology());
    let memory = game.map_of(unknown, Diagonals::default());
    let costs = CostTable::default().with(UNKNOWN, 1);
    let rules =
        NavMap { costs, ..default() }.with_movement("careful", Movement::new().with_overlay("danger"));
    game.world_mut().entity_mut(memory).insert((NavMemory, rules));
    memory
}

pub(super) fn reveal(game: &mut Game, cells: Vec<Cell>) -> usize {
    let copy = move |truth: Single<&NavGrid, Without<NavMemory>>,
                     mut memory: Single<&mut NavGrid, With<NavMemory>>| {
        memory.reveal(&truth, cells.iter().copied()).unwrap()
    };
    game.world_mut().run_system_once(copy).unwrap()
}

pub(super) fn view(game: &mut Game, map: Entity, from: Vec2, range: f32) -> Vec<Cell> {
    game.ask(move |nav| nav.map(map).unwrap().cells_in_view(from, range).unwrap())
}

fn grid(game: &Game, map: Entity) -> &Grid {
    game.world().get::<NavGrid>(map).unwrap().grid()
}

#[test]
fn walls_beside_seen_floor_are_in_view() {
    let room = "
        ##########
        #........#
        #........#
        #........#
        #........#
        ##########
    ";
    let corridor = "
        ####################
        ....................
        ####################
    ";
    for (picture, from) in
        [(corridor, (1, 1)), (room, (1, 1)), (room, (4, 2)), (room, (8, 4)), (corridor, (19, 1))]
    {
        let (mut game, map) = Game::drawn_as(picture);
        game.tick();
        let seen = view(&mut game, map, centre(from.0, from.1), 20.0);
        assert_eq!(seen.len(), grid(&game, map).bounds().cell_count(), "all of it is seen from {from:?}");
    }
}

#[test]
fn view_ends_at_the_disc_of_sight_and_is_refused_for_ranges_that_sight_refuses() {
    for topology in [Topology::Square, Topology::Hexagonal] {
        let mut game = Game::new();
        let open = Grid::new(20, 20, 1).unwrap().with_topology(topology);
        let map = game.map_of(open, Diagonals::default());
        game.tick();
        for range in [0.0, 0.5, 1.0, 1.5, 2.3, 4.99, 5.0, 7.3, 64.0] {
            game.ask(move |nav| {
                let map = nav.map(map).unwrap();
                let from = Cell::new(9, 8);
                assert_eq!(
                    map.cells_in_view(from, range),
                    map.cells_in_sight(from, range),
                    "{range}, {topology}"
                );
            });
        }
        game.ask(move |nav| {
            let map = nav.map(map).unwrap();
            for range in [f32::NAN, -0.01, 64.01, f32::INFINITY, f32::NEG_INFINITY] {
                let refused = Err(PathFailure::InvalidDistance);
                assert_eq!(map.cells_in_view(Cell::new(0, 0), range), refused);
                assert_eq!(map.cells_in_view_by(Cell::new(0, 0), range, |_| false), refused);
            }
            assert_eq!(map.cells_in_view(Cell::new(20, 0), 3.0), Err(start_off((20, 0), 20, 20)));
        });
    }
}

#[test]
fn windows_and_forests_hide_by_the_closure_and_void_cells_always() {
    let (mut game, map) = Game::drawn_as("..3..4..");
    game.world_mut().get_mut::<NavGrid>(map).unwrap().edit(&[Edit::void(Cell::new(7, 0))]).unwrap();
    game.tick();
    game.ask(move |nav| {
        let map = nav.map(map).unwrap();
        let seen = |opaque: &[u8]| {
            let seen = map.cells_in_view_by(Cell::new(0, 0), 20.0, |class| opaque.contains(&class)).unwrap();
            seen.last().unwrap().x
        };
        assert_eq!([seen(&[]), seen(&[3]), seen(&[4])], [6, 2, 5]);
    });
}

#[test]
fn revealed_cells_equal_the_map_and_others_stay() {
    for topology in [Topology::Square, Topology::Hexagonal] {
        let mut random = Seed::named(&format!("reveal {topology}")).generator();
        let mut truth = NavGrid::new(Grid::new(9, 7, 1).unwrap().with_topology(topology));
        let mut memory = NavGrid::new(Grid::new(9, 7, UNKNOWN).unwrap().with_topology(topology));
        for _ in 0..300 {
            let cell = Cell::new(random.random_range(0..9), random.random_range(0..7));
            let to = topology.directions()[random.random_range(0..topology.directions().len())];
            let beside = cell + to.offset();
            let name = ["danger", "smoke"][random.random_range(0..2)];
            let edit = match random.random_range(0..6) {
                0 => Edit::terrain(cell, random.random_range(0..4)),
                1 => Edit::void(cell),
                2 => Edit::exits(cell, Exits::NONE.with(to)),
                3 if truth.bounds().contains(beside) => Edit::one_way(beside, cell),
                4 => Edit::overlay(name, cell, random.random_range(0..3)),
                _ => Edit::clear_overlay(name),
            };
            truth.edit(&[edit]).unwrap();
            let before = memory.grid().clone();
            let seen: Vec<Cell> = before.bounds().cells().filter(|_| random.random_ratio(1, 3)).collect();
            let changes = memory.reveal(&truth, seen.iter().copied()).unwrap();
            assert_eq!(changes > 0, *memory.grid() != before);
            for cell in before.bounds().cells() {
                let shown = if seen.contains(&cell) { truth.grid() } else { &before };
                assert_eq!(memory.terrain(cell), shown.terrain(cell), "{cell}");
                assert_eq!(memory.grid().exits(cell), shown.exits(cell), "{cell}");
                for name in ["danger", "smoke"] {
                    assert_eq!(memory.grid().overlay(name, cell), shown.overlay(name, cell), "{cell}");
                }
            }
            assert_eq!(memory.reveal(&truth, seen), Ok(0), "nothing is new");
        }
        let all: Vec<Cell> = truth.bounds().cells().collect();
        memory.reveal(&truth, all).unwrap();
        assert_eq!(memory.grid(), truth.grid());
        assert!(
            truth.bounds().cells().any(|cell| truth.grid().exits(cell) == Some(Exits::NONE))
                || topology == Topology::Hexagonal
        );
    }
}

#[test]
fn memory_of_another_map_is_refused_by_an_error_that_names_both() {
    let truth = NavGrid::new(Grid::new(8, 8, 1).unwrap());
    let hexagons = Grid::new(8, 8, 1).unwrap().with_topology(Topology::Hexagonal);
    let moved = Grid::new(8, 8, 1).unwrap().with_origin(Cell::new(1, 0)).unwrap();
    for grid in [Grid::new(9, 8, 2).unwrap(), hexagons, moved] {
        let mut memory = NavGrid::new(grid.clone());
        let error = memory.reveal(&truth, [Cell::new(3, 3)]).unwrap_err();
        let GridError::DifferentMaps { bounds, topology, other_bounds, other_topology } = error else {
            panic!("{error}");
        };
        assert_eq!((bounds, topology), (grid.bounds(), grid.topology()));
        assert_eq!((other_bounds, other_topology), (truth.bounds(), Topology::Square));
        assert!(
            error.to_string().contains(&bounds.to_string()) && error.to_string().contains("8 × 8"),
            "{error}"
        );
        assert_eq!(*memory.grid(), grid);
    }
    let mut memory = NavGrid::new(Grid::new(8, 8, UNKNOWN).unwrap());
    let out = memory.reveal(&truth, [Cell::new(3, 3), Cell::new(8, 0)]);
    assert!(matches!(out, Err(GridError::OutOfBounds { cell: Cell { x: 8, y: 0 }, .. })), "{out:?}");
    assert_eq!(memory.terrain(Cell::new(3, 3)), Some(UNKNOWN), "all or none");
}

#[test]
fn obstacles_and_areas_of_the_truth_reach_a_memory_only_when_it_is_revealed() {
    let (mut game, truth) = Game::open(12, 5);
    let memory = memory_of(&mut game, truth);
    let house = game.thing(3, 2);
    game.world_mut().entity_mut(house).insert((Obstacle::default(), OverlayArea::new("danger", 4, 1.0)));
    let boom = game.thing(8, 2);
    game.world_mut().entity_mut(boom).insert(Obstacle::default().blocks_only(["careful"]));
    let logs = game.logs_of_ticks(2);
    assert!(logs.is_empty(), "the memory names the movement and the overlay: {logs:?}");
    let at = Cell::new(3, 2);
    assert_eq!(grid(&game, truth).terrain(at), Some(0));
    assert_eq!(grid(&game, memory).terrain(at), Some(UNKNOWN));
    assert_eq!(grid(&game, memory).overlay_names().count(), 0);

    let all: Vec<Cell> = grid(&game, truth).bounds().cells().collect();
    reveal(&mut game, all.clone());
    assert_eq!(grid(&game, memory), grid(&game, truth));
    let passes = |game: &mut Game, x: i32| {
        game.ask(move |nav| {
            let map = nav.map(memory).unwrap().with_movement("careful").unwrap();
            map.is_reachable(Cell::new(0, 0), Cell::new(x, 2)).unwrap()
        })
    };
    assert!(!passes(&mut game, 8) && passes(&mut game, 9), "the boom is known");

    // The house burns down out of sight.
    game.world_mut().despawn(house);
    game.tick();
    assert_eq!(grid(&game, truth).terrain(at), Some(1));
    assert_eq!(grid(&game, memory).terrain(at), Some(0), "the side remembers the house");
    assert_eq!(grid(&game, memory).overlay("danger", at), 4);
    assert!(reveal(&mut game, all) > 0);
    assert_eq!(grid(&game, memory), grid(&game, truth));

    // A mark of the side itself, and an obstacle that it plans.
    let plan = game.thing(5, 1);
    game.world_mut().entity_mut(plan).insert((
        Obstacle::default(),
        OnMap(memory),
        OverlayArea::new("danger", 2, 0.0),
    ));
    game.tick();
    let at = Cell::new(5, 1);
    assert_eq!((grid(&game, memory).terrain(at), grid(&game, truth).terrain(at)), (Some(0), Some(1)));
    assert_eq!(grid(&game, memory).overlay("danger", at), 2);
    game.set_terrain(truth, 5, 1, 3);
    reveal(&mut game, vec![at]);
    assert_eq!(grid(&game, memory).terrain(at), Some(0), "the plan stays");
    game.world_mut().despawn(plan);
    game.tick();
    assert_eq!(grid(&game, memory).terrain(at), Some(3), "what was seen under it");
}

#[test]
fn unit_walks_into_an_unseen_wall_unless_the_game_reveals_before_each_step() {
    for reveals in [false, true] {
        let (mut game, truth) = Game::drawn_as(
            "
            ............
            .....#......
            .....#......
            ",
        );
        let memory = memory_of(&mut game, truth);
        let unit = game.agent(0, 0, 100.0);
        game.world_mut().entity_mut(unit).insert(OnMap(memory));
        game.order_to(unit, 11, 0);
        let mut was_in_wall = false;
        let is_wall = |game: &Game, unit| grid(game, truth).terrain(game.cell_at(unit)) == Some(0);
        game.tick_until(400, |game| {
            if reveals {
                let at = game.position(unit);
                let seen = view(game, truth, at, 3.0);
                reveal(game, seen);
            }
            was_in_wall |= is_wall(game, unit);
            !game.is_ordered(unit)
        });
        assert_eq!(game.cell_at(unit), Cell::new(11, 0));
        assert_eq!(was_in_wall, !reveals);
    }
}

#[test]
fn memory_stays_a_memory_in_a_state() {
    let (mut game, truth) = Game::open(12, 5);
    let memory = memory_of(&mut game, truth);
    let unit = game.agent(0, 0, 100.0);
    game.world_mut().entity_mut(unit).insert((OnMap(memory), PathRequest::to_cell((11, 0))));
    let house = game.thing(3, 2);
    game.world_mut().entity_mut(house).insert(Obstacle::default());
    game.ticks(3);
    let state = TilepathState::take(game.world_mut()).unwrap();
    let mut other = Game::new();
    state.put(other.world_mut(), &mut default()).unwrap();
    other.ticks(3);
    let mut memories = other.world_mut().query_filtered::<&NavGrid, With<NavMemory>>();
    let grid = memories.single(other.world()).unwrap();
    assert_eq!(grid.terrain(Cell::new(3, 2)), Some(UNKNOWN), "the house is not on the memory");
    assert_eq!(grid.grid().exits(Cell::new(0, 0)).map(|exits| exits.contains(Direction::North)), Some(true));
}
