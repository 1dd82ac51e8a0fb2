//! Random groups and assignments, compared with all that can be tried.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use testkit::assignment::{brute_force, worth};
use tilepath::{
    Cell, CostTable, Direction, Grid, Movement, MovementId, Outcome, PathFinder, PathQuery, Size, Topology,
    crowd::{EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP},
    formation::{Formation, FormationError, FormationQuery, FormationUnit},
};

use crate::units;

/// Returns the largest number of pairs, and the least possible largest cost with that number. It
/// goes row by row over the sets of taken columns, so it can handle more rows than brute force.
fn earliest_last(rows: usize, columns: usize, costs: &[Option<u64>]) -> (usize, u64) {
    let mut most_of = vec![None; 1 << columns];
    most_of[0] = Some(0);
    for row in 0..rows {
        // Downwards, so that each row takes at most one column.
        for used in (0..1_usize << columns).rev() {
            let Some(most) = most_of[used] else { continue };
            for column in (0..columns).filter(|column| used >> column & 1 == 0) {
                if let Some(cost) = costs[row * columns + column] {
                    let next = &mut most_of[used | 1 << column];
                    *next = Some(next.unwrap_or(u64::MAX).min(cost.max(most)));
                }
            }
        }
    }
    let found = most_of.iter().enumerate().filter_map(|(used, most)| Some((used.count_ones(), (*most)?)));
    let (count, most) =
        found.min_by_key(|&(count, most)| (u32::MAX - count, most)).expect("the empty assignment exists");
    (count as usize, most)
}

/// A map with walls, units of three kinds, and a goal.
#[derive(Clone, Debug)]
struct Scene {
    classes: Vec<u8>,
    is_hexagonal: bool,
    units: Vec<(i32, i32, u8)>,
    goal: (i32, i32),
    formation: Formation,
    heading: (i32, i32),
}

const SIDE: i32 = 12;

fn scenes() -> impl Strategy<Value = Scene> {
    let class = prop_oneof![3 => Just(1_u8), 1 => Just(0_u8), 1 => Just(4_u8)];
    let along = 0..SIDE;
    (
        prop::collection::vec(class, (SIDE * SIDE) as usize),
        any::<bool>(),
        prop::collection::vec((along.clone(), along.clone(), 0..3_u8), 1..14),
        (along.clone(), along),
        prop::sample::select(Formation::ALL.to_vec()),
        (-3..4_i32, -3..4_i32),
    )
        .prop_map(|(classes, is_hexagonal, units, goal, formation, heading)| Scene {
            classes,
            is_hexagonal,
            units,
            goal,
            formation,
            heading,
        })
}

fn built(scene: &Scene) -> (PathFinder, FormationQuery) {
    let topology = if scene.is_hexagonal { Topology::Hexagonal } else { Topology::Square };
    let grid = Grid::from_classes(SIDE as u32, SIDE as u32, scene.classes.clone()).unwrap();
    let mut finder = PathFinder::new(
        grid.with_topology(topology),
        Movement::new().with_costs(CostTable::default().with(4, 0)),
    );
    let swimmer =
        finder.add_movement(Movement::new().with_costs(CostTable::impassable().with(4, 1).with(1, 3)));
    let large = finder.add_movement(if scene.is_hexagonal {
        Movement::new().with_costs(CostTable::default())
    } else {
        Movement::new().with_size(Size::new(2).unwrap())
    });
    let kinds = [MovementId::FIRST, swimmer, large];
    let units = scene.units.iter().map(|&(x, y, kind)| {
        let movement = kinds[usize::from(kind)];
        let limit = SIDE - i32::from(finder.movement(movement).unwrap().size().side());
        FormationUnit::new(Cell::new(x.min(limit), y.min(limit)), movement)
    });
    let query = FormationQuery::new(Cell::from(scene.goal), units.collect::<Vec<_>>())
        .with_formation(scene.formation)
        .with_heading(scene.heading);
    (finder, query)
}

/// Returns the effort of the shortest walk from a cell to each cell, over cells that `may_pass`.
fn walks(grid: &Grid, from: Cell, may_pass: impl Fn(Cell) -> bool) -> BTreeMap<Cell, u64> {
    let mut known = BTreeMap::from([(from, 0)]);
    let mut changed = true;
    while changed {
        changed = false;
        for (cell, effort) in known.clone() {
            for direction in Direction::ALL {
                let is_step = Movement::new().step_cost(grid, cell, direction).is_some();
                let Some(next) = cell.neighbour(direction).filter(|&next| is_step && may_pass(next)) else {
                    continue;
                };
                let is_long = direction.is_diagonal() && grid.topology() == Topology::Square;
                let step = if is_long { EFFORT_PER_DIAGONAL_STEP } else { EFFORT_PER_STRAIGHT_STEP };
                let next = known.entry(next).or_insert(u64::MAX);
                if effort + u64::from(step) < *next {
                    *next = effort + u64::from(step);
                    changed = true;
                }
            }
        }
    }
    known
}

/// Returns the points of a line or a wedge, the most important first: the places on a large open map.
fn points_of(formation: Formation, topology: Topology, count: usize, heading: (i32, i32)) -> Vec<(i32, i32)> {
    const MIDDLE: i32 = 100;
    // A line goes on if points are left out.
    let count = if formation == Formation::Line { 4 * count + 16 } else { count };
    let grid = Grid::new(2 * MIDDLE as u32, 2 * MIDDLE as u32, 1).unwrap().with_topology(topology);
    let query = FormationQuery::new(Cell::new(MIDDLE, MIDDLE), units((0..count).map(|_| (MIDDLE, MIDDLE))));
    let query = query.with_formation(formation).with_heading(heading);
    let answer = PathFinder::new(grid, Movement::new()).solve_formation(&query).unwrap();
    let mut points: Vec<(usize, Cell)> =
        answer.ranks().iter().copied().zip(answer.places().iter().flatten().copied()).collect();
    points.sort_unstable();
    points.into_iter().map(|(_, cell)| (cell.x - MIDDLE, cell.y - MIDDLE)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn places_are_distinct_open_and_can_be_reached(scene in scenes()) {
        let (finder, query) = built(&scene);
        let answer = match finder.solve_formation(&query) {
            Ok(answer) => answer,
            // All units are on closed ground and cannot leave it.
            Err(FormationError::NoPlace { units }) => {
                prop_assert_eq!(units, query.units().len());
                return Ok(());
            }
            Err(error) => return Err(TestCaseError::fail(error.to_string())),
        };
        prop_assert_eq!(&finder.solve_formation(&query).unwrap(), &answer, "a second query gives the same answer");
        let mut covered = BTreeSet::new();
        for (unit, place) in query.units().iter().zip(answer.places()) {
            let movement = finder.movement(unit.movement()).unwrap();
            let Some(place) = *place else { continue };
            prop_assert!(movement.is_open(finder.grid(), place), "{} is closed", place);
            for cell in movement.size().footprint(place) {
                prop_assert!(covered.insert(cell), "{} is covered twice", cell);
            }
            let way = PathQuery::new(unit.from().unwrap(), place).with_movement(unit.movement());
            prop_assert!(finder.is_reachable(&way).unwrap(), "no path to {}", place);
        }
        // If all units are of one kind, a unit is without a place only if it can reach no free
        // cell.
        if scene.units.iter().all(|&(.., kind)| kind == 0) {
            for (unit, place) in query.units().iter().zip(answer.places()) {
                let reaches = |&cell: &Cell| {
                    let movement = finder.movement(MovementId::FIRST).unwrap();
                    movement.is_open(finder.grid(), cell) && !covered.contains(&cell)
                        && finder.is_reachable(&PathQuery::new(unit.from().unwrap(), cell)).unwrap()
                };
                prop_assert!(place.is_some() || finder.grid().bounds().cells().find(reaches).is_none());
            }
        }
    }

    #[test]
    fn points_are_taken_that_the_walk_along_the_shape_reaches(
        scene in scenes(),
        count in 1..8_usize,
        is_wedge in any::<bool>(),
    ) {
        let formation = if is_wedge { Formation::Wedge } else { Formation::Line };
        let (finder, query) = built(&scene);
        let (grid, goal, topology) = (finder.grid().clone(), query.goal(), finder.grid().topology());
        let finder = PathFinder::new(grid, Movement::new());
        let grid = finder.grid();
        prop_assume!(Movement::new().is_open(grid, goal));
        let squad = units((0..count).map(|_| goal.into()));
        let query = FormationQuery::new(goal, squad).with_formation(formation).with_heading(scene.heading);
        let answer = finder.solve_formation(&query).unwrap();
        let mut places: BTreeSet<Cell> = answer.places().iter().flatten().copied().collect();

        let points: Vec<Cell> = points_of(formation, topology, count, answer.heading())
            .into_iter()
            .map(|(x, y)| goal + (x, y))
            .collect();
        // No walk passes beside two closed points that are neighbours, except on other points.
        let is_closed = |point: Cell| !Movement::new().is_open(grid, point);
        let is_beside = |cell: Cell, point: Cell| topology.steps(cell, point) <= 1;
        let is_wall = |&&point: &&Cell| {
            let mut others = points.iter().filter(|&&other| other != point && is_beside(other, point));
            is_closed(point) && others.any(|&other| is_closed(other))
        };
        let walls: Vec<Cell> = points.iter().filter(is_wall).copied().collect();
        let counts: Vec<Cell> = points.iter().filter(|point| !walls.contains(point)).copied().collect();
        let is_on_shape = |cell: Cell| {
            is_beside(cell, goal)
                || counts.contains(&cell)
                || counts.iter().any(|&point| is_beside(cell, point))
                    && !walls.iter().any(|&point| is_beside(cell, point))
        };
        let along = walks(grid, goal, is_on_shape);
        let on_open_ground = Grid::new(200, 200, 1).unwrap().with_topology(topology);
        let far = |cell: Cell| {
            let (x, y) = (cell.x - goal.x, cell.y - goal.y);
            let path = PathFinder::new(on_open_ground.clone(), Movement::new())
                .find(Cell::new(100, 100), Cell::new(100 + x, 100 + y));
            let Outcome::Found(path) = path.unwrap() else { panic!("open ground") };
            path.straight_steps() as u64 * u64::from(EFFORT_PER_STRAIGHT_STEP)
                + path.diagonal_steps() as u64 * u64::from(EFFORT_PER_DIAGONAL_STEP)
        };
        let farthest = points[..count].iter().map(|&point| 2 * far(point)).max().unwrap_or(0);
        let is_taken = |point: &&Cell| {
            let most = (far(**point) + 2 * u64::from(EFFORT_PER_STRAIGHT_STEP)).min(farthest);
            along.get(*point).is_some_and(|&walk| walk <= most)
        };
        for point in points.iter().filter(is_taken).take(count) {
            prop_assert!(places.remove(point), "{} is missing in {:?}", point, answer.places());
        }
        // All other units stand as near to the goal as possible.
        let walks = walks(grid, goal, |_| true);
        let taken: BTreeSet<Cell> = answer.places().iter().flatten().copied().collect();
        let nearest_free = walks.iter().filter(|(cell, _)| !taken.contains(cell)).map(|(_, walk)| *walk).min();
        for place in places {
            prop_assert!(nearest_free.is_none_or(|free| walks[&place] <= free), "{} in {:?}", place, taken);
        }
    }

    #[test]
    fn the_last_arrives_as_early_as_it_can_where_all_is_near(
        mut classes in prop::collection::vec(prop_oneof![3 => Just(1_u8), 1 => Just(0_u8), 1 => Just(5_u8)], 81),
        is_hexagonal in any::<bool>(),
        squad in prop::collection::vec((0..9_i32, 0..9_i32), 1..7),
        formation in prop::sample::select(Formation::ALL.to_vec()),
    ) {
        // On such a small map, all cells are surroundings of its middle.
        let goal = Cell::new(4, 4);
        classes[4 * 9 + 4] = 1;
        let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let grid = Grid::from_classes(9, 9, classes).unwrap().with_topology(topology);
        let finder = PathFinder::new(grid, Movement::new());
        let cost = |from: Cell, to: Cell| match finder.find(from, to).unwrap() {
            Outcome::Found(path) => Some(u64::from(path.cost().get())),
            _ => None,
        };
        let squad: Vec<Cell> =
            squad.into_iter().map(Cell::from).filter(|&cell| cost(goal, cell).is_some()).collect();
        prop_assume!(!squad.is_empty());
        let query = FormationQuery::new(goal, units(squad.iter().map(|&cell| cell.into())));
        let answer = finder.solve_formation(&query.with_formation(formation)).unwrap();
        let places: Vec<Cell> = answer.places().iter().flatten().copied().collect();
        let costs: Vec<Option<u64>> =
            squad.iter().flat_map(|&from| places.iter().map(move |&to| (from, to))).map(|(from, to)| cost(from, to)).collect();
        let own: Vec<Option<usize>> = answer
            .places()
            .iter()
            .map(|place| place.and_then(|place| places.iter().position(|&other| other == place)))
            .collect();
        prop_assert_eq!(worth(places.len(), &costs, &own), brute_force(squad.len(), places.len(), &costs));
    }

    #[test]
    fn last_arrives_as_early_as_it_can_from_closed_ground_and_around_walls(scene in scenes()) {
        let (finder, query) = built(&scene);
        let Ok(answer) = finder.solve_formation(&query) else { return Ok(()) };
        for kind in answer.kinds().iter().copied().collect::<BTreeSet<usize>>() {
            // All units of the kind count. Without some of them, the last arrival could be earlier.
            let members: Vec<usize> =
                (0..query.units().len()).filter(|&unit| answer.kinds()[unit] == kind).collect();
            // Units of one kind may not take the places of other kinds.
            let places: Vec<Cell> = members.iter().filter_map(|&unit| answer.places()[unit]).collect();
            let cost = |unit: usize, to: Cell| {
                let unit = &query.units()[unit];
                let way = PathQuery::new(unit.from().unwrap(), to).with_movement(unit.movement());
                let path = finder.solve(&way).unwrap().outcome.into_path();
                path.map(|path| u64::from(path.cost().get()))
            };
            let costs: Vec<Option<u64>> =
                members.iter().flat_map(|&unit| places.iter().map(move |&to| (unit, to))).map(|(unit, to)| cost(unit, to)).collect();
            let own: Vec<Option<usize>> = members
                .iter()
                .map(|&unit| answer.places()[unit].and_then(|place| places.iter().position(|&other| other == place)))
                .collect();
            let (count, most, ..) = worth(places.len(), &costs, &own);
            prop_assert_eq!((count, most), earliest_last(members.len(), places.len(), &costs), "{:?}", scene);
        }
    }

    #[test]
    fn on_open_ground_the_last_arrives_as_early_as_it_can_from_wherever(
        squad in prop::collection::vec((0..60_i32, 0..60_i32), 1..7),
        goal in (0..60_i32, 0..60_i32),
        formation in prop::sample::select(Formation::ALL.to_vec()),
        is_hexagonal in any::<bool>(),
    ) {
        let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
        let finder = PathFinder::new(Grid::new(60, 60, 2).unwrap().with_topology(topology), Movement::new());
        let query = FormationQuery::new(Cell::from(goal), units(squad.iter().copied()));
        let answer = finder.solve_formation(&query.with_formation(formation)).unwrap();
        let places: Vec<Cell> = answer.places().iter().flatten().copied().collect();
        let cost = |from: (i32, i32), to: Cell| {
            2 * u64::from(Movement::new().distance(topology, from.into(), to).get())
        };
        let costs: Vec<Option<u64>> = squad
            .iter()
            .flat_map(|&from| places.iter().map(move |&place| (from, place)))
            .map(|(from, place)| Some(cost(from, place)))
            .collect();
        let own: Vec<Option<usize>> = answer
            .places()
            .iter()
            .map(|place| place.and_then(|place| places.iter().position(|&other| other == place)))
            .collect();
        prop_assert_eq!(worth(places.len(), &costs, &own), brute_force(squad.len(), places.len(), &costs));
    }
}
