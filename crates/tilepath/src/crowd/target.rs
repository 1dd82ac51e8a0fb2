//! Bodies that go to another body.

use super::{BodyId, Crowd, Guide, body::NONE, occupancy::Hold};

impl Crowd {
    /// Sets the target of a body: another body to which it goes. The body does not push its target.
    /// It has arrived if it stands [beside the target](Self::is_beside_target). If the target is
    /// removed, the body has no target.
    ///
    /// # Panics
    /// If the crowd has no body with one of the two ids.
    ///
    /// # Examples
    /// A dog comes to its master, a resting body. It does not push the master away.
    /// ```
    /// use tilepath::{Cell, Grid, Movement, MovementId, PathFinder};
    /// use tilepath::crowd::{Activity, Body, Crowd, FieldGuide, Steps};
    ///
    /// let finder = PathFinder::new(Grid::new(6, 1, 1)?, Movement::new());
    /// let fields = [finder.field(&[Cell::new(4, 0)])?];
    /// let mut guide =
    ///     FieldGuide { steps: Steps::new(&finder, MovementId::FIRST)?, fields: &fields, field_of: &[0, 0] };
    /// let mut crowd = Crowd::new(finder.grid());
    /// let master = crowd.insert(&Body::new(1, Cell::new(4, 0)))?;
    /// let dog = Body { activity: Activity::UnderWay { since: 0 }, ..Body::new(2, Cell::new(0, 0)) };
    /// let dog = crowd.insert(&dog)?;
    /// crowd.set_target(dog, Some(master));
    /// for _ in 0..9 {
    ///     crowd.tick(&mut guide);
    /// }
    /// assert_eq!((crowd.cell(master), crowd.cell(dog)), (Cell::new(4, 0), Cell::new(3, 0)));
    /// assert!(crowd.is_beside_target(dog, &mut guide));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_target(&mut self, id: BodyId, target: Option<BodyId>) {
        let body = self.present(id);
        let target = target.map_or(NONE, |target| self.present(target) as u32);
        self.targets += u32::from(target != NONE);
        self.targets -= u32::from(self.bodies[body].target != NONE);
        self.bodies[body].target = target;
    }

    /// Returns whether a body stands beside its [target](Self::set_target): one step that the map
    /// allows leads onto a cell that the target stands on or enters.
    ///
    /// # Panics
    /// If the crowd has no body with this id.
    #[must_use]
    pub fn is_beside_target(&self, id: BodyId, guide: &mut impl Guide) -> bool {
        let state = &self.bodies[self.present(id)];
        if state.target == NONE || state.is_stepping() {
            return false;
        }
        let is_held = |slot: usize| {
            let mut there = self.occupancy.at(slot);
            there.any(|(owner, hold)| owner == state.target && hold == Hold::Holds)
        };
        let mut exits = guide.exits(id, state.from as usize).bits();
        while exits != 0 {
            let direction = exits.trailing_zeros() as u8;
            exits &= exits - 1;
            if self.strip(state, self.beside(state.from, direction)).any(is_held) {
                return true;
            }
        }
        false
    }

    /// Forgets a removed body: no body has it as a target, and it has no target.
    pub(super) fn forget_target(&mut self, id: BodyId) {
        if self.targets == 0 {
            return;
        }
        for body in 0..self.bodies.len() {
            if self.bodies[body].target == id.0 || body == id.index() {
                self.targets -= u32::from(self.bodies[body].target != NONE);
                self.bodies[body].target = NONE;
            }
        }
    }
}
