//! Path queries and checks of their answers.

use rand::{Rng, seq::IndexedRandom};
use tilepath::{
    Algorithm, Answer, Cost, Grid, Limit, MovementId, Outcome, Path, PathFinder, PathQuery, QueryError,
    SearchStatus,
};

use crate::{
    flat::NEVER,
    view::{LARGEST, Verdict, View, Ways, ensure},
};

/// Draws the algorithms for a query: always `Auto`, and some others.
pub(crate) fn draw_algorithms(generator: &mut impl Rng) -> Vec<Algorithm> {
    let percent = generator.random_range(100..=400);
    let others = [
        Algorithm::AStar,
        Algorithm::AStar,
        Algorithm::Dijkstra,
        Algorithm::WeightedAStar { percent: 100 },
        Algorithm::WeightedAStar { percent },
        Algorithm::Greedy,
        Algorithm::BreadthFirst,
        Algorithm::DepthFirst,
        Algorithm::Backtracking,
    ];
    let mut chosen = vec![Algorithm::Auto, Algorithm::JumpPoint];
    chosen.extend(others.choose(generator));
    chosen
}

/// Draws a query with options.
pub(crate) fn draw_query(
    generator: &mut impl Rng,
    view: &View<'_>,
    ways: &Ways,
    goal: (i32, i32),
    movement: MovementId,
) -> PathQuery {
    let world = view.world;
    let mut query = PathQuery::new(world.cell(ways.start), world.cell(goal)).with_movement(movement);
    if generator.random_ratio(1, 3) {
        query = query.or_closest();
    }
    if generator.random_ratio(1, 12) {
        query = query.with_limit(generator.random_range(0..=200));
    }
    if generator.random_ratio(1, 8) {
        query = query.with_landmarks();
    }
    if generator.random_ratio(1, 12) {
        query = query.without_reachability();
    }
    if generator.random_ratio(1, 12) {
        query = query.without_pruning();
    }
    if generator.random_ratio(1, 12) {
        let cheapest = ways.costs[world.slot(query.goal())].min(LARGEST);
        query = query.with_cost_limit(Cost::new(
            generator.random_range(0..=cheapest.saturating_mul(2)).min(LARGEST) as u32,
        ));
    }
    if generator.random_ratio(1, 12) {
        query = query.with_length_limit(generator.random_range(0..=40));
    }
    query
}

/// Runs a query at once, in slices, or step by step.
pub(crate) fn ask(
    generator: &mut impl Rng,
    finder: &PathFinder,
    query: &PathQuery,
) -> Result<Answer, QueryError> {
    match generator.random_range(0..10) {
        0 | 1 => {
            let mut search = finder.begin(query)?;
            while search.advance(generator.random_range(1..=300)) == SearchStatus::Running {}
            search.answer().expect("the search is done")
        }
        2 => {
            let mut search = finder.begin(query)?;
            let _ = search.steps().last();
            search.finish()
        }
        _ => finder.solve(query),
    }
}

/// Checks an answer to a query on the view's map.
pub(crate) fn check(
    view: &View<'_>,
    ways: &Ways,
    grid: &Grid,
    query: &PathQuery,
    answer: &Result<Answer, QueryError>,
) -> Verdict {
    let cheapest = view.cheapest(ways, query);
    let is_exact = query.algorithm().is_exact();
    let goal_error = view.goal_error(grid, view.world.position(query.goal()));
    if let Some(error) = goal_error.filter(|_| !query.wants_closest()) {
        let is_refused =
            matches!(answer, Err(found) if *found == error || *found == QueryError::NoJumpPoints);
        ensure!(is_refused, "{answer:?} instead of {error}");
        return Ok(());
    }
    let answer = match answer {
        Ok(answer) => answer,
        Err(QueryError::NoJumpPoints) => {
            ensure!(
                query.algorithm() == Algorithm::JumpPoint,
                "an algorithm other than jump points refused with NoJumpPoints"
            );
            ensure!(!view.is_fit_for_jump_points(ways.start), "jump points are refused where they apply");
            return Ok(());
        }
        Err(QueryError::CostOverflow) => {
            let is_right = match cheapest {
                NEVER => {
                    query.wants_closest()
                        && (view.may_overflow(ways) || !is_exact && view.may_any_way_overflow())
                }
                _ if is_exact => cheapest > LARGEST,
                _ => view.may_any_way_overflow(),
            };
            ensure!(is_right, "an overflow, but the cheapest path costs {cheapest}");
            return Ok(());
        }
        Err(error) => return Err(error.to_string()),
    };
    let expanded = answer.statistics.expanded;
    ensure!(query.limit().is_none_or(|limit| expanded <= limit), "{expanded} expansions are over the limit");
    match &answer.outcome {
        Outcome::Found(path) => {
            ensure!(cheapest != NEVER, "a path is found, but there is no path: {:?}", path.cells());
            check_limits(query, path)?;
            check_found(view, ways, grid, query, path)
        }
        Outcome::Unreachable { closest } => {
            ensure!(cheapest == NEVER, "no path is found, but a path costs {cheapest}");
            ensure!(closest.is_some() == query.wants_closest(), "closest: {closest:?}");
            closest.as_ref().map_or(Ok(()), |path| check_closest(view, ways, grid, query, path))
        }
        Outcome::LimitReached { limit, best } => {
            match limit {
                Limit::Expansions => ensure!(query.limit().is_some(), "stopped at a limit that is not set"),
                Limit::Length => ensure!(query.length_limit().is_some(), "no length limit is set"),
                _ => {
                    let most = query.cost_limit().map_or(NEVER, |most| u64::from(most.get()));
                    ensure!(!is_exact || cheapest > most, "a path costs {cheapest}, the limit is {most}");
                }
            }
            check_limits(query, best)?;
            view.check_path(ways, grid, best)
        }
    }
}

fn check_limits(query: &PathQuery, path: &Path) -> Verdict {
    let (cost, steps) = (path.cost(), path.steps());
    ensure!(query.cost_limit().is_none_or(|most| cost <= most), "{cost} is over the limit");
    ensure!(query.length_limit().is_none_or(|most| steps <= most as usize), "{steps} steps are too many");
    Ok(())
}

fn check_found(view: &View<'_>, ways: &Ways, grid: &Grid, query: &PathQuery, path: &Path) -> Verdict {
    view.check_path(ways, grid, path)?;
    ensure!(path.goal() == query.goal(), "the path ends at {}", path.goal());
    let slot = view.world.slot(query.goal());
    let (cost, cheapest) = (u64::from(path.cost().get()), ways.costs[slot]);
    match query.algorithm() {
        algorithm if algorithm.is_exact() => view.check_cheapest(ways, grid, path, query.goal())?,
        Algorithm::WeightedAStar { percent } => {
            ensure!(cost * 100 <= cheapest * u64::from(percent), "{cost} is over {percent} % of {cheapest}");
        }
        Algorithm::BreadthFirst if !view.may_any_way_overflow() => {
            let fewest = ways.steps(view, slot);
            ensure!(path.steps() as u64 == fewest, "{} steps, the fewest are {fewest}", path.steps());
        }
        _ => {}
    }
    Ok(())
}

fn check_closest(view: &View<'_>, ways: &Ways, grid: &Grid, query: &PathQuery, path: &Path) -> Verdict {
    view.check_path(ways, grid, path)?;
    let is_exact = query.algorithm().is_exact();
    if view.may_overflow(ways) || !is_exact && view.may_any_way_overflow() {
        return Ok(());
    }
    let goal = view.world.position(query.goal());
    let (distance, cost, slot) = view.closest(ways, goal);
    let end = view.world.position(path.goal());
    if is_exact {
        let found = (view.world.land.map.slot(end), u64::from(path.cost().get()));
        ensure!(found == (slot, cost), "closest slot and cost are {found:?} instead of {:?}", (slot, cost));
    }
    let found = view.distance(end, goal);
    ensure!(found == distance, "the closest cell is {found} away, another one {distance}");
    Ok(())
}
