//! The places of a group's members.

use bevy_ecs::{
    entity::{Entity, EntityHashSet},
    entity_disabling::Disabled,
    hierarchy::ChildOf,
    query::{Allow, QueryData},
    system::{Query, Res, SystemParam, SystemState},
    world::World,
};
use bevy_math::Vec2;
use bevy_transform::components::Transform;
use tilepath::{
    Cell, PathFinder, SearchStatus, Size,
    crowd::{Activity, Steps},
    formation::{FormationError, FormationQuery, FormationSearch, FormationUnit},
};

use crate::{
    failure::PathFailure,
    group::{
        allowance::Allowance,
        events::GroupFailure,
        members::{Fate, Group, Slot, Stop},
        order::GroupOrder,
    },
    journey::{
        agent::PathAgent,
        body::{Body, BodyPlace},
        number::AgentNumber,
        parents::ParentPlaces,
        path::AgentPath,
        standing_on::StandingOn,
    },
    map::{
        map_view::MapView,
        maps::{AnyMap, Maps},
        movement::AgentMovement,
        on_map::OnMap,
        place::{MapPlace, Place},
    },
    order::{state::RequestState, stops::PathStops},
    walk::bodies::map_crowd::Crowds,
};

/// All inputs on which the places of a group depend.
#[derive(SystemParam)]
pub(super) struct Surroundings<'w, 's> {
    pub(super) maps: Maps<'w, 's>,
    parents: Res<'w, ParentPlaces>,
    crowds: Res<'w, Crowds>,
    bodies: Query<'w, 's, &'static BodyPlace>,
    pub(super) agents: Query<'w, 's, MemberParts, Allow<Disabled>>,
    pub(super) groups: Query<'w, 's, (Entity, &'static Group), Allow<Disabled>>,
}

/// The components of a member.
#[derive(QueryData)]
pub(super) struct MemberParts {
    pub(super) number: &'static AgentNumber,
    pub(super) agent: &'static PathAgent,
    pub(super) state: &'static RequestState,
    pub(super) stops: Option<&'static PathStops>,
    pub(super) movement: Option<&'static AgentMovement>,
    pub(super) on_map: Option<&'static OnMap>,
    transform: Option<&'static Transform>,
    parent: Option<&'static ChildOf>,
    standing_on: Option<&'static StandingOn>,
    path: Option<&'static AgentPath>,
    body: Option<&'static Body>,
}

/// The state with which [`look`] reads the world.
pub(super) type Parts = SystemState<Surroundings<'static, 'static>>;

/// Returns the present state of the world.
pub(super) fn look<'w, 's>(parts: &'s mut Parts, world: &'w mut World) -> Surroundings<'w, 's> {
    parts.get(world).expect("the plugin adds these resources")
}

/// A member that needs a place. `before` is the place from which it comes, if it does not come from
/// where it stands.
pub(super) struct Newcomer {
    pub(super) entity: Entity,
    pub(super) before: Option<Cell>,
}

impl Surroundings<'_, '_> {
    /// Returns a member as a unit of the map's finder, from its former place or from where it
    /// stands.
    pub(super) fn unit(&self, view: MapView, newcomer: &Newcomer) -> Option<FormationUnit> {
        let member = self.agents.get(newcomer.entity).ok()?;
        let seen = view.by(member.movement).ok()?;
        // Returns `None` if this map cannot have the movement, such as several cells on hexagons.
        Steps::new(seen.finder, seen.movement).ok()?;
        let is_here = member.on_map.is_none_or(|on_map| on_map.0 == view.map);
        let stands = || {
            let standing = self.parents.standing(member.parent, member.transform, member.standing_on)?;
            let unit = self.maps.of(member.movement);
            let place = unit.standing_place(&AnyMap::Tiles(seen), &standing, member.path).ok()?;
            place.cell().filter(|_| is_here)
        };
        // A member off the map also gets an order. The failure of this order has the reason.
        let from = newcomer.before.or_else(stands).filter(|&cell| {
            Size::new(seen.side())
                .is_ok_and(|size| size.footprint(cell).all(|covered| seen.grid.bounds().contains(covered)))
        });
        let unit = match from {
            Some(from) => FormationUnit::new(from, seen.movement),
            None => FormationUnit::from_elsewhere(seen.movement),
        };
        let speed = member.agent.gait().full_speed(view.projection.straight_step());
        // The factor of 64 is fine enough to distinguish speeds.
        Some(unit.with_speed((speed * 64.0 / view.projection.straight_step().max(f64::MIN_POSITIVE)) as u32))
    }

    /// Returns the movement and the map of a member.
    pub(super) fn movement_and_map(&self, member: Entity) -> (Option<AgentMovement>, Option<Entity>) {
        let member = self.agents.get(member).ok();
        let on_map = member.as_ref().and_then(|member| member.on_map);
        (member.and_then(|member| member.movement).cloned(), on_map.map(|on_map| on_map.0))
    }

    /// Returns the tile map on which a group gathers, or `None` while the map is not ready.
    pub(super) fn map_of(
        &self,
        order: &GroupOrder,
        first: Entity,
    ) -> Result<Option<MapView<'_>>, GroupFailure> {
        use crate::order::queue::NotYet;

        let on_map = self.agents.get(first).ok().and_then(|member| member.on_map).map(|on_map| on_map.0);
        match self.maps.resolve(order.goal_map().or(on_map), None) {
            Ok(AnyMap::Tiles(view)) => Ok(Some(view)),
            Ok(AnyMap::Graph(_)) => Err(GroupFailure::OnGraph),
            Err(NotYet::Wait | NotYet::NextTick) => Ok(None),
            Err(NotYet::Fail(reason)) => Err(reason.into()),
        }
    }

    /// Finds places around a goal in one go. Returns the stop, and the index of each newcomer's place
    /// in it.
    pub(super) fn stop(
        &self,
        order: &GroupOrder,
        view: MapView,
        goal: &Place,
        newcomers: &[Newcomer],
        allowance: &mut Allowance,
    ) -> Result<(Stop, Vec<Option<usize>>), GroupFailure> {
        let mut search = self.begin_stop(order, view, goal, newcomers)?;
        loop {
            let found = search.advance(view.finder, u64::MAX)?;
            if let Some(found) = found {
                allowance.spend(search.search.work());
                return Ok(found);
            }
        }
    }

    /// Begins a search for places around a goal.
    pub(super) fn begin_stop(
        &self,
        order: &GroupOrder,
        view: MapView,
        goal: &Place,
        newcomers: &[Newcomer],
    ) -> Result<StopSearch, GroupFailure> {
        let MapPlace::Cell(goal) = AnyMap::Tiles(view).map_place_of(goal)? else {
            return Err(PathFailure::WrongKindOfMap.into());
        };
        let units: Vec<Option<FormationUnit>> =
            newcomers.iter().map(|newcomer| self.unit(view, newcomer)).collect();
        if units.iter().all(Option::is_none) {
            return Err(PathFailure::UnknownMovement { map: view.map }.into());
        }
        let mut query = FormationQuery::new(goal, units.iter().flatten().copied())
            .with_formation(order.formation())
            .with_taken(self.taken(view, newcomers));
        if let Some(facing) = order.heading() {
            query = query.with_heading(heading(view, facing));
        }
        let search = view.finder.begin_formation(&query).map_err(failure)?;
        Ok(StopSearch { search, is_placed: units.iter().map(Option::is_some).collect() })
    }

    /// Returns the cells of other bodies that do not walk on, and the places of other groups.
    fn taken(&self, view: MapView, newcomers: &[Newcomer]) -> Vec<Cell> {
        let own: EntityHashSet = newcomers.iter().map(|newcomer| newcomer.entity).collect();
        let has_body = |entity: &Entity| self.agents.get(*entity).is_ok_and(|member| member.body.is_some());
        let mut taken = Vec::new();
        if !own.iter().any(has_body) {
            return taken;
        }
        let covered = |cell: Cell, side: u8| Size::new(side).unwrap_or_default().footprint(cell);
        if let Some(crowd) = self.crowds.of(view.map) {
            for (id, owner) in self.crowds.owners(view.map) {
                if own.contains(&owner) || matches!(crowd.activity(id), Activity::UnderWay { .. }) {
                    continue;
                }
                let place = self.bodies.get(owner).ok().and_then(|place| place.entered.as_ref());
                taken.extend(covered(crowd.cell(id), place.map_or(1, |entered| entered.side)));
            }
        }
        for (_, group) in self.groups.iter().filter(|(_, group)| group.map == Some(view.map)) {
            for member in &group.members {
                if own.contains(&member.entity) || member.fate != Fate::UnderWay || !has_body(&member.entity)
                {
                    continue;
                }
                let Ok(parts) = self.agents.get(member.entity) else { continue };
                let side = view.by(parts.movement).map_or(1, |seen| seen.side());
                if let Some(cell) = group.cell_of(member, group.stops.len().saturating_sub(1)) {
                    taken.extend(covered(cell, side));
                }
            }
        }
        taken
    }
}

/// A search for places at one stop.
#[derive(Clone, Debug)]
pub(super) struct StopSearch {
    pub(super) search: FormationSearch,
    /// For each newcomer, whether it takes part in the search.
    is_placed: Vec<bool>,
}

impl StopSearch {
    /// Runs the search for this much work. Returns the answer if the search is over: the stop, and
    /// the index of each newcomer's place in it.
    pub(super) fn advance(
        &mut self,
        finder: &PathFinder,
        budget: u64,
    ) -> Result<Option<(Stop, Vec<Option<usize>>)>, GroupFailure> {
        if self.search.advance(finder, budget).map_err(failure)? == SearchStatus::Running {
            return Ok(None);
        }
        let answer = self.search.answer().map_err(failure)?;
        let mut stop = Stop::default();
        let mut slots = vec![None; self.is_placed.len()];
        let placed = (0..slots.len()).filter(|&index| self.is_placed[index]);
        for (unit, index) in placed.enumerate() {
            let Some(cell) = answer.places()[unit] else { continue };
            slots[index] = Some(stop.slots.len());
            stop.slots.push(Slot { cell, kind: answer.kinds()[unit], rank: answer.ranks()[unit] });
        }
        Ok(Some((stop, slots)))
    }
}

fn failure(error: FormationError) -> GroupFailure {
    match error {
        FormationError::NoPlace { units } => GroupFailure::NoPlace { members: units },
        FormationError::Query(error) => GroupFailure::Path(error.into()),
        _ => GroupFailure::NoMembers,
    }
}

/// Converts a direction in the world to columns and rows.
fn heading(view: MapView, facing: Vec2) -> (i32, i32) {
    /// The length, in steps, to which the direction is rounded.
    const FINENESS: f32 = 1024.0;

    let cells = view.projection.cell_units_of_world_vector(facing.normalize_or_zero());
    let cells = (cells / cells.abs().max_element() * FINENESS).round().as_ivec2();
    (cells.x, cells.y)
}
