//! The outcome of a tick for a body.

use tilepath::{Cell, Cost, crowd::BodyId};

use crate::journey::body::Detour;

/// The outcome of a tick for a body.
#[derive(Debug, Default)]
pub(super) enum Verdict {
    #[default]
    GoesOn,
    /// It stands because of others, which move.
    Waits,
    /// It stands because of that one, which stands, too: it would enter the cell.
    Stuck(BodyId, Cell),
    /// It stands because of a body that stands, and there is a way round.
    GoesRound(Box<Detour>),
    /// It has come as near to its goal as others that rest there let it: so much is left.
    IsNear(Cost),
    /// Others have come to its goal, and its order may end on another cell that is free.
    GoalTaken,
    /// Its way is too far away, or closed.
    IsLost,
    /// Its patience is at an end.
    GivesUp(BodyId),
}
