//! Why a text holds no rules.

use super::Rules;
use crate::{movement::StepCostsError, size::Size, text::source::concerning};
use std::fmt;
use thiserror::Error;

/// Why a text holds no rules: all its faults, in the order of the text.
///
/// Its `Display` has a line for each.
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
/// line 5, column 40, `giant`: `9` is no size; write a whole number from 1 to 8: the cells of a side");
/// assert!(matches!(error.faults()[1].kind, RulesFaultKind::UnknownBase { .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct RulesError {
    /// At least one.
    pub(super) faults: Vec<RulesFault>,
    pub(super) untold: usize,
}

impl RulesError {
    /// The faults, in the order of the text. There is at least one, and of very many not all.
    #[must_use]
    pub fn faults(&self) -> &[RulesFault] {
        &self.faults
    }

    /// How many more faults there are.
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

/// One fault of a file of rules: the place, the class or movement that is described there, and what is wrong.
///
/// Its `Display` says what to write instead.
///
/// # Units
/// Lines and columns count from 1, columns in characters, as editors show them.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}{}: {kind}", concerning(.name.as_deref()))]
pub struct RulesFault {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The class or movement that is described there. `None` elsewhere, and where its name cannot be read.
    pub name: Option<String>,
    /// What is wrong there.
    #[source]
    pub kind: RulesFaultKind,
}

/// What is wrong at a place of a file of rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum RulesFaultKind {
    /// The text breaks the rules of RON. Nothing else is looked at then.
    #[error("{message}; correct the text there")]
    Malformed {
        /// What the reader of the format says.
        message: String,
    },
    /// There is nothing in the text.
    #[error(
        "there are no rules here; write classes and movements, as in (classes: {{1: \"grass\"}}, movements: {{\"walker\": (costs: {{\"grass\": 1}})}})"
    )]
    Empty,
    /// A field that means nothing.
    #[error("`{found}` means nothing here; the names are {known}")]
    UnknownField {
        /// Its name.
        found: String,
        /// The names that mean something.
        known: String,
    },
    /// A field that must be there.
    #[error("`{field}` is missing; write it")]
    MissingField {
        /// Its name.
        field: &'static str,
    },
    /// A field that is there twice.
    #[error("`{field}` is written twice; write it once")]
    FieldTwice {
        /// Its name.
        field: &'static str,
    },
    /// A value that is not what belongs there, or out of range: a number, a name, a list.
    #[error("`{found}` is no {field}; write {wanted}")]
    BadValue {
        /// What belongs there.
        field: &'static str,
        /// What is there, shortened if it is long.
        found: String,
        /// What would do.
        wanted: &'static str,
    },
    /// A name without a character.
    #[error("the empty text names no {kind}; give it at least one character")]
    EmptyName {
        /// What it would be the name of: a class, a movement or an overlay.
        kind: &'static str,
    },
    /// Two classes of one number.
    #[error("class {class} is `{other}` already, in line {line}; give each class a number of its own")]
    ClassTwice {
        /// The number.
        class: u8,
        /// The name of the first of the two.
        other: String,
        /// Its line.
        line: usize,
    },
    /// Two classes, or two movements, of one name.
    #[error("there is a {kind} `{name}` already, in line {line}; choose another name")]
    NameTwice {
        /// What it is the name of: a class or a movement.
        kind: &'static str,
        /// The name.
        name: String,
        /// The line of the first of the two.
        line: usize,
    },
    /// A class that is not listed.
    #[error("there is no class `{class}`; list it under classes with a number{}", hint(.similar.as_deref()))]
    UnknownClass {
        /// Its name.
        class: String,
        /// The name that is spelt most like it, if one is close enough.
        similar: Option<String>,
    },
    /// A base that is not described.
    #[error(
        "there is no movement `{base}` to begin from; describe it under movements{}",
        hint(.similar.as_deref())
    )]
    UnknownBase {
        /// Its name.
        base: String,
        /// The name that is spelt most like it, if one is close enough.
        similar: Option<String>,
    },
    /// Movements each of which begins from the next, and the last from the first.
    #[error(
        "{}; let one of them begin from closed, from default, or from a movement outside this ring",
        chained(ring)
    )]
    BaseRing {
        /// Their names; one alone begins from itself.
        ring: Vec<String>,
    },
    /// Textures of two classes.
    #[error(
        "{} `{first_class}` already, in line {line}, and cannot be `{class}` too; take {} out of one of the two",
        textures(*first, *last, ["is", "are"]), if first == last { "it" } else { "them" }
    )]
    TextureTwice {
        /// The first index that is of both.
        first: u32,
        /// The last one.
        last: u32,
        /// The class that is written first.
        first_class: String,
        /// Its line.
        line: usize,
        /// The other class.
        class: String,
    },
    /// A range of textures whose ends are in the wrong order.
    #[error("no texture lies in {first}..={last}; write the lower index first")]
    BackwardRange {
        /// The end that is written first.
        first: u32,
        /// The end that is written last.
        last: u32,
    },
    /// A texture index past the last that there can be.
    #[error("there is no texture {index}; indices go from 0 to {max}", max = Rules::MAX_TEXTURE)]
    TextureIndex {
        /// The index.
        index: u32,
    },
    /// A class that is given two costs by one movement.
    #[error("`{class}` has a cost already, in line {line}; write one")]
    CostTwice {
        /// Its name.
        class: String,
        /// The line of the first of the two.
        line: usize,
    },
    /// A size that no unit can have.
    #[error("`{found}` is no size; write a whole number from 1 to {max}: the cells of a side", max = Size::MAX)]
    BadSize {
        /// What is there, shortened if it is long.
        found: String,
    },
    /// Step costs that no movement can have.
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

/// "texture 3 is" or "textures 3 to 5 are".
pub(super) fn textures(first: u32, last: u32, [one, many]: [&str; 2]) -> String {
    if first == last {
        format!("texture {first} {one}")
    } else {
        format!("textures {first} to {last} {many}")
    }
}
