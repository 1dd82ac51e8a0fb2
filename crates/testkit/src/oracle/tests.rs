use super::{DiagonalRule, Oracle, Rules};
use crate::{Scene, Seed, TileMap, caves, cluttered, noise};

/// Returns the costs by a second search on the edges, which relaxes all edges until nothing
/// changes.
fn bellman_ford(oracle: &Oracle, start: usize) -> Vec<Option<u64>> {
    let mut best: Vec<Option<u64>> = vec![None; oracle.land.map.classes.len()];
    let edges = oracle.edges_from(oracle.land.map.position(start));
    best[start] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for from in 0..best.len() {
            let Some(cost) = best[from] else { continue };
            for edge in edges.leaving(from) {
                if best[edge.to].is_none_or(|known| cost + edge.cost < known) {
                    best[edge.to] = Some(cost + edge.cost);
                    changed = true;
                }
            }
        }
    }
    best
}

#[test]
fn dijkstra_and_bellman_ford_agree() {
    let seed = Seed::named("two oracles");
    let maps = [noise(17, 11, 9, 25, &seed), cluttered(13, 13, 40, &seed), caves(30, 20, &seed)];
    for map in &maps {
        for diagonals in DiagonalRule::ALL {
            let oracle = Oracle::new(map, &Rules::classic(diagonals));
            for start in (0..map.classes.len()).step_by(23) {
                let costs = oracle.costs_from(map.position(start));
                assert_eq!(costs, bellman_ford(&oracle, start), "{} {diagonals:?}", map.name);
            }
        }
    }
}

#[test]
fn a_step_past_one_wall_is_a_matter_of_the_rule() {
    let scene = Scene::from_picture(
        "
        .G
        S#
    ",
    );
    let cost =
        |diagonals| Oracle::new(&scene.map, &Rules::classic(diagonals)).cost(scene.start(), scene.goal());
    assert_eq!(cost(DiagonalRule::Never), Some(20));
    assert_eq!(cost(DiagonalRule::OnlyWhenNoObstacles), Some(20));
    assert_eq!(cost(DiagonalRule::IfAtMostOneObstacle), Some(14));
    assert_eq!(cost(DiagonalRule::Always), Some(14));
}

#[test]
fn a_blocked_start_is_left_and_never_entered() {
    let map = TileMap::new("strip", 3, 1, vec![1, 0, 1]);
    let oracle = Oracle::new(&map, &Rules::classic(DiagonalRule::Always));
    assert_eq!(oracle.costs_from((1, 0)), [Some(10), Some(0), Some(10)]);
    assert_eq!(oracle.costs_from((0, 0)), [Some(0), None, None]);
}

#[test]
fn the_map_of_the_road_costs_what_a_hand_count_gives() {
    let scene = Scene::from_picture(
        "
        222222222212222
        222222222212222
        222222222212222
        222222222212222
        222222222212222
        222222222212222
        220000000212222
        222222222212222
        222222222212222
        222222222212222
        222222222212222
        222222222212222
    ",
    );
    let costs = DiagonalRule::ALL
        .map(|diagonals| Oracle::new(&scene.map, &Rules::classic(diagonals)).cost((2, 9), (9, 2)));
    assert_eq!(costs, [Some(240), Some(226), Some(224), Some(224)]);
}

#[test]
fn the_closest_cell_is_the_nearest_then_the_cheapest_then_the_lowest() {
    let scene = Scene::from_picture(
        "
        ..#..
        S.#G.
        ..#..
    ",
    );
    let oracle = Oracle::new(&scene.map, &Rules::classic(DiagonalRule::OnlyWhenNoObstacles));
    let slot = scene.map.slot((1, 1));
    assert_eq!(oracle.closest(scene.start(), scene.goal()), (slot, 10));
}

#[test]
fn a_walk_costs_the_sum_of_its_steps() {
    let map = TileMap::new("strip", 3, 1, vec![1, 2, 3]);
    let oracle = Oracle::new(&map, &Rules::classic(DiagonalRule::Never));
    assert_eq!(oracle.walk_cost(&[(0, 0), (1, 0), (2, 0)]), Some(50));
    assert_eq!(oracle.walk_cost(&[(0, 0), (2, 0)]), None);
    assert_eq!(oracle.walk_cost(&[(0, 0), (-1, 0)]), None);
    assert_eq!(oracle.walk_cost(&[(1, 0)]), Some(0));
}
