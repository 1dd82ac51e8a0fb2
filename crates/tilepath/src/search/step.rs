//! What a search is given, and what it says.

use super::fault::EdgeFault;

/// What is searched, by which algorithm, until when. Passed to each call, so that the search itself borrows nothing.
///
/// All calls between two [`Search::begin`](super::Search::begin)s must be given the same problem.
#[derive(Debug)]
pub struct Problem<'a, S, A, G> {
    /// The nodes and steps.
    pub space: &'a S,
    /// The algorithm, which decides the order.
    pub strategy: &'a A,
    /// When to stop.
    pub goal: &'a G,
}

/// What one step of a search did: of the engine's [`Search`](super::Search) and of each search built on it. `N` is what is
/// searched: a cell, a node, a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Step<N> {
    /// The node was expanded: its successors are in the open list.
    Expanded(N),
    /// The node is a goal; the search is over.
    Reached(N),
    /// The open list is empty: no goal can be reached. The search is over.
    Exhausted,
    /// The limit of a [`PathQuery`](crate::PathQuery) is spent. The search is over.
    LimitReached,
    /// A step or an estimate is no cost, which maps and graphs rule out. The search is over, without an answer.
    Faulty(EdgeFault<N>),
}

impl<N> Step<N> {
    /// The same step with its nodes named otherwise.
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

/// One item a step, ending after the one that ended the search.
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

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStatus {
    /// The budget was spent first; call again.
    Running,
    /// The answer is there.
    Done,
}
