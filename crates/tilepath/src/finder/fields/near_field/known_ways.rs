//! Known paths over portals, and the costs that nearby units can expect.

use crate::{cost::Cost, space::grid::GridNode};

/// Places on the paths over portals to one goal. The paths join like the branches of a tree.
#[derive(Debug)]
pub(super) struct KnownWays {
    /// The places. The first is the goal.
    places: Vec<Place>,
    /// The largest number of places.
    most: usize,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    node: GridNode,
    /// The index of the next place towards the goal. The goal points to itself.
    next: usize,
}

/// A known path beside a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// The nearest place on the path.
    nearest: GridNode,
    /// A later place on the path. A path from the cell can join there without much of a detour.
    ahead: GridNode,
    /// The index of that later place.
    index: usize,
}

impl KnownWays {
    /// Makes an empty list of paths to a goal. It keeps at most as many places as the map has
    /// chunks.
    pub(super) fn to(goal: GridNode, chunks: usize) -> Self {
        Self { places: vec![Place { node: goal, next: 0 }], most: chunks }
    }

    /// Adds the places of a path that ends at the place `index`, the start last. If there are too
    /// many, all others are dropped.
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

    /// Returns the known path beside a node, or `None` before the first path.
    ///
    /// # Complexity
    /// O(places).
    pub(super) fn beside(&self, node: GridNode) -> Option<Beside> {
        /// The shortest distance to the join, in steps: a fixed part, and a part for each step to
        /// the path.
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
    /// Returns the place to join the path, and its index. Returns `None` if that place is the goal.
    pub(super) fn ahead(&self) -> Option<(GridNode, usize)> {
        (self.index != 0).then_some((self.ahead, self.index))
    }

    /// Returns the node's cost per step up to the join, in percent of the path's own cost per step.
    /// Returns `None` if a cost is unknown or the ratio is not defined.
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
        // This does not overflow: there are two costs of 32 bits and two distances of 16 bits.
        (own * steps * 100).checked_div(paid * own_steps)
    }
}
