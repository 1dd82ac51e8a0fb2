//! Maps from files.

use crate::{
    failure::Failure,
    input::{is_standard_input, read_argument},
};
use std::path::{Path, PathBuf};
use tilepath::{
    Grid,
    format::{self, LetterClasses, MapTextError, MapTextFault},
};

/// The text of a map file, with its format.
#[derive(Debug)]
pub(crate) struct MapFile {
    path: PathBuf,
    text: String,
    kind: Kind,
}

/// The format of a map.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Letters with terrain classes.
    Letters {
        /// The form of the file.
        form: Form,
        /// The class of each letter.
        letters: Box<LetterClasses>,
    },
    /// A table of costs.
    Costs,
}

/// The form of a map of letters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// A MovingAI map: a header, then the letters.
    MovingAi,
    /// Letters alone, one row a line.
    Picture,
}

impl MapFile {
    /// Reads the map that an argument names.
    ///
    /// # Errors
    /// If the file cannot be read, and as [`MapFile::new`].
    pub(crate) fn open(path: &Path, terrain: Option<&LetterClasses>) -> Result<Self, Failure> {
        Self::new(path, read_argument(path)?, terrain)
    }

    /// Makes a map from its text. If no classes are given, they are read from the `.letters` file
    /// beside it, if there is one.
    ///
    /// # Errors
    /// If the `.letters` file cannot be read, or if classes of letters are given for a table of
    /// costs.
    pub(crate) fn new(path: &Path, text: String, terrain: Option<&LetterClasses>) -> Result<Self, Failure> {
        let terrain = match terrain {
            Some(terrain) => Some(terrain.clone()),
            None => letters_beside(path)?,
        };
        let has_blanks = terrain.as_ref().is_some_and(|terrain| terrain.class(' ').is_some());
        let form = form_of(&text, has_blanks);
        let kind = match (form, terrain) {
            (Some(form), terrain) => {
                Kind::Letters { form, letters: Box::new(form.with_usual_letters(terrain)) }
            }
            (None, None) => Kind::Costs,
            (None, Some(_)) => return Err(Failure::TerrainOfCosts { file: path.to_owned() }),
        };
        Ok(Self { path: path.to_owned(), text, kind })
    }

    /// Returns the path of the file, as the argument names it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the header names squares.
    pub(crate) fn is_octile(&self) -> bool {
        let mut words =
            self.text.trim_start_matches('\u{feff}').lines().next().unwrap_or("").split_whitespace();
        matches!(self.kind, Kind::Letters { form: Form::MovingAi, .. }) && words.nth(1) == Some("octile")
    }

    /// Returns the format of the text.
    pub(crate) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Parses the map.
    ///
    /// # Errors
    /// If the text is not a map.
    pub(crate) fn grid(&self) -> Result<Grid, Failure> {
        match &self.kind {
            Kind::Letters { letters, .. } => self.grid_with(letters),
            Kind::Costs => format::parse_costs(&self.text).map_err(|error| self.fault(error)),
        }
    }

    /// Parses the map with other classes for its letters. A table of costs has no letters and stays
    /// as it is.
    ///
    /// # Errors
    /// If the text is not a map.
    pub(crate) fn grid_with(&self, letters: &LetterClasses) -> Result<Grid, Failure> {
        let grid = match &self.kind {
            Kind::Letters { form: Form::MovingAi, .. } => format::parse_moving_ai(&self.text, letters),
            Kind::Letters { form: Form::Picture, .. } => format::parse_ascii_with(&self.text, letters),
            Kind::Costs => return self.grid(),
        };
        grid.map_err(|error| self.fault(error))
    }

    /// Parses the map without the given classes of letters. Returns `None` if that makes no
    /// difference.
    pub(crate) fn grid_with_usual_letters(&self) -> Option<Result<Grid, Failure>> {
        let Kind::Letters { form, letters } = &self.kind else { return None };
        let usual = form.with_usual_letters(None);
        (**letters != usual).then(|| self.grid_with(&usual))
    }

    fn fault(&self, error: MapTextError) -> Failure {
        let file = self.path.clone();
        match error.fault {
            MapTextFault::UnknownLetter { found, .. } if found.is_ascii_graphic() || found == ' ' => {
                Failure::Letter { file, error, letter: found }
            }
            _ => Failure::Text { file, error },
        }
    }
}

impl Form {
    /// Returns the given letters, and the letters that always have a class.
    fn with_usual_letters(self, given: Option<LetterClasses>) -> LetterClasses {
        let letters = given.unwrap_or_default();
        match self {
            Self::MovingAi => letters,
            Self::Picture => letters.or(&LetterClasses::ascii()),
        }
    }
}

/// Reads the classes of letters from the `.letters` file beside a map, if there is one. Its lines
/// are joined.
///
/// # Errors
/// If the file cannot be read.
fn letters_beside(path: &Path) -> Result<Option<LetterClasses>, Failure> {
    let file = path.with_extension("letters");
    if is_standard_input(path) || file == path || !file.is_file() {
        return Ok(None);
    }
    let text = read_argument(&file)?;
    // A line may begin with a blank that is a letter.
    let pairs: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    let letters = pairs.concat().parse();
    letters.map(Some).map_err(|error| Failure::Letters { file, error })
}

/// Returns the form of a map of letters, or `None` for a table of costs. If blanks are letters, the
/// text is no table.
fn form_of(text: &str, has_blanks: bool) -> Option<Form> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = || text.lines().map(str::trim);
    let is_header = |row: &str| {
        let mut words = row.split_whitespace();
        matches!((words.next(), words.next(), words.next()), (Some("height" | "width"), Some(_), None))
    };
    // Maps of the MAPF benchmarks often have no line `type octile`.
    if text.starts_with("type") || rows().any(is_header) {
        return Some(Form::MovingAi);
    }
    let is_one_word = |row: &str| !row.contains(char::is_whitespace);
    let is_number = |row: &str| row.bytes().all(|letter| letter.is_ascii_digit());
    // A column of numbers is a table.
    (has_blanks || rows().all(is_one_word) && !rows().all(is_number)).then_some(Form::Picture)
}

#[cfg(test)]
mod tests {
    use super::{Form, form_of};

    #[test]
    fn text_says_itself_what_it_is() {
        for (text, expected) in [
            ("type octile\nheight 1\nwidth 1\nmap\n.\n", "MovingAi"),
            ("\u{feff}type octile\n", "MovingAi"),
            ("..#\n.2.\n", "Picture"),
            ("\n  ..#  \r\n  111\r\n\n", "Picture"),
            ("1 2\n3 4\n", "Costs"),
            ("1\t2\n", "Costs"),
            ("1\n200\n", "Costs"),
            ("height 1\nwidth 1\nmap\n.\n", "MovingAi"),
            ("octile\nwidth 1\nmap\n", "MovingAi"),
            (". .\n", "Costs"),
            ("", "Costs"),
        ] {
            let found = match form_of(text, false) {
                Some(Form::MovingAi) => "MovingAi",
                Some(Form::Picture) => "Picture",
                None => "Costs",
            };
            assert_eq!(found, expected, "{text:?}");
        }
        assert!(matches!(form_of(". .\n", true), Some(Form::Picture)));
        assert!(matches!(form_of("height 1\n", true), Some(Form::MovingAi)));
    }
}
