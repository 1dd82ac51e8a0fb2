//! Movements added and removed, and recordings that use all features.

use tilepath::{
    Cell, CostTable, Diagonals, Direction, Edit, Exits, Grid, Movement, MovementId, NearestQuery, PathFinder,
    PathQuery, QueryError, Topology,
    recording::{Recorder, Recording},
};

fn query() -> PathQuery {
    PathQuery::new(Cell::new(0, 0), Cell::new(8, 7))
}

fn crab() -> Movement {
    Movement::new().with_diagonals(Diagonals::Never)
}

#[test]
fn ids_of_removed_movements_and_of_other_finders_are_unknown() {
    let grid = Grid::new(9, 8, 1).unwrap();
    let (mut one, mut other) =
        (PathFinder::new(grid.clone(), Movement::new()), PathFinder::new(grid, Movement::new()));
    let (of_one, of_other) = (one.add_movement(crab()), other.add_movement(crab()));
    assert_ne!(of_one, of_other);
    let foreign = query().with_movement(of_other);
    assert_eq!(one.solve(&foreign), Err(QueryError::UnknownMovement(of_other)));
    assert_eq!(one.is_reachable(&foreign), Err(QueryError::UnknownMovement(of_other)));
    assert_eq!(one.clone().solve(&query().with_movement(of_one)), one.solve(&query().with_movement(of_one)));

    assert_eq!(one.remove_movement(MovementId::FIRST), Err(QueryError::FirstMovement));
    assert_eq!(one.remove_movement(of_one), Ok(()));
    assert_eq!(one.remove_movement(of_one), Err(QueryError::UnknownMovement(of_one)));
    assert_eq!((one.movement(of_one), one.movement_id(&crab()), one.movements().count()), (None, None, 1));
    assert_eq!(one.set_movement(of_one, crab()), Err(QueryError::UnknownMovement(of_one)));
    let again = one.add_movement(crab());
    assert_ne!(again, of_one, "the id has the same place, but another movement");
    assert!(one.solve(&query().with_movement(again)).is_ok());
    let begun = one.begin(&query().with_movement(of_one)).map(|_| ());
    assert_eq!(begun, Err(QueryError::UnknownMovement(of_one)));
}

/// Records a map with all features: queries, edits of every kind, and queries again.
fn recorded(topology: Topology) -> Recorder {
    let mut grid = Grid::new(12, 11, 1).unwrap().with_topology(topology);
    grid.edit(&[Edit::void(Cell::new(11, 10))]).unwrap();
    grid.edit(&[Edit::fence(Cell::new(3, 3), Cell::new(4, 3))]).unwrap();
    grid.set_overlay("danger", [(Cell::new(5, 5), 7)]).unwrap();
    let base = Movement::new().with_costs(CostTable::uniform().with(0, 3)).with_overlay("danger");
    let mut finder = PathFinder::new(grid, base.clone());
    let mut recorder = Recorder::new(&finder);
    let mut ask = |finder: &PathFinder| {
        for id in finder.movement_id(&base).into_iter().chain(finder.movement_id(&crab())) {
            let _answer = recorder.solve(finder, &query().with_movement(id).or_closest());
            let nearest = NearestQuery::new(Cell::new(1, 1), [Cell::new(9, 9), Cell::new(6, 2)]);
            let nearest = nearest.with_movement(id);
            let number = recorder.ask_nearest(finder, &nearest);
            recorder.answer_nearest(number, &finder.solve_nearest(&nearest)).unwrap();
        }
    };
    ask(&finder);
    let added = finder.add_movement(crab());
    ask(&finder);
    finder.edit(&[Edit::void(Cell::new(6, 6))]).unwrap();
    finder.set_terrain(Cell::new(11, 10), 2).unwrap();
    finder.edit(&[Edit::one_way(Cell::new(2, 2), Cell::new(2, 3))]).unwrap();
    finder.edit(&[7, 8].map(|x| Edit::ledge(Cell::new(x, 7), Direction::South))).unwrap();
    finder.edit(&[Edit::exits(Cell::new(9, 2), Exits::ALL.without(Direction::East))]).unwrap();
    ask(&finder);
    finder.set_overlay("danger", [(Cell::new(5, 5), 0), (Cell::new(4, 4), 9)]).unwrap();
    finder.set_overlay("smell", [(Cell::new(1, 1), 2)]).unwrap();
    finder.remove_movement(added).unwrap();
    ask(&finder);
    for direction in topology.directions() {
        if let Some(beside) = Cell::new(2, 8).neighbour(*direction) {
            finder.edit(&[Edit::fence(Cell::new(2, 8), beside)]).unwrap();
        }
    }
    finder.edit(&[Edit::clear_overlay("danger")]).unwrap();
    finder.add_movement(crab());
    ask(&finder);
    recorder
}

#[test]
fn recordings_hold_void_exits_overlays_and_movements_that_go() {
    for topology in [Topology::Square, Topology::Hexagonal] {
        let recording = recorded(topology).into_recording();
        assert!(recording.query_count() >= 14);
        let text = recording.to_ron();
        let read = Recording::from_text(&text).unwrap();
        assert_eq!(read, recording, "{text}");
        let replayed = read.replay(|_| ()).unwrap();
        assert_eq!((replayed.answers, replayed.different), (recording.query_count(), 0));
    }
}

#[test]
fn nearest_goals_cut_off_by_one_way_edges_are_no_matter_of_costs() {
    // The cost of two steps overflows. Goals behind the one-way edge are unreachable at any cost,
    // so the answer must not be an overflow.
    let mut grid = Grid::new(7, 1, 1).unwrap();
    grid.edit(&[Edit::one_way(Cell::new(3, 0), Cell::new(2, 0))]).unwrap();
    let costs = CostTable::identity().with(1, u16::MAX);
    let steps = tilepath::StepCosts::new(40_000, 56_569).unwrap();
    let finder = PathFinder::new(grid, Movement::new().with_costs(costs).with_steps(steps));
    let answer = finder.solve_nearest(&NearestQuery::new(Cell::new(0, 0), [Cell::new(6, 0)])).unwrap();
    assert!(answer.goals.is_empty(), "no path leads to the goal at any cost");
    let query = NearestQuery::new(Cell::new(0, 0), [Cell::new(2, 0)]);
    assert_eq!(finder.solve_nearest(&query), Err(QueryError::CostOverflow));
}
