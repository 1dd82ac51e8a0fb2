//! Landmarks: lower bounds that know the map.
//!
//! A landmark L is a set of cells, one of each region of connected cells. The tables hold the least
//! cost of each cell to the nearest cell of the set, and from it. By the triangle inequality, a path
//! from x to t costs at least `cost(x → L) − cost(t → L)` and at least `cost(L → t) − cost(L → x)`.
//! The estimate of a search is the greatest of these bounds over the landmarks in use, and the
//! octile estimate if that is greater.
//!
//! Regions are not connected, so each region has as many landmarks as a map of one region, in the
//! same memory and time. The bounds hold for any set of cells, so they stay valid if an edit joins
//! regions.
//!
//! **Invariant.** For each step x → y that the map allows, `estimate(x) ≤ cost(x → y) +
//! estimate(y)`, to the unit. So the estimate is consistent, and, as it is zero at the goal,
//! admissible.
//!
//! *Proof.* The tables hold least costs on the [`floor`]: ground that allows every step of the map,
//! at its cost or less. On it, `cost(x → L) ≤ cost(x → y) + cost(y → L)` and `cost(L → y) ≤ cost(L →
//! x) + cost(x → y)`, also if x and y have different nearest cells of L. Both differences therefore
//! fall by at most the cost of the step. The greatest of several such bounds has the same property.
//! So a map that becomes dearer leaves the tables valid. Where it becomes cheaper than the floor,
//! the floor sinks and the tables are repaired. Until then no search uses them.
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

pub(crate) mod cell_sets;
pub(crate) mod distance;
mod floor;
pub(crate) mod ground;
mod making;
mod repair;
#[cfg(test)]
mod tests;
pub(crate) mod tiles;

use self::{
    cell_sets::KeptTables,
    floor::{Floor, FloorGround},
    ground::MapGround,
    making::{Making, directions_on},
    repair::Repair,
    tiles::{CELLS, Directions, LandmarkTables},
};
use crate::{
    bounds::Bounds,
    movement_map::{MovementMap, area::Area, plane},
};
use std::sync::Arc;

/// The number of landmarks of a movement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum LandmarkCount {
    /// By the number of open cells: none below 4,096, four below 65,536, eight from there on.
    #[default]
    ByMap,
    /// This many, on a map of any size, or one for each cell of the largest region if these are
    /// fewer. Each takes memory and time, however many regions the map has; at most eight of their
    /// tables lead a search.
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
    /// The map has too few open cells: for [`LandmarkCount::ByMap`] fewer than 4,096, for
    /// [`LandmarkCount::Exactly`] none. Or `Exactly(0)` was requested.
    TooFewCells,
    /// A path on this map costs 2³¹ or more, which the tables do not hold. Use smaller
    /// [step costs](crate::StepCosts) or multipliers.
    TooExpensive,
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

    /// Returns the tables for bounds on the floor, also if cells lie below it.
    pub(crate) fn kept_tables(&self) -> Option<KeptTables<'_>> {
        let State::Kept(kept) = &self.0 else { return None };
        match &kept.tables {
            Tables::Made { tables, repair: None } => Some(KeptTables { tables, floor: &kept.floor }),
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
        self.0 = match count.on(map.movement_map.cell_counts().open as u64) {
            0 => State::Refused(count, LandmarkStatus::TooFewCells),
            landmarks => State::Kept(Box::new(Kept::begin(map, count, landmarks))),
        };
    }

    /// Returns the tables after a change of the map, if they still apply. A refusal ends with any
    /// change.
    fn after_change(&mut self) -> Option<&mut Kept> {
        if matches!(self.0, State::Refused(..)) {
            self.0 = State::None;
        }
        let State::Kept(kept) = &mut self.0 else { return None };
        Some(kept)
    }

    /// Follows edits of the cells of some rectangles. The movement map is the one after the edits.
    pub(crate) fn follow_edits(&mut self, map: MapGround<'_>, edited: &[Area]) {
        let Some(kept) = self.after_change() else { return };
        for area in edited {
            // An edit also changes the steps from the cells beside.
            let anchors = plane::covering(map.movement_map.movement(), area);
            kept.floor.follow(map, &anchors.grown(1, map.bounds.width(), map.bounds.height()));
        }
    }

    /// Follows a change of the map's bounds. The movement map is the one after it.
    pub(crate) fn follow_resize(&mut self, map: MapGround<'_>, before: &Bounds) {
        let Some(kept) = self.after_change() else { return };
        if let Tables::Made { tables, repair: None } = &mut kept.tables {
            *tables = Arc::new(tables.resized(before, map.bounds));
            kept.floor = kept.floor.resized(before, map);
        } else {
            // Waiting cells have other places now.
            let count = kept.count;
            self.begin(map, count);
        }
    }
}

/// Returns about how much work it takes to make the landmarks of a movement.
pub(crate) fn expected_work(movement_map: &MovementMap, count: LandmarkCount) -> u64 {
    let open = movement_map.cell_counts().open as u64;
    let tables = count.on(open) as u64 * if directions_on(movement_map) == Directions::Both { 2 } else { 1 };
    // The count of regions takes one pass more, and each tile of a table one unit.
    if tables == 0 { 0 } else { open * (tables + 1) + open * tables / CELLS as u64 }
}

/// The end of tables that are not ready.
enum End {
    BeginAgain,
    Refused(LandmarkStatus),
}

impl Kept {
    fn begin(map: MapGround<'_>, count: LandmarkCount, landmarks: usize) -> Self {
        let making = Box::new(Making::begin(map, landmarks));
        Self { count, floor: Floor::new(map), tables: Tables::Making(making) }
    }

    /// Makes or repairs the tables. Returns the work.
    fn advance(&mut self, map: MapGround<'_>, budget: u64) -> (u64, Option<End>) {
        if let Tables::Made { tables, repair: repair @ None } = &mut self.tables {
            let around = self.floor.sink(map);
            if let Directions::Even(multiplier) = tables.directions()
                && !self.floor.is_even_at(map.bounds, &around, multiplier)
            {
                return (0, Some(End::BeginAgain));
            }
            *repair = Some(Repair::begin(around));
        }
        let floor = FloorGround::new(map, &self.floor);
        match &mut self.tables {
            Tables::Making(making) => {
                let (work, made) = making.advance(&floor, budget);
                let end = match made {
                    None => None,
                    Some(Err(making::TooExpensive)) => Some(LandmarkStatus::TooExpensive),
                    Some(Ok(tables)) => {
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
