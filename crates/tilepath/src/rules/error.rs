//! The errors of rules files.

use super::Rules;
use crate::{movement::StepCostsError, size::Size, text::source::concerning};
use std::fmt;
use thiserror::Error;

/// The error for a text that is not valid as [`Rules`](super::Rules): all its faults, in the order
/// of the text.
///
/// The `Display` text of the error has one line for each fault.
///
/// # Examples
/// ```
/// use tilepath::rules::{Rules, RulesFaultKind};
/// let error = Rules::from_ron(r#"(
///     classes: {0: "wall", 1: "grass", 4: "water"},
///     movements: {
///         "boat": (costs: {"wter": 1}),
///         "giant": (base: "human", size: 9),
///     },
/// )"#).unwrap_err();
/// assert_eq!(error.to_string(), "\
/// line 4, column 26, `boat`: there is no class `wter`; list it under classes with a number, or did you mean `water`?
/// line 5, column 25, `giant`: there is no movement `human` to begin from; describe it under movements
/// line 5, column 40, `giant`: `9` is an invalid size; write a whole number from 1 to 8: the cells of a side");
/// assert!(matches!(error.faults()[1].kind, RulesFaultKind::UnknownBase { .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RulesError {
    /// There is at least one.
    pub(super) faults: Vec<RulesFault>,
    pub(super) untold: usize,
}

impl RulesError {
    /// Returns the faults in the order of the text. There is at least one fault. If there are very
    /// many faults, only 100 of them are in the list.
    #[must_use]
    pub fn faults(&self) -> &[RulesFault] {
        &self.faults
    }

    /// Returns the number of faults that are not in the list of [`faults`](Self::faults).
    #[must_use]
    pub const fn untold(&self) -> usize {
        self.untold
    }
}

impl fmt::Display for RulesError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            write!(formatter, "{line_break}{fault}")?;
        }
        if self.untold > 0 {
            write!(formatter, "\nand {} more faults", self.untold)?;
        }
        Ok(())
    }
}

/// A fault in a rules file: its position, its kind, and the class or movement that is described at
/// this position.
///
/// The `Display` text of the fault states what to write instead.
///
/// # Units
/// Lines and columns count from 1. Columns count characters, as in editors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}{}: {kind}", concerning(.name.as_deref()))]
pub struct RulesFault {
    /// The line of the text, from 1.
    pub line: usize,
    /// The column of this line, from 1.
    pub column: usize,
    /// The class or movement that is described at this position. `None` if nothing is described at
    /// this position, or if the name cannot be read.
    pub name: Option<String>,
    /// The kind of fault at this position.
    #[source]
    pub kind: RulesFaultKind,
}

/// The kind of a fault in a rules file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RulesFaultKind {
    /// The text breaks the rules of RON. In this case no other faults are reported.
    #[error("{message}; correct the text there")]
    Malformed {
        /// The message of the RON reader.
        message: String,
    },
    /// The text is empty.
    #[error(
        "there are no rules here; write classes and movements, as in (classes: {{1: \"grass\"}}, movements: {{\"walker\": (costs: {{\"grass\": 1}})}})"
    )]
    Empty,
    /// A field is unknown.
    #[error("`{found}` means nothing here; the names are {known}")]
    UnknownField {
        /// The unknown name.
        found: String,
        /// The names of the fields that are allowed.
        known: String,
    },
    /// A required field is missing.
    #[error("`{field}` is missing; write it")]
    MissingField {
        /// The name of the field.
        field: &'static str,
    },
    /// A field is written twice.
    #[error("`{field}` is written twice; write it once")]
    FieldTwice {
        /// The name of the field.
        field: &'static str,
    },
    /// A value is of the wrong kind or out of range: a number, a name, a list.
    #[error("`{found}` is an invalid {field}; write {wanted}")]
    BadValue {
        /// The name of the expected value.
        field: &'static str,
        /// The text of the value, shortened if it is long.
        found: String,
        /// A description of valid values.
        wanted: &'static str,
    },
    /// A name is empty.
    #[error("the empty text names no {kind}; give it at least one character")]
    EmptyName {
        /// The kind of name: a class, a movement or an overlay.
        kind: &'static str,
    },
    /// Two classes have the same number.
    #[error("class {class} is `{other}` already, in line {line}; give each class a number of its own")]
    ClassTwice {
        /// The number of both classes.
        class: u8,
        /// The name of the class that comes first in the text.
        other: String,
        /// The line of the class that comes first, from 1.
        line: usize,
    },
    /// Two classes, or two movements, have the same name.
    #[error("there is a {kind} `{name}` already, in line {line}; choose another name")]
    NameTwice {
        /// The kind of name: a class or a movement.
        kind: &'static str,
        /// The name that is used twice.
        name: String,
        /// The line of the entry that comes first, from 1.
        line: usize,
    },
    /// A class is used, but it is not listed under `classes`.
    #[error("there is no class `{class}`; list it under classes with a number{}", hint(.similar.as_deref()))]
    UnknownClass {
        /// The name of the class.
        class: String,
        /// The most similar name of a listed class, if there is a similar name.
        similar: Option<String>,
    },
    /// A movement is used as a base, but it is not described under `movements`.
    #[error(
        "there is no movement `{base}` to begin from; describe it under movements{}",
        hint(.similar.as_deref())
    )]
    UnknownBase {
        /// The name of the base.
        base: String,
        /// The most similar name of a described movement, if there is a similar name.
        similar: Option<String>,
    },
    /// Some movements form a ring. Each of them is based on the next movement, and the last is
    /// based on the first.
    #[error(
        "{}; let one of them begin from closed, from default, or from a movement outside this ring",
        chained(ring)
    )]
    BaseRing {
        /// The names of the movements in the ring. If there is only one name, the movement is based
        /// on itself.
        ring: Vec<String>,
    },
    /// One or more textures have two classes.
    #[error(
        "{} `{first_class}` already, in line {line}, and cannot be `{class}` too; take {} out of one of the two",
        textures(*first, *last, ["is", "are"]), if first == last { "it" } else { "them" }
    )]
    TextureTwice {
        /// The first index that has both classes.
        first: u32,
        /// The last index that has both classes.
        last: u32,
        /// The class that comes first in the text.
        first_class: String,
        /// The line of the class that comes first, from 1.
        line: usize,
        /// The class that comes second in the text.
        class: String,
    },
    /// The ends of a range of textures are in the wrong order.
    #[error("no texture lies in {first}..={last}; write the lower index first")]
    BackwardRange {
        /// The end that comes first in the text. It is the larger number.
        first: u32,
        /// The end that comes last in the text. It is the smaller number.
        last: u32,
    },
    /// The index of a texture is larger than [`Rules::MAX_TEXTURE`](super::Rules::MAX_TEXTURE).
    #[error("there is no texture {index}; indices go from 0 to {max}", max = Rules::MAX_TEXTURE)]
    TextureIndex {
        /// The index.
        index: u32,
    },
    /// A movement gives two costs to one class.
    #[error("`{class}` has a cost already, in line {line}; write one")]
    CostTwice {
        /// The name of the class.
        class: String,
        /// The line of the cost that comes first, from 1.
        line: usize,
    },
    /// A size is invalid.
    #[error("`{found}` is an invalid size; write a whole number from 1 to {max}: the cells of a side", max = Size::MAX)]
    BadSize {
        /// The text of the value, shortened if it is long.
        found: String,
    },
    /// Step costs are invalid.
    #[error(transparent)]
    BadSteps(#[from] StepCostsError),
}

fn hint(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!(", or did you mean `{name}`?"))
}

fn chained(ring: &[String]) -> String {
    let next = ring.iter().cycle().skip(1);
    let links = ring.iter().zip(next).map(|(movement, base)| format!("`{movement}` begins from `{base}`"));
    links.collect::<Vec<_>>().join(", ")
}

/// Returns text such as "texture 3 is" or "textures 3 to 5 are".
pub(super) fn textures(first: u32, last: u32, [one, many]: [&str; 2]) -> String {
    if first == last {
        format!("texture {first} {one}")
    } else {
        format!("textures {first} to {last} {many}")
    }
}
