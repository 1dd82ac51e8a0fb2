//! Files of rules.

use crate::{failure::Failure, input::read_argument};
use std::path::Path;
use tilepath::{Movement, rules::Rules};

/// Reads the rules that an argument names.
///
/// # Errors
/// If the file cannot be read or has no valid rules.
pub(crate) fn read(file: &Path) -> Result<Rules, Failure> {
    let text = read_argument(file)?;
    Rules::from_ron(&text).map_err(|error| Failure::Rules { file: file.to_owned(), error: Box::new(error) })
}

/// Returns a movement by its name from the rules that an argument names.
///
/// # Errors
/// As [`read`], and if the rules have no such movement.
pub(crate) fn movement(file: &Path, name: &str) -> Result<Movement, Failure> {
    let rules = read(file)?;
    rules.movement(name).cloned().ok_or_else(|| Failure::NoMovement {
        file: file.to_owned(),
        movement: name.to_owned(),
        known: rules.movements().map(|(name, _)| name.to_owned()).collect(),
    })
}
