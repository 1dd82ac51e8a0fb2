//! The crate `pathfinding`: its A* with flat indices and the octile or Manhattan distance in whole numbers.

use std::cell::Cell;

use pathfinding::prelude::astar;

use tilepath::Diagonals;

use crate::contestant::{Contestant, Problem, Solution};

pub(crate) struct Pathfinding {
    problem: Problem,
    cheapest: u64,
    answer: Option<(Vec<usize>, u64)>,
    expanded: u64,
}

impl Pathfinding {
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { problem: problem.clone(), cheapest: u64::from(problem.cheapest()), answer: None, expanded: 0 }
    }
}

impl Contestant for Pathfinding {
    fn name(&self) -> &'static str {
        "pathfinding"
    }

    fn solve(&mut self, from: usize, to: usize) {
        let Problem { width, height, classes, multipliers, straight, diagonal, .. } = &self.problem;
        let (width, height) = (*width as usize, *height as usize);
        let (straight, diagonal) = (u64::from(*straight), u64::from(*diagonal));
        let multiplier = |slot: usize| u64::from(multipliers[usize::from(classes[slot])]);
        let (goal_x, goal_y) = (to % width, to / width);
        let has_diagonals = self.problem.diagonals != Diagonals::Never;
        let expanded = Cell::new(0);
        let successors = |&slot: &usize| {
            expanded.set(expanded.get() + 1);
            let (x, y) = (slot % width, slot / width);
            let enter = |is_on_map: bool, next: usize| if is_on_map { multiplier(next) } else { 0 };
            let west = enter(x > 0, slot.wrapping_sub(1));
            let east = enter(x + 1 < width, slot + 1);
            let south = enter(y > 0, slot.wrapping_sub(width));
            let north = enter(y + 1 < height, slot + width);
            let corner = |beside: u64, also: u64, next: usize| {
                if has_diagonals && beside > 0 && also > 0 { multiplier(next) } else { 0 }
            };
            [
                (slot + width, north * straight),
                (slot + width + 1, corner(north, east, slot + width + 1) * diagonal),
                (slot + 1, east * straight),
                (slot.wrapping_sub(width - 1), corner(south, east, slot.wrapping_sub(width - 1)) * diagonal),
                (slot.wrapping_sub(width), south * straight),
                (slot.wrapping_sub(width + 1), corner(south, west, slot.wrapping_sub(width + 1)) * diagonal),
                (slot.wrapping_sub(1), west * straight),
                (slot + width - 1, corner(north, west, slot + width - 1) * diagonal),
            ]
            .into_iter()
            .filter(|&(_, cost)| cost > 0)
        };
        let estimate = |&slot: &usize| {
            let (dx, dy) = ((slot % width).abs_diff(goal_x), (slot / width).abs_diff(goal_y));
            let turn = if has_diagonals { diagonal - straight } else { straight };
            (dx.max(dy) as u64 * straight + dx.min(dy) as u64 * turn) * self.cheapest
        };
        self.answer = astar(&from, successors, estimate, |&slot| slot == to);
        self.expanded = expanded.get();
    }

    fn solution(&self) -> Solution {
        Solution {
            cost: self.answer.as_ref().map(|&(_, cost)| cost),
            path: self.answer.as_ref().map(|(path, _)| path.clone()).unwrap_or_default(),
            expanded: self.expanded,
        }
    }
}
