//! Whether a way out through doors and back may cost less than one that stays, by distances alone.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy_ecs::entity::Entity;

use crate::{
    doors::{DoorEnd, DoorIndex, MapDoors},
    maps::{AnyMap, Maps},
    request::{Job, Spot, multi_map::rest::Least},
};

/// So many doors are looked at behind one another; if that decides nothing, the maps are searched.
const MOST_DOORS: usize = 64;

/// With more goals than this only the distances out and back are compared.
const MOST_GOALS: usize = 16;

/// Whether the distances leave room for a way through doors that costs less than one on the own map, and the work of
/// finding out. Distances are those on empty maps of the cheapest terrain that each map has: no way costs less.
pub(super) fn may_cost_less(job: &Job, doors: &DoorIndex, maps: &Maps, cost: f64) -> (bool, u64) {
    let Some(own) = doors.round_trips(job.map) else { return (false, 0) };
    match (maps.ready(job.map), &job.start) {
        (Some(map @ AnyMap::Tiles(_)), Spot::Cell(_)) => {
            let (may_cost_less, work) = may_go_and_return(job, own, &map, cost);
            if !may_cost_less || own.is_dead_end || job.goals.len() > MOST_GOALS {
                return (may_cost_less, work);
            }
            let (may_cost_less, looked_at) = by_distances(job, doors, maps, cost);
            (may_cost_less, work + looked_at as u64 / 8)
        }
        // Nothing is known of distances along a graph.
        (Some(AnyMap::Graph(_)), _) => {
            (own.exits.least_elsewhere() + own.entries.least_elsewhere() < cost, 0)
        }
        _ => (false, 0),
    }
}

/// By the nearest door out and the nearest door back.
fn may_go_and_return(job: &Job, own: &MapDoors, map: &AnyMap, cost: f64) -> (bool, u64) {
    let (AnyMap::Tiles(ground), &Spot::Cell(start)) = (map, &job.start) else { return (true, 0) };
    let distance = ground.distances();
    let left = cost - own.exits.least(start, cost, &distance);
    let mut looked_at = 0;
    let may_return = left > 0.0
        && (0..job.goals.len()).any(|index| {
            looked_at += 1;
            let (_, goal) = job.goals.spot(index);
            matches!(goal, Spot::Cell(goal) if own.entries.least(goal, left, &distance) < left)
        });
    (may_return, looked_at / 8)
}

/// By the shortest way over doors where all ground is open and cheap: Dijkstra's algorithm over the doors near by.
fn by_distances(job: &Job, doors: &DoorIndex, maps: &Maps, cost: f64) -> (bool, usize) {
    let mut waiting = BinaryHeap::new();
    let mut passed: Vec<usize> = Vec::new();
    if add_exits(doors, maps, &mut waiting, (0.0, &job.start, job.map), cost).is_none() {
        return (true, 0);
    }
    while let Some(Reverse((Least(so_far), number))) = waiting.pop() {
        if passed.contains(&number) {
            continue;
        }
        if passed.len() == MOST_DOORS {
            return (true, MOST_DOORS);
        }
        passed.push(number);
        let place = &doors.exit(number).to;
        if place.map() == job.map && least_to_goals(job, maps, place).is_none_or(|left| so_far + left < cost)
        {
            return (true, passed.len());
        }
        if add_exits(doors, maps, &mut waiting, (so_far, &place.spot(), place.map()), cost).is_none() {
            return (true, passed.len());
        }
    }
    (false, passed.len())
}

/// The exits that may be reached from a place for less than a cost in all. `None`: they are not known by distance.
fn add_exits(
    doors: &DoorIndex,
    maps: &Maps,
    waiting: &mut BinaryHeap<Reverse<(Least, usize)>>,
    (so_far, place, map): (f64, &Spot, Entity),
    cost: f64,
) -> Option<()> {
    let Some((here, view)) = doors.of(map).zip(maps.ready(map)) else { return Some(()) };
    match (view, place) {
        (AnyMap::Tiles(ground), &Spot::Cell(cell)) => {
            here.exits.within(cell, cost - so_far, &ground.distances(), |further, number| {
                waiting.push(Reverse((Least(so_far + further), number)));
            });
            Some(())
        }
        (AnyMap::Graph(_), _) => (so_far + here.exits.least_elsewhere() >= cost).then_some(()),
        // Doors whose ends are not there.
        (AnyMap::Tiles(_), _) => Some(()),
    }
}

/// The distance from where a door leads in to the nearest goal on the own map; `None` if that is not known.
fn least_to_goals(job: &Job, maps: &Maps, place: &DoorEnd) -> Option<f64> {
    let (Some(AnyMap::Tiles(ground)), DoorEnd::Cell { cell, .. }) = (maps.ready(job.map), place) else {
        return None;
    };
    let distance = ground.distances();
    let goals = (0..job.goals.len()).filter_map(|index| match job.goals.spot(index) {
        (_, Spot::Cell(goal)) => Some(distance(*cell, goal)),
        _ => None,
    });
    goals.min_by(f64::total_cmp)
}
