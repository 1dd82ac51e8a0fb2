//! Maps with all features, against brute force, before and after edits.
//!
//! The features: hexagons, void cells, sizes, overlays and exits.

use proptest::prelude::*;
use testkit::{DiagonalRule, Oracle};
use tilepath::{
    Algorithm, Answer, Cell, Cost, CostTable, Direction, Grid, Movement, MovementId, NearestQuery, Outcome,
    Path, PathFinder, PathQuery, QueryError, RangeQuery, SearchStatus, Topology,
    field::{FieldQuery, FieldState, FlowField},
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

const EXACT: [Algorithm; 5] = [
    Algorithm::Auto,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::JumpPoint,
    Algorithm::WeightedAStar { percent: 100 },
];
const APPROXIMATE: [Algorithm; 5] = [
    Algorithm::Greedy,
    Algorithm::WeightedAStar { percent: 130 },
    Algorithm::BreadthFirst,
    Algorithm::DepthFirst,
    Algorithm::Backtracking,
];

/// A unit of a world, with the oracle.
struct View<'a> {
    world: &'a PlaneWorld,
    finder: &'a PathFinder,
    unit: usize,
    id: MovementId,
    movement: Movement,
    oracle: Oracle,
}

impl<'a> View<'a> {
    fn new(world: &'a PlaneWorld, finder: &'a PathFinder, unit: usize) -> Self {
        let movement = world.movement(unit);
        let id = finder.movement_id(&movement).unwrap();
        Self { world, finder, unit, id, movement, oracle: world.oracle(unit) }
    }

    fn is_large(&self) -> bool {
        self.world.units[self.unit].size > 1
    }

    fn query(&self, start: (i32, i32), goal: (i32, i32)) -> PathQuery {
        PathQuery::new(self.world.cell(start), self.world.cell(goal)).with_movement(self.id)
    }

    fn slot(&self, cell: Cell) -> usize {
        self.world.land.map.slot(self.world.position(cell))
    }

    /// Returns the error of a query whose goal is not a place for the unit.
    fn goal_error(&self, goal: (i32, i32)) -> Option<QueryError> {
        let (cell, bounds) = (self.world.cell(goal), self.finder.grid().bounds());
        let side = self.movement.size().side();
        if !self.oracle.fits(goal) {
            Some(QueryError::FootprintOutOfBounds { cell, side, bounds })
        } else if self.world.land.void[self.world.land.map.slot(goal)] {
            Some(QueryError::GoalOutOfBounds { cell, bounds })
        } else {
            None
        }
    }

    fn check_path(&self, path: &Path, costs: &[Option<u64>]) {
        let walked: Vec<_> = path.cells().iter().map(|&cell| self.world.position(cell)).collect();
        let cost = u64::from(path.cost().get());
        assert_eq!(self.oracle.walk_cost(&walked), Some(cost), "{path:?}");
        let cheapest = costs[self.slot(path.goal())].unwrap();
        let bound = u64::from(path.lower_bound().get());
        assert!(bound <= cheapest && cheapest <= cost, "{bound} <= {cheapest} <= {cost}");
        assert_eq!(path.is_optimal(), bound == cost);
        assert_eq!(path.verify(self.finder.grid(), &self.movement), Ok(()), "{path:?}");
    }

    fn check_cheapest(&self, path: &Path, costs: &[Option<u64>]) {
        self.check_path(path, costs);
        assert_eq!(Some(u64::from(path.cost().get())), costs[self.slot(path.goal())]);
        assert!(path.is_optimal());
    }

    /// Checks all steps of the map, also in the diagonal directions, which hexagons do not have.
    fn check_steps(&self) {
        for from in self.world.positions().filter(|&from| self.oracle.fits(from)) {
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let found = self.movement.step_cost(self.finder.grid(), self.world.cell(from), direction);
                let expected = self.oracle.step_cost(from, (from.0 + dx, from.1 + dy));
                assert_eq!(found.map(|cost| u64::from(cost.get())), expected, "{from:?} {direction:?}");
            }
        }
    }

    fn check_answer(&self, query: &PathQuery, answer: &Result<Answer, QueryError>, costs: &[Option<u64>]) {
        let (start, goal) = (self.world.position(query.start()), self.world.position(query.goal()));
        let slot = self.world.land.map.slot(goal);
        let expected =
            if query.wants_closest() { self.oracle.cost_or_closest(start, goal) } else { costs[slot] };
        match (expected, answer.as_ref().map(|answer| &answer.outcome)) {
            (Some(_), Ok(Outcome::Found(path))) => {
                assert_eq!((path.start(), path.goal()), (query.start(), query.goal()));
                self.check_path(path, costs);
                if query.algorithm().is_exact() {
                    self.check_cheapest(path, costs);
                }
                if query.algorithm() == Algorithm::BreadthFirst {
                    let fewest = self.oracle.steps_from(start)[self.world.land.map.slot(goal)];
                    assert_eq!(Some(path.steps() as u64), fewest);
                }
            }
            (None, Ok(Outcome::Unreachable { closest })) => {
                assert_eq!(closest.is_some(), query.wants_closest());
                let Some(path) = closest else { return };
                self.check_path(path, costs);
                let (slot, cost) = self.oracle.closest(start, goal);
                let distances = self.oracle.distances_to(goal);
                assert_eq!(distances[self.slot(path.goal())], distances[slot], "{path:?}");
                if query.algorithm().is_exact() {
                    let found = (self.world.position(path.goal()), u64::from(path.cost().get()));
                    assert_eq!(found, (self.world.land.map.position(slot), cost), "{query:?}");
                }
            }
            (_, Err(QueryError::NoJumpPoints)) => {
                assert_eq!(query.algorithm(), Algorithm::JumpPoint);
                // A unit that leaves closed ground has extra steps, which are listed one by one.
                let is_deep = !self.oracle.way_out(start).is_empty();
                let is_leaving = is_deep || self.is_large() && !self.oracle.is_open(start);
                assert!(is_leaving || !self.is_fit_for_jump_points(), "{query:?}");
            }
            (expected, answer) => panic!("oracle {expected:?}, core {answer:?} to {query:?}"),
        }
    }

    /// Returns whether jump points must be available.
    fn is_fit_for_jump_points(&self) -> bool {
        let (land, unit) = (&self.world.land, &self.world.units[self.unit]);
        let rules = &unit.rules;
        let on_map = land.map.classes.iter().zip(&land.void).filter(|(_, is_void)| !**is_void);
        let mut prices: Vec<u64> = on_map.map(|(&class, _)| rules.multipliers[usize::from(class)]).collect();
        prices.retain(|&price| price != 0);
        prices.sort_unstable();
        prices.dedup();
        let named = unit.overlays.iter().filter_map(|name| land.overlays.get(name));
        let has_proper_steps = rules.diagonals == DiagonalRule::Never
            || rules.straight < rules.diagonal && rules.diagonal < 2 * rules.straight;
        prices.len() == 1
            && land.is_open_everywhere()
            && named.flatten().all(|&value| value == 0)
            && (land.is_hexagonal || has_proper_steps)
    }

    fn check_paths(&self, start: (i32, i32), goal: (i32, i32), fresh: &PathFinder) {
        let costs = self.oracle.costs_from(start);
        for algorithm in EXACT.into_iter().chain(APPROXIMATE) {
            let plain = self.query(start, goal).with_algorithm(algorithm);
            for query in [plain, plain.or_closest(), plain.without_reachability(), plain.without_pruning()] {
                let answer = self.finder.solve(&query);
                match self.goal_error(goal).filter(|_| !query.wants_closest()) {
                    Some(error) => assert_eq!(answer, Err(error)),
                    None => self.check_answer(&query, &answer, &costs),
                }
                let movement = self.finder.movement(query.movement()).unwrap();
                let same = query.with_movement(fresh.movement_id(movement).unwrap());
                assert_eq!(answer, fresh.solve(&same), "a fresh finder answers {query:?}");
                let sliced = self.finder.begin(&query).and_then(|mut search| {
                    while search.advance(3) == SearchStatus::Running {}
                    search.finish()
                });
                assert_eq!(answer, sliced, "in slices, {query:?}");
            }
        }
    }

    fn check_reachability(&self, start: (i32, i32)) {
        let costs = self.oracle.costs_from(start);
        for goal in self.world.positions() {
            let expected = match self.goal_error(goal) {
                Some(error) => Err(error),
                None => Ok(costs[self.world.land.map.slot(goal)].is_some()),
            };
            assert_eq!(self.finder.is_reachable(&self.query(start, goal)), expected, "{start:?} {goal:?}");
        }
    }

    fn check_range(&self, start: (i32, i32), budget: u32) {
        let costs = self.oracle.costs_from(start);
        let query = RangeQuery::new(self.world.cell(start), Cost::new(budget)).with_movement(self.id);
        let range = self.finder.solve_range(&query).unwrap();
        for (slot, &cost) in costs.iter().enumerate() {
            let cell = self.world.cell(self.world.land.map.position(slot));
            let expected = cost.filter(|&cost| cost <= u64::from(budget));
            assert_eq!(range.cost_to(cell).map(|cost| u64::from(cost.get())), expected, "{cell}");
            let path = range.path_to(cell);
            assert_eq!(path.is_some(), expected.is_some());
            if let Some(path) = path {
                assert_eq!((path.start(), path.goal()), (query.start(), cell));
                self.check_cheapest(&path, &costs);
            }
        }
    }

    fn check_nearest(&self, start: (i32, i32), goals: &[(i32, i32)]) {
        let costs = self.oracle.costs_from(start);
        let priced = goals.iter().enumerate();
        let priced =
            priced.filter_map(|(index, &goal)| Some((costs[self.world.land.map.slot(goal)]?, index)));
        let mut expected: Vec<(u64, usize)> = priced.collect();
        expected.sort_unstable();
        let cells: Vec<Cell> = goals.iter().map(|&goal| self.world.cell(goal)).collect();
        for count in [1, 3] {
            let query = NearestQuery::new(self.world.cell(start), &cells[..]);
            let query = query.with_count(count).with_movement(self.id);
            let answer = self.finder.solve_nearest(&query).unwrap();
            let found: Vec<_> =
                answer.goals.iter().map(|goal| (u64::from(goal.path.cost().get()), goal.index)).collect();
            assert_eq!(found, expected[..count.min(expected.len())], "{query:?}");
            for goal in &answer.goals {
                assert_eq!(goal.path.goal(), cells[goal.index]);
                self.check_cheapest(&goal.path, &costs);
            }
            let mut search = self.finder.begin_nearest(&query).unwrap();
            while search.advance(2) == SearchStatus::Running {}
            assert_eq!(search.finish().unwrap().goals, answer.goals);
        }
    }

    fn field_query(&self, goals: &[(i32, i32)]) -> FieldQuery {
        let cells: Vec<Cell> = goals.iter().map(|&goal| self.world.cell(goal)).collect();
        FieldQuery::new(cells).with_movement(self.id)
    }

    fn check_field(&self, field: &FlowField) {
        let goals: Vec<_> = field.query().goals().iter().map(|&goal| self.world.position(goal)).collect();
        let costs = self.oracle.costs_to(&goals);
        for position in self.world.positions() {
            // Large units on closed ground have steps of their own, and so have units deep in it.
            let is_deep = !self.oracle.way_out(position).is_empty();
            let is_leaving = is_deep || self.is_large() && !self.oracle.is_open(position);
            if !self.oracle.fits(position) || is_leaving {
                continue;
            }
            let cell = self.world.cell(position);
            let cost = costs[self.world.land.map.slot(position)];
            match field.state(cell) {
                FieldState::Settled(found) => assert_eq!(Some(u64::from(found.get())), cost, "{cell}"),
                FieldState::Pending if !field.is_done() => continue,
                FieldState::Unreachable => assert_eq!(None, cost, "{cell}"),
                state => panic!("{cell} is {state:?}"),
            }
            let leads = |direction: &Direction| {
                let (dx, dy) = direction.offset();
                let entered = (position.0 + dx, position.1 + dy);
                let rest = self
                    .oracle
                    .step_cost(position, entered)
                    .and_then(|step| Some(step + costs[self.world.land.map.slot(entered)]?));
                rest.is_some() && rest == cost
            };
            let expected = Direction::ALL.into_iter().find(leads).filter(|_| cost != Some(0));
            assert_eq!(field.direction(cell), expected, "{cell}");
            let path = field.path_from(cell);
            assert_eq!(path.is_some(), cost.is_some());
            if let Some(path) = path {
                assert_eq!(Some(u64::from(path.cost().get())), cost);
                assert_eq!(path.verify(self.finder.grid(), &self.movement), Ok(()));
                let goal = field.goal_from(cell).map(|index| field.query().goals()[index]);
                assert_eq!(goal, Some(path.goal()));
            }
        }
    }
}

/// Runs all queries of all units, on a finder with edits and on a fresh one.
fn ask(world: &PlaneWorld, finder: &PathFinder, fields: &mut [Option<FlowField>; 4]) {
    let fresh = world.finder();
    assert_eq!(finder.grid(), fresh.grid());
    for unit in 0..world.units.len() {
        let view = View::new(world, finder, unit);
        view.check_steps();
        let [start, goal, others @ ..] = [0, 1, 2, 3, 4].map(|number| world.place(number, unit));
        if !view.oracle.fits(start) {
            let error = view.finder.solve(&view.query(start, goal)).unwrap_err();
            assert!(matches!(error, QueryError::FootprintOutOfBounds { .. }), "{error}");
            continue;
        }
        view.check_paths(start, goal, &fresh);
        view.check_paths(goal, start, &fresh);
        view.check_reachability(start);
        view.check_range(start, u32::MAX - 1);
        view.check_range(start, 57);
        let mut goals = vec![goal, others[0], others[1], others[2], goal];
        goals.retain(|&goal| view.goal_error(goal).is_none());
        view.check_nearest(start, &goals);
        for (kind, field) in fields[2 * unit..2 * unit + 2].iter_mut().enumerate() {
            if let Some(known) = field {
                let has_lost_goal =
                    known.query().goals().iter().any(|&goal| view.goal_error(world.position(goal)).is_some());
                let update = known.update(finder);
                assert_eq!(update.is_err(), has_lost_goal, "{update:?}");
                if has_lost_goal {
                    *field = None;
                    continue;
                }
                view.check_field(known);
                known.advance(3);
                view.check_field(known);
            } else {
                let mut new = finder.begin_field(&view.field_query(&goals)).unwrap();
                new.advance(if kind == 0 { u64::MAX } else { 7 });
                view.check_field(&new);
                *field = Some(new);
            }
        }
    }
}

fn live(mut world: PlaneWorld) {
    let mut finder = world.finder();
    let mut fields = [const { None }; 4];
    ask(&world, &finder, &mut fields);
    for (number, batch) in std::mem::take(&mut world.batches).into_iter().enumerate() {
        // Batches with an even number are made at once, the others edit by edit.
        for edits in batch.chunks(if number % 2 == 0 { batch.len().max(1) } else { 1 }) {
            world.edit(&mut finder, edits);
        }
        ask(&world, &finder, &mut fields);
    }
}

#[test]
fn jump_points_are_for_hexagons_of_one_cost_too() {
    let grid = Grid::from_classes(3, 2, vec![1, 0, 0, 2, 0, 5]).unwrap().with_topology(Topology::Hexagonal);
    let even = CostTable::impassable().with(1, 1).with(2, 1).with(5, 1);
    let finder = PathFinder::new(grid, Movement::new().with_costs(even));
    let query = PathQuery::new(Cell::new(1, 1), Cell::new(0, 0));
    let path = finder.solve(&query).unwrap().outcome.into_path().unwrap();
    assert_eq!(path.cost(), Cost::new(20), "{path:?}");
    let points = finder.solve(&query.with_algorithm(Algorithm::JumpPoint)).unwrap();
    assert_eq!(points.outcome.path().map(Path::cost), Some(path.cost()));
    assert_eq!(finder.solve(&query).unwrap().statistics.algorithm, Algorithm::JumpPoint);
}

const PLAIN: Features =
    Features { hexagons: false, void: false, sizes: false, overlays: false, exits: false };

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn hexagons(world in plane_world(Features { hexagons: true, ..PLAIN }, 12)) {
        live(world);
    }

    #[test]
    fn void_cells(world in plane_world(Features { void: true, ..PLAIN }, 12)) {
        live(world);
    }

    #[test]
    fn units_of_many_sizes(world in plane_world(Features { sizes: true, ..PLAIN }, 12)) {
        live(world);
    }

    #[test]
    fn overlays(world in plane_world(Features { overlays: true, ..PLAIN }, 12)) {
        live(world);
    }

    #[test]
    fn closed_exits(world in plane_world(Features { exits: true, ..PLAIN }, 12)) {
        live(world);
    }

    #[test]
    fn sizes_and_exits(world in plane_world(Features { sizes: true, exits: true, ..PLAIN }, 9)) {
        live(world);
    }

    #[test]
    fn everything_at_once(world in plane_world(Features::ALL, 12)) {
        live(world);
    }
}
