//! The panel and the legend.

mod text;

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, NavGraph, NavProjection, PathAgent, PathStatus};
use tilepath_examples::{
    layout::{PanelLook, spawn_layout},
    legend::{show_entry, spawn_legend},
    panel::{button, colour, line, on_off, row, spawn_gap, spawn_help, standing_room, write_line},
    pointer::MapPointer,
    words,
};

use crate::{
    around::Around,
    hand::Hand,
    network,
    pointing::Pointing,
    removed::Removed,
    report::{Note, Report},
    save::{Save, SaveFile},
    scene::Walker,
    settings::{Settings, Shown},
    supplies::Nearest,
    trail::Preview,
};

/// The panel and the legend. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, (spawn_panel, spawn_colours))
            .add_systems(Update, (write_lines, write_steps, show_colours));
    }
}

/// A line of the panel that changes.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Status,
    Detail,
    Cost,
    Length,
    Next,
    Graph,
    Here,
    FromHere,
    Nearest,
    Shown,
    Steps,
    AccessFactor,
    WaypointSlowdown,
    Names,
    Note,
}

/// A button of a switch.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Switch {
    Shown,
    Steps,
    AccessFactor,
    WaypointSlowdown,
    Names,
    Save,
}

/// The count of the waypoints that are this many steps away.
#[derive(Component)]
struct StepCount(u32);

/// An entry of the legend, by when it is shown.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Explains {
    Always,
    Supplies,
    Removed,
}

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;

const FIGURES: [(&str, Line); 7] = [
    ("cost", Line::Cost),
    ("length", Line::Length),
    ("next", Line::Next),
    ("graph", Line::Graph),
    ("here", Line::Here),
    ("cost to here", Line::FromHere),
    ("supplies", Line::Nearest),
];

const SWITCHES: [(&str, Switch, Line); 5] = [
    ("V  show", Switch::Shown, Line::Shown),
    ("T  steps shown", Switch::Steps, Line::Steps),
    ("F  off the ways", Switch::AccessFactor, Line::AccessFactor),
    ("E  slow at waypoints", Switch::WaypointSlowdown, Line::WaypointSlowdown),
    ("H  all names", Switch::Names, Line::Names),
];

const HELP: [&str; 11] = [
    "left click    go there",
    "left drag     move waypoint or way",
    "right drag    join, or part if joined",
    "with shift    join one way only",
    "N             new waypoint here",
    "X             remove what is here",
    "G             add, remove supplies",
    "Q             to the nearest supplies",
    "R             reset the graph",
    "space         stop, go on",
    "arrows, wheel move the view, zoom",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>, save: Res<SaveFile>) {
    let look = PanelLook { title: "A town of waypoints", width: 304.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        panel.spawn((Line::Status, line("", SIZE, colour::TEXT)));
        panel.spawn(standing_room(1)).with_child((Line::Detail, line("", SMALL, colour::FAINT)));
        spawn_gap(panel, 2.0);
        for (name, value) in FIGURES {
            panel.spawn(row()).with_children(|row| {
                row.spawn(line(name, SIZE, colour::FAINT));
                row.spawn((value, line("", SIZE, colour::TEXT)));
            });
        }
        spawn_steps(panel);
        spawn_gap(panel, 3.0);
        for (name, switch, value) in SWITCHES {
            spawn_switch(panel, switch, |content| {
                content.spawn(line(name, SIZE, colour::TEXT));
                content.spawn((value, line("", SIZE, colour::GOLD)));
            });
        }
        spawn_switch(panel, Switch::Save, |content| {
            content.spawn(line("S  save to", SIZE, colour::TEXT));
            content.spawn(line(text::file(&save.0), SMALL, colour::FAINT));
        });
        panel.spawn(standing_room(2)).with_child((Line::Note, line("", SMALL, colour::GOOD)));
        spawn_gap(panel, 2.0);
        spawn_help(panel, &HELP);
    });
}

fn spawn_colours(mut commands: Commands) {
    spawn_legend(
        &mut commands,
        &[
            (Explains::Always, network::colour::ROUTE, "its path"),
            (Explains::Always, Color::WHITE, "path to the pointer"),
            (Explains::Always, network::colour::HAND, "in hand"),
            (Explains::Supplies, network::colour::SUPPLIES, "supplies"),
            (Explains::Supplies, network::colour::NEAREST, "the nearest supplies"),
            (Explains::Removed, network::colour::REMOVED, "a removed way"),
        ],
    );
}

fn show_colours(settings: Res<Settings>, removed: Res<Removed>, mut entries: Query<(&Explains, &mut Node)>) {
    for (entry, mut node) in &mut entries {
        let is_shown = match entry {
            Explains::Always => true,
            Explains::Supplies => settings.shown == Shown::Supplies,
            Explains::Removed => !removed.0.is_empty(),
        };
        show_entry(&mut node, is_shown);
    }
}

/// Adds a patch for each number of steps, with the count of the waypoints at that distance.
fn spawn_steps(panel: &mut ChildSpawnerCommands) {
    panel.spawn(row()).with_children(|row| {
        row.spawn(line("steps", SIZE, colour::FAINT));
        for steps in 1..=Settings::MOST_STEPS {
            let node = Node { align_items: AlignItems::Center, column_gap: px(5), ..default() };
            row.spawn((node, Pickable::IGNORE)).with_children(|entry| {
                entry.spawn((
                    Node {
                        width: px(20),
                        height: px(15),
                        justify_content: JustifyContent::Center,
                        border_radius: BorderRadius::all(px(3)),
                        ..default()
                    },
                    BackgroundColor(network::colour::of_steps(steps)),
                    Pickable::IGNORE,
                    children![line(steps.to_string(), SMALL, network::colour::INK)],
                ));
                entry.spawn((StepCount(steps), line("", SIZE, colour::TEXT)));
            });
        }
    });
}

fn spawn_switch(
    panel: &mut ChildSpawnerCommands,
    switch: Switch,
    content: impl FnOnce(&mut ChildSpawnerCommands),
) {
    let node = Node { padding: UiRect::axes(px(6), px(1)), ..default() };
    panel.spawn((switch, button(node))).with_children(content).observe(flip_switch);
}

fn flip_switch(
    click: On<Pointer<Click>>,
    switches: Query<&Switch>,
    mut settings: ResMut<Settings>,
    mut saves: MessageWriter<Save>,
) {
    if click.event.button != PointerButton::Primary {
        return;
    }
    match switches.get(click.event_target()) {
        Ok(Switch::Shown) => settings.shown = settings.shown.next(),
        Ok(Switch::Steps) => settings.next_steps(),
        Ok(Switch::AccessFactor) => settings.next_access_factor(),
        Ok(Switch::WaypointSlowdown) => settings.easing = !settings.easing,
        Ok(Switch::Names) => settings.names = !settings.names,
        Ok(Switch::Save) => {
            saves.write(Save);
        }
        Err(_) => {}
    }
}

fn write_lines(
    report: Res<Report>,
    note: Res<Note>,
    settings: Res<Settings>,
    pointing: Res<Pointing>,
    preview: Res<Preview>,
    nearest: Res<Nearest>,
    pointer: Res<MapPointer>,
    hand: Res<Hand>,
    graph: Single<(&NavGraph, &NavProjection)>,
    walker: Single<(&PathStatus, &PathAgent, Option<&AgentPath>), With<Walker>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    let (status, agent, path) = *walker;
    let (graph, projection) = *graph;
    let plain = |text: String| (text, colour::TEXT);
    for (kind, mut shown, mut shown_colour) in &mut lines {
        let (new, new_colour) = match kind {
            Line::Status => text::status(*status, agent.paused, &report.news),
            Line::Detail => (text::detail(&report), colour::FAINT),
            Line::Cost => plain(text::figure(report.figures.map(|figures| figures.cost))),
            Line::Length => plain(text::figure(report.figures.map(|figures| figures.length))),
            Line::Next => plain(text::next(*status, path)),
            Line::Graph => plain(text::graph(graph.graph())),
            Line::Here if pointing.0.is_none() && pointer.is_over_map() => plain(words::OUTSIDE.into()),
            Line::Here => plain(text::here(&pointing, &hand, graph.graph(), projection)),
            Line::FromHere => plain(text::figure(preview.cost)),
            Line::Nearest => plain(text::nearest(&nearest)),
            Line::Shown => (settings.shown.name().into(), colour::GOLD),
            Line::Steps => (settings.steps.to_string(), colour::GOLD),
            Line::AccessFactor => (format!("{} x as costly", settings.access_factor), colour::GOLD),
            Line::WaypointSlowdown => on_off(settings.easing),
            Line::Names => on_off(settings.names),
            Line::Note => text::note(&note),
        };
        write_line(&mut shown, &mut shown_colour, &new, new_colour);
    }
}

fn write_steps(
    around: Res<Around>,
    settings: Res<Settings>,
    mut entries: Query<(&StepCount, &mut Text, &mut TextColor)>,
) {
    for (entry, mut shown, mut shown_colour) in &mut entries {
        let is_shown = around.centre.is_some() && entry.0 <= settings.steps;
        let new = if is_shown { around.count(entry.0).to_string() } else { "-".into() };
        write_line(&mut shown, &mut shown_colour, &new, colour::TEXT);
    }
}
