//! Who holds a cell, who leaves it, and who waits for it.

use super::body::NONE;

/// What a body has to do with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hold {
    /// It stands on it, or enters it.
    Holds,
    /// It leaves it.
    Leaves,
    /// It waits for it.
    Claims,
}

/// One entry in the list of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    next: u32,
    owner: u32,
    hold: Hold,
}

/// For each cell a list of the bodies that have to do with it: mostly none, or one.
///
/// A list and no single number, because bodies of different layers share cells, one may leave what another enters, and bodies
/// may be put onto each other. The nodes of a body are its own for as long as it is there, three for each cell that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occupancy {
    heads: Vec<u32>,
    nodes: Vec<Node>,
}

impl Occupancy {
    pub(super) fn new(cells: usize) -> Self {
        Self { heads: vec![NONE; cells], nodes: Vec::new() }
    }

    /// Nodes for one more body of a size: the number of the first.
    pub(super) fn add_nodes(&mut self, owner: u32, size: u8) -> u32 {
        let first = self.nodes.len() as u32;
        let covered = usize::from(size) * usize::from(size);
        for hold in [Hold::Holds, Hold::Leaves, Hold::Claims] {
            self.nodes.extend(std::iter::repeat_n(Node { next: NONE, owner, hold }, covered));
        }
        first
    }

    /// No body has to do with any cell. The nodes stay theirs.
    #[cfg(feature = "recording")]
    pub(super) fn clear_lists(&mut self) {
        self.move_to(self.heads.len());
    }

    /// No body has to do with any cell of a map of so many. The nodes stay theirs.
    pub(super) fn move_to(&mut self, cells: usize) {
        self.heads.clear();
        self.heads.resize(cells, NONE);
    }

    /// Whether no body has to do with the cell.
    #[inline]
    pub(super) fn is_free(&self, slot: usize) -> bool {
        self.heads[slot] == NONE
    }

    /// The bodies that have to do with a cell.
    #[inline]
    pub(super) fn at(&self, slot: usize) -> impl Iterator<Item = (u32, Hold)> + '_ {
        let mut place = self.heads[slot];
        std::iter::from_fn(move || {
            let node = self.nodes.get(place as usize)?;
            place = node.next;
            Some((node.owner, node.hold))
        })
    }

    #[inline]
    pub(super) fn link(&mut self, slot: usize, node: u32) {
        self.nodes[node as usize].next = self.heads[slot];
        self.heads[slot] = node;
    }

    /// Takes a node out of the list of a cell, if it is there.
    #[inline]
    pub(super) fn unlink(&mut self, slot: usize, node: u32) {
        let next = self.nodes[node as usize].next;
        if self.heads[slot] == node {
            self.heads[slot] = next;
            return;
        }
        let mut place = self.heads[slot];
        while let Some(before) = self.nodes.get_mut(place as usize) {
            if before.next == node {
                before.next = next;
                return;
            }
            place = before.next;
        }
    }
}
