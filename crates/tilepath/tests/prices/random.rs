//! Prices of steps in all searches, against brute force.
//!
//! `TILEPATH_FUZZ` multiplies the number of worlds.

use std::collections::{BTreeMap, BTreeSet};

use tilepath::{
    Algorithm, Bounds, Cell, Cost, LandmarkCount, MovementId, Outcome, Path, PathFinder, PathQuery,
    RangeQuery, WhatIf,
    field::FlowField,
    turns::{LongStep, TurnQuery},
};

use crate::worlds::{Kind, Place, PriceWorld, Random};

const WORLDS: u32 = 5_000;

#[test]
fn all_searches_obey_costs_of_steps_between_classes() {
    check_worlds(Kind::StepCosts);
}

#[test]
fn all_searches_obey_named_edges() {
    check_worlds(Kind::Edges);
}

#[test]
fn all_searches_obey_costs_of_steps_and_edges_together() {
    check_worlds(Kind::Both);
}

fn check_worlds(kind: Kind) {
    let factor = std::env::var("TILEPATH_FUZZ").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    for number in 0..WORLDS * factor {
        let mut random = Random::of_world(kind, number);
        let world = PriceWorld::random(&mut random, kind);
        let name = format!("world {number} of {kind:?}");
        Checks { world, random, name }.run(kind);
    }
}

struct Checks {
    world: PriceWorld,
    random: Random,
    name: String,
}

fn cell((x, y): Place) -> Cell {
    Cell::new(x, y)
}

fn place(cell: Cell) -> Place {
    (cell.x, cell.y)
}

fn cost(value: u64) -> Cost {
    Cost::new(value as u32)
}

/// Returns whether no step leads from a place in a wall, so that the unit leaves it over walls.
fn is_deep(world: &PriceWorld, place: Place) -> bool {
    !world.is_open(place) && world.costs_from(place).len() == 1
}

impl Checks {
    fn run(&mut self, kind: Kind) {
        let mut finder = PathFinder::new(self.world.grid(), self.world.movement());
        let is_led = self.random.chance(20);
        if is_led {
            let _ = finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4));
        }
        let mut field: Option<FlowField> = None;
        for _ in 0..self.random.between(1, 4) {
            self.check_grid(&finder);
            if let Some(start) = self.open_place(1).filter(|&start| !is_deep(&self.world, start)) {
                self.check_paths(&finder, start);
                self.check_range(&finder, start);
                self.check_turns(&finder, start);
            }
            if let Some(field) = &mut field {
                field.update(&finder).unwrap();
                self.check_field(field);
            }
            field = self.field(&finder).or(field);
            if let Some(field) = &field {
                self.check_field(field);
            }
            self.check_what_if(&finder, kind);
            for _ in 0..self.random.between(0, 4) {
                let edits = self.world.change(&mut self.random, kind);
                finder.edit(&edits).unwrap_or_else(|error| panic!("{}: {error}", self.name));
            }
        }
        self.check_resize(finder);
    }

    /// A map that grew or shrank gives the answers of a map that was always as large.
    fn check_resize(&mut self, mut finder: PathFinder) {
        let mut side = || self.random.between::<i32>(0, 5) - 2;
        let [west, south, east, north] = [side(), side(), side(), side()];
        let long = |length: i32, more: i32| (length + more).max(1) as u32;
        let (width, height) = (long(self.world.width, west + east), long(self.world.height, south + north));
        let bounds = Bounds::new(Cell::new(-west, -south), width, height).unwrap();
        finder.resize(bounds, 1);
        let fresh = PathFinder::new(finder.grid().clone(), self.world.movement());
        for _ in 0..3 {
            let mut within = |first: i32, length: u32| first + self.random.between::<i32>(0, length.into());
            let mut cell = || Cell::new(within(-west, width), within(-south, height));
            let [start, goal] = [cell(), cell()];
            let cost =
                |finder: &PathFinder| finder.find(start, goal).map(|outcome| outcome.path().map(Path::cost));
            assert_eq!(cost(&finder), cost(&fresh), "{}: {start} to {goal} after a resize", self.name);
        }
    }

    fn random_place(&mut self) -> Place {
        (self.random.between(0, self.world.width as u64), self.random.between(0, self.world.height as u64))
    }

    /// Returns a place where the unit fits. A unit of one cell may start in a wall.
    fn open_place(&mut self, walls: i32) -> Option<Place> {
        let place = self.random_place();
        (self.world.size <= walls || self.world.is_open(place)).then_some(place)
    }

    /// The map after edits is equal to a map that is made at once.
    fn check_grid(&self, finder: &PathFinder) {
        assert_eq!(*finder.grid(), self.world.grid(), "{}", self.name);
    }

    fn check_path(&self, path: &Path) -> u64 {
        let stated = u64::from(path.cost().get());
        let is = self.world.cost_of(path.cells());
        assert_eq!(is, Some(stated), "{}: {path:?} in {:?}", self.name, self.world);
        path.verify(&self.world.grid(), &self.world.movement()).unwrap();
        stated
    }

    fn check_paths(&mut self, finder: &PathFinder, start: Place) {
        let Some(goal) = self.open_place(1) else { return };
        let costs = self.world.costs_from(start);
        let expected = costs.get(&goal).copied();
        let about = format!("{}: {start:?} to {goal:?} in {:?}", self.name, self.world);
        let query = PathQuery::new(cell(start), cell(goal));
        if finder.grid().contains(cell(goal)) {
            assert_eq!(finder.is_reachable(&query).unwrap(), expected.is_some(), "{about}");
            for algorithm in [
                Algorithm::Auto,
                Algorithm::AStar,
                Algorithm::Dijkstra,
                Algorithm::WeightedAStar { percent: 150 },
                Algorithm::Greedy,
                Algorithm::BreadthFirst,
            ] {
                let mut query = query.with_algorithm(algorithm);
                if self.random.chance(50) {
                    query = query.with_landmarks();
                }
                let answer = finder.solve(&query).unwrap();
                assert_eq!(answer.outcome.path().is_some(), expected.is_some(), "{about} by {algorithm:?}");
                let Some((path, expected)) = answer.outcome.path().zip(expected) else { continue };
                let found = self.check_path(path);
                let drawn = finder.solve(&query.with_drawn_shape()).unwrap().outcome.into_path().unwrap();
                assert_eq!(self.check_path(&drawn), found, "{about} by {algorithm:?}: {drawn:?}");
                assert!(u64::from(path.lower_bound().get()) <= expected, "{about} by {algorithm:?}");
                match algorithm {
                    Algorithm::Auto | Algorithm::AStar | Algorithm::Dijkstra => {
                        assert_eq!(found, expected, "{about} by {algorithm:?}: {path:?}");
                    }
                    Algorithm::WeightedAStar { .. } => assert!(found * 100 <= expected * 150, "{about}"),
                    _ => {}
                }
            }
        }
        self.check_limit(finder, query, expected);
        let goals: Vec<Place> = (0..3).filter_map(|_| self.open_place(0)).collect();
        let goals: Vec<Place> = goals.into_iter().filter(|&goal| self.world.is_open(goal)).collect();
        let cells: Vec<Cell> = goals.iter().map(|&goal| cell(goal)).collect();
        let nearest = finder.nearest(cell(start), &cells).unwrap();
        let expected = goals.iter().filter_map(|goal| costs.get(goal)).min().copied();
        assert_eq!(nearest.map(|nearest| self.check_path(&nearest.path)), expected, "{about}");
    }

    /// A path that breaks a cost limit is cut where its cost would pass the limit.
    fn check_limit(&mut self, finder: &PathFinder, query: PathQuery, expected: Option<u64>) {
        let Some(expected) = expected.filter(|&expected| expected > 0) else { return };
        let most = self.random.between(0, expected);
        let answer = finder.solve(&query.with_cost_limit(cost(most))).unwrap();
        if let Outcome::LimitReached { best, .. } = answer.outcome {
            assert!(self.check_path(&best) <= most, "{}", self.name);
        }
    }

    fn check_range(&mut self, finder: &PathFinder, start: Place) {
        let budget = self.random.between(0, 300);
        let range = finder.solve_range(&RangeQuery::new(cell(start), cost(budget))).unwrap();
        let costs = self.world.costs_from(start);
        for place in self.world.places() {
            let expected = costs.get(&place).copied().filter(|&cost| cost <= budget);
            let found = range.cost_to(cell(place)).map(|cost| u64::from(cost.get()));
            assert_eq!(found, expected, "{}: {start:?} to {place:?} in {:?}", self.name, self.world);
            if let Some(path) = range.path_to(cell(place)) {
                assert_eq!(Some(self.check_path(&path)), expected);
            }
        }
    }

    fn field(&mut self, finder: &PathFinder) -> Option<FlowField> {
        let goals: Vec<Place> = (0..self.random.between::<u64>(1, 4)).map(|_| self.random_place()).collect();
        let goals: Vec<Cell> = goals.into_iter().filter(|&goal| self.world.is_open(goal)).map(cell).collect();
        (!goals.is_empty()).then(|| finder.field(&goals).unwrap())
    }

    fn check_field(&mut self, field: &FlowField) {
        let open: Vec<Place> = field
            .query()
            .goals()
            .iter()
            .map(|&goal| place(goal))
            .filter(|&goal| self.world.is_open(goal))
            .collect();
        for here in self.world.places() {
            let is_goal = field.query().goals().contains(&cell(here));
            // Each cell takes a search of its own.
            if is_goal || self.world.size > 1 && !self.world.is_open(here) || self.random.chance(60) {
                continue;
            }
            let costs = self.world.costs_from(here);
            let expected = open.iter().filter_map(|goal| costs.get(goal)).min().copied();
            let found = field.cost(cell(here)).map(|cost| u64::from(cost.get()));
            assert_eq!(found, expected, "{}: field at {here:?} to {open:?} in {:?}", self.name, self.world);
            if let Some(path) = field.path_from(cell(here)) {
                assert_eq!(Some(self.check_path(&path)), expected, "{}", self.name);
            }
        }
    }

    /// Hypothetical edits count, and leave the map as it is.
    fn check_what_if(&mut self, finder: &PathFinder, kind: Kind) {
        let (Some(start), Some(goal)) = (self.open_place(1), self.open_place(0)) else { return };
        let mut supposed = self.world.clone();
        let edits: Vec<_> = (0..3).flat_map(|_| supposed.change(&mut self.random, kind)).collect();
        let mut what_if = WhatIf::new(finder);
        for (world, edits) in [(&supposed, &edits[..]), (&self.world, &[])] {
            if !world.is_open(goal) || world.size > 1 && !world.is_open(start) || is_deep(world, start) {
                continue;
            }
            let outcome = what_if.with_edits(finder, edits).unwrap().find(cell(start), cell(goal)).unwrap();
            let found = outcome.path().map(|path| u64::from(path.cost().get()));
            assert_eq!(found, world.costs_from(start).get(&goal).copied(), "{}: what if", self.name);
        }
    }

    fn check_turns(&mut self, finder: &PathFinder, start: Place) {
        let turns = Turns {
            points: self.random.between(10, 120),
            left: self.random.between(0, 120),
            count: self.random.between(1, 6),
            long_step: self.random.one_of(&[LongStep::Never, LongStep::OwnTurn, LongStep::AnyPoints]),
            no_stop: (0..3).map(|_| self.random_place()).collect(),
            start,
        };
        let query = TurnQuery::new(cell(start), cost(turns.points))
            .with_points_left(cost(turns.left))
            .with_turns(turns.count as u32)
            .with_long_step(turns.long_step)
            .with_no_stop(turns.no_stop.iter().map(|&place| cell(place)));
        let range = finder.solve_turns(&query).unwrap();
        let expected = turns.best(&self.world);
        for place in self.world.places() {
            let found = range
                .get(cell(place))
                .map(|reached| (u64::from(reached.turn), u64::from(reached.left.get())));
            let about = || format!("{}: {place:?} by {turns:?} in {:?}", self.name, self.world);
            assert_eq!(found, expected.get(&place).copied(), "{}", about());
        }
        if let Some(goal) = self.open_place(0).filter(|&goal| self.world.is_open(goal)) {
            let path = finder.solve_turn_path(&query, cell(goal)).unwrap();
            let found = path.as_ref().map(|path| u64::from(path.turns()));
            assert_eq!(found, expected.get(&goal).map(|best| best.0), "{}", self.name);
            if let Some(path) = path {
                self.check_path(path.path());
                finder.explain_turns(&path, &query).unwrap();
            }
        }
    }
}

/// The rules of the turns of a unit.
#[derive(Debug)]
struct Turns {
    points: u64,
    left: u64,
    count: u64,
    long_step: LongStep,
    no_stop: BTreeSet<Place>,
    start: Place,
}

impl Turns {
    fn may_stop(&self, place: Place) -> bool {
        place == self.start || !self.no_stop.contains(&place)
    }

    /// Returns the least turn in which the unit can stop on each cell, and then the most points left.
    /// Every state of cell, turn, points left and points used is visited.
    fn best(&self, world: &PriceWorld) -> BTreeMap<Place, (u64, u64)> {
        let first = (self.start, 1, self.left, true);
        let mut seen = BTreeSet::from([first]);
        let mut waiting = vec![first];
        let mut best: BTreeMap<Place, (u64, u64)> = BTreeMap::new();
        while let Some((here, turn, left, is_whole)) = waiting.pop() {
            let mut next = Vec::new();
            if self.may_stop(here) {
                let better = |known: &(u64, u64)| (turn, u64::MAX - left) < (known.0, u64::MAX - known.1);
                if best.get(&here).is_none_or(better) {
                    best.insert(here, (turn, left));
                }
                if turn < self.count {
                    next.push((here, turn + 1, self.points, true));
                }
            }
            for (to, cost, ends) in world.steps(here) {
                let rest = if cost <= left {
                    Some(left - cost)
                } else {
                    let is_allowed = match self.long_step {
                        LongStep::OwnTurn => {
                            is_whole && left >= self.points && cost > self.points && self.may_stop(to)
                        }
                        LongStep::AnyPoints => left > 0,
                        _ => false,
                    };
                    is_allowed.then_some(0)
                };
                let rest = rest.filter(|_| !ends || self.may_stop(to));
                next.extend(rest.map(|rest| (to, turn, if ends { 0 } else { rest }, false)));
            }
            waiting.extend(next.into_iter().filter(|state| seen.insert(*state)));
        }
        best
    }
}
