//! Straight lines in place of cells, and offsets from the centres of cells.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Body, Cell, Cost, Diagonals, Movement, NavGrid, NavMap, NavProjection,
    PathAgent, PathGoal, PathRequest, Stepwise,
    agents::{PathLine, Speed, TerrainSpeed},
    doors::{Door, DoorEnd},
    maps::Lattice,
    tilepath::{Grid, Size, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const STRAIGHT: PathLine = PathLine::Straight;

fn change(game: &mut Game, unit: Entity, edit: impl FnOnce(&mut PathAgent)) {
    edit(&mut game.world_mut().get_mut::<PathAgent>(unit).expect("it is there"));
}

/// Returns an agent that walks straight.
fn straight(game: &mut Game, start: (i32, i32), goal: (i32, i32)) -> Entity {
    let unit = game.ordered_agent(start, 100.0, goal);
    change(game, unit, |agent| agent.line = STRAIGHT);
    unit
}

/// Returns how far a point is from the line between the centres of two cells.
fn off_line(point: Vec2, from: (i32, i32), to: (i32, i32)) -> f32 {
    let (from, line) = (centre(from.0, from.1), centre(to.0, to.1) - centre(from.0, from.1));
    (point - from).perp_dot(line).abs() / line.length()
}

/// Returns the closed cells, and those off the map, under the square of a unit of one cell.
pub(super) fn closed_under(game: &Game, map: Entity, position: Vec2) -> Vec<Cell> {
    let units = position / CELL;
    let covered = |at: f32| (at - 0.5 + 1e-3).floor() as i32..=(at + 0.5 - 1e-3).floor() as i32;
    let grid = game.world().get::<NavGrid>(map).expect("it is there");
    let cells = covered(units.x).flat_map(|x| covered(units.y).map(move |y| Cell::new(x, y)));
    cells.filter(|&cell| !Movement::new().is_open(grid.grid(), cell)).collect()
}

/// Returns an open cell of a map of 30 × 30 cells.
fn open_cell(game: &Game, map: Entity, random: &mut impl Rng) -> Cell {
    loop {
        let cell = Cell::new(random.random_range(0..30), random.random_range(0..30));
        if Movement::new().is_open(game.world().get::<NavGrid>(map).expect("it is there").grid(), cell) {
            return cell;
        }
    }
}

#[test]
fn unit_walks_straight_and_its_path_keeps_its_cells() {
    let (mut game, _) = Game::open(20, 8);
    let plain = game.ordered_agent((0, 0), 100.0, (19, 7));
    let unit = straight(&mut game, (0, 0), (19, 7));
    game.tick();
    assert_eq!(game.cell_path(unit).cells(), game.cell_path(plain).cells());
    assert_eq!(game.cost(unit), game.cost(plain));
    let points = game.path(unit).points().to_vec();
    assert_eq!(points.len(), 20);
    assert!(points.iter().all(|&point| off_line(point, (0, 0), (19, 7)) < 1e-3), "{points:?}");
    let (mut ticks, mut left) = ([0, 0], game.path(unit).remaining_cells().len());
    game.told();
    while game.is_ordered(unit) || game.is_ordered(plain) {
        for (ticks, unit) in ticks.iter_mut().zip([unit, plain]) {
            *ticks += usize::from(game.is_ordered(unit));
        }
        game.tick();
        assert!(off_line(game.position(unit), (0, 0), (19, 7)) < 1e-3);
        let now = game.path(unit).remaining_cells().len();
        assert!(now <= left);
        left = now;
    }
    assert!(ticks[0] < ticks[1], "the line is shorter: {ticks:?} ticks");
    assert_eq!(game.position(unit), centre(19, 7));
    let reached = game.told().into_iter().filter(|told| told.0 == unit && matches!(told.1, Told::Reached(_)));
    assert_eq!(reached.count(), 19, "one for each cell");
}

#[test]
fn walls_and_mud_are_passed_at_a_distance() {
    let (mut game, map) = Game::drawn_as(
        "
        ............
        ....####....
        ....#99#....
        .........99.
        ......9999..
        ",
    );
    let unit = straight(&mut game, (0, 4), (11, 0));
    let mut ticks = 0;
    while game.is_ordered(unit) {
        game.tick();
        ticks += 1;
        assert_eq!(closed_under(&game, map, game.position(unit)), [], "{}", game.position(unit));
        assert!(ticks < 2000);
    }
    assert_eq!(game.cell_at(unit), Cell::new(11, 0));
}

#[test]
fn wall_under_the_line_blocks_the_path_in_its_tick_also_beside_the_cells() {
    for lead in [1, 40] {
        let (mut game, map) = Game::open(20, 8);
        let unit = straight(&mut game, (0, 0), (19, 7));
        game.ticks(lead);
        let cells = game.cell_path(unit).cells().to_vec();
        // The cells under the line ahead that the path does not have.
        let beside = (8..16)
            .map(|x| Cell::new(x, (x * 7 + 9) / 19))
            .find(|cell| !cells.contains(cell))
            .expect("it is there");
        game.told();
        game.set_terrain(map, beside.x, beside.y, 0);
        game.tick();
        let told = game.told_of(unit);
        assert!(told.contains(&Told::Blocked(beside)), "{told:?}");
        while game.is_ordered(unit) {
            game.tick();
            assert_eq!(closed_under(&game, map, game.position(unit)), []);
        }
        assert_eq!(game.cell_at(unit), Cell::new(19, 7));
    }
}

#[test]
fn mud_under_a_line_ahead_moves_the_line() {
    let (mut game, map) = Game::open(40, 12);
    // The two lines turn at the wall.
    for y in 0..11 {
        game.set_terrain(map, 12, y, 0);
    }
    let unit = straight(&mut game, (0, 0), (38, 0));
    game.tick();
    let before = game.path(unit).points().to_vec();
    game.told();
    let under = before[24] / CELL;
    game.set_terrain(map, under.x as i32, under.y as i32, 9);
    game.tick();
    let after = game.path(unit).points().to_vec();
    let told = game.told_of(unit);
    assert!(!told.iter().any(|told| matches!(told, Told::Blocked(_))), "{told:?}");
    assert!(before != after, "the line over the mud is not walked");
    game.run_until_quiet(4000);
    assert_eq!(game.cell_at(unit), Cell::new(38, 0));
}

#[test]
fn lines_keep_clear_of_walls_whatever_is_built_and_whoever_orders() {
    let mut lines = 0;
    for number in 0..12 {
        let mut random = Seed::named(&format!("lines {number}")).generator();
        let mut game = Game::new();
        let classes: Vec<u8> =
            (0..900).map(|_| [0, 1, 1, 1, 1, 1, 1, 2, 4][random.random_range(0..9)]).collect();
        let map =
            game.map_of(Grid::from_classes(30, 30, classes).expect("it is there"), Diagonals::default());
        let units: Vec<Entity> = (0..8)
            .map(|index| {
                let start = open_cell(&game, map, &mut random);
                let unit = game.agent(start.x, start.y, 90.0);
                change(&mut game, unit, |agent| {
                    agent.line = STRAIGHT;
                    agent.spread = if index % 2 == 0 { 0.4 } else { 0.0 };
                    agent.terrain_speed = [TerrainSpeed::Constant, TerrainSpeed::ByCost][index / 2 % 2];
                });
                unit
            })
            .collect();
        for tick in 0..1500 {
            for (index, &unit) in units.iter().enumerate() {
                if !game.is_ordered(unit) || random.random_range(0..200) == 0 {
                    let goal = open_cell(&game, map, &mut random);
                    let request = match index % 4 {
                        0 => PathRequest::to_cell(goal),
                        1 => PathRequest::to_cell(goal).or_closest(),
                        2 => PathRequest::to(PathGoal::beside(goal)),
                        _ => PathRequest::to(PathGoal::Entity(units[(index + 1) % units.len()])),
                    };
                    game.order(unit, request);
                }
            }
            if tick % 9 == 0 {
                let cell = Cell::new(random.random_range(0..30), random.random_range(0..30));
                let is_far = |&unit: &Entity| {
                    (game.position(unit) - centre(cell.x, cell.y)).abs().max_element() > 1.7 * CELL
                };
                let class = [0, 0, 1, 1, 5][random.random_range(0..5)];
                if class > 0 || units.iter().all(is_far) {
                    game.set_terrain(map, cell.x, cell.y, class);
                }
            }
            game.tick();
            for &unit in &units {
                let closed = closed_under(&game, map, game.position(unit));
                assert_eq!(
                    closed,
                    [],
                    "game {number}, tick {tick}: {} {:?}",
                    game.position(unit),
                    game.why_not(unit)
                );
                if let Some(path) = game.world().get::<AgentPath>(unit) {
                    let turns = path
                        .points()
                        .windows(3)
                        .filter(|ends| (ends[1] - ends[0]).perp_dot(ends[2] - ends[1]).abs() > 1e-2);
                    lines += usize::from(path.points().len() > 8 && turns.count() < path.points().len() / 3);
                }
            }
        }
    }
    assert!(lines > 1000, "{lines}");
}

#[test]
fn time_of_cells_stays_the_time_where_cells_or_costs_count() {
    for speed in [Speed::Cells(4.0), Speed::World(64.0)] {
        let mut game = Game::long_steps();
        game.map("1111111111\n1122333111\n1111111111\n5555111111");
        let units = [PathLine::Cells, STRAIGHT].map(|line| {
            let unit = game.agent(0, 3, 64.0);
            let agent = PathAgent { speed, terrain_speed: TerrainSpeed::ByCost, line, ..default() };
            game.world_mut().entity_mut(unit).insert(agent);
            game.order_to(unit, 9, 0);
            unit
        });
        game.step(0.0);
        let seconds = units.map(|unit| {
            game.path(unit).seconds_left(game.world().get::<PathAgent>(unit).expect("it is there"))
        });
        assert!((seconds[0] - seconds[1]).abs() < 1e-4, "{seconds:?}");
    }
}

#[test]
fn bodies_and_units_by_steps_keep_to_cells() {
    let (mut game, _) = Game::open(20, 8);
    let body = straight(&mut game, (0, 0), (19, 7));
    game.world_mut().entity_mut(body).insert(Body::default());
    let pawn = straight(&mut game, (0, 1), (19, 6));
    game.world_mut().entity_mut(pawn).insert(Stepwise { is_animated: false, ..default() });
    game.tick();
    for unit in [body, pawn] {
        let path = game.path(unit);
        let cells = path.path().expect("it is there").cells();
        assert!(path.points().iter().zip(cells).all(|(&point, cell)| point == centre(cell.x, cell.y)));
    }
    // From now on it walks freely.
    game.ticks(20);
    game.world_mut().entity_mut(pawn).remove::<Stepwise>();
    game.run_until_quiet(2000);
    assert_eq!((game.cell_at(pawn), game.cell_at(body)), (Cell::new(19, 6), Cell::new(19, 7)));
}

#[test]
fn lines_end_at_doors_and_stops() {
    let mut game = Game::new();
    let below = game.open_map(12, 6);
    let above = game.open_map(12, 6);
    let shift = Transform::from_xyz(0.0, 40.0 * CELL, 0.0);
    game.world_mut().entity_mut(above).insert(shift);
    let ends = [DoorEnd::cell(below, Cell::new(11, 5)), DoorEnd::cell(above, Cell::new(0, 0))];
    let [from, to] = ends;
    game.world_mut().spawn(Door::new(from, to));
    let unit = game.agent(0, 0, 200.0);
    change(&mut game, unit, |agent| agent.line = STRAIGHT);
    game.world_mut().entity_mut(unit).insert(bevy_tilepath::OnMap(below));
    let mut seen = Vec::new();
    for order in [
        PathRequest::to_cell((3, 5)).then(Cell::new(11, 1)).on_map(below),
        PathRequest::to_cell((9, 4)).on_map(above),
    ] {
        game.order(unit, order);
        while game.is_ordered(unit) {
            game.tick();
            seen.push(game.position(unit));
        }
    }
    for passed in [centre(3, 5), centre(11, 1), centre(11, 5)] {
        assert!(seen.iter().any(|seen| seen.distance(passed) < 4.0), "{passed}");
    }
    assert_eq!(game.position(unit), centre(9, 44));
}

#[test]
fn lines_over_hexagons_and_of_large_units_are_straight() {
    let mut game = Game::new();
    let grid = Grid::new(16, 16, 1).expect("it is there").with_topology(Topology::Hexagonal);
    let projection = NavProjection::new(Lattice::HexRow, Vec2::splat(16.0), Vec2::ZERO);
    game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection));
    let ends = [(1, 2), (13, 7)].map(|cell| projection.position_of(Cell::from(cell)));
    let unit = game.agent_at(ends[0], 120.0);
    change(&mut game, unit, |agent| agent.line = STRAIGHT);
    game.order_to(unit, 13, 7);
    let line = ends[1] - ends[0];
    while game.is_ordered(unit) {
        game.tick();
        let off = (game.position(unit) - ends[0]).perp_dot(line) / line.length();
        assert!(off.abs() < 1e-2, "{off}");
    }
    assert_eq!(game.position(unit), ends[1]);

    let (mut game, _) = Game::open(20, 20);
    let wagon = game.agent_at(Vec2::splat(CELL), 120.0);
    let movement = AgentMovement::from(Movement::new().with_size(Size::new(2).expect("it is there")));
    game.world_mut().entity_mut(wagon).insert(movement);
    change(&mut game, wagon, |agent| agent.line = STRAIGHT);
    game.order_to(wagon, 17, 6);
    game.tick();
    let points = game.path(wagon).points().to_vec();
    let (first, last) = (points[0], *points.last().expect("it is there"));
    assert_eq!((first, last), (Vec2::splat(CELL), Vec2::new(18.0, 7.0) * CELL));
    let off = |point: &Vec2| (*point - first).perp_dot(last - first).abs() / (last - first).length();
    assert!(points.iter().all(|point| off(point) < 1e-2), "{points:?}");
    game.run_until_quiet(2000);
    assert_eq!(game.position(wagon), last);
}

#[test]
fn new_order_on_the_way_goes_on_from_where_the_unit_is() {
    let (mut game, _) = Game::open(30, 30);
    let unit = straight(&mut game, (2, 3), (27, 12));
    game.ticks(47);
    let mut before = game.position(unit);
    game.order_to(unit, 25, 27);
    let goal = centre(25, 27);
    while game.is_ordered(unit) {
        game.tick();
        let here = game.position(unit);
        assert!(here.distance(goal) <= before.distance(goal) + 2.0, "it does not walk back");
        before = here;
    }
    assert_eq!(before, goal);
}

#[test]
fn spread_is_steady_and_none_at_the_goal_or_beside_walls() {
    let (mut game, _) = Game::drawn_as(
        "
        ....................
        ....................
        ....................
        ########.###########
        ....................
        ....................
        ....................
        ",
    );
    let units: Vec<Entity> = (0..12)
        .map(|_| {
            let unit = game.ordered_agent((1, 1), 100.0, (18, 5));
            change(&mut game, unit, |agent| agent.spread = 0.3);
            unit
        })
        .collect();
    game.tick();
    let mut offsets = Vec::new();
    for &unit in &units {
        let path = game.path(unit);
        let cells = path.path().expect("it is there").cells();
        let centres = cells.iter().map(|cell| centre(cell.x, cell.y));
        let off: Vec<Vec2> =
            path.points().iter().zip(centres).map(|(&point, centre)| point - centre).collect();
        assert_eq!((off[0], off[off.len() - 1]), (Vec2::ZERO, Vec2::ZERO));
        let gate = cells.iter().position(|&cell| cell == Cell::new(8, 3)).expect("it is there");
        assert_eq!(off[gate], Vec2::ZERO);
        let steady: Vec<Vec2> = off.into_iter().filter(|&off| off != Vec2::ZERO).collect();
        assert!(steady.len() > 5 && steady.windows(2).all(|pair| pair[0].distance(pair[1]) < 1e-3));
        assert!(steady[0].abs().max_element() <= 0.3 * CELL + 1e-3);
        offsets.push(steady[0]);
    }
    for (index, one) in offsets.iter().enumerate() {
        assert!(offsets[..index].iter().all(|other| one.distance(*other) > 0.2), "{offsets:?}");
    }
    game.run_until_quiet(2000);
    for unit in units {
        assert_eq!(game.position(unit), centre(18, 5));
    }
}

#[test]
fn path_that_is_cut_short_at_a_turn_ends_at_the_centre_of_its_last_cell() {
    for (line, mud) in [(PathLine::Cells, 1), (STRAIGHT, 9)] {
        for kind in 0..4 {
            let (mut game, map) = Game::open(40, 12);
            // A straight line turns beside the mud, where there is room.
            for (x, y) in (15..19).flat_map(|x| (0..8).map(move |y| (x, y))) {
                game.set_terrain(map, x, y, mud);
            }
            let (unit, target) = (game.agent(4, 3, 100.0), game.thing(if kind == 3 { 1 } else { 38 }, 2));
            change(&mut game, unit, |agent| (agent.line, agent.spread) = (line, 0.4));
            let goal = match kind {
                0 => PathGoal::Entity(target),
                1 => PathGoal::within(target, 1.5),
                2 => PathGoal::beside(target),
                _ => PathGoal::flee([target], 30.0, Cost::new(1000)),
            };
            game.order(unit, PathRequest::to(goal));
            game.ticks(25);
            let (points, next) = (game.path(unit).points(), game.path(unit).next_point());
            let cells = game.cell_path(unit).cells();
            let is_turn = |&index: &usize| {
                let [before, at, after] = [points[index - 1], points[index], points[index + 1]];
                line == PathLine::Cells || (at - before).angle_to(after - at).abs() > 0.1
            };
            let turn = (next..cells.len() - 1).find(is_turn).expect("it is there");
            let cell = cells[turn];
            assert!(points[turn].distance(centre(cell.x, cell.y)) > 0.1, "it has an offset there");
            let there = match kind {
                2 => cells[turn + 1],
                3 => Cell::new(39, 11),
                _ => cell,
            };
            game.put(target, there.x, there.y);
            game.run_until_quiet(1000);
            let end = game.cell_at(unit);
            assert_eq!(game.position(unit), centre(end.x, end.y), "{line:?}, order {kind}");
            assert_eq!(game.cell_path(unit).goal(), end);
        }
    }
}

#[test]
fn unit_put_on_a_later_cell_of_its_path_walks_on_along_a_new_line() {
    for (line, spread) in [(STRAIGHT, 0.0), (STRAIGHT, 0.4), (PathLine::Cells, 0.4)] {
        for goal in [(25, 9), (9, 11), (28, 4)] {
            for part in 1..=4 {
                let (mut game, map) = Game::open(30, 12);
                let unit = game.ordered_agent((0, 0), 100.0, goal);
                change(&mut game, unit, |agent| (agent.line, agent.spread) = (line, spread));
                game.ticks(10);
                let cells = game.cell_path(unit).cells().to_vec();
                let cell = cells[cells.len() * part / 5];
                game.told();
                // Beside the centre of the cell, too.
                let there = centre(cell.x, cell.y) + (part % 2) as f32 * Vec2::new(5.0, -6.0);
                game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation =
                    there.extend(0.0);
                game.run_until_quiet(1000);
                let told = game.told_of(unit);
                assert!(matches!(told[..], [Told::Arrived { .. }]), "{line:?} to {goal:?}, {cell}: {told:?}");
                assert_eq!(
                    (game.position(unit), game.cell_path(unit).cells()),
                    (centre(goal.0, goal.1), &*cells)
                );
                assert_eq!(closed_under(&game, map, game.position(unit)), []);
            }
        }
    }
}
