//! Places of a group around a goal, one for each unit.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod random;

use std::collections::BTreeSet;
use tilepath::{
    Cell, Grid, Movement, MovementId, PathFinder, QueryError, Size, Topology, format,
    formation::{Formation, FormationAnswer, FormationError, FormationQuery, FormationUnit},
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

/// Returns a map with a wall of two columns and a gate of two rows.
fn wall_with_a_gate() -> PathFinder {
    let rows = |y: i32| match y {
        11 | 12 => ".".repeat(40),
        _ => format!("{}##{}", ".".repeat(20), ".".repeat(18)),
    };
    let drawn: Vec<String> = (0..24).map(rows).collect();
    PathFinder::new(format::parse_ascii(&drawn.join("\n")).unwrap(), Movement::new())
}

#[test]
fn wedge_east_of_a_gate_does_not_stand_west_of_the_wall_too() {
    let finder = wall_with_a_gate();
    let squad = units((4..18).map(|x| (x, 6 + x % 3)));
    // The walk through the gate to the place (19, 15) is no detour, but it leaves the arm.
    let query = FormationQuery::new(Cell::new(25, 10), squad).with_formation(Formation::Wedge);
    let query = query.with_heading((15, 2));
    let answer = finder.solve_formation(&query).unwrap();
    let on_open_ground: Vec<Cell> =
        empty(40, 24).solve_formation(&query).unwrap().places().iter().flatten().copied().collect();
    assert!(on_open_ground.contains(&Cell::new(19, 15)), "{on_open_ground:?}");
    assert!(answer.places().iter().all(|place| place.unwrap().x > 21), "{:?}", answer.places());
    // The places east of the wall are those on open ground.
    for place in on_open_ground.iter().filter(|place| place.x > 21) {
        assert!(answer.places().contains(&Some(*place)), "{place}");
    }
}

#[test]
fn wedge_near_a_gate_does_not_go_through_it_from_wherever_it_comes() {
    let finder = wall_with_a_gate();
    for goal in (9..15).flat_map(|y| (22..30).map(move |x| Cell::new(x, y))) {
        for heading in [(1, 0), (15, 2), (15, -2), (3, 1), (3, -1), (4, 3), (1, -1)] {
            let squad = units((4..26).map(|x| (x % 14, 3 + x / 2)));
            let query =
                FormationQuery::new(goal, squad).with_formation(Formation::Wedge).with_heading(heading);
            let points: Vec<Cell> =
                empty(40, 24).solve_formation(&query).unwrap().places().iter().flatten().copied().collect();
            let leads_through = points.iter().any(|point| matches!((point.x, point.y), (20 | 21, 11 | 12)));
            let answer = finder.solve_formation(&query).unwrap();
            let west =
                answer.places().iter().flatten().filter(|place| place.x < 20 && points.contains(place));
            // An arm that leads through the gate itself goes on behind it.
            assert!(leads_through || west.count() == 0, "{goal} {heading:?}: {:?}", answer.places());
        }
    }
}

#[test]
fn line_through_a_gate_stands_on_both_sides() {
    let finder = wall_with_a_gate();
    let query = FormationQuery::new(Cell::new(21, 12), units((0..9).map(|x| (x, 6))))
        .with_formation(Formation::Line)
        .with_heading((0, 1));
    let answer = finder.solve_formation(&query).unwrap();
    let places: BTreeSet<Cell> = answer.places().iter().flatten().copied().collect();
    assert_eq!(places, (17..26).map(|x| Cell::new(x, 12)).collect());
}

#[test]
fn line_around_a_rock_that_was_clicked_stands_on_both_sides_of_it() {
    let grid = format::parse_ascii(
        "
        ...........
        ...#####...
        ...#####...
        ...#####...
        ...........
        ",
    )
    .unwrap();
    let finder = PathFinder::new(grid, Movement::new());
    let query = FormationQuery::new(Cell::new(5, 2), units((0..4).map(|x| (x, 0))))
        .with_formation(Formation::Line)
        .with_heading((0, 1));
    assert_shape(&finder, &query, "........... ...#####... .oo#####oo. ...#####... ...........");
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
fn units_that_cannot_reach_the_goal_gather_as_near_as_possible() {
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
fn bad_input_is_an_error() {
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
    let ranks = |units: &[FormationUnit]| {
        finder.begin_places(units, &places).unwrap().finish(&finder).unwrap().ranks().to_vec()
    };
    assert_eq!(ranks(&[at(0), at(1)]), [0, 1]);
    assert_eq!(ranks(&[at(0).with_speed(2), at(1)]), [1, 0]);
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
