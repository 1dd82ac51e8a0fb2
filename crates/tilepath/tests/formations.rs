//! Places of a group around a goal, one for each unit.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use proptest::prelude::*;
use std::collections::BTreeSet;
use tilepath::{
    Cell, CostTable, Grid, Movement, MovementId, Outcome, PathFinder, PathQuery, QueryError, Size, Topology,
    format,
    formation::{Formation, FormationAnswer, FormationError, FormationQuery, FormationUnit, assign},
};

fn empty(width: u32, height: u32) -> PathFinder {
    PathFinder::new(Grid::new(width, height, 1).unwrap(), Movement::new())
}

fn units(cells: impl IntoIterator<Item = (i32, i32)>) -> Vec<FormationUnit> {
    cells.into_iter().map(|cell| FormationUnit::new(Cell::from(cell), MovementId::FIRST)).collect()
}

/// Draws the map with a letter for each unit. The highest row comes first.
fn drawn(finder: &PathFinder, answer: &FormationAnswer, query: &FormationQuery) -> Vec<String> {
    let bounds = finder.grid().bounds();
    let (width, height) = (bounds.width() as i32, bounds.height() as i32);
    let mut rows = vec![vec!['.'; width as usize]; height as usize];
    for (cell, letter) in bounds.cells().map(|cell| (cell, '#')) {
        if !Movement::new().is_open(finder.grid(), cell) {
            rows[(height - 1 - cell.y) as usize][cell.x as usize] = letter;
        }
    }
    for (unit, place) in query.units().iter().zip(answer.places()) {
        let size = finder.movement(unit.movement()).unwrap().size();
        for cell in size.footprint(place.unwrap()) {
            let letter = if size.side() == 1 { 'o' } else { 'W' };
            rows[(height - 1 - cell.y) as usize][cell.x as usize] = letter;
        }
    }
    rows.into_iter().map(String::from_iter).collect()
}

#[track_caller]
fn assert_shape(finder: &PathFinder, query: &FormationQuery, picture: &str) {
    let answer = finder.solve_formation(query).unwrap();
    let rows: Vec<&str> = picture.split_whitespace().collect();
    assert_eq!(drawn(finder, &answer, query), rows);
}

#[test]
fn shapes_on_open_ground_look_the_way_the_units_come() {
    let finder = empty(11, 11);
    let goal = Cell::new(5, 5);
    let squad = |count: i32| units((0..count).map(|x| (5, x % 3)));
    let query = |count, formation| FormationQuery::new(goal, squad(count)).with_formation(formation);
    assert_shape(
        &finder,
        &query(5, Formation::Disc),
        "........... ........... ........... ........... .....o..... ....ooo.... .....o..... ........... ........... ........... ...........",
    );
    assert_shape(
        &finder,
        &query(6, Formation::Line),
        "........... ........... ........... ........... ........... ..oooooo... ........... ........... ........... ........... ...........",
    );
    assert_shape(
        &finder,
        &query(9, Formation::Box),
        "........... ........... ........... ........... ....ooo.... ....ooo.... ....ooo.... ........... ........... ........... ...........",
    );
    assert_shape(
        &finder,
        &query(7, Formation::Wedge),
        "........... ........... ........... ........... ........... .....o..... ....o.o.... ...o...o... ..o.....o.. ........... ...........",
    );
    assert_shape(
        &finder,
        &query(5, Formation::Line).with_heading((1, 0)),
        "........... ........... ........... .....o..... .....o..... .....o..... .....o..... .....o..... ........... ........... ...........",
    );
    assert_shape(
        &finder,
        &query(5, Formation::Line).with_heading((-3, 3)),
        "........... ........... ........... .......o... ......o.... .....o..... ....o...... ...o....... ........... ........... ...........",
    );
}

#[test]
fn a_line_goes_on_at_its_other_end_where_a_wall_is_in_the_way() {
    let grid = format::parse_ascii(
        "
        ...#.......
        ...#.......
        ...#.......
        ...#.......
        ",
    )
    .unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let query = FormationQuery::new(Cell::new(5, 2), units([(5, 0), (6, 0), (7, 0), (8, 0), (9, 0)]))
        .with_formation(Formation::Line)
        .with_heading((0, 1));
    assert_shape(&finder, &query, "...#....... ...#ooooo.. ...#....... ...#.......");
}

#[test]
fn cells_behind_a_wall_are_far_though_they_lie_beside_the_goal() {
    let grid = format::parse_ascii(
        "
        .......
        ######.
        .......
        .......
        ",
    )
    .unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    for &formation in Formation::ALL {
        let query = FormationQuery::new(Cell::new(1, 1), units((0..7).map(|x| (x, 0))))
            .with_formation(formation)
            .with_heading((0, 1));
        let answer = finder.solve_formation(&query).unwrap();
        assert!(answer.places().iter().all(|place| place.unwrap().y < 2), "{formation}: {answer:?}");
    }
}

#[test]
fn wedge_beside_a_wall_stands_on_the_side_of_its_goal() {
    let grid = format::parse_ascii(
        "
        ....#......
        ....#......
        ....#......
        ....#......
        ....#......
        ....#......
        ...........
        ",
    )
    .unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let query = |goal| {
        FormationQuery::new(goal, units([(0, 2), (1, 2), (0, 3), (1, 3)]))
            .with_formation(Formation::Wedge)
            .with_heading((1, 0))
    };
    for goal in (4..7).flat_map(|y| [5, 6].map(|x| Cell::new(x, y))) {
        let answer = finder.solve_formation(&query(goal)).unwrap();
        assert!(answer.places().iter().all(|place| place.unwrap().x > 4), "{goal}: {:?}", answer.places());
    }
    assert_shape(
        &finder,
        &query(Cell::new(5, 4)),
        "....#...... ....#o..... ....#oo.... ....#o..... ....#...... ....#...... ...........",
    );
    // At the end of the wall, the shape goes round its corner.
    let answer = finder.solve_formation(&query(Cell::new(5, 1))).unwrap();
    assert!(answer.places().contains(&Some(Cell::new(4, 0))), "{:?}", answer.places());
}

#[test]
fn wedge_with_one_arm_at_a_wall_fills_up_around_its_goal() {
    let finder = empty(11, 9);
    let query = FormationQuery::new(Cell::new(9, 1), units((0..8).map(|x| (x, 4))))
        .with_formation(Formation::Wedge)
        .with_heading((1, 0));
    assert_shape(
        &finder,
        &query,
        "........... ........... ........... .....o..... ......o.... .......o... ........o.. ........oo. ........oo.",
    );
}

#[test]
fn line_goes_on_behind_a_pillar() {
    let finder = PathFinder::new(format::parse_ascii(".......\n...#...\n.......").unwrap(), Movement::new());
    let query = FormationQuery::new(Cell::new(2, 1), units([(0, 0), (1, 0), (2, 0), (3, 0)]));
    let query = query.with_formation(Formation::Line).with_heading((0, 1));
    assert_shape(&finder, &query, "....... ooo#o.. .......");
}

#[test]
fn wagons_stand_behind_soldiers() {
    let mut finder = empty(13, 9);
    let wagon = finder.add_movement(Movement::new().with_size(Size::new(2).unwrap()));
    let mut squad = units((0..5).map(|x| (x, 0)));
    squad.extend([FormationUnit::new(Cell::new(6, 0), wagon), FormationUnit::new(Cell::new(8, 0), wagon)]);
    let query = |formation| {
        FormationQuery::new(Cell::new(6, 6), squad.clone()).with_formation(formation).with_heading((0, 1))
    };
    assert_shape(
        &finder,
        &query(Formation::Line),
        "............. ............. ....ooooo.... ....WWWW..... ....WWWW..... ............. ............. ............. .............",
    );
    assert_shape(
        &finder,
        &query(Formation::Disc),
        "............. ......o...... .....ooo..... ......o...... ......WW..... ......WW..... ......WW..... ......WW..... .............",
    );
}

#[test]
fn wagon_on_a_wall_gets_a_place_beside_it_and_not_where_the_wall_is_under_its_other_cells() {
    let wagon = Movement::new().with_size(Size::new(2).unwrap());
    let finder = PathFinder::new(format::parse_ascii("......\n.#....").unwrap(), wagon.clone());
    for &formation in Formation::ALL {
        let query = FormationQuery::new(Cell::new(0, 0), units([(0, 0)])).with_formation(formation);
        let answer = finder.solve_formation(&query).unwrap();
        assert!(wagon.is_open(finder.grid(), answer.places()[0].unwrap()), "{formation}: {answer:?}");
    }
}

#[test]
fn hexagons_have_rings_and_lines() {
    let grid = Grid::new(15, 15, 1).unwrap().with_topology(Topology::Hexagonal);
    let finder = PathFinder::new(grid, Movement::new());
    let goal = Cell::new(7, 7);
    let squad = units((0..7).map(|x| (x, 0)));
    let answer = finder.solve_formation(&FormationQuery::new(goal, squad.clone())).unwrap();
    assert!(answer.places().iter().all(|place| Topology::Hexagonal.steps(place.unwrap(), goal) <= 1));
    for heading in [(1, 0), (0, 1), (1, -1), (-1, 2), (2, -1), (3, 1), (-5, 1)] {
        let query = FormationQuery::new(goal, squad.clone());
        let query = query.with_formation(Formation::Line).with_heading(heading);
        let answer = finder.solve_formation(&query).unwrap();
        let mut places: Vec<Cell> = answer.places().iter().map(|place| place.unwrap()).collect();
        // In the line, each place has a neighbour. The two ends are at least six steps apart.
        places.sort_unstable();
        for &place in &places {
            let near = places.iter().filter(|&&other| Topology::Hexagonal.steps(place, other) == 1).count();
            assert!((1..=2).contains(&near), "{heading:?}: {places:?}");
        }
        let longest =
            places.iter().flat_map(|&a| places.iter().map(move |&b| Topology::Hexagonal.steps(a, b)));
        assert_eq!(longest.max(), Some(6), "{heading:?}: {places:?}");
    }
}

#[test]
fn those_who_cannot_reach_the_goal_gather_as_near_as_they_come() {
    let grid = format::parse_ascii("...#...\n...#...").unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let squad = units([(0, 0), (0, 1), (6, 0), (6, 1), (1, 0)]);
    let answer = finder.solve_formation(&FormationQuery::new(Cell::new(4, 0), squad)).unwrap();
    let places: Vec<Cell> = answer.places().iter().map(|place| place.unwrap()).collect();
    assert!([0, 1, 4].iter().all(|&unit| places[unit].x < 3 && places[unit].x > 0), "{places:?}");
    assert!([2, 3].iter().all(|&unit| places[unit].x > 3), "{places:?}");

    // If the goal is in a wall, the places are around the cell closest to the goal.
    let answer =
        finder.solve_formation(&FormationQuery::new(Cell::new(3, 0), units([(0, 0), (1, 1)]))).unwrap();
    assert!(answer.places().contains(&Some(Cell::new(2, 0))), "{answer:?}");
}

#[test]
fn bad_input_is_told() {
    let finder = empty(4, 4);
    let goal = Cell::new(1, 1);
    assert_eq!(finder.solve_formation(&FormationQuery::new(goal, [])), Err(FormationError::NoUnits));
    let off = FormationQuery::new(Cell::new(9, 9), units([(0, 0)]));
    assert!(matches!(
        finder.solve_formation(&off),
        Err(FormationError::Query(QueryError::GoalOutOfBounds { .. }))
    ));
    let off = FormationQuery::new(goal, units([(0, 0), (-1, 0)]));
    assert!(matches!(
        finder.solve_formation(&off),
        Err(FormationError::Query(QueryError::StartOutOfBounds { .. }))
    ));
    let taken = FormationQuery::new(goal, units([(0, 0)])).with_taken(finder.grid().bounds().cells());
    assert_eq!(finder.solve_formation(&taken), Err(FormationError::NoPlace { units: 1 }));
    let mut other = empty(4, 4);
    let removed = other.add_movement(Movement::new().with_size(Size::new(2).unwrap()));
    other.remove_movement(removed).unwrap();
    let unknown = FormationQuery::new(goal, [FormationUnit::new(goal, removed)]);
    assert!(matches!(
        other.solve_formation(&unknown),
        Err(FormationError::Query(QueryError::UnknownMovement(_)))
    ));
    // There are twenty units, but only sixteen cells.
    let many = FormationQuery::new(goal, units((0..20).map(|n| (n % 4, 0))));
    for &formation in Formation::ALL {
        let answer = finder.solve_formation(&many.clone().with_formation(formation)).unwrap();
        assert_eq!(answer.without_place(), 4, "{formation}");
    }
}

#[test]
fn the_fastest_goes_farthest() {
    let finder = PathFinder::new(Grid::new(40, 1, 1).unwrap(), Movement::new());
    let places = [Cell::new(10, 0), Cell::new(20, 0)];
    let at = |x: i32| FormationUnit::new(Cell::new(x, 0), MovementId::FIRST);
    assert_eq!(finder.solve_places(&[at(0), at(1)], &places), Ok(vec![Some(0), Some(1)]));
    assert_eq!(finder.solve_places(&[at(0).with_speed(2), at(1)], &places), Ok(vec![Some(1), Some(0)]));
}

#[test]
fn a_way_in_from_the_far_side_of_the_surroundings_counts_as_long_as_it_is() {
    let grid = Grid::new(60, 60, 1).unwrap().with_topology(Topology::Hexagonal);
    let finder = PathFinder::new(grid, Movement::new());
    let query =
        FormationQuery::new(Cell::new(21, 6), units([(21, 1), (16, 0)])).with_formation(Formation::Line);
    let answer = finder.solve_formation(&query).unwrap();
    let steps = query
        .units()
        .iter()
        .zip(answer.places())
        .map(|(unit, place)| Topology::Hexagonal.steps(unit.from().unwrap(), place.unwrap()));
    assert_eq!(steps.sum::<u64>(), 16);
}

#[test]
fn thousands_are_placed_by_their_angles() {
    let finder = empty(200, 200);
    let squad = units((0..3000).map(|n| (n % 60, n / 60)));
    for &formation in Formation::ALL {
        let query = FormationQuery::new(Cell::new(140, 140), squad.clone()).with_formation(formation);
        let answer = finder.solve_formation(&query).unwrap();
        let distinct: BTreeSet<Cell> = answer.places().iter().flatten().copied().collect();
        assert_eq!(distinct.len(), 3000, "{formation}");
    }
}

/// The figures of an assignment: the number of pairs, the largest cost, the sum of costs, and the
/// sum of their squares.
type Worth = (usize, u64, u64, u64);

/// Returns the figures of the best assignment. Tries all assignments.
fn brute_force(rows: usize, columns: usize, costs: &[Option<u64>]) -> Worth {
    fn go(row: usize, used: u32, so_far: Worth, table: (usize, usize, &[Option<u64>]), best: &mut Worth) {
        let (rows, columns, costs) = table;
        if row == rows {
            let rank = |(count, most, sum, squares): Worth| (usize::MAX - count, most, sum, squares);
            if rank(so_far) < rank(*best) {
                *best = so_far;
            }
            return;
        }
        go(row + 1, used, so_far, table, best);
        for column in (0..columns).filter(|column| used >> column & 1 == 0) {
            if let Some(cost) = costs[row * columns + column] {
                let (count, most, sum, squares) = so_far;
                let next = (count + 1, most.max(cost), sum + cost, squares + cost * cost);
                go(row + 1, used | 1 << column, next, table, best);
            }
        }
    }
    let mut best = (0, 0, 0, 0);
    go(0, 0, (0, 0, 0, 0), (rows, columns, costs), &mut best);
    best
}

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

fn worth(columns: usize, costs: &[Option<u64>], taken: &[Option<usize>]) -> Worth {
    let pairs: Vec<u64> = taken
        .iter()
        .enumerate()
        .filter_map(|(row, column)| Some(costs[row * columns + (*column)?].expect("the pair has a cost")))
        .collect();
    let squares = pairs.iter().map(|cost| cost * cost).sum();
    (pairs.len(), pairs.iter().copied().max().unwrap_or(0), pairs.iter().sum(), squares)
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_assignment_is_better(
        (rows, columns, small) in (1..6_usize, 1..6_usize).prop_flat_map(|(rows, columns)| {
            let cost = prop_oneof![4 => (0..12_u64).prop_map(Some), 1 => Just(None)];
            (Just(rows), Just(columns), prop::collection::vec(cost, rows * columns))
        }),
        // Costs as large as paths have, and as large as costs can be, with a common factor and
        // without.
        (factor, more, most) in prop_oneof![Just((1, 0, 1)), Just((160, 4000, 1)), Just((20_000_003, 0, 28_000_000))],
        uneven in prop::collection::vec(0..u64::MAX, 25),
    ) {
        let costs: Vec<Option<u64>> = (small.iter().zip(uneven))
            .map(|(cost, uneven)| cost.map(|cost| cost * factor + more + uneven % most))
            .collect();
        let taken = assign(rows, columns, &costs);
        let distinct: BTreeSet<usize> = taken.iter().flatten().copied().collect();
        prop_assert_eq!(distinct.len(), taken.iter().flatten().count());
        prop_assert_eq!(worth(columns, &costs, &taken), brute_force(rows, columns, &costs));
    }

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
