//! The names of the waypoints, each on a label below it.

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_tilepath::NavQuery;
use tilepath_examples::{camera::PanZoom, panel};

use crate::{around::Around, hand::Hand, network::colour, scene::drawing_scale, settings::Settings};

/// Draws the names. Needs a window.
pub(crate) struct NamesPlugin;

impl Plugin for NamesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            PostUpdate,
            place_labels.after(TransformSystems::Propagate).before(bevy::ui::UiSystems::Prepare),
        );
    }
}

/// A label, and its index in the order of waypoints.
#[derive(Component)]
struct Label(usize);

#[derive(Component)]
struct LabelText(usize);

const SIZE: f32 = 13.0;
/// The width of a letter at that size.
const LETTER: f32 = SIZE * 0.6;
const PADDING: f32 = 5.0;
const TALL: f32 = 18.0;

/// A label: its text, its middle in pixels of nodes, and its colours.
#[derive(Debug, Clone, PartialEq)]
struct Saying {
    text: String,
    middle: Vec2,
    ink: Color,
    paper: Color,
    /// The rank. If two labels overlap, the one with the smaller rank is shown.
    rank: u32,
}

impl Saying {
    /// Returns its rectangle on the screen. All letters have the same width.
    fn area(&self) -> Rect {
        let wide = self.text.chars().count() as f32 * LETTER + 2.0 * PADDING;
        Rect::from_center_size(self.middle, Vec2::new(wide, TALL))
    }
}

fn place_labels(
    mut commands: Commands,
    nav: NavQuery,
    around: Res<Around>,
    hand: Res<Hand>,
    settings: Res<Settings>,
    (window, ui): (Single<&Window, With<PrimaryWindow>>, Res<UiScale>),
    camera: Single<(&Camera, &GlobalTransform, &PanZoom)>,
    mut labels: Query<(&Label, &mut Node, &mut BackgroundColor, &mut Visibility)>,
    mut texts: Query<(&LabelText, &mut Text, &mut TextColor)>,
) {
    let (camera, camera_place, view_of) = *camera;
    let mut sayings = Vec::new();
    if let Ok(view) = nav.only_graph() {
        let scale = drawing_scale(view.graph().len());
        for waypoint in view.graph().waypoints() {
            let steps = around.steps.get(waypoint.id).copied();
            let is_spoken_of = steps.is_some() || hand.holds(waypoint.id);
            if !(settings.names || is_spoken_of) {
                continue;
            }
            let world = view.world_of(waypoint.position);
            let Ok(screen) = camera.world_to_viewport(camera_place, world.extend(0.0)) else { continue };
            let screen = screen / ui.0;
            let (text, ink, paper) = colours(waypoint.id, steps, around.centre.is_some());
            // The label is below, because the walker or the door of the house is above.
            let below = 7.0 * scale * view_of.zoom / ui.0 + TALL / 2.0 + 2.0;
            let rank = if hand.holds(waypoint.id) { 0 } else { steps.unwrap_or(u32::MAX) };
            sayings.push(Saying { text, middle: screen + Vec2::Y * below, ink, paper, rank });
        }
    }
    let sayings = uncovered(sayings, window.size() / ui.0);
    show(&mut commands, &sayings, &mut labels, &mut texts);
}

/// Returns the labels inside the window that overlap no label of a smaller rank.
fn uncovered(mut sayings: Vec<Saying>, window: Vec2) -> Vec<Saying> {
    let window = Rect::from_corners(Vec2::ZERO, window);
    sayings.sort_by_key(|saying| saying.rank);
    let mut shown: Vec<Rect> = Vec::new();
    sayings.retain(|saying| {
        let area = saying.area();
        let fits = !area.intersect(window).is_empty()
            && shown.iter().all(|other| other.inflate(-1.0).intersect(area).is_empty());
        if fits {
            shown.push(area);
        }
        fits
    });
    sayings
}

fn colours(id: &str, steps: Option<u32>, others_matter: bool) -> (String, Color, Color) {
    let paper = colour::INK;
    match steps {
        Some(0) => (id.to_owned(), colour::INK, colour::of_steps(0)),
        Some(steps) => (format!("{id} ({steps})"), colour::INK, colour::of_steps(steps)),
        None if others_matter => (id.to_owned(), panel::colour::TEXT.with_alpha(0.85), paper.with_alpha(0.6)),
        None => (id.to_owned(), panel::colour::TEXT, paper.with_alpha(0.78)),
    }
}

fn show(
    commands: &mut Commands,
    sayings: &[Saying],
    labels: &mut Query<(&Label, &mut Node, &mut BackgroundColor, &mut Visibility)>,
    texts: &mut Query<(&LabelText, &mut Text, &mut TextColor)>,
) {
    let mut existing = 0;
    for (label, mut node, mut background, mut visibility) in labels.iter_mut() {
        existing += 1;
        let Some(saying) = sayings.get(label.0) else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        background.set_if_neq(BackgroundColor(saying.paper));
        let (left, top) = corner(saying);
        if (node.left, node.top) != (left, top) {
            (node.left, node.top) = (left, top);
        }
    }
    for (text, mut words, mut ink) in texts.iter_mut() {
        if let Some(saying) = sayings.get(text.0) {
            panel::write_line(&mut words, &mut ink, &saying.text, saying.ink);
        }
    }
    for (index, saying) in sayings.iter().enumerate().skip(existing) {
        let (left, top) = corner(saying);
        let node = Node {
            position_type: PositionType::Absolute,
            left,
            top,
            height: px(TALL),
            padding: UiRect::axes(px(PADDING), px(1)),
            border_radius: BorderRadius::all(px(4)),
            ..default()
        };
        // Labels are behind the panel and ignore the pointer.
        commands
            .spawn((Label(index), node, BackgroundColor(saying.paper), GlobalZIndex(-1), Pickable::IGNORE))
            .with_child((LabelText(index), panel::line(saying.text.clone(), SIZE, saying.ink)));
    }
}

/// Returns the upper left corner of a label.
fn corner(saying: &Saying) -> (Val, Val) {
    let corner = saying.area().min;
    (px(corner.x.round()), px(corner.y.round()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying(text: &str, x: f32, rank: u32) -> Saying {
        let middle = Vec2::new(x, 50.0);
        Saying { text: text.into(), middle, ink: Color::WHITE, paper: Color::BLACK, rank }
    }

    #[test]
    fn labels_are_centred() {
        assert_eq!(corner(&saying("inn", 100.0, 0)), (px(83.0), px(41.0)));
    }

    #[test]
    fn nearer_of_two_waypoints_keeps_its_label() {
        let window = Vec2::new(1280.0, 720.0);
        let sayings = vec![
            saying("far", 100.0, u32::MAX),
            saying("near", 120.0, 1),
            saying("beside", 200.0, u32::MAX),
            saying("outside", 1400.0, 0),
        ];
        let shown: Vec<String> = uncovered(sayings, window).into_iter().map(|saying| saying.text).collect();
        assert_eq!(shown, ["near", "beside"]);
    }

    #[test]
    fn labels_within_reach_show_the_steps() {
        assert_eq!(colours("inn", Some(2), true).0, "inn (2)");
        assert_eq!(colours("inn", Some(0), true).0, "inn");
        assert_eq!(colours("inn", None, false).0, "inn");
    }
}
