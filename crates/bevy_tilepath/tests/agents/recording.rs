//! Recordings of apps, replayed by the core.

use bevy::prelude::*;
use bevy_tilepath::{
    Algorithm, Cell, CostTable, Diagonals, NavGrid, NavMap, PathRequest, PathStatus, TilepathSettings,
    recording::PathRecorder,
    tilepath::{
        Grid,
        crowd::RecordedTick,
        format,
        recording::{RecordedEntry, Recording, Replayed},
    },
};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn start(game: &mut Game) {
    game.world_mut().resource_mut::<PathRecorder>().start();
}

fn recorder(game: &Game) -> &PathRecorder {
    game.world().resource()
}

fn recording(game: &Game, map: Entity) -> &Recording {
    recorder(game).recording(map).expect("the map is recorded")
}

/// Replays the recording of a map after it was written to text and read again.
#[track_caller]
fn replayed(game: &Game, map: Entity) -> Replayed {
    let recording = recording(game, map);
    let read = Recording::from_text(&recording.to_ron()).expect("the file can be read");
    assert_eq!(&read, recording);
    read.replay(|_| ()).expect("all answers are the same")
}

fn count(recording: &Recording, is_one: impl Fn(&RecordedEntry) -> bool) -> usize {
    recording.entries().iter().filter(|entry| is_one(entry)).count()
}

fn any_cell(random: &mut impl Rng) -> Cell {
    Cell::new(random.random_range(0..24), random.random_range(0..16))
}

fn any_request(random: &mut impl Rng) -> PathRequest {
    let to = PathRequest::to_cell(any_cell(random));
    match random.random_range(0..8) {
        0 => to.or_closest(),
        1 => to.with_algorithm(Algorithm::Dijkstra),
        2 => to.with_limit(random.random_range(0..60)).or_closest(),
        3 => to.with_algorithm(Algorithm::WeightedAStar { percent: 50 }), // an invalid percent
        4 => PathRequest::to_nearest((0..4).map(|_| any_cell(random))),
        5 => PathRequest::to_nearest((0..3).map(|_| any_cell(random))).with_limit(20),
        _ => to,
    }
}

#[test]
fn a_game_of_edits_and_orders_is_replayed_without_a_difference() {
    for number in 0..4 {
        let random = &mut Seed::named(&format!("recording {number}")).generator();
        let mut game = Game::new();
        // Searches continue over ticks in which the map is edited.
        game.insert_resource(TilepathSettings { work_per_tick: 90 });
        let classes = (0..24 * 16).map(|_| [0, 1, 1, 1, 2, 5][random.random_range(0..6)]).collect();
        let map = game.map_of(Grid::from_classes(24, 16, classes).unwrap(), Diagonals::default());
        start(&mut game);
        let agents: Vec<Entity> = (0..6).map(|x| game.agent(4 * x, 3, 60.0)).collect();
        for n in 0..150 {
            for &soldier in &agents {
                if random.random_bool(0.2) {
                    let request = any_request(random);
                    game.world_mut().entity_mut(soldier).insert(request);
                }
            }
            if random.random_bool(0.5) {
                let Cell { x, y } = any_cell(random);
                game.set_terrain(map, x, y, random.random_range(0..4));
            }
            if n % 40 == 39 {
                let mut rules = game.world_mut().get_mut::<NavMap>(map).unwrap();
                rules.diagonals = Diagonals::ALL[random.random_range(0..4)];
                rules.costs = CostTable::identity().with(2, random.random_range(1..9));
            }
            game.tick();
        }
        let replayed = replayed(&game, map);
        assert!(replayed.answers > 100 && replayed.edits > 30, "{replayed}");
        let recording = recording(&game, map);
        assert_eq!(recording.query_count(), replayed.answers + replayed.unanswered);
        assert!(count(recording, |entry| matches!(entry, RecordedEntry::Movement { .. })) > 1);
        assert!(count(recording, |entry| matches!(entry, RecordedEntry::Nearest { .. })) > 10);
    }
}

#[test]
fn replans_are_recorded_too() {
    let (mut game, map) = Game::open(12, 3);
    start(&mut game);
    let soldier = game.ordered_agent((0, 1), 16.0, (11, 1));
    game.tick();
    game.set_terrain(map, 6, 1, 0);
    game.tick();
    assert!(matches!(game.told_of(soldier)[..], [.., Told::Blocked(_), Told::Replanned { .. }]));
    let replayed = replayed(&game, map);
    assert_eq!((replayed.answers, replayed.edits), (2, 1));
}

#[test]
fn nothing_is_recorded_until_it_is_started_or_after_it_is_stopped() {
    let (mut game, map) = Game::open(6, 6);
    let soldier = game.ordered_agent((0, 0), 0.0, (5, 5));
    game.tick();
    assert!(recorder(&game).recording(map).is_none());

    start(&mut game);
    game.order_to(soldier, 4, 5);
    game.tick();
    assert_eq!(recording(&game, map).query_count(), 1);

    game.world_mut().resource_mut::<PathRecorder>().stop();
    game.order_to(soldier, 3, 5);
    game.tick();
    assert_eq!(recording(&game, map).query_count(), 1, "the recording stays, and nothing is added");
    assert_eq!(replayed(&game, map).answers, 1);

    start(&mut game);
    game.tick();
    assert_eq!(recording(&game, map).query_count(), 0);
}

/// Starts a recorded game in which a search takes many ticks. Returns the game, the map, and the
/// agent that waits for the answer.
fn recorded_long_search() -> (Game, Entity, Entity) {
    let mut game = Game::new();
    game.insert_resource(TilepathSettings { work_per_tick: 20 });
    let map = game.open_map(16, 16);
    start(&mut game);
    let soldier = game.agent(0, 0, 0.0);
    let request = PathRequest::to_cell(Cell::new(15, 15)).with_algorithm(Algorithm::Dijkstra);
    game.world_mut().entity_mut(soldier).insert(request);
    game.tick();
    (game, map, soldier)
}

#[test]
fn answers_to_what_was_asked_before_a_restart_do_not_enter_the_new_recording() {
    let (mut game, map, soldier) = recorded_long_search();
    assert_eq!(game.status(soldier), PathStatus::Searching);
    start(&mut game);
    game.ordered_agent((0, 0), 0.0, (1, 1));
    game.ticks(20);
    assert_eq!(game.status(soldier), PathStatus::Following);
    let replayed = replayed(&game, map);
    assert_eq!((replayed.answers, replayed.unanswered), (1, 0));
}

#[test]
fn cancelled_search_is_recorded_as_a_question_without_answer() {
    let (mut game, map, soldier) = recorded_long_search();
    game.world_mut().entity_mut(soldier).remove::<PathRequest>();
    game.tick();
    let replayed = replayed(&game, map);
    assert_eq!((replayed.answers, replayed.unanswered), (0, 1));
}

#[test]
fn recording_that_is_full_forgets_its_beginning_and_stays_whole() {
    const LIMIT: usize = 400;
    let mut game = Game::new();
    game.insert_resource(PathRecorder::with_limit(LIMIT).started());
    let map = game.open_map(20, 5);
    let soldier = game.agent(0, 2, 0.0);
    let mut restarts = 0;
    for n in 0..300 {
        let before = recorder(&game).recording(map).map_or(0, |recording| recording.entries().len());
        game.set_terrain(map, 10, 2, u8::from(n % 3 == 0));
        game.order_to(soldier, 19, n % 5);
        game.tick();
        let recording = recording(&game, map);
        let cells = recording.entries().iter().map(|entry| match entry {
            RecordedEntry::Query { answer: Some(Ok(answer)), .. } => {
                1 + answer.outcome.path().unwrap().cells().len()
            }
            _ => 1,
        });
        // At most one order and its path above the limit.
        let size: usize = cells.sum();
        assert!(size <= LIMIT + 30, "{size}");
        if recording.entries().len() < before {
            restarts += 1;
            assert!(size >= LIMIT / 2 - 30, "{size}");
        }
        let Some(RecordedEntry::Query { query, answer: Some(_) }) = recording.entries().last() else {
            panic!("the order is answered")
        };
        assert_eq!(query.goal(), Cell::new(19, n % 5));
    }
    assert!(restarts > 5, "{restarts}");
    assert!(replayed(&game, map).answers > 5);
}

#[test]
fn each_map_has_a_recording_as_long_as_it_is_there() {
    let mut game = Game::new();
    start(&mut game);
    let (one, two) = (game.open_map(4, 4), game.open_map(7, 2));
    game.tick();
    let mut maps: Vec<Entity> = recorder(&game).recordings().map(|(map, _)| map).collect();
    maps.sort_by_key(|&map| map != one);
    assert_eq!(maps, [one, two]);
    assert_eq!(recording(&game, two).grid().bounds().width(), 7);
    game.world_mut().despawn(one);
    game.tick();
    assert!(recorder(&game).recording(one).is_none());
}

#[test]
fn map_that_is_replaced_goes_on_in_the_same_recording() {
    let (mut game, map) = Game::open(8, 2);
    start(&mut game);
    let soldier = game.ordered_agent((0, 0), 0.0, (7, 1));
    game.tick();
    let other = format::parse_ascii("....\n.##.\n....").unwrap();
    game.world_mut().entity_mut(map).insert(NavGrid::new(other));
    game.order_to(soldier, 3, 2);
    game.tick();
    let recording = recording(&game, map);
    assert_eq!(count(recording, |entry| matches!(entry, RecordedEntry::Map { .. })), 1);
    assert!(replayed(&game, map).answers >= 2);
}

#[cfg(feature = "tilemap")]
#[test]
fn tiles_that_change_are_edits() {
    use bevy_tilepath::{Terrain, tilepath::Edit};

    let mut game = Game::new();
    let map = game.tilemap("....\n.##.\n....");
    start(&mut game);
    game.tick();
    let tile = game.tile_at(map, 1, 1);
    game.world_mut().entity_mut(tile).insert(Terrain(3));
    game.tick();
    let edits: Vec<_> = recording(&game, map).entries().to_vec();
    assert_eq!(edits, [RecordedEntry::Edits(vec![Edit::terrain(Cell::new(1, 1), 3)])]);
}

#[test]
fn what_bodies_decide_in_a_tick_is_recorded_on_request() {
    let mut game = Game::new();
    let corridor = "
        ..#......
        .........
        ..#......
    ";
    let map = game.map(corridor);
    let bodies: Vec<Entity> = (0..4).map(|x| game.body(x % 2, x / 2, 64.0)).collect();
    for &body in &bodies {
        game.order_to(body, 8, 1);
    }
    game.world_mut().resource_mut::<PathRecorder>().record_crowds();
    game.ticks(30);
    // The first tick with bodies is recorded. Later ticks are not.
    let ticks_of = |game: &Game| -> Vec<RecordedTick> {
        let entries = recorder(game).recording(map).expect("there are bodies").entries();
        let tick = |entry: &RecordedEntry| match entry {
            RecordedEntry::Crowd(tick) => Some((**tick).clone()),
            _ => None,
        };
        entries.iter().filter_map(tick).collect()
    };
    let [first] = &ticks_of(&game)[..] else { panic!("one tick is recorded") };
    assert_eq!(first.before().len(), 4);
    game.world_mut().resource_mut::<PathRecorder>().record_crowds();
    game.tick();
    let [_, later] = &ticks_of(&game)[..] else { panic!("two ticks are recorded") };
    assert!(first != later && later.before().iter().any(|body| body.from != body.to), "{later:?}");
    let recording = recorder(&game).recording(map).expect("there are bodies");
    let text = recording.to_ron();
    let read = Recording::from_text(&text).expect("the file can be read");
    assert_eq!(&read, recording);
    let replayed = read.replay(|_| ()).expect("the decisions are the same");
    assert_eq!((replayed.answers, replayed.different), (2, 0));
    game.world_mut().resource_mut::<PathRecorder>().forget();
    assert!(recorder(&game).recording(map).is_none());
}
