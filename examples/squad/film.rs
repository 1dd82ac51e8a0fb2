//! The second film of the README: a frame, a click, and a squad that goes through a gate and forms behind it.

use bevy::prelude::*;
use bevy_tilepath::{
    Cell,
    groups::{Formation, GroupOrder},
};
use tilepath_examples::{
    pointer::MapPointer,
    screenshot::{Narration, NarrationPlugin, has_begun},
    tiles::centre_of,
};

use crate::{
    orders::{Goals, Manner},
    select::{Frame, Selected},
    units::Unit,
};

/// Plays the film.
pub(crate) struct FilmTourPlugin;

/// The upper left corner of the caption: a corner of the part of the window that `film.py` cuts out.
const CAPTION: Vec2 = Vec2::new(193.0, 624.0);
/// The frame around the soldiers: the cells in its corners.
const FRAME: (Cell, Cell) = (Cell::new(5, 9), Cell::new(11, 5));
const GOAL: Cell = Cell::new(27, 12);
/// The seconds at which the frame begins and ends, and at which the order is given.
const FRAMED: (f32, f32) = (0.4, 1.6);
const ORDERED: f32 = 3.2;

impl Plugin for FilmTourPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(NarrationPlugin { corner: CAPTION }).add_systems(Update, play.run_if(has_begun));
    }
}

fn play(
    mut seconds: Local<f32>,
    time: Res<Time>,
    units: Query<(Entity, &Unit)>,
    mut commands: Commands,
    mut manner: ResMut<Manner>,
    mut frame: ResMut<Frame>,
    mut pointer: ResMut<MapPointer>,
    mut narration: ResMut<Narration>,
) {
    let before = *seconds;
    *seconds += time.delta_secs();
    pointer.world = None;
    manner.formation = Formation::Wedge;
    let reaches = |at: f32| before < at && *seconds >= at;
    let members = || units.iter().filter(|(_, unit)| **unit == Unit::Soldier).map(|(unit, _)| unit);
    let (from, to) = (centre_of(FRAME.0), centre_of(FRAME.1));
    let part = |begin: f32, end: f32| ((*seconds - begin) / (end - begin)).clamp(0.0, 1.0);
    let corner = from.lerp(to, part(FRAMED.0, FRAMED.1));
    if *seconds < FRAMED.1 {
        frame.0 = (*seconds >= FRAMED.0).then_some((from, corner));
        *narration = Narration {
            pointer: Some(corner),
            is_pressed: frame.0.is_some(),
            caption: "Drag a frame around a squad.",
        };
    } else if *seconds < ORDERED + 0.4 {
        frame.0 = None;
        let at = corner.lerp(centre_of(GOAL), part(FRAMED.1, ORDERED - 0.3));
        let is_pressed = *seconds >= ORDERED;
        *narration = Narration {
            pointer: Some(at),
            is_pressed,
            caption: "One click behind the gate: one order for all.",
        };
    } else {
        let caption =
            if *seconds < 8.0 { "No two units share a cell." } else { "Each takes its place in the wedge." };
        *narration = Narration { pointer: None, is_pressed: false, caption };
    }
    if reaches(FRAMED.0) {
        members().for_each(|unit| _ = commands.entity(unit).remove::<Selected>());
    }
    if reaches(FRAMED.1) {
        members().for_each(|unit| _ = commands.entity(unit).insert(Selected));
    }
    if reaches(ORDERED) {
        let goal = centre_of(GOAL);
        commands.spawn((GroupOrder::to(members(), goal).in_formation(Formation::Wedge), Goals(vec![goal])));
    }
}
