//! Bounds of the cheapest costs after edits, without a search.

use proptest::prelude::*;
use tilepath::{Bounds, Cell, Edit, Grid, LandmarkCount, Movement, MovementId, Path, PathFinder, PathQuery};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

fn one(cell: Cell) -> Bounds {
    Bounds::new(cell, 1, 1).unwrap()
}

fn around(cells: &[Cell]) -> Option<Bounds> {
    let low = cells.iter().copied().reduce(|low, cell| Cell::new(low.x.min(cell.x), low.y.min(cell.y)))?;
    let high =
        cells.iter().copied().reduce(|high, cell| Cell::new(high.x.max(cell.x), high.y.max(cell.y)))?;
    Some(Bounds::new(low, high.x.abs_diff(low.x) + 1, high.y.abs_diff(low.y) + 1).unwrap())
}

/// Returns the cost from each place to all cells, for a unit.
fn costs(world: &PlaneWorld, unit: usize) -> Vec<Vec<Option<u64>>> {
    let oracle = world.oracle(unit);
    (0..world.places.len()).map(|place| oracle.costs_from(world.place(place, unit))).collect()
}

/// Makes landmarks for all units with this much work.
fn tend(world: &PlaneWorld, finder: &mut PathFinder, work: Option<&u64>) {
    for unit in 0..world.units.len() {
        let id = finder.movement_id(&world.movement(unit)).unwrap();
        if let Some(&work) = work {
            finder.advance_landmarks(id, LandmarkCount::Exactly(3), work).unwrap();
        }
    }
}

/// Checks bounds after each batch of edits. If `slices` are given, there are landmarks: each slice is
/// the work for them after a batch, so they may be unmade, behind, or half repaired.
fn check(mut world: PlaneWorld, slices: &[u64]) {
    let mut finder = world.finder();
    tend(&world, &mut finder, slices.first());
    let mut slices = slices.iter().skip(1);
    for batch in std::mem::take(&mut world.batches) {
        let before: Vec<_> = (0..world.units.len()).map(|unit| costs(&world, unit)).collect();
        let revision = finder.grid().revision();
        for edit in batch.chunks(1) {
            world.edit(&mut finder, edit);
        }
        for (unit, before) in before.iter().enumerate() {
            let movement = world.movement(unit);
            let id = finder.movement_id(&movement).unwrap();
            let openings = movement.openings_since(finder.grid(), revision).unwrap_or_else(|| {
                // On small maps the journal is short. If it does not reach back, all cells may have
                // changed.
                world.positions().map(|position| world.cell(position)).collect()
            });
            let all = around(&openings);
            let bounds = finder.opening_bounds(&openings, id).unwrap();
            let oracle = world.oracle(unit);
            // A unit on closed ground may leave it over closed cells.
            let is_open = |place: &usize| oracle.is_open(world.place(*place, unit));
            for (place, costs) in costs(&world, unit).iter().enumerate().filter(|(place, _)| is_open(place)) {
                let from = world.cell(world.place(place, unit));
                for to in (0..world.places.len()).map(|place| world.place(place, unit)) {
                    let slot = world.land.map.slot(to);
                    let Some(now) = costs[slot] else { continue };
                    let goal = one(world.cell(to));
                    let least = u64::from(finder.least_cost(from, goal, id).unwrap().get());
                    assert!(least <= now, "{least} to {to:?}, {now} in {world:?}");
                    let by = |by: Bounds| u64::from(finder.least_cost_by(from, by, goal, id).unwrap().get());
                    let bound = openings.iter().map(|&cell| by(one(cell))).min();
                    let by_landmarks = bounds
                        .as_ref()
                        .and_then(|bounds| bounds.least_cost(&finder, from, &[world.cell(to)]));
                    let by_landmarks = by_landmarks.map(|least| u64::from(least.get()));
                    for bound in [bound, by_landmarks.or(bound)] {
                        let known = [before[place][slot], bound].into_iter().flatten().min();
                        assert!(
                            known.is_some_and(|known| known <= now),
                            "{known:?} from {from} to {to:?}, {now} by {openings:?} in {world:?}"
                        );
                    }
                    assert!(
                        all.map(by) <= bound,
                        "the bound of the whole rectangle is at most the bound of each part"
                    );
                }
            }
        }
        tend(&world, &mut finder, slices.next());
    }
}

fn slices() -> impl Strategy<Value = Vec<u64>> {
    let slice = prop_oneof![2 => Just(u64::MAX), 1 => 0..500_u64, 1 => Just(0)];
    prop_oneof![1 => Just(Vec::new()), 4 => prop::collection::vec(slice, 1..6)]
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn ways_are_cheaper_by_openings_alone(world in plane_world(Features::ALL, 24), slices in slices()) {
        check(world, &slices);
    }

    #[test]
    fn on_squares_with_everything_else_too(
        world in plane_world(Features { hexagons: false, ..Features::ALL }, 14),
        slices in slices(),
    ) {
        check(world, &slices);
    }

    #[test]
    fn paths_grow_and_shrink_by_steps(
        world in plane_world(Features::ALL, 12),
        turns in prop::collection::vec((0..8_usize, 0..4_usize), 1..12),
    ) {
        let finder = world.finder();
        for unit in 0..world.units.len() {
            let (movement, oracle) = (world.movement(unit), world.oracle(unit));
            let id = finder.movement_id(&movement).unwrap();
            let (from, to) = (world.cell(world.place(0, unit)), world.cell(world.place(1, unit)));
            let Some(mut path) = found(&finder, PathQuery::new(from, to).with_movement(id)) else { continue };
            let costs = oracle.costs_from(world.position(from));
            for &(direction, kept) in &turns {
                let next = path.goal() + tilepath::Direction::ALL[direction].offset();
                let before = path.clone();
                if path.push(next, finder.grid(), &movement).is_err() {
                    prop_assert_eq!(&path, &before);
                }
                if kept == 0 {
                    let steps = path.steps().saturating_sub(2);
                    path.truncate(steps, finder.grid(), &movement).unwrap();
                    prop_assert!(path.steps() == steps);
                }
                prop_assert_eq!(path.verify(finder.grid(), &movement), Ok(()));
                let cheapest = costs[world.land.map.slot(world.position(path.goal()))].unwrap();
                prop_assert!(u64::from(path.lower_bound().get()) <= cheapest, "{:?}", path);
            }
        }
    }
}

fn found(finder: &PathFinder, query: PathQuery) -> Option<Path> {
    finder.solve(&query).ok()?.outcome.into_path()
}

/// Two walls from the bottom to a gap at the top.
fn two_walls() -> PathFinder {
    let wall = |slot: usize| matches!(slot % 40, 10 | 20) && slot / 40 < 37;
    let classes = (0..40 * 40).map(|slot| u8::from(!wall(slot))).collect();
    let mut finder = PathFinder::new(Grid::from_classes(40, 40, classes).unwrap(), Movement::new());
    finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4)).unwrap();
    finder
}

/// Returns the bound for paths over these cells, and the cost of the cheapest path.
fn bound_and_cost(finder: &PathFinder, opened: &[Cell], ends: [Cell; 2]) -> [Option<u32>; 2] {
    let bounds = finder.opening_bounds(opened, MovementId::FIRST).unwrap().unwrap();
    let cost = found(finder, PathQuery::new(ends[0], ends[1])).map(|path| path.cost().get());
    [bounds.least_cost(finder, ends[0], &[ends[1]]).map(tilepath::Cost::get), cost]
}

#[test]
fn cells_that_opened_while_landmarks_are_behind_are_part_of_later_bounds() {
    let mut finder = two_walls();
    let ends = [Cell::new(2, 2), Cell::new(30, 2)];
    let doors = [Cell::new(10, 2), Cell::new(20, 2)];
    finder.set_terrain(doors[0], 1).unwrap();
    let [bound, cost] = bound_and_cost(&finder, &doors[..1], ends);
    assert!(bound > Some(600) && bound <= cost, "one door is no short cut: {bound:?}, {cost:?}");
    // Both together are one.
    finder.set_terrain(doors[1], 1).unwrap();
    let [bound, cost] = bound_and_cost(&finder, &doors[1..], ends);
    assert!(bound <= Some(280) && cost == Some(280), "{bound:?}, {cost:?}");
    // Repaired landmarks know the first door, and the second one as well.
    finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4)).unwrap();
    let [bound, cost] = bound_and_cost(&finder, &doors[1..], ends);
    assert!(bound <= cost && cost == Some(280), "{bound:?}, {cost:?}");
}

#[test]
fn a_wall_two_thick_that_opens_in_one_tick_is_a_short_cut() {
    let mut finder = two_walls();
    let thick: Vec<Edit> = (0..37).map(|y| Edit::terrain(Cell::new(11, y), 0)).collect();
    finder.edit(&thick).unwrap();
    finder.drop_landmarks(MovementId::FIRST).unwrap();
    finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4)).unwrap();
    let opened = [Cell::new(10, 5), Cell::new(11, 5)];
    for cell in opened {
        finder.set_terrain(cell, 1).unwrap();
    }
    let [bound, cost] = bound_and_cost(&finder, &opened, [Cell::new(4, 5), Cell::new(16, 5)]);
    assert!(bound <= Some(120) && cost == Some(120), "{bound:?}, {cost:?}");
}

#[test]
fn ends_beside_an_opened_cell_have_no_bound_by_landmarks() {
    let mut finder = two_walls();
    let door = Cell::new(10, 5);
    finder.set_terrain(door, 1).unwrap();
    let bounds = finder.opening_bounds(&[door], MovementId::FIRST).unwrap().unwrap();
    let (near, far) = (Cell::new(9, 4), Cell::new(30, 5));
    assert_eq!(bounds.least_cost(&finder, near, &[far]), None);
    assert_eq!(bounds.least_cost(&finder, far, &[near]), None);
    assert_eq!(bounds.least_cost(&finder, far, &[Cell::new(99, 5)]), None);
    assert_eq!(bounds.least_cost(&finder, Cell::new(20, 5), &[far]), None, "the start is a wall");
    assert!(bounds.least_cost(&finder, Cell::new(2, 5), &[far, Cell::new(31, 6)]).is_some());
    // Cells deep in rock help no path.
    let rock = PathFinder::new(Grid::new(40, 40, 0).unwrap(), Movement::new());
    assert!(rock.opening_bounds(&[door], MovementId::FIRST).unwrap().is_none(), "there are no landmarks");
}
