//! What a crowd asks of the map and of the orders of its bodies.

use super::{BodyId, EFFORT_PER_DIAGONAL_STEP, EFFORT_PER_STRAIGHT_STEP};
use crate::{
    bounds::{Bounds, Slot},
    cell::Direction,
    cost::Cost,
    exits::Exits,
    field::FlowField,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    grid::Grid,
    movement::StepRules,
    movement_map::{
        MovementMap,
        plane::{Ground as _, Plane},
    },
    topology::Topology,
};

/// What a crowd asks of the map and of the orders of its bodies. Cells are slots of the map's [`Bounds`](crate::Bounds).
///
/// Questions are asked for cells on the map only, in an order that depends on the state of the crowd alone. `&mut` is for
/// those that keep what they have found out; an answer must not depend on what was asked before.
pub trait Guide {
    /// The directions in which the body may step from a cell by the map alone, also onto cells where others stand.
    fn exits(&mut self, body: BodyId, slot: Slot) -> Exits;

    /// What the way from a cell to the goal of the body costs, or `None` where there is none.
    fn rest(&mut self, body: BodyId, slot: Slot) -> Option<Cost>;

    /// What the step onto a cell costs the body, in the unit of [`Guide::rest`].
    fn step_cost(&mut self, body: BodyId, entered: Slot, direction: Direction) -> Cost;

    /// What lies around a cell: all of the above in one question, which some can answer faster. `offsets` are what the directions add
    /// to a slot.
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

    /// How much of the body's stride the step onto a cell takes, more on slow ground. By default
    /// [`EFFORT_PER_STRAIGHT_STEP`] and [`EFFORT_PER_DIAGONAL_STEP`]; for hexagons the former in every direction.
    fn effort(&mut self, _body: BodyId, _entered: usize, direction: Direction) -> u32 {
        if direction.is_diagonal() { EFFORT_PER_DIAGONAL_STEP } else { EFFORT_PER_STRAIGHT_STEP }
    }
}

/// What a [`Guide`] knows of a cell and those around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Surroundings {
    /// As [`Guide::exits`].
    pub exits: Exits,
    /// As [`Guide::rest`] of the cell; [`Cost::MAX`] where there is no way.
    pub rest: Cost,
    /// The same of the cells that may be entered, by direction.
    pub rests: [Cost; 8],
    /// As [`Guide::step_cost`] onto them.
    pub step_costs: [Cost; 8],
}

impl Surroundings {
    /// A cell with these exits, of which nothing else is known.
    pub(super) const fn of(exits: Exits) -> Self {
        Self { exits, rest: Cost::MAX, rests: [Cost::MAX; 8], step_costs: [Cost::ZERO; 8] }
    }
}

/// The steps of one movement over the map of a finder, looked up by slot: for a [`Guide`].
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
    /// The steps of a movement.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] where the id is not of this finder.
    pub fn new(finder: &'map PathFinder, movement: MovementId) -> Result<Self, QueryError> {
        let map = finder.movement_map(movement)?;
        let grid = finder.grid();
        Ok(Self { map, grid, plane: map.plane(grid.classes()), bounds: grid.bounds() })
    }

    /// The bounds of the map, whose slots these are.
    #[inline]
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The directions in which a unit may leave the cell of a slot. One of several cells a side that stands on closed ground may
    /// take that with it under other cells of its own: no cell is closed to it on which it stands already.
    ///
    /// # Panics
    /// Off the map.
    #[inline]
    #[must_use]
    pub fn exits(&self, slot: Slot) -> Exits {
        let is_on_closed_ground = self.map.is_large() && self.plane.entry_cost(slot, 0) == 0;
        Exits::from_bits(if is_on_closed_ground { self.moves_off(slot) } else { self.map.moves_at(slot) })
    }

    #[cold]
    fn moves_off(&self, slot: Slot) -> u8 {
        let rules = |anchor| StepRules::new(self.map.movement(), self.grid, anchor);
        self.bounds.cell(slot).map_or(0, |anchor| rules(anchor).moves(anchor))
    }

    /// What the step onto the cell of a slot costs; zero where it is closed. Closed ground that a unit of several cells a side takes
    /// with it, see [`exits`](Self::exits), costs as much as the cheapest ground of its movement.
    ///
    /// # Panics
    /// Off the map.
    #[inline]
    #[must_use]
    pub fn cost(&self, entered: Slot, direction: Direction) -> Cost {
        let kind = direction.is_diagonal() && self.map.topology() == Topology::Square;
        match self.plane.entry_cost(entered, usize::from(kind)) {
            0 if self.map.is_large() => self.cost_off(entered, direction),
            cost => Cost::new(cost),
        }
    }

    #[cold]
    fn cost_off(&self, entered: Slot, direction: Direction) -> Cost {
        let from = self.bounds.cell(entered).and_then(|cell| cell.neighbour(direction.opposite()));
        let cost = |from| StepRules::new(self.map.movement(), self.grid, from).step_cost(from, direction);
        from.and_then(cost).unwrap_or(Cost::ZERO)
    }

    /// What lies around a cell by a field of this movement.
    pub(super) fn look_around(&self, slot: Slot, offsets: &[isize; 8], field: &FlowField) -> Surroundings {
        let mut seen = Surroundings::of(self.exits(slot));
        let costs = field.costs();
        seen.rest = costs.at(slot);
        let mut left = seen.exits.bits();
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let entered = slot.wrapping_add_signed(offsets[place]);
            seen.rests[place] = costs.at(entered);
            seen.step_costs[place] = self.cost(entered, Direction::ALL[place]);
        }
        seen
    }

    /// How much of a stride the step takes on ground that slows no unit down.
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

/// Leads bodies of one movement along flow fields.
///
/// # Examples
/// See the [module](super).
#[derive(Clone, Copy, Debug)]
pub struct FieldGuide<'map> {
    /// Where they may step.
    pub steps: Steps<'map>,
    /// The fields, complete and of the same movement.
    pub fields: &'map [FlowField],
    /// Which of the fields leads each body, by [`BodyId::index`].
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
        self.fields.get(field as usize)?.cost_at(slot)
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
