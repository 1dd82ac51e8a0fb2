//! Maps, graphs and doors as one list of places and steps between them, searched by the plainest means: what the plugin's answers
//! are compared with.

use bevy_tilepath::{
    Cell, NavMap,
    graphs::WaypointGraph,
    tilepath::{Direction, Grid},
};

pub(super) const SIDE: i32 = 6;
pub(super) const WAYPOINTS: usize = 6;

/// Cells of two maps, then waypoints of two graphs, which are called by their numbers.
pub(super) struct Plain {
    steps: Vec<(usize, usize, f64)>,
    is_wall: [bool; Self::PLACES],
}

impl Plain {
    const PLACES: usize = 2 * (SIDE * SIDE) as usize + 2 * WAYPOINTS;

    pub(super) fn new() -> Self {
        Self { steps: Vec::new(), is_wall: [false; Self::PLACES] }
    }

    pub(super) fn cell(map: usize, cell: Cell) -> usize {
        map * (SIDE * SIDE) as usize + (cell.y * SIDE + cell.x) as usize
    }

    pub(super) fn waypoint(graph: usize, index: usize) -> usize {
        2 * (SIDE * SIDE) as usize + graph * WAYPOINTS + index
    }

    fn step(&mut self, from: usize, to: usize, cost: f64) {
        self.steps.push((from, to, cost));
    }

    /// A step through a door, which never leads into a wall.
    pub(super) fn door(&mut self, from: usize, to: usize, cost: f64) {
        if !self.is_wall[to] {
            self.step(from, to, cost);
        }
    }

    /// All steps of a map by its plain rules, in world units; `size` is the side of a cell.
    pub(super) fn add_map(&mut self, map: usize, grid: &Grid, size: f64) {
        let rules = NavMap::default().rules();
        for cell in grid.bounds().cells() {
            let class = grid.terrain(cell).expect("on the map");
            self.is_wall[Self::cell(map, cell)] = !rules.costs().is_passable(class);
            for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let to = Cell::new(cell.x + x, cell.y + y);
                let direction = Direction::between(cell, to).expect("they are neighbours");
                if let Some(cost) = rules.step_cost(grid, cell, direction) {
                    let cost = f64::from(cost.get()) / 10.0 * size;
                    self.step(Self::cell(map, cell), Self::cell(map, to), cost);
                }
            }
        }
    }

    /// All edges of a graph; `scale` is what its unit is in the world.
    pub(super) fn add_graph(&mut self, number: usize, graph: &WaypointGraph, scale: f64) {
        for edge in graph.edges() {
            let [from, to] = [edge.from.id, edge.to.id].map(|id| id.parse().expect("a number"));
            self.step(Self::waypoint(number, from), Self::waypoint(number, to), edge.cost * scale);
        }
    }

    /// What the step from one place to another costs, if there is one.
    pub(super) fn step_cost(&self, from: usize, to: usize) -> Option<f64> {
        let steps = self.steps.iter().filter(|step| (step.0, step.1) == (from, to));
        steps.map(|step| step.2).reduce(f64::min)
    }

    /// What it costs from each place to the cheapest of these: Bellman and Ford, every step, until nothing becomes cheaper.
    pub(super) fn costs_to(&self, goals: &[usize]) -> Vec<f64> {
        let mut known = vec![f64::INFINITY; Self::PLACES];
        for &goal in goals {
            known[goal] = 0.0;
        }
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &(from, to, cost) in &self.steps {
                if cost + known[to] < known[from] {
                    known[from] = cost + known[to];
                    is_new = true;
                }
            }
        }
        known
    }
}
