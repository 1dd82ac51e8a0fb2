use super::*;
use crate::{cell::Cell, grid::Grid, movement::Movement, movement_map::MovementMap, search::Step};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use testkit::{Seed, TileMap};

fn map(kind: u32, width: u32, height: u32) -> TileMap {
    let seed = Seed::named(&format!("lattice {kind}"));
    match kind % 4 {
        0 => testkit::terrain(width, height, 9, kind % 40, &seed),
        1 => testkit::noise(width, height, 2 + kind as u8 % 8, kind % 60, &seed),
        2 => testkit::cluttered(width, height, kind % 70, &seed),
        _ => testkit::open(width, height),
    }
}

/// The heights of a map, as one search uses them.
struct Heights {
    grid: Grid,
    movement_map: MovementMap,
    search: LatticeSearch,
    level: u32,
}

impl Heights {
    fn new(map: &TileMap, [start, goal]: [GridNode; 2]) -> Self {
        let grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let grid = grid.with_topology(Topology::Hexagonal);
        let movement_map = MovementMap::new(&grid, Movement::new());
        let mut search = LatticeSearch::default();
        let costs = movement_map.lattice_costs(&grid.bounds(), grid.classes());
        let level = look_over(costs, &mut search, [start, goal]);
        Self { grid, movement_map, search, level }
    }

    fn above(&self, goal: GridNode, node: GridNode) -> u32 {
        let octile = OctileDistance::new(&self.movement_map, goal);
        let costs = self.movement_map.lattice_costs(&self.grid.bounds(), self.grid.classes());
        let distance = LatticeDistance::new(octile, costs, &self.search, self.level);
        assert!(u64::from(distance.priority(Cost::ZERO, node).unwrap().get()) >= octile.distance(node));
        distance.priority(Cost::ZERO, node).unwrap().get()
    }
}

proptest! {
    #[test]
    fn no_step_lowers_the_height_by_more_than_it_costs(
        kind in 0_u32..400, width in 1_u32..50, height in 1_u32..50, ends in [any::<[u16; 2]>(), any::<[u16; 2]>()]
    ) {
        let ends = ends.map(|[x, y]| GridNode::new(u32::from(x) % width, u32::from(y) % height));
        let goal = ends[1];
        let heights = Heights::new(&map(kind, width, height), ends);
        prop_assert_eq!(heights.above(goal, goal), 0);
        let bounds = heights.grid.bounds();
        for node in (0..height).flat_map(|y| (0..width).map(move |x| GridNode::new(x, y))) {
            for &direction in Topology::Hexagonal.directions() {
                let Some(next) = node.neighbour(direction, &bounds) else { continue };
                let class = heights.grid.terrain(next.cell(&bounds)).unwrap();
                // Closed cells are included, because a unit may stand on them.
                if class > 0 {
                    let after = heights.above(goal, next) + 10 * u32::from(class);
                    prop_assert!(heights.above(goal, node) <= after, "{:?} {:?}", node, direction);
                }
            }
        }
    }

    #[test]
    fn after_edits_the_lattice_is_that_of_a_fresh_build(
        kind in 0_u32..400,
        width in 1_u32..30,
        height in 1_u32..30,
        edits in proptest::collection::vec((any::<[u16; 2]>(), 0_u8..10), 1..20),
    ) {
        let map = map(kind, width, height);
        let grid = Grid::from_classes(width, height, map.classes).unwrap();
        let mut grid = grid.with_topology(Topology::Hexagonal);
        let mut movement_map = MovementMap::new(&grid, Movement::new());
        movement_map.lattice_costs(&grid.bounds(), grid.classes());
        for ([x, y], class) in edits {
            let cell = Cell::new(i32::from(x) % width as i32, i32::from(y) % height as i32);
            let old = grid.terrain(cell).unwrap();
            if grid.set_terrain(cell, class).unwrap() {
                movement_map.follow_edit(&grid, cell, (old, class), |_| ());
            }
            let fresh = MovementMap::new(&grid, Movement::new());
            let known = movement_map.lattice_costs(&grid.bounds(), grid.classes());
            prop_assert_eq!(known, fresh.lattice_costs(&grid.bounds(), grid.classes()));
        }
    }
}

#[test]
fn heights_say_more_than_the_usual_estimate_where_a_ridge_lies_between() {
    let mut map = testkit::open(40, 40);
    for slot in 0..1600 {
        map.classes[slot] = if (14..26).contains(&(slot % 40)) { 9 } else { 1 };
    }
    let ends = [GridNode::new(2, 20), GridNode::new(38, 20)];
    let heights = Heights::new(&map, ends);
    // Twelve steps lead over the ridge. The steps in its two triangles count, but not the last two
    // steps to the goal.
    assert_eq!(heights.above(ends[1], ends[0]), 26 * 10 + 8 * 90);
}

#[test]
fn a_search_over_a_large_lattice_ends_after_some_thousand_corners() {
    let map = testkit::terrain(600, 600, 9, 10, &Seed::named("large lattice"));
    let ends = [GridNode::new(3, 3), GridNode::new(590, 590)];
    let mut heights = Heights::new(&map, ends);
    assert_eq!(heights.search.expanded(), MOST);
    let costs = heights.movement_map.lattice_costs(&heights.grid.bounds(), heights.grid.classes());
    let space = LatticeSpace(costs);
    let problem = Problem { space: &space, strategy: &Dijkstra, goal: &NoGoal };
    assert!(matches!(heights.search.step(&problem, &mut ()), Step::Expanded(_)), "the search could go on");
}
