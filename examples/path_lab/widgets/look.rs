//! The look of widgets in each state.

use bevy::{
    input_focus::{InputFocus, InputFocusVisible},
    picking::hover::Hovered,
    prelude::*,
    ui::{Checked, InteractionDisabled, Pressed},
};
use tilepath_examples::panel::colour;

use super::{Action, Caption, Choice, FocusRing};

/// Highlights buttons that are pressed, chosen or under the pointer.
pub(super) fn dress_buttons(
    mut buttons: Query<
        (
            &Hovered,
            Has<Pressed>,
            Has<Checked>,
            Has<InteractionDisabled>,
            &mut BackgroundColor,
            &mut BorderColor,
        ),
        Or<(With<Choice>, With<Action>)>,
    >,
) {
    for (hovered, is_pressed, is_checked, is_disabled, mut background, mut border) in &mut buttons {
        let (behind, edge) = match (is_disabled, is_checked) {
            (true, _) => (Color::NONE, Color::NONE),
            (_, true) => (Color::srgba(0.97, 0.80, 0.38, 0.20), colour::GOLD),
            _ if is_pressed => (Color::srgba(1.0, 1.0, 1.0, 0.30), Color::NONE),
            _ if hovered.get() => (colour::BUTTON_HOVERED, Color::NONE),
            _ => (colour::BUTTON, Color::NONE),
        };
        background.set_if_neq(BackgroundColor(behind));
        border.set_if_neq(BorderColor::all(edge));
    }
}

/// Writes choices that cannot be made now in a faint colour.
pub(super) fn dress_captions(
    choices: Query<(&Children, Has<InteractionDisabled>), With<Choice>>,
    mut captions: Query<&mut TextColor, With<Caption>>,
) {
    for (children, is_disabled) in &choices {
        let wanted = if is_disabled { colour::FAINT.with_alpha(0.55) } else { colour::TEXT };
        for &child in children {
            if let Ok(mut shown) = captions.get_mut(child) {
                shown.set_if_neq(TextColor(wanted));
            }
        }
    }
}

/// Frames the widget with the focus, once the focus was moved by keys.
pub(super) fn ring_focus(
    focus: Res<InputFocus>,
    is_visible: Res<InputFocusVisible>,
    rings: Query<(Entity, Has<Outline>), With<FocusRing>>,
    mut commands: Commands,
) {
    if !focus.is_changed() && !is_visible.is_changed() {
        return;
    }
    for (entity, has_outline) in &rings {
        let is_ringed = is_visible.0 && focus.get() == Some(entity);
        if is_ringed && !has_outline {
            commands.entity(entity).insert(Outline::new(px(2), px(2), Color::WHITE));
        } else if !is_ringed && has_outline {
            commands.entity(entity).remove::<Outline>();
        }
    }
}
