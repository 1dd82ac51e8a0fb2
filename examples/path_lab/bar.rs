//! The bars above and below the board: the legend, the steps, what the last one did.

use bevy::{input_focus::tab_navigation::TabGroup, prelude::*};
use tilepath_examples::panel::{colour, line, write_line};

use crate::{
    lab::{Lab, LabSet, Order},
    palette, report,
    settings::Mode,
    widgets::{Action, Dial, button, caption, spawn_slider},
};

const SIZE: f32 = 12.0;
/// The bars end where the panel begins.
const RIGHT: f32 = 394.0;
const BEHIND: Color = Color::srgb(0.07, 0.07, 0.095);

/// The bars. Needs a window.
pub(crate) struct BarPlugin;

impl Plugin for BarPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, (spawn_legends, spawn_bar))
            .add_systems(Update, (show_legend, write_texts).after(LabSet));
    }
}

/// The legend of a mode.
#[derive(Component)]
struct Legend(Mode);

/// A text of the bar that changes.
#[derive(Component, Debug, Clone, Copy)]
enum BarText {
    Play,
    Step,
    News,
    Speed,
}

const GRID: [(&str, Color); 9] = [
    ("start", palette::START),
    ("goal", palette::GOAL),
    ("open", palette::OPEN),
    ("closed", palette::CLOSED),
    ("current", palette::CURRENT),
    ("path", palette::PATH),
    ("given up", palette::GIVEN_UP),
    ("barrier", palette::BARRIER),
    ("proposed", palette::PROPOSAL),
];

const GRAPH: [(&str, Color); 9] = [
    ("start", palette::START),
    ("goal", palette::GOAL),
    ("open", palette::OPEN),
    ("closed", palette::CLOSED),
    ("current", palette::CURRENT),
    ("edge", palette::EDGE),
    ("visited edge", palette::VISITED),
    ("path", palette::PATH),
    ("given up", palette::GIVEN_UP),
];

fn spawn_legends(mut commands: Commands) {
    for (mode, entries) in [(Mode::Grid, GRID), (Mode::Graph, GRAPH)] {
        commands
            .spawn((
                Legend(mode),
                Node {
                    position_type: PositionType::Absolute,
                    top: px(8),
                    left: px(8),
                    right: px(RIGHT),
                    height: px(28),
                    justify_content: JustifyContent::SpaceAround,
                    align_items: AlignItems::Center,
                    border_radius: BorderRadius::all(px(4)),
                    ..default()
                },
                BackgroundColor(BEHIND),
            ))
            .with_children(|legend| {
                for (name, shown) in entries {
                    let row = Node { column_gap: px(6), align_items: AlignItems::Center, ..default() };
                    legend.spawn(row).with_children(|entry| {
                        entry.spawn((
                            Node {
                                width: px(14),
                                height: px(14),
                                border: UiRect::all(px(1)),
                                border_radius: BorderRadius::all(px(3)),
                                ..default()
                            },
                            BackgroundColor(shown),
                            // The path is as dark as the bar.
                            BorderColor::all(Color::srgba(1.0, 1.0, 1.0, 0.45)),
                        ));
                        entry.spawn(line(name, SIZE, colour::TEXT));
                    });
                }
            });
    }
}

fn spawn_bar(mut commands: Commands) {
    let bar = Node {
        position_type: PositionType::Absolute,
        left: px(8),
        right: px(RIGHT),
        bottom: px(8),
        flex_direction: FlexDirection::Column,
        row_gap: px(6),
        padding: UiRect::axes(px(12), px(8)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    commands.spawn((TabGroup::new(1), bar, BackgroundColor(BEHIND))).with_children(|bar| {
        let row = || Node { column_gap: px(6), align_items: AlignItems::Center, ..default() };
        bar.spawn(row()).with_children(|row| {
            let small = || Node { width: px(34), height: px(24), ..default() };
            for (title, order) in [("|<", Order::Seek(0)), ("<", Order::Step(-1))] {
                row.spawn(button(Action::Order(order), small())).with_child(caption(title, 14.0));
            }
            let play = Node { width: px(66), height: px(24), ..default() };
            row.spawn(button(Action::Order(Order::PlayOrPause), play))
                .with_child((BarText::Play, caption("play", 13.0)));
            for (title, order) in [(">", Order::Step(1)), (">|", Order::SeekEnd)] {
                row.spawn(button(Action::Order(order), small())).with_child(caption(title, 14.0));
            }
            let scrub = Node { flex_grow: 1.0, margin: UiRect::horizontal(px(8)), ..default() };
            spawn_slider(row, Dial::Step, scrub);
            row.spawn(Node { width: px(124), justify_content: JustifyContent::End, ..default() })
                .with_child((BarText::Step, line("", SIZE, colour::TEXT)));
        });
        bar.spawn(row()).with_children(|row| {
            row.spawn(Node { flex_grow: 1.0, flex_basis: px(0), ..default() })
                .with_child((BarText::News, line("", SIZE, colour::TEXT)));
            row.spawn(line("speed", SIZE, colour::FAINT));
            spawn_slider(row, Dial::Speed, Node { width: px(110), ..default() });
            row.spawn(Node { width: px(92), justify_content: JustifyContent::End, ..default() })
                .with_child((BarText::Speed, line("", SIZE, colour::TEXT)));
        });
    });
}

fn show_legend(lab: Res<Lab>, mut legends: Query<(&Legend, &mut Visibility)>) {
    for (legend, mut visibility) in &mut legends {
        let shown = legend.0 == lab.settings().mode;
        visibility.set_if_neq(if shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}

fn write_texts(lab: Res<Lab>, mut texts: Query<(&BarText, &mut Text, &mut TextColor)>) {
    if !lab.is_changed() {
        return;
    }
    for (kind, mut text, mut shown) in &mut texts {
        let (new, colour) = match kind {
            BarText::Play => (if lab.is_playing() { "pause" } else { "play" }.into(), colour::TEXT),
            BarText::Step => (format!("step {} of {}", lab.at(), lab.total()), colour::TEXT),
            BarText::News => report::news(&lab),
            BarText::Speed => (format!("{:.0} steps/s", lab.rate()), colour::TEXT),
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}
