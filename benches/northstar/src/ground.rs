//! The maps and places of the plugin's scenes.
//!
//! They use the seeds of the plugin's benchmark.

use testkit::{DiagonalRule, Oracle, Rules, Seed, TileMap};

/// A place on a map.
pub(crate) type Place = (i32, i32);

/// Makes caves: ground of one cost.
pub(crate) fn even(side: u32) -> TileMap {
    testkit::caves(side, side, &Seed::named("plugin"))
}

/// Makes ground of nine costs; a tenth of the cells are walls.
pub(crate) fn mixed(side: u32) -> TileMap {
    testkit::terrain(side, side, 9, 10, &Seed::named("plugin"))
}

/// Returns pairs of open cells.
pub(crate) fn pairs(map: &TileMap, count: usize) -> Vec<(Place, Place)> {
    map.queries(count, &Seed::named("pairs"))
}

/// Returns pairs of open cells. All cells are on the ground that is connected with the first one.
pub(crate) fn connected_pairs(map: &TileMap, count: usize) -> Vec<(Place, Place)> {
    let all = pairs(map, count + count / 8);
    let costs = Oracle::new(map, &Rules::classic(DiagonalRule::OnlyWhenNoObstacles)).costs_from(all[0].0);
    let is_connected = |place: Place| costs[map.slot(place)].is_some();
    let connected = all.into_iter().filter(|&(from, to)| is_connected(from) && is_connected(to));
    let connected: Vec<_> = connected.take(count).collect();
    assert_eq!(connected.len(), count, "too few cells are connected with the first one");
    connected
}
