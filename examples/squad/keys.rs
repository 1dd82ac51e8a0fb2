//! The keys, and what they and the panel's buttons do.

use bevy::prelude::*;
use bevy_tilepath::Formation;

use crate::{orders::Manner, scene::GateIsOpen, select::Selected, units::Unit};

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
    Formation(Formation),
    Pace,
    Gate,
    Pause,
    Everybody,
}

const KEYS: [(KeyCode, Switch); 8] = [
    (KeyCode::Digit1, Switch::Formation(Formation::Disc)),
    (KeyCode::Digit2, Switch::Formation(Formation::Line)),
    (KeyCode::Digit3, Switch::Formation(Formation::Box)),
    (KeyCode::Digit4, Switch::Formation(Formation::Wedge)),
    (KeyCode::KeyC, Switch::Pace),
    (KeyCode::KeyG, Switch::Gate),
    (KeyCode::Space, Switch::Pause),
    (KeyCode::KeyE, Switch::Everybody),
];

fn press_keys(keys: Res<ButtonInput<KeyCode>>, mut switches: MessageWriter<Switch>) {
    switches
        .write_batch(KEYS.into_iter().filter(|(key, _)| keys.just_pressed(*key)).map(|(_, switch)| switch));
}

fn act(
    mut switches: MessageReader<Switch>,
    mut manner: ResMut<Manner>,
    mut gate: ResMut<GateIsOpen>,
    mut time: ResMut<Time<Virtual>>,
    units: Query<Entity, With<Unit>>,
    mut commands: Commands,
) {
    for switch in switches.read() {
        match switch {
            Switch::Formation(formation) => manner.formation = *formation,
            Switch::Pace => manner.keeps_pace = !manner.keeps_pace,
            Switch::Gate => gate.0 = !gate.0,
            Switch::Pause if time.is_paused() => time.unpause(),
            Switch::Pause => time.pause(),
            Switch::Everybody => {
                for unit in &units {
                    commands.entity(unit).insert(Selected);
                }
            }
        }
    }
}
