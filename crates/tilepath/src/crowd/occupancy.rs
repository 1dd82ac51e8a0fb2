//! The bodies that hold, leave or claim each cell.

use super::body::NONE;
use std::ops::Range;

/// The relation of a body to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hold {
    /// The body stands on the cell, or enters it.
    Holds,
    /// The body leaves the cell.
    Leaves,
    /// The body waits for the cell.
    Claims,
}

/// An entry in the list of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    next: u32,
    owner: u32,
    hold: Hold,
}

/// A list for each cell of the bodies that hold, leave or claim it. Most lists are empty or have
/// one entry.
///
/// One number for each cell would not be enough: bodies of different layers share cells, one body
/// may leave a cell that another enters, and bodies may be put onto each other. A body keeps its
/// nodes until it is removed: three for each cell that it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occupancy {
    heads: Vec<u32>,
    nodes: Vec<Node>,
}

impl Occupancy {
    pub(super) fn new(cells: usize) -> Self {
        Self { heads: vec![NONE; cells], nodes: Vec::new() }
    }

    /// Adds the nodes of a body of this size, and returns the index of the first.
    pub(super) fn add_nodes(&mut self, owner: u32, size: u8) -> u32 {
        let first = self.nodes.len() as u32;
        let covered = usize::from(size) * usize::from(size);
        for hold in [Hold::Holds, Hold::Leaves, Hold::Claims] {
            self.nodes.extend(std::iter::repeat_n(Node { next: NONE, owner, hold }, covered));
        }
        first
    }

    /// Clears the lists of all cells. Bodies keep their nodes.
    pub(super) fn clear_lists(&mut self) {
        self.move_to(self.heads.len());
    }

    /// Clears all lists, for a map of this many cells. Bodies keep their nodes.
    pub(super) fn move_to(&mut self, cells: usize) {
        self.heads.clear();
        self.heads.resize(cells, NONE);
    }

    /// Returns whether the list of the cell is empty.
    #[inline]
    pub(super) fn is_free(&self, slot: usize) -> bool {
        self.heads[slot] == NONE
    }

    /// Returns the number of cells in a row whose list is not empty.
    #[inline]
    pub(super) fn count(&self, slots: Range<u32>) -> usize {
        let heads = &self.heads[slots.start as usize..slots.end as usize];
        heads.iter().filter(|&&head| head != NONE).count()
    }

    /// Returns the bodies in the list of a cell, and their relations to it.
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

    /// Removes a node from the list of a cell, if it is there.
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
