//! The answer along which an agent walks.

mod extend;
mod time_left;
mod wall;

pub(crate) use self::extend::Extended;

use bevy_ecs::entity::{Entity, MapEntities};
use bevy_math::Vec2;
use smallvec::smallvec;
use tilepath::Revision;

use self::wall::Wall;
use crate::{
    map::{
        door::index::Entrance,
        map_view::MapView,
        maps::AnyMap,
        nav_graph::NavGraph,
        place::{MapPlace, Place},
        projection::NavProjection,
        version::Version,
        watch::Watch,
    },
    order::{goal::Goals, route::Route},
    route::{leg::PathLeg, walked_line::LineStyle},
};

/// The legs of a path, their points, and how far the agent is. The functions below are its only
/// writers. All that can change what a user sees raise the revision, but for the next point.
#[derive(Debug, Clone, MapEntities)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct PathPlan {
    next: usize,
    /// The place ahead that is closed, while the agent walks on to it.
    wall: Option<Wall>,
    /// The index of the leg under way; after arrival the last one.
    current: usize,
    revision: u64,
    /// The points of all legs, in the world.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    points: Vec<Vec2>,
    #[entities]
    route: Route,
    #[entities]
    goal: Place,
}

impl PathPlan {
    /// Returns a new plan, or `None` if one of the maps is gone. `placed` returns the placement of a
    /// map.
    pub(super) fn new(
        mut route: Route,
        placed: impl Fn(Entity) -> Option<(NavProjection, Version)>,
    ) -> Option<Self> {
        let mut points = Vec::new();
        for leg in &mut route.legs {
            let (projection, placement) = placed(leg.map())?;
            leg.add_points(&projection, placement, &mut points);
        }
        let (map, goal) = &route.goals.at[route.chosen];
        let end = route.legs.last().and_then(PathLeg::path);
        let goal = match end.filter(|_| route.goals.reach.is_some()) {
            Some(path) => Place::Cell(path.goal()),
            None => goal.place(placed(*map).as_ref().map(|(projection, _)| projection)),
        };
        Some(Self { next: 0, wall: None, current: 0, revision: 0, points, route, goal })
    }

    pub(super) fn next(&self) -> usize {
        self.next
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn points(&self) -> &[Vec2] {
        &self.points
    }

    pub(super) fn route(&self) -> &Route {
        &self.route
    }

    pub(super) fn goal(&self) -> &Place {
        &self.goal
    }

    pub(super) fn leg(&self) -> &PathLeg {
        &self.route.legs[self.current]
    }

    pub(super) fn last_leg(&self) -> &PathLeg {
        &self.route.legs[self.route.legs.len() - 1]
    }

    pub(super) fn legs_left(&self) -> &[PathLeg] {
        &self.route.legs[self.current..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.next >= self.points.len()
    }

    pub(super) fn is_in_door(&self) -> bool {
        self.next == self.leg().end && self.legs_left().len() > 1
    }

    /// Returns the index, in the leg under way, of the cell or stop that the agent left last. It is
    /// 0 before the agent has reached the first.
    pub(super) fn passed(&self) -> usize {
        self.leg().index_of(self.next).saturating_sub(1)
    }

    /// Lets the agent walk to the point with this index.
    pub(super) fn set_next(&mut self, next: usize) {
        self.next = next;
    }

    /// Ends the plan where the agent is.
    pub(super) fn end(&mut self) {
        self.next = self.points.len();
    }

    /// Lets the agent walk along the leg behind the door in which it is.
    pub(super) fn enter_next_leg(&mut self) {
        self.current += 1;
    }

    /// Returns the route for changes that no user can see: what is known about it, and shared lists.
    pub(crate) fn route_mut(&mut self) -> &mut Route {
        &mut self.route
    }

    /// Replaces the plan by another one of the same agent.
    pub(crate) fn replace(&mut self, other: Self) {
        *self = Self { revision: self.revision + 1, ..other };
    }

    /// Counts this plan as the one that replaces a plan of this revision.
    pub(crate) fn follow_on(&mut self, revision: u64) {
        self.revision = revision + 1;
    }

    /// Replaces the path by another one to the same goals. The agent has reached its first cell if it
    /// stands there.
    pub(super) fn go_over(
        &mut self,
        mut leg: PathLeg,
        chosen: usize,
        view: &MapView,
        placement: Version,
        stands: bool,
    ) {
        self.points.clear();
        leg.add_points(view.projection, placement, &mut self.points);
        if self.route.goals.reach.is_some()
            && let Some(path) = leg.path()
        {
            self.goal = Place::Cell(path.goal());
        } else if let Some((_, goal)) = self.route.goals.at.get(chosen) {
            self.goal = goal.place(Some(view.projection));
        }
        (self.route.legs, self.route.chosen, self.route.is_proven) = (smallvec![leg], chosen, true);
        (self.current, self.next, self.wall) = (0, usize::from(stands), None);
        self.revision += 1;
    }

    /// Sets the goals of the order, and the one to which the path leads.
    pub(crate) fn aim(&mut self, goals: Goals, goal: Place) {
        (self.route.goals, self.route.chosen) = (goals, 0);
        self.set_goal(goal);
    }

    pub(crate) fn set_goal(&mut self, goal: Place) {
        if self.goal != goal {
            self.goal = goal;
            self.revision += 1;
        }
    }

    /// Computes the points of a leg again after its map was moved. The index counts from the leg
    /// under way.
    pub(super) fn place(&mut self, index: usize, projection: &NavProjection, placement: Version) {
        let leg = &mut self.route.legs[self.current + index];
        self.revision += u64::from(leg.place(projection, placement, &mut self.points));
    }

    /// Lays the line along the cells of a leg, from the cell with this index on.
    pub(super) fn lay(&mut self, leg: usize, style: LineStyle, from: usize, view: &MapView) {
        if self.route.legs[leg].lay(style, from, view) {
            self.take_line(leg, view);
        }
    }

    /// Lays the line of the leg under way anew from the centre of the cell with this index.
    pub(crate) fn lay_from_centre(&mut self, from: usize, view: &MapView) {
        self.route.legs[self.current].lay_from_centre(from, view);
        self.take_line(self.current, view);
    }

    /// Computes the points of a leg again after its line was laid.
    fn take_line(&mut self, leg: usize, view: &MapView) {
        let leg = &mut self.route.legs[leg];
        let placement = std::mem::take(&mut leg.placement);
        leg.place(view.projection, placement, &mut self.points);
        self.revision += 1;
    }

    /// Updates the costs of the rest of a leg after edits. The index counts from the leg under way.
    /// Returns whether the pace has changed.
    ///
    /// # Errors
    /// The first place ahead that cannot be reached any more.
    pub(crate) fn follow_edits(&mut self, index: usize, watch: &Watch, map: &AnyMap) -> Result<bool, Place> {
        let next = if index == 0 { self.next } else { 0 };
        let followed = self.route.legs[self.current + index].follow_edits(next, watch, map)?;
        self.revision += u64::from(followed.is_changed);
        Ok(followed.has_other_pace)
    }

    /// Records that the rest of a leg is valid in this version of its map.
    pub(crate) fn confirm(&mut self, index: usize, version: Version) {
        self.route.legs[self.current + index].version = version;
    }

    /// Updates what may change on a graph without a new search: speeds. Returns whether they have
    /// changed.
    pub(crate) fn update_pace(&mut self, index: usize, graph: &NavGraph) -> bool {
        let is_changed = self.route.legs[self.current + index].update_pace(graph);
        self.revision += u64::from(is_changed);
        is_changed
    }

    /// Sets the entrance of a leg and its cost, after the door has changed.
    pub(crate) fn set_entrance(&mut self, index: usize, entrance: Entrance, cost: f64) {
        let leg = &mut self.route.legs[self.current + index];
        let is_changed = leg.door_cost.to_bits() != cost.to_bits();
        (leg.entrance, leg.door_cost) = (Some(entrance), cost);
        self.revision += u64::from(is_changed);
    }

    /// Sets the revision of each leg to the present one of its map.
    pub(super) fn set_revisions(&mut self, present: impl Fn(Entity) -> Option<Revision>) {
        for leg in &mut self.route.legs {
            leg.set_revision(present(leg.map()).unwrap_or_default());
        }
    }

    /// Returns whether the path ends at the chosen goal.
    pub(super) fn ends_at_goal(&self) -> bool {
        let (leg, (map, goal)) = (self.last_leg(), &self.route.goals.at[self.route.chosen]);
        leg.path().is_none_or(|path| leg.map() == *map && *goal == MapPlace::Cell(path.goal()))
    }
}
