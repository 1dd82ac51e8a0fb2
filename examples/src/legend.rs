//! The legend: a strip in the window's lower left corner that says what the colours on the map mean.

use bevy::prelude::*;

use crate::panel::spawn_legend_entry;

const SIZE: f32 = 12.0;
/// Behind what is written over a map.
pub const BACKING: Color = Color::srgba(0.09, 0.08, 0.12, 0.86);

/// Spawns the strip. Each entry has a mark of the example's own, by which [`show_entry`] finds it again.
pub fn spawn_legend<K: Component + Copy>(commands: &mut Commands, entries: &[(K, Color, &str)]) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(8),
        bottom: px(8),
        padding: UiRect::axes(px(9), px(4)),
        // Beside a panel, and not below it.
        max_width: percent(70),
        flex_wrap: FlexWrap::Wrap,
        column_gap: px(14),
        border_radius: BorderRadius::all(px(4)),
        ..default()
    };
    commands.spawn((strip, BackgroundColor(BACKING), Pickable::IGNORE)).with_children(|strip| {
        for &(kind, colour, name) in entries {
            strip.spawn((kind, Node::default(), Pickable::IGNORE)).with_children(|entry| {
                spawn_legend_entry(entry, colour, name, SIZE);
            });
        }
    });
}

/// Shows an entry, or takes its room away.
pub fn show_entry(node: &mut Mut<Node>, is_shown: bool) {
    let display = if is_shown { Display::Flex } else { Display::None };
    if node.display != display {
        node.display = display;
    }
}
