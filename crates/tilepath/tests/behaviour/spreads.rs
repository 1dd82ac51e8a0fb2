//! Searches that spread from many entries, against brute force.

use proptest::{collection::vec, prelude::*};
use tilepath::{
    Cell, Grid, Movement, MovementId, PathFinder, QueryError,
    field::{Aim, SpreadSearch},
};

use crate::worlds::{Prices, World, cases, world};

/// An entry of the map and its cost. Costs are multiples of a quarter, so sums are exact.
type Entry = ((i32, i32), f64);

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    vec(((0..40, 0..40), (0..400_u32).prop_map(|quarters| f64::from(quarters) / 4.0)), 1..6)
}

fn on_map(world: &World, (x, y): (i32, i32)) -> (i32, i32) {
    (x % world.map.width as i32, y % world.map.height as i32)
}

/// Returns the cost of each cell by the cheapest entry.
fn expected(world: &World, entries: &[Entry]) -> Vec<Option<f64>> {
    let oracle = world.oracle();
    let mut least: Vec<Option<f64>> = vec![None; world.map.classes.len()];
    for &(at, entry) in entries {
        let at = on_map(world, at);
        // A spread has no start, so it leads no unit out of deep closed ground.
        let is_deep = !oracle.way_out(at).is_empty();
        for (slot, (least, steps)) in least.iter_mut().zip(oracle.costs_from(at)).enumerate() {
            let steps = steps.filter(|_| !is_deep || world.map.position(slot) == at);
            if let Some(cost) = steps.map(|steps| entry + steps as f64) {
                *least = Some(least.map_or(cost, |known| known.min(cost)));
            }
        }
    }
    least
}

fn spread(world: &World, aims: impl IntoIterator<Item = Aim>, entries: &[Entry]) -> SpreadSearch {
    let mut search = world.finder().begin_spread(MovementId::default(), aims).unwrap();
    for &(at, cost) in entries {
        search.enter(world.cell(on_map(world, at)), cost).unwrap();
    }
    search
}

/// Returns all cells in the order in which they settle, in slices of this size.
fn settled(search: &mut SpreadSearch, slice: u64) -> Vec<(Cell, f64)> {
    let mut all = Vec::new();
    while search.next_cost().is_some() {
        all.extend(search.advance(slice, f64::INFINITY, |_| true));
    }
    all
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_cell_settles_once_at_the_cost_of_the_cheapest_entry(
        world in world(20, Prices::Low), entries in entries(),
    ) {
        let oracle = world.oracle();
        let expected = expected(&world, &entries);
        let mut search = spread(&world, [], &entries);
        let settled = settled(&mut search, 1);
        prop_assert!(settled.windows(2).all(|pair| pair[0].1 <= pair[1].1));
        prop_assert_eq!(settled.len(), expected.iter().flatten().count());
        prop_assert_eq!(search.expanded(), settled.len() as u64);
        for (cell, cost) in settled {
            let at = world.position(cell);
            prop_assert_eq!(Some(cost), expected[world.map.slot(at)], "{}", cell);
            let entered = world.position(search.entry_of(cell).unwrap());
            let paid = entries.iter().filter(|&&(at, _)| on_map(&world, at) == entered);
            let paid = paid.map(|&(_, cost)| cost).min_by(f64::total_cmp).unwrap();
            prop_assert_eq!(Some(cost - paid), oracle.cost(entered, at).map(|steps| steps as f64));
        }
    }

    /// Two rectangles as aims. The `rest` of an aim is at most the remaining cost at its stops.
    #[test]
    fn cells_within_aims_settle_at_their_cheapest_costs_and_sooner(
        world in world(20, Prices::Low),
        entries in entries(),
        aims in vec(((0..20, 0..20), (0..4, 0..4), 0..100_u32), 1..3),
    ) {
        let expected = expected(&world, &entries);
        let stops: Vec<((i32, i32), f64)> = aims.iter().flat_map(|&((x, y), (width, height), rest)| {
            [(x, y), (x + width, y + height)].map(|corner| (corner, f64::from(rest)))
        }).collect();
        let aims = aims.iter().map(|&((x, y), (width, height), rest)| Aim {
            from: Cell::new(world.origin.x.saturating_add(x), world.origin.y.saturating_add(y)),
            to: Cell::new(world.origin.x.saturating_add(x + width), world.origin.y.saturating_add(y + height)),
            rest: f64::from(rest),
        });
        // The cheapest stop with its remaining cost, by brute force. The search ends as soon as
        // nothing can be cheaper.
        let wanted = stops.iter().filter(|&&(at, _)| world.map.contains(at))
            .filter_map(|&(at, rest)| Some(expected[world.map.slot(at)]? + rest))
            .min_by(f64::total_cmp);
        let mut search = spread(&world, aims, &entries);
        let mut found: Option<f64> = None;
        while search.next_cost().is_some_and(|next| found.is_none_or(|found| next < found)) {
            let stop = search.advance(3, found.unwrap_or(f64::INFINITY), |cell| {
                stops.iter().any(|&(at, _)| world.map.contains(at) && world.cell(at) == cell)
            });
            if let Some((cell, cost)) = stop {
                let here = stops.iter().filter(|&&(at, _)| world.map.contains(at) && world.cell(at) == cell);
                let total = here.map(|&(_, rest)| cost + rest).min_by(f64::total_cmp).unwrap();
                found = Some(found.map_or(total, |known| known.min(total)));
            }
        }
        prop_assert_eq!(found, wanted);
    }
}

#[test]
fn slices_make_no_difference_and_a_cost_to_stop_at_is_kept_to() {
    let finder = PathFinder::new(Grid::new(30, 30, 1).unwrap(), Movement::new());
    let begin = || {
        let mut search = finder.begin_spread(MovementId::default(), []).unwrap();
        search.enter(Cell::new(3, 4), 0.0).unwrap();
        search.enter(Cell::new(20, 4), 30.25).unwrap();
        search
    };
    assert_eq!(settled(&mut begin(), 1), settled(&mut begin(), 1_000));
    let mut search = begin();
    assert_eq!(search.advance(u64::MAX, 30.0, |_| false), None);
    assert_eq!(search.next_cost(), Some(30.25));
    // The start, 12 cells straight ahead, 4 cells at cost 14, 8 at 24, and 4 at 28.
    assert_eq!(search.expanded(), 29);
}

#[test]
fn later_entries_count_and_costlier_ones_do_not() {
    let finder = PathFinder::new(Grid::new(9, 1, 1).unwrap(), Movement::new());
    let mut search = finder.begin_spread(MovementId::default(), []).unwrap();
    assert_eq!((search.next_cost(), search.enter(Cell::new(0, 0), 5.0)), (None, Ok(true)));
    assert_eq!(search.enter(Cell::new(0, 0), 5.0), Ok(false));
    assert_eq!(search.advance(u64::MAX, f64::INFINITY, |cell| cell.x == 2), Some((Cell::new(2, 0), 25.0)));
    assert_eq!(search.enter(Cell::new(1, 0), 26.0), Ok(false));
    assert_eq!(search.enter(Cell::new(5, 0), 26.0), Ok(true));
    assert_eq!(search.advance(u64::MAX, f64::INFINITY, |cell| cell.x == 4), Some((Cell::new(4, 0), 36.0)));
    assert_eq!(search.entry_of(Cell::new(4, 0)), Some(Cell::new(5, 0)));
    // All cells are settled. Then one more entry is added.
    assert_eq!(search.advance(u64::MAX, f64::INFINITY, |_| false), None);
    assert_eq!(search.next_cost(), None);
    assert_eq!(search.enter(Cell::new(8, 0), 1.0), Ok(true));
    assert_eq!(search.next_cost(), Some(1.0));
}

#[test]
fn entries_that_are_no_cells_or_no_costs_are_refused() {
    let finder = PathFinder::new(Grid::new(3, 3, 1).unwrap(), Movement::new());
    assert!(finder.begin_spread(MovementId::default(), []).is_ok());
    let mut search = finder.begin_spread(MovementId::default(), []).unwrap();
    let outside = Cell::new(3, 0);
    assert!(matches!(
        search.enter(outside, 0.0),
        Err(QueryError::StartOutOfBounds { cell, .. }) if cell == outside
    ));
    for cost in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(search.enter(Cell::new(0, 0), cost), Err(QueryError::CostOverflow));
    }
    assert_eq!(search.enter(Cell::new(0, 0), 1e308), Ok(true));
    assert_eq!(search.entry_of(outside), None);
}
