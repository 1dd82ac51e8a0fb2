//! The choice whether lattice costs lead a search.

use crate::{
    landmarks::MapGround,
    space::{
        grid::GridNode,
        lattice_distance::{self, LatticeSearch},
        octile_distance::OctileDistance,
    },
    topology::Topology,
};
use std::mem;

/// The minimum distance of the goal in steps. A nearer goal is found before the lattice could be
/// examined.
const FAR: u64 = 16;
/// The minimum mean cost of the ground on the lattice, in percent of the cheapest on the map. Below
/// it the lattice does not pay.
const USEFUL_PERCENT: u64 = 150;

/// The part that the lattice plays in a search, besides the octile estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lattice {
    NotAsked,
    /// Most ground costs about as little as the cheapest, so the lattice does not help.
    Useless,
    /// The lattice leads. Holds the level up to which heights are known, and the work spent on them
    /// until it is charged.
    Leads {
        level: u32,
        work: u64,
    },
}

impl Lattice {
    /// Examines the lattice for a search for one goal, if that pays.
    pub(crate) fn look_over(
        MapGround { movement_map, bounds, classes }: MapGround<'_>,
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

    /// Returns whether the search needed the lattice costs.
    pub(crate) const fn is_asked(self) -> bool {
        !matches!(self, Self::NotAsked)
    }

    /// Returns the work that has not been charged yet, and clears it.
    pub(crate) const fn take_work(&mut self) -> u64 {
        if let Self::Leads { work, .. } = self { mem::replace(work, 0) } else { 0 }
    }
}
