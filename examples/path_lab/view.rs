//! The boards, drawn as one mesh, and their texts.

mod boards;
mod footprint;
mod graph;
mod grid;
mod ground;
mod turns;

use bevy::{prelude::*, sprite::Anchor};
use tilepath_examples::camera::PanZoom;

use crate::{
    ink::Ink,
    keys::Cursor,
    lab::{Lab, LabSet},
    palette, report,
    settings::Mode,
};

pub(crate) use self::{boards::Boards, graph::GraphPlace};

/// The size of a graph's board, in world units.
const BOARD: Vec2 = Vec2::new(96.0, 72.0);

/// The font size of the title above each of two boards, in screen pixels.
const TITLE_SIZE: f32 = 12.0;

/// Draws the boards. Needs a window.
pub(crate) struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn_board)
            .add_systems(Update, (fit_boards, draw_boards).chain().after(LabSet));
    }
}

#[derive(Component)]
struct Board;

/// A text on the board. Unused texts are hidden.
#[derive(Component)]
struct Label;

/// A text with its middle and its font size in screen pixels.
struct Note {
    text: String,
    at: Vec2,
    size: f32,
    colour: Color,
}

/// The shapes and texts of a frame.
struct Sheet {
    ink: Ink,
    notes: Vec<Note>,
    /// Pixels for one world unit, in a window of the default size.
    zoom: f32,
    /// The visible part of the world.
    seen: Rect,
}

impl Sheet {
    /// Adds a text at a place of the board.
    fn note(&mut self, text: impl Into<String>, at: Vec2, size: f32, colour: Color) {
        let at = self.ink.origin + at;
        if self.seen.contains(at) {
            self.notes.push(Note { text: text.into(), at, size, colour });
        }
    }
}

fn spawn_board(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<ColorMaterial>>,
) {
    commands.spawn((
        Board,
        Mesh2d(meshes.add(Ink::default().into_mesh())),
        MeshMaterial2d(materials.add(ColorMaterial::default())),
    ));
    let mut camera = PanZoom::new(Rect::default(), 1);
    camera.speed = 0.0; // the arrow keys step through the search
    camera.letters = false;
    camera.zoom_range = (1, 24);
    camera.is_whole = false; // the boards have no pixels that could differ in size
    commands.spawn((Camera2d, camera));
}

/// Shows all boards after the boards or their room have changed.
fn fit_boards(lab: Res<Lab>, mut shown: Local<Option<(Boards, Rect)>>, mut camera: Single<&mut PanZoom>) {
    let wanted = (Boards::of(&lab), camera.room);
    if !camera.room.is_empty() && *shown != Some(wanted) {
        *shown = Some(wanted);
        fit(&mut camera, &lab);
    }
}

/// Shows all boards.
pub(crate) fn fit(camera: &mut PanZoom, lab: &Lab) {
    camera.bounds = Boards::of(lab).bounds();
    let bounds = camera.bounds;
    camera.fit(bounds);
}

fn draw_boards(
    lab: Res<Lab>,
    cursor: Res<Cursor>,
    (camera, scale): (Single<Ref<PanZoom>>, Res<UiScale>),
    board: Single<&Mesh2d, With<Board>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut labels: Query<
        (&mut Text2d, &mut TextFont, &mut TextColor, &mut Transform, &mut Visibility),
        With<Label>,
    >,
    mut commands: Commands,
) {
    if !lab.is_changed() && !camera.is_changed() && !cursor.is_changed() && !scale.is_changed() {
        return;
    }
    // Texts and other shapes of fixed size grow with the window.
    let (screen_zoom, zoom) = (camera.zoom, camera.zoom / scale.0);
    let mut sheet = Sheet { ink: Ink::default(), notes: Vec::new(), zoom, seen: camera.seen() };
    let boards = Boards::of(&lab);
    for (number, lane) in lab.lanes().iter().enumerate() {
        sheet.ink.origin = boards.origin(number);
        match lab.settings().mode {
            Mode::Grid => grid::draw(&lab, &lane.run, cursor.at, &mut sheet),
            Mode::Graph => graph::draw(&lab, &lane.run, &mut sheet),
        }
        if lab.lanes().len() > 1 {
            let letters = boards.width() * zoom / (TITLE_SIZE * 0.6);
            let title = report::of_lane(lane, letters as usize);
            sheet.note(title, boards.title_place(), TITLE_SIZE, palette::PAPER);
        }
    }
    if let Some(mut mesh) = meshes.get_mut(&board.0) {
        *mesh = sheet.ink.into_mesh();
    }
    let mut notes = sheet.notes.into_iter();
    for (mut text, mut font, mut colour, mut place, mut visibility) in &mut labels {
        let Some(note) = notes.next() else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        if text.0 != note.text {
            text.0 = note.text;
        }
        font.set_if_neq(TextFont { font_size: FontSize::Px(note.size * scale.0), ..default() });
        colour.set_if_neq(TextColor(note.colour));
        place.set_if_neq(placed(note.at, screen_zoom));
    }
    for note in notes {
        commands.spawn((
            Label,
            Text2d(note.text),
            TextFont { font_size: FontSize::Px(note.size * scale.0), ..default() },
            TextColor(note.colour),
            TextLayout { justify: Justify::Center, ..default() },
            Anchor::CENTER,
            placed(note.at, screen_zoom),
        ));
    }
}

/// Returns the transform of a text, which keeps its size in screen pixels at any zoom.
fn placed(at: Vec2, zoom: f32) -> Transform {
    Transform::from_translation(at.extend(5.0)).with_scale(Vec3::splat(1.0 / zoom))
}
