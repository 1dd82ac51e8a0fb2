//! The ring of buckets that priority queues share.

/// A ring of buckets that moves with the search. It keeps which buckets hold entries, and the
/// priority at which it begins.
#[derive(Clone, Debug)]
pub(crate) struct BucketRing<B> {
    /// The length is a power of two, or zero before the first entry.
    pub(crate) buckets: Vec<B>,
    /// One bit per bucket: 1 if it holds an entry.
    pub(crate) occupied: Vec<u64>,
    pub(crate) waiting: usize,
    /// A lower bound on the priorities that wait.
    pub(crate) lowest: u32,
}

const FEWEST_BUCKETS: usize = 256;

impl<B> Default for BucketRing<B> {
    fn default() -> Self {
        Self { buckets: Vec::new(), occupied: Vec::new(), waiting: 0, lowest: 0 }
    }
}

impl<B> BucketRing<B> {
    /// Returns the bucket of a priority. It is only valid if the ring has a bucket for it.
    #[inline]
    pub(crate) fn place(&self, priority: u32) -> usize {
        priority as usize & self.buckets.len().wrapping_sub(1)
    }

    /// Returns the distance from the bucket of the lowest priority to this bucket.
    #[inline]
    fn ahead(&self, bucket: usize) -> u32 {
        (bucket.wrapping_sub(self.lowest as usize) & (self.buckets.len() - 1)) as u32
    }

    /// Returns whether the ring has no bucket for a priority yet. Before the first entry it has no
    /// buckets.
    #[inline]
    pub(crate) fn lacks(&self, priority: u32) -> bool {
        let ahead = priority.checked_sub(self.lowest);
        ahead.is_none_or(|ahead| ahead as usize >= self.buckets.len())
    }

    /// Moves the lowest priority up to the first bucket that holds an entry. There must be one.
    #[inline]
    pub(crate) fn move_on(&mut self) -> usize {
        let start = self.place(self.lowest);
        let word_mask = self.occupied.len() - 1;
        let mut index = start / 64;
        let mut word = self.occupied[index] & (!0 << (start % 64));
        while word == 0 {
            index = (index + 1) & word_mask;
            word = self.occupied[index];
        }
        let bucket = index * 64 + word.trailing_zeros() as usize;
        self.lowest += self.ahead(bucket);
        bucket
    }

    /// Makes room for a priority below all others, or too far above them for the ring. Buckets move
    /// whole, because each holds one priority.
    #[cold]
    pub(crate) fn make_room(&mut self, priority: u32, empty: impl Fn() -> B) {
        if self.waiting == 0 {
            self.lowest = priority;
            if !self.buckets.is_empty() {
                return;
            }
        }
        let waiting: Vec<(u32, usize)> =
            self.taken().map(|bucket| (self.lowest + self.ahead(bucket), bucket)).collect();
        let highest = waiting.iter().map(|&(waiting, _)| waiting).fold(priority, u32::max);
        self.lowest = self.lowest.min(priority);
        let span = (highest - self.lowest) as usize + 1;
        if span <= self.buckets.len() {
            return;
        }
        let count = span.next_power_of_two().max(FEWEST_BUCKETS);
        let mut before = std::mem::take(&mut self.buckets);
        self.buckets.resize_with(count, empty);
        self.occupied = vec![0; count / 64];
        for (priority, bucket) in waiting {
            let place = self.place(priority);
            std::mem::swap(&mut self.buckets[place], &mut before[bucket]);
            self.occupied[place / 64] |= 1 << (place % 64);
        }
    }

    /// Returns the buckets that hold entries.
    fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        self.occupied.iter().enumerate().flat_map(|(index, &word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0).map(move |word| index * 64 + word.trailing_zeros() as usize)
        })
    }

    /// Removes all entries. The closure empties a bucket that holds some, and returns their number.
    pub(crate) fn clear(&mut self, empty: impl Fn(&mut B) -> usize) {
        // Only the words up to the last entry are read, because a ring can be longer than a search.
        let first = (self.place(self.lowest) / 64).min(self.occupied.len());
        let (before, after) = self.occupied.split_at_mut(first);
        let words = (first..).zip(after).chain((0..).zip(before));
        for (index, word) in words.filter(|(_, word)| **word != 0) {
            while *word != 0 {
                self.waiting -= empty(&mut self.buckets[index * 64 + word.trailing_zeros() as usize]);
                *word &= *word - 1;
            }
            if self.waiting == 0 {
                break;
            }
        }
        self.lowest = 0;
    }
}
