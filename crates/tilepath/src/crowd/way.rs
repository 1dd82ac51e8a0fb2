//! Bodies that go by ways of their own, and find back to them.

use super::{BodyId, Guide, Surroundings, guide::Steps, local_field::LocalField};
use crate::{
    bounds::Slot,
    cell::{Cell, Direction},
    cost::Cost,
    exits::Exits,
    field::FlowField,
};

/// How far around a body that is off its way cells of the way are looked for, along each axis.
const REJOINED_WITHIN: u32 = 5;

/// The cells that a body has been led over, and is to be led over next.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, crowd::Way};
/// let cells = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 1)];
/// let rests = [24, 14, 0].map(Cost::new);
/// let way = Way::new(&cells, &rests, 1);
/// assert_eq!(way.rest(Cell::new(2, 1)), Some(Cost::ZERO));
/// assert_eq!(way.rest(Cell::new(2, 0)), None, "it does not lead there");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Way<'way> {
    cells: &'way [Cell],
    rests: &'way [Cost],
}

impl<'way> Way<'way> {
    /// The way over these cells, neighbours each, from the one of that index on: the one that the body stood on last. `rests` is
    /// what is left of the cost at each; cells without one are not used.
    #[must_use]
    pub fn new(cells: &'way [Cell], rests: &'way [Cost], at: usize) -> Self {
        let end = cells.len().min(rests.len());
        let at = at.min(end);
        Self { cells: &cells[at..end], rests: &rests[at..end] }
    }

    /// The place of a cell on it, from the one that the body stood on last.
    ///
    /// # Complexity
    /// O(cells left) at most; a few steps for cells near to its beginning.
    #[inline]
    #[must_use]
    pub fn place_of(&self, cell: Cell) -> Option<usize> {
        let mut place = 0;
        loop {
            let here = self.cells.get(place)?;
            // A step leads to a neighbour, so that all before the cell that far on are elsewhere.
            let away = here.x.abs_diff(cell.x).max(here.y.abs_diff(cell.y));
            if away == 0 {
                return Some(place);
            }
            place += away as usize;
        }
    }

    /// What is left of its cost at a cell; `None` off the way.
    #[inline]
    #[must_use]
    pub fn rest(&self, cell: Cell) -> Option<Cost> {
        self.place_of(cell).map(|place| self.rests[place])
    }

    /// Those of its cells that lie within that many of another along each axis, with what is left of the cost at each.
    fn near(&self, cell: Cell, within: u32) -> impl Iterator<Item = (Cell, Cost)> + use<'way> {
        let Self { cells, rests } = *self;
        let mut place = 0;
        std::iter::from_fn(move || {
            loop {
                let here = *cells.get(place)?;
                let away = here.x.abs_diff(cell.x).max(here.y.abs_diff(cell.y));
                // A step leads to a neighbour.
                let beyond = away.saturating_sub(within) as usize;
                place += beyond.max(1);
                if beyond == 0 {
                    return Some((here, rests[place - 1]));
                }
            }
        })
    }

    /// Its cells from the one that the body stood on last, with what is left of the cost at each.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> + use<'way> {
        self.cells.iter().copied().zip(self.rests.iter().copied())
    }
}

/// Where a body is led.
#[derive(Clone, Copy, Debug)]
pub struct Lead<'map> {
    /// Where it may step.
    pub steps: Steps<'map>,
    /// Its own way. Empty, it is led by the field alone.
    pub way: Way<'map>,
    /// The surroundings of its goal, where others go or rest, too. What it knows comes before the way.
    pub field: Option<&'map LocalField>,
    /// What the ways to its goals cost from all cells, where many have the same ones: a field that is complete and of the same
    /// movement. It comes before all others, so that the body may pass wherever that brings it nearer.
    pub shared: Option<&'map FlowField>,
    /// The slot that it stands on or enters.
    pub at: usize,
}

/// Leads bodies along their own ways. One that has been pushed off its way is led back to it, to where the way and the cost of getting
/// there come to least.
///
/// # Guarantee
/// On the way, and within a field, costs are what those say. Beside the way they are those of rejoining it: with the next
/// step for the neighbours of a body that stands on it, within five cells along each axis for one that does not. Farther off it
/// is led nowhere: give it another way.
///
/// # Examples
/// A soldier that stands beside its way is led back, and not along it.
/// ```
/// use tilepath::{Cell, Cost, Grid, Movement, MovementId, PathFinder};
/// use tilepath::crowd::{Activity, Body, Crowd, Lead, Steps, Way, WayGuide};
///
/// let finder = PathFinder::new(Grid::new(9, 3, 1)?, Movement::new());
/// let path = finder.find(Cell::new(0, 0), Cell::new(8, 0))?.into_path().unwrap();
/// let rests: Vec<Cost> = (0..=8).rev().map(|steps| Cost::new(10 * steps)).collect();
/// let steps = Steps::new(&finder, MovementId::FIRST)?;
///
/// let mut crowd = Crowd::new(finder.grid());
/// let start = Cell::new(2, 2);
/// let soldier = crowd.insert(&Body { activity: Activity::UnderWay { since: 0 }, ..Body::new(1, start) })?;
/// for _ in 0..8 {
///     let at = finder.grid().bounds().slot(crowd.cell(soldier)).unwrap();
///     let leads = [Lead { steps, way: Way::new(path.cells(), &rests, 0), field: None, shared: None, at }];
///     crowd.tick(&mut WayGuide::new(&leads));
/// }
/// assert_eq!(crowd.cell(soldier), Cell::new(8, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct WayGuide<'map> {
    leads: &'map [Lead<'map>],
    /// The way back, for a body that is off its way.
    back: LocalField,
    /// The body that it was made for, and the slot around which.
    back_of: Option<(BodyId, usize)>,
}

impl<'map> WayGuide<'map> {
    /// Leads each body by the one of these that has its [index](BodyId::index). Bodies without one are led nowhere.
    #[must_use]
    pub fn new(leads: &'map [Lead<'map>]) -> Self {
        Self { leads, back: LocalField::default(), back_of: None }
    }

    /// How the body of that id is led.
    #[inline]
    #[must_use]
    pub fn lead(&self, body: BodyId) -> Option<&'map Lead<'map>> {
        self.leads.get(body.index())
    }

    /// What rejoining the way from a slot costs, around a place where the body is.
    fn rest_back(&mut self, body: BodyId, lead: &Lead, around: usize, slot: Slot) -> Option<Cost> {
        if self.back_of != Some((body, around)) {
            self.back_of = Some((body, around));
            let bounds = lead.steps.bounds();
            let near = bounds.cell(around).into_iter().flat_map(|cell| lead.way.near(cell, REJOINED_WITHIN));
            let cells = near.filter_map(|(cell, rest)| Some((bounds.slot(cell)?, rest)));
            self.back.begin(&lead.steps, around, REJOINED_WITHIN, cells);
        }
        self.back.rest_by(&lead.steps, slot)
    }
}

/// What the way from a cell beside the way costs that rejoins it with the next step, near to a place on it.
fn rest_with_a_step(lead: &Lead, near: usize, slot: Slot) -> Option<Cost> {
    let bounds = lead.steps.bounds();
    let from = bounds.cell(slot)?;
    let exits = lead.steps.exits(slot);
    let places = near.saturating_sub(1)..(near + 4).min(lead.way.cells.len());
    let sums = places.filter_map(|place| {
        let direction = Direction::between(from, lead.way.cells[place])?;
        let entered = bounds.slot(lead.way.cells[place])?;
        exits
            .contains(direction)
            .then(|| lead.steps.cost(entered, direction))?
            .checked_add(lead.way.rests[place])
    });
    sums.min()
}

impl Guide for WayGuide<'_> {
    #[inline]
    fn exits(&mut self, body: BodyId, slot: Slot) -> Exits {
        self.lead(body).map_or(Exits::NONE, |lead| lead.steps.exits(slot))
    }

    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost> {
        let lead = self.lead(body)?;
        if let Some(shared) = lead.shared {
            return shared.cost_at(slot);
        }
        let known = lead.field.and_then(|field| field.rest(slot));
        let known = known.or_else(|| lead.way.rest(lead.steps.bounds().cell(slot)?));
        known.or_else(|| self.rest_back(body, lead, lead.at, slot))
    }

    #[inline]
    fn step_cost(&mut self, body: BodyId, entered: Slot, direction: Direction) -> Cost {
        self.lead(body).map_or(Cost::ZERO, |lead| lead.steps.cost(entered, direction))
    }

    fn look_around(&mut self, body: BodyId, slot: Slot, offsets: &[isize; 8]) -> Surroundings {
        let Some(lead) = self.lead(body) else { return Surroundings::of(Exits::NONE) };
        if let Some(shared) = lead.shared {
            return lead.steps.look_around(slot, offsets, shared);
        }
        let bounds = lead.steps.bounds();
        let cell_of = |slot: Slot| bounds.cell(slot);
        let place = cell_of(slot).and_then(|cell| lead.way.place_of(cell));
        let known = |slot: Slot| {
            let by_field = lead.field.and_then(|field| field.rest(slot));
            by_field.or_else(|| lead.way.rest(cell_of(slot)?))
        };
        let mut seen = Surroundings::of(lead.steps.exits(slot));
        seen.rest = known(slot).or_else(|| self.rest_back(body, lead, slot, slot)).unwrap_or(Cost::MAX);
        let mut exits = seen.exits.bits();
        while exits != 0 {
            let direction = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            let entered = slot.wrapping_add_signed(offsets[direction]);
            let rest = known(entered).or_else(|| match place {
                Some(place) => rest_with_a_step(lead, place, entered),
                None => self.rest_back(body, lead, slot, entered),
            });
            seen.rests[direction] = rest.unwrap_or(Cost::MAX);
            seen.step_costs[direction] = lead.steps.cost(entered, Direction::ALL[direction]);
        }
        seen
    }

    #[inline]
    fn effort(&mut self, body: BodyId, _entered: usize, direction: Direction) -> u32 {
        self.lead(body).map_or(super::EFFORT_PER_STRAIGHT_STEP, |lead| lead.steps.effort(direction))
    }
}
