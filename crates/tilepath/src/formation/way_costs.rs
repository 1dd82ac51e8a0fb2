//! What the way of each unit to each place costs, and who takes which by that.

use super::{Formation, FormationUnit, assignment::assign, by_angle::by_angle};
use crate::{
    bounds::Bounds,
    cell::Cell,
    field::{FieldQuery, FieldState, FlowField},
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    search::SearchStatus,
};

/// The number of cells around a formation in which the way to each of its places counts by itself.
const MARGIN: u64 = 4;

/// The number of cells that may be looked at for that, all together.
const MOST_LOOKED_AT: u64 = 1 << 19;

/// Speeds are told apart this finely.
const FINENESS: u128 = 16;

/// Units of one movement take places for it, by the index of the place.
pub(super) fn assign_units(
    finder: &PathFinder,
    units: &[FormationUnit],
    places: &[Cell],
    (anchor, limit): (Cell, u64),
) -> Result<Vec<Option<usize>>, QueryError> {
    let Some(first) = units.first() else { return Ok(Vec::new()) };
    if units.len().max(places.len()) > Formation::MOST_ASSIGNED {
        return Ok(by_angle(units, places));
    }
    let ways = Ways::new(finder, (units, first.movement), places, (anchor, limit))?;
    let fastest = u128::from(units.iter().map(|unit| unit.speed).max().unwrap_or(1));
    let mut times = Vec::with_capacity(units.len() * places.len());
    for unit in units {
        for cost in ways.costs(unit.from)? {
            let time = u128::from(cost) * FINENESS * fastest / u128::from(unit.speed);
            times.push(Some(u64::try_from(time).unwrap_or(u64::MAX)));
        }
    }
    Ok(assign(units.len(), places.len(), &times))
}

struct Ways<'a> {
    finder: &'a PathFinder,
    movement: MovementId,
    anchor: Cell,
    places: &'a [Cell],
    field: FlowField,
    /// How many columns and rows around the anchor ways count by themselves.
    reach: u64,
    /// Of each place, as far as to where the units come; none where the formation is too wide.
    fields: Vec<FlowField>,
}

impl<'a> Ways<'a> {
    fn new(
        finder: &'a PathFinder,
        (units, movement): (&[FormationUnit], MovementId),
        places: &'a [Cell],
        (anchor, limit): (Cell, u64),
    ) -> Result<Self, QueryError> {
        let mut field = finder.begin_field(&FieldQuery::new([anchor]).with_movement(movement))?;
        advance_to(&mut field, units.iter().filter_map(|unit| unit.from), limit);
        let reach = places.iter().map(|&place| columns_and_rows(place, anchor)).max().unwrap_or(0) + MARGIN;
        let mut ways = Self { finder, movement, anchor, places, field, reach, fields: Vec::new() };
        // From one border of the surroundings to the other.
        let looked_at = 4 * (2 * reach + 1).pow(2);
        if looked_at.saturating_mul(places.len() as u64) <= MOST_LOOKED_AT {
            let mut entered: Vec<Cell> =
                units.iter().filter_map(|unit| Some(ways.entry(unit.from?)?.0)).collect();
            entered.sort_unstable();
            entered.dedup();
            for &place in places {
                let mut field = finder.begin_field(&FieldQuery::new([place]).with_movement(movement))?;
                advance_to(&mut field, entered.iter().copied(), looked_at);
                ways.fields.push(field);
            }
        }
        Ok(ways)
    }

    /// What the way of a unit to each place costs; nothing where it is not known from where.
    fn costs(&self, from: Option<Cell>) -> Result<Vec<u64>, QueryError> {
        let Some(from) = from else { return Ok(vec![0; self.places.len()]) };
        let (entered, before) = self.entry(from).unwrap_or((from, 0));
        // How much longer a way is than as the crow flies: so far, and in the surroundings.
        let before = before.saturating_sub(self.as_the_crow_flies(from, entered)?);
        let costs = self.places.iter().enumerate().map(|(place, &cell)| {
            let least = self.as_the_crow_flies(from, cell)?;
            let Some(field) = self.fields.get(place) else { return Ok(least + before) };
            match (field.state(entered), self.field.cost(from)) {
                (FieldState::Settled(rest), _) => {
                    let around = self.as_the_crow_flies(entered, cell)?;
                    Ok(least + before + u64::from(rest.get()).saturating_sub(around))
                }
                // By the middle of the formation: it cannot be seen how else.
                (FieldState::Unreachable | FieldState::CostOverflow, Some(all)) => {
                    Ok(u64::from(all.get()) + self.as_the_crow_flies(self.anchor, cell)?)
                }
                _ => Ok(least + before),
            }
        });
        costs.collect()
    }

    /// The cell where the way of a unit to the anchor enters the surroundings, and what it costs until there.
    fn entry(&self, from: Cell) -> Option<(Cell, u64)> {
        let is_near = |cell: Cell| columns_and_rows(cell, self.anchor) <= self.reach;
        if is_near(from) {
            return Some((from, 0));
        }
        let all = self.field.cost(from)?;
        let path = self.field.path_from(from)?;
        let entered = path.cells().iter().copied().find(|&cell| is_near(cell))?;
        let rest = self.field.cost(entered)?;
        Some((entered, u64::from(all.get().saturating_sub(rest.get()))))
    }

    fn as_the_crow_flies(&self, from: Cell, to: Cell) -> Result<u64, QueryError> {
        let Ok(to) = Bounds::new(to, 1, 1) else { return Ok(u64::MAX) };
        Ok(self.finder.least_cost(self.movement, from, to)?.get().into())
    }
}

/// Until the way from all these cells is known, or the limit is reached.
fn advance_to(field: &mut FlowField, cells: impl Iterator<Item = Cell>, limit: u64) {
    const SLICE: u64 = 64;
    let mut left = limit;
    for from in cells {
        while left > 0 && field.state(from) == FieldState::Pending {
            let slice = left.min(SLICE);
            left -= slice;
            if field.advance(slice) == SearchStatus::Done {
                break;
            }
        }
    }
}

fn columns_and_rows(one: Cell, other: Cell) -> u64 {
    one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)).into()
}
