//! Text for a terminal, without control characters.

use serde::Serialize;
use std::fmt::Write;

/// Returns a text from a file or an argument as one line for a reader. Characters that can steer a
/// terminal become escapes such as `\u{1b}`.
pub(crate) fn printed(text: &str) -> String {
    escaped(text, |letter, line| line.extend(letter.escape_default()))
}

/// Returns a value as one line of JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    let line = serde_json::to_string(value).expect("text and numbers can always be written into memory");
    // `serde_json` escapes only some of these characters. They occur only in strings, where an
    // escape has equal meaning. Writing to a `String` cannot fail.
    escaped(&line, |letter, line| _ = write!(line, "\\u{:04x}", u32::from(letter)))
}

fn escaped(text: &str, write: impl Fn(char, &mut String)) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_steering(letter) {
            write(letter, &mut line);
        } else {
            line.push(letter);
        }
    }
    line
}

/// Returns whether a character is a control character, a line break, or a mark that changes the
/// direction of text.
fn is_steering(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::{json, printed};

    const HOSTILE: &str = "a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}\n\r\tb";

    #[test]
    fn control_characters_are_written_as_numbers() {
        assert_eq!(printed(HOSTILE), r"a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}\n\r\tb");
        assert_eq!(printed("Möwe `n1` → \"ö\" \\ 漢字"), "Möwe `n1` → \"ö\" \\ 漢字");
    }

    #[test]
    fn json_is_the_same_text_to_its_readers() {
        let line = json(&HOSTILE);
        assert!(line.chars().all(|letter| !letter.is_control() && letter != '\u{202e}'), "{line}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), HOSTILE);
    }
}
