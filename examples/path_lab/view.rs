//! What lies on the table: the board as one mesh, and its texts.

mod graph;
mod grid;

use bevy::{prelude::*, sprite::Anchor};
use tilepath_examples::camera::PanZoom;

use crate::{
    ink::Ink,
    keys::Cursor,
    lab::{Lab, LabSet},
    settings::{Mode, Size},
};

pub(crate) use self::{
    graph::GraphPlace,
    grid::{TILE, cell_at},
};

/// Between the middle of the window and the middle of the room that panel and bars leave, in screen pixels, y up.
pub(crate) const AWAY_FROM_PANEL: Vec2 = Vec2::new(-192.0, 20.0);
/// The board's size in world units where the zoom is 4.
const BOARD: Vec2 = Vec2::new(192.0, 144.0);

/// Draws the boards. Needs a window.
pub(crate) struct ViewPlugin;

impl Plugin for ViewPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, spawn_board)
            .add_systems(Update, (fit_board, draw_board).chain().after(LabSet));
    }
}

#[derive(Component)]
struct Board;

/// One of the texts on the board; those that are not needed are hidden.
#[derive(Component)]
struct Label;

/// A text, its middle, its size in screen pixels.
pub(crate) struct Note {
    pub(crate) text: String,
    pub(crate) at: Vec2,
    pub(crate) size: f32,
    pub(crate) colour: Color,
}

/// What a board is drawn with.
pub(crate) struct Sheet {
    pub(crate) ink: Ink,
    pub(crate) notes: Vec<Note>,
    /// Screen pixels a world unit.
    pub(crate) zoom: f32,
    /// The part of the world that is seen.
    pub(crate) seen: Rect,
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
    let mut camera = PanZoom::new(Rect::default(), 4);
    camera.speed = 0.0; // the arrow keys step through the search
    camera.letters = false;
    commands.spawn((Camera2d, camera));
}

/// The extent of a board in world units.
fn extent(mode: Mode, size: Size) -> Vec2 {
    match mode {
        Mode::Grid => {
            let (columns, rows) = size.cells();
            Vec2::new(columns as f32, rows as f32) * TILE
        }
        Mode::Graph => BOARD,
    }
}

/// Shows the whole board when another one is laid out.
fn fit_board(lab: Res<Lab>, mut shown: Local<Option<(Mode, Size)>>, mut camera: Single<&mut PanZoom>) {
    let wanted = (lab.settings().mode, lab.settings().size);
    if *shown != Some(wanted) {
        *shown = Some(wanted);
        fit(&mut camera, wanted.0, wanted.1);
    }
}

/// Shows the whole board.
pub(crate) fn fit(camera: &mut PanZoom, mode: Mode, size: Size) {
    let extent = extent(mode, size);
    camera.zoom = if mode == Mode::Grid { size.zoom() } else { 4 };
    // A board that is larger than the room can be pushed aside until its edge is in the middle.
    let room = Vec2::splat(640.0) / camera.zoom as f32;
    camera.bounds = Rect::from_corners(-room, extent + room);
    let centre = extent / 2.0 - AWAY_FROM_PANEL / camera.zoom as f32;
    camera.look_at(centre);
}

fn draw_board(
    lab: Res<Lab>,
    cursor: Res<Cursor>,
    camera: Single<Ref<PanZoom>>,
    window: Single<&Window>,
    board: Single<&Mesh2d, With<Board>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut labels: Query<
        (&mut Text2d, &mut TextFont, &mut TextColor, &mut Transform, &mut Visibility),
        With<Label>,
    >,
    mut commands: Commands,
) {
    if !lab.is_changed() && !camera.is_changed() && !cursor.is_changed() {
        return;
    }
    let zoom = camera.zoom as f32;
    let seen = Rect::from_center_size(camera.centre, window.size() / zoom);
    let mut sheet = Sheet { ink: Ink::default(), notes: Vec::new(), zoom, seen };
    match lab.settings().mode {
        Mode::Grid => grid::draw(&lab, cursor.0, &mut sheet),
        Mode::Graph => graph::draw(&lab, &mut sheet),
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
        font.set_if_neq(TextFont { font_size: FontSize::Px(note.size), ..default() });
        colour.set_if_neq(TextColor(note.colour));
        place.set_if_neq(placed(note.at, zoom));
    }
    for note in notes {
        commands.spawn((
            Label,
            Text2d(note.text),
            TextFont { font_size: FontSize::Px(note.size), ..default() },
            TextColor(note.colour),
            TextLayout { justify: Justify::Center, ..default() },
            Anchor::CENTER,
            placed(note.at, zoom),
        ));
    }
}

/// Texts have their size in screen pixels at any zoom.
fn placed(at: Vec2, zoom: f32) -> Transform {
    Transform::from_translation(at.extend(5.0)).with_scale(Vec3::splat(1.0 / zoom))
}
