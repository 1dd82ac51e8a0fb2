//! The map, the unit and the query of `tilepath solve`: from files and arguments, or from a link.

use crate::{
    arguments::SolveArguments, board::Board, failure::Failure, layout::Layout, map_file::MapFile,
    place::Place,
};
use race_link::{DANGER, RaceLink, Racer};
use std::{fmt::Write, path::Path};
use tilepath::{Cell, GridError, HeuristicKind, Movement};

/// A query with its map.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) map: MapFile,
    pub(crate) board: Board,
    pub(crate) movement: Movement,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) racer: Racer,
    /// The algorithm that races beside the first one.
    pub(crate) rival: Option<Racer>,
    pub(crate) heuristic: HeuristicKind,
}

impl Asked {
    /// Reads the map of a link, or the files that the arguments name.
    ///
    /// # Errors
    /// If a file cannot be read or is not a map, or if the arguments contradict it.
    pub(crate) fn of(arguments: &SolveArguments) -> Result<Self, Failure> {
        if let Some(link) = &arguments.link {
            return Self::of_link(link);
        }
        let (Some(file), Some(from), Some(to)) = (&arguments.map, arguments.from, arguments.to) else {
            unreachable!("clap demands MAP, --from and --to where there is no --link");
        };
        let map = MapFile::open(file, arguments.movement.terrain.as_ref())?;
        let movement = arguments.board.movement(arguments.movement.diagonals, arguments.steps)?;
        let board = Board::new(&map, &arguments.board.ground, movement.size())?;
        let racer = Racer::Algorithm(arguments.movement.algorithm);
        Ok(Self { map, board, movement, from, to, racer, rival: None, heuristic: HeuristicKind::default() })
    }

    fn of_link(link: &RaceLink) -> Result<Self, Failure> {
        let &RaceLink { lattice, columns, rows, racer, rival, heuristic, .. } = link;
        let file = Path::new("the link");
        let too_large = |error: GridError| Failure::TooLarge {
            file: file.to_owned(),
            topology: lattice,
            columns,
            rows,
            error,
        };
        let layout = Layout::new(lattice, columns, rows).map_err(too_large)?;
        let place = |cell: Cell| layout.place(cell).expect("a link's cells lie on its map");
        let movement =
            Movement::new().with_diagonals(link.diagonals).with_size(link.size).with_overlay(DANGER);
        Ok(Self {
            map: MapFile::new(file, costs(link, layout), None)?,
            board: Board { grid: link.grid.clone(), layout },
            movement,
            from: place(link.start),
            to: place(link.goal),
            racer,
            rival,
            heuristic,
        })
    }
}

/// Returns the map of a link as a table of costs, for pictures. Tiles without ground are walls in it.
fn costs(link: &RaceLink, layout: Layout) -> String {
    let mut text = String::new();
    for place in layout.places() {
        let class = layout.cell(place).and_then(|cell| link.grid.terrain(cell)).unwrap_or(0);
        let end = if place.column + 1 == link.columns { '\n' } else { ' ' };
        write!(text, "{class}{end}").expect("a String takes every text");
    }
    text
}
