//! Maps from files.

use crate::failure::Failure;
use std::{
    fs, io,
    path::{Path, PathBuf},
};
use tilepath::{
    Grid,
    format::{self, LetterClasses},
};

/// The text of a map file and how it is read.
#[derive(Debug)]
pub(crate) struct MapFile {
    path: PathBuf,
    text: String,
    kind: Kind,
}

/// How the text of a map is read.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Letters with their classes.
    MovingAi(Box<LetterClasses>),
    /// A table of costs.
    Costs,
}

impl MapFile {
    /// Reads a file and decides by its first line what it is.
    ///
    /// # Errors
    /// Where the file cannot be read, or where classes are given to the letters of a table of costs.
    pub(crate) fn open(path: &Path, terrain: Option<&LetterClasses>) -> Result<Self, Failure> {
        let text = read_text(path).map_err(|error| Failure::Read { file: path.to_owned(), error })?;
        Self::new(path, text, terrain)
    }

    /// A map whose text has been read.
    ///
    /// # Errors
    /// Where classes are given to the letters of a table of costs.
    pub(crate) fn new(path: &Path, text: String, terrain: Option<&LetterClasses>) -> Result<Self, Failure> {
        let is_moving_ai = text.trim_start_matches('\u{feff}').starts_with("type");
        let kind = match terrain {
            _ if is_moving_ai => Kind::MovingAi(Box::new(terrain.cloned().unwrap_or_default())),
            None => Kind::Costs,
            Some(_) => return Err(Failure::TerrainOfCosts { file: path.to_owned() }),
        };
        Ok(Self { path: path.to_owned(), text, kind })
    }

    /// How the text is read.
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// The map.
    ///
    /// # Errors
    /// Where the text is not a map.
    pub(crate) fn grid(&self) -> Result<Grid, Failure> {
        match &self.kind {
            Kind::MovingAi(letters) => self.grid_with(letters),
            Kind::Costs => format::parse_costs(&self.text).map_err(|error| self.fault(error)),
        }
    }

    /// The map with other classes for its letters. A table of costs has none and is the same map.
    ///
    /// # Errors
    /// Where the text is not a map.
    pub(crate) fn grid_with(&self, letters: &LetterClasses) -> Result<Grid, Failure> {
        match &self.kind {
            Kind::MovingAi(_) => {
                format::parse_moving_ai(&self.text, letters).map_err(|error| self.fault(error))
            }
            Kind::Costs => self.grid(),
        }
    }

    fn fault(&self, error: format::MapTextError) -> Failure {
        Failure::Text { file: self.path.clone(), error }
    }
}

/// The text of a file. Bytes that are not UTF-8 become marks that the readers report with line and column, so that they
/// do no harm in the stray text of a header.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = fs::read(path)?;
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
