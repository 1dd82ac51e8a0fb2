//! Groups of units that may swap places.

use super::query::FormationQuery;
use crate::{
    cell::Cell,
    finder::{
        PathFinder,
        outcome::{Outcome, QueryError},
        query::{MovementId, PathQuery},
    },
};

/// Units of one movement that gather around one cell.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) movement: MovementId,
    /// Cells a side.
    pub(super) side: u8,
    /// The cell around which they gather: the goal, or the closest cell to it that they reach.
    pub(super) anchor: Cell,
    /// The indices of the units.
    pub(super) units: Vec<usize>,
}

/// Returns the kinds of a query, in the order of their first units, and the work.
pub(super) fn kinds(finder: &PathFinder, query: &FormationQuery) -> Result<(Vec<Kind>, u64), QueryError> {
    let mut kinds: Vec<Kind> = Vec::new();
    let mut work = query.units.len() as u64;
    for (index, unit) in query.units.iter().enumerate() {
        let movement = finder.movement(unit.movement).ok_or(QueryError::UnknownMovement(unit.movement))?;
        let side = movement.size().side();
        let goals = goals(finder, query.goal, unit.movement, side);
        let reaches = |goal: Cell| match unit.from {
            Some(from) => finder.is_reachable(&PathQuery::new(from, goal).with_movement(unit.movement)),
            None => Ok(movement.is_open(finder.grid(), goal)),
        };
        let mut anchor = None;
        for goal in goals {
            if reaches(goal)? {
                anchor = Some(goal);
                break;
            }
        }
        let same = |kind: &&mut Kind| kind.movement == unit.movement;
        if let Some(anchor) = anchor {
            if let Some(kind) = kinds.iter_mut().filter(same).find(|kind| kind.anchor == anchor) {
                kind.units.push(index);
            } else {
                kinds.push(Kind { movement: unit.movement, side, anchor, units: vec![index] });
            }
            continue;
        }
        // A kind with this movement may already gather at a cell that the unit reaches.
        let mut known = None;
        for (place, kind) in kinds.iter().enumerate() {
            if kind.movement == unit.movement && reaches(kind.anchor)? {
                known = Some(place);
                break;
            }
        }
        match (known, unit.from) {
            (Some(place), _) => kinds[place].units.push(index),
            (None, Some(from)) => {
                let (anchor, expanded) = closest(finder, from, query.goal, unit.movement)?;
                work += expanded;
                kinds.push(Kind { movement: unit.movement, side, anchor, units: vec![index] });
            }
            // The unit would have to move to closed ground, and its start is unknown.
            (None, None) => {}
        }
    }
    Ok((kinds, work))
}

/// Returns the anchors at which a unit covers a cell. The anchor with the cell nearest to the
/// unit's middle is first.
fn goals(finder: &PathFinder, goal: Cell, movement: MovementId, side: u8) -> Vec<Cell> {
    let reach = i32::from(side) - 1;
    let mut offsets: Vec<(i32, i32)> = (0..=reach).flat_map(|y| (0..=reach).map(move |x| (x, y))).collect();
    offsets.sort_by_key(|&(x, y)| ((2 * x - reach).abs() + (2 * y - reach).abs(), y, x));
    let cells = offsets.into_iter().map(|(x, y)| goal - (x, y));
    if side == 1 {
        return cells.collect();
    }
    let Some(rules) = finder.movement(movement) else { return Vec::new() };
    cells.filter(|&cell| rules.is_open(finder.grid(), cell)).collect()
}

/// Returns the closest cell to the goal that a unit reaches, and the work of the search.
fn closest(
    finder: &PathFinder,
    from: Cell,
    goal: Cell,
    movement: MovementId,
) -> Result<(Cell, u64), QueryError> {
    let query = PathQuery::new(from, goal).with_movement(movement).or_closest();
    let answer = finder.solve(&query)?;
    let cell = match answer.outcome {
        Outcome::Found(path) | Outcome::Unreachable { closest: Some(path) } => path.goal(),
        _ => from,
    };
    Ok((cell, answer.statistics.expanded))
}
