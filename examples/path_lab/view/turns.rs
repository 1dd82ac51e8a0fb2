//! The cells where the unit can stop in each turn, and the ends of turns on paths.

use bevy::prelude::*;
use tilepath::{Path, turns::TurnPath};

use super::Sheet;
use crate::{
    lab::Lab,
    palette,
    shape::{Shape, TILE},
    turns::Turns,
};

/// The least size of a cell with the number of its turn, in screen pixels.
const LEGIBLE: f32 = 24.0;

/// Tints the cells on which the unit can stop.
pub(super) fn draw_range(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    for reached in lab.turns().into_iter().flat_map(Turns::cells) {
        let tint = palette::turn(reached.turn).with_alpha(0.5);
        sheet.ink.polygon(shape.outline(shape.middle(reached.cell), 1.0), tint);
    }
}

/// Writes the number of its turn in a corner of each cell where the unit can stop.
pub(super) fn write_range(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    if sheet.zoom * TILE < LEGIBLE {
        return;
    }
    let aside = if shape.is_hexagonal() { Vec2::new(-0.42, 0.0) } else { Vec2::new(-0.42, -0.4) };
    for reached in lab.turns().into_iter().flat_map(Turns::cells) {
        let at = shape.middle(reached.cell) + aside * TILE;
        sheet.note(reached.turn.to_string(), at, 12.0, palette::INK);
    }
}

/// Draws the path with the fewest turns, if it is another path, and the ends of turns on both.
pub(super) fn draw_ways(lab: &Lab, path: &Path, shape: &Shape, sheet: &mut Sheet) {
    let Some(turns) = lab.turns() else { return };
    if let Some(fewest) = turns.fewest().filter(|fewest| fewest.path().cells() != path.cells()) {
        let points: Vec<Vec2> = fewest.path().cells().iter().map(|&cell| shape.middle(cell)).collect();
        sheet.ink.polyline(&points, TILE * 0.14, palette::FEWEST);
        draw_ends(fewest, palette::FEWEST, shape, sheet);
    }
    if let Some(cut) = turns.cut(lab.field(), path) {
        draw_ends(&cut, palette::TURN_END, shape, sheet);
    }
}

/// Draws numbered discs where turns end. The goal has its own mark.
fn draw_ends(way: &TurnPath, colour: Color, shape: &Shape, sheet: &mut Sheet) {
    let last = way.path().cells().len() - 1;
    for (index, number) in numbered(way.stops()).into_iter().filter(|&(index, _)| index < last) {
        let at = shape.middle(way.path().cells()[index]);
        sheet.ink.disc(at, TILE * 0.27, palette::INK);
        sheet.ink.disc(at, TILE * 0.23, colour);
        if sheet.zoom * TILE >= LEGIBLE {
            sheet.note(number, at, 12.0, palette::INK);
        }
    }
}

/// Returns the indices where turns end, with the numbers of the turns: several if the unit waits
/// there.
fn numbered(stops: &[usize]) -> Vec<(usize, String)> {
    let mut turn = 0;
    let mut ends = Vec::new();
    for stays in stops.chunk_by(|one, next| one == next) {
        let first = turn + 1;
        turn += stays.len();
        let number = if first == turn { turn.to_string() } else { format!("{first}-{turn}") };
        ends.push((stays[0], number));
    }
    ends
}

/// Draws the friends.
pub(super) fn draw_friends(lab: &Lab, shape: &Shape, sheet: &mut Sheet) {
    for &friend in &lab.field().friends {
        let at = shape.centre(friend);
        for (grown, colour) in [(0.05, palette::PAPER), (0.0, palette::FRIEND)] {
            sheet.ink.disc(at + Vec2::Y * TILE * 0.17, TILE * (0.13 + grown), colour);
            sheet.ink.rounded(at - Vec2::Y * TILE * 0.13, TILE * (0.34 + 2.0 * grown), TILE * 0.14, colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_that_end_at_one_place_are_numbered_together() {
        let ends = numbered(&[0, 3, 3, 3, 7]);
        let told: Vec<(usize, &str)> = ends.iter().map(|(index, number)| (*index, number.as_str())).collect();
        assert_eq!(told, [(0, "1"), (3, "2-4"), (7, "5")]);
    }
}
