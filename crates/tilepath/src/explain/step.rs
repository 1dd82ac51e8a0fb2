//! One step, checked by the rules.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Diagonals, Movement, StepBar, StepRules},
};
use std::fmt;
use thiserror::Error;

/// One step of a [`Receipt`](crate::explain::Receipt): its cost, the ground that sets the cost, and
/// the rule that allows the step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct ReceiptStep {
    /// The cell that the step leaves.
    pub from: Cell,
    /// The cell that the step enters.
    pub to: Cell,
    /// The most expensive cell under the unit after the step, which sets the cost of the step. For
    /// units of one cell, it is the cell that the step enters.
    pub ground: Cell,
    /// The terrain class of `ground`; `None` for a void cell that the unit walks off.
    pub terrain: Option<u8>,
    /// The multiplier of the class `terrain`, by the movement's cost table or by a
    /// [cost of steps between classes](Movement::with_step_cost). For a closed cell that the unit walks
    /// off, it is the smallest multiplier of the table.
    pub multiplier: u16,
    /// The sum of the overlay values on `ground`, which is added to the multiplier.
    pub overlays: u16,
    /// The sum of the costs of the edges that the unit crosses, which is added to the multiplier:
    /// [`Receipt::edges`](crate::explain::Receipt::edges) has their names.
    pub surcharge: u16,
    /// The cost of this kind of step (straight or diagonal) on terrain of cost 1.
    pub step_cost: u16,
    /// The cells that a diagonal step passes between; `None` for a straight step.
    pub corner: Option<Corner>,
    /// Step cost × (multiplier + overlays + surcharge).
    pub cost: Cost,
    /// The cost of the route up to and including this step.
    pub total: Cost,
}

impl ReceiptStep {
    /// Returns whether the step is diagonal: on squares, it changes both coordinates. On hexagons,
    /// no step is diagonal.
    #[must_use]
    pub const fn is_diagonal(&self) -> bool {
        self.corner.is_some()
    }
}

/// The two cells beside a diagonal step. The diagonal rule depends on nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Corner {
    /// The two cells beside the step, in clockwise order around the cell that the step leaves.
    pub beside: [BesideCell; 2],
}

/// A cell beside a diagonal step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct BesideCell {
    /// The position of the cell.
    pub cell: Cell,
    /// True if the cell is free: the movement may enter it, and both straight steps over it have
    /// exits.
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

    /// Returns the cells of this corner that are not free.
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
    /// Returns both cells and their state in words; `name` names the cells.
    pub(super) fn named(&self, name: &dyn Fn(Cell) -> String) -> String {
        let [one, other] = self.beside.map(|side| {
            let state = if side.is_open { "open" } else { "closed" };
            format!("{} {state}", name(side.cell))
        });
        format!("{one}, {other}")
    }
}

/// The reason why a step is not allowed by the rules of the map and the movement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum StepFault {
    /// The step leads off the map.
    #[error("it leads off the map of {bounds}; stay on it")]
    OutOfBounds {
        /// The rectangle of the map.
        bounds: Bounds,
    },
    /// The two cells do not touch, or are one cell.
    #[error("the cells are not neighbours; list every cell of the route")]
    NotNeighbours,
    /// The cell entered is closed to this movement.
    #[error("the cell is closed: class {terrain} is impassable; go round it")]
    Blocked {
        /// The terrain class of the cell.
        terrain: u8,
    },
    /// A cell under the footprint is closed to this movement.
    #[error(
        "blocked by {cell} under the {place} of the footprint: class {terrain} is impassable; go round it"
    )]
    BlockedUnder {
        /// The cell.
        cell: Cell,
        /// The position of the closed cell under the unit.
        place: FootprintPlace,
        /// The terrain class of the cell.
        terrain: u8,
    },
    /// A cell that the unit would cover is void.
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
    /// After the step, an edge that is closed in both directions would lie inside the unit's
    /// footprint.
    #[error("the closed edge between {} and {} would lie under the unit; go round its end", .cells[0], .cells[1])]
    Astride {
        /// The two cells beside the edge, one on each side.
        cells: [Cell; 2],
    },
    /// A cell that the unit leaves has no exit in this direction.
    #[error("the exit of {cell} in this direction is closed; go round")]
    NoExit {
        /// The cell.
        cell: Cell,
    },
    /// The cost of the step between two classes is 0.
    #[error("this movement takes no step from class {from} to class {to}; go round")]
    ClosedStep {
        /// The class that the step leaves.
        from: u8,
        /// The class that the step enters.
        to: u8,
    },
    /// A cell that the unit leaves would cross a named edge that is closed to this movement.
    #[error("an edge of {cell} is closed to this movement; go round its end")]
    ClosedEdge {
        /// The cell.
        cell: Cell,
    },
    /// The unit stands deep in closed ground, and leaves it by another step.
    #[error("it leaves closed ground by the nearest exit; step to {next} first")]
    NotNext {
        /// The cell that the step must enter.
        next: Cell,
    },
    /// The diagonal step crosses an end of an edge that is closed in both directions.
    #[error("the diagonal from {cell} crosses the end of a closed edge; go round by two straight steps")]
    FenceEnd {
        /// The cell that the diagonal step leaves.
        cell: Cell,
    },
    /// This movement allows no diagonal steps.
    #[error("this movement takes no diagonal steps; go round the corner by two straight ones")]
    NoDiagonals,
    /// The diagonal rule forbids the step between these cells.
    #[error(
        "the rule {rule} forbids the diagonal between these cells: {corner}; go round by a straight step"
    )]
    Corner {
        /// The rule for diagonal steps of the movement.
        rule: Diagonals,
        /// The cells beside the step.
        corner: Corner,
    },
}

/// The position of a cell under a unit that covers more than one cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FootprintPlace {
    /// -1 for the western side, 1 for the eastern side, 0 between them.
    east: i8,
    /// -1 for the southern side, 1 for the northern side, 0 between them.
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

/// Returns the bill of one step of a unit, by its rules. Its total is the cost of this step.
pub(super) fn judge(
    grid: &Grid,
    movement: &Movement,
    rules: &StepRules<'_>,
    [from, to]: [Cell; 2],
) -> Result<ReceiptStep, StepFault> {
    let bounds = grid.bounds();
    if !bounds.contains(to) {
        return Err(StepFault::OutOfBounds { bounds });
    }
    let direction = Direction::between(from, to).ok_or(StepFault::NotNeighbours)?;
    let rule = movement.diagonals();
    let side = movement.size().side();
    let step = rules.judge(from, direction).map_err(|bar| match bar {
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
        StepBar::ClosedStep { classes: [from, to] } => StepFault::ClosedStep { from, to },
        StepBar::NotNext { next } => StepFault::NotNext { next },
        StepBar::ClosedEdge { cell } => StepFault::ClosedEdge { cell },
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
        surcharge: clamped(ground.crossing),
        step_cost: clamped(step.unit),
        corner: step.sides.map(|free| Corner::of(from, direction, free)),
        cost,
        total: cost,
    })
}
