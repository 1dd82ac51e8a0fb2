//! Ranges and paths in turns, checked turn by turn.

use std::{cmp::Reverse, collections::BinaryHeap};

use rand::{Rng, seq::IndexedRandom};
use testkit::DIRECTIONS;
use tilepath::{
    Cost, MovementId, PathFinder, QueryError,
    turns::{LongStep, TurnQuery},
};

use crate::{
    flat::NEVER,
    view::{LARGEST, Verdict, View, Ways, ensure},
};

fn points(generator: &mut impl Rng, step: u64) -> Cost {
    let factor = *[1, 2, 6, 40].choose(generator).expect("there are some");
    Cost::new(generator.random_range(0..=step * factor).min(LARGEST) as u32)
}

/// Draws a query with a number of points per turn.
pub(crate) fn draw_query(
    generator: &mut impl Rng,
    view: &View<'_>,
    ways: &Ways,
    movement: MovementId,
) -> TurnQuery {
    let step = view.rules.straight * generator.random_range(1..=9);
    let mut query = TurnQuery::new(view.world.cell(ways.start), points(generator, step))
        .with_turns(generator.random_range(0..=5))
        .with_movement(movement);
    if generator.random() {
        query = query.with_points_left(points(generator, step));
    }
    if generator.random() {
        query = query.with_long_step(LongStep::OwnTurn);
    }
    let count = *[0, 0, 3, 30].choose(generator).expect("there are some");
    let no_stop: Vec<_> = (0..count).map(|_| view.world.cell(view.draw_position(generator))).collect();
    query.with_no_stop(no_stop)
}

/// Returns the earliest turn for each slot where the unit can stop, with the least points used in
/// it.
fn ends(view: &View<'_>, ways: &Ways, query: &TurnQuery) -> Vec<Option<(u64, u64)>> {
    let map = &view.world.land.map;
    let start = map.slot(ways.start);
    let mut may_stop = vec![true; map.classes.len()];
    for &cell in query.no_stop() {
        may_stop[view.world.slot(cell)] = false;
    }
    may_stop[start] = true;
    let mut best = vec![None; map.classes.len()];
    best[start] = Some((1, 0));
    let whole = u64::from(query.points().get());
    // Each closed cell of the chain has one exit, though a unit that began there might have others.
    let chain = view.oracle.way_out(ways.start);
    let leaves_chain = |here, there| chain.windows(2).any(|pair| pair[0] == here && pair[1] != there);
    for turn in 1..=u64::from(query.turns()) {
        let points = if turn == 1 { u64::from(query.points_left().get()) } else { whole };
        let mut least = vec![NEVER; best.len()];
        let mut queue = BinaryHeap::new();
        for slot in (0..best.len()).filter(|&slot| best[slot].is_some()) {
            least[slot] = 0;
            queue.push(Reverse((0, slot)));
        }
        while let Some(Reverse((used, slot))) = queue.pop() {
            if least[slot] < used {
                continue;
            }
            let here = map.position(slot);
            for (dx, dy) in DIRECTIONS {
                let there = (here.0 + dx, here.1 + dy);
                if !map.contains(there) || leaves_chain(here, there) {
                    continue;
                }
                let (Some(step), end) = (view.oracle.step(here, there), map.slot(there)) else { continue };
                let takes_turn = query.long_step() == LongStep::OwnTurn && step > whole && whole > 0;
                let after = if used + step <= points {
                    used + step
                } else if takes_turn && used == 0 && points >= whole && may_stop[slot] && may_stop[end] {
                    points
                } else {
                    continue;
                };
                if after < least[end] {
                    least[end] = after;
                    queue.push(Reverse((after, end)));
                }
            }
        }
        let stopped = (0..best.len()).filter(|&slot| may_stop[slot] && least[slot] != NEVER);
        for slot in stopped {
            best[slot] = best[slot].or(Some((turn, least[slot])));
        }
    }
    best
}

/// Checks that a range has exactly the cells where the unit can stop, each in its earliest turn.
/// Checks paths to some cells.
pub(crate) fn check(
    generator: &mut impl Rng,
    view: &View<'_>,
    ways: &Ways,
    finder: &PathFinder,
    query: &TurnQuery,
) -> Verdict {
    let expected = ends(view, ways, query);
    let range = finder.solve_turns(query).map_err(|error| error.to_string())?;
    for (slot, expected) in expected.iter().enumerate() {
        let cell = view.world.cell(view.world.land.map.position(slot));
        let found = range.get(cell).map(|end| (u64::from(end.turn), u64::from(end.used.get())));
        ensure!(found == *expected, "turn and points to {cell} are {found:?} instead of {expected:?}");
    }
    for _ in 0..3 {
        let position = view.draw_position(generator);
        let (cell, slot) = (view.world.cell(position), view.world.land.map.slot(position));
        let found = finder.solve_turn_path(query, cell);
        if let Some(error) = view.goal_error(finder.grid(), position) {
            ensure!(found == Err(error), "a path in turns is {found:?}, not {error}");
            continue;
        }
        let way = match found {
            // The points of one turn fit into a cost, but the points of all turns may not.
            Err(QueryError::CostOverflow) if ways.costs[slot] > LARGEST / 8 => continue,
            Err(error) => return Err(error.to_string()),
            Ok(way) => way,
        };
        let told = way.as_ref().map(|way| (u64::from(way.turns()), u64::from(way.used().get())));
        ensure!(told == expected[slot], "a path in turns to {cell} takes {told:?}, not {:?}", expected[slot]);
        let Some(way) = way else { continue };
        view.check_path(ways, finder.grid(), way.path())?;
        let cut = finder.cut_into_turns(way.path(), query).map_err(|error| error.to_string())?;
        let cut = cut.map(|cut| (u64::from(cut.turns()), u64::from(cut.used().get())));
        ensure!(cut == told, "the path in turns to {cell} is cut into {cut:?}, but takes {told:?}");
    }
    Ok(())
}
