//! Options of orders: how to search, and which paths an order takes.

use bevy_ecs::entity::Entity;
use tilepath::Algorithm;

use super::PathRequest;
use crate::{failure::PathFailure, map::movement::AgentMovement, order::goal::PathGoal};

impl PathRequest {
    /// Lets the order lead to the reachable cell nearest to the goal if the goal cannot be reached.
    ///
    /// [`PathFound`](crate::events::PathFound) then has `partial` set. If the order has several
    /// goals and no goal can be reached, the order leads to the cell nearest to the first goal. On
    /// a graph the order leads to the reachable waypoint nearest to the goal.
    ///
    /// If the goal is on another map and no door leads there, the order fails with
    /// [`Unreachable`](crate::PathFailure::Unreachable), also with `or_closest`.
    #[must_use]
    pub fn or_closest(self) -> Self {
        Self { closest: true, ..self }
    }

    /// Lets the order lead through this [`Door`](crate::doors::Door), also if another route is
    /// cheaper: a player clicks on a staircase, smugglers avoid the gate. The route is the cheapest one
    /// through the door, in any direction in which it may be passed.
    ///
    /// After the unit has passed the door, the option has no effect any more. If the entity is not a
    /// door, or is a door that the unit cannot pass, the order fails with
    /// [`Unreachable`](crate::PathFailure::Unreachable), also with [`or_closest`](Self::or_closest).
    /// An order [along](Self::along) a path keeps to its path.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// let mut world = World::new();
    /// let [attic, ladder] = [world.spawn_empty().id(), world.spawn_empty().id()];
    /// let order = PathRequest::to_cell((2, 2)).on_map(attic).through(ladder);
    /// assert_eq!(order.through_door(), Some(ladder));
    /// ```
    #[must_use]
    pub fn through(self, door: Entity) -> Self {
        Self { through: Some(door), ..self }
    }

    /// Returns the door that [`through`](Self::through) set, if any.
    #[must_use]
    pub fn through_door(&self) -> Option<Entity> {
        self.through
    }

    /// Removes the option [`through`](Self::through).
    pub(crate) fn past_door(self) -> Self {
        Self { through: None, ..self }
    }

    /// Removes the option [`or_closest`](Self::or_closest).
    pub(crate) fn or_exactly(self) -> Self {
        Self { closest: false, ..self }
    }

    /// Sets the algorithm of the search, instead of the automatic choice. An order with an
    /// algorithm has a search of its own. Orders with the automatic choice may share a field.
    ///
    /// [`Algorithm::WeightedAStar`] may find a path earlier.
    /// [`Path::percent_above_cheapest`](tilepath::Path::percent_above_cheapest) returns an upper
    /// bound of the additional cost, in percent.
    ///
    /// The algorithm has no effect on [`to_nearest`](Self::to_nearest), on graphs, and on routes
    /// through [`Door`](crate::doors::Door)s. If a route through doors leads back to the agent's
    /// own map, it replaces the path of the algorithm only if the route is cheaper.
    #[must_use]
    pub fn with_algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Sets the number of expanded cells after which the search gives up. The order then fails with
    /// [`PathFailure::LimitReached`](crate::PathFailure), or, with
    /// [`or_closest`](Self::or_closest), leads to the best cell that the search found before it
    /// gave up.
    ///
    /// A search for the [nearest](Self::to_nearest) of several goals, along a graph, or through
    /// [`Door`](crate::doors::Door)s has no best cell. At its limit such a search fails, also with
    /// `or_closest`. There is one exception. If the path on the agent's own map is already found,
    /// and the search only looks for a cheaper route through doors, this path is the answer.
    #[must_use]
    pub fn with_limit(self, expansions: u64) -> Self {
        Self { limit: Some(expansions), ..self }
    }

    /// Sets the tolerance: how much more than the cheapest path the agent's path may cost before a
    /// search looks for a better path. The tolerance is a fraction of the lowest cost. The default
    /// is 0.1: also after a gate opens or a road is built, no agent walks a path that costs more
    /// than 1.1 times the cheapest path.
    ///
    /// With 0, the agent always takes the cheapest path. With infinity, the agent keeps its path as
    /// long as the path can be walked. As long as the rest of the path is proven to be within the
    /// tolerance, no search runs, however much the map changes.
    ///
    /// While a search runs, the agent walks on. If the search finds a path that is better by more
    /// than the tolerance, the agent takes this path, and [`Replanned`](crate::events::Replanned)
    /// is triggered. Otherwise the agent keeps its path.
    ///
    /// - If the agent's path was lost because a cell closed, this cell is considered again only
    ///   after it has been open for some time. Each further loss at this cell doubles this time, up
    ///   to a limit. So a gate that opens and closes forever does not make the agent turn back
    ///   forever.
    /// - All openings on maps that the path crosses, or to which doors lead, are taken into
    ///   account: cells, edges and [`Door`](crate::doors::Door)s. If walls are built, edges are cut
    ///   or doors are closed away from the path, no work is done.
    /// - On graphs and through doors, costs are sums of floats. A saving of less than a millionth
    ///   of the path's cost does not count. If more than 16 doors lead to a map, or if the scale of
    ///   a map changes, the proof is weaker, and one search decides whether a better path exists.
    /// - The agent keeps a path as long as it can be walked in two cases: if the
    ///   [algorithm](Self::with_algorithm) is not exact, or if the order is [along](Self::along) a
    ///   given path.
    /// - If the order has a [limit](Self::with_limit), cheaper routes through doors are found only
    ///   if the search finds them within the limit.
    /// - With [`or_closest`](Self::or_closest), the agent drops a path to the closest cell as soon
    ///   as the goal itself can be reached.
    ///
    /// If the tolerance is NaN or negative, the order fails with
    /// [`InvalidTolerance`](crate::PathFailure::InvalidTolerance).
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathRequest};
    ///
    /// let scout = PathRequest::to_cell(Cell::new(8, 3)).with_tolerance(0.0);
    /// assert_eq!(scout.tolerance(), 0.0);
    /// ```
    #[must_use]
    pub fn with_tolerance(self, tolerance: f32) -> Self {
        Self { tolerance, ..self }
    }

    /// Sets the movement for this order. It replaces the agent's [`AgentMovement`] or the map's own
    /// rules.
    ///
    /// ```
    /// use bevy_tilepath::{AgentMovement, Cell, PathRequest};
    ///
    /// let order = PathRequest::to_cell(Cell::new(8, 3)).with_movement("boat");
    /// assert_eq!(order.movement(), Some(&AgentMovement::Named("boat".into())));
    /// ```
    #[must_use]
    pub fn with_movement(self, movement: impl Into<AgentMovement>) -> Self {
        Self { movement: Some(movement.into()), ..self }
    }

    /// Returns the first goal of the order. [`further_stops`](Self::further_stops) returns the
    /// others.
    #[must_use]
    pub fn goal(&self) -> &PathGoal {
        &self.first.goal
    }

    /// Returns the map that its [`Stop`](crate::orders::Stop), or [`on_map`](Self::on_map), set for the goal, if any.
    #[must_use]
    pub fn goal_map(&self) -> Option<Entity> {
        self.first.map.or(self.goal_map)
    }

    /// Returns whether the order may end at the reachable cell nearest to the goal: see
    /// [`or_closest`](Self::or_closest).
    #[must_use]
    pub fn wants_closest(&self) -> bool {
        self.closest
    }

    /// Returns the algorithm of the order.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Returns the movement that [`with_movement`](Self::with_movement) set for this order, if any.
    #[must_use]
    pub fn movement(&self) -> Option<&AgentMovement> {
        self.movement.as_ref()
    }

    /// Returns the tolerance: see [`with_tolerance`](Self::with_tolerance).
    #[must_use]
    pub fn tolerance(&self) -> f32 {
        self.tolerance
    }

    /// Returns the failure if the order is invalid on every map.
    pub(crate) fn fault(&self) -> Option<PathFailure> {
        let is_valid = self.tolerance >= 0.0;
        (!is_valid).then_some(PathFailure::InvalidTolerance).or_else(|| self.first.fault())
    }

    /// Returns whether the path is compared with the cheapest one while the agent walks.
    pub(crate) fn is_watched(&self) -> bool {
        self.tolerance.is_finite()
            && self.algorithm.is_exact()
            && !matches!(self.goal(), PathGoal::Along(_))
            && self.goal().budget().is_none()
    }

    /// Returns the number of expanded cells after which the search gives up, or `None` without a
    /// limit.
    #[must_use]
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }
}
