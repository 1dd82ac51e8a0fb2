//! The cells that a large unit covers.

use std::collections::BTreeSet;

use bevy::prelude::*;
use tilepath::{Cell, Path};

use super::Sheet;
use crate::{
    field::Obstacle,
    lab::Lab,
    palette,
    shape::{Shape, TILE},
};

/// Returns the cells that a unit covers along its path.
fn swept(shape: &Shape, path: &Path) -> BTreeSet<Cell> {
    path.cells().iter().flat_map(|&anchor| shape.unit().footprint(anchor)).collect()
}

/// Returns the sides where the covered cells end: a covered cell, and its neighbour that is not
/// covered.
fn rim(swept: &BTreeSet<Cell>) -> impl Iterator<Item = (Cell, Cell)> + '_ {
    let beyond = |cell: Cell| {
        [(0, 1), (1, 0), (0, -1), (-1, 0)].map(|(dx, dy)| (cell, Cell::new(cell.x + dx, cell.y + dy)))
    };
    swept.iter().copied().flat_map(beyond).filter(|(_, other)| !swept.contains(other))
}

/// Tints the cells that a large unit covers along its path.
pub(super) fn draw_swept(shape: &Shape, path: &Path, sheet: &mut Sheet) {
    if shape.unit().side() == 1 {
        return;
    }
    let swept = swept(shape, path);
    for &cell in &swept {
        sheet.ink.polygon(shape.outline(shape.centre(cell), 1.0), palette::SWEPT.with_alpha(0.3));
    }
    for (cell, other) in rim(&swept) {
        let (middle, half) = shape.edge(cell, other);
        let longer = half * 1.06;
        sheet.ink.line(middle - longer, middle + longer, TILE * 0.07, palette::SWEPT);
    }
}

/// Frames the cells that a large unit covers. A unit of one cell gets no frame.
pub(super) fn draw_frame(shape: &Shape, anchor: Cell, colour: Color, sheet: &mut Sheet) {
    if shape.unit().side() == 1 {
        return;
    }
    let covered = shape.footprint(anchor);
    sheet.ink.rectangle(covered.center(), covered.size(), colour.with_alpha(0.16));
    let inner = covered.inflate(-TILE * 0.05);
    let (low, high) = (inner.min, inner.max);
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y), low];
    sheet.ink.polyline(&corners, TILE * 0.1, colour);
}

/// Frames the cell at the keyboard's cursor, the cells that the unit would cover there, and what
/// blocks it.
pub(super) fn draw_cursor(lab: &Lab, shape: &Shape, cell: Cell, sheet: &mut Sheet) {
    draw_frame(shape, cell, palette::INK, sheet);
    if shape.unit().side() > 1 {
        match lab.field().obstacle(cell) {
            Some(Obstacle::Wall(wall)) => {
                sheet.ink.polygon(shape.outline(shape.centre(wall), 0.8), palette::NO_PATH);
            }
            Some(Obstacle::Fence(one, other)) => {
                let (middle, half) = shape.edge(one, other);
                sheet.ink.line(middle - half, middle + half, TILE * 0.3, palette::NO_PATH);
            }
            Some(Obstacle::Outside(_)) | None => {}
        }
    }
    let mut points = shape.outline(shape.centre(cell), 1.0);
    points.extend(points.first().copied());
    let pixel = 1.0 / sheet.zoom;
    sheet.ink.polyline(&points, 5.0 * pixel, palette::INK);
    sheet.ink.polyline(&points, 2.0 * pixel, Color::WHITE);
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath::{Grid, Movement, PathFinder, Size};

    #[test]
    fn a_unit_of_two_cells_a_side_sweeps_two_rows() {
        let size = Size::new(2).unwrap();
        let finder = PathFinder::new(Grid::new(6, 2, 1).unwrap(), Movement::new().with_size(size));
        let path = finder.find(Cell::new(0, 0), Cell::new(4, 0)).unwrap().into_path().unwrap();
        let swept = swept(&Shape::of(finder.grid(), size), &path);
        assert_eq!((swept.len(), rim(&swept).count()), (12, 6 + 2 + 6 + 2));
    }
}
