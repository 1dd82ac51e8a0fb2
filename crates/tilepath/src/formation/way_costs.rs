//! Costs from units to places, and the assignment by them.

use super::{Formation, FormationUnit, assignment::assign, by_angle::by_angle};
use crate::{
    bounds::Bounds,
    cell::Cell,
    field::{FieldQuery, FieldState, FlowField},
    finder::{PathFinder, fields::query::NearestQuery, outcome::QueryError, query::MovementId},
    search::SearchStatus,
};
use rustc_hash::FxHashMap;

/// The width in cells of the margin around a formation in which the path to each place counts
/// separately.
const MARGIN: u64 = 4;

/// The maximum number of cells examined for that, in total.
const MOST_LOOKED_AT: u64 = 1 << 19;

/// The maximum number of expansions, in total, for exact costs by a search from each unit.
const MOST_SEARCHED: u64 = 1 << 14;

/// The resolution of speeds.
const FINENESS: u128 = 16;

/// Assigns places to units of one movement, by the index of the place.
pub(super) fn assign_units(
    finder: &PathFinder,
    units: &[FormationUnit],
    places: &[Cell],
    anchor: Cell,
    limit: u64,
) -> Result<Vec<Option<usize>>, QueryError> {
    let Some(first) = units.first() else { return Ok(Vec::new()) };
    if units.len().max(places.len()) > Formation::MOST_ASSIGNED {
        return Ok(by_angle(units, places));
    }
    let costs = if let Some(costs) = searched_costs(finder, units, first.movement, places)? {
        costs
    } else {
        Ways::new(finder, units, first.movement, places, anchor, limit)?.estimated_costs(units)?
    };
    let fastest = u128::from(units.iter().map(|unit| unit.speed).max().unwrap_or(1));
    let mut times = Vec::with_capacity(units.len() * places.len());
    for (unit, costs) in units.iter().zip(&costs) {
        times.extend(costs.iter().map(|&cost| {
            let time = u128::from(cost?) * FINENESS * fastest / u128::from(unit.speed);
            Some(u64::try_from(time).unwrap_or(u64::MAX))
        }));
    }
    Ok(assign(units.len(), places.len(), &times))
}

/// For each unit the cost of its path to each place; `None` if it cannot reach the place.
type Costs = Vec<Vec<Option<u64>>>;

/// Returns the costs by a search from each unit, or `None` if that needs too many expansions.
fn searched_costs(
    finder: &PathFinder,
    units: &[FormationUnit],
    movement: MovementId,
    places: &[Cell],
) -> Result<Option<Costs>, QueryError> {
    let mut left = MOST_SEARCHED;
    let mut known: FxHashMap<Cell, Vec<Option<u64>>> = FxHashMap::default();
    for from in units.iter().filter_map(|unit| unit.from) {
        if known.contains_key(&from) {
            continue;
        }
        let query = NearestQuery::new(from, places).with_count(places.len()).with_movement(movement);
        let mut search = finder.begin_nearest(&query)?;
        search.advance(left);
        if !search.is_done() {
            return Ok(None);
        }
        left -= search.statistics().expanded.min(left);
        let mut costs = vec![None; places.len()];
        for (index, cost) in search.reached() {
            costs[index] = Some(cost.get().into());
        }
        known.insert(from, costs);
    }
    let anywhere = || vec![Some(0); places.len()];
    let costs = |unit: &FormationUnit| unit.from.and_then(|from| known.get(&from).cloned());
    Ok(Some(units.iter().map(|unit| costs(unit).unwrap_or_else(anywhere)).collect()))
}

struct Ways<'a> {
    finder: &'a PathFinder,
    movement: MovementId,
    anchor: Cell,
    places: &'a [Cell],
    field: FlowField,
    /// The columns and rows around the anchor in which paths count separately.
    reach: u64,
    /// The number of cells that may be examined from one entry; 0 if the formation is too wide.
    looked_at: u64,
    /// The cells at which paths to the anchor enter the surroundings, by the cells on these paths.
    entries: FxHashMap<Cell, Option<Cell>>,
    /// For each entry the rest of the path to each place. Many paths share one entry.
    rests: FxHashMap<Cell, Vec<Rest>>,
}

/// The part of a path from its entry into the surroundings to a place.
#[derive(Clone, Copy)]
enum Rest {
    Costs(u64),
    NoWay,
    /// The path is longer than the search has examined.
    Unknown,
}

impl<'a> Ways<'a> {
    fn new(
        finder: &'a PathFinder,
        units: &[FormationUnit],
        movement: MovementId,
        places: &'a [Cell],
        anchor: Cell,
        limit: u64,
    ) -> Result<Self, QueryError> {
        let mut field = finder.begin_field(&FieldQuery::new([anchor]).with_movement(movement))?;
        advance_to(&mut field, units.iter().filter_map(|unit| unit.from), limit);
        let reach = places.iter().map(|&place| columns_and_rows(place, anchor)).max().unwrap_or(0) + MARGIN;
        // The area from one border of the surroundings to the other.
        let looked_at = 4 * (2 * reach + 1).pow(2);
        let is_too_wide = looked_at.saturating_mul(places.len() as u64) > MOST_LOOKED_AT;
        Ok(Self {
            finder,
            movement,
            anchor,
            places,
            field,
            reach,
            looked_at: if is_too_wide { 0 } else { looked_at },
            entries: FxHashMap::default(),
            rests: FxHashMap::default(),
        })
    }

    /// Returns approximate costs, for many units or units far away.
    fn estimated_costs(&mut self, units: &[FormationUnit]) -> Result<Costs, QueryError> {
        units.iter().map(|unit| Ok(self.costs(unit.from)?.into_iter().map(Some).collect())).collect()
    }

    /// Returns the cost of a unit's path to each place; 0 if its cell is unknown.
    fn costs(&mut self, from: Option<Cell>) -> Result<Vec<u64>, QueryError> {
        let Some(from) = from else { return Ok(vec![0; self.places.len()]) };
        let all = self.field.cost(from);
        let entered = self.entry(from);
        let before = entered.zip(all).and_then(|(entered, all)| {
            let rest = self.field.cost(entered)?;
            Some(u64::from(all.get().saturating_sub(rest.get())))
        });
        let entered = entered.unwrap_or(from);
        if !self.rests.contains_key(&entered) {
            let rests = self.rests_from(entered)?;
            self.rests.insert(entered, rests);
        }
        // The extra cost above the distance without obstacles: here before the entry, below after
        // it.
        let before = before.unwrap_or(0).saturating_sub(self.as_the_crow_flies(from, entered)?);
        let costs = self.places.iter().zip(&self.rests[&entered]).map(|(&cell, &rest)| {
            let least = self.as_the_crow_flies(from, cell)?;
            match (rest, all) {
                (Rest::Costs(rest), _) => {
                    let around = self.as_the_crow_flies(entered, cell)?;
                    Ok(least + before + rest.saturating_sub(around))
                }
                // The path leads through the middle of the formation, because the search found no
                // other.
                (Rest::NoWay, Some(all)) => {
                    Ok(u64::from(all.get()) + self.as_the_crow_flies(self.anchor, cell)?)
                }
                _ => Ok(least + before),
            }
        });
        costs.collect()
    }

    /// Returns the rest of the path to each place, by one search.
    fn rests_from(&self, entered: Cell) -> Result<Vec<Rest>, QueryError> {
        if self.looked_at == 0 {
            return Ok(vec![Rest::Unknown; self.places.len()]);
        }
        let query = NearestQuery::new(entered, self.places)
            .with_count(self.places.len())
            .with_movement(self.movement);
        let mut search = self.finder.begin_nearest(&query)?;
        search.advance(self.looked_at);
        let other = if search.is_done() { Rest::NoWay } else { Rest::Unknown };
        let mut rests = vec![other; self.places.len()];
        for (index, cost) in search.reached() {
            rests[index] = Rest::Costs(cost.get().into());
        }
        Ok(rests)
    }

    /// Returns the cell at which a unit's path to the anchor enters the surroundings.
    fn entry(&mut self, from: Cell) -> Option<Cell> {
        let mut passed = Vec::new();
        let mut here = from;
        let entered = loop {
            if columns_and_rows(here, self.anchor) <= self.reach {
                break Some(here);
            }
            if let Some(&known) = self.entries.get(&here) {
                break known;
            }
            passed.push(here);
            match self.field.direction(here).and_then(|direction| here.neighbour(direction)) {
                Some(next) => here = next,
                None => break None,
            }
        };
        self.entries.extend(passed.into_iter().map(|cell| (cell, entered)));
        entered
    }

    fn as_the_crow_flies(&self, from: Cell, to: Cell) -> Result<u64, QueryError> {
        let Ok(to) = Bounds::new(to, 1, 1) else { return Ok(u64::MAX) };
        Ok(self.finder.least_cost(from, to, self.movement)?.get().into())
    }
}

/// Advances the field until it covers all these cells, or the limit is reached.
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
