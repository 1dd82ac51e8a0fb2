//! One step, judged by the rules.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Diagonals, Movement, StepBar, StepRules},
};
use std::fmt;
use thiserror::Error;

/// One step of a [`Receipt`](crate::explain::Receipt): why it is allowed and what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ReceiptStep {
    /// The cell left.
    pub from: Cell,
    /// The cell entered, which is paid for.
    pub to: Cell,
    /// The most expensive cell under the unit after the step: the cell entered, or for units of more than one cell one of those
    /// that they cover then.
    pub ground: Cell,
    /// The terrain class of that cell; `None` for a void one that the unit walks off.
    pub terrain: Option<u8>,
    /// What the movement's cost table makes of that class; for closed cells that the unit walks off the least of the table.
    pub multiplier: u16,
    /// What overlays add to the multiplier.
    pub overlays: u16,
    /// What a step of this kind costs on terrain of cost 1.
    pub step_cost: u16,
    /// The cells that a diagonal step passes between; `None` for a straight step.
    pub corner: Option<Corner>,
    /// Step cost × (multiplier + overlays).
    pub cost: Cost,
    /// The cost of the route up to and including this step.
    pub total: Cost,
}

impl ReceiptStep {
    /// Whether both coordinates change.
    #[must_use]
    pub const fn is_diagonal(&self) -> bool {
        self.corner.is_some()
    }
}

/// The two cells that a diagonal step passes between: the rule for diagonals looks at nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Corner {
    /// The two cells; the one that is met first when turning clockwise comes first.
    pub beside: [BesideCell; 2],
}

/// A cell beside a diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct BesideCell {
    /// Where it lies.
    pub cell: Cell,
    /// Whether it is free: the movement may enter it, and both straight steps by way of it have their exits.
    pub is_open: bool,
}

impl Corner {
    fn of(from: Cell, direction: Direction, are_free: [bool; 2]) -> Self {
        let side = |turn, is_open| {
            let cell = from + direction.turned(turn).offset();
            BesideCell { cell, is_open }
        };
        let [first, second] = are_free;
        Self { beside: [side(7, first), side(1, second)] }
    }

    /// Those of the two that are obstacles.
    pub fn obstacles(&self) -> impl Iterator<Item = Cell> + use<> {
        self.beside.into_iter().filter(|side| !side.is_open).map(|side| side.cell)
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.named(&|cell| cell.to_string()))
    }
}

impl Corner {
    /// Both cells and their state, by names of the caller's.
    pub(super) fn named(&self, name: &dyn Fn(Cell) -> String) -> String {
        let [one, other] = self.beside.map(|side| {
            let state = if side.is_open { "open" } else { "closed" };
            format!("{} {state}", name(side.cell))
        });
        format!("{one}, {other}")
    }
}

/// Why a step is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StepFault {
    /// It leads off the map.
    #[error("it leads off the map of {bounds}; stay on it")]
    OutOfBounds {
        /// The map.
        bounds: Bounds,
    },
    /// The two cells do not touch, or are the same.
    #[error("the cells are not neighbours; name every cell on the way")]
    NotNeighbours,
    /// The cell entered is closed to this movement.
    #[error("the cell is closed: class {terrain} is impassable; go round it")]
    Blocked {
        /// Its terrain class.
        terrain: u8,
    },
    /// A cell under the footprint is closed to this movement.
    #[error(
        "blocked by {cell} under the {place} of the footprint: class {terrain} is impassable; go round it"
    )]
    BlockedUnder {
        /// The cell.
        cell: Cell,
        /// Where it lies under the unit.
        place: FootprintPlace,
        /// Its terrain class.
        terrain: u8,
    },
    /// A cell that the unit would cover belongs to no map.
    #[error("the cell {cell} is void; stay on the map")]
    Void {
        /// The cell.
        cell: Cell,
    },
    /// An overlay that the movement names closes a cell that the unit would cover.
    #[error("an overlay closes the cell {cell} to this movement; go round it")]
    ClosedByOverlay {
        /// The cell.
        cell: Cell,
    },
    /// The unit would stand astride an edge that is closed in both directions.
    #[error("the unit would stand astride the closed edge between {} and {}; go round its end", .cells[0], .cells[1])]
    Astride {
        /// The cells on either side of the edge.
        cells: [Cell; 2],
    },
    /// A cell that the unit leaves has no exit in this direction.
    #[error("the exit of {cell} in this direction is closed; go round")]
    NoExit {
        /// The cell.
        cell: Cell,
    },
    /// The diagonal step crosses the end of an edge that is closed in both directions.
    #[error("the diagonal from {cell} crosses the end of a closed edge; go round by two straight steps")]
    FenceEnd {
        /// The cell whose diagonal it is.
        cell: Cell,
    },
    /// This movement takes no diagonal steps at all.
    #[error("this movement takes no diagonal steps; go round the corner by two straight ones")]
    NoDiagonals,
    /// The diagonal rule forbids to pass between these cells.
    #[error(
        "the rule {rule} forbids the diagonal between these cells: {corner}; go round by a straight step"
    )]
    Corner {
        /// The rule.
        rule: Diagonals,
        /// The cells that the step passes between.
        corner: Corner,
    },
}

/// A place under a unit that covers more than one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FootprintPlace {
    /// -1 for the western side, 1 for the eastern one, 0 between.
    east: i8,
    /// -1 for the southern side, 1 for the northern one, 0 between.
    north: i8,
}

impl FootprintPlace {
    fn of(anchor: Cell, cell: Cell, side: u8) -> Self {
        let last = i32::from(side) - 1;
        let of = |ahead: i32| i8::from(ahead == last) - i8::from(ahead == 0);
        Self { east: of(cell.x - anchor.x), north: of(cell.y - anchor.y) }
    }
}

impl fmt::Display for FootprintPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match (self.north, self.east) {
            (1, 1) => "north-east corner",
            (1, -1) => "north-west corner",
            (-1, 1) => "south-east corner",
            (-1, -1) => "south-west corner",
            (1, _) => "north side",
            (-1, _) => "south side",
            (_, 1) => "east side",
            (_, -1) => "west side",
            _ => "middle",
        })
    }
}

/// The bill of one step of a unit that set out from a cell; its total is its cost.
pub(super) fn judge(
    grid: &Grid,
    movement: &Movement,
    start: Cell,
    [from, to]: [Cell; 2],
) -> Result<ReceiptStep, StepFault> {
    let bounds = grid.bounds();
    if !bounds.contains(to) {
        return Err(StepFault::OutOfBounds { bounds });
    }
    let direction = Direction::between(from, to).ok_or(StepFault::NotNeighbours)?;
    let rule = movement.diagonals();
    let side = movement.size().side();
    let step = StepRules::new(movement, grid, start).judge(from, direction).map_err(|bar| match bar {
        StepBar::OffMap => StepFault::OutOfBounds { bounds },
        StepBar::NoSuchDirection => StepFault::NotNeighbours,
        StepBar::Closed { cell, class: None } => StepFault::Void { cell },
        StepBar::Closed { class: Some(terrain), .. } if side == 1 => StepFault::Blocked { terrain },
        StepBar::Closed { cell, class: Some(terrain) } => {
            StepFault::BlockedUnder { cell, place: FootprintPlace::of(to, cell, side), terrain }
        }
        StepBar::Overlay { cell } => StepFault::ClosedByOverlay { cell },
        StepBar::Astride { cells } => StepFault::Astride { cells },
        StepBar::NoExit { cell } => StepFault::NoExit { cell },
        StepBar::Sides(_) if rule == Diagonals::Never => StepFault::NoDiagonals,
        StepBar::Sides(free) => StepFault::Corner { rule, corner: Corner::of(from, direction, free) },
        StepBar::FenceEnd { cell } => StepFault::FenceEnd { cell },
    })?;
    let (ground, cost) = (step.ground, step.cost());
    let clamped = |multiplier: u32| u16::try_from(multiplier).unwrap_or(u16::MAX);
    Ok(ReceiptStep {
        from,
        to,
        ground: ground.cell,
        terrain: ground.class,
        multiplier: clamped(ground.multiplier),
        overlays: clamped(ground.overlays),
        step_cost: clamped(step.unit),
        corner: step.sides.map(|free| Corner::of(from, direction, free)),
        cost,
        total: cost,
    })
}
