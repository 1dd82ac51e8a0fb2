//! Walls painted with the mouse.
//!
//! A stroke that begins on an open cell paints walls. A stroke that begins on a blocked cell opens
//! cells.

use bevy::prelude::*;
use bevy_ecs_tilemap::prelude::*;
use bevy_tilepath::{Cell, Terrain};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    pointer::{MapPointer, Stroke, Strokes, cells_between},
};

use crate::{
    city::{City, slot},
    looks::{SHADOW, look},
    scene::{CityMap, TILE, cell_at, centre_of, close_or_open, height},
};

/// Paints walls. Needs a window.
pub(crate) struct PainterPlugin;

impl Plugin for PainterPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, paint).add_systems(PostUpdate, frame_cell.in_set(DrawSet));
    }
}

/// The stroke that is being painted: its last cell, and true if it paints walls.
#[derive(Debug, Clone, Copy)]
struct Hand {
    last: Cell,
    wall: bool,
}

fn paint(
    mut strokes: Strokes,
    mut hand: Local<Option<Hand>>,
    mut city: ResMut<City>,
    storage: Single<&TileStorage, With<CityMap>>,
    mut terrains: Query<&mut Terrain>,
    mut shown: Query<(&mut TileTextureIndex, &mut TileColor)>,
) {
    let mut cells: Vec<(Cell, bool)> = Vec::new();
    for stroke in strokes.read() {
        match stroke {
            Stroke::Press(world) => {
                let cell = cell_at(world);
                let wall = city.ground(cell).is_open();
                *hand = Some(Hand { last: cell, wall });
                cells.push((cell, wall));
            }
            Stroke::Move(world) => {
                if let Some(hand) = &mut *hand {
                    let cell = cell_at(world);
                    cells.extend(cells_between(hand.last, cell).map(|cell| (cell, hand.wall)));
                    hand.last = cell;
                }
            }
            Stroke::Release => *hand = None,
        }
    }
    for (cell, wall) in cells {
        if !city.bypass_change_detection().paint(cell, wall) {
            continue;
        }
        city.set_changed();
        close_or_open(&city, cell, &storage, &mut terrains);
        // This includes its shadow, and the edges of the houses beside it.
        for (dx, dy) in (-SHADOW..=1).flat_map(|dy| (-1..=SHADOW).map(move |dx| (dx, dy))) {
            let near = Cell::new(cell.x + dx, cell.y + dy);
            if slot(near).is_some()
                && let Some(tile) = storage.checked_get(&TilePos::new(near.x as u32, near.y as u32))
                && let Ok((mut picture, mut colour)) = shown.get_mut(tile)
            {
                let (new_picture, new_colour) = look(&city, near);
                picture.set_if_neq(new_picture);
                if colour.0 != new_colour.0 {
                    *colour = new_colour;
                }
            }
        }
    }
}

/// Marks the cell at the pointer: red if a stroke would put up a wall, green if it would open the
/// cell.
fn frame_cell(pointer: Res<MapPointer>, city: Res<City>, mut canvas: ResMut<Canvas>) {
    let Some(cell) = pointer.world.map(cell_at).filter(|&cell| slot(cell).is_some()) else { return };
    let colour =
        if city.ground(cell).is_open() { Color::srgb(1.0, 0.55, 0.40) } else { Color::srgb(0.6, 0.95, 0.6) };
    let pen = Pen { width: 0.8, colour, height: height::MARKS };
    let (low, high) = (centre_of(cell) - TILE / 2.0, centre_of(cell) + TILE / 2.0);
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y), low];
    for ends in corners.windows(2) {
        canvas.line(ends[0], ends[1], pen);
    }
}
