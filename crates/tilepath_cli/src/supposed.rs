//! Maps with changed cells: `tilepath solve … --what-if X,Y=C`.

use crate::{
    failure::Failure,
    place::Place,
    question::{Question, Reply, cell_at},
    whole_number::whole_number,
};
use serde::Serialize;
use std::str::FromStr;
use thiserror::Error;
use tilepath::{Edit, Path, WhatIf};

/// A cell with a changed terrain class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SupposedCell {
    /// The place of the cell.
    pub(crate) place: Place,
    /// The new class; 0 is a wall.
    pub(crate) class: u8,
}

impl FromStr for SupposedCell {
    type Err = NotSupposed;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (place, class) = text.split_once('=').ok_or(NotSupposed)?;
        let place = place.parse().map_err(|_| NotSupposed)?;
        Ok(Self { place, class: whole_number(class.trim()).ok_or(NotSupposed)? })
    }
}

/// An argument that is not X,Y=C.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error(
    "write column and row, counted from the left and from the top from 0, and a terrain class from 0 (a wall) to 255, such as 2,9=0"
)]
pub(crate) struct NotSupposed;

/// Runs the query on the changed map.
///
/// # Errors
/// If a changed cell is outside the map.
pub(crate) fn ask(question: &Question<'_>, now: &Reply, cells: &[SupposedCell]) -> Result<Reply, Failure> {
    let cell = |supposed: &SupposedCell| cell_at(question.file, "--what-if", supposed.place, &now.layout);
    let edits: Vec<Edit> = (cells.iter())
        .map(|supposed| Ok(Edit::terrain(cell(supposed)?, supposed.class)))
        .collect::<Result<_, Failure>>()?;
    let mut what_if = WhatIf::new(&now.finder);
    let supposed = what_if
        .with_edits(&now.finder, &edits)
        .map_err(|error| Failure::Edit { file: question.file.to_owned(), error })?;
    question.ask_of(supposed.clone(), now.layout)
}

/// The answer on the map without the changes, for `--json`.
#[derive(Serialize, Debug)]
pub(crate) struct NowReport {
    status: &'static str,
    cost: Option<u32>,
    length: Option<f64>,
    /// The cost with the changes minus the cost without them; missing unless both maps have a path.
    difference: Option<i64>,
}

fn cost(reply: &Reply) -> Option<u32> {
    reply.answer.outcome.path().map(|path| path.cost().get())
}

impl NowReport {
    /// Makes the report from the answer without the changes (`now`) and the answer with them
    /// (`supposed`).
    pub(crate) fn new(now: &Reply, supposed: &Reply) -> Self {
        let difference =
            cost(now).zip(cost(supposed)).map(|(now, supposed)| i64::from(supposed) - i64::from(now));
        let length = now.path().map(Path::length);
        Self { status: now.status(), cost: now.path().map(|path| path.cost().get()), length, difference }
    }
}

/// Returns the comparison of both answers as one line of text.
pub(crate) fn to_text(now: &Reply, supposed: &Reply) -> String {
    match (cost(now), cost(supposed)) {
        (None, None) => "without the changes: no path either".to_owned(),
        (None, Some(_)) => "without the changes: no path".to_owned(),
        (Some(cost), None) => format!("without the changes: a path of cost {cost}"),
        (Some(now), Some(supposed)) if now < supposed => {
            format!("without the changes: cost {now}, {} less", supposed - now)
        }
        (Some(now), Some(supposed)) if now > supposed => {
            format!("without the changes: cost {now}, {} more", now - supposed)
        }
        (Some(_), Some(_)) => "without the changes: equal cost".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{NotSupposed, SupposedCell};
    use crate::place::Place;

    #[test]
    fn supposed_cells_are_a_place_and_a_class() {
        let supposed = SupposedCell { place: Place { column: 3, row: 12 }, class: 255 };
        for text in ["3,12=255", " 3, 12 = 255"] {
            assert_eq!(text.parse(), Ok(supposed), "{text:?}");
        }
        for wrong in ["", "3,12", "3,12=", "=1", "3=1", "3,12=256", "3,12=-1", "3,12=#", "3,12=1=2", "-3,1=0"]
        {
            assert_eq!(wrong.parse::<SupposedCell>(), Err(NotSupposed), "{wrong:?}");
        }
    }
}
