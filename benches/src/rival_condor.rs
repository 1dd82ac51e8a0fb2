//! The crate `condor-pathfinding-grid`: its searches without preprocessing, in four directions.

use condor_grid::{AStar, Cell, Grid, JumpPointSearch, Pathfinder, Point, SearchOutcome, SearchRequest};

use crate::contestant::{Contestant, Problem, Solution};

pub(crate) struct Condor {
    name: &'static str,
    search: Box<dyn Pathfinder>,
    grid: Grid,
    width: usize,
    step: u64,
    answer: Option<Vec<usize>>,
    expanded: u64,
}

impl Condor {
    pub(crate) fn a_star(problem: &Problem) -> Self {
        Self::new("condor A*", Box::new(AStar), problem)
    }

    pub(crate) fn jump_points(problem: &Problem) -> Self {
        Self::new("condor jump points", Box::new(JumpPointSearch), problem)
    }

    fn new(name: &'static str, search: Box<dyn Pathfinder>, problem: &Problem) -> Self {
        let (width, height) = (problem.width as usize, problem.height as usize);
        let mut grid = Grid::new(width, height).expect("the maps are within its limits");
        for (slot, &class) in problem.classes.iter().enumerate() {
            if problem.multipliers[usize::from(class)] == 0 {
                let point = Point::new(slot % width, slot / width);
                grid.set_cell(point, Cell::Blocked).expect("the point lies on the map");
            }
        }
        let step = u64::from(problem.straight) * u64::from(problem.cheapest());
        Self { name, search, grid, width, step, answer: None, expanded: 0 }
    }
}

impl Contestant for Condor {
    fn name(&self) -> &'static str {
        self.name
    }

    fn solve(&mut self, from: usize, to: usize) {
        let point = |slot: usize| Point::new(slot % self.width, slot / self.width);
        let request = SearchRequest::new(point(from), point(to));
        match self.search.search(&self.grid, request).expect("both ends are open") {
            SearchOutcome::Found { path, stats } => {
                self.answer = Some(path.steps().iter().map(|point| point.y * self.width + point.x).collect());
                self.expanded = stats.visited_nodes as u64;
            }
            _ => (self.answer, self.expanded) = (None, 0),
        }
    }

    fn solution(&self) -> Solution {
        Solution {
            cost: self.answer.as_ref().map(|path| (path.len() as u64 - 1) * self.step),
            path: self.answer.clone().unwrap_or_default(),
            expanded: self.expanded,
        }
    }
}
