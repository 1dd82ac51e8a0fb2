//! Circles of imports: at most four files in the plugin, and in the core only the listed circles.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The path of a module, from the root of its crate.
type Module = Vec<String>;

/// Returns the files of a crate with their code, without comments, strings and tests.
fn files(name: &str) -> BTreeMap<Module, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates").join(name).join("src");
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let inside = path.strip_prefix(&folder).expect("found below it").with_extension("");
            let module: Module = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if path.is_dir() {
                folders.push(path);
            } else if module != ["lib"] && module.last().is_some_and(|last| last != "tests") {
                found.insert(module, code_of(&fs::read_to_string(&path).expect("a source")));
            }
        }
    }
    found
}

fn code_of(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.map(|line| line.split('"').step_by(2).collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// Returns all paths in the text of an import: `a::{b, c::d}` are `a::b` and `a::c::d`.
fn expand(before: &[String], text: &str, found: &mut Vec<Module>) {
    let (mut depth, mut from) = (0, 0);
    for (at, letter) in text.char_indices().chain([(text.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = text[from..at].trim();
                from = at + 1;
                // A group can end with a comma.
                if item.is_empty() {
                    continue;
                }
                let (head, group) =
                    item.split_once('{').map_or((item, None), |(head, rest)| (head, Some(rest)));
                let head = head.split(" as ").next().unwrap_or_default();
                let parts = head.split("::").map(str::trim).filter(|part| !part.is_empty());
                let path: Module = before.iter().cloned().chain(parts.map(str::to_owned)).collect();
                match group {
                    Some(group) => expand(&path, group.strip_suffix('}').unwrap_or(group), found),
                    None => found.push(path),
                }
            }
            _ => {}
        }
    }
}

/// Returns the files that a file names in `use` lines and in paths.
fn named(module: &Module, code: &str, files: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("use ") {
        expand(&[], code[at + 4..].split(';').next().unwrap_or_default(), &mut paths);
    }
    for start in ["crate::", "super::", "self::"] {
        for (at, _) in code.match_indices(start) {
            let is_path = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
            let path = code[at..].split(|letter| !is_path(letter)).next().unwrap_or_default();
            // Groups in braces are part of the imports above.
            if !path.ends_with(':') {
                expand(&[], path, &mut paths);
            }
        }
    }
    let mut found = BTreeSet::new();
    for path in paths {
        let mut full = module.clone();
        let mut parts = path.iter();
        match parts.next().map(String::as_str) {
            Some("crate") => full.clear(),
            Some("super") => _ = full.pop(),
            Some("self") => {}
            Some(child) if files.contains_key(&[full.as_slice(), &[child.to_owned()]].concat()) => {
                full.push(child.to_owned());
            }
            _ => continue,
        }
        for part in parts {
            if part == "super" { _ = full.pop() } else { full.push(part.clone()) }
        }
        while !full.is_empty() && !files.contains_key(&full) {
            full.pop();
        }
        if !full.is_empty() && full != *module {
            found.insert(full);
        }
    }
    found
}

/// Returns the circles, the largest first. Each file of a circle leads to all its other files.
fn circles(name: &str) -> Vec<Vec<String>> {
    let files = files(name);
    let imports: BTreeMap<&Module, BTreeSet<Module>> =
        files.iter().map(|(module, code)| (module, named(module, code, &files))).collect();
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 200, "imports of {name} were seen");
    let reached = |from: &Module| {
        let mut seen = BTreeSet::new();
        let mut left = vec![from];
        while let Some(next) = left.pop() {
            left.extend(imports[next].iter().filter(|&other| seen.insert(other.clone())));
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|&module| (module, reached(module))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (module, there) in &reached {
        let circle: Vec<String> = (there.iter().filter(|other| reached[other].contains(*module)))
            .map(|module| module.join("/"))
            .collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    found
}

#[test]
fn no_circle_of_the_plugin_has_more_than_four_files() {
    let large: Vec<_> = circles("bevy_tilepath").into_iter().filter(|circle| circle.len() > 4).collect();
    assert!(large.is_empty(), "{large:#?}");
}

#[test]
fn the_circles_of_the_core_are_these() {
    let large: Vec<(usize, String)> = (circles("tilepath").into_iter())
        .filter(|circle| circle.len() > 4)
        .map(|circle| (circle.len(), circle[0].clone()))
        .collect();
    // Circles of types with methods in child modules. These numbers only fall.
    let known = [(8, "crowd"), (5, "format"), (5, "recording")];
    let known: Vec<(usize, String)> = known.map(|(files, first)| (files, first.to_owned())).to_vec();
    assert_eq!(large, known, "files of each circle, and its first");
}

#[test]
fn groups_of_imports_are_taken_apart() {
    let mut found = Vec::new();
    expand(&[], "a::{b, c::{d as e, f}}", &mut found);
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["a::b", "a::c::d", "a::c::f"]);
}
