//! Agents on maps and in doors: their place, and joining a path.
//!
//! Decision: `docs/decisions/50-inside-doors.md`.

use bevy_math::Vec2;
use tilepath::waypoint::RouteEnd;

use crate::{
    failure::PathFailure,
    journey::{
        path::AgentPath,
        standing_on::{DoorSide, Standing},
    },
    map::{
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
    },
};

impl AnyMap<'_> {
    /// Returns the place on the map of an agent that is not in a door.
    pub(crate) fn standing_place(
        &self,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<MapPlace, PathFailure> {
        match self {
            Self::Tiles(view) => view.standing_cell(standing).map(MapPlace::Cell),
            Self::Graph(view) => view.standing_place(standing, path),
        }
    }

    /// Returns whether the line that an agent walks on this map leads over open ground.
    pub(crate) fn is_line_open(&self, path: &AgentPath, here: Vec2) -> bool {
        match self {
            Self::Tiles(view) => view.is_line_open(path, here),
            Self::Graph(_) => true,
        }
    }

    /// Returns whether an agent is on its path, and can go on to the next point. Other code moves a driven
    /// agent, so it is mostly beside its line.
    pub(crate) fn leads_on(&self, path: &AgentPath, here: Vec2) -> bool {
        match self {
            Self::Tiles(view) if path.is_driven() => {
                view.is_clear_to(here, path.leg().index_of(path.next_point()), path)
            }
            _ => path.walk.position == Some(here) && self.is_line_open(path, here),
        }
    }

    /// Returns whether a path from a place begins at a position: at a waypoint that no edge leaves.
    fn starts_at_position(&self, start: &MapPlace) -> bool {
        let Self::Graph(view) = self else { return false };
        matches!(view.start_on_graph(start), Some(RouteEnd::Position(_)))
    }

    /// Returns whether an agent that was last in a door is in it now. The ends of the door are
    /// positions in the world; `None` if the map behind the door is gone.
    ///
    /// Only the position of a driven agent is known: it may have been pushed within the door, or put
    /// elsewhere. If it stands on open ground of this map that is not an end of the door, it has
    /// left the door.
    fn is_in_door(&self, standing: &Standing, ends: Option<[Vec2; 2]>) -> bool {
        if ends.is_some_and(|ends| standing.is_between(ends)) {
            return true;
        }
        if !standing.is_driven() {
            return standing.is_unmoved();
        }
        let Self::Tiles(view) = self else { return true };
        let under = view.unbounded_cell_at(standing.here);
        let is_at_end = ends.is_some_and(|ends| ends.map(|end| view.unbounded_cell_at(end)).contains(&under));
        is_at_end || !under.is_some_and(|cell| view.is_passable(cell))
    }
}

impl UnitMaps<'_, '_, '_> {
    /// Returns the place of an agent on this map. For an agent in a door it is the door's end on
    /// this map, wherever the agent is in the world.
    pub(crate) fn standing_place(
        &self,
        map: &AnyMap,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<MapPlace, PathFailure> {
        match self.door_sides(map, standing) {
            Some([near, _]) if standing.here.is_finite() => Ok(near.map_place.clone()),
            _ => map.standing_place(standing, path),
        }
    }

    /// Sets the line from here onto the path, or along it if the agent is on the path. Returns
    /// false if there is no such line: the path must be replanned.
    pub(crate) fn join(&self, map: &AnyMap, path: &mut AgentPath, standing: &Standing) -> bool {
        if let Some(next) = self.next_by_door(map, path, standing) {
            path.set_leg(standing.here, next);
            return true;
        }
        match map {
            AnyMap::Tiles(view) => view.join(path, standing),
            AnyMap::Graph(view) => view.join(path, standing),
        }
    }

    /// Returns the index of the next point for an agent that is in a door, or was when the search
    /// began.
    fn next_by_door(&self, map: &AnyMap, path: &AgentPath, standing: &Standing) -> Option<usize> {
        let next = path.next_point();
        if path.is_in_door() {
            let ends = [path.points()[next - 1], path.points()[next]];
            return map.is_in_door(standing, Some(ends)).then_some(next);
        }
        let [near, far] = self.door_sides(map, standing)?;
        let begins_at_end = match path.leg().first_map_place() {
            Some(start) => start == near.map_place,
            None => map.starts_at_position(&near.map_place),
        };
        if next != 0 || !begins_at_end {
            return None;
        }
        // If the new path leads to the other end at once, the agent walks straight on. Otherwise it
        // walks back to the start of the path.
        let leads_on = path.leg_points().len() == 1
            && path.legs_left().get(1).is_some_and(|leg| {
                leg.map() == far.map && leg.first_map_place().as_ref() == Some(&far.map_place)
            });
        Some(usize::from(leads_on))
    }

    /// Returns the ends of the door in which an agent on this map is, the end on this map first.
    fn door_sides<'a>(&self, map: &AnyMap, standing: &Standing<'a>) -> Option<[&'a DoorSide; 2]> {
        let sides = standing.door_sides(map.entity())?;
        if !map.has(&sides[0].map_place) {
            return None;
        }
        let point_of = |side: &DoorSide| self.get(side.map)?.point_of(&side.map_place);
        let ends = point_of(sides[0]).zip(point_of(sides[1])).map(<[Vec2; 2]>::from);
        map.is_in_door(standing, ends).then_some(sides)
    }
}
