//! Decisions that stay as they are from version to version.

use crate::{
    random_worlds::world,
    simulation::{LedBy, Pace, Scene},
};
use proptest::{
    strategy::{Strategy as _, ValueTree as _},
    test_runner::TestRunner,
};
use testkit::Seed;
use tilepath::{Cell, Grid, Movement, Topology};

/// The digest of all scenes. It changes if one body decides differently in one tick.
///
/// If it must change, state that in the changelog and set the number from the failed test here. A new
/// version of the crate that draws the worlds changes it too.
const PINNED: u64 = 0x6707_f963_af02_8948;

/// Adds a text to a hash by Fowler, Noll and Vo.
fn add(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns the ticks of all arrivals of bodies that cross a field of a topology.
fn arrivals(topology: Topology, led_by: LedBy) -> String {
    let grid = Grid::new(24, 24, 1).unwrap().with_topology(topology);
    let cells: Vec<Cell> = grid.bounds().cells().collect();
    let [starts, goals] = ["starts", "goals"].map(|name| Seed::named(name).shuffled(&cells));
    let trips = starts.into_iter().zip(goals).take(80).collect();
    let scene = Scene { grid, movement: Movement::new(), pace: Pace::Ticks(&[4, 7, 10]), led_by, trips };
    format!("{:?}", scene.run(2_000).arrived)
}

#[test]
fn decisions_are_the_pinned_ones() {
    let mut runner = TestRunner::deterministic();
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for _ in 0..40 {
        let drawn = world().new_tree(&mut runner).unwrap().current();
        digest = drawn.run().iter().fold(digest, |digest, tick| add(digest, tick));
    }
    for topology in [Topology::Square, Topology::Hexagonal] {
        for led_by in [LedBy::Fields, LedBy::OwnWays] {
            digest = add(digest, &arrivals(topology, led_by));
        }
    }
    assert_eq!(digest, PINNED, "{digest:#018x}");
}
