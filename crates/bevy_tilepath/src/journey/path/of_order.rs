//! Whether a path still belongs to the order and the movement of its agent.

use super::{AgentPath, Progress};
use crate::{
    failure::PathFailure,
    journey::halt::Halt,
    map::movement::AgentMovement,
    order::{request::PathRequest, state::RequestState, status::PathStatus},
    route::walked_line::WalkMode,
};

/// The use of a path for the order of its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathUse {
    /// It is the path of the order.
    OfOrder,
    /// The order has been replaced. The agent walks along the path until the new order is answered.
    /// No events are triggered for the old order.
    Interim,
    /// The agent does not walk along it.
    Over,
}

impl AgentPath {
    /// Returns whether the path is compared with the cheapest one while the agent walks. A path of
    /// an algorithm that is not exact is not: its lower bound is too low.
    pub(crate) fn is_watched(&self, request: &PathRequest) -> bool {
        request.is_watched() && self.route().statistics.algorithm.is_exact()
    }

    /// Returns what the path is to the order with this state. If the order has been replaced, the
    /// agent may walk along the path if it does so already, or if the path was found for that.
    pub(crate) fn use_by(&self, state: &RequestState) -> PathUse {
        if self.progress == Progress::Arrived {
            PathUse::Over
        } else if state.holds(self.order) {
            PathUse::OfOrder
        } else if state.awaits_answer() && (self.order == 0 || self.walk.position.is_some()) {
            PathUse::Interim
        } else {
            PathUse::Over
        }
    }

    /// Returns whether the agent of an order with this state walks along the path.
    pub(crate) fn is_walked(&self, state: &RequestState) -> bool {
        self.progress == Progress::Walking && self.use_by(state) != PathUse::Over
    }

    /// Returns the status to show for an agent that has this path and this reason to stand on any path.
    pub(crate) fn status(&self, halt: Option<Halt>) -> PathStatus {
        if halt == Some(Halt::Paused) {
            PathStatus::Paused
        } else if self.stops.waits_at_end && self.is_partial() && self.is_at_end() {
            PathStatus::WaitingForWay(PathFailure::Unreachable)
        } else {
            PathStatus::Following
        }
    }

    /// Returns whether an agent of this mode walks along the path as it is laid.
    pub(crate) fn is_laid_for(&self, mode: WalkMode) -> bool {
        self.style == mode.style && self.is_driven() == mode.is_driven
    }

    /// Returns whether the path was found for the present movement of the agent: the movement of its
    /// order, or else its own. If the order has been replaced, either of the two is enough.
    pub(crate) fn is_found_for(
        &self,
        request: Option<&PathRequest>,
        own: Option<&AgentMovement>,
        is_living: bool,
    ) -> bool {
        let present = request.and_then(PathRequest::movement).or(own);
        let movement = self.route().movement.as_ref();
        movement == present || !is_living && movement == own
    }
}
