//! The estimate of hexagons of many costs.
//!
//! The usual estimate takes all ground for the cheapest that there is. Here it is known of each triangle of a lattice over the map what
//! a step in it costs at least ([`LatticeCosts`]), and each corner of the lattice has a height: what the way along the lattice
//! to the goal costs at least. Between the corners of a triangle heights lie on a plane.
//!
//! **Lemma.** No step lowers the height by more than it costs. It lies in one triangle, and there all steps in its direction change
//! the height as much as those along the triangle's side in that direction. From one end of this side to the other heights differ by
//! no more than a side's steps at what the cheapest step in the triangles beside it costs, because the search over the lattice
//! went along it.
//!
//! So the height above the goal is consistent, and admissible. That holds as well if heights end at a level: the search over the
//! lattice need not go farther than what the search over cells comes to.
//!
//! # Source
//! The heights are a feasible potential, as the distances to landmarks are in Goldberg and Harrelson, "Computing the shortest path: A*
//! search meets graph theory", SODA 2005. That they are linear between the corners of a lattice, and what follows from it, is our own.

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

/// A search over the corners of the lattice. Costs are those of one step: a side is as many times as long as all others.
pub(crate) type LatticeSearch = Search<GridNode, GridRecords, BucketQueue<GridNode>>;

/// The most corners that a search looks at: it has to be over before the search over cells begins.
const MOST: u64 = 4096;
/// How many of them it looks at before it is asked whether it has come far enough.
const STRIDE: u64 = 32;
/// Corners of a triangle.
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

/// The corners of a cell's triangle.
fn corners_around(cell: GridNode) -> [GridNode; CORNERS] {
    let corner = GridNode::new(cell.x() / SPACING, cell.y() / SPACING);
    let [east, north] = [Direction::East, Direction::North].map(|direction| corner.moved(direction, 1));
    let is_lower = cell.x() % SPACING + cell.y() % SPACING <= SPACING;
    [if is_lower { corner } else { corner.offset(1, 1) }, east, north]
}

/// Finds the heights of the corners between a goal and a start, and some around; the level at which heights end.
///
/// # Complexity
/// O(corners that are as near to the goal as the start is, and some more), and no more than some thousand.
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

/// How far a search over the lattice has come.
struct Progress {
    around: [GridNode; CORNERS],
    /// How many corners around the start it has not come to.
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
                // The cells behind the start matter, too.
                self.enough = self.level.saturating_add(self.level / 4);
            }
        }
    }
}

/// The usual estimate, or the height above the goal where that is more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LatticeDistance<'a> {
    octile: OctileDistance,
    heights: &'a GridRecords,
    columns: usize,
    level: u32,
}

impl<'a> LatticeDistance<'a> {
    /// By the heights that [`look_over`] found.
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

    #[inline]
    fn priority(&self, g: Cost, node: GridNode) -> Option<Cost> {
        let left = self.octile.distance(node).max(self.height(node));
        u32::try_from(u64::from(g.get()) + left).ok().map(Cost::new)
    }
}

#[cfg(test)]
mod tests;
