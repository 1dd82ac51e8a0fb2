//! A movement with the data that is derived from the map for it.

use crate::{
    cell::Cell,
    finder::{lazy_movement_map::LazyMovementMap, reachability::LazyRegions},
    grid::Grid,
    journal::Revision,
    landmarks::{Landmarks, ground::MapGround},
    movement::Movement,
    movement_map::area::Area,
    space::grid::GridNode,
};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A movement, and all data that is derived from the map for it.
#[derive(Debug)]
pub(crate) struct KeptMovement {
    pub(crate) map: LazyMovementMap,
    pub(crate) regions: LazyRegions,
    pub(crate) landmarks: Landmarks,
    /// The highest multiplier of its steps, which every query needs.
    pub(super) highest_multiplier: u16,
    /// A number that differs from other movements at this index and in other finders; 0 for the
    /// first movement.
    pub(super) generation: u32,
    pub(super) is_removed: bool,
    /// The number of the map's revision at its last query.
    pub(super) last_used: AtomicU64,
}

impl KeptMovement {
    /// Creates the first movement of a finder.
    pub(crate) fn first(movement: Movement, grid: &Grid) -> Self {
        Self::new(movement, grid, 0)
    }

    pub(super) fn new(movement: Movement, grid: &Grid, generation: u32) -> Self {
        Self {
            highest_multiplier: movement.highest_multiplier(),
            map: LazyMovementMap::new(movement, grid),
            regions: LazyRegions::default(),
            landmarks: Landmarks::default(),
            generation,
            is_removed: false,
            last_used: AtomicU64::new(grid.revision().number()),
        }
    }

    pub(crate) const fn movement(&self) -> &Movement {
        self.map.movement()
    }

    pub(crate) const fn highest_multiplier(&self) -> u16 {
        self.highest_multiplier
    }

    pub(crate) const fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// Returns the number of the map's revision at the last query; before the first query, at its
    /// creation.
    pub(crate) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }

    /// Returns the generation. Later movements have higher numbers; the first movement has the
    /// lowest.
    pub(crate) const fn generation(&self) -> u32 {
        self.generation
    }

    /// Returns the bytes of the data that queries make, and that can be freed. Landmarks need the
    /// movement map to follow edits, so a movement that has them has no such data.
    pub(crate) fn query_bytes(&self) -> usize {
        if self.landmarks.are_requested() { 0 } else { self.map.bytes() + self.regions.bytes() }
    }

    /// Drops the data that queries make; the next query makes it again.
    pub(crate) fn give_back(&mut self) {
        self.map.give_back();
        self.regions = LazyRegions::default();
    }

    /// Updates the landmarks after edits of cells in some rectangles. `cheaper` are the cells around which
    /// a path may have become cheaper. The movement map must have followed the edits.
    pub(crate) fn follow_with_landmarks(
        &mut self,
        grid: &Grid,
        edited: &[Area],
        cheaper: impl IntoIterator<Item = Cell>,
    ) {
        if self.landmarks.are_requested() {
            let (bounds, movement_map) = (grid.bounds(), self.map.get(grid));
            let ground = MapGround { bounds: &bounds, classes: grid.classes(), movement_map };
            let cheaper = cheaper.into_iter().filter_map(|cell| GridNode::of(&bounds, cell));
            self.landmarks.follow_edits(ground, edited, cheaper);
        }
    }

    /// Returns whether a path may have become cheaper because the class of a cell changed. A cell that was
    /// not on the map has no old class.
    pub(crate) fn is_cheaper(&self, old: Option<u8>, new: u8) -> bool {
        let (movement, rank) =
            (self.movement(), |class| self.movement().costs().multiplier(class).wrapping_sub(1));
        old.is_none_or(|old| rank(new) < rank(old))
            || !movement.class_steps().is_empty() && movement.costs().is_passable(new)
    }

    /// Records that a query uses the movement at a revision of the map.
    #[inline]
    pub(super) fn note_use(&self, revision: Revision) {
        // In most queries, the use is recorded already. So threads that query together do not wait
        // for each other.
        if self.last_used() != revision.number() {
            self.last_used.store(revision.number(), Ordering::Relaxed);
        }
    }

    /// Returns whether both are the same movement of one finder, or of a clone of it.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.generation == other.generation
            && self.is_removed == other.is_removed
            && self.movement() == other.movement()
    }
}

impl Clone for KeptMovement {
    fn clone(&self) -> Self {
        Self {
            map: self.map.clone(),
            regions: self.regions.clone(),
            landmarks: self.landmarks.clone(),
            highest_multiplier: self.highest_multiplier,
            generation: self.generation,
            is_removed: self.is_removed,
            last_used: AtomicU64::new(self.last_used()),
        }
    }
}

/// Returns a number that no movement of this process has had. It is never 0.
pub(super) fn next_generation() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // After 2³² movements, the numbers repeat. Only an id that old could be mistaken for a new one.
    NEXT.fetch_add(1, Ordering::Relaxed).max(1)
}
