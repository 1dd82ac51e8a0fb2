//! Reading, writing and quoting of text.

pub(crate) mod similar;
#[cfg(any(feature = "ron", feature = "rules", feature = "xml"))]
pub(crate) mod source;

use std::str::FromStr;
use thiserror::Error;

/// The error for a text that is not a known name, for example of an algorithm.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("\"{text}\" is an invalid {kind}: say {known}")]
#[non_exhaustive]
pub struct UnknownName {
    /// The text that is not a known name.
    pub text: String,
    /// The kind of name that is expected, such as an algorithm.
    pub kind: &'static str,
    /// The known names of this kind.
    pub known: &'static str,
}

/// Returns a piece of text for an error message. A long one is cut.
pub(crate) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => found.to_owned(),
        Some((end, _)) => format!("{}…", &found[..end]),
    }
}

/// Returns the text without the byte order mark that some editors write first.
pub(crate) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads a whole number that consists of digits only; `parse` alone would accept a plus sign.
pub(crate) fn whole_number<T: FromStr>(word: &str) -> Option<T> {
    word.bytes().all(|letter| letter.is_ascii_digit()).then(|| word.parse().ok())?
}

/// Unwraps the text of a writer. It cannot fail, because it writes only text and numbers, into
/// memory.
#[cfg(any(feature = "ron", feature = "recording", feature = "rules", feature = "xml"))]
pub(crate) fn written(text: Option<String>) -> String {
    text.expect("text and numbers can always be written into memory")
}

/// Returns the options for the RON files of this crate: `Some(…)` need not be written.
#[cfg(any(feature = "ron", feature = "recording", feature = "rules"))]
pub(crate) fn ron_options() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Returns the message of the RON reader for people who write files.
#[cfg(any(feature = "ron", feature = "recording", feature = "rules"))]
pub(crate) fn ron_message(error: &ron::Error) -> String {
    match error {
        // The reader's own message names an option of its programming interface.
        ron::Error::ExceededRecursionLimit => "too many brackets lie in each other".to_owned(),
        other => other.to_string(),
    }
}

/// Writes a file as RON, with a line for each value of its lists.
#[cfg(any(feature = "ron", feature = "recording"))]
pub(crate) fn to_ron(file: &impl serde::Serialize) -> String {
    let form = ron::ser::PrettyConfig::new().depth_limit(2).new_line("\n");
    written(ron_options().to_string_pretty(file, form).ok()) + "\n"
}
