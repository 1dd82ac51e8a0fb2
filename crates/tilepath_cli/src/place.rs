//! Places in a file: column from the left and row from the top.

use crate::whole_number::whole_number;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A place in a file, as in all arguments and all output. Columns count from the left, rows from
/// the top, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The column, from the left.
    pub(crate) column: u32,
    /// The row, from the top.
    pub(crate) row: u32,
}

impl From<(u32, u32)> for Place {
    fn from((column, row): (u32, u32)) -> Self {
        Self { column, row }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{},{}", self.column, self.row)
    }
}

impl FromStr for Place {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (column, row) = text.split_once(',').ok_or(NotAPlace)?;
        let number = |part: &str| whole_number(part.trim()).ok_or(NotAPlace);
        Ok(Self { column: number(column)?, row: number(row)? })
    }
}

/// An argument that is not X,Y.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("write column and row, counted from the left and from the top from 0, such as 2,9")]
pub(crate) struct NotAPlace;

#[cfg(test)]
mod tests {
    use super::{NotAPlace, Place};

    #[test]
    fn places_are_read_as_they_are_written() {
        let place = Place { column: 3, row: 12 };
        assert_eq!(place.to_string().parse(), Ok(place));
        assert_eq!(" 3 , 12 ".parse(), Ok(place));
        for wrong in ["", "3", "3,", ",3", "-1,3", "1,2,3", "1.5,2", "+1,2", "1,+2", "99999999999,0"] {
            assert_eq!(wrong.parse::<Place>(), Err(NotAPlace), "{wrong:?}");
        }
    }
}
