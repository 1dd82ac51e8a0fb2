//! The search engine: one resumable search over any space.
//!
//! [`Search::begin`] starts a search and [`Search::step`] is the algorithm. [`Search::run`],
//! [`Search::advance`] and [`Search::steps`] call [`Search::step`] repeatedly. The search borrows
//! no map.
//!
//! Type parameters set the space, the order, the end and the observer of a search: [`SearchSpace`],
//! [`Strategy`] with an [`OpenList`], [`Goal`] and [`Observer`]. Values of the space, the strategy,
//! the goal and the observer are passed to each call. These are the strategies:
//!
//! | strategy | open list | guarantee |
//! |---|---|---|
//! | [`AStar`] | [`BinaryHeapQueue`]; [`BucketQueue`] if the heuristic is consistent | optimal if the heuristic is admissible |
//! | [`Dijkstra`] | [`BinaryHeapQueue`] or [`BucketQueue`] | optimal |
//! | [`Weighted`] | [`BinaryHeapQueue`] of `u64` | cost at most the weight times the cheapest |
//! | [`Greedy`] | [`BinaryHeapQueue`] | none |
//! | [`BreadthFirst`] | [`FifoQueue`] | fewest steps |
//! | [`DepthFirst`] | [`LifoQueue`] | none |
//!
//! A strategy names the order of its open list. An open list with another order does not compile:
//! ```compile_fail,E0277
//! # use tilepath::search::*;
//! # fn search<S: SearchSpace<Node = usize, Cost = u32, Records = DenseRecords<u32, usize>, Link = usize>>(space: &S) {
//! let mut search = Search::<usize, DenseRecords<u32, usize>, LifoQueue<usize, u32>>::default();
//! // Dijkstra needs a heap or buckets, but this is a stack:
//! search.begin(&Problem { space, strategy: &Dijkstra, goal: &NoGoal }, &[0]);
//! # }
//! ```
//!
//! A cost is any type that can be added and compared ([`CostValue`]): integers, floats, or pairs
//! such as (danger, time). If a cost is NaN, negative or infinite, the search ends, and
//! [`Search::fault`] returns the step with this cost.
//!
//! A node is any type that can be copied. Use [`DenseRecords`] for nodes that are numbered, and
//! [`SparseRecords`] for others. An admissible heuristic need not be consistent: closed nodes are
//! opened again. [`Weighted`] opens none again if [`Heuristic::IS_CONSISTENT`] is true.
//!
//! For states that cannot be copied, or to write less code, use
//! [`StateSpace`](crate::state_space::StateSpace). For nodes and edges use
//! [`Graph`](crate::graph::Graph).
//!
//! Decision: `docs/decisions/01-one-engine.md`.

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

/// A best-first search that can pause after any expansion and can be used again for any number of
/// queries.
///
/// `N` is the node, `R` the records and `Q` the open list. The [module](self) lists the choices.
///
/// # Guarantee
/// The same problem gives the same steps in the same order, however it is run and sliced.
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
    /// Creates a search that uses these records and this open list. Old contents of the records and
    /// the list have no effect.
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

    /// Returns the records and the open list, for use in another search.
    pub fn into_parts(self) -> (R, Q) {
        (self.records, self.open)
    }

    /// Returns the records.
    pub(crate) const fn records(&self) -> &R {
        &self.records
    }

    /// Returns the records and the open list, for a repair of the results. After the repair, every
    /// record must hold the cost of an existing path. Every node that is not expanded at this cost
    /// must be in the open list.
    pub(crate) const fn parts_mut(&mut self) -> (&mut R, &mut Q) {
        (&mut self.records, &mut self.open)
    }
}

impl<N: Copy + PartialEq, R: NodeRecords, Q> Search<N, R, Q> {
    /// Begins a new query: drops the last query, and opens the starts at cost 0, in their order in
    /// the list.
    ///
    /// # Complexity
    /// O(starts). The first query on a space with more keys than before adds O(keys).
    pub fn begin<S, A, G>(&mut self, problem: &Problem<'_, S, A, G>, starts: &[N])
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
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

    /// Takes the best node from the open list and expands it, or ends the search. After the end of
    /// the search, it returns the last step again.
    pub fn step<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O) -> Step<N>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        self.proceed(problem, observer, 1)
    }

    /// Runs this many steps, at least one, or until the end. Returns the last step.
    ///
    /// All other methods run through this one. So the compiler inlines a step into this loop, once
    /// for each combination of type parameters. This makes a search a fifth faster.
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
        Q: OpenList<N, A::Priority, A::Order>,
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

    /// Runs one step. This is the algorithm.
    #[expect(clippy::inline_always, reason = "measured: a call for each expansion costs A* a tenth")]
    #[inline(always)]
    fn take_step<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O) -> Step<N>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
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
            // If a cheaper path to a node is found, the node is pushed again. The older entry still
            // comes out later, and is skipped here.
            if let Some((g, link)) = self.records.settle(key, A::cost_of(priority)) {
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

    /// Returns the step for all calls after the end.
    fn end(&self) -> Step<N> {
        match (self.fault, self.reached) {
            (Some(fault), _) => Step::Faulty(fault),
            (None, Some((node, _))) => Step::Reached(node),
            (None, None) => Step::Exhausted,
        }
    }

    /// Runs the search to its end.
    pub fn run<S, A, G, O>(&mut self, problem: &Problem<'_, S, A, G>, observer: &mut O)
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        while let Step::Expanded(_) = self.proceed(problem, observer, u64::MAX) {}
    }

    /// Runs the search to its end, or until `budget` nodes are expanded.
    pub fn advance<S, A, G, O>(
        &mut self,
        problem: &Problem<'_, S, A, G>,
        observer: &mut O,
        budget: u64,
    ) -> SearchStatus
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        if budget > 0 {
            self.proceed(problem, observer, budget);
        }
        if self.is_done { SearchStatus::Done } else { SearchStatus::Running }
    }

    /// Returns an iterator over the steps. Its last item is the step that ends the search. Use it
    /// to draw a search as it runs.
    pub fn steps<'a, S, A, G, O>(
        &'a mut self,
        problem: &'a Problem<'a, S, A, G>,
        observer: &'a mut O,
    ) -> impl Iterator<Item = Step<N>> + 'a
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
        A: Strategy<N, R::Cost>,
        Q: OpenList<N, A::Priority, A::Order>,
        G: Goal<N>,
        O: Observer<N, R::Cost>,
    {
        step::steps(move || self.step(problem, observer))
    }

    /// Returns whether the search has ended.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the goal that was reached, and the cost of the path to it. Returns `None` if no goal
    /// was reached.
    pub fn reached(&self) -> Option<(N, R::Cost)> {
        self.reached
    }

    /// Returns whether a node was dropped because its cost was too large. If such a search ends
    /// without a goal, a goal may exist but be too expensive.
    pub fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    /// Returns the first step that was dropped because the cost was too large, as (from, to). An
    /// overflow in the estimate of a start belongs to no step.
    pub fn first_overflow(&self) -> Option<(N, N)> {
        self.first_overflow
    }

    /// Returns the step that ended the search because its cost, or the estimate after it, was
    /// invalid.
    pub fn fault(&self) -> Option<EdgeFault<N>> {
        self.fault
    }

    /// Returns the number of expanded nodes. The goal that ends a search does not count.
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Returns the number of entries put into the open list.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Returns the record of a node, or `None` if the node was not reached yet.
    pub fn record<S>(&self, space: &S, node: N) -> Option<Record<R::Cost, R::Link>>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        self.records.get(space.key(node))
    }

    /// Returns the nodes of the known path to a node, from this node back to a start, both
    /// inclusive. A later step of the search may change this path. If the node was not reached yet,
    /// the iterator is empty.
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

    /// Returns the nodes of the known path from a start to this node, both inclusive. A later step
    /// of the search may change this path. Returns `None` if the node was not reached yet.
    ///
    /// # Complexity
    /// O(length of the path).
    pub fn path_to<S>(&self, space: &S, node: N) -> Option<Vec<N>>
    where
        S: SearchSpace<Node = N, Cost = R::Cost, Link = R::Link, Records = R>,
    {
        let mut nodes: Vec<N> = self.walk_back(space, node).collect();
        nodes.reverse();
        (!nodes.is_empty()).then_some(nodes)
    }
}
