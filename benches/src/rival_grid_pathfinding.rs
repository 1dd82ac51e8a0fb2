//! The crate `grid_pathfinding`.
//!
//! It runs jump point searches on maps of one cost. Corners are cut, and steps cost 70 and 99.

use grid_pathfinding::PathingGrid;
use grid_util::{Point, grid::ValueGrid};

use crate::contestant::{Contestant, Problem, Solution};

pub(crate) struct GridPathfinding {
    width: usize,
    grid: PathingGrid,
    steps: [u64; 2],
    answer: Option<Vec<Point>>,
}

impl GridPathfinding {
    pub(crate) fn new(problem: &Problem) -> Self {
        let width = problem.width as usize;
        let mut grid = PathingGrid::new(width, problem.height as usize, false);
        for (slot, &class) in problem.classes.iter().enumerate() {
            if problem.multipliers[usize::from(class)] == 0 {
                grid.set((slot % width) as i32, (slot / width) as i32, true);
            }
        }
        grid.generate_components();
        let steps = [problem.straight, problem.diagonal].map(u64::from);
        Self { width, grid, steps, answer: None }
    }

    fn point(&self, slot: usize) -> Point {
        Point::new((slot % self.width) as i32, (slot / self.width) as i32)
    }
}

impl Contestant for GridPathfinding {
    fn name(&self) -> &'static str {
        "grid_pathfinding"
    }

    /// The crate intends to be exact, but some of its paths are not the cheapest.
    fn is_exact(&self) -> bool {
        false
    }

    fn solve(&mut self, from: usize, to: usize) {
        self.answer = self.grid.get_path_single_goal(self.point(from), self.point(to), false);
    }

    /// The crate does not count expanded nodes.
    fn solution(&self) -> Solution {
        let Some(points) = &self.answer else {
            return Solution { cost: None, path: Vec::new(), expanded: 0 };
        };
        let is_diagonal = |step: &[Point]| step[0].x != step[1].x && step[0].y != step[1].y;
        let cost = points.windows(2).map(|step| self.steps[usize::from(is_diagonal(step))]).sum();
        let path = points.iter().map(|point| point.y as usize * self.width + point.x as usize).collect();
        Solution { cost: Some(cost), path, expanded: 0 }
    }
}
