//! States that are damaged or do not fit: a typed error, and nothing changes.

use bevy::{ecs::entity::EntityHashMap, prelude::*};
use bevy_tilepath::{Body, NavMap, PathRequest, StateError, SyncMapsError, TilepathState};
use rand::Rng;
use testkit::Seed;

use crate::harness::*;

fn small_state() -> TilepathState {
    let (mut game, _) = Game::open(6, 2);
    game.ordered_agent((0, 0), 40.0, (5, 1));
    let body = game.ordered_agent((3, 1), 40.0, (0, 1));
    game.world_mut().entity_mut(body).insert(Body::default());
    game.ticks(6);
    TilepathState::take(game.world_mut()).expect("the plugin is there")
}

/// Returns a text with a few random changes.
fn mutated(text: &str, random: &mut impl Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..bytes.len());
        match random.random_range(0..6) {
            0 => bytes.truncate(at.max(1)),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, random.random_range(b' '..b'~')),
            3 => bytes[at] = b"0123456789"[random.random_range(0..10)],
            4 => bytes[at] = random.random_range(b' '..b'~'),
            _ => {
                let other = random.random_range(0..bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    String::from_utf8(bytes).expect("only ASCII")
}

/// A text with other blanks is the same state. Every other change is refused.
#[test]
fn a_damaged_state_is_refused() {
    const MUTATIONS: usize = 100_000;
    let text = ron::to_string(&small_state()).expect("a state can be written");
    let mut random = Seed::named("damaged states").generator();
    let mut refused = 0;
    for _ in 0..MUTATIONS {
        let damaged = mutated(&text, &mut random);
        match ron::from_str::<TilepathState>(&damaged) {
            Ok(read) => assert_eq!(ron::to_string(&read).expect("a state can be written"), text, "{damaged}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > MUTATIONS / 2, "{refused}");
}

#[test]
fn states_of_other_versions_and_other_files_are_refused_for_that() {
    let text = ron::to_string(&small_state()).expect("a state can be written");
    let error_of = |text: &str| ron::from_str::<TilepathState>(text).expect_err("it is refused").to_string();
    for version in [0, 1, 3] {
        let other = text.replace("version:2", &format!("version:{version}"));
        let error = error_of(&other);
        assert!(
            error.contains(&format!("format version {version}, this bevy_tilepath reads version 2")),
            "{error}"
        );
    }
    let foreign = text.replace("bevy_tilepath state", "another game");
    assert!(error_of(&foreign).contains("this is not a state of bevy_tilepath"), "{}", error_of(&foreign));
    let edited = text.replace("next:", "next:1");
    assert!(error_of(&edited).contains("the state is damaged"), "{}", error_of(&edited));
}

/// Puts a state into a game, and returns the error.
fn refusal(state: &TilepathState, game: &mut Game, entities: &mut EntityHashMap<Entity>) -> StateError {
    let before = game.world_mut().query::<Entity>().iter(game.world()).count();
    let error = state.put(game.world_mut(), entities).expect_err("it does not fit");
    let after = game.world_mut().query::<Entity>().iter(game.world()).count();
    assert_eq!(before, after, "nothing is half loaded");
    error
}

#[test]
fn a_state_that_does_not_fit_changes_nothing() {
    let state = small_state();
    let agent = state.entities().next().expect("it has entities");

    let (mut game, map) = Game::open(6, 2);
    let unit = game.ordered_agent((0, 0), 40.0, (5, 1));
    let error = refusal(&state, &mut game, &mut EntityHashMap::default());
    assert!([map, unit].map(|entity| StateError::NotInState { entity }).contains(&error), "{error}");
    assert!(game.world().get::<PathRequest>(unit).is_some() && game.world().get::<NavMap>(map).is_some());

    let mut game = Game::new();
    let gone = game.thing(0, 0);
    game.world_mut().despawn(gone);
    let mut entities: EntityHashMap<Entity> = [(agent, gone)].into_iter().collect();
    let error = refusal(&state, &mut game, &mut entities);
    assert_eq!(error, StateError::NoEntity { entity: agent, target: gone });

    let one = game.thing(0, 0);
    let mut entities: EntityHashMap<Entity> = state.entities().map(|entity| (entity, one)).collect();
    assert_eq!(refusal(&state, &mut game, &mut entities), StateError::SameEntity { target: one });

    let mut world = World::new();
    let error = state.put(&mut world, &mut EntityHashMap::default()).expect_err("there is no plugin");
    assert_eq!(error, StateError::Maps(SyncMapsError::NoPlugin));
    assert_eq!(TilepathState::take(&mut world).expect_err("there is no plugin"), error);
}
