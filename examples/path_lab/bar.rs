//! The bars above and below the board: the legend, the steps, and the last step in words.

use bevy::{input_focus::tab_navigation::TabGroup, prelude::*};
use tilepath_examples::panel::{colour, line, spawn_legend_entry, write_line};

use crate::{
    brush::DANGER,
    edges,
    lab::{Lab, LabSet},
    order::Order,
    palette,
    panel::WindowParts,
    report,
    settings::Mode,
    widgets::{Action, Dial, button, caption, spawn_slider},
};

const SIZE: f32 = 12.0;
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

/// A thing that not every board has. Its entry of the legend is hidden without it.
#[derive(Component, Debug, Clone, Copy)]
enum OnBoard {
    Edges,
    Danger,
    Friends,
    Turns,
}

impl OnBoard {
    fn is_there(self, lab: &Lab) -> bool {
        let grid = lab.field().finder.grid();
        match self {
            Self::Edges => edges::closed(grid).next().is_some(),
            Self::Danger => grid.overlay_cells(DANGER).next().is_some(),
            Self::Friends => !lab.field().friends.is_empty(),
            Self::Turns => lab.turns().is_some(),
        }
    }
}

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
    ("expanded", palette::EXPANDED),
    ("current", palette::CURRENT),
    ("path", palette::PATH),
    ("no path", palette::NO_PATH),
    ("wall to open", palette::BARRIER),
    ("your route", palette::PROPOSAL),
];

/// Entries of the legend that are shown while the board has such a thing.
const AT_TIMES: [(&str, Color, OnBoard); 6] = [
    ("one-way", palette::ONE_WAY, OnBoard::Edges),
    ("fence", palette::FENCE, OnBoard::Edges),
    ("danger", palette::DANGER, OnBoard::Danger),
    ("friend", palette::FRIEND, OnBoard::Friends),
    ("turn ends", palette::TURN_END, OnBoard::Turns),
    ("fewest turns", palette::FEWEST, OnBoard::Turns),
];

const GRAPH: [(&str, Color); 10] = [
    ("start", palette::START),
    ("goal", palette::GOAL),
    ("open", palette::OPEN),
    ("expanded", palette::EXPANDED),
    ("current", palette::CURRENT),
    ("edge", palette::EDGE),
    ("visited edge", palette::VISITED),
    ("search tree", palette::TREE),
    ("path", palette::PATH),
    ("no path", palette::NO_PATH),
];

/// The meaning of the numbers and bars on the board.
const GRID_FIGURES: &str = "g: cost so far   h: estimate to the goal   f: g + h, lowest first   n: step   bars: link to the previous cell";

fn spawn_legends(mut commands: Commands, window: Res<WindowParts>) {
    for mode in [Mode::Grid, Mode::Graph] {
        let bar = Node {
            flex_wrap: FlexWrap::Wrap,
            column_gap: px(14),
            row_gap: px(3),
            padding: UiRect::axes(px(10), px(4)),
            border_radius: BorderRadius::all(px(4)),
            ..default()
        };
        commands.spawn((Legend(mode), bar, BackgroundColor(BEHIND), ChildOf(window.0.above))).with_children(
            |legend| {
                let entries = if mode == Mode::Grid { GRID.as_slice() } else { &GRAPH };
                for (name, shown) in entries {
                    spawn_legend_entry(legend, *shown, name, SIZE);
                }
                if mode == Mode::Grid {
                    for (name, shown, about) in AT_TIMES {
                        spawn_legend_entry(legend, shown, name, SIZE).insert(about);
                    }
                    legend.spawn(line(GRID_FIGURES, 12.0, colour::FAINT));
                }
            },
        );
    }
}

fn spawn_bar(mut commands: Commands, window: Res<WindowParts>) {
    let bar = Node {
        flex_direction: FlexDirection::Column,
        row_gap: px(4),
        padding: UiRect::axes(px(12), px(7)),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    let row_node = || Node {
        column_gap: px(6),
        row_gap: px(4),
        flex_wrap: FlexWrap::Wrap,
        align_items: AlignItems::Center,
        ..default()
    };
    let bar = (TabGroup::new(2), bar, BackgroundColor(BEHIND), ChildOf(window.0.below));
    commands.spawn(bar).with_children(|bar| {
        bar.spawn(row_node()).with_children(|row| {
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
            let scrub =
                Node { flex_grow: 1.0, flex_basis: px(60), margin: UiRect::horizontal(px(8)), ..default() };
            spawn_slider(row, Dial::Step, scrub);
            row.spawn(Node { width: px(112), justify_content: JustifyContent::End, ..default() })
                .with_child((BarText::Step, line("", SIZE, colour::TEXT)));
            let speed = Node { margin: UiRect::left(px(14)), flex_wrap: FlexWrap::NoWrap, ..row_node() };
            row.spawn((speed, Pickable::IGNORE)).with_children(|row| {
                row.spawn(line("speed", SIZE, colour::FAINT));
                spawn_slider(row, Dial::Speed, Node { width: px(90), ..default() });
                row.spawn(Node { width: px(88), justify_content: JustifyContent::End, ..default() })
                    .with_child((BarText::Speed, line("", SIZE, colour::TEXT)));
            });
        });
        bar.spawn((Node { min_height: px(15), ..default() }, Pickable::IGNORE))
            .with_child((BarText::News, line("", SIZE, colour::TEXT)));
    });
}

fn show_legend(lab: Res<Lab>, mut entries: Query<(AnyOf<(&Legend, &OnBoard)>, &mut Node)>) {
    if !lab.is_changed() {
        return;
    }
    for ((legend, about), mut node) in &mut entries {
        let is_shown = legend.is_none_or(|legend| legend.0 == lab.settings().mode)
            && about.is_none_or(|about| about.is_there(&lab));
        let display = if is_shown { Display::Flex } else { Display::None };
        if node.display != display {
            node.display = display;
        }
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
