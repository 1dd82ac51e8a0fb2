//! Verdicts: the results of a tick for bodies.

use tilepath::{Cell, Cost, crowd::BodyId};

use crate::journey::body::Detour;

/// The result of a tick for a body.
#[derive(Clone, Debug, Default)]
pub(super) enum Verdict {
    #[default]
    GoesOn,
    /// It stands because of other bodies, which move, or far behind this body, which stands. It would
    /// enter this cell.
    Waits(Option<(BodyId, Cell)>),
    /// It stands because of this body, which stands too, and would enter this cell.
    Stuck(BodyId, Cell),
    /// It stands because of a body that stands, and there is a detour.
    GoesRound(Box<Detour>),
    /// It is as near to its goal as the bodies that rest there allow. This cost is left.
    IsNear(Cost),
    /// Others have taken its goal, and its order may end on another cell that is free.
    GoalTaken,
    /// Its path is too far away, or closed.
    IsLost,
    /// Its patience is used up, because of this body.
    GivesUp(BodyId),
}
