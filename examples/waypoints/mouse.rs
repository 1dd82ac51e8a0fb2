//! Passes the mouse to the [`Hand`], and its wishes to walker and graph.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, PathRequest, graphs::NavGraphView, tilepath::graph::Position};

use crate::{
    edit::{Edit, EditSet},
    hand::{Button, Hand, Mouse, Wish},
    pointing::{Pointing, PointingSet, Target},
    scene::Walker,
};

/// Turns clicks into orders and drags into edits. Needs a window.
pub(crate) struct MousePlugin;

/// The system that moves the hand.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct HandSet;

impl Plugin for MousePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Hand>()
            .add_systems(Update, move_hand.in_set(HandSet).after(PointingSet).before(EditSet));
    }
}

fn move_hand(
    buttons: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<KeyCode>>,
    pointing: Res<Pointing>,
    nav: NavQuery,
    walker: Single<Entity, With<Walker>>,
    mut hand: ResMut<Hand>,
    mut held: Local<Option<MouseButton>>,
    mut edits: MessageWriter<Edit>,
    mut commands: Commands,
) {
    let pressed = [(MouseButton::Left, Button::Left), (MouseButton::Right, Button::Right)]
        .into_iter()
        .find(|&(button, _)| buttons.just_pressed(button));
    if let Some((button, _)) = pressed {
        *held = Some(button);
    } else if *hand == Hand::Idle {
        return;
    }
    let Ok(view) = nav.only_graph() else { return };
    let mouse = Mouse {
        pressed: pressed.map(|(_, button)| button),
        held: held.is_some_and(|button| buttons.pressed(button)),
        pointing: pointing.0.clone(),
        shift: keys.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]),
    };
    let local = |world| local(&view, world);
    match hand.follow(mouse, |id| view.position_of(id)) {
        None => {}
        Some(Wish::Go(target, world)) => {
            commands.entity(*walker).insert(order(target, world));
        }
        Some(Wish::Move(places)) => {
            edits.write(Edit::Move(places.into_iter().map(|(id, world)| (id, local(world))).collect()));
        }
        Some(Wish::Toggle { from, to, one_way }) => {
            edits.write(Edit::Toggle { from, to, one_way });
        }
        Some(Wish::AddFrom { from, at, one_way }) => {
            edits.write(Edit::AddFrom { from, at: local(at), one_way });
        }
    }
}

/// Returns an order to a waypoint, or to a place beside or on the ways.
pub(crate) fn order(target: Target, world: Vec2) -> PathRequest {
    match target {
        Target::Waypoint(id) => PathRequest::to_waypoint(id),
        Target::Way { .. } | Target::Ground => PathRequest::to_position(world),
    }
}

/// Returns a place in the graph's coordinates, without digits too small to see: they would fill the
/// saved file.
pub(crate) fn local(view: &NavGraphView, world: Vec2) -> Position {
    let exact = view.local(world);
    let pixel = view.local(world + Vec2::X).x - exact.x;
    Position::new(rounded(exact.x, pixel.abs()), rounded(exact.y, pixel.abs()))
}

/// Rounds to about a tenth of `unit`, in decimal digits.
fn rounded(number: f64, unit: f64) -> f64 {
    let digits = (1.0 - unit.log10().floor()).clamp(-300.0, 300.0);
    let scale = 10_f64.powf(digits);
    let rounded = (number * scale).round() / scale;
    if rounded.is_finite() { rounded } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_digits_are_rounded_away() {
        let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
        assert!(near(rounded(123.456_789, 1.0), 123.5));
        assert!(near(rounded(123.456_789, 0.25), 123.46));
        assert!(near(rounded(123_456.789, 3000.0), 123_500.0));
        assert_eq!(rounded(1.25, 0.0).to_string(), "1.25");
    }
}
