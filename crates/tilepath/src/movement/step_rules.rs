//! The rules of steps, written for readers.
//!
//! Decision: `docs/decisions/11-exits.md`.

use super::{Diagonals, Movement, WayOut};
use crate::{
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    topology::Topology,
};

/// The steps that a unit may take on a map, and their costs. This is the definition; searches make
/// their tables from it.
///
/// A unit that stands on closed cells may walk off them, so the rules include the start cell.
///
/// # The rules
/// - An anchor is **open** if every cell under its footprint is on the map, not void and passable.
///   In addition, no overlay of the movement closes a cell under it, and no edge between two of its
///   cells is closed in both directions or by its name.
/// - The multiplier of an anchor is the highest under its footprint, overlays included.
/// - A step in a direction needs an open anchor at its end. Each cell under the footprint must have
///   the exit in that direction.
/// - A **side** of a diagonal step is one of the two anchors that the step passes between. A side
///   is free if it is open and the two straight steps over it have their exits. The diagonal rule
///   sets how many sides may be not free.
/// - A step whose [cost between classes](Movement::with_step_cost) is 0 has no exit. Other costs replace
///   the multiplier of the class entered.
/// - Each cell under the footprint crosses its own [edges](super::Crossing). Their costs are added to
///   the multiplier of the cell that it enters, and the most expensive cell sets the cost of the step.
/// - [`Always`](Diagonals::Always) does not check the sides. Instead, the step must not cross the
///   end of an edge that is closed in both directions.
/// - **Leaving closed ground** applies to anchors whose footprints overlap the start footprint.
///   Closed cells under the start footprint count as passable, at the least multiplier of the
///   table. Edges between two of these cells count as open.
/// - An anchor that is open only by this exception is **borrowed**. It can be entered only from the
///   start or from a borrowed anchor, and it is never a free side.
/// - A unit that reaches no open anchor by this exception is deep in closed ground. It takes the
///   [chain](super::WayOut) of its start, and from the anchors of the chain no other step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepRules<'a> {
    pub(super) movement: &'a Movement,
    pub(super) grid: &'a Grid,
    start: Cell,
    /// The chain off closed ground and the open anchor at its end, if the unit starts deep in it.
    chain: &'a [Cell],
}

/// The closed cells that count as open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leave {
    /// No cell.
    Strict,
    /// For a unit that walks off closed cells: the cells under the start footprint, and the edges
    /// between them.
    Borrowed,
    /// For a step of the chain off closed ground: also the other closed cells, except void ones.
    Chain,
    /// All closed cells except void ones, at this multiplier: to find which cells must be opened.
    Opened(u16),
}

impl Leave {
    /// Returns whether the unit may walk off the closed cells under its start.
    const fn is_off_start(self) -> bool {
        matches!(self, Self::Borrowed | Self::Chain)
    }
}

/// The cell that sets the cost of an anchor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ground {
    /// The most expensive cell under the footprint; of equal cells, the first in slot order.
    pub(crate) cell: Cell,
    /// The class of the cell, or `None` for a void cell that a unit walks off.
    pub(crate) class: Option<u8>,
    pub(crate) multiplier: u32,
    /// The sum of the overlay values.
    pub(crate) overlays: u32,
    /// The price of the edges that the step crosses.
    pub(crate) crossing: u32,
}

impl Ground {
    pub(super) const fn sum(&self) -> u32 {
        self.multiplier.saturating_add(self.overlays).saturating_add(self.crossing)
    }
}

/// An allowed step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct AllowedStep {
    pub(crate) ground: Ground,
    /// The cost of the step on ground of cost 1.
    pub(crate) unit: u32,
    /// For a diagonal step: whether each side is free. The first entry is the side counterclockwise
    /// from the step.
    pub(crate) sides: Option<[bool; 2]>,
    /// The multiplier of the anchor entered, whatever the step to it.
    pub(crate) floor: u32,
    /// Whether the step ends the turn, for the edges that it crosses.
    pub(crate) ends_turn: bool,
}

impl AllowedStep {
    /// Returns the cost of the step; [`Cost::MAX`] if the cost is higher.
    pub(crate) const fn cost(&self) -> Cost {
        Cost::new(self.ground.sum().saturating_mul(self.unit))
    }

    /// Returns what the step costs more than the cheapest step onto its anchor.
    pub(crate) const fn surcharge(&self) -> u32 {
        self.ground.sum().saturating_sub(self.floor).saturating_mul(self.unit)
    }
}

/// The reason why a step is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepBar {
    /// A cell under the footprint is outside the map's rectangle.
    OffMap,
    /// Cells of this topology have no neighbour in that direction.
    NoSuchDirection,
    /// A cell under the footprint is closed; the class is `None` for a void cell.
    Closed { cell: Cell, class: Option<u8> },
    /// An overlay closes a cell under the footprint.
    Overlay { cell: Cell },
    /// A closed edge lies under the footprint, between these two cells.
    Astride { cells: [Cell; 2] },
    /// A cell under the footprint has no exit in that direction.
    NoExit { cell: Cell },
    /// The cost of the step between two classes is 0.
    ClosedStep { classes: [u8; 2] },
    /// The unit leaves closed ground by a chain of cells, and this one is the next.
    NotNext { next: Cell },
    /// A cell under the footprint would cross an edge that is closed to the movement.
    ClosedEdge { cell: Cell },
    /// The diagonal rule forbids the step. Each value is true if that side is free.
    Sides([bool; 2]),
    /// The step would cross the end of a closed edge beside this cell.
    FenceEnd { cell: Cell },
}

impl<'a> StepRules<'a> {
    /// Creates the rules for a unit that started on a cell, but not deep in closed ground.
    pub(crate) const fn new(movement: &'a Movement, grid: &'a Grid, start: Cell) -> Self {
        Self { movement, grid, start, chain: &[] }
    }

    /// Creates the rules for a unit that started on a cell. `chain` has the cells by which it leaves
    /// closed ground.
    pub(crate) fn leaving(
        movement: &'a Movement,
        grid: &'a Grid,
        start: Cell,
        chain: Option<&'a WayOut>,
    ) -> Self {
        Self { movement, grid, start, chain: chain.map_or(&[], WayOut::cells) }
    }

    /// Returns the cost of the step, or `None` if it is not allowed. A cost above [`Cost::MAX`] is
    /// returned as [`Cost::MAX`].
    pub(crate) fn step_cost(&self, from: Cell, direction: Direction) -> Option<Cost> {
        self.judge(from, direction).ok().map(|step| step.cost())
    }

    /// Returns the allowed step, or the reason why it is not allowed.
    pub(crate) fn judge(&self, from: Cell, direction: Direction) -> Result<AllowedStep, StepBar> {
        if !self.grid.bounds().contains(from) {
            return Err(StepBar::OffMap);
        }
        if let Some(place) = self.chain.iter().position(|&cell| cell == from)
            && let Some(&next) = self.chain.get(place + 1)
        {
            if from.neighbour(direction) == Some(next) {
                return Self::new(self.movement, self.grid, from).judge_out_of(from, direction, Leave::Chain);
            }
            return self.judge_out_of(from, direction, Leave::Strict).and(Err(StepBar::NotNext { next }));
        }
        let leave =
            if from == self.start || self.is_borrowed(from) { Leave::Borrowed } else { Leave::Strict };
        self.judge_out_of(from, direction, leave)
    }

    /// Judges the step if cells of the map have such a direction.
    pub(crate) fn judge_out_of(
        &self,
        from: Cell,
        direction: Direction,
        leave: Leave,
    ) -> Result<AllowedStep, StepBar> {
        if !self.grid.topology().has(direction) {
            return Err(StepBar::NoSuchDirection);
        }
        self.judge_as(from, direction, leave)
    }

    /// Judges the step with the closed cells of `leave` counted as open.
    pub(crate) fn judge_as(
        &self,
        from: Cell,
        direction: Direction,
        leave: Leave,
    ) -> Result<AllowedStep, StepBar> {
        let to = from.neighbour(direction).ok_or(StepBar::OffMap)?;
        let ground = self.ground(to, leave)?;
        self.exit(from, direction, leave)?;
        let is_diagonal = direction.is_diagonal() && self.grid.topology() == Topology::Square;
        let sides = is_diagonal.then(|| self.sides(from, direction, leave)).transpose()?;
        let floor = ground.sum();
        let (ground, ends_turn) = self.ground_after(ground, from, direction, leave)?;
        let [straight, diagonal] = self.movement.unit_costs(self.grid.topology());
        let unit = if is_diagonal { diagonal } else { straight };
        Ok(AllowedStep { ground, unit, sides, floor, ends_turn })
    }

    /// Returns whether the step would be allowed if the cells that it enters were open.
    pub(crate) fn would_enter(&self, from: Cell, direction: Direction) -> bool {
        let is_on_map = from
            .neighbour(direction)
            .is_some_and(|to| self.cells_under(to).all(|cell| self.grid.bounds().contains(cell)));
        let is_diagonal = direction.is_diagonal() && self.grid.topology() == Topology::Square;
        is_on_map
            && self.grid.topology().has(direction)
            && self.exit(from, direction, Leave::Strict).is_ok()
            && (!is_diagonal || self.sides(from, direction, Leave::Strict).is_ok())
    }

    /// Returns whether the anchor is open.
    pub(crate) fn is_open(&self, anchor: Cell) -> bool {
        self.ground(anchor, Leave::Strict).is_ok()
    }

    /// Returns the multiplier of an anchor, overlays included, or `None` if the anchor is not open.
    pub(crate) fn multiplier(&self, anchor: Cell) -> Option<u32> {
        self.ground(anchor, Leave::Strict).ok().map(|ground| ground.sum())
    }

    /// Returns whether the unit reaches an open anchor over the closed cells under its start.
    pub(super) fn leaves_at_once(&self) -> bool {
        let mut entered = vec![self.start];
        let mut expanded = 0;
        while let Some(&from) = entered.get(expanded) {
            expanded += 1;
            for direction in Direction::ALL {
                let Some(to) = from.neighbour(direction).filter(|to| !entered.contains(to)) else { continue };
                if self.judge(from, direction).is_ok() {
                    if self.is_open(to) {
                        return true;
                    }
                    entered.push(to);
                }
            }
        }
        false
    }

    /// Returns whether the anchor is open only because the unit walks off the closed cells it
    /// started on.
    pub(crate) fn is_borrowed(&self, anchor: Cell) -> bool {
        self.movement.size().side() > 1
            && !self.is_open(anchor)
            && self.ground(anchor, Leave::Borrowed).is_ok()
    }

    /// Returns the multiplier of an anchor, overlays included, for a unit that walks off closed
    /// cells.
    pub(crate) fn borrowed_multiplier(&self, anchor: Cell) -> Option<u32> {
        self.ground(anchor, Leave::Borrowed).ok().map(|ground| ground.sum())
    }

    /// Returns the directions in which the unit may leave an anchor: bit n for the nth of
    /// [`Direction::ALL`].
    pub(crate) fn moves(&self, anchor: Cell) -> u8 {
        let allowed = Direction::ALL.into_iter().filter(|&direction| self.judge(anchor, direction).is_ok());
        allowed.fold(0, |set, direction| set | 1 << direction as u8)
    }

    pub(crate) fn cells_under(&self, anchor: Cell) -> impl Iterator<Item = Cell> + Clone {
        self.movement.size().footprint(anchor)
    }

    /// Returns whether the cell lies under the footprint of an anchor.
    fn covers(&self, anchor: Cell, cell: Cell) -> bool {
        let side = i64::from(self.movement.size().side());
        let within = |place: i32, first: i32| (0..side).contains(&(i64::from(place) - i64::from(first)));
        within(cell.x, anchor.x) && within(cell.y, anchor.y)
    }

    /// Returns the cell that sets the cost of an anchor, or the reason why the anchor is closed.
    fn ground(&self, anchor: Cell, leave: Leave) -> Result<Ground, StepBar> {
        let mut ground: Option<Ground> = None;
        let mut covered = 0;
        for cell in self.cells_under(anchor) {
            let here = self.cell_ground(cell, None, leave)?;
            covered += 1;
            if ground.is_none_or(|ground| ground.sum() < here.sum()) {
                ground = Some(here);
            }
        }
        let side = u32::from(self.movement.size().side());
        if side > 1 && (self.grid.has_exits() || !self.movement.edges().is_empty()) {
            self.stands_whole(anchor, leave)?;
        }
        // Cells outside the range of coordinates are off the map.
        ground.filter(|_| covered == side * side).ok_or(StepBar::OffMap)
    }

    /// Checks that no edge under the footprint of an anchor is closed in both directions or by its name.
    fn stands_whole(&self, anchor: Cell, leave: Leave) -> Result<(), StepBar> {
        for cell in self.cells_under(anchor) {
            for direction in [Direction::North, Direction::East] {
                let other = cell.neighbour(direction).filter(|&other| self.covers(anchor, other));
                let is_split = self.is_fence(cell, direction, leave)
                    || !self.is_lifted(cell, direction, leave) && self.edge(cell, direction).is_closed;
                if let Some(other) = other.filter(|_| is_split) {
                    return Err(StepBar::Astride { cells: [cell, other] });
                }
            }
        }
        Ok(())
    }

    /// Returns the ground of a cell that a cell under the footprint enters from `left`, or the cheapest
    /// one if that is not known.
    pub(super) fn cell_ground(
        &self,
        cell: Cell,
        left: Option<Cell>,
        leave: Leave,
    ) -> Result<Ground, StepBar> {
        if !self.grid.bounds().contains(cell) {
            return Err(StepBar::OffMap);
        }
        let (costs, class) = (self.movement.costs(), self.grid.terrain(cell));
        let values = || self.movement.overlays().iter().map(|name| self.grid.overlay(name, cell));
        let from_table = class.map_or(0, |class| costs.multiplier(class));
        let is_shut = from_table > 0 && values().any(|value| value == Grid::CLOSING);
        match if is_shut { 0 } else { from_table } {
            0 if leave.is_off_start() && self.covers(self.start, cell)
                || leave == Leave::Chain && class.is_some() =>
            {
                let multiplier = self.movement.least_multiplier().into();
                Ok(Ground { cell, class, multiplier, overlays: 0, crossing: 0 })
            }
            0 => match (leave, class) {
                (Leave::Opened(at), Some(_)) => {
                    Ok(Ground { cell, class, multiplier: at.into(), overlays: 0, crossing: 0 })
                }
                _ if is_shut => Err(StepBar::Overlay { cell }),
                _ => Err(StepBar::Closed { cell, class }),
            },
            _ => {
                let class = class.unwrap_or(0);
                let multiplier = match left {
                    Some(left) => self.movement.multiplier_between(self.class_left(left), class),
                    None => self.movement.least_multiplier_onto(class),
                };
                let overlays = values().map(u32::from).sum();
                Ok(Ground { cell, class: Some(class), multiplier: multiplier.into(), overlays, crossing: 0 })
            }
        }
    }

    /// Returns whether an edge counts as open because the unit starts across it.
    pub(super) fn is_lifted(&self, cell: Cell, direction: Direction, leave: Leave) -> bool {
        leave.is_off_start()
            && self.covers(self.start, cell)
            && cell.neighbour(direction).is_some_and(|other| self.covers(self.start, other))
    }

    /// Returns whether an edge is closed in both directions.
    fn is_fence(&self, cell: Cell, direction: Direction, leave: Leave) -> bool {
        let Some(other) = cell.neighbour(direction) else { return false };
        if self.is_lifted(cell, direction, leave) {
            return false;
        }
        let is_closed =
            |cell, direction| self.grid.exits(cell).is_some_and(|exits| !exits.contains(direction));
        is_closed(cell, direction) && is_closed(other, direction.opposite())
    }

    /// Checks that each cell under the footprint has the exit.
    fn exit(&self, anchor: Cell, direction: Direction, leave: Leave) -> Result<(), StepBar> {
        if let Some(cell) = self.cells_under(anchor).find(|&cell| self.closes_class_step(cell, direction)) {
            let entered = cell.neighbour(direction).map_or(0, |entered| self.class_left(entered));
            return Err(StepBar::ClosedStep { classes: [self.class_left(cell), entered] });
        }
        if !self.grid.has_exits() {
            return Ok(());
        }
        let is_shut = |cell: Cell| {
            let is_open = self.grid.exits(cell).is_none_or(|exits| exits.contains(direction));
            // The start footprint's own closed edges do not stop the unit.
            let is_lifted = leave.is_off_start()
                && !direction.is_diagonal()
                && self.is_fence(cell, direction, Leave::Strict)
                && !self.is_fence(cell, direction, leave);
            !is_open && !is_lifted
        };
        match self.cells_under(anchor).find(|&cell| is_shut(cell)) {
            Some(cell) => Err(StepBar::NoExit { cell }),
            None => Ok(()),
        }
    }

    /// Returns which sides of a diagonal step are free, or the reason why the step is not allowed.
    fn sides(&self, from: Cell, direction: Direction, leave: Leave) -> Result<[bool; 2], StepBar> {
        let [left, right] = [direction.turned(7), direction.turned(1)];
        let of_sides = if leave.is_off_start() { Leave::Strict } else { leave };
        let is_free = |first: Direction, second: Direction| {
            from.neighbour(first).is_some_and(|side| {
                self.ground(side, of_sides).is_ok()
                    && self.exit(from, first, leave).is_ok()
                    && self.exit(side, second, Leave::Strict).is_ok()
            })
        };
        let sides = [is_free(left, right), is_free(right, left)];
        let rule = self.movement.diagonals();
        if !rule.allow(sides.into_iter().filter(|is_free| !is_free).count()) {
            return Err(StepBar::Sides(sides));
        }
        if rule == Diagonals::Always && self.grid.has_exits() {
            let crossed =
                self.cells_under(from).find(|&cell| self.crosses_fence_end(cell, [left, right], leave));
            if let Some(cell) = crossed {
                return Err(StepBar::FenceEnd { cell });
            }
        }
        Ok(sides)
    }

    /// Returns whether an edge at the corner between a cell and its diagonal neighbour is closed in
    /// both directions. Four edges meet there.
    fn crosses_fence_end(&self, cell: Cell, [left, right]: [Direction; 2], leave: Leave) -> bool {
        let beyond =
            |first, second| cell.neighbour(first).is_some_and(|side| self.is_fence(side, second, leave));
        self.is_fence(cell, left, leave)
            || self.is_fence(cell, right, leave)
            || beyond(left, right)
            || beyond(right, left)
    }
}
