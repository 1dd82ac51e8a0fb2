//! What can be wrong with a question to a waypoint graph, or with a change of it.

use super::{WaypointGraph, edge::WaypointEdge};
use crate::position::Position;
use thiserror::Error;

/// Why a waypoint graph does not do what it was told, or does not know the answer. Nothing was changed.
///
/// Its `Display` says what to do.
///
/// # Examples
/// ```
/// use tilepath::waypoint::{WaypointError, WaypointGraph};
/// let mut graph = WaypointGraph::new();
/// graph.add("harbour", (10.0, 20.0))?;
/// let error = graph.find("habour", "harbour").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "there is no waypoint `habour`; add it first, or did you mean `harbour`?"
/// );
/// # Ok::<(), WaypointError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// An id without a character.
    #[error("the empty text names no waypoint; give it at least one character")]
    EmptyId,
    /// An id that is taken.
    #[error("there is a waypoint `{id}` already; choose another id, or remove or rename that one first")]
    DuplicateWaypoint {
        /// The id.
        id: String,
    },
    /// An id that two merged graphs would share.
    #[error("merged under the key `{key}`, two waypoints would be called `{id}`; choose another key")]
    MergeCollision {
        /// The id, with the key.
        id: String,
        /// The key.
        key: String,
    },
    /// An id that names nothing.
    #[error("there is no waypoint `{id}`; add it first{}", hint(.similar.as_deref()))]
    UnknownWaypoint {
        /// The id.
        id: String,
        /// The id that is spelt most like it, if one is close enough.
        similar: Option<String>,
    },
    /// A position that is NaN, infinite, or too far out to be counted with.
    #[error(
        "{position} is no place for a waypoint; both coordinates must be numbers from -{max:e} to {max:e}",
        max = WaypointGraph::MAX_COORDINATE
    )]
    InvalidPosition {
        /// The position.
        position: Position,
    },
    /// A speed or cost factor out of range.
    #[error(
        "the edge from `{from}` to `{to}` cannot have speed {} and cost factor {}; both must be from {min:e} to {max:e}, and the cost factor may be 0",
        .edge.speed, .edge.cost_factor, min = WaypointEdge::MIN_FACTOR, max = WaypointEdge::MAX_FACTOR
    )]
    InvalidEdge {
        /// Where the edge begins.
        from: String,
        /// Where it ends.
        to: String,
        /// What was to be set.
        edge: WaypointEdge,
    },
    /// A waypoint that would be joined with itself.
    #[error("`{id}` cannot be joined with itself; name two waypoints")]
    SelfJoin {
        /// The waypoint.
        id: String,
    },
    /// Two waypoints between which there is no edge in this direction.
    #[error("no edge leads from `{from}` to `{to}`; join them first")]
    NotJoined {
        /// Where the edge would begin.
        from: String,
        /// Where it would end.
        to: String,
    },
    /// A question about a graph without waypoints.
    #[error("the graph has no waypoints; add some, or load them")]
    NoWaypoints,
    /// There is no goal to choose from.
    #[error("there is no goal to choose from; give at least one")]
    NoGoals,
    /// A place on an edge that is not between its ends.
    #[error("{share} is no place on an edge; give a share from 0, where it begins, to 1, where it ends")]
    InvalidShare {
        /// The share of the edge's length.
        share: f64,
    },
    /// An access factor that cannot be counted with.
    #[error(
        "walking off the graph cannot cost {factor} times the distance; give an access factor from 0 to {max:e}",
        max = WaypointEdge::MAX_FACTOR
    )]
    InvalidAccessFactor {
        /// The factor.
        factor: f64,
    },
    /// A budget that is no number.
    #[error("NaN is no budget; give a number")]
    InvalidBudget,
    /// No number is left for another waypoint.
    #[error("a graph numbers at most {limit} waypoints, those removed included; clear it and begin again")]
    TooManyWaypoints {
        /// How many there may be.
        limit: usize,
    },
}

fn hint(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |id| format!(", or did you mean `{id}`?"))
}

/// Ids longer than this are not compared: they are hardly misspelled by a letter.
const LONGEST_COMPARED: usize = 64;

/// The id that is spelt most like another; the first of equals. Nothing where every id is too different.
pub(super) fn most_similar<'a>(id: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = id.chars().flat_map(char::to_lowercase).collect();
    if wanted.len() > LONGEST_COMPARED {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let letters: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
        // A third of the letters may differ: more is another word.
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

/// Letters to insert, delete or replace, and neighbours to swap, to turn one word into the other.
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
