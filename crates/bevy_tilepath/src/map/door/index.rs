//! An index of doors by map and place.

use std::{collections::BTreeMap, sync::Arc};

use bevy_ecs::entity::{Entity, EntityHashMap, EntityHashSet, MapEntities};
use tilepath::Cell;

use crate::map::{
    door::{Door, DoorEnd, Passage, box_tree::BoxTree},
    movement::AgentMovement,
    version::Version,
};

/// All doors that can be passed, prepared for searches. Built again when a door changes, and shared
/// with the searches that began with it.
///
/// # Memory
/// About 400 bytes for each direction of a door.
#[derive(Debug, Default)]
pub(crate) struct DoorIndex {
    exits: Vec<Exit>,
    maps: EntityHashMap<MapDoors>,
}

/// A door that can be passed.
#[derive(Debug, Clone)]
pub(crate) struct KnownDoor {
    pub(crate) entity: Entity,
    pub(crate) door: Door,
    /// The version in which the door got its present state.
    pub(crate) version: Version,
}

/// The door through which a route enters a leg.
#[derive(Debug, Clone, Copy, PartialEq, Eq, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Entrance {
    #[entities]
    pub(crate) door: Entity,
    /// True if the unit is put to the other side at once.
    pub(crate) leaps: bool,
    /// The version of the door when the route was planned.
    pub(crate) version: Version,
}

/// A door in one direction.
#[derive(Debug, Clone)]
pub(crate) struct Exit {
    pub(crate) entrance: Entrance,
    pub(crate) cost: f64,
    pub(crate) from: DoorEnd,
    pub(crate) to: DoorEnd,
    /// True if the other side has no exit, or only the one back: a room with a single door.
    pub(crate) is_dead_end: bool,
    /// The names of the movements that may pass. Empty: all may pass.
    pub(crate) movements: Arc<[Arc<str>]>,
}

impl Exit {
    pub(crate) fn lets_pass(&self, movement: Option<&AgentMovement>) -> bool {
        self.movements.is_empty()
            || movement
                .and_then(AgentMovement::name)
                .is_some_and(|name| self.movements.iter().any(|may_pass| **may_pass == *name))
    }
}

/// The value that all items of a list share.
enum Only<T> {
    Nothing,
    One(T),
    Several,
}

fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Only<T> {
    match items.next() {
        None => Only::Nothing,
        Some(first) if items.all(|item| item == first) => Only::One(first),
        Some(_) => Only::Several,
    }
}

/// The doors of one map.
#[derive(Debug, Default)]
pub(crate) struct MapDoors {
    /// The numbers of the exits of this map.
    ways_out: Vec<usize>,
    at_cells: BTreeMap<Cell, Vec<usize>>,
    at_waypoints: BTreeMap<Arc<str>, Vec<usize>>,
    /// The numbers of the exits of other maps that lead here.
    ways_in: Vec<usize>,
    /// Exits that are not dead ends, with their costs.
    pub(crate) exits: BoxTree,
    /// Places where a route may come back to this map.
    pub(crate) entries: BoxTree,
    allows_round_trips: bool,
    /// True if an exit that counts as a dead end leads here.
    pub(crate) is_dead_end: bool,
}

impl MapDoors {
    /// Returns the numbers of the exits at a cell.
    pub(crate) fn at_cell(&self, cell: Cell) -> &[usize] {
        self.at_cells.get(&cell).map_or(&[], |exits| exits)
    }

    pub(crate) fn at_waypoint(&self, id: &str) -> &[usize] {
        self.at_waypoints.get(id).map_or(&[], |exits| exits)
    }

    fn add_exit(&mut self, from: &DoorEnd, number: usize) {
        self.ways_out.push(number);
        match from {
            DoorEnd::Cell { cell, .. } => self.at_cells.entry(*cell).or_default().push(number),
            DoorEnd::Waypoint { id, .. } => self.at_waypoints.entry(id.clone()).or_default().push(number),
        }
    }

    pub(crate) fn ways_in(&self) -> &[usize] {
        &self.ways_in
    }

    pub(crate) fn ways_out(&self) -> &[usize] {
        &self.ways_out
    }
}

/// The place where a route leaves or enters a map, its cost, and the number of the exit.
type RoundTripEnd<'a> = (&'a DoorEnd, f64, usize);

impl DoorIndex {
    /// Creates the index. The sequence of its doors does not depend on how they are stored.
    pub(crate) fn new(doors: &[KnownDoor]) -> Self {
        let mut exits = Vec::with_capacity(2 * doors.len());
        for KnownDoor { entity, door, version } in doors {
            let leaps = door.passage == Passage::Leap;
            let entrance = Entrance { door: *entity, leaps, version: *version };
            let movements: Arc<[Arc<str>]> = door.movements.iter().map(|name| name.as_str().into()).collect();
            let back = (!door.one_way).then_some((&door.to, &door.from));
            for (from, to) in [(&door.from, &door.to)].into_iter().chain(back) {
                let (from, to) = (from.clone(), to.clone());
                let (cost, is_dead_end, movements) = (door.cost, false, Arc::clone(&movements));
                exits.push(Exit { entrance, cost, from, to, is_dead_end, movements });
            }
        }
        let mut maps: EntityHashMap<MapDoors> = EntityHashMap::default();
        for (number, exit) in exits.iter().enumerate() {
            maps.entry(exit.from.map()).or_default().add_exit(&exit.from, number);
            maps.entry(exit.to.map()).or_default().ways_in.push(number);
        }
        let dead_ends: Vec<bool> = {
            let leads = |map: &MapDoors| only(map.ways_out.iter().map(|&number| &exits[number].to));
            let leads: EntityHashMap<Only<&DoorEnd>> =
                maps.iter().map(|(&map, doors)| (map, leads(doors))).collect();
            let is_dead_end = |exit: &Exit| {
                exit.from.map() != exit.to.map()
                    && match leads[&exit.to.map()] {
                        Only::Nothing => true,
                        Only::One(place) => *place == exit.from,
                        Only::Several => false,
                    }
            };
            exits.iter().map(is_dead_end).collect()
        };
        for (exit, is_dead_end) in exits.iter_mut().zip(dead_ends) {
            exit.is_dead_end = is_dead_end;
        }
        let mut index = Self { exits, maps };
        let is_entered = |doors: &MapDoors| doors.ways_in.iter().any(|&way| !index.exits[way].is_dead_end);
        let entered: EntityHashSet =
            (index.maps.iter()).filter(|(_, doors)| is_entered(doors)).map(|(&map, _)| map).collect();
        let maps: Vec<Entity> = index.maps.keys().copied().collect();
        for map in maps {
            let (ways_out, ways_back) = index.round_trip_ends(map, &entered);
            let tree = |ends: &[(&DoorEnd, f64, usize)]| {
                BoxTree::new(ends.iter().map(|&(end, cost, number)| (end.map_place().cell(), cost, number)))
            };
            let (exits, entries) = (tree(&ways_out), tree(&ways_back));
            // With only one place to leave and to come back, a round trip gains nothing.
            let is_one_place =
                !matches!(only(ways_out.iter().chain(&ways_back).map(|&(end, ..)| end)), Only::Several);
            let allows_round_trips = !ways_out.is_empty() && !ways_back.is_empty() && !is_one_place;
            let is_dead_end = index.maps[&map].ways_in.iter().any(|&way| index.exits[way].is_dead_end);
            if let Some(doors) = index.maps.get_mut(&map) {
                let before = std::mem::take(doors);
                *doors = MapDoors { exits, entries, allows_round_trips, is_dead_end, ..before };
            }
        }
        index
    }

    /// Returns where a route that begins and ends on a map may leave it, with the costs, and where
    /// it may come back. Both lists have the numbers of the exits.
    fn round_trip_ends(
        &self,
        map: Entity,
        entered: &EntityHashSet,
    ) -> (Vec<RoundTripEnd<'_>>, Vec<RoundTripEnd<'_>>) {
        let doors = &self.maps[&map];
        let exit = |&number: &usize| (&self.exits[number], number);
        let out = doors.ways_out.iter().map(exit).filter(|(exit, _)| !exit.is_dead_end);
        let is_left = |from: Entity| from == map || entered.contains(&from);
        let back = doors.ways_in.iter().map(exit).filter(|(exit, _)| is_left(exit.from.map()));
        // The door back counts 0, because its cost may be paid already: on one map, one door may be
        // the exit and the entry.
        let back = back.map(|(exit, number)| (&exit.to, 0.0, number));
        (out.map(|(exit, number)| (&exit.from, exit.cost, number)).collect(), back.collect())
    }

    pub(crate) fn exit(&self, number: usize) -> &Exit {
        &self.exits[number]
    }

    /// Returns the exits of a door. Empty if it cannot be passed.
    pub(crate) fn of_door(&self, door: Entity) -> impl Iterator<Item = &Exit> {
        self.exits.iter().filter(move |exit| exit.entrance.door == door)
    }

    /// Returns the numbers of a door's exits. Empty if it cannot be passed.
    pub(crate) fn exits_of(&self, door: Entity, ends: &[DoorEnd; 2]) -> impl Iterator<Item = usize> {
        let [from, to] = ends.each_ref().map(DoorEnd::map);
        let maps = [Some(from), Some(to).filter(|to| *to != from)];
        let ways_out = maps.into_iter().flatten().filter_map(|map| self.of(map)).flat_map(MapDoors::ways_out);
        ways_out.copied().filter(move |&number| self.exits[number].entrance.door == door)
    }

    pub(crate) fn of(&self, map: Entity) -> Option<&MapDoors> {
        self.maps.get(&map)
    }

    /// Returns the doors of a map by which a route may leave and come back elsewhere, if there are
    /// any.
    pub(crate) fn round_trips(&self, map: Entity) -> Option<&MapDoors> {
        self.of(map).filter(|doors| doors.allows_round_trips)
    }
}
