//! Costs of steps between terrain classes.

use super::Movement;

impl Movement {
    /// Sets the cost of each step from a cell of one of the classes `from` to a cell of one of the
    /// classes `to`. It replaces the multiplier of the class entered; 0 closes the step. If several
    /// calls set the cost of a step, the last one applies. Use it for roads, for slopes and cliffs,
    /// and for units that pay for the cell that they leave.
    ///
    /// Overlays are added to the cost. A class that is closed in the cost table stays closed. Void
    /// cells that a unit leaves count as class 0. A unit of several cells pays for its most expensive
    /// cell: each cell under it takes the step, and no cell may take a closed one.
    ///
    /// # Units
    /// Multipliers, as in a [`CostTable`](crate::CostTable).
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Cell, Cost, Movement, PathFinder, format};
    /// const ROAD: u8 = 4; // in a forest, which costs 4 too
    /// let grid = format::parse_ascii("
    ///     1111
    ///     4444
    /// ")?;
    /// let wagon = Movement::new().with_step_cost([ROAD], [ROAD], 1);
    /// let cost = |from| wagon.step_cost(&grid, from, tilepath::Direction::East);
    /// assert_eq!(cost(Cell::new(0, 0)), Some(Cost::new(10)), "along the road");
    /// let onto_it = wagon.step_cost(&grid, Cell::new(0, 1), tilepath::Direction::South);
    /// assert_eq!(onto_it, Some(Cost::new(40)), "through the forest beside it");
    ///
    /// // A step up from class 1 to class 2 costs 5; the step down is a cliff.
    /// let climber = Movement::new().with_step_cost([1], [2], 5).with_step_cost([2], [1], 0);
    /// let finder = PathFinder::new(format::parse_ascii("12")?, climber);
    /// let (low, high) = (Cell::new(0, 0), Cell::new(1, 0));
    /// assert_eq!(finder.find(low, high)?.path().unwrap().cost(), Cost::new(50));
    /// assert!(finder.find(high, low)?.path().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    #[doc(alias = "road")]
    #[doc(alias = "slope")]
    pub fn with_step_cost(
        mut self,
        from: impl IntoIterator<Item = u8>,
        to: impl IntoIterator<Item = u8>,
        cost: u16,
    ) -> Self {
        let to: Vec<u8> = to.into_iter().collect();
        let pairs = from.into_iter().flat_map(|from| to.iter().map(move |&to| (from, to, cost)));
        self.class_steps.extend(pairs);
        self.class_steps = last_of_each(std::mem::take(&mut self.class_steps));
        self
    }

    /// Returns the steps between classes that have costs of their own: the class left, the class
    /// entered, and the cost. They are sorted by the class entered, then by the class left.
    ///
    /// # Examples
    /// ```
    /// use tilepath::Movement;
    /// let wagon = Movement::new().with_step_cost([2, 3], [2], 1).with_step_cost([3], [2], 4);
    /// assert_eq!(wagon.class_steps(), [(2, 2, 1), (3, 2, 4)]);
    /// ```
    #[must_use]
    pub fn class_steps(&self) -> &[(u8, u8, u16)] {
        &self.class_steps
    }

    /// Returns the steps onto a class that have costs of their own, sorted by the class left.
    fn class_steps_onto(&self, to: u8) -> &[(u8, u8, u16)] {
        let first = self.class_steps.partition_point(|step| step.1 < to);
        let steps = &self.class_steps[first..];
        &steps[..steps.partition_point(|step| step.1 == to)]
    }

    /// Returns the multiplier of a step between two classes; 0 if the step is closed.
    pub(crate) fn multiplier_between(&self, from: u8, to: u8) -> u16 {
        let table = self.costs.multiplier(to);
        if table == 0 || self.class_steps.is_empty() {
            return table;
        }
        let steps = self.class_steps_onto(to);
        steps.binary_search_by_key(&from, |step| step.0).map_or(table, |place| steps[place].2)
    }

    /// Returns the least multiplier of all steps onto a class; 0 if the class is closed. All data for
    /// searches begins with it, and adds what a step costs more.
    pub(crate) fn least_multiplier_onto(&self, to: u8) -> u16 {
        let table = self.costs.multiplier(to);
        let steps = self.class_steps_onto(to);
        if table == 0 || steps.is_empty() {
            return table;
        }
        let least = steps.iter().map(|step| step.2).filter(|&cost| cost > 0).min();
        let is_table_used = u8::try_from(steps.len()).is_ok();
        match least {
            Some(least) if is_table_used => least.min(table),
            Some(least) => least,
            None => table,
        }
    }

    /// Returns the least multiplier of all steps; 0 if every class is closed.
    pub(crate) fn least_multiplier(&self) -> u16 {
        if self.class_steps.is_empty() {
            return self.costs.least();
        }
        let all = (0..=u8::MAX).map(|class| self.least_multiplier_onto(class));
        all.filter(|&multiplier| multiplier > 0).min().unwrap_or(0)
    }

    /// Returns the highest multiplier of all steps.
    pub(crate) fn highest_multiplier(&self) -> u16 {
        let steps = self.class_steps.iter().map(|step| step.2);
        steps.fold(self.costs.highest(), u16::max)
    }

    /// Returns whether a step between two classes is closed.
    pub(crate) fn closes_class_steps(&self) -> bool {
        self.class_steps.iter().any(|step| step.2 == 0)
    }
}

/// Sorts steps between classes. Of steps between the same classes, keeps the last one.
fn last_of_each(mut steps: Vec<(u8, u8, u16)>) -> Vec<(u8, u8, u16)> {
    // The sort is stable, so the last of equal steps comes first afterwards.
    steps.reverse();
    steps.sort_by_key(|&(from, to, _)| (to, from));
    steps.dedup_by_key(|&mut (from, to, _)| (to, from));
    steps
}

/// Reads steps between classes in any order, and returns them sorted. Of steps between the same
/// classes, the last one applies.
#[cfg(feature = "serde")]
pub(super) fn sorted<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(u8, u8, u16)>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(transparent)]
    struct Steps(#[serde(deserialize_with = "crate::stored::list")] Vec<(u8, u8, u16)>);

    let Steps(steps) = serde::Deserialize::deserialize(deserializer)?;
    Ok(last_of_each(steps))
}
