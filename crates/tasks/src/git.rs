//! Calls of git.

use std::process::Command;

/// Runs git and returns what it prints.
///
/// # Errors
///
/// If git does not start, fails, or prints something else than UTF-8.
pub(crate) fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output().map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    String::from_utf8(output.stdout).map_err(|error| format!("git: {error}"))
}
