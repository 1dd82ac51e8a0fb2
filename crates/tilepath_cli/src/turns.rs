//! `tilepath turns`: a path in the fewest turns, and why each turn ends where it does.

use crate::{
    Verdict,
    arguments::turns::TurnPathArguments,
    board::Board,
    colours::{Colours, Ink},
    failure::Failure,
    layout::Layout,
    map_file::MapFile,
    printed::json,
    question::unit_at,
    range::{letter_of, query},
    text_picture::TextPicture,
};
use serde::Serialize;
use std::io::Write;
use tilepath::{PathFinder, explain::TurnReceipt, turns::TurnPath};

/// Finds the path and prints it with its turns.
pub(crate) fn run(
    arguments: &TurnPathArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let unit = &arguments.unit;
    let map = MapFile::open(&unit.map, unit.terrain.as_ref())?;
    let movement = unit.board.movement(unit.diagonals, unit.steps)?;
    let Board { grid, layout } = Board::new(&map, &unit.board.ground, movement.size())?;
    let size = movement.size();
    let finder = PathFinder::new(grid, movement);
    let query = query(unit, &layout, size)?.with_turns(arguments.turns);
    let goal = unit_at(&unit.map, "--to", arguments.to, &layout, size)?;
    let refused = |error| Failure::Query { file: unit.map.clone(), error };
    let path = finder.solve_turn_path(&query, goal).map_err(refused)?;
    // The library can explain every path that it returns.
    let receipt = path.as_ref().and_then(|path| finder.explain_turns(path, &query).ok());
    let found = path.as_ref().zip(receipt.as_ref());
    if unit.json {
        writeln!(output, "{}", json(&Report::of(&layout, found)))?;
    } else if let Some((path, receipt)) = found {
        print_text(arguments, &layout, path, receipt, output)?;
        if let Some(picture) = TextPicture::of(finder.grid(), layout) {
            print_picture(picture, path, arguments, colours, output)?;
        }
    } else {
        writeln!(output, "no path: {} to {}", unit.from, arguments.to)?;
    }
    output.flush()?;
    Ok(if found.is_some() { Verdict::Good } else { Verdict::Bad })
}

fn print_text(
    arguments: &TurnPathArguments,
    layout: &Layout,
    path: &TurnPath,
    receipt: &TurnReceipt,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let turns = if path.turns() == 1 { "1 turn".to_owned() } else { format!("{} turns", path.turns()) };
    let (from, to, points) = (arguments.unit.from, arguments.to, arguments.unit.points);
    writeln!(output, "found: {from} to {to} in {turns} of {points} points, {} points left", path.left())?;
    let name = |cell| layout.place(cell).map_or_else(|| "beyond".to_owned(), |place| place.to_string());
    write!(output, "{}", receipt.to_table(name))?;
    Ok(())
}

fn print_picture(
    mut picture: TextPicture,
    path: &TurnPath,
    arguments: &TurnPathArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<(), Failure> {
    picture.level();
    for (index, &cell) in path.path().cells().iter().enumerate() {
        let turn = path.turn_of(index).unwrap_or_default();
        picture.put_cell(cell, letter_of(turn), Ink::Turn(turn));
    }
    picture.put(arguments.unit.from, 'S', Ink::Start);
    picture.put(arguments.to, 'G', Ink::Goal);
    picture.print(colours, output)
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    found: bool,
    turns: Vec<ReportedTurn>,
    cells: Vec<[u32; 2]>,
}

#[derive(Serialize, Debug)]
struct ReportedTurn {
    turn: u32,
    stop: Option<[u32; 2]>,
    steps: usize,
    used: u32,
    left: u32,
}

impl Report {
    fn of(layout: &Layout, found: Option<(&TurnPath, &TurnReceipt)>) -> Self {
        let Some((path, receipt)) = found else {
            return Self { found: false, turns: Vec::new(), cells: Vec::new() };
        };
        let place = |cell| layout.place(cell).map(|place| [place.column, place.row]);
        let reported = receipt.turns().iter().map(|turn| ReportedTurn {
            turn: turn.turn,
            stop: place(turn.stop),
            steps: turn.steps,
            used: turn.used.get(),
            left: turn.left.get(),
        });
        let cells = path.path().cells().iter().filter_map(|&cell| place(cell));
        Self { found: true, turns: reported.collect(), cells: cells.collect() }
    }
}
