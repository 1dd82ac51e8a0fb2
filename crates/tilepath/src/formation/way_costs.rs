//! Costs from units to places, and the assignment by them.

use super::{
    assignment::Assignment,
    by_angle::by_angle,
    query::FormationUnit,
    slice::{Slice, Stop},
    table::Formation,
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    field::{FieldQuery, FieldState, FlowField},
    finder::{
        PathFinder,
        fields::{nearest::NearestSearch, query::NearestQuery},
        outcome::QueryError,
        query::MovementId,
    },
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

/// The number of entries of a table of costs that are filled for one unit of work.
const FILLED: u64 = 8;

/// The search for the place of each unit of one movement, by the index of the place.
#[derive(Clone, Debug)]
pub(super) struct Assigning {
    units: Vec<FormationUnit>,
    places: Vec<Cell>,
    anchor: Cell,
    limit: u64,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// Exact costs, by a search from each unit.
    Exact(Box<Exact>),
    /// Estimated costs, because exact ones need too many expansions.
    Estimated(Box<Ways>),
    Assign(Box<Assignment>),
}

impl Assigning {
    pub(super) fn new(units: Vec<FormationUnit>, places: &[Cell], anchor: Cell, limit: u64) -> Self {
        let stage = Stage::Exact(Box::new(Exact::new()));
        Self { units, places: places.to_vec(), anchor, limit, stage }
    }

    /// Returns the place of each unit when the search is over.
    pub(super) fn run(&mut self, finder: &PathFinder, slice: &mut Slice) -> Result<Vec<Option<usize>>, Stop> {
        let Self { units, places, anchor, limit, stage } = self;
        let Some(first) = units.first() else { return Ok(Vec::new()) };
        let count = units.len().max(places.len());
        if count > Formation::MOST_ASSIGNED {
            slice.check()?;
            slice.spend(count as u64);
            return Ok(by_angle(units, places));
        }
        loop {
            match stage {
                Stage::Exact(exact) => {
                    if exact.search(finder, units, first.movement, places, slice)? {
                        *stage = Stage::assign(units, places.len(), &exact.costs(units, places.len()));
                    } else {
                        let ways = Ways::new(finder, first.movement, places, *anchor, *limit)?;
                        *stage = Stage::Estimated(Box::new(ways));
                    }
                }
                Stage::Estimated(ways) => {
                    ways.estimate(finder, units, places, slice)?;
                    *stage = Stage::assign(units, places.len(), &ways.costs);
                }
                Stage::Assign(assignment) => return assignment.run(slice),
            }
        }
    }
}

impl Stage {
    /// Begins the assignment by these costs.
    fn assign(units: &[FormationUnit], places: usize, costs: &Costs) -> Self {
        let fastest = u128::from(units.iter().map(|unit| unit.speed).max().unwrap_or(1));
        let mut times = Vec::with_capacity(units.len() * places);
        for (unit, costs) in units.iter().zip(costs) {
            times.extend(costs.iter().map(|&cost| {
                let time = u128::from(cost?) * FINENESS * fastest / u128::from(unit.speed);
                Some(u64::try_from(time).unwrap_or(u64::MAX))
            }));
        }
        Self::Assign(Box::new(Assignment::new(units.len(), places, &times)))
    }
}

/// For each unit the cost of its path to each place; `None` if it cannot reach the place.
type Costs = Vec<Vec<Option<u64>>>;

/// Costs by a search from each unit.
#[derive(Clone, Debug)]
struct Exact {
    /// The expansions that are left for all further searches.
    left: u64,
    known: FxHashMap<Cell, Vec<Option<u64>>>,
    /// The search from the first unit whose cell is not known.
    running: Option<NearestSearch>,
}

impl Exact {
    fn new() -> Self {
        Self { left: MOST_SEARCHED, known: FxHashMap::default(), running: None }
    }

    /// Searches from each unit. Returns false if that needs too many expansions.
    fn search(
        &mut self,
        finder: &PathFinder,
        units: &[FormationUnit],
        movement: MovementId,
        places: &[Cell],
        slice: &mut Slice,
    ) -> Result<bool, Stop> {
        for from in units.iter().filter_map(|unit| unit.from) {
            if self.known.contains_key(&from) {
                continue;
            }
            let reached = reach(finder, (from, movement), places, self.left, &mut self.running, slice)?;
            if !reached.is_done {
                return Ok(false);
            }
            self.left -= reached.expanded.min(self.left);
            self.known.insert(from, reached.costs);
        }
        Ok(true)
    }

    fn costs(&self, units: &[FormationUnit], places: usize) -> Costs {
        let anywhere = || vec![Some(0); places];
        let costs = |unit: &FormationUnit| unit.from.and_then(|from| self.known.get(&from).cloned());
        units.iter().map(|unit| costs(unit).unwrap_or_else(anywhere)).collect()
    }
}

/// The answer of a search from one cell to all places.
struct Reached {
    is_done: bool,
    expanded: u64,
    costs: Vec<Option<u64>>,
}

/// Searches from a cell to all places, with at most `most` expansions. If the slice ends before,
/// `running` keeps the search.
fn reach(
    finder: &PathFinder,
    (from, movement): (Cell, MovementId),
    places: &[Cell],
    most: u64,
    running: &mut Option<NearestSearch>,
    slice: &mut Slice,
) -> Result<Reached, Stop> {
    slice.check()?;
    let search = if let Some(search) = running {
        search
    } else {
        let query = NearestQuery::new(from, places).with_count(places.len()).with_movement(movement);
        let search = running.insert(finder.unmetered_nearest(&query)?);
        slice.spend(search.work());
        search
    };
    let mut expanded = search.statistics().expanded;
    while !search.is_done() && expanded < most {
        slice.check()?;
        search.advance(slice.left().min(most - expanded));
        let before = std::mem::replace(&mut expanded, search.statistics().expanded);
        slice.spend((expanded - before).max(1));
    }
    let mut costs = vec![None; places.len()];
    for (index, cost) in search.reached() {
        costs[index] = Some(cost.get().into());
    }
    let reached = Reached { is_done: search.is_done(), expanded, costs };
    *running = None;
    Ok(reached)
}

/// Costs by one field around the anchor, and the rest of each path by a search.
#[derive(Clone, Debug)]
struct Ways {
    movement: MovementId,
    anchor: Cell,
    field: FlowField,
    /// The number of units whose cells the field covers, and the expansions that are left for it.
    covered: usize,
    left: u64,
    /// The columns and rows around the anchor in which paths count separately.
    reach: u64,
    /// The number of cells that may be examined from one entry; 0 if the formation is too wide.
    looked_at: u64,
    /// The cells at which paths to the anchor enter the surroundings, by the cells on these paths.
    entries: FxHashMap<Cell, Option<Cell>>,
    /// For each entry the rest of the path to each place. Many paths share one entry.
    rests: FxHashMap<Cell, Vec<Rest>>,
    running: Option<NearestSearch>,
    /// The costs of the first units.
    costs: Costs,
}

/// The part of a path from its entry into the surroundings to a place.
#[derive(Clone, Copy, Debug)]
enum Rest {
    Costs(u64),
    NoWay,
    /// The path is longer than the search has examined.
    Unknown,
}

impl Ways {
    fn new(
        finder: &PathFinder,
        movement: MovementId,
        places: &[Cell],
        anchor: Cell,
        limit: u64,
    ) -> Result<Self, QueryError> {
        let field = finder.begin_field(&FieldQuery::new([anchor]).with_movement(movement))?;
        let reach = places.iter().map(|&place| columns_and_rows(place, anchor)).max().unwrap_or(0) + MARGIN;
        // The area from one border of the surroundings to the other.
        let looked_at = 4 * (2 * reach + 1).pow(2);
        let is_too_wide = looked_at.saturating_mul(places.len() as u64) > MOST_LOOKED_AT;
        Ok(Self {
            movement,
            anchor,
            field,
            covered: 0,
            left: limit,
            reach,
            looked_at: if is_too_wide { 0 } else { looked_at },
            entries: FxHashMap::default(),
            rests: FxHashMap::default(),
            running: None,
            costs: Vec::new(),
        })
    }

    /// Finds approximate costs, for many units or units far away.
    fn estimate(
        &mut self,
        finder: &PathFinder,
        units: &[FormationUnit],
        places: &[Cell],
        slice: &mut Slice,
    ) -> Result<(), Stop> {
        while let Some(unit) = units.get(self.covered) {
            if let Some(from) = unit.from {
                self.spread_to(from, slice)?;
            }
            self.covered += 1;
        }
        while let Some(unit) = units.get(self.costs.len()) {
            slice.check()?;
            let costs = self.costs_of(finder, unit.from, places, slice)?;
            slice.spend(places.len() as u64 / FILLED);
            self.costs.push(costs.into_iter().map(Some).collect());
        }
        Ok(())
    }

    /// Advances the field until it covers a cell, or its limit is reached.
    fn spread_to(&mut self, from: Cell, slice: &mut Slice) -> Result<(), Stop> {
        const STEP: u64 = 64;
        while self.left > 0 && self.field.state(from) == FieldState::Pending {
            slice.check()?;
            let step = self.left.min(STEP);
            self.left -= step;
            slice.spend(step);
            if self.field.advance(step) == SearchStatus::Done {
                break;
            }
        }
        Ok(())
    }

    /// Returns the cost of a unit's path to each place; 0 if its cell is unknown.
    fn costs_of(
        &mut self,
        finder: &PathFinder,
        from: Option<Cell>,
        places: &[Cell],
        slice: &mut Slice,
    ) -> Result<Vec<u64>, Stop> {
        let Some(from) = from else { return Ok(vec![0; places.len()]) };
        let all = self.field.cost(from);
        let entered = self.entry(from, slice);
        let before = entered.zip(all).and_then(|(entered, all)| {
            let rest = self.field.cost(entered)?;
            Some(u64::from(all.get().saturating_sub(rest.get())))
        });
        let entered = entered.unwrap_or(from);
        if !self.rests.contains_key(&entered) {
            let rests = self.rests_from(finder, entered, places, slice)?;
            self.rests.insert(entered, rests);
        }
        let as_the_crow_flies = |from, to| as_the_crow_flies(finder, self.movement, from, to);
        // The extra cost above the distance without obstacles: here before the entry, below after
        // it.
        let before = before.unwrap_or(0).saturating_sub(as_the_crow_flies(from, entered)?);
        let costs = places.iter().zip(&self.rests[&entered]).map(|(&cell, &rest)| {
            let least = as_the_crow_flies(from, cell)?;
            match (rest, all) {
                (Rest::Costs(rest), _) => {
                    let around = as_the_crow_flies(entered, cell)?;
                    Ok(least + before + rest.saturating_sub(around))
                }
                // The path leads through the middle of the formation, because the search found no
                // other.
                (Rest::NoWay, Some(all)) => Ok(u64::from(all.get()) + as_the_crow_flies(self.anchor, cell)?),
                _ => Ok(least + before),
            }
        });
        Ok(costs.collect::<Result<_, QueryError>>()?)
    }

    /// Returns the rest of the path to each place, by one search.
    fn rests_from(
        &mut self,
        finder: &PathFinder,
        entered: Cell,
        places: &[Cell],
        slice: &mut Slice,
    ) -> Result<Vec<Rest>, Stop> {
        if self.looked_at == 0 {
            return Ok(vec![Rest::Unknown; places.len()]);
        }
        let from = (entered, self.movement);
        let reached = reach(finder, from, places, self.looked_at, &mut self.running, slice)?;
        let other = if reached.is_done { Rest::NoWay } else { Rest::Unknown };
        Ok(reached.costs.into_iter().map(|cost| cost.map_or(other, Rest::Costs)).collect())
    }

    /// Returns the cell at which a unit's path to the anchor enters the surroundings.
    fn entry(&mut self, from: Cell, slice: &mut Slice) -> Option<Cell> {
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
        slice.spend(passed.len() as u64);
        self.entries.extend(passed.into_iter().map(|cell| (cell, entered)));
        entered
    }
}

fn as_the_crow_flies(
    finder: &PathFinder,
    movement: MovementId,
    from: Cell,
    to: Cell,
) -> Result<u64, QueryError> {
    let Ok(to) = Bounds::new(to, 1, 1) else { return Ok(u64::MAX) };
    Ok(finder.least_cost(from, to, movement)?.get().into())
}

fn columns_and_rows(one: Cell, other: Cell) -> u64 {
    one.x.abs_diff(other.x).max(one.y.abs_diff(other.y)).into()
}
