//! The panel: counters, switches and help.

use bevy::prelude::*;
use bevy_tilepath::TilepathDiagnostics;
use tilepath_examples::{
    layout::{PanelLook, spawn_layout},
    panel::{colour, on_off, spawn_gap, spawn_help, write_line},
    switches::{State, spawn_counter, spawn_switch},
};

use crate::{
    arrows::Shown,
    clock::{STEPS, TickClock},
    keys::Switch,
    looks::goal_colour,
    traffic::Traffic,
    units::{Mode, Unit, Wanted},
};

/// The panel. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, spawn_panel).add_systems(Update, (write_lines, write_switches));
    }
}

/// A counter of the panel.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Units,
    Following,
    Waiting,
    Queued,
    Collisions,
    Arrivals,
    Rate,
    Failed,
    Tick,
    Worst,
    Step(usize),
}

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;

const COUNTERS: [(&str, Line); 8] = [
    ("units", Line::Units),
    ("on the way", Line::Following),
    ("wait for others", Line::Waiting),
    ("orders queued", Line::Queued),
    ("collisions now", Line::Collisions),
    ("arrivals", Line::Arrivals),
    ("arrivals a second", Line::Rate),
    ("journeys failed", Line::Failed),
];

const SWITCHES: [(&str, Switch); 7] = [
    ("-  fewer units", Switch::Less),
    ("+  more units", Switch::More),
    ("B  units are", Switch::Mode),
    ("Tab  goal", Switch::Goal),
    ("F  its field", Switch::Field),
    ("P  paths to it", Switch::Ways),
    ("space", Switch::Pause),
];

const HELP: [&str; 4] = [
    "left drag     walls on or off",
    "wheel         zoom",
    "WASD, middle  move the view",
    "F2            fold the panel",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "A city on foot", width: 264.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        spawn_gap(panel, 2.0);
        for (name, value) in COUNTERS {
            spawn_counter(panel, name, value, SIZE);
        }
        spawn_gap(panel, 6.0);
        spawn_counter(panel, "a tick, mean", Line::Tick, SIZE);
        spawn_counter(panel, "the worst of 128", Line::Worst, SIZE);
        for (step, name) in STEPS.into_iter().enumerate() {
            spawn_counter(panel, &format!("   {name}"), Line::Step(step), SMALL);
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
    totals: Res<TilepathDiagnostics>,
    traffic: Res<Traffic>,
    clock: Res<TickClock>,
    units: Query<(), With<Unit>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    let (mean, worst) = clock.tick();
    for (kind, mut text, mut shown) in &mut lines {
        let plain = |number: u64| (thousands(number), colour::TEXT);
        let (new, colour) = match *kind {
            Line::Units => (thousands(units.count() as u64), colour::GOLD),
            Line::Following => plain(totals.following as u64),
            Line::Waiting => plain(totals.bodies_waiting as u64),
            Line::Queued => plain(totals.queued as u64),
            Line::Collisions if traffic.collisions == 0 => ("0".into(), colour::GOOD),
            Line::Collisions => (thousands(traffic.collisions as u64), colour::BAD),
            Line::Arrivals => plain(traffic.arrivals),
            Line::Rate => (format!("{:.1}", traffic.rate()), colour::TEXT),
            Line::Failed => plain(traffic.failed),
            Line::Tick => (format!("{mean:.2} ms"), colour::GOLD),
            Line::Worst => (format!("{worst:.2} ms"), colour::TEXT),
            Line::Step(step) => (format!("{:.2}", clock.mean(step)), colour::FAINT),
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn write_switches(
    wanted: Res<Wanted>,
    mode: Res<Mode>,
    shown: Res<Shown>,
    time: Res<Time<Virtual>>,
    mut states: Query<(&State<Switch>, &mut Text, &mut TextColor)>,
) {
    for (state, mut text, mut colour) in &mut states {
        let (new, shade) = match state.0 {
            Switch::Less => (thousands(wanted.less().0 as u64), colour::FAINT),
            Switch::More => (thousands(wanted.more().0 as u64), colour::FAINT),
            Switch::Mode if *mode == Mode::Bodies => ("bodies".into(), colour::GOLD),
            Switch::Mode => ("ghosts".into(), colour::BAD),
            Switch::Goal => (format!("{}", shown.goal + 1), goal_colour(shown.goal).lighter(0.2)),
            Switch::Field => on_off(shown.field),
            Switch::Ways => on_off(shown.ways),
            Switch::Pause if time.is_paused() => ("go on".into(), colour::GOLD),
            Switch::Pause => ("stop".into(), colour::FAINT),
        };
        write_line(&mut text, &mut colour, &new, shade);
    }
}

/// A number with commas between its thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_commas() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
