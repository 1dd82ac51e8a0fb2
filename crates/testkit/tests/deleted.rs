//! Deleted items and dependencies that must not come back.

use std::{fs, path::Path, process::Command};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn public_items_contain_no_deleted_name() {
    const DELETED: [&str; 12] = [
        "find_many",
        "finish_into",
        "formation::assign",
        "only_for",
        "OutcomeKind",
        "PathSummary",
        "RecordedTick::from_ron",
        "RecordedTick::to_ron",
        "Recording::to_json",
        "solve_into",
        "solve_places",
        "RecordedTick::FORMAT",
    ];
    for file in ["api/tilepath.txt", "api/bevy_tilepath.txt"] {
        let api = fs::read_to_string(root().join(file)).expect("a list of items");
        let found: Vec<_> = DELETED.iter().filter(|name| api.contains(*name)).collect();
        assert!(found.is_empty(), "{file}: {found:?}");
    }
}

#[test]
fn core_does_not_depend_on_json() {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--locked", "--quiet", "--package", "tilepath", "--edges", "normal", "--all-features"])
        .output()
        .expect("cargo has started this test");
    let tree = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && tree.contains("ron "), "{output:?}");
    assert!(!tree.contains("serde_json"), "{tree}");
}

#[test]
fn command_has_no_search_of_its_own() {
    let mut folders = vec![root().join("crates/tilepath_cli/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let source = fs::read_to_string(&path).expect("a source");
                assert!(!source.contains("BinaryHeap"), "{} has an open list", path.display());
            }
        }
    }
}
