//! The terrain classes of the letters of a map.

use crate::text::{quoted, whole_number};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A table with the terrain class of each letter in a map.
///
/// The default is the table of the MovingAI benchmarks:
///
/// - `.` and `G` (ground) and `S` (swamp) are class 1.
/// - `@` and `O` (out of bounds), `T` (trees) and `W` (water) are class 0.
///
/// For pictures use [`LetterClasses::ascii`].
///
/// A text such as `S=3,W=0` changes single letters of the default, or adds letters. A blank can be a
/// letter, too: ` =0` makes blanks walls.
///
/// # Examples
/// ```
/// use tilepath::format::LetterClasses;
/// let letters: LetterClasses = ".=1,S=3".parse()?;
/// assert_eq!(letters.class('S'), Some(3));
/// assert_eq!(letters.class('T'), Some(0));
/// assert_eq!(letters.class('x'), None);
/// assert_eq!(letters, LetterClasses::default().with('S', 3));
/// assert_eq!(" =0".parse::<LetterClasses>()?.class(' '), Some(0));
/// assert_eq!("S=3,W".parse::<LetterClasses>().unwrap_err().to_string(),
///     "`W` gives no letter its class; write pairs such as .=1,S=3,W=0");
/// # Ok::<(), tilepath::format::LetterClassesError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LetterClasses {
    classes: [Option<u8>; 128],
}

impl LetterClasses {
    /// Returns a table with the letters of [`parse_ascii`](super::parse_ascii) and no other
    /// letters. `.` is class 1, `#` is class 0, and a digit is the class of this number.
    #[must_use]
    pub fn ascii() -> Self {
        let digits = ('0'..='9').zip(0..);
        let none = Self { classes: [None; 128] };
        digits.chain([('.', 1), ('#', 0)]).fold(none, |letters, (letter, class)| letters.with(letter, class))
    }

    /// Adds the letters that are in another table but not in this table.
    ///
    /// # Examples
    /// ```
    /// use tilepath::format::LetterClasses;
    /// let letters: LetterClasses = ".=2".parse()?;
    /// let letters = letters.or(&LetterClasses::ascii());
    /// assert_eq!((letters.class('.'), letters.class('T'), letters.class('#')), (Some(2), Some(0), Some(0)));
    /// # Ok::<(), tilepath::format::LetterClassesError>(())
    /// ```
    #[must_use]
    pub fn or(mut self, others: &Self) -> Self {
        for (class, other) in self.classes.iter_mut().zip(others.classes) {
            *class = class.or(other);
        }
        self
    }

    /// Returns the terrain class of a letter, or `None` if the letter stands for no class.
    #[must_use]
    pub fn class(&self, letter: char) -> Option<u8> {
        self.classes.get(letter as usize).copied().flatten()
    }

    /// Sets the class of one letter. A letter that is not visible ASCII and not a blank is ignored,
    /// because it cannot be in a map.
    #[must_use]
    pub fn with(mut self, letter: char, class: u8) -> Self {
        if is_letter(letter) {
            self.classes[letter as usize] = Some(class);
        }
        self
    }

    /// Returns every letter with its class, in ASCII order.
    pub fn iter(&self) -> impl Iterator<Item = (char, u8)> + '_ {
        (0_u8..).zip(&self.classes).filter_map(|(code, class)| class.map(|class| (char::from(code), class)))
    }

    /// Returns the letter for a class. If several have this class, the letters of the MovingAI
    /// format come first, then the first in ASCII order.
    pub(super) fn letter(&self, class: u8) -> Option<char> {
        let own = ".@TSWGO".chars().find(|&letter| self.class(letter) == Some(class));
        own.or_else(|| self.iter().find(|&(_, other)| other == class).map(|(letter, _)| letter))
    }

    /// Returns the letters as a list for messages.
    pub(super) fn listed(&self) -> String {
        let shown = |letter| if letter == ' ' { "' '".to_owned() } else { String::from(letter) };
        self.iter().map(|(letter, _)| shown(letter)).collect::<Vec<_>>().join(" ")
    }
}

impl Default for LetterClasses {
    fn default() -> Self {
        let standard = [('.', 1), ('G', 1), ('S', 1), ('@', 0), ('O', 0), ('T', 0), ('W', 0)];
        let none = Self { classes: [None; 128] };
        standard.into_iter().fold(none, |letters, (letter, class)| letters.with(letter, class))
    }
}

/// Writes the pairs, separated by commas, as [`FromStr`] reads them.
impl fmt::Display for LetterClasses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (letter, class)) in self.iter().enumerate() {
            let gap = if index == 0 { "" } else { "," };
            write!(formatter, "{gap}{letter}={class}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for LetterClasses {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LetterClasses({self})")
    }
}

/// Reads changes to the default table, such as `.=1,S=3,W=0`. Each change is a letter, an equals
/// sign and a class from 0 to 255. Commas separate the changes. A blank directly before the equals
/// sign is a letter, as in `.=1, =0`.
impl FromStr for LetterClasses {
    type Err = LetterClassesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = Self::default();
        let mut seen = [false; 128];
        let mut rest = Some(text);
        while let Some(text) = rest {
            let text = pair_in(text);
            let mut characters = text.chars();
            let letter = characters.next().filter(|&letter| is_letter(letter));
            let (Some(letter), Some('=')) = (letter, characters.next()) else {
                let pair = text.split(',').find(|pair| !pair.is_empty()).unwrap_or(text);
                return Err(LetterClassesError::NotAPair { found: quoted(pair.trim_end()) });
            };
            // Split only after the equals sign, because the letter itself may be a comma.
            let (number, after) = match characters.as_str().split_once(',') {
                Some((number, after)) => (number, Some(after)),
                None => (characters.as_str(), None),
            };
            let number = number.trim_end();
            let Some(class) = whole_number(number) else {
                return Err(LetterClassesError::NotAClass { letter, found: quoted(number) });
            };
            if std::mem::replace(&mut seen[letter as usize], true) {
                return Err(LetterClassesError::GivenTwice { letter });
            }
            letters = letters.with(letter, class);
            rest = after;
        }
        Ok(letters)
    }
}

/// Returns whether a character can be a letter of a map.
const fn is_letter(character: char) -> bool {
    character.is_ascii_graphic() || character == ' '
}

/// Returns a text without the space before its first pair.
fn pair_in(text: &str) -> &str {
    let pair = text.trim_start();
    let is_blank = pair.starts_with('=') && !pair.starts_with("==");
    let space = &text[..text.len() - pair.len()];
    if is_blank && space.ends_with(' ') { &text[space.len() - 1..] } else { pair }
}

/// A reason why a text is not a list of letters and classes.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LetterClassesError {
    /// A part of the text between two commas is not a pair: one visible ASCII letter or a blank, an
    /// equals sign, and a class.
    #[error("`{found}` gives no letter its class; write pairs such as .=1,S=3,W=0")]
    NotAPair {
        /// The invalid part.
        found: String,
    },
    /// The text after the equals sign is not a class.
    #[error("`{found}` is not a class for `{letter}`; write a whole number from 0 (a wall) to 255")]
    NotAClass {
        /// The letter.
        letter: char,
        /// The text after the equals sign.
        found: String,
    },
    /// A letter has two classes.
    #[error("`{letter}` is given a class twice; give it once")]
    GivenTwice {
        /// The letter.
        letter: char,
    },
}
