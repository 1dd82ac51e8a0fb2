//! The movements of a finder, by their ids.

use crate::{
    finder::{
        PathFinder, lazy_movement_map::LazyMovementMap, outcome::QueryError, query::MovementId,
        reachability::LazyRegions,
    },
    grid::Grid,
    journal::Revision,
    movement::Movement,
};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A movement, and all that is kept of the map for it.
#[derive(Debug)]
pub(crate) struct KeptMovement {
    pub(crate) map: LazyMovementMap,
    pub(crate) regions: LazyRegions,
    /// The largest multiplier of its table: every question asks for it.
    highest_multiplier: u16,
    /// Tells it from others that had its place before, and from those of other finders; 0 for the first movement.
    generation: u32,
    is_removed: bool,
    /// The state of the map at the last question by it.
    last_used: AtomicU64,
}

impl KeptMovement {
    /// The first movement of a finder.
    pub(crate) fn first(movement: Movement, grid: &Grid) -> Self {
        Self::new(movement, grid, 0)
    }

    fn new(movement: Movement, grid: &Grid, generation: u32) -> Self {
        Self {
            highest_multiplier: movement.costs().highest(),
            map: LazyMovementMap::new(movement, grid),
            regions: LazyRegions::default(),
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

    /// The number of the map's state at the last question by it; before the first, of that at which it came.
    pub(crate) fn last_used(&self) -> u64 {
        self.last_used.load(Ordering::Relaxed)
    }

    /// What came later is larger; that of the first movement is the least.
    pub(crate) const fn generation(&self) -> u32 {
        self.generation
    }

    /// The bytes of what is made of the map for it.
    pub(crate) fn bytes(&self) -> usize {
        self.map.bytes() + self.regions.bytes()
    }

    /// Forgets what is made of the map for it: it is made again when it is asked for.
    pub(crate) fn give_back(&mut self) {
        self.map.give_back();
        self.regions = LazyRegions::default();
    }

    /// A question by it is asked on a state of the map.
    #[inline]
    fn note_use(&self, revision: Revision) {
        // Most questions find it noted, and then threads that ask at once do not wait for each other.
        if self.last_used() != revision.number() {
            self.last_used.store(revision.number(), Ordering::Relaxed);
        }
    }

    /// Whether both are the same movement of one finder, or of a clone of it.
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
            highest_multiplier: self.highest_multiplier,
            generation: self.generation,
            is_removed: self.is_removed,
            last_used: AtomicU64::new(self.last_used()),
        }
    }
}

/// A number that no movement of this process has had, but 0.
fn next_generation() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    // After as many movements the numbers come again; an id would have to be that old to be mistaken.
    NEXT.fetch_add(1, Ordering::Relaxed).max(1)
}

impl PathFinder {
    /// Adds another way of moving over the same map. One that equals an earlier one has an id of its own all the same, so that
    /// [`set_movement`](Self::set_movement) changes one of them; to share one, ask
    /// [`movement_id`](Self::movement_id) first.
    ///
    /// # Complexity
    /// O(movements).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Diagonals, Grid, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// assert_eq!(finder.movement_id(&Movement::new()), Some(MovementId::FIRST));
    /// let wagon = finder.add_movement(Movement::new()); // moves like all others, so far
    /// finder.set_movement(wagon, Movement::new().with_diagonals(Diagonals::Never))?;
    /// assert_eq!(finder.movement(MovementId::FIRST), Some(&Movement::new()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_movement(&mut self, movement: Movement) -> MovementId {
        let added = KeptMovement::new(movement, &self.grid, next_generation());
        let free = self.movements.iter().position(KeptMovement::is_removed);
        let index = free.unwrap_or(self.movements.len());
        let id = MovementId::of(index, added.generation);
        match self.movements.get_mut(index) {
            Some(place) => *place = added,
            None => self.movements.push(added),
        }
        self.keep_within_limit();
        id
    }

    /// Takes a movement out again, with all that is kept of the map for it. Its id is no movement's from then on, also when
    /// another one takes its place. Searches under way go on.
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`] where the id is not of this finder, or the movement was taken out before.
    /// - [`QueryError::FirstMovement`]: the first one stays.
    ///
    /// # Complexity
    /// O(1).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery, QueryError};
    /// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// let boat = finder.add_movement(Movement::new());
    /// finder.remove_movement(boat)?;
    /// let cart = finder.add_movement(Movement::new()); // in the same place
    /// let query = PathQuery::new(Cell::new(0, 0), Cell::new(8, 8));
    /// assert!(finder.solve(&query.with_movement(cart)).is_ok());
    /// assert_eq!(finder.solve(&query.with_movement(boat)), Err(QueryError::UnknownMovement(boat)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_movement(&mut self, id: MovementId) -> Result<(), QueryError> {
        let index = self.place_of(id)?;
        if index == 0 {
            return Err(QueryError::FirstMovement);
        }
        let movement = self.movements[index].movement().clone();
        let freed = KeptMovement::new(movement, &self.grid, self.movements[index].generation);
        self.movements[index] = KeptMovement { is_removed: true, ..freed };
        Ok(())
    }

    /// The first movement that equals this one.
    ///
    /// # Complexity
    /// O(movements).
    #[must_use]
    pub fn movement_id(&self, movement: &Movement) -> Option<MovementId> {
        let is_it = |kept: &KeptMovement| !kept.is_removed && kept.movement() == movement;
        let index = self.movements.iter().position(is_it)?;
        Some(MovementId::of(index, self.movements[index].generation))
    }

    /// Puts another movement in the place of one: the rules of a map have changed. Searches under way go on by the old
    /// one.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] where the id is not of this finder.
    ///
    /// # Complexity
    /// O(1), and O(cells) with the next question by it.
    pub fn set_movement(&mut self, id: MovementId, movement: Movement) -> Result<(), QueryError> {
        let index = self.place_of(id)?;
        let kept = &mut self.movements[index];
        if *kept.movement() != movement {
            *kept = KeptMovement::new(movement, &self.grid, kept.generation);
        }
        Ok(())
    }

    /// A movement by its id.
    #[must_use]
    pub fn movement(&self, id: MovementId) -> Option<&Movement> {
        self.place_of(id).ok().map(|index| self.movements[index].movement())
    }

    /// The movements in the order of their ids.
    pub fn movements(&self) -> impl Iterator<Item = &Movement> + '_ {
        self.movements.iter().filter(|kept| !kept.is_removed).map(KeptMovement::movement)
    }

    /// Puts a movement into a place, which is one that there is or the next.
    #[cfg(feature = "recording")]
    pub(crate) fn put_movement(&mut self, index: usize, movement: Movement) {
        let generation = if index == 0 { 0 } else { next_generation() };
        let put = KeptMovement::new(movement, &self.grid, generation);
        match self.movements.get_mut(index) {
            Some(place) if !place.is_removed && *place.movement() == *put.movement() => {}
            Some(place) => *place = put,
            None => self.movements.push(put),
        }
    }

    /// What is kept for a movement.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    #[inline]
    pub(crate) fn kept(&self, id: MovementId) -> Result<&KeptMovement, QueryError> {
        let kept = &self.movements[self.place_of(id)?];
        kept.note_use(self.grid.revision());
        Ok(kept)
    }

    /// All places, those of removed movements too.
    pub(crate) fn kept_movements(&self) -> &[KeptMovement] {
        &self.movements
    }

    /// The place of a movement. Ids that were stored know no generation.
    #[inline]
    fn place_of(&self, id: MovementId) -> Result<usize, QueryError> {
        let kept = self.movements.get(id.index()).filter(|kept| !kept.is_removed);
        match kept {
            Some(kept) if id.is_of(kept.generation) => Ok(id.index()),
            _ => Err(QueryError::UnknownMovement(id)),
        }
    }
}
