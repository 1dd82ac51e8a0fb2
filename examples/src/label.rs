//! The label beside the pointer: text near a tile, inside the window.
//!
//! The panel never covers it.

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};

use crate::{
    camera::PanZoom,
    layout::PanelArea,
    panel::{colour, line, write_line},
};

const SIZE: f32 = 13.0;
/// The width of a letter at that size. All letters have the same width.
const LETTER: f32 = SIZE * 0.6;
const PADDING: f32 = 6.0;
const TALL: f32 = 22.0;

/// The box of the label.
#[derive(Component)]
struct Label;

/// The text in it.
#[derive(Component)]
struct LabelText;

/// Spawns the label, hidden.
pub fn spawn_label(mut commands: Commands) {
    commands
        .spawn((
            Label,
            Node {
                position_type: PositionType::Absolute,
                height: px(TALL),
                padding: UiRect::axes(px(PADDING), px(2)),
                border_radius: BorderRadius::all(px(3)),
                ..default()
            },
            BackgroundColor(Color::srgba(0.09, 0.08, 0.12, 0.86)),
            GlobalZIndex(1),
            Visibility::Hidden,
            Pickable::IGNORE,
        ))
        .with_child((LabelText, line("", SIZE, colour::TEXT), TextLayout::no_wrap()));
}

/// Writes the label and puts it into its place.
#[derive(SystemParam)]
pub struct PointerLabel<'w, 's> {
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    view: Single<'w, 's, &'static PanZoom>,
    scale: Res<'w, UiScale>,
    panel: PanelArea<'w, 's>,
    label: Single<'w, 's, (&'static mut Node, &'static mut Visibility), With<Label>>,
    text: Single<'w, 's, (&'static mut Text, &'static mut TextColor), With<LabelText>>,
}

impl PointerLabel<'_, '_> {
    /// Hides the label.
    pub fn hide(&mut self) {
        self.label.1.set_if_neq(Visibility::Hidden);
    }

    /// Shows a text beside a part of the world, such as the tile under the pointer.
    pub fn say(&mut self, about: Rect, text: &str, colour: Color) {
        let (label, (shown, shown_colour)) = (&mut *self.label, &mut *self.text);
        let (node, visibility) = label;
        visibility.set_if_neq(Visibility::Inherited);
        write_line(shown, shown_colour, text, colour);
        let size = Vec2::new(text.chars().count() as f32 * LETTER + 2.0 * PADDING, TALL);
        let node_at = |world| self.view.screen_at(world) / self.scale.0;
        let about = Rect::from_corners(node_at(about.min), node_at(about.max));
        let window = Rect::from_corners(Vec2::ZERO, self.window.size() / self.scale.0);
        let corner = beside(about, size, window, self.panel.rect());
        let (left, top) = (px(corner.x.round()), px(corner.y.round()));
        if (node.left, node.top) != (left, top) {
            (node.left, node.top) = (left, top);
        }
    }
}

/// Returns the upper left corner of a box beside a target. It is above the target to the right, or
/// at another side where the window does not cut it and the panel does not cover it.
///
/// All places are in pixels of nodes, y down.
fn beside(about: Rect, size: Vec2, window: Rect, covered: Rect) -> Vec2 {
    const GAP: f32 = 6.0;

    let (left, right) = (about.min.x + GAP - size.x, about.max.x - GAP);
    let (above, below) = (about.min.y - GAP - size.y, about.max.y + GAP);
    let free = window.inflate(-4.0);
    let corners = [(right, above), (left, above), (right, below), (left, below)];
    let fits = |&corner: &Vec2| {
        let area = Rect::from_corners(corner, corner + size);
        free.intersect(area) == area && covered.intersect(area).is_empty()
    };
    let clamped = Vec2::new(right, above).clamp(free.min, (free.max - size).max(free.min));
    corners.map(Vec2::from).into_iter().find(fits).unwrap_or(clamped)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect { min: Vec2::ZERO, max: Vec2::new(1280.0, 720.0) };
    const PANEL: Rect = Rect { min: Vec2::new(996.0, 8.0), max: Vec2::new(1272.0, 520.0) };
    const SIZE: Vec2 = Vec2::new(120.0, 22.0);

    fn tile(x: f32, y: f32) -> Rect {
        Rect::from_center_size(Vec2::new(x, y), Vec2::splat(32.0))
    }

    #[test]
    fn a_label_is_neither_below_the_panel_nor_outside_the_window() {
        for x in (0..40).map(|column| column as f32 * 32.0 + 16.0) {
            for y in (0..22).map(|row| row as f32 * 32.0 + 16.0) {
                let about = tile(x, y);
                if !PANEL.intersect(about).is_empty() {
                    continue; // no pointer is on the map there
                }
                let corner = beside(about, SIZE, WINDOW, PANEL);
                let label = Rect::from_corners(corner, corner + SIZE);
                assert!(PANEL.intersect(label).is_empty(), "covered at {x}, {y}");
                assert_eq!(WINDOW.intersect(label), label, "cut at {x}, {y}");
                assert!(about.inflate(-10.0).intersect(label).is_empty(), "it hides its tile at {x}, {y}");
            }
        }
    }

    #[test]
    fn beside_the_panel_it_stands_on_the_other_side_of_its_tile() {
        let free = beside(tile(500.0, 300.0), SIZE, WINDOW, PANEL);
        assert!(free.x > 500.0 && free.y < 284.0, "{free}");
        let at_the_panel = beside(tile(976.0, 300.0), SIZE, WINDOW, PANEL);
        assert!(at_the_panel.x + SIZE.x < 996.0, "{at_the_panel}");
    }
}
