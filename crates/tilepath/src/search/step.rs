//! What a search is given, and what it says.

use super::fault::EdgeFault;

/// What is searched, by which estimate, until when. Passed to each call, so that the search itself borrows nothing.
///
/// All calls between two [`Search::begin`](super::Search::begin)s must be given the same problem.
#[derive(Debug)]
pub struct Problem<'a, S, H, G> {
    /// The nodes and steps.
    pub space: &'a S,
    /// The estimate of what is left, which decides the order.
    pub heuristic: &'a H,
    /// When to stop.
    pub goal: &'a G,
}

/// What one [`Search::step`](super::Search::step) did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<N> {
    /// The node was expanded: its successors are in the open list.
    Expanded(N),
    /// The node is a goal; the search is over.
    Reached(N),
    /// The open list is empty: no goal can be reached. The search is over.
    Exhausted,
    /// A step or an estimate is no cost; [`Search::fault`](super::Search::fault) says more. The search is over, without an answer.
    Faulty(EdgeFault<N>),
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchStatus {
    /// The budget was spent first; call again.
    Running,
    /// The answer is there.
    Done,
}
