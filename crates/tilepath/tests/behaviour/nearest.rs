//! The nearest of many goals, against brute force.

use proptest::prelude::*;
use testkit::{DiagonalRule, Rules, Seed};
use tilepath::{
    Algorithm, Cell, Cost, Grid, Movement, MovementId, NearestGoal, NearestQuery, PathFinder, QueryError,
    SearchStatus,
};

use crate::worlds::{Prices, World, cases, world};

/// Returns the goals in reach by the oracle: cost and index, in the order of the answer.
fn expected(world: &World, goals: &[(i32, i32)]) -> Vec<(u64, usize)> {
    let costs = world.oracle().costs_from(world.start);
    let mut reachable: Vec<(u64, usize)> = (goals.iter().enumerate())
        .filter_map(|(index, &goal)| Some((costs[world.map.slot(goal)]?, index)))
        .collect();
    reachable.sort_unstable();
    reachable
}

fn check_nearest(
    world: &World,
    goals: &[(i32, i32)],
    k: usize,
    answer: Result<Vec<NearestGoal>, QueryError>,
) {
    let mut expected = expected(world, goals);
    expected.truncate(k);
    let costliest = expected.last().map_or(0, |&(cost, _)| cost);
    let Ok(found) = answer else {
        assert_eq!(answer, Err(QueryError::CostOverflow));
        let all_found = expected.len() == k.min(goals.len());
        assert!(!all_found || costliest > u64::from(u32::MAX), "all costs fit: {expected:?}");
        return;
    };
    let told: Vec<(u64, usize)> =
        found.iter().map(|goal| (u64::from(goal.path.cost().get()), goal.index)).collect();
    assert_eq!(told, expected);
    for goal in found {
        assert_eq!(goal.path.start(), world.start());
        assert_eq!(goal.path.goal(), world.cell(goals[goal.index]));
        assert!(goal.path.is_optimal());
        world.check_path(&goal.path);
    }
}

fn goals_on(world: &World, places: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let (width, height) = (world.map.width as i32, world.map.height as i32);
    places.iter().map(|&(x, y)| (x % width, y % height)).collect()
}

fn places() -> impl Strategy<Value = Vec<(i32, i32)>> {
    proptest::collection::vec((0..40, 0..40), 0..12)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn the_nearest_goals_are_the_oracles(world in world(20, Prices::Low), places in places(), k in 0..8_usize) {
        let goals = goals_on(&world, &places);
        let cells: Vec<Cell> = goals.iter().map(|&goal| world.cell(goal)).collect();
        let finder = world.finder();
        check_nearest(&world, &goals, k, finder.solve_nearest(&NearestQuery::new(world.start(), &cells[..]).with_count(k)).map(|answer| answer.goals));
        let one = finder.nearest(world.start(), &cells).map(|goal| goal.into_iter().collect());
        check_nearest(&world, &goals, 1, one);
    }

    #[test]
    fn the_nearest_goals_are_the_oracles_up_to_the_largest_costs(
        world in world(16, Prices::Any), places in places(), k in 0..8_usize,
    ) {
        let goals = goals_on(&world, &places);
        let cells: Vec<Cell> = goals.iter().map(|&goal| world.cell(goal)).collect();
        check_nearest(&world, &goals, k, world.finder().solve_nearest(&NearestQuery::new(world.start(), &cells[..]).with_count(k)).map(|answer| answer.goals));
    }

    /// Small maps of one cost, on which many goals cost the same.
    #[test]
    fn goals_of_equal_cost_are_decided_by_their_order(
        mut world in world(5, Prices::Low), places in places(), k in 1..12_usize,
    ) {
        world.rules.multipliers = std::array::from_fn(|class| u64::from(class != 0));
        let goals = goals_on(&world, &places);
        let cells: Vec<Cell> = goals.iter().map(|&goal| world.cell(goal)).collect();
        check_nearest(&world, &goals, k, world.finder().solve_nearest(&NearestQuery::new(world.start(), &cells[..]).with_count(k)).map(|answer| answer.goals));
    }

    #[test]
    fn slices_do_not_change_the_nearest_goals(
        world in world(16, Prices::Low), places in places(), k in 0..5_usize, slice in 1..40_u64,
    ) {
        let cells: Vec<Cell> = goals_on(&world, &places).iter().map(|&goal| world.cell(goal)).collect();
        let mut finder = world.finder();
        let query = NearestQuery::new(world.start(), cells).with_count(k);
        let whole = finder.begin_nearest(&query).unwrap().finish();
        let mut search = finder.begin_nearest(&query).unwrap();
        prop_assert_eq!(search.query(), &query);
        while search.advance(slice) == SearchStatus::Running {
            prop_assert_eq!(search.answer(), None);
            // The search still uses the map with which it began.
            let edited = finder.grid().origin();
            finder.set_terrain(edited, (slice % 3) as u8).unwrap();
        }
        prop_assert_eq!(search.answer(), Some(whole.clone()));
        let done = search.statistics();
        prop_assert_eq!(search.advance(slice), SearchStatus::Done);
        prop_assert_eq!(search.statistics(), done);
        prop_assert_eq!(search.finish(), whole);
    }
}

#[test]
fn nearest_goals_on_maps_as_games_have_them() {
    for map in [
        testkit::caves(60, 50, &Seed::named("nearest caves")),
        testkit::maze(41, 41, 1, &Seed::named("nearest maze")),
        testkit::terrain(50, 40, 9, 20, &Seed::named("nearest hills")),
    ] {
        for diagonals in DiagonalRule::ALL {
            let mut world = World::new(map.clone(), Rules::classic(diagonals));
            let finder = world.finder();
            let queries = map.queries(12, &Seed::named("trees"));
            let goals: Vec<(i32, i32)> = queries.iter().map(|&(_, goal)| goal).collect();
            let cells: Vec<Cell> = goals.iter().map(|&goal| world.cell(goal)).collect();
            for &(start, _) in &queries[..4] {
                world.start = start;
                check_nearest(
                    &world,
                    &goals,
                    5,
                    finder
                        .solve_nearest(&NearestQuery::new(world.start(), &cells[..]).with_count(5))
                        .map(|answer| answer.goals),
                );
            }
        }
    }
}

#[test]
fn the_cell_under_the_unit_wins_even_when_it_is_closed() {
    let mut finder = PathFinder::new(Grid::new(3, 1, 1).unwrap(), Movement::new());
    let here = Cell::new(1, 0);
    finder.set_terrain(here, 0).unwrap();
    let goals = [Cell::new(0, 0), here, Cell::new(2, 0), here];
    let found = finder.solve_nearest(&NearestQuery::new(here, goals).with_count(3)).unwrap().goals;
    let told: Vec<(usize, u32)> = found.iter().map(|goal| (goal.index, goal.path.cost().get())).collect();
    assert_eq!(told, [(1, 0), (3, 0), (0, 10)]);
}

#[test]
fn a_closed_goal_is_left_out_and_not_searched_for() {
    let mut finder = PathFinder::new(Grid::new(40, 40, 1).unwrap(), Movement::new());
    let closed = Cell::new(20, 20);
    finder.set_terrain(closed, 0).unwrap();
    let search = finder.begin_nearest(&NearestQuery::new(Cell::new(0, 0), [closed])).unwrap();
    assert!(search.is_done());
    let answer = search.finish().unwrap();
    assert_eq!((answer.goals.len(), answer.statistics.expanded), (0, 0));
}

#[test]
fn no_goals_and_no_wish_are_answered_at_once() {
    let finder = PathFinder::new(Grid::new(40, 40, 1).unwrap(), Movement::new());
    assert_eq!(finder.nearest(Cell::new(0, 0), &[]), Ok(None));
    let query = NearestQuery::new(Cell::new(0, 0), [Cell::new(3, 3)]).with_count(0);
    let answer = finder.begin_nearest(&query).unwrap().finish().unwrap();
    assert_eq!((answer.goals.len(), answer.statistics.expanded), (0, 0));
    assert_eq!(answer.statistics.algorithm, Algorithm::Dijkstra);
}

#[test]
fn a_goal_that_costs_too_much_to_state_is_an_error_and_a_goal_behind_walls_is_not() {
    use tilepath::{CostTable, StepCosts};
    let costly = Movement::new()
        .with_costs(CostTable::identity().with(1, u16::MAX))
        .with_steps(StepCosts::new(u16::MAX, u16::MAX).unwrap());
    let mut finder = PathFinder::new(Grid::new(5, 1, 1).unwrap(), costly);
    let (from, near, far) = (Cell::new(0, 0), Cell::new(1, 0), Cell::new(4, 0));
    assert_eq!(finder.nearest(from, &[far, near]).unwrap().unwrap().index, 1);
    assert_eq!(
        finder.solve_nearest(&NearestQuery::new(from, [far, near]).with_count(2)),
        Err(QueryError::CostOverflow)
    );
    assert_eq!(finder.nearest(from, &[far]), Err(QueryError::CostOverflow));
    finder.set_terrain(Cell::new(1, 0), 0).unwrap();
    assert_eq!(finder.nearest(from, &[far]), Ok(None));
}

#[test]
fn a_bad_nearest_query_names_what_is_wrong() {
    let mut stranger = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let unknown = stranger.add_movement(Movement::new().with_diagonals(tilepath::Diagonals::Never));
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    let bounds = finder.grid().bounds();
    let (inside, outside) = (Cell::new(1, 1), Cell::new(-1, 0));
    assert_eq!(
        finder.nearest(outside, &[inside]),
        Err(QueryError::StartOutOfBounds { cell: outside, bounds })
    );
    assert_eq!(
        finder.nearest(inside, &[inside, outside]),
        Err(QueryError::GoalOutOfBounds { cell: outside, bounds })
    );
    let query = NearestQuery::new(inside, [inside]).with_movement(unknown);
    assert_eq!(finder.begin_nearest(&query).unwrap_err(), QueryError::UnknownMovement(unknown));
    let query = query.with_movement(MovementId::default());
    assert_eq!(finder.begin_nearest(&query).unwrap().finish().unwrap().goals[0].path.cost(), Cost::ZERO);
}
