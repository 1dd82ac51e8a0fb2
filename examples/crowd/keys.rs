//! The keys, and what they and the panel's buttons do.

use bevy::prelude::*;

use crate::{
    arrows::Shown,
    units::{Mode, Wanted},
};

/// Listens to the keys. Needs a window.
pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Switch>().add_systems(Update, (press_keys, act).chain());
    }
}

/// Something that a key or a button does.
#[derive(Message, Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Switch {
    Less,
    More,
    Mode,
    Pause,
    Goal,
    Field,
    Ways,
}

const KEYS: [(KeyCode, Switch); 9] = [
    (KeyCode::Minus, Switch::Less),
    (KeyCode::NumpadSubtract, Switch::Less),
    (KeyCode::Equal, Switch::More),
    (KeyCode::NumpadAdd, Switch::More),
    (KeyCode::KeyB, Switch::Mode),
    (KeyCode::Space, Switch::Pause),
    (KeyCode::Tab, Switch::Goal),
    (KeyCode::KeyF, Switch::Field),
    (KeyCode::KeyP, Switch::Ways),
];

fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut switches: MessageWriter<Switch>) {
    switches
        .write_batch(KEYS.into_iter().filter(|(key, _)| keys.just_pressed(*key)).map(|(_, switch)| switch));
}

fn act(
    mut switches: MessageReader<Switch>,
    mut wanted: ResMut<Wanted>,
    mut mode: ResMut<Mode>,
    mut shown: ResMut<Shown>,
    mut time: ResMut<Time<Virtual>>,
) {
    for switch in switches.read() {
        match switch {
            Switch::Less => *wanted = wanted.less(),
            Switch::More => *wanted = wanted.more(),
            Switch::Mode => *mode = mode.other(),
            Switch::Pause if time.is_paused() => time.unpause(),
            Switch::Pause => time.pause(),
            Switch::Goal => shown.next_goal(),
            Switch::Field => shown.field = !shown.field,
            Switch::Ways => shown.ways = !shown.ways,
        }
    }
}
