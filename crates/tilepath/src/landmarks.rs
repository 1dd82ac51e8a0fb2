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
//! A table is made for the map of one revision, and never changes. The map does.
//!
//! **Invariant.** For each step x → y that the map allows, `estimate(x) ≤ cost(x → y) +
//! estimate(y)`, to the unit. So the estimate is consistent, and, as it is zero at the goal,
//! admissible.
//!
//! *Proof without edits.* `cost(x → L) ≤ cost(x → y) + cost(y → L)` and `cost(L → y) ≤ cost(L → x) +
//! cost(x → y)`, also if x and y have different nearest cells of L. Both differences therefore fall by at
//! most the cost of the step. The greatest of several such bounds has the same property.
//!
//! *Proof with edits.* Only these inequalities matter, and each is about a single step. A step that
//! becomes dearer, or is closed, keeps them. So only the steps around cells that became cheaper are
//! compared with the tables. Steps that break a table are kept in [patches](patch): they begin at cells R,
//! end at cells S, and cost c or more. Let b(x, y) be the greatest bound of the tables in use, and t the
//! goals. D is c + min(b(S, t), b(S, R′) + D′) over all other patches. The estimate is h(x) =
//! min(b(x, t), b(x, R) + D) over all patches.
//!
//! If no table in use is broken by x → y, each of these terms falls by at most the cost of the step.
//! Otherwise x is in the R of a patch and y in its S, and h(x) ≤ b(x, R) + D = D. D is at most c + b(y, t)
//! and at most c + b(y, R′) + D′, for its own patch too. So h(x) ≤ c + h(y). And b(t, t) = 0, so h(t) = 0. If
//! a table does not know a cell, it bounds no path from it, and a step from a known cell to an unknown one
//! breaks it.
//!
//! A search is exact with any consistent estimate, also on canonical steps: their proof needs only
//! that each cell is entered at its least cost before it is expanded.
//!
//! # Source
//! Goldberg and Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005;
//! Sturtevant, Felner, Barrer, Schaeffer and Burch, "Memory-based heuristics for explicit state
//! spaces", IJCAI 2009. The patches and the tiles are our own.
//!
//! Decision: `docs/decisions/58-landmarks.md`.

pub(crate) mod cell_sets;
pub(crate) mod distance;
pub(crate) mod ground;
mod labels;
mod lean;
mod making;
pub(crate) mod patch;
mod spread;
mod table;
pub(crate) mod tables;
mod terms;

#[cfg(test)]
mod tests;
mod turn;

use self::{
    ground::{Frozen, MapGround},
    making::kinds_on,
    patch::LABELS,
    table::CELLS,
    tables::LandmarkTables,
    turn::{Product, Turn},
};
use crate::{
    journal::Revision,
    movement_map::{MovementMap, area::Area},
    space::grid::GridNode,
};
use std::{collections::BTreeSet, sync::Arc};

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
    /// The tables are being made, or edits made cells cheaper in too many places since. Searches do
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
    /// The tables, once they were made.
    tables: Option<Arc<LandmarkTables>>,
    /// The making under way.
    turn: Option<Turn>,
    /// Whether new landmarks are to take the place of these.
    wants_new: bool,
}

impl Landmarks {
    /// Returns the tables, if searches may use them.
    #[inline]
    pub(crate) fn ready(&self) -> Option<&Arc<LandmarkTables>> {
        self.tables().filter(|tables| tables.may_lead())
    }

    /// Returns the tables, also if they have too many patches for a search.
    pub(crate) fn tables(&self) -> Option<&Arc<LandmarkTables>> {
        let State::Kept(kept) = &self.0 else { return None };
        kept.tables.as_ref()
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

    /// Returns the bytes of the tables and of the data with which they are made.
    pub(crate) fn bytes(&self) -> usize {
        let State::Kept(kept) = &self.0 else { return 0 };
        kept.turn.as_ref().map_or(0, Turn::bytes) + kept.tables.as_ref().map_or(0, |tables| tables.bytes())
    }

    /// Returns the revision of the oldest table that is to be made anew.
    pub(crate) fn oldest(&self) -> Option<Revision> {
        let State::Kept(kept) = &self.0 else { return None };
        let tables = kept.tables.as_ref()?;
        let broken = tables.oldest_broken().map(|(revision, _)| revision);
        if kept.wants_new { tables.oldest() } else { broken }
    }

    /// Lets new landmarks take the place of these, once they are made.
    pub(crate) fn renew(&mut self) {
        if let State::Kept(kept) = &mut self.0
            && kept.tables.is_some()
        {
            kept.wants_new = true;
        }
    }

    /// Drops the tables.
    pub(crate) fn give_back(&mut self) {
        self.0 = State::None;
    }

    /// Makes the tables, or makes those anew that edits broke, for about `budget` units of work. Returns
    /// the work.
    pub(crate) fn advance(&mut self, frozen: &Frozen, count: LandmarkCount, budget: u64) -> u64 {
        match &self.0 {
            State::Kept(kept) if kept.count == count => {}
            State::Refused(asked, _) if *asked == count => return 0,
            _ => self.0 = State::Kept(Box::new(Kept { count, tables: None, turn: None, wants_new: false })),
        }
        let mut spent = 0;
        while spent < budget {
            let State::Kept(kept) = &mut self.0 else { break };
            let compared = kept.compare_assumed(frozen.ground());
            if compared > 0 {
                spent += compared;
                continue;
            }
            let turn = match kept.next_turn(frozen) {
                Ok(Some(turn)) => turn,
                Ok(None) => break,
                Err(why) => {
                    self.0 = State::Refused(count, why);
                    break;
                }
            };
            let (work, product) = turn.pay(budget - spent);
            spent += work;
            match product {
                None => {}
                Some(Ok(product)) => kept.take(product, frozen.ground()),
                Some(Err(making::TooExpensive)) => {
                    self.0 = State::Refused(count, LandmarkStatus::TooExpensive);
                }
            }
        }
        spent
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

    /// Follows edits of the cells of some rectangles. `cheaper` are the cells around which a path may have
    /// become cheaper. The map is the one after the edits.
    pub(crate) fn follow_edits(
        &mut self,
        map: MapGround<'_>,
        edited: &[Area],
        cheaper: impl IntoIterator<Item = GridNode>,
    ) {
        let Some(kept) = self.after_change() else { return };
        let cheaper: BTreeSet<u32> = cheaper.into_iter().map(GridNode::packed).collect();
        if cheaper.len() > FEW_CELLS && cheaper.len() * LARGEST_SHARE > map.bounds.cell_count() {
            // Most bounds would be lost.
            kept.begin_anew();
            return;
        }
        if let Some(turn) = &mut kept.turn {
            turn.note_cheaper(&cheaper);
        }
        if let Some(tables) = &mut kept.tables {
            if !cheaper.is_empty() {
                let tables = Arc::make_mut(tables);
                let places = tables.all_places();
                tables.follow(map, &cheaper, &places);
            }
            if !tables.patches.is_empty() {
                Arc::make_mut(tables).renew_leans(map, edited);
            }
        }
    }

    /// Follows a change of the map's bounds: landmarks are made anew.
    pub(crate) fn follow_resize(&mut self) {
        if let Some(kept) = self.after_change() {
            kept.begin_anew();
        }
    }
}

/// The most cells that may become cheaper at once on a map of any size.
const FEW_CELLS: usize = 64;
/// The largest share of the map that may become cheaper at once: one cell of this many. Beyond both, all
/// landmarks are made anew.
const LARGEST_SHARE: usize = 16;

/// Returns about how much work it takes to make the landmarks of a movement.
pub(crate) fn expected_work(movement_map: &MovementMap, count: LandmarkCount) -> u64 {
    let open = movement_map.cell_counts().open as u64;
    let tables = count.on(open) as u64 * kinds_on(movement_map).len() as u64;
    // The count of regions takes one pass more, and each tile of a table one unit.
    if tables == 0 { 0 } else { open * (tables + 1) + open * tables / CELLS as u64 }
}

impl Kept {
    fn begin_anew(&mut self) {
        (self.tables, self.turn, self.wants_new) = (None, None, false);
    }

    /// Compares some steps with the tables that are only assumed to break them. Returns the work.
    fn compare_assumed(&mut self, map: MapGround<'_>) -> u64 {
        let tables = self.tables.as_mut().filter(|tables| tables.has_assumed());
        tables.map_or(0, |tables| Arc::make_mut(tables).compare_assumed(map))
    }

    /// Returns the turn under way, or the next one: all landmarks, or the oldest table that a patch
    /// breaks. Fails if the map cannot have landmarks.
    fn next_turn(&mut self, frozen: &Frozen) -> Result<Option<&mut Turn>, LandmarkStatus> {
        if self.turn.is_none() {
            let turn = if let Some(tables) = self.tables.as_ref().filter(|_| !self.wants_new) {
                match tables.oldest_broken() {
                    None => return Ok(None),
                    Some((_, LABELS)) => Turn::of_labels(frozen.clone()),
                    Some((_, place)) => {
                        let kinds = kinds_on(&frozen.movement_map);
                        let kind = (place, kinds[(place % 2).min(kinds.len() - 1)]);
                        Turn::of_table(frozen.clone(), kind, Arc::clone(tables.sources(place)))
                    }
                }
            } else {
                match self.count.on(frozen.movement_map.cell_counts().open as u64) {
                    0 => return Err(LandmarkStatus::TooFewCells),
                    landmarks => Turn::of_landmarks(frozen.clone(), landmarks),
                }
            };
            self.turn = Some(turn);
        }
        Ok(self.turn.as_mut())
    }

    /// Puts what a turn has made in its place. Around the cells that became cheaper since, it is compared
    /// with the present map.
    fn take(&mut self, product: Product, map: MapGround<'_>) {
        let cheaper = self.turn.take().map(|turn| Arc::clone(turn.cheaper())).unwrap_or_default();
        let places = match product {
            Product::Landmarks(made) => {
                let tables = LandmarkTables::new(made, map.bounds);
                let places = tables.all_places();
                (self.tables, self.wants_new) = (Some(Arc::new(tables)), false);
                places
            }
            Product::Table(place, table) => {
                let Some(tables) = &mut self.tables else { return };
                let tables = Arc::make_mut(tables);
                let places = tables.put(place, table);
                tables.renew_all(map);
                places
            }
            Product::Labels(labels) => {
                let Some(tables) = &mut self.tables else { return };
                let tables = Arc::make_mut(tables);
                let places: Vec<usize> = labels.iter().map(|_| LABELS).collect();
                tables.put_labels(labels);
                tables.renew_all(map);
                places
            }
        };
        if let Some(tables) = self.tables.as_mut().filter(|_| !cheaper.is_empty()) {
            Arc::make_mut(tables).follow(map, &cheaper, &places);
        }
    }
}
