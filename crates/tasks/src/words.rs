//! Phrases that must be read twice, counted in comments, documents and messages.

mod names;
mod patterns;
mod text;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

pub(crate) use names::NamePatterns;
use patterns::Patterns;
use text::{Block, Place};

/// The most hits in comments that are not public, and in documents. This number only falls.
const MAX_ELSEWHERE: usize = 29;

/// The most hits in names of tests. This number only falls.
const MAX_TEST_NAMES: usize = 125;

/// The most denied identifiers in `crates/*/src`, each counted once a file. This number only falls.
const MAX_IDENTIFIERS: usize = 75;

/// The folders that are read, beside the documents at the root.
const FOLDERS: [&str; 6] = ["crates", "examples", "editors", "net", "benches", "docs"];

/// The sources of the published crates.
const PUBLISHED: [&str; 2] = ["crates/tilepath/src", "crates/bevy_tilepath/src"];

/// Counts hits in the whole tree, or in the given files and folders.
///
/// # Errors
///
/// If a public docstring, a module head or a message of a published crate has a hit. If the number
/// of hits elsewhere is not [`MAX_ELSEWHERE`]. If a file cannot be read. The message lists the
/// hits. Names of tests and identifiers are counted in the whole tree only.
pub(crate) fn run(paths: &[PathBuf]) -> Result<(), String> {
    let patterns = Patterns::new();
    let mut public = Vec::new();
    let mut elsewhere = Vec::new();
    let files = files(paths)?;
    if paths.is_empty() {
        count_names(&files)?;
    }
    for path in files {
        let content = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for block in text::blocks(&path, &content, is_published(&path))? {
            let hits = if block.place == Place::Public { &mut public } else { &mut elsewhere };
            hits.extend(hits_in(&patterns, &path, &block));
        }
    }
    report(&public, &elsewhere, paths.is_empty())
}

/// Counts hits in names of tests and identifiers.
fn count_names(files: &[PathBuf]) -> Result<(), String> {
    let patterns = NamePatterns::new();
    let (mut tests, mut identifiers) = (Vec::new(), Vec::new());
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let tokens = names::tokens(path)?;
        let in_file = |name: String| format!("{}: {name}", path.display());
        if path.starts_with("crates")
            && path.components().nth(2).is_some_and(|part| part.as_os_str() == "src")
        {
            identifiers.extend(patterns.denied_in(tokens.clone()).into_iter().map(in_file));
        }
        tests.extend(patterns.tests_in(tokens).into_iter().map(in_file));
    }
    only_falls("MAX_TEST_NAMES", &tests, MAX_TEST_NAMES)?;
    only_falls("MAX_IDENTIFIERS", &identifiers, MAX_IDENTIFIERS)
}

fn only_falls(constant: &str, hits: &[String], most: usize) -> Result<(), String> {
    match hits.len() {
        count if count == most => Ok(()),
        count if count < most => Err(format!("lower {constant} in crates/tasks/src/words.rs to {count}")),
        count => Err(format!("{}\n{count} hits are more than {constant}: {most}", hits.join("\n"))),
    }
}

/// A phrase that must be read twice.
struct Hit {
    pattern: &'static str,
    line: String,
}

fn hits_in(patterns: &Patterns, path: &Path, block: &Block) -> Vec<Hit> {
    let found = patterns.find(&block.text, block.place);
    found
        .into_iter()
        .map(|(pattern, phrase)| Hit {
            pattern,
            line: format!("{}:{}: {pattern}: {phrase}", path.display(), block.line),
        })
        .collect()
}

fn report(public: &[Hit], elsewhere: &[Hit], is_whole: bool) -> Result<(), String> {
    let mut message = String::new();
    let mut list = |hits: &[Hit]| hits.iter().for_each(|hit| _ = writeln!(message, "{}", hit.line));
    list(public);
    let is_over = elsewhere.len() > MAX_ELSEWHERE;
    if is_over || !is_whole {
        list(elsewhere);
    }
    for (zone, hits) in [("public", public), ("elsewhere", elsewhere)] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for hit in hits {
            *counts.entry(hit.pattern).or_default() += 1;
        }
        _ = writeln!(message, "{zone}: {} {counts:?}", hits.len());
    }
    if is_whole && public.is_empty() && elsewhere.len() < MAX_ELSEWHERE {
        _ = writeln!(message, "lower MAX_ELSEWHERE in crates/tasks/src/words.rs to {}", elsewhere.len());
        return Err(message);
    }
    let is_good = public.is_empty() && (if is_whole { !is_over } else { elsewhere.is_empty() });
    if is_good { Ok(()) } else { Err(message) }
}

/// Returns whether a file belongs to the sources of a published crate.
fn is_published(path: &Path) -> bool {
    PUBLISHED.iter().any(|folder| path.starts_with(folder))
}

/// Returns the given files and all files in the given folders, sorted. Without arguments, returns
/// all files of the tree.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    if paths.is_empty() {
        for folder in FOLDERS {
            add_files(Path::new(folder), &mut found)?;
        }
        add_documents(&mut found)?;
    }
    for path in paths {
        let path = path.strip_prefix("./").unwrap_or(path);
        if path.is_dir() { add_files(path, &mut found)? } else { found.push(path.to_owned()) }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Adds the documents beside `Cargo.toml`.
fn add_documents(found: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(".").map_err(|error| format!("the tree: {error}"))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let path = path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    Ok(())
}

fn add_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let name = folder.file_name().unwrap_or_default();
    if name == "target" || !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() {
            add_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "md") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, content: &str) -> Vec<String> {
        let (patterns, path) = (Patterns::new(), Path::new(path));
        let blocks = text::blocks(path, content, is_published(path)).unwrap();
        blocks.iter().flat_map(|block| hits_in(&patterns, path, block)).map(|hit| hit.line).collect()
    }

    #[test]
    fn hit_names_file_line_pattern_and_phrase() {
        let content = "/// Returns the cost.\n///\n/// Why a route is none.\nfn cost() {}\n";
        assert_eq!(
            hits("crates/tilepath/src/cost.rs", content),
            [
                "crates/tilepath/src/cost.rs:3: first word: Why",
                "crates/tilepath/src/cost.rs:3: is none: is none"
            ]
        );
    }

    #[test]
    fn messages_are_read_in_published_crates_and_not_in_their_tests() {
        let content = "const A: &str = \"{told}: the cost is none\";\n#[cfg(test)]\nmod tests { const B: &str = \"it is none\"; }";
        assert_eq!(hits("crates/tilepath/src/cost.rs", content).len(), 1);
        assert_eq!(hits("crates/soak/src/cost.rs", content), [""; 0]);
    }

    #[test]
    fn examples_in_documentation_are_no_words() {
        let content = "/// Returns the cost.\n/// ```\n/// let told = 1;\n/// ```\nfn cost() {}\n";
        assert_eq!(hits("crates/tilepath/src/cost.rs", content), [""; 0]);
        assert_eq!(hits("README.md", "A cost.\n```\nlet told = 1;\n```\n"), [""; 0]);
    }
}
