//! Bounds of the cheapest costs after edits, without a search.

use proptest::prelude::*;
use tilepath::{Bounds, Cell, Path, PathFinder, PathQuery};

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

fn check(mut world: PlaneWorld) {
    let mut finder = world.finder();
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
                    let known = [before[place][slot], bound].into_iter().flatten().min();
                    assert!(
                        known.is_some_and(|known| known <= now),
                        "{known:?} from {from} to {to:?}, {now} by {openings:?} in {world:?}"
                    );
                    assert!(
                        all.map(by) <= bound,
                        "the bound of the whole rectangle is at most the bound of each part"
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn ways_are_cheaper_by_openings_alone(world in plane_world(Features::ALL, 12)) {
        check(world);
    }

    #[test]
    fn on_squares_with_everything_else_too(world in plane_world(Features { hexagons: false, ..Features::ALL }, 14)) {
        check(world);
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
