//! Failures: errors that end a command with exit code 2.

use crate::{input::name_of, place::Place};
use std::{io, path::PathBuf};
use thiserror::Error;
use tilepath::{
    GridError, Lattice, QueryError,
    format::{LetterClassesError, MapTextError},
    recording::{RecordingFileError, ReplayError},
    rules::RulesError,
    waypoint::{WaypointError, WaypointFileError},
};

/// Bad input. Its `Display` text names the file, the line if there is one, and the remedy.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A file that cannot be read.
    #[error("{}: cannot be read: {error}", name_of(.file))]
    Read { file: PathBuf, error: io::Error },
    /// A map named by a scenario that cannot be read.
    #[error(
        "{}: line {line}: the map {} cannot be read: {error}; name its folder with --maps",
        name_of(.scenario), .map.display()
    )]
    ReadMap { scenario: PathBuf, line: usize, map: PathBuf, error: io::Error },
    /// A file that is not a map or not a scenario.
    #[error("{}: {error}", name_of(.file))]
    Text { file: PathBuf, error: MapTextError },
    /// A letter without a terrain class.
    #[error("{}: {error}; give it a class, such as --terrain '{letter}=0' for a wall", name_of(.file))]
    Letter { file: PathBuf, error: MapTextError, letter: char },
    /// An invalid file of classes for letters.
    #[error("{}: {error}", .file.display())]
    Letters { file: PathBuf, error: LetterClassesError },
    /// `--terrain` for a map without letters.
    #[error(
        "{}: line 1: a table of costs has no letters; remove --terrain or the `.letters` file, or begin a MovingAI map with `type octile`",
        name_of(.file)
    )]
    TerrainOfCosts { file: PathBuf },
    /// A topology of hexagons for a file whose header names squares.
    #[error(
        "{}: line 1: a map of `type octile` has squares, not --topology {topology}; leave --topology out, or remove the header, from its first line to the line `map`",
        name_of(.file)
    )]
    Octile { file: PathBuf, topology: Lattice },
    /// A map that is too large for its topology.
    #[error("{}: {columns} columns and {rows} rows as --topology {topology}: {error}", name_of(.file))]
    TooLarge { file: PathBuf, topology: Lattice, columns: u32, rows: u32, error: GridError },
    /// Two overlays with one name.
    #[error("--overlay {name} is given twice; give each overlay a name of its own")]
    OverlayTwice { name: String },
    /// A table of overlay values with another size than the map.
    #[error(
        "{}: the table has {} columns and {} rows, but the map {} has {} and {}; give a number for each of its cells",
        name_of(.file), .found[0], .found[1], name_of(.map), .expected[0], .expected[1]
    )]
    OverlaySize { file: PathBuf, map: PathBuf, found: [u32; 2], expected: [u32; 2] },
    /// A unit that would stand partly outside the map.
    #[error(
        "{}: a unit of {side} × {side} cells at {place} passes the border of the map of {columns} columns and {rows} rows; {place} is the leftmost and lowest cell that the unit covers",
        name_of(.file)
    )]
    Footprint { file: PathBuf, place: Place, side: u8, columns: u32, rows: u32 },
    /// A start or goal outside the map.
    #[error(
        "{}: {argument} {place} is outside the map of {width} columns and {height} rows, which count from 0",
        name_of(.file)
    )]
    OutsideMap { file: PathBuf, argument: &'static str, place: Place, width: u32, height: u32 },
    /// A row of a scenario for a map of another size.
    #[error(
        "{}: line {line}: the row is for a map of {expected} cells, but {} has {found}; name the right folder with --maps",
        name_of(.scenario), .map.display()
    )]
    OtherSize { scenario: PathBuf, line: usize, map: PathBuf, expected: String, found: String },
    /// A query that the library refuses.
    #[error("{}: {error}", name_of(.file))]
    Query { file: PathBuf, error: QueryError },
    /// An edit that the library refuses.
    #[error("{}: {error}", name_of(.file))]
    Edit { file: PathBuf, error: GridError },
    /// A file that is not a waypoint graph.
    #[error("{}: {error}", name_of(.file))]
    Graph { file: PathBuf, error: Box<WaypointFileError> },
    /// A query that the waypoint graph refuses.
    #[error("{}: {error}", name_of(.file))]
    Waypoint { file: PathBuf, error: WaypointError },
    /// A file that is not a recording.
    #[error("{}: {error}", name_of(.file))]
    Recording { file: PathBuf, error: Box<RecordingFileError> },
    /// A recording that cannot be run again.
    #[error("{}: {error}", name_of(.file))]
    Replay { file: PathBuf, error: Box<ReplayError> },
    /// A file without valid rules.
    #[error("{}: {error}", name_of(.file))]
    Rules { file: PathBuf, error: Box<RulesError> },
    /// A movement that is missing in the rules.
    #[error("{}: there is no movement `{movement}`; {}", name_of(.file), choice(known))]
    NoMovement { file: PathBuf, movement: String, known: Vec<String> },
    /// An overlay that the movement does not name.
    #[error(
        "{}: the overlay `{overlay}` does not count for the movement `{movement}`; add it to the overlays of the movement, or leave --overlay {overlay} out",
        name_of(.file)
    )]
    UncountedOverlay { file: PathBuf, movement: String, overlay: String },
    /// A picture without pixels, or with too many.
    #[error(
        "{}: a picture of {width} × {height} pixels cannot be drawn; use a map that has cells, and a --scale that makes at most {most} pixels",
        .file.display(), most = crate::picture::MOST_PIXELS
    )]
    PictureSize { file: PathBuf, width: u64, height: u64 },
    /// A picture that cannot be written.
    #[error("{}: cannot be written: {error}", .file.display())]
    Write { file: PathBuf, error: io::Error },
    /// Standard output is closed or full.
    #[error("cannot write to standard output: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Returns the lines of the message: one for each fault of a file of rules.
    pub(crate) fn lines(&self) -> Vec<String> {
        let Self::Rules { file, error } = self else { return vec![self.to_string()] };
        let file = name_of(file);
        let faults = error.faults().iter().map(|fault| format!("{file}: {fault}"));
        let untold = (error.untold() > 0).then(|| format!("{file}: and {} more faults", error.untold()));
        faults.chain(untold).collect()
    }
}

/// Returns the remedy for a missing movement: the names that the file has.
fn choice(known: &[String]) -> String {
    const LISTED: usize = 20;
    if known.is_empty() {
        return "describe one under movements".to_owned();
    }
    let listed: Vec<String> = known.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = if known.len() > LISTED { " and others" } else { "" };
    format!("take one of {}{more}", listed.join(", "))
}
