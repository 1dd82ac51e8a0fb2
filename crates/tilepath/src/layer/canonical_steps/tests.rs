use super::*;
use crate::{
    bounds::Bounds,
    cell::Cell,
    cost::Cost,
    grid::Grid,
    layer::{Layer, pruning::MoveTable},
    movement::{Movement, StepCosts},
    terrain::CostTable,
};
use proptest::prelude::*;

fn movement(rule: Diagonals, steps: StepCosts) -> Movement {
    let costs = (1..=20).fold(CostTable::impassable(), |costs, class| costs.with(class, u16::from(class)));
    Movement::new().with_costs(costs).with_steps(steps).with_diagonals(rule)
}

/// A map as a search sees it, with its steps or against them.
struct View<'a> {
    grid: &'a Grid,
    movement: &'a Movement,
    is_reversed: bool,
}

impl View<'_> {
    /// What a step of the search costs, if it is one; it enters no closed cell.
    fn step(&self, from: Cell, direction: Direction) -> Option<u32> {
        let to = from.neighbour(direction)?;
        let is_open = |cell| self.grid.terrain(cell).is_some_and(|class| class > 0);
        let cost = if self.is_reversed {
            self.movement.step_cost(self.grid, to, direction.opposite())
        } else {
            self.movement.step_cost(self.grid, from, direction)
        };
        cost.filter(|_| is_open(from) && is_open(to)).map(Cost::get)
    }
}

/// The steps kept of every cell, by slot and place of the direction of arrival.
fn all_steps(layer: &Layer, grid: &Grid, is_reversed: bool) -> Vec<[u8; 8]> {
    let terrain =
        Terrain { classes: grid.classes(), width: grid.width() as usize, costs: layer.step_costs() };
    let steps = CanonicalSteps::new(grid.width(), grid.height(), layer.movement().diagonals(), is_reversed);
    (0..grid.classes().len())
        .map(|slot| std::array::from_fn(|place| steps.after(slot, place, &terrain)))
        .collect()
}

/// The cheapest way between two of the cells around a middle that does not enter it: its cost, and the earliest place in the
/// order of a last step that such a way can have.
fn way_past(view: &View<'_>, middle: Cell, from: Cell, to: Cell) -> Option<(u32, usize)> {
    let mut best: Vec<(Cell, (u32, usize))> = vec![(from, (0, 0))];
    // As often as there are cells around: longer ways go in circles.
    for _ in 0..8 {
        for (cell, (cost, _)) in best.clone() {
            for (place, direction) in ORDER.into_iter().enumerate() {
                let Some(next) = cell.neighbour(direction).filter(|&next| next != middle && next != from)
                else {
                    continue;
                };
                if next.x.abs_diff(middle.x).max(next.y.abs_diff(middle.y)) > 1 {
                    continue;
                }
                let Some(step) = view.step(cell, direction) else { continue };
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

fn rule() -> impl Strategy<Value = Diagonals> {
    proptest::sample::select(Diagonals::ALL.to_vec())
}

fn step_costs() -> impl Strategy<Value = StepCosts> {
    proptest::sample::select(vec![
        StepCosts::CLASSIC,
        StepCosts::PRECISE,
        StepCosts::new(1, 1).unwrap(),
        StepCosts::new(1, 2).unwrap(),
    ])
}

proptest! {
    #[test]
    fn a_step_is_left_out_only_for_a_better_way_past_or_a_dead_end(
        classes in proptest::collection::vec(prop_oneof![Just(0_u8), 1_u8..=3, 1_u8..=20], 54),
        rule in rule(),
        steps in step_costs(),
        is_reversed: bool,
    ) {
        let grid = Grid::from_classes(9, 6, classes).unwrap();
        let movement = movement(rule, steps);
        let layer = Layer::new(&grid, movement.clone());
        let bounds = grid.bounds();
        let kept = all_steps(&layer, &grid, is_reversed);
        let view = View { grid: &grid, movement: &movement, is_reversed };
        for middle in bounds.cells() {
            for (arrival, direction) in ORDER.into_iter().enumerate() {
                let Some(from) = middle.neighbour(direction.opposite()).filter(|&cell| bounds.contains(cell))
                else {
                    continue;
                };
                let Some(over) = view.step(from, direction) else { continue };
                let set = kept[bounds.slot(middle).unwrap()][arrival];
                for (place, onward) in ORDER.into_iter().enumerate() {
                    let Some(step) = view.step(middle, onward) else {
                        prop_assert_eq!(set >> place & 1, 0, "a step that is not allowed");
                        continue;
                    };
                    let to = middle.neighbour(onward).unwrap();
                    if set >> place & 1 == 1 || to == from {
                        continue;
                    }
                    let ends = !is_reversed && kept[bounds.slot(to).unwrap()][place] == 0;
                    let past = way_past(&view, middle, from, to);
                    let is_better = past.is_some_and(|past| past < (over + step, place));
                    prop_assert!(ends || is_better, "{rule}: {from} {middle} {to}, past it: {past:?}");
                }
            }
        }
    }
}

#[test]
fn on_ground_of_one_cost_the_steps_are_those_of_jump_point_search() {
    for rule in [Diagonals::OnlyWhenNoObstacles, Diagonals::IfAtMostOneObstacle, Diagonals::Always] {
        let pruned = MoveTable::pruned(rule);
        let movement = movement(rule, StepCosts::PRECISE);
        for neighbourhood in 0..256_usize {
            // The middle of nine by nine cells; what lies further away is open, so that there are no dead ends.
            let mut classes = vec![1; 81];
            let mut open = 0;
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let slot = ((4 + dy) * 9 + 4 + dx) as usize;
                classes[slot] = (neighbourhood >> direction as usize & 1) as u8;
                open |= classes[slot] << direction as u8;
            }
            let grid = Grid::from_classes(9, 9, classes).unwrap();
            let layer = Layer::new(&grid, movement.clone());
            let kept = [false, true].map(|is_reversed| all_steps(&layer, &grid, is_reversed)[40]);
            for (place, arrival) in ORDER.into_iter().enumerate() {
                let from = Cell::new(4, 4).neighbour(arrival.opposite()).unwrap();
                if grid.terrain(from) == Some(0) || movement.step_cost(&grid, from, arrival).is_none() {
                    continue;
                }
                let expected = pruned.directions(Some(arrival), open);
                for kept in &kept {
                    let found = (0..8).fold(0, |set, bit| set | (kept[place] >> bit & 1) << ORDER[bit] as u8);
                    assert_eq!(found, expected, "{rule}, {neighbourhood:08b}, {arrival:?}");
                }
            }
        }
    }
}

#[test]
fn edits_lead_to_the_steps_of_a_fresh_build() {
    for rule in Diagonals::ALL {
        let mut grid = Grid::new(75, 70, 1).unwrap();
        let mut layer = Layer::new(&grid, movement(rule, StepCosts::CLASSIC));
        let bounds = grid.bounds();
        let ask_all = |layer: &Layer, grid: &Grid| {
            let terrain =
                Terrain { classes: grid.classes(), width: grid.width() as usize, costs: layer.step_costs() };
            let both = [layer.canonical_steps(&bounds), layer.reversed_steps(&bounds)];
            for steps in both.into_iter().flatten() {
                for slot in 0..grid.classes().len() {
                    steps.after(slot, 0, &terrain);
                }
            }
        };
        for step in 0..60_u32 {
            let cell = Cell::new((step * 37 % 75) as i32, (step * 29 % 70) as i32);
            let (old, new) = (grid.terrain(cell).unwrap(), (step * 7 % 5) as u8);
            // Sometimes a search is under way that goes on with the steps as they were.
            let before = (step % 3 == 0).then(|| (layer.clone(), grid.clone()));
            if grid.set_terrain(cell, new).unwrap() {
                layer.follow_edit(&grid, cell, old, new);
            }
            if let Some((before, grid_before)) = before {
                ask_all(&before, &grid_before);
                let fresh = Layer::new(&grid_before, movement(rule, StepCosts::CLASSIC));
                ask_all(&fresh, &grid_before);
                assert_eq!(before, fresh, "{rule}: before edit {step}");
            }
            ask_all(&layer, &grid);
            let fresh = Layer::new(&grid, movement(rule, StepCosts::CLASSIC));
            ask_all(&fresh, &grid);
            assert_eq!(layer, fresh, "{rule}: after edit {step}");
        }
    }
}

#[test]
fn steps_are_found_where_searches_come() {
    let mut grid = Grid::new(300, 300, 1).unwrap();
    grid.set_terrain(Cell::new(7, 7), 2).unwrap();
    let layer = Layer::new(&grid, movement(Diagonals::Always, StepCosts::CLASSIC));
    let bounds: Bounds = grid.bounds();
    let steps = layer.canonical_steps(&bounds).unwrap();
    let terrain = Terrain { classes: grid.classes(), width: 300, costs: layer.step_costs() };
    assert_eq!(steps.after(0, 1, &terrain).count_ones(), 1, "straight on along the edge");
    assert_eq!(steps.sets().filter(|&set| set != UNKNOWN).count(), 8 * SIDE * SIDE);
    grid.set_terrain(Cell::new(7, 7), 1).unwrap();
    let even = Layer::new(&grid, movement(Diagonals::Always, StepCosts::CLASSIC));
    assert!(even.canonical_steps(&bounds).is_none(), "one cost: for jump points");
}
