//! Search spaces: nodes, steps and the keys of records.
//!
//! Decision: `docs/decisions/07-successors-one-by-one.md`.

use crate::{cost::CostValue, search::records::NodeRecords};

/// Anything with nodes and steps between them: a map, a graph, a puzzle, a dialogue.
///
/// A space describes the problem. A search only reads it. The [`Search`](crate::search::Search)
/// holds all data that changes while it runs. If states cannot be copied or have no numbers,
/// [`StateSpace`](crate::state_space::StateSpace) is less work.
///
/// # Contract
/// - [`expand`](Self::expand) emits the same successors in the same order at every call. This order
///   breaks ties.
/// - Step costs are 0 or more. If a cost is invalid, the search ends and
///   [`Search::fault`](crate::search::Search::fault) returns the step.
/// - Two nodes have the same key only if they are equal.
///
/// # Examples
/// A walk along the numbers, where a step costs 1 and doubling costs 3:
/// ```
/// use tilepath::search::{BinaryHeapQueue, DenseRecords, Dijkstra, GoalNode, Problem, Search, SearchSpace};
///
/// struct Numbers;
///
/// impl SearchSpace for Numbers {
///     type Node = u32;
///     type Cost = u32;
///     type Link = u32; // the number it was reached from
///     type Records = DenseRecords<u32, u32>;
///     fn key(&self, node: u32) -> usize { node as usize }
///     fn key_count(&self) -> usize { 101 }
///     fn expand(&self, node: u32, _: Option<u32>, mut emit: impl FnMut(u32, u32, u32)) {
///         if node < 100 { emit(node + 1, 1, node) }
///         if node <= 50 { emit(2 * node, 3, node) }
///     }
///     fn predecessor(&self, _: u32, link: u32) -> u32 { link }
/// }
///
/// let goal = GoalNode(21);
/// let problem = Problem { space: &Numbers, strategy: &Dijkstra, goal: &goal };
/// let mut search = Search::<u32, DenseRecords<u32, u32>, BinaryHeapQueue<u32, u32>>::default();
/// search.begin(&problem, &[1]);
/// search.run(&problem, &mut ());
/// assert_eq!(search.reached(), Some((21, 11))); // 1 2 3 4 5 10 20 21
/// assert_eq!(search.path_to(&Numbers, 21).unwrap(), [1, 2, 3, 4, 5, 10, 20, 21]);
/// ```
pub trait SearchSpace {
    /// A state of the problem.
    type Node: Copy + PartialEq;
    /// The type of step costs.
    type Cost: CostValue;
    /// The data from which a step can be traced back. Often it is the node from which the step
    /// came.
    type Link: Copy;
    /// The store of records: [`DenseRecords`](crate::search::DenseRecords) for nodes that are
    /// numbered, [`SparseRecords`](crate::search::SparseRecords) for others.
    type Records: NodeRecords<Cost = Self::Cost, Link = Self::Link>;

    /// Returns the key of a node's record.
    fn key(&self, node: Self::Node) -> <Self::Records as NodeRecords>::Key;

    /// Returns the number of keys for which the records make room. If keys are numbers, it is the
    /// largest key + 1. Otherwise it is a guess, or 0.
    fn key_count(&self) -> usize;

    /// Emits every successor of `node`, with the cost of the step and a link. The parameter `link`
    /// is the link by which `node` itself was reached, `None` for a start.
    fn expand(
        &self,
        node: Self::Node,
        link: Option<Self::Link>,
        emit: impl FnMut(Self::Node, Self::Cost, Self::Link),
    );

    /// Returns the node and the link that go into the open list and the records. The search calls
    /// this function when it keeps a node that [`expand`](Self::expand) emitted. By default, node
    /// and link stay unchanged.
    ///
    /// If a space must look something up to expand a node, it can store the result here, as a part
    /// of the node or of the link.
    ///
    /// The returned node must be equal to `node` and have the same key. The search does not call
    /// this function for starts.
    #[inline]
    fn entry(&self, node: Self::Node, link: Self::Link) -> (Self::Node, Self::Link) {
        (node, link)
    }

    /// Returns the node from which `node` was reached by this link.
    fn predecessor(&self, node: Self::Node, link: Self::Link) -> Self::Node;
}
