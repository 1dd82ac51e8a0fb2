//! What can be searched: nodes, the steps between them, and where each node's record is kept.

use crate::{cost::CostValue, search::records::NodeRecords};

/// Anything with nodes and steps between them: a map, a graph, a puzzle, a dialogue.
///
/// A space describes the problem; the [`Search`](crate::search::Search) holds everything that changes while it runs, so
/// a space is only read. Where states cannot be copied or have no numbers, [`StateSpace`](crate::state_space::StateSpace) is less
/// work.
///
/// # Contract
/// - [`expand`](Self::expand) offers the same successors in the same order whenever it is asked: ties are broken by
///   that order.
/// - Step costs are numbers of zero or more; a search that meets another ends and names the step
///   ([`Search::fault`](crate::search::Search::fault)).
/// - Two nodes share a key only if they are equal.
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
    /// What steps cost.
    type Cost: CostValue;
    /// What is remembered of how a node was reached; enough to step back. Often the node it was reached from.
    type Link: Copy;
    /// Where records are kept: [`DenseRecords`](crate::search::DenseRecords) for nodes that are numbered,
    /// [`SparseRecords`](crate::search::SparseRecords) for others.
    type Records: NodeRecords<Cost = Self::Cost, Link = Self::Link>;

    /// The key of a node's record.
    fn key(&self, node: Self::Node) -> <Self::Records as NodeRecords>::Key;

    /// How many keys to make room for: the exclusive upper bound where keys are numbers, else a guess, or 0.
    fn key_count(&self) -> usize;

    /// Offers every successor with what the step to it costs and how it was reached. `link` says how `node` itself was
    /// reached, `None` for a start.
    fn expand(
        &self,
        node: Self::Node,
        link: Option<Self::Link>,
        emit: impl FnMut(Self::Node, Self::Cost, Self::Link),
    );

    /// What goes into the open list and the records, given a node and the link that it was offered with: this is asked when the
    /// node is taken, and by default is what was offered. A space that has to look something up to expand the node can have
    /// it at hand then, as a part of the node or of the link.
    ///
    /// The node must keep its key, and be equal to the one that was offered. Starts are not asked for.
    #[inline]
    fn entry(&self, node: Self::Node, link: Self::Link) -> (Self::Node, Self::Link) {
        (node, link)
    }

    /// The node from which `node` was reached by this link.
    fn predecessor(&self, node: Self::Node, link: Self::Link) -> Self::Node;
}
