//! Orders to common goals. Fields answer them, with the costs of searches.

use bevy::prelude::*;
use bevy_tilepath::{
    AgentMovement, AgentPath, Algorithm, Cell, CostTable, Diagonals, Movement, NavGrid, NavMap,
    NavProjection, PathAgent, PathFailure, PathRequest, TilepathDiagnostics, entries_kept,
    maps::MapLandmarks,
    tilepath::{Edit, Grid, NearestQuery, PathFinder, PathQuery, Size, Topology},
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

/// The side of the map: long enough that searches continue after their first turn.
const SIDE: i32 = 72;

fn any_cell(random: &mut impl Rng) -> Cell {
    Cell::new(random.random_range(0..SIDE), random.random_range(0..SIDE))
}

/// Returns ground of many costs, with walls.
fn rough(random: &mut impl Rng) -> Grid {
    let classes = (0..SIDE * SIDE).map(|_| [0, 1, 1, 2, 3, 5, 9][random.random_range(0..7)]).collect();
    Grid::from_classes(SIDE as u32, SIDE as u32, classes).expect("a small map")
}

/// Returns whether the path was read from a field. Then no cell was expanded for this agent alone,
/// at any distance.
fn is_read(path: &AgentPath) -> bool {
    path.path().is_some_and(|path| path.steps() > 0) && path.statistics().expanded == 0
}

/// Returns the goal and the cost that a search by these rules finds.
fn searched(grid: &NavGrid, rules: &Movement, start: Cell, goals: &[Cell]) -> Option<(usize, u32)> {
    let finder = PathFinder::new(grid.grid().clone(), rules.clone());
    let query = NearestQuery::new(start, goals);
    let found = finder.solve_nearest(&query).expect("a query").goals.pop();
    found.map(|goal| (goal.index, goal.path.cost().get()))
}

fn movements() -> Vec<AgentMovement> {
    let large = Movement::new().with_size(Size::new(2).expect("a size"));
    let rider = Movement::new().with_costs(CostTable::identity().with(3, 1).with(9, 40));
    vec![
        Movement::new().into(),
        rider.into(),
        Movement::new().with_diagonals(Diagonals::Never).into(),
        large.into(),
    ]
}

fn rules_of(movement: &AgentMovement) -> &Movement {
    match movement {
        AgentMovement::Own(rules) => rules,
        other => panic!("{other}"),
    }
}

struct Sandbox {
    game: Game,
    map: Entity,
    agents: Vec<(Entity, AgentMovement)>,
    /// The number of checked answers, and how many of them were read from fields.
    checked: (u32, u32),
}

impl Sandbox {
    fn new(grid: Grid, agents: usize, kinds: &[AgentMovement], random: &mut impl Rng) -> Self {
        let mut game = Game::new();
        let map = game.map_of(grid, Diagonals::default());
        let agents = (0..agents).map(|number| {
            let Cell { x, y } = any_cell(random);
            let movement = kinds[number % kinds.len()].clone();
            let agent = game.agent(x, y, 60.0);
            game.world_mut().entity_mut(agent).insert(movement.clone());
            (agent, movement)
        });
        let agents = agents.collect();
        game.tick();
        Self { game, map, agents, checked: (0, 0) }
    }

    fn order(&mut self, number: usize, request: PathRequest) {
        let agent = self.agents[number].0;
        self.game.world_mut().entity_mut(agent).insert(request);
    }

    fn goals(&self, agent: Entity) -> Vec<Cell> {
        let request = self.game.world().get::<PathRequest>(agent);
        let goals = request.map(|request| request.goal().clone());
        match goals {
            Some(bevy_tilepath::PathGoal::One(place)) => vec![place.cell().expect("orders name cells")],
            Some(bevy_tilepath::PathGoal::Nearest(places)) => {
                places.iter().map(|place| place.cell().expect("orders name cells")).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Ticks once, and checks that each new path is allowed. If a path was read from a field, its
    /// cost and its goal must equal the search result.
    fn tick(&mut self) {
        self.game.tick();
        let told = self.game.told();
        for (agent, what) in told {
            let movement = &self.agents.iter().find(|(known, _)| *known == agent).expect("one of them").1;
            let grid = self.game.world().get::<NavGrid>(self.map).expect("the map is there");
            let rules = rules_of(movement);
            match what {
                Told::Found { .. } | Told::Replanned { .. } => {
                    let Some(path) = self.game.world().get::<AgentPath>(agent) else { continue };
                    let course = path.path().expect("over cells");
                    let goals = self.goals(agent);
                    if goals.is_empty() || path.is_partial() {
                        continue;
                    }
                    assert_eq!(course.verify(grid.grid(), rules), Ok(()));
                    self.checked.0 += 1;
                    // A search may have found its path before the last edits. That path is still
                    // allowed.
                    if is_read(path) {
                        let here = (path.chosen(), course.cost().get());
                        assert_eq!(Some(here), searched(grid, rules, course.start(), &goals), "to {goals:?}");
                        assert_eq!(course.lower_bound(), course.cost());
                        self.checked.1 += 1;
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn costs_and_goals_are_those_of_searches_while_the_map_is_edited_in_every_tick() {
    let mut read = 0;
    for (number, work_per_tick) in [6000, 20_000, 100_000].into_iter().enumerate() {
        let random = &mut Seed::named(&format!("shared fields {number}")).generator();
        let mut sandbox = Sandbox::new(rough(random), 240, &movements(), random);
        sandbox.game.budget(work_per_tick);
        for n in 0..120 {
            if n % 30 == 0 {
                let goals = [any_cell(random), any_cell(random)];
                let nearest: Vec<Cell> = (0..4).map(|_| any_cell(random)).collect();
                for who in 0..sandbox.agents.len() {
                    let request = match random.random_range(0..6) {
                        0 | 1 => PathRequest::to_nearest(nearest.clone()),
                        2 if n > 0 => continue,
                        kind => PathRequest::to_cell(goals[kind % 2]),
                    };
                    sandbox.order(who, request);
                }
            }
            let who = random.random_range(0..sandbox.agents.len());
            match random.random_range(0..4) {
                0 => drop(sandbox.game.world_mut().entity_mut(sandbox.agents[who].0).take::<PathRequest>()),
                1 => sandbox.order(who, PathRequest::to_cell(any_cell(random)).or_closest()),
                2 => sandbox.order(who, PathRequest::to_cell(any_cell(random)).with_limit(40)),
                _ => {}
            }
            let (Cell { x, y }, class) = (any_cell(random), random.random_range(0..6));
            sandbox.game.set_terrain(sandbox.map, x, y, class);
            sandbox.tick();
        }
        assert!(sandbox.checked.0 > 100, "{:?}", sandbox.checked);
        read += sandbox.checked.1;
    }
    assert!(read > 150, "{read}");
}

#[test]
fn costs_are_those_of_searches_on_hexagons_and_over_one_way_edges() {
    for is_hexagonal in [false, true] {
        let random = &mut Seed::named(&format!("shared on hexagons {is_hexagonal}")).generator();
        let mut grid = rough(random);
        if is_hexagonal {
            grid = grid.with_topology(Topology::Hexagonal);
        }
        for _ in 0..200 {
            let Cell { x, y } = any_cell(random);
            if x + 1 < SIDE {
                grid.edit(&[Edit::one_way(Cell::new(x, y), Cell::new(x + 1, y))]).unwrap();
            }
        }
        let kinds: Vec<AgentMovement> = movements()[..2].to_vec();
        let mut game = Game::new();
        let projection = NavProjection::square(Vec2::splat(CELL), Vec2::splat(CELL / 2.0));
        let map = game.world_mut().spawn((NavMap::default(), NavGrid::new(grid), projection)).id();
        let agents = (0..150).map(|number: usize| {
            let Cell { x, y } = any_cell(random);
            let movement = kinds[number % 2].clone();
            let agent = game.agent(x, y, 60.0);
            game.world_mut().entity_mut(agent).insert(movement.clone());
            (agent, movement)
        });
        let agents = agents.collect();
        game.tick();
        let mut sandbox = Sandbox { game, map, agents, checked: (0, 0) };
        sandbox.game.budget(5000);
        let goal = any_cell(random);
        for who in 0..150 {
            sandbox.order(who, PathRequest::to_cell(goal));
        }
        for _ in 0..60 {
            let Cell { x, y } = any_cell(random);
            sandbox.game.set_terrain(sandbox.map, x, y, random.random_range(0..6));
            sandbox.tick();
        }
        assert!(sandbox.checked.1 > 50, "{is_hexagonal}: {:?}", sandbox.checked);
    }
}

/// Returns open ground on which an army of agents stands in the corner far from the goal.
fn army(agents: i32, work_per_tick: u64) -> (Game, Entity, Vec<Entity>) {
    let random = &mut Seed::named("army").generator();
    let classes = (0..96 * 96).map(|_| random.random_range(1..9)).collect();
    let mut game = Game::new();
    let grid = Grid::from_classes(96, 96, classes).expect("a small map");
    let map = game.map_of(grid, Diagonals::default());
    let agents = (0..agents).map(|number| game.agent(number % 20, number / 20, 0.0)).collect();
    game.explore();
    game.budget(work_per_tick);
    (game, map, agents)
}

/// Orders all agents to a goal. Returns the ticks until all are answered, and their work.
fn march(game: &mut Game, agents: &[Entity], request: &PathRequest) -> (u32, u64) {
    for &agent in agents {
        game.world_mut().entity_mut(agent).insert(request.clone());
    }
    let mut all = 0;
    for ticks in 1..10_000 {
        game.tick();
        let diagnostics = game.world().resource::<TilepathDiagnostics>();
        all += diagnostics.work;
        if diagnostics.queued + diagnostics.searching == 0 {
            return (ticks, all);
        }
    }
    panic!("some orders are never answered");
}

#[test]
fn many_orders_to_one_goal_cost_little_more_than_one_search() {
    let far = PathRequest::to_cell(Cell::new(90, 90));
    let (mut game, _, agents) = army(200, 4000);
    let (shared, work) = march(&mut game, &agents, &far);
    let (mut game, map, agents) = army(200, 4000);
    game.world_mut().get_mut::<NavMap>(map).expect("a map").landmarks = MapLandmarks::Never;
    let (singly, all) = march(&mut game, &agents, &far.with_algorithm(Algorithm::AStar));
    assert!(20 * work < all && 10 * shared < singly, "{work} of {all}, {shared} of {singly} ticks");
}

#[test]
fn more_than_eight_that_are_not_soon_answered_make_a_field() {
    let far = PathRequest::to_cell(Cell::new(90, 90));
    for (count, are_read) in [(8, 0), (9, 9), (40, 40)] {
        let (mut game, _, agents) = army(count, 6000);
        march(&mut game, &agents, &far);
        let read = agents.iter().filter(|&&agent| is_read(game.path(agent))).count();
        assert_eq!(read, are_read, "of {count}");
    }
    // Short paths are found in the first turn of their search.
    let (mut game, _, agents) = army(100, 6000);
    march(&mut game, &agents, &PathRequest::to_cell(Cell::new(10, 4)));
    assert!(agents.iter().all(|&agent| !is_read(game.path(agent))));
}

#[test]
fn a_field_stays_for_half_as_many_while_the_map_is_edited_and_goes_with_fewer() {
    let far = PathRequest::to_cell(Cell::new(90, 90));
    let edit = |game: &mut Game, map, x| game.set_terrain(map, x, 60, 9);
    for (later, are_read) in [(3, 0), (30, 30)] {
        let (mut game, map, agents) = army(60, 100_000);
        // Searches that landmarks lead end in their first turn, so no field is needed.
        game.world_mut().get_mut::<NavMap>(map).expect("a map").landmarks = MapLandmarks::Never;
        march(&mut game, &agents[..30], &far);
        assert!(entries_kept(game.world()) > 0, "the field stays");
        edit(&mut game, map, later);
        march(&mut game, &agents[30..30 + later as usize], &far);
        let read = agents[30..30 + later as usize].iter().filter(|&&agent| is_read(game.path(agent))).count();
        assert_eq!(
            read, are_read,
            "of {later} orders: the searches of the first ones begin before the rest are counted"
        );
        // A single order may use the field while the map does not change.
        march(&mut game, &agents[59..], &far);
        assert_eq!(is_read(game.path(agents[59])), are_read > 0);
    }
}

#[test]
fn a_field_that_is_not_asked_any_more_goes_after_a_while() {
    let (mut game, map, agents) = army(40, 100_000);
    march(&mut game, &agents, &PathRequest::to_cell(Cell::new(90, 90)));
    assert_eq!(entries_kept(game.world()), 2, "entries are kept for the watched map and the field");
    game.ticks(70);
    assert_eq!(entries_kept(game.world()), 1);
    march(&mut game, &agents, &PathRequest::to_cell(Cell::new(90, 80)));
    game.world_mut().despawn(map);
    for agent in agents {
        game.world_mut().despawn(agent);
    }
    game.tick();
    game.tick();
    assert_eq!(entries_kept(game.world()), 0);
}

#[test]
fn orders_that_a_field_cannot_answer_are_searched_for() {
    let far = || PathRequest::to_cell(Cell::new(90, 90));
    for request in [far().or_closest(), far().with_limit(100_000), far().with_algorithm(Algorithm::AStar)] {
        let (mut game, _, agents) = army(30, 6000);
        march(&mut game, &agents, &request);
        assert!(agents.iter().all(|&agent| !is_read(game.path(agent))), "{request:?}");
    }
    // An agent that stands on the goal has arrived.
    let (mut game, _, agents) = army(30, 6000);
    let there = game.agent(90, 90, 0.0);
    march(&mut game, &[&agents[..], &[there]].concat(), &far());
    assert_eq!((game.cost(there).get(), is_read(game.path(agents[0]))), (0, true));
}

#[test]
fn units_on_closed_ground_read_how_they_walk_off_it() {
    let far = PathRequest::to_cell(Cell::new(90, 90));
    let (mut game, map, agents) = army(60, 6000);
    for number in (0..60).step_by(7) {
        game.set_terrain(map, number % 20, number / 20, 0);
    }
    march(&mut game, &agents, &far);
    let grid = game.world().get::<NavGrid>(map).unwrap();
    for &agent in &agents {
        let path = game.path(agent);
        let query = PathQuery::new(path.path().unwrap().start(), Cell::new(90, 90));
        let answer = grid.finder().solve(&query).unwrap();
        assert!(is_read(path));
        assert_eq!(game.cost(agent), answer.outcome.path().unwrap().cost());
    }
}

#[test]
fn a_goal_that_no_way_leads_to_fails_as_in_a_search() {
    let (mut game, map, agents) = army(60, 600);
    let corner = |x: i32, y: i32| Cell::new(90 + x, 90 + y);
    for (x, y) in (-1..2).flat_map(|x| (-1..2).map(move |y| (x, y))).filter(|&at| at != (0, 0)) {
        // Walls would fail the order at once. These one-way edges lead out of the goal, but not
        // into it.
        let mut grid = game.world_mut().get_mut::<NavGrid>(map).unwrap();
        grid.edit(&[Edit::one_way(corner(0, 0), corner(x, y))]).unwrap();
    }
    for &agent in &agents {
        game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(corner(0, 0)));
    }
    game.told();
    let mut failed = 0;
    for _ in 0..200 {
        game.tick();
        for (_, what) in game.told() {
            assert_eq!(what, Told::Failed(PathFailure::Unreachable));
            failed += 1;
        }
    }
    assert_eq!(failed, 60);
}

#[test]
fn a_map_that_changes_as_a_whole_in_every_tick_keeps_no_order_waiting() {
    // Returns the number of ticks until all orders are answered.
    let ticks = |algorithm: Algorithm| {
        let (mut game, map, agents) = army(50, 8000);
        for &agent in &agents {
            let request = PathRequest::to_cell(Cell::new(90, 90)).with_algorithm(algorithm);
            game.world_mut().entity_mut(agent).insert(request);
        }
        let mut answered = 0;
        for n in 0..3000 {
            // A wall right before the goal, with a gap that moves.
            for y in 0..96 {
                game.set_terrain(map, 88, y, u8::from(y == n % 96));
            }
            game.tick();
            answered += game.told().iter().filter(|(_, what)| matches!(what, Told::Found { .. })).count();
            if answered == agents.len() {
                return n;
            }
        }
        panic!("only {answered} orders are answered");
    };
    let (shared, single) = (ticks(Algorithm::Auto), ticks(Algorithm::AStar));
    assert!(shared <= single + single / 2, "{shared} ticks, {single} with searches alone");
}

#[test]
fn orders_that_are_replaced_or_cancelled_leave_nothing_behind() {
    let random = &mut Seed::named("replaced").generator();
    let (mut game, map, agents) = army(80, 300);
    for n in 0..200 {
        for &agent in &agents {
            match random.random_range(0..12) {
                0 => drop(game.world_mut().entity_mut(agent).take::<PathRequest>()),
                1 => {
                    let goal = Cell::new(90, 90 - n % 3);
                    game.world_mut().entity_mut(agent).insert(PathRequest::to_cell(goal));
                }
                2 => {
                    game.world_mut().entity_mut(agent).remove_with_requires::<PathAgent>();
                    game.world_mut().entity_mut(agent).insert(PathAgent::default());
                }
                _ => {}
            }
        }
        game.tick();
    }
    for agent in agents {
        game.world_mut().despawn(agent);
    }
    game.world_mut().despawn(map);
    game.tick();
    game.tick();
    assert_eq!(entries_kept(game.world()), 0);
}

#[cfg(feature = "recording")]
#[test]
fn what_fields_answer_is_recorded_and_replayed() {
    use bevy_tilepath::recording::PathRecorder;

    let (mut game, map, agents) = army(60, 3000);
    game.world_mut().resource_mut::<PathRecorder>().start();
    march(&mut game, &agents, &PathRequest::to_cell(Cell::new(90, 90)));
    let goals = [Cell::new(90, 90), Cell::new(95, 20), Cell::new(3, 95)];
    march(&mut game, &agents, &PathRequest::to_nearest(goals));
    let read = agents.iter().filter(|&&agent| is_read(game.path(agent))).count();
    assert_eq!(read, agents.len());
    let recording = game.world().resource::<PathRecorder>().recording(map).unwrap();
    let replayed = recording.replay(|_| ()).expect("costs and goals are the same");
    assert_eq!((replayed.answers, replayed.different), (120, 0));
}
