//! Goals by what they are asked for.

use std::sync::Arc;

use tilepath::{Cost, Path};

use super::PathGoal;
use crate::{
    map::place::Place,
    order::{approach::Approach, target::PathTarget},
};

impl PathGoal {
    /// Whichever of these places is cheapest to reach: see [`PathRequest::to_nearest`](crate::PathRequest::to_nearest).
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

    /// The end of a path, along it: see [`PathRequest::along`](crate::PathRequest::along). Of an order of several stops only the first
    /// is walked along its path; a later stop is the end of its path.
    #[must_use]
    pub fn along(path: impl Into<Arc<Path>>) -> Self {
        Self::Along(path.into())
    }

    /// The cell that is cheapest to reach of those no farther away from a target than that: to shoot, to hear, to guard.
    ///
    /// See [`Approach::Within`] for what is measured. The target is a [`Place`] on the agent's own tile map or an entity, of which
    /// all that is said with [`PathGoal::Entity`] holds.
    ///
    /// - An agent that is near enough has arrived.
    /// - A distance that is negative, NaN or more than 128 fails with
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

    /// The cell that is cheapest to reach of those beside a target, which may be a wall itself: to gather, to build, to talk.
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

    /// The cell that is cheapest to reach of those from which a target can be seen, no farther away than a range.
    /// See [`Approach::InSight`]. What hides is what the map says: [`NavMap::opaque`](crate::NavMap::opaque).
    ///
    /// A range that is negative, NaN or more than 64 fails with [`InvalidDistance`](crate::PathFailure::InvalidDistance).
    ///
    /// # Units
    /// Cells.
    #[must_use]
    #[doc(alias = "line of sight")]
    pub fn in_sight(target: impl Into<PathTarget>, range: f32) -> Self {
        Self::Around([target.into()].into(), Approach::InSight(range))
    }

    /// Away from one or several targets: a cell that is at least that far from all of them, and cheap to reach. Where none is
    /// within the budget, it is the cell whose nearest target is farthest, and the path is [partial](crate::events::PathFound::partial).
    ///
    /// - When a target comes after the agent and the end of the way is no longer far enough, another one is searched for while the
    ///   agent walks on. It arrives where it is far enough, or cornered.
    /// - The agent takes the cheapest way that leads to no cell nearer to its nearest target than the agent is; only where none of
    ///   those is far enough it runs past. An [overlay](crate::maps::OverlayArea) of danger around a target keeps it farther off.
    /// - Far is measured as for [`Approach::Within`], across walls, too.
    /// - Of several targets those entities do not count that are gone, or on another map. When none is left, the order ends with
    ///   [`TargetGone`](crate::PathFailure::TargetGone) or [`TargetElsewhere`](crate::PathFailure::TargetElsewhere).
    /// - A distance that is negative or NaN fails with [`InvalidDistance`](crate::PathFailure::InvalidDistance), a budget of 0
    ///   with [`NoBudget`](crate::PathFailure::NoBudget), and no target at all with [`NoGoals`](crate::PathFailure::NoGoals).
    ///
    /// # Units
    /// `distance` is in cells, `budget` in units of cost: by the default rules a straight step on ground of class 1 costs 10.
    ///
    /// # Complexity
    /// That of all cells within the budget, in one tick, for each cell that targets cover.
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
