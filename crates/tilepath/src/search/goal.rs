//! The goals of a search.

/// A test for the nodes that end the search. Any closure `Fn(node) -> bool` is a goal.
///
/// The test runs when a node is expanded, not when it is first seen: only then is its cost final.
pub trait Goal<N> {
    /// Returns whether this node ends the search.
    fn is_reached(&self, node: N) -> bool;
}

impl<N, F: Fn(N) -> bool> Goal<N> for F {
    #[inline]
    fn is_reached(&self, node: N) -> bool {
        self(node)
    }
}

/// A goal that is one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoalNode<N>(pub N);

impl<N: PartialEq> Goal<N> for GoalNode<N> {
    #[inline]
    fn is_reached(&self, node: N) -> bool {
        self.0 == node
    }
}

/// No goal: the search runs until all nodes that can be reached are expanded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NoGoal;

impl<N> Goal<N> for NoGoal {
    #[inline]
    fn is_reached(&self, _: N) -> bool {
        false
    }
}
