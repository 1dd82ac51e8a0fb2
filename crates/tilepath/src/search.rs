//! The one search engine: a resumable value that borrows no map.
//!
//! [`Search::begin`] is the only set-up and [`Search::step`] the only text of the algorithm; [`Search::run`],
//! [`Search::advance`] and [`Search::steps`] are drivers of it. What is searched, in which order, until when and what
//! watches are type parameters ([`SearchSpace`], [`Strategy`] with an [`OpenList`], [`Goal`], [`Observer`]), passed to
//! each call:
//!
//! | strategy | open list | guarantee |
//! |---|---|---|
//! | [`AStar`] | [`BinaryHeapQueue`]; [`BucketQueue`] if the heuristic is consistent | optimal if it is admissible |
//! | [`Dijkstra`] | [`BinaryHeapQueue`] or [`BucketQueue`] | optimal |
//! | [`Weighted`] | [`BinaryHeapQueue`] | cost at most the weight times the cheapest |
//! | [`Greedy`] | [`BinaryHeapQueue`] | none |
//! | [`BreadthFirst`] | [`FifoQueue`] | fewest steps |
//! | [`DepthFirst`] | [`LifoQueue`] | none |
//!
//! A strategy names the order of its open list, so that one with another order does not compile:
//! ```compile_fail,E0277
//! # use tilepath::search::*;
//! # fn search<S: SearchSpace<Node = usize, Cost = u32, Records = DenseRecords<u32, usize>, Link = usize>>(space: &S) {
//! let mut search = Search::<usize, DenseRecords<u32, usize>, LifoQueue<usize, u32>>::default();
//! search.begin(&Problem { space, strategy: &Dijkstra, goal: &NoGoal }, &[0]); // wants a heap, or buckets
//! # }
//! ```
//!
//! Costs are whatever can be added up and compared ([`CostValue`]): integers, floats, pairs such as (danger, time). Nodes
//! are anything that can be copied: numbered ones have their records in [`DenseRecords`], others in [`SparseRecords`]. An
//! admissible heuristic need not be consistent; closed nodes are opened again. A cost that is no number, negative or
//! infinite ends the search, which then names the step ([`Search::fault`]).
//!
//! For states that cannot be copied, and for less to write, there is [`StateSpace`](crate::state_space::StateSpace); for nodes and edges
//! there is [`Graph`](crate::graph::Graph).

pub(crate) mod bucket_queue;
pub(crate) mod bucket_ring;
pub(crate) mod fault;
pub(crate) mod goal;
pub(crate) mod heuristic;
pub(crate) mod holding_queue;
pub(crate) mod observer;
pub(crate) mod open_list;
pub(crate) mod records;
mod seeds;
pub(crate) mod space;
pub(crate) mod step;
pub(crate) mod strategy;

pub use self::{
    bucket_queue::BucketQueue,
    fault::{EdgeFault, FaultyValue},
    goal::{Goal, GoalNode, NoGoal},
    heuristic::Heuristic,
    observer::Observer,
    open_list::{BinaryHeapQueue, ByPriority, FifoQueue, LifoQueue, OpenList},
    records::{DenseRecords, NodeRecords, Record, SparseRecords},
    space::SearchSpace,
    step::{Problem, SearchStatus, Step},
    strategy::{AStar, BreadthFirst, DepthFirst, Dijkstra, Greedy, Relaxation, Strategy, Weighted},
};
pub use crate::cost::{CostFault, CostValue};

/// A best-first search that can be paused after any expansion and reused for any number of queries.
///
/// `N` is the node, `R` the records, `Q` the open list; see the [module](self) for which to take.
///
/// # Guarantee
/// The same problem gives the same steps in the same order, whichever driver runs it and in whatever slices.
#[derive(Clone, Debug)]
pub struct Search<N, R: NodeRecords, Q> {
    records: R,
    open: Q,
    reached: Option<(N, R::Cost)>,
    is_done: bool,
    has_overflowed: bool,
    first_overflow: Option<(N, N)>,
    fault: Option<EdgeFault<N>>,
    expanded: u64,
    generated: u64,
}

impl<N, R: NodeRecords + Default, Q: Default> Default for Search<N, R, Q> {
    fn default() -> Self {
        Self::from_parts(R::default(), Q::default())
    }
}

impl<N, R: NodeRecords, Q> Search<N, R, Q> {
    /// A search that uses these records and this open list, whatever they were used for before.
    pub fn from_parts(records: R, open: Q) -> Self {
        Self {
            records,
            open,
            reached: None,
            is_done: true,
            has_overflowed: false,
            first_overflow: None,
            fault: None,
            expanded: 0,
            generated: 0,
        }
    }

    /// The records and the open list, for another search.
    pub fn into_parts(self) -> (R, Q) {
        (self.records, self.open)
    }

    /// What is recorded.
    pub(crate) const fn records(&self) -> &R {
        &self.records
    }

    /// The records and the open list, for a repair of what was found. Every record must still be the cost of a way, and
    /// every node that is not expanded by it must be in the open list.
    pub(crate) const fn parts_mut(&mut self) -> (&mut R, &mut Q) {
        (&mut self.records, &mut self.open)
    }

    /// Goes on after its end: there is more in the open list.
    pub(crate) fn resume(&mut self) {
        self.is_done = false;
        self.reached = None;
    }
}

impl<N: Copy + PartialEq, R: NodeRecords, Q> Search<N, R, Q> {
    /// Forgets the last query and opens the starts, in this order, at cost zero.
    ///
    /// # Complexity
    /// O(starts), and O(keys) for the first query on a larger space.
    pub fn begin<S, A, G>(&mut self, problem: &Problem<'_, S, A, G>, starts: &[N])
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
    {
        self.records.begin(problem.space.key_count());
        self.open.clear();
        self.reached = None;
        self.is_done = false;
        self.has_overflowed = false;
        self.first_overflow = None;
        self.fault = None;
        self.expanded = 0;
        self.generated = 0;
        for &start in starts {
            let key = problem.space.key(start);
            if self.records.get(key).is_some() {
                continue;
            }
            if R::Cost::CAN_BE_FAULTY
                && let Some(fault) = problem.strategy.estimate(start).fault()
            {
                self.fault = Some(EdgeFault { from: start, to: start, value: FaultyValue::Estimate, fault });
                self.is_done = true;
                return;
            }
            match problem.strategy.priority(R::Cost::ZERO, start) {
                Some(priority) => {
                    self.records.open(key, R::Cost::ZERO, None);
                    self.open.push(priority, start);
                    self.generated += 1;
                }
                None => self.has_overflowed = true,
            }
        }
    }

    /// Takes the best node from the open list and expands it, or ends the search. After the end it says the same again.
    pub fn step<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O) -> Step<N>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        self.proceed(problem, observer, 1)
    }

    /// Takes this many steps, at least one, or those up to the end, and tells of the last. All drivers come here, so that the
    /// step is compiled once for each combination of policies and into the loop: that is worth a fifth.
    #[inline(never)]
    pub(crate) fn proceed<S, A, G, O>(
        &mut self,
        problem: &Problem<'_, S, A, G>,
        observer: &mut O,
        steps: u64,
    ) -> Step<N>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        let mut left = steps;
        loop {
            let step = self.take_step(problem, observer);
            left = left.saturating_sub(1);
            if left == 0 || !matches!(step, Step::Expanded(_)) {
                return step;
            }
        }
    }

    /// The text of the algorithm.
    #[expect(clippy::inline_always, reason = "measured: a call for each expansion costs A* a tenth")]
    #[inline(always)]
    fn take_step<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O) -> Step<N>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        if self.is_done {
            return self.end();
        }
        let (node, g, link) = loop {
            let Some((priority, node)) = self.open.pop() else {
                self.is_done = true;
                return Step::Exhausted;
            };
            let key = problem.space.key(node);
            // A node is pushed again when a cheaper way to it is found; it then comes again at its old place, and is
            // skipped here.
            if let Some((g, link)) = self.records.settle(key, priority) {
                break (node, g, link);
            }
        };
        observer.expanded(node, g);
        if problem.goal.is_reached(node) {
            self.is_done = true;
            self.reached = Some((node, g));
            return Step::Reached(node);
        }
        self.expanded += 1;
        let Self { records, open, has_overflowed, first_overflow, fault, generated, .. } = self;
        let relax = |successor, step_cost: R::Cost, link| {
            observer.examined(node, successor, step_cost);
            if R::Cost::CAN_BE_FAULTY {
                if fault.is_some() {
                    return;
                }
                if let Some(found) = step_cost.fault() {
                    let value = FaultyValue::StepCost;
                    *fault = Some(EdgeFault { from: node, to: successor, value, fault: found });
                    return;
                }
            }
            let Some(g) = g.checked_add(step_cost) else {
                if !*has_overflowed {
                    *has_overflowed = true;
                    *first_overflow = Some((node, successor));
                }
                return;
            };
            let key = problem.space.key(successor);
            let keep = match A::RELAXATION {
                Relaxation::Reopen => records.knows(key, g),
                Relaxation::UntilClosed => {
                    records.get(key).is_some_and(|known| known.is_closed || known.cost <= g)
                }
                Relaxation::Latest => records.get(key).is_some_and(|known| known.is_closed),
                Relaxation::Never => records.get(key).is_some(),
            };
            if keep {
                return;
            }
            if R::Cost::CAN_BE_FAULTY
                && let Some(found) = problem.strategy.estimate(successor).fault()
            {
                let value = FaultyValue::Estimate;
                *fault = Some(EdgeFault { from: node, to: successor, value, fault: found });
                return;
            }
            let Some(priority) = problem.strategy.priority(g, successor) else {
                if !*has_overflowed {
                    *has_overflowed = true;
                    *first_overflow = Some((node, successor));
                }
                return;
            };
            let (successor, link) = problem.space.entry(successor, link);
            records.open(key, g, Some(link));
            open.push(priority, successor);
            *generated += 1;
            observer.generated(successor, node, g);
        };
        problem.space.expand(node, link, relax);
        if R::Cost::CAN_BE_FAULTY && self.fault.is_some() {
            self.is_done = true;
            return self.end();
        }
        Step::Expanded(node)
    }

    /// What is said after the end.
    fn end(&self) -> Step<N> {
        match (self.fault, self.reached) {
            (Some(fault), _) => Step::Faulty(fault),
            (None, Some((node, _))) => Step::Reached(node),
            (None, None) => Step::Exhausted,
        }
    }

    /// Runs to the end.
    pub fn run<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O)
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        while let Step::Expanded(_) = self.proceed(problem, observer, u64::MAX) {}
    }

    /// Runs for at most `budget` expansions.
    pub fn advance<S, A, G, O>(
        &mut self,
        problem: &Problem<'_, S, A, G>,
        observer: &mut O,
        budget: u64,
    ) -> SearchStatus
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        if budget > 0 {
            self.proceed(problem, observer, budget);
        }
        if self.is_done { SearchStatus::Done } else { SearchStatus::Running }
    }

    /// One item a step, ending after the one that ended the search: for a picture of the search at work.
    pub fn steps<'a, S, A, G, O>(
        &'a mut self,
        problem: &'a Problem<'a, S, A, G>,
        observer: &'a mut O,
    ) -> impl Iterator<Item = Step<N>> + 'a
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, R::Cost, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        step::steps(move || self.step(problem, observer))
    }

    /// Whether the search has ended.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// The goal that was reached and its cost.
    pub fn reached(&self) -> Option<(N, R::Cost)> {
        self.reached
    }

    /// Whether a candidate was dropped because its cost could not be stated. If the search ends without a goal this
    /// means "too expensive to be counted" and not "no way".
    pub fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    /// The first step that was dropped because the cost of the way by it could not be stated: from, to. (The estimate of
    /// a start is part of no step.)
    pub fn first_overflow(&self) -> Option<(N, N)> {
        self.first_overflow
    }

    /// The step that ended the search because its cost, or the estimate after it, is no cost.
    pub fn fault(&self) -> Option<EdgeFault<N>> {
        self.fault
    }

    /// Nodes whose successors were looked at. The goal that ends a search does not count.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Entries put into the open list.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// What is known of a node: `None` if it was not reached yet.
    pub fn record<S>(&self, space: &S, node: N) -> Option<Record<R::Cost, R::Link>>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        self.records.get(space.key(node))
    }

    /// The nodes from this one back to a start, both inclusive, as far as the search knows; nothing if it was not reached
    /// yet.
    pub fn walk_back<'a, S>(&'a self, space: &'a S, node: N) -> impl Iterator<Item = N> + 'a
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        let start = self.record(space, node).map(|_| node);
        std::iter::successors(start, move |&here| {
            let link = self.record(space, here)?.link?;
            Some(space.predecessor(here, link))
        })
    }

    /// The nodes from a start to this one, both inclusive, as far as the search knows; `None` if it was not reached yet.
    ///
    /// # Complexity
    /// O(path).
    pub fn path_to<S>(&self, space: &S, node: N) -> Option<Vec<N>>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        let mut nodes: Vec<N> = self.walk_back(space, node).collect();
        nodes.reverse();
        (!nodes.is_empty()).then_some(nodes)
    }
}
