//! Distances, heuristics and single steps.

use proptest::prelude::*;
use tilepath::{Cell, Cost, CostTable, Direction, Movement, StepCosts, StepCostsError, Topology};

use crate::worlds::{Prices, cases, world};

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn distance_is_the_cost_on_an_empty_map(world in world(20, Prices::Any)) {
        let movement = world.movement();
        let distances = world.oracle().distances_to(world.goal);
        for (slot, &expected) in distances.iter().enumerate() {
            let from = world.cell(world.map.position(slot));
            let found = u64::from(movement.distance(Topology::Square, from, world.goal()).get());
            prop_assert_eq!(found, expected, "{}", from);
            prop_assert_eq!(movement.distance(Topology::Square, world.goal(), from).get(), found as u32);
        }
    }

    #[test]
    fn the_heuristic_never_overestimates_and_is_consistent_on_every_edge(world in world(16, Prices::Low)) {
        let (movement, oracle) = (world.movement(), world.oracle());
        let cheapest = world.map.classes.iter().map(|&class| world.rules.multipliers[usize::from(class)]);
        let cheapest = cheapest.filter(|&multiplier| multiplier > 0).min().unwrap_or(0);
        let estimate = |place| u64::from(movement.distance(Topology::Square, world.cell(place), world.goal()).get()) * cheapest;
        prop_assert_eq!(estimate(world.goal), 0);
        for place in world.positions() {
            // Closed cells cost the least of the table, which may be less than all of the map.
            if !oracle.way_out(place).is_empty() {
                continue;
            }
            if let Some(cost) = oracle.cost(place, world.goal) {
                prop_assert!(estimate(place) <= cost);
            }
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let next = (place.0 + dx, place.1 + dy);
                if let Some(step) = oracle.step_cost(place, next) {
                    prop_assert!(estimate(place) <= step + estimate(next));
                }
            }
        }
    }

    #[test]
    fn every_step_costs_what_the_oracle_says(world in world(16, Prices::Any)) {
        let (grid, movement, oracle) = (world.grid(), world.movement(), world.oracle());
        for place in world.positions() {
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let expected = oracle.step_cost(place, (place.0 + dx, place.1 + dy));
                let found = movement.step_cost(&grid, world.cell(place), direction);
                prop_assert_eq!(found.map(|cost| u64::from(cost.get())), expected);
            }
        }
    }

    #[test]
    fn step_costs_are_valid_exactly_in_their_range(straight in any::<u16>(), diagonal in any::<u16>()) {
        let valid = straight >= 1 && diagonal >= straight && u32::from(diagonal) <= 2 * u32::from(straight);
        let steps = StepCosts::new(straight, diagonal);
        prop_assert_eq!(steps.is_ok(), valid);
        if let Ok(steps) = steps {
            prop_assert_eq!((steps.straight(), steps.diagonal()), (straight, diagonal));
        }
    }

    #[test]
    fn a_direction_between_cells_exists_exactly_for_neighbours(x in -3..=3_i32, y in -3..=3_i32) {
        let (from, to) = (Cell::new(5, -7), Cell::new(5 + x, -7 + y));
        let direction = Direction::between(from, to);
        let is_neighbour = (x, y) != (0, 0) && x.abs() <= 1 && y.abs() <= 1;
        prop_assert_eq!(direction.is_some(), is_neighbour);
        if let Some(direction) = direction {
            prop_assert_eq!(from.neighbour(direction), Some(to));
            prop_assert_eq!(direction.opposite(), Direction::between(to, from).unwrap());
            prop_assert_eq!(direction.is_diagonal(), x != 0 && y != 0);
        }
    }
}

#[test]
fn step_costs_out_of_range_are_refused_at_each_edge() {
    for (straight, diagonal) in [(0, 0), (0, 1), (10, 9), (10, 21), (1, 3), (u16::MAX, 0)] {
        let error: StepCostsError = StepCosts::new(straight, diagonal).unwrap_err();
        let message = error.to_string();
        assert!(
            message.contains(&straight.to_string()) && message.contains(&diagonal.to_string()),
            "{message}"
        );
    }
    for (straight, diagonal) in [(1, 1), (1, 2), (10, 20), (65_535, 65_535), (32_768, 65_535)] {
        assert!(StepCosts::new(straight, diagonal).is_ok(), "{straight}/{diagonal}");
    }
}

#[test]
fn distance_saturates_instead_of_wrapping() {
    let movement = Movement::new().with_steps(StepCosts::new(65_535, 65_535).unwrap());
    let (corner, opposite) = (Cell::new(i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX));
    assert_eq!(movement.distance(Topology::Square, corner, opposite), Cost::MAX);
    assert_eq!(movement.distance(Topology::Square, opposite, corner), Cost::MAX);
    assert_eq!(movement.distance(Topology::Square, corner, corner), Cost::ZERO);
}

#[test]
fn neighbours_end_at_the_edge_of_the_coordinates() {
    let corner = Cell::new(i32::MAX, i32::MIN);
    let inside = [Direction::North, Direction::West, Direction::NorthWest];
    for direction in Direction::ALL {
        assert_eq!(corner.neighbour(direction).is_some(), inside.contains(&direction), "{direction:?}");
    }
}

#[test]
fn the_ready_made_cost_tables_are_what_they_say() {
    for class in 0..=u8::MAX {
        assert_eq!(CostTable::identity().multiplier(class), u16::from(class));
        assert_eq!(CostTable::uniform().multiplier(class), u16::from(class != 0));
        assert_eq!(CostTable::impassable().multiplier(class), 0);
        assert_eq!(CostTable::identity().is_passable(class), class != 0);
    }
    assert_eq!(CostTable::default(), CostTable::identity());
    let swapped = CostTable::identity().with(0, 7).with(9, 0);
    assert_eq!((swapped.multiplier(0), swapped.multiplier(9), swapped.multiplier(8)), (7, 0, 8));
}
