//! Bodies that follow their own paths, and rejoin them.

use super::{
    body::BodyId,
    effort::EFFORT_PER_STRAIGHT_STEP,
    guide::{Guide, Steps, Surroundings},
    local_field::LocalField,
};
use crate::{
    bounds::Slot,
    cell::{Cell, Direction},
    cost::Cost,
    exits::Exits,
    field::FlowField,
};

/// The distance, along each axis in cells, within which a body that is off its path searches for
/// cells of it.
const REJOINED_WITHIN: u32 = 5;

/// The path of a body with the remaining cost at each cell. The path begins at the cell on which
/// the body stood last.
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
    /// The cell around which a body off the path searches for cells of it.
    left_at: Option<Cell>,
}

impl<'way> Way<'way> {
    /// Creates a path over `cells`, from the index `at` on. `at` is the index of the cell on which
    /// the body stood last. Each cell must be a neighbour of the cell before. `rests` holds the
    /// remaining cost at each cell. If `rests` is shorter than `cells`, the last cells are not
    /// used.
    #[must_use]
    pub fn new(cells: &'way [Cell], rests: &'way [Cost], at: usize) -> Self {
        let end = cells.len().min(rests.len());
        let at = at.min(end);
        Self { cells: &cells[at..end], rests: &rests[at..end], left_at: None }
    }

    /// Returns the same path for a body that has left it at this cell: see
    /// [`left_at`](Self::left_at).
    #[must_use]
    pub const fn with_left_at(self, left_at: Option<Cell>) -> Self {
        Self { left_at, ..self }
    }

    /// Returns the cell around which a body that stands on `cell` searches for its path. Returns
    /// `None` if `cell` is on the path.
    ///
    /// Keep the cell for the body, and pass it to [`with_left_at`](Self::with_left_at). Ask again after each
    /// step. While the cell stays the same, each step of a body alone brings it nearer to the path. So
    /// the answer is the cell of [`with_left_at`](Self::with_left_at), unless `cell` is more than five
    /// cells from it along an axis, or later cells of the path are near `cell`.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, crowd::Way};
    /// let cells: Vec<Cell> = (0..20).map(|x| Cell::new(x, 0)).collect();
    /// let rests: Vec<Cost> = (0..20).rev().map(|left| Cost::new(10 * left)).collect();
    /// let way = Way::new(&cells, &rests, 3);
    /// let left_at = way.left_at(Cell::new(4, 1));
    /// assert_eq!(left_at, Some(Cell::new(4, 1)));
    /// assert_eq!(way.with_left_at(left_at).left_at(Cell::new(3, 2)), left_at, "it was pushed back");
    /// assert_eq!(way.with_left_at(left_at).left_at(Cell::new(5, 1)), Some(Cell::new(5, 1)));
    /// assert_eq!(way.with_left_at(left_at).left_at(Cell::new(5, 0)), None, "it is on its path again");
    /// ```
    ///
    /// # Complexity
    /// O(remaining cells) at most. Cells far away take only a few steps.
    #[must_use]
    pub fn left_at(&self, cell: Cell) -> Option<Cell> {
        if self.place_of(cell).is_some() {
            return None;
        }
        let last_rest = |around: Cell| self.near(around, REJOINED_WITHIN).last().map(|(place, ..)| place);
        let kept = self.left_at.filter(|&left| is_within(left, cell, REJOINED_WITHIN));
        kept.filter(|&left| last_rest(left) >= last_rest(cell)).or(Some(cell))
    }

    /// Returns the index of a cell on the path, counted from the cell on which the body stood last.
    ///
    /// # Complexity
    /// O(remaining cells) at most. Cells near the beginning of the path take only a few steps.
    #[inline]
    #[must_use]
    pub fn place_of(&self, cell: Cell) -> Option<usize> {
        let mut place = 0;
        loop {
            let here = self.cells.get(place)?;
            // Each step leads to a neighbour, so the cell is at least `away` places further.
            let away = here.x.abs_diff(cell.x).max(here.y.abs_diff(cell.y));
            if away == 0 {
                return Some(place);
            }
            place += away as usize;
        }
    }

    /// Returns the remaining cost at a cell, or `None` if the cell is not on the path.
    #[inline]
    #[must_use]
    pub fn rest(&self, cell: Cell) -> Option<Cost> {
        self.place_of(cell).map(|place| self.rests[place])
    }

    /// Returns the cells of the path within `within` cells of another along each axis, with their
    /// places and the remaining costs.
    fn near(&self, cell: Cell, within: u32) -> impl Iterator<Item = (usize, Cell, Cost)> + use<'way> {
        let Self { cells, rests, .. } = *self;
        let mut place = 0;
        std::iter::from_fn(move || {
            loop {
                let here = *cells.get(place)?;
                let away = here.x.abs_diff(cell.x).max(here.y.abs_diff(cell.y));
                // Each step leads to a neighbour.
                let beyond = away.saturating_sub(within) as usize;
                place += beyond.max(1);
                if beyond == 0 {
                    return Some((place - 1, here, rests[place - 1]));
                }
            }
        })
    }

    /// Returns the cells from the one on which the body stood last, with the remaining costs.
    pub fn cells(&self) -> impl Iterator<Item = (Cell, Cost)> + use<'way> {
        self.cells.iter().copied().zip(self.rests.iter().copied())
    }
}

/// The path and the fields that lead a body.
#[derive(Clone, Copy, Debug)]
pub struct Lead<'map> {
    /// The steps that the map allows to the body.
    pub steps: Steps<'map>,
    /// The body's own path. If it is empty, only the fields lead the body.
    pub way: Way<'map>,
    /// The costs around the body's goal, if other bodies go or rest there too. The costs of this
    /// field have priority over the costs of `way`.
    pub field: Option<&'map LocalField>,
    /// The costs to the body's goals from all cells, if many bodies have the same goals. It must be
    /// a complete field for the same movement. It has priority over `way` and `field`, so the body
    /// may take any cell that brings it nearer.
    pub shared: Option<&'map FlowField>,
    /// The slot of the cell on which the body stands, or which it enters.
    pub at: usize,
}

/// A guide that leads bodies along their own paths. A body that was pushed off its path is led back
/// to the path. It rejoins the path at the cell for which the cost to get there plus the remaining
/// cost is least.
///
/// # Guarantee
/// On the path, the guide returns the remaining costs of the path. Within a field, it returns the
/// costs of the field. Off both, it returns the costs of rejoining the path:
/// - for a body on its path: for each neighbour cell from which one step rejoins the path,
/// - for a body off its path: for the cells within five cells of the body along each axis. For a
///   decision, it is within five cells of the cell of [`Way::with_left_at`], if there is one.
///
/// A body that is farther off is not led anywhere: give it another path.
///
/// # Examples
/// A soldier that stands beside its path is led back to it, but not along it.
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
    /// The costs of the path back, for a body that is off its path.
    back: LocalField,
    /// The body for which `back` was made, and the slot at its centre.
    back_of: Option<(BodyId, usize)>,
}

impl<'map> WayGuide<'map> {
    /// Creates a guide. It leads each body by the entry of `leads` at the body's
    /// [index](BodyId::index). Bodies without a lead are not led anywhere.
    #[must_use]
    pub fn new(leads: &'map [Lead<'map>]) -> Self {
        Self { leads, back: LocalField::default(), back_of: None }
    }

    /// Returns the lead of the body with this id.
    #[inline]
    #[must_use]
    pub fn lead(&self, body: BodyId) -> Option<&'map Lead<'map>> {
        self.leads.get(body.index())
    }

    /// Returns the slot around which a body off its path looks for it: the slot where it has left its
    /// path, if the field there leads it from its own slot.
    fn centre_for(&mut self, body: BodyId, lead: &Lead, slot: Slot) -> Slot {
        let left = lead.way.left_at.and_then(|left| lead.steps.bounds().slot(left));
        left.filter(|&left| self.rest_back(body, lead, left, slot).is_some()).unwrap_or(slot)
    }

    /// Returns the cost from a slot to rejoin the path and follow it. `around` is the middle of the
    /// square.
    fn rest_back(&mut self, body: BodyId, lead: &Lead, around: usize, slot: Slot) -> Option<Cost> {
        if self.back_of != Some((body, around)) {
            self.back_of = Some((body, around));
            let bounds = lead.steps.bounds();
            let near = bounds.cell(around).into_iter().flat_map(|cell| lead.way.near(cell, REJOINED_WITHIN));
            let cells = near.filter_map(|(_, cell, rest)| Some((bounds.slot(cell)?, rest)));
            self.back.begin(&lead.steps, around, REJOINED_WITHIN, cells);
        }
        self.back.rest_by(&lead.steps, slot)
    }
}

/// Returns whether two cells are at most `within` cells from each other along each axis.
const fn is_within(one: Cell, other: Cell, within: u32) -> bool {
    one.x.abs_diff(other.x) <= within && one.y.abs_diff(other.y) <= within
}

/// Returns the cost from a cell beside the path, if the next step rejoins it near the place `near`.
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
            return Some(lead.steps.rest(slot, shared)).filter(|&rest| rest != Cost::MAX);
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
        let centre = if place.is_some() { slot } else { self.centre_for(body, lead, slot) };
        let mut seen = Surroundings::of(lead.steps.exits(slot));
        seen.rest = known(slot).or_else(|| self.rest_back(body, lead, centre, slot)).unwrap_or(Cost::MAX);
        let mut exits = seen.exits.bits();
        while exits != 0 {
            let direction = exits.trailing_zeros() as usize;
            exits &= exits - 1;
            let entered = slot.wrapping_add_signed(offsets[direction]);
            let rest = known(entered).or_else(|| match place {
                Some(place) => rest_with_a_step(lead, place, entered),
                None => self.rest_back(body, lead, centre, entered),
            });
            seen.rests[direction] = rest.unwrap_or(Cost::MAX);
            seen.step_costs[direction] = lead.steps.cost(entered, Direction::ALL[direction]);
        }
        seen
    }

    #[inline]
    fn effort(&mut self, body: BodyId, _entered: usize, direction: Direction) -> u32 {
        self.lead(body).map_or(EFFORT_PER_STRAIGHT_STEP, |lead| lead.steps.effort(direction))
    }
}
