//! The rules of a game as a file: what its terrain classes are called, which textures are of them, how its units move.
//!
//! A designer changes what mud costs a wagon without touching code: the game reads [`Rules`] from RON and takes its
//! movements by name.
//!
//! ```
//! # use tilepath::rules::Rules;
//! let rules = Rules::from_ron(r#"
//!     (
//!         classes: {
//!             0: "wall", // class 0 is that of walls and of missing tiles
//!             1: "grass",
//!             2: "mud",
//!             3: "water",
//!         },
//!         textures: {
//!             0..=15: "grass", // both ends are meant
//!             16: "mud",
//!             20..=27: "water",
//!         },
//!         movements: {
//!             "infantry": (costs: {"grass": 2, "mud": 5}),
//!             "wagon": (base: "infantry", costs: {"mud": 0}, size: 2, overlays: ["danger"]),
//!             "boat": (costs: {"water": 1}, diagonals: "always"),
//!         },
//!     )
//! "#)?;
//! # assert_eq!(rules.lint(), []);
//! # Ok::<(), tilepath::rules::RulesError>(())
//! ```
//!
//! # The file
//! - `classes` gives numbers from 0 to 255 their names. It must be there; the rest may be left out.
//! - `textures` says of which class the tiles with a texture are, for tilemaps: one index, or a range with both its ends.
//! - `movements` describes a [`Movement`] under each name. What is left out is that of its base:
//!
//! | field | value |
//! |---|---|
//! | `base` | `closed`: no class is open, and the rest is as in [`Movement::new`]; `default`: the same, but class n costs n; or the name of another movement, in quotes. Without it, `closed` |
//! | `costs` | what a step onto a class costs, as a multiplier from 1 to 65535; 0 closes the class. Classes that are not named cost what they cost the base |
//! | `size` | the cells of a side, 1 to 8 ([`Size`](crate::Size)) |
//! | `diagonals` | `"never"`, `"only-when-no-obstacles"`, `"if-at-most-one-obstacle"` or `"always"` ([`Diagonals`](crate::Diagonals)) |
//! | `steps` | what a straight and a diagonal step cost, such as `(10, 14)` ([`StepCosts`](crate::StepCosts)) |
//! | `overlays` | the names of the overlays that count, such as `["danger"]`; those of the base do not count beside them |
//!
//! The order does not matter: a class, or a base, may be named before it is described.
//!
//! # When a file is wrong
//! [`Rules::from_ron`] tells all faults that it can find at once ([`RulesError`]). What is allowed and probably not meant
//! tell [`Rules::lint`] and, of a map, [`Rules::lint_on`]. So does the command `tilepath lint RULES [MAP]`.

mod error;
mod lint;
mod read;
mod write;

pub use self::{
    error::{RulesError, RulesFault, RulesFaultKind},
    lint::Lint,
};

use crate::movement::Movement;
use std::collections::{BTreeMap, BTreeSet};

/// Terrain classes with their names, the classes of textures, and movements by name.
///
/// The [module](self) says what a file of them looks like.
///
/// # Examples
/// ```
/// use tilepath::{Cell, Cost, PathFinder, format, rules::Rules};
/// let rules = Rules::from_ron(
///     r#"(
///         classes: {0: "wall", 1: "grass", 2: "mud"},
///         textures: {0..=15: "grass", 16: "mud"},
///         movements: {
///             "infantry": (costs: {"grass": 2, "mud": 5}),
///             "wagon": (base: "infantry", costs: {"mud": 0}),
///         },
///     )"#,
/// )?;
/// assert_eq!(rules.class("mud"), Some(2));
/// assert_eq!(rules.class_of_texture(7), Some(1));
///
/// let grid = format::parse_ascii("
///     11111
///     12221
/// ")?;
/// let (from, to) = (Cell::new(0, 0), Cell::new(4, 0));
/// for (name, cost) in [("infantry", 96), ("wagon", 120)] {
///     let finder = PathFinder::new(grid.clone(), rules.movement(name).unwrap().clone());
///     assert_eq!(finder.find(from, to)?.path().unwrap().cost(), Cost::new(cost), "{name}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    classes: BTreeMap<u8, String>,
    /// Sorted; none overlaps another, and none of the class of its neighbour touches it.
    textures: Vec<TextureRange>,
    movements: Vec<NamedMovement>,
}

/// Textures of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TextureRange {
    first: u32,
    last: u32,
    class: u8,
}

/// A movement, and what its file says of it that the movement does not.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NamedMovement {
    name: String,
    movement: Movement,
    /// Whether classes that it does not name cost their number.
    is_open: bool,
    /// The classes that it or its bases name.
    named: BTreeSet<u8>,
}

impl Rules {
    /// Texture indices go from 0 to this.
    pub const MAX_TEXTURE: u32 = 0x000f_ffff;

    /// The classes that have names, by their numbers.
    pub fn classes(&self) -> impl Iterator<Item = (u8, &str)> {
        self.classes.iter().map(|(&class, name)| (class, name.as_str()))
    }

    /// The class of a name; `None` where there is none of this name.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<u8> {
        self.classes().find_map(|(class, other)| (other == name).then_some(class))
    }

    /// The name of a class; `None` where it has none.
    #[must_use]
    pub fn class_name(&self, class: u8) -> Option<&str> {
        self.classes.get(&class).map(String::as_str)
    }

    /// All textures that have a class, by their indices.
    ///
    /// # Examples
    /// ```
    /// use tilepath::rules::Rules;
    /// let rules = Rules::from_ron(r#"(classes: {1: "grass", 4: "water"}, textures: {9: "water", 0..=2: "grass"})"#)?;
    /// let textures: Vec<(u32, u8)> = rules.textures().collect();
    /// assert_eq!(textures, [(0, 1), (1, 1), (2, 1), (9, 4)]);
    /// # Ok::<(), tilepath::rules::RulesError>(())
    /// ```
    pub fn textures(&self) -> impl Iterator<Item = (u32, u8)> {
        self.textures.iter().flat_map(|range| (range.first..=range.last).map(|index| (index, range.class)))
    }

    /// The class of tiles with a texture; `None` where the rules do not say.
    #[must_use]
    pub fn class_of_texture(&self, index: u32) -> Option<u8> {
        let next = self.textures.partition_point(|range| range.first <= index);
        let range = self.textures[..next].last()?;
        (index <= range.last).then_some(range.class)
    }

    /// The movement of a name; `None` where there is none of this name.
    #[must_use]
    pub fn movement(&self, name: &str) -> Option<&Movement> {
        self.movements().find_map(|(other, movement)| (other == name).then_some(movement))
    }

    /// All movements with their names, in the order of the file.
    #[must_use]
    pub fn movements(&self) -> impl ExactSizeIterator<Item = (&str, &Movement)> {
        self.movements.iter().map(|named| (named.name.as_str(), &named.movement))
    }
}
