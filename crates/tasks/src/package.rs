//! Archives for crates.io: staged, packaged, checked, and tried in a game outside of the tree.

mod archive;
mod contents;
mod files;
mod fresh_game;
mod included;
mod links;
mod manifest;
mod staging;
mod versions;

use std::{env, path::Path};

use clap::Args;

pub(crate) use versions::Bevy;
#[cfg(test)]
pub(crate) use {contents::metadata, files::files_below};

/// Options of `package`.
#[derive(Args, Debug)]
pub(crate) struct PackageOptions {
    /// Let `package` handle only these versions of Bevy
    #[arg(long)]
    bevy: Vec<Bevy>,
    /// Let `package` take tracked files that differ from the last commit
    #[arg(long)]
    allow_dirty: bool,
    /// Let `package` only write the staged workspaces
    #[arg(long)]
    only_stage: bool,
}

/// Stages the packages for each version of Bevy, packages and checks them, and runs the README's quick start with them.
///
/// # Errors
///
/// If a step fails for a version. Then the unpacked archives and the game are kept, and the message has their folder.
pub(crate) fn run(options: &PackageOptions) -> Result<(), String> {
    let chosen: &[Bevy] = if options.bevy.is_empty() { &Bevy::ALL } else { &options.bevy };
    for &bevy in chosen {
        let staging = staging::stage(bevy, options.allow_dirty)?;
        say(&format!("for Bevy {} both packages are staged in {}", bevy.number(), staging.display()));
        if options.only_stage {
            continue;
        }
        let folder = env::temp_dir().join("tilepath-package").join(bevy.folder());
        files::remove_folder(&folder)?;
        try_out(bevy, &staging, &folder).map_err(|message| {
            format!("{message}\nthe unpacked archives and the game are kept in {}", folder.display())
        })?;
        files::remove_folder(&folder)?;
    }
    Ok(())
}

fn try_out(bevy: Bevy, staging: &Path, folder: &Path) -> Result<(), String> {
    let archives = archive::pack(staging, folder)?;
    for archive in &archives {
        contents::check(archive)?;
        say(&format!("{} is complete: {} bytes", archive.name, archive.packed_bytes));
    }
    fresh_game::test(bevy, &archives, folder)
}

#[expect(clippy::print_stdout, reason = "a command line says on this stream what it has done")]
fn say(message: &str) {
    println!("{message}");
}
