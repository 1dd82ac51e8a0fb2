//! The panel: what can be chosen, and the comparison.

use bevy::{input_focus::tab_navigation::TabGroup, prelude::*};
use tilepath::{HeuristicKind, Topology, turns::LongStep};
use tilepath_examples::{
    layout::{PanelLook, Parts, spawn_layout},
    panel::{colour, line, write_line},
    words,
};

use crate::{
    lab::{Lab, LabSet},
    method::Method,
    order::Order,
    overlay::Sheet,
    palette,
    settings::{Brush, Mode, Setting, choices},
    widgets::{Action, Choice, button, caption, group, radio},
};

const SMALL: f32 = 11.0;
const SIZE: f32 = 12.0;
/// Widths of the comparison's columns: expanded, cost, time, cheapest.
const COLUMNS: [f32; 4] = [58.0, 50.0, 50.0, 56.0];

/// The panel at the right. Needs a window.
pub(crate) struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PreStartup, divide_window)
            .add_systems(Startup, spawn_panel)
            .add_systems(Update, (write_figures, show_kinds, write_lesson).after(LabSet));
    }
}

/// One figure of the comparison.
#[derive(Component, Debug, Clone, Copy)]
struct Figure {
    method: Method,
    column: Column,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Expanded,
    Cost,
    Time,
    Cheapest,
}

/// What there is to know of the chosen algorithm.
#[derive(Component)]
struct Lesson;

/// A part of the panel that is there while one of its choices is offered.
#[derive(Component)]
struct For(Vec<Setting>);

/// The parts of the window.
#[derive(Resource)]
pub(crate) struct WindowParts(pub(crate) Parts);

fn divide_window(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "The laboratory", width: 440.0, is_tall: true };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.insert_resource(WindowParts(parts));
}

fn row() -> Node {
    Node { column_gap: px(4), align_items: AlignItems::Center, ..default() }
}

fn spawn_panel(mut commands: Commands, window: Res<WindowParts>) {
    let Parts { head, panel, .. } = window.0;
    commands.entity(head).insert(TabGroup::new(0)).with_children(|head| {
        head.spawn(group(row())).with_children(|modes| {
            for setting in choices::modes() {
                let node = Node { padding: UiRect::axes(px(10), px(3)), ..default() };
                modes.spawn(radio(setting, node)).with_child(caption(name(setting), SIZE));
            }
        });
    });
    commands.entity(panel).insert(TabGroup::new(1)).with_children(|panel| {
        spawn_comparison(panel);
        spawn_kind(panel, "R  race against, side by side", choices::rivals());
        panel.spawn(Node { column_gap: px(12), ..default() }).with_children(|row| {
            spawn_kind(row, "T  cells", choices::topologies());
            spawn_kind(row, "Z  size", choices::sizes());
        });
        panel.spawn(Node { column_gap: px(12), ..default() }).with_children(|row| {
            spawn_kind(row, "U  unit", choices::units());
            spawn_kind(row, "P  points a turn", choices::points());
            spawn_kind(row, "O  longer steps", choices::long_steps());
        });
        spawn_kind(panel, "D  diagonal steps", choices::diagonals());
        spawn_kind(panel, "H  estimate of what is left (heuristic)", choices::heuristics());
        spawn_kind(panel, "1-9  brush: click or drag on the board", choices::brushes());
        spawn_kind(panel, "M  map", choices::grounds());
        spawn_kind(panel, "M  graph", choices::nets());
        spawn_buttons(panel);
        panel.spawn((Node { margin: UiRect::top(px(4)), ..default() }, Pickable::IGNORE)).with_child((
            Lesson,
            line("", SMALL, colour::FAINT),
            TextLayout { linebreak: LineBreak::WordBoundary, ..default() },
        ));
    });
}

fn spawn_comparison(panel: &mut ChildSpawnerCommands) {
    let padding = UiRect::axes(px(6), px(0));
    panel.spawn(Node { padding, border: UiRect::all(px(1)), ..row() }).with_children(|head| {
        head.spawn((
            Node { flex_grow: 1.0, flex_basis: px(0), ..default() },
            line("A  algorithm", SMALL, colour::FAINT),
        ));
        for (title, width) in ["expanded", "cost", "time us", "cheapest"].into_iter().zip(COLUMNS) {
            head.spawn(cell(width)).with_child(line(title, SMALL, colour::FAINT));
        }
    });
    let list = Node { flex_direction: FlexDirection::Column, row_gap: px(2), ..default() };
    panel.spawn(group(list)).with_children(|methods| {
        for method in Method::ALL {
            let node = Node { padding, column_gap: px(4), ..default() };
            methods.spawn(radio(Setting::Method(method), node)).with_children(|row| {
                row.spawn((
                    Node { flex_grow: 1.0, flex_basis: px(0), ..default() },
                    caption(method.name(), SIZE),
                ));
                let columns = [Column::Expanded, Column::Cost, Column::Time, Column::Cheapest];
                for (column, width) in columns.into_iter().zip(COLUMNS) {
                    row.spawn(cell(width)).with_child((Figure { method, column }, caption("", SIZE)));
                }
            });
        }
    });
}

/// A place in a column, its text at the right.
fn cell(width: f32) -> impl Bundle {
    (Node { width: px(width), justify_content: JustifyContent::End, ..default() }, Pickable::IGNORE)
}

fn spawn_kind(panel: &mut ChildSpawnerCommands, title: &str, settings: Vec<Setting>) {
    let column = Node {
        flex_direction: FlexDirection::Column,
        row_gap: px(2),
        margin: UiRect::top(px(2)),
        flex_grow: 1.0,
        ..default()
    };
    panel.spawn((For(settings.clone()), column)).with_children(|kind| {
        kind.spawn(line(title, SMALL, colour::FAINT));
        let wrapped = Node { flex_wrap: FlexWrap::Wrap, row_gap: px(3), ..row() };
        kind.spawn(group(wrapped)).with_children(|group| {
            for setting in settings {
                let node = Node {
                    flex_grow: 1.0,
                    column_gap: px(4),
                    padding: UiRect::axes(px(4), px(3)),
                    ..default()
                };
                group.spawn(radio(setting, node)).with_children(|content| {
                    if let Setting::Brush(brush) = setting {
                        let shown = palette::brush(brush);
                        content.spawn((
                            Node {
                                width: px(9),
                                height: px(9),
                                border_radius: BorderRadius::all(px(2)),
                                ..default()
                            },
                            BackgroundColor(shown),
                            Pickable::IGNORE,
                        ));
                    }
                    content.spawn(caption(name(setting), SMALL));
                });
            }
        });
    });
}

fn spawn_buttons(panel: &mut ChildSpawnerCommands) {
    let grow = || Node { flex_grow: 1.0, padding: UiRect::axes(px(4), px(4)), ..default() };
    let part = || Node { flex_grow: 1.0, ..row() };
    panel.spawn(Node { margin: UiRect::top(px(5)), ..row() }).with_children(|all| {
        all.spawn((For(choices::brushes()), part())).with_children(|buttons| {
            for (title, order) in
                [("N  new pair", Order::NewPair), ("X  new map", Order::NewMap), ("C  clear", Order::Clear)]
            {
                buttons.spawn(button(Action::Order(order), grow())).with_child(caption(title, SIZE));
            }
        });
        all.spawn(part()).with_children(|buttons| {
            for (title, sheet) in [("E  explain", Sheet::Explanation), ("F1  keys", Sheet::Keys)] {
                buttons.spawn(button(Action::Show(sheet), grow())).with_child(caption(title, SIZE));
            }
        });
    });
}

/// What a choice is called in the panel.
pub(crate) fn name(setting: Setting) -> String {
    match setting {
        Setting::Mode(Mode::Grid) => "grid".into(),
        Setting::Mode(Mode::Graph) => "graph".into(),
        Setting::Method(method) => method.name().into(),
        Setting::Rival(None) | Setting::Points(None) => "none".into(),
        Setting::Rival(Some(rival)) => rival.short_name().into(),
        Setting::Topology(Topology::Square) => "squares".into(),
        Setting::Topology(Topology::Hexagonal) => "hexagons".into(),
        Setting::Unit(side) => side.to_string(),
        Setting::Points(Some(points)) => points.to_string(),
        Setting::LongStep(LongStep::Never) => "never".into(),
        Setting::LongStep(LongStep::OwnTurn) => "own turn".into(),
        Setting::LongStep(_) => "another rule".into(),
        Setting::Diagonals(rule) => words::diagonals(rule).into(),
        Setting::Heuristic(HeuristicKind::Euclidean) => "euclid".into(),
        Setting::Heuristic(heuristic) => heuristic.name().into(),
        Setting::Brush(brush) => brush.name().into(),
        Setting::Size(size) => {
            let (columns, rows) = size.cells();
            format!("{columns} x {rows}")
        }
        Setting::Ground(ground) => ground.name().into(),
        Setting::Net(net) => net.name().into(),
    }
}

fn write_figures(lab: Res<Lab>, mut figures: Query<(&Figure, &mut Text, &mut TextColor)>) {
    if !lab.is_changed() {
        return;
    }
    for (figure, mut text, mut shown) in &mut figures {
        let row = lab.rows().iter().find(|row| row.method == figure.method);
        let (new, colour) = match row.map(|row| &row.result) {
            // The reason stands below the board when the algorithm is chosen.
            Some(Err(_)) if figure.column == Column::Cheapest => ("not here".into(), colour::FAINT),
            None | Some(Err(_)) => (String::new(), colour::FAINT),
            Some(Ok(figures)) => match figure.column {
                Column::Expanded => (figures.expanded.to_string(), colour::TEXT),
                Column::Cost => (figures.cost_text(), colour::TEXT),
                Column::Time => (figures.time_text(), colour::TEXT),
                Column::Cheapest => {
                    let colour = if figures.is_optimal() { colour::GOOD } else { colour::BAD };
                    (figures.verdict(), colour)
                }
            },
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

/// What cannot be chosen now is hidden: graphs have no terrain, and not all algorithms.
fn show_kinds(lab: Res<Lab>, mut parts: Query<(&mut Node, Option<&Choice>, Option<&For>)>) {
    if !lab.is_changed() {
        return;
    }
    let settings = lab.settings();
    for (mut node, choice, part) in &mut parts {
        let is_shown = match (choice, part) {
            (Some(Choice(choice)), _) => settings.shows(*choice),
            (None, Some(For(choices))) => choices.iter().any(|&choice| settings.shows(choice)),
            (None, None) => continue,
        };
        let display = if is_shown { Display::Flex } else { Display::None };
        if node.display != display {
            node.display = display;
        }
    }
}

fn write_lesson(lab: Res<Lab>, lesson: Single<(&mut Text, &mut TextColor), With<Lesson>>) {
    if lab.is_changed() {
        let (mut text, mut shown) = lesson.into_inner();
        let mut lesson = lab.settings().method.lesson().to_owned();
        if lab.settings().mode == Mode::Graph {
            lesson.push_str("\n\nClick a node: there it starts. Click another: there it goes. Below each node stands what the \
                             way to it costs.");
        }
        match (lab.settings().topology, lab.settings().unit) {
            _ if lab.settings().mode == Mode::Graph => {}
            (Topology::Hexagonal, _) => {
                lesson.push_str(" Hexagons have six neighbours, all at the cost of a straight step.");
            }
            (Topology::Square, 1) => {}
            (Topology::Square, _) => lesson.push_str(" Marks stand at the middle of the unit."),
        }
        write_line(&mut text, &mut shown, &lesson, colour::FAINT);
    }
}

/// The brushes in the order of their number keys.
pub(crate) const BRUSH_KEYS: [(KeyCode, Brush); 9] = [
    (KeyCode::Digit1, Brush::Wall),
    (KeyCode::Digit2, Brush::Plain),
    (KeyCode::Digit3, Brush::Grass),
    (KeyCode::Digit4, Brush::Mud),
    (KeyCode::Digit5, Brush::Water),
    (KeyCode::Digit6, Brush::Route),
    (KeyCode::Digit7, Brush::OneWay),
    (KeyCode::Digit8, Brush::Danger),
    (KeyCode::Digit9, Brush::Friend),
];
