//! The tower in the player's hand, paths, and cells to keep free.

use bevy::prelude::*;
use bevy_tilepath::{Cell, NavQuery};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    label::{PointerLabel, spawn_label},
    panel::colour,
    pointer::{MapPointer, Stroke, Strokes, cells_between, world_of_event},
    tiles::{TILE, centre_of},
};

use crate::{
    build::{Build, Builder, Refusal},
    scene::height,
    shots::RANGE,
    ways::{Forbidden, Ways},
};

/// Builds by mouse. Needs a window.
pub(crate) struct HeldPlugin;

impl Plugin for HeldPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Held>()
            .init_resource::<Shown>()
            .add_systems(Startup, spawn_label)
            .add_systems(Update, (click, hold).chain())
            .add_systems(PostUpdate, (draw_ground, draw_held).in_set(DrawSet))
            .add_observer(pull_down);
    }
}

/// The cell of the tower in the player's hand, and whether it may stand there.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held(pub(crate) Option<(Cell, Result<(), Refusal>)>);

/// The marks that are drawn on the ground.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// True if the cells that must stay free are drawn.
    pub(crate) forbidden: bool,
    /// True if the cheapest paths from the gates are drawn.
    pub(crate) ways: bool,
}

impl Default for Shown {
    fn default() -> Self {
        Self { forbidden: true, ways: true }
    }
}

fn click(
    mut strokes: Strokes,
    nav: NavQuery,
    mut last: Local<Option<Cell>>,
    mut builds: MessageWriter<Build>,
) {
    for stroke in strokes.read() {
        match stroke {
            Stroke::Press(at) => {
                *last = nav.map_at(at).map(|(_, cell)| cell);
                builds.write_batch(last.map(Build::Tower));
            }
            Stroke::Move(at) => {
                if let (Some(from), Some((_, to))) = (*last, nav.map_at(at)) {
                    builds.write_batch(cells_between(from, to).map(Build::Tower));
                    *last = Some(to);
                }
            }
            Stroke::Release => *last = None,
        }
    }
}

fn pull_down(
    click: On<Pointer<Click>>,
    windows: Query<(), With<Window>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    nav: NavQuery,
    mut builds: MessageWriter<Build>,
) {
    if click.event.button != PointerButton::Secondary {
        return;
    }
    let at = click.pointer_location.position;
    let world = world_of_event(click.original_event_target(), at, &windows, *camera);
    if let Some((_, cell)) = world.and_then(|world| nav.map_at(world)) {
        builds.write(Build::PullDown(cell));
    }
}

fn hold(
    pointer: Res<MapPointer>,
    nav: NavQuery,
    mut builder: Builder,
    mut held: ResMut<Held>,
    mut label: PointerLabel,
) {
    let cell = pointer.world.and_then(|world| nav.map_at(world)).map(|(_, cell)| cell);
    held.set_if_neq(Held(cell.map(|cell| (cell, builder.judge(cell, &[])))));
    match held.0 {
        Some((cell, Err(refusal))) if refusal != Refusal::Closed => {
            label.say(
                Rect::from_center_size(centre_of(cell), Vec2::splat(TILE)),
                &format!("{refusal}"),
                colour::BAD,
            );
        }
        _ => label.hide(),
    }
}

const RED: Color = Color::srgb(0.93, 0.26, 0.20);
const WAYS: [Color; 2] = [Color::srgb(0.98, 0.80, 0.28), Color::srgb(0.55, 0.85, 0.98)];
/// Dashes and gaps of both paths, in world units: long dashes and dots.
const DASHES: [(f32, f32); 2] = [(6.0, 4.0), (1.5, 3.5)];
const FREE: Color = Color::srgb(0.62, 0.93, 0.44);

fn fill(canvas: &mut Canvas, cell: Cell, side: f32, colour: Color, height: f32) {
    let (middle, half) = (centre_of(cell), Vec2::new(side / 2.0, 0.0));
    canvas.line(middle - half, middle + half, Pen { width: side, colour, height });
}

/// Frames a cell, above all things on it.
fn frame(canvas: &mut Canvas, cell: Cell, width: f32, colour: Color) {
    let (middle, half) = (centre_of(cell), TILE / 2.0 - 1.0 - width / 2.0);
    for side in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y] {
        let (edge, along) = (middle + side * half, side.perp() * (half + width / 2.0));
        canvas.line(edge - along, edge + along, Pen { width, colour, height: height::FRAMES });
    }
}

/// Crosses out a cell: the colour of the frame is not the only sign that it must stay free.
fn cross(canvas: &mut Canvas, cell: Cell, width: f32, colour: Color) {
    let (middle, half) = (centre_of(cell), Vec2::splat(TILE / 2.0 - 2.0));
    for corner in [half, half.perp()] {
        canvas.line(middle - corner, middle + corner, Pen { width, colour, height: height::FRAMES });
    }
}

fn draw_ground(
    shown: Res<Shown>,
    ways: Res<Ways>,
    forbidden: Res<Forbidden>,
    time: Res<Time<Real>>,
    mut canvas: ResMut<Canvas>,
) {
    if shown.forbidden {
        for &cell in &forbidden.0 {
            fill(&mut canvas, cell, TILE - 2.0, RED.with_alpha(0.4), height::MARKS);
            frame(&mut canvas, cell, 1.0, RED);
            cross(&mut canvas, cell, 1.0, RED);
        }
    }
    if shown.ways {
        for (index, way) in ways.0.iter().enumerate() {
            // Two paths along the same cells are drawn side by side.
            let aside = Vec2::splat(if index == 0 { 1.5 } else { -1.5 });
            let points: Vec<Vec2> = way.iter().map(|&cell| centre_of(cell) + aside).collect();
            let pen = Pen { width: 1.5, colour: WAYS[index].with_alpha(0.8), height: height::MARKS + 0.2 };
            let (dash, gap) = DASHES[index];
            canvas.dashes(&points, dash, gap, time.elapsed_secs() * 10.0 % (dash + gap), pen);
        }
    }
}

fn draw_held(held: Res<Held>, mut canvas: ResMut<Canvas>) {
    let Some((cell, verdict)) = held.0 else { return };
    let colour = if verdict.is_ok() { FREE } else { RED };
    fill(&mut canvas, cell, TILE - 2.0, colour.with_alpha(0.45), height::MARKS + 0.3);
    frame(&mut canvas, cell, 2.0, colour);
    if verdict.is_err() {
        cross(&mut canvas, cell, 2.0, colour);
    } else {
        let middle = centre_of(cell);
        let around: Vec<Vec2> = (0..=48)
            .map(|step| middle + Vec2::from_angle(step as f32 * std::f32::consts::TAU / 48.0) * RANGE)
            .collect();
        let pen = Pen { width: 1.0, colour: colour.with_alpha(0.5), height: height::MARKS + 0.3 };
        canvas.dashes(&around, 3.0, 4.0, 0.0, pen);
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::colour_vision::look_alikes;

    use super::*;

    #[test]
    fn marks_differ_without_red_and_green() {
        let marks = [
            ("a cell to keep free", RED, "framed and crossed out"),
            ("a place for a tower", FREE, "framed, with a circle around"),
            ("the path from the north", WAYS[0], "long dashes"),
            ("the path from the south", WAYS[1], "dots"),
        ];
        assert_eq!(look_alikes(&marks), []);
        let [long, dot] = DASHES;
        assert!(long.0 >= 3.0 * dot.0, "they differ in form, too");
    }
}
