//! The patterns, a row for each.

use regex::Regex;

use super::text::Place;

/// A pattern, and phrases in which it is good English.
struct Row {
    name: &'static str,
    pattern: &'static str,
    except: &'static str,
}

const fn row(name: &'static str, pattern: &'static str, except: &'static str) -> Row {
    Row { name, pattern, except }
}

/// Patterns for the text of every block.
const ANYWHERE: [Row; 9] = [
    row("is none", r"(?i)\b(is|are|was|were|be) none\b", ""),
    row("that of", r"\b(that|those) of\b", ""),
    row("tells", r"(?i)\b(tells?|told|tell|asks|asked|knows|says)\b", ""),
    row("pending", r"(?i)\b(a|the|its|each|every|one|no) pending\b[.,;:]|\bpendings\b", ""),
    row("now", r"(?i)\b(by now|as of now|no more)\b", "(?i)no more than"),
    row("persons", r"(?i)\b(somebody|nobody|whoever|whomever|everybody|whom)\b", ""),
    row(
        "one that",
        r"(?i)\b(one|ones|that|those|all) (that|which|who|whose) (is|are) (one|ones|none|it)\b",
        "",
    ),
    row(
        "as it can",
        r"(?i)\b(of these that|of those that|of those those|that in which|those in which)\b",
        "",
    ),
    row(
        "way",
        r"(?i)\b(a|an|no|the|its|their|whose|each|every|cheapest|shortest|best|known|found|new|old|whole|longer|long|kept|cut|such|of|and|or|these|those|all|two|many) ways?\b",
        r"(?i)\bways? (to|of) (do|say|get|tell|make|draw|write|run|call|use|begin|give|show|look|see|search|read)|(all|the) ways (in|out) which|by the way|in the way|out of the way|half the way|all the way|long way|longer way|a way (round|around)|the other way",
    ),
];

/// Patterns for the beginning of a block.
const FIRST: [Row; 2] = [
    row(
        "first word",
        r"^(The same|Of|By what|By which|From where|From what|For whom|For which|For what|All that|What|How|Why|Which|Who|Whose|Where|When|That|Those|One that|One who|None|Says|Tells|Asks|Knows|As|So|Has)\b",
        r"^(Where|When) [^.]*, |^As (an?|the|soon|long) |^So that |^Which [^.]*\?|^What [^.]*\?|^How [^.]*\?|^Why [^.]*\?|^Who [^.]*\?|^Has no ",
    ),
    row("short of a verb", r"^(Whose|Than|Nor|Neither)\b", ""),
];

/// The most words of a sentence.
const MAX_WORDS: usize = 30;

/// The patterns, compiled.
pub(super) struct Patterns {
    anywhere: Vec<Compiled>,
    first: Vec<Compiled>,
}

struct Compiled {
    name: &'static str,
    pattern: Regex,
    except: Option<Regex>,
}

impl Compiled {
    fn new(row: &Row) -> Self {
        let regex = |pattern| Regex::new(pattern).expect("the tests compile every pattern");
        let except = (!row.except.is_empty()).then(|| regex(row.except));
        Self { name: row.name, pattern: regex(row.pattern), except }
    }

    /// Returns the phrases that match, without phrases in which the match is good English.
    fn find(&self, text: &str) -> Vec<String> {
        let excepted: Vec<_> =
            self.except.iter().flat_map(|except| except.find_iter(text)).map(|found| found.range()).collect();
        let is_excepted = |found: &regex::Match| {
            excepted.iter().any(|range| range.start < found.end() && found.start() < range.end)
        };
        let found = self.pattern.find_iter(text).filter(|found| !is_excepted(found));
        found.map(|found| found.as_str().to_owned()).collect()
    }
}

impl Patterns {
    pub(super) fn new() -> Self {
        Self {
            anywhere: ANYWHERE.iter().map(Compiled::new).collect(),
            first: FIRST.iter().map(Compiled::new).collect(),
        }
    }

    /// Returns the names of the patterns that match, with the phrases.
    pub(super) fn find(&self, text: &str, place: Place) -> Vec<(&'static str, String)> {
        let mut hits = Vec::new();
        let rows: Vec<&Compiled> = match place {
            Place::Document => self.anywhere.iter().collect(),
            Place::Public | Place::Comment => self.first.iter().chain(&self.anywhere).collect(),
        };
        for row in rows {
            hits.extend(row.find(text).into_iter().map(|phrase| (row.name, phrase)));
        }
        let long = sentences(text).filter(|sentence| sentence.split_whitespace().count() > MAX_WORDS);
        hits.extend(long.map(|sentence| {
            let first: Vec<&str> = sentence.split_whitespace().take(5).collect();
            ("long sentence", format!("{} …", first.join(" ")))
        }));
        hits
    }
}

/// Returns the sentences of a text. A sentence ends with a point, a colon, a question mark or an
/// exclamation mark before a space.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let ends = [". ", ": ", "? ", "! ", "; ", "\n", "| "];
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end =
            ends.iter().filter_map(|end| rest.find(end).map(|at| at + end.len())).min().unwrap_or(rest.len());
        let sentence;
        (sentence, rest) = rest.split_at(end);
        Some(sentence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        Patterns::new().find(text, Place::Public).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn each_pattern_finds_one_phrase_and_passes_another() {
        let cases = [
            (
                "Why a route is invalid is none of its concern.",
                "Drops a route if no route is there.",
                "is none",
            ),
            ("Returns the cost and that of the goal.", "Returns the cost of the goal.", "that of"),
            ("Is told when it arrives.", "Triggers `Arrived`.", "tells"),
            ("Makes the order a pending, or answers it.", "Queues a pending order.", "pending"),
            ("Has gone by now.", "Costs no more than two.", "now"),
            ("Waits for somebody.", "Waits for another agent.", "persons"),
            ("Takes, of those that remain, the first.", "Takes the first.", "as it can"),
            ("Drops the way to the goal.", "Makes way for a body that is in the way.", "way"),
            ("Leads on from one that is none.", "Leads on from a missing stop.", "one that"),
            ("The same with a goal.", "Adds a goal.", "first word"),
            ("Whose turn it is.", "Returns the next agent.", "short of a verb"),
        ];
        for (bad, good, name) in cases {
            assert!(names(bad).contains(&name), "{bad}: {:?}", names(bad));
            assert!(!names(good).contains(&name), "{good}: {:?}", names(good));
        }
    }

    #[test]
    fn sentence_of_more_than_thirty_words_is_long() {
        assert_eq!(names(&["Word"; 30].join(" ")), [""; 0]);
        assert_eq!(names(&["Word"; 31].join(" ")), ["long sentence"]);
        assert_eq!(names(&format!("{}. {}", ["Word"; 20].join(" "), ["Word"; 20].join(" "))), [""; 0]);
    }
}
