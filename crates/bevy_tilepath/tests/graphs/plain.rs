//! A plain oracle. It searches maps, graphs and doors as one list of places and steps. Tests
//! compare the plugin's answers with it.

use bevy_tilepath::{
    Cell, NavMap,
    graphs::WaypointGraph,
    tilepath::{Direction, Grid},
};

pub(super) const SIDE: i32 = 6;
pub(super) const WAYPOINTS: usize = 6;

/// The places: first the cells of two maps, then the waypoints of two graphs. The id of a waypoint
/// is its number.
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

    /// Adds a step through a door. A door never leads into a wall.
    pub(super) fn door(&mut self, from: usize, to: usize, cost: f64) {
        if !self.is_wall[to] {
            self.step(from, to, cost);
        }
    }

    /// Adds all steps of a map by the default rules, in world units. `size` is the side of a cell.
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

    /// Adds all edges of a graph. `scale` is the length of its unit in the world.
    pub(super) fn add_graph(&mut self, number: usize, graph: &WaypointGraph, scale: f64) {
        for edge in graph.edges() {
            let [from, to] = [edge.from.id, edge.to.id].map(|id| id.parse().expect("a number"));
            self.step(Self::waypoint(number, from), Self::waypoint(number, to), edge.cost * scale);
        }
    }

    /// Returns the cost of the step between two places, or `None` if there is no such step.
    pub(super) fn step_cost(&self, from: usize, to: usize) -> Option<f64> {
        let steps = self.steps.iter().filter(|step| (step.0, step.1) == (from, to));
        steps.map(|step| step.2).reduce(f64::min)
    }

    /// Returns the cost from each place to its cheapest goal. The algorithm is by Bellman and Ford:
    /// it tries all steps again until no cost falls.
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
