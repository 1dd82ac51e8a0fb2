//! The guide as a book: its pages, their links, and the program and picture of each page.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// The folder of the book, from the root of the repository.
const BOOK: &str = "docs/guide";

/// Checks all pages. Then builds the book, if there is `mdbook`.
///
/// # Errors
///
/// If a page has a fault, if a file cannot be read, or if `mdbook` fails. The message lists the faults.
pub(crate) fn run() -> Result<(), String> {
    let faults = faults(&Path::new(BOOK).join("src"))?;
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let has_mdbook = Command::new("mdbook").arg("--version").output().is_ok();
    if !has_mdbook {
        return Ok(());
    }
    let folder = std::path::absolute("target/guide").map_err(|error| error.to_string())?;
    let built = Command::new("mdbook").args(["build", BOOK, "--dest-dir"]).arg(folder).status();
    if built.is_ok_and(|status| status.success()) { Ok(()) } else { Err("mdbook build".to_owned()) }
}

/// Returns the faults of the book in this folder.
fn faults(folder: &Path) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            pages.insert(name, text.replace("\r\n", "\n"));
        }
    }
    let summary = pages.remove("SUMMARY.md").ok_or("there is no SUMMARY.md")?;
    let listed: Vec<(&str, &str)> = summary.lines().flat_map(links).collect();
    let mut faults = Vec::new();
    for name in pages.keys().filter(|name| listed.iter().all(|(_, target)| target != name)) {
        faults.push(format!("{name}: SUMMARY.md does not list it"));
    }
    for (index, (_, name)) in listed.iter().enumerate() {
        let Some(text) = pages.get(*name) else {
            faults.push(format!("SUMMARY.md: there is no {name}"));
            continue;
        };
        let is_picture = |target: &str| folder.join(target).is_file();
        let found = page_faults(text, &pages, is_picture);
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
        let before = index.checked_sub(1).map(|before| listed[before]);
        let line = neighbours(before, listed.get(index + 1).copied());
        if text.lines().last() != Some(&line) {
            faults.push(format!("{name}: the last line is not: {line}"));
        }
    }
    Ok(faults)
}

/// Returns the last line of a page between two others.
fn neighbours(before: Option<(&str, &str)>, after: Option<(&str, &str)>) -> String {
    let link = |word: &str, page: Option<(&str, &str)>| {
        page.map(|(title, target)| format!("{word}: [{title}]({target})"))
    };
    let parts = [link("Previous", before), link("Next", after)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns the faults of one page: dead links, links out of the book, no picture, no program that runs.
fn page_faults(text: &str, pages: &BTreeMap<String, String>, is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    let mut has_picture = false;
    for (_, target) in prose(text).flat_map(links) {
        if target.contains("://") {
            continue;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        if is_file(file) && !pages.contains_key(file) {
            has_picture |= Path::new(file).extension().is_some_and(|extension| extension == "png");
            if file.contains("..") {
                faults.push(format!("{target} leads out of the book"));
            }
            continue;
        }
        let page = if file.is_empty() { Some(text) } else { pages.get(file).map(String::as_str) };
        match page {
            None => faults.push(format!("there is no page {target}")),
            Some(page) if !anchor.is_empty() && !anchors(page).any(|known| known == anchor) => {
                faults.push(format!("there is no heading {target}"));
            }
            Some(_) => {}
        }
    }
    if !has_picture {
        faults.push("the page has no picture".to_owned());
    }
    if !text.lines().any(|line| line == "```rust") {
        faults.push("the page has no program that runs".to_owned());
    }
    faults
}

/// Returns the lines outside of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the links and pictures of a line: text and target.
fn links(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts: Vec<&str> = line.split("](").collect();
    let pairs: Vec<(&str, &str)> = parts
        .windows(2)
        .filter_map(|pair| {
            let (_, text) = pair[0].rsplit_once('[')?;
            Some((text, pair[1].split_once(')')?.0))
        })
        .collect();
    pairs.into_iter()
}

/// Returns the anchors of the headings, as mdbook and GitHub make them.
fn anchors(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter(|line| line.starts_with('#')).map(|heading| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A page\n\n![A unit](pictures/a.png)\n\n```rust\nlet a = b[0](c);\n```\n";

    fn faults_of(more: &str) -> Vec<String> {
        let pages = BTreeMap::from([("b.md".to_owned(), "# Other\n\n## Fog of war\n".to_owned())]);
        page_faults(&format!("{PAGE}{more}"), &pages, |file| file.contains("png") || file == "../README.md")
    }

    #[test]
    fn the_guide_has_no_fault() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(BOOK).join("src");
        assert_eq!(faults(&folder).unwrap(), [""; 0]);
    }

    #[test]
    fn good_links_are_no_faults() {
        assert_eq!(faults_of("[x](b.md) [y](b.md#fog-of-war) [z](#a-page) [w](https://a.b)"), [""; 0]);
    }

    #[test]
    fn dead_links_are_faults() {
        assert_eq!(faults_of("[x](c.md)"), ["there is no page c.md"]);
        assert_eq!(faults_of("[x](b.md#fog)"), ["there is no heading b.md#fog"]);
        assert_eq!(faults_of("[x](../README.md)"), ["../README.md leads out of the book"]);
    }

    #[test]
    fn page_without_picture_or_program_is_a_fault() {
        let found = page_faults("# A\n\n```rust,no_run\n```\n", &BTreeMap::new(), |_| false);
        assert_eq!(found, ["the page has no picture", "the page has no program that runs"]);
    }

    #[test]
    fn last_line_leads_to_both_neighbours() {
        let (a, b) = (Some(("A", "a.md")), Some(("B", "b.md")));
        assert_eq!(neighbours(a, b), "Previous: [A](a.md) · Next: [B](b.md)");
        assert_eq!(neighbours(None, b), "Next: [B](b.md)");
    }
}
