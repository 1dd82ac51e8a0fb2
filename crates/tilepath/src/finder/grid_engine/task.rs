//! Tasks that run on the search of any algorithm.

use crate::{
    cost::Cost,
    finder::closest::Closest,
    movement_map::meter::{Bill, Meter},
    search::{GoalNode, Observer, OpenList, Problem, Search, SearchSpace, Step, Strategy},
    space::grid::GridNode,
};
use std::cell::RefCell;

/// A task for a search.
pub(super) enum Task<'a> {
    /// Begins the search at a node.
    Begin(GridNode),
    /// Spends this much work, but expands at most this many nodes.
    Advance { observer: &'a mut Closest, work: u64, expansions: u64, bill: Option<&'a RefCell<Bill>> },
}

impl<'a> Task<'a> {
    pub(super) const fn bill(&self) -> Option<&'a RefCell<Bill>> {
        match self {
            Self::Begin(_) => None,
            Self::Advance { bill, .. } => *bill,
        }
    }
}

/// A counter for the work besides expansions.
#[derive(Clone, Copy)]
pub(super) struct Metering<'a> {
    pub(super) meter: &'a Meter<'a>,
    /// The expansions between two readings of the meter.
    pub(super) stride: u64,
}

/// A priority as a number.
pub(super) trait Rank {
    fn rank(self) -> u64;
}

impl Rank for Cost {
    #[inline]
    fn rank(self) -> u64 {
        self.get().into()
    }
}

impl Rank for u64 {
    #[inline]
    fn rank(self) -> u64 {
        self
    }
}

/// A [`Closest`] that observes a search in the order of a strategy.
struct Ranked<'a, A> {
    closest: &'a mut Closest,
    strategy: &'a A,
}

impl<A: Strategy<GridNode, Cost, Priority: Rank>> Observer<GridNode, Cost> for Ranked<'_, A> {
    #[inline]
    fn expanded(&mut self, node: GridNode, g: Cost) {
        // A node whose rank is too large is never opened.
        let rank = || self.strategy.priority(g, node).map_or(u64::MAX, Rank::rank);
        self.closest.observe(node, g, rank);
    }
}

/// Runs a task; returns its last step and the work spent.
pub(super) fn run<S, Q, A>(
    search: &mut Search<GridNode, S::Records, Q>,
    problem: &Problem<'_, S, A, GoalNode<GridNode>>,
    task: Task<'_>,
    Metering { meter, stride }: Metering<'_>,
) -> (Option<Step<GridNode>>, u64)
where
    S: SearchSpace<Node = GridNode, Cost = Cost>,
    Q: OpenList<GridNode, A::Priority, A::Order>,
    A: Strategy<GridNode, Cost, Priority: Rank>,
{
    let (observer, work, mut expansions) = match task {
        Task::Begin(start) => {
            search.begin(problem, &[start]);
            return (None, 0);
        }
        Task::Advance { observer, work, expansions, .. } => (observer, work, expansions),
    };
    let stride = match work {
        // With a cost limit or several possible ends, the first node past them must end the search.
        _ if observer.has_cost_limit() || observer.has_ties() => 1,
        u64::MAX => u64::MAX,
        _ => stride,
    };
    let (mut last, mut spent) = (None, 0);
    while spent < work && expansions > 0 {
        let before = search.expanded();
        let mut ranked = Ranked { closest: &mut *observer, strategy: problem.strategy };
        last = Some(search.proceed(problem, &mut ranked, stride.min(expansions).min(work - spent)));
        let expanded = search.expanded() - before;
        spent += expanded + meter.take();
        expansions -= expanded;
        if search.is_done() || observer.is_past_cost_limit() || observer.is_settled() {
            break;
        }
    }
    (last, spent)
}
