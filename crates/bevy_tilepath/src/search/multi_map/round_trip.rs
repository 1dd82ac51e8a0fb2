//! Whether a way out through doors and back may cost less than one that stays, by distances alone.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy_ecs::entity::Entity;
use tilepath::Cell;

use crate::{
    map::{
        door::{DoorEnd, index::DoorIndex},
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
    },
    search::{
        multi_map::rest::{DOORS_A_UNIT, Least},
        problem::SearchProblem,
    },
};

/// The number of doors that are compared one by one. If that decides nothing, the maps are searched.
const MOST_DOORS: usize = 64;

/// With more goals than this only the distances out and back are compared.
const MOST_GOALS: usize = 16;

/// Whether the distances leave room for a way through doors that costs less than one on the own map, and the work of
/// finding out. Distances are those on empty maps of the cheapest terrain that each map has: no way costs less.
pub(crate) fn may_cost_less(
    problem: &SearchProblem,
    doors: &DoorIndex,
    maps: &UnitMaps,
    cost: f64,
) -> (bool, u64) {
    let Some(own) = doors.round_trips(problem.map) else { return (false, 0) };
    let mut work = 0;
    let may_cost_less = match (maps.ready(problem.map), &problem.start) {
        (Some(AnyMap::Tiles(view)), &MapPlace::Cell(start)) => {
            let distances = view.distances();
            let distance = |x, y| distances.along(x, y);
            if problem.goals.at.len() > MOST_GOALS || own.is_dead_end {
                let left = cost - own.exits.least(start, cost, &distance);
                let comes_back = |goal| own.entries.least(goal, left, &distance) < left;
                left > 0.0 && cells(problem, &mut work).any(comes_back)
            } else {
                let least = |least, goal| own.entries.least(goal, least, &distance);
                let back = cells(problem, &mut work).fold(cost, least);
                let mut waiting = BinaryHeap::new();
                own.exits.within(start, cost - back, &distance, |so_far, number| {
                    if doors.exit(number).lets_pass(maps.movement) {
                        waiting.push(Reverse((Least(so_far), number)));
                    }
                });
                !waiting.is_empty()
                    && Nearby { problem, doors, maps, cost, back }.leave_room(waiting, &mut work)
            }
        }
        // Nothing is known of distances along a graph.
        (Some(AnyMap::Graph(_)), _) => own.exits.least_elsewhere() + own.entries.least_elsewhere() < cost,
        _ => false,
    };
    (may_cost_less, work / DOORS_A_UNIT)
}

/// The goals; each counts as looked at.
fn cells<'a>(problem: &'a SearchProblem, looked_at: &'a mut u64) -> impl Iterator<Item = Cell> + 'a {
    problem.goals.at.iter().filter_map(move |(_, goal)| {
        *looked_at += 1;
        goal.cell()
    })
}

/// Doors near the own map, of which ways must cost less than one on it.
struct Nearby<'a, 'w, 's> {
    problem: &'a SearchProblem,
    doors: &'a DoorIndex,
    maps: &'a UnitMaps<'a, 'w, 's>,
    cost: f64,
    /// The least from any door back to a goal.
    back: f64,
}

impl Nearby<'_, '_, '_> {
    /// By the shortest way over doors where all view is open and cheap: Dijkstra's algorithm over the doors near by,
    /// from the exits that may be reached first.
    fn leave_room(&self, mut waiting: BinaryHeap<Reverse<(Least, usize)>>, looked_at: &mut u64) -> bool {
        let mut passed: Vec<usize> = Vec::new();
        while let Some(Reverse((Least(so_far), number))) = waiting.pop() {
            *looked_at += 1;
            if passed.contains(&number) {
                continue;
            }
            if passed.len() == MOST_DOORS {
                return true;
            }
            passed.push(number);
            let place = &self.doors.exit(number).to;
            if place.map() == self.problem.map && so_far + self.least_to_goals(place) < self.cost {
                return true;
            }
            if !self.add_exits(&mut waiting, so_far, &place.map_place(), place.map(), number) {
                return true;
            }
        }
        false
    }

    /// The exits that may be reached from a place on a way that costs less, but for the one straight back where it was
    /// entered. `false`: they are not known by distance.
    fn add_exits(
        &self,
        waiting: &mut BinaryHeap<Reverse<(Least, usize)>>,
        so_far: f64,
        place: &MapPlace,
        map: Entity,
        entered: usize,
    ) -> bool {
        let Some((here, view)) = self.doors.of(map).zip(self.maps.ready(map)) else { return true };
        let left = self.cost - self.back - so_far;
        let door = |number: usize| self.doors.exit(number).entrance.door;
        let leads_back = |number| entered != number && door(entered) == door(number);
        match (view, place) {
            (AnyMap::Tiles(view), &MapPlace::Cell(cell)) => {
                let distances = view.distances();
                let distance = |x, y| distances.along(x, y);
                here.exits.within(cell, left, &distance, |further, number| {
                    if !leads_back(number) && self.doors.exit(number).lets_pass(self.maps.movement) {
                        waiting.push(Reverse((Least(so_far + further), number)));
                    }
                });
                true
            }
            (AnyMap::Graph(_), _) => here.exits.least_elsewhere() >= left,
            // Doors whose ends are not there.
            (AnyMap::Tiles(_), _) => true,
        }
    }

    /// The distance from where a door leads in to the nearest goal on the own map.
    fn least_to_goals(&self, place: &DoorEnd) -> f64 {
        let (Some(AnyMap::Tiles(view)), DoorEnd::Cell { cell, .. }) =
            (self.maps.ready(self.problem.map), place)
        else {
            return 0.0;
        };
        let distances = view.distances();
        cells(self.problem, &mut 0).map(|goal| distances.between(*cell, goal)).fold(f64::INFINITY, f64::min)
    }
}
