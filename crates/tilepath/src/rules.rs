//! The rules of a game as a file.
//!
//! The file names the terrain classes, assigns classes to textures, and describes the movements.
//! The game reads [`Rules`] from the text of the file, in RON, and gets its movements by name. So a
//! designer can change the cost of mud for a wagon without code.
//!
//! ```
//! # use tilepath::rules::Rules;
//! let rules = Rules::from_ron(r#"
//!     (
//!         classes: {
//!             0: "wall", // class 0 is for walls and missing tiles
//!             1: "grass",
//!             2: "mud",
//!             3: "water",
//!         },
//!         textures: {
//!             0..=15: "grass", // both ends are included
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
//! - `classes` gives names to terrain classes, which are numbers from 0 to 255. This field is
//!   required; the other fields are optional.
//! - `textures` is for tilemaps. It gives a class to all tiles with a certain texture. A key is the
//!   index of one texture, or a range of indices. Both ends of a range are included.
//! - `movements` describes a [`Movement`] under each name. If a field is missing, its value comes
//!   from the base of the movement:
//!
//! | field | value |
//! |---|---|
//! | `base` | `closed`: no class is open, and the rest is as in [`Movement::new`]; `default`: like `closed`, but class n costs n; or the name of another movement, in quotes. The default is `closed` |
//! | `costs` | the cost of a step onto a class, as a multiplier from 1 to 65535; 0 closes the class. Other classes keep their cost in the base |
//! | `size` | the number of cells of a side, 1 to 8 ([`Size`](crate::Size)) |
//! | `diagonals` | `"never"`, `"only-when-no-obstacles"`, `"if-at-most-one-obstacle"` or `"always"` ([`Diagonals`](crate::Diagonals)) |
//! | `steps` | the cost of a straight and of a diagonal step, such as `(10, 14)` ([`StepCosts`](crate::StepCosts)) |
//! | `overlays` | the names of the overlays that count, such as `["danger"]`; they replace the overlays of the base |
//! | `turn_ends` | the steps that end a turn: the class left and the class entered, such as `[("grass", "water")]` ([`Movement::with_turn_end`]); they replace the turn ends of the base |
//! | `step_costs` | the costs of steps between classes: the class left and the class entered, such as `{("road", "road"): 1}`; 0 closes the step ([`Movement::with_step_cost`]). They replace the step costs of the base |
//! | `edges` | the meaning of named edges: a cost, `"closed"` or `"ends-turn"`, such as `{"river": 6}` ([`Movement::with_edges`]). They replace the edges of the base |
//!
//! The order of the entries has no effect. An entry may use a class or a base that is described
//! further down.
//!
//! # Errors and lints
//! [`Rules::from_ron`] does not stop at the first fault. Its [`RulesError`] lists all faults that
//! it found.
//!
//! [`Rules::lint`] reports rules that are legal but probably mistakes. [`Rules::lint_on`] reports
//! rules that do not fit a map. The command `tilepath lint RULES [MAP]` runs both.

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

/// Named terrain classes, the classes of textures, and named movements.
///
/// The [module](self) describes the file format.
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
    /// Sorted. No ranges overlap, and ranges that touch have different classes.
    textures: Vec<TextureRange>,
    movements: Vec<NamedMovement>,
}

/// A range of textures of one class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TextureRange {
    first: u32,
    last: u32,
    class: u8,
}

/// A movement, and the facts from its file that the movement itself does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NamedMovement {
    name: String,
    movement: Movement,
    /// True if classes that it does not name cost their number.
    is_open: bool,
    /// The classes that it or its bases name.
    named: BTreeSet<u8>,
}

impl Rules {
    /// The largest index of a texture.
    pub const MAX_TEXTURE: u32 = 0x000f_ffff;

    /// Returns the terrain classes that have names, sorted by number.
    pub fn classes(&self) -> impl Iterator<Item = (u8, &str)> {
        self.classes.iter().map(|(&class, name)| (class, name.as_str()))
    }

    /// Returns the terrain class with this name, or `None` if the name is unknown.
    #[must_use]
    pub fn class(&self, name: &str) -> Option<u8> {
        self.classes().find_map(|(class, other)| (other == name).then_some(class))
    }

    /// Returns the name of a terrain class, or `None` if the class has no name.
    #[must_use]
    pub fn class_name(&self, class: u8) -> Option<&str> {
        self.classes.get(&class).map(String::as_str)
    }

    /// Returns all textures that have a terrain class, sorted by index. Each entry is the index of
    /// a texture and its class.
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

    /// Returns the terrain class of the tiles with a texture, or `None` if the rules give no class
    /// to the texture.
    #[must_use]
    pub fn class_of_texture(&self, index: u32) -> Option<u8> {
        let next = self.textures.partition_point(|range| range.first <= index);
        let range = self.textures[..next].last()?;
        (index <= range.last).then_some(range.class)
    }

    /// Returns the movement with this name, or `None` if the name is unknown.
    #[must_use]
    pub fn movement(&self, name: &str) -> Option<&Movement> {
        self.movements().find_map(|(other, movement)| (other == name).then_some(movement))
    }

    /// Returns all movements with their names, in the order of the file.
    #[must_use]
    pub fn movements(&self) -> impl ExactSizeIterator<Item = (&str, &Movement)> {
        self.movements.iter().map(|named| (named.name.as_str(), &named.movement))
    }
}
