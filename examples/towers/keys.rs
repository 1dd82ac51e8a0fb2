//! The keys, and the actions of keys and buttons.

use bevy::prelude::*;
use tilepath_examples::switches::{PressKeys, add_switches};

use crate::{creeps::Mode, held::Shown};

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
    Mode,
    Forbidden,
    Ways,
    Pause,
}

impl tilepath_examples::switches::Switch for Switch {
    const KEYS: &'static [(KeyCode, Self)] = &[
        (KeyCode::KeyB, Self::Mode),
        (KeyCode::KeyF, Self::Forbidden),
        (KeyCode::KeyP, Self::Ways),
        (KeyCode::Space, Self::Pause),
    ];
}

fn act(
    mut switches: MessageReader<Switch>,
    mut mode: ResMut<Mode>,
    mut shown: ResMut<Shown>,
    mut time: ResMut<Time<Virtual>>,
) {
    for switch in switches.read() {
        match switch {
            Switch::Mode => *mode = mode.other(),
            Switch::Forbidden => shown.forbidden = !shown.forbidden,
            Switch::Ways => shown.ways = !shown.ways,
            Switch::Pause if time.is_paused() => time.unpause(),
            Switch::Pause => time.pause(),
        }
    }
}
