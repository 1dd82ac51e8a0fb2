//! A text that is read part by part, and positions in it.

use super::without_mark;

/// A text, with positions in it as byte offsets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a>(pub(crate) &'a str);

impl<'a> Source<'a> {
    /// Wraps a text without its byte order mark.
    pub(crate) fn new(text: &'a str) -> Self {
        Self(without_mark(text))
    }

    /// Returns line and column of a position, both from 1. Columns count characters.
    pub(crate) fn line_and_column(self, at: usize) -> (usize, usize) {
        let before = &self.0[..self.0.floor_char_boundary(at)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Returns the byte offset of a part of the text.
    #[cfg(any(feature = "ron", feature = "rules"))]
    pub(crate) fn offset(self, part: &str) -> usize {
        part.as_ptr().addr() - self.0.as_ptr().addr()
    }
}

/// Returns the text that names the subject of a fault in its message.
pub(crate) fn concerning(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn columns_count_characters_and_lines_newlines() {
        let source = Source::new("\u{feff}äb\ncde\n");
        assert_eq!(source.line_and_column(0), (1, 1));
        assert_eq!(source.line_and_column(2), (1, 2));
        assert_eq!(source.line_and_column(4), (2, 1));
        assert_eq!(source.line_and_column(7), (2, 4));
        assert_eq!(source.line_and_column(99), (3, 1));
    }
}
