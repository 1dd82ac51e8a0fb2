//! Orders with stops on several storeys, and stops at which a unit waits.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, PathFailure, PathGoal, PathRequest, PathStatus,
    events::StopReached,
    orders::{PathStops, Stop},
};

use super::storeys::House;
use crate::harness::*;

/// The stops that units have reached, with the tick.
#[derive(Resource, Default)]
struct Reached(Vec<(Entity, usize, usize)>);

#[derive(Resource, Default)]
struct Ticks(usize);

fn watch(house: &mut House) {
    house.game.init_resource::<Reached>().init_resource::<Ticks>();
    house.game.add_systems(FixedFirst, |mut ticks: ResMut<Ticks>| ticks.0 += 1);
    house.game.add_observer(|on: On<StopReached>, ticks: Res<Ticks>, mut reached: ResMut<Reached>| {
        reached.0.push((on.map, on.index, ticks.0));
    });
}

fn reached(house: &House) -> &[(Entity, usize, usize)] {
    &house.game.world().resource::<Reached>().0
}

#[test]
fn patrol_over_two_storeys_walks_20_rounds_and_waits_at_its_posts() {
    for is_body in [false, true] {
        let mut house = House::new(2);
        watch(&mut house);
        let [ground, upper] = [house.storeys[0], house.storeys[1]];
        let guard = house.unit(0, (3, 3), is_body);
        let patrol = PathRequest::to(Stop::from(Cell::new(15, 2)).wait(0.25))
            .then_on(upper, Stop::from(Cell::new(14, 7)).wait(0.5))
            .then_on(ground, Cell::new(12, 5))
            .looped();
        house.game.order(guard, patrol);
        house.game.tick_until(20_000, |game| game.world().resource::<Reached>().0.len() > 3 * 20);
        let expected = [(ground, 0), (upper, 1), (ground, 2)].into_iter().cycle();
        let stops = reached(&house).iter().map(|&(map, index, _)| (map, index));
        assert_eq!(stops.clone().collect::<Vec<_>>(), expected.take(stops.count()).collect::<Vec<_>>());
        // From post to post it walks for at least 12 cells, and stands for a quarter or half of a second.
        let ticks = reached(&house).windows(2).map(|pair| (pair[0].1, pair[1].2 - pair[0].2));
        let speed = 480.0 / CELL;
        for (index, ticks) in ticks {
            let (seconds, cells) = [(0.25, 5.0), (0.5, 5.0), (0.0, 3.0)][index];
            let least = (64.0 * (seconds + cells / speed)) as usize;
            assert!(
                (least..least + 60).contains(&ticks),
                "from stop {index}: {ticks} ticks, at least {least}"
            );
        }
    }
}

#[test]
fn last_stop_ends_the_order_after_its_time() {
    let mut house = House::new(1);
    watch(&mut house);
    let unit = house.unit(0, (3, 3), false);
    house.game.order(unit, PathRequest::to(Stop::from(Cell::new(5, 3)).wait(1.0)));
    let there = house.game.tick_until(100, |game| !game.world().resource::<Reached>().0.is_empty());
    let ticks = house.game.tick_until(100, |game| !game.is_ordered(unit));
    assert_eq!((house.game.status(unit), ticks), (PathStatus::Arrived, 64), "reached after {there} ticks");
    // Without an end the unit stays, until the stop is skipped.
    let order = PathRequest::to(Stop::from(Cell::new(3, 3)).wait(f32::INFINITY)).then(Cell::new(9, 3));
    house.game.order(unit, order);
    house.game.ticks(500);
    assert_eq!((house.game.status(unit), house.game.cell_at(unit)), (PathStatus::Following, Cell::new(3, 3)));
    house.game.world_mut().get_mut::<PathStops>(unit).expect("the stops").skip();
    house.game.run_until_quiet(300);
    assert_eq!(house.game.cell_at(unit), Cell::new(9, 3));
}

#[test]
fn stop_on_a_replaced_map_is_reached_there() {
    let mut house = House::new(2);
    let upper = house.storeys[1];
    let unit = house.unit(0, (3, 3), false);
    house.game.order(unit, PathRequest::to(Cell::new(9, 2)));
    house.game.ticks(5);
    let mut stops = house.game.world_mut().get_mut::<PathStops>(unit).expect("the stops");
    let old = stops.replace(0, Stop::from(Cell::new(9, 2)).on_map(upper));
    assert_eq!(old, Some(Stop::from(Cell::new(9, 2))));
    house.game.run_until_quiet(500);
    assert_eq!((house.game.status(unit), house.storey_of(unit)), (PathStatus::Arrived, 1));
}

#[test]
fn stops_may_be_targets_on_any_storey() {
    let mut house = House::new(3);
    watch(&mut house);
    let (unit, bed, desk) = (house.unit(0, (3, 3), false), house.thing(2, (5, 5)), house.thing(1, (9, 9)));
    house.game.order(unit, PathRequest::to(PathGoal::beside(bed)).then(PathGoal::within(desk, 2.0)));
    house.game.run_until_quiet(900);
    let maps: Vec<Entity> = reached(&house).iter().map(|&(map, ..)| map).collect();
    assert_eq!((maps, house.storey_of(unit)), (vec![house.storeys[2], house.storeys[1]], 1));
}

#[test]
fn invalid_time_at_a_stop_fails_with_the_reason() {
    for seconds in [f32::NAN, -1.0, f32::NEG_INFINITY] {
        let mut house = House::new(1);
        let unit = house.unit(0, (3, 3), false);
        let bad = Stop::from(Cell::new(9, 3)).wait(seconds);
        house.game.order(unit, PathRequest::to(bad.clone()));
        house.game.tick();
        assert_eq!(house.game.told_of(unit), [Told::Failed(PathFailure::InvalidWait)]);
        house.game.order(unit, PathRequest::to(Cell::new(4, 3)).then(bad));
        house.game.run_until_quiet(100);
        let told = house.game.told_of(unit);
        assert_eq!(told.last(), Some(&Told::Lost(PathFailure::InvalidWait)), "{seconds}: {told:?}");
    }
}
