//! Layers: the modules of each crate import only from the layers above them in ARCHITECTURE.md.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the layers of a crate from ARCHITECTURE.md, the lowest first. Modules in one line do not
/// import each other.
fn layers(name: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the document is there");
    let listed = text
        .lines()
        .skip_while(|line| *line != format!("layers: {name}"))
        .skip(1)
        .take_while(|line| !line.starts_with("```"))
        .enumerate()
        .flat_map(|(level, line)| line.split_whitespace().map(move |module| (module.to_owned(), level)));
    listed.collect()
}

/// Returns the source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the modules at the crate's root that a source names, without its tests and comments.
fn named(source: &str) -> BTreeSet<String> {
    let code = source
        .split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        // Strings are not imports: serde names the stored form of a type in a string.
        .map(|line| line.split('"').step_by(2).collect::<String>())
        .collect::<Vec<_>>()
        .join(" ");
    let mut found = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        let word = |text: &str| -> String {
            text.trim_start()
                .chars()
                .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                .collect()
        };
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 0_i32;
        let mut begins = true;
        for (at, letter) in group.char_indices() {
            if begins && letter.is_alphabetic() {
                found.insert(word(&group[at..]));
                begins = false;
            }
            match letter {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => begins = true,
                _ => {}
            }
        }
    }
    found
}

fn check(name: &str) {
    let folder = root().join("crates").join(name).join("src");
    let layers = layers(name);
    assert!(layers.len() > 5, "ARCHITECTURE.md lists the layers of {name}");
    let (mut faults, mut imports) = (Vec::new(), 0);
    for path in sources(&folder) {
        let inside = path.strip_prefix(&folder).expect("found below it").with_extension("");
        let module = inside.iter().next().expect("a file has a name").to_string_lossy().into_owned();
        if module == "lib" {
            continue;
        }
        let Some(own) = layers.get(&module) else {
            faults.push(format!("{module} is in no layer"));
            continue;
        };
        let source = fs::read_to_string(&path).expect("a source");
        for other in named(&source).into_iter().filter(|other| *other != module) {
            // Names at the crate's root are the public interface, for documentation and tests.
            if let Some(level) = layers.get(&other) {
                imports += 1;
                if level >= own {
                    faults.push(format!("{} imports from {other}", inside.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "imports that climb in {name}: {faults:#?}");
    assert!(imports > 50, "{imports} imports of {name} were seen");
}

#[test]
fn imports_of_the_core_go_one_way() {
    check("tilepath");
}

#[test]
fn imports_of_the_plugin_go_one_way() {
    check("bevy_tilepath");
}

#[test]
fn names_are_found_in_groups_in_paths_and_not_in_comments() {
    let source = "use crate::{\n    map::{door::Door, place::Place},\n    order,\n};\n// crate::walk\nfn f() { \
                  crate::search::plugin() }\n#[cfg(test)]\nmod tests {\n    use crate::query;\n}";
    assert_eq!(named(source), ["map", "order", "search"].map(String::from).into());
}

/// Returns the files of the plugin that contain one of these texts, without comments and tests.
fn places(texts: &[&str]) -> Vec<String> {
    let folder = root().join("crates/bevy_tilepath/src");
    let mut found = Vec::new();
    for path in sources(&folder) {
        let source = fs::read_to_string(&path).expect("a source");
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let inside = path.strip_prefix(&folder).expect("found below it").display().to_string();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        found.extend(
            lines.filter(|line| texts.iter().any(|text| line.contains(text))).map(|_| inside.clone()),
        );
    }
    found.sort();
    found
}

#[test]
fn the_state_of_an_order_is_written_in_one_place_each() {
    assert_eq!(
        places(&["= PathStatus::", "set_if_neq(PathStatus", "set_if_neq(status"]),
        ["order/status.rs"]
    );
    assert_eq!(places(&["pending_events.push("]), ["order/queue.rs"], "RequestQueue::tell takes events");
    assert_eq!(places(&["self.fresh.insert("]), ["order/queue.rs"], "RequestQueue::ask_again takes orders");
    let arrived = places(&["PendingEvent::Arrived {"]);
    assert_eq!(arrived, ["report/publish.rs", "report/publish.rs", "walk/follow.rs"], "a path has one end");
}
