//! Round trips: whether a path out through doors and back may cost less.
//!
//! The answer is a lower bound, from distances alone.

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

/// The most doors that are compared one by one. If they do not decide the question, the maps are
/// searched.
const MOST_DOORS: usize = 64;

/// The most goals for which distances between doors are compared. With more goals only the
/// distances out and back are.
const MOST_GOALS: usize = 16;

/// Returns whether the distances leave room for a path through doors that costs less than the path
/// on the own map, and the work for this. They are distances on empty maps with the
/// cheapest terrain of each map: no path costs less.
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
        // Distances along a graph are not known.
        (Some(AnyMap::Graph(_)), _) => own.exits.least_elsewhere() + own.entries.least_elsewhere() < cost,
        _ => false,
    };
    (may_cost_less, work / DOORS_A_UNIT)
}

/// Returns the goals, and counts each as looked at.
fn cells<'a>(problem: &'a SearchProblem, looked_at: &'a mut u64) -> impl Iterator<Item = Cell> + 'a {
    problem.goals.at.iter().filter_map(move |(_, goal)| {
        *looked_at += 1;
        goal.cell()
    })
}

/// The doors near the own map. Paths over them must cost less than the path on it.
struct Nearby<'a, 'w, 's> {
    problem: &'a SearchProblem,
    doors: &'a DoorIndex,
    maps: &'a UnitMaps<'a, 'w, 's>,
    cost: f64,
    /// The least distance from any door back to a goal.
    back: f64,
}

impl Nearby<'_, '_, '_> {
    /// Returns whether there may be a cheaper path, by the shortest path over doors if all ground
    /// is open and cheap. It is Dijkstra's algorithm over the near doors, from the exits that can
    /// be reached first.
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

    /// Adds the exits that can be reached from a place on a cheaper path, except the exit straight
    /// back through the same door. Returns false if the distances of the exits are not known.
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
            // The ends of these doors do not exist.
            (AnyMap::Tiles(_), _) => true,
        }
    }

    /// Returns the distance from the place behind a door to the nearest goal on the own map.
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
