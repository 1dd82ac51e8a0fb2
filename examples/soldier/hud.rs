//! The panel, the label beside the pointer, and the legend.

mod text;

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, PathAgent, PathStatus, debug::TilepathGizmos};
use tilepath_examples::{
    label::{PointerLabel, spawn_label},
    layout::{PanelLook, spawn_layout},
    legend::{show_entry, spawn_legend},
    panel::{button, colour, line, on_off, row, spawn_gap, spawn_help, standing_room, write_line},
    words,
};

use crate::{
    brush::Brush,
    chosen::{Chosen, choose},
    preview::{Pointed, Preview},
    record::RecordFile,
    report::Report,
    rules::Rules,
    trail,
    units::Unit,
};

/// The panel, the label and the legend. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, (spawn_panel, spawn_label, spawn_colours))
            .add_systems(Update, (write_lines, mark_brush, mark_unit, write_label))
            .add_systems(Update, show_colours.run_if(resource_changed::<Rules>));
    }
}

/// A line of the panel that changes.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Unit,
    Status,
    Detail,
    Cost,
    Length,
    Expanded,
    SearchTime,
    TimeLeft,
    Here,
    Diagonals,
    TerrainCosts,
    TerrainSpeed,
    StraightLines,
    Closest,
    Overlay,
    Search,
    Recording,
    Brush,
}

/// A button that switches a rule.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Switch {
    Diagonals,
    TerrainCosts,
    TerrainSpeed,
    StraightLines,
    Closest,
    Overlay,
    Search,
}

/// A button that chooses a unit.
#[derive(Component)]
struct UnitButton(Unit);

/// A button that chooses a brush.
#[derive(Component)]
struct BrushButton(Brush);

/// An entry of the legend, by its subject.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Explains {
    Trails,
    Costs,
    Search,
}

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;
/// The size of a unit's picture on its sheet.
const ICON: Vec2 = Vec2::new(36.0, 24.0);

const FIGURES: [(&str, Line); 6] = [
    ("cost", Line::Cost),
    ("length", Line::Length),
    ("expanded", Line::Expanded),
    ("search time", Line::SearchTime),
    ("time left", Line::TimeLeft),
    ("here", Line::Here),
];

const SWITCHES: [(&str, Switch, Line); 7] = [
    ("R  diagonals", Switch::Diagonals, Line::Diagonals),
    ("T  terrain costs", Switch::TerrainCosts, Line::TerrainCosts),
    ("V  terrain speed", Switch::TerrainSpeed, Line::TerrainSpeed),
    ("L  straight lines", Switch::StraightLines, Line::StraightLines),
    ("C  closest tile", Switch::Closest, Line::Closest),
    ("F  show costs", Switch::Overlay, Line::Overlay),
    ("F8 show search", Switch::Search, Line::Search),
];

const HELP: [&str; 6] = [
    "left click    choose, go there",
    "right drag    paint",
    "WASD, wheel   move the view, zoom",
    "space         stop, go on",
    "F5, F6        save, load the game",
    "F9            save a recording",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "By road and river", width: 276.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        spawn_gap(panel, 2.0);
        panel.spawn(row()).with_children(|row| {
            row.spawn(line("Tab  unit", SIZE, colour::FAINT));
            row.spawn((Line::Unit, line("", SIZE, colour::GOLD)));
        });
        spawn_units(panel, &assets);
        spawn_gap(panel, 2.0);
        panel.spawn((Line::Status, line("", SIZE, colour::TEXT)));
        panel.spawn(standing_room(1)).with_child((Line::Detail, line("", SMALL, colour::FAINT)));
        spawn_gap(panel, 2.0);
        for (name, value) in FIGURES {
            panel.spawn(row()).with_children(|row| {
                row.spawn(line(name, SIZE, colour::FAINT));
                row.spawn((value, line("", SIZE, colour::TEXT)));
            });
        }
        spawn_gap(panel, 4.0);
        for (name, switch, value) in SWITCHES {
            spawn_switch(panel, name, switch, value);
        }
        spawn_gap(panel, 4.0);
        panel.spawn(row()).with_children(|row| {
            row.spawn(line("brush", SIZE, colour::FAINT));
            row.spawn((Line::Brush, line("", SIZE, colour::GOLD)));
        });
        spawn_brushes(panel, &assets);
        spawn_gap(panel, 4.0);
        spawn_help(panel, &HELP);
        panel.spawn(standing_room(1)).with_child((Line::Recording, line("", SMALL, colour::GOLD)));
    });
}

fn spawn_switch(panel: &mut ChildSpawnerCommands, name: &str, switch: Switch, value: Line) {
    let node = Node { padding: UiRect::axes(px(6), px(1)), ..default() };
    panel
        .spawn((switch, button(node)))
        .with_children(|content| {
            content.spawn(line(name, SIZE, colour::TEXT));
            content.spawn((value, line("", SIZE, colour::GOLD)));
        })
        .observe(flip_switch);
}

fn spawn_units(panel: &mut ChildSpawnerCommands, assets: &AssetServer) {
    panel.spawn(row()).with_children(|row| {
        for (index, unit) in Unit::ALL.into_iter().enumerate() {
            let corner = Vec2::new(index as f32 * ICON.x, 0.0);
            let node = Node { padding: UiRect::all(px(1)), ..default() };
            row.spawn((UnitButton(unit), button(node)))
                .with_child((
                    ImageNode {
                        image: assets.load("interface/units.png"),
                        rect: Some(Rect::from_corners(corner, corner + ICON)),
                        ..default()
                    },
                    Node { width: px(2.0 * ICON.x), height: px(2.0 * ICON.y), ..default() },
                    Pickable::IGNORE,
                ))
                .observe(choose_unit);
        }
    });
}

fn spawn_brushes(panel: &mut ChildSpawnerCommands, assets: &AssetServer) {
    panel.spawn(row()).with_children(|row| {
        for (index, brush) in Brush::ALL.into_iter().enumerate() {
            let node = Node {
                flex_direction: FlexDirection::Column,
                padding: UiRect::all(px(1)),
                width: px(38),
                ..default()
            };
            row.spawn((BrushButton(brush), button(node)))
                .with_children(|content| {
                    let left = index as f32 * 16.0;
                    content.spawn((
                        ImageNode {
                            image: assets.load("interface/terrain.png"),
                            rect: Some(Rect::new(left, 0.0, left + 16.0, 16.0)),
                            ..default()
                        },
                        Node { width: px(32), height: px(32), ..default() },
                        Pickable::IGNORE,
                    ));
                    content.spawn(line(format!("{}", index + 1), SMALL, colour::FAINT));
                })
                .observe(choose_brush);
        }
    });
}

fn spawn_colours(mut commands: Commands) {
    let drawn = TilepathGizmos::default();
    spawn_legend(
        &mut commands,
        &[
            (Explains::Trails, trail::GOLD, "path of a unit"),
            (Explains::Trails, trail::WHITE, "path to the pointer"),
            (Explains::Costs, drawn.wall_color, "cannot be entered"),
            (Explains::Costs, drawn.cheap_color.mix(&drawn.costly_color, 0.25), "costs more"),
            (Explains::Costs, drawn.costly_color, "costs most"),
            (Explains::Search, drawn.closed_color, "expanded"),
            (Explains::Search, drawn.open_color, "open"),
            (Explains::Search, drawn.search_path_color, "path found"),
        ],
    );
}

fn show_colours(rules: Res<Rules>, mut entries: Query<(&Explains, &mut Node)>) {
    for (entry, mut node) in &mut entries {
        let is_shown = match entry {
            Explains::Trails => true,
            Explains::Costs => rules.show_costs,
            Explains::Search => rules.show_search,
        };
        show_entry(&mut node, is_shown);
    }
}

fn flip_switch(click: On<Pointer<Click>>, switches: Query<&Switch>, mut rules: ResMut<Rules>) {
    if click.event.button != PointerButton::Primary {
        return;
    }
    match switches.get(click.event_target()) {
        Ok(Switch::Diagonals) => rules.next_diagonals(),
        Ok(Switch::TerrainCosts) => rules.terrain_costs = !rules.terrain_costs,
        Ok(Switch::TerrainSpeed) => rules.terrain_speed = !rules.terrain_speed,
        Ok(Switch::StraightLines) => rules.straight_lines = !rules.straight_lines,
        Ok(Switch::Closest) => rules.closest = !rules.closest,
        Ok(Switch::Overlay) => rules.flip_costs(),
        Ok(Switch::Search) => rules.flip_search(),
        Err(_) => {}
    }
}

fn choose_unit(
    click: On<Pointer<Click>>,
    buttons: Query<&UnitButton>,
    chosen: Single<Entity, With<Chosen>>,
    units: Query<(Entity, &Unit)>,
    mut commands: Commands,
) {
    if click.event.button == PointerButton::Primary
        && let Ok(button) = buttons.get(click.event_target())
        && let Some((unit, _)) = units.iter().find(|(_, unit)| **unit == button.0)
    {
        choose(&mut commands, *chosen, unit);
    }
}

fn choose_brush(click: On<Pointer<Click>>, buttons: Query<&BrushButton>, mut brush: ResMut<Brush>) {
    if click.event.button == PointerButton::Primary
        && let Ok(button) = buttons.get(click.event_target())
    {
        brush.set_if_neq(button.0);
    }
}

fn write_lines(
    rules: Res<Rules>,
    brush: Res<Brush>,
    preview: Res<Preview>,
    recording: Res<RecordFile>,
    ground: text::MapText,
    chosen: Single<(&Unit, &Report, &PathStatus, &PathAgent, Option<&AgentPath>), With<Chosen>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    let (unit, report, status, agent, path) = *chosen;
    for (kind, mut text, mut shown) in &mut lines {
        let (new, colour) = match kind {
            Line::Unit => (unit.name().into(), colour::GOLD),
            Line::Status => text::status(*status, agent.paused, &report.news),
            Line::Detail => (text::detail(report), colour::FAINT),
            Line::Cost => (text::cost(report), colour::TEXT),
            Line::Length => (text::length(report), colour::TEXT),
            Line::Expanded => (text::expanded(report), colour::TEXT),
            Line::SearchTime => (text::search_time(report), colour::TEXT),
            Line::TimeLeft => (text::time_left(*status, agent, path), colour::TEXT),
            Line::Here => (ground.here(&preview.pointed), colour::TEXT),
            Line::Diagonals => (words::diagonals(rules.diagonals).into(), colour::GOLD),
            Line::TerrainCosts => on_off(rules.terrain_costs),
            Line::TerrainSpeed => text::terrain_speed(rules.terrain_speed),
            Line::StraightLines => on_off(rules.straight_lines),
            Line::Closest => on_off(rules.closest),
            Line::Overlay => on_off(rules.show_costs),
            Line::Search => on_off(rules.show_search),
            Line::Recording => (recording.news.clone(), colour::GOLD),
            Line::Brush => (brush.name().into(), colour::GOLD),
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn mark_brush(brush: Res<Brush>, mut buttons: Query<(&BrushButton, &mut BorderColor)>) {
    for (button, mut border) in &mut buttons {
        let edge = if button.0 == *brush { colour::GOLD } else { Color::NONE };
        border.set_if_neq(BorderColor::all(edge));
    }
}

fn mark_unit(chosen: Single<&Unit, With<Chosen>>, mut buttons: Query<(&UnitButton, &mut BorderColor)>) {
    for (button, mut border) in &mut buttons {
        let edge = if button.0 == **chosen { colour::GOLD } else { Color::NONE };
        border.set_if_neq(BorderColor::all(edge));
    }
}

fn write_label(preview: Res<Preview>, ground: text::MapText, mut label: PointerLabel) {
    match &preview.pointed {
        Pointed::Nothing => label.hide(),
        Pointed::Outside(world) => {
            label.say(Rect::from_center_size(*world, Vec2::splat(8.0)), words::OUTSIDE, colour::FAINT);
        }
        Pointed::Unit(unit, picture) => label.say(*picture, &text::choose(*unit), colour::GOLD),
        Pointed::Tile(hover) => {
            let (said, colour) = ground.label(hover);
            label.say(hover.footprint, &said, colour);
        }
    }
}
