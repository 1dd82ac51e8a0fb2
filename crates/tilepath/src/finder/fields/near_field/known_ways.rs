//! The ways over portals by which a field has spread, and what others nearby may expect of them.

use crate::{cost::Cost, space::grid::GridNode};

/// Places on ways over portals to one goal, which join each other like the branches of a tree.
#[derive(Debug)]
pub(super) struct KnownWays {
    /// The goal is the first.
    places: Vec<Place>,
    /// How many are worth looking through.
    most: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    node: GridNode,
    /// Which place comes next on the way to the goal; for the goal itself the goal.
    next: usize,
}

/// What is known of a way beside a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// The place of the way that is nearest.
    nearest: GridNode,
    /// One further on, towards which ways from the cell can join it without much of a detour.
    ahead: GridNode,
    /// Which place that is.
    index: usize,
}

impl KnownWays {
    /// No way to the goal is known yet. No more places are kept than the map has chunks.
    pub(super) fn to(goal: GridNode, chunks: usize) -> Self {
        Self { places: vec![Place { node: goal, next: 0 }], most: chunks }
    }

    /// Adds the places of a way that ends at the place of an index, the start last. If there are too many, the others are forgotten.
    pub(super) fn add(&mut self, nodes: impl Iterator<Item = GridNode>, count: usize, index: usize) {
        let is_too_much = self.places.len() + count > self.most;
        let mut next = if is_too_much { 0 } else { index };
        if is_too_much {
            self.places.truncate(1);
        }
        for node in nodes {
            self.places.push(Place { node, next });
            next = self.places.len() - 1;
        }
    }

    /// The way beside a node; `None` before the first one.
    ///
    /// # Complexity
    /// O(places).
    pub(super) fn beside(&self, node: GridNode) -> Option<Beside> {
        /// How far on a way is joined at least, in steps, and for each step that it is away.
        const AHEAD: u32 = 64;
        const AHEAD_PER_STEP: u32 = 4;
        if self.places.len() == 1 {
            return None;
        }
        let indices = 0..self.places.len();
        let nearest = indices.min_by_key(|&index| node.distance(self.places[index].node))?;
        let place = self.places[nearest];
        let reach = AHEAD + AHEAD_PER_STEP * node.distance(place.node);
        let mut index = nearest;
        while index != 0 && node.distance(self.places[index].node) < reach {
            index = self.places[index].next;
        }
        Some(Beside { nearest: place.node, ahead: self.places[index].node, index })
    }
}

impl Beside {
    /// Where the way can be joined, and which place that is; `None` where that is no sooner than at the goal.
    pub(super) fn ahead(&self) -> Option<(GridNode, usize)> {
        (self.index != 0).then_some((self.ahead, self.index))
    }

    /// What a node pays up to where the way beside it can be joined, for each step in percent of what the way itself pays for one.
    /// `None` where that says nothing.
    pub(super) fn share(
        &self,
        node: GridNode,
        cost: Cost,
        known: impl Fn(GridNode) -> Option<Cost>,
    ) -> Option<u64> {
        let (from, rest) = (known(self.nearest)?, known(self.ahead)?);
        let paid = u64::from(from.get().checked_sub(rest.get())?);
        let own = u64::from(cost.get().saturating_sub(rest.get()));
        let [steps, own_steps] = [self.nearest, node].map(|node| u64::from(node.distance(self.ahead)));
        // Two costs of 32 bits and two distances of 16.
        (own * steps * 100).checked_div(paid * own_steps)
    }
}
