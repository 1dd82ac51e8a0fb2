//! The distance within which a member is near to its place.
//!
//! Decision: `docs/decisions/54-groups.md`.

use bevy_ecs::{
    entity_disabling::Disabled,
    query::Allow,
    system::{Query, Res, ResMut},
    world::World,
};
use tilepath::Cell;

use crate::{
    failure::PathFailure,
    group::{
        members::{Fate, Group, GroupMember, Member},
        planning::last_cell,
    },
    journey::body::BodyPlace,
    map::{nav_grid::NavGrid, place::Place},
    order::{pending_event::PendingEvent, queue::RequestQueue, stops::PathStops},
    search::searches::Searches,
    walk::bodies::map_crowd::Crowds,
};

/// The most steps from a member to its place at which it is near. Walls between the two do not
/// matter.
const NEAR_STEPS: u64 = 20;

/// Lets members lose their paths that come to the end of a partial path, and are far from their
/// places. If a search for a better path is under way, an edit may just have opened one.
pub(super) fn lose_far_members(
    mut queue: ResMut<RequestQueue>,
    searches: Res<Searches>,
    members: Query<(&GroupMember, Option<&PathStops>), Allow<Disabled>>,
    groups: Query<&Group, Allow<Disabled>>,
    grids: Query<&NavGrid>,
) {
    for (order, event) in queue.events_mut() {
        let Some((map, place)) = event.partial_end() else { continue };
        let Ok((of, stops)) = members.get(order.entity) else { continue };
        let Ok(group) = groups.get(of.group()) else { continue };
        let member = of.index_in(group).and_then(|index| group.members.get(index));
        let Some(member) = member.filter(|member| member.order == order.number) else { continue };
        let goes_on = stops.is_some_and(|stops| stops.next().is_some());
        let is_near = match place {
            Place::Cell(cell) if group.map == Some(map) => {
                grids.get(map).ok().is_none_or(|grid| group.is_near(member, *cell, grid))
            }
            _ => false,
        };
        if !goes_on && !is_near && searches.get(order.entity).is_none() {
            *event = PendingEvent::Lost(PathFailure::Unreachable);
        }
    }
}

impl Group {
    fn is_near(&self, member: &Member, cell: Cell, grid: &NavGrid) -> bool {
        last_cell(member, &self.stops)
            .is_none_or(|place| grid.grid().topology().steps(cell, place) <= NEAR_STEPS)
    }

    /// Returns the cell of a member in the crowd of the group's map.
    pub(super) fn standing_cell(&self, world: &World, member: &Member) -> Option<Cell> {
        let place = world.get::<BodyPlace>(member.entity)?;
        let entered = place.entered.as_ref().filter(|entered| Some(entered.map) == self.map)?;
        Some(world.get_resource::<Crowds>()?.entered(entered)?.cell(entered.id))
    }

    /// Returns the number of members that other bodies stopped far from their places.
    pub(super) fn count_far(&self, world: &World) -> usize {
        let grid = self.map.and_then(|map| world.get::<NavGrid>(map));
        let is_far = |member: &&Member| {
            matches!(member.fate, Fate::Short | Fate::Blocked)
                && (grid.zip(self.standing_cell(world, member)))
                    .is_some_and(|(grid, cell)| !self.is_near(member, cell, grid))
        };
        self.members.iter().filter(is_far).count()
    }
}
