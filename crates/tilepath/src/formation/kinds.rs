//! Which units may take each other's places, and around which cell.

use super::FormationQuery;
use crate::{
    cell::Cell,
    finder::{
        PathFinder,
        outcome::{Outcome, QueryError},
        query::{MovementId, PathQuery},
    },
};

/// Units of one movement that gather around one cell.
pub(super) struct Kind {
    pub(super) movement: MovementId,
    /// Cells a side.
    pub(super) side: u8,
    /// Where they gather: at the goal, or at the cell closest to it that they reach.
    pub(super) anchor: Cell,
    /// Their indices.
    pub(super) units: Vec<usize>,
}

/// The kinds of a query, in the order of their first units.
pub(super) fn kinds(finder: &PathFinder, query: &FormationQuery) -> Result<Vec<Kind>, QueryError> {
    let mut kinds: Vec<Kind> = Vec::new();
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
        // Another of its kind may have been as far from the goal.
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
                let anchor = closest(finder, from, query.goal, unit.movement)?;
                kinds.push(Kind { movement: unit.movement, side, anchor, units: vec![index] });
            }
            // It would have to come to closed ground, and from where is not known.
            (None, None) => {}
        }
    }
    Ok(kinds)
}

/// Where a unit stands that covers a cell: that with the cell in its middle first.
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

fn closest(finder: &PathFinder, from: Cell, goal: Cell, movement: MovementId) -> Result<Cell, QueryError> {
    let query = PathQuery::new(from, goal).with_movement(movement).or_closest();
    Ok(match finder.solve(&query)?.outcome {
        Outcome::Found(path) | Outcome::Unreachable { closest: Some(path) } => path.goal(),
        _ => from,
    })
}
