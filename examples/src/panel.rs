//! Widgets of the examples' panels: a framed box, lines of text, buttons.

use bevy::prelude::*;

/// Colours of the panel's text.
pub mod colour {
    use bevy::color::Color;

    /// Ordinary text.
    pub const TEXT: Color = Color::srgb(0.95, 0.92, 0.82);
    /// Labels and help.
    pub const FAINT: Color = Color::srgb(0.66, 0.66, 0.68);
    /// Headings, and switches that are on.
    pub const GOLD: Color = Color::srgb(0.97, 0.80, 0.38);
    /// Good news.
    pub const GOOD: Color = Color::srgb(0.62, 0.83, 0.44);
    /// Bad news.
    pub const BAD: Color = Color::srgb(0.95, 0.52, 0.36);
    /// The background of buttons.
    pub const BUTTON: Color = Color::srgba(1.0, 1.0, 1.0, 0.07);
    /// The background of a button under the pointer.
    pub const BUTTON_HOVERED: Color = Color::srgba(1.0, 1.0, 1.0, 0.18);
}

/// Returns a framed box that keeps clicks from the map below it. Place it by changing the node.
#[must_use]
pub fn framed(frame: Handle<Image>, node: Node) -> impl Bundle {
    (
        Node { flex_direction: FlexDirection::Column, padding: UiRect::axes(px(18), px(16)), ..node },
        ImageNode {
            image: frame,
            visual_box: VisualBox::BorderBox,
            image_mode: NodeImageMode::Sliced(TextureSlicer {
                border: BorderRect::all(8.0),
                max_corner_scale: 2.0,
                ..default()
            }),
            ..default()
        },
    )
}

/// Returns one line of text.
#[must_use]
pub fn line(text: impl Into<String>, size: f32, colour: Color) -> impl Bundle {
    (
        Text::new(text),
        TextFont { font_size: FontSize::Px(size), ..default() },
        TextColor(colour),
        Pickable::IGNORE,
    )
}

/// Returns a node with room for this many small lines. It keeps its height with any text, so
/// nothing below it moves. A longer text is cut.
#[must_use]
pub fn standing_room(lines: u8) -> Node {
    let height = px(f32::from(lines) * 15.0);
    Node { height, flex_shrink: 0.0, overflow: Overflow::clip(), ..default() }
}

/// Returns a row with a label at the left and its value at the right.
#[must_use]
pub fn row() -> Node {
    Node { justify_content: JustifyContent::SpaceBetween, flex_shrink: 0.0, ..default() }
}

/// Adds room between parts of a panel.
pub fn spawn_gap(panel: &mut ChildSpawnerCommands, height: f32) {
    panel.spawn((Node { height: px(height), flex_shrink: 0.0, ..default() }, Pickable::IGNORE));
}

/// Adds lines with the controls of mouse and keys.
pub fn spawn_help(panel: &mut ChildSpawnerCommands, lines: &[&str]) {
    // A page has no files.
    let saves = |help: &&&str| help.starts_with("F5") || help.starts_with("F9");
    for &help in lines.iter().filter(|help| !(cfg!(target_arch = "wasm32") && saves(help))) {
        panel.spawn(line(help, 12.0, colour::FAINT));
    }
}

/// Returns the text of a switch, and its colour.
#[must_use]
pub fn on_off(on: bool) -> (String, Color) {
    if on { ("on".into(), colour::GOLD) } else { ("off".into(), colour::FAINT) }
}

/// Returns a flat button. Add the content as children and observe `Pointer<Click>` on it.
#[must_use]
pub fn button(node: Node) -> impl Bundle {
    (
        Button,
        Node {
            justify_content: JustifyContent::SpaceBetween,
            align_items: AlignItems::Center,
            border: UiRect::all(px(1)),
            border_radius: BorderRadius::all(px(3)),
            ..node
        },
        BackgroundColor(colour::BUTTON),
        BorderColor::all(Color::NONE),
    )
}

/// Adds an entry of a legend: a patch of the colour, and its meaning.
pub fn spawn_legend_entry<'a>(
    legend: &'a mut ChildSpawnerCommands,
    shown: Color,
    name: &str,
    size: f32,
) -> EntityCommands<'a> {
    let row = Node { column_gap: px(6), align_items: AlignItems::Center, ..default() };
    let mut spawned = legend.spawn((row, Pickable::IGNORE));
    spawned.with_children(|entry| {
        entry.spawn((
            Node {
                width: px(14),
                height: px(14),
                border: UiRect::all(px(1)),
                border_radius: BorderRadius::all(px(3)),
                ..default()
            },
            BackgroundColor(shown),
            // Some colours are as dark as their background.
            BorderColor::all(Color::srgba(1.0, 1.0, 1.0, 0.45)),
            Pickable::IGNORE,
        ));
        entry.spawn(line(name, size, colour::TEXT));
    });
    spawned
}

/// Highlights buttons under the pointer.
pub struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, light_buttons);
    }
}

fn light_buttons(mut buttons: Query<(&Interaction, &mut BackgroundColor), Changed<Interaction>>) {
    for (interaction, mut background) in &mut buttons {
        background.0 = match interaction {
            Interaction::None => colour::BUTTON,
            Interaction::Hovered | Interaction::Pressed => colour::BUTTON_HOVERED,
        };
    }
}

/// Writes a text and its colour only if they differ, so that an unchanged text needs no new layout.
pub fn write_line(text: &mut Mut<Text>, shown: &mut Mut<TextColor>, new: &str, colour: Color) {
    if text.0 != new {
        new.clone_into(&mut text.0);
    }
    shown.set_if_neq(TextColor(colour));
}
