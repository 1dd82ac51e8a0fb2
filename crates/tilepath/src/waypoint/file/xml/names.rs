//! Escapes in the names of an XML file.

/// Splits a list into its names, as they are written. A comma after a backslash does not separate
/// names.
pub(super) fn parted(list: &str) -> Vec<&str> {
    let (mut names, mut begin, mut is_escaped) = (Vec::new(), 0, false);
    for (at, letter) in list.char_indices() {
        if letter == ',' && !is_escaped {
            names.push(&list[begin..at]);
            begin = at + 1;
        }
        is_escaped = letter == '\\' && !is_escaped;
    }
    names.push(&list[begin..]);
    names
}

/// Returns the name without escapes; `None` if an escape is invalid.
pub(super) fn unescaped(written: &str) -> Option<String> {
    let mut name = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((plain, escape)) = rest.split_once('\\') {
        name.push_str(plain);
        rest = if let Some(digits) = escape.strip_prefix("u{") {
            let (digits, after) = digits.split_once('}')?;
            let has_sign = digits.starts_with('+');
            name.push(char::from_u32(u32::from_str_radix(digits, 16).ok().filter(|_| !has_sign)?)?);
            after
        } else {
            let letter = escape.chars().next().filter(|letter| [',', '\\'].contains(letter))?;
            name.push(letter);
            &escape[1..]
        };
    }
    name.push_str(rest);
    Some(name)
}

/// Returns the name with escapes. Characters that XML cannot hold or does not keep are written as
/// numbers.
pub(super) fn escaped(name: &str, is_in_list: bool) -> String {
    let last = name.chars().count() - 1;
    let mut written = String::with_capacity(name.len());
    for (place, letter) in name.chars().enumerate() {
        match letter {
            '\\' => written.push_str("\\\\"),
            ',' if is_in_list => written.push_str("\\,"),
            ' ' if place == 0 || place == last => written.push_str("\\u{20}"),
            '\u{fffe}' | '\u{ffff}' => written.extend(letter.escape_unicode()),
            letter if letter.is_control() => written.extend(letter.escape_unicode()),
            letter => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::{escaped, parted, unescaped};

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in
            ["n1", "town hall", " both ends ", "a,b", r"a\b", r"\,", r"\u{20}", "\u{0}\n\u{ffff}", "ö,ü \\"]
        {
            for is_in_list in [true, false] {
                assert_eq!(unescaped(&escaped(name, is_in_list)).as_deref(), Some(name));
            }
            let list = [escaped(name, true), escaped(name, true)].join(",");
            assert_eq!(parted(&list), [escaped(name, true), escaped(name, true)], "{list}");
        }
    }

    #[test]
    fn backslash_that_begins_nothing_is_refused() {
        for wrong in
            [r"\", r"a\b", r"\u", r"\u{", r"\u{}", r"\u{d800}", r"\u{110000}", r"\u{-1}", r"\u{+1}", r"\ü"]
        {
            assert_eq!(unescaped(wrong), None, "{wrong}");
        }
        assert_eq!(unescaped(r"\\\,\u{1F600}").as_deref(), Some("\\,😀"));
    }
}
