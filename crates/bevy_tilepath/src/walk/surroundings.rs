//! Lower bounds of paths with doors or graphs.
//!
//! They follow from the distances on each map, and the costs of doors.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy_ecs::entity::{Entity, EntityHashMap};
use smallvec::SmallVec;
use tilepath::Topology;

use crate::{
    journey::path::AgentPath,
    map::{
        door::{
            DoorEnd,
            index::Exit,
            known::{DoorNews, KnownDoors},
        },
        graph_changes::OpenedEdge,
        map_view::Distances,
        maps::{AnyMap, UnitMaps},
        place::MapPlace,
        span::Span,
        watch::{MapChange, MapNews, WatchedMaps},
    },
    order::{goal::Goals, route::Known},
    search::multi_map::rest::Least,
    walk::better_ways::Openings,
};

/// All maps and doors in this tick, for a unit's movement.
pub(super) struct Surroundings<'a, 'w, 's> {
    pub(super) maps: UnitMaps<'a, 'w, 's>,
    pub(super) watched: &'a WatchedMaps,
    pub(super) doors: &'a KnownDoors,
}

/// A change that may have made paths cheaper.
#[derive(Debug, Clone, Copy)]
pub(super) enum Opening {
    Part(Entity, Span),
    /// An edge of a graph.
    Edge(Entity, OpenedEdge),
    /// The exit with this number.
    Exit(usize),
}

/// The changes on which a path may depend.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) opened: Vec<Opening>,
    pub(super) closed: Vec<(Entity, Span)>,
}

/// The measure of distances on one map, in world units.
#[derive(Debug, Clone, Copy)]
enum Measure {
    Tiles {
        distances: Distances,
        /// The most that a diagonal step past a cell may save.
        corner: f64,
        /// The number of cells that a unit covers beyond its own cell, along each axis.
        beyond: f64,
    },
    Graph {
        rate: f64,
    },
}

impl Measure {
    fn between(&self, one: &Span, other: &Span) -> f64 {
        let [x, y] = one.gaps(other);
        match self {
            Self::Tiles { distances, .. } => distances.along(x, y),
            Self::Graph { rate } => x.hypot(y) * rate,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    Forwards,
    Backwards,
}

/// The least costs of paths from a place to the origins, or from there to a goal.
#[derive(Debug, Default)]
struct Horizon {
    origins: EntityHashMap<Origins>,
    /// The rectangle around all ends of doors, on maps where they count as one.
    merged: EntityHashMap<Span>,
}

/// The places where paths on one map begin or end, with the least costs there. These are the place
/// itself or the goals, and the doors by which paths enter or leave the map.
type Origins = SmallVec<[(Span, f64); 2]>;

/// The number of ends of doors on a map above which they count as one rectangle.
const FEW: usize = 16;

impl Horizon {
    /// Runs Dijkstra's algorithm over the doors, map by map, up to a cost.
    fn new(
        ends: impl Iterator<Item = (Entity, Span)>,
        sense: Sense,
        around: &Surroundings,
        ceiling: f64,
    ) -> Self {
        let mut horizon = Self::default();
        let mut queue = BinaryHeap::new();
        for (map, span) in ends {
            let origins = horizon.origins.entry(map).or_default();
            match origins.first_mut() {
                Some((known, _)) => *known = known.with(span),
                None => origins.push((span, 0.0)),
            }
            queue.push(Reverse((Least(0.0), 0, map)));
        }
        while let Some(Reverse((Least(cost), index, map))) = queue.pop() {
            let (from, least) = horizon.origins[&map][index];
            if least < cost {
                continue;
            }
            let Some((view, measure)) = around.measure(map) else { continue };
            for exit in around.exits(map, sense) {
                let (near, far) = sense.of(exit);
                let Some(near) = spot(&view, near).filter(|_| exit.lets_pass(around.maps.movement)) else {
                    continue;
                };
                let cost = least + measure.between(&from, &near) + exit.cost;
                if cost < ceiling
                    && let Some(index) = horizon.enter(far, cost, sense, around)
                {
                    queue.push(Reverse((Least(cost), index, far.map())));
                }
            }
        }
        horizon
    }

    /// Lets paths enter through a door at this cost. Returns the index among the origins of its
    /// map, unless one with at most this cost is known.
    fn enter(&mut self, far: &DoorEnd, cost: f64, sense: Sense, around: &Surroundings) -> Option<usize> {
        let map = far.map();
        let span = if let Some(all) = self.merged.get(&map) {
            *all
        } else {
            let (view, beyond) = (around.maps.ready(map)?, sense.reversed());
            if around.exits(map, beyond).nth(FEW).is_none() {
                spot(&view, far)?
            } else {
                let ends = around.exits(map, beyond).filter_map(|exit| spot(&view, beyond.of(exit).0));
                *self.merged.entry(map).or_insert(ends.reduce(Span::with)?)
            }
        };
        let origins = self.origins.entry(map).or_default();
        match origins.iter().position(|&(known, _)| known == span) {
            Some(index) if origins[index].1 <= cost => None,
            Some(index) => {
                origins[index].1 = cost;
                Some(index)
            }
            None => {
                origins.push((span, cost));
                Some(origins.len() - 1)
            }
        }
    }

    fn least(&self, map: Entity, to: &Span, measure: &Measure) -> f64 {
        let origins = self.origins.get(&map).into_iter().flatten();
        origins.map(|(span, cost)| cost + measure.between(span, to)).fold(f64::INFINITY, f64::min)
    }
}

impl Sense {
    /// Returns the end of an exit at which paths enter it, and the other end.
    fn of(self, exit: &Exit) -> (&DoorEnd, &DoorEnd) {
        match self {
            Self::Forwards => (&exit.from, &exit.to),
            Self::Backwards => (&exit.to, &exit.from),
        }
    }

    fn reversed(self) -> Self {
        match self {
            Self::Forwards => Self::Backwards,
            Self::Backwards => Self::Forwards,
        }
    }
}

/// Returns the place of a door's end on its map, if it exists.
fn spot(map: &AnyMap, end: &DoorEnd) -> Option<Span> {
    place(map, &end.map_place())
}

fn place(map: &AnyMap, place: &MapPlace) -> Option<Span> {
    match (map, place) {
        (AnyMap::Tiles(_), MapPlace::Cell(cell)) => Some(Span::of_cell(*cell)),
        (AnyMap::Graph(view), MapPlace::Waypoint(id)) => view.graph().position(id).map(Span::of_position),
        (AnyMap::Graph(_), MapPlace::Position(position) | MapPlace::OnEdge { here: position, .. }) => {
            Some(Span::of_position(*position))
        }
        _ => None,
    }
}

impl<'a> Surroundings<'a, '_, '_> {
    pub(super) fn known(&self) -> Known {
        Known { maps: self.watched.log.number, doors: self.doors.log.number }
    }

    /// Returns the measure of a map, or `None` if the unit cannot walk there.
    fn measure(&self, map: Entity) -> Option<(AnyMap<'a>, Measure)> {
        let view = self.maps.ready(map)?;
        let unit = view.usable_unit()?;
        let measure = match &view {
            AnyMap::Tiles(tiles) => {
                let distances = tiles.distances();
                let corner = match tiles.grid.grid().topology() {
                    Topology::Square => 2.0 * distances.along(1.0, 0.0) - distances.along(1.0, 1.0),
                    Topology::Hexagonal => 0.0,
                };
                Measure::Tiles { distances, corner, beyond: f64::from(tiles.side() - 1) }
            }
            AnyMap::Graph(_) => Measure::Graph { rate: self.watched.get(map)?.least_rate() * unit },
        };
        Some((view, measure))
    }

    /// Returns the doors by which paths go on from a map.
    fn exits(&self, map: Entity, sense: Sense) -> impl Iterator<Item = &'a Exit> {
        let index = &self.doors.index;
        let numbers = index.of(map).map_or(&[][..], |doors| match sense {
            Sense::Forwards => doors.ways_out(),
            Sense::Backwards => doors.ways_in(),
        });
        numbers.iter().map(|&number| index.exit(number))
    }

    fn goals(&self, goals: &Goals) -> impl Iterator<Item = (Entity, Span)> {
        goals.at.iter().filter_map(|(map, goal)| Some((*map, place(&self.maps.ready(*map)?, goal)?)))
    }

    /// Returns the changes since then on a map, and on all maps to which doors lead. Returns `None`
    /// if not all of them are known.
    pub(super) fn news_since(&self, known: Known, own: Entity, openings: &mut Openings) -> Option<News> {
        let mut news = News::default();
        let mut edited: Vec<Entity> = Vec::new();
        for MapNews { map, change } in self.watched.log.since(known.maps)? {
            let map = *map;
            if map != own && self.doors.index.of(map).is_none() {
                continue;
            }
            match (change, self.maps.ready(map)) {
                (MapChange::Graph(changes), Some(_)) => {
                    news.opened.extend(changes.places.iter().map(|&span| Opening::Part(map, span)));
                    news.opened.extend(changes.edges.iter().map(|&edge| Opening::Edge(map, edge)));
                    news.closed.extend(changes.closed.iter().map(|&span| (map, span)));
                }
                (MapChange::Cells(before), Some(AnyMap::Tiles(view))) if !edited.contains(&map) => {
                    // The version before the first of several edits includes the openings of all.
                    edited.push(map);
                    match openings.since(*before, &view) {
                        Some(opened) => {
                            let parts =
                                opened.parts().map(|cells| Opening::Part(map, Span::of_bounds(cells)));
                            news.opened.extend(parts);
                        }
                        None => news.opened.push(Opening::Part(map, Span::EVERYWHERE)),
                    }
                }
                (MapChange::Anything, Some(_)) => news.opened.push(Opening::Part(map, Span::EVERYWHERE)),
                _ => {}
            }
        }
        for DoorNews { door, ends, may_help } in self.doors.log.since(known.doors)? {
            if *may_help {
                news.opened.extend(self.doors.index.exits_of(*door, ends).map(Opening::Exit));
            } else {
                let spots =
                    ends.iter().filter_map(|end| Some((end.map(), spot(&self.maps.ready(end.map())?, end)?)));
                news.closed.extend(spots);
            }
        }
        Some(news)
    }

    /// Returns the parts of maps on which an opening lies.
    pub(super) fn parts(&self, opening: &Opening) -> impl Iterator<Item = (Entity, Span)> {
        let spot_of = |end: &DoorEnd| Some((end.map(), spot(&self.maps.ready(end.map())?, end)?));
        let parts = match opening {
            Opening::Part(map, span) => [Some((*map, *span)), None],
            Opening::Edge(map, edge) => [Some((*map, edge.span())), None],
            Opening::Exit(number) => {
                let exit = self.doors.index.exit(*number);
                [spot_of(&exit.from), spot_of(&exit.to)]
            }
        };
        parts.into_iter().flatten()
    }

    /// Returns the least cost of a path over one of these openings, in the path's own unit. It is
    /// infinite if no such path leads to a goal for less than the known bound.
    pub(super) fn least_by(&self, path: &AgentPath, openings: &[Opening]) -> f64 {
        let unit = path.unit();
        let ceiling = if path.is_partial() { f64::INFINITY } else { path.proof.least * unit };
        let ahead = Horizon::new([place_of_bound(path)].into_iter(), Sense::Forwards, self, ceiling);
        let behind = Horizon::new(self.goals(&path.route().goals), Sense::Backwards, self, ceiling);
        let over = |map: Entity, from: &Span, to: &Span| {
            let Some((_, measure)) = self.measure(map) else { return f64::INFINITY };
            let (corner, beyond) = match measure {
                Measure::Tiles { corner, beyond, .. } => (corner, beyond),
                Measure::Graph { .. } => (0.0, 0.0),
            };
            let [from, to] = [from, to].map(|span| span.reaching_down(beyond));
            (ahead.least(map, &from, &measure) + behind.least(map, &to, &measure) - corner).max(0.0)
        };
        let least_by = |opening: &Opening| match opening {
            Opening::Part(map, span) => over(*map, span, span),
            // A path that begins or ends beside a waypoint may use only a part of the edge.
            Opening::Edge(map, edge) if is_beside_waypoints(path, *map) => {
                over(*map, &edge.span(), &edge.span())
            }
            Opening::Edge(map, edge) => {
                let unit = self.maps.ready(*map).and_then(|map| map.usable_unit()).unwrap_or(0.0);
                over(*map, &edge.from, &edge.to) + edge.cost * unit
            }
            Opening::Exit(number) => {
                let exit = self.doors.index.exit(*number);
                let least = |horizon: &Horizon, end: &DoorEnd| {
                    let (view, measure) = self.measure(end.map())?;
                    Some(horizon.least(end.map(), &spot(&view, end)?, &measure))
                };
                let ends = least(&ahead, &exit.from).zip(least(&behind, &exit.to));
                ends.filter(|_| exit.lets_pass(self.maps.movement))
                    .map_or(f64::INFINITY, |(there, on)| there + exit.cost + on)
            }
        };
        openings.iter().map(least_by).fold(f64::INFINITY, f64::min) / unit
    }

    /// Returns the least cost of any path, in the path's own unit.
    pub(super) fn least(&self, path: &AgentPath) -> f64 {
        let (unit, (map, here)) = (path.unit(), place_of_bound(path));
        let ceiling = path.rest_from(path.proof.at) * unit;
        let behind = Horizon::new(self.goals(&path.route().goals), Sense::Backwards, self, ceiling);
        self.measure(map).map_or(0.0, |(_, measure)| behind.least(map, &here, &measure)) / unit
    }
}

/// Returns the place from which the bound of a path counts.
pub(super) fn place_of_bound(path: &AgentPath) -> (Entity, Span) {
    let at = path.proof.at;
    let leg = path.legs().find(|leg| at < leg.end).unwrap_or(path.leg());
    (leg.map(), leg.span_at(at.saturating_sub(leg.first)))
}

/// Returns whether the bound of a path counts from a place of a graph that is not a waypoint, or a goal
/// on the graph is not a waypoint.
pub(super) fn is_beside_waypoints(path: &AgentPath, map: Entity) -> bool {
    let at = path.proof.at;
    let leg = path.legs().find(|leg| at < leg.end && leg.map() == map);
    let starts_beside = leg.is_some_and(|leg| leg.place_at(at.saturating_sub(leg.first)).is_none());
    let is_beside = |goal: &MapPlace| !matches!(goal, MapPlace::Waypoint(_));
    starts_beside || path.route().goals.at.iter().any(|(on, goal)| *on == map && is_beside(goal))
}
