//! A game outside of the tree: the README's quick start with the unpacked archives.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    archive::{Archive, run},
    files::{copy, read, write},
    versions::{self, Bevy, Versions},
};

/// Walks the unit of the quick start without a window.
const WALKS: &str = include_str!("../../templates/walks.rs");

/// Builds the game and runs its test, then checks the examples of the unpacked plugin.
///
/// # Errors
///
/// If the READMEs lack a part of the game, if a file cannot be read or written, or if cargo fails.
pub(super) fn test(bevy: Bevy, archives: &[Archive], folder: &Path) -> Result<(), String> {
    let (readme, plugin_readme) =
        (read(Path::new("README.md"))?, read(Path::new("crates/bevy_tilepath/README.md"))?);
    let versions = Versions::read(&plugin_readme, bevy)?;
    let patches = patches(archives)?;
    let game = folder.join("game");
    let manifest = manifest(&readme, &set_up(&plugin_readme)?, &versions)?;
    write(&game.join("Cargo.toml"), format!("{manifest}\n[patch.crates-io]\n{}\n", patches.join("\n")))?;
    write(&game.join("src/main.rs"), between(&readme, "```rust,no_run\n", "```")?)?;
    write(&game.join("tests/walks.rs"), WALKS)?;
    copy(Path::new(bevy.lock_file()), &game.join("Cargo.lock"))?;

    let mut options = vec!["--target-dir".into(), target().into_os_string()];
    options.extend(newer_compiler_option(&versions)?);
    let mut cargo = Command::new("cargo");
    run(cargo.arg("test").args(&options).current_dir(&game))?;

    let plugin = archives.iter().find(|archive| archive.name.starts_with("bevy_tilepath-"));
    let plugin = plugin.ok_or("there is no archive of bevy_tilepath")?;
    let mut cargo = Command::new("cargo");
    cargo.args(["check", "--examples", "--all-features"]).args(&options).current_dir(&plugin.folder);
    for patch in patches.iter().filter(|patch| !patch.starts_with("bevy_tilepath")) {
        cargo.arg("--config").arg(format!("patch.crates-io.{patch}"));
    }
    run(&mut cargo)
}

/// Returns the folder of the build: it is kept, so that a second run is quick.
fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target/package".into(), PathBuf::from);
    std::path::absolute(&target).unwrap_or(target)
}

/// Returns the option with which cargo builds although the compiler is older than Bevy's manifest states.
fn newer_compiler_option(versions: &Versions) -> Result<Option<OsString>, String> {
    let compiler = versions::compiler()?;
    if !versions::is_older(&compiler, &versions.rust) {
        return Ok(None);
    }
    let Versions { bevy, rust, .. } = versions;
    super::say(&format!(
        "Bevy {bevy} states Rust {rust}, this is {compiler}: building with --ignore-rust-version"
    ));
    Ok(Some("--ignore-rust-version".into()))
}

/// Returns a line for each archive, which replaces the package of that name by the unpacked one. The form is right in a
/// manifest and on cargo's command line.
fn patches(archives: &[Archive]) -> Result<Vec<String>, String> {
    let line = |archive: &Archive| {
        let (name, _) = archive.name.rsplit_once('-').ok_or(format!("{} has no version", archive.name))?;
        Ok(format!("{name}.path = '{}'", archive.folder.display()))
    };
    archives.iter().map(line).collect()
}

/// Returns the game's manifest: the lines of the README's quick start with the versions for this Bevy.
fn manifest(readme: &str, bevy_features: &str, versions: &Versions) -> Result<String, String> {
    let Versions { plugin, bevy, tilemap, .. } = versions;
    let mut manifest = "[package]\nname = \"game\"\nedition = \"2024\"\n\n[workspace]\n\n".to_owned();
    let replaced = [
        ("bevy", format!("bevy = {{ version = \"{bevy}\", {bevy_features} }}")),
        ("bevy_ecs_tilemap", format!("bevy_ecs_tilemap = \"{tilemap}\"")),
        ("bevy_tilepath", format!("bevy_tilepath = \"{plugin}\"")),
    ];
    let mut found = 0;
    for line in between(readme, "```toml\n", "```")?.lines() {
        let name = line.split(" = ").next().unwrap_or_default();
        let replacement = replaced.iter().find(|(replaced, _)| *replaced == name);
        found += usize::from(replacement.is_some());
        manifest.push_str(replacement.map_or(line, |(_, line)| line));
        manifest.push('\n');
    }
    if found != replaced.len() {
        return Err(
            "the quick start of README.md does not name bevy, bevy_ecs_tilemap and bevy_tilepath".to_owned()
        );
    }
    // The repository has these lines too: a dependency that both build is built once.
    manifest.push_str(
        "\n[profile.dev]\ndebug = \"line-tables-only\"\n[profile.dev.package.\"*\"]\ndebug = false\n",
    );
    Ok(manifest)
}

/// Returns Bevy's features that need no further system packages, as the plugin's README lists them.
fn set_up(readme: &str) -> Result<String, String> {
    let (_, section) =
        readme.split_once("\n## Set-up\n").ok_or("the plugin's README has no section Set-up")?;
    let quoted = section.split('`').find(|quoted| quoted.starts_with("default-features = false"));
    quoted.map(|features| features.replace('\n', " ")).ok_or_else(|| "Set-up names no features".to_owned())
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Result<&'a str, String> {
    let rest = text.split_once(start).map(|(_, rest)| rest);
    let part = rest.and_then(|rest| rest.split_once(end)).map(|(part, _)| part);
    part.ok_or_else(|| format!("README.md has no block that begins with {start:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = include_str!("../../../../README.md");
    const PLUGIN_README: &str = include_str!("../../../bevy_tilepath/README.md");

    #[test]
    fn game_depends_on_the_versions_of_the_table() {
        for bevy in Bevy::ALL {
            let versions = Versions::read(PLUGIN_README, bevy).unwrap();
            let manifest = manifest(README, &set_up(PLUGIN_README).unwrap(), &versions).unwrap();
            for line in [
                format!("bevy = {{ version = \"{}\", default-features = false, features = [", bevy.number()),
                format!("bevy_ecs_tilemap = \"{}\"\n", bevy.number()),
                format!("bevy_tilepath = \"{}\"\n", versions.plugin),
                "[profile.dev.package]\ntilepath.opt-level = 3\n".to_owned(),
            ] {
                assert!(manifest.contains(&line), "{line}\n{manifest}");
            }
            assert!(!manifest.contains("git = "), "{manifest}");
        }
    }

    #[test]
    fn quick_start_without_a_dependency_is_an_error() {
        let versions = Versions::read(PLUGIN_README, Bevy::V0_19).unwrap();
        let error = manifest("```toml\nbevy = \"1\"\n```\n", "", &versions).unwrap_err();
        assert!(error.contains("bevy_ecs_tilemap"), "{error}");
        assert!(manifest("no block", "", &versions).unwrap_err().contains("toml"));
    }
}
