//! Whole numbers in arguments.

use std::{ops::RangeInclusive, str::FromStr};

/// Parses a number of digits alone. Plain `parse` would accept a plus sign.
pub(crate) fn whole_number<T: FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|letter| letter.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Returns a parser for numbers within limits.
pub(crate) fn within(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    move |text| {
        whole_number(text)
            .filter(|number| range.contains(number))
            .ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::{whole_number, within};

    #[test]
    fn number_is_digits_and_within_its_limits() {
        for wrong in ["", "+1", "-1", " 1", "1 ", "1.0", "0x1", "1_000", "99999999999", "１"] {
            assert_eq!(whole_number::<u32>(wrong), None, "{wrong:?}");
        }
        assert_eq!(whole_number::<u32>("007"), Some(7));
        assert_eq!(within(1..=64)("64"), Ok(64));
        assert_eq!(within(1..=64)("65"), Err("write a whole number from 1 to 64".to_owned()));
    }
}
