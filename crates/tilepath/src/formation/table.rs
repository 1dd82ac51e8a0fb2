//! The table of formations, one row each.

use super::shape::{Shape, boxed, disc, line, wedge};
use crate::text::UnknownName;
use std::{fmt, str::FromStr};

/// Joins names for a sentence: "disc, line or wedge".
macro_rules! listed {
    ($last:literal) => { $last };
    ($one:literal $last:literal) => { concat!($one, " or ", $last) };
    ($first:literal $($rest:literal)+) => { concat!($first, ", ", listed!($($rest)+)) };
}

/// Declares all formations. A row has a formation's documentation, its variant, its name, and its
/// shape from a separate file.
macro_rules! formations {
    ($($(#[$note:meta])* $variant:ident $name:literal $shape:path;)+) => {
        /// The shape in which units stand around a goal.
        ///
        /// # Examples
        /// ```
        /// use tilepath::formation::Formation;
        /// assert_eq!("wedge".parse(), Ok(Formation::Wedge));
        /// assert_eq!(Formation::Box.to_string(), "box");
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum Formation {
            $(
                $(#[$note])*
                #[cfg_attr(feature = "serde", serde(rename = $name))]
                $variant,
            )+
        }

        impl Formation {
            /// All formations, for example for a menu.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name that [`FromStr`] accepts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// Returns its shape.
            pub(super) const fn shape(self) -> Shape {
                match self { $(Self::$variant => $shape,)+ }
            }
        }

        const KNOWN: &str = listed!($($name)+);
    };
}

formations! {
    /// A disc: units stand as near to the goal as possible, on foot. The default.
    #[default]
    Disc "disc" disc::SHAPE;
    /// A line: one rank across the heading, with its middle at the goal.
    Line "line" line::SHAPE;
    /// A box: as many ranks as files, with the goal in the middle.
    Box "box" boxed::SHAPE;
    /// A wedge: a point at the goal and two arms behind it, like geese.
    Wedge "wedge" wedge::SHAPE;
}

impl Formation {
    /// The maximum number of units of one kind for which the last unit arrives as early as
    /// possible. If there are more units, units and places are paired by their angles.
    pub const MOST_ASSIGNED: usize = 200;
}

impl fmt::Display for Formation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Formation {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|formation| formation.name() == text).ok_or_else(|| UnknownName {
            text: text.to_owned(),
            kind: "formation",
            known: KNOWN,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_listed_as_a_sentence_and_read_back() {
        let text = "ring".parse::<Formation>().unwrap_err().to_string();
        assert_eq!(text, "\"ring\" is an invalid formation: say disc, line, box or wedge");
        for &formation in Formation::ALL {
            assert_eq!(formation.name().parse(), Ok(formation));
        }
    }
}
