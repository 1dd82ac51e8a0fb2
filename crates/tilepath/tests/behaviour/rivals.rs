//! Ties between the closest cells: jump points choose the cheapest.

use testkit::Seed;
use tilepath::{
    Algorithm, Cell, Diagonals, Grid, Movement, Outcome, PathFinder, PathQuery, SearchStatus, Statistics,
    search::Step,
};

/// Returns a finder for a map whose open cells all cost 1, and pairs of a start and a goal in a
/// wall.
fn clutter(diagonals: Diagonals) -> (PathFinder, Vec<(Cell, Cell)>) {
    let map = testkit::cluttered(60, 40, 30, &Seed::named("rivals"));
    let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
    let walls = grid.bounds().cells().filter(|&cell| grid.terrain(cell) == Some(0));
    let starts = map.queries(400, &Seed::named("starts"));
    let queries = starts.into_iter().map(|(start, _)| Cell::from(start)).zip(walls.step_by(2)).collect();
    (PathFinder::new(grid, Movement::new().with_diagonals(diagonals)), queries)
}

fn closest(finder: &PathFinder, query: &PathQuery) -> (Option<(Cell, u32)>, Statistics) {
    let answer = finder.solve(query).unwrap();
    let Outcome::Unreachable { closest } = answer.outcome else { panic!("the goal is a wall") };
    (closest.map(|path| (path.goal(), path.cost().get())), answer.statistics)
}

#[test]
fn jump_points_and_a_star_choose_the_same_of_several_closest_cells() {
    for diagonals in Diagonals::ALL {
        let (finder, queries) = clutter(diagonals);
        let mut by_jump_points = 0;
        for &(from, to) in &queries {
            let query = PathQuery::new(from, to).or_closest();
            let (found, statistics) = closest(&finder, &query.with_algorithm(Algorithm::JumpPoint));
            let (expected, _) = closest(&finder, &query.with_algorithm(Algorithm::Dijkstra));
            assert_eq!(found, expected, "{diagonals}: from {from} to {to}");
            by_jump_points += usize::from(statistics.algorithm == Algorithm::JumpPoint);
        }
        assert_eq!(by_jump_points, queries.len(), "{diagonals}");
    }
}

#[test]
fn every_driver_gives_the_same_answer_and_tells_of_the_same_work() {
    let (finder, queries) = clutter(Diagonals::OnlyWhenNoObstacles);
    for &(from, to) in queries.iter().take(60) {
        let query = PathQuery::new(from, to).or_closest().with_algorithm(Algorithm::JumpPoint);
        let expected = finder.solve(&query).unwrap();

        let mut sliced = finder.begin(&query).unwrap();
        let mut slices = 0;
        while sliced.advance(3) == SearchStatus::Running {
            slices += 1;
            assert!(slices <= sliced.work(), "each slice does some work");
        }
        assert!(sliced.work() >= expected.statistics.expanded);
        assert_eq!(sliced.finish().unwrap(), expected);

        let mut stepped = finder.begin(&query).unwrap();
        let last = stepped.steps().last();
        assert_eq!(last, Some(Step::Exhausted));
        assert_eq!(stepped.finish().unwrap(), expected);
    }
}
