//! The lattice estimate for hexagons of many costs.
//!
//! The octile estimate assumes the cheapest ground everywhere. Here a lattice of triangles covers
//! the map, and [`LatticeCosts`] contain the least cost of a step in each triangle. Each corner of
//! the lattice has a height: the least cost of a path along the lattice to the goal. Between the
//! corners of a triangle, heights lie on a plane.
//!
//! **Lemma.** No step lowers the height by more than its cost.
//!
//! *Proof.* A step lies in one triangle. All steps there in its direction change the height by the
//! same amount, also steps along the triangle's side in that direction. The search over the lattice
//! went along this side. So the heights at its ends differ by at most the number of its steps times
//! the cheapest step in the triangles beside it.
//!
//! The height above the goal is therefore consistent and admissible. This is also true if heights
//! are cut off at a level. So the search over the lattice need not cover more than the search over
//! cells reaches.
//!
//! # Source
//! The heights are a feasible potential, as the distances to landmarks are in Goldberg and
//! Harrelson, "Computing the shortest path: A* search meets graph theory", SODA 2005. The linear
//! heights between the corners of a lattice, and the results from them, are our own.
//!
//! Decision: `docs/decisions/16-hexagon-heights.md`.

use crate::{
    cell::Direction,
    cost::Cost,
    movement_map::lattice_costs::{LatticeCosts, SPACING},
    search::{
        BucketQueue, ByPriority, Dijkstra, NoGoal, Problem, Search, SearchSpace, SearchStatus, Strategy,
        observer::Observer,
    },
    space::{
        grid::{GridLink, GridNode, GridRecords},
        octile_distance::OctileDistance,
    },
    topology::Topology,
};

/// A search over the corners of the lattice. Its costs are per step, because all sides have equally
/// many steps.
pub(crate) type LatticeSearch = Search<GridNode, GridRecords, BucketQueue<GridNode>>;

/// The most corners that a search expands. It must end before the search over cells begins.
const MOST: u64 = 4096;
/// The number of corners that a search expands between two tests of its progress.
const STRIDE: u64 = 32;
/// The number of corners of a triangle.
const CORNERS: usize = 3;

/// The corners of a lattice as a search space.
struct LatticeSpace<'map>(&'map LatticeCosts);

impl SearchSpace for LatticeSpace<'_> {
    type Node = GridNode;
    type Cost = Cost;
    type Link = GridLink;
    type Records = GridRecords;

    #[inline]
    fn key(&self, corner: GridNode) -> usize {
        corner.y() as usize * self.0.corners()[0] as usize + corner.x() as usize
    }

    fn key_count(&self) -> usize {
        self.0.corners().map(|count| count as usize).iter().product()
    }

    #[inline]
    fn expand(&self, corner: GridNode, _: Option<GridLink>, mut emit: impl FnMut(GridNode, Cost, GridLink)) {
        let sides = self.0.sides(corner.x(), corner.y());
        for (&direction, cost) in Topology::Hexagonal.directions().iter().zip(sides) {
            if let Some(cost) = cost {
                emit(corner.moved(direction, 1), Cost::new(cost), GridLink::along(direction));
            }
        }
    }

    fn predecessor(&self, corner: GridNode, link: GridLink) -> GridNode {
        corner.before(link.place())
    }
}

/// Returns the corners of a cell's triangle.
fn corners_around(cell: GridNode) -> [GridNode; CORNERS] {
    let corner = GridNode::new(cell.x() / SPACING, cell.y() / SPACING);
    let [east, north] = [Direction::East, Direction::North].map(|direction| corner.moved(direction, 1));
    let is_lower = cell.x() % SPACING + cell.y() % SPACING <= SPACING;
    [if is_lower { corner } else { corner.offset(1, 1) }, east, north]
}

/// Finds the heights of the corners between a goal and a start, and of some more around. Returns
/// the level at which heights are cut off.
///
/// # Complexity
/// O(corners that are as near to the goal as the start, plus some more), at most some thousand.
pub(crate) fn look_over(
    costs: &LatticeCosts,
    search: &mut LatticeSearch,
    [start, goal]: [GridNode; 2],
) -> u32 {
    let space = LatticeSpace(costs);
    let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
    search.begin(&problem, &corners_around(goal));
    let mut progress = Progress { around: corners_around(start), left: CORNERS, level: 0, enough: u32::MAX };
    while progress.level < progress.enough && search.expanded() < MOST {
        if search.advance(&problem, &mut progress, STRIDE) == SearchStatus::Done {
            break;
        }
    }
    progress.level
}

/// The progress of a search over the lattice.
struct Progress {
    around: [GridNode; CORNERS],
    /// The number of corners around the start that are not reached yet.
    left: usize,
    level: u32,
    enough: u32,
}

impl Observer<GridNode, Cost> for Progress {
    fn expanded(&mut self, corner: GridNode, height: Cost) {
        self.level = height.get();
        if self.around.contains(&corner) {
            self.left -= 1;
            if self.left == 0 {
                // The cells beyond the start matter too.
                self.enough = self.level.saturating_add(self.level / 4);
            }
        }
    }
}

/// The octile estimate, or the height above the goal if that is larger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticeDistance<'a> {
    octile: OctileDistance,
    heights: &'a GridRecords,
    columns: usize,
    level: u32,
}

impl<'a> LatticeDistance<'a> {
    /// Makes the estimate from the heights that [`look_over`] found.
    pub(crate) fn new(
        octile: OctileDistance,
        costs: &LatticeCosts,
        search: &'a LatticeSearch,
        level: u32,
    ) -> Self {
        Self { octile, heights: search.records(), columns: costs.corners()[0] as usize, level }
    }

    #[inline]
    fn height(&self, node: GridNode) -> u64 {
        let (x, y) = (node.x() % SPACING, node.y() % SPACING);
        let corner = (node.y() / SPACING) as usize * self.columns + (node.x() / SPACING) as usize;
        let at = |corner: usize| u64::from(self.heights.cost_up_to(corner, self.level));
        let [east, north] = [at(corner + 1), at(corner + self.columns)];
        if x + y <= SPACING {
            at(corner) * u64::from(SPACING - x - y) + east * u64::from(x) + north * u64::from(y)
        } else {
            at(corner + self.columns + 1) * u64::from(x + y - SPACING)
                + north * u64::from(SPACING - x)
                + east * u64::from(SPACING - y)
        }
    }
}

impl Strategy<GridNode, Cost> for LatticeDistance<'_> {
    type Order = ByPriority;
    type Priority = Cost;

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        let left = self.octile.distance(node).max(self.height(node));
        u32::try_from(u64::from(g.get()) + left).ok().map(Cost::new)
    }
}

#[cfg(test)]
mod tests;
