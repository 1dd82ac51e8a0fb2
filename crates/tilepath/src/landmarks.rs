//! Landmarks: lower bounds that know the map.
//!
//! A landmark is a cell whose least costs to and from every cell are known. By the triangle
//! inequality, a path from x to t costs at least `cost(x → L) − cost(t → L)` and at least
//! `cost(L → t) − cost(L → x)`. The estimate of a search is the greatest of these bounds over the
//! landmarks in use, and the octile estimate if that is greater.
//!
//! **Invariant.** For each step x → y that the map allows, `estimate(x) ≤ cost(x → y) +
//! estimate(y)`, to the unit. So the estimate is consistent, and, as it is zero at the goal,
//! admissible.
//!
//! *Proof.* The tables hold least costs on the [`floor`]: ground that allows every step of the map,
//! at its cost or less. On it, `cost(x → L) ≤ cost(x → y) + cost(y → L)` and `cost(L → y) ≤ cost(L →
//! x) + cost(x → y)`. Both differences therefore fall by at most the cost of the step. The greatest
//! of several such bounds has the same property. So a map that becomes dearer leaves the tables
//! valid. Where it becomes cheaper than the floor, the floor sinks and the tables are repaired.
//! Until then no search uses them.
//!
//! A search is exact with any consistent estimate, also on canonical steps: their proof needs only
//! that each cell is entered at its least cost before it is expanded.
//!
//! # Source
//! Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005;
//! Sturtevant, Felner, Barrer, Schaeffer and Burch, "Memory-based heuristics for explicit state
//! spaces", IJCAI 2009. The floor and the tiles are our own.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

pub(crate) mod distance;
mod floor;
mod making;
mod repair;
#[cfg(test)]
mod tests;
pub(crate) mod tiles;

use self::{
    floor::{Floor, FloorGround},
    making::{Made, Making},
    repair::Repair,
    tiles::{Directions, LandmarkTables},
};
use crate::{
    bounds::Bounds,
    cell::Cell,
    movement_map::{
        MovementMap,
        plane::{ClassGround, Ground as _},
    },
    space::grid::GridNode,
    topology::Topology,
};
use std::sync::Arc;

/// The number of landmarks of a movement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum LandmarkCount {
    /// By the number of open cells: none below 4,096, four below 65,536, eight from there on.
    #[default]
    ByMap,
    /// This many, on a map of any size. Each takes memory and time; at most four of them lead a
    /// search.
    Exactly(u8),
}

impl LandmarkCount {
    /// The fewest open cells of a map for landmarks, and for eight of them.
    const FEWEST: u64 = 4096;
    const MANY: u64 = 65_536;

    /// Returns the number of landmarks on a map with this many open cells.
    fn on(self, open: u64) -> usize {
        match self {
            Self::Exactly(count) if open > 0 => count.into(),
            Self::ByMap if open >= Self::MANY => 8,
            Self::ByMap if open >= Self::FEWEST => 4,
            _ => 0,
        }
    }
}

/// The state of a movement's landmarks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LandmarkStatus {
    /// No landmarks were requested, or their memory was given back.
    None,
    /// The tables are being made, or an edit made cells cheaper than the tables assume. Searches do
    /// without them. Go on with
    /// [`advance_landmarks`](crate::PathFinder::advance_landmarks).
    Behind,
    /// Searches use this many landmarks.
    Ready(usize),
    /// The map has too few open cells for landmarks by [`LandmarkCount::ByMap`], or it has no connected
    /// cells that are at least a sixteenth of its open cells.
    TooFewCells,
    /// A path on this map costs 2³¹ or more, which the tables do not hold. Use smaller
    /// [step costs](crate::StepCosts) or multipliers.
    TooExpensive,
    /// This movement cannot have landmarks on this map. The reason is one of these:
    /// - the cells are hexagons;
    /// - the unit covers several cells;
    /// - the movement pays an overlay of the map;
    /// - a cell has closed exits;
    /// - the map has void cells, and the movement can enter class 0.
    Unsupported,
}

/// The landmarks of one movement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks(State);

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    None,
    /// Boxed, because most movements have no landmarks.
    Kept(Box<Kept>),
    /// Holds until an edit, because the reason may have taken work to find.
    Refused(LandmarkCount, LandmarkStatus),
}

#[derive(Clone, Debug)]
struct Kept {
    count: LandmarkCount,
    floor: Floor,
    tables: Tables,
}

#[derive(Clone, Debug)]
enum Tables {
    Making(Box<Making>),
    Made { tables: Arc<LandmarkTables>, repair: Option<Repair> },
}

impl Landmarks {
    /// Returns the tables, if searches may use them.
    #[inline]
    pub(crate) fn ready(&self) -> Option<&Arc<LandmarkTables>> {
        let State::Kept(kept) = &self.0 else { return None };
        match &kept.tables {
            Tables::Made { tables, repair: None } if !kept.floor.is_behind() => Some(tables),
            _ => None,
        }
    }

    /// Returns whether landmarks were requested, so that they must follow edits.
    #[inline]
    pub(crate) const fn are_requested(&self) -> bool {
        !matches!(self.0, State::None)
    }

    pub(crate) fn status(&self) -> LandmarkStatus {
        match &self.0 {
            State::None => LandmarkStatus::None,
            State::Refused(_, why) => *why,
            State::Kept(_) => self
                .ready()
                .map_or(LandmarkStatus::Behind, |tables| LandmarkStatus::Ready(tables.landmarks().len())),
        }
    }

    /// Returns the bytes of the tables and of the data with which they are kept.
    pub(crate) fn bytes(&self) -> usize {
        let State::Kept(kept) = &self.0 else { return 0 };
        let tables = match &kept.tables {
            Tables::Making(making) => making.bytes(),
            Tables::Made { tables, .. } => tables.bytes(),
        };
        tables + kept.floor.bytes()
    }

    /// Drops the tables.
    pub(crate) fn give_back(&mut self) {
        self.0 = State::None;
    }

    /// Makes the tables or repairs them, for about `budget` units of work. Returns the work.
    pub(crate) fn advance(&mut self, map: MapGround<'_>, count: LandmarkCount, budget: u64) -> u64 {
        match &self.0 {
            State::Kept(kept) if kept.count == count => {}
            State::Refused(asked, _) if *asked == count => return 0,
            _ => self.begin(map, count),
        }
        let mut spent = 0;
        while spent < budget && self.ready().is_none() {
            let State::Kept(kept) = &mut self.0 else { break };
            let (work, end) = kept.advance(map, budget - spent);
            spent += work;
            match end {
                None => {}
                Some(End::BeginAgain) => self.begin(map, count),
                Some(End::Refused(why)) => self.0 = State::Refused(count, why),
            }
        }
        spent
    }

    fn begin(&mut self, map: MapGround<'_>, count: LandmarkCount) {
        let open = map.movement_map.cell_counts().open as u64;
        self.0 = match map.class_ground() {
            None => State::Refused(count, LandmarkStatus::Unsupported),
            Some(_) if count.on(open) == 0 => State::Refused(count, LandmarkStatus::TooFewCells),
            Some(ground) => State::Kept(Box::new(Kept::begin(map, ground, count))),
        };
    }

    /// Returns the tables after a change of the map, if they still apply. A refusal ends with any
    /// change.
    fn kept_on(&mut self, map: MapGround<'_>) -> Option<&mut Kept> {
        self.0 = match std::mem::take(&mut self.0) {
            State::Kept(kept) if map.class_ground().is_none() => {
                State::Refused(kept.count, LandmarkStatus::Unsupported)
            }
            State::Refused(..) => State::None,
            state => state,
        };
        let State::Kept(kept) = &mut self.0 else { return None };
        Some(kept)
    }

    /// Follows edits of classes: each with the cell, and its class before and after; `None` for a
    /// void cell. The movement map is the one after the edits.
    pub(crate) fn follow_edits(
        &mut self,
        map: MapGround<'_>,
        edits: impl Iterator<Item = (Cell, [Option<u8>; 2])>,
    ) {
        let Some(kept) = self.kept_on(map) else { return };
        let costs = map.movement_map.movement().costs();
        for (cell, classes) in edits {
            if let Some(node) = GridNode::of(map.bounds, cell) {
                let multipliers = classes.map(|class| class.map_or(0, |class| costs.multiplier(class)));
                kept.floor.follow_edit(node, multipliers);
            }
        }
    }

    /// Follows a change of the map's bounds. The movement map is the one after it.
    pub(crate) fn follow_resize(&mut self, map: MapGround<'_>, before: &Bounds) {
        let Some(kept) = self.kept_on(map) else { return };
        if let Tables::Made { tables, repair: None } = &mut kept.tables {
            *tables = Arc::new(tables.resized(before, map.bounds));
            let costs = map.movement_map.movement().costs();
            let multiplier = |slot: usize| costs.multiplier(map.classes[slot]);
            kept.floor = kept.floor.resized(before, map.bounds, multiplier);
        } else {
            // Waiting cells have other places now.
            let count = kept.count;
            self.begin(map, count);
        }
    }
}

/// The map as a movement sees it.
#[derive(Clone, Copy)]
pub(crate) struct MapGround<'map> {
    pub(crate) bounds: &'map Bounds,
    pub(crate) classes: &'map [u8],
    pub(crate) movement_map: &'map MovementMap,
}

impl<'map> MapGround<'map> {
    /// Returns the costs of cells, if landmarks can be made for this ground.
    fn class_ground(&self) -> Option<ClassGround<'map>> {
        let is_supported = self.movement_map.topology() == Topology::Square && self.movement_map.is_plain();
        is_supported.then(|| self.movement_map.class_ground(self.classes)).flatten()
    }
}

/// The end of tables that are not ready.
enum End {
    BeginAgain,
    Refused(LandmarkStatus),
}

impl Kept {
    fn begin(map: MapGround<'_>, ground: ClassGround<'_>, count: LandmarkCount) -> Self {
        let floor = Floor::new(map.bounds);
        let making = Making::begin(&FloorGround::new(map.bounds, map.movement_map, ground, &floor), count);
        Self { count, floor, tables: Tables::Making(Box::new(making)) }
    }

    /// Makes or repairs the tables. Returns the work.
    fn advance(&mut self, map: MapGround<'_>, budget: u64) -> (u64, Option<End>) {
        let Some(ground) = map.class_ground() else {
            return (0, Some(End::Refused(LandmarkStatus::Unsupported)));
        };
        if let Tables::Made { tables, repair: repair @ None } = &mut self.tables {
            let sunk = self.floor.sink();
            if !is_valid_for(tables.directions(), &sunk, map, ground) {
                return (0, Some(End::BeginAgain));
            }
            *repair = Some(Repair::begin(map.bounds, &sunk));
        }
        let floor = FloorGround::new(map.bounds, map.movement_map, ground, &self.floor);
        match &mut self.tables {
            Tables::Making(making) => {
                let (work, made) = making.advance(&floor, budget);
                let end = match made {
                    None => None,
                    Some(Made::TooFewCells) => Some(LandmarkStatus::TooFewCells),
                    Some(Made::TooExpensive) => Some(LandmarkStatus::TooExpensive),
                    Some(Made::Tables(tables)) => {
                        self.tables = Tables::Made { tables: Arc::new(tables), repair: None };
                        None
                    }
                };
                (work, end.map(End::Refused))
            }
            Tables::Made { tables, repair } => {
                let Some(running) = repair else { return (0, None) };
                let (work, done) = running.advance(Arc::make_mut(tables), &floor, budget);
                if let Ok(true) = done {
                    *repair = None;
                }
                (work, done.err().map(|repair::TooExpensive| End::Refused(LandmarkStatus::TooExpensive)))
            }
        }
    }
}

/// Returns whether tables of these directions are right after cells sank to the map.
fn is_valid_for(
    directions: Directions,
    sunk: &[GridNode],
    map: MapGround<'_>,
    ground: ClassGround<'_>,
) -> bool {
    let Directions::Even(multiplier) = directions else { return true };
    let [unit, _] = map.movement_map.movement().unit_costs(map.movement_map.topology());
    let cost = u32::from(multiplier) * unit;
    let slot = |node: &GridNode| node.y() as usize * map.bounds.width() as usize + node.x() as usize;
    sunk.iter().all(|node| ground.entry_cost(slot(node), 0) == cost)
}
