//! The keys, and the actions of keys and buttons.

use bevy::prelude::*;
use bevy_tilepath::groups::Formation;
use tilepath_examples::switches::{PressKeys, add_switches};

use crate::{
    orders::Manner,
    scene::GateIsOpen,
    select::Selected,
    units::{AreBodies, Unit, take_bodies},
};

/// Reads the keys. Needs a window.
pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        add_switches::<Switch>(app);
        app.init_resource::<AreBodies>()
            .add_systems(Update, act.after(PressKeys))
            .add_systems(Update, take_bodies.run_if(resource_changed::<AreBodies>).after(act));
    }
}

/// The action of a key or a button.
#[derive(Message, Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Switch {
    Formation(Formation),
    Pace,
    Gate,
    Bodies,
    Pause,
    Everybody,
}

impl tilepath_examples::switches::Switch for Switch {
    const KEYS: &'static [(KeyCode, Self)] = &[
        (KeyCode::Digit1, Self::Formation(Formation::Disc)),
        (KeyCode::Digit2, Self::Formation(Formation::Line)),
        (KeyCode::Digit3, Self::Formation(Formation::Box)),
        (KeyCode::Digit4, Self::Formation(Formation::Wedge)),
        (KeyCode::KeyC, Self::Pace),
        (KeyCode::KeyG, Self::Gate),
        (KeyCode::KeyB, Self::Bodies),
        (KeyCode::Space, Self::Pause),
        (KeyCode::KeyE, Self::Everybody),
    ];
}

fn act(
    mut switches: MessageReader<Switch>,
    mut manner: ResMut<Manner>,
    mut gate: ResMut<GateIsOpen>,
    mut bodies: ResMut<AreBodies>,
    mut time: ResMut<Time<Virtual>>,
    units: Query<Entity, With<Unit>>,
    mut commands: Commands,
) {
    for switch in switches.read() {
        match switch {
            Switch::Formation(formation) => manner.formation = *formation,
            Switch::Pace => manner.keeps_pace = !manner.keeps_pace,
            Switch::Gate => gate.0 = !gate.0,
            Switch::Bodies => bodies.0 = !bodies.0,
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
