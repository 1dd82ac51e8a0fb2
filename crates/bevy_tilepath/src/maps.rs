//! Maps of either kind: tile maps and waypoint graphs.

use bevy_ecs::{
    entity::{Entities, Entity},
    query::{With, Without},
    system::{Query, SystemParam},
};
use bevy_math::Vec2;
use tilepath::{Cell, Revision};

use crate::{
    agent::{AgentPath, DoorSide, Ground, Roads, Standing, local_point},
    failure::PathFailure,
    nav_graph::NavGraph,
    nav_map::{NavGrid, NavMap},
    projection::NavProjection,
    request::{Goals, NotYet, PathGoal, PathRequest, Place, Spot},
};

/// All maps there are.
#[derive(SystemParam)]
pub(crate) struct Maps<'w, 's> {
    tiles: Query<'w, 's, (Entity, &'static NavGrid, &'static NavProjection), With<NavMap>>,
    graphs: Query<'w, 's, (Entity, &'static NavGraph, &'static NavProjection), Without<NavMap>>,
    entities: &'w Entities,
}

/// A map as seen by somebody who stands on it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AnyMap<'a> {
    Tiles(Ground<'a>),
    Graph(Roads<'a>),
}

/// One state of a map: searches compare it to know whether they are still right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stamp {
    Tiles { generation: u64, revision: Revision, rules_edition: u64, is_ready: bool },
    Graph { edition: u64, access_factor: f64, is_ready: bool },
}

impl Stamp {
    pub(crate) fn of_grid(grid: &NavGrid) -> Self {
        Self::Tiles {
            generation: grid.generation(),
            revision: grid.revision(),
            rules_edition: grid.rules_edition(),
            is_ready: grid.is_ready(),
        }
    }

    pub(crate) fn of_graph(graph: &NavGraph) -> Self {
        Self::Graph {
            edition: graph.edition(),
            access_factor: graph.route_options().access_factor,
            is_ready: graph.is_ready(),
        }
    }
}

impl Ground<'_> {
    /// The least that a way between two cells may cost, in world units: the distance on an empty map of the cheapest
    /// terrain that is on this one.
    pub(crate) fn distances(&self) -> impl Fn(Cell, Cell) -> f64 {
        let (finder, movement) = (self.grid.finder(), self.grid.movement());
        let cheapest = finder.cheapest_terrain(movement).unwrap_or(0);
        let rate = f64::from(cheapest) * AnyMap::Tiles(*self).unit();
        let movement = finder.movement(movement);
        move |from, to| movement.map_or(0.0, |movement| f64::from(movement.distance(from, to).get()) * rate)
    }
}

impl AnyMap<'_> {
    pub(crate) fn stamp(&self) -> Stamp {
        match self {
            Self::Tiles(ground) => Stamp::of_grid(ground.grid),
            Self::Graph(roads) => Stamp::of_graph(roads.graph),
        }
    }

    pub(crate) fn entity(&self) -> Entity {
        match self {
            Self::Tiles(ground) => ground.map,
            Self::Graph(roads) => roads.map,
        }
    }

    pub(crate) fn is_ready(&self) -> bool {
        match self {
            Self::Tiles(ground) => ground.grid.is_ready(),
            Self::Graph(roads) => roads.graph.is_ready(),
        }
    }

    pub(crate) fn projection(&self) -> &NavProjection {
        match self {
            Self::Tiles(ground) => ground.projection,
            Self::Graph(roads) => roads.projection,
        }
    }

    /// What one unit of its costs is in world units.
    pub(crate) fn unit(&self) -> f64 {
        match self {
            Self::Tiles(ground) => {
                let movement = ground.grid.finder().movement(ground.grid.movement());
                let straight = movement.map_or(1, |movement| movement.steps().straight());
                ground.projection.cell_side() / f64::from(straight.max(1))
            }
            Self::Graph(roads) => roads.projection.scale(),
        }
    }

    /// Whether a spot where an agent stood when it was last looked at is still there.
    pub(crate) fn has(&self, spot: &Spot) -> bool {
        match (self, spot) {
            (Self::Graph(roads), Spot::Waypoint(id)) => roads.graph.graph().contains(id),
            (Self::Graph(roads), Spot::OnEdge { from, to, .. }) => {
                roads.graph.graph().edge(from, to).is_some()
            }
            (Self::Tiles(ground), Spot::Cell(cell)) => ground.grid.bounds().contains(*cell),
            _ => true,
        }
    }

    /// Whether a door may let agents in there.
    pub(crate) fn lets_in(&self, spot: &Spot) -> bool {
        match (self, spot) {
            (Self::Tiles(ground), Spot::Cell(cell)) => ground.grid.is_passable(*cell),
            _ => true,
        }
    }

    /// Where on it an agent stands that is in no door.
    pub(crate) fn standing_spot(
        &self,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<Spot, PathFailure> {
        match self {
            Self::Tiles(ground) => ground.standing_cell(standing).map(Spot::Cell),
            Self::Graph(roads) => roads.standing_spot(standing, path),
        }
    }

    /// Whether the line that an agent walks on it leads over open ground.
    pub(crate) fn is_line_open(&self, path: &AgentPath, here: Vec2) -> bool {
        match self {
            Self::Tiles(ground) => ground.is_line_open(path, here),
            Self::Graph(_) => true,
        }
    }

    /// Where the end of a door is in the world.
    fn point_of(&self, end: &Spot) -> Option<Vec2> {
        match (self, end) {
            (Self::Tiles(ground), Spot::Cell(cell)) => Some(ground.projection.world_position_of(*cell)),
            (Self::Graph(roads), Spot::Waypoint(id)) => {
                let position = roads.graph.graph().position(id)?;
                Some(roads.projection.world_of(local_point(position)))
            }
            _ => None,
        }
    }

    /// Where a place is on it.
    fn spot_of(&self, place: &Place) -> Result<Spot, PathFailure> {
        match self {
            Self::Graph(roads) => roads.spot_of(place),
            Self::Tiles(ground) => ground.cell_of(place, PathFailure::goal_off).map(Spot::Cell),
        }
    }
}

impl Maps<'_, '_> {
    pub(crate) fn get(&self, map: Entity) -> Option<AnyMap<'_>> {
        if let Ok((map, grid, projection)) = self.tiles.get(map) {
            return Some(AnyMap::Tiles(Ground { map, grid, projection }));
        }
        let (map, graph, projection) = self.graphs.get(map).ok()?;
        Some(AnyMap::Graph(Roads { map, graph, projection }))
    }

    /// The map, if agents may walk on it.
    pub(crate) fn ready(&self, map: Entity) -> Option<AnyMap<'_>> {
        self.get(map).filter(AnyMap::is_ready)
    }

    fn tile_maps(&self) -> impl Iterator<Item = AnyMap<'_>> {
        self.tiles.iter().map(|(map, grid, projection)| AnyMap::Tiles(Ground { map, grid, projection }))
    }

    fn graphs(&self) -> impl Iterator<Item = AnyMap<'_>> {
        self.graphs.iter().map(|(map, graph, projection)| AnyMap::Graph(Roads { map, graph, projection }))
    }

    /// Where on that map an agent stands. In a door that is the end on that map, wherever in the world it is.
    pub(crate) fn standing_spot(
        &self,
        map: &AnyMap,
        standing: &Standing,
        path: Option<&AgentPath>,
    ) -> Result<Spot, PathFailure> {
        match self.door_sides(map, standing) {
            Some([near, _]) if standing.here.is_finite() => Ok(near.spot.clone()),
            _ => map.standing_spot(standing, path),
        }
    }

    /// Chooses the line that leads from here onto the path, or along it if the agent is on its way. `false`: there
    /// is no such line, the way has to be planned anew.
    pub(crate) fn join(&self, map: &AnyMap, path: &mut AgentPath, standing: &Standing) -> bool {
        if let Some(next) = self.next_by_door(map, path, standing) {
            path.set_leg(standing.here, next);
            return true;
        }
        match map {
            AnyMap::Tiles(ground) => ground.join(path, standing),
            AnyMap::Graph(roads) => roads.join(path, standing),
        }
    }

    /// The point to walk to for an agent that is in a door, or was when the way was planned.
    fn next_by_door(&self, map: &AnyMap, path: &AgentPath, standing: &Standing) -> Option<usize> {
        let next = path.next_point();
        if path.is_in_door() {
            let ends = [path.points()[next - 1], path.points()[next]];
            return (standing.is_unmoved() || standing.is_between(ends)).then_some(next);
        }
        let [near, far] = self.door_sides(map, standing)?;
        if next != 0 || path.leg().first_spot().as_ref() != Some(&near.spot) {
            return None;
        }
        // Straight on if the new way leads to the other end at once, otherwise back to where it begins.
        let leads_on = path.leg_points().len() == 1
            && path
                .ahead()
                .front()
                .is_some_and(|leg| leg.map() == far.map && leg.first_spot().as_ref() == Some(&far.spot));
        Some(usize::from(leads_on))
    }

    /// The ends of the door in which an agent on that map is, the one on the map first.
    fn door_sides<'a>(&self, map: &AnyMap, standing: &Standing<'a>) -> Option<[&'a DoorSide; 2]> {
        let sides = standing.door_sides(map.entity())?;
        if !map.has(&sides[0].spot) {
            return None;
        }
        let point_of = |side: &DoorSide| self.get(side.map)?.point_of(&side.spot);
        let is_inside =
            standing.is_unmoved() || standing.is_between([point_of(sides[0])?, point_of(sides[1])?]);
        is_inside.then_some(sides)
    }

    /// The map that is meant: the one `OnMap` names, or the only one.
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
            only(self.tile_maps().chain(self.graphs()), NotYet::Wait)?
        };
        if map.is_ready() { Ok(map) } else { Err(NotYet::Wait) }
    }

    /// The goals of a request of somebody on that map.
    pub(crate) fn goals(&self, request: &PathRequest, own: &AnyMap) -> Result<Goals, NotYet> {
        let named = match request.goal_map() {
            Some(map) => Some(self.get(map).ok_or_else(|| self.missing(map))?),
            None => None,
        };
        let single = request.goal().single();
        let places = match request.goal() {
            PathGoal::Nearest(places) => &places[..],
            _ => single.as_slice(),
        };
        let default = named.unwrap_or(*own);
        if let AnyMap::Tiles(ground) = default
            && default.is_ready()
            && !places.iter().any(|place| place.waypoint().is_some())
        {
            let cell_of = |place: &Place| ground.cell_of(place, PathFailure::goal_off).map_err(NotYet::Fail);
            let map = ground.map;
            return match &single {
                Some(place) => Ok(Goals::Cell { map, cell: cell_of(place)? }),
                None => {
                    Ok(Goals::Cells { map, cells: places.iter().map(cell_of).collect::<Result<_, _>>()? })
                }
            };
        }
        let spots = places.iter().map(|place| {
            let map = match named {
                Some(map) => map,
                None => self.map_of(place, own)?,
            };
            if !map.is_ready() {
                return Err(NotYet::Wait);
            }
            Ok((map.entity(), map.spot_of(place).map_err(NotYet::Fail)?))
        });
        Ok(Goals::from_spots(spots.collect::<Result<_, _>>()?, single.is_some()))
    }

    /// The map on which a place lies: the agent's own, if it can be there.
    fn map_of<'a>(&'a self, place: &Place, own: &AnyMap<'a>) -> Result<AnyMap<'a>, NotYet> {
        match (own, place) {
            (AnyMap::Tiles(_), Place::Waypoint(id)) => {
                let has_it = |map: &AnyMap| match map {
                    AnyMap::Graph(roads) => roads.graph.graph().contains(id),
                    AnyMap::Tiles(_) => false,
                };
                only(self.graphs().filter(has_it), NotYet::Fail(PathFailure::UnknownWaypoint))
            }
            (AnyMap::Graph(_), Place::Cell(_)) => only(self.tile_maps(), NotYet::Fail(PathFailure::NoMap)),
            _ => Ok(*own),
        }
    }

    /// The same reason or, where no way leads to the goal because of the goal itself, that.
    pub(crate) fn plain_reason(&self, reason: PathFailure, goals: &Goals) -> PathFailure {
        let (map, Spot::Cell(cell)) = goals.spot(0) else { return reason };
        let Some(AnyMap::Tiles(ground)) = self.ready(map) else { return reason };
        if reason != PathFailure::Unreachable || ground.grid.is_passable(cell) {
            return reason;
        }
        if ground.grid.is_without_tiles() {
            return PathFailure::MapWithoutTiles { cells: ground.grid.bounds().cell_count() };
        }
        if goals.len() == 1 { PathFailure::GoalBlocked { cell } } else { reason }
    }

    fn missing(&self, map: Entity) -> NotYet {
        if self.entities.contains(map) { NotYet::Wait } else { NotYet::Fail(PathFailure::NoMap) }
    }

    /// Whether the entity is there, map or not.
    pub(crate) fn entity_exists(&self, map: Entity) -> bool {
        self.entities.contains(map)
    }
}

fn only<'a>(mut maps: impl Iterator<Item = AnyMap<'a>>, none: NotYet) -> Result<AnyMap<'a>, NotYet> {
    let only = maps.next().ok_or(none)?;
    if maps.next().is_some() { Err(NotYet::Fail(PathFailure::AmbiguousMap)) } else { Ok(only) }
}
