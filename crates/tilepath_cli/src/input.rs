//! Text from files and from standard input.

use crate::failure::Failure;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The size of the largest file in bytes: five bytes for each cell of the largest map, such as
/// `255` and a line break.
const MOST_BYTES: u64 = 5 * tilepath::Bounds::MAX_CELLS;

/// Reads the text of a file that an argument names; `-` is standard input.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn read_argument(path: &Path) -> Result<String, Failure> {
    let text =
        if is_standard_input(path) { text_of(io::stdin().lock(), MOST_BYTES) } else { read_file(path) };
    text.map_err(|error| Failure::Read { file: path.to_owned(), error })
}

/// Reads the text of a file. Bytes that are not UTF-8 become replacement characters, which the
/// parsers report with line and column. In the free text of a header they do no harm.
pub(crate) fn read_file(path: &Path) -> io::Result<String> {
    text_of(File::open(path)?, MOST_BYTES)
}

/// Returns the name of a file for messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_standard_input(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// Returns whether an argument names standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn text_of(input: impl Read, most: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it holds more than the {most} bytes of the largest map; give a smaller file");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::text_of;
    use std::io;

    #[test]
    fn input_without_an_end_is_refused() {
        assert_eq!(text_of(&b"12345"[..], 5).unwrap(), "12345");
        let refused = text_of(io::repeat(b'1'), 5).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn bytes_that_are_no_text_become_marks() {
        assert_eq!(text_of(&b"1 \xff"[..], 9).unwrap(), "1 \u{fffd}");
    }
}
