//! Steps allowed from each cell on maps with exits.
//!
//! Without exits, the open neighbours of a cell decide which steps are allowed. With exits, steps
//! also depend on the cell, on the cells beside it, and on all cells under the footprint. So they
//! are found once, stored as a byte for each cell, and updated with edits.
//! [`StepRules`](crate::movement::StepRules) is the definition.
//!
//! Decision: `docs/decisions/11-exits.md`.

use super::{
    area::Area,
    neighbour_masks::NeighbourMasks,
    plane::DerivedPlane,
    pruning::{MoveTable, StepRule},
};
use crate::{
    bit_grid::BitGrid,
    bounds::Bounds,
    cell::{Cell, Direction},
    exits::Exits,
    grid::Grid,
    movement::{Crossing, Diagonals, Movement, StepRules},
    topology::Topology,
};

/// For each cell, by slot, the directions in which a unit may leave it: bit n for the nth of [`Direction::ALL`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListedMoves {
    moves: Vec<u8>,
    width: usize,
}

impl ListedMoves {
    /// # Complexity
    /// O(cells), times size² near closed exits.
    pub(super) fn new(grid: &Grid, movement: &Movement, passable: &BitGrid, masks: &NeighbourMasks) -> Self {
        let mut listed = Self::of_rule(&moves_without_exits(grid, movement), masks);
        let all = Area::all(grid.width(), grid.height());
        listed.look_near_exits(grid, movement, passable, masks, &[all]);
        listed
    }

    /// Moves the list to a rectangle with other bounds. From new cells no step leads.
    pub(super) fn moved(&self, from: &Bounds, to: &Bounds) -> Self {
        Self { moves: from.moved(&self.moves, to, 0), width: to.width() as usize }
    }

    /// Finds the steps of cells in rectangles again. Use it if few of them lie near closed exits.
    pub(super) fn find(
        &mut self,
        grid: &Grid,
        movement: &Movement,
        passable: &BitGrid,
        masks: &NeighbourMasks,
        areas: &[Area],
    ) {
        let forward = moves_without_exits(grid, movement);
        for (x, y) in areas.iter().flat_map(Area::cells) {
            self.moves[y as usize * self.width + x as usize] = forward.directions(None, masks.at(x, y));
        }
        self.look_near_exits(grid, movement, passable, masks, areas);
    }

    /// Finds the steps of cells in rectangles again, but only of cells near closed exits.
    fn look_near_exits(
        &mut self,
        grid: &Grid,
        movement: &Movement,
        passable: &BitGrid,
        masks: &NeighbourMasks,
        areas: &[Area],
    ) {
        let side = i32::from(movement.size().side());
        let mut is_near = BitGrid::new(grid.width(), grid.height());
        let grown = areas.iter().map(|area| area.grown(side as u32, grid.width(), grid.height()));
        let grown: Vec<Area> = grown.collect();
        let has_closed_exit = |cell: &Cell| StepRules::new(movement, grid, *cell).exits_of(*cell) != u8::MAX;
        let cells = grown.iter().flat_map(Area::cells).map(|(x, y)| grid.bounds().global(x, y));
        let is_grown = |cell: &Cell| {
            let place = grid.bounds().local(*cell);
            place.is_some_and(|(x, y)| grown.iter().any(|area| area.place(x, y).is_some()))
        };
        let closed = movement.edges().iter().filter(|(_, crossing)| *crossing == Crossing::Closed);
        let beside_edges = closed.flat_map(|(name, _)| grid.edge_cells(name)).map(|(cell, _)| cell);
        for cell in cells.filter(has_closed_exit).chain(beside_edges.filter(is_grown)) {
            for (dx, dy) in (-side..=1).flat_map(|dy| (-side..=1).map(move |dx| (dx, dy))) {
                if let Some((x, y)) = grid.bounds().local(cell + (dx, dy)) {
                    is_near.set(x, y, true);
                }
            }
        }
        for (x, y) in areas.iter().flat_map(Area::cells).filter(|&(x, y)| is_near.get(x, y)) {
            self.moves[y as usize * self.width + x as usize] =
                moves_of(grid, movement, passable, masks, x, y);
        }
    }

    /// Creates the list of steps that the open neighbours alone allow.
    pub(super) fn of_rule(forward: &MoveTable, masks: &NeighbourMasks) -> Self {
        let moves = masks.bytes().iter().map(|&open| forward.directions(None, open)).collect();
        Self { moves, width: masks.width() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.moves
    }

    #[inline]
    pub(super) fn at(&self, x: u32, y: u32) -> u8 {
        self.moves[y as usize * self.width + x as usize]
    }

    pub(super) fn set(&mut self, slot: usize, moves: u8) {
        self.moves[slot] = moves;
    }

    /// Returns the directions of the open neighbours from which the cell may be entered.
    pub(super) fn entries(&self, x: u32, y: u32, open: u8) -> u8 {
        let here = y as usize * self.width + x as usize;
        let enters = |direction: Direction| {
            let (dx, dy) = direction.offset();
            let slot = here.wrapping_add_signed(dx as isize + dy as isize * self.width as isize);
            open >> direction as u8 & 1 == 1 && self.moves[slot] >> direction.opposite() as u8 & 1 == 1
        };
        let entries = Direction::ALL.into_iter().filter(|&direction| enters(direction));
        entries.fold(0, |set, direction| set | 1 << direction as u8)
    }

    /// Finds the steps of a rectangle of cells again.
    pub(super) fn follow_edit(
        &mut self,
        grid: &Grid,
        movement: &Movement,
        passable: &BitGrid,
        masks: &NeighbourMasks,
        area: &Area,
    ) {
        for (x, y) in area.cells() {
            self.moves[y as usize * self.width + x as usize] =
                moves_of(grid, movement, passable, masks, x, y);
        }
    }
}

/// Returns the steps that are allowed if all exits are open.
fn moves_without_exits(grid: &Grid, movement: &Movement) -> MoveTable {
    MoveTable::forward(match grid.topology() {
        Topology::Square => StepRule::Square(movement.diagonals()),
        Topology::Hexagonal => StepRule::Hexagonal,
    })
}

/// Returns the steps allowed from the anchor at column x, row y.
fn moves_of(
    grid: &Grid,
    movement: &Movement,
    passable: &BitGrid,
    masks: &NeighbourMasks,
    x: u32,
    y: u32,
) -> u8 {
    let bounds = grid.bounds();
    let anchor = bounds.global(x, y);
    let has = |set: u8, direction: Direction| set >> direction as u8 & 1 == 1;
    let ways = footprint_exits(grid, movement, anchor) & masks.at(x, y);
    let topology = grid.topology();
    let rules = StepRules::new(movement, grid, anchor);
    let is_allowed = |direction: Direction| {
        let is_closed = |cell| rules.crossed(cell, direction).is_closed;
        if !topology.has(direction) || !has(ways, direction) || rules.cells_under(anchor).any(is_closed) {
            return false;
        }
        if topology == Topology::Hexagonal || !direction.is_diagonal() {
            return true;
        }
        let sides = [direction.turned(7), direction.turned(1)];
        if movement.diagonals() == Diagonals::Always {
            return movement.size().footprint(anchor).all(|cell| !crosses_fence_end(grid, cell, sides));
        }
        let is_free = |first: Direction, second: Direction| {
            let side = anchor.neighbour(first).filter(|_| has(ways, first));
            side.is_some_and(|side| {
                let is_open = bounds.local(side).is_some_and(|(x, y)| passable.get(x, y));
                is_open && has(footprint_exits(grid, movement, side), second)
            })
        };
        let [left, right] = sides;
        movement.diagonals().allow(usize::from(!is_free(left, right)) + usize::from(!is_free(right, left)))
    };
    let allowed = Direction::ALL.into_iter().filter(|&direction| is_allowed(direction));
    allowed.fold(0, |set, direction| set | 1 << direction as u8)
}

/// Returns the exits that all cells under a footprint have.
fn footprint_exits(grid: &Grid, movement: &Movement, anchor: Cell) -> u8 {
    let rules = StepRules::new(movement, grid, anchor);
    rules.cells_under(anchor).fold(u8::MAX, |all, cell| all & rules.exits_of(cell))
}

/// Returns whether steps of a movement may depend on more than the open neighbours.
pub(super) fn is_needed(grid: &Grid, movement: &Movement) -> bool {
    grid.has_exits()
        || movement.closes_class_steps()
        || movement.meets_edges(grid, |crossing| crossing == Crossing::Closed)
}

/// Returns whether an edge is closed in both directions.
fn is_fence(grid: &Grid, cell: Cell, direction: Direction) -> bool {
    let is_closed = |cell, direction| grid.exits(cell).is_some_and(|exits: Exits| !exits.contains(direction));
    is_closed(cell, direction)
        && cell.neighbour(direction).is_some_and(|other| is_closed(other, direction.opposite()))
}

/// Returns whether an edge at the corner between a cell and its diagonal neighbour is closed in
/// both directions. Four edges meet there.
fn crosses_fence_end(grid: &Grid, cell: Cell, [left, right]: [Direction; 2]) -> bool {
    let beyond = |first, second| cell.neighbour(first).is_some_and(|side| is_fence(grid, side, second));
    is_fence(grid, cell, left) || is_fence(grid, cell, right) || beyond(left, right) || beyond(right, left)
}

/// Returns whether an edge of the map may be closed under a unit.
fn may_split(grid: &Grid, movement: &Movement) -> bool {
    let has_closed_edges =
        || grid.has_exits() || movement.meets_edges(grid, |crossing| crossing == Crossing::Closed);
    movement.size().side() > 1 && has_closed_edges()
}

/// Returns whether an edge between two cells under the footprint of the anchor at column x, row y
/// is closed in both directions, or by its name. No unit can stand on such an edge.
pub(super) fn is_split(grid: &Grid, movement: &Movement, x: u32, y: u32) -> bool {
    if !may_split(grid, movement) {
        return false;
    }
    let anchor = grid.bounds().global(x, y);
    let last = i32::from(movement.size().side()) - 1;
    let rules = StepRules::new(movement, grid, anchor);
    let is_wall = |cell, side| is_fence(grid, cell, side) || rules.crossed(cell, side).is_closed;
    movement.size().footprint(anchor).any(|cell| {
        (cell.x - anchor.x < last && is_wall(cell, Direction::East))
            || (cell.y - anchor.y < last && is_wall(cell, Direction::North))
    })
}

/// Closes the anchors on which no unit may stand because of an edge under the footprint.
pub(super) fn close_split_anchors(grid: &Grid, movement: &Movement, derived: &mut DerivedPlane) {
    if !may_split(grid, movement) {
        return;
    }
    for y in 0..grid.height() {
        for x in 0..grid.width() {
            if is_split(grid, movement, x, y) {
                derived.set(y as usize * grid.width() as usize + x as usize, 0);
            }
        }
    }
}
