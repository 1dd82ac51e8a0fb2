//! The landmarks of a finder's movements.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{
        PathFinder, kept_movement::KeptMovement, outcome::QueryError, query::MovementId,
        snapshot::MapSnapshot,
    },
    landmarks::{
        self, LandmarkCount, LandmarkStatus, distance::bound_between, ground::Frozen, tables::LandmarkTables,
    },
    search::Heuristic as _,
    space::{grid::GridNode, octile_distance::OctileDistance},
};
use std::sync::Arc;

impl PathFinder {
    /// Makes the landmarks of a movement, or brings them up to date. Exact searches on ground of
    /// many costs are then several times faster. Call it once after the map is loaded. Afterwards, and to
    /// spread the work over frames, call [`advance_landmarks`](Self::advance_landmarks) in each frame.
    ///
    /// Landmarks are cells whose costs to and from all cells are known. From these costs follows a
    /// lower bound for every path, which leads a search. Each landmark has one cell in every region
    /// of connected cells, so searches on islands are led too.
    ///
    /// These searches use them: A*, also as [`Auto`](crate::Algorithm::Auto), without a limit on
    /// expansions and with the default estimate. [`PathQuery::with_landmarks`](crate::PathQuery::with_landmarks) makes other
    /// searches use them, and [`without_landmarks`](crate::PathQuery::without_landmarks) none. They
    /// also raise the [lower bound](crate::Path::lower_bound) of every path.
    ///
    /// Each movement has its own landmarks, of every size and with overlays, on squares and on
    /// hexagons. If it cannot have any, the returned [`LandmarkStatus`] gives the reason. A unit that
    /// starts on closed ground searches without them. If `count` changes, the tables are dropped and
    /// made again.
    ///
    /// # Edits
    /// Each table holds the costs of the map at one revision. Cells and exits that close and cells that
    /// become dearer leave it valid. So do those that become as cheap again as they were. Where a cell
    /// becomes cheaper than that, or allows a new step, searches correct their bounds. They are as exact as
    /// before, and somewhat slower, until `advance_landmarks` has made the tables anew, one after the other.
    ///
    /// Two cases end the use of the tables until they are made: cells became cheaper in more than 128
    /// blocks of 8 × 8 cells, or one edit did this to more than a sixteenth of the map. A resize does, too.
    ///
    /// # Guarantee
    /// Costs and goals of exact answers do not change. Which of several cheapest paths a search finds
    /// may change.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`], or the error of a movement that does not fit the map.
    ///
    /// # Complexity
    /// O(cells × landmarks): with eight landmarks, about a microsecond a cell.
    ///
    /// # Memory
    /// 4.2 bytes a cell and landmark, and two bytes a cell on a map of several regions. Where no exit is
    /// closed, ground of one cost, hexagons and other steps of one length need half.
    /// [`landmark_bytes`](Self::landmark_bytes) returns the bytes in use.
    /// [`limit_memory`](Self::limit_memory) does not count them.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, LandmarkCount, LandmarkStatus, Movement, MovementId, PathFinder, PathQuery};
    /// let hills = (0..128 * 128).map(|slot| 1 + (slot % 128 / 9 * 7 + slot / 128 / 5 * 3) as u8 % 9);
    /// let mut finder = PathFinder::new(Grid::from_classes(128, 128, hills.collect())?, Movement::new());
    /// let query = PathQuery::new(Cell::new(3, 5), Cell::new(120, 99));
    /// let before = finder.solve(&query)?;
    ///
    /// let status = finder.make_landmarks(MovementId::FIRST, LandmarkCount::ByMap)?;
    /// assert_eq!(status, LandmarkStatus::Ready(4));
    /// let led = finder.solve(&query)?;
    /// assert_eq!(led.outcome.path().unwrap().cost(), before.outcome.path().unwrap().cost());
    /// assert!(led.statistics.expanded * 3 < before.statistics.expanded);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "ALT")]
    #[doc(alias = "preprocess")]
    pub fn make_landmarks(
        &mut self,
        movement: MovementId,
        count: LandmarkCount,
    ) -> Result<LandmarkStatus, QueryError> {
        self.advance_landmarks(movement, count, u64::MAX)?;
        self.landmark_status(movement)
    }

    /// Makes the landmarks of a movement, or makes tables anew, as [`make_landmarks`](Self::make_landmarks)
    /// does, for about `budget` units of work. Returns the work: 0 if nothing is left to do, or if
    /// this movement cannot have landmarks. Call it once a frame; then landmarks also follow the edits.
    ///
    /// A unit is a cell whose cost was found for one landmark and one direction. It takes 30 to 100
    /// nanoseconds, somewhat less than a unit of [`PathSearch::work`](crate::PathSearch::work). The last
    /// units may exceed the budget a little.
    ///
    /// Edits may come between the calls. A table is made on the map as it was when its turn began. Clones
    /// of a finder share this work.
    ///
    /// # Errors
    /// The errors of `make_landmarks`.
    ///
    /// # Guarantee
    /// The landmarks do not depend on the slices. The work is a pure function of the map, its edits
    /// and the calls of this function.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Grid, LandmarkCount, LandmarkStatus, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(100, 100, 1)?, Movement::new());
    /// let mut frames = 0;
    /// while finder.advance_landmarks(MovementId::FIRST, LandmarkCount::ByMap, 5_000)? > 0 {
    ///     frames += 1;
    /// }
    /// assert_eq!(frames, 11); // the regions, four tables, and reading the cells
    /// assert_eq!(finder.landmark_status(MovementId::FIRST)?, LandmarkStatus::Ready(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_landmarks(
        &mut self,
        movement: MovementId,
        count: LandmarkCount,
        budget: u64,
    ) -> Result<u64, QueryError> {
        self.movement_map(movement)?;
        let index = self.place_of(movement)?;
        let Self { grid, movements, .. } = self;
        let KeptMovement { map, landmarks, .. } = &mut movements[index];
        let frozen = Frozen {
            bounds: grid.bounds(),
            classes: grid.shared_classes(),
            movement_map: Arc::clone(map.get(grid)),
            revision: grid.revision(),
        };
        Ok(landmarks.advance(&frozen, count, budget))
    }

    /// Returns about how much work it takes to make the landmarks of a movement from nothing; 0 if the
    /// map has too few open cells for them. Use it to decide whether they will pay.
    ///
    /// # Errors
    /// The errors of `make_landmarks`.
    ///
    /// # Complexity
    /// O(1), and O(cells) if no query has used the movement.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Grid, LandmarkCount, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(100, 100, 1)?, Movement::new());
    /// let expected = finder.landmark_work(MovementId::FIRST, LandmarkCount::ByMap)?;
    /// let work = finder.advance_landmarks(MovementId::FIRST, LandmarkCount::ByMap, u64::MAX)?;
    /// assert_eq!(expected, 50_625); // ground of one cost: four tables
    /// assert!(work < expected + expected / 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn landmark_work(&self, movement: MovementId, count: LandmarkCount) -> Result<u64, QueryError> {
        Ok(landmarks::expected_work(self.movement_map(movement)?, count))
    }

    /// Drops the landmarks of a movement and frees their memory. Running searches keep them until
    /// they end.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    pub fn drop_landmarks(&mut self, movement: MovementId) -> Result<(), QueryError> {
        let index = self.place_of(movement)?;
        self.movements[index].landmarks.give_back();
        Ok(())
    }

    /// Drops the landmarks of all movements.
    pub(super) fn drop_all_landmarks(&mut self) {
        self.movements.iter_mut().for_each(|kept| kept.landmarks.give_back());
    }

    /// Returns the state of a movement's landmarks.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    pub fn landmark_status(&self, movement: MovementId) -> Result<LandmarkStatus, QueryError> {
        Ok(self.kept(movement)?.landmarks.status())
    }

    /// Returns the number of edits of the map since the oldest of a movement's tables was made that is to
    /// be made anew; `None` if all of them hold everywhere. Use it to decide whose landmarks come next.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    ///
    /// # Complexity
    /// O(landmarks + patches).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Grid, LandmarkCount, Movement, MovementId, PathFinder};
    /// let mut finder = PathFinder::new(Grid::new(100, 100, 5)?, Movement::new());
    /// finder.make_landmarks(MovementId::FIRST, LandmarkCount::ByMap)?;
    /// finder.set_terrain(Cell::new(50, 50), 9)?; // snow
    /// assert_eq!(finder.landmark_age(MovementId::FIRST)?, None);
    /// finder.set_terrain(Cell::new(60, 50), 1)?; // a road
    /// assert_eq!(finder.landmark_age(MovementId::FIRST)?, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn landmark_age(&self, movement: MovementId) -> Result<Option<u64>, QueryError> {
        let oldest = self.kept(movement)?.landmarks.oldest();
        Ok(oldest.and_then(|oldest| self.grid.revision().edits_since(oldest)))
    }

    /// Lets new landmarks take the place of a movement's landmarks, once they are made. Until then, the old
    /// ones lead searches. The calls of [`advance_landmarks`](Self::advance_landmarks) make them.
    ///
    /// Use it if much ground became dearer, so that the bounds of the old ones are weak.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    #[doc(hidden)]
    pub fn renew_landmarks(&mut self, movement: MovementId) -> Result<(), QueryError> {
        let index = self.place_of(movement)?;
        self.movements[index].landmarks.renew();
        Ok(())
    }

    /// Returns the bytes of a movement's landmarks, and of the work for them.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    ///
    /// # Complexity
    /// O(cells ÷ 64).
    pub fn landmark_bytes(&self, movement: MovementId) -> Result<usize, QueryError> {
        Ok(self.kept(movement)?.landmarks.bytes())
    }

    /// Returns one cell of each of a movement's landmarks, in the order in which they were chosen:
    /// the cell in the largest region of connected cells. The list is empty unless searches may use
    /// them.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`].
    pub fn landmarks(&self, movement: MovementId) -> Result<&[Cell], QueryError> {
        Ok(self.kept(movement)?.landmarks.ready().map_or(&[], |tables| tables.landmarks()))
    }
}

impl PathFinder {
    /// Returns the number of a movement's landmarks, and the lower bound that they prove for all paths
    /// between two cells.
    pub(crate) fn landmark_bound(
        &self,
        movement: MovementId,
        start: Cell,
        goal: Cell,
    ) -> Option<(usize, Cost)> {
        let mut map = self.snapshot_from(movement, start).ok()?;
        map.landmarks = self.ready_landmarks(movement, &map).ok()?;
        let tables = map.landmarks.as_ref()?;
        let [start, goal] = [start, goal].map(|cell| GridNode::of(&map.bounds, cell));
        let ends = [start?, goal?];
        let octile = OctileDistance::new(&map.movement_map, ends[1]).estimate(ends[0]);
        Some((tables.landmarks().len(), bound_between(tables, map.ground(), ends, octile)))
    }

    /// Returns the tables of a movement's landmarks, if searches on a snapshot of the present map may
    /// use them.
    pub(super) fn ready_landmarks(
        &self,
        movement: MovementId,
        map: &MapSnapshot,
    ) -> Result<Option<Arc<LandmarkTables>>, QueryError> {
        let kept = self.kept(movement)?;
        // A unit on closed ground has its own map.
        let is_kept_map = Arc::ptr_eq(&map.movement_map, kept.map.get(&self.grid));
        Ok(kept.landmarks.ready().filter(|_| is_kept_map).cloned())
    }
}
