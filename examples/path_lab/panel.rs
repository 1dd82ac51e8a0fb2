//! The panel: the choices and the comparison of algorithms.

use bevy::{input_focus::tab_navigation::TabGroup, prelude::*};
use tilepath::{HeuristicKind, Topology, turns::LongStep};
use tilepath_examples::{
    layout::{PanelLook, Parts, spawn_layout},
    panel::{colour, line, write_line},
    words,
};

use crate::{
    lab::{Lab, LabSet},
    link::{CAPTION, LinkCaption},
    method::Method,
    order::Order,
    overlay::Sheet,
    palette,
    settings::{Brush, Mode, Setting, choices},
    widgets::{Action, Choice, button, caption, group, radio},
};

const SMALL: f32 = 12.0;
/// The width of the names before the rows of choices, in pixels.
const NAMES: f32 = 100.0;
const SIZE: f32 = 12.0;
/// Widths of the comparison's columns: expanded, cost, time, cheapest.
const COLUMNS: [f32; 4] = [58.0, 46.0, 54.0, 60.0];

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

/// The text about the chosen algorithm.
#[derive(Component)]
struct Lesson;

/// Part of the panel, shown while one of its choices is offered.
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
        spawn_heading(panel, "Search", "", choices::methods());
        spawn_comparison(panel);
        spawn_kind(panel, "R  race", NAMES, choices::rivals());
        spawn_kind(panel, "H  estimate", NAMES, choices::heuristics());
        spawn_heading(panel, "Rules", "", choices::topologies());
        panel.spawn(Node { column_gap: px(12), ..default() }).with_children(|row| {
            spawn_kind(row, "T  cells", NAMES, choices::topologies());
            spawn_kind(row, "U  unit", 50.0, choices::units());
        });
        spawn_kind(panel, "D  diagonals", NAMES, choices::diagonals());
        spawn_kind(panel, "P  points/turn", NAMES, choices::points());
        spawn_kind(panel, "O  longer steps", NAMES, choices::long_steps());
        spawn_heading(panel, "Map", "click or drag on the board to paint", choices::grounds());
        spawn_heading(panel, "Map", "click the start, then the goal", choices::nets());
        spawn_kind(panel, "Z  size", NAMES, choices::sizes());
        spawn_kind(panel, "1-9  brush", NAMES, choices::brushes());
        spawn_kind(panel, "M  map", NAMES, choices::grounds());
        spawn_kind(panel, "M  graph", NAMES, choices::nets());
        spawn_buttons(panel);
        panel.spawn((Node { margin: UiRect::top(px(4)), ..default() }, Pickable::IGNORE)).with_child((
            Lesson,
            line("", SMALL, colour::FAINT),
            TextLayout { linebreak: LineBreak::WordBoundary, ..default() },
        ));
    });
}

/// Adds a heading, shown while one of these choices is offered.
fn spawn_heading(panel: &mut ChildSpawnerCommands, title: &str, hint: &str, settings: Vec<Setting>) {
    let node = Node { column_gap: px(8), margin: UiRect::top(px(3)), ..row() };
    panel.spawn((For(settings), node, Pickable::IGNORE)).with_children(|heading| {
        heading.spawn(line(title, SIZE, colour::GOLD));
        let rule = Node { flex_grow: 1.0, height: px(1), ..default() };
        heading.spawn((rule, BackgroundColor(colour::GOLD.with_alpha(0.35)), Pickable::IGNORE));
        if !hint.is_empty() {
            heading.spawn(line(hint, SMALL, colour::FAINT));
        }
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

/// Returns a cell of a column, with its text at the right.
fn cell(width: f32) -> impl Bundle {
    (Node { width: px(width), justify_content: JustifyContent::End, ..default() }, Pickable::IGNORE)
}

/// Adds a row of choices after their name, which is at least this many pixels wide.
fn spawn_kind(panel: &mut ChildSpawnerCommands, title: &str, width: f32, settings: Vec<Setting>) {
    let node = Node { column_gap: px(3), flex_grow: 1.0, ..default() };
    panel.spawn((For(settings.clone()), node)).with_children(|kind| {
        let place = Node { min_width: px(width), padding: UiRect::top(px(3)), flex_shrink: 0.0, ..default() };
        kind.spawn((place, Pickable::IGNORE)).with_child((
            line(title, SMALL, colour::FAINT),
            TextLayout { linebreak: LineBreak::NoWrap, ..default() },
        ));
        let wrapped = Node {
            flex_wrap: FlexWrap::Wrap,
            row_gap: px(3),
            column_gap: px(3),
            flex_grow: 1.0,
            min_width: px(0),
            ..row()
        };
        kind.spawn(group(wrapped)).with_children(|group| {
            for setting in settings {
                let node = Node {
                    flex_grow: 1.0,
                    column_gap: px(4),
                    padding: UiRect::axes(px(3), px(2)),
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
    let grow = || Node { flex_grow: 1.0, padding: UiRect::axes(px(4), px(2)), ..default() };
    let part = || Node { flex_shrink: 0.0, ..row() };
    panel.spawn((For(choices::brushes()), part())).with_children(|buttons| {
        for (title, order) in
            [("N  new pair", Order::NewPair), ("X  new map", Order::NewMap), ("C  clear", Order::Clear)]
        {
            buttons.spawn(button(Action::Order(order), grow())).with_child(caption(title, SIZE));
        }
        let copy = button(Action::Order(Order::CopyLink), grow());
        buttons.spawn(copy).with_child((LinkCaption::default(), caption(CAPTION, SIZE)));
    });
    panel.spawn(Node { margin: UiRect::top(px(4)), ..part() }).with_children(|buttons| {
        for (title, sheet) in [("E  explain", Sheet::Explanation), ("F1  keys", Sheet::Keys)] {
            buttons.spawn(button(Action::Show(sheet), grow())).with_child(caption(title, SIZE));
        }
    });
}

/// Returns the name of a choice in the panel.
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
            // If the algorithm is chosen, the line below the board gives the reason.
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

/// Hides choices that do not apply now: graphs have no terrain, and fewer algorithms.
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
            lesson.push_str("\n\nClick a node: the start. Click another: the goal. The number below a node is the cost of \
                             the path to it.");
        }
        match (lab.settings().topology, lab.settings().unit) {
            _ if lab.settings().mode == Mode::Graph => {}
            (Topology::Hexagonal, _) => {
                lesson.push_str(" Hexagons have six neighbours, all at the cost of a straight step.");
            }
            (Topology::Square, 1) => {}
            (Topology::Square, _) => lesson.push_str(" Marks are at the middle of the unit."),
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
