//! The tables of all landmarks of a movement, and what they do not know.

use super::{
    labels::{Labels, NO_LABEL},
    lean::Lean,
    making::{Made, Sources},
    patch::{LABELS, Patch, TableSet},
    table::{Kind, Table, UNKNOWN},
};
use crate::{bounds::Bounds, cell::Cell, journal::Revision, space::grid::GridNode};
use rustc_hash::FxHashMap;
use std::{collections::BTreeMap, sync::Arc};

/// The most patches with which landmarks lead searches.
pub(crate) const MOST_PATCHES: usize = 128;

/// The tables of all landmarks, each of the age at which it was made, and the patches over them.
///
/// Each landmark has two places: for a table of the costs to it, then for one of the costs from it. They
/// hold the same table if one holds both directions.
///
/// All parts are shared with the searches that hold an earlier state.
#[derive(Clone, Debug)]
pub(crate) struct LandmarkTables {
    landmarks: Vec<Cell>,
    sources: Vec<Sources>,
    tables: Vec<Arc<Table>>,
    /// The costs of cells that were closed when a table was made, by packed node, for each table.
    opened: Arc<FxHashMap<u32, Arc<[u32]>>>,
    pub(super) labels: Option<Labels>,
    /// By block.
    pub(super) patches: BTreeMap<u32, Arc<Patch>>,
}

impl LandmarkTables {
    pub(super) fn new(made: Made, bounds: &Bounds) -> Self {
        let revision = made.tables.first().map_or(Revision::FIRST, |[table, _]| table.revision());
        let landmarks = made.sources.iter().filter_map(|sources| Some(sources.first()?.cell(bounds)));
        Self {
            landmarks: landmarks.collect(),
            tables: made.tables.into_iter().flatten().collect(),
            sources: made.sources,
            opened: Arc::default(),
            labels: made.labels.map(|labels| Labels::new(labels, bounds.width(), revision)),
            patches: BTreeMap::new(),
        }
    }

    /// Returns one cell of each landmark, in the largest region.
    pub(crate) fn landmarks(&self) -> &[Cell] {
        &self.landmarks
    }

    pub(crate) fn patches(&self) -> impl Iterator<Item = &Patch> {
        self.patches.values().map(|patch| &**patch)
    }

    pub(super) fn sources(&self, place: usize) -> &Sources {
        &self.sources[place / 2]
    }

    /// Returns the number of places for tables.
    pub(crate) const fn places(&self) -> usize {
        self.tables.len()
    }

    #[inline]
    pub(super) fn table(&self, place: usize) -> &Arc<Table> {
        &self.tables[place]
    }

    /// Returns whether a table is read as the costs of paths to its landmark.
    pub(super) const fn is_to_landmark(place: usize) -> bool {
        place.is_multiple_of(2)
    }

    /// Returns whether the [`Lean`] is added to the costs of a table.
    pub(super) fn leans(&self, place: usize) -> bool {
        !Self::is_to_landmark(place) && self.tables[place].kind() == Kind::OneLength
    }

    /// Returns whether the [`Lean`] is added to the costs of any table.
    pub(super) fn lean_anywhere(&self) -> bool {
        (0..self.places()).any(|place| self.leans(place))
    }

    /// Returns whether searches may use the tables.
    pub(super) fn may_lead(&self) -> bool {
        self.patches.len() <= MOST_PATCHES
    }

    /// Returns the revision and the place of the oldest table that a patch breaks.
    pub(super) fn oldest_broken(&self) -> Option<(Revision, usize)> {
        let breaks = self.patches.values().fold(TableSet::default(), |all, patch| all.with(patch.breaks()));
        let revision = |place: usize| match &self.labels {
            Some(labels) if place == LABELS => labels.revision(),
            _ => self.tables[place].revision(),
        };
        breaks.places().map(|place| (revision(place), place)).min()
    }

    /// Returns all places, and the one of the labels if there are any.
    pub(super) fn all_places(&self) -> Vec<usize> {
        (0..self.places()).chain(self.labels.as_ref().map(|_| LABELS)).collect()
    }

    /// Returns the label of a cell's region. All cells have the same if there was one region.
    #[inline]
    pub(super) fn label(&self, node: GridNode) -> u16 {
        self.labels.as_ref().map_or(NO_LABEL, |labels| labels.at(node))
    }

    /// Returns the label of some cells, if there are labels and all of them have the same.
    pub(super) fn common_label(&self, nodes: &[GridNode]) -> Option<u16> {
        let labels = self.labels.as_ref()?;
        let first = labels.at(*nodes.first()?);
        nodes.iter().all(|&node| labels.at(node) == first).then_some(first)
    }

    /// Puts new labels in the place of the old ones.
    pub(super) fn put_labels(&mut self, labels: Option<Labels>) {
        self.labels = labels;
        self.mend(&[LABELS]);
    }

    /// Takes some places from the patches that break them.
    fn mend(&mut self, places: &[usize]) {
        self.patches.retain(|_, patch| {
            for &place in places {
                Arc::make_mut(patch).mend(place);
            }
            !patch.breaks().is_empty()
        });
    }

    /// Returns the revision of the oldest table.
    pub(super) fn oldest(&self) -> Option<Revision> {
        self.tables.iter().map(|table| table.revision()).min()
    }

    /// Returns whether patches have steps that were not compared with the tables.
    pub(super) fn has_assumed(&self) -> bool {
        self.patches.values().any(|patch| patch.is_assumed())
    }

    pub(super) fn bytes(&self) -> usize {
        let is_first = |place: &usize| place.is_multiple_of(2) || !self.is_shared(*place);
        let tables: usize = (0..self.places()).filter(is_first).map(|place| self.tables[place].bytes()).sum();
        let patches: usize = self.patches.values().map(|patch| patch.bytes()).sum();
        let labels = self.labels.as_ref().map_or(0, Labels::bytes);
        tables + patches + labels + self.opened.len() * self.places() * size_of::<u32>()
    }

    /// Returns whether both places of a landmark hold the same table.
    pub(super) fn is_shared(&self, place: usize) -> bool {
        Arc::ptr_eq(&self.tables[place], &self.tables[place ^ 1])
    }

    /// Returns the cost of a cell in a table; [`UNKNOWN`] if the table does not know the cell.
    #[inline]
    pub(super) fn cost(&self, place: usize, node: GridNode) -> u32 {
        self.cost_at(place, self.spot(node), node)
    }

    /// Returns the tile of a cell, and the cell's place in it, in all tables.
    #[expect(clippy::inline_always, reason = "it runs for each entry of a search")]
    #[inline(always)]
    pub(super) fn spot(&self, node: GridNode) -> (usize, usize) {
        self.tables.first().map_or((0, 0), |table| table.place(node))
    }

    /// Returns the cost of a cell in a table by the cell's [`spot`](Self::spot).
    #[expect(clippy::inline_always, reason = "it runs several times for each entry of a search")]
    #[inline(always)]
    pub(super) fn cost_at(&self, place: usize, spot: (usize, usize), node: GridNode) -> u32 {
        match self.tables[place].cost_at(spot) {
            UNKNOWN => self.opened_cost(place, node),
            cost => cost,
        }
    }

    /// Returns the cost of a cell that was closed when the table was made.
    #[cold]
    pub(super) fn opened_cost(&self, place: usize, node: GridNode) -> u32 {
        self.opened.get(&node.packed()).map_or(UNKNOWN, |costs| costs[place])
    }

    /// Returns the cost of a cell in a table, with the lean if the table needs it.
    pub(super) fn leaning_cost(&self, place: usize, node: GridNode, lean: Lean<'_>) -> u32 {
        let cost = self.cost(place, node);
        if self.leans(place) { cost.saturating_add(lean.at(node)) } else { cost }
    }

    /// Sets the cost of a cell that was closed when the table was made.
    pub(super) fn set_opened(&mut self, place: usize, node: GridNode, cost: u32) {
        let places = self.places();
        let none = || vec![UNKNOWN; places].into();
        let costs = Arc::make_mut(&mut self.opened).entry(node.packed()).or_insert_with(none);
        Arc::make_mut(costs)[place] = cost;
    }

    /// Puts a new table at a place, and at both places of its landmark if it holds both directions.
    /// Returns the places.
    pub(super) fn put(&mut self, place: usize, table: Arc<Table>) -> Vec<usize> {
        let is_both = matches!(table.kind(), Kind::Even | Kind::OneLength);
        let places = if is_both { vec![place & !1, place | 1] } else { vec![place] };
        let opened = Arc::make_mut(&mut self.opened);
        opened.retain(|_, costs| {
            let costs = Arc::make_mut(costs);
            for &place in &places {
                costs[place] = UNKNOWN;
            }
            costs.iter().any(|&cost| cost != UNKNOWN)
        });
        self.mend(&places);
        for &place in &places {
            self.tables[place] = Arc::clone(&table);
        }
        places
    }
}
