//! Spaces made by the user of the crate.
//!
//! They have any cost, any node and any admissible estimate. Some costs are invalid.

use proptest::prelude::*;
use std::{
    collections::{HashMap, HashSet},
    marker::PhantomData,
};
use testkit::EdgeList;
use tilepath::{
    Cost, SearchStatus,
    search::{
        self, AStar, BinaryHeapQueue, ByPriority, CostFault, CostValue, DenseRecords, Dijkstra, EdgeFault,
        FaultyValue, GoalNode, Heuristic, NoGoal, NodeRecords, Observer, Problem, Relaxation, Search,
        SearchSpace, SparseRecords, Step, Weighted,
    },
    state_space::{StateSpace, StateSpaceError},
};

/// Successors in lists, with any kind of records.
struct Listed<C, R> {
    successors: Vec<Vec<(usize, C)>>,
    records: PhantomData<R>,
}

impl<C, R> Listed<C, R> {
    fn new(node_count: usize, edges: impl IntoIterator<Item = (usize, usize, C)>) -> Self {
        let mut successors: Vec<Vec<(usize, C)>> = (0..node_count).map(|_| Vec::new()).collect();
        for (from, to, cost) in edges {
            successors[from].push((to, cost));
        }
        Self { successors, records: PhantomData }
    }
}

impl<C: CostValue, R: NodeRecords<Key = usize, Cost = C, Link = usize>> SearchSpace for Listed<C, R> {
    type Node = usize;
    type Cost = C;
    type Link = usize;
    type Records = R;

    fn key(&self, node: usize) -> usize {
        node
    }

    fn key_count(&self) -> usize {
        self.successors.len()
    }

    fn expand(&self, node: usize, _: Option<usize>, mut emit: impl FnMut(usize, C, usize)) {
        for &(to, cost) in &self.successors[node] {
            emit(to, cost, node);
        }
    }

    fn predecessor(&self, _: usize, link: usize) -> usize {
        link
    }
}

/// An estimate for each node.
struct Table<C>(Vec<C>);

impl<C: CostValue> Heuristic<usize, C> for Table<C> {
    fn estimate(&self, node: usize) -> C {
        self.0[node]
    }
}

/// A consistent estimate for each node.
struct Consistent(Vec<u32>);

impl Heuristic<usize, Cost> for Consistent {
    const IS_CONSISTENT: bool = true;

    fn estimate(&self, node: usize) -> Cost {
        Cost::new(self.0[node])
    }
}

/// Weighted A* with a rounded order, and closed nodes that stay closed.
struct Rounded(Weighted<Consistent>);

impl search::Strategy<usize, Cost> for Rounded {
    type Order = ByPriority;
    type Priority = u64;
    const RELAXATION: Relaxation = Relaxation::UntilClosed;

    fn priority(&self, g: Cost, node: usize) -> Option<u64> {
        let estimate = u64::from(self.0.heuristic.estimate(node).get());
        Some(u64::from(g.get()) + estimate * u64::from(self.0.percent) / 100)
    }
}

#[derive(Default)]
struct Expansions(Vec<usize>);

impl<C> Observer<usize, C> for Expansions {
    fn expanded(&mut self, node: usize, _: C) {
        self.0.push(node);
    }
}

/// The path, the cost and the expansions of a search from node 0 to the last node.
type Run<C> = (Option<(Vec<usize>, C)>, Vec<usize>);

fn run<C, R, A>(space: &Listed<C, R>, strategy: &A) -> Run<C>
where
    A: search::Strategy<usize, C, Order = ByPriority>,
    C: CostValue,
    R: NodeRecords<Key = usize, Cost = C, Link = usize> + Default,
{
    let goal = GoalNode(space.successors.len() - 1);
    let problem = Problem { space, strategy, goal: &goal };
    let mut search = Search::<usize, R, BinaryHeapQueue<usize, A::Priority>>::default();
    let mut expansions = Expansions::default();
    search.begin(&problem, &[0]);
    search.run(&problem, &mut expansions);
    let found = search.reached().map(|(node, cost)| (search.path_to(space, node).unwrap(), cost));
    (found, expansions.0)
}

type Dense<C> = DenseRecords<C, usize>;
type Sparse<C> = SparseRecords<usize, C>;

#[test]
fn a_closed_node_is_opened_again_when_an_inconsistent_estimate_closed_it_too_early() {
    // 0 -> 1 -> 3 costs 2. But node 1 has a high estimate, so 0 -> 2 -> 3 closes node 3 first.
    let edges = [(0, 1, 1_u32), (0, 2, 1), (1, 3, 1), (2, 3, 3), (3, 4, 10)];
    let estimates = AStar(Table(vec![0, 11, 0, 0, 0]));
    let (found, expanded) = run(&Listed::<_, Dense<_>>::new(5, edges), &estimates);
    assert_eq!(found, Some((vec![0, 1, 3, 4], 12)));
    assert_eq!(expanded, [0, 2, 3, 1, 3, 4], "3 is expanded twice");
}

/// Returns costs as the type that weighted A* needs.
fn priced(edges: &[(usize, usize, u32)]) -> impl Iterator<Item = (usize, usize, Cost)> {
    edges.iter().map(|&(from, to, cost)| (from, to, Cost::new(cost)))
}

/// Node 2 has a cheap path over node 1, node 4 has one over node 3. 1.1 × 10 is rounded to 11, and
/// 1.1 × 9 to 9. So a rounded order expands nodes 2 and 4 first, each by its expensive edge.
#[test]
fn closed_nodes_need_an_exact_order_to_keep_the_bound() {
    let edges = [(0, 1, 1), (0, 2, 3), (1, 2, 1), (2, 3, 1), (2, 4, 3), (3, 4, 1), (4, 5, 9)];
    let space = Listed::<_, Dense<Cost>>::new(6, priced(&edges));
    let weighted = || Weighted { heuristic: Consistent(vec![10, 10, 9, 10, 9, 0]), percent: 110 };
    let (found, _) = run(&space, &weighted());
    assert_eq!(found, Some((vec![0, 1, 2, 3, 4, 5], Cost::new(13))));
    let (found, _) = run(&space, &Rounded(weighted()));
    assert_eq!(found.map(|(_, cost)| cost), Some(Cost::new(15)), "more than 110 % of 13");
}

#[test]
fn weighted_search_reopens_a_node_unless_the_estimate_is_declared_consistent() {
    // 0 -> 1 -> 3 costs 2. But node 1 has a high estimate, so 0 -> 2 -> 3 closes node 3 first.
    let space =
        Listed::<_, Dense<Cost>>::new(5, priced(&[(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 3), (3, 4, 10)]));
    let estimates = [0, 11, 0, 0, 0].map(Cost::new).to_vec();
    let (found, expanded) = run(&space, &Weighted { heuristic: &Table(estimates), percent: 110 });
    assert_eq!(found, Some((vec![0, 1, 3, 4], Cost::new(12))));
    assert_eq!(expanded, [0, 2, 3, 1, 3, 4], "3 is expanded twice");
}

#[test]
fn the_order_of_weighted_search_is_exact_up_to_the_largest_numbers() {
    let weighted = Weighted { heuristic: Consistent(vec![u32::MAX, u32::MAX - 1]), percent: u16::MAX };
    let largest = search::Strategy::priority(&weighted, Cost::MAX, 0).unwrap();
    assert_eq!(u128::from(largest), (100 + 65_535) * u128::from(u32::MAX));
    assert_eq!(search::Strategy::priority(&weighted, Cost::MAX, 1), Some(largest - 65_535));
    assert_eq!(search::Strategy::priority(&weighted, Cost::new(u32::MAX - 1), 0), Some(largest - 100));
}

#[derive(Clone, Debug)]
struct Scene {
    node_count: usize,
    edges: Vec<(usize, usize, u32)>,
    /// The estimate of each node, in percent of the true cost.
    shares: Vec<u32>,
}

fn scene() -> impl Strategy<Value = Scene> {
    (2..16_usize).prop_flat_map(|node_count| {
        let edge = (0..node_count, 0..node_count, 0..40_u32);
        (prop::collection::vec(edge, 0..60), prop::collection::vec(0..=100_u32, node_count))
            .prop_map(move |(edges, shares)| Scene { node_count, edges, shares })
    })
}

impl Scene {
    fn list(&self) -> EdgeList {
        let edges = self.edges.iter().map(|&(from, to, cost)| (from, to, f64::from(cost))).collect();
        EdgeList { node_count: self.node_count, edges }
    }

    /// Returns admissible estimates. As they are random, they are rarely consistent.
    fn estimates(&self) -> Vec<u32> {
        let mut back = self.list();
        for edge in &mut back.edges {
            std::mem::swap(&mut edge.0, &mut edge.1);
        }
        let left = back.costs_from(self.node_count - 1);
        // If a node cannot reach the goal, any estimate is admissible.
        let estimate =
            |(cost, share): (&Option<f64>, &u32)| cost.map_or(77, |cost| cost as u32) * share / 100;
        left.iter().zip(&self.shares).map(estimate).collect()
    }

    /// Returns the largest consistent estimates that are not above the admissible ones.
    fn consistent_estimates(&self) -> Vec<u32> {
        let mut estimates = self.estimates();
        for _ in 0..self.node_count {
            for &(from, to, cost) in &self.edges {
                estimates[from] = estimates[from].min(cost + estimates[to]);
            }
        }
        estimates
    }

    fn oracle(&self) -> Option<u32> {
        self.list().costs_from(0)[self.node_count - 1].map(|cost| cost as u32)
    }
}

/// The scene as a `StateSpace`, with states that cannot be copied.
struct Named<'a>(&'a Scene, Vec<u32>);

fn number(state: &str) -> usize {
    state.parse().unwrap()
}

impl StateSpace for Named<'_> {
    type State = String;
    type Cost = u32;

    fn successors(&self, state: &String, mut emit: impl FnMut(String, u32)) {
        for &(_, to, cost) in self.0.edges.iter().filter(|edge| edge.0 == number(state)) {
            emit(to.to_string(), cost);
        }
    }

    fn estimate(&self, state: &String) -> u32 {
        self.1[number(state)]
    }

    fn is_goal(&self, state: &String) -> bool {
        number(state) + 1 == self.0.node_count
    }
}

/// Returns the least cost of the edges along a path. Of several edges between the same nodes the
/// cheapest counts.
fn cost_along(scene: &Scene, nodes: &[usize]) -> Option<u32> {
    let step = |pair: &[usize]| {
        let fits = |edge: &&(usize, usize, u32)| (edge.0, edge.1) == (pair[0], pair[1]);
        scene.edges.iter().filter(fits).map(|edge| edge.2).min()
    };
    nodes.windows(2).map(step).sum()
}

proptest! {
    #[test]
    fn weighted_search_keeps_its_bound_with_any_admissible_estimate(
        scene in scene(),
        percent in prop_oneof![100..=200_u16, Just(u16::MAX)],
    ) {
        let space = Listed::<_, Dense<Cost>>::new(scene.node_count, priced(&scene.edges));
        let any = Table(scene.estimates().into_iter().map(Cost::new).collect());
        let consistent = Consistent(scene.consistent_estimates());
        let (closing, expanded) = run(&space, &Weighted { heuristic: consistent, percent });
        let (reopening, _) = run(&space, &Weighted { heuristic: any, percent });
        for found in [closing, reopening] {
            let cost = found.as_ref().map(|(_, cost)| cost.get());
            prop_assert_eq!(cost.is_some(), scene.oracle().is_some());
            let (Some((nodes, _)), Some(cost), Some(cheapest)) = (found, cost, scene.oracle()) else { continue };
            prop_assert!(cost * 100 <= cheapest * u32::from(percent), "{} is over {} % of {}", cost, percent, cheapest);
            prop_assert!(cost_along(&scene, &nodes).unwrap() <= cost);
        }
        let distinct: HashSet<usize> = expanded.iter().copied().collect();
        prop_assert_eq!(distinct.len(), expanded.len());
    }

    #[test]
    fn any_admissible_estimate_gives_the_cheapest_way(scene in scene()) {
        let estimates = scene.estimates();
        let dense = Listed::<_, Dense<u32>>::new(scene.node_count, scene.edges.iter().copied());
        let sparse = Listed::<_, Sparse<u32>>::new(scene.node_count, scene.edges.iter().copied());
        let (found, expanded) = run(&dense, &AStar(Table(estimates.clone())));
        prop_assert_eq!(found.as_ref().map(|(_, cost)| *cost), scene.oracle());
        if let Some((nodes, cost)) = &found {
            prop_assert_eq!((nodes[0], *nodes.last().unwrap()), (0, scene.node_count - 1));
            prop_assert_eq!(cost_along(&scene, nodes), Some(*cost));
        }
        prop_assert_eq!(run(&sparse, &AStar(Table(estimates.clone()))), (found.clone(), expanded.clone()));

        let space = Named(&scene, estimates);
        let path = space.find("0".to_owned()).unwrap();
        let named = path.as_ref().map(|path| (path.states.iter().map(|state| number(state)).collect(), path.cost));
        prop_assert_eq!(named, found);

        let mut search = (&space).begin("0".to_owned());
        let mut watched = Vec::new();
        while !search.is_done() {
            prop_assert_eq!(search.answer(), None);
            match search.step() {
                Step::Expanded(state) | Step::Reached(state) => watched.push(number(state)),
                Step::Exhausted => {}
                _ => prop_assert!(false, "nothing is wrong with these costs"),
            }
        }
        prop_assert_eq!(watched, expanded);
        prop_assert_eq!(search.answer(), Some(Ok(path)));
    }

    #[test]
    fn slices_of_any_size_find_the_same(scene in scene(), slice in 1..6_u64) {
        let space = Named(&scene, scene.estimates());
        let whole = space.find("0".to_owned());
        let mut search = (&space).begin("0".to_owned());
        let mut slices = 0;
        while search.advance(slice) == SearchStatus::Running {
            slices += 1;
            prop_assert_eq!(search.expanded(), slices * slice);
        }
        prop_assert_eq!(search.finish(), whole);
    }

    #[test]
    fn pairs_are_counted_by_the_first_part_and_then_by_the_second(
        node_count in 2..14_usize,
        edges in prop::collection::vec((0..14_usize, 0..14_usize, 0..4_u32, 0..9_i32), 0..70),
    ) {
        let edges: Vec<_> =
            edges.into_iter().filter(|edge| edge.0.max(edge.1) < node_count).collect();
        let pairs = edges.iter().map(|&(from, to, danger, time)| (from, to, (danger, time)));
        let (found, _) = run(&Listed::<_, Dense<(u32, i32)>>::new(node_count, pairs), &Dijkstra);
        // A path has fewer than 14 steps, so the sum of all times is below the cost of one danger.
        let weigh = |danger: u32, time: i32| f64::from(danger) * 1000.0 + f64::from(time);
        let edges = edges.iter().map(|&(from, to, danger, time)| (from, to, weigh(danger, time))).collect();
        let expected = EdgeList { node_count, edges }.costs_from(0)[node_count - 1];
        prop_assert_eq!(found.map(|(_, (danger, time))| weigh(danger, time)), expected);
    }
}

fn fault_of<C: CostValue>(cost: C) -> Option<EdgeFault<usize>> {
    let space = Listed::<C, Dense<C>>::new(4, [(0, 1, C::ZERO), (1, 2, cost), (1, 3, C::ZERO)]);
    let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
    let mut search = Search::<usize, Dense<C>, BinaryHeapQueue<usize, C>>::default();
    search.begin(&problem, &[0]);
    let steps: Vec<Step<usize>> = search.steps(&problem, &mut ()).collect();
    if let Some(fault) = search.fault() {
        assert_eq!(steps, [Step::Expanded(0), Step::Faulty(fault)], "the search ends at once");
        assert_eq!(
            search.step(&problem, &mut ()),
            Step::Faulty(fault),
            "a further step returns the same fault"
        );
        assert!(search.is_done() && search.reached().is_none());
    }
    let fault = search.fault();
    search.begin(&problem, &[2]);
    assert_eq!(search.fault(), None, "a new search clears the fault of the old one");
    fault
}

#[test]
fn a_step_that_cannot_be_counted_ends_the_search_and_is_named() {
    let edge = |fault| Some(EdgeFault { from: 1, to: 2, value: FaultyValue::StepCost, fault });
    assert_eq!(fault_of(f64::NAN), edge(CostFault::NotANumber));
    assert_eq!(fault_of(-0.5_f32), edge(CostFault::Negative));
    assert_eq!(fault_of(f64::NEG_INFINITY), edge(CostFault::Negative));
    assert_eq!(fault_of(f32::INFINITY), edge(CostFault::Infinite));
    assert_eq!(fault_of(-1_i32), edge(CostFault::Negative));
    assert_eq!(fault_of(i64::MIN), edge(CostFault::Negative));
    assert_eq!(fault_of((2_u32, -1_i32)), edge(CostFault::Negative));
    assert_eq!(fault_of((1.0, f64::NAN)), edge(CostFault::NotANumber));
    assert_eq!(fault_of(-0.0_f64), None);
    assert_eq!(fault_of(i32::MAX), None);
    assert_eq!(fault_of((u64::MAX, 3_u16)), None);
}

#[test]
fn an_estimate_that_cannot_be_counted_ends_the_search_and_is_named() {
    let space = Listed::<f64, Dense<f64>>::new(3, [(0, 1, 1.0), (0, 2, 1.0)]);
    let mut search = Search::<usize, Dense<f64>, BinaryHeapQueue<usize, f64>>::default();
    for (estimates, from, to, fault) in [
        ([0.0, 0.0, f64::NAN], 0, 2, CostFault::NotANumber),
        ([0.0, -1.0, f64::NAN], 0, 1, CostFault::Negative),
        ([f64::INFINITY, 0.0, 0.0], 0, 0, CostFault::Infinite),
    ] {
        let heuristic = Table(estimates.to_vec());
        let problem = Problem { space: &space, strategy: &AStar(heuristic), goal: &NoGoal };
        search.begin(&problem, &[0]);
        search.run(&problem, &mut ());
        assert_eq!(search.fault(), Some(EdgeFault { from, to, value: FaultyValue::Estimate, fault }));
    }
}

#[test]
fn the_first_step_that_overflows_is_named_and_another_way_still_counts() {
    let edges = [(0, 1, 200), (1, 2, u16::MAX - 100), (2, 3, 1), (0, 3, 60_000_u16)];
    let without = Listed::<u16, Dense<u16>>::new(4, edges[..3].iter().copied());
    let goal = GoalNode(3);
    let problem = Problem { space: &without, strategy: &Dijkstra, goal: &goal };
    let mut search = Search::<usize, Dense<u16>, BinaryHeapQueue<usize, u16>>::default();
    search.begin(&problem, &[0]);
    search.run(&problem, &mut ());
    assert_eq!((search.reached(), search.first_overflow()), (None, Some((1, 2))));
    assert!(search.has_overflowed());

    let (found, _) = run(&Listed::<u16, Dense<u16>>::new(4, edges), &Dijkstra);
    assert_eq!(found, Some((vec![0, 3], 60_000)));
}

/// Words joined by costs that may be invalid.
struct Words(HashMap<&'static str, Vec<(&'static str, f64)>>, f64);

impl StateSpace for Words {
    type State = &'static str;
    type Cost = f64;

    fn successors(&self, state: &&'static str, mut emit: impl FnMut(&'static str, f64)) {
        for &(word, cost) in self.0.get(state).into_iter().flatten() {
            emit(word, cost);
        }
    }

    fn estimate(&self, state: &&'static str) -> f64 {
        if *state == "middle" { self.1 } else { 0.0 }
    }

    fn is_goal(&self, state: &&'static str) -> bool {
        *state == "end"
    }
}

#[test]
fn errors_of_a_state_space_name_the_step_and_say_what_to_do() {
    let ask = |first, second, estimate| {
        let words = HashMap::from([("begin", vec![("middle", first)]), ("middle", vec![("end", second)])]);
        Words(words, estimate).find("begin").map(|path| path.unwrap().cost)
    };
    assert_eq!(ask(1.0, 2.0, 1.5), Ok(3.0));
    let error = ask(1.0, -2.0, 0.0).unwrap_err();
    let (from, to) = ("middle", "end");
    assert_eq!(error, StateSpaceError::InvalidStepCost { from, to, fault: CostFault::Negative });
    let text = "the cost of the step from \"middle\" to \"end\" is negative: let `successors` give numbers of zero or more";
    assert_eq!(error.to_string(), text);
    let error = ask(1.0, 1.0, f64::NAN).unwrap_err();
    assert_eq!(error, StateSpaceError::InvalidEstimate { state: "middle", fault: CostFault::NotANumber });
    assert_eq!(ask(f64::MAX, f64::MAX, 0.0).unwrap_err(), StateSpaceError::CostOverflow { from, to });
}

#[test]
fn states_without_end_are_given_up_when_the_caller_says_so() {
    struct Upwards;
    impl StateSpace for Upwards {
        type State = u128;
        type Cost = u64;

        fn successors(&self, &state: &u128, mut emit: impl FnMut(u128, u64)) {
            emit(state + 1, 1);
        }

        fn is_goal(&self, _: &u128) -> bool {
            false
        }
    }
    let mut search = Upwards.begin(7);
    assert_eq!(search.advance(1_000), SearchStatus::Running);
    assert_eq!((search.expanded(), search.found(), search.answer()), (1_000, 1_001, None));
    assert_eq!(search.path_to(&17).unwrap().cost, 10);
    assert_eq!(search.path_to(&2_000), None);
}
