//! The film of the README: a click, a walk, rock on the bridge, another path.

use bevy::prelude::*;
use bevy_tilepath::Cell;
use tilepath_examples::{
    ground::Ground,
    pointer::MapPointer,
    screenshot::{Narration, NarrationPlugin, has_begun},
    tiles::centre_of,
};

use crate::{
    brush::{Brush, Paint, PaintSet},
    orders::order,
    preview::look_ahead,
    rules::Rules,
    units::Unit,
};

/// Plays the film.
pub(crate) struct FilmTourPlugin;

/// The upper left corner of the caption: a corner of the part of the window that `film.py` cuts out.
const CAPTION: Vec2 = Vec2::new(258.0, 646.0);
const GOAL: Cell = Cell::new(25, 10);
/// The cell of the pointer at the beginning.
const POINTER: Cell = Cell::new(17, 7);
/// Seconds until the click.
const AIM: f32 = 1.8;
/// The column at which the soldier is when the rock falls.
const COLUMN: Cell = Cell::new(14, 12);
/// The cells of the upper bridge, the far end first, in rows.
const BRIDGE: [[Cell; 2]; 5] = [column(23), column(22), column(21), column(20), column(19)];

const fn column(x: i32) -> [Cell; 2] {
    [Cell::new(x, 11), Cell::new(x, 12)]
}

impl Plugin for FilmTourPlugin {
    fn build(&self, app: &mut App) {
        app.add_plugins(NarrationPlugin { corner: CAPTION })
            .add_systems(Update, play.run_if(has_begun).before(PaintSet).before(look_ahead));
    }
}

/// The part of the film that plays now.
#[derive(Debug, Default, Clone, Copy)]
enum Part {
    /// The pointer moves to the goal.
    #[default]
    Aim,
    /// The soldier walks to the bridge.
    Walk,
    /// This many columns of the bridge are rock.
    Rock(usize),
    /// The soldier walks to the other bridge.
    Turn,
}

fn play(
    mut part: Local<Part>,
    mut seconds: Local<f32>,
    time: Res<Time>,
    soldier: Query<(Entity, &Unit, &Transform)>,
    rules: Res<Rules>,
    mut commands: Commands,
    mut paints: MessageWriter<Paint>,
    mut pointer: ResMut<MapPointer>,
    mut narration: ResMut<Narration>,
) {
    let Some((soldier, _, place)) = soldier.iter().find(|(_, unit, _)| **unit == Unit::Soldier) else {
        return;
    };
    *seconds += time.delta_secs();
    pointer.world = None;
    match *part {
        Part::Aim => {
            let at = centre_of(POINTER).lerp(centre_of(GOAL), (*seconds / (AIM - 0.6)).min(1.0));
            pointer.world = Some(at);
            *narration = Narration {
                pointer: Some(at),
                is_pressed: false,
                caption: "Click: the soldier walks the cheapest path.",
            };
            if *seconds >= AIM {
                narration.is_pressed = true;
                commands.entity(soldier).insert(order(centre_of(GOAL), *rules));
                *part = Part::Walk;
            }
        }
        Part::Walk => {
            narration.is_pressed = *seconds < AIM + 0.3;
            if place.translation.x >= centre_of(COLUMN).x {
                *part = Part::Rock(0);
            }
        }
        Part::Rock(columns) => {
            let cells = BRIDGE[columns];
            paints.write_batch(cells.map(|cell| Paint { cell, brush: Brush::Ground(Ground::Rock) }));
            let at = centre_of(cells[0]).midpoint(centre_of(cells[1]));
            *narration = Narration {
                pointer: Some(at),
                is_pressed: true,
                caption: "Rock on the bridge: the path is cut.",
            };
            *part = if columns + 1 == BRIDGE.len() { Part::Turn } else { Part::Rock(columns + 1) };
            *seconds = 0.0;
        }
        Part::Turn => {
            narration.is_pressed = false;
            if *seconds > 1.0 {
                *narration = Narration {
                    pointer: None,
                    is_pressed: false,
                    caption: "It takes the next cheapest path at once.",
                };
            }
        }
    }
}
