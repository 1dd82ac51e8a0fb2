//! Lower bounds for the paths that depend on cells that opened.
//!
//! A *cluster* is a group of changed cells whose squares overlap: the cells around each of them. Its
//! *ring* are the cells of these squares that were open before. A path that depends on changed cells
//! takes old steps to a ring, then changed steps. It may take old steps to other rings, and changed
//! steps there. Old steps lead to its end.
//!
//! Landmarks bound the cost of old steps. They do so also while they are behind, if all cells that
//! opened since are among the changed cells.
//!
//! Decision: `docs/decisions/43-kept-paths.md`.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    journal::Revision,
    landmarks::{
        cell_sets::{CellSet, KeptTables},
        ground::MapGround,
        tiles::LandmarkTables,
    },
    movement_map::{area::Area, plane},
    space::{grid::GridNode, octile_distance::Metric},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, sync::Arc};

/// The most clusters with bounds of their own.
const MAX_CLUSTERS: usize = 64;
/// The largest share of the map that the squares may cover: one cell of this many.
const LARGEST_SHARE: usize = 8;

/// Lower bounds for the costs of paths that depend on cells that opened. Make them once after edits with
/// [`PathFinder::opening_bounds`], for all paths of a movement.
#[derive(Clone, Debug)]
pub struct OpeningBounds {
    movement: MovementId,
    revision: Revision,
    tables: Arc<LandmarkTables>,
    metric: Metric,
    /// The least cost of a step.
    step: u64,
    /// The slots of all cells in squares.
    squares: FxHashSet<usize>,
    rings: Vec<CellSet>,
    /// The least cost from a cell of one ring to the end of the changed steps of another, row by row.
    between: Vec<u64>,
}

impl PathFinder {
    /// Returns lower bounds for the costs of all paths that depend on cells that opened: the cells that
    /// [`Movement::openings_since`](crate::Movement::openings_since) returns. Returns `None` if the
    /// movement has no [landmarks](Self::make_landmarks), or if too many cells opened. Then use
    /// [`least_cost_by`](Self::least_cost_by).
    ///
    /// Use the bounds to check many kept paths after an edit. A kept path is still a cheapest one if it
    /// costs no more than [`OpeningBounds::least_cost`], and no more than the cheapest path before. The
    /// landmarks need not be repaired before.
    ///
    /// # Errors
    /// [`QueryError::UnknownMovement`], or the error of a movement that does not fit the map.
    ///
    /// # Complexity
    /// O(opened cells × landmarks), and O(groups³) for at most 64 groups of neighbouring cells.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{Bounds, Cell, Cost, Grid, LandmarkCount, Movement, MovementId, PathFinder};
    /// // A wall with one gap far away.
    /// let walls = (0..64 * 64).map(|slot| u8::from(slot % 64 != 32 || slot / 64 == 63));
    /// let mut finder = PathFinder::new(Grid::from_classes(64, 64, walls.collect())?, Movement::new());
    /// let house = Cell::new(40, 20);
    /// finder.set_terrain(house, 0)?;
    /// finder.make_landmarks(MovementId::FIRST, LandmarkCount::Exactly(4))?;
    /// finder.set_terrain(house, 1)?; // it burns down
    ///
    /// let (unit, goal) = (Cell::new(0, 0), Cell::new(63, 0));
    /// let bounds = finder.opening_bounds(&[house], MovementId::FIRST)?.expect("there are landmarks");
    /// let least = bounds.least_cost(&finder, unit, &[goal]);
    /// // Every path leads through the gap, so a path past the house is long.
    /// assert!(least > Some(Cost::new(1300)));
    /// let line = finder.least_cost_by(unit, Bounds::new(house, 1, 1)?, Bounds::new(goal, 1, 1)?, MovementId::FIRST)?;
    /// assert!(line < Cost::new(900));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn opening_bounds(
        &self,
        opened: &[Cell],
        movement: MovementId,
    ) -> Result<Option<OpeningBounds>, QueryError> {
        let movement_map = self.movement_map(movement)?;
        let Some(kept) = self.kept(movement)?.landmarks.kept_tables() else { return Ok(None) };
        let metric = Metric::new(movement_map.movement(), movement_map.topology(), movement_map.cheapest());
        let [straight, diagonal] = movement_map.movement().unit_costs(movement_map.topology());
        let step = u64::from(straight.min(diagonal)) * u64::from(movement_map.cheapest());
        let bounds = self.grid.bounds();
        let map = MapGround { bounds: &bounds, classes: self.grid.classes(), movement_map };
        let Some(Clusters { squares, rings }) = Clusters::of(opened, kept, map) else { return Ok(None) };
        let between = least_between(&rings, metric, step);
        let (revision, tables) = (self.grid.revision(), Arc::clone(kept.tables()));
        Ok(Some(OpeningBounds { movement, revision, tables, metric, step, squares, rings, between }))
    }
}

impl OpeningBounds {
    /// Returns a lower bound for the cost of every path from a cell to one of some cells that depends on
    /// the opened cells. Returns `None` if landmarks do not give one: an end of the path lies beside an
    /// opened cell, is closed, or is not on the map; or the map or the landmarks have changed since. Then use
    /// [`least_cost_by`](PathFinder::least_cost_by). If no path can depend on the cells, the bound is
    /// [`Cost::MAX`].
    ///
    /// # Guarantee
    /// Admissible: no path that depends on the opened cells costs less.
    ///
    /// # Complexity
    /// O(landmarks × (goals + groups) + groups²).
    #[must_use]
    pub fn least_cost(&self, finder: &PathFinder, start: Cell, goals: &[Cell]) -> Option<Cost> {
        let movement_map = finder.movement_map(self.movement).ok()?;
        let kept = finder.kept(self.movement).ok()?.landmarks.kept_tables()?;
        let is_present = finder.grid.revision() == self.revision && Arc::ptr_eq(kept.tables(), &self.tables);
        let bounds = finder.grid.bounds();
        let map = MapGround { bounds: &bounds, classes: finder.grid.classes(), movement_map };
        let fit = |cell: Cell| {
            bounds.slot(cell).filter(|slot| kept.is_open(*slot) && !self.squares.contains(slot))?;
            GridNode::of(&bounds, cell).filter(|node| movement_map.is_passable(node.x(), node.y()))
        };
        let from = fit(start).filter(|_| is_present)?;
        let to: Vec<GridNode> = goals.iter().map(|&goal| fit(goal)).collect::<Option<_>>()?;
        let from = CellSet::new([from].into_iter(), kept, map)?;
        let to = CellSet::new(to.into_iter(), kept, map)?;
        let count = self.rings.len();
        let on: Vec<u64> = self.rings.iter().map(|ring| ring.least_cost_to(&to, self.metric)).collect();
        let over = self.rings.iter().enumerate().flat_map(|(first, ring)| {
            let there = from.least_cost_to(ring, self.metric).saturating_add(self.step);
            let between = &self.between[first * count..][..count];
            let sum = move |(between, on): (&u64, &u64)| there.saturating_add(*between).saturating_add(*on);
            between.iter().zip(&on).map(sum)
        });
        let least = over.min().unwrap_or(u64::MAX);
        Some(Cost::new(u32::try_from(least).unwrap_or(u32::MAX)))
    }
}

/// The squares around changed cells, and the rings of their clusters.
struct Clusters {
    squares: FxHashSet<usize>,
    rings: Vec<CellSet>,
}

impl Clusters {
    fn of(opened: &[Cell], kept: KeptTables<'_>, map: MapGround<'_>) -> Option<Self> {
        let MapGround { bounds, movement_map, .. } = map;
        let (width, height) = (bounds.width(), bounds.height());
        let opened = opened.iter().filter_map(|&cell| bounds.local(cell));
        let anchors = opened.map(|(x, y)| plane::covering(movement_map.movement(), &Area::of_cell(x, y)));
        // Cells below the floor have opened since the landmarks were made, too.
        let below = kept.below().map(|slot| Area::of_cell(slot as u32 % width, slot as u32 / width));
        let most = bounds.cell_count() / LARGEST_SHARE;
        let (mut groups, mut group_of) = (Groups::default(), FxHashMap::default());
        for square in anchors.chain(below).map(|area| area.grown(1, width, height)) {
            let group = groups.next();
            for (x, y) in square.cells() {
                let known = *group_of.entry((y * width + x) as usize).or_insert(group);
                groups.join(known, group);
            }
            if group_of.len() > most {
                return None;
            }
        }
        let mut rings: BTreeMap<u32, Vec<GridNode>> = BTreeMap::new();
        for (&slot, &group) in group_of.iter().filter(|&(&slot, _)| kept.is_open(slot)) {
            let node = GridNode::new(slot as u32 % width, slot as u32 / width);
            rings.entry(groups.first(group)).or_default().push(node);
        }
        let sets = rings.values().filter_map(|ring| CellSet::new(ring.iter().copied(), kept, map));
        let rings: Vec<CellSet> = sets.collect();
        let squares = group_of.into_keys().collect();
        (rings.len() <= MAX_CLUSTERS).then_some(Self { squares, rings })
    }
}

/// Returns the least costs from each ring to the end of the changed steps of another, row by row.
fn least_between(rings: &[CellSet], metric: Metric, step: u64) -> Vec<u64> {
    let count = rings.len();
    let direct = |from: usize, to: usize| {
        if from == to { 0 } else { rings[from].least_cost_to(&rings[to], metric).saturating_add(step) }
    };
    let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
    let mut between: Vec<u64> = pairs.clone().map(|(from, to)| direct(from, to)).collect();
    for (over, from) in pairs {
        for to in 0..count {
            let detour = between[from * count + over].saturating_add(between[over * count + to]);
            between[from * count + to] = between[from * count + to].min(detour);
        }
    }
    between
}

/// Numbers that are joined into groups.
#[derive(Default)]
struct Groups(Vec<u32>);

impl Groups {
    fn next(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    /// Returns the least number of a group.
    fn first(&self, number: u32) -> u32 {
        let mut first = number;
        while self.0[first as usize] != first {
            first = self.0[first as usize];
        }
        first
    }

    fn join(&mut self, one: u32, other: u32) {
        let [one, other] = [one, other].map(|number| self.first(number));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
