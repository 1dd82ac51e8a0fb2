//! The panel: counts of creeps, lengths of paths, switches and help.

use bevy::prelude::*;
use tilepath_examples::{
    layout::{PanelLook, spawn_layout},
    panel::{colour, line, on_off, spawn_gap, spawn_help, standing_room, write_line},
    switches::{State, spawn_counter, spawn_switch},
};

use crate::{
    build::{News, Tower},
    creeps::{Creep, Mode, Score},
    held::Shown,
    keys::Switch,
    ways::Ways,
};

/// The panel. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_panel).add_systems(Update, (write_lines, write_switches));
    }
}

/// A line of the panel.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Creeps,
    Shot,
    Through,
    Collisions,
    Towers,
    /// The path from the gate with this index.
    Way(usize),
    News,
}

const SIZE: f32 = 13.0;

const COUNTERS: [(&str, Line); 7] = [
    ("creeps", Line::Creeps),
    ("shot", Line::Shot),
    ("at the keep", Line::Through),
    ("collisions now", Line::Collisions),
    ("towers", Line::Towers),
    ("path from the north", Line::Way(0)),
    ("path from the south", Line::Way(1)),
];

const SWITCHES: [(&str, Switch); 4] = [
    ("B  creeps are", Switch::Mode),
    ("F  cells to keep free", Switch::Forbidden),
    ("P  their paths", Switch::Ways),
    ("space", Switch::Pause),
];

const HELP: [&str; 5] = [
    "left drag     build towers",
    "right click   pull one down",
    "wheel         zoom",
    "WASD, middle  move the view",
    "F2            fold the panel",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "Towers in the way", width: 272.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        spawn_gap(panel, 2.0);
        for (name, value) in COUNTERS {
            spawn_counter(panel, name, value, SIZE);
        }
        spawn_gap(panel, 4.0);
        panel.spawn(standing_room(3)).with_children(|room| {
            room.spawn((Line::News, line("", SIZE, colour::GOOD)));
        });
        spawn_gap(panel, 4.0);
        for (name, switch) in SWITCHES {
            spawn_switch(panel, name, switch);
        }
        spawn_gap(panel, 6.0);
        spawn_help(panel, &HELP);
    });
}

fn write_lines(
    score: Res<Score>,
    ways: Res<Ways>,
    news: Res<News>,
    (creeps, towers): (Query<(), With<Creep>>, Query<(), With<Tower>>),
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    for (kind, mut text, mut shown) in &mut lines {
        let plain = |number: u32| (number.to_string(), colour::TEXT);
        let (new, colour) = match *kind {
            Line::Creeps => (creeps.count().to_string(), colour::GOLD),
            Line::Shot => plain(score.shot),
            Line::Through => plain(score.through),
            Line::Collisions if score.collisions == 0 => ("0".into(), colour::GOOD),
            Line::Collisions => (score.collisions.to_string(), colour::BAD),
            Line::Towers => (towers.count().to_string(), colour::TEXT),
            Line::Way(gate) => (format!("{} steps", ways.0[gate].len().saturating_sub(1)), colour::TEXT),
            Line::News => (news.text.clone(), if news.is_bad { colour::BAD } else { colour::GOOD }),
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn write_switches(
    mode: Res<Mode>,
    shown: Res<Shown>,
    time: Res<Time<Virtual>>,
    mut states: Query<(&State<Switch>, &mut Text, &mut TextColor)>,
) {
    for (state, mut text, mut colour) in &mut states {
        let (new, shade) = match state.0 {
            Switch::Mode if *mode == Mode::Bodies => ("bodies".into(), colour::GOLD),
            Switch::Mode => ("ghosts".into(), colour::BAD),
            Switch::Forbidden => on_off(shown.forbidden),
            Switch::Ways => on_off(shown.ways),
            Switch::Pause if time.is_paused() => ("go on".into(), colour::GOLD),
            Switch::Pause => ("stop".into(), colour::FAINT),
        };
        write_line(&mut text, &mut colour, &new, shade);
    }
}
