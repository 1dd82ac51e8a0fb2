use super::*;
use crate::{
    bounds::Bounds,
    cell::{Cell, Direction},
    cost::Cost,
    grid::Grid,
    movement::{Movement, StepCosts},
    movement_map::{
        MovementMap,
        pruning::{MoveTable, StepRule},
        step_order::ORDER,
    },
    terrain::CostTable,
};
use proptest::prelude::*;

fn movement(rule: Diagonals, steps: StepCosts) -> Movement {
    let costs = (1..=20).fold(CostTable::impassable(), |costs, class| costs.with(class, u16::from(class)));
    Movement::new().with_costs(costs).with_steps(steps).with_diagonals(rule)
}

/// A map for one search, along its steps or against them.
struct View<'a> {
    grid: &'a Grid,
    movement: &'a Movement,
    is_reversed: bool,
}

/// For each cell and each place of a direction of arrival, a set of steps.
type Sets = Vec<[u8; 8]>;

impl View<'_> {
    /// Returns the cost of a step of the search, or `None` if it is not a step. It enters no closed
    /// cell; a unit may leave one.
    fn step(&self, from: Cell, direction: Direction) -> Option<u32> {
        let to = from.neighbour(direction)?;
        let is_open = |cell| self.grid.terrain(cell).is_some_and(|class| class > 0);
        if !is_open(to) {
            return None;
        }
        let cost = if self.is_reversed {
            self.movement.step_cost(self.grid, to, direction.opposite()).filter(|_| is_open(from))
        } else {
            self.movement.step_cost(self.grid, from, direction)
        };
        cost.map(Cost::get)
    }

    /// Returns the cheapest path between two of the cells around a middle that does not enter the
    /// middle: its cost, and the earliest place in the order that its last step can have.
    fn way_past(&self, middle: Cell, from: Cell, to: Cell) -> Option<(u32, usize)> {
        let mut best: Vec<(Cell, (u32, usize))> = vec![(from, (0, 0))];
        // One pass for each cell around: longer paths go in circles.
        for _ in 0..8 {
            for (cell, (cost, _)) in best.clone() {
                for (place, direction) in ORDER.into_iter().enumerate() {
                    let next = cell.neighbour(direction).filter(|&next| next != middle && next != from);
                    let Some(next) = next else { continue };
                    if next.x.abs_diff(middle.x).max(next.y.abs_diff(middle.y)) > 1 {
                        continue;
                    }
                    let Some(step) = self.step(cell, direction) else { continue };
                    let offer = (cost + step, place);
                    match best.iter_mut().find(|(known, _)| *known == next) {
                        Some((_, known)) => *known = (*known).min(offer),
                        None => best.push((next, offer)),
                    }
                }
            }
        }
        best.into_iter().find(|&(cell, _)| cell == to).map(|(_, best)| best)
    }

    /// Returns the steps for which there is no better path past the cell: the rule word for word.
    fn without_better_way(&self) -> Sets {
        let bounds = self.grid.bounds();
        let set = |middle: Cell, arrival: Direction| {
            let from = middle.neighbour(arrival.opposite()).filter(|&cell| bounds.contains(cell))?;
            let over = self.step(from, arrival)?;
            let is_best = |place: usize| {
                let to = middle.neighbour(ORDER[place]).filter(|&to| to != from)?;
                let cost = over + self.step(middle, ORDER[place])?;
                let past = self.way_past(middle, from, to);
                past.is_none_or(|past| past > (cost, place)).then_some(1 << place)
            };
            Some((0..8).filter_map(is_best).sum())
        };
        bounds.cells().map(|cell| ORDER.map(|arrival| set(cell, arrival).unwrap_or(0))).collect()
    }

    /// Returns these steps without the steps that enter a cell from which no step leads on.
    fn without_dead_ends(&self, sets: &Sets) -> Sets {
        let bounds = self.grid.bounds();
        let leads_on = |cell: Cell, place: usize| {
            let entered = cell.neighbour(ORDER[place]).and_then(|cell| bounds.slot(cell));
            entered.is_some_and(|slot| sets[slot][place] != 0)
        };
        let kept = |cell: Cell, set: u8| {
            (0..8).filter(|&place| leads_on(cell, place)).fold(0, |kept, place| kept | set & 1 << place)
        };
        bounds.cells().zip(sets).map(|(cell, sets)| sets.map(|set| kept(cell, set))).collect()
    }

    fn found(&self) -> Sets {
        let movement_map = MovementMap::new(self.grid, self.movement.clone());
        let (width, height) = (self.grid.width(), self.grid.height());
        let steps =
            CanonicalSteps::new(width, height, StepRule::Square(self.movement.diagonals()), self.is_reversed);
        let seen = steps.seen_by(terrain(&movement_map, self.grid), None);
        let sets = |slot: u32| std::array::from_fn(|place| seen.after(slot % width, slot / width, place));
        (0..width * height).map(sets).collect()
    }
}

fn terrain<'a>(movement_map: &'a MovementMap, grid: &'a Grid) -> Terrain<'a> {
    Terrain::new(movement_map.plane(grid.classes()), grid.width() as usize, movement_map.priced_neighbours())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The rule holds word for word, except for some long paths past a cell. So more steps may be
    /// kept, and never fewer.
    #[test]
    fn a_step_is_left_out_only_for_a_better_way_past_or_a_dead_end(
        classes in proptest::collection::vec(prop_oneof![Just(0_u8), 1_u8..=3, 1_u8..=20], 20 * 6),
        is_upright: bool,
        rule in proptest::sample::select(Diagonals::ALL.to_vec()),
        steps in proptest::sample::select(vec![
            StepCosts::CLASSIC,
            StepCosts::PRECISE,
            StepCosts::new(1, 1).unwrap(),
            StepCosts::new(1, 2).unwrap(),
        ]),
        is_reversed: bool,
    ) {
        // The neighbourhoods lie across the border of two blocks, side by side or one above the
        // other.
        let (width, height) = if is_upright { (6, 20) } else { (20, 6) };
        let grid = Grid::from_classes(width, height, classes).unwrap();
        let movement = movement(rule, steps);
        let view = View { grid: &grid, movement: &movement, is_reversed };
        let mut least = view.without_better_way();
        for _ in 0..if is_reversed { 0 } else { ROUNDS } {
            least = view.without_dead_ends(&least);
        }
        for ((cell, least), found) in grid.bounds().cells().zip(least).zip(view.found()) {
            for (arrival, (least, found)) in ORDER.into_iter().zip(least.into_iter().zip(found)) {
                let from = cell.neighbour(arrival.opposite());
                if from.and_then(|from| view.step(from, arrival)).is_none() {
                    continue;
                }
                prop_assert_eq!(least & !found, 0, "{}: {} after {:?}", rule, cell, arrival);
                let allowed = (0..8).filter(|&place| view.step(cell, ORDER[place]).is_some());
                prop_assert_eq!(found & !allowed.map(|place| 1 << place).sum::<u8>(), 0, "not allowed");
            }
        }
    }
}

#[test]
fn steps_on_ground_of_one_cost_equal_jump_point_search() {
    for rule in [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
        let pruned = MoveTable::pruned(StepRule::Square(rule));
        let movement = movement(rule, StepCosts::PRECISE);
        for neighbourhood in 0..256_usize {
            // The cell is in the middle of nine by nine cells. Cells further away are open, so
            // there are no dead ends.
            let mut classes = vec![1; 81];
            let mut open = 0;
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let slot = ((4 + dy) * 9 + 4 + dx) as usize;
                classes[slot] = (neighbourhood >> direction as usize & 1) as u8;
                open |= classes[slot] << direction as u8;
            }
            let grid = Grid::from_classes(9, 9, classes).unwrap();
            let views =
                [false, true].map(|is_reversed| View { grid: &grid, movement: &movement, is_reversed });
            for view in views {
                let found = view.found()[40];
                for (arrival, found) in ORDER.into_iter().zip(found) {
                    let from = Cell::new(4, 4).neighbour(arrival.opposite()).unwrap();
                    if view.step(from, arrival).is_none() {
                        continue;
                    }
                    let expected = pruned.directions(Some(arrival), open);
                    let found = (0..8).fold(0, |set, bit| set | (found >> bit & 1) << ORDER[bit] as u8);
                    assert_eq!(found, expected, "{rule}, {neighbourhood:08b}, {arrival:?}");
                }
            }
        }
    }
}

/// Finds the steps of these cells, so that their blocks exist.
fn ask(movement_map: &MovementMap, grid: &Grid, cells: impl Iterator<Item = Cell>) {
    let (bounds, terrain) = (grid.bounds(), terrain(movement_map, grid));
    let both = [movement_map.canonical_steps(&bounds), movement_map.reversed_steps(&bounds)];
    for cell in cells {
        let (x, y) = bounds.local(cell).unwrap();
        for steps in both.into_iter().flatten() {
            steps.seen_by(terrain, None).after(x, y, 0);
        }
    }
}

/// Checks that all steps equal the steps of a new movement map.
fn check_steps(movement_map: &MovementMap, grid: &Grid, when: &str) {
    let fresh = MovementMap::new(grid, movement_map.movement().clone());
    let bounds = grid.bounds();
    let all = [movement_map, &fresh].map(|movement_map| {
        ask(movement_map, grid, bounds.cells());
        [movement_map.canonical_steps(&bounds), movement_map.reversed_steps(&bounds)]
            .map(|steps| steps.map(|steps| steps.sets().collect::<Vec<_>>()))
    });
    assert!(all[0] == all[1], "{}: {when}", movement_map.movement().diagonals());
}

#[test]
fn edits_lead_to_the_steps_of_a_fresh_build_and_searches_under_way_keep_theirs() {
    for rule in Diagonals::ALL {
        let mut grid = Grid::new(40, 37, 1).unwrap();
        let mut movement_map = MovementMap::new(&grid, movement(rule, StepCosts::CLASSIC));
        for step in 0..48_u32 {
            // Some blocks exist, and more are found while the running search continues.
            let lot = |count: u32, factor: u32| (step * factor % count) as i32;
            ask(&movement_map, &grid, [Cell::new(lot(40, 11), lot(37, 17)), Cell::new(15, 15)].into_iter());
            let (layer_before, grid_before) = (movement_map.clone(), grid.clone());
            // Half of the edits lie beside the border of two blocks.
            let beside = [14, 15, 16, 17][step as usize / 2 % 4];
            let cell = Cell::new(if step % 2 == 0 { beside } else { lot(40, 37) }, lot(37, 29));
            let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 5) as u8);
            if grid.set_terrain(cell, new).unwrap() {
                movement_map.follow_edit(&grid, cell, (old, new), |_| ());
            }
            check_steps(&layer_before, &grid_before, &format!("before edit {step}"));
            if step % 5 == 4 {
                check_steps(&movement_map, &grid, &format!("after edit {step}"));
            }
        }
    }
}

#[test]
fn steps_are_found_where_searches_come() {
    let mut grid = Grid::new(300, 300, 1).unwrap();
    grid.set_terrain(Cell::new(7, 7), 2).unwrap();
    let movement_map = MovementMap::new(&grid, movement(Diagonals::Always, StepCosts::CLASSIC));
    let bounds: Bounds = grid.bounds();
    let steps = movement_map.canonical_steps(&bounds).unwrap();
    let seen = steps.seen_by(terrain(&movement_map, &grid), None);
    assert_eq!(seen.after(0, 0, 1).count_ones(), 1, "straight on along the edge");
    assert_eq!(steps.sets().flatten().map(|sets| sets.len()).collect::<Vec<_>>(), [8 * SIDE * SIDE]);
    grid.set_terrain(Cell::new(7, 7), 1).unwrap();
    let even = MovementMap::new(&grid, movement(Diagonals::Always, StepCosts::CLASSIC));
    assert!(even.canonical_steps(&bounds).is_none(), "ground of one cost is for jump points");
}

#[test]
fn blocks_stay_where_a_map_grows_and_shrinks() {
    let map = testkit::noise(120, 100, 4, 20, &testkit::Seed::named("blocks"));
    for rule in Diagonals::ALL {
        let mut grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let mut movement_map = MovementMap::new(&grid, movement(rule, StepCosts::CLASSIC));
        for [x, y, width, height, kept] in [
            [-16, 0, 136, 100, 30],
            [-16, -64, 136, 164, 30],
            [-16, -64, 100, 150, 30],
            [0, -64, 90, 170, 30],
            [-3, -64, 93, 170, 0],
        ] {
            ask(&movement_map, &grid, grid.bounds().cells());
            let before = grid.bounds();
            let after = Bounds::new(Cell::new(x, y), width as u32, height as u32).unwrap();
            grid.resize(after, 2);
            movement_map = movement_map.resized(&grid, &before);
            let steps = movement_map.canonical_steps(&after).unwrap();
            let known = steps.sets().flatten().count();
            assert!(known >= kept as usize && (kept > 0 || known == 0), "{known} blocks");
            check_steps(&movement_map, &grid, &format!("from {before} to {after}"));
        }
    }
}
