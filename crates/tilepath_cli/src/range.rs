//! `tilepath range`: where a unit can be after which turn.

use crate::{
    Verdict,
    arguments::RangeArguments,
    failure::Failure,
    map_file::MapFile,
    picture::{self, Scene},
    place::Place,
    printed::json,
    solve::DRAWN,
};
use serde::Serialize;
use std::{collections::HashSet, io::Write};
use tilepath::{
    Bounds, Cell, Cost, Movement, MovementId, PathFinder,
    turns::{TurnQuery, TurnRange},
};

/// Finds the cells, draws them if asked, and prints them.
pub(crate) fn run(arguments: &RangeArguments, output: &mut impl Write) -> Result<Verdict, Failure> {
    let map = MapFile::open(&arguments.map, arguments.terrain.as_ref())?;
    let movement = Movement::new().with_diagonals(arguments.diagonals).with_steps(arguments.steps);
    let finder = PathFinder::new(map.grid()?, movement);
    let query = query(arguments, &finder.grid().bounds())?;
    let range =
        finder.solve_turns(&query).map_err(|error| Failure::Query { file: arguments.map.clone(), error })?;
    if let Some(file) = &arguments.png {
        picture::write(
            &Scene::new(&map)?.with_turns(&range, &finder.grid().bounds()),
            arguments.scale,
            file,
        )?;
    }
    if arguments.json {
        print_json(&finder, &range, output)?;
    } else {
        print_text(arguments, &finder, &query, &range, output)?;
    }
    output.flush()?;
    Ok(Verdict::Good)
}

fn query(arguments: &RangeArguments, bounds: &Bounds) -> Result<TurnQuery, Failure> {
    let cell = |argument, place: Place| {
        place.cell(bounds).ok_or_else(|| Failure::OutsideMap {
            file: arguments.map.clone(),
            argument,
            place,
            width: bounds.width(),
            height: bounds.height(),
        })
    };
    let friends = arguments.no_stop.iter().map(|&place| cell("--no-stop", place));
    let query = TurnQuery::new(cell("--from", arguments.from)?, Cost::new(arguments.points))
        .with_turns(arguments.turns)
        .with_no_stop(friends.collect::<Result<Vec<_>, _>>()?)
        .with_long_step(arguments.over.into());
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

fn print_json(finder: &PathFinder, range: &TurnRange, output: &mut impl Write) -> Result<(), Failure> {
    let bounds = finder.grid().bounds();
    let reported = range.cells().iter().filter_map(|reached| {
        let place = Place::of(&bounds, reached.cell)?;
        Some(ReportedCell { cell: [place.column, place.row], turn: reached.turn, used: reached.used.get() })
    });
    writeln!(output, "{}", json(&Report { cells: reported.collect() }))?;
    Ok(())
}

fn print_text(
    arguments: &RangeArguments,
    finder: &PathFinder,
    query: &TurnQuery,
    range: &TurnRange,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let RangeArguments { from, points, turns, .. } = arguments;
    let cells = range.cells();
    let of_turns = if *turns == 1 { "1 turn".to_owned() } else { format!("{turns} turns") };
    writeln!(output, "{} cells from {from} in {of_turns} of {points} points", cells.len())?;
    for reached in cells.chunk_by(|one, next| one.turn == next.turn) {
        writeln!(output, "turn {}: {} cells", reached[0].turn, reached.len())?;
    }
    let grid = finder.grid();
    if grid.width() <= DRAWN.0 && grid.height() <= DRAWN.1 {
        let no_stop: HashSet<Cell> = query.no_stop().iter().copied().collect();
        let letter = |cell: Cell, class: u8| match range.get(cell) {
            _ if cell == range.start() => 'S',
            Some(reached) => letter_of(reached.turn),
            None if !finder
                .movement(MovementId::FIRST)
                .is_some_and(|unit| unit.costs().is_passable(class)) =>
            {
                '#'
            }
            None if no_stop.contains(&cell) => 'o',
            None => '.',
        };
        let bounds = grid.bounds();
        let (columns, rows) = (grid.width(), grid.height());
        writeln!(output)?;
        for row in 0..rows {
            let cells = (0..columns).filter_map(|column| Place { column, row }.cell(&bounds));
            let line: String = cells.map(|cell| letter(cell, grid.terrain(cell).unwrap_or(0))).collect();
            writeln!(output, "{line}")?;
        }
    }
    Ok(())
}

/// A turn as one letter: its digit, from 10 on a letter, and + after z.
fn letter_of(turn: u32) -> char {
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
