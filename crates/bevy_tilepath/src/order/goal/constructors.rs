//! Constructors of [`PathGoal`].

use std::sync::Arc;

use tilepath::{Cost, Path};

use super::PathGoal;
use crate::{
    map::place::Place,
    order::{approach::Approach, target::PathTarget},
};

impl PathGoal {
    /// Creates a goal of several places, of which the agent goes to the one that is cheapest to
    /// reach: see [`PathRequest::to_nearest`](crate::PathRequest::to_nearest).
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathGoal};
    ///
    /// let bed = PathGoal::nearest([Cell::new(2, 2), Cell::new(9, 2)]);
    /// assert_eq!(bed.to_string(), "the nearest of 2 places");
    /// ```
    #[must_use]
    pub fn nearest<P: Into<Place>>(places: impl IntoIterator<Item = P>) -> Self {
        Self::Nearest(places.into_iter().map(Into::into).collect())
    }

    /// Creates the goal "the end of this path, reached along the path": see
    /// [`PathRequest::along`](crate::PathRequest::along). In an order of several stops, only the
    /// first stop is walked along its path. If a later stop is a path, only the end of the path
    /// counts.
    #[must_use]
    pub fn along(path: impl Into<Arc<Path>>) -> Self {
        Self::Along(path.into())
    }

    /// Creates a goal within a distance of a target: to shoot, to hear, to guard. The agent goes to
    /// the cell that is cheapest to reach.
    ///
    /// [`Approach`] describes how the distance is measured. The target is a [`Place`] on the
    /// agent's own tile map, or an entity. If the target is an entity, the agent follows it as
    /// [`PathGoal::Entity`] describes.
    ///
    /// - If the agent is already near enough, it has arrived. So has an agent that is the target.
    /// - If the distance is negative, NaN or more than 128, the order fails with
    ///   [`InvalidDistance`](crate::PathFailure::InvalidDistance).
    ///
    /// # Units
    /// Cells.
    ///
    /// ```
    /// use bevy_tilepath::{Cell, PathGoal, PathRequest};
    ///
    /// let archer = PathRequest::to(PathGoal::within(Cell::new(8, 3), 4.5));
    /// assert_eq!(archer.goal().to_string(), "within 4.5 cells of (8, 3)");
    /// ```
    #[must_use]
    pub fn within(target: impl Into<PathTarget>, distance: f32) -> Self {
        Self::Around([target.into()].into(), Approach::Within(distance))
    }

    /// Creates a goal beside a target: to gather, to build, to talk. The agent goes to the cell
    /// that is cheapest to reach. The target may be a wall. An agent that is the target has arrived.
    /// See [`Approach::Beside`].
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{orders::Approach, PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let tree = world.spawn_empty().id();
    /// let gather = PathRequest::to(PathGoal::beside(tree));
    /// assert_eq!(gather.goal(), &PathGoal::Around([tree.into()].into(), Approach::Beside));
    /// ```
    #[must_use]
    #[doc(alias = "gather", alias = "interact")]
    pub fn beside(target: impl Into<PathTarget>) -> Self {
        Self::Around([target.into()].into(), Approach::Beside)
    }

    /// Creates a goal in sight of a target, within a range. The agent goes to the cell that is
    /// cheapest to reach. See [`Approach::InSight`]. [`NavMap::opaque`](crate::NavMap::opaque) sets
    /// which terrain hides the target.
    ///
    /// If the range is negative, NaN or more than 64, the order fails with
    /// [`InvalidDistance`](crate::PathFailure::InvalidDistance). If the target is on another map, it
    /// fails with [`TargetElsewhere`](crate::PathFailure::TargetElsewhere).
    ///
    /// # Units
    /// Cells.
    #[must_use]
    #[doc(alias = "line of sight")]
    pub fn in_sight(target: impl Into<PathTarget>, range: f32) -> Self {
        Self::Around([target.into()].into(), Approach::InSight(range))
    }

    /// Creates a goal away from one or several targets: the cheapest cell that is at least
    /// `distance` away from each target. `budget` is the highest cost of the path.
    ///
    /// If no cell within the budget is far enough away, the goal is the cell whose nearest target
    /// is farthest. In this case the path is [partial](crate::events::PathFound::partial).
    ///
    /// - If a target follows the agent, and the end of the path is no longer far enough, a search
    ///   finds another end while the agent walks on. The agent arrives when it is far enough away,
    ///   or when it can get no farther away.
    /// - If possible, no cell of the path is nearer to the targets than the agent is at its start.
    ///   Only if no such path leads far enough, the agent runs past a target. An
    ///   [overlay](crate::maps::OverlayArea) of danger around a target keeps the agent farther
    ///   away.
    /// - Distances are measured as for [`Approach::Within`]. Walls have no effect on them.
    /// - Target entities that are gone or on another map do not count, nor does the agent itself. If no
    ///   target is left, the order ends with [`TargetGone`](crate::PathFailure::TargetGone) or
    ///   [`TargetElsewhere`](crate::PathFailure::TargetElsewhere).
    /// - If the distance is negative or NaN, the order fails with
    ///   [`InvalidDistance`](crate::PathFailure::InvalidDistance). If the budget is 0, it fails
    ///   with [`NoBudget`](crate::PathFailure::NoBudget). If the list of targets is empty, it fails
    ///   with [`NoGoals`](crate::PathFailure::NoGoals).
    ///
    /// # Units
    /// `distance` is in cells, `budget` in units of cost. By the default rules, a straight step on
    /// ground of class 1 costs 10.
    ///
    /// # Complexity
    /// O(n × (m + log n)) for n cells within the budget and m cells that the targets cover. All this
    /// work is done in one tick.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{Cost, PathGoal, PathRequest};
    ///
    /// let mut world = World::new();
    /// let wolves = [world.spawn_empty().id(), world.spawn_empty().id()];
    /// let flight = PathRequest::to(PathGoal::flee(wolves, 12.0, Cost::new(200)));
    /// assert!(flight.goal().to_string().starts_with("12 cells away from entity "));
    /// ```
    #[must_use]
    #[doc(alias = "escape")]
    pub fn flee<T: Into<PathTarget>>(
        targets: impl IntoIterator<Item = T>,
        distance: f32,
        budget: Cost,
    ) -> Self {
        let targets = targets.into_iter().map(Into::into).collect();
        Self::Around(targets, Approach::Flee { distance, budget })
    }
}
