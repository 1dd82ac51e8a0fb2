//! Lower bounds of the rest of a path, map by map.
//!
//! They follow from the doors, and from the distances between doors, alone.

use std::{cmp::Reverse, collections::BinaryHeap};

use bevy_ecs::entity::{Entity, EntityHashMap};
use tilepath::{Cell, field::Aim};

use crate::map::{
    door::{
        DoorEnd,
        box_tree::Area,
        index::{DoorIndex, Exit},
    },
    map_view::Distances,
    maps::{AnyMap, UnitMaps},
    place::MapPlace,
};

/// The number of doors that are compared for one unit of work.
pub(crate) const DOORS_A_UNIT: u64 = 4;

/// For each map from which a goal may be reached: the places where paths lead on, and the least
/// cost that is left there. It is an admissible and consistent estimate for searches over several
/// maps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rests {
    maps: EntityHashMap<Rest>,
    /// The number of doors looked at.
    pub(crate) work: u64,
    /// True if a place was left out because the cost that is left there is too large to be counted.
    pub(crate) overflowed: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Rest {
    has_goals: bool,
    /// The rectangle around all goals that are cells.
    goals: Option<Area>,
    /// The rectangle around all exits that lead on, and the least cost that is left there.
    onward: Option<(Option<Area>, f64)>,
    /// The exits into rooms that have a single door and contain goals.
    last_doors: Option<(Option<Area>, f64)>,
}

impl Rest {
    /// Returns the rectangles to which paths lead, with the cost that is left there.
    fn ends(&self) -> impl Iterator<Item = (Option<Area>, f64)> {
        let goals = self.has_goals.then_some((self.goals, 0.0));
        [goals, self.onward, self.last_doors].into_iter().flatten()
    }

    fn least(&self) -> Option<f64> {
        self.ends().map(|(_, rest)| rest).min_by(f64::total_cmp)
    }
}

impl Rests {
    /// Returns the bounds for paths that cost less than a ceiling.
    pub(crate) fn new(
        goals: &EntityHashMap<Vec<(usize, MapPlace)>>,
        doors: &DoorIndex,
        maps: &UnitMaps,
        ceiling: f64,
    ) -> Self {
        let mut rests = Self::default();
        let mut queue = BinaryHeap::new();
        for (&map, map_places) in goals {
            let rest = rests.maps.entry(map).or_default();
            rest.has_goals = true;
            for (_, map_place) in map_places {
                if let MapPlace::Cell(cell) = map_place {
                    rest.goals = Some(with(rest.goals, *cell));
                }
            }
            queue.push(Reverse((Least(0.0), map)));
        }
        while let Some(Reverse((_, map))) = queue.pop() {
            let Some(here) = maps.ready(map).filter(|map| map.usable_unit().is_some()) else { continue };
            let distance = match &here {
                AnyMap::Tiles(view) => Some(view.distances()),
                AnyMap::Graph(_) => None,
            };
            for &number in doors.of(map).map_or(&[][..], |doors| doors.ways_in()) {
                rests.work += 1;
                let exit = doors.exit(number);
                if exit.is_dead_end && !goals.contains_key(&map) || !exit.lets_pass(maps.movement) {
                    continue;
                }
                let left = rests.left_at(&exit.to, distance.as_ref());
                let rest = exit.cost + left;
                rests.overflowed |= left.is_finite() && rest.is_infinite();
                if rest < ceiling && rests.lower(exit, rest, doors) {
                    queue.push(Reverse((Least(rest), exit.from.map())));
                }
            }
        }
        rests
    }

    /// Records the cost that is left at an exit. Returns whether this lowers the bound of its map.
    fn lower(&mut self, exit: &Exit, rest: f64, doors: &DoorIndex) -> bool {
        let from = exit.from.map();
        let known = self.maps.entry(from).or_default();
        if exit.is_dead_end {
            let (area, least) = known.last_doors.unwrap_or((None, f64::INFINITY));
            let cell = exit.from.map_place().cell();
            let is_outside = cell.is_some_and(|cell| area.is_none_or(|area| area.nearest(cell) != cell));
            known.last_doors = Some((cell.map(|cell| with(area, cell)), rest.min(least)));
            return rest < least || is_outside;
        }
        let least = known.onward.map_or(f64::INFINITY, |(_, least)| least);
        if rest < least {
            known.onward = Some((doors.of(from).and_then(|doors| doors.exits.bounding()), rest));
        }
        rest < least
    }

    /// Returns the least cost that is left at a place where a door leads in. On graphs, distances
    /// are not known.
    fn left_at(&self, place: &DoorEnd, distance: Option<&Distances>) -> f64 {
        let Some(rest) = self.maps.get(&place.map()) else { return f64::INFINITY };
        match (place, distance) {
            (DoorEnd::Cell { cell, .. }, Some(distance)) => {
                let to = |area: Area| distance.between(*cell, area.nearest(*cell));
                let ends = rest.ends().map(|(area, rest)| area.map_or(0.0, to) + rest);
                ends.min_by(f64::total_cmp).unwrap_or(f64::INFINITY)
            }
            (DoorEnd::Waypoint { .. }, None) => rest.least().unwrap_or(f64::INFINITY),
            _ => f64::INFINITY,
        }
    }

    /// Returns the least cost that is left from any place of this map, or `None` if no path leads
    /// on to a goal.
    pub(crate) fn least(&self, map: Entity) -> Option<f64> {
        self.maps.get(&map)?.least().filter(|least| least.is_finite())
    }

    /// Returns the bounds in the form for the search of a tile map, in the units of the map.
    pub(crate) fn aims(&self, map: Entity, unit: f64) -> Vec<Aim> {
        let ends = self.maps.get(&map).into_iter().flat_map(Rest::ends);
        let aim = |(area, rest): (Option<Area>, f64)| {
            let Area { min, max } = area?;
            Some(Aim { from: min, to: max, rest: rest / unit })
        };
        ends.filter(|(_, rest)| rest.is_finite()).filter_map(aim).collect()
    }
}

fn with(area: Option<Area>, cell: Cell) -> Area {
    area.map_or(Area::of(cell), |area| area.with(Area::of(cell)))
}

/// Costs in the order of [`f64::total_cmp`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Least(pub(crate) f64);

impl Eq for Least {}

impl PartialOrd for Least {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Least {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
