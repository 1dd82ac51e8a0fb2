//! The switches of a panel: a key and a button send the same message.

use bevy::prelude::*;

use crate::panel::{button, colour, line, row};

/// The size of the texts of switches.
const SIZE: f32 = 13.0;

/// The switches of an example.
pub trait Switch: Message + Component + Copy {
    /// The keys, and the switch of each.
    const KEYS: &'static [(KeyCode, Self)];
}

/// The system set that reads keys. Systems that handle the messages run after it.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PressKeys;

/// Sends the message of a switch whenever one of its keys is pressed. Needs a window.
pub fn add_switches<S: Switch>(app: &mut App) {
    app.add_message::<S>().add_systems(Update, press_keys::<S>.in_set(PressKeys));
}

fn press_keys<S: Switch>(keys: Res<ButtonInput<KeyCode>>, mut switches: MessageWriter<S>) {
    switches
        .write_batch(S::KEYS.iter().filter(|(key, _)| keys.just_pressed(*key)).map(|&(_, switch)| switch));
}

/// The text at the right of a switch, with its state.
#[derive(Component, Debug, Clone, Copy)]
pub struct State<S>(pub S);

/// Adds a button that sends the message, with its name at the left and its [`State`] at the right.
pub fn spawn_switch<S: Switch>(panel: &mut ChildSpawnerCommands, name: &str, switch: S) {
    let node = Node { padding: UiRect::axes(px(6), px(1)), flex_shrink: 0.0, ..default() };
    panel
        .spawn((switch, button(node)))
        .with_children(|content| {
            content.spawn(line(name, SIZE, colour::TEXT));
            content.spawn((State(switch), line("", SIZE, colour::GOLD)));
        })
        .observe(|click: On<Pointer<Click>>, buttons: Query<&S>, mut switches: MessageWriter<S>| {
            if click.event.button == PointerButton::Primary
                && let Ok(switch) = buttons.get(click.event_target())
            {
                switches.write(*switch);
            }
        });
}

/// Adds a line of the panel: a name at the left, and a text at the right. A query finds the text by
/// the component.
pub fn spawn_counter(panel: &mut ChildSpawnerCommands, name: &str, value: impl Component, size: f32) {
    panel.spawn(row()).with_children(|row| {
        row.spawn(line(name, size, colour::FAINT));
        row.spawn((value, line("", size, colour::TEXT)));
    });
}
