//! Manifests of the staged packages.

/// A section of a manifest with its header.
type Section = String;

/// Returns the sections of a manifest, without comments. `##` describes a feature and stays.
fn sections(manifest: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let is_comment = |line: &&str| line.starts_with('#') && !line.starts_with("##");
    for line in manifest.lines().filter(|line| !is_comment(line) && !line.is_empty()) {
        if line.starts_with('[') {
            sections.push(String::new());
        }
        if let Some(section) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    sections
}

/// Removes the test kit: it is not published, and only tests need it.
fn without_testkit(section: &str) -> Section {
    section.split_inclusive('\n').filter(|line| !line.starts_with("testkit")).collect()
}

/// Returns the manifest of the staged workspace: what its members inherit from the repository's.
pub(super) fn workspace(root: &str) -> String {
    let inherited = sections(root).into_iter().filter(|section| section.starts_with("[workspace."));
    let inherited: Vec<String> =
        inherited.map(|section| without_testkit(&section).replace("path = \"crates/", "path = \"")).collect();
    let members = "[workspace]\nresolver = \"3\"\nmembers = [\"tilepath\", \"bevy_tilepath\"]\n";
    format!("{members}\n{}", inherited.join("\n"))
}

/// Returns the staged manifest of a member of the repository's workspace.
pub(super) fn member(manifest: &str) -> String {
    let sections: Vec<Section> = sections(manifest).iter().map(|section| without_testkit(section)).collect();
    sections.join("\n")
}

/// Returns the staged manifest of the plugin in `ports`. Its sources lie beside it. The examples are from the manifest of the
/// plugin in the repository's workspace.
pub(super) fn port(port: &str, plugin: &str) -> String {
    const DROPPED: [&str; 5] = ["[workspace]", "[lib]", "[[test]]", "[[example]]", "[profile."];
    let is_dropped = |section: &Section| DROPPED.iter().any(|header| section.starts_with(header));
    let own = sections(port).into_iter().filter(|section| !is_dropped(section)).map(|section| {
        let section =
            section.replace("autoexamples = false\n", "").replace("../../crates/tilepath", "../tilepath");
        without_testkit(&section)
    });
    let examples = sections(plugin).into_iter().filter(|section| section.starts_with("[[example]]"));
    own.chain(examples).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLUGIN: &str = "[package]\nname = \"plugin\"\n\n[dependencies]\ncore.workspace = true\n\n\
        [dev-dependencies]\ntestkit.workspace = true\nrand = \"1\"\n\n# Others need no entry.\n\
        [[example]]\nname = \"tilemap\"\nrequired-features = [\"tilemap\"]\n";

    #[test]
    fn workspace_keeps_only_what_members_inherit() {
        let root = "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"ports\"]\n\n[workspace.package]\nversion = \"1\"\n\n\
            [workspace.dependencies]\ntilepath = { path = \"crates/tilepath\" }\ntestkit = { path = \"crates/testkit\" }\n\
            bevy = { features = [\n  \"a\",\n] }\n\n[profile.dev]\ndebug = false\n";
        let expected = "[workspace]\nresolver = \"3\"\nmembers = [\"tilepath\", \"bevy_tilepath\"]\n\n\
            [workspace.package]\nversion = \"1\"\n\n[workspace.dependencies]\ntilepath = { path = \"tilepath\" }\n\
            bevy = { features = [\n  \"a\",\n] }\n";
        assert_eq!(workspace(root), expected);
    }

    #[test]
    fn member_loses_the_test_kit_and_comments() {
        let staged = member(PLUGIN);
        assert!(!staged.contains("testkit") && !staged.contains("Others"), "{staged}");
        assert!(staged.contains("rand = \"1\"") && staged.contains("[[example]]"), "{staged}");
    }

    #[test]
    fn port_has_its_sources_beside_it_and_the_examples_of_the_plugin() {
        let manifest = "# About.\n[package]\nname = \"plugin\"\nautoexamples = false\nautotests = false\n\n\
            # Alone.\n[workspace]\nmembers = [\"editors\"]\n\n[lib]\npath = \"../../crates/plugin/src/lib.rs\"\n\n\
            [features]\n## Reads maps.\ntilemap = []\n\n\
            [dependencies]\ntilepath = { version = \"0.1.0\", path = \"../../crates/tilepath\" }\n\n\
            [[test]]\nname = \"a\"\n\n[[example]]\nname = \"click\"\npath = \"../../click.rs\"\n\n[profile.dev]\ndebug = false\n";
        let expected = "[package]\nname = \"plugin\"\nautotests = false\n\n[features]\n## Reads maps.\ntilemap = []\n\n\
            [dependencies]\ntilepath = { version = \"0.1.0\", path = \"../tilepath\" }\n\n\
            [[example]]\nname = \"tilemap\"\nrequired-features = [\"tilemap\"]\n";
        assert_eq!(port(manifest, PLUGIN), expected);
    }
}
