//! What a search remembers of each node.

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<C, L> {
    /// The cost of the best way known.
    pub cost: C,
    /// How it was reached; `None` for a start.
    pub link: Option<L>,
    /// Whether it was expanded by that way.
    pub is_closed: bool,
}

/// A store of records that forgets everything in O(1), because searches are many and short.
pub trait NodeRecords {
    /// What names a record.
    type Key: Copy;
    /// What costs are.
    type Cost: crate::cost::CostValue;
    /// How a node was reached.
    type Link: Copy;

    /// Forgets every record and makes room for so many keys.
    fn begin(&mut self, key_count: usize);

    /// The record of a key, if it was opened since [`begin`](Self::begin).
    fn get(&self, key: Self::Key) -> Option<Record<Self::Cost, Self::Link>>;

    /// Records a way, as open.
    fn open(&mut self, key: Self::Key, cost: Self::Cost, link: Option<Self::Link>);

    /// Marks the record as expanded. The key was opened before.
    fn close(&mut self, key: Self::Key);
}

/// Records in one array, for nodes that are numbered from 0.
///
/// The key count given to [`NodeRecords::begin`] is room made in advance; a larger key makes more room when it is opened.
///
/// # Memory
/// One entry a key, kept from query to query.
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

impl<C: crate::cost::CostValue, L: Copy> NodeRecords for DenseRecords<C, L> {
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
