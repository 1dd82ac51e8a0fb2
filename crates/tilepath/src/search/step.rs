//! The input and the output of a search step.
//!
//! Decision: `docs/decisions/02-search-borrows-nothing.md`.
//! Decision: `docs/decisions/26-state-spaces-and-verbs.md`.

use super::fault::EdgeFault;

/// The space, the algorithm and the goal of a search. A problem is passed to each call, so that the
/// search itself borrows nothing.
///
/// All calls between two calls of [`Search::begin`](super::Search::begin) must get the same
/// problem.
#[derive(Debug)]
pub struct Problem<'a, S, A, G> {
    /// The space: the nodes and the steps between them.
    pub space: &'a S,
    /// The algorithm, which decides the order.
    pub strategy: &'a A,
    /// The test that ends the search.
    pub goal: &'a G,
}

/// The result of one step of a [`Search`](super::Search), or of a search that is built on it. `N`
/// is a cell, a node or a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step<N> {
    /// The node was expanded: its successors are in the open list.
    Expanded(N),
    /// The node is a goal; the search is over.
    Reached(N),
    /// The open list is empty: no goal can be reached. The search is over.
    Exhausted,
    /// The limit of a [`PathQuery`](crate::PathQuery) was reached. The search is over.
    LimitReached,
    /// A cost or an estimate is invalid; this cannot happen on maps and graphs. The search is over,
    /// without an answer.
    Faulty(EdgeFault<N>),
}

impl<N> Step<N> {
    /// Returns this step with each node `n` replaced by `name(n)`.
    pub fn map<M>(self, mut name: impl FnMut(N) -> M) -> Step<M> {
        match self {
            Self::Expanded(node) => Step::Expanded(name(node)),
            Self::Reached(node) => Step::Reached(name(node)),
            Self::Exhausted => Step::Exhausted,
            Self::LimitReached => Step::LimitReached,
            Self::Faulty(EdgeFault { from, to, value, fault }) => {
                Step::Faulty(EdgeFault { from: name(from), to: name(to), value, fault })
            }
        }
    }
}

/// Returns an iterator over the steps. Its last item is the step that ends the search.
pub(crate) fn steps<N>(mut step: impl FnMut() -> Step<N>) -> impl Iterator<Item = Step<N>> {
    let mut is_over = false;
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let step = step();
        is_over = !matches!(step, Step::Expanded(_));
        Some(step)
    })
}

/// The state of a search after a slice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStatus {
    /// The budget was spent before the search ended; run another slice.
    Running,
    /// The answer is ready.
    Done,
}
