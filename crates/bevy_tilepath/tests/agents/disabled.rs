//! Disabled units, and units that lack a component.

use bevy::ecs::bundle::Bundle;
use bevy_tilepath::{
    Motion, PathAgent, PathStatus, TilepathSnapshot, TilepathState, agents::AgentNumber, queries::WhyNot,
};

use crate::harness::*;

#[test]
fn disabled_unit_with_order_stands_because_it_is_disabled() {
    with_both(|mut game, disable, enable| {
        game.open_map(20, 1);
        let unit = game.ordered_agent((0, 0), 64.0, (19, 0));
        game.ticks(8);
        assert_eq!(game.why_not(unit), None);
        disable(&mut game, unit);
        game.ticks(8);
        assert_eq!(game.why_not(unit), Some(WhyNot::Disabled));
        enable(&mut game, unit);
        game.ticks(2);
        assert_eq!(game.why_not(unit), None);
        game.run_until_quiet(400);
        assert_eq!(game.position(unit), centre(19, 0));
    });
}

#[test]
fn unit_that_is_disabled_before_its_answer_is_answered_when_enabled() {
    with_both(|mut game, disable, enable| {
        game.open_map(20, 20);
        let unit = game.ordered_agent((0, 0), 64.0, (19, 19));
        assert!(game.is_waiting(unit));
        disable(&mut game, unit);
        game.ticks(4);
        enable(&mut game, unit);
        game.run_until_quiet(600);
        assert_eq!(game.position(unit), centre(19, 19));
    });
}

#[test]
fn unit_disabled_by_game_is_in_no_state_and_in_snapshots() {
    let mut game = Game::with_disabling::<Frozen>();
    game.open_map(20, 2);
    let [walker, frozen] = [0, 1].map(|y| game.ordered_agent((0, y), 64.0, (19, y)));
    game.ticks(8);
    game.world_mut().entity_mut(frozen).insert(Frozen);
    game.ticks(2);
    let state = TilepathState::take(game.world_mut()).expect("the plugin is there");
    assert!(
        state.entities().any(|entity| entity == walker) && !state.entities().any(|entity| entity == frozen)
    );

    let snapshot = TilepathSnapshot::take(game.world_mut()).expect("the plugin is there");
    let (walked, held) = (game.drawn(walker), game.drawn(frozen));
    game.world_mut().entity_mut(frozen).remove::<Frozen>();
    game.ticks(20);
    assert_ne!(game.drawn(frozen), held);
    // The game puts its component back before the snapshot.
    game.world_mut().entity_mut(frozen).insert(Frozen);
    snapshot.put(game.world_mut()).expect("all entities are there");
    game.world_mut().entity_mut(frozen).remove::<Frozen>();
    game.ticks(1);
    assert!((game.drawn(frozen) - held).length() < 4.0, "it goes on from its place in the snapshot");

    // A frozen unit may be gone when the snapshot is put back, another one may not.
    game.world_mut().despawn(frozen);
    snapshot.put(game.world_mut()).expect("only the frozen unit is gone");
    assert!((game.drawn(walker) - walked).length() < 4.0);
    game.world_mut().despawn(walker);
    assert!(snapshot.put(game.world_mut()).is_err());
}

/// Removes a component of a unit, and checks the reason and the warning.
fn lacks<B: Bundle>(which: &'static str) {
    let (mut game, _) = Game::open(20, 1);
    let unit = game.ordered_agent((0, 0), 64.0, (19, 0));
    game.ticks(4);
    game.world_mut().entity_mut(unit).remove::<B>();
    let logs = game.logs_of_ticks(8);
    assert_eq!(game.why_not(unit), Some(WhyNot::PartMissing { which }));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(logs[0].contains(which) && logs[0].contains("insert PathAgent"), "{logs:?}");
    game.world_mut().entity_mut(unit).insert(PathAgent::default());
    game.order_to(unit, 18, 0);
    game.run_until_quiet(400);
    assert_eq!((game.position(unit), game.why_not(unit)), (centre(18, 0), Some(WhyNot::Arrived)));
}

#[test]
fn unit_that_lacks_a_component_stands_because_of_it_with_one_warning() {
    lacks::<Motion>("Motion");
    lacks::<AgentNumber>("AgentNumber");
    lacks::<PathStatus>("PathStatus");
}
