//! The documents: every link and picture resolves, the first pages stay short, and one table has the versions.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Files and the most lines that they may have.
const MAX_LINES: [(&str, usize); 5] = [
    ("README.md", 150),
    ("crates/bevy_tilepath/README.md", 200),
    ("ARCHITECTURE.md", 200),
    ("CHANGELOG.md", 40),
    ("examples/click_to_move.rs", 200),
];
/// The most lines at the head of the plugin's `lib.rs`.
const MAX_HEAD_LINES: usize = 150;
/// The most words of all documents that the next two constants do not leave out.
const MAX_WORDS: usize = 20_500;
/// Folders whose documents have no limit of words.
const LONG_FOLDERS: [&str; 2] = ["docs/guide", "docs/decisions"];
/// Documents without a limit of words.
const LONG_DOCUMENTS: [&str; 3] = ["CHANGELOG.md", "benches/RESULTS.md", "benches/RECORDS.md"];
/// The most links of the README, pictures included. It names most pages of the guide.
const MAX_LINKS: usize = 34;
/// The most lines of the README's quick start.
const MAX_QUICK_START_LINES: usize = 61;
/// Folders that hold no documents of ours.
const SKIPPED: [&str; 5] = ["target", ".git", "movingai", "book", "node_modules"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate lies two folders deep")
        .to_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Adds all documents below a folder.
fn add_documents(folder: &Path, documents: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let is_skipped = SKIPPED.iter().any(|name| path.ends_with(name));
        if path.is_dir() && !is_skipped {
            add_documents(&path, documents);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            documents.push(path);
        }
    }
}

fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    add_documents(&root(), &mut documents);
    documents.sort();
    documents
}

/// The lines of a document outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The targets of the links and pictures of a line.
fn targets(line: &str) -> Vec<&str> {
    let parts = line.split("](").skip(1);
    parts.filter_map(|part| part.split_once(')')).map(|(target, _)| target).collect()
}

/// The anchors of the headings of a document, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|heading| {
            let title = heading.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter));
            kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        })
        .collect()
}

/// Returns the fault of a link; `None` if it resolves, or leads to the web or to an item. rustdoc
/// checks the links to items.
fn fault(document: &Path, text: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.contains("::") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = document.parent().expect("a document lies in a folder").join(file);
    let is_here = file.is_empty();
    if !is_here && !path.exists() {
        return Some(format!("{}: there is no {target}", document.display()));
    }
    let is_document = is_here || path.extension().is_some_and(|extension| extension == "md");
    if anchor.is_empty() || !is_document {
        return None;
    }
    let known = anchors(&if is_here { text.to_owned() } else { read(&path) });
    let is_known = known.iter().any(|known| known == anchor);
    (!is_known).then(|| format!("{}: there is no heading {target}", document.display()))
}

#[test]
fn every_link_and_picture_resolves() {
    let mut faults = Vec::new();
    let mut links = 0;
    for document in documents() {
        let text = read(&document);
        for target in prose(&text).flat_map(targets) {
            links += 1;
            faults.extend(fault(&document, &text, target));
        }
    }
    assert!(links > 100, "only {links} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The words in backticks of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn every_test_that_holds_a_decision_is_there() {
    let mut held = 0;
    for document in documents()
        .into_iter()
        .filter(|path| path.parent().is_some_and(|folder| folder.ends_with("decisions")))
    {
        let text = read(&document);
        let Some((_, section)) = text.split_once("## Held by\n") else { continue };
        let mut source = String::new();
        for word in section.lines().take_while(|line| !line.starts_with('#')).flat_map(quoted) {
            if word.contains('/') && Path::new(word).extension().is_some_and(|extension| extension == "rs") {
                source = read(&root().join(word));
            } else if word.contains('_') && !word.contains([' ', '/', '(', ':']) {
                held += 1;
                assert!(
                    source.contains(&format!("fn {word}")),
                    "{}: there is no test {word}",
                    document.display()
                );
            }
        }
    }
    assert!(held > 50, "only {held} tests were found");
}

#[test]
fn broken_links_and_anchors_are_faults() {
    let (document, text) = (root().join("README.md"), "# One heading: `code`\n");
    assert_eq!(anchors(text), ["one-heading-code"]);
    for (target, is_fault) in [
        ("CHANGELOG.md", false),
        ("NOTHING.md", true),
        ("#one-heading-code", false),
        ("#another", true),
        ("https://example.org/nothing", false),
    ] {
        assert_eq!(fault(&document, text, target).is_some(), is_fault, "{target}");
    }
}

#[test]
fn pages_keep_their_limits() {
    for (file, most) in MAX_LINES {
        let lines = read(&root().join(file)).lines().count();
        assert!(lines <= most, "{file} has {lines} lines, at most {most} are allowed");
    }
    let readme = read(&root().join("README.md"));
    let links = prose(&readme).flat_map(targets).count();
    assert!(links <= MAX_LINKS, "the README has {links} links, at most {MAX_LINKS} are allowed");
    let (_, quick_start) = readme.split_once("```rust,no_run\n").expect("the README has a quick start");
    let (quick_start, _) = quick_start.split_once("```").expect("the quick start ends");
    let lines = quick_start.lines().count();
    assert!(lines <= MAX_QUICK_START_LINES, "the quick start has {lines} lines");
    let library = read(&root().join("crates/bevy_tilepath/src/lib.rs"));
    let head = library.lines().filter(|line| line.starts_with("//!")).count();
    assert!(head <= MAX_HEAD_LINES, "the head of lib.rs has {head} lines");
}

#[test]
fn readme_has_code_before_set_up() {
    let readme = read(&root().join("README.md"));
    let at = |text: &str| readme.find(text).unwrap_or_else(|| panic!("the README has no {text:?}"));
    assert!(
        at("```rust") < at("## Set-up") && at("```rust") < at("```toml") && at("```rust") < at("cargo run")
    );
}

#[test]
fn documents_keep_their_limit_of_words() {
    let root = root();
    let is_short = |path: &PathBuf| {
        let is_below = |folder: &&str| path.starts_with(root.join(folder));
        !LONG_FOLDERS.iter().any(is_below)
            && !LONG_DOCUMENTS.iter().any(|document| *path == root.join(document))
    };
    let words: usize = documents()
        .iter()
        .filter(|path| is_short(path))
        .map(|path| read(path).split_whitespace().count())
        .sum();
    assert!(words <= MAX_WORDS, "the documents have {words} words, at most {MAX_WORDS} are allowed");
}

/// The examples that have a page of the guide.
fn examples() -> Vec<PathBuf> {
    let small = root().join("crates/bevy_tilepath/examples");
    let files =
        fs::read_dir(small).expect("the folder can be read").map(|entry| entry.expect("a file").path());
    let windows = root().join("examples");
    let names = ["soldier", "waypoints", "doors", "shapes", "crowd", "squad", "towers", "inspector"];
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .chain(names.map(|name| windows.join(name).join("main.rs")))
        .chain([windows.join("click_to_move.rs")])
        .collect()
}

#[test]
fn every_example_names_its_page_of_the_guide() {
    for example in examples() {
        let text = read(&example);
        let page = text.lines().find_map(|line| line.strip_prefix("//! Guide: `")?.strip_suffix("`."));
        let is_there = page.is_some_and(|page| root().join(page).is_file());
        assert!(is_there, "{}: {page:?}", example.display());
    }
}

/// The documents that may name a version of Bevy.
const WITH_VERSIONS: [&str; 3] = ["README.md", "crates/bevy_tilepath/README.md", "CHANGELOG.md"];

/// The rows of the table of versions, below its head, as written.
fn version_rows() -> Vec<String> {
    let text = read(&root().join("crates/bevy_tilepath/README.md"));
    let table = text.lines().skip_while(|line| !line.starts_with("| bevy_tilepath | Bevy |"));
    table.take_while(|line| line.starts_with('|')).skip(2).map(str::to_owned).collect()
}

/// The version that a manifest gives this name.
fn version_in(manifest: &str, name: &str) -> String {
    let text = read(&root().join(manifest));
    let start = format!("{name} = ");
    let line =
        text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{manifest}: {name}"));
    let value = line.split_once("version = \"").map_or(&line[start.len() + 1..], |(_, value)| value);
    value.split('"').next().expect("a split has a first part").to_owned()
}

#[test]
fn table_of_versions_agrees_with_the_manifests() {
    // For each row: plugin and Bevy, and the readers of the editors' files.
    let manifests = [
        ("ports/bevy_0_20/Cargo.toml", "bevy_app", "ports/bevy_0_20/editors/Cargo.toml"),
        ("Cargo.toml", "bevy", "editors/Cargo.toml"),
    ];
    let rows = version_rows();
    assert_eq!(rows.len(), manifests.len());
    for (row, (manifest, bevy, editors)) in rows.iter().zip(manifests) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        for (cell, manifest, name) in [
            (cells[1], manifest, "version"),
            (cells[2], manifest, bevy),
            (cells[3], manifest, "bevy_ecs_tilemap"),
            (cells[4], editors, "bevy_ecs_tiled"),
            (cells[5], editors, "bevy_ecs_ldtk"),
            (cells[6], manifest, "rust-version"),
        ] {
            let version = version_in(manifest, name);
            assert!(
                version == cell || version.starts_with(&format!("{cell}.")),
                "{manifest}: {name} {version}: {cell}"
            );
        }
        // The workflow builds with the Rust that the manifest states.
        let workflow = read(&root().join(".github/workflows/ci.yml"));
        let is_built = |patch: &str| workflow.contains(&format!("rust-toolchain@{}{patch}\n", cells[6]));
        assert!(is_built("") || is_built(".0"), "no job of ci.yml takes Rust {}", cells[6]);
        let folder = cells[7];
        assert!(root().join(folder).join("Cargo.toml").exists(), "{folder}");
    }
}

#[test]
fn only_pages_with_the_table_name_versions_of_bevy() {
    for document in documents() {
        let is_allowed = WITH_VERSIONS.iter().any(|allowed| document == root().join(allowed));
        assert!(
            is_allowed || !read(&document).contains("Bevy 0."),
            "{}: link to the table",
            document.display()
        );
    }
}
