//! The content of a state.

use bevy_ecs::entity::{Entity, EntityHashSet, EntityMapper, MapEntities};

use crate::{
    group::{GroupQueueState, PausedPlan},
    journey::path::AgentPath,
    map::{door::known::DoorsState, version::Version},
    order::{queue::QueueState, route::Known, shared_lists::SharedLists},
    search::{landmarks::LandmarkCreditState, searches::SearchesState, shared_fields::SharedFieldsState},
    state::entity::EntityState,
    walk::bodies::map_crowd::CrowdsState,
};

/// Everything that decides the future.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Content {
    pub(crate) work_per_tick: u64,
    pub(crate) last_agent_number: u64,
    /// In the order of their entities.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    pub(crate) entities: Vec<EntityState>,
    pub(crate) doors: DoorsState,
    pub(crate) queue: QueueState,
    pub(crate) searches: SearchesState,
    pub(crate) fields: SharedFieldsState,
    pub(crate) landmarks: LandmarkCreditState,
    pub(crate) groups: GroupQueueState,
    pub(crate) plan: Option<PausedPlan>,
    pub(crate) crowds: CrowdsState,
}

impl MapEntities for Content {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.entities.map_entities(mapper);
        self.doors.map_entities(mapper);
        self.queue.map_entities(mapper);
        self.searches.map_entities(mapper);
        self.fields.map_entities(mapper);
        self.landmarks.map_entities(mapper);
        self.groups.map_entities(mapper);
        self.plan.map_entities(mapper);
        self.crowds.map_entities(mapper);
    }
}

/// Collects the entities that a value names.
#[derive(Debug, Default)]
pub(crate) struct Named(pub(crate) EntityHashSet);

impl EntityMapper for Named {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.0.insert(source);
        source
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}

impl Content {
    /// Returns all entities that the content names, also those that are gone.
    pub(crate) fn named(&mut self) -> EntityHashSet {
        let mut named = Named::default();
        self.map_entities(&mut named);
        named.0
    }

    /// Lets equal lists of goals be the same list.
    pub(crate) fn share_lists(&mut self) {
        let mut lists = SharedLists::default();
        for entity in &mut self.entities {
            let request = entity.request.iter_mut().flat_map(|request| request.goals_mut());
            let stops = entity.stops.iter_mut().flat_map(|stops| stops.goals_mut());
            request.chain(stops).for_each(|goal| _ = lists.share(goal));
            let mut path = entity.path.as_deref_mut();
            while let Some(of) = path {
                let route = of.plan.route_mut();
                lists.share(&mut route.asked);
                lists.share_accepted(&mut route.goals);
                path = of.stops.ahead.as_mut().map(|ahead| &mut ahead.path);
            }
        }
        for (request, goals) in self.searches.requests_mut() {
            request.goals_mut().for_each(|goal| _ = lists.share(goal));
            lists.share_accepted(goals);
        }
    }
}

/// Something that has versions in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Versioned {
    Map(Entity),
    Placement(Entity),
    Door(Entity),
    Doors,
}

/// Visits all versions in a path.
pub(crate) fn each_version(path: &mut AgentPath, visit: &mut impl FnMut(Versioned, &mut Version)) {
    visit(Versioned::Doors, &mut path.proof.doors);
    for leg in &mut path.plan.route_mut().legs {
        visit(Versioned::Map(leg.map()), &mut leg.version);
        visit(Versioned::Placement(leg.map()), &mut leg.placement);
        if let Some(entrance) = &mut leg.entrance {
            visit(Versioned::Door(entrance.door), &mut entrance.version);
        }
    }
    if let Some(ahead) = &mut path.stops.ahead {
        visit(Versioned::Map(ahead.path.leg().map()), &mut ahead.checked);
        each_version(&mut ahead.path, visit);
    }
}

/// Visits all counts of known changes in a path.
pub(crate) fn each_known(path: &mut AgentPath, visit: &mut impl FnMut(&mut Known)) {
    visit(&mut path.plan.route_mut().known);
    visit(&mut path.proof.known);
    if let Some(ahead) = &mut path.stops.ahead {
        each_known(&mut ahead.path, visit);
    }
}
