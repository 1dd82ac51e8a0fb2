//! Jump point search: a successor policy for maps of one passable cost.
//!
//! Instead of the neighbours of a cell it offers the next cells where a cheapest path may have to turn. Straight lines
//! are scanned 64 cells at a time on bits ([`scan`]); diagonal ones are walked, and the turns found along them are offered
//! at once, so that no cell of a diagonal is ever put into the open list for its own sake ("intermediate pruning"). Which
//! directions to follow from a cell is read from the layer's table.
//!
//! # Source
//! Harabor and Grastien, "Improving jump point search", ICAPS 2014 (block-based scanning and pruning); the rule for
//! diagonals that cut no corner is theirs too.

pub(crate) mod records;
pub(crate) mod scan;

use self::{
    records::{JumpLink, JumpRecords},
    scan::{ScanEnd, ScanRule, scan},
};
use crate::{
    bit_grid::BitGrid, bounds::Bounds, cell::Direction, cost::Cost, layer::Layer, movement::Diagonals,
    space::SearchSpace, space::grid::GridNode,
};
use std::{cell::Cell as Counter, marker::PhantomData};

/// A map of one passable cost as a search space of jump points.
pub(crate) struct JumpPointSpace<'map, R> {
    layer: &'map Layer,
    width: usize,
    cell_count: usize,
    goal: GridNode,
    straight: u32,
    diagonal: u32,
    /// Words scanned and diagonal steps taken since it was last asked: the work besides expansions.
    scanned: Counter<u64>,
    rule: PhantomData<R>,
}

/// Whether jump points are exact for this layer as it is now: one passable cost, diagonals, a diagonal step that is dearer
/// than a straight one and cheaper than two, and no jump whose cost could not be stated.
pub(crate) fn is_applicable(layer: &Layer, bounds: &Bounds) -> bool {
    let movement = layer.movement();
    let (straight, diagonal) =
        (u64::from(movement.steps().straight()), u64::from(movement.steps().diagonal()));
    let longest_jump = u64::from(bounds.width()) + u64::from(bounds.height());
    movement.diagonals() != Diagonals::Never
        && straight < diagonal
        && diagonal < 2 * straight
        && layer
            .uniform_multiplier()
            .is_some_and(|multiplier| u64::from(multiplier) * diagonal * longest_jump <= u64::from(u32::MAX))
}

impl<'map, R: ScanRule> JumpPointSpace<'map, R> {
    pub(crate) fn new(layer: &'map Layer, bounds: &Bounds, goal: GridNode) -> Self {
        let multiplier = u32::from(layer.uniform_multiplier().unwrap_or(1));
        let steps = layer.movement().steps();
        Self {
            layer,
            width: bounds.width() as usize,
            cell_count: bounds.cell_count(),
            goal,
            straight: multiplier * u32::from(steps.straight()),
            diagonal: multiplier * u32::from(steps.diagonal()),
            scanned: Counter::new(0),
            rule: PhantomData,
        }
    }

    /// The work besides expansions since this was last asked.
    pub(crate) fn take_scanned(&self) -> u64 {
        self.scanned.take()
    }

    /// The jump point in a straight direction, if there is one: how many steps away.
    #[inline]
    fn jump_straight(&self, x: u32, y: u32, direction: Direction, scanned: &mut u64) -> Option<u32> {
        let (bits, line, from, goal_line, goal_bit): (&BitGrid, _, _, _, _) = match direction {
            Direction::East | Direction::West => (self.layer.rows(), y, x, self.goal.y(), self.goal.x()),
            _ => (self.layer.columns(), x, y, self.goal.x(), self.goal.y()),
        };
        let (line, from) = (line as usize + 1, from as usize + 1);
        let is_forward = matches!(direction, Direction::North | Direction::East);
        let ScanEnd { bit, is_jump_point, words } =
            if is_forward { scan::<R, true>(bits, line, from) } else { scan::<R, false>(bits, line, from) };
        *scanned += u64::from(words);
        if goal_line as usize + 1 == line {
            // The goal is open, so it is never the wall at the end.
            let goal_bit = goal_bit as usize + 1;
            let is_passed = if is_forward {
                (from + 1..=bit).contains(&goal_bit)
            } else {
                (bit..from).contains(&goal_bit)
            };
            if is_passed {
                return Some(goal_bit.abs_diff(from) as u32);
            }
        }
        is_jump_point.then(|| bit.abs_diff(from) as u32)
    }

    #[inline]
    fn offer_straight(
        &self,
        from: GridNode,
        paid: u32,
        direction: Direction,
        parent: GridNode,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        if let Some(steps) = self.jump_straight(from.x(), from.y(), direction, scanned) {
            let cost = Cost::new(paid + steps * self.straight);
            emit(from.moved(direction, steps), cost, JumpLink { parent, direction });
        }
    }

    /// Walks a diagonal and offers the jump points beside it, until the way is closed or must turn.
    fn offer_diagonal(
        &self,
        parent: GridNode,
        direction: Direction,
        emit: &mut impl FnMut(GridNode, Cost, JumpLink),
        scanned: &mut u64,
    ) {
        let beside = [direction.turned(7), direction.turned(1)];
        let turns_aside = 1 << direction.turned(2) as u8 | 1 << direction.turned(6) as u8;
        let legal = 1 << direction as u8;
        let mut here = parent;
        let mut paid = 0;
        while self.layer.moves(here.x(), here.y()) & legal != 0 {
            *scanned += 1;
            here = here.moved(direction, 1);
            paid += self.diagonal;
            let link = JumpLink { parent, direction };
            let worthwhile = self.layer.worthwhile(Some(direction), here.x(), here.y());
            if here == self.goal || worthwhile & turns_aside != 0 {
                emit(here, Cost::new(paid), link);
                return;
            }
            for side in beside {
                if worthwhile >> side as u8 & 1 == 1 {
                    self.offer_straight(here, paid, side, parent, emit, scanned);
                }
            }
        }
    }
}

impl<R: ScanRule> SearchSpace for JumpPointSpace<'_, R> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = JumpLink;
    type Records = JumpRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    fn key_count(&self) -> usize {
        self.cell_count
    }

    #[inline]
    fn expand(&self, node: GridNode, link: Option<JumpLink>, mut emit: impl FnMut(GridNode, Cost, JumpLink)) {
        let mut scanned = 0;
        let mut directions = self.layer.worthwhile(link.map(|link| link.direction), node.x(), node.y());
        while directions != 0 {
            let direction = Direction::ALL[directions.trailing_zeros() as usize];
            directions &= directions - 1;
            if direction.is_diagonal() {
                self.offer_diagonal(node, direction, &mut emit, &mut scanned);
            } else {
                self.offer_straight(node, 0, direction, node, &mut emit, &mut scanned);
            }
        }
        self.scanned.set(self.scanned.get() + scanned);
    }

    fn predecessor(&self, _: GridNode, link: JumpLink) -> GridNode {
        link.parent
    }
}

/// The cells between two jump points in the order from `node` back to `parent`, without `node`, with `parent`: a jump takes
/// its diagonal steps first, so the straight ones come first on the way back.
pub(crate) fn cells_back(node: GridNode, parent: GridNode) -> impl Iterator<Item = GridNode> {
    let mut here = node;
    std::iter::from_fn(move || {
        if here == parent {
            return None;
        }
        let (dx, dy) = (parent.x().abs_diff(here.x()), parent.y().abs_diff(here.y()));
        let towards = |here: u32, parent: u32| parent.cmp(&here) as i32;
        let (toward_x, toward_y) = (towards(here.x(), parent.x()), towards(here.y(), parent.y()));
        here = match dx.cmp(&dy) {
            std::cmp::Ordering::Greater => here.offset(toward_x, 0),
            std::cmp::Ordering::Less => here.offset(0, toward_y),
            std::cmp::Ordering::Equal => here.offset(toward_x, toward_y),
        };
        Some(here)
    })
}
