//! Recordings of journeys through doors.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell, OnMap, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
    recording::PathRecorder,
};

use crate::harness::*;

#[test]
fn stretches_between_doors_are_recorded_with_their_maps() {
    let mut game = Game::long_steps();
    game.insert_resource(PathRecorder::default().started());
    let left = game.tile_map(".....\n.###.\n.....", Vec2::ZERO);
    let right = game.tile_map("...\n.#.\n...", Vec2::new(100.0, 0.0));
    game.world_mut()
        .spawn(Door::new(DoorEnd::cell(left, Cell::new(4, 2)), DoorEnd::cell(right, Cell::new(0, 0))));
    let walker = game.walker(5.0, 5.0, 10.0);
    game.world_mut().entity_mut(walker).insert(OnMap(left));
    game.order(walker, PathRequest::to_cell(Cell::new(2, 2)).on_map(right));
    game.step(0.1);
    assert_eq!(game.world().get::<PathStatus>(walker), Some(&PathStatus::Following));

    for (map, from, to) in [(left, (0, 0), (4, 2)), (right, (0, 0), (2, 2))] {
        let recorder = game.world().resource::<PathRecorder>();
        let recording = recorder.recording(map).unwrap();
        let mut asked = Vec::new();
        let replayed = recording.replay(|answer| {
            if let bevy_tilepath::tilepath::recording::ReplayedQuestion::Path { query, .. } = answer.question
            {
                asked.push((query.start(), query.goal()));
            }
        });
        assert_eq!(replayed.unwrap().answers, 1);
        assert_eq!(asked, [(Cell::from(from), Cell::from(to))]);
    }
}
