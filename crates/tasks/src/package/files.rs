//! Files and folders, with errors that name the path.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Returns the text of an error at this path.
fn at(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}

pub(super) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(at(path))
}

/// Writes a file, and makes its folder.
pub(super) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    fs::write(path, content).map_err(at(path))
}

/// Copies a file, and makes the folder of the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    write(to, fs::read(from).map_err(at(from))?)
}

/// Returns the size of a file in bytes.
pub(super) fn size(path: &Path) -> Result<u64, String> {
    fs::metadata(path).map(|metadata| metadata.len()).map_err(at(path))
}

/// Removes a folder with its content, if it exists.
pub(super) fn remove_folder(path: &Path) -> Result<(), String> {
    if path.exists() { fs::remove_dir_all(path).map_err(at(path)) } else { Ok(()) }
}

/// Returns all files below a folder, sorted.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let path = entry.map_err(at(&folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
