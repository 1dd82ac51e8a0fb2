//! Edits of every kind, in lists.
//!
//! The tests compare the edited map and check that a list is made whole or not at all. They also
//! check that finders, what-if queries and recordings follow the edits.

use proptest::prelude::*;
use tilepath::{
    Algorithm, Bounds, Cell, Direction, Edit, Exits, Grid, GridError, Movement, PathFinder, PathQuery,
    Topology, WhatIf, field::FieldQuery, recording::Recorder,
};

use crate::{
    plane_worlds::{Features, PlaneWorld, plane_world},
    worlds::cases,
};

/// Returns the edits of a batch in the form of the core.
fn of_batch(world: &PlaneWorld, number: usize) -> Vec<Edit> {
    world.batches[number].iter().map(|edit| world.edit_of(edit)).collect()
}

/// Returns an edit that is impossible on the map, and its error.
fn impossible(grid: &Grid, kind: u8) -> (Edit, GridError) {
    let bounds = grid.bounds();
    let inside = bounds.origin();
    let past = Cell::new(inside.x + bounds.width() as i32, inside.y);
    let wide = Bounds::new(inside, bounds.width() + 1, 1).unwrap();
    let out = GridError::OutOfBounds { cell: past, bounds };
    let apart = GridError::NotNeighbours { from: inside, to: inside };
    match kind {
        0 => (Edit::terrain(past, 1), out),
        1 => (Edit::terrain_in(wide, 1), out),
        2 => (Edit::void(past), out),
        3 => (Edit::void_in(wide), out),
        4 => (Edit::exits(past, Exits::NONE), out),
        5 => (Edit::exits(inside, Exits::NONE), GridError::NoExit { cell: inside }),
        6 => (Edit::one_way(inside, past), out),
        7 => (Edit::fence(inside, inside), apart),
        8 => (Edit::open_edge(inside, inside), apart),
        9 => (Edit::ledge(past, Direction::South), out),
        10 => {
            let below = GridError::NotNeighbours { from: inside, to: inside + (-1, -1) };
            (Edit::ledge(inside, Direction::SouthWest), below)
        }
        11 => (Edit::overlay("danger", past, 1), out),
        _ => (Edit::overlay_in("new", wide, 1), out),
    }
}

/// Checks that both finders give the same answers for all units.
fn assert_same_answers(world: &PlaneWorld, finder: &PathFinder, fresh: &PathFinder) {
    assert_eq!(finder.grid(), fresh.grid());
    for unit in 0..world.units.len() {
        let [id, fresh_id] = [finder, fresh].map(|finder| finder.movement_id(&world.movement(unit)).unwrap());
        let (start, goal) = (world.cell(world.place(0, unit)), world.cell(world.place(1, unit)));
        for algorithm in [Algorithm::Auto, Algorithm::AStar, Algorithm::JumpPoint] {
            let query = PathQuery::new(start, goal).with_algorithm(algorithm).or_closest();
            let [answer, expected] = [(finder, id), (fresh, fresh_id)].map(|(finder, id)| {
                finder.solve(&query.with_movement(id)).map_err(|error| error.to_string())
            });
            assert_eq!(answer, expected, "{query:?}");
        }
        let reachable = |finder: &PathFinder, id| {
            let to = |place| PathQuery::new(start, world.cell(place)).with_movement(id);
            world.positions().map(|place| finder.is_reachable(&to(place)).ok()).collect::<Vec<_>>()
        };
        assert_eq!(reachable(finder, id), reachable(fresh, fresh_id));
        let costs = |finder: &PathFinder, id| {
            let field = finder.solve_field(&FieldQuery::new([goal]).with_movement(id));
            let costs = |field: tilepath::field::FlowField| {
                world.positions().map(|place| field.cost(world.cell(place))).collect::<Vec<_>>()
            };
            field.map(costs).map_err(|error| error.to_string())
        };
        assert_eq!(costs(finder, id), costs(fresh, fresh_id));
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn maps_equal_a_model_and_edits_are_made_all_or_not_at_all(
        mut world in plane_world(Features::ALL, 30),
        place in any::<prop::sample::Index>(),
        kind in 0..=12_u8,
    ) {
        let mut grid = world.grid();
        for number in 0..world.batches.len() {
            let edits = of_batch(&world, number);
            let (wrong, error) = impossible(&grid, kind);
            let mut spoilt = edits.clone();
            spoilt.insert(place.index(edits.len() + 1), wrong);
            let (before, revision) = (grid.clone(), grid.revision());
            prop_assert_eq!(grid.edit(&spoilt), Err(error));
            prop_assert_eq!((&grid, grid.revision()), (&before, revision));
            prop_assert!(grid.overlay_names().eq(before.overlay_names()));

            let changes = grid.edit(&edits).unwrap();
            let land = &mut world.land;
            let expected: usize = world.batches[number].iter().map(|edit| edit.apply(land)).sum();
            prop_assert_eq!(changes, expected);
            prop_assert_eq!(&grid, &world.grid());
            // Single edits make as many changes, in the same order.
            let mut single = before;
            let singly: usize = edits.iter().map(|edit| single.edit(std::slice::from_ref(edit)).unwrap()).sum();
            prop_assert_eq!(changes, singly);
            prop_assert_eq!((&grid, grid.revision()), (&single, single.revision()));
            let journals = [&grid, &single].map(|grid| grid.changes_since(revision).map(Iterator::collect::<Vec<_>>));
            prop_assert_eq!(&journals[0], &journals[1]);
            prop_assert!(journals[0].as_ref().is_none_or(|cells| cells.len() == changes));
        }
    }

    #[test]
    fn finders_answer_as_fresh_ones_after_lists_of_edits(mut world in plane_world(Features::ALL, 30)) {
        let mut finder = world.finder();
        assert_same_answers(&world, &finder, &world.finder());
        for batch in std::mem::take(&mut world.batches) {
            world.edit(&mut finder, &batch);
            assert_same_answers(&world, &finder, &world.finder());
        }
    }

    #[test]
    fn supposed_maps_equal_a_model_and_edits_of_all_kinds_are_taken_back(
        mut world in plane_world(Features::ALL, 30),
        kind in 0..=12_u8,
    ) {
        let mut finder = world.finder();
        let mut what_if = WhatIf::new(&finder);
        for number in 0..world.batches.len() {
            let edits = of_batch(&world, number);
            let (land, revision) = (world.land.clone(), finder.grid().revision());
            for edit in &world.batches[number] {
                edit.apply(&mut world.land);
            }
            assert_same_answers(&world, what_if.with_edits(&finder, &edits).unwrap(), &world.finder());
            world.land = land;
            prop_assert_eq!(finder.grid().revision(), revision);
            if number % 2 == 0 {
                let (wrong, error) = impossible(finder.grid(), kind);
                let spoilt = [&edits[..], &[wrong]].concat();
                prop_assert_eq!(what_if.with_edits(&finder, &spoilt).err(), Some(error));
            }
            assert_same_answers(&world, what_if.with_edits(&finder, &[]).unwrap(), &world.finder());
            // The map itself changes while the edits of this batch are supposed: half of the edits
            // are made.
            what_if.with_edits(&finder, &edits).unwrap();
            let made = world.batches[number].clone();
            world.edit(&mut finder, &made[..made.len() / 2]);
        }
        assert_same_answers(&world, what_if.with_edits(&finder, &[]).unwrap(), &world.finder());
    }

    #[test]
    fn recordings_hold_what_edits_have_led_to(mut world in plane_world(Features::ALL, 20)) {
        let mut finder = world.finder();
        let mut recorder = Recorder::new(&finder);
        for batch in std::mem::take(&mut world.batches) {
            world.edit(&mut finder, &batch);
            let query = PathQuery::new(world.cell(world.place(0, 0)), world.cell(world.place(1, 0)));
            let _asked = recorder.solve(&finder, &query);
        }
        recorder.catch_up(&finder);
        let recording = recorder.into_recording();
        let text = recording.to_ron();
        let read = tilepath::recording::Recording::from_text(&text).unwrap();
        prop_assert_eq!(&read, &recording);
        let mut last = None;
        read.replay(|answer| last = Some(answer.finder.grid().clone())).unwrap();
        prop_assert!(last.is_none_or(|last| last == *finder.grid()));
    }
}

#[test]
fn edits_are_made_in_their_order() {
    let mut grid = Grid::new(6, 4, 1).unwrap();
    let [cell, beside] = [Cell::new(2, 1), Cell::new(3, 1)];
    let house = Bounds::new(Cell::new(1, 1), 3, 2).unwrap();
    let edits = [
        Edit::void_in(house),
        Edit::terrain(cell, 5),
        Edit::fence(cell, beside),
        Edit::open_edge(beside, cell),
        Edit::one_way(cell, beside),
        Edit::overlay_in("danger", house, 7),
        Edit::overlay("danger", cell, 2),
    ];
    assert_eq!(grid.edit(&edits), Ok(6 + 1 + 2 + 2 + 1 + 6 + 1));
    assert_eq!((grid.terrain(cell), grid.terrain(beside)), (Some(5), None));
    assert_eq!(grid.exits(cell), Some(Exits::ALL));
    assert_eq!(grid.exits(beside), Some(Exits::ALL.without(Direction::West)));
    assert_eq!((grid.overlay("danger", cell), grid.overlay("danger", beside)), (2, 7));
    assert_eq!(grid.edit(&[Edit::clear_overlay("danger"), Edit::clear_overlay("danger")]), Ok(6));
    assert_eq!(grid.overlay_cells("danger").count(), 0);
    assert_eq!(grid.edit(&[]), Ok(0));
}

#[test]
fn supposed_overlays_that_the_map_does_not_know_go_too() {
    let finder = PathFinder::new(Grid::new(9, 9, 1).unwrap(), Movement::new().with_overlay("danger"));
    let mut what_if = WhatIf::new(&finder);
    let query = PathQuery::new(Cell::new(0, 4), Cell::new(8, 4));
    let tower = Bounds::new(Cell::new(3, 0), 1, 9).unwrap();
    for _ in 0..2 {
        let supposed = what_if.with_edits(&finder, &[Edit::overlay_in("danger", tower, 50)]).unwrap();
        assert_ne!(supposed.solve(&query), finder.solve(&query));
        let open = what_if.with_edits(&finder, &[]).unwrap();
        assert_eq!(open.grid(), finder.grid());
        assert_eq!(open.grid().overlay("danger", Cell::new(3, 4)), 0);
        assert_eq!(open.solve(&query).unwrap().outcome, finder.solve(&query).unwrap().outcome);
    }
}

#[test]
fn rectangles_without_cells_change_nothing_wherever_they_lie() {
    let nowhere = Bounds::new(Cell::new(500, -500), 0, 7).unwrap();
    for topology in [Topology::Square, Topology::Hexagonal] {
        let mut grid = Grid::new(4, 4, 1).unwrap().with_topology(topology);
        let before = grid.clone();
        let edits =
            [Edit::terrain_in(nowhere, 0), Edit::void_in(nowhere), Edit::overlay_in("mud", nowhere, 3)];
        assert_eq!(grid.edit(&edits), Ok(0));
        assert_eq!(grid, before);
    }
}

#[test]
fn edits_are_short_to_write() {
    let area = Bounds::new(Cell::new(1, 2), 3, 4).unwrap();
    let [one, other] = [Cell::new(0, 0), Cell::new(1, 0)];
    for (edit, text) in [
        (Edit::terrain(one, 7), r#"{"Terrain":{"cell":[0,0],"class":7}}"#),
        (
            Edit::terrain_in(area, 7),
            r#"{"TerrainIn":{"area":{"origin":[1,2],"width":3,"height":4},"class":7}}"#,
        ),
        (Edit::void(one), r#"{"Void":{"cell":[0,0]}}"#),
        (Edit::void_in(area), r#"{"VoidIn":{"area":{"origin":[1,2],"width":3,"height":4}}}"#),
        (Edit::exits(one, Exits::ALL.without(Direction::North)), r#"{"Exits":{"cell":[0,0],"exits":254}}"#),
        (Edit::one_way(one, other), r#"{"OneWay":{"from":[0,0],"to":[1,0]}}"#),
        (Edit::fence(one, other), r#"{"Fence":{"one":[0,0],"other":[1,0]}}"#),
        (Edit::open_edge(one, other), r#"{"OpenEdge":{"one":[0,0],"other":[1,0]}}"#),
        (Edit::ledge(one, Direction::South), r#"{"Ledge":{"cell":[0,0],"down":"South"}}"#),
        (Edit::overlay("mud", one, 3), r#"{"Overlay":{"name":"mud","cell":[0,0],"value":3}}"#),
        (
            Edit::overlay_in("mud", area, 3),
            r#"{"OverlayIn":{"name":"mud","area":{"origin":[1,2],"width":3,"height":4},"value":3}}"#,
        ),
        (Edit::clear_overlay("mud"), r#"{"ClearOverlay":{"name":"mud"}}"#),
    ] {
        assert_eq!(serde_json::to_string(&edit).unwrap(), text);
        assert_eq!(serde_json::from_str::<Edit>(text).unwrap(), edit);
    }
    assert!(serde_json::from_str::<Edit>(r#"{"Void":{"cell":[0,0],"depth":3}}"#).is_err());
    assert!(serde_json::from_str::<Edit>(r#"{"VoidIn":{"area":{"width":70000,"height":1}}}"#).is_err());
}
