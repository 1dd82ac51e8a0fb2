//! Guides: the map and the goals, as a crowd reads them.

use super::{
    body::BodyId,
    effort::{EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP},
};
use crate::{
    bounds::{Bounds, Slot},
    cell::{Cell, Direction},
    cost::Cost,
    exits::Exits,
    field::FlowField,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    grid::Grid,
    movement::StepRules,
    movement_map::{
        MovementMap,
        plane::{Ground, Plane},
        step_order::PLACE,
    },
    topology::Topology,
};

/// The source of the allowed steps and of the costs to the goals, for a [`Crowd`](super::Crowd).
/// Implement this trait to lead the bodies of a crowd. The functions name cells by their slots in
/// the map's [`Bounds`](crate::Bounds).
///
/// The crowd calls these functions only for cells on the map, in an order that depends only on the
/// crowd's state. An implementation may keep caches, but a result must not depend on earlier calls.
pub trait Guide {
    /// Returns the directions in which the map allows the body to step from a cell. Other bodies on
    /// the neighbour cells make no difference.
    fn exits(&mut self, body: BodyId, slot: Slot) -> Exits;

    /// Returns the cost of the path from a cell to the goal of the body, or `None` if there is no
    /// path.
    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost>;

    /// Returns the cost of the body's step onto a cell, in the unit of [`Guide::rest`].
    fn step_cost(&mut self, body: BodyId, entered: Slot, direction: Direction) -> Cost;

    /// Returns the results of [`exits`](Self::exits), [`rest`](Self::rest) and
    /// [`step_cost`](Self::step_cost) for a cell and its neighbours. Some guides can answer this
    /// one call faster. `offsets` holds the number that a step in each direction adds to a slot.
    fn look_around(&mut self, body: BodyId, slot: Slot, offsets: &[isize; 8]) -> Surroundings {
        let exits = self.exits(body, slot);
        let rest = |rest: Option<Cost>| rest.unwrap_or(Cost::MAX);
        let mut seen = Surroundings {
            exits,
            rest: rest(self.rest(body, slot)),
            rests: [Cost::MAX; 8],
            step_costs: [Cost::ZERO; 8],
        };
        for direction in Direction::ALL.into_iter().filter(|&direction| exits.contains(direction)) {
            let entered = slot.wrapping_add_signed(offsets[direction as usize]);
            seen.rests[direction as usize] = rest(self.rest(body, entered));
            seen.step_costs[direction as usize] = self.step_cost(body, entered, direction);
        }
        seen
    }

    /// Returns the effort of the body's step onto a cell, in the unit of the
    /// [stride](super::Body::stride). It is higher on slow ground. The default is
    /// [`EFFORT_PER_STRAIGHT_STEP`] or [`EFFORT_PER_DIAGONAL_STEP`]. For hexagons, return
    /// [`EFFORT_PER_STRAIGHT_STEP`] in every direction.
    fn effort(&mut self, _body: BodyId, _entered: usize, direction: Direction) -> u32 {
        if direction.is_diagonal() { EFFORT_PER_DIAGONAL_STEP } else { EFFORT_PER_STRAIGHT_STEP }
    }
}

/// The exits and costs of a cell and its neighbours, from a [`Guide`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// The result of [`Guide::exits`].
    pub exits: Exits,
    /// The result of [`Guide::rest`] for the cell in the middle; [`Cost::MAX`] if there is no path.
    pub rest: Cost,
    /// The results of [`Guide::rest`] for the neighbour cells that may be entered, in the order of
    /// [`Direction::ALL`].
    pub rests: [Cost; 8],
    /// The results of [`Guide::step_cost`] for the same cells, in the same order.
    pub step_costs: [Cost; 8],
}

impl Surroundings {
    /// Creates the surroundings of a cell with these exits and without costs.
    pub(super) const fn of(exits: Exits) -> Self {
        Self { exits, rest: Cost::MAX, rests: [Cost::MAX; 8], step_costs: [Cost::ZERO; 8] }
    }

    /// Returns the directions of the cells that are nearer to the goal than the middle, a bit each.
    pub(super) fn nearer(&self) -> u8 {
        let bits = (0..8).zip(self.rests).map(|(place, rest)| u8::from(rest < self.rest) << place);
        bits.fold(0, |all, bit| all | bit) & self.exits.bits()
    }
}

/// The steps that one movement allows on the map of a finder. Cells are named by their slots. Use
/// this type to implement a [`Guide`].
///
/// # Examples
/// ```
/// use tilepath::{Direction, Movement, MovementId, PathFinder, crowd::Steps, format};
/// let finder = PathFinder::new(format::parse_ascii("
///     ..#
///     ..9
/// ")?, Movement::new());
/// let steps = Steps::new(&finder, MovementId::FIRST)?;
/// assert!(!steps.exits(1).contains(Direction::NorthEast), "that is the wall");
/// assert_eq!(steps.cost(2, Direction::East).get(), 90);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Steps<'map> {
    map: &'map MovementMap,
    grid: &'map Grid,
    plane: Plane<'map>,
    bounds: Bounds,
}

impl<'map> Steps<'map> {
    /// Creates the steps of a movement.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] if the movement does not belong to this finder.
    pub fn new(finder: &'map PathFinder, movement: MovementId) -> Result<Self, QueryError> {
        let map = finder.movement_map(movement)?;
        let grid = finder.grid();
        Ok(Self { map, grid, plane: map.plane(grid.classes()), bounds: grid.bounds() })
    }

    /// Returns the bounds of the map. Slots are slots of these bounds.
    #[inline]
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns the directions in which a unit may leave the cell at a slot. Deep in closed ground, this
    /// is the step towards the nearest open cell. Other units of more than one cell on closed ground may
    /// walk over the closed cells on which they stand.
    ///
    /// # Panics
    /// If the slot is off the map.
    #[expect(clippy::inline_always, reason = "a decision asks for the exits of several cells")]
    #[inline(always)]
    #[must_use]
    pub fn exits(&self, slot: Slot) -> Exits {
        let moves = self.map.moves_at(slot);
        let may_be_borrowed = self.map.is_large() || moves == 0;
        let is_on_closed_ground = may_be_borrowed && self.plane.entry_cost(slot, 0) == 0;
        Exits::from_bits(if is_on_closed_ground { self.moves_off(slot) } else { moves })
    }

    /// Returns the same as [`exits`](Self::exits), without the step by which a unit leaves deep closed
    /// ground.
    pub(super) fn ordinary_exits(&self, slot: Slot) -> Exits {
        let is_on_closed_ground = self.map.is_large() && self.plane.entry_cost(slot, 0) == 0;
        let off = || self.bounds.cell(slot).map_or(0, |anchor| self.moves_without_chain(anchor));
        Exits::from_bits(if is_on_closed_ground { off() } else { self.map.moves_at(slot) })
    }

    fn moves_without_chain(&self, anchor: Cell) -> u8 {
        StepRules::new(self.map.movement(), self.grid, anchor).moves(anchor)
    }

    #[cold]
    fn moves_off(&self, slot: Slot) -> u8 {
        let Some(anchor) = self.bounds.cell(slot) else { return 0 };
        match self.map.way_out(self.grid, anchor) {
            // The chain has at least the start and the cell at its end.
            Some(chain) => Direction::between(anchor, chain.cells()[1]).map_or(0, |next| 1 << next as u8),
            None => self.moves_without_chain(anchor),
        }
    }

    /// Returns the cost of the step in a direction onto the cell at a slot; zero if the cell is closed.
    ///
    /// The cost holds the prices of the class that the step leaves and of the edges that it crosses.
    /// The cell before the step must be on the map.
    ///
    /// A unit that leaves closed ground may walk over closed cells: see [`exits`](Self::exits). Such
    /// cells cost as much as the cheapest ground of the movement.
    ///
    /// # Panics
    /// If the slot is off the map.
    #[expect(clippy::inline_always, reason = "it runs eight times for each decision")]
    #[inline(always)]
    #[must_use]
    pub fn cost(&self, entered: Slot, direction: Direction) -> Cost {
        self.cost_on(self.plane, entered, direction)
    }

    /// Returns the same on ground of one kind.
    #[expect(clippy::inline_always, reason = "it runs eight times for each decision")]
    #[inline(always)]
    fn cost_on(&self, ground: impl Ground, entered: Slot, direction: Direction) -> Cost {
        match ground.entry_cost(entered, usize::from(direction.is_diagonal())) {
            0 => self.cost_off(entered, direction),
            cost if !ground.has_surcharges() => Cost::new(cost),
            cost => {
                let (left, place) = (self.slot_before(entered, direction), PLACE[direction as usize]);
                Cost::new(cost.saturating_add(ground.surcharge_from(left, entered, place.into())))
            }
        }
    }

    /// Returns the slot that a step in a direction onto a slot leaves.
    #[inline]
    const fn slot_before(&self, entered: Slot, direction: Direction) -> Slot {
        let (dx, dy) = direction.offset();
        entered.wrapping_add_signed(-(dx as isize) - dy as isize * self.bounds.width() as isize)
    }

    #[cold]
    fn cost_off(&self, entered: Slot, direction: Direction) -> Cost {
        let from = self.bounds.cell(entered).and_then(|cell| cell.neighbour(direction.opposite()));
        let cost = |from| {
            let chain = self.map.way_out(self.grid, from);
            let rules = StepRules::leaving(self.map.movement(), self.grid, from, chain.as_ref());
            rules.step_cost(from, direction)
        };
        from.and_then(cost).unwrap_or(Cost::ZERO)
    }

    /// Returns the cost from a cell to the goal of a field; [`Cost::MAX`] if there is no path.
    #[inline]
    pub(super) fn rest(&self, slot: Slot, field: &FlowField) -> Cost {
        let rest = field.costs().at(slot);
        if rest == Cost::MAX { self.rest_off(slot, field) } else { rest }
    }

    /// Returns the cost from a cell deep in closed ground, which fields do not have.
    #[cold]
    fn rest_off(&self, slot: Slot, field: &FlowField) -> Cost {
        let is_closed = self.plane.entry_cost(slot, 0) == 0;
        let start = self.bounds.cell(slot).filter(|_| is_closed);
        let Some(chain) = start.and_then(|start| self.map.way_out(self.grid, start)) else {
            return Cost::MAX;
        };
        let rules = StepRules::leaving(self.map.movement(), self.grid, chain.cells()[0], Some(&chain));
        let cost = |pair: &[Cell]| {
            Direction::between(pair[0], pair[1]).and_then(|direction| rules.step_cost(pair[0], direction))
        };
        let exit = chain.exit().and_then(|exit| self.bounds.slot(exit)).map(|exit| field.costs().at(exit));
        let steps = chain.cells().windows(2).map(cost);
        let sum = steps.chain([exit]).try_fold(Cost::ZERO, |sum, cost| sum.checked_add(cost?));
        sum.unwrap_or(Cost::MAX)
    }

    /// Returns the surroundings of a cell, with the costs of a field of this movement.
    pub(super) fn look_around(&self, slot: Slot, offsets: &[isize; 8], field: &FlowField) -> Surroundings {
        match self.plane.of_classes() {
            Some(ground) => self.look_around_on(ground, slot, offsets, field),
            None => self.look_around_on(self.plane, slot, offsets, field),
        }
    }

    /// Returns the same on ground of one kind.
    #[inline]
    fn look_around_on(
        &self,
        ground: impl Ground,
        slot: Slot,
        offsets: &[isize; 8],
        field: &FlowField,
    ) -> Surroundings {
        let mut seen = Surroundings::of(self.exits(slot));
        seen.rest = self.rest(slot, field);
        let mut left = seen.exits.bits();
        while left != 0 {
            let place = left.trailing_zeros() as usize & 7;
            left &= left - 1;
            let entered = slot.wrapping_add_signed(offsets[place]);
            seen.rests[place] = self.rest(entered, field);
            seen.step_costs[place] = self.cost_on(ground, entered, Direction::ALL[place]);
        }
        seen
    }

    /// Returns the effort of a step in a direction on normal ground.
    #[inline]
    #[must_use]
    pub fn effort(&self, direction: Direction) -> u32 {
        let is_diagonal = direction.is_diagonal() && self.map.topology() == Topology::Square;
        if is_diagonal { EFFORT_PER_DIAGONAL_STEP } else { EFFORT_PER_STRAIGHT_STEP }
    }
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Steps").field("movement", self.map.movement()).finish_non_exhaustive()
    }
}

/// A guide that leads bodies of one movement along flow fields.
///
/// # Examples
/// See the [module](super).
#[derive(Clone, Copy, Debug)]
pub struct FieldGuide<'map> {
    /// The steps that the map allows.
    pub steps: Steps<'map>,
    /// The flow fields. They must be complete and for the movement of `steps`.
    pub fields: &'map [FlowField],
    /// For each body, by [`BodyId::index`]: the index in `fields` of the field that leads the body.
    pub field_of: &'map [u32],
}

impl Guide for FieldGuide<'_> {
    #[inline]
    fn exits(&mut self, _body: BodyId, slot: Slot) -> Exits {
        self.steps.exits(slot)
    }

    #[inline]
    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost> {
        let field = *self.field_of.get(body.index())?;
        let rest = self.steps.rest(slot, self.fields.get(field as usize)?);
        (rest != Cost::MAX).then_some(rest)
    }

    #[inline]
    fn step_cost(&mut self, _body: BodyId, entered: Slot, direction: Direction) -> Cost {
        self.steps.cost(entered, direction)
    }

    fn look_around(&mut self, body: BodyId, slot: Slot, offsets: &[isize; 8]) -> Surroundings {
        let field = self.field_of.get(body.index()).and_then(|&field| self.fields.get(field as usize));
        match field {
            Some(field) => self.steps.look_around(slot, offsets, field),
            None => Surroundings::of(self.steps.exits(slot)),
        }
    }

    #[inline]
    fn effort(&mut self, _body: BodyId, _entered: usize, direction: Direction) -> u32 {
        self.steps.effort(direction)
    }
}
