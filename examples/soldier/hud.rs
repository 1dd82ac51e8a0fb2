//! The panel: status, figures, rules, brushes and help; and the label beside the pointer.

mod text;

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_tilepath::{PathAgent, PathStatus};
use tilepath_examples::{
    camera::PanZoom,
    layout::{PanelLook, spawn_layout},
    panel::{button, colour, line, write_line},
    words,
};

use crate::{
    brush::Brush, level::TILE, preview::Preview, record::RecordFile, report::Report, rules::Rules,
    scene::Soldier,
};

/// The panel and the label. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostStartup, (spawn_panel, spawn_label))
            .add_systems(Update, (write_lines, mark_brush, place_label));
    }
}

/// A line of the panel that changes.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Status,
    Detail,
    Cost,
    Length,
    Expanded,
    SearchTime,
    Here,
    Diagonals,
    TerrainCosts,
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
    Closest,
    Overlay,
    Search,
}

/// A button that chooses a brush.
#[derive(Component)]
struct BrushButton(Brush);

#[derive(Component)]
struct Label;

#[derive(Component)]
struct LabelText;

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;

const FIGURES: [(&str, Line); 5] = [
    ("cost", Line::Cost),
    ("length", Line::Length),
    ("expanded", Line::Expanded),
    ("search time", Line::SearchTime),
    ("here", Line::Here),
];

const SWITCHES: [(&str, Switch, Line); 5] = [
    ("R  diagonals", Switch::Diagonals, Line::Diagonals),
    ("T  terrain costs", Switch::TerrainCosts, Line::TerrainCosts),
    ("C  closest tile", Switch::Closest, Line::Closest),
    ("F  show costs", Switch::Overlay, Line::Overlay),
    ("F8 show search", Switch::Search, Line::Search),
];

const HELP: [&str; 7] = [
    "left click    go there",
    "right drag    paint",
    "WASD, middle  move the view",
    "wheel         zoom",
    "space         stop, go on",
    "F9            save a recording",
    "F2            fold this panel",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let look = PanelLook { title: "The soldier walks", width: 276.0, is_tall: false };
    let parts = spawn_layout(&mut commands, assets.load("interface/panel.png"), &look);
    commands.entity(parts.panel).with_children(|panel| {
        panel.spawn((Line::Status, line("", SIZE, colour::TEXT)));
        panel.spawn((Line::Detail, line("", SMALL, colour::FAINT)));
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
        for help in HELP {
            panel.spawn(line(help, SMALL, colour::FAINT));
        }
        panel.spawn((Line::Recording, line("", SMALL, colour::GOLD)));
    });
}

fn row() -> Node {
    Node { justify_content: JustifyContent::SpaceBetween, ..default() }
}

fn spawn_gap(panel: &mut ChildSpawnerCommands, height: f32) {
    panel.spawn((Node { height: px(height), ..default() }, Pickable::IGNORE));
}

fn spawn_switch(panel: &mut ChildSpawnerCommands, name: &str, switch: Switch, value: Line) {
    let node = Node { padding: UiRect::axes(px(6), px(2)), ..default() };
    panel
        .spawn((switch, button(node)))
        .with_children(|content| {
            content.spawn(line(name, SIZE, colour::TEXT));
            content.spawn((value, line("", SIZE, colour::GOLD)));
        })
        .observe(flip_switch);
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

fn spawn_label(mut commands: Commands) {
    commands
        .spawn((
            Label,
            Node {
                position_type: PositionType::Absolute,
                padding: UiRect::axes(px(6), px(2)),
                border_radius: BorderRadius::all(px(3)),
                ..default()
            },
            BackgroundColor(Color::srgba(0.09, 0.08, 0.12, 0.86)),
            Visibility::Hidden,
            Pickable::IGNORE,
        ))
        .with_child((LabelText, line("", SIZE, colour::TEXT)));
}

fn flip_switch(click: On<Pointer<Click>>, switches: Query<&Switch>, mut rules: ResMut<Rules>) {
    if click.event.button != PointerButton::Primary {
        return;
    }
    match switches.get(click.event_target()) {
        Ok(Switch::Diagonals) => rules.next_diagonals(),
        Ok(Switch::TerrainCosts) => rules.terrain_costs = !rules.terrain_costs,
        Ok(Switch::Closest) => rules.closest = !rules.closest,
        Ok(Switch::Overlay) => rules.show_costs = !rules.show_costs,
        Ok(Switch::Search) => rules.show_search = !rules.show_search,
        Err(_) => {}
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
    report: Res<Report>,
    rules: Res<Rules>,
    brush: Res<Brush>,
    preview: Res<Preview>,
    recording: Res<RecordFile>,
    ground: text::MapText,
    soldier: Single<(&PathStatus, &PathAgent), With<Soldier>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    let (status, agent) = *soldier;
    for (kind, mut text, mut shown) in &mut lines {
        let (new, colour) = match kind {
            Line::Status => text::status(*status, agent.paused, &report.news),
            Line::Detail => (text::detail(&report), colour::FAINT),
            Line::Cost => (text::cost(&report), colour::TEXT),
            Line::Length => (text::length(&report), colour::TEXT),
            Line::Expanded => (text::expanded(&report), colour::TEXT),
            Line::SearchTime => (text::search_time(&report), colour::TEXT),
            Line::Here => (ground.here(&preview), colour::TEXT),
            Line::Diagonals => (words::diagonals(rules.diagonals).into(), colour::GOLD),
            Line::TerrainCosts => text::on_off(rules.terrain_costs),
            Line::Closest => text::on_off(rules.closest),
            Line::Overlay => text::on_off(rules.show_costs),
            Line::Search => text::on_off(rules.show_search),
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

fn place_label(
    preview: Res<Preview>,
    ground: text::MapText,
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform, &PanZoom)>,
    label: Single<(&mut Node, &mut Visibility), With<Label>>,
    text: Single<(&mut Text, &mut TextColor), With<LabelText>>,
) {
    let (mut node, mut visibility) = label.into_inner();
    let (camera, camera_place, view) = *camera;
    let place = preview.hover.as_ref().and_then(|hover| {
        let screen = camera.world_to_viewport(camera_place, hover.centre.extend(0.0)).ok()?;
        Some((hover, screen))
    });
    let Some((hover, screen)) = place else {
        visibility.set_if_neq(Visibility::Hidden);
        return;
    };
    visibility.set_if_neq(Visibility::Inherited);
    let (mut text, mut shown) = text.into_inner();
    let (new, colour) = ground.label(hover);
    write_line(&mut text, &mut shown, &new, colour);
    // Right above the tile's corner, within the window.
    let half_tile = TILE / 2.0 * view.zoom as f32;
    let room = (window.size() - Vec2::new(170.0, 30.0)).max(Vec2::ZERO);
    let corner = screen + Vec2::new(half_tile - 8.0, -half_tile - 28.0);
    let corner = corner.clamp(Vec2::splat(4.0), room.max(Vec2::splat(4.0)));
    let (left, top) = (px(corner.x.round()), px(corner.y.round()));
    if (node.left, node.top) != (left, top) {
        (node.left, node.top) = (left, top);
    }
}
