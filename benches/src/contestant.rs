//! Problems, contestants and their answers.

use tilepath::{CostTable, Diagonals, Grid, Movement, PathFinder, StepCosts};

/// A map, a movement on it, and the queries.
#[derive(Clone)]
pub(crate) struct Problem {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Row-major from the lowest row.
    pub(crate) classes: Vec<u8>,
    /// The factor of the cost of a step onto each class; 0 is a wall.
    pub(crate) multipliers: [u16; 256],
    pub(crate) straight: u16,
    pub(crate) diagonal: u16,
    /// The obstacles that a diagonal step may pass: none, or any; or there are no diagonal steps.
    pub(crate) diagonals: Diagonals,
    /// Slots of start and goal.
    pub(crate) queries: Vec<(usize, usize)>,
}

impl Problem {
    /// Returns the smallest multiplier of the passable cells on the map.
    pub(crate) fn cheapest(&self) -> u16 {
        let passable = self.classes.iter().map(|&class| self.multipliers[usize::from(class)]);
        passable.filter(|&multiplier| multiplier > 0).min().unwrap_or(1)
    }

    /// Returns whether all passable cells cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        let cheapest = self.cheapest();
        self.classes.iter().all(|&class| [0, cheapest].contains(&self.multipliers[usize::from(class)]))
    }

    /// Returns whether landmarks can lead the automatic choice: on ground of many costs, and where
    /// most cells lie at corners.
    pub(crate) fn has_use_for_landmarks(&self) -> bool {
        !self.is_uniform() || ["cluttered", "random"].iter().any(|name| self.name.contains(name))
    }

    /// Returns a finder for the map and the movement.
    pub(crate) fn finder(&self) -> PathFinder {
        let grid = Grid::from_classes(self.width, self.height, self.classes.clone())
            .expect("the maps are within the limits");
        let costs = (0..=u8::MAX).fold(CostTable::impassable(), |costs, class| {
            costs.with(class, self.multipliers[usize::from(class)])
        });
        let steps = StepCosts::new(self.straight, self.diagonal).expect("the step costs are valid");
        let movement = Movement::new().with_costs(costs).with_steps(steps).with_diagonals(self.diagonals);
        PathFinder::new(grid, movement)
    }
}

/// An answer in the form that all contestants share.
#[derive(Debug, PartialEq)]
pub(crate) struct Solution {
    /// The cost, or `None` if there is no path.
    pub(crate) cost: Option<u64>,
    /// The slots from start to goal; empty if there is no path.
    pub(crate) path: Vec<usize>,
    /// The number of expanded nodes.
    pub(crate) expanded: u64,
}

/// An implementation, made ready for one map.
pub(crate) trait Contestant {
    fn name(&self) -> &'static str;

    /// Returns whether each of its answers must be a cheapest path. If not, its costlier answers
    /// are counted.
    fn is_exact(&self) -> bool {
        true
    }

    /// Finds the whole path, cell by cell, and keeps it for [`solution`](Self::solution). This part
    /// is timed.
    fn solve(&mut self, from: usize, to: usize);

    /// Returns the answer to the last query. This part is not timed.
    fn solution(&self) -> Solution;
}
