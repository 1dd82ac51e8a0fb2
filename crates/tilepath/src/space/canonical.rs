//! Search space of a map with many terrain costs, for one goal.

use crate::{
    cost::Cost,
    movement_map::{
        canonical_steps::{CanonicalSteps, ROUNDS, StepsSeen},
        meter::Meter,
        plane::Ground,
    },
    search::SearchSpace,
    space::grid::{GridLink, GridNode, GridRecords, GridSpace},
};

/// A map for one movement, searched for one goal. From a cell, only its canonical steps are
/// offered.
///
/// # Guarantee
/// The cost of the goal and the path to it are exact. Some other cells are never reached, or not by
/// a cheapest path.
///
/// Priorities still never decrease, so no closed cell is reached more cheaply later. The path to a
/// closed cell costs what its record states.
#[derive(Clone, Copy)]
pub(crate) struct CanonicalGrid<'map, G> {
    grid: GridSpace<'map, G>,
    steps: StepsSeen<'map>,
    goal: GridNode,
}

impl<'map, G: Ground + 'map> CanonicalGrid<'map, G> {
    /// Makes the space. A meter counts the preprocessing that the search needs.
    pub(crate) fn new(
        grid: GridSpace<'map, G>,
        steps: &'map CanonicalSteps,
        goal: GridNode,
        meter: Option<&'map Meter<'map>>,
    ) -> Self {
        Self { steps: steps.seen_by(grid.terrain(), meter), grid, goal }
    }
}

impl<G: Ground> SearchSpace for CanonicalGrid<'_, G> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, node: GridNode) -> usize {
        self.grid.key(node)
    }

    fn key_count(&self) -> usize {
        self.grid.key_count()
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn expand(&self, node: GridNode, link: Option<GridLink>, emit: impl FnMut(GridNode, Cost, GridLink)) {
        let steps = match link {
            Some(link) if node.distance(self.goal) > ROUNDS as u32 => link.steps(),
            _ => self.grid.forward(node, link.map(GridLink::direction)),
        };
        self.grid.offer(node, steps, emit);
    }

    #[expect(clippy::inline_always, reason = "a call costs a tenth of a whole search")]
    #[inline(always)]
    fn entry(&self, node: GridNode, link: GridLink) -> (GridNode, GridLink) {
        (node, link.with_steps(self.steps.after(node.x(), node.y(), link.place())))
    }

    fn predecessor(&self, node: GridNode, link: GridLink) -> GridNode {
        self.grid.predecessor(node, link)
    }
}
