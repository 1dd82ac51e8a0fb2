//! What is done with the search of an engine, for every algorithm alike.

use crate::{
    cost::Cost,
    finder::closest::Closest,
    movement_map::meter::{Bill, Meter},
    search::{GoalNode, OpenList, Problem, Search, SearchSpace, Step, Strategy},
    space::grid::GridNode,
};
use std::cell::RefCell;

/// What is to be done with a search.
pub(super) enum Task<'a> {
    /// Begins at a node.
    Begin(GridNode),
    /// Spends so much work, but expands no more than this many nodes.
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

/// Where work besides expansions is counted.
#[derive(Clone, Copy)]
pub(super) struct Metering<'a> {
    pub(super) meter: &'a Meter<'a>,
    /// How many expansions may pass before the meter is read.
    pub(super) stride: u64,
}

/// Does a task, and tells of its last step and how much work it was.
pub(super) fn run<S, Q, A>(
    search: &mut Search<GridNode, S::Records, Q>,
    problem: &Problem<'_, S, A, GoalNode<GridNode>>,
    task: Task<'_>,
    Metering { meter, stride }: Metering<'_>,
) -> (Option<Step<GridNode>>, u64)
where
    S: SearchSpace<Node = GridNode, Cost = Cost>,
    Q: OpenList<GridNode, Cost, A::Order>,
    A: Strategy<GridNode, Cost>,
{
    let (observer, work, mut expansions) = match task {
        Task::Begin(start) => {
            search.begin(problem, &[start]);
            return (None, 0);
        }
        Task::Advance { observer, work, expansions, .. } => (observer, work, expansions),
    };
    let stride = match work {
        // A search that may end at a cost, or at one of several cells, is over at the first node past it.
        _ if observer.has_cost_limit() || observer.has_ties() => 1,
        u64::MAX => u64::MAX,
        _ => stride,
    };
    let (mut last, mut spent) = (None, 0);
    while spent < work && expansions > 0 {
        let before = search.expanded();
        last = Some(search.proceed(problem, observer, stride.min(expansions).min(work - spent)));
        let expanded = search.expanded() - before;
        spent += expanded + meter.take();
        expansions -= expanded;
        if search.is_done() || observer.is_past_cost_limit() || observer.is_settled() {
            break;
        }
    }
    (last, spent)
}
