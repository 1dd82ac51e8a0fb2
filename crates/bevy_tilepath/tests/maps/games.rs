//! Queries that games need: turns, supposed edits, forbidden cells, and reasons as text. Small maps
//! are compared with brute force.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bevy::{ecs::system::RunSystemOnce, prelude::*};
use bevy_tilepath::{
    AgentMovement, Cell, Cost, CostTable, Diagonals, Movement, NavGrid, NavMap, NavProjection, NavQuery,
    Obstacle, PathFailure, PathRequest, PathStatus,
    maps::Lattice,
    queries::NavWhatIf,
    sync_maps_now,
    tilepath::{Edit, Grid, Size, format::parse_ascii},
};
use testkit::Seed;

use crate::harness::*;

fn spawn(game: &mut Game, grid: Grid, lattice: Lattice) -> Entity {
    let cell_size = Vec2::new(20.0, 10.0);
    let place = Transform::from_xyz(30.0, -70.0, 0.0);
    let map = NavMap { diagonals: Diagonals::Never, ..default() };
    let wagon = Movement::new().with_size(Size::new(2).unwrap());
    let map = map
        .with_movement("wagon", wagon)
        .with_movement("boat", Movement::new().with_costs(CostTable::impassable().with(4, 1)));
    let grid = NavGrid::new(grid.with_topology(lattice.topology()));
    let map =
        game.world_mut().spawn((map, grid, NavProjection::new(lattice, cell_size, Vec2::ZERO), place)).id();
    sync_maps_now(game.world_mut()).unwrap();
    map
}

fn noise(name: &str, walls: u32) -> (Grid, testkit::Seed, testkit::TileMap) {
    let seed = Seed::named(name);
    let map = testkit::noise(9, 7, 3, walls, &seed);
    (Grid::from_classes(9, 7, map.classes.clone()).unwrap(), seed, map)
}

/// Returns the earliest turn for each cell, and the fewest points used in that turn. Tries all
/// combinations of steps and waits.
fn brute_turns(
    grid: &Grid,
    start: Cell,
    points: u32,
    turns: u32,
    no_stop: &[Cell],
) -> BTreeMap<Cell, (u32, u32)> {
    let may_stop = |cell: Cell| cell == start || !no_stop.contains(&cell);
    let mut seen = BTreeSet::from([(start, 1, 0)]);
    let mut open = VecDeque::from([(start, 1, 0)]);
    while let Some((cell, turn, used)) = open.pop_front() {
        let mut next = Vec::new();
        if may_stop(cell) && turn < turns {
            next.push((cell, turn + 1, 0));
        }
        for offset in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let to = cell + offset;
            if let Some(class @ 1..) = grid.terrain(to)
                && used + 10 * u32::from(class) <= points
            {
                next.push((to, turn, used + 10 * u32::from(class)));
            }
        }
        open.extend(next.into_iter().filter(|&state| seen.insert(state)));
    }
    let mut best = BTreeMap::new();
    for (cell, turn, used) in seen.into_iter().filter(|&(cell, ..)| may_stop(cell)) {
        // A unit that ends a turn on a cell has reached the cell in that turn.
        let known = best.entry(cell).or_insert((turn, used));
        *known = (*known).min((turn, used));
    }
    best
}

#[test]
fn turns_equal_brute_force() {
    for number in 0..12 {
        let (grid, seed, map) = noise(&format!("turns {number}"), 20);
        let mut game = Game::new();
        spawn(&mut game, grid.clone(), Lattice::Square);
        for (index, (from, friend)) in map.queries(4, &seed).into_iter().enumerate() {
            let (from, friend) = (Cell::from(from), Cell::from(friend));
            let friends = [friend, friend + (1, 0), friend + (0, 1)];
            let points = 30 + 10 * index as u32;
            let expected = brute_turns(&grid, from, points, 3, &friends);
            let found = game.ask(move |nav| {
                let view = nav.only_map().unwrap();
                // The start is a position in the world.
                let place = view.world_of(from).unwrap();
                let query =
                    view.turn_query(place, Cost::new(points)).unwrap().with_turns(3).with_no_stop(friends);
                let range = view.solve_turns(&query).unwrap();
                for reached in range.cells() {
                    let way = view.solve_turn_path(&query, reached.cell).unwrap().unwrap();
                    assert_eq!((way.turns(), way.used()), (reached.turn, reached.used));
                }
                let cells = range.cells().iter();
                cells
                    .map(|reached| (reached.cell, (reached.turn, reached.used.get())))
                    .collect::<BTreeMap<_, _>>()
            });
            assert_eq!(found, expected, "map {number} from {from}");
        }
    }
}

#[test]
fn turns_go_by_the_units_movement_and_places_are_checked() {
    let mut game = Game::new();
    spawn(&mut game, parse_ascii("4444\n....").unwrap(), Lattice::Square);
    game.ask(|nav| {
        let boat = nav.only_map().unwrap().with_movement("boat").unwrap();
        let query = boat.turn_query(Cell::new(0, 1), Cost::new(20)).unwrap().with_turns(1);
        let cells: Vec<Cell> =
            boat.solve_turns(&query).unwrap().cells().iter().map(|found| found.cell).collect();
        assert_eq!(cells, [(0, 1), (1, 1), (2, 1)].map(Cell::from));
        assert_eq!(boat.solve_turn_path(&query, Cell::new(3, 1)), Ok(None));
        let off = boat.turn_query(Cell::new(9, 9), Cost::new(20)).unwrap();
        assert!(matches!(boat.solve_turns(&off), Err(PathFailure::StartOutOfBounds { .. })));
        let nowhere = boat.turn_query(Vec2::NAN, Cost::new(20));
        assert_eq!(nowhere, Err(PathFailure::PositionNotFinite));
    });
}

#[test]
fn supposed_building_gives_the_answers_of_the_real_one() {
    let buildings = [
        (Vec2::ZERO, 0.0),
        (Vec2::new(40.0, 20.0), 0.0),
        (Vec2::new(60.0, 10.0), 0.5),
        (Vec2::new(15.0, 45.0), 1.2),
    ];
    for (number, lattice) in [Lattice::Square, Lattice::Diamond, Lattice::HexRow].into_iter().enumerate() {
        let (grid, seed, map) = noise(&format!("what if {number}"), 25);
        let mut game = Game::new();
        let level = spawn(&mut game, grid, lattice);
        let ways: Vec<(Cell, Cell)> =
            map.queries(6, &seed).into_iter().map(|(from, to)| (from.into(), to.into())).collect();
        // One value is used for all queries, as a game would do.
        let mut what_if = NavWhatIf::default();
        let mut refused = 0;
        for (index, cell) in (0..63).step_by(4).map(|slot| (slot, Cell::new(slot % 9, slot / 9))) {
            let (size, turn) = buildings[index as usize / 4 % 4];
            let obstacle = Obstacle { size, ..Obstacle::default() };
            let at = game.ask(move |nav| nav.only_map().unwrap().world_of(cell).unwrap());
            let place =
                Transform::from_translation(at.extend(0.0)).with_rotation(Quat::from_rotation_z(turn));
            let before = game.world().get::<NavGrid>(level).unwrap().grid().revision();
            let asked = ways.clone();
            let held = obstacle.clone();
            let (cells, blocked, costs, returned) = game
                .world_mut()
                .run_system_once_with(
                    move |In(mut what_if): In<NavWhatIf>, nav: NavQuery| {
                        let view = nav.only_map().unwrap();
                        let cells = view.cells_under(&held, &place);
                        let blocked = what_if.cut_routes(view, cells.clone(), asked.clone()).unwrap();
                        assert_eq!(
                            what_if.allows(view, cells.clone(), asked.clone()).unwrap(),
                            blocked.is_empty()
                        );
                        let supposed = what_if.with_closed(view, cells.clone());
                        let costs =
                            asked.iter().map(|&(from, to)| cost(supposed, from, to)).collect::<Vec<_>>();
                        (cells, blocked, costs, what_if)
                    },
                    what_if,
                )
                .unwrap();
            what_if = returned;
            refused += usize::from(!blocked.is_empty());
            assert_eq!(
                game.world().get::<NavGrid>(level).unwrap().grid().revision(),
                before,
                "the query must not change the map"
            );

            // The building is built, and then removed.
            let look = |game: &mut Game| {
                let ways = ways.clone();
                let open: BTreeSet<Cell> = {
                    let grid = game.world().get::<NavGrid>(level).unwrap();
                    grid.bounds().cells().filter(|&cell| grid.terrain(cell) != Some(0)).collect()
                };
                let costs = game.ask(move |nav| {
                    let view = nav.only_map().unwrap();
                    ways.iter().map(|&(from, to)| cost(view, from, to)).collect::<Vec<_>>()
                });
                (open, costs)
            };
            let (open_before, costs_before) = look(&mut game);
            let building = game.world_mut().spawn((obstacle, place)).id();
            sync_maps_now(game.world_mut()).unwrap();
            let (open_after, costs_after) = look(&mut game);
            game.world_mut().despawn(building);
            sync_maps_now(game.world_mut()).unwrap();

            let closed: BTreeSet<Cell> = open_before.difference(&open_after).copied().collect();
            let under: BTreeSet<Cell> = cells.into_iter().filter(|cell| open_before.contains(cell)).collect();
            assert_eq!(under, closed, "{lattice:?}, {size} at {cell}");
            assert_eq!(costs, costs_after, "{lattice:?}, {size} at {cell}");
            let cut: Vec<(Cell, Cell)> = (0..ways.len())
                .filter(|&way| costs_before[way].is_some() && costs_after[way].is_none())
                .map(|way| ways[way])
                .collect();
            assert_eq!(blocked, cut, "{lattice:?}, {size} at {cell}");
        }
        assert!(refused > 0, "{lattice:?}: no building cut a path");
    }
}

fn cost(view: bevy_tilepath::NavView, from: Cell, to: Cell) -> Option<u32> {
    view.find(from, to).unwrap().outcome.path().map(|path| path.cost().get())
}

#[test]
fn supposed_map_follows_edits_movements_and_maps() {
    let mut game = Game::new();
    let level = spawn(&mut game, parse_ascii("....\n....\n..#.\n..#.").unwrap(), Lattice::Square);
    let blocked = |game: &mut Game, what_if: NavWhatIf, map: Entity, by: Option<&'static str>| {
        game.world_mut()
            .run_system_once_with(
                move |In(mut what_if): In<NavWhatIf>, nav: NavQuery| {
                    let view = nav.map(map).unwrap();
                    let view = by.map_or(Ok(view), |by| view.with_movement(by)).unwrap();
                    let way = (Cell::new(0, 0), Cell::new(2, 2));
                    let allows = what_if.allows(view, [Cell::new(1, 3), Cell::new(77, 0)], [way]).unwrap();
                    (!allows, what_if)
                },
                what_if,
            )
            .unwrap()
    };
    let (walker, what_if) = blocked(&mut game, NavWhatIf::default(), level, None);
    let (wagon, what_if) = blocked(&mut game, what_if, level, Some("wagon"));
    assert_eq!((walker, wagon), (false, true));
    game.world_mut().get_mut::<NavGrid>(level).unwrap().set_terrain(Cell::new(1, 2), 0).unwrap();
    let (walker, what_if) = blocked(&mut game, what_if, level, None);
    assert!(walker, "the next query must see the edit");
    let other = spawn(&mut game, Grid::new(4, 4, 1).unwrap(), Lattice::Square);
    let (walker, _) = blocked(&mut game, what_if, other, None);
    assert!(!walker);
}

#[test]
fn forbidden_cells_equal_the_cells_that_cut_a_path() {
    for number in 0..12 {
        let (grid, seed, map) = noise(&format!("forbidden {number}"), 30);
        let mut game = Game::new();
        let level = spawn(&mut game, grid, [Lattice::Square, Lattice::HexRow][number % 2]);
        let ways: Vec<(Cell, Cell)> =
            map.queries(2, &seed).into_iter().map(|(from, to)| (from.into(), to.into())).collect();
        let reach = |game: &mut Game| {
            let ways = ways.clone();
            game.ask(move |nav| {
                ways.iter()
                    .map(|&(from, to)| nav.only_map().unwrap().is_reachable(from, to).unwrap())
                    .collect::<Vec<_>>()
            })
        };
        let asked = ways.clone();
        let found = game.ask(move |nav| nav.only_map().unwrap().forbidden(asked.clone()).unwrap());
        let before = reach(&mut game);
        let mut expected = BTreeSet::new();
        let cells: Vec<Cell> = game.world().get::<NavGrid>(level).unwrap().bounds().cells().collect();
        for cell in cells {
            let edit = |game: &mut Game, class| {
                game.world_mut().get_mut::<NavGrid>(level).unwrap().set_terrain(cell, class).unwrap();
            };
            let class = game.world().get::<NavGrid>(level).unwrap().terrain(cell).unwrap();
            edit(&mut game, 0);
            if reach(&mut game) != before {
                expected.insert(cell);
            }
            edit(&mut game, class);
        }
        assert_eq!(found, expected, "map {number}");
    }
}

fn ground(class: u8) -> String {
    ["a wall", "grass", "gravel", "mud", "water"][usize::from(class)].to_owned()
}

#[test]
fn directions_are_those_on_the_screen() {
    let from = Cell::new(1, 1);
    let around = [(1, 2), (2, 2), (2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2)].map(Cell::from);
    let clockwise = [
        "upwards",
        "to the upper right",
        "to the right",
        "to the lower right",
        "downwards",
        "to the lower left",
        "to the left",
        "to the upper left",
    ];
    // The diamond is turned by an eighth to the right, compared with the square. One map is also
    // turned in the world.
    for (lattice, turned, eighths) in [
        (Lattice::Square, 0.0, 0),
        (Lattice::Diamond, 0.0, 1),
        (Lattice::Square, -std::f32::consts::FRAC_PI_2, 2),
    ] {
        let mut game = Game::new();
        let map = spawn(&mut game, Grid::new(3, 3, 1).unwrap(), lattice);
        game.world_mut().get_mut::<NavMap>(map).unwrap().diagonals = Diagonals::Always;
        game.world_mut().get_mut::<Transform>(map).unwrap().rotate_z(turned);
        sync_maps_now(game.world_mut()).unwrap();
        for (index, to) in around.into_iter().enumerate() {
            let words = game.ask(move |nav| nav.only_map().unwrap().why(from, to, ground).unwrap());
            let direction = clockwise[(index + eighths) % 8];
            assert!(words.ends_with(&format!("It sets out {direction}.")), "{lattice:?}, {to}: {words}");
        }
    }
}

#[test]
fn reasons_are_written_in_words() {
    let mut game = Game::new();
    let map = spawn(
        &mut game,
        parse_ascii(
            "
            ..##.
            .3##.
            ..##.
            ",
        )
        .unwrap(),
        Lattice::Square,
    );
    let why = |game: &mut Game, from: (i32, i32), to: (i32, i32)| {
        game.ask(move |nav| nav.only_map().unwrap().why(Cell::from(from), Cell::from(to), ground).unwrap())
    };
    assert_eq!(why(&mut game, (0, 0), (0, 0)), "It is there already.");
    assert_eq!(
        why(&mut game, (0, 0), (0, 1)),
        "The cheapest path takes 1 step and costs 10. It sets out upwards."
    );
    assert_eq!(
        why(&mut game, (0, 1), (1, 1)),
        "The cheapest path takes 1 step and costs 30. It sets out to the right."
    );
    assert_eq!(
        why(&mut game, (0, 0), (4, 0)),
        "No path leads there. There would be one if 2 cells opened: first a wall 2 steps to the right."
    );
    assert_eq!(
        why(&mut game, (0, 0), (2, 0)),
        "No path leads there. There would be one if this opened: a wall 2 steps to the right, the goal itself."
    );
    assert_eq!(
        why(&mut game, (0, 2), (1, 1)),
        "The cheapest path takes 2 steps and costs 40. It sets out downwards. 1 of them leads onto mud, at 3 times the cost."
    );
    let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
    for beside in [(4, 1), (3, 2)] {
        grid.edit(&[Edit::fence(Cell::new(4, 2), Cell::from(beside))]).unwrap();
    }
    assert_eq!(
        why(&mut game, (0, 0), (4, 2)),
        "No path leads there, whatever opens: edges that cannot be crossed, or the end of the map, lie between."
    );
    let off = game.ask(|nav| nav.only_map().unwrap().why(Cell::new(0, 0), Cell::new(9, 9), ground));
    assert!(matches!(off, Err(PathFailure::GoalOutOfBounds { .. })));
}

#[test]
fn overlay_that_closes_the_goal_is_named_and_its_ground_is_not() {
    let mut game = Game::new();
    let mut grid = parse_ascii("........\n....3...\n........").unwrap();
    let unseen = (0..3).flat_map(|y| (4..7).map(move |x| (Cell::new(x, y), Grid::CLOSING)));
    grid.set_overlay("unseen", unseen).unwrap();
    let map = spawn(&mut game, grid, Lattice::Square);
    let rules = NavMap::default().with_movement("side", Movement::new().with_overlay("unseen"));
    game.world_mut().entity_mut(map).insert(rules);
    game.tick();
    let why = |game: &mut Game, to: Cell| {
        game.ask(move |nav| {
            let view = nav.map(map).unwrap().with_movement("side").unwrap();
            view.why(Cell::new(0, 1), to, ground).unwrap()
        })
    };
    assert_eq!(
        why(&mut game, Cell::new(5, 1)),
        "No path leads there: the overlay \"unseen\" closes the goal."
    );
    assert_eq!(
        why(&mut game, Cell::new(7, 1)),
        "No path leads there. There would be one if 3 cells opened: first the overlay \"unseen\" 4 steps to the right."
    );
    let centre = |game: &mut Game, cell| game.ask(move |nav| nav.map(map).unwrap().world_of(cell).unwrap());
    let at = centre(&mut game, Cell::new(0, 1));
    let unit = game.agent_at(at, 10.0);
    game.world_mut().entity_mut(unit).insert(AgentMovement::from("side"));
    game.order(unit, PathRequest::to_cell((5, 1)));
    game.ticks(2);
    let reason = PathFailure::GoalUnderOverlay { cell: Cell::new(5, 1) };
    assert_eq!(game.status(unit), PathStatus::Failed(reason));
    // If an obstacle for this movement closes the goal, it is a wall.
    let at = centre(&mut game, Cell::new(3, 1));
    game.world_mut()
        .spawn((Obstacle::default().blocks_only(["side"]), Transform::from_translation(at.extend(0.0))));
    game.order(unit, PathRequest::to_cell((3, 1)));
    game.ticks(2);
    let reason = PathFailure::GoalBlocked { cell: Cell::new(3, 1) };
    assert_eq!(game.status(unit), PathStatus::Failed(reason));
    assert_eq!(
        why(&mut game, Cell::new(3, 1)),
        "No path leads there. There would be one if this opened: an obstacle 3 steps to the right, the goal itself."
    );
}
