//! `tilepath forbidden`: cells that must stay open.

use crate::{
    Verdict,
    arguments::ForbiddenArguments,
    board::Board,
    colours::{Colours, Ink},
    failure::Failure,
    layout::Layout,
    map_file::MapFile,
    picture::{self, Scene},
    place::Place,
    printed::json,
    question::unit_at,
    text_picture::TextPicture,
};
use serde::Serialize;
use std::{collections::HashSet, io::Write};
use tilepath::{Cell, Forbidden, PathFinder, PathQuery, Size, StepCosts};

/// The most cells that are listed; more are only counted.
const LISTED: usize = 20;

/// The forbidden cells of all starts, and the starts without a path.
#[derive(Default, Debug)]
struct Found {
    cells: Vec<Place>,
    unreachable: Vec<Place>,
}

/// Finds the cells, draws them if `--png` is given, and prints them.
pub(crate) fn run(
    arguments: &ForbiddenArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let map = MapFile::open(&arguments.map, arguments.terrain.as_ref())?;
    let movement = arguments.board.movement(arguments.diagonals, StepCosts::default())?;
    let size = movement.size();
    let Board { grid, layout } = Board::new(&map, &arguments.board.ground, size)?;
    let finder = PathFinder::new(grid, movement.clone());
    let found = find(arguments, &finder, &layout, size)?;
    if let Some(file) = &arguments.png {
        let scene = Scene::new(&map, layout)?
            .with_unit(finder.grid(), &movement)
            .with_marked(&found.cells, "forbidden")
            .with_ends(&arguments.from, arguments.to);
        picture::write(&scene, arguments.scale, file)?;
    }
    if arguments.json {
        print_json(&found, output)?;
    } else {
        let picture = TextPicture::of(finder.grid(), layout);
        print_text(arguments, &found, size, picture, colours, output)?;
    }
    output.flush()?;
    Ok(if found.unreachable.is_empty() { Verdict::Good } else { Verdict::Bad })
}

fn find(
    arguments: &ForbiddenArguments,
    finder: &PathFinder,
    layout: &Layout,
    size: Size,
) -> Result<Found, Failure> {
    let cell = |argument, place| unit_at(&arguments.map, argument, place, layout, size);
    let to = cell("--to", arguments.to)?;
    let starts = arguments.from.iter().map(|&from| Ok((from, cell("--from", from)?)));
    let starts: Vec<(Place, Cell)> = starts.collect::<Result<_, Failure>>()?;
    let mut found = Found::default();
    let mut known = HashSet::new();
    for (place, from) in starts {
        let answer = finder.forbidden(&PathQuery::new(from, to));
        match answer.map_err(|error| Failure::Query { file: arguments.map.clone(), error })? {
            Forbidden::Unreachable => found.unreachable.push(place),
            Forbidden::Cells(cells) => {
                let fresh = cells.into_iter().filter(|&cell| known.insert(cell));
                found.cells.extend(fresh.filter_map(|cell| layout.place(cell)));
            }
        }
    }
    Ok(found)
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    status: &'static str,
    forbidden: Vec<[u32; 2]>,
    unreachable: Vec<[u32; 2]>,
}

fn print_json(found: &Found, output: &mut impl Write) -> Result<(), Failure> {
    let pairs = |places: &[Place]| places.iter().map(|place| [place.column, place.row]).collect();
    let report = Report {
        status: if found.unreachable.is_empty() { "found" } else { "unreachable" },
        forbidden: pairs(&found.cells),
        unreachable: pairs(&found.unreachable),
    };
    writeln!(output, "{}", json(&report))?;
    Ok(())
}

fn print_text(
    arguments: &ForbiddenArguments,
    found: &Found,
    size: Size,
    picture: Option<TextPicture>,
    colours: Colours,
    output: &mut impl Write,
) -> Result<(), Failure> {
    for from in &found.unreachable {
        writeln!(output, "unreachable: no path from {from} to {}", arguments.to)?;
    }
    if found.unreachable.len() < arguments.from.len() {
        let listed: Vec<String> = found.cells.iter().take(LISTED).map(Place::to_string).collect();
        let more = match found.cells.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        match found.cells.len() {
            0 => writeln!(output, "forbidden: no cell")?,
            1 => writeln!(output, "forbidden: 1 cell: {}", listed.join(" "))?,
            count => writeln!(
                output,
                "forbidden: {count} cells, each alone blocks every path: {}{more}",
                listed.join(" ")
            )?,
        }
    }
    if let Some(mut picture) = picture {
        for &place in &found.cells {
            picture.put(place, 'x', Ink::Forbidden);
        }
        picture.draw_unit(size, arguments.to, 'G', Ink::Goal);
        for &from in &arguments.from {
            picture.draw_unit(size, from, 'S', Ink::Start);
        }
        picture.print(colours, output)?;
    }
    Ok(())
}
