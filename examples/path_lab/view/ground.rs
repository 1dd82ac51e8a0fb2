//! The board: ground, danger, one-way edges and fences.

use bevy::prelude::*;
use tilepath::{Cell, Grid};

use super::Sheet;
use crate::{
    brush::DANGER,
    edges::{self, Crossing},
    lab::Lab,
    palette,
    shape::{Shape, TILE},
};

/// The least size of a cell with the number of its danger, in screen pixels.
const LEGIBLE: f32 = 24.0;

pub(super) fn draw(lab: &Lab, sheet: &mut Sheet) {
    let grid = lab.field().finder.grid();
    let shape = lab.field().shape();
    let frame = 6.0 / sheet.zoom;
    let cells = || grid.bounds().cells().filter(|&cell| grid.contains(cell));
    if shape.is_hexagonal() {
        // The frame follows the cells of the rows.
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
        if danger > 0 && grid.terrain(cell) != Some(0) {
            sheet.ink.polygon(outline, palette::DANGER.with_alpha(strength(danger)));
        }
    }
}

/// Returns the shade of a cell: neighbours in a row differ, so that a player can count cells.
fn shade(shape: &Shape, cell: Cell) -> f32 {
    if shape.is_hexagonal() {
        return [1.0, 0.98, 0.955][(cell.x - cell.y).rem_euclid(3) as usize];
    }
    if (cell.x + cell.y) % 2 == 0 { 1.0 } else { 0.965 }
}

/// Returns the opacity of the tint of a danger.
fn strength(danger: u16) -> f32 {
    (0.2 + f32::from(danger) * 0.05).min(0.75)
}

/// Writes the danger of passable cells, in the middle of the cell or above its numbers.
pub(super) fn write_danger(lab: &Lab, sheet: &mut Sheet) {
    let pixels = sheet.zoom * TILE;
    if pixels < LEGIBLE {
        return;
    }
    let (grid, shape) = (lab.field().finder.grid(), lab.field().shape());
    let up = match (pixels >= super::grid::LEGIBLE, shape.is_hexagonal()) {
        (false, _) => Vec2::ZERO,
        (true, false) => Vec2::new(0.3, 0.38),
        (true, true) => Vec2::new(0.34, 0.24),
    };
    for (cell, danger) in grid.overlay_cells(DANGER).filter(|&(cell, _)| grid.terrain(cell) != Some(0)) {
        sheet.note(format!("+{danger}"), shape.centre(cell) + up * TILE, 12.0, palette::DANGER_INK);
    }
}

/// Draws arrows over one-way edges, and bars on fences.
pub(super) fn draw_edges(lab: &Lab, sheet: &mut Sheet) {
    let shape = lab.field().shape();
    let grid = lab.field().finder.grid();
    // Edges of hexagons lie closer together.
    let size = if shape.is_hexagonal() { 0.85 } else { 1.0 };
    for (from, to, crossing) in edges::closed(grid) {
        if !shape.is_hexagonal() && is_told_beside(grid, from, to) {
            continue;
        }
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
        sheet.ink.line(middle - half, middle + half, TILE * 0.06, palette::ONE_WAY);
        draw_arrow(middle, ahead * TILE * size, sheet);
    }
}

/// Draws a slim arrow.
fn draw_arrow(middle: Vec2, ahead: Vec2, sheet: &mut Sheet) {
    let side = ahead.perp();
    for (grown, colour) in [(0.05, palette::PAPER), (0.0, palette::ONE_WAY)] {
        let (tip, base, wing) = (0.36 + grown * 2.0, -0.02 - grown, 0.16 + grown * 1.4);
        let shaft = ahead.length() * (0.1 + grown * 2.0);
        sheet.ink.line(middle - ahead * (0.28 + grown), middle, shaft, colour);
        let head = [ahead * tip, ahead * base + side * wing, ahead * base - side * wing];
        sheet.ink.polygon(head.map(|corner| middle + corner), colour);
    }
}

/// Returns whether an edge at the corner between two cells has a mark. Then the step across the
/// corner needs none.
fn is_told_beside(grid: &Grid, from: Cell, to: Cell) -> bool {
    let beside = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
    let is_closed = |side: Cell| {
        [from, to]
            .into_iter()
            .any(|end| edges::crossing(grid, end, side).is_some_and(|how| how != Crossing::Open))
    };
    from.x != to.x && from.y != to.y && beside.into_iter().any(is_closed)
}
