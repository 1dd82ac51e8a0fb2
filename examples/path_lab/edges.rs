//! One-way edges and fences.

use tilepath::{Cell, Direction, Edit, Grid, PathFinder};

/// The directions in which an edge between two cells can be crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// Both ways.
    Open,
    /// From the first cell to the second.
    OneWay,
    /// From the second cell to the first.
    Back,
    Fence,
}

impl Crossing {
    /// Returns the next state of the edge after a stroke of the brush.
    const fn next(self) -> Self {
        match self {
            Self::Open | Self::Back => Self::OneWay,
            Self::OneWay => Self::Fence,
            Self::Fence => Self::Open,
        }
    }
}

/// Returns how an edge can be crossed, or `None` if the cells are not neighbours on the map.
pub(crate) fn crossing(grid: &Grid, from: Cell, to: Cell) -> Option<Crossing> {
    let directions = grid.topology().directions();
    let direction = directions.iter().copied().find(|&direction| from.neighbour(direction) == Some(to))?;
    if !grid.contains(from) || !grid.contains(to) {
        return None;
    }
    let there = grid.exits(from)?.contains(direction);
    let back = grid.exits(to)?.contains(direction.opposite());
    Some(match (there, back) {
        (true, true) => Crossing::Open,
        (true, false) => Crossing::OneWay,
        (false, true) => Crossing::Back,
        (false, false) => Crossing::Fence,
    })
}

/// Makes an open edge one-way in the direction of the stroke, a one-way edge a fence, and a fence
/// open again.
///
/// Returns whether anything changed.
pub(crate) fn turn(finder: &mut PathFinder, from: Cell, to: Cell) -> bool {
    let Some(crossing) = crossing(finder.grid(), from, to) else { return false };
    let open = Edit::open_edge(from, to);
    let turned = match crossing.next() {
        Crossing::Fence => vec![Edit::fence(from, to)],
        Crossing::OneWay => vec![open, Edit::one_way(from, to)],
        Crossing::Open | Crossing::Back => vec![open],
    };
    finder.edit(&turned).is_ok()
}

/// Returns the neighbours to which a step from this cell is closed. The step back may be open.
pub(crate) fn no_way_to(grid: &Grid, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
    let around = grid.topology().directions().iter().filter_map(move |&direction| cell.neighbour(direction));
    around.filter(move |&other| matches!(crossing(grid, cell, other), Some(Crossing::Back | Crossing::Fence)))
}

/// Returns every edge that is not open, once.
pub(crate) fn closed(grid: &Grid) -> impl Iterator<Item = (Cell, Cell, Crossing)> + '_ {
    let half = [Direction::North, Direction::NorthEast, Direction::East, Direction::SouthEast];
    grid.bounds().cells().flat_map(move |from| {
        half.into_iter().filter_map(move |direction| {
            let to = from.neighbour(direction)?;
            crossing(grid, from, to).filter(|&how| how != Crossing::Open).map(|how| (from, to, how))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::on_hexagons;
    use tilepath::Movement;

    #[test]
    fn strokes_make_an_edge_one_way_then_a_fence_then_open() {
        let squares = Grid::new(4, 4, 1).unwrap();
        for grid in [on_hexagons(&squares), squares] {
            let mut finder = PathFinder::new(grid, Movement::new());
            let (a, b) = (Cell::new(1, 1), Cell::new(1, 2));
            for expected in [Crossing::OneWay, Crossing::Fence, Crossing::Open, Crossing::OneWay] {
                assert!(turn(&mut finder, a, b));
                assert_eq!(crossing(finder.grid(), a, b), Some(expected));
                assert_eq!(closed(finder.grid()).count(), usize::from(expected != Crossing::Open));
            }
            assert!(turn(&mut finder, b, a), "a stroke the other way turns it round");
            assert_eq!(crossing(finder.grid(), a, b), Some(Crossing::Back));
            assert!(!turn(&mut finder, a, Cell::new(1, 3)), "they do not touch");
            assert!(!turn(&mut finder, a, Cell::new(1, -1)));
        }
    }

    #[test]
    fn cells_of_hexagons_that_do_not_touch_have_no_edge() {
        let mut finder = PathFinder::new(on_hexagons(&Grid::new(4, 4, 1).unwrap()), Movement::new());
        assert!(!turn(&mut finder, Cell::new(1, 1), Cell::new(2, 2)));
        assert!(!turn(&mut finder, Cell::new(0, 0), Cell::new(-1, 0)), "that one is void");
    }
}
