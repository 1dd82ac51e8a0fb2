//! The legend: the colours on the map and their meaning.
//!
//! It is a strip in the window's lower left corner.

use bevy::prelude::*;

use crate::panel::spawn_legend_entry;

const SIZE: f32 = 12.0;
/// The background of texts over a map.
pub const BACKING: Color = Color::srgba(0.09, 0.08, 0.12, 0.86);

/// Spawns the strip. Each entry has a component of the example, by which a query with
/// [`show_entry`] finds it.
pub fn spawn_legend<K: Component + Copy>(commands: &mut Commands, entries: &[(K, Color, &str)]) {
    let strip = Node {
        position_type: PositionType::Absolute,
        left: px(8),
        bottom: px(8),
        padding: UiRect::axes(px(9), px(4)),
        // The strip ends beside a panel, not below it.
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

/// Shows an entry, or hides it without a gap.
pub fn show_entry(node: &mut Mut<Node>, is_shown: bool) {
    let display = if is_shown { Display::Flex } else { Display::None };
    if node.display != display {
        node.display = display;
    }
}
