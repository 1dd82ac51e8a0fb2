//! Names of tests and identifiers that must be read twice.

use std::{fs, path::Path};

use proc_macro2::{TokenStream, TokenTree};
use regex::Regex;

/// The patterns for names of `#[test]` functions, with spaces for underscores. Each match counts.
const TESTS: [&str; 6] = [
    r"\b(he|him|his|who|whom|whose|nobody|somebody|everybody)\b",
    r"\b(tell|told|ask|asks|heard|said|knows)\b",
    r"\b(of|by|for|to|in|from|on) (which|whom|what|where|those)\b",
    r"\b(that none|is none|are none|those of|one that|those that)\b",
    r"^(what|whose|who|which|how|why|those|none|of|by|so|as)\b",
    r"\b(is gone|in vain|comes to|no more|any more|as of|goes on by)\b",
];

/// The pattern for identifiers of sources, with spaces for underscores.
const DENIED: &str = r"\b(tell|tells|told|untold|ask again|asked again|vain|gone by)\b|^Led$|InVain";

/// The patterns, compiled.
pub(crate) struct NamePatterns {
    tests: [Regex; 6],
    denied: Regex,
}

impl NamePatterns {
    pub(crate) fn new() -> Self {
        let regex = |pattern: &str| Regex::new(pattern).expect("the tests compile every pattern");
        Self { tests: TESTS.map(regex), denied: regex(DENIED) }
    }

    /// Returns the number of matches in the name of a test.
    pub(crate) fn hits(&self, name: &str) -> usize {
        let words = name.replace('_', " ");
        self.tests.iter().map(|pattern| pattern.find_iter(&words).count()).sum()
    }

    /// Returns the names of tests with hits in a source, once for each hit.
    pub(super) fn tests_in(&self, tokens: TokenStream) -> Vec<String> {
        let names = tests(tokens).into_iter();
        names.flat_map(|name| vec![name.clone(); self.hits(&name)]).collect()
    }

    /// Returns the identifiers of a source that are denied, each once, without names of tests.
    pub(super) fn denied_in(&self, tokens: TokenStream) -> Vec<String> {
        let tests = tests(tokens.clone());
        let mut found = identifiers(tokens);
        found.retain(|name| self.denied.is_match(&name.replace('_', " ")) && !tests.contains(name));
        found.sort();
        found.dedup();
        found
    }
}

/// Reads a source as tokens.
pub(super) fn tokens(path: &Path) -> Result<TokenStream, String> {
    let source = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    source.parse().map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns the names of the `#[test]` functions, also in macros.
fn tests(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let (mut is_test, mut last) = (false, String::new());
    for token in tokens {
        let text = match token {
            TokenTree::Group(group) if last == "#" && group.stream().to_string() == "test" => {
                is_test = true;
                String::new()
            }
            TokenTree::Group(group) => {
                found.extend(tests(group.stream()));
                String::new()
            }
            token => token.to_string(),
        };
        if is_test && last == "fn" {
            found.push(text.clone());
            is_test = false;
        }
        last = text;
    }
    found
}

fn identifiers(tokens: TokenStream) -> Vec<String> {
    let of_token = |token| match token {
        TokenTree::Group(group) => identifiers(group.stream()),
        TokenTree::Ident(name) => vec![name.to_string()],
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(of_token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_counts() {
        let patterns = NamePatterns::new();
        for (name, hits) in [
            ("wall_on_the_path_replans_in_the_same_tick", 0),
            ("door_sends_him_back", 1),
            ("error_is_told_once", 1),
            ("cell_from_which_edges_lead_away", 1),
            ("click_on_the_panel_is_none", 1),
            ("of_equal_goals_the_first_is_taken", 1),
            ("agent_waits_in_vain", 1),
            ("who_is_named_twice_is_told", 3),
        ] {
            assert_eq!(patterns.hits(name), hits, "{name}");
        }
    }

    #[test]
    fn tests_are_found_in_modules_and_macros() {
        let source = "fn one() {} #[test] #[should_panic] fn two() {} \
            mod tests { proptest! { #![config(1)] #[test] fn three(a in 1..2) { fn four() {} } } }";
        assert_eq!(tests(source.parse().unwrap()), ["two", "three"]);
    }

    #[test]
    fn denied_identifier_is_listed_once() {
        let source = "fn tell(told: u8) { tell(told); let teller = asked_in_vain; struct AskedInVain; }";
        let denied = NamePatterns::new().denied_in(source.parse().unwrap());
        assert_eq!(denied, ["AskedInVain", "asked_in_vain", "tell", "told"]);
    }
}
