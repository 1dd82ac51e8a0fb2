//! The records of a search: cost and link of each node.

use crate::cost::CostValue;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The data of a node that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Record<C, L> {
    /// The cost of the known path: the path that the [`Relaxation`](crate::search::Relaxation) kept.
    pub cost: C,
    /// The link by which the node was reached; `None` for a start.
    pub link: Option<L>,
    /// True if the node was expanded after it was reached by this path.
    pub is_closed: bool,
}

/// A store of the [`Record`]s of nodes, by key. It can drop all records at once, because a program
/// may run many short searches.
pub trait NodeRecords {
    /// The key of a record.
    type Key: Copy;
    /// The type of costs.
    type Cost: CostValue;
    /// The type of links: how a node was reached.
    type Link: Copy;

    /// Drops every record and makes room for this many keys. Later, more keys than that may be
    /// opened.
    fn begin(&mut self, key_count: usize);

    /// Returns the record of a key, if it was opened since [`begin`](Self::begin).
    fn get(&self, key: Self::Key) -> Option<Record<Self::Cost, Self::Link>>;

    /// Records a path to the node with this key, and marks the record as open: not expanded yet.
    fn open(&mut self, key: Self::Key, cost: Self::Cost, link: Option<Self::Link>);

    /// Marks a record as expanded. The key must have been opened before.
    fn close(&mut self, key: Self::Key);

    /// Returns whether a path with at most this cost is recorded.
    #[inline]
    fn knows(&self, key: Self::Key, cost: Self::Cost) -> bool {
        self.get(key).is_some_and(|record| record.cost <= cost)
    }

    /// Marks a record as expanded if it is open, and returns its cost and its link. A start has no
    /// link. Returns `None` if the node was already expanded by this path.
    ///
    /// `cost` is the cost at which the node entered the open list, if
    /// [its priority determines the cost](crate::search::Strategy::cost_of). A store that is only
    /// used in the order of costs need not mark which nodes were expanded. It can compare this cost
    /// with the recorded cost instead.
    #[inline]
    fn settle(
        &mut self,
        key: Self::Key,
        _cost: Option<Self::Cost>,
    ) -> Option<(Self::Cost, Option<Self::Link>)> {
        let record = self.get(key).filter(|record| !record.is_closed)?;
        self.close(key);
        Some((record.cost, record.link))
    }
}

/// Records in one array, for nodes that are numbered from 0.
///
/// [`NodeRecords::begin`] makes room for the given number of keys. If a larger key is opened, the
/// array grows.
///
/// # Memory
/// One entry for each key. The memory is kept for the next query.
#[derive(Clone, Debug)]
pub struct DenseRecords<C, L> {
    entries: Vec<(u32, Option<Record<C, L>>)>,
    generation: u32,
}

impl<C, L> Default for DenseRecords<C, L> {
    fn default() -> Self {
        Self { entries: Vec::new(), generation: 0 }
    }
}

impl<C: CostValue, L: Copy> NodeRecords for DenseRecords<C, L> {
    type Key = usize;
    type Cost = C;
    type Link = L;

    fn begin(&mut self, key_count: usize) {
        if self.generation == u32::MAX {
            self.entries.clear();
            self.generation = 0;
        }
        self.generation += 1;
        if self.entries.len() < key_count {
            self.entries.resize(key_count, (0, None));
        }
    }

    #[inline]
    fn get(&self, key: usize) -> Option<Record<C, L>> {
        let &(generation, record) = self.entries.get(key)?;
        if generation == self.generation { record } else { None }
    }

    #[inline]
    fn open(&mut self, key: usize, cost: C, link: Option<L>) {
        if key >= self.entries.len() {
            self.entries.resize(key + 1, (0, None));
        }
        self.entries[key] = (self.generation, Some(Record { cost, link, is_closed: false }));
    }

    #[inline]
    fn close(&mut self, key: usize) {
        if let Some((_, Some(record))) = self.entries.get_mut(key) {
            record.is_closed = true;
        }
    }
}

/// Records in a hash map, for nodes that are not numbers, or are numbers far apart. The node itself
/// is the key.
///
/// The map is half as fast as [`DenseRecords`], and still slower if many nodes are visited. But its
/// memory depends on the nodes that were reached, not on all nodes. Nothing is read in the order of
/// the hash map.
///
/// # Memory
/// One entry for each node reached. The memory is kept for the next query. To drop all records, one
/// byte is written for each entry.
///
/// # Examples
/// A walk on a plane without borders:
/// ```
/// use tilepath::search::{BinaryHeapQueue, Dijkstra, GoalNode, Problem, Search, SearchSpace, SparseRecords};
///
/// type Place = (i64, i64);
/// struct Plane;
///
/// impl SearchSpace for Plane {
///     type Node = Place;
///     type Cost = u32;
///     type Link = Place;
///     type Records = SparseRecords<Place, u32>;
///     fn key(&self, node: Place) -> Place { node }
///     fn key_count(&self) -> usize { 0 } // no agent knows
///     fn expand(&self, (x, y): Place, _: Option<Place>, mut emit: impl FnMut(Place, u32, Place)) {
///         for next in [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)] { emit(next, 1, (x, y)) }
///     }
///     fn predecessor(&self, _: Place, link: Place) -> Place { link }
/// }
///
/// let goal = GoalNode((1_000_000_003, -2));
/// let problem = Problem { space: &Plane, strategy: &Dijkstra, goal: &goal };
/// let mut search = Search::<Place, SparseRecords<Place, u32>, BinaryHeapQueue<Place, u32>>::default();
/// search.begin(&problem, &[(1_000_000_000, 0)]);
/// search.run(&problem, &mut ());
/// assert_eq!(search.reached().unwrap().1, 5);
/// ```
#[derive(Clone, Debug)]
pub struct SparseRecords<N, C, L = N> {
    entries: FxHashMap<N, Record<C, L>>,
}

impl<N, C, L> Default for SparseRecords<N, C, L> {
    fn default() -> Self {
        Self { entries: FxHashMap::default() }
    }
}

impl<N: Copy + Eq + Hash, C: CostValue, L: Copy> NodeRecords for SparseRecords<N, C, L> {
    type Key = N;
    type Cost = C;
    type Link = L;

    fn begin(&mut self, key_count: usize) {
        self.entries.clear();
        self.entries.reserve(key_count);
    }

    #[inline]
    fn get(&self, key: N) -> Option<Record<C, L>> {
        self.entries.get(&key).copied()
    }

    #[inline]
    fn open(&mut self, key: N, cost: C, link: Option<L>) {
        self.entries.insert(key, Record { cost, link, is_closed: false });
    }

    #[inline]
    fn close(&mut self, key: N) {
        if let Some(record) = self.entries.get_mut(&key) {
            record.is_closed = true;
        }
    }
}
