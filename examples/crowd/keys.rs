//! The keys, and the actions of keys and buttons.

use bevy::prelude::*;
use tilepath_examples::switches::{PressKeys, add_switches};

use crate::{
    arrows::Shown,
    units::{Mode, Wanted},
};

/// Reads the keys. Needs a window.
pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        add_switches::<Switch>(app);
        app.add_systems(Update, act.after(PressKeys));
    }
}

/// The action of a key or a button.
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

impl tilepath_examples::switches::Switch for Switch {
    const KEYS: &'static [(KeyCode, Self)] = &[
        (KeyCode::Minus, Self::Less),
        (KeyCode::NumpadSubtract, Self::Less),
        (KeyCode::Equal, Self::More),
        (KeyCode::NumpadAdd, Self::More),
        (KeyCode::KeyB, Self::Mode),
        (KeyCode::Space, Self::Pause),
        (KeyCode::Tab, Self::Goal),
        (KeyCode::KeyF, Self::Field),
        (KeyCode::KeyP, Self::Ways),
    ];
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
