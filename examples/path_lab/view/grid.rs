//! The grid at one step of its search.

use bevy::prelude::*;
use tilepath::{Cell, CellState, Outcome, PathSearch, explain::FailureExplanation, search::Step};

use super::Sheet;
use crate::{
    lab::Lab,
    palette,
    run::{GridRun, Run},
};

/// World units a cell.
pub(crate) const TILE: f32 = 6.0;
/// From this many screen pixels a cell on its figures are shown.
const LEGIBLE: f32 = 46.0;
/// From this many screen pixels a cell on marks have round corners, and arrows lead back.
const DETAILED: f32 = 20.0;

/// The cell at a place of the world, on the map or not.
pub(crate) fn cell_at(place: Vec2) -> Cell {
    let cell = (place / TILE).floor().as_ivec2();
    Cell::new(cell.x, cell.y)
}

fn centre_of(cell: Cell) -> Vec2 {
    (Vec2::new(cell.x as f32, cell.y as f32) + 0.5) * TILE
}

pub(super) fn draw(lab: &Lab, run: &Run, cursor: Option<Cell>, sheet: &mut Sheet) {
    draw_ground(lab, sheet);
    if let Run::Grid(run) = run {
        draw_states(lab, run, sheet);
        draw_ways(lab, run, sheet);
        if sheet.zoom * TILE >= LEGIBLE {
            write_figures(lab, run.search(), sheet);
        }
    }
    draw_proposal(lab, sheet);
    draw_ends(lab, sheet);
    if let Some(cell) = cursor {
        draw_cursor(cell, sheet);
    }
}

fn draw_ground(lab: &Lab, sheet: &mut Sheet) {
    let grid = lab.field().finder.grid();
    let size = Vec2::new(grid.width() as f32, grid.height() as f32) * TILE;
    let frame = 6.0 / sheet.zoom;
    sheet.ink.rectangle(size / 2.0, size + 2.0 * frame, palette::WALL);
    for (cell, &class) in grid.bounds().cells().zip(grid.classes()) {
        let colour = palette::ground(class);
        // A faint chequer, so that cells can be counted.
        let shade = if (cell.x + cell.y) % 2 == 0 { 1.0 } else { 0.965 };
        let shaded = colour.to_srgba() * shade;
        sheet.ink.rectangle(centre_of(cell), Vec2::splat(TILE), shaded.with_alpha(1.0).into());
    }
}

/// The cell that the last step was about.
fn current(run: &GridRun) -> Option<Cell> {
    match run.last() {
        Some(Step::Expanded(cell) | Step::Reached(cell)) => Some(cell),
        _ => None,
    }
}

fn draw_states(lab: &Lab, run: &GridRun, sheet: &mut Sheet) {
    let has_given_up = matches!(run.last(), Some(Step::Exhausted));
    let is_detailed = sheet.zoom * TILE >= DETAILED;
    let current = current(run);
    for cell in lab.field().finder.grid().bounds().cells() {
        let colour = match run.search().cell_state(cell) {
            _ if current == Some(cell) => palette::CURRENT,
            CellState::Unseen => continue,
            CellState::Open => palette::OPEN,
            CellState::Closed if has_given_up => palette::GIVEN_UP,
            CellState::Closed => palette::CLOSED,
        };
        let side = TILE * 0.86;
        if is_detailed {
            sheet.ink.rounded(centre_of(cell), side, TILE * 0.16, colour.with_alpha(0.92));
        } else {
            sheet.ink.rectangle(centre_of(cell), Vec2::splat(side), colour.with_alpha(0.92));
        }
    }
    if has_given_up {
        draw_barrier(lab, sheet);
    }
}

/// The closed cells that would have to open, framed.
fn draw_barrier(lab: &Lab, sheet: &mut Sheet) {
    let Some(FailureExplanation::Sealed(barrier)) = lab.failure() else { return };
    let doors = barrier.single.iter().map(|opening| opening.cell);
    let together = barrier.smallest.iter().flat_map(|set| set.cells.iter().copied());
    for cell in doors.chain(together) {
        sheet.ink.rounded(centre_of(cell), TILE * 0.86, TILE * 0.16, palette::BARRIER);
        sheet.ink.rounded(centre_of(cell), TILE * 0.58, TILE * 0.08, palette::WALL);
    }
}

/// The cells from one that was reached back to the start. A jump takes its diagonal steps first.
fn way_back(search: &PathSearch, from: Cell) -> Vec<Vec2> {
    let mut points = vec![centre_of(from)];
    let mut here = from;
    while let Some(parent) = search.came_from(here) {
        if let Some(bend) = bend(parent, here) {
            points.push(centre_of(bend));
        }
        points.push(centre_of(parent));
        here = parent;
    }
    points
}

/// Where a jump from one cell to another turns from diagonal to straight.
fn bend(parent: Cell, cell: Cell) -> Option<Cell> {
    let (dx, dy) = (cell.x - parent.x, cell.y - parent.y);
    let diagonal = dx.abs().min(dy.abs());
    let bends = diagonal > 0 && dx.abs() != dy.abs();
    bends.then(|| Cell::new(parent.x + dx.signum() * diagonal, parent.y + dy.signum() * diagonal))
}

fn draw_ways(lab: &Lab, run: &GridRun, sheet: &mut Sheet) {
    let search = run.search();
    let pixel = 1.0 / sheet.zoom;
    if sheet.zoom * TILE >= DETAILED {
        for cell in lab.field().finder.grid().bounds().cells() {
            let Some(parent) = search.came_from(cell) else { continue };
            let (from, turn) = (centre_of(cell), bend(parent, cell).map_or(centre_of(parent), centre_of));
            if centre_of(parent).distance(from) > TILE * 1.5 {
                // A jump: the cells between were never opened.
                sheet.ink.polyline(
                    &[from, turn, centre_of(parent)],
                    1.5 * pixel,
                    palette::INK.with_alpha(0.35),
                );
                continue;
            }
            // A bridge over the gap to the cell that it was reached from.
            let half = (turn - from) / 2.0;
            let (near, far) = (half * 0.8, half * 1.2);
            sheet.ink.line(from + near, from + far, 3.5 * pixel, palette::INK.with_alpha(0.8));
        }
    }
    let width = (TILE * 0.16).max(2.5 * pixel);
    match run.answer() {
        Some(Ok(answer)) => {
            if let Outcome::Found(path) = answer.outcome {
                let points: Vec<Vec2> = path.cells().iter().map(|&cell| centre_of(cell)).collect();
                // A dark edge would strike through the figures that it passes.
                let edge = if sheet.zoom * TILE >= LEGIBLE { palette::FAINT_EDGE } else { palette::INK };
                sheet.ink.polyline(&points, width * 2.0 + 3.0 * pixel, edge);
                sheet.ink.polyline(&points, width * 2.0, palette::PATH);
            }
        }
        _ => {
            if let Some(cell) = current(run) {
                sheet.ink.polyline(&way_back(search, cell), width * 0.8, palette::CURRENT);
            }
        }
    }
}

fn draw_proposal(lab: &Lab, sheet: &mut Sheet) {
    let points: Vec<Vec2> = lab.field().proposal.iter().map(|&cell| centre_of(cell)).collect();
    sheet.ink.polyline(&points, TILE * 0.14, palette::PROPOSAL);
}

/// g, h and f of the cells that the search has reached.
fn write_figures(lab: &Lab, search: &PathSearch, sheet: &mut Sheet) {
    let pixels = sheet.zoom * TILE;
    let size = if pixels >= 80.0 { 16.0 } else { 11.0 };
    let (start, goal) = (lab.field().start, lab.field().goal);
    for cell in lab.field().finder.grid().bounds().cells() {
        let at = centre_of(cell);
        let Some(cost) = search.cost_to(cell) else { continue };
        if cell == start || cell == goal {
            continue;
        }
        let mut lines = vec![format!("g {cost}")];
        if let Some(estimate) = search.estimate_from(cell) {
            lines.push(format!("h {estimate}"));
        }
        if let Some(rank) = search.rank_of(cell) {
            lines.push(format!("f {rank}"));
        }
        sheet.note(lines.join("\n"), at, size, palette::INK);
    }
}

/// A frame around the cell that the keyboard points at.
fn draw_cursor(cell: Cell, sheet: &mut Sheet) {
    let half = TILE / 2.0;
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)];
    let points = corners.map(|corner| centre_of(cell) + Vec2::from(corner));
    let pixel = 1.0 / sheet.zoom;
    sheet.ink.polyline(&points, 5.0 * pixel, palette::INK);
    sheet.ink.polyline(&points, 2.0 * pixel, Color::WHITE);
}

fn draw_ends(lab: &Lab, sheet: &mut Sheet) {
    let pixels = sheet.zoom * TILE;
    for (cell, letter, colour) in
        [(lab.field().start, "S", palette::START), (lab.field().goal, "G", palette::GOAL)]
    {
        let at = centre_of(cell);
        sheet.ink.disc(at, TILE * 0.43, palette::PAPER);
        sheet.ink.disc(at, TILE * 0.37, colour);
        if pixels >= DETAILED {
            let size = (pixels * 0.42).clamp(11.0, 30.0).round();
            sheet.note(letter, at, size, Color::WHITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_bends_where_its_diagonal_ends() {
        let from = Cell::new(2, 3);
        assert_eq!(bend(from, Cell::new(7, 5)), Some(Cell::new(4, 5)));
        assert_eq!(bend(from, Cell::new(0, 9)), Some(Cell::new(0, 5)));
        assert_eq!(bend(from, Cell::new(5, 6)), None, "a diagonal alone does not bend");
        assert_eq!(bend(from, Cell::new(2, 9)), None);
    }

    #[test]
    fn a_cell_is_found_again_at_its_middle() {
        for cell in [Cell::new(0, 0), Cell::new(7, 3), Cell::new(-1, -4)] {
            assert_eq!(cell_at(centre_of(cell)), cell);
        }
    }
}
