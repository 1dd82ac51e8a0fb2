//! `tilepath view`: the cells that a unit sees.

use crate::{
    Verdict,
    board::{Board, GroundArguments},
    colours::{Colours, Ink},
    failure::Failure,
    layout::lattices,
    map_file::MapFile,
    picture::{self, Scene},
    place::Place,
    printed::json,
    question::cell_at,
    text_picture::TextPicture,
    whole_number::within,
};
use clap::Args;
use serde::Serialize;
use std::{collections::HashSet, io::Write, path::PathBuf};
use tilepath::{Cell, Lattice, Size, format::LetterClasses};

/// Arguments of `tilepath view`.
#[derive(Args, Debug)]
pub(crate) struct ViewArguments {
    /// The map: a MovingAI map, a table of costs, or a picture. `-` is standard input. Walls (class 0)
    /// hide what is behind them.
    pub(crate) map: PathBuf,

    /// The cell of the unit: column from the left and row from the top, from 0.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,

    /// The distance that the unit sees, in cells. On hexagons the distance is the number of steps.
    #[arg(long, value_name = "N", value_parser = within(0..=u32::from(u8::MAX)))]
    pub(crate) range: u32,

    /// The arrangement of the cells, as for `tilepath range`.
    #[arg(long, value_name = "NAME", value_parser = lattices(), default_value_t = Lattice::Square)]
    pub(crate) topology: Lattice,

    /// Terrain classes for letters of a MovingAI map or a picture, such as '.=1,S=3, =0'. A blank
    /// is a letter, too, and class 0 is a wall. Default: the file beside the map with the same name
    /// and the extension `.letters`, if there is one.
    #[arg(long, value_name = "LETTERS")]
    pub(crate) terrain: Option<LetterClasses>,

    /// Print one JSON object instead of text.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw the map into this file, dark where the unit does not see it.
    #[arg(long, value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    /// Pixels per cell. Default: as many as make the longer side about 1000 pixels, at most 40.
    /// Without it, a picture has at most 4096 pixels a side; larger maps are shrunk.
    #[arg(long, value_name = "PIXELS", requires = "png", value_parser = within(1..=64))]
    pub(crate) scale: Option<u32>,
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    /// Row by row from the top.
    cells: Vec<[u32; 2]>,
}

/// Finds the cells, draws them if `--png` is given, and prints them.
pub(crate) fn run(
    arguments: &ViewArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let map = MapFile::open(&arguments.map, arguments.terrain.as_ref())?;
    let ground = GroundArguments { topology: arguments.topology, overlay: Vec::new() };
    let Board { grid, layout } = Board::new(&map, &ground, Size::ONE)?;
    let from = cell_at(&arguments.map, "--from", arguments.from, &layout)?;
    let mut seen: HashSet<Cell> = HashSet::new();
    let is_opaque = |cell| grid.terrain(cell).is_none_or(|class| class == 0);
    let range = u8::try_from(arguments.range).unwrap_or(u8::MAX);
    grid.topology().view(from, range, is_opaque, |cell| _ = seen.insert(cell));
    let is_seen = |&place: &Place| layout.cell(place).is_some_and(|cell| seen.contains(&cell));
    let (places, unseen): (Vec<Place>, Vec<Place>) = layout.places().partition(is_seen);
    if let Some(file) = &arguments.png {
        let unseen = unseen.iter().filter_map(|&place| layout.cell(place)).collect();
        let scene = Scene::new(&map, layout)?.with_unseen(arguments.from, unseen);
        picture::write(&scene, arguments.scale, file)?;
    }
    if arguments.json {
        let cells = places.iter().map(|place| [place.column, place.row]).collect();
        writeln!(output, "{}", json(&Report { cells }))?;
    } else {
        let ViewArguments { from, range, .. } = arguments;
        writeln!(output, "{} cells seen from {from} within {range}", places.len())?;
        if let Some(mut picture) = TextPicture::of(&grid, layout) {
            for place in unseen {
                picture.put(place, ' ', Ink::Ground);
            }
            picture.put(*from, 'S', Ink::Start);
            picture.print(colours, output)?;
        }
    }
    output.flush()?;
    Ok(Verdict::Good)
}
