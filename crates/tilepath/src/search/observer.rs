//! Watching a search.

/// Is told what the search does: for statistics, pictures, recordings. The observer `()` watches nothing and compiles
/// to nothing.
pub trait Observer<N, C> {
    /// The node was taken from the open list; its cost is `g`.
    #[inline]
    fn expanded(&mut self, _node: N, _g: C) {}

    /// A step was looked at, worth taking or not: what it costs, and where it leads. (Steps that the space itself leaves out
    /// are not told of.)
    #[inline]
    fn examined(&mut self, _from: N, _to: N, _step_cost: C) {}

    /// The node was put into the open list: reached from `parent` at cost `g`, for the first time or more cheaply.
    #[inline]
    fn generated(&mut self, _node: N, _parent: N, _g: C) {}
}

impl<N, C> Observer<N, C> for () {}

/// Notes the nodes in the order in which they are expanded.
#[derive(Debug)]
pub(crate) struct Visits<F>(pub(crate) F);

impl<N, C, F: FnMut(N, C)> Observer<N, C> for Visits<F> {
    #[inline]
    fn expanded(&mut self, node: N, g: C) {
        (self.0)(node, g);
    }
}
