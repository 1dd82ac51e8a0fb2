//! Zones, shores, points by class and places to land, by name.

use tilepath::{
    Cell, Cost, CostTable, Grid, Movement, PathFinder, Topology,
    explain::{ExplainError, StopReason},
    format::parse_ascii,
    turns::{LongStep, TurnQuery, Zone},
};

const LAND: u8 = 1;
const WATER: u8 = 2;

fn at(x: i32) -> Cell {
    Cell::new(x, 0)
}

/// Returns a finder for a unit to which all open ground costs 1.
fn sailor(map: &str) -> PathFinder {
    PathFinder::new(parse_ascii(map).unwrap(), Movement::new().with_costs(CostTable::uniform()))
}

fn stops(finder: &PathFinder, query: &TurnQuery, goal: Cell) -> Option<Vec<usize>> {
    finder.solve_turn_path(query, goal).unwrap().map(|path| path.stops().to_vec())
}

#[test]
fn embarking_ends_the_turn() {
    let map = parse_ascii("1122211").unwrap();
    let plain = Movement::new().with_costs(CostTable::uniform());
    let settlers = plain.clone().with_turn_end([LAND], [WATER]).with_turn_end([WATER], [LAND]);
    let mut finder = PathFinder::new(map, plain);
    let id = finder.add_movement(settlers);
    let free = TurnQuery::new(at(0), Cost::new(60));
    let query = free.clone().with_movement(id);
    assert_eq!(stops(&finder, &free, at(6)), Some(vec![6]));
    assert_eq!(stops(&finder, &query, at(6)), Some(vec![2, 5, 6]));
    let ended = finder.solve_turns(&query).unwrap();
    assert_eq!(
        ended.get(at(2)).map(|end| (end.turn, end.used, end.left)),
        Some((1, Cost::new(60), Cost::ZERO))
    );

    // The step is not taken if the unit may not stop behind it.
    let crowded = query.clone().with_no_stop([at(2)]);
    assert_eq!(stops(&finder, &crowded, at(6)), None);
    // Plain searches do not look at the ends of turns.
    for movement in [free.movement(), id] {
        let plain = tilepath::PathQuery::new(at(0), at(6)).with_movement(movement);
        assert_eq!(finder.solve(&plain).unwrap().outcome.path().unwrap().cost(), Cost::new(60));
        let range = tilepath::RangeQuery::new(at(0), Cost::new(60)).with_movement(movement);
        assert_eq!(finder.solve_range(&range).unwrap().cells().len(), 7);
    }
}

#[test]
fn zones_of_four_games() {
    // The orc stands in the middle of three rows; its six or eight neighbours are its reach.
    let orc = Cell::new(4, 1);
    let around = |topology| {
        let mut grid = Grid::new(9, 3, 1).unwrap().with_topology(topology);
        grid.set_terrain(orc, 0).unwrap();
        PathFinder::new(grid, Movement::new())
    };
    for topology in [Topology::Square, Topology::Hexagonal] {
        let finder = around(topology);
        let reach: Vec<Cell> = topology.directions().iter().map(|to| orc + to.offset()).collect();
        let [from, to] = [Cell::new(1, 0), Cell::new(7, 0)];
        let unit = TurnQuery::new(from, Cost::new(200));
        let with = |zone: Zone| unit.clone().with_zone(zone);
        assert_eq!(stops(&finder, &unit, to).map(|stops| stops.len()), Some(1));

        // Wesnoth: each cell of the reach ends the turn.
        let beside = reach.iter().filter(|cell| cell.y == 0).count();
        let wesnoth = stops(&finder, &with(Zone::new(reach.clone())), to);
        assert_eq!(wesnoth.map(|stops| stops.len()), Some(beside + 1), "{topology}");
        // Civilization 5: only steps from one of them to another one do.
        let civilization = stops(&finder, &with(Zone::beside([orc])), to);
        assert_eq!(civilization.map(|stops| stops.len()), Some(beside), "{topology}");
        // freeciv: no step from one of them to another one.
        let range = finder.solve_turns(&with(Zone::no_step_within(reach.clone()))).unwrap();
        assert!(range.contains(Cell::new(3, 0)) && !range.contains(to), "{topology}");
        // Heroes: the unit goes no further.
        let range = finder.solve_turns(&with(Zone::no_step_out(reach.clone()))).unwrap();
        assert!(range.contains(Cell::new(3, 0)) && !range.contains(to), "{topology}");
        // A unit that starts there may leave.
        let [near, far] = [Cell::new(3, 1), Cell::new(1, 1)];
        let started = TurnQuery::new(near, Cost::new(200)).with_zone(Zone::no_step_out(reach.clone()));
        assert!(finder.solve_turns(&started).unwrap().contains(far), "{topology}");

        // In all of them a unit enters an exempt cell as if there were no zone.
        let all = reach.clone();
        let zones = [Zone::new(all.clone()), Zone::beside([orc]), Zone::no_step_within(all)];
        for zone in zones {
            let free = with(zone.except(reach.iter().copied()));
            assert_eq!(stops(&finder, &free, to).map(|stops| stops.len()), Some(1), "{topology}");
        }
        let wide = with(Zone::no_step_out(reach.clone()).except(finder.grid().bounds().cells()));
        assert_eq!(stops(&finder, &wide, to).map(|stops| stops.len()), Some(1), "{topology}");
        // Cells off the map are ignored.
        let away =
            with(Zone::new([Cell::new(i32::MIN, i32::MAX)])).with_zone(Zone::beside([Cell::new(-1, -1)]));
        assert_eq!(stops(&finder, &away, to).map(|stops| stops.len()), Some(1), "{topology}");
    }
}

#[test]
fn other_points_at_sea() {
    let finder = sailor("11222222211");
    let unit = TurnQuery::new(at(0), Cost::new(20)).with_points_on([WATER], Cost::new(50));
    assert_eq!(stops(&finder, &unit, at(10)), Some(vec![2, 7, 10]));
    // The class where the turn begins sets the points, also of the first turn.
    let at_sea = TurnQuery::new(at(3), Cost::new(20)).with_points_on([WATER], Cost::new(50));
    assert_eq!(stops(&finder, &at_sea, at(8)), Some(vec![5]));
    let tired = at_sea.clone().with_points_left(Cost::new(10));
    assert_eq!(stops(&finder, &tired, at(8)), Some(vec![1, 5]));
    // The later value applies, and with 0 points the unit does not move.
    let becalmed = at_sea.with_points_on([WATER], Cost::ZERO);
    assert_eq!(finder.solve_turns(&becalmed).unwrap().cells().len(), 1);
}

#[test]
fn bomber_hops_over_cities() {
    let finder = PathFinder::new(Grid::new(30, 1, 1).unwrap(), Movement::new());
    let cities = [at(8), at(15), at(24)];
    let bomber = TurnQuery::new(at(0), Cost::new(90)).with_stops_only_on(cities);
    assert_eq!(stops(&finder, &bomber, at(24)), Some(vec![8, 15, 24]));
    assert_eq!(stops(&finder, &bomber, at(25)), None, "no city");
    assert_eq!(stops(&finder, &bomber.clone().with_no_stop([at(15)]), at(24)), None, "16 cells are too far");
    let range = finder.solve_turns(&bomber).unwrap();
    let landed: Vec<i32> = range.cells().iter().map(|end| end.cell.x).collect();
    assert_eq!(landed, [0, 8, 15, 24]);
    assert_eq!(finder.solve_turns(&bomber.with_stops_only_on([])).unwrap().cells().len(), 1, "its start");
}

#[test]
fn last_point_enters_mountain() {
    let finder = PathFinder::new(parse_ascii("119111").unwrap(), Movement::new());
    let never = TurnQuery::new(at(0), Cost::new(20));
    assert_eq!(stops(&finder, &never, at(5)), None);
    let any = never.with_long_step(LongStep::AnyPoints);
    assert_eq!(stops(&finder, &any, at(5)), Some(vec![2, 4, 5]));
    let own = any.clone().with_long_step(LongStep::OwnTurn);
    assert_eq!(stops(&finder, &own, at(5)), Some(vec![1, 2, 4, 5]));
    assert_eq!(stops(&finder, &any.with_points_left(Cost::ZERO), at(5)), Some(vec![0, 2, 4, 5]));
}

/// Two points on land, five at sea. Three friends stand behind the beach. A unit that ends its turn
/// on the beach has too few points to pass them; a unit that waits at sea has enough.
#[test]
fn waiting_at_sea_may_be_better() {
    let finder = sailor("222222111111");
    let unit = TurnQuery::new(at(0), Cost::new(20)).with_points_on([WATER], Cost::new(50));
    let friends = [at(7), at(8), at(9)];
    let crossing = unit.with_no_stop(friends);
    let path = finder.solve_turn_path(&crossing, at(10)).unwrap().unwrap();
    assert_eq!((path.stops(), path.left()), (&[5, 10][..], Cost::ZERO));
    let range = finder.solve_turns(&crossing).unwrap();
    assert_eq!(range.get(at(6)).map(|end| (end.turn, end.left)), Some((2, Cost::new(40))));
    // The first turn could end on the beach, but the unit waits before it.
    let near =
        TurnQuery::new(at(1), Cost::new(20)).with_points_on([WATER], Cost::new(50)).with_no_stop(friends);
    assert_eq!(finder.solve_turn_path(&near, at(10)).unwrap().unwrap().stops(), [4, 9]);
    let early = finder.solve_turns(&near).unwrap();
    assert_eq!(early.get(at(6)).map(|end| (end.turn, end.left)), Some((1, Cost::ZERO)));
    let late = early.path_to(at(10)).unwrap();
    assert_eq!(
        (late.turns(), late.turn_of(5)),
        (2, Some(2)),
        "the path enters the beach later than it could"
    );
}

#[test]
fn a_path_is_cut_as_it_would_be_walked() {
    let finder = sailor("222222111111");
    let unit = TurnQuery::new(at(1), Cost::new(20)).with_points_on([WATER], Cost::new(50)).with_no_stop([
        at(7),
        at(8),
        at(9),
    ]);
    let path = finder.find(at(1), at(10)).unwrap().into_path().unwrap();
    let cut = finder.cut_into_turns(&path, &unit).unwrap().unwrap();
    assert_eq!(cut.stops(), [4, 9], "the first turn ends at sea, with a point left");
    let zone = unit.clone().with_zone(Zone::no_step_within([at(3), at(4)]));
    assert_eq!(finder.cut_into_turns(&path, &zone).unwrap(), None);
    let watched = unit.clone().with_zone(Zone::new([at(2), at(3)]));
    assert_eq!(finder.cut_into_turns(&path, &watched).unwrap().unwrap().stops(), [1, 2, 4, 9]);
    assert_eq!(finder.cut_into_turns(&path, &unit.with_turns(1)).unwrap(), None);
}

/// The start lies partly on a wall. The unit begins its second turn beside it with many points, and
/// the only other way leads back over the start.
#[test]
fn a_step_back_onto_a_closed_start_has_its_price() {
    let map = parse_ascii("1112\n2212\n1121\n2201\n1121").unwrap();
    let giant = Movement::new()
        .with_costs(CostTable::impassable().with(1, 2).with(2, 2))
        .with_diagonals(tilepath::Diagonals::Never)
        .with_steps(tilepath::StepCosts::new(3, 4).unwrap())
        .with_size(tilepath::Size::new(2).unwrap());
    let start = Cell::new(2, 0);
    let unit = TurnQuery::new(start, Cost::new(4))
        .with_turns(2)
        .with_points_on([0], Cost::new(54))
        .with_long_step(LongStep::OwnTurn);
    let finder = PathFinder::new(map, giant);
    let range = finder.solve_turns(&unit).unwrap();
    assert_eq!(range.get(at(0)).map(|end| (end.turn, end.left)), Some((2, Cost::new(36))));
    let path = finder.solve_turn_path(&unit, at(0)).unwrap().unwrap();
    assert_eq!(path.left(), Cost::new(36));
    assert_eq!(path.path().verify(finder.grid(), finder.movement(unit.movement()).unwrap()), Ok(()));
}

#[test]
fn turn_path_says_why_it_stops() {
    let grid = parse_ascii("11222222211119").unwrap();
    let mixed = Movement::new().with_costs(CostTable::uniform().with(9, 9)).with_turn_end([LAND], [WATER]);
    let finder = PathFinder::new(grid, mixed);
    let query = TurnQuery::new(at(0), Cost::new(40))
        .with_points_on([WATER], Cost::new(50))
        .with_no_stop([at(8), at(9)])
        .with_zone(Zone::new([at(4)]))
        .with_long_step(LongStep::AnyPoints);
    let path = finder.solve_turn_path(&query, at(13)).unwrap().unwrap();
    let receipt = finder.explain_turns(&path, &query).unwrap();
    let told: Vec<(i32, StopReason)> =
        receipt.turns().iter().map(|turn| (turn.stop.x, turn.reason)).collect();
    assert_eq!(told[0], (2, StopReason::TurnEnd { from: LAND, to: WATER }));
    assert_eq!(told[1], (4, StopReason::Zone { zone: 0 }));
    assert_eq!(told.last(), Some(&(13, StopReason::Goal)));
    let plain = TurnQuery::new(at(0), Cost::new(30)).with_movement(query.movement());
    let hall = PathFinder::new(parse_ascii("1131111").unwrap(), Movement::new());
    let path = hall.solve_turn_path(&plain, at(4)).unwrap().unwrap();
    let receipt = hall.explain_turns(&path, &plain).unwrap();
    assert_eq!(receipt.turns()[0].reason, StopReason::TooFewPoints { needed: Cost::new(30) });
    let wide = TurnQuery::new(at(0), Cost::new(40)).with_points_left(Cost::new(30)).with_no_stop([at(3)]);
    let corridor = PathFinder::new(Grid::new(9, 1, 1).unwrap(), Movement::new());
    let path = corridor.solve_turn_path(&wide, at(5)).unwrap().unwrap();
    let receipt = corridor.explain_turns(&path, &wide).unwrap();
    assert_eq!(receipt.turns()[0].reason, StopReason::NoStopAhead { cell: at(3) });
    assert!(receipt.to_string().contains("no stop on (3, 0)"), "{receipt}");

    // A path that does not follow the rules of the query is refused.
    let other = wide.clone().with_no_stop([at(2)]);
    assert_eq!(corridor.explain_turns(&path, &other), Err(ExplainError::IllegalTurn { turn: 1 }));
    let away = TurnQuery::new(at(1), Cost::new(40));
    let moved = ExplainError::OtherStart { expected: at(1), found: at(0) };
    assert_eq!(corridor.explain_turns(&path, &away), Err(moved));
}

#[test]
fn queries_in_turns_are_stored_and_read_again() {
    let query = TurnQuery::new(at(0), Cost::new(40))
        .with_points_on([WATER], Cost::new(50))
        .with_stops_only_on([at(3)])
        .with_zone(Zone::beside([at(4)]).except([at(5)]))
        .with_long_step(LongStep::AnyPoints);
    let text = serde_json::to_string(&query).unwrap();
    assert_eq!(serde_json::from_str::<TurnQuery>(&text).unwrap(), query);
    let short = serde_json::from_str::<TurnQuery>(r#"{"start": [1, 0], "points": 30}"#);
    assert_eq!(short.unwrap(), TurnQuery::new(at(1), Cost::new(30)));
    let movement = Movement::new().with_turn_end([LAND], [WATER, 0]);
    let text = serde_json::to_string(&movement).unwrap();
    assert!(text.contains(r#""turn_ends":[[1,0],[1,2]]"#), "{text}");
    assert_eq!(serde_json::from_str::<Movement>(&text).unwrap(), movement);
    assert_eq!(serde_json::from_str::<Movement>("{}").unwrap(), Movement::new());
}
