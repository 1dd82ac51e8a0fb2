//! Checks of what an archive contains.

use std::{
    env, fs,
    path::{Component, Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{
    archive::Archive,
    files::{files_below, read, size},
    included::included,
    links,
};

/// The most bytes of an archive, packed or unpacked.
const MAX_BYTES: u64 = 2_000_000;
const NEEDED_FILES: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-APACHE", "LICENSE-MIT"];
const NEEDED_FIELDS: [&str; 7] =
    ["description", "license", "repository", "homepage", "documentation", "readme", "rust_version"];
const PICTURES: [&str; 5] = ["png", "gif", "jpg", "jpeg", "webp"];
const FOREIGN_FOLDERS: [&str; 4] = ["tests/", "api/", "assets/", "benches/"];
const KEYWORDS: usize = 5;
/// crates.io's limits.
const MAX_KEYWORD_LETTERS: usize = 20;
const MAX_CATEGORIES: usize = 5;
/// Categories of crates.io that fit.
const CATEGORIES: [&str; 8] = [
    "algorithms",
    "data-structures",
    "game-development",
    "game-engines",
    "games",
    "mathematics",
    "science",
    "simulation",
];

/// A file of an archive: its path from the archive's folder, with `/`, and its size.
type Listed = (String, u64);

/// Checks the content of an archive.
///
/// # Errors
///
/// If a file cannot be read, or a check fails. The message has all faults.
pub(super) fn check(archive: &Archive) -> Result<(), String> {
    let mut listing: Vec<Listed> = Vec::new();
    for path in files_below(&archive.folder)? {
        listing.push((name_in(&archive.folder, &path), size(&path)?));
    }
    let mut faults = faults_of_listing(&listing, archive.packed_bytes);
    faults.extend(faults_of_metadata(&metadata(&archive.folder)?));
    let places = places_of_this_machine();
    for (name, _) in &listing {
        let path = archive.folder.join(name);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        faults.extend(faults_of_text(name, &String::from_utf8_lossy(&bytes), &places));
    }
    if let Ok(readme) = read(&archive.folder.join("README.md")) {
        faults.extend(
            links::relative(&readme).iter().map(|link| format!("README.md has the relative link {link}")),
        );
    }
    for (name, _) in listing.iter().filter(|(name, _)| name.starts_with("src/")) {
        faults.extend(faults_of_source(name, &read(&archive.folder.join(name))?, &listing)?);
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("{}:\n{}", archive.name, faults.join("\n"))) }
}

/// Returns the entry of a package in the output of `cargo metadata`.
///
/// # Errors
///
/// If cargo cannot read the manifest.
pub(crate) fn metadata(folder: &Path) -> Result<Value, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
    let output = cargo.arg(folder.join("Cargo.toml")).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let all: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let manifest = fs::canonicalize(folder.join("Cargo.toml")).map_err(|error| error.to_string())?;
    let is_this = |package: &&Value| {
        let path = package["manifest_path"].as_str().map(fs::canonicalize);
        path.is_some_and(|path| path.is_ok_and(|path| path == manifest))
    };
    let package = all["packages"].as_array().and_then(|packages| packages.iter().find(is_this));
    package.cloned().ok_or_else(|| format!("{}: cargo metadata has no such package", folder.display()))
}

fn name_in(folder: &Path, path: &Path) -> String {
    let names = path.strip_prefix(folder).unwrap_or(path).components();
    names.map(|name| name.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Returns the folders that no archive may name: the tree, and the home of the user.
fn places_of_this_machine() -> Vec<String> {
    let home = ["HOME", "USERPROFILE", "CARGO_HOME"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let places = home.chain(env::current_dir()).filter(|place| place.components().count() > 1);
    places.map(|place| format!("{}{}", place.display(), std::path::MAIN_SEPARATOR)).collect()
}

fn faults_of_listing(listing: &[Listed], packed_bytes: u64) -> Vec<String> {
    let mut faults = Vec::new();
    for needed in NEEDED_FILES.iter().filter(|needed| listing.iter().all(|(name, _)| name != *needed)) {
        faults.push(format!("{needed} is missing"));
    }
    for (name, _) in listing {
        if FOREIGN_FOLDERS.iter().any(|folder| name.starts_with(folder)) {
            faults.push(format!("{name} is not for users: exclude its folder"));
        }
        if Path::new(name).extension().is_some_and(|own| PICTURES.iter().any(|picture| own == *picture)) {
            faults.push(format!("{name} is a picture: link to the one in the repository"));
        }
    }
    let unpacked_bytes: u64 = listing.iter().map(|(_, bytes)| bytes).sum();
    for (state, bytes) in [("packed", packed_bytes), ("unpacked", unpacked_bytes)] {
        if bytes > MAX_BYTES {
            faults.push(format!("the archive has {bytes} bytes {state}, at most {MAX_BYTES} are allowed"));
        }
    }
    faults
}

fn faults_of_metadata(package: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for field in NEEDED_FIELDS.iter().filter(|field| package[**field].as_str().is_none_or(str::is_empty)) {
        faults.push(format!("Cargo.toml has no {}", field.replace('_', "-")));
    }
    let words = |field: &str| -> Vec<String> {
        let list = package[field].as_array().into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (keywords, categories) = (words("keywords"), words("categories"));
    if keywords.len() != KEYWORDS {
        faults.push(format!("Cargo.toml has {} keywords, not {KEYWORDS}", keywords.len()));
    }
    for keyword in keywords.iter().filter(|keyword| !is_keyword(keyword)) {
        faults.push(format!(
            "the keyword {keyword:?} is refused by crates.io: at most {MAX_KEYWORD_LETTERS} of a-z, 0-9, _, -, +, a letter first"
        ));
    }
    if categories.is_empty() || categories.len() > MAX_CATEGORIES {
        faults.push(format!("Cargo.toml has {} categories, not 1 to {MAX_CATEGORIES}", categories.len()));
    }
    for category in categories.iter().filter(|category| !CATEGORIES.contains(&category.as_str())) {
        faults.push(format!("the category {category:?} does not stand in {CATEGORIES:?}"));
    }
    faults
}

fn is_keyword(keyword: &str) -> bool {
    keyword.len() <= MAX_KEYWORD_LETTERS
        && keyword.starts_with(|letter: char| letter.is_ascii_lowercase())
        && keyword
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "_-+".contains(letter))
}

fn faults_of_text(name: &str, text: &str, places: &[String]) -> Vec<String> {
    let named = places.iter().filter(|place| text.contains(place.as_str()));
    named.map(|place| format!("{name} names a folder of this machine: {place}")).collect()
}

fn faults_of_source(name: &str, source: &str, listing: &[Listed]) -> Result<Vec<String>, String> {
    if Path::new(name).extension().is_none_or(|extension| extension != "rs") {
        return Ok(Vec::new());
    }
    let paths = included(source).map_err(|error| format!("{name}: {error}"))?;
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    let missing = paths.iter().filter(|path| {
        let target = normal(&folder.join(path));
        target.is_none_or(|target| listing.iter().all(|(name, _)| *name != target))
    });
    Ok(missing.map(|path| format!("{name} includes {path}, which is not in the archive")).collect())
}

/// Returns the path without `..`, or `None` if it leaves the archive.
fn normal(path: &Path) -> Option<String> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(names.pop()?),
            name => names.push(name.as_os_str().to_string_lossy().into_owned()),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listing(names: &[&str]) -> Vec<Listed> {
        names.iter().map(|name| ((*name).to_owned(), 10)).collect()
    }

    #[test]
    fn complete_listing_has_no_fault_and_each_fault_is_named() {
        let complete = [&NEEDED_FILES[..], &["src/lib.rs", "docs/a.rs"]].concat();
        assert!(faults_of_listing(&listing(&complete), 100).is_empty());
        let faulty =
            listing(&["Cargo.toml", "README.md", "LICENSE-MIT", "tests/a.rs", "docs/a.png", "api/a.txt"]);
        let faults = faults_of_listing(&faulty, MAX_BYTES + 1);
        assert_eq!(faults.len(), 5, "{faults:?}");
        for part in
            ["LICENSE-APACHE is missing", "tests/a.rs", "docs/a.png", "api/a.txt", "2000001 bytes packed"]
        {
            assert!(faults.iter().any(|fault| fault.contains(part)), "{part}: {faults:?}");
        }
        let large = [listing(&complete), vec![("src/large.rs".to_owned(), MAX_BYTES)]].concat();
        assert!(faults_of_listing(&large, 1).iter().any(|fault| fault.contains("bytes unpacked")));
    }

    fn package() -> Value {
        json!({
            "description": "Paths.", "license": "MIT", "repository": "r", "homepage": "h", "documentation": "d",
            "readme": "README.md", "rust_version": "1.95", "categories": ["game-development"],
            "keywords": ["bevy", "pathfinding", "tilemap", "gamedev", "astar"],
        })
    }

    #[test]
    fn metadata_without_a_field_is_a_fault() {
        assert_eq!(faults_of_metadata(&package()), Vec::<String>::new());
        for field in NEEDED_FIELDS {
            for value in [Value::Null, json!("")] {
                let mut package = package();
                package[field] = value;
                assert_eq!(
                    faults_of_metadata(&package),
                    [format!("Cargo.toml has no {}", field.replace('_', "-"))]
                );
            }
        }
    }

    #[test]
    fn keywords_and_categories_follow_the_rules_of_the_registry() {
        for (field, value) in [
            ("keywords", json!(["a", "b", "c", "d"])),
            ("keywords", json!(["a", "b", "c", "d", "with space"])),
            ("keywords", json!(["a", "b", "c", "d", "a-word-of-21-letters-x"])),
            ("categories", json!([])),
            ("categories", json!(["pathfinding"])),
        ] {
            let mut package = package();
            package[field] = value;
            assert_eq!(faults_of_metadata(&package).len(), 1, "{package}");
        }
    }

    #[test]
    fn folder_of_this_machine_is_a_fault() {
        let places = ["/home/somebody/".to_owned()];
        assert_eq!(faults_of_text("a.rs", "open(\"/home/somebody/a\")", &places).len(), 1);
        assert!(faults_of_text("a.rs", "open(\"home\")", &places).is_empty());
    }

    #[test]
    fn included_file_outside_of_the_archive_is_a_fault() {
        let source = "#![doc = include_str!(\"../docs/a.md\")]\nmod b;";
        let faults = |names: &[&str]| faults_of_source("src/lib.rs", source, &listing(names)).unwrap();
        assert!(faults(&["src/lib.rs", "docs/a.md"]).is_empty());
        assert!(faults(&["src/lib.rs"])[0].contains("includes ../docs/a.md"));
        let outside =
            faults_of_source("src/lib.rs", "const A: &str = include_str!(\"../../a\");", &listing(&["a"]));
        assert_eq!(outside.unwrap().len(), 1);
    }
}
