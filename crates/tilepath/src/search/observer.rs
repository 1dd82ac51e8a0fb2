//! The observers of a search.

/// A receiver of the events of a search, for statistics, pictures or recordings. The observer `()`
/// does nothing and compiles to no code.
pub trait Observer<N, C> {
    /// Receives a node that was taken from the open list, and its cost `g`.
    #[inline]
    fn expanded(&mut self, _node: N, _g: C) {}

    /// Receives a step that was examined, and its cost. The step need not improve a path. Steps
    /// that the space leaves out are not received.
    #[inline]
    fn examined(&mut self, _from: N, _to: N, _step_cost: C) {}

    /// Receives a node that was put into the open list. The node was reached from `parent` at cost
    /// `g`, for the first time or at a smaller cost than before.
    #[inline]
    fn generated(&mut self, _node: N, _parent: N, _g: C) {}
}

impl<N, C> Observer<N, C> for () {}

/// An observer that runs a closure for each expanded node, in order.
#[derive(Debug)]
pub(crate) struct Visits<F>(pub(crate) F);

impl<N, C, F: FnMut(N, C)> Observer<N, C> for Visits<F> {
    #[inline]
    fn expanded(&mut self, node: N, g: C) {
        (self.0)(node, g);
    }
}
