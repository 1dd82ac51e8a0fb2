//! Mouse and keys: orders, strokes of the brush, switches of rules.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavQuery, PathAgent, PathRequest};
use tilepath_examples::pointer::{cells_between, world_of_event};

use crate::{
    brush::{Brush, Paint},
    chosen::{Chosen, choose, other_unit_at},
    rules::Rules,
    units::Unit,
};

/// Turns clicks into orders, drags into strokes and keys into switches. Needs a window.
pub(crate) struct OrdersPlugin;

impl Plugin for OrdersPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<LastStroke>()
            .add_systems(Update, press_keys)
            .add_observer(order_by_click)
            .add_observer(start_stroke)
            .add_observer(continue_stroke);
    }
}

fn order_by_click(
    click: On<Pointer<Click>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    nav: NavQuery,
    chosen: Single<Entity, With<Chosen>>,
    others: Query<(Entity, &Unit, &Transform), Without<Chosen>>,
    rules: Res<Rules>,
    mut commands: Commands,
) {
    if click.event.button != PointerButton::Primary {
        return;
    }
    // Only the window itself counts as the map. A click on the panel has the panel as its target.
    let position = click.pointer_location.position;
    let target = click.original_event_target();
    let Some(world) = world_of_event(target, position, &windows, *camera) else { return };
    if let Some((unit, ..)) = other_unit_at(world, others) {
        choose(&mut commands, *chosen, unit);
    } else if let Some(order) = order_at(&nav, world, *rules) {
        commands.entity(*chosen).insert(order);
    }
}

/// Carries out a click: an order on the map, nothing beside it, so that a walk goes on.
fn order_at(nav: &NavQuery, world: Vec2, rules: Rules) -> Option<PathRequest> {
    nav.map_at(world).map(|_| order(world, rules))
}

/// Returns a request to a position, with the present rules.
pub(crate) fn order(world: Vec2, rules: Rules) -> PathRequest {
    let request = PathRequest::to_position(world);
    if rules.closest { request.or_closest() } else { request }
}

#[derive(Resource, Default)]
struct LastStroke(Option<Cell>);

fn start_stroke(
    press: On<Pointer<Press>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    nav: NavQuery,
    brush: Res<Brush>,
    mut last: ResMut<LastStroke>,
    mut paints: MessageWriter<Paint>,
) {
    if press.event.button != PointerButton::Secondary {
        return;
    }
    let position = press.pointer_location.position;
    last.0 = world_of_event(press.original_event_target(), position, &windows, *camera)
        .and_then(|world| nav.map_at(world))
        .map(|(_, cell)| cell);
    if let Some(cell) = last.0 {
        paints.write(Paint { cell, brush: *brush });
    }
}

fn continue_stroke(
    drag: On<Pointer<Drag>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    nav: NavQuery,
    brush: Res<Brush>,
    mut last: ResMut<LastStroke>,
    mut paints: MessageWriter<Paint>,
) {
    if drag.event.button != PointerButton::Secondary {
        return;
    }
    let position = drag.pointer_location.position;
    let cell = world_of_event(drag.original_event_target(), position, &windows, *camera)
        .and_then(|world| nav.map_at(world))
        .map(|(_, cell)| cell);
    if let (Some(from), Some(to)) = (last.0, cell) {
        paints.write_batch(cells_between(from, to).map(|cell| Paint { cell, brush: *brush }));
    }
    last.0 = cell.or(last.0);
}

fn press_keys(
    keys: Res<ButtonInput<KeyCode>>,
    mut rules: ResMut<Rules>,
    mut brush: ResMut<Brush>,
    mut chosen: Single<&mut PathAgent, With<Chosen>>,
) {
    const DIGITS: [KeyCode; 6] = [
        KeyCode::Digit1,
        KeyCode::Digit2,
        KeyCode::Digit3,
        KeyCode::Digit4,
        KeyCode::Digit5,
        KeyCode::Digit6,
    ];
    for (key, choice) in DIGITS.into_iter().zip(Brush::ALL) {
        if keys.just_pressed(key) {
            brush.set_if_neq(choice);
        }
    }
    if keys.just_pressed(KeyCode::KeyR) {
        rules.next_diagonals();
    }
    if keys.just_pressed(KeyCode::KeyT) {
        rules.terrain_costs = !rules.terrain_costs;
    }
    if keys.just_pressed(KeyCode::KeyV) {
        rules.terrain_speed = !rules.terrain_speed;
    }
    if keys.just_pressed(KeyCode::KeyL) {
        rules.straight_lines = !rules.straight_lines;
    }
    if keys.just_pressed(KeyCode::KeyC) {
        rules.closest = !rules.closest;
    }
    if keys.just_pressed(KeyCode::KeyF) {
        rules.flip_costs();
    }
    if keys.just_pressed(KeyCode::F8) {
        rules.flip_search();
    }
    if keys.just_pressed(KeyCode::Space) {
        chosen.paused = !chosen.paused;
    }
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::system::RunSystemOnce, time::TimeUpdateStrategy};
    use bevy_tilepath::{PathStatus, TilepathPlugin};

    use super::*;
    use tilepath_examples::tiles::centre_of;

    use crate::{level::Level, scene::ScenePlugin};

    fn click(app: &mut App, world: Vec2) {
        let rules = Rules::default();
        let order = app.world_mut().run_system_once(move |nav: NavQuery| order_at(&nav, world, rules));
        let soldier = soldier(app);
        if let Some(order) = order.unwrap() {
            app.world_mut().entity_mut(soldier).insert(order);
        }
        app.update();
        app.update();
    }

    fn soldier(app: &mut App) -> Entity {
        let world = app.world_mut();
        world.query_filtered::<Entity, With<Chosen>>().single(world).unwrap()
    }

    #[test]
    fn a_click_beside_the_map_lets_the_walk_go_on() {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, TilepathPlugin::default(), ScenePlugin))
            .insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::from_millis(50)));
        for _ in 0..3 {
            app.update();
        }
        let soldier = soldier(&mut app);
        let status = |app: &App| *app.world().get::<PathStatus>(soldier).unwrap();
        click(&mut app, centre_of(Cell::new(34, 6)));
        assert_eq!(status(&app), PathStatus::Following);
        let request = app.world().get::<PathRequest>(soldier).cloned();
        let area = Level::riverside().plan.area();
        for beside in [area.min - 4.0, area.max + 4.0, Vec2::new(area.max.x + 100.0, area.center().y)] {
            click(&mut app, beside);
            assert_eq!(status(&app), PathStatus::Following, "after a click at {beside}");
            assert_eq!(app.world().get::<PathRequest>(soldier), request.as_ref());
        }
    }
}
