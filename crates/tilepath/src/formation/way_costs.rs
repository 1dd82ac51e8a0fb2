//! What the way of each unit to each place costs, and who takes which by that.

use super::{Formation, FormationUnit, assignment::assign, by_angle::by_angle};
use crate::{
    bounds::Bounds,
    cell::Cell,
    field::{FieldQuery, FieldState, FlowField},
    finder::{PathFinder, fields::query::NearestQuery, outcome::QueryError, query::MovementId},
    search::SearchStatus,
};
use rustc_hash::FxHashMap;

/// The number of cells around a formation in which the way to each of its places counts by itself.
const MARGIN: u64 = 4;

/// The number of cells that may be looked at for that, all together.
const MOST_LOOKED_AT: u64 = 1 << 19;

/// The number of expansions, all together, up to which a search from each unit says what its ways cost.
const MOST_SEARCHED: u64 = 1 << 14;

/// Speeds are told apart this finely.
const FINENESS: u128 = 16;

/// Units of one movement take places for it, by the index of the place.
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

/// For each unit what its way to each place costs; nothing for a place that it cannot reach.
type Costs = Vec<Vec<Option<u64>>>;

/// What ways cost, by a search from each unit; `None` where that would take too many expansions.
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
    /// How many columns and rows around the anchor ways count by themselves.
    reach: u64,
    /// How many cells may be looked at from one cell of the border; none where the formation is too wide.
    looked_at: u64,
    /// Where the ways to the anchor enter the surroundings, by cells on them.
    entries: FxHashMap<Cell, Option<Cell>>,
    /// For each of these cells the rest of the way to each place: ways meet before they come there.
    rests: FxHashMap<Cell, Vec<Rest>>,
}

/// The way from where the surroundings are entered to a place.
#[derive(Clone, Copy)]
enum Rest {
    Costs(u64),
    NoWay,
    /// It is longer than the search has looked.
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
        // From one border of the surroundings to the other.
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

    /// What ways cost about, where units are many or far away.
    fn estimated_costs(&mut self, units: &[FormationUnit]) -> Result<Costs, QueryError> {
        units.iter().map(|unit| Ok(self.costs(unit.from)?.into_iter().map(Some).collect())).collect()
    }

    /// What the way of a unit to each place costs; nothing where it is not known from where.
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
        // How much longer a way is than as the crow flies: so far, and in the surroundings.
        let before = before.unwrap_or(0).saturating_sub(self.as_the_crow_flies(from, entered)?);
        let costs = self.places.iter().zip(&self.rests[&entered]).map(|(&cell, &rest)| {
            let least = self.as_the_crow_flies(from, cell)?;
            match (rest, all) {
                (Rest::Costs(rest), _) => {
                    let around = self.as_the_crow_flies(entered, cell)?;
                    Ok(least + before + rest.saturating_sub(around))
                }
                // By the middle of the formation: it cannot be seen how else.
                (Rest::NoWay, Some(all)) => {
                    Ok(u64::from(all.get()) + self.as_the_crow_flies(self.anchor, cell)?)
                }
                _ => Ok(least + before),
            }
        });
        costs.collect()
    }

    /// The rest of the way to each place, by one search.
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

    /// The cell where the way of a unit to the anchor enters the surroundings.
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
