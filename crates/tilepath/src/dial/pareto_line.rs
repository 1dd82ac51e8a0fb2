//! A line of cells cut into turns, by rules that may need several labels for each cell.
//!
//! The unit may wait before it has to: from a wait at sea it may step onto land with more points.
//! So this is the search of [`pareto_search`](super::pareto_search) on a line.

use crate::{
    dial::{
        pareto_search::ParetoProblem,
        turn_limits::{TimedStep, TurnTime},
    },
    space::grid::GridNode,
};

/// An entry into a cell of the line: its time, and the index of the entry into the cell before.
#[derive(Clone, Copy)]
struct Entry {
    time: TurnTime,
    before: usize,
}

/// Returns, for each cell, the time at which a unit enters it. The last time is the best possible.
/// Returns `None` if the unit cannot walk this line.
pub(crate) fn times(problem: &ParetoProblem<'_>, cells: &[GridNode]) -> Option<Vec<TurnTime>> {
    let limits = problem.limits;
    let last = *cells.last()?;
    let start = Entry { time: TurnTime::begin(1, limits.first), before: 0 };
    let mut entries = vec![vec![start]];
    for pair in cells.windows(2) {
        let step = step_between(problem, pair[0], pair[1])?;
        let mut entered: Vec<Entry> = Vec::new();
        for (before, from) in entries.last()?.iter().enumerate() {
            for time in limits.times(from.time, &step).into_iter().flatten() {
                let is_as_good = |one, other| limits.is_as_good(step.to, step.classes[1], one, other);
                if !entered.iter().any(|known| is_as_good(known.time, time)) {
                    entered.retain(|known| !is_as_good(time, known.time));
                    entered.push(Entry { time, before });
                }
            }
        }
        entries.push(entered);
    }
    if !limits.can_stop(last) {
        return None;
    }
    let best = |(_, entry): &(usize, &Entry)| (entry.time.turn, u32::MAX - entry.time.left);
    let (mut index, _) = entries.last()?.iter().enumerate().min_by_key(best)?;
    let mut times = Vec::with_capacity(cells.len());
    for entered in entries.iter().rev() {
        let entry = entered[index];
        times.push(entry.time);
        index = entry.before;
    }
    times.reverse();
    Some(times)
}

/// Returns the step between two cells, if the map and the zones allow it.
pub(crate) fn step_between(problem: &ParetoProblem<'_>, from: GridNode, to: GridNode) -> Option<TimedStep> {
    let mut found = None;
    problem.steps(from, |step| {
        if step.to == to {
            found = Some(step);
        }
    });
    found
}
