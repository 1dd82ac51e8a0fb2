//! Queries for many cells: reachability, ranges, nearest goals, fields.

use rand::Rng;
use tilepath::{
    Cell, Cost, Direction, MoveRange, MovementId, NearestQuery, PathFinder, PathQuery, QueryError,
    RangeQuery,
    field::{FieldState, FlowField},
};

use crate::{
    flat::NEVER,
    view::{LARGEST, Verdict, View, Ways, ensure},
};

/// Checks the reachability of every cell of the map.
pub(crate) fn check_reachability(
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    movement: MovementId,
) -> Verdict {
    let from = view.world.cell(ways.start);
    for (slot, &cost) in ways.costs.iter().enumerate() {
        let to = view.world.cell(view.world.land.map.position(slot));
        let found = finder.is_reachable(&PathQuery::new(from, to).with_movement(movement));
        let error = view.goal_error(finder.grid(), view.world.land.map.position(slot));
        let expected = error.map_or(Ok(cost != NEVER), Err);
        ensure!(found == expected, "reachability of {to}: {found:?}, cost {cost} by the oracle");
    }
    Ok(())
}

/// Draws a budget, often for a part of the map.
pub(crate) fn draw_budget(generator: &mut impl Rng, ways: &Ways) -> Cost {
    let costliest = ways.costs.iter().filter(|&&cost| cost != NEVER).max().copied().unwrap_or(0).min(LARGEST);
    let budget = match generator.random_range(0..8) {
        0 => 0,
        1 => LARGEST,
        _ => generator.random_range(0..=costliest),
    };
    Cost::new(budget as u32)
}

/// Checks that a range has exactly the cells within the budget, each with its cost.
pub(crate) fn check_range(
    generator: &mut impl Rng,
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    query: &RangeQuery,
    range: &mut MoveRange,
) -> Verdict {
    finder.solve_range_into(query, range).map_err(|error| error.to_string())?;
    let budget = u64::from(query.budget().get());
    let mut count = 0;
    for (slot, &cost) in ways.costs.iter().enumerate() {
        let cell = view.world.cell(view.world.land.map.position(slot));
        let expected = (cost <= budget).then(|| Cost::new(cost as u32));
        let found = range.cost_to(cell);
        ensure!(found == expected, "{cell} costs {found:?} in the range, {cost} by the oracle");
        count += usize::from(expected.is_some());
    }
    let cells = range.cells();
    ensure!(cells.len() == count, "the range has {} cells, {count} are within the budget", cells.len());
    ensure!(cells.is_sorted_by_key(|reached| reached.cost), "the range is not in the order of cost");
    for _ in 0..3 {
        let cell = cells[generator.random_range(0..cells.len())].cell;
        let path = range.path_to(cell).ok_or_else(|| format!("the range has no path to {cell}"))?;
        view.check_cheapest(ways, finder.grid(), &path, cell)?;
    }
    Ok(())
}

/// Draws goals, with closed goals and repetitions.
pub(crate) fn draw_goals(
    generator: &mut impl Rng,
    view: &View<'_>,
    finder: &PathFinder,
    most: usize,
) -> Vec<Cell> {
    let count = generator.random_range(0..=most);
    let positions = (0..count).map(|_| view.draw_position(generator));
    let positions = positions.filter(|&goal| view.goal_error(finder.grid(), goal).is_none());
    let mut goals: Vec<Cell> = positions.map(|goal| view.world.cell(goal)).collect();
    goals.extend(goals.first().copied().filter(|_| generator.random_ratio(1, 4)));
    goals
}

/// Checks the nearest goals against a sorted list.
pub(crate) fn check_nearest(
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    query: &NearestQuery,
) -> Verdict {
    let priced =
        query.goals().iter().enumerate().map(|(index, &cell)| (ways.costs[view.world.slot(cell)], index));
    let mut expected: Vec<(u64, usize)> = priced.filter(|&(cost, _)| cost != NEVER).collect();
    expected.sort_unstable();
    expected.truncate(query.count());
    let overflows = expected.iter().any(|&(cost, _)| cost > LARGEST);
    let answer = match finder.begin_nearest(query).and_then(tilepath::NearestSearch::finish) {
        Err(QueryError::CostOverflow) if overflows => return Ok(()),
        Err(error) => return Err(error.to_string()),
        Ok(answer) => answer,
    };
    let found: Vec<(u64, usize)> =
        answer.goals.iter().map(|goal| (u64::from(goal.path.cost().get()), goal.index)).collect();
    ensure!(found == expected, "the nearest goals are {found:?} instead of {expected:?}");
    for goal in &answer.goals {
        view.check_cheapest(ways, finder.grid(), &goal.path, query.goals()[goal.index])?;
    }
    Ok(())
}

/// Checks the finished part of a field. Costs must equal the oracle's costs, and each direction
/// must be the first of the cheapest directions.
pub(crate) fn check_field(
    generator: &mut impl Rng,
    view: &View<'_>,
    finder: &PathFinder,
    field: &FlowField,
) -> Verdict {
    let world = view.world;
    let goals: Vec<_> = field.query().goals().iter().map(|&cell| world.position(cell)).collect();
    let costs = view.oracle.costs_to(&goals);
    let costliest = costs.iter().filter(|&&cost| cost != NEVER).max().copied().unwrap_or(0);
    let may_overflow = costliest + view.max_step_cost() >= LARGEST;
    for (slot, &cost) in costs.iter().enumerate() {
        let position = world.land.map.position(slot);
        let cell = world.cell(position);
        let state = field.state(cell);
        if !view.is_told_by_fields(position) {
            continue;
        }
        let is_right = match state {
            FieldState::Settled(found) => u64::from(found.get()) == cost,
            FieldState::Pending => !field.is_done(),
            FieldState::Unreachable => cost == NEVER,
            FieldState::CostOverflow => may_overflow && cost >= LARGEST && cost != NEVER,
            _ => false,
        };
        ensure!(is_right, "{cell} is {state:?} in the field, and costs {cost}");
        if let FieldState::Settled(_) = state {
            let leads = |direction: &Direction| {
                let (dx, dy) = direction.offset();
                let entered = (position.0 + dx, position.1 + dy);
                world.land.map.contains(entered)
                    && view.oracle.step(position, entered).is_some_and(|step| {
                        let rest = costs[world.land.map.slot(entered)];
                        rest != NEVER && rest + step == cost
                    })
            };
            let expected = Direction::ALL.into_iter().find(leads).filter(|_| cost > 0);
            let found = field.direction(cell);
            ensure!(found == expected, "{cell} leads {found:?} instead of {expected:?}");
        }
    }
    for _ in 0..3 {
        let slot = generator.random_range(0..costs.len());
        let cell = world.cell(world.land.map.position(slot));
        if !view.is_told_by_fields(world.land.map.position(slot)) {
            continue;
        }
        let Some(path) = field.path_from(cell) else { continue };
        path.verify(finder.grid(), &view.movement).map_err(|fault| format!("a field's path: {fault}"))?;
        ensure!(u64::from(path.cost().get()) == costs[slot], "a field's path costs {}", path.cost());
        ensure!(path.start() == cell, "a field's path from {cell} starts at {}", path.start());
        let index = field.goal_from(cell);
        let goal = index.map(|index| field.query().goals()[index]);
        ensure!(goal == Some(path.goal()), "a field's path ends at {}, not at {goal:?}", path.goal());
    }
    Ok(())
}
