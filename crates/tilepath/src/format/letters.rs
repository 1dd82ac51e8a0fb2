//! Which terrain each letter of a map stands for.

use crate::text::{quoted, whole_number};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// Which terrain class each letter of a map stands for.
///
/// The default is that of the MovingAI benchmarks: ground `.` and `G` are class 1, swamp `S` is class 1 as well, and `@`
/// `O` (out of bounds), `T` (trees) and `W` (water) are class 0. Single letters are overridden, or letters added, from a
/// text such as `S=3,W=0`. For pictures take [`LetterClasses::ascii`].
///
/// # Examples
/// ```
/// use tilepath::format::LetterClasses;
/// let letters: LetterClasses = ".=1,S=3".parse()?;
/// assert_eq!(letters.class('S'), Some(3));
/// assert_eq!(letters.class('T'), Some(0));
/// assert_eq!(letters.class('x'), None);
/// assert_eq!(letters, LetterClasses::default().with('S', 3));
/// assert_eq!("S=3,W".parse::<LetterClasses>().unwrap_err().to_string(),
///     "`W` gives no letter its class; write pairs such as .=1,S=3,W=0");
/// # Ok::<(), tilepath::format::LetterClassesError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct LetterClasses {
    classes: [Option<u8>; 128],
}

impl LetterClasses {
    /// The letters of [`parse_ascii`](super::parse_ascii) and no others: `.` is class 1, `#` class 0, a digit the class of
    /// that number.
    #[must_use]
    pub fn ascii() -> Self {
        let digits = ('0'..='9').zip(0..);
        let none = Self { classes: [None; 128] };
        digits.chain([('.', 1), ('#', 0)]).fold(none, |letters, (letter, class)| letters.with(letter, class))
    }

    /// The same letters, and those of others that are missing here.
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

    /// The class of a letter, or `None` where it stands for no terrain.
    #[must_use]
    pub fn class(&self, letter: char) -> Option<u8> {
        self.classes.get(letter as usize).copied().flatten()
    }

    /// The same letters with one overridden or added. A letter that is not visible ASCII never stands in a map, so that
    /// it is left out.
    #[must_use]
    pub fn with(mut self, letter: char, class: u8) -> Self {
        if letter.is_ascii_graphic() {
            self.classes[letter as usize] = Some(class);
        }
        self
    }

    /// Every letter with its class, in ASCII order.
    pub fn iter(&self) -> impl Iterator<Item = (char, u8)> + '_ {
        (0_u8..).zip(&self.classes).filter_map(|(code, class)| class.map(|class| (char::from(code), class)))
    }

    /// The letter that a class is written as: the first of the format's own letters that stands for it, else the first
    /// in ASCII order.
    pub(super) fn letter(&self, class: u8) -> Option<char> {
        let own = ".@TSWGO".chars().find(|&letter| self.class(letter) == Some(class));
        own.or_else(|| self.iter().find(|&(_, other)| other == class).map(|(letter, _)| letter))
    }

    /// The letters, as a message lists them.
    pub(super) fn listed(&self) -> String {
        self.iter().map(|(letter, _)| letter.to_string()).collect::<Vec<_>>().join(" ")
    }
}

impl Default for LetterClasses {
    fn default() -> Self {
        let standard = [('.', 1), ('G', 1), ('S', 1), ('@', 0), ('O', 0), ('T', 0), ('W', 0)];
        let none = Self { classes: [None; 128] };
        standard.into_iter().fold(none, |letters, (letter, class)| letters.with(letter, class))
    }
}

/// The pairs, parted by commas, as [`FromStr`] reads them.
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

/// Overrides of the default, such as `.=1,S=3,W=0`: letter, equals sign, class from 0 to 255, parted by commas.
impl FromStr for LetterClasses {
    type Err = LetterClassesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut letters = Self::default();
        let mut seen = [false; 128];
        let mut rest = Some(text);
        while let Some(text) = rest {
            let text = text.trim_start();
            let mut characters = text.chars();
            let letter = characters.next().filter(char::is_ascii_graphic);
            let (Some(letter), Some('=')) = (letter, characters.next()) else {
                let pair = text.split(',').find(|pair| !pair.is_empty()).unwrap_or(text);
                return Err(LetterClassesError::NotAPair { found: quoted(pair.trim_end()) });
            };
            // Only from here on: the letter itself may be a comma.
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

/// Why a text does not say which class each letter has.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum LetterClassesError {
    /// A part that is not one visible ASCII letter, an equals sign and a number.
    #[error("`{found}` gives no letter its class; write pairs such as .=1,S=3,W=0")]
    NotAPair {
        /// The part.
        found: String,
    },
    /// What follows the equals sign is not a class.
    #[error("`{found}` is not a class for `{letter}`; write a whole number from 0 (a wall) to 255")]
    NotAClass {
        /// The letter.
        letter: char,
        /// What follows the equals sign.
        found: String,
    },
    /// One letter with two classes.
    #[error("`{letter}` is given a class twice; give it once")]
    GivenTwice {
        /// The letter.
        letter: char,
    },
}
