//! Whether a path still belongs to the order and the movement of its agent.

use super::AgentPath;
use crate::{map::movement::AgentMovement, order::request::PathRequest};

impl AgentPath {
    /// Returns whether the path is compared with the cheapest one while the agent walks. A path of
    /// an algorithm that is not exact is not: its lower bound is too low.
    pub(crate) fn is_watched(&self, request: &PathRequest) -> bool {
        request.is_watched() && self.route.statistics.algorithm.is_exact()
    }

    /// Returns whether the agent may walk along the path although its order has been replaced. It
    /// may if it does so already, or if the path was found for that.
    pub(crate) fn is_gone_by(&self) -> bool {
        self.order == 0 || self.walk.position.is_some()
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
        let movement = self.route.movement.as_ref();
        movement == present || !is_living && movement == own
    }
}
