//! The texts: panel, keys, names of maps, numbers of doors, legend.

use bevy::prelude::*;
use bevy_tilepath::{PathAgent, doors::Door};
use tilepath_examples::{
    canvas::{INK, ROUTE},
    in_world::{InWorld, InWorldPlugin},
    label::{PointerLabel, spawn_label},
    legend::spawn_legend,
    panel::{button, colour, framed, line, row, spawn_help, standing_room, write_line},
};

use crate::{
    orders::{Pointed, look},
    pictures::areas,
    report::{News, Report},
    scene::{Numbered, Soldier},
    trail,
};

/// Shows all texts. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Pointed>()
            .add_systems(PostStartup, (spawn_panel, spawn_controls, spawn_names, spawn_numbers, spawn_label))
            .add_systems(PostStartup, spawn_colours)
            .add_systems(Update, (look, write_label).chain())
            .add_systems(Update, (write_lines, colour_numbers))
            .add_plugins(InWorldPlugin);
    }
}

/// A line of the panel that changes.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Status,
    Detail,
    Cost,
    /// A stretch of the path, and its cost.
    Map(usize),
    MapCost(usize),
}

/// The button of a door, with its number.
#[derive(Component)]
struct NumberButton(Entity);

const SIZE: f32 = 13.0;
const SMALL: f32 = 12.0;
/// The number of stretches in the panel.
const STRETCHES: usize = 5;
/// The width of the middle column, in pixels.
const WIDTH: f32 = 288.0;

const HELP: [&str; 4] = [
    "left click  go there, on any map",
    "1 2 3       shut a door, open it",
    "            (or click its number)",
    "space       stop, go on",
];

fn spawn_panel(mut commands: Commands, assets: Res<AssetServer>) {
    let place = Node { width: px(WIDTH), row_gap: px(2), ..absolute() };
    let frame = framed(assets.load("interface/panel.png"), place);
    let [_, room, town] = areas();
    commands.spawn((frame, InWorld(Vec2::new(room.min.x, town.max.y)))).with_children(|panel| {
        panel.spawn(line("One order, three maps", 17.0, colour::GOLD));
        panel.spawn((Line::Status, line("", SIZE, colour::TEXT)));
        panel.spawn(standing_room(1)).with_child((Line::Detail, line("", SMALL, colour::FAINT)));
        for number in 0..STRETCHES {
            panel.spawn(Node { min_height: px(16), ..row() }).with_children(|row| {
                row.spawn((Line::Map(number), line("", SIZE, colour::FAINT)));
                row.spawn((Line::MapCost(number), line("", SIZE, colour::TEXT)));
            });
        }
        panel.spawn(row()).with_children(|row| {
            row.spawn(line("all of it", SIZE, colour::FAINT));
            row.spawn((Line::Cost, line("", SIZE, colour::GOLD)));
        });
    });
}

fn absolute() -> Node {
    Node { position_type: PositionType::Absolute, ..default() }
}

fn spawn_controls(mut commands: Commands) {
    let [_, room, _] = areas();
    let place = Vec2::new(room.min.x + 6.0, room.min.y - 14.0);
    let column = Node { flex_direction: FlexDirection::Column, row_gap: px(3), ..absolute() };
    commands.spawn((column, InWorld(place), Pickable::IGNORE)).with_children(|column| {
        spawn_help(column, &HELP);
    });
}

fn spawn_names(mut commands: Commands) {
    for (name, area) in ["meadow", "cottage", "town"].into_iter().zip(areas()) {
        let node = Node {
            padding: UiRect::axes(px(6), px(1)),
            border_radius: BorderRadius::all(px(3)),
            ..absolute()
        };
        let paper = BackgroundColor(INK.with_alpha(0.8));
        let place = Vec2::new(area.min.x + 3.0, area.min.y + 12.0);
        commands.spawn((node, paper, InWorld(place), Pickable::IGNORE)).with_child(line(
            name,
            SMALL,
            colour::TEXT,
        ));
    }
}

fn spawn_numbers(mut commands: Commands, doors: Query<(Entity, &Numbered)>) {
    for (door, numbered) in &doors {
        for end in numbered.ends {
            let node = Node { padding: UiRect::axes(px(5), px(0)), ..absolute() };
            commands
                .spawn((NumberButton(door), button(node), InWorld(end + Vec2::new(7.0, 16.0))))
                .with_child(line(numbered.number.to_string(), SIZE, INK))
                .observe(flip_door);
        }
    }
}

fn flip_door(click: On<Pointer<Click>>, buttons: Query<&NumberButton>, mut doors: Query<&mut Door>) {
    if click.event.button == PointerButton::Primary
        && let Ok(button) = buttons.get(click.event_target())
        && let Ok(mut door) = doors.get_mut(button.0)
    {
        door.open = !door.open;
    }
}

#[derive(Component, Clone, Copy)]
struct LegendEntry;

fn spawn_colours(mut commands: Commands) {
    spawn_legend(
        &mut commands,
        &[
            (LegendEntry, ROUTE, "its path"),
            (LegendEntry, trail::OPEN, "a door: both ends"),
            (LegendEntry, trail::SHUT, "a door that is shut"),
        ],
    );
}

fn colour_numbers(doors: Query<&Door>, mut buttons: Query<(&NumberButton, &mut BackgroundColor)>) {
    for (button, mut paper) in &mut buttons {
        let is_open = doors.get(button.0).is_ok_and(|door| door.open);
        paper.set_if_neq(BackgroundColor(if is_open { trail::OPEN } else { trail::SHUT }));
    }
}

fn write_label(pointed: Res<Pointed>, mut label: PointerLabel) {
    match &pointed.0 {
        None => label.hide(),
        Some(spot) => label.say(spot.area, &spot.name, colour::TEXT),
    }
}

fn write_lines(
    report: Res<Report>,
    soldier: Single<&PathAgent, With<Soldier>>,
    mut lines: Query<(&Line, &mut Text, &mut TextColor)>,
) {
    for (kind, mut text, mut shown) in &mut lines {
        let (new, colour) = match *kind {
            Line::Status => status(&report, soldier.paused),
            Line::Detail => (report.detail.clone(), colour::FAINT),
            Line::Cost if report.stretches.is_empty() => ("-".into(), colour::GOLD),
            Line::Cost => (format!("{:.0}", report.cost), colour::GOLD),
            Line::Map(number) => (map(&report, number), shade(&report, number)),
            Line::MapCost(number) => {
                let cost = report.stretches.get(number).map(|stretch| format!("{:.0}", stretch.cost));
                (cost.unwrap_or_default(), shade(&report, number))
            }
        };
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn status(report: &Report, paused: bool) -> (String, Color) {
    match report.news {
        News::None => ("waits for an order".into(), colour::TEXT),
        News::Walking if paused => ("paused".into(), colour::TEXT),
        News::Walking => (format!("on the way: {}", report.goal), colour::GOOD),
        News::Arrived => (format!("arrived: {}", report.goal), colour::GOOD),
        News::Failed => (format!("cannot go: {}", report.goal), colour::BAD),
    }
}

/// Describes a stretch: the door before it, and its map.
fn map(report: &Report, number: usize) -> String {
    report.stretches.get(number).map_or_else(String::new, |stretch| match stretch.door {
        None => format!("over the {}", stretch.map),
        Some(door) => format!("{door} to the {}", stretch.map),
    })
}

/// Returns a bright colour for the stretch that the soldier walks.
fn shade(report: &Report, number: usize) -> Color {
    if report.news == News::Walking && report.at == number { colour::TEXT } else { colour::FAINT }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Stretch;

    #[test]
    fn a_stretch_is_named_by_its_door_and_its_map() {
        let stretches = vec![
            Stretch { map: "meadow", cost: 10.0, door: None },
            Stretch { map: "cottage", cost: 20.0, door: Some("front door") },
        ];
        let report = Report { stretches, news: News::Walking, at: 1, ..default() };
        assert_eq!(map(&report, 0), "over the meadow");
        assert_eq!(map(&report, 1), "front door to the cottage");
        assert_eq!(map(&report, 2), "");
        assert_eq!([shade(&report, 0), shade(&report, 1)], [colour::FAINT, colour::TEXT]);
    }
}
