//! Renaming of functions by a list: `path old new` on each line.

use std::{fs, path::Path};

use regex::Regex;

use crate::{git::git, words::NamePatterns};

/// A function that gets another name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Renamed {
    pub(crate) path: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Reads the list.
///
/// # Errors
///
/// If the file cannot be read, or if a line does not have three words.
pub(crate) fn read(file: &Path) -> Result<Vec<Renamed>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let renamed = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [path, old, new] => Ok(Renamed { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }),
        _ => Err(format!("`{line}` is not `path old new`")),
    };
    text.lines().filter(|line| !line.is_empty()).map(renamed).collect()
}

/// Renames each function in its file, and in documents where the path of its file stands before it.
///
/// # Errors
///
/// If a function is not exactly once in its file, if its new name is there, or if this name has a
/// hit in `words`. Then nothing is written for this line and those after it.
pub(crate) fn run(file: &Path) -> Result<(), String> {
    let patterns = NamePatterns::new();
    let documents = git(&["ls-files", "--", "*.md"])?;
    for renamed in read(file)? {
        let Renamed { path, old, new } = &renamed;
        if patterns.hits(new) > 0 {
            return Err(format!("{path}: `{new}` must be read twice"));
        }
        let source = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        write(path, &in_source(&source, old, new).map_err(|error| format!("{path}: {error}"))?)?;
        for document in documents.lines() {
            let text = fs::read_to_string(document).map_err(|error| format!("{document}: {error}"))?;
            let changed = in_document(&text, &renamed);
            if changed != text {
                write(document, &changed)?;
            }
        }
    }
    Ok(())
}

fn write(path: &str, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{path}: {error}"))
}

fn in_source(source: &str, old: &str, new: &str) -> Result<String, String> {
    let word = |name: &str| Regex::new(&format!(r"\b{name}\b")).map_err(|error| error.to_string());
    let defined = source.matches(&format!("fn {old}(")).count();
    if defined != 1 {
        return Err(format!("`fn {old}(` is there {defined} times"));
    }
    if word(new)?.is_match(source) {
        return Err(format!("`{new}` is there already"));
    }
    Ok(word(old)?.replace_all(source, new).into_owned())
}

/// Renames the function where it stands in backquotes and the last path before it is its file.
fn in_document(text: &str, renamed: &Renamed) -> String {
    let mut last = "";
    let parts = text.split('`').map(|part| {
        let is_source = Path::new(part).extension().is_some_and(|extension| extension == "rs");
        if is_source && part.contains('/') {
            last = part;
        }
        if part == renamed.old && last == renamed.path { renamed.new.as_str() } else { part }
    });
    parts.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn function_is_renamed_once_in_its_file() {
        let source = "fn old() {}\nfn older() { old() }";
        assert_eq!(in_source(source, "old", "young").as_deref(), Ok("fn young() {}\nfn older() { young() }"));
        assert!(in_source(source, "gone", "young").unwrap_err().contains("0 times"));
        assert!(in_source(source, "old", "older").unwrap_err().contains("already"));
    }

    #[test]
    fn document_is_changed_behind_the_path_only() {
        let [path, old, new] = ["a/b.rs", "old", "new"].map(str::to_owned);
        let text = "`old`; `a/b.rs`: `old`, `older`; `a/c.rs`: `old`";
        let changed = "`old`; `a/b.rs`: `new`, `older`; `a/c.rs`: `old`";
        assert_eq!(in_document(text, &Renamed { path, old, new }), changed);
    }
}
