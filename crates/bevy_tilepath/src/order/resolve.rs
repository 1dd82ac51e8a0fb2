//! The map and the places that an order means.

use bevy_ecs::entity::Entity;

use crate::{
    failure::PathFailure,
    map::{
        map_view::MapView,
        maps::{AnyMap, Maps, UnitMaps, only},
        place::{MapPlace, Place},
    },
    order::{
        goal::{Accepted, Goals},
        queue::NotYet,
        request::PathRequest,
    },
};

impl Maps<'_, '_> {
    /// Returns the map that is meant: the map that `OnMap` names, or the only one.
    pub(crate) fn resolve(
        &self,
        on_map: Option<Entity>,
        named_before: Option<Entity>,
    ) -> Result<AnyMap<'_>, NotYet> {
        let map = if let Some(map) = on_map {
            self.get(map).ok_or_else(|| self.missing(map))?
        } else {
            if let Some(map) = named_before.filter(|&map| !self.entities.contains(map)) {
                return Err(self.missing(map));
            }
            only(self.all(), NotYet::Wait)?
        };
        if map.is_ready() { Ok(map) } else { Err(NotYet::Wait) }
    }

    /// Returns the map on which a place lies: the agent's own map, if the place can be there.
    fn map_of<'a>(&'a self, place: &Place, own: &AnyMap<'a>) -> Result<AnyMap<'a>, NotYet> {
        match (own, place) {
            (AnyMap::Tiles(_), Place::Waypoint(id)) => {
                let mut that_have_it = self.graphs().filter(|view| view.graph().contains(id));
                only(&mut that_have_it, PathFailure::UnknownWaypoint.into()).map(AnyMap::Graph)
            }
            (_, Place::Tile { tilemap: Some(tilemap), .. }) => {
                let lies_on =
                    |view: &MapView| view.map == *tilemap || view.grid.offset_of(*tilemap).is_some();
                let own = if let AnyMap::Tiles(view) = own {
                    lies_on(view).then_some(AnyMap::Tiles(*view))
                } else {
                    None
                };
                own.or_else(|| self.tile_maps().find(lies_on).map(AnyMap::Tiles))
                    .ok_or(PathFailure::NotALayer.into())
            }
            (AnyMap::Graph(_), Place::Cell(_) | Place::Tile { .. }) => {
                only(self.tile_maps(), PathFailure::NoMap.into()).map(AnyMap::Tiles)
            }
            _ => Ok(*own),
        }
    }

    /// Returns whether an order to this map, on which agents cannot walk now, waits or fails.
    pub(crate) fn missing(&self, map: Entity) -> NotYet {
        if self.entities.contains(map) { NotYet::Wait } else { NotYet::Fail(PathFailure::NoMap) }
    }
}

impl UnitMaps<'_, '_, '_> {
    /// Returns the goals of a request of an agent on map `own`. Places stay on the maps on which
    /// they were accepted. Positions stay the places for which they were accepted.
    pub(crate) fn goals(
        &self,
        request: &PathRequest,
        own: &AnyMap,
        accepted: Option<&Accepted>,
    ) -> Result<Goals, NotYet> {
        let all = self.all;
        let named = request.goal_map().map(|map| all.get(map).ok_or_else(|| all.missing(map))).transpose()?;
        let places = request.goal().places();
        let mut unknown = None;
        let mut is_known = false;
        let movement = accepted.and_then(|accepted| accepted.movement);
        let at = places.iter().enumerate().map(|(index, place)| {
            let before = accepted.and_then(|accepted| accepted.goals.at.get(index));
            let own = match before {
                Some((map, _)) => all.get(*map).ok_or_else(|| all.missing(*map))?,
                None => *own,
            };
            let map = named.map_or_else(|| all.map_of(place, &own), Ok)?;
            if !map.is_ready() {
                return Err(NotYet::Wait);
            }
            // If there are several goals, those on maps without this movement cannot be reached.
            let seen = self.see(map);
            is_known |= seen.is_ok();
            unknown = unknown.or(seen.err());
            let map = seen.unwrap_or(map);
            let place = match (before, place) {
                (Some((_, before)), Place::Position(_)) => all.of(movement).handed_on(before, &map),
                _ => map.map_place_of(place)?,
            };
            Ok((map.entity(), place))
        });
        let at = at.collect::<Result<_, _>>()?;
        match unknown {
            Some(reason) if !is_known => Err(NotYet::Fail(reason)),
            _ => Ok(Goals::new(at, request.goal().is_single(), None)),
        }
    }

    /// Converts a place of this movement's unit to the movement by which `map` is seen.
    fn handed_on(&self, place: &MapPlace, map: &AnyMap) -> MapPlace {
        match (place, map, self.ready(map.entity())) {
            (MapPlace::Cell(cell), AnyMap::Tiles(now), Some(AnyMap::Tiles(before))) => {
                MapPlace::Cell(now.in_place_of(*cell, before.side()))
            }
            _ => place.clone(),
        }
    }

    /// Returns the reason, or a more exact one if no path exists because of the goal itself.
    pub(crate) fn plain_reason(&self, reason: PathFailure, goals: &Goals) -> PathFailure {
        let (map, MapPlace::Cell(cell)) = goals.at[0] else { return reason };
        let Some(AnyMap::Tiles(view)) = self.ready(map) else { return reason };
        if reason != PathFailure::Unreachable || goals.reach.is_some() || view.is_passable(cell) {
            return reason;
        }
        if view.grid.without_tiles {
            return PathFailure::MapWithoutTiles { cells: view.grid.bounds().cell_count() };
        }
        match goals.at.len() {
            1 if view.closing_overlay(cell).is_some() => PathFailure::GoalUnderOverlay { cell },
            1 => PathFailure::GoalBlocked { cell },
            _ => reason,
        }
    }
}
