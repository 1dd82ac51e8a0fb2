//! Reasons why units with an order do not move.

use bevy::{ecs::system::RunSystemOnce, prelude::*, time::TimeUpdateStrategy};
use bevy_tilepath::{
    Body, Cell, Motion, NavGrid, NavMap, NavQuery, PathAgent, PathRequest, PathStatus, Stepwise,
    TilepathPlugin,
    agents::{Drive, StepAgent},
    groups::GroupOrder,
    queries::WhyNot,
    tilepath::Grid,
};

use crate::harness::*;

/// Returns the text of `why_not`, or an empty text for a unit that walks.
fn words(world: &mut World, unit: Entity) -> String {
    let why = world.run_system_once(move |nav: NavQuery| nav.why_not(unit)).expect("the system runs");
    why.map_or_else(String::new, |why| why.to_string())
}

#[test]
fn order_in_a_world_without_the_plugin_lacks_the_plugin() {
    let mut world = World::new();
    let unit = world.spawn((PathAgent::default(), PathRequest::to_cell((3, 0)))).id();
    let text = words(&mut world, unit);
    assert!(text.contains("TilepathPlugin"), "{text}");
    let group = world.spawn(GroupOrder::to([unit], Cell::new(3, 0))).id();
    let text = words(&mut world, group);
    assert!(text.contains("TilepathPlugin"), "{text}");
}

#[test]
fn entity_that_was_answered_without_path_agent_lacks_path_agent() {
    let (mut game, _) = Game::open(5, 1);
    let entity = game.world_mut().spawn(Transform::from_translation(centre(0, 0).extend(0.0))).id();
    game.order_to(entity, 4, 0);
    game.tick();
    assert_eq!(game.status(entity), PathStatus::Idle);
    let text = words(game.world_mut(), entity);
    assert!(text.contains("PathAgent"), "{text}");
}

#[test]
fn unit_stands_because_of_time_while_that_is_paused_or_has_no_speed() {
    let stop: [fn(&mut Time<Virtual>); 2] = [Time::<Virtual>::pause, |time| time.set_relative_speed(0.0)];
    let go_on: [fn(&mut Time<Virtual>); 2] = [Time::<Virtual>::unpause, |time| time.set_relative_speed(1.0)];
    for (stop, go_on) in stop.into_iter().zip(go_on) {
        let (mut game, _) = Game::open(20, 2);
        let [walker, late] = [0, 1].map(|y| game.agent(0, y, 16.0));
        game.order_to(walker, 19, 0);
        game.tick();
        stop(&mut game.world_mut().resource_mut());
        game.tick();
        game.order_to(late, 19, 1);
        game.tick();
        assert_eq!((game.status(walker), game.status(late)), (PathStatus::Following, PathStatus::Queued));
        for unit in [walker, late] {
            let text = words(game.world_mut(), unit);
            assert!(text.contains("Time<Virtual>"), "{text}");
        }
        go_on(&mut game.world_mut().resource_mut());
        game.tick();
        game.tick();
        assert_eq!([walker, late].map(|unit| words(game.world_mut(), unit)), ["", ""]);
    }
}

/// The position at which a unit is held.
#[derive(Component)]
struct Pinned(Vec2);

fn pin(mut pinned: Query<(&Pinned, &mut Transform)>) {
    for (pinned, mut transform) in &mut pinned {
        transform.translation = pinned.0.extend(transform.translation.z);
    }
}

#[test]
fn unit_whose_transform_another_system_writes_is_said_to_be_held_by_that() {
    // The unit is held at its start, beside the centre of its start cell, or off its path.
    for at in [centre(0, 0), centre(0, 0) + Vec2::splat(3.0), centre(0, 2)] {
        for is_body in [false, true] {
            let mut game = Game::new();
            game.add_systems(FixedPostUpdate, pin);
            game.open_map(20, 3);
            let unit = game.agent(0, 0, 160.0);
            game.world_mut().entity_mut(unit).insert(Pinned(at));
            if is_body {
                game.world_mut().entity_mut(unit).insert(Body::default());
            }
            game.order_to(unit, 19, 0);
            game.ticks(20);
            let text = words(game.world_mut(), unit);
            assert!(text.contains("Transform"), "{at} {is_body}: {text}");
            game.world_mut().entity_mut(unit).remove::<Pinned>();
            game.ticks(5);
            assert_eq!(words(game.world_mut(), unit), "", "{at} {is_body}");
        }
    }
}

#[test]
fn unit_that_is_carried_or_put_elsewhere_walks() {
    let (mut game, _) = Game::open(40, 3);
    let cart = game.world_mut().spawn(Transform::default()).id();
    let rider = game.agent(0, 0, 32.0);
    game.world_mut().entity_mut(rider).insert(ChildOf(cart));
    let pushed = game.agent(0, 2, 32.0);
    game.order_to(rider, 39, 0);
    game.order_to(pushed, 39, 2);
    for _ in 0..20 {
        game.tick();
        for unit in [cart, pushed] {
            game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation.x += 1.0;
        }
        assert_eq!([rider, pushed].map(|unit| words(game.world_mut(), unit)), ["", ""]);
    }
}

#[test]
fn group_of_none_but_things_is_said_to_have_no_agents() {
    let (mut game, _) = Game::open(5, 1);
    let things: Vec<Entity> = (0..2).map(|_| game.world_mut().spawn(Transform::default()).id()).collect();
    for members in [things, Vec::new()] {
        let group = game.world_mut().spawn(GroupOrder::to(members, Cell::new(3, 0))).id();
        let text = words(game.world_mut(), group);
        assert!(text.contains("PathAgent"), "{text}");
    }
}

/// Adds a map and a unit with an order to an app with the plugin.
fn ordered(app: &mut App) -> Entity {
    let grid = Grid::new(20, 20, 1).expect("the map is small");
    app.world_mut().spawn((NavMap::default(), NavGrid::new(grid)));
    app.world_mut().spawn((PathAgent::default(), PathRequest::to_cell((9, 5)))).id()
}

fn why(app: &mut App, unit: Entity) -> Option<WhyNot> {
    app.world_mut().run_system_once(move |nav: NavQuery| nav.why_not(unit)).expect("the system runs")
}

#[test]
fn unit_stands_because_of_ticks_until_one_has_run() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TilepathPlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(1)));
    let unit = ordered(&mut app);
    assert_eq!(why(&mut app, unit), Some(WhyNot::NoTick));
    for _ in 0..10 {
        app.update();
        assert_eq!(why(&mut app, unit), Some(WhyNot::NoTick));
    }
    for _ in 0..10 {
        app.update();
    }
    assert_eq!(why(&mut app, unit), None);
}

#[test]
fn unit_stands_because_of_the_clock_in_an_app_without_one() {
    for in_update in [false, true] {
        let mut app = App::new();
        app.add_plugins(if in_update {
            TilepathPlugin::in_schedule(Update)
        } else {
            TilepathPlugin::default()
        });
        let unit = ordered(&mut app);
        for _ in 0..10 {
            app.update();
        }
        assert_eq!(why(&mut app, unit), Some(WhyNot::NoClock), "in Update: {in_update}");
    }
}

#[test]
fn unit_in_an_app_that_runs_the_schedule_by_hand_has_its_own_reasons() {
    let mut app = App::new();
    app.add_plugins(TilepathPlugin::default());
    let unit = ordered(&mut app);
    app.world_mut().entity_mut(unit).insert(Stepwise { is_animated: false, ..default() });
    assert_eq!(why(&mut app, unit), Some(WhyNot::NoTick));
    app.world_mut().run_schedule(FixedUpdate);
    app.update();
    assert_eq!(why(&mut app, unit), Some(WhyNot::NoSteps));
    app.world_mut().trigger(StepAgent { entity: unit, steps: 1 });
    app.world_mut().run_schedule(FixedUpdate);
    assert_eq!(why(&mut app, unit), None, "it walked in this tick");
    app.world_mut().run_schedule(FixedUpdate);
    assert_eq!(why(&mut app, unit), Some(WhyNot::NoSteps));
    app.world_mut().entity_mut(unit).remove::<Stepwise>();
    app.world_mut().run_schedule(FixedUpdate);
    assert_eq!(why(&mut app, unit), Some(WhyNot::NoClock), "no time passes in ticks");
    app.world_mut().resource_mut::<Time>().advance_by(std::time::Duration::from_millis(50));
    app.world_mut().run_schedule(FixedUpdate);
    assert_eq!(why(&mut app, unit), None);
}

#[test]
fn unit_that_nobody_moves_by_its_velocity_is_stuck_after_a_second() {
    let (mut game, _) = Game::open(20, 1);
    let unit = game.ordered_agent((0, 0), 64.0, (19, 0));
    game.world_mut().get_mut::<PathAgent>(unit).expect("it is there").drive = Drive::Velocity;
    game.ticks(32);
    assert_eq!(game.why_not(unit), None);
    game.ticks(64);
    assert_eq!(game.why_not(unit), Some(WhyNot::Stuck));
    for _ in 0..8 {
        let velocity = game.world().get::<Motion>(unit).expect("it is there").velocity;
        game.world_mut().get_mut::<Transform>(unit).expect("it is there").translation +=
            (velocity / 64.0).extend(0.0);
        game.tick();
    }
    assert_eq!(game.why_not(unit), None);
}
