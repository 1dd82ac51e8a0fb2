//! When a search is led by what ground costs on a lattice.

use crate::{
    finder::snapshot::MapSnapshot,
    space::{
        grid::GridNode,
        lattice_distance::{self, LatticeSearch},
        octile_distance::OctileDistance,
    },
    topology::Topology,
};
use std::mem;

/// Goals nearer than this many steps are found before the lattice would be looked over.
const FAR: u64 = 16;
/// The lattice is worth its price where ground costs this much on it, in percent of the cheapest on the map.
const USEFUL_PERCENT: u64 = 150;

/// What leads a search besides the usual estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lattice {
    NotAsked,
    /// Most ground costs about as little as the cheapest.
    Useless,
    /// Heights up to a level, and what finding them was in units of work, until that is told.
    Leads {
        level: u32,
        work: u64,
    },
}

impl Lattice {
    /// Looks over the lattice for a search for one goal, if that is worth it.
    pub(crate) fn look_over(
        MapSnapshot { movement_map, bounds, classes, .. }: &MapSnapshot,
        search: &mut LatticeSearch,
        [start, goal]: [GridNode; 2],
    ) -> Self {
        // Most searches are on squares.
        if movement_map.topology() != Topology::Hexagonal {
            return Self::NotAsked;
        }
        let [unit, _] = movement_map.movement().unit_costs(Topology::Hexagonal);
        let cheapest = u32::from(movement_map.cheapest()) * unit;
        let left = OctileDistance::new(movement_map, goal).distance(start);
        if left < FAR * u64::from(cheapest) {
            return Self::NotAsked;
        }
        let costs = movement_map.lattice_costs(bounds, classes);
        if costs.mean_percent(cheapest) < USEFUL_PERCENT {
            return Self::Useless;
        }
        let level = lattice_distance::look_over(costs, search, [start, goal]);
        Self::Leads { level, work: search.expanded() }
    }

    /// Whether it had to be known what ground costs on the lattice.
    pub(crate) const fn is_asked(self) -> bool {
        !matches!(self, Self::NotAsked)
    }

    /// The work that is not told yet.
    pub(crate) const fn take_work(&mut self) -> u64 {
        if let Self::Leads { work, .. } = self { mem::replace(work, 0) } else { 0 }
    }
}
