//! Components: regions of all chunks, joined over the borders.

use super::{
    chunk::{Chunk, Label},
    contacts::Side,
};

/// For every region at a border, the first region of its component, in the order of chunks and
/// labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Components {
    /// The number of the first region of each chunk.
    firsts: Vec<u32>,
    ids: Vec<u32>,
}

impl Components {
    /// Returns the component of a region that touches a border.
    #[inline]
    pub(super) fn id(&self, chunk: usize, label: Label) -> u32 {
        self.ids[self.firsts[chunk] as usize + usize::from(label)]
    }

    /// Returns the memory of the ids in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.firsts) + size_of_val(&*self.ids)
    }

    /// Joins all regions again by their contacts.
    ///
    /// # Complexity
    /// In practice O(chunks + border regions + contacts).
    pub(super) fn join(&mut self, chunks: &[Chunk], columns: usize) {
        let Self { firsts, ids } = self;
        let mut count = 0;
        firsts.clear();
        firsts.extend(chunks.iter().map(|chunk| {
            let first = count;
            count += u32::from(chunk.border_regions());
            first
        }));
        ids.clear();
        ids.extend(0..count);
        for (index, chunk) in chunks.iter().enumerate() {
            for (side, contacts) in Side::ALL.into_iter().zip(&chunk.contacts) {
                let (dx, dy) = side.offset();
                for &[label, other] in contacts {
                    let neighbour = index.wrapping_add_signed(dx + dy * columns as isize);
                    let first = find(ids, firsts[index] + u32::from(label));
                    let second = find(ids, firsts[neighbour] + u32::from(other));
                    ids[first.max(second) as usize] = first.min(second);
                }
            }
        }
        // A parent comes before its child, so one pass leads every region to its root.
        for region in 0..ids.len() {
            ids[region] = ids[ids[region] as usize];
        }
    }
}

#[inline]
fn find(parents: &mut [u32], mut region: u32) -> u32 {
    loop {
        let parent = parents[region as usize];
        if parent == region {
            return region;
        }
        // Skips half of the path to the root for the next call.
        parents[region as usize] = parents[parent as usize];
        region = parent;
    }
}
