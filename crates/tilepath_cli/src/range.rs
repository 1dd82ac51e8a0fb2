//! `tilepath range`: the cells that a unit can reach in each turn.

use crate::{
    Verdict,
    arguments::turns::{RangeArguments, TurnArguments},
    board::Board,
    colours::{Colours, Ink},
    failure::Failure,
    layout::Layout,
    map_file::MapFile,
    picture::{self, Scene},
    place::Place,
    printed::json,
    question::{cell_at, unit_at},
    text_picture::TextPicture,
};
use serde::Serialize;
use std::io::Write;
use tilepath::{
    Cell, Cost, PathFinder, Size,
    turns::{TurnQuery, TurnRange, Zone},
};

/// Finds the cells, draws them if `--png` is given, and prints them.
pub(crate) fn run(
    arguments: &RangeArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let unit = &arguments.unit;
    let map = MapFile::open(&unit.map, unit.terrain.as_ref())?;
    let movement = unit.board.movement(unit.diagonals, unit.steps)?;
    let Board { grid, layout } = Board::new(&map, &unit.board.ground, movement.size())?;
    let finder = PathFinder::new(grid, movement.clone());
    let query = query(unit, &layout, movement.size())?.with_turns(arguments.turns);
    let refused = |error| Failure::Query { file: unit.map.clone(), error };
    let range = finder.solve_turns(&query).map_err(refused)?;
    if let Some(file) = &arguments.png {
        let scene = Scene::new(&map, layout)?.with_unit(finder.grid(), &movement).with_turns(&range);
        picture::write(&scene, arguments.scale, file)?;
    }
    if unit.json {
        print_json(&layout, &range, output)?;
    } else {
        let picture = TextPicture::of(finder.grid(), layout);
        print_text(arguments, &range, picture, colours, output)?;
    }
    output.flush()?;
    Ok(Verdict::Good)
}

/// Returns the query of a unit that moves in turns.
///
/// # Errors
/// If a place is not on the map.
pub(crate) fn query(arguments: &TurnArguments, layout: &Layout, size: Size) -> Result<TurnQuery, Failure> {
    let cells = |argument, places: &[Place]| -> Result<Vec<Cell>, Failure> {
        places.iter().map(|&place| cell_at(&arguments.map, argument, place, layout)).collect()
    };
    let from = unit_at(&arguments.map, "--from", arguments.from, layout, size)?;
    let mut query = TurnQuery::new(from, Cost::new(arguments.points))
        .with_no_stop(cells("--no-stop", &arguments.no_stop)?)
        .with_long_step(arguments.over.into());
    if !arguments.zone.is_empty() {
        query = query.with_zone(Zone::new(cells("--zone", &arguments.zone)?));
    }
    Ok(match arguments.points_left {
        Some(points) => query.with_points_left(Cost::new(points)),
        None => query,
    })
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    cells: Vec<ReportedCell>,
}

#[derive(Serialize, Debug)]
struct ReportedCell {
    cell: [u32; 2],
    turn: u32,
    used: u32,
}

fn print_json(layout: &Layout, range: &TurnRange, output: &mut impl Write) -> Result<(), Failure> {
    let reported = range.cells().iter().filter_map(|reached| {
        let place = layout.place(reached.cell)?;
        Some(ReportedCell { cell: [place.column, place.row], turn: reached.turn, used: reached.used.get() })
    });
    writeln!(output, "{}", json(&Report { cells: reported.collect() }))?;
    Ok(())
}

fn print_text(
    arguments: &RangeArguments,
    range: &TurnRange,
    picture: Option<TextPicture>,
    colours: Colours,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let RangeArguments { unit: TurnArguments { from, points, no_stop, .. }, turns, .. } = arguments;
    let cells = range.cells();
    let of_turns = if *turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") };
    writeln!(output, "{} cells from {from} in {of_turns} of {points} points", cells.len())?;
    for reached in cells.chunk_by(|one, next| one.turn == next.turn) {
        writeln!(output, "turn {}: {} cells", reached[0].turn, reached.len())?;
    }
    if let Some(mut picture) = picture {
        picture.level();
        for &place in no_stop {
            picture.put_open(place, 'o', Ink::NoStop);
        }
        for reached in cells {
            picture.put_cell(reached.cell, letter_of(reached.turn), Ink::Turn(reached.turn));
        }
        picture.put(*from, 'S', Ink::Start);
        picture.print(colours, output)?;
    }
    Ok(())
}

/// Returns a turn as one letter: a digit up to 9, a letter from 10 (`a`) to 35 (`z`), then `+`.
pub(crate) fn letter_of(turn: u32) -> char {
    char::from_digit(turn, 36).unwrap_or('+')
}

#[cfg(test)]
mod tests {
    use super::letter_of;

    #[test]
    fn turns_are_one_letter_each() {
        assert_eq!([1, 9, 10, 35, 36, u32::MAX].map(letter_of), ['1', '9', 'a', 'z', '+', '+']);
    }
}
