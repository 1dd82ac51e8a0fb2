//! What the way of each unit to each place costs, and who takes which by that.

use super::{Formation, FormationUnit, assignment::assign, by_angle::by_angle};
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    crowd::{LocalField, Steps},
    field::{FieldQuery, FieldState, FlowField},
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    search::SearchStatus,
};

/// So many cells around a formation the way to each of its places counts by itself.
const MARGIN: u64 = 4;

/// So many cells may be looked at for that, all together.
const MOST_LOOKED_AT: u64 = 1 << 20;

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
    bounds: Bounds,
    anchor: Cell,
    places: &'a [Cell],
    field: FlowField,
    /// How many columns and rows around the anchor ways count by themselves.
    reach: u64,
    /// For each place what the ways to it cost from there; none where the formation is too wide.
    fields: Vec<LocalField>,
}

impl<'a> Ways<'a> {
    fn new(
        finder: &'a PathFinder,
        (units, movement): (&[FormationUnit], MovementId),
        places: &'a [Cell],
        (anchor, limit): (Cell, u64),
    ) -> Result<Self, QueryError> {
        let bounds = finder.grid().bounds();
        let mut field = finder.begin_field(&FieldQuery::new([anchor]).with_movement(movement))?;
        advance_to(&mut field, units, limit);
        let reach = places.iter().map(|&place| columns_and_rows(place, anchor)).max().unwrap_or(0) + MARGIN;
        let steps = Steps::new(finder, movement)?;
        let looked_at = (2 * reach + 1).pow(2).saturating_mul(places.len() as u64);
        let mut fields = Vec::new();
        if looked_at <= MOST_LOOKED_AT
            && let Some(centre) = bounds.slot(anchor)
        {
            let slots = places.iter().filter_map(|&place| bounds.slot(place));
            let around = |slot| LocalField::around(&steps, centre, reach as u32, [(slot, Cost::ZERO)]);
            fields.extend(slots.map(around));
        }
        Ok(Self { finder, movement, bounds, anchor, places, field, reach, fields })
    }

    /// What the way of a unit to each place costs; nothing where it is not known from where.
    fn costs(&self, from: Option<Cell>) -> Result<Vec<u64>, QueryError> {
        let Some(from) = from else { return Ok(vec![0; self.places.len()]) };
        let entry = self.entry(from);
        let costs = self.places.iter().enumerate().map(|(place, &cell)| {
            let around = entry
                .zip(self.fields.get(place))
                .and_then(|((slot, before), field)| Some(before + u64::from(field.rest(slot)?.get())));
            match (around, self.field.cost(from)) {
                (Some(cost), _) => Ok(cost),
                // By the middle of the formation: it cannot be seen how else.
                (None, Some(all)) => Ok(u64::from(all.get()) + self.as_the_crow_flies(self.anchor, cell)?),
                (None, None) => self.as_the_crow_flies(from, cell),
            }
        });
        costs.collect()
    }

    /// The slot where the way of a unit to the anchor enters the surroundings, and what it costs until there.
    fn entry(&self, from: Cell) -> Option<(usize, u64)> {
        let is_near = |cell: Cell| columns_and_rows(cell, self.anchor) <= self.reach;
        if is_near(from) {
            return Some((self.bounds.slot(from)?, 0));
        }
        let all = self.field.cost(from)?;
        let path = self.field.path_from(from)?;
        let entered = path.cells().iter().copied().find(|&cell| is_near(cell))?;
        let rest = self.field.cost(entered)?;
        Some((self.bounds.slot(entered)?, u64::from(all.get().saturating_sub(rest.get()))))
    }

    fn as_the_crow_flies(&self, from: Cell, to: Cell) -> Result<u64, QueryError> {
        let Ok(to) = Bounds::new(to, 1, 1) else { return Ok(u64::MAX) };
        Ok(self.finder.least_cost(self.movement, from, to)?.get().into())
    }
}

/// Until all units know their way, or the limit is reached.
fn advance_to(field: &mut FlowField, units: &[FormationUnit], limit: u64) {
    const SLICE: u64 = 256;
    let mut left = limit;
    for from in units.iter().filter_map(|unit| unit.from) {
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
