//! The order in which a backtracking walk tries the cells beside it.

use crate::{
    cost::Cost,
    finder::heuristic_kind::ChosenDistance,
    movement_map::plane::Ground,
    search::{Heuristic, SearchSpace},
    space::grid::{GridLink, GridNode, GridRecords, GridSpace},
};

/// A map whose steps are offered from the one farthest from the goal to the nearest: what a stack then gives back first is
/// the nearest, and of several the last one offered.
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
