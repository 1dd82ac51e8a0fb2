//! The panel: selection, formation, switches and help.

use bevy::prelude::*;
use bevy_tilepath::{TilepathDiagnostics, groups::Formation};
use tilepath_examples::{
    layout::{PanelLook, spawn_layout},
    panel::{colour, line, on_off, spawn_gap, spawn_help, standing_room, write_line},
    switches::{State, spawn_counter, spawn_switch},
};

use crate::{
    keys::Switch,
    orders::{Manner, News},
    scene::GateIsOpen,
    select::Selected,
    units::{AreBodies, Unit},
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
    Selected(Unit),
    OnTheWay,
    Waiting,
    News,
}

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;

const FORMATIONS: [(&str, Formation); 4] = [
    ("1  disc", Formation::Disc),
    ("2  line", Formation::Line),
    ("3  box", Formation::Box),
    ("4  wedge", Formation::Wedge),
];

const SWITCHES: [(&str, Switch); 5] = [
    ("C  common pace", Switch::Pace),
    ("G  the gate is", Switch::Gate),
    ("B  bodies", Switch::Bodies),
    ("E  select all", Switch::Everybody),
    ("space", Switch::Pause),
];

const HELP: [&str; 9] = [
    "left drag     select by a frame",
    "left click    select one",
    "right click   send them there",
    "with shift    add a stop,",
    "              or select more",
    "wheel         zoom",
    "WASD, middle  move the view",
    "F2            fold the panel",
    "F5, F8        save, load",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "One order for all", width: 272.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        spawn_gap(panel, 2.0);
        panel.spawn(line("selected", SMALL, colour::FAINT));
        for unit in Unit::ALL {
            spawn_counter(panel, unit.name(), Line::Selected(unit), SIZE);
        }
        spawn_gap(panel, 6.0);
        spawn_counter(panel, "on the way", Line::OnTheWay, SIZE);
        spawn_counter(panel, "wait for others", Line::Waiting, SIZE);
        panel.spawn(standing_room(3)).with_children(|room| {
            room.spawn((Line::News, line("", SIZE, colour::GOOD)));
        });
        spawn_gap(panel, 4.0);
        panel.spawn(line("formation", SMALL, colour::FAINT));
        for (name, formation) in FORMATIONS {
            spawn_switch(panel, name, Switch::Formation(formation));
        }
        spawn_gap(panel, 6.0);
        for (name, switch) in SWITCHES {
            spawn_switch(panel, name, switch);
        }
        spawn_gap(panel, 6.0);
        spawn_help(panel, &HELP);
    });
}

fn write_lines(
    told: Res<TilepathDiagnostics>,
    news: Res<News>,
    units: Query<(&Unit, Has<Selected>)>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    for (kind, mut text, mut shown) in &mut lines {
        let (new, colour) = match *kind {
            Line::Selected(unit) => {
                let all = units.iter().filter(|(kind, _)| **kind == unit);
                let selected = all.clone().filter(|(_, is_selected)| *is_selected).count();
                let colour = if selected > 0 { colour::GOLD } else { colour::FAINT };
                (format!("{selected} of {}", all.count()), colour)
            }
            Line::OnTheWay => (told.following.to_string(), colour::TEXT),
            Line::Waiting => (told.bodies_waiting.to_string(), colour::TEXT),
            Line::News => (news.0.clone(), colour::GOOD),
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn write_switches(
    manner: Res<Manner>,
    gate: Res<GateIsOpen>,
    bodies: Res<AreBodies>,
    time: Res<Time<Virtual>>,
    mut states: Query<(&State<Switch>, &mut Text, &mut TextColor)>,
) {
    for (state, mut text, mut colour) in &mut states {
        let (new, shade) = match state.0 {
            Switch::Formation(formation) if formation == manner.formation => ("chosen".into(), colour::GOLD),
            Switch::Formation(_) | Switch::Everybody => (String::new(), colour::FAINT),
            Switch::Pace => on_off(manner.keeps_pace),
            Switch::Bodies => on_off(bodies.0),
            Switch::Gate if gate.0 => ("open".into(), colour::GOOD),
            Switch::Gate => ("shut".into(), colour::BAD),
            Switch::Pause if time.is_paused() => ("go on".into(), colour::GOLD),
            Switch::Pause => ("stop".into(), colour::FAINT),
        };
        write_line(&mut text, &mut colour, &new, shade);
    }
}
