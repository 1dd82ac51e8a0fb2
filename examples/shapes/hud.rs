//! The texts: names and states of the maps, legend, keys.

use bevy::prelude::*;
use bevy_tilepath::{AgentPath, PathStatus};
use tilepath_examples::{
    canvas::ROUTE,
    in_world::{InWorld, InWorldPlugin},
    legend::{BACKING, spawn_legend},
    panel::{colour, line, write_line},
    words,
};

use crate::{level::Shape, scene::Walker, view::Enlarged};

/// Shows all texts. Needs a window.
pub(crate) struct HudPlugin;

impl Plugin for HudPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(InWorldPlugin)
            .add_systems(PostStartup, (spawn_names, spawn_colours, spawn_help))
            .add_systems(Update, (write_states, hide_names.run_if(resource_changed::<Enlarged>)));
    }
}

/// The line of a map.
#[derive(Component)]
struct Name(Shape);

/// The state of the walker of a map.
#[derive(Component)]
struct State(Shape);

#[derive(Component, Clone, Copy)]
struct LegendEntry;

const SIZE: f32 = 13.0;

fn spawn_names(mut commands: Commands) {
    for shape in Shape::ALL {
        let quarter = shape.quarter();
        let corner = Vec2::new(quarter.min.x + 8.0, quarter.max.y - 5.0);
        let node = Node {
            position_type: PositionType::Absolute,
            column_gap: px(12),
            padding: UiRect::axes(px(7), px(1)),
            align_items: AlignItems::Baseline,
            border_radius: BorderRadius::all(px(4)),
            ..default()
        };
        let spawned = (Name(shape), node, InWorld(corner), BackgroundColor(BACKING), Pickable::IGNORE);
        commands.spawn(spawned).with_children(|row| {
            row.spawn(line(shape.name(), 16.0, colour::GOLD));
            row.spawn(line(type_name(shape), 12.0, colour::FAINT));
            row.spawn((State(shape), line("", SIZE, colour::TEXT)));
        });
    }
}

/// Returns the name of the shape in `bevy_ecs_tilemap`.
fn type_name(shape: Shape) -> String {
    format!("{:?}", shape.tilemap_type())
}

fn spawn_colours(mut commands: Commands) {
    let entries = [
        (LegendEntry, ROUTE, "path ahead"),
        (LegendEntry, Color::srgb_u8(0xdf, 0xbd, 0x83), "road 1"),
        (LegendEntry, Color::srgb_u8(0x64, 0xa3, 0x51), "grass 2"),
        (LegendEntry, Color::srgb_u8(0x27, 0x55, 0x3b), "wood 5"),
        (LegendEntry, Color::srgb_u8(0x8d, 0x96, 0x9f), "rock, water: blocked"),
    ];
    spawn_legend(&mut commands, &entries);
}

fn spawn_help(mut commands: Commands) {
    const HELP: [(&str, &str); 3] =
        [("left click", "go there"), ("right click", "add or remove a rock"), ("Tab", "enlarge")];

    let strip = Node {
        position_type: PositionType::Absolute,
        right: px(8),
        bottom: px(8),
        padding: UiRect::axes(px(9), px(4)),
        column_gap: px(7),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    commands.spawn((strip, BackgroundColor(BACKING), Pickable::IGNORE)).with_children(|strip| {
        for (key, does) in HELP {
            strip.spawn(line(key, SIZE, colour::TEXT));
            strip.spawn(line(format!("{does}  "), SIZE, colour::FAINT));
        }
    });
}

/// Hides the names of the other maps while one is enlarged. The camera alone does not always hide
/// them.
fn hide_names(enlarged: Res<Enlarged>, mut names: Query<(&Name, &mut Visibility)>) {
    for (name, mut visibility) in &mut names {
        let is_shown = enlarged.0.is_none_or(|shape| shape == name.0);
        visibility.set_if_neq(if is_shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}

fn write_states(
    walkers: Query<(&Walker, &PathStatus, Option<&AgentPath>)>,
    mut states: Query<(&State, &mut Text, &mut TextColor)>,
) {
    for (state, mut text, mut shown) in &mut states {
        let Some((_, status, path)) = walkers.iter().find(|(walker, ..)| walker.0 == state.0) else {
            continue;
        };
        let (new, colour) = words_of(*status, path);
        write_line(&mut text, &mut shown, &new, colour);
    }
}

fn words_of(status: PathStatus, path: Option<&AgentPath>) -> (String, Color) {
    match (status, path) {
        (PathStatus::Following | PathStatus::Paused, Some(path)) => {
            let whither = if path.is_partial() { "as near as possible" } else { "on the way" };
            (format!("{whither}, {} left", path.remaining_cost()), colour::GOOD)
        }
        (PathStatus::Arrived, _) => ("arrived".into(), colour::GOOD),
        (PathStatus::Failed(reason), _) => (words::failure(reason), colour::BAD),
        _ => (String::new(), colour::TEXT),
    }
}
