//! Maps that were changed and changed back: the map alone decides, not its history.

use proptest::prelude::*;
use tilepath::{Algorithm, Bounds, Cell, Direction, Edit, Exits, Grid, MovementId, PathFinder, PathQuery};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::Auto,
    Algorithm::JumpPoint,
    Algorithm::AStar,
    Algorithm::Dijkstra,
    Algorithm::Greedy,
    Algorithm::WeightedAStar { percent: 150 },
    Algorithm::BreadthFirst,
    Algorithm::DepthFirst,
    Algorithm::Backtracking,
];

/// Returns the edits that make a cell as it is on another map.
fn edits_back(from: &Grid, to: &Grid, cell: Cell) -> Vec<Edit> {
    let mut edits = Vec::new();
    if from.terrain(cell) != to.terrain(cell) {
        edits.push(to.terrain(cell).map_or(Edit::void(cell), |class| Edit::terrain(cell, class)));
    }
    match to.exits(cell) {
        exits if exits == from.exits(cell) => {}
        Some(Exits::NONE) => {
            // No single edit closes the last exit of a cell towards a cell of the map.
            let there = |direction: &Direction| to.bounds().contains(cell + direction.offset());
            let all = Direction::ALL.iter().filter(|direction| there(direction));
            let last = *all.clone().next().expect("a map of one cell has no closed exits");
            edits.push(Edit::exits(cell, Exits::NONE.with(last)));
            edits.push(Edit::one_way(cell + last.offset(), cell));
        }
        Some(exits) => edits.push(Edit::exits(cell, exits)),
        None => {}
    }
    for name in from.overlay_names() {
        if from.overlay(name, cell) != to.overlay(name, cell) {
            edits.push(Edit::overlay(name, cell, to.overlay(name, cell)));
        }
    }
    edits
}

/// Runs all algorithms for some paths of all units. Returns the answers with their work, and the bytes
/// of each unit's map afterwards.
fn answers(world: &PlaneWorld, finder: &PathFinder) -> (Vec<String>, Vec<usize>) {
    let ids: Vec<MovementId> =
        (0..world.units.len()).map(|unit| finder.movement_id(&world.movement(unit)).unwrap()).collect();
    let mut answers = Vec::new();
    for (unit, &id) in ids.iter().enumerate() {
        for (from, algorithm) in ALGORITHMS.into_iter().enumerate() {
            let [start, goal] = [from, from + 1].map(|number| world.cell(world.place(number, unit)));
            let query = PathQuery::new(start, goal).with_movement(id).with_algorithm(algorithm);
            answers.push(format!("{start} to {goal}: {:?}", finder.solve(&query)));
        }
    }
    (answers, ids.into_iter().map(|id| finder.snapshot_bytes(id).unwrap()).collect())
}

/// Makes the maps of all units, or also runs searches on them.
fn use_maps(world: &PlaneWorld, finder: &PathFinder, between: u8) {
    match between {
        0 => {}
        1 => {
            for unit in 0..world.units.len() {
                let id = finder.movement_id(&world.movement(unit)).unwrap();
                finder.snapshot_bytes(id).unwrap();
            }
        }
        _ => _ = answers(world, finder),
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn map_changed_and_changed_back_answers_as_a_fresh_one(
        world in plane_world(Features::ALL, 24),
        border in 0..3_i32,
        between in 0..3_u8,
    ) {
        let mut finder = world.finder();
        use_maps(&world, &finder, between);
        let original = finder.grid().clone();
        let bounds = original.bounds();
        let wide = Bounds::new(
            bounds.origin() - (border, border),
            bounds.width() + 2 * border as u32,
            bounds.height() + 2 * border as u32,
        );
        finder.resize(wide.unwrap(), None);
        for batch in &world.batches {
            finder.edit(&batch.iter().map(|edit| world.edit_of(edit)).collect::<Vec<Edit>>()).unwrap();
            use_maps(&world, &finder, between);
        }
        finder.resize(bounds, None);
        let changed = finder.grid().clone();
        let back: Vec<Edit> =
            bounds.cells().flat_map(|cell| edits_back(&changed, &original, cell)).collect();
        finder.edit(&back).unwrap();
        prop_assert_eq!(finder.grid(), &original);
        let fresh = world.finder();
        let (expected, bytes) = answers(&world, &fresh);
        let (found, kept) = answers(&world, &finder);
        prop_assert_eq!(found, expected);
        // An earlier search may have made tables that this map does not need.
        if between < 2 {
            prop_assert_eq!(kept, bytes);
        }
    }
}
