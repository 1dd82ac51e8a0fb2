//! A map whose closed cells may be opened, at a price that counts before the cost.

use crate::{
    bounds::Bounds,
    cell::Direction,
    cost::Cost,
    grid::Grid,
    movement_map::{MovementMap, plane::Ground as _},
    search::{DenseRecords, Heuristic, SearchSpace},
    space::grid::GridNode,
    space::octile_distance::OctileDistance,
    topology::Topology,
};

/// The number of opened cells and the cost of the path, compared in this order.
pub(super) type OpenedCost = (u32, Cost);

/// A map for one movement whose closed cells may be opened. Each step pays for the cells that it
/// opens: the cell that it enters, and as many beside a diagonal step as the diagonal rule
/// requires.
///
/// A cell that a path needs twice is paid for twice. This does not change the result: among the
/// paths that open the fewest cells, a cheapest one needs no cell twice.
///
/// Reason: a path may enter a cell and pass its corner, or pass two of its corners. Then the path
/// straight through the cell opens as few cells and costs as little, because an opened cell has
/// the lowest cost.
#[derive(Clone, Copy)]
pub(super) struct OpenedSpace<'map> {
    pub(super) bounds: &'map Bounds,
    pub(super) grid: &'map Grid,
    pub(super) movement_map: &'map MovementMap,
    /// The multiplier of an opened cell.
    pub(super) opened_at: u16,
}

/// The cells that a step opens, at most three, in the order of the step.
pub(super) type OpenedCells = [Option<GridNode>; 3];

impl OpenedSpace<'_> {
    pub(super) fn is_open(&self, node: GridNode) -> bool {
        self.movement_map.is_passable(node.x(), node.y())
    }

    /// Returns whether the cell is closed and may be opened. Void cells may not.
    pub(super) fn can_open(&self, node: GridNode) -> bool {
        !self.is_open(node) && !self.grid.is_void_at(node.x(), node.y())
    }

    /// Returns the neighbour in a direction, or `None` at the border of the map.
    pub(super) fn neighbour(&self, node: GridNode, direction: Direction) -> Option<GridNode> {
        node.neighbour(direction, self.bounds).filter(|_| self.grid.topology().has(direction))
    }

    /// Returns whether the diagonal rule applies to the two cells beside the step.
    fn has_corner(&self, direction: Direction) -> bool {
        direction.is_diagonal() && self.grid.topology() == Topology::Square
    }

    /// Returns the cost to enter a cell, which is opened if it is closed.
    pub(super) fn entry_cost(&self, node: GridNode, direction: Direction) -> Cost {
        let kind = usize::from(direction.is_diagonal());
        if self.is_open(node) {
            Cost::new(self.movement_map.plane(self.grid.classes()).entry_cost(self.key(node), kind))
        } else {
            let units = self.movement_map.movement().unit_costs(self.movement_map.topology());
            Cost::new(u32::from(self.opened_at) * units[kind])
        }
    }

    /// Returns the neighbour in a direction, if the step is allowed when this one cell is open.
    pub(super) fn neighbour_if_open(
        &self,
        node: GridNode,
        direction: Direction,
        door: GridNode,
    ) -> Option<GridNode> {
        let is_open = |node: GridNode| node == door || self.is_open(node);
        let entered = self.neighbour(node, direction).filter(|&entered| is_open(entered))?;
        let rule = self.movement_map.movement().diagonals();
        let is_allowed = !self.has_corner(direction) || {
            let beside = [direction.turned(7), direction.turned(1)];
            let sides = beside.into_iter().filter_map(|side| self.neighbour(node, side));
            rule.allow(sides.filter(|&side| !is_open(side)).count())
        };
        is_allowed.then_some(entered)
    }

    /// Returns the neighbour in a direction and the cells that the step opens, or `None` if no
    /// opening allows the step.
    pub(super) fn step(&self, node: GridNode, direction: Direction) -> Option<(GridNode, OpenedCells)> {
        let entered = self.neighbour(node, direction)?;
        if !self.is_open(entered) && !self.can_open(entered) {
            return None;
        }
        let mut opened = [(!self.is_open(entered)).then_some(entered), None, None];
        if self.has_corner(direction) {
            let rule = self.movement_map.movement().diagonals();
            let beside = [direction.turned(7), direction.turned(1)];
            // Both lie on the map, because both cells of the step do.
            let obstacles = beside.map(|side| self.neighbour(node, side).filter(|&side| !self.is_open(side)));
            let mut left = obstacles.iter().flatten().count();
            for (place, obstacle) in (1..).zip(obstacles) {
                if !rule.allow(left) && obstacle.is_some_and(|side| self.can_open(side)) {
                    opened[place] = obstacle;
                    left -= 1;
                }
            }
            if !rule.allow(left) {
                return None;
            }
        }
        Some((entered, opened))
    }
}

impl SearchSpace for OpenedSpace<'_> {
    type Node = GridNode;
    type Cost = OpenedCost;
    type Link = Direction;
    type Records = DenseRecords<OpenedCost, Direction>;

    fn key(&self, node: GridNode) -> usize {
        node.y() as usize * self.bounds.width() as usize + node.x() as usize
    }

    fn key_count(&self) -> usize {
        self.bounds.cell_count()
    }

    fn expand(
        &self,
        node: GridNode,
        _: Option<Direction>,
        mut emit: impl FnMut(GridNode, OpenedCost, Direction),
    ) {
        for direction in Direction::ALL {
            if let Some((entered, opened)) = self.step(node, direction) {
                let count = opened.iter().flatten().count() as u32;
                emit(entered, (count, self.entry_cost(entered, direction)), direction);
            }
        }
    }

    fn predecessor(&self, node: GridNode, link: Direction) -> GridNode {
        node.moved(link.opposite(), 1)
    }
}

/// An estimate: no cell needs to open, and the cost is the octile distance on the cheapest ground.
pub(super) struct OpenedEstimate(pub(super) OctileDistance);

impl Heuristic<GridNode, OpenedCost> for OpenedEstimate {
    fn estimate(&self, node: GridNode) -> OpenedCost {
        (0, self.0.estimate(node))
    }
}
