//! The order in which backtracking tries the neighbours of a cell.

use crate::{
    cost::Cost,
    finder::heuristic_kind::ChosenDistance,
    movement_map::plane::Ground,
    search::{Heuristic, SearchSpace},
    space::grid::{GridLink, GridNode, GridRecords, GridSpace},
};

/// A map that emits the steps from the farthest to the nearest to the goal. A stack then returns
/// the nearest first; of steps equally near, the one emitted last.
pub(crate) struct Backtracking<'map, G> {
    pub(crate) space: &'map GridSpace<'map, G>,
    pub(crate) distance: ChosenDistance,
}

impl<G: Ground> SearchSpace for Backtracking<'_, G> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    fn key(&self, node: GridNode) -> usize {
        self.space.key(node)
    }

    fn key_count(&self) -> usize {
        self.space.key_count()
    }

    fn expand(&self, node: GridNode, link: Option<GridLink>, mut emit: impl FnMut(GridNode, Cost, GridLink)) {
        let mut steps = [(Cost::ZERO, node, Cost::ZERO, GridLink::of(0)); 8];
        let mut count = 0;
        self.space.expand(node, link, |successor, cost, link| {
            steps[count] = (self.distance.estimate(successor), successor, cost, link);
            count += 1;
        });
        let steps = &mut steps[..count];
        steps.sort_by_key(|&(left, ..)| std::cmp::Reverse(left));
        for &mut (_, successor, cost, link) in steps {
            emit(successor, cost, link);
        }
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        self.space.predecessor(node, link)
    }
}
