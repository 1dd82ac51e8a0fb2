//! Queries on a tile map's grid, and their answers.

use tilepath::{Answer, NearestAnswer, NearestQuery, Path, PathQuery, QueryError};

/// A query for one goal, or for the nearest of many.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "recording"), expect(dead_code, reason = "only recordings read it"))]
pub(crate) enum GridQuery<'a> {
    Path(&'a PathQuery),
    Nearest(&'a NearestQuery),
}

/// The answer to a [`GridQuery`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum GridReply<'a> {
    Path(&'a Result<Answer, QueryError>),
    Nearest(&'a Result<NearestAnswer, QueryError>),
}

impl<'a> GridReply<'a> {
    /// Returns the paths that were found.
    #[cfg_attr(
        not(any(feature = "recording", feature = "debug_draw")),
        expect(dead_code, reason = "for observers")
    )]
    pub(crate) fn paths(self) -> impl Iterator<Item = &'a Path> {
        let (one, many) = match self {
            Self::Path(Ok(answer)) => (answer.outcome.path_or_closest(), &[][..]),
            Self::Nearest(Ok(answer)) => (None, &answer.goals[..]),
            Self::Path(Err(_)) | Self::Nearest(Err(_)) => (None, &[][..]),
        };
        one.into_iter().chain(many.iter().map(|goal| &goal.path))
    }
}
