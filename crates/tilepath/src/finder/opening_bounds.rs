//! Lower bounds for the paths that depend on cells that opened.
//!
//! A *cluster* is a group of opened cells whose squares overlap: the cells around each of them. Its
//! *ring* are the open cells of these squares. A path that depends on opened cells takes a step in a
//! ring. The patches of the landmarks are rings, too: they hold all steps that some table does not know.
//! So a path is made of steps that all tables know, and of steps in rings.
//!
//! Landmarks bound the cost of the former. A path may take steps in any rings, but it must take one in the
//! ring of a cluster: old patches by themselves prove nothing against a path that was proven since.
//!
//! Decision: `docs/decisions/43-kept-paths.md`.

use crate::{
    cell::Cell,
    cost::Cost,
    finder::{PathFinder, outcome::QueryError, query::MovementId},
    journal::Revision,
    landmarks::{cell_sets::CellSet, ground::MapGround, patch::Patch, tables::LandmarkTables},
    movement_map::{area::Area, plane},
    space::{grid::GridNode, octile_distance::Metric},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::BTreeMap, sync::Arc};

/// The most rings with bounds of their own.
const MAX_RINGS: usize = 64;
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
    /// The slots of all cells in squares of opened cells.
    squares: FxHashSet<usize>,
    /// The rings of the clusters, then the rings of the patches.
    rings: Vec<Ring>,
    /// The number of clusters.
    clusters: usize,
    /// The least cost from a cell of one ring to the end of a step in another, row by row.
    between: Vec<u64>,
}

/// Cells among which a path may take a step that the tables do not know.
#[derive(Clone, Debug)]
struct Ring {
    cells: CellSet,
    /// The least cost of such a step.
    step: u64,
}

impl PathFinder {
    /// Returns lower bounds for the costs of all paths that depend on cells that opened: the cells that
    /// [`Movement::openings_since`](crate::Movement::openings_since) returns. Returns `None` if the
    /// movement has no [landmarks](Self::make_landmarks), or if too many cells opened. Then use
    /// [`least_cost_by`](Self::least_cost_by).
    ///
    /// Use the bounds to check many kept paths after an edit. A kept path is still a cheapest one if it
    /// costs no more than [`OpeningBounds::least_cost`], and no more than the cheapest path before.
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
        let Some(tables) = self.kept(movement)?.landmarks.tables().cloned() else { return Ok(None) };
        let metric = Metric::new(movement_map.movement(), movement_map.topology(), movement_map.cheapest());
        let [straight, diagonal] = movement_map.movement().unit_costs(movement_map.topology());
        let step = u64::from(straight.min(diagonal)) * u64::from(movement_map.cheapest());
        let bounds = self.grid.bounds();
        let map = MapGround { bounds: &bounds, classes: self.grid.classes(), movement_map };
        let Some(Clusters { squares, cells }) = Clusters::of(opened, &tables, map) else { return Ok(None) };
        let clusters = cells.len();
        let has_ring = |patch: &&Patch| patch.cells().any(|node| map.is_open(node));
        if clusters + tables.patches().filter(has_ring).count() > MAX_RINGS {
            return Ok(None);
        }
        let rings = cells.into_iter().map(|cells| Ring { cells, step });
        let patches = tables.patches().filter_map(|patch| {
            let cells = CellSet::of_patch(patch, &tables, map)?;
            Some(Ring { cells, step: patch.least().into() })
        });
        let rings: Vec<Ring> = rings.chain(patches).collect();
        let between = least_between(&rings, metric);
        let revision = self.grid.revision();
        Ok(Some(OpeningBounds { movement, revision, tables, metric, squares, rings, clusters, between }))
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
        let tables = finder.kept(self.movement).ok()?.landmarks.tables()?;
        let is_present = finder.grid.revision() == self.revision && Arc::ptr_eq(tables, &self.tables);
        let bounds = finder.grid.bounds();
        let map = MapGround { bounds: &bounds, classes: finder.grid.classes(), movement_map };
        let fit = |cell: Cell| {
            bounds.slot(cell).filter(|slot| !self.squares.contains(slot))?;
            GridNode::of(&bounds, cell).filter(|node| movement_map.is_passable(node.x(), node.y()))
        };
        let from = fit(start).filter(|_| is_present)?;
        let to: Vec<GridNode> = goals.iter().map(|&goal| fit(goal)).collect::<Option<_>>()?;
        let from = CellSet::new([from].into_iter(), tables, map)?;
        let to = CellSet::new(to.into_iter(), tables, map)?;
        let least = |costs: &mut dyn Iterator<Item = u64>| costs.min().unwrap_or(u64::MAX);
        let enter = |ring: &Ring| from.least_cost_to(&ring.cells, self.metric).saturating_add(ring.step);
        let there: Vec<u64> = self.rings.iter().map(enter).collect();
        let on: Vec<u64> = self.rings.iter().map(|ring| ring.cells.least_cost_to(&to, self.metric)).collect();
        let count = self.rings.len();
        let over = (0..self.clusters).map(|cluster| {
            let pairs =
                |ring: usize| (self.between[ring * count + cluster], self.between[cluster * count + ring]);
            let before = least(&mut (0..count).map(|ring| there[ring].saturating_add(pairs(ring).0)));
            let after = least(&mut (0..count).map(|ring| pairs(ring).1.saturating_add(on[ring])));
            before.saturating_add(after)
        });
        let least = over.min().unwrap_or(u64::MAX);
        Some(Cost::new(u32::try_from(least).unwrap_or(u32::MAX)))
    }
}

/// The squares around opened cells, and the open cells of each cluster.
struct Clusters {
    squares: FxHashSet<usize>,
    cells: Vec<CellSet>,
}

impl Clusters {
    fn of(opened: &[Cell], tables: &LandmarkTables, map: MapGround<'_>) -> Option<Self> {
        let MapGround { bounds, movement_map, .. } = map;
        let (width, height) = (bounds.width(), bounds.height());
        let opened = opened.iter().filter_map(|&cell| bounds.local(cell));
        let anchors = opened.map(|(x, y)| plane::covering(movement_map.movement(), &Area::of_cell(x, y)));
        let most = bounds.cell_count() / LARGEST_SHARE;
        let (mut groups, mut group_of) = (Groups::default(), FxHashMap::default());
        for square in anchors.map(|area| area.grown(1, width, height)) {
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
        for (&slot, &group) in &group_of {
            let node = GridNode::new(slot as u32 % width, slot as u32 / width);
            if movement_map.is_passable(node.x(), node.y()) {
                rings.entry(groups.first(group)).or_default().push(node);
            }
        }
        let cells: Vec<CellSet> =
            rings.values().filter_map(|ring| CellSet::new(ring.iter().copied(), tables, map)).collect();
        (cells.len() <= MAX_RINGS).then(|| Self { squares: group_of.into_keys().collect(), cells })
    }
}

/// Returns the least costs from each ring to the end of a step in another, row by row.
fn least_between(rings: &[Ring], metric: Metric) -> Vec<u64> {
    let count = rings.len();
    let direct = |from: usize, to: usize| {
        let [here, there] = [from, to].map(|ring| &rings[ring]);
        let way = || here.cells.least_cost_to(&there.cells, metric).saturating_add(there.step);
        if from == to { 0 } else { way() }
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
