//! The test for better paths, with graphs and doors.
//!
//! The paths lead along graphs or may pass doors, so openings on any map count.

use bevy_ecs::{
    change_detection::{DetectChangesMut, Mut},
    entity::Entity,
};

use crate::{
    journey::path::AgentPath,
    map::{
        door::{index::Entrance, known::KnownDoors},
        maps::{AnyMap, UnitMaps},
        place::{MapPlace, Place},
        span::Span,
        watch::WatchedMaps,
    },
    route::leg::PathLeg,
    walk::{
        better_ways::{LeastCosts, Openings},
        replan::{PathChecker, Watching, entrance_fault},
        surroundings::Surroundings,
    },
};

impl PathChecker<'_, '_> {
    fn surroundings<'a, 'w, 's>(&'a self, maps: UnitMaps<'a, 'w, 's>) -> Surroundings<'a, 'w, 's> {
        Surroundings { maps, watched: &self.watched, doors: &self.doors }
    }

    /// Returns whether openings on other maps, or doors, may make a better path than this one. If
    /// not, marks the path as up to date.
    pub(super) fn is_wide(&self, path: &mut Mut<AgentPath>, has_target: bool) -> bool {
        let is_wide = path.is_wide(has_target, &self.doors);
        let known = self.known();
        if !is_wide && path.kept.known != known {
            // This change is not visible outside the plugin.
            path.bypass_change_detection().kept.known = known;
        }
        is_wide
    }

    /// Returns whether there may be a better path than this one, which leads along a graph or may
    /// pass doors.
    pub(super) fn may_be_wide_worse(&self, path: &mut Mut<AgentPath>, watching: &mut Watching) -> bool {
        let movement = path.route.movement.clone();
        let around = self.surroundings(self.maps.of(movement.as_ref()));
        // This change is not visible outside the plugin.
        let path = path.bypass_change_detection();
        path.follow_world(&around, watching.openings, watching.now);
        if path.is_partial() {
            return path.kept.has_opened();
        }
        path.wants_better(&LeastCosts::Around(&around), watching.request.tolerance(), watching.now)
    }
}

impl AgentPath {
    /// Returns whether the path leads along a graph or through doors, or may do so after a replan.
    pub(super) fn is_wide(&self, has_target: bool, doors: &KnownDoors) -> bool {
        !self.is_counted_in_cells()
            || !has_target
                && self.route.goals.reach.is_none()
                && (!self.route.goals.are_on(self.map()) || doors.index.round_trips(self.map()).is_some())
    }

    /// Returns the place from which the bound counts.
    pub(super) fn here(&self) -> (Entity, Span) {
        let at = self.kept.at;
        let leg = self.legs().find(|leg| at < leg.end).unwrap_or(self.leg());
        (leg.map(), leg.span_at(at.saturating_sub(leg.first)))
    }

    /// Returns whether the bound counts from a place of a graph that is not a waypoint, or a goal
    /// on the graph is not a waypoint.
    pub(super) fn is_beside_waypoints(&self, map: Entity) -> bool {
        let at = self.kept.at;
        let leg = self.legs().find(|leg| at < leg.end && leg.map() == map);
        let starts_beside = leg.is_some_and(|leg| leg.place_at(at.saturating_sub(leg.first)).is_none());
        let is_beside = |goal: &MapPlace| !matches!(goal, MapPlace::Waypoint(_));
        starts_beside || self.route.goals.at.iter().any(|(on, goal)| *on == map && is_beside(goal))
    }

    /// Lowers the bound for all that has opened on any map since the last call.
    fn follow_world(&mut self, around: &Surroundings, openings: &mut Openings, now: u64) {
        self.walk_bound_on();
        let known = std::mem::replace(&mut self.kept.known, around.known());
        if known == self.kept.known {
            return;
        }
        let (map, here) = self.here();
        if let Some((AnyMap::Tiles(view), cell)) = around.maps.ready(map).zip(here.middle())
            && !view.is_passable(cell)
        {
            // Over closed ground it may leave along paths that it did not have before.
            self.kept.lower(0.0);
        }
        let Some(mut news) = around.news_since(known, self.map(), openings) else {
            return self.kept.lower(0.0);
        };
        for (map, closed) in &news.closed {
            self.kept.close(*map, closed);
        }
        for lost in &mut self.kept.lost {
            let cell = lost.gate.middle().zip(around.maps.ready(lost.map));
            if let Some((cell, AnyMap::Tiles(view))) = cell
                && !view.is_passable(cell)
            {
                lost.opened = None;
            }
        }
        let kept = &mut self.kept;
        news.opened.retain(|opening| {
            let waits = around.parts(opening).any(|(map, span)| kept.waits_for(map, &span, now));
            !waits
        });
        if !news.opened.is_empty() {
            let least = around.least_by(self, &news.opened);
            if least.is_finite() {
                self.kept.lower(least);
            }
        }
    }
}

/// Returns the first fault in the doors ahead and the legs behind the next door. Also updates the
/// costs of these legs.
pub(super) fn fault_ahead(
    path: &mut Mut<AgentPath>,
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
    if path.doors != doors.version {
        // This change is not visible outside the plugin.
        let path = path.bypass_change_detection();
        for index in 1..path.legs_left().len() {
            let [before, leg] = &mut path.legs_left_mut()[index - 1..=index] else { continue };
            let is_there = leg.entrance.is_none_or(|entrance| {
                doors.is_as_in(entrance.door, entrance.version)
                    || pass_as_now(entrance, before, leg, doors, maps)
            });
            if !is_there {
                return end_of(path, index - 1);
            }
        }
        path.doors = doors.version;
    }
    for index in 1..path.legs_left().len() {
        let leg = &path.legs_left()[index];
        let known = watched.get(leg.map()).zip(maps.ready(leg.map()));
        let Some((watch, map)) = known else { return end_of(path, index) };
        if leg.version != watch.version {
            if let Some(place) = entrance_fault(leg, &map) {
                return Some((leg.map(), place));
            }
            let leg = &mut path.bypass_change_detection().legs_left_mut()[index];
            if let Err(place) = leg.follow_edits(0, watch, &map) {
                return Some((leg.map(), place));
            }
            leg.version = watch.version;
        }
        if let AnyMap::Graph(view) = map {
            path.bypass_change_detection().legs_left_mut()[index].update_pace(view.nav_graph);
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

/// Returns whether a door that has changed still leads from one leg to the other, and updates its
/// cost.
fn pass_as_now(
    entrance: Entrance,
    before: &PathLeg,
    leg: &mut PathLeg,
    doors: &KnownDoors,
    maps: &UnitMaps,
) -> bool {
    let (Some(from), Some(to)) = (before.last_map_place(), leg.first_map_place()) else { return false };
    let ways_out = doors.index.of(before.map()).map_or(&[][..], |doors| doors.ways_out());
    let exit = ways_out.iter().map(|&number| doors.index.exit(number)).find(|exit| {
        exit.entrance.door == entrance.door
            && exit.lets_pass(maps.movement)
            && (exit.from.map_place(), exit.to.map(), exit.to.map_place())
                == (from.clone(), leg.map(), to.clone())
    });
    let Some(exit) = exit else { return false };
    (leg.entrance, leg.door_cost) = (Some(exit.entrance), exit.cost);
    true
}
