//! The movements of a finder, by their ids.

use crate::{
    finder::{
        PathFinder,
        kept_movement::{KeptMovement, next_generation},
        outcome::QueryError,
        query::MovementId,
    },
    movement::Movement,
};

impl PathFinder {
    /// Adds another movement over the same map and returns its id. A movement that equals an
    /// earlier one also gets its own id, so [`set_movement`](Self::set_movement) changes only one
    /// of them. To share a movement, look for it with [`movement_id`](Self::movement_id) first.
    ///
    /// # Complexity
    /// O(movements).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Diagonals, Grid, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(9, 9, 1)?, Movement::new());
    /// assert_eq!(finder.movement_id(&Movement::new()), Some(MovementId::FIRST));
    /// let wagon = finder.add_movement(Movement::new()); // for now like the first movement
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

    /// Removes a movement, and all data that was derived from the map for it. The id of the
    /// movement stays invalid, even if another movement takes its index. Running searches continue.
    ///
    /// # Errors
    /// - [`QueryError::UnknownMovement`]: the finder has no movement with this id, or it was
    ///   removed before.
    /// - [`QueryError::FirstMovement`]: the first movement cannot be removed.
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
    /// let cart = finder.add_movement(Movement::new()); // takes the same index
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

    /// Returns the id of the first movement that equals this one.
    ///
    /// # Complexity
    /// O(movements).
    #[doc(hidden)]
    #[must_use]
    pub fn movement_id(&self, movement: &Movement) -> Option<MovementId> {
        let is_it = |kept: &KeptMovement| !kept.is_removed && kept.movement() == movement;
        let index = self.movements.iter().position(is_it)?;
        Some(MovementId::of(index, self.movements[index].generation))
    }

    /// Replaces a movement, for example when the rules of the game change. Running searches
    /// continue with the old movement.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`] if the finder has no movement with this id.
    ///
    /// # Complexity
    /// O(1). The next query of this movement takes O(cells) more.
    pub fn set_movement(&mut self, id: MovementId, movement: Movement) -> Result<(), QueryError> {
        let index = self.place_of(id)?;
        let kept = &mut self.movements[index];
        if *kept.movement() != movement {
            *kept = KeptMovement::new(movement, &self.grid, kept.generation);
        }
        Ok(())
    }

    /// Returns a movement by its id.
    #[must_use]
    pub fn movement(&self, id: MovementId) -> Option<&Movement> {
        self.place_of(id).ok().map(|index| self.movements[index].movement())
    }

    /// Returns the movements in the order of their ids.
    pub fn movements(&self) -> impl Iterator<Item = &Movement> + '_ {
        self.movements.iter().filter(|kept| !kept.is_removed).map(KeptMovement::movement)
    }

    /// Puts a movement at an index, which is an existing one or the next.
    /// Drops everything that was derived from the map: movement maps, regions and landmarks.
    /// Queries make it again, and their work counts again. The movements keep their ids.
    ///
    /// Use it if two finders have equal maps, and equal queries are to have equal work and equal
    /// paths from now on: for example after a saved game was loaded, and in the game that was
    /// saved.
    ///
    /// # Complexity
    /// O(cells) for each movement.
    ///
    /// ```
    /// use tilepath::{Cell, Grid, Movement, PathFinder, PathQuery};
    /// let mut finder = PathFinder::new(Grid::new(64, 64, 1)?, Movement::default());
    /// let work = |finder: &PathFinder| {
    ///     let mut search = finder.begin(&PathQuery::new(Cell::new(0, 0), Cell::new(63, 9))).unwrap();
    ///     while !search.is_done() {
    ///         search.advance(1000);
    ///     }
    ///     search.work()
    /// };
    /// let first = work(&finder);
    /// assert!(work(&finder) < first);
    /// finder.renew();
    /// assert_eq!(work(&finder), first);
    /// # Ok::<(), tilepath::GridError>(())
    /// ```
    #[doc(hidden)]
    pub fn renew(&mut self) {
        for kept in &mut self.movements {
            let (movement, is_removed) = (kept.movement().clone(), kept.is_removed);
            *kept = KeptMovement { is_removed, ..KeptMovement::new(movement, &self.grid, kept.generation) };
        }
    }

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

    /// Returns the data kept for a movement.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    #[inline]
    pub(crate) fn kept(&self, id: MovementId) -> Result<&KeptMovement, QueryError> {
        let kept = &self.movements[self.place_of(id)?];
        kept.note_use(self.grid.revision());
        Ok(kept)
    }

    /// Returns the movements at all indices, including removed ones.
    pub(crate) fn kept_movements(&self) -> &[KeptMovement] {
        &self.movements
    }

    /// Returns the index of a movement. Stored ids have no generation.
    #[inline]
    pub(super) fn place_of(&self, id: MovementId) -> Result<usize, QueryError> {
        let kept = self.movements.get(id.index()).filter(|kept| !kept.is_removed);
        match kept {
            Some(kept) if id.is_of(kept.generation) => Ok(id.index()),
            _ => Err(QueryError::UnknownMovement(id)),
        }
    }
}
