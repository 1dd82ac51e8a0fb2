//! The grid at one step of its search.

use std::collections::BTreeSet;

use bevy::prelude::*;
use tilepath::{
    Cell, CellState, MovementId, Outcome, Path, PathSearch, explain::FailureExplanation, search::Step,
};

use super::{Sheet, footprint, ground, turns};
use crate::{
    lab::Lab,
    palette,
    run::{GridRun, Run},
    shape::{Shape, TILE},
};

/// The least size of a cell with numbers, in screen pixels.
pub(super) const LEGIBLE: f32 = 46.0;
/// The least size of a cell with round corners and bars to the previous cell, in screen pixels.
const DETAILED: f32 = 20.0;

/// Draws the grid. Marks of a search are at the middle of the unit.
pub(super) fn draw(lab: &Lab, run: &Run, cursor: Option<Cell>, sheet: &mut Sheet) {
    let shape = lab.field().shape();
    ground::draw(lab, sheet);
    turns::draw_range(lab, &shape, sheet);
    if let Run::Grid(run) = run {
        draw_states(lab, run, &shape, sheet);
        let path = path_of(run);
        if let Some(path) = &path {
            footprint::draw_swept(&shape, path, sheet);
        }
        draw_links(lab, run.search(), &shape, sheet);
        draw_landmarks(lab, run.search(), &shape, sheet);
        ground::draw_edges(lab, sheet);
        draw_way(lab, run, path.as_ref(), &shape, sheet);
        if let Some(path) = &path {
            turns::draw_ways(lab, path, &shape, sheet);
        }
        if sheet.zoom * TILE >= LEGIBLE {
            write_figures(lab, run, &shape, sheet);
        }
        if let Some(cell) = current(run).filter(|_| path.is_none()) {
            footprint::draw_frame(&shape, cell, palette::CURRENT, sheet);
        }
    } else {
        ground::draw_edges(lab, sheet);
    }
    ground::write_danger(lab, sheet);
    turns::write_range(lab, &shape, sheet);
    turns::draw_friends(lab, &shape, sheet);
    draw_proposal(lab, &shape, sheet);
    draw_ends(lab, &shape, sheet);
    if let Some(cell) = cursor {
        footprint::draw_cursor(lab, &shape, cell, sheet);
    }
}

/// Returns the path once it is found.
fn path_of(run: &GridRun) -> Option<Path> {
    match run.answer()?.ok()?.outcome {
        Outcome::Found(path) => Some(path),
        _ => None,
    }
}

/// Returns the cell of the last step.
fn current(run: &GridRun) -> Option<Cell> {
    match run.last() {
        Some(Step::Expanded(cell) | Step::Reached(cell)) => Some(cell),
        _ => None,
    }
}

fn draw_states(lab: &Lab, run: &GridRun, shape: &Shape, sheet: &mut Sheet) {
    let found_nothing = matches!(run.last(), Some(Step::Exhausted));
    let current = current(run);
    for cell in lab.field().finder.grid().bounds().cells() {
        let colour = match run.search().cell_state(cell) {
            _ if current == Some(cell) => palette::CURRENT,
            CellState::Unseen => continue,
            CellState::Open => palette::OPEN,
            CellState::Closed if found_nothing => palette::NO_PATH,
            CellState::Closed => palette::EXPANDED,
        };
        mark(shape, cell, part(lab, cell), colour.with_alpha(0.92), sheet);
    }
    if found_nothing {
        draw_barrier(lab, shape, sheet);
    }
}

/// Returns the share of a cell that its mark fills. The tints of turns and danger are visible
/// around it.
fn part(lab: &Lab, cell: Cell) -> f32 {
    match (lab.turns(), lab.field().danger(cell)) {
        (Some(_), _) => 0.62,
        (None, 1..) => 0.74,
        (None, 0) => 0.86,
    }
}

/// Draws a mark of this part of a cell's size.
fn mark(shape: &Shape, cell: Cell, part: f32, colour: Color, sheet: &mut Sheet) {
    let middle = shape.middle(cell);
    if shape.is_hexagonal() || sheet.zoom * TILE < DETAILED {
        sheet.ink.polygon(shape.outline(middle, part), colour);
    } else {
        sheet.ink.rounded(middle, TILE * part, TILE * part * 0.18, colour);
    }
}

/// Frames the walls that a path needs open.
fn draw_barrier(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    let Some(FailureExplanation::Sealed(barrier)) = lab.failure() else { return };
    let doors = barrier.single.iter().map(|opening| opening.cell);
    let together = barrier.smallest.iter().flat_map(|set| set.cells.iter().copied());
    for cell in doors.chain(together).collect::<BTreeSet<_>>() {
        let middle = shape.centre(cell);
        sheet.ink.polygon(shape.outline(middle, 0.86), palette::BARRIER);
        sheet.ink.polygon(shape.outline(middle, 0.58), palette::WALL);
    }
}

/// Returns the points from a reached cell back to the start. A jump takes its diagonal steps first.
fn way_back(search: &PathSearch, shape: &Shape, from: Cell) -> Vec<Vec2> {
    let mut points = vec![shape.middle(from)];
    let mut here = from;
    while let Some(parent) = search.came_from(here) {
        if let Some(bend) = bend(shape, parent, here) {
            points.push(shape.middle(bend));
        }
        points.push(shape.middle(parent));
        here = parent;
    }
    points
}

/// Returns the cell where a jump turns from diagonal to straight, if it does.
fn bend(shape: &Shape, parent: Cell, cell: Cell) -> Option<Cell> {
    if shape.is_hexagonal() {
        return None;
    }
    let (dx, dy) = (cell.x - parent.x, cell.y - parent.y);
    let diagonal = dx.abs().min(dy.abs());
    let bends = diagonal > 0 && dx.abs() != dy.abs();
    bends.then(|| Cell::new(parent.x + dx.signum() * diagonal, parent.y + dy.signum() * diagonal))
}

/// Draws a bar from each reached cell to its previous cell.
fn draw_links(lab: &Lab, search: &PathSearch, shape: &Shape, sheet: &mut Sheet) {
    let pixel = 1.0 / sheet.zoom;
    if sheet.zoom * TILE < DETAILED {
        return;
    }
    for cell in lab.field().finder.grid().bounds().cells() {
        let Some(parent) = search.came_from(cell) else { continue };
        let (from, to) = (shape.middle(cell), shape.middle(parent));
        let turn = bend(shape, parent, cell).map_or(to, |bend| shape.middle(bend));
        if to.distance(from) > TILE * 1.5 {
            // A jump: the cells between were never opened.
            sheet.ink.polyline(&[from, turn, to], 1.5 * pixel, palette::INK.with_alpha(0.35));
            continue;
        }
        // A bar over the gap to the previous cell.
        let half = (turn - from) / 2.0;
        let (near, far) = (half * 0.8, half * 1.2);
        sheet.ink.line(from + near, from + far, 3.5 * pixel, palette::INK.with_alpha(0.8));
    }
}

/// Draws the landmarks that lead a search as discs, and the others as rings.
fn draw_landmarks(lab: &Lab, search: &PathSearch, shape: &Shape, sheet: &mut Sheet) {
    let pixel = 1.0 / sheet.zoom;
    let used: Vec<Cell> = search.landmarks().collect();
    if used.is_empty() {
        return;
    }
    for &landmark in lab.field().finder.landmarks(MovementId::FIRST).unwrap_or_default() {
        let (middle, radius) = (shape.middle(landmark), (TILE * 0.34).max(4.0 * pixel));
        sheet.ink.disc(middle, radius, palette::LANDMARK);
        if !used.contains(&landmark) {
            sheet.ink.disc(middle, radius * 0.6, palette::PAPER);
        }
    }
}

/// Draws the path once it is found, and before that the path to the current cell.
fn draw_way(lab: &Lab, run: &GridRun, path: Option<&Path>, shape: &Shape, sheet: &mut Sheet) {
    let pixel = 1.0 / sheet.zoom;
    let width = (TILE * 0.16).max(2.5 * pixel);
    if let Some(path) = path {
        let points: Vec<Vec2> = path.cells().iter().map(|&cell| shape.middle(cell)).collect();
        sheet.ink.polyline(&points, width * 2.0 + 3.0 * pixel, palette::INK);
        if sheet.zoom * TILE >= LEGIBLE {
            // The cells of the path form the band: the rim of a line would cross the numbers.
            for (rim, colour) in [(3.0 * pixel, palette::INK), (0.0, palette::PATH)] {
                for &cell in path.cells() {
                    mark(shape, cell, part(lab, cell) + rim / TILE, colour, sheet);
                }
            }
        }
        sheet.ink.polyline(&points, width * 2.0, palette::PATH);
    } else if let Some(cell) = current(run) {
        sheet.ink.polyline(&way_back(run.search(), shape, cell), width * 0.8, palette::CURRENT);
    }
}

fn draw_proposal(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    let points: Vec<Vec2> = lab.field().proposal.iter().map(|&cell| shape.middle(cell)).collect();
    sheet.ink.polyline(&points, TILE * 0.14, palette::PROPOSAL);
}

/// Writes g, h and f on the reached cells; for the walk, the steps and h.
fn write_figures(lab: &Lab, run: &GridRun, shape: &Shape, sheet: &mut Sheet) {
    let search = run.search();
    let pixels = sheet.zoom * TILE;
    // A hexagon is narrow at its first and last line of text.
    if shape.is_hexagonal() && pixels < 54.0 {
        return;
    }
    let size = if pixels >= 80.0 { 16.0 } else { 12.0 };
    let (start, goal) = (lab.field().start, lab.field().goal);
    for cell in lab.field().finder.grid().bounds().cells() {
        let at = shape.middle(cell);
        let Some(cost) = search.cost_to(cell) else { continue };
        if cell == start || cell == goal {
            continue;
        }
        let mut lines = match run.step_of(cell).filter(|_| run.is_walk()) {
            Some(step) => vec![format!("n {step}")],
            None => vec![format!("g {cost}")],
        };
        if let Some(estimate) = search.estimate_from(cell) {
            lines.push(format!("h {estimate}"));
        }
        if let Some(rank) = search.rank_of(cell) {
            lines.push(format!("f {rank}"));
        }
        sheet.note(lines.join("\n"), at, size, palette::INK);
    }
}

fn draw_ends(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    let pixels = sheet.zoom * TILE;
    for (cell, letter, colour) in
        [(lab.field().start, "S", palette::START), (lab.field().goal, "G", palette::GOAL)]
    {
        footprint::draw_frame(shape, cell, colour, sheet);
        let at = shape.middle(cell);
        if letter == "G" {
            sheet.ink.rectangle(at, Vec2::splat(TILE * 0.82), palette::PAPER);
            sheet.ink.rectangle(at, Vec2::splat(TILE * 0.70), colour);
        } else {
            sheet.ink.disc(at, TILE * 0.43, palette::PAPER);
            sheet.ink.disc(at, TILE * 0.37, colour);
        }
        if pixels >= DETAILED {
            let size = (pixels * 0.42).clamp(12.0, 30.0).round();
            sheet.note(letter, at, size, Color::WHITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilepath::{Grid, Size};

    #[test]
    fn a_jump_bends_where_its_diagonal_ends() {
        let shape = Shape::of(&Grid::new(9, 9, 1).unwrap(), Size::ONE);
        let from = Cell::new(2, 3);
        let bend = |to| bend(&shape, from, to);
        assert_eq!(bend(Cell::new(7, 5)), Some(Cell::new(4, 5)));
        assert_eq!(bend(Cell::new(0, 9)), Some(Cell::new(0, 5)));
        assert_eq!(bend(Cell::new(5, 6)), None, "a diagonal alone does not bend");
        assert_eq!(bend(Cell::new(2, 9)), None);
    }
}
