//! Suggestions for misspelled names.

/// The largest number of letters in a name that is compared. A longer name is probably not
/// misspelled by a letter.
const LONGEST_COMPARED: usize = 64;

/// Returns the name that is most similar to another; the first, if several are. Returns `None` if
/// every name is too different.
pub(crate) fn most_similar<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = id.chars().flat_map(char::to_lowercase).collect();
    if wanted.len() > LONGEST_COMPARED {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        // At most a third of the letters may differ; with more it is another word.
        let most = wanted.len().max(letters.len()).div_ceil(3);
        if letters.len() > LONGEST_COMPARED || letters.len().abs_diff(wanted.len()) > most {
            continue;
        }
        let distance = edit_distance(&wanted, &letters);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, id)| id)
}

/// Returns the number of changes that turn one word into the other: insert, delete or replace a
/// letter, or swap neighbours.
fn edit_distance(from: &[char], to: &[char]) -> usize {
    let mut rows = [vec![0; to.len() + 1], (0..=to.len()).collect::<Vec<_>>(), vec![0; to.len() + 1]];
    for (i, letter) in from.iter().enumerate() {
        let [before, above, here] = &mut rows;
        here[0] = i + 1;
        for (j, other) in to.iter().enumerate() {
            let replaced = above[j] + usize::from(letter != other);
            here[j + 1] = replaced.min(above[j + 1] + 1).min(here[j] + 1);
            if i > 0 && j > 0 && *letter == to[j - 1] && from[i - 1] == *other {
                here[j + 1] = here[j + 1].min(before[j - 1] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][to.len()]
}

#[cfg(test)]
mod tests {
    use super::{edit_distance, most_similar};

    #[test]
    fn distance_counts_letters_and_swaps() {
        let distance = |from: &str, to: &str| {
            edit_distance(&from.chars().collect::<Vec<_>>(), &to.chars().collect::<Vec<_>>())
        };
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("gate", "gate", 0),
            ("gtae", "gate", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn most_similar_is_the_first_of_the_closest_and_never_another_word() {
        let known = ["north gate", "south gate", "market", "n1", "n2"];
        let similar = |id| most_similar(id, known.into_iter());
        assert_eq!(similar("North Gate"), Some("north gate"));
        assert_eq!(similar("markte"), Some("market"));
        assert_eq!(similar("n9"), Some("n1"));
        assert_eq!(similar("well"), None);
        assert_eq!(similar(&"n".repeat(100)), None);
    }
}
