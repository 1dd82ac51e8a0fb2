//! Cells that must not be closed: each alone would cut a start off from a goal.
//!
//! Decision: `docs/decisions/24-forbidden-cells-and-barriers.md`.

use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    edit::Edit,
    finder::{PathFinder, outcome::QueryError, query::PathQuery},
    movement::Diagonals,
    movement_map::MovementMap,
    size::Size,
    space::grid::GridNode,
    topology::Topology,
};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

/// The cells that must not be closed. Returned by [`PathFinder::forbidden`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Forbidden {
    /// The cells that must stay open: each of them alone would cut off the goal if it were closed.
    /// They are in the order in which every path visits them, the goal last. The list is empty if
    /// start and goal are the same cell.
    Cells(#[cfg_attr(feature = "serde", serde(deserialize_with = "crate::stored::list"))] Vec<Cell>),
    /// There is no path even before any cell is closed.
    Unreachable,
}

impl Forbidden {
    /// Returns the cells that must not be closed. The list is empty if there is no path.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        match self {
            Self::Cells(cells) => cells,
            Self::Unreachable => &[],
        }
    }
}

/// The steps that decide whether the goal can be reached while single cells close.
///
/// They are the straight steps; under [`Diagonals::Always`] and on hexagons, all steps. If a cell
/// closes, it removes only the steps onto it, so a closed cell is a removed node.
///
/// Under other rules, each diagonal step has a detour over the open cell beside it, even if
/// exits are closed. Under `Always`, the cells beside a step do not matter.
struct DecidingSteps<'a> {
    movement_map: &'a MovementMap,
    directions: u8,
    width: usize,
    cell_count: usize,
}

/// The four straight directions, one bit each.
const STRAIGHT: u8 = 0b0101_0101;

impl<'a> DecidingSteps<'a> {
    fn new(movement_map: &'a MovementMap, bounds: &Bounds) -> Self {
        let has_corners = movement_map.topology() == Topology::Square
            && movement_map.movement().diagonals() != Diagonals::Always;
        let directions = if has_corners { STRAIGHT } else { u8::MAX };
        Self { movement_map, directions, width: bounds.width() as usize, cell_count: bounds.cell_count() }
    }

    fn slot(&self, node: GridNode) -> usize {
        node.y() as usize * self.width + node.x() as usize
    }

    fn from(&self, node: GridNode) -> impl Iterator<Item = GridNode> + use<> {
        let mut moves = self.movement_map.moves(node.x(), node.y()) & self.directions;
        std::iter::from_fn(move || {
            let direction = *Direction::ALL.get(moves.trailing_zeros() as usize)?;
            moves &= moves - 1;
            Some(node.moved(direction, 1))
        })
    }

    /// Returns any path, as straight as possible. The caller has checked that one exists.
    fn way(&self, [start, goal]: [GridNode; 2]) -> Vec<GridNode> {
        // Each mark holds the cell from which the cell was reached, plus one; 0 is no mark.
        let mark = |node: GridNode| node.packed() + 1;
        let mut marks = vec![0; self.cell_count];
        marks[self.slot(start)] = mark(start);
        let mut open = NearestFirst::new(goal);
        open.push(start);
        while let Some(node) = open.pop().filter(|&node| node != goal) {
            for next in self.from(node) {
                let came_from = &mut marks[self.slot(next)];
                if *came_from == 0 {
                    *came_from = mark(node);
                    open.push(next);
                }
            }
        }
        let mut way = vec![goal];
        let mut node = goal;
        while node != start && marks[self.slot(node)] != 0 {
            node = GridNode::from_packed(marks[self.slot(node)] - 1);
            way.push(node);
        }
        way.reverse();
        way
    }

    /// Returns the nodes after the start that lie on every path to the goal.
    ///
    /// They all lie on any one path. If a detour around its first nodes rejoins it at some place,
    /// no node in between is needed. Each node off the path is examined once, because the path's
    /// earlier nodes are processed first.
    fn on_every_way(&self, [start, goal]: [GridNode; 2]) -> Vec<GridNode> {
        const PAST: u32 = u32::MAX;
        let way = self.way([start, goal]);
        let mut marks = vec![0; self.cell_count];
        for (&node, place) in way.iter().zip(1..) {
            marks[self.slot(node)] = place;
        }
        let mut needed = Vec::new();
        let mut furthest = 0;
        let mut past = NearestFirst::new(goal);
        for (&node, place) in way.iter().zip(1..) {
            if place > 1 && furthest == place {
                needed.push(node);
            }
            past.push(node);
            while let Some(node) = past.pop() {
                for next in self.from(node) {
                    let mark = &mut marks[self.slot(next)];
                    match *mark {
                        0 => {
                            *mark = PAST;
                            past.push(next);
                        }
                        PAST => {}
                        place => furthest = furthest.max(place),
                    }
                }
                if furthest as usize == way.len() {
                    needed.push(goal);
                    return needed;
                }
            }
        }
        needed
    }
}

/// A queue of nodes, nearest to the goal first, so that a search crosses open ground instead of
/// filling it.
struct NearestFirst {
    goal: GridNode,
    waiting: BinaryHeap<Reverse<u64>>,
}

impl NearestFirst {
    fn new(goal: GridNode) -> Self {
        Self { goal, waiting: BinaryHeap::new() }
    }

    fn push(&mut self, node: GridNode) {
        let steps = node.x().abs_diff(self.goal.x()) + node.y().abs_diff(self.goal.y());
        self.waiting.push(Reverse(u64::from(steps) << 32 | u64::from(node.packed())));
    }

    fn pop(&mut self) -> Option<GridNode> {
        self.waiting.pop().map(|Reverse(waiting)| GridNode::from_packed(waiting as u32))
    }
}

impl PathFinder {
    /// Returns every cell that must stay open: if this cell alone were closed for the query's
    /// movement, there would be no path from start to goal. No tower may be built on these cells.
    ///
    /// These are the passable cells for which [`is_reachable`](Self::is_reachable) would be false
    /// if only that cell were closed. The goal is always one of these cells, because a closed goal
    /// cannot be reached. The start is never one of them, because a unit may leave a blocked start.
    ///
    /// Only the start, the goal and the movement of the query have an effect. The answer is about
    /// *single* cells: two cells outside the answer may still close the last path if both are
    /// closed. So call this function again after each building, or use [`WhatIf`](crate::WhatIf)
    /// for buildings of more than one cell.
    ///
    /// # Errors
    /// [`QueryError::StartOutOfBounds`], [`QueryError::GoalOutOfBounds`],
    /// [`QueryError::UnknownMovement`].
    ///
    /// # Guarantee
    /// Exact.
    ///
    /// # Complexity
    /// O(cells that can be reached): one pass over these cells, or far less if there are many
    /// paths. O(1) if there is no path.
    ///
    /// # Memory
    /// Eight bytes for each examined cell, while the function runs.
    ///
    /// # Examples
    /// If there are several spawns, a cell is forbidden if it is forbidden for one of them:
    /// ```
    /// use std::collections::BTreeSet;
    /// use tilepath::{Cell, Forbidden, Movement, PathFinder, PathQuery, format};
    /// let finder = PathFinder::new(format::parse_ascii("
    ///     ..#....
    ///     .......
    ///     ..#.#..
    ///     ..#.###
    /// ")?, Movement::new());
    /// let castle = Cell::new(6, 3);
    /// let from = |spawn| finder.forbidden(&PathQuery::new(spawn, castle));
    /// let gap = [Cell::new(1, 2), Cell::new(2, 2), Cell::new(3, 2)]; // corners are not cut
    /// assert_eq!(from(Cell::new(0, 0))?.cells(), [&gap[..], &[castle]].concat());
    /// assert_eq!(from(Cell::new(3, 0))?.cells(), [Cell::new(3, 1), Cell::new(3, 2), castle]);
    ///
    /// let mut forbidden = BTreeSet::new();
    /// for spawn in [Cell::new(0, 0), Cell::new(3, 0)] {
    ///     let Forbidden::Cells(cells) = from(spawn)? else { panic!("no wave comes from there as it is") };
    ///     forbidden.extend(cells);
    /// }
    /// assert_eq!(forbidden.len(), 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forbidden(&self, query: &PathQuery) -> Result<Forbidden, QueryError> {
        if !self.is_reachable(query)? {
            return Ok(Forbidden::Unreachable);
        }
        let movement_map = self.movement_map(query.movement())?;
        let ends = self.ends(query, movement_map.movement())?;
        if ends[0] == ends[1] {
            return Ok(Forbidden::Cells(Vec::new()));
        }
        // If its exits close, a unit on closed ground may have others.
        let is_closed = !movement_map.is_passable(ends[0].x(), ends[0].y());
        if !closes_one_node(movement_map) || is_closed {
            return self.forbidden_by_trying(query);
        }
        let bounds = self.grid().bounds();
        let steps = DecidingSteps::new(movement_map, &bounds);
        let needed = steps.on_every_way(ends);
        Ok(Forbidden::Cells(needed.into_iter().map(|node| node.cell(&bounds)).collect()))
    }

    /// Finds the forbidden cells by closing the cells that one path covers, one by one. The goal
    /// can be reached. It is used if a closed cell removes more than one place: for units of more
    /// than one cell, and on maps with exits.
    ///
    /// # Complexity
    /// For each of these cells, two edits and [`PathFinder::is_reachable`].
    fn forbidden_by_trying(&self, query: &PathQuery) -> Result<Forbidden, QueryError> {
        let plain = PathQuery::new(query.start(), query.goal()).with_movement(query.movement());
        let movement_map = self.movement_map_from(query.movement(), query.start())?;
        let size = movement_map.movement().size();
        let bounds = self.grid().bounds();
        let ends = self.ends(query, movement_map.movement())?;
        // Not the cheapest path, because its cost may be more than `Cost::MAX`.
        let way: Vec<Cell> = match movement_map.chain() {
            None => {
                let way = DecidingSteps::new(&movement_map, &bounds).way(ends);
                way.into_iter().map(|node| node.cell(&bounds)).collect()
            }
            Some(chain) => {
                // A goal on the chain needs the exit behind it, too.
                let is_on_it = chain.cells().contains(&query.goal());
                let exit = chain.exit().filter(|_| !is_on_it).map(|exit| query.started_at(exit));
                let rest = exit.map(|query| self.ends(&query, movement_map.movement())).transpose()?;
                let map = self.movement_map(query.movement())?;
                let rest = rest.map(|ends| DecidingSteps::new(map, &bounds).way(ends)).unwrap_or_default();
                let rest = rest.into_iter().map(|node| node.cell(&bounds)).skip(1);
                chain.cells().iter().copied().chain(rest).collect()
            }
        };
        let mut supposed = self.clone();
        let (mut needed, mut tried) = (Vec::new(), BTreeSet::new());
        let costs = movement_map.movement().costs();
        let closed = (0..=u8::MAX).find(|&class| !costs.is_passable(class));
        // The closed cells of a chain off closed ground are closed already.
        let single = movement_map.movement().clone().with_size(Size::default());
        let is_closed = |cell| movement_map.chain().is_some() && !single.is_open(&self.grid, cell);
        for cell in swept(&way, size).filter(|&cell| tried.insert(cell)) {
            if is_closed(cell) {
                continue;
            }
            let Some(class) = supposed.grid().terrain(cell) else { continue };
            // A void cell is closed to every movement. This cell is on the map, so both edits
            // succeed.
            let edit = closed.map_or(Edit::void(cell), |closed| Edit::terrain(cell, closed));
            let is_edited = supposed.edit(&[edit]).is_ok();
            if is_edited && !supposed.is_reachable(&plain.or_closest())? {
                needed.push(cell);
            }
            let is_undone = supposed.set_terrain(cell, class).is_ok();
            debug_assert!(is_edited && is_undone, "the cell is on the map");
        }
        Ok(Forbidden::Cells(needed))
    }
}

/// Returns whether a closed cell removes one place to stand on and nothing else.
fn closes_one_node(movement_map: &MovementMap) -> bool {
    !movement_map.is_large() && !movement_map.has_listed_moves()
}

/// Returns the cells that may break a path if they close, in the order of the path. They are the
/// cells under the unit, and before each step the cells that it would cover beside the step.
fn swept(way: &[Cell], size: Size) -> impl Iterator<Item = Cell> + '_ {
    let steps = way.windows(2).flat_map(|pair| {
        let (from, to) = (pair[0], pair[1]);
        let beside = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
        beside.into_iter().filter(move |&cell| cell != from && cell != to).chain([to])
    });
    way.first().copied().into_iter().chain(steps).flat_map(move |anchor| size.footprint(anchor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grid::Grid, movement::Movement, terrain::CostTable};
    use testkit::Seed;

    #[test]
    fn the_pass_over_all_cells_and_the_closing_of_single_cells_agree() {
        let open_to_all = CostTable::uniform().with(0, 3);
        for number in 0..60_u32 {
            let seed = Seed::named(&format!("forbidden {number}"));
            let (width, height) = (1 + number * 7 % 40, 1 + number * 11 % 37);
            let map = testkit::noise(width, height, 3, number % 5 * 10, &seed);
            for diagonals in Diagonals::ALL {
                for costs in [CostTable::identity(), open_to_all.clone()] {
                    let grid = Grid::from_classes(width, height, map.classes.clone()).unwrap();
                    let movement = Movement::new().with_diagonals(diagonals).with_costs(costs);
                    let finder = PathFinder::new(grid, movement);
                    for (from, to) in map.queries(6, &seed) {
                        let query = PathQuery::new(from.into(), to.into());
                        if !finder.is_reachable(&query).unwrap() {
                            assert_eq!(finder.forbidden(&query), Ok(Forbidden::Unreachable));
                            continue;
                        }
                        let expected = finder.forbidden_by_trying(&query).unwrap();
                        assert_eq!(
                            finder.forbidden(&query),
                            Ok(expected),
                            "{query:?} on map {number}, {diagonals}"
                        );
                    }
                }
            }
        }
    }
}
