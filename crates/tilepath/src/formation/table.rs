//! All formations: a row each.

use super::shape::{Shape, boxed, disc, line, wedge};
use crate::text::UnknownName;
use std::{fmt, str::FromStr};

/// Names in a sentence: "disc, line or wedge".
macro_rules! listed {
    ($last:literal) => { $last };
    ($one:literal $last:literal) => { concat!($one, " or ", $last) };
    ($first:literal $($rest:literal)+) => { concat!($first, ", ", listed!($($rest)+)) };
}

/// Declares all formations. A row has the documentation of a formation, its variant, its name, and its shape from a file of its own.
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
            /// All of them: for a menu, or for a test of each.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name as [`FromStr`] knows it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// How its units stand.
            pub(super) const fn shape(self) -> Shape {
                match self { $(Self::$variant => $shape,)+ }
            }
        }

        const KNOWN: &str = listed!($($name)+);
    };
}

formations! {
    /// As near to the goal as they can, on foot. The default.
    #[default]
    Disc "disc" disc::SHAPE;
    /// One rank across the heading, its middle at the goal.
    Line "line" line::SHAPE;
    /// As many ranks as files, the goal in their middle.
    Box "box" boxed::SHAPE;
    /// A point at the goal and two arms behind it, like geese.
    Wedge "wedge" wedge::SHAPE;
}

impl Formation {
    /// Up to that many units of one kind are given their places so that the last arrives as early as possible.
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
        assert_eq!(text, "\"ring\" is no formation: say disc, line, box or wedge");
        for &formation in Formation::ALL {
            assert_eq!(formation.name().parse(), Ok(formation));
        }
    }
}
