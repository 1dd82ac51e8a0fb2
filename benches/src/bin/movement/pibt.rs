//! Plain PIBT, by the book: what a crowd is compared with.
//!
//! Okumura, Machida, Défago and Tamura, "Priority inheritance with backtracking for iterative
//! multi-agent path finding", Artificial Intelligence 310, 2022.

use testkit::Seed;
use tilepath::{Cell, Direction, MovementId, crowd::Steps};

use crate::{league::Mover, problem::Problem};

/// Bodies that decide by priority inheritance, each with the full distances to its goal.
pub(crate) struct Pibt<'map> {
    problem: &'map Problem,
    moves: Steps<'map>,
    cells: Vec<Cell>,
    goals: Vec<Cell>,
    /// The step in which each body got its goal.
    since: Vec<u32>,
    /// By slot: the body that stands there, and the body that enters the cell.
    holders: Vec<Option<usize>>,
    entering: Vec<Option<usize>>,
    next: Vec<Option<Cell>>,
    /// By slot: numbers that decide between cells of equal worth. Their sequence changes by step.
    ties: Vec<u32>,
    steps: u32,
}

impl<'map> Pibt<'map> {
    pub(crate) fn new(problem: &'map Problem, draw: usize) -> Self {
        let cells = problem.starts.clone();
        let slots = problem.finder.grid().bounds().cell_count();
        let mut holders = vec![None; slots];
        for (body, &cell) in cells.iter().enumerate() {
            holders[problem.slot(cell)] = Some(body);
        }
        let ties: Vec<u32> = (0..slots as u32).collect();
        Self {
            problem,
            moves: Steps::new(&problem.finder, MovementId::FIRST).expect("the first movement"),
            goals: cells.clone(),
            since: vec![0; cells.len()],
            holders,
            entering: vec![None; slots],
            next: vec![None; cells.len()],
            ties: Seed::named(&format!("ties {draw}")).shuffled(&ties),
            cells,
            steps: 0,
        }
    }

    /// Decides for a body and the bodies that it pushes. Returns false if it must stand.
    fn decide(&mut self, body: usize) -> bool {
        let here = self.cells[body];
        for to in self.wishes(body) {
            let slot = self.problem.slot(to);
            let holder = self.holders[slot].filter(|&holder| holder != body);
            let would_swap = holder.is_some_and(|holder| self.next[holder] == Some(here));
            if self.entering[slot].is_some() || would_swap {
                continue;
            }
            self.entering[slot] = Some(body);
            self.next[body] = Some(to);
            let is_pushed = holder.filter(|&holder| self.next[holder].is_none());
            if is_pushed.is_none_or(|holder| self.decide(holder)) {
                return true;
            }
        }
        self.next[body] = Some(here);
        self.entering[self.problem.slot(here)] = Some(body);
        false
    }

    /// Returns its cell and the cells beside it, the nearest to its goal first.
    fn wishes(&self, body: usize) -> Vec<Cell> {
        let (here, goal) = (self.cells[body], self.goals[body]);
        let field = &self.problem.fields[self.problem.field_of(goal) as usize];
        let exits = self.moves.exits(self.problem.slot(here));
        let beside = Direction::ALL.into_iter().filter(|&direction| exits.contains(direction));
        let beside = beside.filter_map(|direction| here.neighbour(direction));
        let worth = |cell: Cell| {
            let rest = field.cost(cell)?;
            let slot = self.problem.slot(cell);
            let tie = self.ties[(slot + self.steps as usize * 7919 + body * 104_729) % self.ties.len()];
            Some((rest, self.holders[slot].is_some() && cell != here, tie))
        };
        let mut ranked: Vec<_> =
            std::iter::once(here).chain(beside).filter_map(|cell| Some((worth(cell)?, cell))).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, cell)| cell).collect()
    }
}

impl Mover for Pibt<'_> {
    fn send(&mut self, body: usize, goal: Cell, step: u32) {
        (self.goals[body], self.since[body]) = (goal, step);
    }

    fn step(&mut self) {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|&body| (self.since[body], body));
        self.next.fill(None);
        self.entering.fill(None);
        for body in order {
            if self.next[body].is_none() {
                self.decide(body);
            }
        }
        self.holders.fill(None);
        for (body, next) in self.next.iter().enumerate() {
            let to = next.expect("each body has decided");
            self.cells[body] = to;
            self.holders[self.problem.slot(to)] = Some(body);
        }
        self.steps += 1;
    }

    fn cell(&self, body: usize) -> Cell {
        self.cells[body]
    }
}
