//! How text is read, written and quoted, whatever it says.

pub(crate) mod similar;
#[cfg(any(feature = "ron", feature = "rules", feature = "xml"))]
pub(crate) mod source;

use std::str::FromStr;
use thiserror::Error;

/// The text is none of the names of its kind.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("\"{text}\" is no {kind}: say {known}")]
#[non_exhaustive]
pub struct UnknownName {
    /// What was given.
    pub text: String,
    /// What it should be the name of, such as an algorithm.
    pub kind: &'static str,
    /// The names that there are.
    pub known: &'static str,
}

/// A piece of a text as an error quotes it: a long one is cut.
pub(crate) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => found.to_owned(),
        Some((end, _)) => format!("{}…", &found[..end]),
    }
}

/// The text without the byte order mark that some editors put first.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A whole number written in digits alone; `parse` by itself would take a plus sign.
pub(crate) fn whole_number<T: FromStr>(word: &str) -> Option<T> {
    word.bytes().all(|letter| letter.is_ascii_digit()).then(|| word.parse().ok())?
}

/// What a writer gives. It writes into memory, and only text and numbers.
#[cfg(any(feature = "ron", feature = "recording", feature = "rules", feature = "xml"))]
pub(crate) fn written(text: Option<String>) -> String {
    text.expect("text and numbers can always be written into memory")
}

/// The RON of this crate's files: `Some(…)` need not be written.
#[cfg(any(feature = "ron", feature = "recording", feature = "rules"))]
pub(crate) fn ron_options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// A file with a line for each value of its lists.
#[cfg(any(feature = "ron", feature = "recording"))]
pub(crate) fn to_ron(file: &impl serde::Serialize) -> String {
    let form = ron::ser::PrettyConfig::new().depth_limit(2).new_line("\n");
    written(ron_options().to_string_pretty(file, form).ok()) + "\n"
}
