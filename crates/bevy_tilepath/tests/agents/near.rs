//! Orders that end near to a target, or away from it.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, Cell, Cost, Diagonals, Movement, NavGrid, NavMap, NavProjection, Obstacle, PathFailure,
    PathGoal, PathRequest, PathStatus, TilepathDiagnostics,
    maps::OpaqueClasses,
    orders::{Approach, PathTarget},
    tilepath::{Grid, PathFinder, PathQuery, Size, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

const SIDE: i32 = 20;

fn put(game: &mut Game, thing: Entity, at: Cell) {
    game.world_mut().get_mut::<Transform>(thing).expect("it is there").translation =
        centre(at.x, at.y).extend(0.0);
}

fn spawn_map(game: &mut Game, grid: Grid, rules: NavMap) -> Entity {
    let lattice = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
    game.world_mut().spawn((rules, NavGrid::new(grid), lattice)).id()
}

fn random_grid(rng: &mut impl Rng) -> Grid {
    let mut grid = Grid::new(SIDE as u32, SIDE as u32, 1).expect("it is small");
    for _ in 0..110 {
        grid.set_terrain(random_cell(rng), rng.random_range(0..4)).expect("it is on the map");
    }
    grid
}

fn random_cell(rng: &mut impl Rng) -> Cell {
    Cell::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE))
}

fn all_cells() -> impl Iterator<Item = Cell> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| Cell::new(x, y)))
}

/// Returns whether an order may end at this cell. The check uses only the words of the
/// documentation.
fn is_end(grid: &Grid, rules: &Movement, goal: &PathGoal, target: Cell, cell: Cell) -> bool {
    let (x, y) = (f64::from(cell.x - target.x), f64::from(cell.y - target.y));
    let far = match grid.topology() {
        Topology::Square => x.hypot(y),
        Topology::Hexagonal => grid.topology().steps(cell, target) as f64,
    };
    match goal {
        PathGoal::Around(_, Approach::Within(distance)) => far <= f64::from(*distance),
        PathGoal::Around(_, Approach::InSight(range)) => {
            let is_opaque = |cell: Cell| grid.terrain(cell) == Some(0);
            far <= f64::from(*range) && grid.topology().sees(cell, target, is_opaque)
        }
        PathGoal::Around(_, Approach::Beside) => {
            // Opens the target in a copy of the grid, and no other cell.
            let mut opened = grid.clone();
            opened.set_terrain(target, 1).expect("it is on the map");
            cell != target
                && grid.topology().directions().iter().any(|&direction| {
                    cell.neighbour(direction) == Some(target)
                        && rules.step_cost(&opened, cell, direction).is_some()
                })
        }
        PathGoal::Around(_, Approach::Flee { distance, .. }) => far >= f64::from(*distance),
        _ => false,
    }
}

/// Returns the cost of the cheapest path to a cell where the order may end.
fn cheapest(grid: &Grid, rules: &Movement, goal: &PathGoal, target: Cell, from: Cell) -> Option<u32> {
    let finder = PathFinder::new(grid.clone(), rules.clone());
    all_cells()
        .filter(|&cell| cell == from || rules.is_open(grid, cell))
        .filter(|&cell| is_end(grid, rules, goal, target, cell))
        .filter_map(|cell| {
            let answer = finder.solve(&PathQuery::new(from, cell)).expect("both are on the map");
            Some(answer.outcome.path()?.cost().get())
        })
        .min()
}

#[test]
fn ends_are_the_cheapest_on_every_map() {
    let mut found = 0;
    for round in 0..60 {
        let mut rng = Seed::named(&format!("near {round}")).generator();
        let diagonals = Diagonals::ALL[round % 4];
        let topology = if round % 3 == 0 { Topology::Hexagonal } else { Topology::Square };
        let grid = random_grid(&mut rng).with_topology(topology);
        let mut game = Game::new();
        let map = NavMap { diagonals, ..default() };
        let rules = map.rules();
        let entity = spawn_map(&mut game, grid.clone(), map);
        if topology == Topology::Hexagonal {
            let lattice = NavProjection::new(
                bevy_tilepath::maps::Lattice::HexColumn,
                Vec2::splat(CELL),
                Vec2::splat(CELL / 2.0),
            );
            game.world_mut().entity_mut(entity).insert(lattice);
        }
        for _ in 0..8 {
            let (from, target) = (random_cell(&mut rng), random_cell(&mut rng));
            let distance = [0.0, 1.0, 1.5, 3.0, 5.5, 9.0][rng.random_range(0..6)];
            let goal = match rng.random_range(0..4) {
                0 => PathGoal::within(target, distance),
                1 => PathGoal::beside(target),
                2 => PathGoal::in_sight(target, distance),
                _ => PathGoal::flee([target], distance, Cost::new(100_000)),
            };
            let place =
                game.world().get::<NavProjection>(entity).expect("it is there").world_position_of(from);
            let unit = game.agent_at(place, 0.0);
            game.order(unit, PathRequest::to(goal.clone()));
            game.tick();
            let expected = cheapest(&grid, &rules, &goal, target, from);
            if let (PathGoal::Around(_, Approach::Flee { .. }), None) = (&goal, expected) {
                assert!(game.path(unit).is_partial());
                continue;
            }
            let answer = game.world().get::<bevy_tilepath::AgentPath>(unit).map(|path| {
                let cells = path.path().expect("it leads over cells");
                assert!(
                    is_end(&grid, &rules, &goal, target, cells.goal()),
                    "{goal} ends on {}",
                    cells.goal()
                );
                cells.cost().get()
            });
            if let (PathGoal::Around(_, Approach::Flee { .. }), Some(answer)) = (&goal, answer) {
                // A path that does not run past the target may cost more.
                assert!(answer >= expected.expect("there is an end"));
            } else {
                assert_eq!(answer, expected, "{goal} from {from} in round {round}");
            }
            found += usize::from(answer.is_some());
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn way_near_to_a_target_that_moves_is_as_good_as_tolerated() {
    let (mut checked, mut worse) = (0, 0);
    for round in 0..24 {
        let mut rng = Seed::named(&format!("near and moving {round}")).generator();
        let grid = random_grid(&mut rng);
        let mut game = Game::new();
        let map = spawn_map(&mut game, grid, NavMap::default());
        let rules = NavMap::default().rules();
        let mut at = random_cell(&mut rng);
        let target = game.thing(at.x, at.y);
        let goal = match round % 3 {
            0 => PathGoal::within(target, 3.0),
            1 => PathGoal::beside(target),
            _ => PathGoal::in_sight(target, 5.0),
        };
        let from = random_cell(&mut rng);
        let unit = game.agent(from.x, from.y, 40.0);
        game.order(unit, PathRequest::to(goal.clone()).or_wait().following());
        for _ in 0..120 {
            if rng.random_bool(0.4) {
                let to = Cell::new(at.x + rng.random_range(-1..=1), at.y + rng.random_range(-1..=1));
                if (0..SIDE).contains(&to.x) && (0..SIDE).contains(&to.y) {
                    at = to;
                    put(&mut game, target, at);
                }
            }
            if rng.random_bool(0.2) {
                let cell = random_cell(&mut rng);
                game.set_terrain(map, cell.x, cell.y, rng.random_range(0..4));
            }
            game.tick();
            assert!(game.is_ordered(unit), "{:?}", game.status(unit));
            let Some(way) = game.world().get::<bevy_tilepath::AgentPath>(unit) else { continue };
            if game.status(unit) != PathStatus::Following || way.is_partial() {
                continue;
            }
            let grid = game.world().get::<NavGrid>(map).expect("it is there").grid();
            let Some(path) = way.path() else { continue };
            let cells = path.cells();
            let last = cells.len() - way.remaining_cells().len();
            let rest_of = |from: usize| {
                path.rest_from(from.min(cells.len() - 1), grid, &rules).map(|rest| rest.cost().get()).ok()
            };
            // The rest is measured from the last cell, or from the cell to which the unit walks.
            let is_good = [last.saturating_sub(1), last].into_iter().any(|index| {
                let index = index.min(cells.len() - 1);
                let best = cheapest(grid, &rules, &goal, at, cells[index]);
                rest_of(index).zip(best).is_some_and(|(rest, best)| f64::from(rest) <= f64::from(best) * 1.1)
            });
            checked += 1;
            worse += usize::from(!is_good);
        }
    }
    assert!(checked > 1500, "{checked}");
    // A cell where the path was lost counts again only after it has been open for a while.
    assert!(worse * 50 <= checked, "{worse} of {checked}");
}

#[test]
fn chases_end_where_their_rule_allows_while_the_target_walks() {
    let (mut ends, mut paths) = (0, 0);
    for round in 0..6 {
        let rng = &mut Seed::named(&format!("ends of chases {round}")).generator();
        let grid = random_grid(rng);
        let (mut game, rules) = (Game::new(), NavMap::default().rules());
        spawn_map(&mut game, grid.clone(), NavMap::default());
        let mut at = random_cell(rng);
        let target = game.thing(at.x, at.y);
        let goals = [
            PathGoal::within(target, 0.0),
            PathGoal::within(target, 1.5),
            PathGoal::within(target, 4.0),
            PathGoal::beside(target),
            PathGoal::in_sight(target, 5.0),
        ];
        let hunters: Vec<(Entity, PathRequest)> = (0..20)
            .map(|number| {
                let from = random_cell(rng);
                let order = PathRequest::to(goals[number % 5].clone()).or_wait();
                let order = if number < 10 { order } else { order.following() };
                (game.agent(from.x, from.y, 160.0), order)
            })
            .collect();
        for (hunter, order) in &hunters {
            game.order(*hunter, order.clone());
        }
        for _ in 0..300 {
            if rng.random_bool(0.1) {
                let to = Cell::new(at.x + rng.random_range(-1..=1), at.y + rng.random_range(-1..=1));
                if (0..SIDE).contains(&to.x) && (0..SIDE).contains(&to.y) {
                    at = to;
                    put(&mut game, target, at);
                }
            }
            game.tick();
            let told = game.told();
            for (hunter, order) in &hunters {
                let is_end = |cell: Cell| is_end(&grid, &rules, order.goal(), at, cell);
                if told.iter().any(|(who, told)| who == hunter && matches!(told, Told::Arrived(_))) {
                    assert!(is_end(game.cell_at(*hunter)), "{order:?} ends at {}", game.cell_at(*hunter));
                    ends += 1;
                    game.order(*hunter, order.clone());
                } else if let Some(path) = game.world().get::<bevy_tilepath::AgentPath>(*hunter)
                    && !path.is_partial()
                    && game.status(*hunter) == PathStatus::Following
                {
                    let end = path.path().expect("it leads over cells").goal();
                    assert!(is_end(end), "the path of {order:?} ends at {end}");
                    paths += 1;
                }
            }
        }
    }
    assert!(ends > 150 && paths > 10_000, "{ends} {paths}");
}

#[test]
fn target_that_stays_near_the_end_of_the_way_costs_no_search() {
    let (mut game, _) = Game::open(60, 20);
    let target = game.thing(51, 10);
    let archer = game.agent(2, 10, 30.0);
    game.order(archer, PathRequest::to(PathGoal::within(target, 6.0)));
    game.tick();
    assert_eq!(game.path(archer).goal().cell(), Some(Cell::new(45, 10)));
    for x in [50, 51].into_iter().cycle().take(40) {
        put(&mut game, target, Cell::new(x, 10));
        game.tick();
        assert_eq!(
            game.world().resource::<TilepathDiagnostics>().work,
            0,
            "the path ends near enough to {x}"
        );
    }
    game.run_until_quiet(2000);
    assert_eq!(game.status(archer), PathStatus::Arrived);
}

#[test]
fn gatherer_goes_beside_a_tree_that_is_a_wall() {
    let (mut game, map) = Game::drawn_as("..........\n..........\n..........\n..........");
    let tree = game
        .world_mut()
        .spawn((Obstacle { size: Vec2::splat(2.0 * CELL), ..default() }, Transform::default()))
        .id();
    game.world_mut().get_mut::<Transform>(tree).expect("it is there").translation =
        (centre(6, 1) + Vec2::splat(CELL / 2.0)).extend(0.0);
    let unit = game.agent(0, 1, 160.0);
    game.order(unit, PathRequest::to(PathGoal::beside(tree)));
    game.run_until_quiet(300);
    assert_eq!(game.cell_at(unit), Cell::new(5, 1), "the tree covers (6, 1) to (7, 2)");
    // Walls all around the tree.
    for (x, y) in
        [(5, 0), (5, 1), (5, 2), (5, 3), (6, 0), (7, 0), (8, 0), (8, 1), (8, 2), (8, 3), (6, 3), (7, 3)]
    {
        game.set_terrain(map, x, y, 0);
    }
    let other = game.agent(0, 0, 160.0);
    game.order(other, PathRequest::to(PathGoal::beside(tree)));
    game.tick();
    assert_eq!(game.status(other), PathStatus::Failed(PathFailure::Unreachable));
}

#[test]
fn unit_of_several_cells_comes_beside_another_one() {
    let mut game = Game::new();
    let wagon = Movement::new().with_size(Size::new(2).expect("it is a size"));
    let grid = Grid::new(20, 20, 1).expect("it is small");
    spawn_map(&mut game, grid, NavMap::default().with_movement("wagon", wagon));
    let at = |cell: Cell| (centre(cell.x, cell.y) + Vec2::splat(CELL / 2.0)).extend(3.0);
    let [goer, other] = [Cell::new(2, 5), Cell::new(12, 5)].map(|cell| {
        let transform = Transform::from_translation(at(cell));
        let agent = bevy_tilepath::PathAgent { speed: 160.0.into(), ..default() };
        game.world_mut().spawn((agent, transform, AgentMovement::from("wagon"))).id()
    });
    game.order(goer, PathRequest::to(PathGoal::beside(other)));
    game.run_until_quiet(400);
    assert_eq!(game.position(goer), at(Cell::new(10, 5)).truncate());
}

#[test]
fn forest_hides_where_the_map_says_so() {
    let mut game = Game::new();
    let grid = bevy_tilepath::tilepath::format::parse_ascii(".....7....\n").expect("it is a map");
    let map = NavMap { opaque: OpaqueClasses::new([0, 7]), ..default() };
    let entity = spawn_map(&mut game, grid, map);
    let unit = game.agent(0, 0, 160.0);
    game.order(unit, PathRequest::to(PathGoal::in_sight(Cell::new(9, 0), 8.0)));
    game.run_until_quiet(600);
    assert_eq!(game.cell_at(unit), Cell::new(5, 0), "the unit sees it only from inside the forest");
    game.world_mut().get_mut::<NavMap>(entity).expect("it is there").opaque = OpaqueClasses::new([]);
    let other = game.agent(0, 0, 160.0);
    game.order(other, PathRequest::to(PathGoal::in_sight(Cell::new(9, 0), 8.0)));
    game.run_until_quiet(600);
    assert_eq!(game.cell_at(other), Cell::new(1, 0));
}

#[test]
fn deer_flees_until_it_is_far_enough_and_again_when_the_wolf_comes() {
    let (mut game, _) = Game::open(60, 9);
    let wolf = game.thing(10, 4);
    let deer = game.agent(14, 4, 160.0);
    let flight = PathRequest::to(PathGoal::flee([wolf], 10.0, Cost::new(400)));
    game.order(deer, flight.clone());
    game.tick();
    assert_eq!(game.path(deer).goal().cell(), Some(Cell::new(20, 4)));
    assert!(!game.path(deer).is_partial());
    for x in 11..=16 {
        put(&mut game, wolf, Cell::new(x, 4));
        game.ticks(8);
    }
    game.run_until_quiet(300);
    assert_eq!(game.cell_at(deer), Cell::new(26, 4), "the deer is ten cells from the wolf's new place");
    // In the corner, the deer has no path away.
    put(&mut game, wolf, Cell::new(56, 4));
    put(&mut game, deer, Cell::new(58, 4));
    game.update();
    game.order(deer, PathRequest::to(PathGoal::flee([wolf], 50.0, Cost::new(40))));
    game.tick();
    assert!(game.path(deer).is_partial());
    game.run_until_quiet(300);
    assert_eq!(game.status(deer), PathStatus::Arrived);
}

/// Returns the distance between two cells, in cells.
fn far(one: Cell, other: Cell) -> f64 {
    f64::from(one.x - other.x).hypot(f64::from(one.y - other.y))
}

#[test]
fn deer_between_two_wolves_leaves_by_the_side_where_neither_is() {
    let (mut game, _) = Game::open(60, 40);
    let wolves = [Cell::new(26, 20), Cell::new(34, 20)];
    let entities = wolves.map(|wolf| game.thing(wolf.x, wolf.y));
    for targets in [entities.to_vec(), vec![entities[0]], vec![entities[1]]] {
        let deer = game.agent(30, 20, 160.0);
        game.order(deer, PathRequest::to(PathGoal::flee(targets.clone(), 10.0, Cost::new(400))));
        game.tick();
        let way = game.path(deer).path().expect("it leads over cells").cells().to_vec();
        let last = *way.last().expect("a path has cells");
        assert!(!game.path(deer).is_partial());
        let fled: Vec<Cell> = wolves
            .into_iter()
            .zip(entities)
            .filter(|(_, wolf)| targets.contains(wolf))
            .map(|(at, _)| at)
            .collect();
        assert!(fled.iter().all(|&wolf| far(last, wolf) >= 10.0), "{fled:?}: the path ends on {last}");
        // The path comes no nearer to the nearest wolf.
        let nearest = |cell: Cell| fled.iter().map(|&wolf| far(cell, wolf)).fold(f64::INFINITY, f64::min);
        assert!(way.iter().all(|&cell| nearest(cell) >= 4.0), "{fled:?}: {way:?}");
        // If the deer flees from one wolf only, it goes straight on, past the other wolf.
        let is_straight = last.y == 20;
        assert_eq!(is_straight, targets.len() == 1, "{fled:?}: the path ends on {last}");
        game.run_until_quiet(600);
        assert_eq!(game.status(deer), PathStatus::Arrived);
    }
}

#[test]
fn deer_without_a_way_out_stands_in_the_middle() {
    let (mut game, _) = Game::drawn_as("............................................................");
    let wolves = [26, 34].map(|x| game.thing(x, 0));
    let deer = game.agent(28, 0, 160.0);
    // Three steps do not lead past either wolf.
    game.order(deer, PathRequest::to(PathGoal::flee(wolves, 10.0, Cost::new(30))));
    game.tick();
    assert!(game.path(deer).is_partial());
    game.run_until_quiet(300);
    assert_eq!((game.cell_at(deer), game.status(deer)), (Cell::new(30, 0), PathStatus::Arrived));
}

#[test]
fn wolf_that_is_gone_does_not_count_and_without_any_the_flight_is_over() {
    let (mut game, _) = Game::drawn_as("............................................................");
    let wolves = [26, 34].map(|x| game.thing(x, 0));
    let cave = PathTarget::from(Cell::new(20, 0));
    let deer = game.agent(30, 0, 160.0);
    let flight = PathGoal::flee(wolves.map(PathTarget::from), 6.0, Cost::new(30));
    game.order(deer, PathRequest::to(flight).following());
    game.ticks(20);
    assert_eq!(game.cell_at(deer), Cell::new(30, 0), "the deer is as far from one wolf as from the other");
    game.world_mut().despawn(wolves[1]);
    game.ticks(60);
    assert_eq!(game.cell_at(deer), Cell::new(32, 0), "the deer is six cells from the wolf that is left");
    game.world_mut().despawn(wolves[0]);
    game.tick();
    assert_eq!(game.status(deer), PathStatus::Failed(PathFailure::TargetGone));
    // A place never goes: beside one, the wolves are left out from the start.
    let targets = wolves.map(PathTarget::from).into_iter().chain([cave]);
    game.order(deer, PathRequest::to(PathGoal::flee(targets, 14.0, Cost::new(200))));
    game.run_until_quiet(300);
    assert_eq!((game.cell_at(deer), game.status(deer)), (Cell::new(34, 0), PathStatus::Arrived));
}

#[test]
fn what_an_order_cannot_mean_is_said() {
    let cases: Vec<(PathRequest, PathFailure)> = vec![
        (PathRequest::to(PathGoal::within(Cell::new(1, 1), -1.0)), PathFailure::InvalidDistance),
        (PathRequest::to(PathGoal::within(Cell::new(1, 1), f32::NAN)), PathFailure::InvalidDistance),
        (PathRequest::to(PathGoal::within(Cell::new(1, 1), 129.0)), PathFailure::InvalidDistance),
        (PathRequest::to(PathGoal::in_sight(Cell::new(1, 1), f32::INFINITY)), PathFailure::InvalidDistance),
        (PathRequest::to(PathGoal::in_sight(Cell::new(1, 1), 65.0)), PathFailure::InvalidDistance),
        (
            PathRequest::to(PathGoal::flee([Cell::new(1, 1)], f32::NAN, Cost::new(9))),
            PathFailure::InvalidDistance,
        ),
        (PathRequest::to(PathGoal::flee([Cell::new(1, 1)], 5.0, Cost::ZERO)), PathFailure::NoBudget),
        (PathRequest::to(PathGoal::flee([Entity::PLACEHOLDER; 0], 5.0, Cost::new(9))), PathFailure::NoGoals),
        (PathRequest::to(PathGoal::within(Vec2::NAN, 3.0)), PathFailure::PositionNotFinite),
        (PathRequest::to(PathGoal::within("gate", 3.0)), PathFailure::WrongKindOfMap),
        (PathRequest::to(PathGoal::beside(Entity::PLACEHOLDER)), PathFailure::TargetGone),
    ];
    for (request, reason) in cases {
        let (mut game, _) = Game::open(9, 9);
        let unit = game.agent(8, 8, 160.0);
        game.order(unit, request.clone());
        game.tick();
        assert_eq!(game.status(unit), PathStatus::Failed(reason), "{request:?}");
    }
    let (mut game, map) = Game::open(9, 9);
    let cellar = game.open_map(9, 9);
    let unit = game.agent(8, 8, 160.0);
    game.world_mut().entity_mut(unit).insert(bevy_tilepath::OnMap(map));
    game.order(unit, PathRequest::to(PathGoal::in_sight(Cell::new(1, 1), 2.0)).on_map(cellar));
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Failed(PathFailure::TargetElsewhere));
    // No door leads there.
    game.order(unit, PathRequest::to(PathGoal::within(Cell::new(1, 1), 2.0)).on_map(cellar));
    game.tick();
    assert_eq!(game.status(unit), PathStatus::Failed(PathFailure::Unreachable));
}

#[test]
fn distances_of_nothing_are_where_one_is() {
    let (mut game, _) = Game::open(9, 9);
    for (request, end) in [
        (PathRequest::to(PathGoal::within(Cell::new(5, 5), 0.0)), Cell::new(5, 5)),
        (PathRequest::to(PathGoal::in_sight(Cell::new(5, 5), 0.0)), Cell::new(5, 5)),
        (PathRequest::to(PathGoal::flee([Cell::new(0, 0)], 0.0, Cost::new(1))), Cell::new(0, 0)),
        (PathRequest::to(PathGoal::within(Cell::new(1, 1), 128.0)), Cell::new(0, 0)),
    ] {
        let unit = game.agent(0, 0, 160.0);
        game.order(unit, request);
        game.run_until_quiet(300);
        assert_eq!((game.cell_at(unit), game.status(unit)), (end, PathStatus::Arrived));
    }
}

#[test]
fn stops_may_be_near_to_things() {
    let (mut game, _) = Game::open(30, 9);
    let (tree, hall) = (game.thing(20, 4), game.thing(3, 4));
    let worker = game.agent(10, 4, 320.0);
    game.order(worker, PathRequest::to(PathGoal::beside(tree)).then(PathGoal::beside(hall)).looped());
    let mut ends = Vec::new();
    for _ in 0..600 {
        game.tick();
        let cell = game.cell_at(worker);
        if [Cell::new(19, 4), Cell::new(4, 4)].contains(&cell) && ends.last() != Some(&cell) {
            ends.push(cell);
        }
    }
    assert!(ends.len() >= 6, "{ends:?}");
    assert!(game.cell_at(worker).x >= 4 && game.cell_at(worker).x <= 19);
}
