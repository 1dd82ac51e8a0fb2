//! The test for better paths, with graphs and doors.
//!
//! The paths lead along graphs or may pass doors, so openings on any map count.

use bevy_ecs::entity::Entity;

use crate::{
    journey::path::AgentPath,
    map::{
        door::{index::Entrance, known::KnownDoors},
        maps::{AnyMap, UnitMaps},
        place::Place,
        watch::WatchedMaps,
    },
    route::leg::PathLeg,
    walk::{
        better_ways::{LeastCosts, Openings, wants_better},
        path_checker::{PathChecker, Watching},
        surroundings::{Surroundings, place_of_bound},
    },
};

impl PathChecker<'_, '_> {
    fn surroundings<'a, 'w, 's>(&'a self, maps: UnitMaps<'a, 'w, 's>) -> Surroundings<'a, 'w, 's> {
        Surroundings { maps, watched: &self.watched, doors: &self.doors }
    }

    /// Returns whether openings on other maps, or doors, may make a better path than this one. If
    /// not, marks the path as up to date.
    pub(super) fn is_wide(&self, path: &mut AgentPath, has_target: bool) -> bool {
        let is_wide = is_wide(path, has_target, &self.doors);
        if !is_wide {
            path.proof.known = self.known();
        }
        is_wide
    }

    /// Returns whether there may be a better path than this one, which leads along a graph or may
    /// pass doors.
    pub(super) fn may_be_wide_worse(&self, path: &mut AgentPath, watching: &mut Watching) -> bool {
        let movement = path.route().movement.clone();
        let around = self.surroundings(self.maps.of(movement.as_ref()));
        follow_world(path, &around, watching.openings, watching.now);
        if path.is_partial() {
            return path.proof.has_opened();
        }
        wants_better(path, &LeastCosts::Around(&around), watching.request.tolerance(), watching.now)
    }
}

/// Returns whether a path leads along a graph or through doors, or may do so after a replan.
pub(super) fn is_wide(path: &AgentPath, has_target: bool, doors: &KnownDoors) -> bool {
    let goals = &path.route().goals;
    !path.is_counted_in_cells()
        || !goals.are_on(path.map())
        || !has_target && goals.reach.is_none() && doors.index.round_trips(path.map()).is_some()
}

/// Lowers the bound of a path for all that has opened on any map since the last call.
fn follow_world(path: &mut AgentPath, around: &Surroundings, openings: &mut Openings, now: u64) {
    path.walk_bound_on();
    let known = std::mem::replace(&mut path.proof.known, around.known());
    if known == path.proof.known {
        return;
    }
    let (map, here) = place_of_bound(path);
    if let Some((AnyMap::Tiles(view), cell)) = around.maps.ready(map).zip(here.middle())
        && !view.is_passable(cell)
    {
        // Over closed ground it may leave along paths that it did not have before.
        path.proof.lower(0.0);
    }
    let Some(mut news) = around.news_since(known, path.map(), openings) else {
        return path.proof.lower(0.0);
    };
    for (map, closed) in &news.closed {
        path.proof.close(*map, closed);
    }
    for lost in &mut path.proof.lost {
        let cell = lost.gate.middle().zip(around.maps.ready(lost.map));
        if let Some((cell, AnyMap::Tiles(view))) = cell
            && !view.is_passable(cell)
        {
            lost.opened = None;
        }
    }
    let proof = &mut path.proof;
    news.opened.retain(|opening| {
        let waits = around.parts(opening).any(|(map, span)| proof.waits_for(map, &span, now));
        !waits
    });
    if !news.opened.is_empty() {
        let least = around.least_by(path, &news.opened);
        if least.is_finite() {
            path.proof.lower(least);
        }
    }
}

/// Returns the first fault in the doors ahead and the legs behind the next door. Also updates the
/// costs of these legs.
pub(super) fn fault_ahead(
    path: &mut AgentPath,
    watched: &WatchedMaps,
    doors: &KnownDoors,
    maps: &UnitMaps,
) -> Option<(Entity, Place)> {
    if path.legs_left().len() == 1 {
        return None;
    }
    let end_of = |path: &AgentPath, index: usize| {
        let leg = &path.legs_left()[index];
        Some((leg.map(), leg.end_place(path.points())))
    };
    if path.proof.doors != doors.version {
        for index in 1..path.legs_left().len() {
            let [before, leg] = &path.legs_left()[index - 1..=index] else { continue };
            let Some(entrance) = leg.entrance else { continue };
            if doors.is_as_in(entrance.door, entrance.version) {
                continue;
            }
            match exit_as_now(entrance, before, leg, doors, maps) {
                Some((entrance, cost)) => path.plan.set_entrance(index, entrance, cost),
                None => return end_of(path, index - 1),
            }
        }
        path.proof.doors = doors.version;
    }
    for index in 1..path.legs_left().len() {
        let leg = &path.legs_left()[index];
        let known = watched.get(leg.map()).zip(maps.ready(leg.map()));
        let Some((watch, map)) = known else { return end_of(path, index) };
        if leg.version != watch.version {
            if let Some(place) = entrance_fault(leg, &map) {
                return Some((leg.map(), place));
            }
            let map_of_leg = leg.map();
            if let Err(place) = path.plan.follow_edits(index, watch, &map) {
                return Some((map_of_leg, place));
            }
            path.plan.confirm(index, watch.version);
        }
        if let AnyMap::Graph(view) = map {
            path.plan.update_pace(index, view.nav_graph);
        }
        if path.legs_left()[index].placement != watch.placement {
            if !watch.projection.is_somewhere() {
                return end_of(path, index);
            }
            path.place(index, &watch.projection, watch.placement);
        }
    }
    None
}

/// Returns the entrance of a door that has changed, and its cost, if it still leads from one leg to the
/// other.
fn exit_as_now(
    entrance: Entrance,
    before: &PathLeg,
    leg: &PathLeg,
    doors: &KnownDoors,
    maps: &UnitMaps,
) -> Option<(Entrance, f64)> {
    let (from, to) = before.last_map_place().zip(leg.first_map_place())?;
    let ways_out = doors.index.of(before.map()).map_or(&[][..], |doors| doors.ways_out());
    let exit = ways_out.iter().map(|&number| doors.index.exit(number)).find(|exit| {
        exit.entrance.door == entrance.door
            && exit.lets_pass(maps.movement)
            && (exit.from.map_place(), exit.to.map(), exit.to.map_place())
                == (from.clone(), leg.map(), to.clone())
    })?;
    Some((exit.entrance, exit.cost))
}

/// Returns the place behind a door if it cannot be entered now.
fn entrance_fault(leg: &PathLeg, map: &AnyMap) -> Option<Place> {
    let map_place = leg.entrance.and(leg.first_map_place())?;
    if map.lets_in(&map_place) { None } else { Some(map_place.place(None)) }
}
