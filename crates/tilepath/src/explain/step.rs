//! One step, judged by the rules.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Diagonals, Movement},
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
    /// The terrain class of the cell entered.
    pub terrain: u8,
    /// What the movement's cost table makes of that class.
    pub multiplier: u16,
    /// What a step of this kind costs on terrain of cost 1.
    pub step_cost: u16,
    /// The cells that a diagonal step passes between; `None` for a straight step.
    pub corner: Option<Corner>,
    /// Step cost × multiplier.
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
    /// Whether the movement may enter it.
    pub is_open: bool,
}

impl Corner {
    fn of(grid: &Grid, movement: &Movement, from: Cell, to: Cell) -> Self {
        let side = |cell| {
            let class = grid.terrain(cell);
            BesideCell { cell, is_open: class.is_some_and(|class| movement.costs().is_passable(class)) }
        };
        let (along, across) = (Cell::new(to.x, from.y), Cell::new(from.x, to.y));
        // Clockwise: going north-east the northern cell comes first, going south-east the eastern one.
        let beside = if (to.x > from.x) == (to.y > from.y) { [across, along] } else { [along, across] };
        Self { beside: beside.map(side) }
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

/// The bill of one step; its total is its cost.
pub(super) fn judge(
    grid: &Grid,
    movement: &Movement,
    from: Cell,
    to: Cell,
) -> Result<ReceiptStep, StepFault> {
    let terrain = grid.terrain(to).ok_or(StepFault::OutOfBounds { bounds: grid.bounds() })?;
    let direction = Direction::between(from, to).ok_or(StepFault::NotNeighbours)?;
    let multiplier = movement.costs().multiplier(terrain);
    if multiplier == 0 {
        return Err(StepFault::Blocked { terrain });
    }
    let mut passed = None;
    if direction.is_diagonal() {
        let rule = movement.diagonals();
        if rule == Diagonals::Never {
            return Err(StepFault::NoDiagonals);
        }
        let corner = Corner::of(grid, movement, from, to);
        if !rule.allow(corner.obstacles().count()) {
            return Err(StepFault::Corner { rule, corner });
        }
        passed = Some(corner);
    }
    let step_cost = movement.steps().of(direction);
    let cost = Cost::new(u32::from(step_cost) * u32::from(multiplier));
    Ok(ReceiptStep { from, to, terrain, multiplier, step_cost, corner: passed, cost, total: cost })
}
