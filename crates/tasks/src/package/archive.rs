//! Archives: written by cargo, unpacked outside of the tree.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::files::{copy, files_below, size};

/// An archive and its unpacked files.
pub(super) struct Archive {
    /// The name with the version, such as `tilepath-0.1.0`.
    pub(super) name: String,
    pub(super) packed_bytes: u64,
    pub(super) folder: PathBuf,
}

/// Packages the staged workspace and unpacks the archives into the folder.
///
/// Cargo packages both crates at once. It builds the lock file of the plugin against the packaged core, so that the
/// core need not be published yet.
///
/// # Errors
///
/// If cargo or tar fails.
pub(super) fn pack(staging: &Path, folder: &Path) -> Result<Vec<Archive>, String> {
    let target = staging.join("target");
    let mut cargo = Command::new("cargo");
    // The folder of the target is not tracked, so cargo has nothing to compare; `stage` has compared the files.
    cargo.args(["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"]);
    cargo.arg("--manifest-path").arg(staging.join("Cargo.toml")).arg("--target-dir").arg(&target);
    run(&mut cargo)?;
    let is_archive = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "crate");
    let packed = files_below(&target.join("package"))?.into_iter().filter(is_archive);
    // Cargo keeps a second copy in its overlay.
    let packed = packed.filter(|path| path.parent().is_some_and(|folder| folder.ends_with("package")));
    packed.map(|path| unpack(&path, folder)).collect()
}

fn unpack(packed: &Path, folder: &Path) -> Result<Archive, String> {
    let file = packed.file_name().unwrap_or_default();
    copy(packed, &folder.join(file))?;
    // In the folder, because some versions of tar read the colon of a Windows path as a host. Without the times of the
    // archive, which are always equal: cargo would not notice a changed file.
    run(Command::new("tar").arg("-xmzf").arg(file).current_dir(folder))?;
    let name = packed.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Archive { folder: folder.join(&name), name, packed_bytes: size(packed)? })
}

/// Runs a command.
///
/// # Errors
///
/// If it does not start or fails. The message has the command.
pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} has ended with {status}")) }
}
