//! What the board is made of: ground, danger, and edges that are not open.

use bevy::prelude::*;
use tilepath::Cell;

use super::Sheet;
use crate::{
    edges::{self, Crossing},
    lab::Lab,
    palette,
    shape::{Shape, TILE},
};

/// From this many screen pixels a cell on danger is written beside figures.
const LEGIBLE: f32 = 24.0;

pub(super) fn draw(lab: &Lab, sheet: &mut Sheet) {
    let grid = lab.field().finder.grid();
    let shape = lab.field().shape();
    let frame = 6.0 / sheet.zoom;
    let cells = || grid.bounds().cells().filter(|&cell| grid.contains(cell));
    if shape.is_hexagonal() {
        // The frame follows the cells: beside them there is no ground.
        for cell in cells() {
            let outline = shape.outline(shape.centre(cell), 1.0 + 2.0 * frame / TILE);
            sheet.ink.polygon(outline, palette::WALL);
        }
    } else {
        sheet.ink.rectangle(shape.extent() / 2.0, shape.extent() + 2.0 * frame, palette::WALL);
    }
    for cell in cells() {
        let colour = palette::ground(grid.terrain(cell).unwrap_or(0));
        let shaded = colour.to_srgba() * shade(&shape, cell);
        let outline = shape.outline(shape.centre(cell), 1.0);
        sheet.ink.polygon(outline.iter().copied(), shaded.with_alpha(1.0).into());
        let danger = lab.field().danger(cell);
        if danger > 0 {
            sheet.ink.polygon(outline, palette::DANGER.with_alpha(strength(danger)));
        }
    }
}

/// A faint pattern, so that cells can be counted: no two neighbours in a row are alike.
fn shade(shape: &Shape, cell: Cell) -> f32 {
    if shape.is_hexagonal() {
        return [1.0, 0.98, 0.955][(cell.x - cell.y).rem_euclid(3) as usize];
    }
    if (cell.x + cell.y) % 2 == 0 { 1.0 } else { 0.965 }
}

/// How strongly a danger tints its cell.
fn strength(danger: u16) -> f32 {
    (0.2 + f32::from(danger) * 0.05).min(0.75)
}

/// Writes how dangerous cells are, at their upper rims.
pub(super) fn write_danger(lab: &Lab, sheet: &mut Sheet) {
    let pixels = sheet.zoom * TILE;
    if pixels < LEGIBLE {
        return;
    }
    let (grid, shape) = (lab.field().finder.grid(), lab.field().shape());
    let up = if shape.is_hexagonal() { Vec2::new(0.0, 0.43) } else { Vec2::new(0.36, 0.38) };
    for (cell, danger) in grid.overlay_cells(crate::brush::DANGER) {
        let at = shape.centre(cell) + up * TILE;
        let size = if pixels >= 46.0 { 11.0 } else { 9.0 };
        sheet.note(format!("+{danger}"), at, size, palette::DANGER_INK);
    }
}

/// Arrows over one-way edges, bars on fences.
pub(super) fn draw_edges(lab: &Lab, sheet: &mut Sheet) {
    let shape = lab.field().shape();
    for (from, to, crossing) in edges::closed(lab.field().finder.grid()) {
        let (middle, half) = shape.edge(from, to);
        let ahead = match crossing {
            Crossing::Open => continue,
            Crossing::Fence => {
                sheet.ink.line(middle - half, middle + half, TILE * 0.16, palette::FENCE);
                for post in [middle - half, middle + half] {
                    sheet.ink.disc(post, TILE * 0.11, palette::FENCE);
                }
                continue;
            }
            Crossing::OneWay => -half.perp().normalize_or_zero(),
            Crossing::Back => half.perp().normalize_or_zero(),
        };
        let side = ahead.perp();
        sheet.ink.line(middle - half, middle + half, TILE * 0.06, palette::ONE_WAY);
        let head = |grown: f32| {
            let (tip, wing) = (0.2 + grown, 0.17 + grown);
            [ahead * tip, side * wing - ahead * (0.12 + grown), -side * wing - ahead * (0.12 + grown)]
                .map(|corner| middle + corner * TILE)
        };
        sheet.ink.polygon(head(0.045), palette::PAPER);
        sheet.ink.polygon(head(0.0), palette::ONE_WAY);
    }
}
