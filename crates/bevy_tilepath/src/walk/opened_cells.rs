//! Cells that opened, in groups, and the most that each group can save a path.
//!
//! Decision: `docs/decisions/43-kept-paths.md`.

use std::{cmp::Reverse, collections::BinaryHeap};

use tilepath::{Bounds, Cell};

use super::better_ways::around;
use crate::{
    map::{map_view::MapView, span::Span},
    order::goal::Goals,
};

/// The width of the ground around a group where detours are searched for, in cells.
const BESIDE: f64 = 5.0;

/// The most cells of that ground.
const MOST_CELLS: u64 = 1024;

/// Cells that opened, with all steps that changed by them. No step depends on the cells of two groups.
#[derive(Debug, Clone)]
pub(super) struct OpenedGroup {
    /// Rectangles that hold the cells.
    pub(super) parts: Vec<Bounds>,
    /// The cells from which and to which the steps lead.
    ends: Span,
    /// The most by which the cheapest path between two other cells can have become cheaper. It may be
    /// infinite.
    pub(super) saving: f64,
}

impl OpenedGroup {
    /// Returns rectangles as a group of which nothing else is known.
    pub(super) fn unknown(parts: Vec<Bounds>) -> Self {
        Self { parts, ends: Span::EVERYWHERE, saving: f64::INFINITY }
    }

    /// Returns a few opened cells in groups.
    pub(super) fn of_few(cells: &[Cell], view: &MapView) -> Vec<Self> {
        let alone = |&cell: &Cell| {
            let ends = Span::of_cell(cell).grown(1.0).reaching_down(f64::from(view.side()) - 1.0);
            Some(Self { parts: vec![around(&[cell])?], ends, saving: 0.0 })
        };
        let mut groups: Vec<Self> = Vec::new();
        for mut group in cells.iter().filter_map(alone) {
            // A group that has grown may touch others.
            while let Some(index) = groups.iter().position(|other| other.ends.touches(&group.ends)) {
                let other = groups.swap_remove(index);
                group.parts.extend(other.parts);
                group.ends = group.ends.with(other.ends);
            }
            groups.push(group);
        }
        for group in &mut groups {
            group.saving = group.most_saved(cells, view);
        }
        groups
    }

    /// Returns whether a path from a cell to one of the goals may begin or end on a changed cell. The
    /// saving does not hold for such a path.
    pub(super) fn is_under_ends(&self, from: Cell, goals: &Goals, view: &MapView) -> bool {
        let beyond = f64::from(view.side()) - 1.0;
        let covers = |end: &Cell| {
            let is_under =
                |part: &Bounds| Span::of_bounds(part).reaching_down(beyond).touches(&Span::of_cell(*end));
            self.parts.iter().any(is_under)
        };
        covers(&from) || goals.cells().is_none_or(|goals| goals.iter().any(covers))
    }

    /// Returns the most that changed steps can save.
    ///
    /// A path that takes such steps leaves the unchanged ground at one end of them, and comes back to it
    /// at another. Between these two it costs at least the distance. The detour over unchanged ground
    /// costs as much in the former map, or less. So the path is cheaper than the cheapest former path by
    /// at most the difference.
    fn most_saved(&self, opened: &[Cell], view: &MapView) -> f64 {
        let Some(window) =
            self.ends.grown(BESIDE).cells().filter(|window| window.cell_count() as u64 <= MOST_CELLS)
        else {
            return f64::INFINITY;
        };
        let ground = Unchanged::new(window, opened, view);
        let is_end =
            |slot: &usize| ground.is_open[*slot] && self.ends.touches(&Span::of_cell(ground.cells[*slot]));
        let ends: Vec<usize> = (0..ground.cells.len()).filter(is_end).collect();
        let topology = view.finder.grid().topology();
        let cheapest = f64::from(view.finder.cheapest_terrain(view.movement).unwrap_or(0));
        let mut most: f64 = 0.0;
        for &from in &ends {
            let costs = ground.costs_from(from);
            for &to in &ends {
                let Some(cost) = costs[to] else { return f64::INFINITY };
                // The bound is never below the distance over the cheapest ground.
                let distance = view.rules.distance(topology, ground.cells[from], ground.cells[to]);
                if cost as f64 - f64::from(distance.get()) * cheapest <= most {
                    continue;
                }
                let Some(least) = around(&[ground.cells[to]])
                    .and_then(|to| view.finder.least_cost(ground.cells[from], to, view.movement).ok())
                else {
                    return f64::INFINITY;
                };
                most = most.max(cost as f64 - f64::from(least.get()));
            }
        }
        most
    }
}

/// A part of a map without the cells that opened and the steps that depend on them.
struct Unchanged {
    cells: Vec<Cell>,
    /// True for each cell on which a unit may stand, and covers no opened cell.
    is_open: Vec<bool>,
    /// The cells to which steps lead from each cell, with their costs.
    steps: Vec<Vec<(usize, u64)>>,
}

impl Unchanged {
    fn new(window: Bounds, opened: &[Cell], view: &MapView) -> Self {
        let cells: Vec<Cell> = window.cells().collect();
        let width = window.width() as usize;
        let beyond = i32::from(view.side()) - 1;
        let near: Vec<Cell> = opened.iter().copied().filter(|cell| is_near(*cell, &window, beyond)).collect();
        let depends = |low: Cell, high: Cell| {
            let is_within = |low: i32, high: i32, at: i32| (low..=high.saturating_add(beyond)).contains(&at);
            near.iter().any(|cell| is_within(low.x, high.x, cell.x) && is_within(low.y, high.y, cell.y))
        };
        let is_open = cells.iter().map(|&cell| view.is_passable(cell) && !depends(cell, cell)).collect();
        let grid = view.finder.grid();
        let steps_from = |from: Cell| {
            let step = |&direction: &tilepath::Direction| {
                let to = from.neighbour(direction).filter(|&to| window.contains(to))?;
                let (low, high) = (
                    Cell::new(from.x.min(to.x), from.y.min(to.y)),
                    Cell::new(from.x.max(to.x), from.y.max(to.y)),
                );
                let cost =
                    if depends(low, high) { None } else { view.rules.step_cost(grid, from, direction) }?;
                let origin = window.origin();
                let slot = (to.y.abs_diff(origin.y) as usize) * width + to.x.abs_diff(origin.x) as usize;
                Some((slot, u64::from(cost.get())))
            };
            grid.topology().directions().iter().filter_map(step).collect()
        };
        // Nothing leads to a closed cell, and paths to the window end before it.
        let steps =
            cells.iter().map(|&from| if view.is_passable(from) { steps_from(from) } else { Vec::new() });
        let steps = steps.collect();
        Self { cells, is_open, steps }
    }

    /// Returns the cost of the cheapest path to each cell.
    fn costs_from(&self, from: usize) -> Vec<Option<u64>> {
        let mut costs = vec![None; self.cells.len()];
        let mut queue = BinaryHeap::from([Reverse((0, from))]);
        while let Some(Reverse((cost, slot))) = queue.pop() {
            if costs[slot].is_some() {
                continue;
            }
            costs[slot] = Some(cost);
            queue.extend(self.steps[slot].iter().map(|&(to, step)| Reverse((cost + step, to))));
        }
        costs
    }
}

/// Returns whether a unit in the rectangle may cover or pass a cell.
fn is_near(cell: Cell, window: &Bounds, beyond: i32) -> bool {
    Span::of_bounds(window).grown(f64::from(beyond) + 1.0).touches(&Span::of_cell(cell))
}

#[cfg(test)]
mod tests {
    use bevy_ecs::entity::Entity;
    use bevy_math::Vec2;
    use proptest::prelude::*;
    use testkit::Seed;
    use tilepath::{Diagonals, Edit, Grid, Movement, PathQuery, Size, Topology};

    use super::*;
    use crate::map::{
        movement::{AgentMovement, OwnMovements},
        nav_grid::NavGrid,
        projection::NavProjection,
    };

    const SIDE: i32 = 20;

    fn edit() -> impl Strategy<Value = Edit> {
        let cell = || (0..SIDE, 0..SIDE).prop_map(Cell::from);
        let beside = (cell(), 0..8_usize).prop_map(|(one, number)| {
            let way = Topology::Square.directions()[number];
            (one, one.neighbour(way).expect("a small map"))
        });
        prop_oneof![
            3 => cell().prop_map(|cell| Edit::terrain(cell, 1)),
            1 => (cell(), 0..4_u8).prop_map(|(cell, class)| Edit::terrain(cell, class)),
            1 => beside.clone().prop_map(|(one, other)| Edit::one_way(one, other)),
            1 => beside.clone().prop_map(|(one, other)| Edit::fence(one, other)),
            1 => beside.prop_map(|(one, other)| Edit::open_edge(one, other)),
        ]
    }

    /// Returns the costs of the cheapest paths between some cells.
    fn costs(pairs: &[(Cell, Cell)], view: &MapView) -> Vec<Option<f64>> {
        let cost = |&(from, to): &(Cell, Cell)| {
            let query = PathQuery::new(from, to).with_movement(view.movement);
            Some(f64::from(view.finder.solve(&query).ok()?.outcome.into_path()?.cost().get()))
        };
        pairs.iter().map(cost).collect()
    }

    /// Returns the bound of paths between two cells after edits. `before` is the cost of the cheapest path
    /// before them.
    fn bound((from, to): (Cell, Cell), before: f64, groups: &[OpenedGroup], view: &MapView) -> f64 {
        let goals = Goals::one(Entity::PLACEHOLDER, to);
        let end = around(&[to]).expect("a cell");
        let cost_by = |&part: &Bounds| {
            let cost = view.finder.least_cost_by(from, part, end, view.movement).expect("all are on the map");
            f64::from(cost.get())
        };
        let (mut least, mut saving) = (f64::INFINITY, 0.0);
        for group in groups {
            let by_group = group.parts.iter().map(cost_by).fold(f64::INFINITY, f64::min);
            if by_group < before {
                least = least.min(by_group);
                saving += if group.is_under_ends(from, &goals, view) { f64::INFINITY } else { group.saving };
            }
        }
        let saved = if saving.is_finite() { before - saving } else { 0.0 };
        before.min(least.max(saved))
    }

    proptest! {
        #[test]
        fn no_edit_makes_a_path_cheaper_by_more_than_its_saving(
            seed in 0..1000_u32,
            (side, is_hexagonal) in prop_oneof![(1..=3_u8, Just(false)), Just((1, true))],
            rule in 0..4_usize,
            before in prop::collection::vec(edit(), 0..20),
            (edits, gates) in (prop::collection::vec(edit(), 1..12), 0..4_usize),
            (classes, walls) in (1..3_u8, 5..40_u32),
        ) {
            let map = testkit::terrain(SIDE as u32, SIDE as u32, classes, walls, &Seed::named(&format!("saving {seed}")));
            let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
            let topology = if is_hexagonal { Topology::Hexagonal } else { Topology::Square };
            let mut grid = NavGrid::new(grid.with_topology(topology));
            let rule = [
                Diagonals::Always,
                Diagonals::Never,
                Diagonals::OnlyWhenNoObstacles,
                Diagonals::IfAtMostOneObstacle,
            ][rule];
            let unit = AgentMovement::from(Movement::new().with_size(Size::new(side).unwrap()).with_diagonals(rule));
            let mut own = OwnMovements::default();
            own.set([&unit].into_iter());
            grid.know_own_movements(&own);
            let projection = NavProjection::square(Vec2::ONE, Vec2::ZERO);
            let _ = grid.edit(&before);
            let see = |grid: &NavGrid, check: &mut dyn FnMut(&MapView)| {
                check(&MapView::new(Entity::PLACEHOLDER, grid, &projection).by(Some(&unit)).unwrap());
            };
            let (mut pairs, mut costs_before) = (Vec::new(), Vec::new());
            see(&grid, &mut |view| {
                let cells = grid.bounds().cells().filter(|&cell| view.is_passable(cell)).step_by(11);
                let cells: Vec<Cell> = cells.collect();
                pairs = cells.iter().flat_map(|&from| cells.iter().map(move |&to| (from, to))).collect();
                costs_before = costs(&pairs, view);
            });
            // Some cells close before the edits, and open again after them.
            let gates: Vec<(Cell, u8)> = (pairs.iter().step_by(37).take(gates))
                .map(|&(gate, _)| (gate, grid.grid().terrain(gate).unwrap()))
                .collect();
            let closed = gates.iter().map(|&(gate, _)| Edit::terrain(gate, 0)).collect();
            let opened = gates.iter().map(|&(gate, class)| Edit::terrain(gate, class)).collect();
            let mut bounds: Vec<f64> = costs_before.iter().map(|cost| cost.unwrap_or(f64::INFINITY)).collect();
            for (number, edits) in [closed, edits, opened].into_iter().enumerate() {
                let revision = grid.grid().revision();
                let _ = grid.edit(&edits);
                see(&grid, &mut |view| {
                    let opened = view.rules.openings_since(grid.grid(), revision).unwrap();
                    let groups = OpenedGroup::of_few(&opened, view);
                    for (&pair, least) in pairs.iter().zip(&mut bounds) {
                        *least = if view.is_passable(pair.0) { bound(pair, *least, &groups, view) } else { 0.0 };
                    }
                    let costs_now = if number == 2 { costs(&pairs, view) } else { Vec::new() };
                    for (((from, to), least), now) in pairs.iter().zip(&bounds).zip(costs_now) {
                        let Some(now) = now.filter(|_| view.is_passable(*from)) else { continue };
                        assert!(now >= *least, "{from} {to}: {now}, {least}: {groups:?}");
                    }
                });
            }
        }
    }
}
